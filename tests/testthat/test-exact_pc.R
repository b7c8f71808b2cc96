bundled <- c("earthquake", "cancer", "survey", "asia", "sachs", "child", "alarm")

plain_factors <- function(data) {
  data[] <- lapply(data, function(x) factor(as.character(x), levels = levels(x)))
  data
}

test_that("g2 has bnlearn's skeleton on every bundled network", {
  skip_if_not_installed("bnlearn")
  for (name in bundled) {
    for (n in c(20000, 100000)) {
      data <- simulate(network(name), nsim = n, seed = 42)
      fit <- exact_pc(data, test = "g2", alpha = 0.01, max_order = 3)
      # bnlearn silently changes its test when all columns are ordered.
      peer <- bnlearn::pc.stable(
        plain_factors(data), test = "mi", alpha = 0.01, max.sx = 3, undirected = TRUE
      )
      expected <- bnlearn::amat(peer)[fit$nodes, fit$nodes]
      expect_identical(unname(fit$skeleton), unname(expected), label = paste(name, n))
    }
  }
})

test_that("chisq has the skeleton of bnlearn's x2", {
  skip_if_not_installed("bnlearn")
  for (name in c("asia", "survey", "sachs", "child")) {
    data <- simulate(network(name), nsim = 20000, seed = 5)
    fit <- exact_pc(data, test = "chisq", alpha = 0.01, max_order = 2)
    peer <- bnlearn::pc.stable(
      plain_factors(data), test = "x2", alpha = 0.01, max.sx = 2, undirected = TRUE
    )
    expect_identical(
      unname(fit$skeleton), unname(bnlearn::amat(peer)[fit$nodes, fit$nodes]), label = name
    )
  }
})

test_that("background knowledge has the skeleton of bnlearn's whitelist and blacklist", {
  skip_if_not_installed("bnlearn")
  data <- simulate(network("asia"), nsim = 20000, seed = 9)
  white <- data.frame(from = c("asia", "xray"), to = c("dysp", "bronc"))
  black <- rbind(c("smoke", "lung"), c("lung", "smoke"), c("tub", "either"))
  fit <- exact_pc(data, alpha = 0.01, whitelist = white, blacklist = black)
  peer <- suppressWarnings(bnlearn::pc.stable(  # it warns about v-structures it cannot direct
    data, test = "mi", alpha = 0.01, whitelist = white, blacklist = black, undirected = FALSE
  ))
  expected <- bnlearn::amat(bnlearn::skeleton(peer))[fit$nodes, fit$nodes]
  expect_identical(unname(fit$skeleton), unname(expected))
  expect_identical(fit$amat["asia", "dysp"] - fit$amat["dysp", "asia"], 1L)
  expect_identical(fit$amat["either", "tub"], 1L)
  expect_identical(fit$amat["tub", "either"], 0L)
  # A pair decided by knowledge was never tested, so it has no separating set.
  decided <- fit$sepsets$x %in% c("smoke", "lung") & fit$sepsets$y %in% c("smoke", "lung")
  expect_false(any(decided))
})

test_that("permuting columns or rows, threads and the portable path change nothing", {
  for (name in c("survey", "asia", "sachs", "child")) {
    data <- simulate(network(name), nsim = 5000, seed = 3)
    for (test in c("g2", "tau", "cmh")) {
      fit <- suppressMessages(exact_pc(data, test = test, max_order = 2, threads = 1))
      same <- function(other) {
        expect_identical(other$amat[fit$nodes, fit$nodes], fit$amat, label = paste(name, test))
        expect_identical(other$sepsets, fit$sepsets, label = paste(name, test))
      }
      other <- suppressMessages(exact_pc(rev(data), test = test, max_order = 2, threads = 2))
      same(other)
      same(suppressMessages(exact_pc(data[5000:1, ], test = test, max_order = 2, threads = 1)))
      old <- options(privpc.portable = TRUE)
      same(suppressMessages(exact_pc(data, test = test, max_order = 2, threads = 1)))
      options(old)
      old <- options(privpc.cache_mb = 0.05)
      same(suppressMessages(exact_pc(data, test = test, max_order = 2, threads = 2)))
      options(old)
    }
  }
})

