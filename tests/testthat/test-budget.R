test_that("a budget fixes rho, or adds up epsilons without delta", {
  budget <- privacy_budget(1, 1e-6)
  expect_s3_class(budget, "privpc_budget")
  expect_identical(budget$rho, rho_from_dp(1, 1e-6))
  state <- cpp_ledger_state(budget$ledger)
  expect_identical(state$cap, budget$rho)
  expect_false(state$pure)

  pure <- privacy_budget(0.5)
  expect_identical(pure$rho, NA_real_)
  expect_true(cpp_ledger_state(pure$ledger)$pure)
  expect_identical(cpp_ledger_state(pure$ledger)$cap, 0.5)
})

test_that("a budget prints promise, unit, what is spent and what is left", {
  budget <- privacy_budget(1, 1e-6)
  pure <- privacy_budget(2)
  reserved <- privacy_budget(1, 1e-6, reserve = 4e-7)
  expect_snapshot({
    budget
    debit_budget(budget, "gaussian", "a, b", cost_of_rho(0.01))
    budget
    format(budget)
    debit_budget(pure, "laplace", "mean", cost_of_epsilon(1.5))
    debit_budget(pure, "laplace", "count", cost_of_epsilon(0.25))
    pure
    format(pure)
    debit_budget(reserved, "smooth median", "a", cost_of_epsilon(0.04, 1e-7))
    reserved
  })
  nearly <- privacy_budget(1)
  debit_budget(nearly, "laplace", "", cost_of_epsilon(1 - 1e-9))
  expect_match(format(nearly), "almost 100% spent")
  barely <- privacy_budget(1)
  debit_budget(barely, "laplace", "", cost_of_epsilon(1e-9))
  expect_match(format(barely), "below 0.1% spent")
})

test_that("print returns the budget invisibly", {
  budget <- privacy_budget(1)
  capture.output(shown <- withVisible(print(budget)))
  expect_false(shown$visible)
  expect_identical(shown$value, budget)
})

test_that("a copy shares the ledger", {
  budget <- privacy_budget(1)
  copy <- budget
  inside <- function(b) debit_budget(b, "laplace", "x", cost_of_epsilon(0.5))
  inside(copy)
  expect_identical(cpp_ledger_state(budget$ledger)$spent, 0.5)
  expect_identical(nrow(privacy_ledger(budget)), 1L)
})

test_that("the ledger is a data frame like that of a fit", {
  budget <- privacy_budget(1, 1e-6)
  expect_identical(privacy_ledger(budget), cbind(empty_ledger(), share = double()))
  debit_budget(budget, "laplace", "\u00e9ge", cost_of_epsilon(0.1))
  debit_budget(budget, "gaussian", "a, b", cost_of_rho(0.01))
  ledger <- privacy_ledger(budget)
  expect_identical(names(ledger), c(names(empty_ledger()), "share"))
  expect_equal(ledger$share, ledger$rho / budget$rho)
  expect_identical(ledger$step, 1:2)
  expect_identical(ledger$mechanism, c("laplace", "gaussian"))
  expect_identical(ledger$target, c("\u00e9ge", "a, b"))
  # A step that has a rho only is shown with the epsilon of that rho.
  expect_identical(ledger$epsilon, c(0.1, dp_from_rho(0.01, 1e-6)))
  expect_equal(ledger$rho, c(0.1 * tanh(0.05), 0.01))
  expect_equal(ledger$cumulative, cumsum(ledger$rho))

  pure <- privacy_budget(1)
  expect_identical(nrow(privacy_ledger(pure)), 0L)
  debit_budget(pure, "laplace", "a", cost_of_epsilon(0.25))
  expect_identical(privacy_ledger(pure)$epsilon, 0.25)
  expect_identical(privacy_ledger(pure)$rho, NA_real_)
  expect_identical(privacy_ledger(pure)$cumulative, 0.25)
  expect_identical(privacy_ledger(pure)$share, 0.25 / pure$epsilon)

  fit <- fit_of(graph_of("a -> b"))
  expect_identical(privacy_ledger(fit), cbind(empty_ledger(), share = double()))
  expect_snapshot({
    show_refusal(privacy_ledger(3))
    show_refusal(privacy_ledger(budget, steps = 2))
  })
})

test_that("an overdraft is refused with what was asked, what is left and the remedy", {
  budget <- privacy_budget(1)
  spend <- function(amount) debit_budget(budget, "laplace", "count", cost_of_epsilon(amount))
  spend(0.75)
  expect_error(spend(0.5), class = "privpc_overdraft")
  expect_error(spend(0.5), class = "privpc_error")
  expect_identical(nrow(privacy_ledger(budget)), 1L)
  spend(0.25)
  zcdp <- privacy_budget(1, 1e-6, reserve = 1e-7)
  step <- function(cost) debit_budget(zcdp, "smooth median", "a", cost)
  expect_snapshot({
    show_refusal(spend(0.5))
    show_refusal(step(cost_of_rho(1)))
    show_refusal(step(cost_of_epsilon(0.04, 2e-7)))
  })
})

