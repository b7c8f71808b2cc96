# Graphs with hidden common causes, learnt from noisy tables.

asia_without <- function(hidden = "smoke", n = 100000, ...) {
  cohort <- simulate(network("asia"), nsim = n, seed = 1)
  marginal_pc(cohort[setdiff(names(cohort), hidden)], epsilon = 1, seed = 1, ...)
}

test_that("with hardly any noise the graph is the true one", {
  # u is hidden: c causes x, d causes y, and u causes both x and y.
  n <- 400000
  yes_no <- function(p) factor(stats::rbinom(n, 1, p), 0:1, c("no", "yes"))
  data <- with_seed(4, {
    u <- stats::rbinom(n, 1, 0.5)
    c <- yes_no(0.5)
    d <- yes_no(0.5)
    x <- yes_no(0.1 + 0.4 * u + 0.4 * (c == "yes"))
    y <- yes_no(0.1 + 0.4 * u + 0.4 * (d == "yes"))
    z <- yes_no(0.1 + 0.7 * (y == "yes"))
    data.frame(c, d, x, y, z)
  })
  graph <- marginal_pc(data, epsilon = 9, hidden = TRUE, seed = 1)
  dag <- graph_of("u -> x", "u -> y", "c -> x", "d -> y", "y -> z")
  truth <- network_pag(dag, "u")
  expect_identical(graph$marks, truth$marks[graph$nodes, graph$nodes])
  expect_identical(graph$marks["x", "y"], 2L)
  expect_identical(graph$marks["y", "x"], 2L)
  # By score the graph is another one, but the tests decide here.
  by_tests <- relearn(graph, search = "tests", hidden = FALSE)
  expect_s3_class(by_tests, "privpc")
  expect_identical(relearn(by_tests, hidden = TRUE)$marks, graph$marks)
})

test_that("asking for it costs nothing, at once or later", {
  fit <- asia_without()
  graph <- relearn(fit, hidden = TRUE)
  expect_s3_class(graph, "privpc_pag", exact = TRUE)
  expect_identical(graph$fit, fit)
  expect_identical(dimnames(graph$marks), list(fit$nodes, fit$nodes))
  expect_true(all((graph$marks > 0) == t(graph$marks > 0)))
  at_once <- asia_without(hidden = "smoke")
  expect_identical(relearn(at_once, hidden = TRUE)$marks, graph$marks)
  cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
  both <- lapply(c(TRUE, FALSE), function(hidden) {
    marginal_pc(cohort, epsilon = 1, seed = 1, hidden = hidden)
  })
  expect_identical(both[[1L]]$fit$amat, both[[2L]]$amat)
  expect_identical(both[[1L]]$fit$ledger, both[[2L]]$ledger)
  # The order of the columns does not matter.
  turned <- marginal_pc(rev(cohort), epsilon = 1, seed = 1, hidden = TRUE)
  expect_identical(turned$marks[names(cohort), names(cohort)], both[[1L]]$marks)
})

test_that("other settings go through to both graphs, and back", {
  graph <- relearn(asia_without(), hidden = TRUE)
  strict <- relearn(graph, alpha = 1e-12, least_effect = 0.05)
  expect_s3_class(strict, "privpc_pag")
  expect_lt(sum(strict$marks > 0), sum(graph$marks > 0))
  expect_identical(strict$settings$alpha, 1e-12)
  expect_identical(strict$fit$settings$alpha, 1e-12)
  expect_identical(relearn(graph, hidden = FALSE), relearn(graph$fit))
})

