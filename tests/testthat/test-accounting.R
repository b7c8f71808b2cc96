# Brute force, independent of the code under test: the formula as printed by Canonne, Kamath and
# Steinke (2020), minimised on a fine grid of orders.
grid_delta <- function(rho, epsilon) {
  a <- 1 + exp(seq(-12, 25, length.out = 2e5))
  min(0, (a - 1) * (a * rho - epsilon) + a * log1p(-1 / a) - log(a - 1))
}

test_that("rho keeps the promise by brute force, and is as large as it can be", {
  for (epsilon in c(0.01, 0.3, 1, 10, 100)) {
    for (delta in c(1e-12, 1e-6, 1e-3, 0.5)) {
      rho <- rho_from_dp(epsilon, delta)
      # The grid misses the best order by little, so its delta is a little too large.
      expect_lt(abs(grid_delta(rho, epsilon) - log(delta)), 1e-6)
      expect_gt(grid_delta(1.0001 * rho, epsilon), log(delta))
      expect_equal(dp_from_rho(rho, delta), epsilon, tolerance = 1e-9)
      expect_equal(delta_from_rho(rho, epsilon), delta, tolerance = 1e-9)
    }
  }
})

test_that("the tight conversion beats the common one by the known factors", {
  epsilon <- c(0.1, 0.3, 1, 3, 10)
  loss <- log(1e6)
  common <- (sqrt(loss + epsilon) - sqrt(loss))^2
  expect_equal(
    round(rho_from_dp(epsilon, 1e-6) / common, 2), c(1.78, 1.58, 1.39, 1.26, 1.14)
  )
})

test_that("the costs of steps are the known formulas, rounded up", {
  epsilon <- c(1e-9, 0.1, 1, 20)
  expect_true(all(cpp_rho_of_pure(epsilon) >= epsilon * tanh(epsilon / 2)))
  expect_equal(cpp_rho_of_pure(epsilon), epsilon * tanh(epsilon / 2), tolerance = 1e-13)
  expect_true(all(cpp_rho_of_exponential(epsilon) >= epsilon^2 / 8))
  expect_equal(cpp_rho_of_exponential(epsilon), epsilon^2 / 8, tolerance = 1e-13)
})

test_that("sampling gains privacy, and the way back is the inverse", {
  expect_equal(amplified_epsilon(1, 1000, 10000), log(1 + 0.1 * (exp(1) - 1)))
  expect_equal(epsilon_before_sampling(0.1, 1000, 10000), log(1 + 10 * (exp(0.1) - 1)))
  expect_identical(amplified_epsilon(0.7, 50, 50), 0.7)
  m <- c(1, 10, 100, 1000)
  expect_equal(epsilon_before_sampling(amplified_epsilon(0.5, m, 1000), m, 1000), rep(0.5, 4))
  expect_true(all(diff(amplified_epsilon(0.5, m, 1000)) > 0))
})

test_that("amplification holds by enumeration for randomised response on one drawn row", {
  # n rows of one bit; draw m without replacement; answer the sum's parity bit with noise. The
  # chance of an answer is computed exactly for all data sets of n rows.
  n <- 5
  epsilon <- 1.3
  truth <- exp(epsilon) / (1 + exp(epsilon))
  for (m in 1:4) {
    draws <- utils::combn(n, m)
    chance <- function(bits) {
      parity <- colSums(matrix(bits[draws], nrow = m)) %% 2
      mean(ifelse(parity == 1, truth, 1 - truth))
    }
    data <- as.matrix(expand.grid(rep(list(0:1), n)))
    worst <- 0
    for (row in seq_len(nrow(data))) {
      for (record in seq_len(n)) {
        other <- data[row, ]
        other[record] <- 1 - other[record]
        p <- chance(data[row, ])
        q <- chance(other)
        worst <- max(worst, abs(log(p / q)), abs(log((1 - p) / (1 - q))))
      }
    }
    expect_lte(worst, amplified_epsilon(epsilon, m, n) + 1e-12)
    # One row of many: the bound is reached.
    if (m == 1) expect_equal(worst, amplified_epsilon(epsilon, m, n), tolerance = 1e-9)
  }
})

test_that("advanced composition is the theorem's formula and loses to rho", {
  k <- c(50, 100)
  total <- advanced_composition(0.1, steps = k, slack = 1e-6, delta = 1e-9)
  expect_identical(names(total), c("steps", "epsilon", "delta"))
  expect_equal(total$epsilon, 0.1 * sqrt(2 * k * log(1e6)) + k * 0.1 * (exp(0.1) - 1))
  expect_equal(total$delta, k * 1e-9 + 1e-6)
  expect_lt(dp_from_rho(100 * cpp_rho_of_pure(0.1), 1e-6), total$epsilon[[2]])
  # Few or large steps: by the formula 1.77 and 622, added up 1 and 30, at no further delta.
  few <- advanced_composition(c(0.1, 3), steps = 10, slack = 1e-6, delta = 1e-9)
  expect_equal(few$epsilon, c(1, 30))
  expect_equal(few$delta, c(1e-8, 1e-8))
})

