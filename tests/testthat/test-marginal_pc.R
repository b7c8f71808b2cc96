asia_rows <- function(n = 20000, seed = 1) simulate(network("asia"), nsim = n, seed = seed)

uniform_factors <- function(columns, levels, n, seed) {
  set.seed(seed)
  names <- stats::setNames(nm = paste0("v", seq_len(columns)))
  as.data.frame(lapply(names, function(name) {
    factor(sample.int(levels, n, replace = TRUE), levels = seq_len(levels))
  }))
}

measured_sets <- function(fit) {
  vapply(fit$measurements$tables$sets, function(set) {
    paste(fit$measurements$nodes[set], collapse = " ")
  }, "")
}

test_that("a fit prints its graph and its promise", {
  data <- asia_rows()
  expect_snapshot(marginal_pc(data, epsilon = 1, seed = 1))
  private <- marginal_pc(data, epsilon = 1)
  expect_true(private$privacy$private)
  expect_identical(private$privacy$delta, 1e-6)
  expect_match(format(private), "epsilon = 1", fixed = TRUE)
})

test_that("the ledger has one row per batch and never exceeds the budget", {
  data <- asia_rows()
  for (epsilon in c(0.01, 1, 50)) {
    for (parameters in c(FALSE, TRUE)) {
      fit <- marginal_pc(data, epsilon = epsilon, parameters = parameters)
      ledger <- privacy_ledger(fit)
      expect_identical(fit$privacy$rho, rho_from_dp(epsilon, 1e-6, gaussian = epsilon < 50))
      expect_identical(fit$privacy$accounting, if (epsilon < 50) "gaussian" else "zcdp")
      expect_lte(sum(ledger$rho), fit$privacy$rho)
      expect_gt(sum(ledger$rho), 0.5 * fit$privacy$rho)
      expect_identical("families" %in% ledger$target, parameters)
    }
  }
})

test_that("a fit that stands alone is counted as Gaussian noise, others as budgets are", {
  data <- asia_rows()
  alone <- marginal_pc(data, epsilon = 1)
  expect_identical(alone$privacy$accounting, "gaussian")
  expect_identical(alone$privacy$rho, rho_from_dp(1, 1e-6, gaussian = TRUE))
  expect_match(
    privacy_text(alone$privacy), "(replace-one neighbours, Gaussian accounting)", fixed = TRUE
  )
  expect_match(
    report(alone)[["budget"]],
    "accounted for as Gaussian differential privacy (mu = 0.237); 100% of it", fixed = TRUE
  )
  # Every step by itself promises less than the whole, which zCDP would not say of all of its rho.
  steps <- privacy_ledger(alone)
  expect_lte(dp_from_rho(sum(steps$rho), 1e-6, gaussian = TRUE), 1)
  expect_gt(dp_from_rho(sum(steps$rho), 1e-6), 1)
  expect_true(all(steps$epsilon < 1))

  budget <- privacy_budget(1, 1e-6)
  paid <- marginal_pc(data, epsilon = 1, budget = budget)
  expect_identical(paid$privacy$accounting, "zcdp")
  expect_identical(paid$privacy$rho, rho_from_dp(1, 1e-6))
  expect_identical(cpp_ledger_state(budget$ledger)$left, 0)
  expect_no_match(privacy_text(paid$privacy), "Gaussian")
  expect_match(
    report(paid)[["budget"]], "zero-concentrated differential privacy (rho = 0.02", fixed = TRUE
  )
  # Without noise to speak of the rounding that Gaussian accounting asks for would add some.
  expect_identical(marginal_pc(data, epsilon = 50)$privacy$accounting, "zcdp")
  # What is learnt anew from a fit keeps its promise and how it was counted.
  expect_identical(relearn(alone, alpha = 0.1)$privacy, alone$privacy)
})

test_that("the graph of known networks is found at epsilon = 1", {
  expected <- c(survey = 0.9, sachs = 0.9, asia = 0.7)
  for (name in names(expected)) {
    data <- simulate(network(name), nsim = 100000, seed = 4)
    scores <- vapply(1:3, function(seed) {
      fit <- marginal_pc(data, epsilon = 1, seed = seed)
      compare_graphs(fit, network(name))$f1[[1L]]
    }, 0)
    expect_gt(mean(scores), expected[[name]])
  }
})

