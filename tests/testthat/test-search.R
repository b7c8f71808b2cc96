# How the graph is found in noisy tables: marginal_pc(search = ) and relearn(search = ).

cohort <- simulate(network("asia"), nsim = 10000, seed = 1)

quiet_fit <- function(...) suppressWarnings(marginal_pc(..., threads = 1, progress = FALSE))

test_that("a fit says how its graph was found, and relearn() can change it", {
  fit <- quiet_fit(cohort, epsilon = 1, seed = 1)
  expect_identical(fit$settings$search, "score")
  expect_identical(relearn(fit), fit)
  by_tests <- relearn(fit, search = "tests")
  expect_identical(by_tests$settings$search, "tests")
  expect_identical(by_tests$measurements, fit$measurements)
  expect_identical(relearn(by_tests, search = "score")$amat, fit$amat)
  expect_output(print(fit), "search = score", fixed = TRUE)
  expect_match(format(report(fit)), "search by score", fixed = TRUE, all = FALSE)
})

test_that("fits from before there was a choice are learnt by tests", {
  fit <- quiet_fit(cohort, epsilon = 1, search = "tests", seed = 1)
  old <- fit
  old$settings$search <- NULL
  expect_identical(relearn(old)$amat, fit$amat)
  expect_identical(relearn(old, search = "score")$settings$search, "score")
})

test_that("a stricter alpha leaves fewer edges", {
  few <- simulate(network("child"), nsim = 3000, seed = 4)
  fits <- lapply(1:3, function(seed) quiet_fit(few, epsilon = 1, seed = seed))
  edges <- function(alpha) {
    sum(vapply(fits, function(fit) sum(relearn(fit, alpha = alpha)$skeleton), 0))
  }
  expect_lt(edges(1e-6), edges(0.05) - 2)
  expect_identical(edges(1e-300), 0)
})

test_that("an unknown search is refused", {
  expect_snapshot({
    show_refusal(marginal_pc(cohort, epsilon = 1, search = "hill climbing"))
    show_refusal(marginal_pc(cohort, epsilon = 1, search = NA))
  })
  fit <- quiet_fit(cohort, epsilon = 1, seed = 1)
  expect_snapshot(show_refusal(relearn(fit, search = c("tests", "score"))))
})

test_that("the order of the columns and the number of threads do not matter", {
  fit <- quiet_fit(cohort, epsilon = 1, seed = 3)
  turned <- quiet_fit(rev(cohort), epsilon = 1, seed = 3)
  expect_identical(turned$amat[fit$nodes, fit$nodes], fit$amat)
  two <- suppressWarnings(marginal_pc(cohort, epsilon = 1, threads = 2, seed = 3))
  expect_identical(two$amat, fit$amat)
})

test_that("knowledge is part of the search", {
  tiers <- list(
    c("dysp", "xray"), c("either"), c("bronc", "lung", "tub"), c("asia", "smoke")
  )
  fit <- quiet_fit(cohort, epsilon = 3, tiers = tiers, seed = 1)
  tier <- rep(seq_along(tiers), lengths(tiers))[match(fit$nodes, unlist(tiers))]
  arcs <- which(fit$amat == 1L & t(fit$amat) == 0L, arr.ind = TRUE)
  expect_gt(nrow(arcs), 3)
  expect_true(all(tier[arcs[, 1L]] <= tier[arcs[, 2L]]))
  required <- relearn(fit, tiers = NULL, whitelist = cbind("asia", "dysp"))
  expect_identical(required$amat["asia", "dysp"], 1L)
  expect_identical(required$amat["dysp", "asia"], 0L)
  forbidden <- relearn(fit, tiers = NULL, blacklist = rbind(
    c("lung", "either"), c("either", "lung")
  ))
  expect_identical(forbidden$skeleton["lung", "either"], 0L)
})

test_that("at 10,000 rows the score directs better than tests do", {
  scores <- vapply(1:12, function(seed) {
    records <- simulate(network("sachs"), nsim = 10000, seed = 500 + seed)
    vapply(c("tests", "score"), function(search) {
      fit <- quiet_fit(records, epsilon = 1, search = search, seed = seed)
      compare_graphs(fit, network("sachs"))$f1[[2L]]
    }, 0)
  }, c(tests = 0, score = 0))
  # Means of .4 and .8 with a standard error of .06 at most: seeds make it the same every time.
  expect_gt(mean(scores["score", ]), mean(scores["tests", ]) + 0.2)
})

test_that("of many unordered factors a few are named, in the order of the data", {
  schema <- list(
    names = sort(paste0("v", 1:150)), nodes = paste0("v", 1:150), levels = rep(3L, 150),
    ordered = rep(FALSE, 150)
  )
  said <- testthat::capture_messages(say_nominal_order(schema, "tau"))
  expect_match(said, "150 factors are not ordered: `v1`, `v2`, `v3`, `v4`, `v5` and 145 more.",
    fixed = TRUE
  )
  expect_match(said, paste0("\n", cli::symbol$info, " Declare"), fixed = TRUE)
  expect_identical(few_names(letters[1:6]), "`a`, `b`, `c`, `d`, `e`, `f`")
})
