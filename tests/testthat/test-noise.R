# Noise is drawn from fixed seeds here, so these tests do not change from run to run. With seeds
# drawn anew one of them would fail by chance with probability 1e-6 at most: fewer than 1000
# comparisons are made, each at the level 1e-9.
level <- 1e-9

laplace_mass <- function(x, scale) {
  exp(-abs(x) / scale) * tanh(1 / (2 * scale))
}

gaussian_mass <- function(x, sigma) {
  far <- ceiling(14 * sigma) + 2
  exp(-x^2 / (2 * sigma^2)) / sum(exp(-(-far:far)^2 / (2 * sigma^2)))
}

# Upper tail of the chi-square statistic: one cell per value that expects at least 20 draws, and
# one for all others together.
fit_p_value <- function(draws, mass) {
  values <- -1000:1000
  values <- values[mass(values) * length(draws) >= 20]
  expected <- mass(values) * length(draws)
  counts <- tabulate(match(draws, values), length(values))
  rest <- length(draws) - sum(expected)
  if (rest >= 5) {
    expected <- c(expected, rest)
    counts <- c(counts, length(draws) - sum(counts))
  }
  stats::pchisq(
    sum((counts - expected)^2 / expected), length(expected) - 1, lower.tail = FALSE
  )
}

test_that("discrete Laplace noise has the stated probabilities", {
  for (scale in c(0.3, 0.75, 1, 2.5, 7, 30)) {
    draws <- cpp_discrete_laplace(1e5, scale, seed = 1)
    exact <- cpp_noise_scale(scale)
    expect_gt(fit_p_value(draws, function(x) laplace_mass(x, exact)), level)
    expect_gt(stats::binom.test(sum(draws == 0), 1e5, laplace_mass(0, exact))$p.value, level)
    expect_gt(stats::binom.test(sum(draws > 0), sum(draws != 0))$p.value, level)
  }
})

test_that("discrete Gaussian noise has the stated probabilities", {
  for (sigma in c(0.3, 0.75, 1, 2.5, 7, 30)) {
    draws <- cpp_discrete_gaussian(1e5, sigma, seed = 2)
    exact <- cpp_noise_scale(sigma)
    expect_gt(fit_p_value(draws, function(x) gaussian_mass(x, exact)), level)
    expect_gt(stats::binom.test(sum(draws == 0), 1e5, gaussian_mass(0, exact))$p.value, level)
    expect_gt(stats::binom.test(sum(draws > 0), sum(draws != 0))$p.value, level)
  }
})

test_that("a wrong scale is noticed", {
  draws <- cpp_discrete_laplace(1e5, 7 * 1.06, seed = 3)
  expect_lt(fit_p_value(draws, function(x) laplace_mass(x, 7)), level)
  draws <- cpp_discrete_gaussian(1e5, 7 * 1.06, seed = 3)
  expect_lt(fit_p_value(draws, function(x) gaussian_mass(x, 7)), level)
})

test_that("neighbouring masses have the ratio that privacy needs", {
  # For the Laplace distribution log P(x) - log P(x + 1) = 1/scale for every x >= 0.
  counts <- tabulate(cpp_discrete_laplace(2e5, 4, seed = 4) + 1, 12)
  ratio <- log(counts[-12] / counts[-1])
  error <- sqrt(1 / counts[-12] + 1 / counts[-1])
  expect_gt(min(2 * stats::pnorm(-abs(ratio - 1 / 4) / error)), level)
  # For the Gaussian it is (2x + 1) / (2 sigma^2).
  counts <- tabulate(cpp_discrete_gaussian(2e5, 4, seed = 4) + 1, 9)
  ratio <- log(counts[-9] / counts[-1])
  error <- sqrt(1 / counts[-9] + 1 / counts[-1])
  expect_gt(min(2 * stats::pnorm(-abs(ratio - (2 * 0:7 + 1) / 32) / error)), level)
})

test_that("the largest scales have the right moments and uniform low bits", {
  n <- 1e5
  # E|x| = scale with standard deviation scale; x^2 / sigma^2 has mean 1 and variance 2. 1e15 goes
  # beyond 2^53, where R's numbers lose the lowest bits: only moments are looked at.
  for (scale in c(1e6 + 0.5, 1e12, 1e15)) {
    laplace <- cpp_discrete_laplace(n, scale, seed = 5) / cpp_noise_scale(scale)
    gaussian <- cpp_discrete_gaussian(n, scale, seed = 5) / cpp_noise_scale(scale)
    z <- c(
      (mean(abs(laplace)) - 1) * sqrt(n), mean(laplace) * sqrt(n / 2),
      (mean(gaussian^2) - 1) * sqrt(n / 2), mean(gaussian) * sqrt(n)
    )
    expect_gt(min(2 * stats::pnorm(-abs(z))), level)
  }
  for (draw in list(cpp_discrete_laplace, cpp_discrete_gaussian)) {
    low <- draw(n, 1e12, seed = 6) %% 32
    expect_gt(stats::chisq.test(tabulate(low + 1, 32))$p.value, level)
  }
})

