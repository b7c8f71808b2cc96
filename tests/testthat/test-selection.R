# Fits that select pairs before they measure them.

many_variables <- function(rows, variables = 52, seed = 1) {
  with_seed(seed, {
    columns <- list(rbinom(rows, 1, 0.5))
    for (v in seq_len(variables)[-1L]) {
      columns[[v]] <- ifelse(runif(rows) < 0.75, columns[[v - 1L]], rbinom(rows, 1, 0.5))
    }
    as.data.frame(setNames(lapply(columns, factor), sprintf("v%02d", seq_len(variables))))
  })
}
cohort <- many_variables(12000)
quiet_fit <- function(...) suppressMessages(marginal_pc(..., progress = FALSE))

test_that("with many variables pairs are selected, paid for and recorded", {
  fit <- quiet_fit(cohort, epsilon = 1, delta = 1e-6)
  expect_true(fit$settings$selects)
  expect_identical(fit$privacy$accounting, "zcdp")
  expect_equal(fit$privacy$rho, rho_from_dp(1, 1e-6))
  steps <- privacy_ledger(fit)
  expect_identical(
    steps$mechanism,
    c("gaussian", "pair selection", "gaussian", "pair selection", rep("gaussian", 3))
  )
  expect_lte(max(steps$cumulative), fit$privacy$rho)
  expect_gt(max(steps$cumulative), fit$privacy$rho * (1 - 1e-6))
  # A chain: most of its edges are found.
  expect_gt(
    compare_graphs(fit, graph_of(paste(names(cohort)[-52L], "->", names(cohort)[-1L])))$f1[[1L]],
    0.8
  )
  measured <- fit$measurements$tables$sets
  pairs <- measured[lengths(measured) == 2L]
  expect_lt(length(pairs), 52 * 51 / 2)
  # What was not measured is not said to be separated.
  nodes <- fit$measurements$nodes
  known <- vapply(pairs, function(set) paste(nodes[set], collapse = " "), "")
  said <- apply(
    cbind(fit$sepsets$x, fit$sepsets$y), 1L, function(pair) paste(sort(pair), collapse = " ")
  )
  expect_true(all(said %in% known))
  expect_match(
    report(fit)[["selection"]], "chosen privately, by the exponential mechanism: [0-9]+ of 1,326"
  )
})

test_that("few variables, many rows, other neighbours, and tests never select", {
  expect_null(quiet_fit(cohort[1:40], epsilon = 1)$settings$selects)
  expect_null(quiet_fit(cohort, epsilon = 1000, delta = 1e-6)$settings$selects)
  expect_null(quiet_fit(cohort, epsilon = 1, neighbours = "add-remove")$settings$selects)
  fit <- quiet_fit(cohort, epsilon = 1, search = "tests")
  expect_null(fit$settings$selects)
  expect_identical(fit$privacy$accounting, "gaussian")
})

test_that("a budget is charged what a selecting fit may spend", {
  budget <- privacy_budget(3, 1e-5)
  fit <- quiet_fit(cohort, epsilon = 1, delta = 1e-6, budget = budget)
  expect_true(fit$settings$selects)
  expect_equal(max(privacy_ledger(budget)$cumulative), fit$privacy$rho)
})

test_that("what follows from a selecting fit works: strengths, consensus, another search, tests", {
  fit <- quiet_fit(cohort, epsilon = 1, delta = 1e-6, parameters = TRUE)
  sure <- edge_strength(fit, draws = 10, progress = FALSE)
  expect_gt(mean(sure$strength[sure$learnt]), 0.5)
  expect_lt(mean(sure$strength[!sure$learnt]), 0.1)
  expect_s3_class(consensus(fit, draws = 10, progress = FALSE), "privpc")
  again <- relearn(fit, search = "tests")
  expect_s3_class(again, "privpc")
  expect_s3_class(edge_strength(again, draws = 3, progress = FALSE), "privpc_strength")
  expect_s3_class(contradictions(fit), "privpc_contradictions")
  expect_s3_class(suppressMessages(as_network(fit)), "privpc_network")
})

test_that("one seed gives one selecting fit, for any number of threads", {
  first <- quiet_fit(cohort, epsilon = 1, delta = 1e-6, seed = 3, threads = 1)
  expect_true(first$settings$selects)
  second <- quiet_fit(cohort, epsilon = 1, delta = 1e-6, seed = 3, threads = 2)
  expect_identical(first$measurements, second$measurements)
  expect_identical(as.matrix(first), as.matrix(second))
})
