# private_test(): the noise of its parts against its price, by the proven sensitivities, and the
# scatter of what it releases against the stated noise.

price_data <- function() {
  data.frame(
    two = factor(rep(0:1, length.out = 240)), three = factor(rep(1:3, length.out = 240)),
    four = factor(rep(c(1, 1, 2, 3, 4), length.out = 240)),
    given = factor(rep(1:2, each = 120))
  )
}

test_that("statistic and variance together cost what the test costs", {
  data <- price_data()
  # Given a set one record moves T by 4 or 6, R by 6 or 10 (one of the variables binary, or none),
  # and the variance by 6.
  proven <- list(
    list(test = "tau", x = "two", y = "three", size = 4),
    list(test = "tau", x = "three", y = "four", size = 6),
    list(test = "rho", x = "two", y = "three", size = 6),
    list(test = "rho", x = "three", y = "four", size = 10)
  )
  for (case in proven) {
    for (epsilon in c(0.01, 0.5, 8)) {
      ask <- function(...) {
        suppressMessages(private_test(
          data, case$x, case$y, "given", case$test, epsilon = epsilon, ...
        ))$noise
      }
      noise <- ask(delta = 0)
      expect_identical(noise$kind, "laplace")
      cost <- case$size / noise$scale + 6 / noise$`variance scale`
      expect_lte(cost, epsilon)
      expect_gt(cost, 0.998 * epsilon)
      budget <- privacy_budget(20, 1e-4)
      noise <- ask(delta = 1e-6, budget = budget)
      paid <- privacy_ledger(budget)$rho
      expect_length(paid, 1L)
      if (noise$kind == "gaussian") {
        cost <- case$size^2 / (2 * noise$scale^2) + 6^2 / (2 * noise$`variance scale`^2)
      } else {
        cost <- case$size / noise$scale + 6 / noise$`variance scale`
        cost <- cost * tanh(cost / 2)
      }
      expect_lte(cost, paid)
      expect_gt(cost, 0.998 * paid)
      expect_lte(paid, rho_from_dp(epsilon, 1e-6) * (1 + 1e-9))
    }
  }
})

# Of `n` draws divided by their scale: the mean size (Laplace) or the mean square (Gaussian), in
# standard deviations. False alarms once in 1e7.
expect_scatter <- function(z, kind) {
  n <- length(z)
  deviation <- function(z) {
    if (kind == "laplace") (mean(abs(z)) - 1) * sqrt(n) else (mean(z^2) - 1) * sqrt(n / 2)
  }
  limit <- stats::qnorm(5e-8, lower.tail = FALSE)
  expect_lt(abs(deviation(z)), limit)
  expect_gt(abs(deviation(0.9 * z)), limit)  # a tenth less noise is seen
  expect_lt(abs(mean(z)) * sqrt(n / if (kind == "laplace") 2 else 1), limit)
}

test_that("what is released scatters as it says", {
  data <- data_source(price_data(), by_order = TRUE)
  runs <- 20000
  at <- match(c("two", "three", "given"), data$schema$names)
  exact <- suppressMessages(cond_tau(price_data(), "two", "three", "given"))$statistic
  for (kind in c("laplace", "gaussian")) {
    drawn <- replicate(runs, unlist(cpp_private_order_test(
      data, "tau", at[[1L]], at[[2L]], at[[3L]], 0.2, kind == "gaussian", 0.1, FALSE, NULL, "", NULL
    )))
    expect_scatter((drawn["statistic", ] - exact) / drawn["scale", ], kind)
    # What the variance is does not matter here.
    z <- drawn["variance", ] / drawn["variance_scale", ]
    expect_scatter(z - mean(z), kind)
  }
  # Of two equal columns every block says dependent: the count is known.
  same <- price_data()[c("four", "four")]
  names(same) <- c("a", "b")
  same <- data_source(same)
  noise <- replicate(runs, cpp_private_block_count(
    same, "g2", 1L, 2L, integer(), 10, 0.2, FALSE, NULL, "", NULL
  )$count) - 10
  # Discrete Laplace noise of scale 5.
  expect_gt(stats::binom.test(sum(noise == 0), runs, tanh(0.1))$p.value, 1e-7)
  expect_scatter(noise / (1 / sinh(0.2)), "laplace")  # its mean size
})