test_that("an overdraft in rho is told in epsilon, and by every mechanism", {
  budget <- privacy_budget(1, 1e-6)
  data <- small_cohort()
  expect_snapshot({
    show_refusal(gaussian_mechanism(1, 1, rho = 0.1, budget = budget))
    show_refusal(laplace_mechanism(1, 1, epsilon = 1, budget = budget))
    show_refusal(private_test(data, "a", "b", epsilon = 2, budget = budget))
    show_refusal(private_median(1:100, 0, 10, 0.1, 1e-7, budget = budget))
    show_refusal(private_breaks(
      data.frame(x = 1:9), "x", bins = 3, epsilon = 2, bounds = list(x = c(1, 9)), budget = budget
    ))
  })
  # The ledger rounds: amounts that differ by less than can be seen are not told apart in words.
  debit_budget(budget, "gaussian", "all", cost_of_rho(budget$rho))
  expect_snapshot(show_refusal(gaussian_mechanism(1, 1, rho = 0.1, budget = budget)))
  refused <- function(unit) list(unit = unit, asked = 1, left = 1, cap = 1)
  expect_null(overdraft_in_epsilon(refused("rho"), budget))
  expect_null(overdraft_in_epsilon(refused("epsilon"), budget))
})

test_that("a refusal tells no more to be left than there is, and what is enough is enough", {
  refusal <- function(expr) {
    gsub("\\s+", " ", conditionMessage(tryCatch(expr, privpc_overdraft = identity)))
  }
  large <- privacy_budget(1.00049)
  expect_match(
    refusal(laplace_mechanism(1, 1, 2, budget = large)), "the whole budget has only 1[.]"
  )
  begun <- privacy_budget(1)
  laplace_mechanism(1, 1, 4e-5, budget = begun)
  expect_match(refusal(laplace_mechanism(1, 1, 2, budget = begun)), "only 0.9999 of 1 is left")
  # Digits are added until it can be seen that more was asked for than is left.
  quarter <- privacy_budget(0.25)
  expect_match(
    refusal(laplace_mechanism(1, 1, 0.2500001, budget = quarter)),
    "epsilon = 0.2500001, but the whole budget has only 0.25[.]"
  )
  zcdp <- privacy_budget(1, 1e-6)
  gaussian_mechanism(0, 1, rho = rho_from_dp(1, 1e-6) - 0.0198752, budget = zcdp)
  told <- refusal(gaussian_mechanism(0, 1, epsilon = 5, budget = zcdp))
  enough <- as.double(sub(".*enough for a step of epsilon = ([0-9.]+) at.*", "\\1", told))
  expect_gt(enough, 0.89)
  expect_no_error(gaussian_mechanism(0, 1, epsilon = enough, budget = zcdp))
})

test_that("refusals are words in every session", {
  rlang::local_options(OutDec = ",")
  pure <- privacy_budget(0.25)
  expect_error(laplace_mechanism(1, 1, 0.3, budget = pure), class = "privpc_overdraft")
  zcdp <- privacy_budget(1, 1e-6)
  expect_error(gaussian_mechanism(1, 1, rho = 0.3, budget = zcdp), class = "privpc_overdraft")
})

test_that("a release with the smallest delta is not refused by a ledger of its own", {
  expect_no_error(private_median(stats::runif(500), 0, 1, 1, 1e-40))
  budget <- privacy_budget(10, 1e-3, reserve = 1e-4)
  data <- small_cohort(2000)
  # (It warns of small blocks.)
  suppressWarnings(private_test(
    data, "a", "b", test = "g2", aggregate = "median", epsilon = 1, delta = 1e-40, budget = budget
  ))
  expect_identical(nrow(privacy_ledger(budget)), 1L)
})

test_that("a fit's ledger shows the epsilon of every step", {
  data <- small_cohort()
  fit <- marginal_pc(data, epsilon = 1)
  ledger <- privacy_ledger(fit)
  expect_equal(ledger$epsilon, dp_from_rho(ledger$rho, fit$privacy$delta, gaussian = TRUE))
  expect_true(all(ledger$epsilon < 1))
  expect_identical(ledger[setdiff(names(fit$ledger), "epsilon")], fit$ledger[-4])
  expect_identical(ledger$delta, c(0, 0, 0))
  # On a sub-sample no epsilon of the whole belongs to the rho of a step.
  expect_true(all(is.na(privacy_ledger(sg_pc(data, epsilon = 1, subsample = 0.5))$epsilon)))
})