test_that("everything after the measuring is a function of the measurements", {
  fit <- marginal_pc(asia_rows(), epsilon = 1, seed = 3)
  # Other data, the measurements of the first: the same graph, test and table.
  other <- marginal_pc(asia_rows(seed = 2), epsilon = 1, seed = 4)
  other$measurements <- fit$measurements
  again <- relearn(other)
  expect_identical(again[c("amat", "skeleton", "sepsets")], fit[c("amat", "skeleton", "sepsets")])
  expect_identical(
    measured(other, c("smoke", "lung")), measured(fit, c("smoke", "lung"))
  )
})

test_that("order of columns and rows, threads and the portable path change nothing", {
  data <- asia_rows(5000)
  fit <- marginal_pc(data, epsilon = 1, seed = 1, threads = 1)
  parts <- c("ledger", "measurements")
  expect_identical(marginal_pc(data, epsilon = 1, seed = 1, threads = 4)[parts], fit[parts])
  set.seed(1)
  shuffled <- data[sample(nrow(data)), sample(ncol(data))]
  other <- marginal_pc(shuffled, epsilon = 1, seed = 1)
  expect_identical(other[parts], fit[parts])
  expect_identical(other$amat[fit$nodes, fit$nodes], fit$amat)
  old <- options(privpc.portable = TRUE)
  on.exit(options(old))
  expect_identical(marginal_pc(data, epsilon = 1, seed = 1)[parts], fit[parts])
})

test_that("set.seed has no influence and unseeded fits differ", {
  data <- asia_rows(2000)
  set.seed(1)
  one <- marginal_pc(data, epsilon = 1)
  set.seed(1)
  two <- marginal_pc(data, epsilon = 1)
  expect_false(identical(one$measurements, two$measurements))
})

test_that("without any dependence a graph with an edge is as rare as alpha says", {
  # 400 runs; more than 46 of them at a true rate of 0.05 happen once in a million.
  limit <- stats::qbinom(1e-6, 400, 0.05, lower.tail = FALSE)
  for (epsilon in c(0.05, 0.5, 10)) {
    false_edges <- vapply(1:400, function(run) {
      data <- uniform_factors(6, 3, 1000, run)
      fit <- marginal_pc(data, epsilon = epsilon, least_effect = 0, seed = run, threads = 1)
      any(fit$skeleton == 1L)
    }, NA)
    expect_lte(sum(false_edges), limit)
  }
})

test_that("pairs that knowledge decides are measured only if a test of others may need them", {
  data <- asia_rows()
  black <- rbind(c("asia", "smoke"), c("smoke", "asia"))
  fit <- marginal_pc(data, epsilon = 1, seed = 1, blacklist = black)
  expect_true("lung smoke" %in% measured_sets(fit))
  expect_identical(fit$skeleton["asia", "smoke"], 0L)
  # Without conditions nothing needs it.
  fit <- marginal_pc(data, epsilon = 1, seed = 1, blacklist = black, max_order = 0)
  expect_false("asia smoke" %in% measured_sets(fit))
  # Nor if neither end is in an open pair.
  decided <- expand.grid(from = c("asia", "smoke"), to = names(data), stringsAsFactors = FALSE)
  decided <- decided[decided$from != decided$to, ]
  decided <- rbind(decided, data.frame(from = decided$to, to = decided$from))
  fit <- marginal_pc(data, epsilon = 1, seed = 1, blacklist = decided)
  expect_false("asia smoke" %in% measured_sets(fit))
  white <- data.frame(from = "asia", to = "smoke")
  fit <- marginal_pc(data, epsilon = 1, seed = 1, whitelist = white)
  expect_identical(fit$amat["asia", "smoke"], 1L)
  expect_identical(fit$amat["smoke", "asia"], 0L)
  two <- data[c("asia", "smoke")]
  fit <- marginal_pc(two, epsilon = 1, seed = 1, whitelist = white)
  expect_identical(measured_sets(fit), c("asia", "smoke"))
})

test_that("constant columns, one level, duplicates and functions of others are no trouble", {
  data <- asia_rows(50000)
  data$never <- factor(rep("no", nrow(data)), levels = c("no", "yes"))
  data$single <- factor(rep("a", nrow(data)), levels = "a")
  fit <- marginal_pc(data, epsilon = 3, seed = 1)
  expect_identical(sum(fit$skeleton[c("never", "single"), ]), 0L)
  # `either` is a function of `tub` and `lung`; its edges to its children survive that.
  expect_identical(fit$skeleton["either", "xray"], 1L)
  # A copy with a few errors is tied to its original.
  set.seed(2)
  data$copy <- data$smoke
  wrong <- sample(nrow(data), 500)
  data$copy[wrong] <- sample(levels(data$smoke), 500, replace = TRUE)
  fit <- marginal_pc(data, epsilon = 3, seed = 1)
  expect_identical(fit$skeleton["copy", "smoke"], 1L)
})

