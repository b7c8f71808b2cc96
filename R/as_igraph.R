#' The graph in igraph
#'
#' @description
#' `igraph::as.igraph()` turns a fit or a network into a directed igraph. igraph has no
#' graphs with directed and undirected edges together: an undirected edge becomes a pair of
#' arcs, one each way, marked by an edge attribute. `compare_graphs()` and `as_bn()` read
#' this form back.
#'
#' @param x A fit or a network.
#' @param ... Must be empty.
#' @return A directed igraph with the vertex attribute `name` and the edge attributes
#'   `undirected` (`TRUE` for both arcs of an undirected edge) and `arrow.mode` (0 for these,
#'   2 otherwise), which igraph's `plot()` obeys: undirected edges are drawn without heads.
#' @seealso [as_bn()], [as_dagitty()]
#' @name as.igraph.privpc
#' @importFrom igraph as.igraph
#' @export
#' @examples
#' cohort <- simulate(network("asia"), nsim = 5000, seed = 1)
#' fit <- exact_pc(cohort)
#' graph <- igraph::as.igraph(fit)
#' igraph::degree(graph, mode = "in")
#'
#' # Only the arcs whose direction is identified
#' igraph::delete_edges(graph, which(igraph::edge_attr(graph, "undirected")))
as.igraph.privpc <- function(x, ...) {
  check_dots_empty(...)
  igraph_from_amat(x$amat)
}

#' @rdname as.igraph.privpc
#' @export
as.igraph.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  igraph_from_amat(adjacency_of(x))
}

igraph_from_amat <- function(amat) {
  ends <- which(amat == 1L, arr.ind = TRUE)
  ends <- ends[order(ends[, 1L], ends[, 2L]), , drop = FALSE]
  undirected <- amat[ends[, 2:1, drop = FALSE]] == 1L
  igraph::graph_from_data_frame(
    data.frame(
      from = rownames(amat)[ends[, 1L]], to = rownames(amat)[ends[, 2L]],
      undirected = undirected, arrow.mode = ifelse(undirected, 0, 2)
    ),
    directed = TRUE, vertices = data.frame(name = rownames(amat))
  )
}