test_that("what is known beforehand is marked", {
  fit <- asia_without()
  known <- tiers(asia ~ tub + lung + bronc ~ either ~ xray + dysp)
  graph <- relearn(fit, hidden = TRUE, tiers = known)
  later <- c(asia = 1, tub = 2, lung = 2, bronc = 2, either = 3, xray = 4, dysp = 4)
  edges <- which(graph$marks > 0, arr.ind = TRUE)
  nodes <- graph$nodes
  ahead <- later[nodes[edges[, 1]]] < later[nodes[edges[, 2]]]
  expect_gt(sum(ahead), 3)
  expect_true(all(graph$marks[edges[ahead, ]] == 2L))
  known <- suppressMessages(relearn(
    fit, hidden = TRUE, whitelist = c("lung", "xray"),
    blacklist = rbind(c("tub", "either"), c("either", "tub"), c("either", "lung"))
  ), classes = "privpc_excluded_pairs")
  expect_identical(known$marks["lung", "xray"], 2L)
  expect_identical(known$marks["xray", "lung"], 3L)
  expect_identical(known$marks["tub", "either"], 0L)
  expect_identical(known$marks["lung", "either"], 2L)
})

test_that("it is printed, summarised and turned into tables", {
  fit <- asia_without()
  graph <- relearn(fit, hidden = TRUE)
  expect_snapshot({
    graph
    summary(graph)
    format(graph)
    as.data.frame(graph)
  })
  every <- pag_of("a --> b", "c o-> a", "c <-> d", "d o-o e", "f --> e")
  expect_snapshot({
    summary(every)
    format(every)
  })
  edges <- as.data.frame(every)
  expect_identical(edges$visible, edges$from == "a")
  expect_identical(as.matrix(every), every$marks)
  expect_identical(pag_edges(no_edges(c("a", "b")))$meaning, character())
  expect_output(print(new_pag(no_edges("a"), origin = "nothing")), "1 node, no edges")
})

test_that("it says whether it is private", {
  graph <- relearn(asia_without(n = 5000), hidden = TRUE)
  expect_match(mark_of(graph), "NOT private")
  expect_match(attr(as.matrix(graph), "privacy"), "NOT private")
  expect_match(mark_of(as.data.frame(graph)), "NOT private")
  expect_message(text <- as_dagitty(graph, string = TRUE), class = "privpc_not_private")
  cohort <- simulate(network("cancer"), nsim = 50000, seed = 1)
  private <- marginal_pc(cohort, epsilon = 1, hidden = TRUE)
  expect_null(mark_of(private))
  expect_output(print(private), "Private: ")
  expect_no_match(capture.output(print(private)), "NOT private")
})

test_that("the text for dagitty has circles as \"@\"", {
  every <- pag_of(
    "a --> b", "c o-> a", "c <-> d", "d o-o e", "f --> e", nodes = c(letters[1:6], "e 1")
  )
  text <- as_dagitty(every, string = TRUE)
  expect_snapshot(cat(text))
})

test_that("what is asked of the measurements works, what needs another graph is refused", {
  graph <- relearn(asia_without(), hidden = TRUE)
  fit <- graph$fit
  expect_identical(privacy_ledger(graph), privacy_ledger(fit))
  expect_identical(measured(graph, "lung"), measured(fit, "lung"))
  tested <- retest(graph, "lung", "xray")
  expect_match(tested$data.name, "in graph$")
  tested$data.name <- "lung and xray in fit"
  expect_identical(tested, retest(fit, "lung", "xray"))
  rows <- simulate(network("asia"), nsim = 5, seed = 1)[graph$nodes]
  expect_identical(bin_like(rows, graph), bin_like(rows, fit))
  expect_match(report(graph)[["hidden"]], "partial ancestral graph")
  # The graph that is the result comes first.
  expect_identical(names(report(graph)), c("hidden", names(report(fit))))
  expect_snapshot(
    cat(strwrap(gsub("[0-9,]+ records", "N records", report(graph)[["hidden"]])), sep = "\n")
  )
  expect_identical(report(graph)[names(report(fit))], unclass(report(fit))[names(report(fit))])
  refused <- list(
    edge_strength = function() edge_strength(graph), consensus = function() consensus(graph),
    explain = function() explain(graph, "lung", "xray"),
    contradictions = function() contradictions(graph),
    publish = function() publish(graph, tempfile()),
    as_network = function() as_network(graph), as_bn = function() as_bn(graph),
    as_bn_fit = function() as_bn_fit(graph), as.igraph = function() igraph::as.igraph(graph),
    simulate = function() simulate(graph), compare = function() compare_graphs(graph$fit, graph)
  )
  for (name in setdiff(names(refused), "compare")) {
    expect_error(refused[[name]](), class = "privpc_hidden_causes", info = name)
  }
  expect_snapshot({
    show_refusal(as_bn(graph))
    show_refusal(edge_strength(network_pag(network("asia"))))
    show_refusal(compare_graphs(graph$fit, graph))
    show_refusal(relearn(graph$fit, hidden = NA))
    show_refusal(marginal_pc(rows, epsilon = 1, hidden = "yes"))
  })
})

