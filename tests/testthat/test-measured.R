test_that("with a large budget the tables are those of the data", {
  data <- simulate(network("survey"), nsim = 5000, seed = 1)
  fit <- marginal_pc(data, epsilon = 1e5, seed = 1)
  for (variables in list("S", c("A", "E"), c("E", "A"), c("R", "O"))) {
    table <- measured(fit, variables)
    exact <- as.data.frame(prop.table(table(data[variables])))
    expect_identical(names(table), c(variables, "share", "se"))
    expect_equal(table$share, exact$Freq, tolerance = 1e-3)
    expect_equal(as.character(table[[1L]]), as.character(exact[[1L]]))
  }
})

test_that("shares add up to one, margins agree, and the error is as stated", {
  data <- simulate(network("survey"), nsim = 5000, seed = 1)
  exact <- as.vector(prop.table(table(data[c("A", "E")])))
  z <- vapply(1:300, function(seed) {
    table <- measured(marginal_pc(data, epsilon = 1, seed = seed), c("A", "E"))
    (table$share[[2L]] - exact[[2L]]) / table$se[[2L]]
  }, 0)
  # Sum of squares of 300 standard normal numbers, one false alarm in a million.
  expect_lt(sum(z^2), stats::qchisq(5e-7, 300, lower.tail = FALSE))
  expect_gt(sum(z^2), stats::qchisq(5e-7, 300))
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  pair <- measured(fit, c("A", "E"))
  expect_equal(sum(pair$share), 1)
  expect_equal(
    as.vector(tapply(pair$share, pair$A, sum)), measured(fit, "A")$share
  )
})

test_that("families are measured on request and sharpen the tables", {
  data <- simulate(network("survey"), nsim = 20000, seed = 1)
  fit <- marginal_pc(data, epsilon = 1, parameters = TRUE, seed = 1)
  expect_gt(length(fit$measurements$families$sets), 5)
  without <- fit
  without$measurements$families <- lapply(fit$measurements$families, `[`, 0)
  expect_lt(measured(fit, c("A", "E"))$se[[1L]], measured(without, c("A", "E"))$se[[1L]])
})

test_that("what was not measured is named", {
  data <- simulate(network("survey"), nsim = 2000, seed = 1)
  fit <- marginal_pc(data, epsilon = 1, max_order = 1, seed = 1)
  expect_snapshot(table <- show_said(measured(fit, c("A", "S", "E"))))
  expect_identical(nrow(table), 12L)
})

test_that("wrong arguments are refused with advice", {
  data <- simulate(network("survey"), nsim = 200, seed = 1)
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  expect_snapshot({
    show_refusal(measured(data, "A"))
    show_refusal(measured(exact_pc(data), "A"))
    show_refusal(measured(fit, 1))
    show_refusal(measured(fit, c("A", "B")))
    show_refusal(measured(fit, c("A", "A")))
    show_refusal(measured(fit, "A", clip = TRUE))
  })
})

test_that("what was not measured has no standard error, and shares stay probabilities", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)[c("smoke", "lung", "bronc")]
  fit <- marginal_pc(data[1:2], epsilon = 5, whitelist = c("smoke", "lung"), seed = 1)
  table <- suppressMessages(measured(fit, c("smoke", "lung")))
  expect_true(all(is.na(table$se)))
  expect_true(all(table$share >= 0))
  margin <- function(v) tapply(table$share, table[[v]], sum)
  expect_equal(
    table$share, as.vector(margin("smoke")[table$smoke] * margin("lung")[table$lung]),
    tolerance = 1e-6
  )
})

test_that("a fit that was changed by hand is refused by all that reads its tables", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  held <- fit$measurements
  without <- !vapply(held$tables$sets, identical, NA, 2L)
  damaged <- list(
    more_levels = list(levels = rep(held$levels, 2)),
    one_order = list(ordered = TRUE), order_unknown = list(ordered = rep(NA, length(held$nodes))),
    order_in_words = list(ordered = as.character(held$ordered)), no_tables = list(tables = NA),
    no_rows = list(n = NA_real_), many_rows = list(n = 1e300), negative_rows = list(n = -5),
    no_single = list(tables = lapply(held$tables, function(x) x[without])),
    no_sets = list(tables = list(sets = NULL)),
    repeated = list(tables = lapply(held$tables, function(x) c(x, x[length(x)]))),
    twice_in_a_set = list(tables = replace(
      held$tables, "sets", list(c(held$tables$sets[-length(held$tables$sets)], list(c(1L, 1L))))
    )),
    no_families = list(families = list(sets = "a")),
    repeated_family = list(families = lapply(held$tables, function(x) x[c(1, 1)]))
  )
  for (name in names(damaged)) {
    broken <- fit
    broken$measurements[names(damaged[[name]])] <- damaged[[name]]
    asked <- function(fit) explain(fit, "a", "b")
    for (read in list(relearn, edge_strength, consensus, contradictions, asked)) {
      expect_error(read(broken), "is damaged", info = name)
    }
    expect_error(print(broken), class = "privpc_damaged", info = name)
  }
  for (wrong in list(
    list(alpha = NA), list(prior = -1), list(max_order = 1e9), list(search = "x")
  )) {
    broken <- fit
    broken$settings[names(wrong)] <- wrong
    for (read in list(edge_strength, contradictions)) {
      expect_error(read(broken), class = "privpc_damaged", info = names(wrong))
    }
    expect_error(explain(broken, "a", "b"), class = "privpc_damaged", info = names(wrong))
  }
})

test_that("an edited ledger or consensus is refused by all that prints or reads it", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  agreed <- with_seed(1, consensus(fit, draws = 3))
  edited <- function(fit, element, value) {
    fit[element] <- list(value)
    fit
  }
  short <- fit$ledger[c("step", "rho")]
  words <- transform(fit$ledger, rho = "much")
  broken <- c(
    lapply(list(NULL, 1, list(), short, words), edited, fit = fit, element = "ledger"),
    lapply(
      list(
        "most", list(), list(threshold = 0.5, draws = 3, kind = "people"),
        list(threshold = "a", draws = 3, kind = "noise"), list(threshold = 0.5, kind = "noise")
      ),
      edited, fit = agreed, element = "consensus"
    )
  )
  readers <- list(
    print, format, summary, report, privacy_ledger, relearn, edge_strength, consensus,
    contradictions, function(fit) explain(fit, "a", "b"), function(fit) measured(fit, "a"),
    function(fit) plot(fit, what = "ledger")
  )
  for (fit in broken) for (read in readers) expect_error(read(fit), class = "privpc_damaged")
  expect_snapshot({
    show_refusal(print(broken[[1]]))
    show_refusal(report(broken[[6]]))
    show_refusal(relearn(edited(agreed, "measurements", replace(
      agreed$measurements, "tables", list(lapply(agreed$measurements$tables, rep, 2))
    ))))
  })
})
