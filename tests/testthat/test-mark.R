# A fit is marked by what its `privacy` says: with the same measurements, once as it came from a
# seed and once as if its noise had come from the system, everything but the mark must be the same.
marked_fit <- function(parameters = TRUE) {
  marginal_pc(
    small_cohort(), epsilon = 2, seed = 1, parameters = parameters, tiers = list("a", c("b", "c"))
  )
}
as_private <- function(fit) {
  fit$privacy$private <- TRUE
  fit$privacy$why <- NULL
  fit
}
seed_words <- "NOT private: the noise came from a seed and can be repeated"

# Everything that takes a fit (or what came from one) and gives something to look at. Each returns
# an object; random draws of R are fixed.
derived <- list(
  measured = function(fit) measured(fit, c("a", "b")),
  `measured, some rows` = function(fit) measured(fit, c("a", "b"))[1:2, ],
  `measured, a column` = function(fit) measured(fit, c("a", "b"))["share"],
  retest = function(fit) retest(fit, "a", "b"),
  edge_strength = function(fit) with_seed(1, edge_strength(fit, draws = 5)),
  `edge_strength, some rows` = function(fit) with_seed(1, edge_strength(fit, draws = 5))[1:2, ],
  consensus = function(fit) with_seed(1, consensus(fit, draws = 5)),
  contradictions = function(fit) contradictions(fit),
  explain = function(fit) explain(fit, "a", "b"),
  effect = function(fit) with_seed(1, effect(fit, "a", "b", draws = 10)),
  `effect, some rows` = function(fit) with_seed(1, effect(fit, "a", "b", draws = 10))[1:2, ],
  `effect, risks` = function(fit) attr(with_seed(1, effect(fit, "a", "b", draws = 10)), "risks"),
  relearn = function(fit) relearn(fit, alpha = 0.01),
  `measured of relearn` = function(fit) measured(relearn(fit, alpha = 0.01), "a"),
  as_network = function(fit) as_network(fit),
  `as_network, dag of it` = function(fit) as_network(as_private(fit), dag = as_network(fit)),
  `summary of as_network` = function(fit) summary(as_network(fit)),
  `as.data.frame of as_network` = function(fit) as.data.frame(as_network(fit)),
  `as.matrix of as_network` = function(fit) as.matrix(as_network(fit)),
  `simulate as_network` = function(fit) simulate(as_network(fit), nsim = 3, seed = 1),
  `head of simulate` = function(fit) utils::head(simulate(as_network(fit), nsim = 3, seed = 1), 1),
  privacy_ledger = function(fit) privacy_ledger(fit),
  summary = function(fit) summary(fit),
  as.data.frame = function(fit) as.data.frame(fit),
  as.matrix = function(fit) as.matrix(fit),
  compare_graphs = function(fit) compare_graphs(fit, graph_of("a -> b", nodes = c("a", "b", "c"))),
  `compare_graphs, other way` = function(fit) {
    compare_graphs(graph_of("a -> b", nodes = c("a", "b", "c")), as_network(fit))
  },
  `compare_graphs, igraph` = function(fit) compare_graphs(igraph::as.igraph(fit), as_private(fit))
)

# For objects of other packages, whose print cannot say it.
handed_on <- list(
  as_bn = function(fit) as_bn(fit),
  `as_bn of as_network` = function(fit) as_bn(as_network(fit)),
  `as_bn of igraph` = function(fit) as_bn(suppressMessages(igraph::as.igraph(fit))),
  as_bn_fit = function(fit) as_bn_fit(fit),
  `as_bn_fit of as_network` = function(fit) as_bn_fit(as_network(fit)),
  as_bn_strength = function(fit) as_bn_strength(with_seed(1, edge_strength(fit, draws = 5))),
  as.igraph = function(fit) igraph::as.igraph(fit),
  `as.igraph of as_network` = function(fit) igraph::as.igraph(as_network(fit)),
  as_dagitty = function(fit) as_dagitty(fit, string = TRUE),
  `simulate as_network` = function(fit) simulate(as_network(fit), nsim = 3, seed = 1)
)

printed <- function(x) paste(utils::capture.output(print(x)), collapse = " ")

test_that("every derived object of a fit that is not private says so in print", {
  fit <- marked_fit()
  for (name in names(derived)) {
    object <- suppressMessages(derived[[name]](fit))
    expect_match(printed(object), "NOT private", fixed = TRUE, info = name)
    expect_no_match(printed(object), "no budget", info = name)
    expect_no_match(printed(object), "Private: epsilon", info = name)
  }
  expect_match(format(fit), "NOT private")
  expect_match(format(as_network(fit)), "NOT private")
  expect_error(simulate(fit, 3), "as_network")
  expect_no_match(tryCatch(simulate(fit, 3), error = conditionMessage), "no budget")
  # With the reason, as long as nothing was cut off.
  for (name in grep(",", names(derived), invert = TRUE, value = TRUE)) {
    expect_match(gsub(" +", " ", printed(suppressMessages(derived[[name]](fit)))), seed_words,
                 fixed = TRUE, info = name)
  }
})