test_that("graphs are compared by edges and marks", {
  truth <- pag_of("a o-> b", "c <-> b", "c o-o d")
  same <- compare_graphs(truth, truth)
  expect_identical(same$graph, c("skeleton", "pag"))
  expect_identical(same$f1, c(1, 1))
  expect_identical(same$right, c(NA, 1))
  other <- pag_of("a --> b", "c o-> b", "a o-o d")
  found <- compare_graphs(other, truth)
  expect_identical(found$tp, c(2L, 0L))
  expect_identical(found$fp, c(1L, 3L))
  expect_identical(found$fn, c(1L, 3L))
  expect_identical(found$shd, c(2L, 4L))
  # Of a-b and b-c: arrowheads at b right, the tail at a wrong, the circle at c open.
  expect_equal(unlist(found[2L, c("right", "wrong", "open")], use.names = FALSE), c(2, 1, 1) / 4)
  # Names decide, not places; a network has nothing hidden.
  turned <- truth
  turned$marks <- turned$marks[4:1, 4:1]
  turned$nodes <- rownames(turned$marks)
  expect_identical(compare_graphs(turned, truth)$f1, c(1, 1))
  expect_identical(compare_graphs(network_pag(network("asia")), network("asia"))$f1, c(1, 1))
  empty <- new_pag(no_edges(c("a", "b", "c", "d")), origin = "nothing")
  expect_identical(compare_graphs(empty, truth)$right, c(NA, NA_real_))
  # As pcalg has it, as numbers; an attribute of other packages does no harm.
  as_codes <- truth$marks[4:1, 4:1] + 0
  expect_identical(compare_graphs(other, as_codes), found)
  expect_identical(compare_graphs(as.matrix(other), truth), found)
  expect_snapshot({
    show_refusal(compare_graphs(truth, unname(as_codes)))
    show_refusal(compare_graphs(truth, graph_of("a -> b", "c -> b", "c -> d")))
    show_refusal(compare_graphs(as_codes + 1, truth))
    show_refusal(compare_graphs(as_codes[1:3, 1:3], truth))
  })
})

test_that("effects are estimated where nothing hidden can matter, and refused elsewhere", {
  # Two causes of x point to it: its arrow to y is visible where the evidence is clear.
  n <- 1000000
  yes_no <- function(p) factor(stats::rbinom(n, 1, p), 0:1, c("no", "yes"))
  data <- with_seed(5, {
    a <- yes_no(0.5)
    b <- yes_no(0.4)
    x <- yes_no(0.1 + 0.4 * (a == "yes") + 0.4 * (b == "yes"))
    y <- yes_no(0.1 + 0.5 * (x == "yes"))
    data.frame(a, b, x, y)
  })
  graph <- marginal_pc(data, epsilon = 3, hidden = TRUE, seed = 1)
  expect_true(is_visible(graph$marks, "x", "y", graph$clear))
  expect_output(print(graph), "No hidden cause behind: x --> y", fixed = TRUE)
  expect_output(print(summary(graph)), "x causes y and no hidden cause acts on both", fixed = TRUE)
  found <- with_seed(1, effect(graph, "x", "y", draws = 50))
  expect_identical(attr(found, "adjusted"), character())
  expect_equal(found$estimate[[1L]], 0.5, tolerance = 0.05)
  expect_output(print(found), "hidden common causes allowed for")
  expect_identical(
    with_seed(1, effect(graph, "x", "y", adjust = "a", draws = 50)) |> attr("adjusted"), "a"
  )
  expect_snapshot({
    show_refusal(effect(graph, "a", "y"))
    show_refusal(effect(graph, "y", "x"))
    show_refusal(effect(graph, "x", "y", graph = "uncertain"))
    show_refusal(effect(graph, "x", "y", adjust = "y"))
  })
  # Tiers are no advice to who has given them.
  known <- suppressMessages(relearn(graph, tiers = tiers(a + b ~ x ~ y)))
  expect_match(tryCatch(effect(graph, "a", "y"), error = conditionMessage), "tiers = ")
  refused <- tryCatch(effect(known, "a", "y"), error = conditionMessage)
  expect_match(refused, "does not identify")
  expect_no_match(refused, "tiers = ")
})

