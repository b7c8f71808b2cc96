# Anything a user may call a graph, as a 0/1 adjacency matrix (row = from, undirected =
# both). The names may be missing (NULL) where an adjacency matrix or an igraph has none.
adjacency_of <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  force(arg)
  check_given(x, arg, call)
  graph <- if (inherits(x, "privpc")) {
    check_sound(x, call, arg)
    edge_matrix(x)
  } else if (inherits(x, "privpc_network")) {
    check_network_fields(x, call, arg)
    as.matrix(x)
  } else if (inherits(x, "bn")) {
    edges_from_arcs(names(x$nodes), x$arcs)
  } else if (inherits(x, "bn.fit")) {
    edges_from_parents(lapply(unclass(x), function(node) node$parents))
  } else if (igraph::is_igraph(x)) {
    edges_from_igraph(x)
  } else if (inherits(x, "Matrix")) {
    as.matrix(x)
  } else if (is.matrix(x) && (is.numeric(x) || is.logical(x))) {
    x
  } else if (is_pag(x)) {
    abort_pag(x, arg, call)
  } else {
    abort(c(
      "{.arg {arg}} must be a graph.",
      x = "It is {describe(x)}.",
      i = "Give a fit, a network, a {.cls bn}, an {.cls igraph} or an adjacency matrix."
    ), call = call)
  }
  check_adjacency(graph, arg, call)
}

check_adjacency <- function(graph, arg, call) {
  wrong <- if (nrow(graph) != ncol(graph)) {
    "it has {nrow(graph)} row{?s} and {ncol(graph)} column{?s}."
  } else if (anyNA(graph)) {
    "it has missing values."
  } else if (any(graph != 0 & graph != 1)) {
    "it has other entries than 0 and 1."
  }
  if (!is.null(wrong)) {
    abort(c(
      "An adjacency matrix has as many rows as columns, with entries 0 and 1.",
      x = paste("That is not so for {.arg {arg}}:", wrong),
      i = "Row = from, column = to; an undirected edge has a 1 in both places."
    ), call = call)
  }
  names <- rownames(graph)
  if (is.null(names)) names <- colnames(graph)
  if (!is.null(colnames(graph)) && !identical(names, colnames(graph))) {
    abort(c(
      "Rows and columns of an adjacency matrix need the same names in the same order.",
      x = "Those of {.arg {arg}} differ."
    ), call = call)
  }
  if (!is.null(names) && (anyNA(names) || !all(nzchar(names)) || anyDuplicated(names))) {
    abort(c(
      "The nodes of a graph need different, non-empty names.",
      x = "Those of {.arg {arg}} are {.val {names}}."
    ), call = call)
  }
  if (any(diag(graph) != 0)) {
    looped <- which(diag(graph) != 0)
    if (!is.null(names)) looped <- names[looped]
    abort(c(
      "A node cannot be adjacent to itself.",
      x = "The matrix of {.arg {arg}} has a 1 on its diagonal at {.val {looped}}."
    ), call = call)
  }
  storage.mode(graph) <- "integer"
  attributes(graph) <- list(dim = dim(graph))
  if (!is.null(names)) dimnames(graph) <- list(names, names)
  graph
}

edges_from_arcs <- function(nodes, arcs) {
  graph <- no_edges(nodes)
  if (NROW(arcs)) graph[cbind(match(arcs[, 1L], nodes), match(arcs[, 2L], nodes))] <- 1L
  graph
}

edges_from_parents <- function(parents) {
  edges_from_arcs(names(parents), cbind(
    unlist(parents, use.names = FALSE), rep(names(parents), lengths(parents))
  ))
}

# An undirected igraph is a graph with undirected edges only.
edges_from_igraph <- function(x) {
  n <- igraph::vcount(x)
  ends <- igraph::as_edgelist(x, names = FALSE)
  graph <- matrix(0L, n, n)
  graph[ends] <- 1L
  if (!igraph::is_directed(x)) graph[ends[, 2:1, drop = FALSE]] <- 1L
  names <- igraph::vertex_attr(x, "name")
  if (!is.null(names)) dimnames(graph) <- list(as.character(names), as.character(names))
  graph
}

# The same, for those who need names.
named_adjacency_of <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  force(arg)
  graph <- adjacency_of(x, arg, call)
  if (is.null(rownames(graph)) && nrow(graph) > 0L) {
    abort(c(
      "The nodes of {.arg {arg}} have no names.",
      i = "Give the matrix dimnames, or the igraph a vertex attribute {.field name}."
    ), call = call)
  }
  graph
}

# Position of each name in byte order: the same in every locale, whatever the order of the
# columns. Ties in the graph room are broken by it.
name_rank <- function(nodes) {
  rank <- integer(length(nodes))
  rank[order(nodes, method = "radix")] <- seq_along(nodes)
  rank
}