test_that("the smallest scale leaves zero", {
  expect_equal(range(cpp_discrete_laplace(2e4, 1e-3, seed = 7)), c(0, 0))
  expect_equal(range(cpp_discrete_gaussian(2e4, 1e-3, seed = 7)), c(0, 0))
})

test_that("events of probability exp(-x) happen that often", {
  for (x in list(c(1, 1000), c(1, 3), c(1, 1), c(7, 2), c(2^52 + 1, 2^53))) {
    yes <- cpp_count_exp_minus(1e5, x[[1]], x[[2]], seed = 8)
    expect_gt(stats::binom.test(yes, 1e5, exp(-x[[1]] / x[[2]]))$p.value, level)
  }
})

test_that("scales are rounded up, by one part in eight million at most", {
  x <- c(1e-3, 0.1, 1 / 3, 1, 2, pi, 1e6 / 7, 1e12 + 1, 1e15)
  used <- vapply(x, cpp_noise_scale, 0)
  expect_true(all(used >= x & used <= x * (1 + 2^-23)))
  expect_identical(cpp_noise_scale(12.5), 12.5)
})

test_that("scales outside the range are refused", {
  for (scale in c(0, -1, 1e-4, 2e15, Inf, NaN, NA)) {
    expect_error(cpp_discrete_laplace(1, scale, NULL), "between 1e-3 and 1e15")
    expect_error(cpp_discrete_gaussian(1, scale, NULL), "between 1e-3 and 1e15")
  }
})

test_that("a seed gives the same draws on every machine", {
  expect_identical(
    cpp_discrete_laplace(1000, 3.7, seed = 9), cpp_discrete_laplace(1000, 3.7, seed = 9)
  )
  expect_false(identical(
    cpp_discrete_laplace(1000, 3.7, seed = 9), cpp_discrete_laplace(1000, 3.7, seed = -9)
  ))
  expect_snapshot({
    cpp_discrete_laplace(20, 12.5, seed = 1)
    cpp_discrete_gaussian(20, 12.5, seed = 1)
    cpp_discrete_gaussian(3, 1e12, seed = -1)
    cpp_random_bits(cpp_random_stream(1), 4)
  })
})

test_that("without a seed every stream is different", {
  streams <- replicate(50, list(cpp_random_bits(cpp_random_stream(NULL), 2)))
  expect_identical(anyDuplicated(streams), 0L)
  expect_false(identical(
    cpp_discrete_gaussian(100, 1e6, NULL), cpp_discrete_gaussian(100, 1e6, NULL)
  ))
})

test_that("the bytes of a stream are uniform", {
  bytes <- as.integer(cpp_random_bits(cpp_random_stream(10), 50000))
  expect_gt(stats::chisq.test(tabulate(bytes + 1, 256))$p.value, level)
})

test_that("R's random numbers are neither read nor advanced", {
  draw_all <- function() {
    c(
      cpp_discrete_laplace(50, 1e6, NULL), cpp_discrete_gaussian(50, 1e6, NULL),
      cpp_count_exp_minus(50, 1, 2, NULL), as.integer(cpp_random_bits(cpp_random_stream(NULL), 5))
    )
  }
  with_seed(1, {
    before <- get(".Random.seed", globalenv())
    first <- draw_all()
    expect_identical(get(".Random.seed", globalenv()), before)
    set.seed(1)
    expect_false(identical(draw_all(), first))
    # No generator at all is needed, and none is made.
    rm(".Random.seed", envir = globalenv())
    draw_all()
    expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
    set.seed(1)
  })
})

test_that("forked children draw noise of their own", {
  skip_on_os("windows")
  stream <- cpp_random_stream(NULL)
  used <- cpp_random_bits(stream, 3) # words that are made but not used are inherited by children
  draw <- function(stream) {
    jobs <- lapply(1:3, function(i) {
      parallel::mcparallel(cpp_random_bits(stream, 30), mc.set.seed = FALSE)
    })
    unname(parallel::mccollect(jobs))
  }
  words <- function(bytes) apply(matrix(as.character(bytes), 8), 2, paste, collapse = "")
  drawn <- unlist(lapply(c(list(used), draw(stream), list(cpp_random_bits(stream, 30))), words))
  expect_length(drawn, 123)
  expect_identical(anyDuplicated(drawn), 0L)
  # With a seed they repeat, as a seed promises: so the comparison above could fail.
  repeated <- draw(cpp_random_stream(1))
  expect_identical(repeated[[1]], repeated[[2]])
})