test_that("a graph without its fit keeps the promise of the fit", {
  seeded <- relearn(asia_without(n = 5000), hidden = TRUE)
  alone <- seeded
  alone$fit <- NULL
  for (show in list(print, summary, as.matrix, as.data.frame, format)) {
    shown <- paste(capture.output(print(show(alone))), collapse = " ")
    expect_match(shown, "NOT private")
  }
  expect_match(mark_of(alone), "came from a seed")
  expect_message(as_dagitty(alone, string = TRUE), class = "privpc_not_private")
  private <- seeded
  private$fit <- as_if_private(seeded$fit)
  # The fit alone was changed for a private one.
  expect_match(mark_of(private), "NOT private")
  expect_output(print(private), "NOT private")
  private$privacy <- private$fit$privacy
  expect_null(mark_of(private))
  private$fit <- NULL
  expect_null(mark_of(private))
  expect_silent(as_dagitty(private, string = TRUE))
  expect_snapshot({
    private
    alone
    format(private)
    format(alone)
    show_refusal(measured(alone, "lung"))
  })
  # Without a promise there is none.
  private$privacy <- NULL
  expect_match(mark_of(private), "NOT private")
  expect_match(format(private), "NOT private")
  expect_output(print(private), "NOT private")
})

test_that("a damaged promise is none, of fits and of graphs", {
  graph <- relearn(asia_without(n = 5000), hidden = TRUE)
  graph$fit <- as_if_private(graph$fit)
  graph$privacy <- graph$fit$privacy
  damages <- list(
    epsilon = function(privacy) privacy[names(privacy) != "epsilon"],
    delta = function(privacy) privacy[names(privacy) != "delta"],
    infinite = function(privacy) utils::modifyList(privacy, list(epsilon = Inf)),
    text = function(privacy) "epsilon = 1", nothing = function(privacy) NULL
  )
  for (name in names(damages)) {
    damaged <- graph
    damaged$fit$privacy <- damages[[name]](graph$privacy)
    for (object in list(damaged, damaged$fit)) {
      for (read in list(print, format, summary, report)) {
        expect_error(read(object), class = "privpc_damaged", info = name)
      }
      expect_match(mark_of(object), "NOT private", info = name)
      expect_match(privacy_text(damaged$fit$privacy), "NOT private", info = name)
    }
  }
  graph$fit$privacy$epsilon <- NULL
  expect_snapshot(cat(privacy_text(graph$fit$privacy)))
  # The same of the promise that a graph keeps without its fit, or beside it.
  graph <- relearn(asia_without(n = 5000), hidden = TRUE)
  graph$fit <- as_if_private(graph$fit)
  graph$privacy <- graph$fit$privacy
  expect_output(print(graph), "Private: ", fixed = TRUE)
  alone <- graph[names(graph) != "fit"]
  class(alone) <- class(graph)
  expect_output(print(alone), "Private: ", fixed = TRUE)
  for (name in setdiff(names(damages), "nothing")) {
    alone$privacy <- damages[[name]](graph$privacy)
    expect_error(print(alone), class = "privpc_damaged", info = name)
    expect_match(mark_of(alone), "NOT private", info = name)
  }
  graph$privacy$epsilon <- 0.1
  expect_snapshot(show_refusal(format(graph)))
})

