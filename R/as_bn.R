#' The graph in bnlearn
#'
#' @description
#' `as_bn()` gives a plain bnlearn object of class `"bn"`, with undirected edges where the
#' direction is not identified. `bnlearn::as.bn()` does the same with fits and networks.
#' `as_bn_fit()` turns a network with its probabilities into a `"bn.fit"`.
#'
#' @details
#' The functions of bnlearn want the converted graph: `bnlearn::score(as_bn(fit), data)`, not
#' `bnlearn::score(fit, data)`. The object is built by bnlearn itself, so all its functions
#' accept it. It prints as a randomly generated graph: the print method of bnlearn knows only
#' bnlearn's own algorithms. How the graph was learnt stands in the fit.
#'
#' `bn.fit()` needs a DAG, and so does `score()` before bnlearn 5. A learnt graph with undirected
#' edges stands for a class of DAGs that fit equally well; `bnlearn::cextend()` picks one of them.
#' Which one does not matter for scores that treat equivalent graphs alike, such as BIC, but the
#' directions that it adds mean nothing.
#'
#' Functions of bnlearn that take the graph *and the data*, such as `bn.fit()`, `score()` or
#' `boot.strength()`, look at the records again: what they return is outside any privacy
#' guarantee of the graph.
#'
#' @param x A fit, a network, an igraph, or an adjacency matrix with names (row = from,
#'   undirected = both). `as_bn_fit()` takes a network; for fits see [as_network()].
#' @param ... Must be empty.
#' @return `as_bn()`: an object of class `"bn"`. `as_bn_fit()`: one of class `"bn.fit"`. Of a graph
#'   that states an epsilon and is not private (a fit with a `seed`), a message says so, and the
#'   attribute `privacy`; see [fits][privpc-class].
#' @seealso [as_dagitty()], [as.igraph][as.igraph.privpc]
#' @export
#' @examplesIf requireNamespace("bnlearn", quietly = TRUE)
#' # A learnt graph goes on in bnlearn. In this one no direction is identified.
#' cohort <- simulate(network("sachs"), nsim = 50000, seed = 1)
#' fit <- exact_pc(cohort, alpha = 0.01, max_order = 2)
#' graph <- as_bn(fit)
#' bnlearn::undirected.arcs(graph)
#'
#' # The network that made the data, and the distance between the two: of the 17 edges,
#' # two weak ones are not found
#' bnlearn::shd(graph, as_bn(network("sachs")))
#'
#' # Scores and probabilities need a DAG: take one of those that the graph stands for
#' dag <- bnlearn::cextend(graph)
#' bnlearn::score(dag, cohort, type = "bic")
#' bnlearn::bn.fit(dag, cohort)$Raf
#'
#' # A network with its probabilities, ready for bnlearn's queries
#' survey <- as_bn_fit(network("survey"))
#' survey$T
as_bn <- function(x, ...) {
  UseMethod("as_bn")
}

#' @export
as_bn.default <- function(x, ...) {
  check_dots_empty(...)
  graph <- bn_from_edges(named_adjacency_of(x, "x"), call = rlang::current_env())
  mark <- mark_of(x)
  say_mark(mark, "The graph is")
  marked(graph, mark)
}

#' @exportS3Method bnlearn::as.bn
as.bn.privpc <- function(x, ...) as_bn.default(x, ...) # nolint: object_name_linter.

#' @exportS3Method bnlearn::as.bn
as.bn.privpc_network <- function(x, ...) as_bn.default(x, ...) # nolint: object_name_linter.

# Built through bnlearn: a hand-made object with a wrong cache would be accepted and would
# answer wrongly. `learning` keeps what empty.graph() sets, because print() of bnlearn fails
# on labels that are not its own.
bn_from_edges <- function(graph, call = rlang::caller_env()) {
  check_suggested("bnlearn", "to make an object of class bn", call = call)
  if (nrow(graph) == 0L) abort("{.pkg bnlearn} has no graphs without nodes.", call = call)
  if (!cpp_is_acyclic(graph)) {
    abort(c(
      "{.pkg bnlearn} has no graphs with directed cycles.",
      x = "The arcs of {.arg x} contain one.",
      i = "Row = from, column = to: check that the matrix is not a mixture of both."
    ), call = call)
  }
  out <- bnlearn::empty.graph(rownames(graph))
  bnlearn::amat(out) <- graph
  out
}

#' @rdname as_bn
#' @export
as_bn_fit <- function(x, ...) UseMethod("as_bn_fit")

#' @export
as_bn_fit.default <- function(x, ...) {
  check_given(x)
  if (is_pag(x)) abort_pag(x, "x", rlang::current_env())
  abort(c(
    "{.arg x} must be a network with its probabilities, or a fit of {.fn marginal_pc}.",
    x = "It is {describe(x)}.",
    i = "Networks come from {.fn network} and {.fn read_bif}."
  ), call = rlang::current_env())
}

#' @export
as_bn_fit.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  check_suggested("bnlearn", "to make an object of class bn.fit")
  check_network_numbers(x, rlang::current_env(), "x")
  single <- x$nodes[lengths(x$levels[x$nodes]) == 1L & lengths(x$parents[x$nodes]) > 0L]
  if (length(single)) {
    abort(c(
      "bnlearn cannot have a variable with one level and with parents.",
      x = "That is so for {.val {single}}.",
      i = "Learn the graph without {cli::qty(single)}{?it/them}: what does not vary has no causes."
    ))
  }
  ordinal <- x$nodes[x$ordered[x$nodes]]
  graph <- bn_from_edges(adjacency_of(x))
  fitted <- if (length(ordinal) == 0L) {
    bnlearn::custom.fit(graph, x$probabilities[x$nodes])
  } else {
    bnlearn::custom.fit(graph, x$probabilities[x$nodes], ordinal = ordinal)
  }
  mark <- mark_of(x)
  say_mark(mark, "The probabilities are")
  marked(fitted, mark)
}
