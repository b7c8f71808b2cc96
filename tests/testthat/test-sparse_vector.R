test_that("far from the threshold the answers are right, and the run stops", {
  values <- c(low = -1e6, high = 1e6, low = -1e6, high = 1e6, high = 1e6)
  answers <- sparse_vector(values, 0, 1, epsilon = 1, cutoff = 2)$value
  expect_identical(unname(answers), c(FALSE, TRUE, FALSE, TRUE, NA))
  expect_named(answers, names(values))
})

test_that("the chance of a positive is that of the two noises", {
  # A query at the threshold: above with probability (1 + P(tie)) / 2, ties being rare.
  share <- mean(cpp_runs_sparse_vector(0, 0, 1, 1, 1, FALSE, 2e4) == "T")
  expect_lt(abs(share - 0.5), 4.9 * sqrt(0.25 / 2e4))
  # At a distance d: P(Lap(a) - Lap(b) <= d) for the best split, from the closed form.
  split <- 1 / (1 + 2^(2 / 3))
  a <- 1 / split
  b <- 2 / (1 - split)
  d <- 3
  p <- 1 - (b^2 * exp(-d / b) - a^2 * exp(-d / a)) / (2 * (b^2 - a^2))
  share <- mean(cpp_runs_sparse_vector(d, 0, 1, 1, 1, FALSE, 2e4) == "T")
  expect_lt(abs(share - p), 4.9 * sqrt(p * (1 - p) / 2e4))
})

test_that("delta is used only where it helps", {
  one <- plan_sparse_vector(1, 0, 50, FALSE)
  expect_identical(one$rounds, 1L)
  many <- plan_sparse_vector(1, 1e-6, 500, FALSE)
  expect_identical(many$rounds, 500L)
  expect_identical(plan_sparse_vector(1, 1e-6, 2, FALSE)$rounds, 1L)
  # Composed, the runs cost no more than rho.
  spent <- 500 * many$epsilon * tanh(many$epsilon / 2)
  expect_lte(spent, rho_from_dp(1, 1e-6))
  expect_gt(spent, 0.999 * rho_from_dp(1, 1e-6))
  expect_lt(
    sparse_vector(0, 0, 1, 1, 1e-6, 500, seed = 1)$noise$`query scale`,
    sparse_vector(0, 0, 1, 1, 0, 500, seed = 1)$noise$`query scale`
  )
})

test_that("several runs state the delta they need, one run none", {
  expect_identical(sparse_vector(0, 0, 1, 1, delta = 1e-6, cutoff = 500)$privacy$delta, 1e-6)
  expect_identical(sparse_vector(0, 0, 1, 1, delta = 1e-6, cutoff = 2)$privacy$delta, 0)
})

test_that("every started run is debited", {
  budget <- privacy_budget(epsilon = 1)
  sparse_vector(rep(-1e6, 10), 0, 1, epsilon = 0.6, budget = budget)
  expect_equal(privacy_ledger(budget)$epsilon, 0.6)
  expect_error(
    sparse_vector(rep(-1e6, 10), 0, 1, epsilon = 0.6, budget = budget), class = "privpc_overdraft"
  )
})

test_that("runs with delta are paid for together, before the first", {
  budget <- privacy_budget(epsilon = 0.05, delta = 1e-6)
  expect_error(
    sparse_vector(rep(1e6, 500), 0, 1, 1, 1e-6, cutoff = 500, budget = budget),
    class = "privpc_overdraft"
  )
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("a budget without delta is charged in epsilon, whatever runs are made", {
  ask <- function(budget, delta) {
    sparse_vector(
      rep(1000, 200), 0, 1, epsilon = 0.9, delta = delta, cutoff = 100, budget = budget
    )
  }
  # A hundred runs composed in rho would be booked as 0.02; their pure loss is about 2.
  expect_identical(plan_sparse_vector(0.9, 1e-6, 100, FALSE)$rounds, 100L)
  budget <- privacy_budget(1)
  expect_snapshot(show_refusal(ask(budget, 1e-6)))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  ask(budget, 0)
  expect_identical(privacy_ledger(budget)$epsilon, 0.9)
  expect_error(ask(budget, 0), class = "privpc_overdraft")
  # The core refuses on its own, too.
  runs <- function(ledger) {
    cpp_sparse_vector(rep(1000, 200), 0, 1, 0.02, 100L, 1L, FALSE, 0, ledger, "", NULL)
  }
  pure <- privacy_budget(1)
  expect_error(runs(pure$ledger), "no pure guarantee")
  expect_identical(nrow(privacy_ledger(pure)), 0L)
  zcdp <- privacy_budget(1, 1e-6)
  runs(zcdp$ledger)
  expect_equal(privacy_ledger(zcdp)$rho, 100 * 0.02 * tanh(0.01))
})

test_that("a run prints its answers, never a value", {
  expect_snapshot(sparse_vector(c(a = -1e6, b = 1e6, c = 0), 0, 1, epsilon = 1, seed = 1))
})

test_that("bad arguments are refused", {
  expect_snapshot({
    show_refusal(sparse_vector(1, NA, 1, 1))
    show_refusal(sparse_vector(1, 0, 1, 1, cutoff = 0))
    show_refusal(sparse_vector(1, 0, 1, 1, delta = 1))
    show_refusal(sparse_vector(1, 0, 1, 1, share = 1))
    show_refusal(sparse_vector(list(1), 0, 1, 1))
  })
})
