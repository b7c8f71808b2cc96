#' The graph in bnlearn
#'
#' @description
#' `as_bn()` gives a plain bnlearn object of class `"bn"`, with undirected edges where the
#' direction is not identified. `bnlearn::as.bn()` does the same with fits and networks.
#' `as_bn_fit()` turns a network with its probabilities into a `"bn.fit"`.
#'
#' @details
#' The object is built by bnlearn itself, so all its functions accept it. bnlearn does not
#' know who learnt the graph; the fit remembers that.
#'
#' Functions of bnlearn that take the graph *and the data*, such as `bn.fit()`, `score()` or
#' `boot.strength()`, look at the records again: what they return is outside any privacy
#' guarantee of the graph.
#'
#' @param x A fit, a network, an igraph, or an adjacency matrix with names (row = from,
#'   undirected = both). `as_bn_fit()` takes a network.
#' @param ... Must be empty.
#' @return `as_bn()`: an object of class `"bn"`. `as_bn_fit()`: one of class `"bn.fit"`.
#' @seealso [as_dagitty()], [as.igraph][as.igraph.privpc]
#' @export
#' @examplesIf requireNamespace("bnlearn", quietly = TRUE)
#' # A learnt graph goes on in bnlearn
#' cohort <- simulate(network("survey"), nsim = 5000, seed = 1)
#' fit <- exact_pc(cohort)
#' graph <- as_bn(fit)
#' bnlearn::directed.arcs(graph)
#'
#' # The network that made the data, and the distance between the two
#' bnlearn::shd(graph, as_bn(network("survey")))
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
  bn_from_amat(named_adjacency_of(x, "x"), call = rlang::current_env())
}

#' @exportS3Method bnlearn::as.bn
as.bn.privpc <- function(x, ...) as_bn.default(x, ...)

#' @exportS3Method bnlearn::as.bn
as.bn.privpc_network <- function(x, ...) as_bn.default(x, ...)

# Built through bnlearn: a hand-made object with a wrong cache would be accepted and would
# answer wrongly. `learning` keeps what empty.graph() sets, because print() of bnlearn fails
# on labels that are not its own.
bn_from_amat <- function(amat, call = rlang::caller_env()) {
  check_suggested("bnlearn", "to make an object of class bn", call = call)
  if (nrow(amat) == 0L) abort("{.pkg bnlearn} has no graphs without nodes.", call = call)
  if (!cpp_is_acyclic(amat)) {
    abort(c(
      "{.pkg bnlearn} has no graphs with directed cycles.",
      x = "The arcs of {.arg x} contain one.",
      i = "Row = from, column = to: check that the matrix is not a mixture of both."
    ), call = call)
  }
  graph <- bnlearn::empty.graph(rownames(amat))
  bnlearn::amat(graph) <- amat
  graph
}

#' @rdname as_bn
#' @export
as_bn_fit <- function(x, ...) {
  check_dots_empty(...)
  if (!inherits(x, "privpc_network")) {
    abort(c(
      "{.arg x} must be a network with its probabilities.",
      x = "It is {describe(x)}.",
      i = "Networks come from {.fn network} and {.fn read_bif}."
    ), call = rlang::current_env())
  }
  check_suggested("bnlearn", "to make an object of class bn.fit")
  ordinal <- x$nodes[x$ordered[x$nodes]]
  if (length(ordinal) == 0L) return(bnlearn::custom.fit(as_bn(x), x$probabilities[x$nodes]))
  bnlearn::custom.fit(as_bn(x), x$probabilities[x$nodes], ordinal = ordinal)
}
