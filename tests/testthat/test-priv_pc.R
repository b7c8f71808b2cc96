test_that("accuracy with defaults at epsilon = 1", {
  goals <- list(
    priv_pc = c(earthquake = 0.88, cancer = 0.90, asia = 0.77, survey = 0.97),
    em_pc = c(earthquake = 0.96, cancer = 0.97, asia = 0.77, survey = 0.98)
  )
  for (learner in names(goals)) {
    for (name in names(goals[[learner]])) {
      expect_gte(mean_f1(learner, name, epsilon = 1, runs = 20), goals[[learner]][[name]])
    }
  }
})

test_that("every learner gains from budget", {
  for (learner in names(paper_learners)) {
    f1 <- vapply(c(0.05, 0.5, 20), function(e) mean_f1(learner, "cancer", e, runs = 12), 0)
    expect_true(all(diff(f1) > 0), label = paste(learner, toString(round(f1, 2))))
  }
})

test_that("with a huge budget every learner finds what exact_pc() finds with the same test", {
  for (name in c("earthquake", "cancer", "survey", "asia")) {
    data <- simulate(network(name), nsim = 200000, seed = 3)
    for (test in c("tau", "rho")) {
      exact <- suppressMessages(
        exact_pc(data, test = test, alpha = 2 * stats::pnorm(-3), max_order = 2)
      )
      for (learner in names(paper_learners)) {
        fit <- suppressMessages(
          paper_learners[[learner]](data, epsilon = 1e5, test = test, seed = 1)
        )
        expect_identical(fit$skeleton, exact$skeleton, label = paste(learner, name, test))
      }
    }
  }
})

test_that("with a huge budget independent variables lose all their edges", {
  set.seed(1)
  data <- as.data.frame(
    lapply(1:20, function(j) factor(sample(3, 20000, TRUE), levels = 1:3, ordered = TRUE))
  )
  names(data) <- paste0("v", 1:20)
  exact <- exact_pc(data, test = "tau", alpha = 2 * stats::pnorm(-3), max_order = 2)
  for (learner in names(paper_learners)) {
    fit <- paper_learners[[learner]](data, epsilon = 1e6)
    expect_identical(fit$skeleton, exact$skeleton, label = learner)
    if (learner == "sg_pc") next
    pure <- paper_learners[[learner]](data, epsilon = 1e6, delta = 0)
    expect_identical(pure$skeleton, exact$skeleton, label = learner)
  }
})

test_that("a fit does not keep records that were written out in its call", {
  expect_identical(
    deparse(priv_pc(data.frame(x = factor(1:2), y = factor(1:2)), 1, 1e-6)$call),
    "priv_pc(data = ..., epsilon = 1, delta = 1e-06)"
  )
  expect_no_match(deparse(priv_pc(dat = small_cohort(10), epsilon = 1)$call), "cohort")
  expect_no_match(deparse((small_cohort(10) |> priv_pc(epsilon = 1))$call), "cohort")
  expect_no_match(deparse(do.call(priv_pc, list(small_cohort(10), 1))$call), "factor|levels")
  cohort <- small_cohort(10)
  expect_identical(deparse(priv_pc(cohort, 1)$call), "priv_pc(data = cohort, epsilon = 1)")
})

test_that("the ledger of every fit sums to at most its budget", {
  data <- small_cohort()
  for (learner in names(paper_learners)) {
    for (epsilon in c(0.01, 1, 50)) {
      fit <- paper_learners[[learner]](data, epsilon = epsilon, delta = 1e-6)
      expect_lte(sum(fit$ledger$rho), rho_from_dp(epsilon, 1e-6))
      expect_equal(utils::tail(fit$ledger$cumulative, 1), sum(fit$ledger$rho))
      expect_true(fit$privacy$private)
      if (learner == "sg_pc") next
      pure <- paper_learners[[learner]](data, epsilon = epsilon, delta = 0)
      expect_lte(sum(pure$ledger$epsilon), epsilon)
      expect_true(all(is.na(pure$ledger$rho)))
    }
  }
})

test_that("other data with the same answers gives the same fit", {
  # Every count that involves b differs, no decision does.
  one <- small_cohort()
  two <- small_cohort()
  two$b <- factor(
    ifelse(seq_len(nrow(two)) %% 6 == 0, 2L - as.integer(two$a), as.integer(two$a) - 1L)
  )
  expect_false(identical(table(one[1:2]), table(two[1:2])))
  for (learner in names(paper_learners)) {
    fits <- lapply(
      list(one, two), function(data) paper_learners[[learner]](data, epsilon = 20, seed = 5)
    )
    expect_identical(fits[[1]]$skeleton["a", "b"], 1L)
    expect_identical(fits[[1]], fits[[2]])
  }
})

test_that("what is known beforehand is free", {
  data <- small_cohort()
  everything <- expand.grid(from = names(data), to = names(data), stringsAsFactors = FALSE)
  everything <- everything[everything$from != everything$to, ]
  for (learner in names(paper_learners)) {
    fit <- paper_learners[[learner]](data, epsilon = 1, blacklist = everything)
    expect_identical(nrow(fit$ledger), 0L)
    expect_identical(sum(fit$amat), 0L)
    kept <- paper_learners[[learner]](data, epsilon = 1, whitelist = c("c", "a"))
    expect_identical(kept$amat["c", "a"], 1L)
  }
})

test_that("neither the order of the columns nor the number of threads matters", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)
  for (learner in names(paper_learners)) {
    fit <- paper_learners[[learner]](data, epsilon = 1, seed = 4, threads = 1)
    turned <- paper_learners[[learner]](rev(data), epsilon = 1, seed = 4, threads = 3)
    expect_identical(fit$amat, turned$amat[names(data), names(data)])
    expect_identical(fit$ledger, turned$ledger)
  }
})

