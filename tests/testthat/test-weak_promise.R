with_advice <- function(code) {
  rlang::with_options(code, privpc.advice = TRUE, rlib_warning_verbosity = "verbose")
}

warning_of <- function(code) {
  tryCatch(with_advice({
    code
    NULL
  }), warning = identity)
}

test_that("an epsilon that promises almost nothing warns", {
  data <- small_cohort()
  for (learner in c(paper_learners, list(marginal_pc = marginal_pc))) {
    warning <- warning_of(suppressMessages(learner(data, epsilon = 11, seed = 1)))
    expect_s3_class(warning, "privpc_weak_epsilon")
    expect_null(warning_of(suppressMessages(learner(data, epsilon = 10, seed = 1))))
  }
  expect_snapshot(cat(conditionMessage(warning)))
  expect_s3_class(
    warning_of(private_test(data, "a", "b", epsilon = 20)), "privpc_weak_epsilon"
  )
  expect_s3_class(warning_of(privacy_budget(20, 1e-6)), "privpc_weak_epsilon")
  expect_null(warning_of(privacy_budget(10, 1e-6)))
})

test_that("too few rows for the variables and the budget warn", {
  cohort <- simulate(network("asia"), nsim = 10000, seed = 1)
  few <- cohort[1:100, ]
  for (learner in c(paper_learners, list(marginal_pc = marginal_pc))) {
    warning <- warning_of(suppressMessages(learner(few, epsilon = 0.5, seed = 1)))
    expect_s3_class(warning, "privpc_few_rows")
    expect_null(warning_of(suppressMessages(learner(cohort, epsilon = 0.5, seed = 1))))
  }
  expect_snapshot(cat(conditionMessage(warning)))
  expect_null(warning_of(suppressMessages(exact_pc(few))))
  votes <- warning_of(priv_pc(few, epsilon = 0.5, test = "g2", seed = 1))
  expect_s3_class(votes, "privpc_few_rows")
})

# What is said about rows and effects before a fit, of evenly split columns with these levels.
advice_on <- function(n, levels, epsilon, ...) {
  data <- as.data.frame(lapply(
    stats::setNames(levels, sprintf("v%02d", seq_along(levels))),
    function(k) factor(rep_len(seq_len(k), n), seq_len(k))
  ))
  tryCatch(
    with_advice({
      marginal_pc(data, epsilon = epsilon, ...)
      "none"
    }),
    privpc_few_rows = identity, privpc_missed_edges = identity, privpc_many_levels = identity
  )
}

test_that("where pairs are selected, nothing is said about how strong an edge must be", {
  plan <- list(
    n = 2000, levels = rep(2L, 70), rho = cpp_rho_from_dp(1, 1e-6), alpha = 0.05,
    add_remove = FALSE
  )
  said <- tryCatch(
    with_advice(warn_weak_effects(plan, 1, function(rho) Inf, selects = TRUE)),
    privpc_few_rows = identity
  )
  expect_snapshot(cat(conditionMessage(said)))
})

test_that("marginal_pc() says which effects it can see, in proportion", {
  hopeless <- advice_on(2000, rep(2, 70), 1)
  expect_s3_class(hopeless, "privpc_few_rows")
  weak <- advice_on(7000, rep(2, 15), 1)
  expect_s3_class(weak, "privpc_missed_edges")
  expect_s3_class(weak, "message")
  expect_identical(advice_on(10000, rep(2, 8), 1), "none")
  # Levels count as variables do, and added and removed records need less noise.
  expect_s3_class(advice_on(2000, rep(5, 15), 1), "privpc_few_rows")
  expect_s3_class(advice_on(2000, rep(2, 15), 1), "privpc_missed_edges")
  # Where there is next to no noise it is not the promise that hides effects.
  expect_identical(advice_on(1000, rep(2, 4), 10), "none")
  # The search by tests has its own plan and rule.
  expect_identical(advice_on(7000, rep(2, 15), 1, search = "tests"), "none")
  expect_snapshot({
    cat(conditionMessage(hopeless))
    cat(conditionMessage(weak))
    cat(conditionMessage(advice_on(50, c(2, 2, 2), 0.05)))
    cat(conditionMessage(advice_on(5000, rep(2, 15), 1, parameters = TRUE)))
  })
})

