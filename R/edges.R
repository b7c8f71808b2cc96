# Edges: the one place that knows how they are kept. Inside this package a graph is a 0/1 matrix,
# row = from, column = to, with the names of the nodes on both sides; an undirected edge has a 1 in
# both places. adjacency_of() makes one of anything a user may call a graph.

edge_matrix <- function(fit) fit$amat

skeleton_matrix <- function(fit) fit$skeleton

no_edges <- function(nodes) {
  matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
}

# Of every pair (row, column), as matrices.
is_undirected <- function(graph) graph & t(graph)
is_directed <- function(graph) graph & !t(graph)
without_directions <- function(graph) pmax(graph, t(graph))

# Of a node, by name, in the order of the graph. Those that an edge does not rule out as effects of
# one of `nodes`: it points to them, or has no direction.
possible_children_of <- function(graph, nodes) {
  rownames(graph)[colSums(graph[nodes, , drop = FALSE]) > 0]
}

children_of <- function(graph, node) {
  rownames(graph)[graph[node, ] == 1L & graph[, node] == 0L]
}

parents_of <- function(graph, node) children_of(t(graph), node)

undirected_neighbours_of <- function(graph, node) {
  rownames(graph)[graph[node, ] == 1L & graph[, node] == 1L]
}

# Positions of the two ends of every 1 of the matrix, by position of the nodes; an undirected edge
# has two.
edge_ends <- function(graph) {
  ends <- which(graph == 1L, arr.ind = TRUE, useNames = FALSE)
  ends[order(ends[, 1L], ends[, 2L]), , drop = FALSE]
}

# One row per edge, by position of the nodes. An undirected edge stands once.
edge_table <- function(graph, nodes = rownames(graph)) {
  ends <- edge_ends(graph)
  undirected <- is_undirected(graph)[ends]
  keep <- !undirected | ends[, 1L] < ends[, 2L]
  data.frame(
    from = nodes[ends[keep, 1L]], to = nodes[ends[keep, 2L]],
    type = ifelse(undirected[keep], "undirected", "directed")
  )
}

# "a -> b" or "a -- b"
edge_text <- function(edges) {
  sign <- ifelse(edges$type == "directed", "->", "--")
  paste(edges$from, sign, edges$to, recycle0 = TRUE)
}
