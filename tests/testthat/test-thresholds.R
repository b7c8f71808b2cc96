test_that("the variance is that of random data", {
  # 1,000 data sets; the mean square is within 5 standard errors of the variance (kurtosis below 4).
  set.seed(21)
  check <- function(test, n, x, y, draw_x, draw_y) {
    stat <- if (test == "tau") cond_tau else cond_rho
    values <- vapply(1:1000, function(i) {
      data <- data.frame(
        x = draw_x(sum(n)), y = draw_y(sum(n)), z = factor(rep(seq_along(n), n), seq_along(n))
      )
      unname(stat(data, "x", "y", if (length(n) > 1) "z")$statistic)
    }, 0)
    threshold <- if (test == "tau") kendall_threshold else spearman_threshold
    expected <- (threshold(n, x, y, alpha = 0.05) / stats::qnorm(0.975))^2
    expect_lt(abs(mean(values^2) / expected - 1), 5 * sqrt(3 / 1000))
  }
  numbers <- stats::rnorm
  for (test in c("tau", "rho")) {
    check(test, 12, NULL, NULL, numbers, numbers)
    three <- function(n) sample(3, n, TRUE, c(0.6, 0.3, 0.1))
    check(test, c(2, 3, 8), c(6, 3, 1), 2, three, function(n) sample(2, n, TRUE))
  }
})

test_that("large samples agree with the tie-corrected formula", {
  p <- c(0.7, 0.2, 0.1)
  q <- c(0.5, 0.5)
  n <- 1e6
  expect_equal(
    kendall_threshold(n, p, q, 0.01),
    stats::qnorm(0.995) * sqrt(4 / 9 * n * (1 - sum(p^3)) * (1 - sum(q^3))), tolerance = 1e-5
  )
  expect_equal(
    spearman_threshold(n, p, q, 0.01),
    stats::qnorm(0.995) * sqrt(n * (1 - sum(p^3)) * (1 - sum(q^3))), tolerance = 1e-5
  )
})

test_that("without ties and in one stratum it is cor.test's", {
  n <- 30
  # Kendall: var(tau) = 2 (2n + 5) / (9 n (n - 1)); Spearman: var(rho) = 1 / (n - 1).
  expect_equal(
    kendall_threshold(n) / n, stats::qnorm(0.975) * sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))
  )
  expect_equal(spearman_threshold(n) / n, stats::qnorm(0.975) / sqrt(n - 1))
})

test_that("margins can be given per stratum; strata of one record count nothing", {
  n <- c(100, 1, 0, 50)
  same <- kendall_threshold(n, x = 3, y = c(1, 3))
  expect_equal(same, kendall_threshold(c(100, 50), x = 3, y = c(1, 3)))
  expect_equal(same, kendall_threshold(n, x = list(3, 2, 5, 3), y = list(c(1, 3))))
  expect_identical(kendall_threshold(1), 0)
  expect_identical(kendall_threshold(100, x = 1, y = 2), 0)  # a constant depends on nothing
})

test_that("with noise it is the quantile of the sum", {
  set.seed(22)
  noise <- stats::rexp(2e5) - stats::rexp(2e5)
  for (scale in c(0.5, 5, 80)) {
    for (alpha in c(0.2, 0.02)) {
      limit <- kendall_threshold(200, 2, 3, alpha, laplace = scale)
      sd <- kendall_threshold(200, 2, 3, alpha) / stats::qnorm(1 - alpha / 2)
      hits <- sum(abs(stats::rnorm(2e5, sd = sd) + scale * noise) >= limit)
      expect_lte(hits, stats::qbinom(5e-7, 2e5, alpha, lower.tail = FALSE))
      expect_gte(hits, stats::qbinom(5e-7, 2e5, alpha))
    }
  }
  expect_equal(
    kendall_threshold(200, 2, 3, 0.05, gaussian = 4)^2,
    kendall_threshold(200, 2, 3, 0.05)^2 + (stats::qnorm(0.975) * 4)^2
  )
  # A constant variable leaves the noise alone.
  expect_equal(kendall_threshold(100, 1, 1, 0.1, laplace = 3), -3 * log(0.1))
  expect_length(kendall_threshold(100, alpha = c(0.1, 0.01), laplace = 3), 2)
})

test_that("bad arguments are refused", {
  expect_snapshot({
    show_refusal(kendall_threshold(-1))
    show_refusal(kendall_threshold(100, x = "a"))
    show_refusal(spearman_threshold(100, y = c(0.5, -0.5)))
    show_refusal(kendall_threshold(c(10, 20, 30), x = list(2, 3)))
    show_refusal(kendall_threshold(100, alpha = 0))
    show_refusal(kendall_threshold(100, laplace = 1, gaussian = 1))
    show_refusal(kendall_threshold(100, level = 2))
  })
})

test_that("a number of levels takes no memory", {
  expect_equal(
    kendall_threshold(2^31 - 1, x = 1e9), kendall_threshold(2^31 - 1), tolerance = 1e-8
  )
  expect_equal(kendall_threshold(100, x = 4), kendall_threshold(100, x = rep(0.25, 4)))
  expect_error(kendall_threshold(100, x = Inf), class = "privpc_error")
  expect_error(kendall_threshold(100, x = 0.5), class = "privpc_error")
})
