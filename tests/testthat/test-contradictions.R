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

test_that("noise alone makes no variable look determined", {
  # So few records of independent variables that their tables are hardly anything but noise.
  data <- data.frame(
    a = rep(0:1, 100), b = rep(0:3, each = 50), c = rep(c(0, 0, 0, 1, 1), 40),
    d = rep(c(1, 0, 0, 0), c(10, 20, 50, 120)), e = rep(c(0, 1, 2), length.out = 200)
  )
  data[] <- lapply(data, factor)
  named <- vapply(1:10, function(seed) {
    fit <- suppressWarnings(suppressMessages(marginal_pc(data, epsilon = 1, seed = seed)))
    nrow(contradictions(fit)$determined)
  }, 0L)
  expect_identical(sum(named), 0L)
})

test_that("no effect is larger than any table has, and noise in rare levels is not taken for one", {
  # Nobody is missing: the levels for missing values hold nothing but noise.
  listed <- 0L
  for (seed in 1:6) {
    fit <- suppressMessages(marginal_pc(small_cohort(), epsilon = 1, na = "level", seed = seed))
    fit$amat[] <- 0L
    fit$skeleton <- without_directions(fit$amat)
    raw <- read_pair(fit$measurements, "a", "b", character(), 0.1)
    expect_gt(raw$effect_noise, 2)
    found <- contradictions(fit)
    pairs <- found$pairs[found$pairs$x == "a" & found$pairs$y == "b", ]
    if (nrow(pairs)) {
      listed <- listed + 1L
      expect_identical(pairs$effect, NA_real_)
      expect_match(
        paste(contradiction_lines(found), collapse = "\n"),
        "a and b: how strongly cannot be told beside the noise of rare levels, not connected"
      )
    }
    why <- explain(fit, "a", "b")
    expect_identical(why$measured$phi, NA_real_)
    expect_identical(c(why$measured$lower, why$measured$upper), c(0, sqrt(2)))
    expect_match(explanation_lines(why)[[2L]], "a phi that cannot be told .* very strong evidence")
    expect_output(
      print(retest(fit, "a", "b")),
      "cannot be told. Noise and sampling alone give .* more\\s+than 2"
    )
  }
  expect_gt(listed, 0L)
  # With tables that are hardly noisy the size is told, and never beyond its limit.
  fit <- suppressWarnings(marginal_pc(small_cohort(), epsilon = 50, seed = 1))
  fit$amat[] <- 0L
  fit$skeleton <- without_directions(fit$amat)
  found <- contradictions(fit)$pairs
  expect_equal(found$effect, 0.64, tolerance = 0.05)
  expect_lte(explain(fit, "a", "b")$measured$upper, 1)
})

test_that("pairs whose effect cannot be told come last, and one pair is not the most of all", {
  fit <- suppressMessages(marginal_pc(
    small_cohort(), epsilon = 1, na = c(b = "level"), seed = 2, tiers = list("a", c("b", "c"))
  ))
  fit$amat[] <- 0L
  fit$skeleton <- without_directions(fit$amat)
  expect_match(contradiction_text(fit), "1 dependent pair that its paths do not explain: a and b ")
})

test_that("a phi squared that can be above 1 is told with its largest", {
  expect_identical(
    strength_text(c(0.25, 1.6, NA), c(1, 3, 3)),
    c(
      "phi squared 0.25", "phi squared 1.6 of at most 3",
      "how strongly cannot be told beside the noise of rare levels"
    )
  )
})