test_that("two threads agree with one on a search long enough to use them", {
  data <- simulate(network("alarm"), nsim = 100000, seed = 2)
  one <- exact_pc(data, alpha = 0.01, threads = 1)
  two <- exact_pc(data, alpha = 0.01, threads = 2)
  one$call <- two$call <- NULL
  expect_identical(one, two)
})

test_that("every test recovers easy structure, and errs less with more data", {
  truth <- network("sachs")
  for (test in c("g2", "chisq", "tau", "rho", "cmh")) {
    data <- simulate(truth, nsim = 100000, seed = 1)
    few <- compare_graphs(exact_pc(data[1:500, ], test = test, alpha = 0.01, max_order = 3), truth)
    many <- compare_graphs(exact_pc(data, test = test, alpha = 0.01, max_order = 3), truth)
    expect_gt(many$f1[[1]], 0.9)
    expect_gt(many$f1[[1]], few$f1[[1]])
  }
})

test_that("on independent columns about alpha of the edges stand", {
  # 45 pairs tested once each at order 0 with alpha = 0.05: 99 or more of 900
  # independent tests has probability below 1e-6 under level 0.05; so has 10 or fewer.
  kept <- 0
  for (seed in 1:20) {
    set.seed(seed)
    data <- as.data.frame(replicate(10, sample(3, 2000, TRUE), simplify = FALSE))
    names(data) <- letters[1:10]
    data[] <- lapply(data, factor, levels = 1:3)
    kept <- kept + sum(exact_pc(data, max_order = 0)$skeleton) / 2
  }
  expect_gt(kept, stats::qbinom(5e-7, 900, 0.05))
  expect_lt(kept, stats::qbinom(1 - 5e-7, 900, 0.05) + 1)
})

test_that("constant columns are legal and never adjacent", {
  data <- simulate(network("cancer"), nsim = 2000, seed = 1)
  data$constant <- factor("a", levels = c("a", "b"))
  data$single <- factor("a")
  for (test in c("g2", "chisq", "tau", "rho", "cmh")) {
    fit <- exact_pc(data, test = test)
    expect_identical(sum(fit$skeleton[c("constant", "single"), ]), 0L)
  }
})

test_that("missing values are an error or a level of their own", {
  data <- simulate(network("cancer"), nsim = 3000, seed = 1)
  data$Xray[data$Cancer == levels(data$Cancer)[[1]]] <- NA
  expect_snapshot(show_refusal(exact_pc(data)))
  fit <- exact_pc(data, na = "level")
  expect_identical(fit$skeleton["Xray", "Cancer"], 1L)
  declared <- data
  declared$Xray <- addNA(declared$Xray)
  expect_identical(exact_pc(declared)$skeleton["Xray", "Cancer"], 1L)
})

test_that("tiers direct edges into the future only", {
  data <- simulate(network("asia"), nsim = 20000, seed = 4)
  tiers <- list(
    c("asia", "smoke"), c("tub", "lung", "bronc"), "either", c("xray", "dysp")
  )
  fit <- exact_pc(data, alpha = 0.01, tiers = tiers)
  tier <- rep(1:4, lengths(tiers))[match(fit$nodes, unlist(tiers))]
  into_past <- outer(tier, tier, ">")
  expect_identical(sum(fit$amat[into_past]), 0L)
  expect_identical(fit$skeleton, exact_pc(data, alpha = 0.01)$skeleton)
})

