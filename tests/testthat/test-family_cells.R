quiet_network <- function(...) suppressMessages(as_network(...))

test_that("a combination of parents that does not occur gets the overall distribution", {
  none <- function(set) 0
  cells <- matrix(c(0.3, 0.7, 0, 0), 2)
  given <- conditional_table(cells, cells, 100, NULL, none)
  expect_equal(given[, 2], c(0.3, 0.7), tolerance = 0.01)
  cells <- matrix(c(0.2, 0.4, 0.3, 0.1), 2)
  given <- conditional_table(cells, cells, 100, 0, none)
  expect_equal(given, matrix(c(1 / 3, 2 / 3, 3 / 4, 1 / 4), 2))
  strong <- conditional_table(cells, cells, 100, 1e9, none)
  expect_equal(strong, matrix(0.5, 2, 2), tolerance = 1e-5)
})

test_that("nothing is impossible", {
  cells <- array(c(1, 0, 0), 3)
  given <- conditional_table(cells, cells, 1000, NULL, function(set) 0)
  expect_equal(as.vector(given), c(1000.5, 0.5, 0.5) / 1001.5)
  skip_if_not_installed("bnlearn")
  cohort <- simulate(network("asia"), nsim = 2000, seed = 1)
  for (seed in 1:3) {
    fit <- marginal_pc(cohort, epsilon = 0.5, parameters = seed == 2, seed = seed)
    for (prior in list(NULL, 0, 5)) {
      expect_gt(min(unlist(quiet_network(fit, prior = prior)$probabilities)), 0)
    }
    # One record for every combination of levels, also of those that never go together.
    every <- expand.grid(lapply(cohort, levels), stringsAsFactors = TRUE)
    expect_true(is.finite(logLik(suppressMessages(as_bn_fit(fit)), every)))
  }
})

test_that("each parent acts by itself where only pairs are known", {
  # A table of largest entropy with given pairs, by another road: the log-linear model of stats.
  with_seed(1, joint <- array(runif(24, 0.2, 1), c(2, 3, 4)))
  joint <- joint / sum(joint)
  at <- list(1L, 2:3, 4:6)
  bases <- lapply(2:4, function(k) cpp_basis_columns(k, 1L))
  shares <- lapply(1:3, function(v) apply(joint, v, sum))
  implied <- matrix(0, 6, 6)
  for (v in 1:3) {
    for (w in setdiff(1:3, v)) {
      together <- apply(joint, c(v, w), sum) - outer(shares[[v]], shares[[w]])
      implied[at[[v]], at[[w]]] <- crossprod(bases[[v]], together) %*% bases[[w]]
    }
  }
  cells <- pairwise_cells(list(at = at, bases = bases, shares = shares), implied, 1:3)
  theirs <- stats::loglin(
    joint, list(1:2, 2:3, c(1, 3)), fit = TRUE, eps = 1e-9, iter = 500, print = FALSE
  )
  expect_equal(cells, theirs$fit, tolerance = 1e-5)
  turned <- pairwise_cells(list(at = at, bases = bases, shares = shares), implied, c(3L, 1L, 2L))
  expect_equal(turned, aperm(cells, c(3, 1, 2)), tolerance = 1e-5)
})

test_that("large families are filled from pairs, very large ones have fewer parents", {
  with_seed(1, {
    causes <- as.data.frame(lapply(1:11, function(i) factor(sample(6, 3000, TRUE), 1:6)))
    names(causes) <- paste0("x", 1:11)
    causes$y <- factor(ifelse(runif(3000) < 0.8, as.integer(causes$x1), as.integer(causes$x2)), 1:6)
  })
  fit <- marginal_pc(causes, epsilon = 5, seed = 1)
  dag <- matrix(0L, 12, 12, dimnames = list(fit$nodes, fit$nodes))
  dag[paste0("x", 1:5), "y"] <- 1L
  expect_snapshot(net <- show_said(as_network(fit, dag = dag)))
  given <- net$probabilities$y
  expect_identical(dim(given), rep(6L, 6))
  expect_equal(as.vector(apply(given, 2:6, sum)), rep(1, 6^5))
  # 80 % have the level of x1.
  expect_gt(mean(vapply(1:6, function(i) mean(given[i, i, , , , ]), 0)), 0.6)
  dag[paste0("x", 1:11), "y"] <- 1L
  expect_snapshot(net <- show_said(as_network(fit, dag = dag)))
  expect_true(all(c("x1", "x2") %in% net$parents$y))
  expect_length(net$parents$y, 5L)
  expect_identical(nrow(suppressMessages(simulate(net, 100, seed = 1))), 100L)
})

test_that("records of the network are as near to the cohort as other people are", {
  mean_distance <- function(a, b) {
    names <- utils::combn(names(a), 2L, simplify = FALSE)
    mean(vapply(names, function(pair) {
      sum(abs(table(a[pair]) / nrow(a) - table(b[pair]) / nrow(b))) / 2
    }, 0))
  }
  for (name in c("asia", "survey", "sachs")) {
    truth <- network(name)
    cohort <- simulate(truth, nsim = 10000, seed = 1)
    others <- simulate(truth, nsim = 10000, seed = 2)
    fit <- marginal_pc(cohort, epsilon = 1, seed = 1)
    drawn <- suppressMessages(simulate(as_network(fit), 10000, seed = 1, balanced = TRUE))
    expect_lt(mean_distance(drawn[names(cohort)], cohort), mean_distance(others, cohort))
  }
})