test_that("what other packages print, and rows, say it when they are made, once", {
  skip_if_not_installed("bnlearn")
  fit <- marked_fit()
  for (name in names(handed_on)) {
    said <- 0L
    object <- withCallingHandlers(handed_on[[name]](fit), privpc_not_private = function(m) {
      expect_match(conditionMessage(m), seed_words, fixed = TRUE)
      said <<- said + 1L
      invokeRestart("muffleMessage")
    })
    expect_identical(said, 1L, info = name)
    expect_identical(mark_of(object), seed_words, info = name)
    expect_silent(handed_on[[name]](as_private(fit)))
  }
  expect_snapshot(synthetic <- show_said(simulate(as_network(fit), nsim = 3, seed = 1)))
})

test_that("what is derived from a private fit is as it was", {
  fit <- as_private(marked_fit())
  for (name in names(derived)) {
    object <- suppressMessages(derived[[name]](fit))
    expect_no_match(printed(object), "NOT private", info = name)
    expect_null(mark_of(object))
    expect_false(inherits(object, "privpc_marked"), info = name)
  }
  expect_match(printed(retest(fit, "a", "b")), "it costs no budget")
  expect_error(simulate(fit, 3), "it costs no budget")
  # The same numbers with and without the mark.
  with_mark <- measured(marked_fit(), c("a", "b"))
  without <- measured(fit, c("a", "b"))
  expect_identical(lapply(without, identity), lapply(with_mark, identity))
})

test_that("every table inside an object that is not private says so by itself", {
  fit <- marked_fit()
  tables_in <- function(x, path = "") {
    if (is.data.frame(x)) return(stats::setNames(list(x), path))
    if (!is.list(x)) return(NULL)
    names(x) <- ifelse(nzchar(rlang::names2(x)), rlang::names2(x), seq_along(x))
    unlist(
      unname(Map(function(part, name) tables_in(part, paste0(path, "$", name)), x, names(x))), FALSE
    )
  }
  # These are lists with tables in them; a fit is the fit itself.
  wholes <- list(
    contradictions = contradictions(fit),
    explain = explain(fit, "a", "b"), summary = summary(fit),
    `summary of as_network` = summary(as_network(fit))
  )
  for (name in names(wholes)) {
    tables <- tables_in(unclass(wholes[[name]]))
    expect_gt(length(tables), 0L, label = name)
    for (path in names(tables)) {
      expect_match(printed(tables[[path]]), "NOT private", info = paste0(name, path))
    }
    # The whole says it once, of a network also in its title.
    times <- lengths(gregexpr("NOT private", printed(wholes[[name]])))
    expect_identical(times, if (name == "summary of as_network") 2L else 1L)
  }
  expect_match(paste(format(wholes$explain), collapse = " "), "NOT private", fixed = TRUE)
  private <- as_private(fit)
  expect_no_match(paste(format(explain(private, "a", "b")), collapse = " "), "NOT private")
  expect_false(inherits(contradictions(private)$pairs, "privpc_marked"))
})

test_that("what goes into a fit marks it", {
  seeded <- marked_fit()
  data <- small_cohort()
  rows <- suppressMessages(simulate(as_network(seeded), 500, seed = 1))
  learnt <- suppressWarnings(marginal_pc(rows, epsilon = 1))
  expect_false(learnt$privacy$private)
  expect_match(printed(learnt), "NOT private: it was made from data or knowledge that is not")
  expect_match(paste(report(learnt), collapse = " "), "not differentially private")
  expect_match(mark_of(suppressWarnings(priv_pc(rows, epsilon = 1))), "data or knowledge")
  expect_match(
    printed(private_test(rows, "a", "b", epsilon = 1, test = "tau")), "data or knowledge"
  )
  # Knowledge that was read off a seeded fit.
  known <- as.data.frame(seeded)[1L, c("from", "to")]
  with_knowledge <- suppressWarnings(marginal_pc(data, epsilon = 1, whitelist = known))
  expect_match(mark_of(with_knowledge), "data or knowledge")
  private <- suppressWarnings(marginal_pc(data, epsilon = 1))
  expect_null(mark_of(private))
  expect_match(mark_of(relearn(private, whitelist = known)), "data or knowledge")
  expect_null(mark_of(relearn(private, whitelist = data.frame(from = known$from, to = known$to))))
  as_matrix <- as.matrix(known)
  expect_match(mark_of(relearn(private, whitelist = as_matrix)), "data or knowledge")
  # Cut points of marked rows.
  rows$x <- rep(1:100, length.out = nrow(rows))
  data$x <- rep(1:100, length.out = nrow(data))
  cuts <- private_breaks(rows, "x", bins = 2, epsilon = 1, bounds = list(x = c(1, 100)))
  expect_match(format(cuts)[[1L]], "NOT private: it was made from data")
  expect_match(mark_of(suppressWarnings(marginal_pc(data, 1, breaks = cuts))), "data or knowledge")
  # An attribute of somebody else's is no mark.
  data$x <- NULL
  attr(data, "privacy") <- "public"
  expect_null(mark_of(suppressWarnings(marginal_pc(data, epsilon = 1))))
  # A damaged statement is no promise.
  for (why in list(c("seed", "x"), character(), list("seed"), 3, NA)) {
    damaged <- seeded
    damaged$privacy$why <- why
    expect_match(mark_of(damaged), "NOT private: it comes from a fit that is not")
  }
  damaged <- private
  damaged$privacy$epsilon <- NA_real_
  expect_match(mark_of(damaged), "NOT private")
  damaged$privacy <- "x"
  expect_match(mark_of(damaged), "NOT private")
  damaged <- seeded
  damaged$privacy <- NULL
  expect_match(mark_of(damaged), "NOT private")
  damaged <- seeded
  damaged$privacy$epsilon <- Inf
  expect_match(mark_of(damaged), "NOT private")
})