test_that("what steps take from the reserve is in the ledger and in the promise", {
  budget <- privacy_budget(3, 1e-3, reserve = 9e-4)
  values <- rep(0.5, 500)
  gaussian_mechanism(1, 1, rho = 0.01, budget = budget)
  said <- function() {
    lines <- grep("by itself", utils::capture.output(budget), value = TRUE)
    found <- gregexpr("(?<=epsilon = )[0-9.]+|(?<=delta = )[0-9.e-]+", lines, perl = TRUE)
    as.double(regmatches(lines, found)[[1L]])
  }
  # Epsilon and delta as they are printed: the epsilon holds at what the delta leaves for it.
  holds <- function(taken) {
    rho <- cpp_ledger_state(budget$ledger)$spent
    expect_gte(said()[[1L]], dp_from_rho(rho, said()[[2L]] - taken))
  }
  expect_identical(said()[[2L]], 1e-4)
  holds(0)
  private_median(values, 0, 1, 0.5, 4.5e-4, budget = budget)
  expect_identical(said()[[2L]], 5.5e-4)
  holds(4.5e-4)
  private_median(values, 0, 1, 0.1, 4.5e-4, budget = budget)
  # All of it is taken: the budget's own delta.
  expect_identical(said()[[2L]], 1e-3)
  holds(9e-4)
  ledger <- privacy_ledger(budget)
  expect_named(ledger, c(
    "step", "mechanism", "target", "epsilon", "rho", "delta", "cumulative", "share"
  ))
  expect_identical(ledger$delta, c(0, 4.5e-4, 4.5e-4))
  # A pure budget has no reserve.
  pure <- privacy_budget(1)
  laplace_mechanism(1, 1, 0.5, budget = pure)
  expect_identical(privacy_ledger(pure)$delta, 0)
})

test_that("the promise of what was spent holds for a budget whose reserve is spent", {
  budget <- privacy_budget(3, 1e-3, reserve = 9e-4)
  private_median(rep(0.5, 500), 0, 1, 0.5, 9e-4, budget = budget)
  expect_snapshot({
    budget
    privacy_ledger(budget)
  })
})

test_that("the error class of the core is recognised wherever the core is called", {
  budget <- privacy_budget(1)
  error <- tryCatch(
    cpp_ledger_debit(budget$ledger, "laplace", "", 2, NA, 0),
    error = identity
  )
  expect_true(is_overdraft(error))
  # It goes by the class, whatever the words are.
  expect_false(is_overdraft(simpleError("overdraft: the step asks for rho = 1")))
})

test_that("costs without meaning are refused and not recorded", {
  budget <- privacy_budget(1)
  for (bad in c(NaN, Inf, -Inf, -1)) {
    expect_error(debit_budget(budget, "laplace", "", cost_of_epsilon(bad)), class = "privpc_error")
  }
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  debit_budget(budget, "nothing", "", cost_of_epsilon(0))
  expect_identical(privacy_ledger(budget)$cumulative, 0)
  spend <- function(amount) debit_budget(budget, "laplace", "", cost_of_epsilon(amount))
  expect_snapshot(show_refusal(spend(NaN)))
})

test_that("a step is paid for in the unit that it is proved in", {
  pure <- privacy_budget(1)
  zcdp <- privacy_budget(1, 1e-6)
  pay <- function(budget, cost) debit_budget(budget, "step", "", cost)
  # What is known in rho only has no price in epsilon.
  expect_snapshot(show_refusal(pay(pure, cost_of_rho(1e-9))))
  expect_identical(nrow(privacy_ledger(pure)), 0L)
  pay(pure, cost_of_epsilon(0.1))
  expect_identical(privacy_ledger(pure)$cumulative, 0.1)
  pay(zcdp, cost_of_epsilon(0.1))
  pay(zcdp, cost_of_rho(0.001))
  expect_equal(diff(c(0, privacy_ledger(zcdp)$cumulative)), c(0.1 * tanh(0.05), 0.001))
  # A number has no unit; and nobody pays in two.
  expect_error(pay(zcdp, 0.001), "cost_of_epsilon")
  debit <- function(...) cpp_ledger_debit(zcdp$ledger, "step", "", ...)
  expect_error(debit(0.1, 0.1, 0), "not by both")
  expect_error(debit(NA, NA, 0), "not by both")
  expect_error(debit(NA, 0.001, 1e-9), "no delta of its own")
  expect_identical(nrow(privacy_ledger(zcdp)), 2L)
})

test_that("many small steps never pass the budget", {
  budget <- privacy_budget(1)
  accepted <- 0
  for (step in 1:1100) {
    accepted <- accepted + tryCatch(
      {
        debit_budget(budget, "laplace", "", cost_of_epsilon(0.001))
        1
      },
      privpc_overdraft = function(e) 0
    )
  }
  expect_lte(accepted, 1000)
  expect_gte(accepted, 999)
  expect_lte(cpp_ledger_state(budget$ledger)$spent, 1)
})

