#' The graph in igraph
#'
#' @description
#' `igraph::as.igraph()` turns a fit or a network into a directed igraph. igraph has no
#' graphs with directed and undirected edges together: an undirected edge becomes a pair of
#' arcs, one each way, marked by an edge attribute. `compare_graphs()` and `as_bn()` read
#' this form back. bnlearn's own generic of the same name, `bnlearn::as.igraph()`, does the
#' same, so that the order in which the packages are attached does not matter.
#'
#' @details
#' **Counting.** As an undirected edge is a pair of arcs, `igraph::degree()` counts it twice,
#' once as going out and once as coming in, and `igraph::ecount()` counts it as two. To count
#' neighbours, use `igraph::ego_size(graph) - 1`, which counts each neighbour once; to count
#' causes and effects, delete the undirected edges first. Both are in the examples.
#'
#' @param x A fit or a network.
#' @param ... Must be empty.
#' @return A directed igraph with the vertex attribute `name` and the edge attributes
#'   `undirected` (`TRUE` for both arcs of an undirected edge) and `arrow.mode` (0 for these,
#'   2 otherwise), which igraph's `plot()` obeys: undirected edges are drawn without heads. Of a
#'   graph that states an epsilon and is not private (a fit with a `seed`), a message says so, and
#'   the graph attribute `privacy`; see [fits][privpc-class].
#' @seealso [as_bn()], [as_dagitty()]
#' @name as.igraph.privpc
#' @importFrom igraph as.igraph
#' @export
#' @rawNamespace S3method(bnlearn::as.igraph,privpc)
#' @rawNamespace S3method(bnlearn::as.igraph,privpc_network)
#' @examples
#' cohort <- simulate(network("child"), nsim = 50000, seed = 1)
#' fit <- exact_pc(cohort, alpha = 0.01, max_order = 2)
#' graph <- igraph::as.igraph(fit)
#'
#' # Neighbours of each node, each counted once; degree() would count those at undirected
#' # edges twice
#' setNames(igraph::ego_size(graph) - 1, fit$nodes)
#'
#' # Identified causes of each node: only the arcs whose direction is identified
#' arcs <- igraph::delete_edges(graph, which(igraph::edge_attr(graph, "undirected")))
#' igraph::degree(arcs, mode = "in")
as.igraph.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  igraph_from_edges(edge_matrix(x), mark_of(x))
}

#' @rdname as.igraph.privpc
#' @export
as.igraph.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  igraph_from_edges(adjacency_of(x), mark_of(x))
}

igraph_from_edges <- function(graph, mark = NULL) {
  say_mark(mark, "The graph is")
  ends <- edge_ends(graph)
  undirected <- is_undirected(graph)[ends]
  marked(igraph::graph_from_data_frame(
    data.frame(
      from = rownames(graph)[ends[, 1L]], to = rownames(graph)[ends[, 2L]],
      undirected = undirected, arrow.mode = ifelse(undirected, 0, 2)
    ),
    directed = TRUE, vertices = data.frame(name = rownames(graph))
  ), mark)
}