test_that("the reason is that of the fit", {
  data <- small_cohort()
  paper <- suppressMessages(priv_pc(data, epsilon = 1, sensitivity = "paper"))
  expect_match(mark_of(paper), "NOT private: the paper's published sensitivities", fixed = TRUE)
  expect_match(printed(privacy_ledger(paper)), "published sensitivities")
  expect_match(printed(as.data.frame(paper)), "published sensitivities")
  # Cut points from a seed are shown by the fit.
  data$x <- rep(1:100, length.out = nrow(data))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 1, bounds = list(x = c(1, 100)), seed = 1)
  expect_match(
    mark_of(marginal_pc(data, epsilon = 1, breaks = cuts)), "the cut points came from a seed"
  )
  # No epsilon is stated by exact_pc(), nor by what is made of its graphs.
  exact <- exact_pc(small_cohort())
  expect_null(mark_of(exact))
  expect_silent(igraph::as.igraph(exact))
  expect_match(printed(exact), "NOT private: this graph was learnt from the data without")
})

test_that("every method and function for fits is tried here", {
  # A new one has to be added above, or here with the reason why it needs no mark.
  methods <- ls(getNamespace("privpc"), pattern = "\\.privpc(_network|_strength)?$")
  generics <- sub("\\.privpc.*$", "", methods)
  functions <- Filter(function(name) {
    first <- names(formals(getExportedValue("privpc", name)))[1L]
    isTRUE(first %in% c("fit", "estimate", "x"))
  }, getNamespaceExports("privpc"))
  tried <- c(
    "measured", "retest", "edge_strength", "consensus", "contradictions", "explain", "effect",
    "relearn", "as_network", "simulate", "privacy_ledger", "summary", "as.data.frame", "as.matrix",
    "compare_graphs", "as_bn", "as.bn", "as_bn_fit", "as_bn_strength", "as.igraph", "as_dagitty"
  )
  elsewhere <- c(
    "plot", "autoplot", # below
    "report", # test-report.R
    "publish", # test-publish.R
    "network_pag", # test-network_pag.R
    "heterogeneity", # test-pool_fits.R
    "print", "print.summary", "format", # of the above
    "tiers", "read_chunks" # take no fit
  )
  expect_identical(setdiff(c(generics, functions), c(tried, elsewhere)), character())
})

test_that("pictures of a fit that is not private say so", {
  fit <- marked_fit()
  said <- function(code) {
    # The words of a picture, as its pdf has them.
    file <- tempfile(fileext = ".pdf")
    on.exit(unlink(file), add = TRUE)
    grDevices::pdf(file, compress = FALSE, useDingbats = FALSE)
    tryCatch(code(), finally = grDevices::dev.off())
    lines <- grep("T[Jj]$", readLines(file, warn = FALSE), value = TRUE, useBytes = TRUE)
    words <- gsub("\\)[^(]*\\(", "", lines, useBytes = TRUE)
    any(grepl("NOT pri", words, fixed = TRUE, useBytes = TRUE))
  }
  strength <- with_seed(1, edge_strength(fit, draws = 5))
  pictures <- list(
    graph = function(fit) plot(fit),
    main = function(fit) plot(fit, main = "A title of one's own", direction = "right"),
    ledger = function(fit) plot(fit, what = "ledger", main = "Mine"),
    network = function(fit) plot(as_network(fit))
  )
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    pictures$autoplot <- function(fit) print(ggplot2::autoplot(fit))
    pictures$ledger_autoplot <- function(fit) print(ggplot2::autoplot(fit, what = "ledger"))
  }
  for (name in names(pictures)) {
    expect_true(said(function() pictures[[name]](fit)), info = name)
    expect_false(said(function() pictures[[name]](as_private(fit))), info = name)
  }
  expect_true(said(function() plot(as_private(fit), strength = strength)))
})