# Shapes of networks of the field on which 10,000 rows gave hardly an edge, and no word before
# it: the tests' rule looked at the two variables with the fewest levels, the score's at a
# pair like most.
test_that("many levels are warned of, whatever the other variables are like", {
  many <- rep(c(2, 3, 4, 5, 6, 7, 9, 12, 19, 21), c(19, 27, 49, 35, 28, 7, 8, 4, 5, 4))
  for (search in c("score", "tests")) {
    expect_s3_class(advice_on(10000, many, 3, search = search), "privpc_few_rows")
  }
  one <- rep(c(2, 3, 4, 5, 6, 8, 63), c(37, 21, 23, 16, 7, 4, 1))
  hopeless <- advice_on(10000, one, 3)
  expect_s3_class(hopeless, "privpc_many_levels")
  expect_s3_class(hopeless, "warning")
  expect_s3_class(advice_on(10000, one, 3, search = "tests"), "privpc_many_levels")
  # Where they stand does not matter, and without the one there is no such warning.
  expect_identical(
    conditionMessage(advice_on(10000, rev(one), 3)), conditionMessage(hopeless)
  )
  expect_s3_class(advice_on(10000, one[-109], 3), "privpc_missed_edges")
  several <- advice_on(10000, c(rep(2, 30), rep(20, 5)), 0.7)
  expect_s3_class(several, "privpc_many_levels")
  expect_snapshot({
    cat(conditionMessage(hopeless))
    cat(conditionMessage(several))
  })
})

test_that("on the usual networks nothing is said of levels", {
  for (name in names(network_references)) {
    levels <- lengths(network(name)$levels)
    rho <- rho_from_dp(1, 1e-6)
    least <- cpp_visible_effect_of_levels(unique(levels), 10000, levels, rho, 0.05, FALSE)
    expect_lt(max(least), hidden_effect)
    expect_true(cpp_enough_to_measure(10000, levels, rho, 0.05, FALSE))
  }
})

test_that("what is said to be enough is enough", {
  levels <- rep(2L, 15)
  rho <- rho_from_dp(1, 1e-6, gaussian = TRUE)
  enough <- cpp_enough_for_effect(missed_effect, 7000, levels, rho, 0.05, FALSE)
  visible <- function(n, rho) cpp_visible_effect(n, levels, rho, 0.05, FALSE)
  expect_equal(visible(enough[["rows"]], rho), missed_effect, tolerance = 1e-6)
  expect_equal(visible(7000, enough[["rho"]]), missed_effect, tolerance = 1e-6)
  plan <- list(n = 7000, levels = levels, rho = rho, alpha = 0.05, add_remove = FALSE)
  said <- enough_rows_text(plan, function(rho) dp_from_rho(rho, 1e-6, gaussian = TRUE), "row")
  rows <- as.numeric(gsub(",", "", sub("About ([0-9,]+) rows.*", "\\1", said)))
  expect_gte(rows, enough[["rows"]])
  expect_lt(rows, 1.1 * enough[["rows"]])
  epsilon <- as.numeric(sub(".*`epsilon` = ([0-9.]+) .*", "\\1", said))
  expect_gte(rho_from_dp(epsilon, 1e-6, gaussian = TRUE), enough[["rho"]])
  # Too few rows for any epsilon: none is named.
  plan$n <- 500
  expect_no_match(enough_rows_text(plan, function(rho) dp_from_rho(rho, 1e-6), "row"), "epsilon")
})

# One pair of this effect among independent ones. Seeded, so that it cannot fail by chance.
test_that("an effect as large as is said is found in 80 % of fits", {
  power <- function(n, p, k, epsilon, runs, neighbours = "replace-one") {
    rho <- rho_from_dp(epsilon, 1e-6, gaussian = TRUE)
    phi <- cpp_visible_effect(n, rep(k, p), rho, 0.05, is_add_remove(neighbours))
    mean(vapply(seq_len(runs), function(i) {
      data <- with_seed(i, {
        codes <- matrix(sample.int(k, n * p, TRUE), n)
        same <- stats::runif(n) < phi / sqrt(k - 1)
        codes[same, 2L] <- codes[same, 1L]
        as.data.frame(codes)
      })
      data[] <- lapply(data, factor, levels = seq_len(k))
      marginal_pc(
        data, epsilon = epsilon, delta = 1e-6, neighbours = neighbours, seed = i
      )$skeleton[1L, 2L]
    }, 0))
  }
  # Four standard errors of 100 fits, and what the formula leaves out.
  expect_near <- function(found) expect_lt(abs(found - 0.8), 0.17)
  expect_near(power(3000, 4L, 2L, 1, 100))
  expect_near(power(3000, 12L, 2L, 1, 100))
  expect_near(power(5000, 8L, 4L, 1, 100))
  expect_near(power(3000, 12L, 2L, 1, 100, "add-remove"))
  # Here it is hard to be measured again.
  expect_near(power(2000, 70L, 2L, 1, 30))
})

