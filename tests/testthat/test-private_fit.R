learners <- c(paper_learners, list(marginal_pc = marginal_pc))

test_that("a fit takes its rho from a budget, as one step, before anything else", {
  data <- small_cohort()
  for (name in names(learners)) {
    budget <- privacy_budget(1, 1e-6)
    fit <- learners[[name]](data, epsilon = 0.4, budget = budget)
    ledger <- privacy_ledger(budget)
    expect_identical(ledger$mechanism, name)
    expect_identical(ledger$target, "graph of 3 variables")
    # By default with the budget's delta. The ledger counts in steps of 2^-64 and rounds up.
    expect_equal(ledger$rho, rho_from_dp(0.4, 1e-6), tolerance = 1e-12)
    expect_gte(ledger$rho, rho_from_dp(0.4, 1e-6))
    expect_identical(fit$privacy[c("epsilon", "delta")], list(epsilon = 0.4, delta = 1e-6))
    expect_identical(fit$privacy$rho, rho_from_dp(0.4, 1e-6))
    expect_true(fit$privacy$private)
    # What the fit itself drew on is no more than what was taken.
    expect_lte(sum(fit$ledger$rho), ledger$rho)
    # A delta of one's own
    learners[[name]](data, epsilon = 0.1, delta = 1e-8, budget = budget)
    expect_equal(privacy_ledger(budget)$rho[[2L]], rho_from_dp(0.1, 1e-8), tolerance = 1e-12)
  }
})

test_that("a fit for all of a budget leaves nothing, with a reserve too", {
  data <- small_cohort()
  for (learner in learners) {
    for (budget in list(privacy_budget(0.7, 1e-6), privacy_budget(0.7, 1e-6, reserve = 4e-7))) {
      learner(data, epsilon = 0.7, budget = budget)
      expect_identical(cpp_ledger_state(budget$ledger)$left, 0)
      expect_error(learner(data, epsilon = 0.01, budget = budget), class = "privpc_overdraft")
    }
  }
})

test_that("a pure fit takes its epsilon, or what that costs in rho", {
  data <- small_cohort()
  for (name in c("priv_pc", "em_pc", "svt_pc")) {
    pure <- privacy_budget(1)
    fit <- learners[[name]](data, epsilon = 0.6, budget = pure)
    expect_identical(fit$privacy$delta, 0)
    expect_equal(privacy_ledger(pure)$epsilon, 0.6)
    expect_lte(sum(fit$ledger$epsilon), 0.6 + 1e-12)
    in_rho <- privacy_budget(3, 1e-6)
    learners[[name]](data, epsilon = 0.5, delta = 0, budget = in_rho)
    expect_equal(privacy_ledger(in_rho)$rho, 0.5 * tanh(0.25))
    expect_gte(privacy_ledger(in_rho)$rho, 0.5 * tanh(0.25))
    expect_identical(privacy_ledger(in_rho)$epsilon, 0.5)
  }
})

test_that("a fit on a sub-sample takes epsilon and delta, not the rho of the sub-sample", {
  data <- small_cohort()
  reserved <- privacy_budget(3, 1e-5, reserve = 5e-6)
  sg_pc(data, epsilon = 0.5, delta = 2e-6, subsample = 0.5, budget = reserved)
  expect_equal(privacy_ledger(reserved)$rho, 0.5 * tanh(0.25))
  expect_equal(cpp_ledger_state(reserved$ledger)$slack_left, 3e-6)
  # Without a reserve it cannot be paid.
  expect_error(
    sg_pc(data, epsilon = 0.5, subsample = 0.5, budget = privacy_budget(3, 1e-5)),
    class = "privpc_overdraft"
  )
})

test_that("what is refused costs nothing", {
  data <- small_cohort()
  with_gap <- data
  with_gap$b[[3L]] <- NA
  budget <- privacy_budget(1, 1e-6)
  pure <- privacy_budget(1)
  expect_snapshot({
    show_refusal(marginal_pc(data, epsilon = 2, budget = budget))
    show_refusal(em_pc(data, epsilon = 2, delta = 0, budget = pure))
    show_refusal(marginal_pc(data, epsilon = 1, seed = 1, budget = budget))
    show_refusal(marginal_pc(data, epsilon = 1, budget = pure))
    show_refusal(sg_pc(data, epsilon = 1, budget = pure))
    show_refusal(priv_pc(data, epsilon = 1, delta = 1e-6, budget = pure))
    show_refusal(marginal_pc(data, epsilon = 1, budget = 1))
    show_refusal(priv_pc(with_gap, epsilon = 0.5, budget = budget))
    show_refusal(marginal_pc(with_gap, epsilon = 0.5, budget = budget))
    show_refusal(marginal_pc(data, epsilon = 0.5, blacklist = 3, budget = budget))
    show_refusal(sg_pc(
      data, epsilon = 0.1, delta = 1e-7, subsample = 0.5, budget = privacy_budget(1, 1e-6)
    ))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  expect_identical(nrow(privacy_ledger(pure)), 0L)
})

test_that("fits, tests and releases share one budget, and private breaks are paid once", {
  data <- small_cohort()
  data$age <- rep(18:90, length.out = nrow(data))
  budget <- privacy_budget(2, 1e-6)
  cuts <- private_breaks(
    data, "age", bins = 3, epsilon = 0.1, bounds = list(age = c(18, 90)), budget = budget
  )
  before <- cpp_ledger_state(budget$ledger)$spent
  fit <- marginal_pc(data, epsilon = 0.5, breaks = cuts, budget = budget)
  expect_equal(
    cpp_ledger_state(budget$ledger)$spent - before, rho_from_dp(0.5, 1e-6), tolerance = 1e-9
  )
  # The fit says what it tells in all.
  expect_equal(fit$privacy$epsilon, 0.6)
  private_test(data, "a", "b", epsilon = 0.3, budget = budget)
  laplace_mechanism(table(data$a), 2, epsilon = 0.05, budget = budget)
  expect_identical(
    privacy_ledger(budget)$mechanism,
    c("exponential", "exponential", "marginal_pc", "private test", "laplace")
  )
  expect_snapshot(print(budget))
})

test_that("the default delta is small against one over the number of rows", {
  expect_identical(default_delta(1000), 1e-6)
  expect_equal(default_delta(1e7), 1e-8)
  data <- small_cohort(200)
  for (learner in learners) {
    expect_no_warning(fit <- learner(data, epsilon = 1))
    expect_identical(fit$privacy$delta, 1e-6)
    expect_warning(learner(data, epsilon = 1, delta = 1 / 200), class = "privpc_weak_delta")
  }
})