test_that("a dependence that no pair shows is not found, and nothing else is", {
  data <- uniform_factors(3, 2, 20000, 5)
  data$v3 <- factor(ifelse(data$v1 == data$v2, 1, 2), levels = 1:2)
  found <- vapply(1:20, function(seed) {
    sum(marginal_pc(data, epsilon = 5, seed = seed)$skeleton)
  }, 0)
  expect_lt(sum(found > 0), 8)
})

test_that("many levels and many variables work", {
  set.seed(6)
  x <- sample.int(11, 20000, replace = TRUE)
  y <- ifelse(stats::runif(20000) < 0.5, x, sample.int(11, 20000, replace = TRUE))
  data <- data.frame(
    x = factor(x, levels = 1:11), y = factor(y, levels = 1:11),
    z = factor(sample.int(11, 20000, replace = TRUE), levels = 1:11)
  )
  fit <- marginal_pc(data, epsilon = 3, seed = 1)
  expect_identical(fit$skeleton["x", "y"], 1L)
  expect_identical(sum(fit$skeleton), 2L)
  wide <- uniform_factors(70, 4, 2000, 7)
  expect_identical(length(marginal_pc(wide, epsilon = 1, seed = 1)$nodes), 70L)
})

test_that("numbers are used through their breaks, missing values as a level", {
  set.seed(8)
  age <- stats::runif(20000, 0, 100)
  ill <- factor(ifelse(stats::runif(20000) < age / 100, "yes", "no"), levels = c("no", "yes"))
  ill[1:50] <- NA
  data <- data.frame(age = age, ill = ill)
  fit <- marginal_pc(
    data, epsilon = 1, seed = 1, breaks = list(age = c(0, 30, 60, 100)), na = "level"
  )
  expect_identical(fit$skeleton["age", "ill"], 1L)
  expect_identical(fit$measurements$levels[[1L]], c("<= 30", "(30,60]", "> 60", "NA"))
  expect_identical(fit$measurements$levels[[2L]], c("no", "yes", "NA"))
})

test_that("the whole learner stays under its claim in an audit", {
  # Two data sets that differ in one record of very few, so that it matters.
  one <- data.frame(
    x = factor(c(1, 1, 2, 2), levels = 1:2), y = factor(c(1, 1, 2, 2), levels = 1:2)
  )
  two <- one
  two[1, ] <- list("2", "1")
  run <- function(data) {
    fit <- marginal_pc(data, epsilon = 1, delta = 1e-3, alpha = 0.5, least_effect = 0)
    # The largest measured value tells more than the graph; both are public.
    paste(sum(fit$skeleton), fit$measurements$tables$values[[3L]] > 0)
  }
  audit <- suppressWarnings(audit_privacy(
    run, one, two, epsilon = 1, delta = 1e-3, runs = 4000, progress = FALSE
  ))
  expect_false(audit$violated)
})

test_that("wrong arguments are refused with advice", {
  data <- asia_rows(100)
  many <- data.frame(a = factor(1:200, levels = 1:200), b = factor(rep(1:2, 100), levels = 1:2))
  expect_snapshot({
    show_refusal(marginal_pc(data))
    show_refusal(marginal_pc(data, epsilon = -1))
    show_refusal(marginal_pc(data, epsilon = 1, delta = 0))
    show_refusal(marginal_pc(data, epsilon = 1, alpha = 2))
    show_refusal(marginal_pc(data, epsilon = 1, prior = 0))
    show_refusal(marginal_pc(data, epsilon = 1, max_ordr = 2))
    show_refusal(marginal_pc(data, epsilon = 1e-6))
    show_refusal(marginal_pc(many, epsilon = 1))
  })
})

