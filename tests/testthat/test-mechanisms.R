test_that("laplace noise has the stated scale and is centred on the value", {
  values <- vapply(1:3000, function(s) {
    laplace_mechanism(10, sensitivity = 2, epsilon = 0.5, seed = s)$value
  }, 0)
  # Kolmogorov-Smirnov at 1e-6: sqrt(-log(5e-7) / 2 / n) = 0.0492.
  laplace_cdf <- function(x, b) ifelse(x < 0, exp(x / b) / 2, 1 - exp(-x / b) / 2)
  distance <- max(abs(laplace_cdf(sort(values) - 10, 4) - (seq_along(values) - 0.5) / 3000))
  expect_lt(distance, 0.0492 + 1 / 3000)
  # The scale is never below sensitivity / epsilon, and hardly above.
  scale <- laplace_mechanism(10, 2, 0.5)$noise$scale
  expect_gte(scale, 4)
  expect_lt(scale, 4 * (1 + 1e-4))
})

test_that("gaussian noise has the stated standard deviation", {
  values <- vapply(1:3000, function(s) {
    gaussian_mechanism(-3, sensitivity = 1, rho = 0.5, seed = s)$value
  }, 0)
  distance <- max(abs(pnorm(sort(values), -3, 1) - (seq_along(values) - 0.5) / 3000))
  expect_lt(distance, 0.0492 + 1 / 3000)
  sd <- gaussian_mechanism(
    c(a = 1, b = 2), sensitivity = sqrt(2), epsilon = 1, delta = 1e-6
  )$noise$sd
  expect_gte(sd, sqrt(2) / sqrt(2 * rho_from_dp(1, 1e-6)))
})

test_that("counts stay whole numbers and names stay", {
  release <- laplace_mechanism(
    c(a = 5, b = 7), sensitivity = 2, epsilon = 1, whole = TRUE, seed = 1
  )
  expect_named(release$value, c("a", "b"))
  expect_identical(release$value, round(release$value))
  expect_identical(release$noise$scale, 2)
})

test_that("values far outside the grid are clamped, not refused", {
  huge <- laplace_mechanism(1e300, sensitivity = 1, epsilon = 1)$value
  expect_true(is.finite(huge))
})

