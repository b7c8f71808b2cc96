test_that("the closed form is the minimum over all sizes", {
  for (n in c(10, 37, 1000, 12345)) {
    for (epsilon in c(1e-6, 0.1, 0.4, 0.7, 1, 1.7, 3, 10, 100)) {
      m <- ceiling(n / 20):n
      expect_equal(
        sieve_noise_level(n, subsample_size(n, epsilon), epsilon),
        min(sieve_noise_level(n, m, epsilon)), tolerance = 1e-12
      )
    }
  }
})

test_that("the noise level is the paper's formula", {
  paper <- function(n, m, epsilon) sqrt(n / m) / log(n / m * (exp(epsilon / 2) - 1) + 1)
  at <- expand.grid(n = 1e5, m = c(5000, 20000, 1e5), epsilon = c(0.1, 1, 1.999, 2.001, 10, 50))
  expect_equal(
    sieve_noise_level(at$n, at$m, at$epsilon), paper(at$n, at$m, at$epsilon), tolerance = 1e-12
  )
})

test_that("the constant solves its equation", {
  expect_equal(log1p(best_growth), 2 * best_growth / (1 + best_growth), tolerance = 1e-14)
})

test_that("sizes stay within n/20 and n from tiny to huge numbers", {
  at <- expand.grid(n = c(1, 10, 19, 20, 21, 1e3, 1e6, 1e9), epsilon = 10^seq(-6, 2, 0.5))
  m <- subsample_size(at$n, at$epsilon)
  expect_true(all(is.finite(m) & m == round(m) & m >= at$n / 20 & m <= at$n & m >= 1))
  expect_identical(subsample_size(1e9, 1e-6), 5e7)
  expect_identical(subsample_size(1e9, c(100, 5000)), c(1e9, 1e9))
  # More budget, more rows.
  expect_false(is.unsorted(subsample_size(1e6, 10^seq(-2, 1, 0.1))))
})

test_that("bad arguments are refused", {
  expect_snapshot({
    show_refusal(subsample_size(0, 1))
    show_refusal(subsample_size(100, 0))
    show_refusal(subsample_size(10.5, 1))
    show_refusal(subsample_size(c(10, 20, 30), c(1, 2)))
  })
})

test_that("vectors give what single values give", {
  n <- c(1000, 54321, 777)
  expect_identical(subsample_size(n, 0.8), vapply(n, subsample_size, 0, epsilon = 0.8))
  epsilon <- c(0.2, 0.9, 3)
  expect_identical(
    subsample_size(54321, epsilon), vapply(epsilon, function(e) subsample_size(54321, e), 0)
  )
})