test_that("numeric columns are compared at full resolution and binned to condition", {
  set.seed(1)
  n <- 2000
  a <- rnorm(n)
  b <- a + rnorm(n)
  c <- b + rnorm(n)
  data <- data.frame(a, b, c, d = rnorm(n))
  cuts <- list(a = qnorm(0:8 / 8), b = qnorm(0:16 / 16) * 1.5, c = qnorm(0:8 / 8), d = c(-9, 0, 9))
  fit <- exact_pc(data, test = "tau", alpha = 1e-4, breaks = cuts)
  expect_identical(fit$skeleton["a", "b"], 1L)
  expect_identical(fit$skeleton["b", "c"], 1L)
  expect_identical(sum(fit$skeleton["d", ]), 0L)
  # Monotone transformations change nothing at full resolution.
  bent <- transform(data, a = exp(a), b = b^3, c = pnorm(c))
  expect_identical(
    exact_pc(bent, test = "rho", max_order = 0)$skeleton,
    exact_pc(data, test = "rho", max_order = 0)$skeleton
  )
  expect_snapshot({
    show_refusal(exact_pc(data, test = "tau"))
    show_refusal(exact_pc(data, test = "g2"))
  })
})

test_that("nominal factors under an ordinal test are said aloud", {
  data <- simulate(network("survey"), nsim = 500, seed = 1)
  expect_message(exact_pc(data, test = "tau"), "not ordered: `T`", class = "privpc_nominal_order")
  expect_no_message(exact_pc(data, test = "g2"))
})

test_that("separations by empty cells are said aloud and count least", {
  # Order 5 on sachs: 972 degrees of freedom.
  data <- simulate(network("sachs"), nsim = 20000, seed = 1)
  expect_message(
    fit <- exact_pc(data, alpha = 0.01), "most cells are empty", class = "privpc_sparse_tests"
  )
  expect_no_message(limited <- exact_pc(data, alpha = 0.01, max_order = 3))
  expect_identical(compare_graphs(limited, network("sachs"))$shd, c(0L, 0L))
  # The two false separations must not direct edges of a graph that has no directed one.
  expect_lt(compare_graphs(fit, network("sachs"))$shd[[2]], 10L)
})

test_that("mirror images give mirrored graphs: ties of strength are ties", {
  set.seed(18)
  n <- 40
  a <- sample(2, n, TRUE)
  d <- sample(2, n, TRUE)
  u <- sample(2, n, TRUE)
  mix <- function(x, y) ifelse(runif(n) < 0.5, x, y)
  v <- data.frame(a = a, b = mix(a, u), c = mix(d, u), d = d)
  both <- rbind(v, stats::setNames(v[4:1], names(v)))
  both[] <- lapply(both, factor, levels = 1:2)
  fit <- exact_pc(both)$amat
  renamed <- exact_pc(stats::setNames(both, c("z", "y", "x", "w")))$amat
  expect_identical(unname(fit), unname(renamed))
})

test_that("a fit's call never carries the data", {
  data <- simulate(network("asia"), nsim = 500, seed = 1)
  fit <- do.call(exact_pc, list(data, whitelist = rbind(c("asia", "dysp"))))
  expect_lt(length(serialize(fit$call, NULL)), 1000)
  expect_identical(exact_pc(data, alpha = 0.01)$call, quote(exact_pc(data = data, alpha = 0.01)))
})

test_that("knowledge is kept in the fit and printed", {
  data <- simulate(network("cancer"), nsim = 500, seed = 1)
  tiers <- list(c("Pollution", "Smoker"), "Cancer", c("Xray", "Dyspnoea"))
  fit <- exact_pc(data, tiers = tiers, whitelist = c("Smoker", "Cancer"))
  expect_identical(fit$settings$tiers, tiers)
  expect_output(print(fit), "given 3 tiers and 1 required arc")
})

test_that("the fit says what it is", {
  data <- simulate(network("survey"), nsim = 50000, seed = 1)
  fit <- exact_pc(data, alpha = 0.01)
  expect_s3_class(fit, "privpc")
  expect_false(fit$privacy$private)
  expect_identical(fit$learner, "exact_pc")
  expect_identical(fit$nodes, names(data))
  expect_identical(nrow(fit$ledger), 0L)
  # Every separated pair has its set, every adjacent pair none.
  expect_identical(nrow(fit$sepsets), as.integer(choose(6, 2) - sum(fit$skeleton) / 2))
  expect_snapshot(fit)
})