test_that("the accountant of the sub-sampled Gaussian agrees with the theorem", {
  # Wang, Balle and Kasiviswanathan (2019), Theorem 9, written anew without logarithms.
  theorem <- function(order, rho, share) {
    j <- 3:order
    second <- share^2 * choose(order, 2) * min(4 * expm1(2 * rho), 2 * exp(2 * rho))
    rest <- if (order > 2) sum(2 * share^j * choose(order, j) * exp(j * (j - 1) * rho)) else 0
    min(log1p(second + rest), order * (order - 1) * rho) / (order - 1)
  }
  by_hand <- function(rho, share, steps, delta, orders) {
    at <- function(a) {
      steps * theorem(a, rho, share) + log1p(-1 / a) - (log(delta) + log(a)) / (a - 1)
    }
    min(vapply(orders, at, 0))
  }
  sigma <- 5
  expect_equal(
    subsampled_gaussian_dp(sigma, 1000, 1e5, delta = 1e-8, steps = 1000),
    by_hand(1 / (2 * sigma^2), 0.01, 1000, 1e-8, 2:128),
    tolerance = 1e-9
  )
  # All rows: nothing is gained, nothing is lost.
  expect_equal(
    subsampled_gaussian_dp(sigma, 1e6, 1e6, delta = 1e-8, steps = 1000),
    dp_from_rho(1000 / (2 * sigma^2), 1e-8)
  )
  by_size <- subsampled_gaussian_dp(sigma, c(10, 1e3, 1e5, 5e5, 1e6), 1e6, 1e-8, steps = 100)
  expect_false(is.unsorted(by_size))
  # Only the ratio of noise and sensitivity counts.
  expect_equal(
    subsampled_gaussian_dp(10, 1000, 1e6, 1e-8, sensitivity = 2),
    subsampled_gaussian_dp(5, 1000, 1e6, 1e-8), tolerance = 1e-12
  )
})

test_that("the noise for a promise on sub-samples keeps it", {
  sigma <- subsampled_gaussian_sigma(1, 1e-6, 1000, 1e5, steps = 50, sensitivity = 3)
  reached <- subsampled_gaussian_dp(sigma, 1000, 1e5, 1e-6, steps = 50, sensitivity = 3)
  expect_equal(reached, 1, tolerance = 1e-6)
  # Without sampling the same promise needs more noise.
  expect_gt(subsampled_gaussian_sigma(1, 1e-6, 1e5, 1e5, steps = 50, sensitivity = 3), sigma)
})

test_that("conversions are vectorised and check the lengths", {
  expect_length(rho_from_dp(1:3, 1e-6), 3)
  expect_length(rho_from_dp(1:3, 1e-6, gaussian = TRUE), 3)
  expect_identical(rho_from_dp(1:3, 1e-6)[[2]], rho_from_dp(2, 1e-6))
  expect_length(dp_from_rho(0.1, c(1e-6, 1e-9)), 2)
  expect_snapshot(show_refusal(rho_from_dp(1:3, c(1e-6, 1e-7))))
})

test_that("arguments without meaning are refused", {
  expect_snapshot({
    show_refusal(rho_from_dp("1", 1e-6))
    show_refusal(rho_from_dp(-1, 1e-6))
    show_refusal(rho_from_dp(Inf, 1e-6))
    show_refusal(rho_from_dp(c(1, NA), 1e-6))
    show_refusal(rho_from_dp(1, 0))
    show_refusal(rho_from_dp(numeric(), 0.1))
    show_refusal(dp_from_rho(1, 1))
    show_refusal(dp_from_rho(NaN, 0.1))
    show_refusal(delta_from_rho(0.1, -2))
    show_refusal(advanced_composition(0.1, steps = 2.5, slack = 1e-6))
    show_refusal(advanced_composition(0.1, steps = 2, slack = 0))
    show_refusal(amplified_epsilon(1, 20, 10))
    show_refusal(amplified_epsilon(1, 0, 10))
    show_refusal(epsilon_before_sampling(1, 1.5, 10))
    show_refusal(subsampled_gaussian_dp(0, 10, 100, 1e-6))
    show_refusal(subsampled_gaussian_sigma(0, 1e-6, 10, 100))
  })
})

test_that("Gaussian steps alone may spend what their exact curve allows", {
  curve <- function(mu, epsilon) {
    stats::pnorm(mu / 2 - epsilon / mu) - exp(epsilon) * stats::pnorm(-mu / 2 - epsilon / mu)
  }
  for (epsilon in c(0.1, 1, 4)) {
    for (delta in c(1e-8, 1e-6, 1e-3)) {
      rho <- rho_from_dp(epsilon, delta, gaussian = TRUE)
      expect_lte(curve(sqrt(2 * rho), epsilon), delta * (1 + 1e-9))
      expect_gt(curve(1.0001 * sqrt(2 * rho), epsilon), delta)
      expect_equal(dp_from_rho(rho, delta, gaussian = TRUE), epsilon, tolerance = 1e-6)
      expect_gt(rho, rho_from_dp(epsilon, delta))
    }
  }
  expect_identical(
    round(rho_from_dp(c(0.3, 1, 3), 1e-6, TRUE) / rho_from_dp(c(0.3, 1, 3), 1e-6), 2),
    c(1.17, 1.15, 1.13)
  )
  expect_snapshot({
    show_refusal(rho_from_dp(1, 1e-6, gaussian = NA))
    show_refusal(dp_from_rho(1, 1e-6, gaussian = "yes"))
  })
})