test_that("true knowledge does not create false edges", {
  # A chain a - b - c whose edges are required: a - c must still be explained by b.
  set.seed(1)
  flip <- function(x, p) ifelse(runif(length(x)) < p, 1 - x, x)
  a <- rbinom(1e5, 1, 0.5)
  b <- flip(a, 0.15)
  chain <- as.data.frame(lapply(list(a = a, b = b, c = flip(b, 0.15)), factor, levels = 0:1))
  required <- rbind(c("a", "b"), c("b", "c"))
  # x and y share the causes u and z, which are known not to be adjacent.
  u <- rbinom(1e5, 1, 0.5)
  z <- rbinom(1e5, 1, 0.5)
  risk <- 0.1 + 0.4 * u + 0.4 * z
  common <- as.data.frame(lapply(
    list(u = u, x = rbinom(1e5, 1, risk), y = rbinom(1e5, 1, risk), z = z), factor, levels = 0:1
  ))
  apart <- rbind(c("u", "z"), c("z", "u"))
  for (seed in 1:5) {
    fit <- marginal_pc(chain, epsilon = 1, whitelist = required, seed = seed)
    expect_identical(fit$skeleton["a", "c"], 0L)
    fit <- marginal_pc(common, epsilon = 1, blacklist = apart, seed = seed)
    expect_identical(fit$skeleton["x", "y"], 0L)
  }
})

test_that("labels of levels stay apart", {
  close <- data.frame(v = 1e6 + runif(200) * 0.3, w = factor(rep(1:2, 100)))
  fit <- marginal_pc(close, epsilon = 1, breaks = list(v = 1e6 + c(0, 0.1, 0.2, 0.3)))
  expect_identical(nlevels(measured(fit, "v")$v), 3L)
  odd <- data.frame(v = factor(c("NA", NA, "b", "b")), w = factor(c(1, 2, 1, 2)))
  fit <- marginal_pc(odd, epsilon = 1, na = "level")
  expect_identical(nlevels(measured(fit, "v")$v), 3L)
})

test_that("what is measured when is an argument of the function behind it", {
  args <- list(
    data = small_cohort(), epsilon = 1, search = "tests", neighbours = "replace-one",
    max_order = 3, alpha = 0.05, prior = 0.1,
    least_effect = 2e-4, parameters = FALSE, na = "error", threads = 1, progress = FALSE, seed = 1
  )
  recorded <- quote(marginal_pc(data, epsilon = 1))
  shares <- function(...) {
    ledger <- privacy_ledger(learn_from_marginals(args, environment(), recorded, ...))
    ledger$share[1:2]
  }
  expect_equal(shares(), c(0.5, 0.33), tolerance = 1e-6)
  expect_equal(
    shares(list(pairs_share = 0.6, again_share = 0.26)), c(0.6, 0.26), tolerance = 1e-6
  )
})

test_that("a level that nobody has does not hide a strong edge", {
  # The noise of an empty level is enormous beside what it could tell.
  data <- small_cohort()
  for (seed in 1:4) {
    for (search in c("score", "tests")) {
      plain <- marginal_pc(data, epsilon = 1, search = search, seed = seed)
      with_level <- marginal_pc(data, epsilon = 1, search = search, na = "level", seed = seed)
      expect_identical(plain$skeleton["a", "b"], 1L)
      expect_identical(with_level$skeleton["a", "b"], 1L)
    }
  }
})

test_that("levels that nobody has do not keep an edge that a third variable explains", {
  n <- 30000
  with_seed(1, {
    x <- rbinom(n, 1, 0.5)
    z <- rbinom(n, 1, 0.1 + 0.8 * x)
    y <- rbinom(n, 1, 0.1 + 0.8 * z)
  })
  chain <- data.frame(x = factor(x, 0:4), y = factor(y, 0:4), z = factor(z, 0:1))
  for (seed in 1:3) {
    for (search in c("score", "tests")) {
      found <- marginal_pc(chain, epsilon = 1, search = search, seed = seed)$skeleton
      expect_identical(unname(c(found["x", "z"], found["y", "z"], found["x", "y"])), c(1L, 1L, 0L))
    }
  }
})

test_that("no pair is separated given what can only be their effect", {
  # Both causes of an effect; with the order in time known it must not be held fixed.
  n <- 20000
  with_seed(1, {
    a <- rbinom(n, 1, 0.4)
    b <- rbinom(n, 1, 0.35 + 0.15 * a)
    c <- rbinom(n, 1, 0.8 - 0.3 * a - 0.3 * b)
  })
  data <- data.frame(a = factor(a), b = factor(b), c = factor(c))
  for (search in c("score", "tests")) {
    fit <- marginal_pc(data, epsilon = 1, search = search, tiers = list(c("a", "b"), "c"), seed = 1)
    expect_false("c" %in% unlist(fit$sepsets$given))
    expect_identical(fit$skeleton["a", "b"], 1L)
  }
})