test_that("noise does not come from set.seed()", {
  data <- simulate(network("asia"), nsim = 2000, seed = 1)
  set.seed(1)
  before <- .Random.seed
  graphs <- replicate(20, as.matrix(priv_pc(data, epsilon = 0.5)), simplify = FALSE)
  expect_identical(.Random.seed, before)
  expect_gt(length(unique(graphs)), 1)
})

test_that("a sub-sample, rounds, thresholds and tweaks are taken", {
  data <- simulate(network("survey"), nsim = 20000, seed = 1)
  fit <- suppressMessages(priv_pc(
    data, epsilon = 5, subsample = 0.5, rounds = 12, threshold = 4, tweak = 0, seed = 1
  ))
  expect_identical(fit$settings$subsample, 10000)
  expect_lte(nrow(fit$ledger), 12)
  expect_equal(diff(range(fit$ledger$rho)), 0, tolerance = 1e-6)
  optimal <- suppressMessages(priv_pc(data, epsilon = 1, subsample = "optimal", seed = 1))
  expect_identical(optimal$settings$subsample, 1000)  # the lower clip: rounds are cheap
  sampled <- suppressMessages(sg_pc(data, epsilon = 1, subsample = 5000))
  expect_gt(sum(sampled$ledger$rho), rho_from_dp(1, 1e-6) / 2)
  expect_identical(sampled$privacy$rho, NA_real_)
})

test_that("the tests of nominal variables find dependence that has no direction", {
  # y is 1 in the middle level of x: tau is blind to it.
  n <- 60000
  x <- rep(0:2, length.out = n)
  y <- ifelse(x == 1, 1, 0)
  flip <- seq_len(n) %% 7 == 0
  data <- data.frame(x = factor(x), y = factor(ifelse(flip, 1 - y, y)))
  expect_identical(sum(priv_pc(data, epsilon = 1, test = "tau", seed = 1)$skeleton), 0L)
  for (test in c("g2", "chisq")) {
    for (learner in names(paper_learners)) {
      fit <- paper_learners[[learner]](data, epsilon = 1, test = test, seed = 1)
      expect_identical(sum(fit$skeleton), 2L, label = paste(learner, test))
    }
  }
})

test_that("numeric columns are compared value by value", {
  set.seed(1)
  n <- 20000
  age <- runif(n, 20, 80)
  bmi <- 20 + age / 20 + rnorm(n)
  ill <- factor(as.integer(runif(n) < (bmi - 18) / 20), levels = 0:1)
  data <- data.frame(age = age, bmi = bmi, ill = ill)
  bins <- list(age = seq(20, 80, by = 5), bmi = seq(18, 28, by = 0.5))
  fit <- priv_pc(data, epsilon = 2, breaks = bins, seed = 1)
  expect_identical(fit$skeleton["age", "bmi"], 1L)
  expect_identical(fit$skeleton["bmi", "ill"], 1L)
})

test_that("odd data are handled", {
  constant <- data.frame(
    a = factor(rep("x", 50), levels = c("x", "y")), b = factor(rep(1:2, 25)),
    one = factor(rep("only", 50))
  )
  two_rows <- data.frame(a = factor(1:2), b = factor(1:2))
  for (learner in names(paper_learners)) {
    expect_s3_class(paper_learners[[learner]](constant, epsilon = 1, delta = 1e-6), "privpc")
    expect_s3_class(paper_learners[[learner]](two_rows, epsilon = 1, delta = 1e-6), "privpc")
  }
})

test_that("prints say what is promised, and what is not", {
  data <- simulate(network("survey"), nsim = 1e5, seed = 1)
  data[] <- lapply(data, factor, ordered = TRUE)
  fit <- priv_pc(data, epsilon = 300)
  hide <- function(lines) sub("[0-9.]+%", "x%", sub("in [0-9]+ steps", "in x steps", lines))
  expect_snapshot(print(fit), transform = hide)
  expect_snapshot(priv_pc(data, epsilon = 300, seed = 1))
  expect_snapshot(em_pc(data, epsilon = 300, seed = 1, sensitivity = "paper"))
  expect_false(priv_pc(data, epsilon = 1, sensitivity = "paper")$privacy$private)
  expect_false(priv_pc(data, epsilon = 1, seed = 1)$privacy$private)
})

test_that("bad arguments are refused", {
  data <- small_cohort(100)
  expect_snapshot({
    show_refusal(priv_pc(data))
    show_refusal(priv_pc(data, epsilon = 0))
    show_refusal(priv_pc(data, epsilon = 1, delta = 1))
    show_refusal(sg_pc(data, epsilon = 1, delta = 0))
    show_refusal(priv_pc(data, epsilon = 1, test = "cmh"))
    show_refusal(priv_pc(data, epsilon = 1, subsample = "best"))
    show_refusal(priv_pc(data, epsilon = 1, subsample = 200))
    show_refusal(priv_pc(data, epsilon = 1, test = "g2", subsample = 0.5))
    show_refusal(priv_pc(data, epsilon = 1, sensitivity = "guess"))
    show_refusal(priv_pc(data, epsilon = 1, rounds = 0))
    show_refusal(priv_pc(data, epsilon = 1, threshold = -1))
    show_refusal(priv_pc(data, epsilon = 1, eps = 2))
    show_refusal(em_pc(data[1, ], epsilon = 1))
    show_refusal(priv_pc(data, epsilon = 1e-9))
    show_refusal(svt_pc(data, epsilon = 1e-9, delta = 0))
    show_refusal(em_pc(data, epsilon = 1, seed = "a"))
  })
  expect_snapshot(fit <- show_said(priv_pc(data, epsilon = 1, delta = 0.02)))
})
