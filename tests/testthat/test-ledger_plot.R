local_null_device <- function(env = parent.frame()) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  do.call("on.exit", list(bquote(grDevices::dev.off(.(device))), add = TRUE), envir = env)
}

test_that("shares are those of the ledger and add up to the budget", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  parts <- ledger_shares(fit)
  expect_identical(parts$target[!parts$left], unique(fit$ledger$target))
  by_target <- vapply(split(fit$ledger$rho, fit$ledger$target), sum, 0)
  by_target <- unname(by_target[unique(fit$ledger$target)])
  expect_equal(parts$share[!parts$left], by_target / fit$privacy$rho)
  expect_equal(sum(parts$share), 1)
})

test_that("a budget shows what is left", {
  budget <- privacy_budget(epsilon = 1)
  laplace_mechanism(3, 1, epsilon = 0.25, budget = budget, target = "cases")
  laplace_mechanism(3, 1, epsilon = 0.25, budget = budget, target = "cases")
  laplace_mechanism(3, 1, epsilon = 0.125, budget = budget, target = "deaths")
  local_null_device()
  parts <- plot(budget)
  expect_identical(parts$target, c("cases", "deaths", "not spent"))
  expect_identical(parts$share, c(0.5, 0.125, 0.375))
  expect_identical(parts$steps, c(2L, 1L, 0L))
  expect_identical(ledger_labels(parts), c("cases (2 steps)", "deaths", "not spent"))
  expect_identical(plot(privacy_budget(1))$target, "not spent")
})

test_that("many purposes become few", {
  budget <- privacy_budget(epsilon = 100)
  for (i in 1:30) laplace_mechanism(3, 1, epsilon = 1, budget = budget, target = paste("round", i))
  expect_identical(ledger_shares(budget)$target, c("round", "not spent"))
  expect_equal(ledger_shares(budget)$share, c(0.3, 0.7))
  for (name in letters[1:15]) {
    laplace_mechanism(3, 1, epsilon = 1, budget = budget, target = name)
  }
  parts <- ledger_shares(budget)
  expect_lte(nrow(parts), 13)
  expect_equal(sum(parts$share), 1)
  expect_identical(sum(parts$steps), 45L)
})

test_that("a fit without a ledger is refused", {
  fit <- exact_pc(small_cohort())
  expect_snapshot({
    show_refusal(plot(fit, what = "ledger"))
    show_refusal(plot(privacy_budget(1), main = 3))
  })
})