test_that("the same facts warn once, others again, and the option turns it off", {
  rlang::local_options(privpc.advice = TRUE)
  data <- small_cohort()
  expect_warning(
    marginal_pc(data, epsilon = 12.3456, seed = 1), class = "privpc_weak_epsilon"
  )
  expect_silent(marginal_pc(data, epsilon = 12.3456, seed = 1))
  expect_warning(
    marginal_pc(data, epsilon = 12.3457, seed = 1), class = "privpc_weak_epsilon"
  )
  rlang::local_options(privpc.advice = FALSE)
  expect_silent(marginal_pc(data, epsilon = 12.3458, seed = 1))
})

test_that("the warning depends on public facts only", {
  cohort <- simulate(network("asia"), nsim = 100, seed = 1)
  constant <- cohort
  constant[] <- lapply(constant, function(x) factor(rep(levels(x)[[1L]], 100), levels(x)))
  text <- vapply(list(cohort, constant), function(data) {
    conditionMessage(warning_of(marginal_pc(data, epsilon = 0.5, seed = 1)))
  }, "")
  expect_identical(text[[1L]], text[[2L]])
})

# The claim of the warning, for a pair with a correlation of one half among independent ones: well
# below the rule's number of rows the edge is mostly lost, well above it is mostly found. Seeded, so
# that it cannot fail by chance.
test_that("the rule separates what can be found from what cannot", {
  found <- function(learner, n, p, epsilon, runs) {
    mean(vapply(seq_len(runs), function(i) {
      with_seed(i, {
        data <- as.data.frame(matrix(sample(2L, n * p, TRUE), n))
        same <- stats::runif(n) < 0.5
        data[[2L]][same] <- data[[1L]][same]
      })
      data[] <- lapply(data, factor, levels = 1:2)
      learner(data, epsilon = epsilon, seed = i)$skeleton[1L, 2L]
    }, 0))
  }
  smallest <- function(enough) {
    rows <- round(10 * 1.1^(0:90))
    rows[[which(vapply(rows, enough, NA))[[1L]]]]
  }
  rho <- rho_from_dp(1, 1e-6)
  for (p in c(4, 12)) {
    n <- smallest(function(n) cpp_enough_to_measure(n, rep(2L, p), rho, 0.05, FALSE))
    by_tests <- function(...) marginal_pc(..., search = "tests")
    expect_lt(found(by_tests, n %/% 2, p, 1, 20), 0.5)
    expect_gt(found(by_tests, 2 * n, p, 1, 20), 0.9)
    n <- smallest(function(n) {
      cpp_enough_for_margins(n, rep(2L, p), 3, cpp_first_round(p, n, 0, 1, rho)$noise, 0)
    })
    expect_lt(found(priv_pc, n %/% 2, p, 1, 20), 0.5)
    expect_gt(found(priv_pc, 4 * n, p, 1, 20), 0.6)
    expect_lt(found(em_pc, n %/% 2, p, 1, 20), 0.5)
    expect_gt(found(em_pc, 4 * n, p, 1, 20), 0.6)
  }
})

test_that("the noise of the rule is that of the first stage", {
  cohort <- simulate(network("child"), nsim = 5000, seed = 1)
  levels <- vapply(cohort, nlevels, 0L)
  fit <- marginal_pc(cohort, epsilon = 1, search = "tests", seed = 1)
  pairs <- lengths(fit$measurements$tables$sets) == 2L
  variance <- max(fit$measurements$tables$variance[pairs]) * 5000^2
  gains <- sort(1.5 + sum(1 - 1 / levels) - 1 + 1 / levels, decreasing = TRUE)
  rule <- 2 * max(cumsum(gains - seq_along(gains) + 1)) / fit$privacy$rho
  expect_equal(variance, rule, tolerance = 0.01)
})

test_that("the text of a warning is made once only", {
  rlang::local_options(privpc.advice = TRUE, rlib_warning_verbosity = "default")
  made <- 0
  text <- function() {
    made <<- made + 1
    "A fact."
  }
  id <- paste("a fact of this test", Sys.time())
  expect_warning(warn_once("{text()}", "privpc_of_a_test", id), "A fact")
  expect_no_warning(warn_once("{text()}", "privpc_of_a_test", id))
  expect_identical(made, 1)
})
