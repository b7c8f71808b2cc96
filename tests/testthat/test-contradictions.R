# smoke -> lung -> xray, and their graph as measured exactly.
cohort <- simulate(network("asia"), nsim = 50000, seed = 1)
fit <- marginal_pc(cohort, epsilon = 20, seed = 1) |> suppressWarnings()

without_edge <- function(fit, x, y) {
  fit$amat[x, y] <- fit$amat[y, x] <- fit$skeleton[x, y] <- fit$skeleton[y, x] <- 0L
  fit
}

test_that("a pair whose only connection is taken away is listed", {
  found <- contradictions(without_edge(fit, "smoke", "bronc"))$pairs
  expect_identical(unname(unlist(found[1, c("x", "y")])), c("bronc", "smoke"))
  expect_identical(found$carried[[1]], 0)
  phi <- suppressWarnings(chisq.test(cohort$smoke, cohort$bronc, correct = FALSE))$statistic
  expect_equal(found$effect[[1]], unname(phi) / nrow(cohort), tolerance = 0.05)
  expect_false(is.unsorted(-found$effect))
  kept <- contradictions(fit)$pairs
  expect_false(any(kept$x == "bronc" & kept$y == "smoke"))
})

test_that("a variable that another one determines is named", {
  # either is lung or tub, and tub is rare.
  determined <- contradictions(fit)$determined
  expect_true("either" %in% determined$variable)
  expect_true("lung" %in% unlist(determined$by[determined$variable == "either"]))
  expect_true(all(determined$share_left < 0.05))
})

test_that("a pair that is forbidden against its own table is listed, and says so", {
  # Nothing may cause bronchitis, and it causes nothing: no path is left.
  others <- setdiff(fit$nodes, "bronc")
  forbidden <- rbind(cbind("bronc", others), cbind(others, "bronc"))
  later <- relearn(fit, blacklist = forbidden)
  found <- contradictions(later)$pairs
  at <- found$x == "bronc" & found$y == "smoke"
  expect_identical(found$forbidden[at], TRUE)
  expect_identical(found$forbidden, found$x == "bronc" | found$y == "bronc")
  expect_false(is.unsorted(-found$effect))
  expect_equal(found$effect[at], unname(retest(fit, "smoke", "bronc")$estimate))
  expect_output(print(contradictions(later)), "bronc and smoke: .* [(]forbidden by background")
  # One direction that is left is no contradiction, nor is a pair without a table.
  expect_false(any(contradictions(relearn(fit, blacklist = forbidden[1:7, ]))$pairs$forbidden))
  held <- later$measurements
  of <- match(c("bronc", "smoke"), held$nodes)
  kept <- !vapply(held$tables$sets, function(set) all(of %in% set), NA)
  later$measurements$tables <- lapply(held$tables, `[`, kept)
  left <- contradictions(later)$pairs
  expect_false(any(left$x == "bronc" & left$y == "smoke"))
  expect_true(any(left$forbidden))
})

test_that("print, summary and the list itself say so", {
  broken <- without_edge(fit, "smoke", "bronc")
  expect_snapshot({
    contradictions(broken)
    broken
    summary(broken)
  })
  expect_null(summary(exact_pc(small_cohort()))$contradictions)
  expect_snapshot(show_refusal(contradictions(exact_pc(small_cohort()))))
})