test_that("infinite values are refused, as no sensitivity covers them, at no price", {
  budget <- privacy_budget(1, 1e-6)
  expect_snapshot({
    show_refusal(laplace_mechanism(c(1, -Inf), 1, 0.1, budget = budget))
    show_refusal(gaussian_mechanism(Inf, 1, rho = 0.01, budget = budget))
    show_refusal(exponential_mechanism(c(1, -Inf, NaN), 1, 0.1, budget = budget))
    show_refusal(exponential_mechanism(c(1, -Inf), 1, 0.1, budget = budget))
    show_refusal(sparse_vector(c(1, Inf), 0, 1, 0.1, budget = budget))
  })
  # Bounds limit how far a block's value can move, however infinite.
  expect_no_error(private_median(c(rep(0.5, 200), -Inf, Inf), 0, 1, 1, 1e-6))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("whole = TRUE refuses fractions without telling them, at no price", {
  budget <- privacy_budget(1, 1e-6)
  # In L1 these two are 0.9 apart, and would be 100 apart as whole numbers.
  low <- rep(0.995, 100)
  high <- rep(1.004, 100)
  expect_snapshot({
    show_refusal(laplace_mechanism(low, 0.9, 0.1, whole = TRUE, budget = budget))
    show_refusal(gaussian_mechanism(high, 0.9, rho = 0.01, whole = TRUE, budget = budget))
  })
  for (value in list(0.5, c(1, 2, 2.000001), table(1:3) / 2, 2^51 + 0.5, -1e-300)) {
    expect_error(laplace_mechanism(value, 1, 1, whole = TRUE), "must be whole numbers")
    expect_error(gaussian_mechanism(value, 1, rho = 1, whole = TRUE), "must be whole numbers")
    # The last line, in the core.
    bare <- as.vector(value)
    expect_error(cpp_laplace(bare, 1, 1, TRUE, budget$ledger, "", NULL), "announced as whole")
    expect_error(cpp_gaussian(bare, 1, 0.01, TRUE, budget$ledger, "", NULL), "announced as whole")
  }
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  for (value in list(3L, -3, c(0, -0), table(1:3), matrix(1:4, 2), 2^53 + 2, -1e200)) {
    expect_no_error(laplace_mechanism(value, 1, 1, whole = TRUE))
    expect_no_error(gaussian_mechanism(value, 1, rho = 1, whole = TRUE))
  }
})

test_that("the exponential mechanism has its exact distribution", {
  scores <- c(0, 1, 2, 5)
  # chi-square on 3 df at 1e-6: 30.66
  chi_square <- function(chosen, p) sum((tabulate(chosen, 4) - 2e4 * p)^2 / (2e4 * p))
  drawn <- cpp_runs_exponential(scores, 1, 1.3, FALSE, FALSE, 2e4)
  p <- exp(1.3 * scores / 2)
  expect_lt(chi_square(drawn, p / sum(p)), 30.66)
  drawn <- cpp_runs_exponential(scores, 1, 1.3, TRUE, FALSE, 2e4)
  p <- exp(1.3 * scores)
  expect_lt(chi_square(drawn, p / sum(p)), 30.66)
})

test_that("permute and flip has its exact distribution", {
  scores <- c(0, 1, 3)
  accept <- exp(-(3 - scores) * 1.3 / 2)
  # Probability of each candidate over the six orders.
  orders <- list(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
  p <- rowMeans(vapply(orders, function(o) {
    reached <- cumprod(c(1, 1 - accept[o]))[1:3]
    out <- numeric(3)
    out[o] <- reached * accept[o]
    out
  }, numeric(3)))
  drawn <- tabulate(cpp_runs_exponential(scores, 1, 1.3, FALSE, TRUE, 2e4), 3)
  expect_lt(sum((drawn - 2e4 * p)^2 / (2e4 * p)), 27.64)
})

test_that("the type of the value decides nothing", {
  as_integer <- laplace_mechanism(5L, 1, 1, seed = 3)
  expect_identical(as_integer$value, laplace_mechanism(5, 1, 1, seed = 3)$value)
  # A whole number that changes at all changes by one.
  expect_gte(gaussian_mechanism(5, 0.3, rho = 0.5, whole = TRUE)$noise$sd, 1)
})

test_that("scores far apart keep the stated chances at small epsilon", {
  drawn <- cpp_runs_exponential(c(0, 1e7), 1, 1e-5, FALSE, FALSE, 2000)
  expect_true(all(drawn == 2L))
})

test_that("small releases do not refuse themselves", {
  for (epsilon in c(3e-5, 1e-4, 3e-4)) {
    expect_s3_class(private_median(rep(5, 9), 0, 10, epsilon, 1e-6), "privpc_release")
  }
  expect_no_error(sparse_vector(rep(1e9, 2000), 0, 1, 0.05, 1e-6, cutoff = 2000))
  expect_identical(nrow(privacy_ledger(privacy_budget(1L))), 0L)
  expect_no_error(laplace_mechanism(1, 1, 0.5, budget = privacy_budget(1L)))
})

test_that("refusals name the type of a secret, never its value", {
  expect_snapshot({
    show_refusal(laplace_mechanism("Alice", 1, 1))
    show_refusal(laplace_mechanism(TRUE, 1, 1))
    show_refusal(laplace_mechanism(1, 1, 0.1, budget = privacy_budget(1), seed = 1))
    show_refusal(sieve_and_examine(0.83127, 10, 0, 1, 1))
  })
})

test_that("a seed repeats, entropy does not, and R's generator is left alone", {
  a <- laplace_mechanism(1, 1, 1, seed = 7)
  expect_identical(a$value, laplace_mechanism(1, 1, 1, seed = 7)$value)
  expect_false(a$privacy$private)
  set.seed(1)
  before <- .Random.seed
  b <- laplace_mechanism(1, 1, 1)
  set.seed(1)
  c <- laplace_mechanism(1, 1, 1)
  expect_false(identical(b$value, c$value))
  expect_identical(.Random.seed, before)
  expect_true(b$privacy$private)
})

test_that("releases take their cost from the budget and stop at its end", {
  budget <- privacy_budget(epsilon = 1)
  laplace_mechanism(3L, 1, 0.4, budget = budget, target = "smokers")
  exponential_mechanism(c(1, 2), 1, 0.4, budget = budget)
  expect_error(laplace_mechanism(3L, 1, 0.4, budget = budget), class = "privpc_overdraft")
  ledger <- privacy_ledger(budget)
  expect_identical(ledger$mechanism, c("laplace", "exponential"))
  expect_equal(ledger$cumulative, c(0.4, 0.8))
  expect_snapshot({
    show_refusal(laplace_mechanism(3L, 1, 0.4, budget = budget))
    show_refusal(gaussian_mechanism(3L, 1, rho = 0.1, budget = budget))
  })
  rho <- privacy_budget(epsilon = 1, delta = 1e-6)
  exponential_mechanism(c(1, 2), 1, 0.1, budget = rho)
  expect_equal(privacy_ledger(rho)$rho, 0.1^2 / 8, tolerance = 1e-9)
  exponential_mechanism(c(1, 2), 1, 0.1, method = "permute_and_flip", budget = rho)
  expect_equal(privacy_ledger(rho)$rho[[2]], 0.1 * tanh(0.05), tolerance = 1e-9)
})

test_that("smooth sensitivity is the maximum over all distances", {
  top <- 2^30
  brute <- function(x, beta) {
    m <- length(x)
    centre <- (m - 1) %/% 2 + 1
    at <- function(i) if (i < 1) 0 else if (i > m) top else x[[i]]
    values <- vapply(0:m, function(k) {
      exp(-k * beta) *
        max(vapply(0:(k + 1), function(t) at(centre + t) - at(centre + t - k - 1), 0))
    }, 0)
    max(1, values)
  }
  set.seed(3)
  for (m in c(1, 2, 5, 8)) {
    x <- sort(floor(runif(m) * top))
    expect_equal(cpp_smooth_sensitivity(x, 0.3), brute(x, 0.3 - 2^-20))
  }
})

test_that("smooth sensitivity is smooth and bounds the local sensitivity", {
  # All data sets of 5 values on a coarse lattice and all replacements of one value.
  lattice <- c(0, 0.25, 0.5, 0.75, 1) * 2^30
  beta <- 0.4
  sets <- unique(t(apply(as.matrix(expand.grid(rep(list(1:5), 5))), 1, sort)))
  value <- apply(sets, 1, function(i) cpp_smooth_sensitivity(lattice[i], beta))
  median_of <- apply(sets, 1, function(i) lattice[i][3])
  key <- apply(sets, 1, paste, collapse = "")
  for (a in seq_len(nrow(sets))) {
    for (j in 1:5) {
      for (new in 1:5) {
        neighbour <- sort(replace(sets[a, ], j, new))
        b <- match(paste(neighbour, collapse = ""), key)
        if (value[[a]] > exp(beta) * value[[b]]) fail("not smooth")
        if (abs(median_of[[a]] - median_of[[b]]) > value[[a]]) fail("below the local sensitivity")
      }
    }
  }
  succeed()
})

test_that("the private median is near the median when blocks agree", {
  blocks <- 4 + (1:3000 - 1500) / 30000
  for (noise in c("laplace", "gaussian")) {
    values <- vapply(1:200, function(s) {
      private_median(blocks, 0, 10, epsilon = 1, delta = 1e-6, noise = noise, seed = s)$value
    }, 0)
    expect_lt(stats::median(abs(values - 4)), 0.5)
  }
})

test_that("releases print what they are", {
  expect_snapshot({
    laplace_mechanism(312, sensitivity = 1, epsilon = 0.5, whole = TRUE, seed = 1)
    gaussian_mechanism(c(a = 1, b = 2), 1, rho = 0.01, seed = 1)
    exponential_mechanism(c(asthma = 120, copd = 20), 1, epsilon = 1, seed = 1)
    private_median(1:9, 0, 10, epsilon = 1, delta = 1e-6, seed = 1)
  })
})

test_that("bad arguments are refused before any noise is drawn", {
  budget <- privacy_budget(1)
  expect_snapshot({
    show_refusal(laplace_mechanism("a", 1, 1))
    show_refusal(laplace_mechanism(numeric(), 1, 1))
    show_refusal(laplace_mechanism(c(1, NA), 1, 1))
    show_refusal(laplace_mechanism(1, 0, 1))
    show_refusal(laplace_mechanism(1, Inf, 1))
    show_refusal(laplace_mechanism(1, 1, -1))
    show_refusal(laplace_mechanism(1, 1, NaN))
    show_refusal(laplace_mechanism(1, 1, 1, seed = "a"))
    show_refusal(laplace_mechanism(1, 1, 1, budget = 3))
    show_refusal(laplace_mechanism(1, 1, 1, bugdet = budget))
    show_refusal(gaussian_mechanism(1, 1))
    show_refusal(gaussian_mechanism(1, 1, epsilon = 1, delta = 0))
    show_refusal(gaussian_mechanism(1, 1, epsilon = 1, delta = 1e-6, rho = 1))
    show_refusal(exponential_mechanism(c(1, 2), 1, 1, monotone = NA))
    show_refusal(private_median(1:3, 5, 1, 1, 1e-6))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("a release has the form of what was given", {
  counts <- table(
    smoke = factor(c("no", "yes", "yes"), c("no", "yes", "never")), ill = factor(c(1, 2, 1))
  )
  whole <- matrix(1:6, 2, dimnames = list(c("a", "b"), NULL))
  forms <- list(
    counts, counts[, 1], table(factor(1:3)), whole, unclass(counts), c(a = 1L, b = 2L), c(2, 3),
    array(1:8, c(2, 2, 2))
  )
  for (value in forms) {
    for (release in list(
      laplace_mechanism(value, 2, epsilon = 1e5),
      gaussian_mechanism(value, 2, rho = 1e10),
      laplace_mechanism(value, 2, epsilon = 200, whole = TRUE)
    )) {
      noisy <- release$value
      expect_identical(dim(noisy), dim(value))
      expect_identical(dimnames(noisy), dimnames(value))
      expect_identical(names(noisy), names(value))
      expect_identical(inherits(noisy, "table"), inherits(value, "table"))
      expect_equal(as.vector(noisy), as.double(value), tolerance = 0.2)
    }
  }
  # What xtabs() remembers of its call may hold data: it does not come along.
  crossed <- stats::xtabs(~ x + y, data.frame(x = factor(1:2), y = factor(1:2)))
  expect_named(attributes(laplace_mechanism(crossed, 2, 1)$value), c("dim", "dimnames", "class"))
  above <- sparse_vector(table(factor(c(1, 1, 1, 2))), 2, 1, epsilon = 100)$value
  expect_identical(as.vector(above), c(TRUE, NA))
  chosen <- exponential_mechanism(table(factor(rep(c("x", "y"), c(90, 1)))), 1, epsilon = 100)
  expect_identical(chosen$value, c(x = 1L))
})

test_that("a Gaussian release prints what was asked for", {
  promise <- function(...) {
    cat(format(gaussian_mechanism(10, 1, ...)), sep = "\n")
  }
  expect_snapshot({
    promise(epsilon = 0.5, delta = 1e-6)
    promise(rho = 0.01)
    promise(rho = 0.01, budget = privacy_budget(1, 1e-8))
    promise(epsilon = 0.5, delta = 1e-7, budget = privacy_budget(1, 1e-6))
    promise(rho = 0.01, seed = 1)
  })
})

test_that("Gaussian noise takes its delta from the budget", {
  budget <- privacy_budget(epsilon = 1, delta = 1e-6, reserve = 1e-7)
  out <- gaussian_mechanism(10, 1, epsilon = 0.5, budget = budget)
  expect_equal(out$privacy$delta, 9e-7)
  expect_identical(out$privacy$rho, rho_from_dp(0.5, out$privacy$delta))
  expect_identical(privacy_ledger(budget)$rho, out$privacy$rho)
  # All of a budget is one step with the epsilon of the whole.
  whole <- privacy_budget(epsilon = 1, delta = 1e-6)
  gaussian_mechanism(10, 1, epsilon = 1, budget = whole)
  expect_equal(privacy_ledger(whole)$share, 1)
  expect_snapshot({
    show_refusal(gaussian_mechanism(10, 1, epsilon = 1))
    show_refusal(gaussian_mechanism(10, 1, epsilon = 1, budget = privacy_budget(1)))
    show_refusal(gaussian_mechanism(10, 1, budget = budget))
    show_refusal(laplace_mechanism(10, 1, epsilon = 1, budget = budget))
    show_refusal(laplace_mechanism(10, 1, epsilon = 5, budget = budget))
    show_refusal(laplace_mechanism(10, 1, epsilon = 5, budget = privacy_budget(1)))
  })
})

test_that("Gaussian noise of the same spread costs what the hint says", {
  budget <- privacy_budget(epsilon = 5, delta = 1e-6)
  laplace <- laplace_mechanism(10, 1, epsilon = 0.5, budget = budget)
  gaussian <- gaussian_mechanism(10, 1, rho = 0.5^2 / 4, budget = budget)
  expect_equal(gaussian$noise$sd, sqrt(2) * laplace$noise$scale, tolerance = 1e-6)
  paid <- privacy_ledger(budget)$rho
  expect_lt(paid[[2L]], paid[[1L]])
})

test_that("a release that stands alone is not refused for being too small to be counted", {
  # 2^-64 is the unit of the ledgers; the noise of this rho has a standard deviation of 7e9.
  release <- gaussian_mechanism(0L, 1, rho = 1e-20, whole = TRUE)
  expect_equal(release$noise$sd, 1 / sqrt(2e-20), tolerance = 1e-6)
  expect_snapshot({
    show_refusal(gaussian_mechanism(0L, 1, rho = 1e-32, whole = TRUE))
    show_refusal(laplace_mechanism(0L, 1, epsilon = 1e-20, whole = TRUE))
  })
})