test_that("a graph that was damaged is refused, wherever its marks are read", {
  graph <- relearn(asia_without(n = 5000), hidden = TRUE)
  readers <- list(
    print = print, format = format, summary = summary, plot = plot, as.matrix = as.matrix,
    as.data.frame = as.data.frame, report = report,
    as_dagitty = function(x) as_dagitty(x, string = TRUE),
    effect = function(x) effect(x, "either", "xray"),
    compare_graphs = function(x) compare_graphs(x, network("asia")),
    compare_graphs = function(x) compare_graphs(network_pag(network("asia"), "smoke"), x)
  )
  if (requireNamespace("ggplot2", quietly = TRUE)) readers$autoplot <- ggplot2::autoplot
  set <- function(...) utils::modifyList(graph, list(...))
  marks <- graph$marks
  loop <- one_sided <- twice <- turned <- marks
  loop[1, 1] <- 1L
  one_sided["tub", "either"] <- 0L
  dimnames(twice) <- rep(list(rep("tub", nrow(marks))), 2L)
  colnames(turned) <- rev(colnames(turned))
  part <- marks[1:3, 1:3]
  damages <- list(
    codes = set(marks = replace(marks, TRUE, 7L)), none = graph[names(graph) != "marks"],
    text = set(marks = replace(marks, TRUE, "o")), row = set(marks = marks[1:3, ]),
    missing = set(marks = replace(marks, 2L, NA)), loop = set(marks = loop),
    one_sided = set(marks = one_sided), twice = set(marks = twice), turned = set(marks = turned),
    nameless = set(marks = unname(marks)), part = set(marks = part),
    whole_part = set(
      marks = part, nodes = rownames(part), clear = NULL, undecided = NULL, separations = NULL
    ),
    settings = set(settings = "none"), origin = set(origin = 1), fit = set(fit = "mine"),
    clear = set(clear = part), undecided = set(undecided = cbind("tub", "lung", "nobody")),
    separations = set(separations = "none"), promise = set(privacy = "epsilon = 0.1")
  )
  damages <- lapply(damages, structure, class = "privpc_pag")
  for (name in names(damages)) {
    for (reader in names(readers)) {
      expect_error(
        readers[[reader]](damages[[name]]), class = "privpc_damaged", info = paste(name, reader)
      )
    }
  }
  said <- function(x) show_refusal(format(x))
  expect_snapshot(for (damage in damages) said(damage))
})

test_that("pairs that are forbidden both ways are named, and what their tables say", {
  fit <- asia_without()
  both_ways <- rbind(c("either", "xray"), c("xray", "either"), c("tub", "asia"))
  expect_no_message(relearn(fit, hidden = TRUE), class = "privpc_excluded_pairs")
  expect_no_message(
    relearn(fit, hidden = TRUE, blacklist = both_ways[-1, ]), class = "privpc_excluded_pairs"
  )
  expect_no_message(relearn(fit, blacklist = both_ways), class = "privpc_excluded_pairs")
  # By a list, or by one line of it beside tiers.
  known <- tiers(asia ~ tub + lung + bronc ~ either ~ xray + dysp)
  expect_snapshot({
    graph <- show_said(relearn(fit, hidden = TRUE, blacklist = both_ways))
    graph
    . <- show_said(relearn(fit, hidden = TRUE, blacklist = c("either", "xray"), tiers = known))
  })
  expect_identical(graph$marks["either", "xray"], 0L)
  # Learnt at once: a pair that is not measured cannot contradict.
  cohort <- simulate(network("asia"), nsim = 5000, seed = 1)
  expect_message(
    marginal_pc(cohort, epsilon = 1, seed = 1, hidden = TRUE, blacklist = both_ways),
    class = "privpc_excluded_pairs"
  )
  expect_no_match(capture.output(print(relearn(fit, hidden = TRUE))), "contradicts")
  # Braces in names are no code.
  names(cohort) <- sub("either", "{ei}", names(cohort))
  expect_message(
    marginal_pc(
      cohort, epsilon = 1, seed = 1, hidden = TRUE, blacklist = sub("either", "{ei}", both_ways)
    ),
    "xray and {ei}", fixed = TRUE
  )
})
