#' The true graph with hidden common causes
#'
#' What can be known about causes if some variables of a network are not recorded: the
#' [partial ancestral graph][privpc_pag] that FCI finds when every question about independence is
#' answered right. For comparison with what was learnt.
#'
#' @param x A network, or another graph all of whose edges are directed: see [compare_graphs()] for
#'   what can be given.
#' @param hidden Names of the variables that are not recorded.
#' @return An object of class `"privpc_pag"`; see [privpc_pag].
#' @seealso [compare_graphs()]
#' @export
#' @examples
#' # Nothing is hidden: FCI does not know that, and leaves more open than a CPDAG does
#' network_pag(network("cancer"))
#'
#' # Without smoking, lung cancer and bronchitis seem to be related
#' summary(network_pag(network("asia"), hidden = "smoke"))
network_pag <- function(x, hidden = character()) {
  call <- rlang::current_env()
  check_quoted("hidden", call)
  dag <- named_adjacency_of(x)
  if (any(is_undirected(dag)) || !cpp_is_acyclic(dag)) {
    abort(c(
      "All edges of {.arg x} must be directed, without a cycle.",
      x = if (any(is_undirected(dag))) "Some have no direction." else "Its arrows form a cycle."
    ), call = call)
  }
  hidden <- check_hidden(hidden, rownames(dag), call)
  seen <- setdiff(rownames(dag), hidden)
  marks <- cpp_true_pag(dag, match(seen, rownames(dag)))
  dimnames(marks) <- list(seen, seen)
  named <- inherits(x, "privpc_network") && rlang::is_string(x$name)
  name <- if (named) paste("network", x$name) else "a network"
  new_pag(marks, origin = paste0(
    name, if (length(hidden)) paste0(" with ", paste(hidden, collapse = ", "), " hidden")
  ), privacy = mark_of(x))
}

check_hidden <- function(hidden, nodes, call) {
  if (!is.character(hidden) || anyNA(hidden)) {
    abort(c(
      "{.arg hidden} must be names of variables.", x = "It is {describe(hidden)}."
    ), call = call)
  }
  check_known_variables(hidden, nodes, call, "{.arg hidden}", of = "graph")
  if (length(nodes) && length(hidden) == length(nodes)) {
    abort(c(
      "{.arg hidden} must leave a variable that is recorded.", x = "It names all {length(nodes)}."
    ), call = call)
  }
  hidden
}