test_that("a progress bar and an interrupt leave nothing behind", {
  data <- simulate(network("asia"), nsim = 1000, seed = 1)
  expect_identical(
    exact_pc(data, progress = TRUE)$amat, exact_pc(data, progress = FALSE)$amat
  )
  # An error in the middle of the search, as an interrupt would be, reaches the caller.
  source <- data_source(simulate(network("alarm"), nsim = 200000, seed = 1))
  none <- matrix(0L, 0, 2)
  expect_error(
    cpp_exact_pc(
      source, source$schema$names, "chisq", "declared", 0.05, 3L, Inf, "sepset", none, none, 2L,
      TRUE, 2^20, function(order, done, total) stop("stopped by the user"), NULL
    ),
    "stopped by the user"
  )
})

test_that("bad arguments are refused with the remedy", {
  data <- simulate(network("cancer"), nsim = 100, seed = 1)
  expect_snapshot({
    show_refusal(exact_pc(data, test = "mi"))
    show_refusal(exact_pc(data, alpha = 0))
    show_refusal(exact_pc(data, alpha = "a"))
    show_refusal(exact_pc(data, max_order = -1))
    show_refusal(exact_pc(data, max_order = 1.5))
    show_refusal(exact_pc(data, threads = 0))
    show_refusal(exact_pc(data, progress = NA))
    show_refusal(exact_pc(data, alhpa = 0.01))
    show_refusal(exact_pc(data, max.sx = 3))
    show_refusal(exact_pc(data, na = "drop"))
  })
})

test_that("a variable that is almost an identifier is named", {
  data <- simulate(network("asia"), nsim = 500, seed = 1)
  data$id <- factor(seq_len(500))
  expect_snapshot(fit <- show_said(exact_pc(data, max_order = 1)))
  expect_no_message(exact_pc(data, max_order = 0), class = "privpc_identifiers")
})

test_that("names that a class shows otherwise are an error, not a crash", {
  registerS3method("names", "privpc_odd_frame", function(x) toupper(attr(x, "names")))
  data <- simulate(network("cancer"), nsim = 100, seed = 1)
  class(data) <- c("privpc_odd_frame", "data.frame")
  expect_error(exact_pc(data), "not the same")
})

test_that("colliders by separating sets are those of the first versions", {
  # Recorded before there was a choice of rules.
  edges <- function(name) {
    data <- simulate(network(name), nsim = 10000, seed = 42)
    fit <- exact_pc(data, alpha = 0.01, max_order = 3, colliders = "sepset")
    expect_identical(fit$settings$collider_tests, 0)
    table <- as.data.frame(fit)
    sort(paste(table$from, ifelse(table$type == "directed", "->", "--"), table$to))
  }
  expect_setequal(edges("asia"), c(
    "tub -> either", "smoke -- lung", "smoke -- bronc", "lung -> either", "bronc -- dysp"
  ))
  expect_setequal(edges("sachs"), c(
    "Akt -> Erk", "Akt -> PKA", "Mek -> Erk", "Mek -- PKC", "PIP2 -- PIP3", "PIP2 -- Plcg",
    "PIP3 -- Plcg", "PKA -> Erk", "PKA -> Jnk", "PKA -> Mek", "PKA -> P38", "PKA -> PKC",
    "PKC -> Jnk", "PKC -> P38", "Raf -> Mek", "Raf -> PKA", "Raf -> PKC"
  ))
})