test_that("a budget that was saved is refused, because its spending is unknown", {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(privacy_budget(1, 1e-6), file)
  budget <- readRDS(file)
  spend <- function(budget) check_budget(budget, call = rlang::current_env())
  expect_snapshot({
    show_refusal(spend(budget))
    show_refusal(privacy_ledger(budget))
    budget
    format(budget)
  })
  expect_error(check_budget(budget), class = "privpc_bad_budget")
  expect_error(cpp_ledger_state(budget$ledger), "read from a file")
})

test_that("a budget that was changed by hand is refused", {
  budget <- privacy_budget(1, 1e-6)
  for (name in c("epsilon", "delta", "reserve")) {
    other <- budget
    other[[name]] <- 1e-7
    expect_error(check_budget(other), class = "privpc_bad_budget")
  }
  other <- budget
  other$epsilon <- 100
  # Where there is no delta the reserve tells nothing but itself.
  pure <- privacy_budget(1)
  pure$reserve <- 1e-7
  expect_error(check_budget(pure), class = "privpc_bad_budget")
  # Nor does another ledger fit under a given promise.
  swapped <- privacy_budget(1, 1e-6)
  swapped$ledger <- privacy_budget(50, 1e-6)$ledger
  expect_error(check_budget(swapped), class = "privpc_bad_budget")
  spend <- function(budget) check_budget(budget, call = rlang::current_env())
  expect_snapshot({
    show_refusal(spend(other))
    other
    format(other)
    show_refusal(spend(1))
    show_refusal(spend(structure(list(), class = "privpc_budget")))
    structure(list(), class = "privpc_budget")
    format(structure(list(), class = "privpc_budget"))
  })
  foreign <- budget
  foreign$ledger <- rlang::env()
  expect_error(check_budget(foreign), class = "privpc_bad_budget")
  expect_error(cpp_ledger_state(1), "not a privacy budget")
})

test_that("a forked process cannot spend the budget a second time", {
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  skip_on_cran()
  budget <- privacy_budget(1)
  child <- parallel::mcparallel(tryCatch(
    debit_budget(budget, "laplace", "", cost_of_epsilon(0.1), call = rlang::call2("f")),
    error = function(e) e
  ))
  answer <- parallel::mccollect(child)[[1L]]
  expect_s3_class(answer, "privpc_bad_budget")
  expect_snapshot(cat(conditionMessage(answer)))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  debit_budget(budget, "laplace", "", cost_of_epsilon(0.1))
})

test_that("without a budget there is no ledger to check", {
  expect_null(check_budget(NULL))
})

test_that("a reserve of delta is taken from the conversion", {
  budget <- privacy_budget(1, 1e-6, reserve = 4e-7)
  expect_equal(budget$rho, rho_from_dp(1, 6e-7))
  # What the two parts promise together is no more than was promised.
  expect_lte(delta_from_rho(budget$rho, 1) + 4e-7, 1e-6)
  debit_budget(budget, "smooth median", "", cost_of_epsilon(0, 4e-7))
  expect_error(
    debit_budget(budget, "smooth median", "", cost_of_epsilon(0, 1e-20)),
    class = "privpc_overdraft"
  )
})

test_that("budgets without meaning are refused", {
  expect_snapshot({
    show_refusal(privacy_budget(0))
    show_refusal(privacy_budget(Inf))
    show_refusal(privacy_budget("1"))
    show_refusal(privacy_budget(NA))
    show_refusal(privacy_budget(1, 1))
    show_refusal(privacy_budget(1, -1e-6))
    show_refusal(privacy_budget(c(1, 2)))
    show_refusal(privacy_budget(1e-12, 1e-12))
    show_refusal(privacy_budget(1, 1e-6, reserve = 1e-6))
    show_refusal(privacy_budget(1, reserve = 1e-6))
  })
})

test_that("a delta that protects nobody warns", {
  warning <- tryCatch(privacy_budget(1, 0.05), warning = identity)
  expect_s3_class(warning, "privpc_weak_delta")
  expect_snapshot(cat(conditionMessage(warning)))
  expect_silent(privacy_budget(1, 0.001))
})

test_that("the ledger of a fit gives shares of the fit's price", {
  fit <- marginal_pc(small_cohort(), epsilon = 1)
  ledger <- privacy_ledger(fit)
  expect_equal(ledger$share, ledger$rho / fit$privacy$rho)
  expect_lte(sum(ledger$share), 1 + 1e-9)
  pure <- privacy_ledger(priv_pc(small_cohort(), epsilon = 1, delta = 0))
  expect_equal(pure$share, pure$epsilon)
})