test_that("rules for colliders share the skeleton and differ in directions", {
  truth <- network("sachs")
  data <- simulate(truth, nsim = 10000, seed = 42)
  fits <- lapply(c("sepset", "max-p", "conservative"), function(rule) {
    exact_pc(data, alpha = 0.01, max_order = 3, colliders = rule)
  })
  expect_identical(fits[[2]]$skeleton, fits[[1]]$skeleton)
  expect_identical(fits[[3]]$skeleton, fits[[1]]$skeleton)
  expect_identical(fits[[2]]$sepsets, fits[[1]]$sepsets)
  # Sachs has no v-structure; the separating sets of 10,000 rows suggest several.
  expect_gt(compare_graphs(fits[[1]], truth)$shd[[2]], 5L)
  expect_identical(compare_graphs(fits[[2]], truth)$shd[[2]], 0L)
  expect_identical(compare_graphs(fits[[3]], truth)$shd[[2]], 0L)
  expect_gt(fits[[2]]$settings$collider_tests, 0)
  expect_identical(fits[[2]]$settings$collider_tests, fits[[3]]$settings$collider_tests)
  expect_identical(exact_pc(data, alpha = 0.01, max_order = 3)$amat, fits[[2]]$amat)
})

test_that("the strict rule too is the same for all threads and orders of columns", {
  for (name in c("asia", "child")) {
    data <- simulate(network(name), nsim = 5000, seed = 3)
    learn <- function(data, threads) {
      suppressMessages(exact_pc(data, colliders = "conservative", threads = threads))
    }
    fit <- learn(data, 1)
    other <- learn(rev(data), 2)
    expect_identical(other$amat[fit$nodes, fit$nodes], fit$amat, label = name)
    expect_identical(other$settings$collider_tests, fit$settings$collider_tests)
  }
})

test_that("degrees of freedom by occurring levels have the skeleton of bnlearn's adf tests", {
  skip_if_not_installed("bnlearn")
  # Enough records for five per cell, below which bnlearn's do not test.
  for (name in c("asia", "sachs")) {
    data <- simulate(network(name), nsim = 1000, seed = 6)
    for (test in c("g2", "chisq")) {
      fit <- exact_pc(data, test = test, alpha = 0.01, max_order = 2, df = "occurring")
      peer <- bnlearn::pc.stable(
        plain_factors(data), test = c(g2 = "mi-adf", chisq = "x2-adf")[[test]], alpha = 0.01,
        max.sx = 2, undirected = TRUE
      )
      expect_identical(
        unname(fit$skeleton), unname(bnlearn::amat(peer)[fit$nodes, fit$nodes]),
        label = paste(name, test)
      )
    }
  }
})

test_that("occurring levels: recorded, never said to be sparse, and not for private tests", {
  data <- simulate(network("sachs"), nsim = 20000, seed = 1)
  expect_no_message(fit <- exact_pc(data, alpha = 0.01, df = "occurring"))
  expect_identical(fit$settings$df, "occurring")
  # Which levels occur is a secret.
  private <- c("private_test", learner_names(private = TRUE))
  for (name in private) {
    expect_false(any(c("df", "colliders") %in% names(formals(learner_function(name)))))
  }
})

test_that("the remedy for empty cells is smaller than what separated", {
  # 400 records in up to 6^4 strata.
  set.seed(4)
  n <- 400
  a <- sample(6, n, TRUE)
  follow <- function() ifelse(runif(n) < 0.6, a, sample(6, n, TRUE))
  data <- data.frame(a, b = follow(), c = follow(), d = follow(), e = follow())
  data[] <- lapply(data, factor, levels = 1:6)
  expect_snapshot({
    fit <- show_said(exact_pc(data, max_order = 3))
    fit <- show_said(exact_pc(data, max_order = 2))
    fit <- show_said(exact_pc(data, max_order = 1))
  })
})

test_that("choices of colliders and degrees of freedom are checked", {
  data <- simulate(network("cancer"), nsim = 100, seed = 1)
  expect_snapshot({
    show_refusal(exact_pc(data, colliders = "majority"))
    show_refusal(exact_pc(data, df = "adaptive"))
    show_refusal(exact_pc(data, test = "tau", df = "occurring"))
  })
})
