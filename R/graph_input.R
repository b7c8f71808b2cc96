# Anything a user may call a graph, as a 0/1 adjacency matrix (row = from, undirected =
# both). The names may be missing (NULL) where an adjacency matrix or an igraph has none.
adjacency_of <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  force(arg)
  check_given(x, arg, call)
  amat <- if (inherits(x, "privpc")) {
    x$amat
  } else if (inherits(x, "privpc_network")) {
    as.matrix(x)
  } else if (inherits(x, "bn")) {
    amat_from_arcs(names(x$nodes), x$arcs)
  } else if (inherits(x, "bn.fit")) {
    amat_from_parents(lapply(unclass(x), function(node) node$parents))
  } else if (igraph::is_igraph(x)) {
    amat_from_igraph(x)
  } else if (inherits(x, "Matrix")) {
    as.matrix(x)
  } else if (is.matrix(x) && (is.numeric(x) || is.logical(x))) {
    x
  } else {
    abort(c(
      "{.arg {arg}} must be a graph.",
      x = "It is {describe(x)}.",
      i = "Give a fit, a network, a {.cls bn}, an {.cls igraph} or an adjacency matrix."
    ), call = call)
  }
  check_adjacency(amat, arg, call)
}

check_adjacency <- function(amat, arg, call) {
  wrong <- if (nrow(amat) != ncol(amat)) {
    "it has {nrow(amat)} row{?s} and {ncol(amat)} column{?s}."
  } else if (anyNA(amat)) {
    "it has missing values."
  } else if (any(amat != 0 & amat != 1)) {
    "it has other entries than 0 and 1."
  }
  if (!is.null(wrong)) {
    abort(c(
      "An adjacency matrix has as many rows as columns, with entries 0 and 1.",
      x = paste("That is not so for {.arg {arg}}:", wrong),
      i = "Row = from, column = to; an undirected edge has a 1 in both places."
    ), call = call)
  }
  names <- rownames(amat)
  if (is.null(names)) names <- colnames(amat)
  if (!is.null(colnames(amat)) && !identical(names, colnames(amat))) {
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
  if (any(diag(amat) != 0)) {
    looped <- which(diag(amat) != 0)
    if (!is.null(names)) looped <- names[looped]
    abort(c(
      "A node cannot be adjacent to itself.",
      x = "The matrix of {.arg {arg}} has a 1 on its diagonal at {.val {looped}}."
    ), call = call)
  }
  storage.mode(amat) <- "integer"
  attributes(amat) <- list(dim = dim(amat))
  if (!is.null(names)) dimnames(amat) <- list(names, names)
  amat
}

empty_amat <- function(nodes) {
  matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
}

amat_from_arcs <- function(nodes, arcs) {
  amat <- empty_amat(nodes)
  if (NROW(arcs)) amat[cbind(match(arcs[, 1L], nodes), match(arcs[, 2L], nodes))] <- 1L
  amat
}

amat_from_parents <- function(parents) {
  amat_from_arcs(names(parents), cbind(
    unlist(parents, use.names = FALSE), rep(names(parents), lengths(parents))
  ))
}

# An undirected igraph is a graph with undirected edges only.
amat_from_igraph <- function(graph) {
  n <- igraph::vcount(graph)
  ends <- igraph::as_edgelist(graph, names = FALSE)
  amat <- matrix(0L, n, n)
  amat[ends] <- 1L
  if (!igraph::is_directed(graph)) amat[ends[, 2:1, drop = FALSE]] <- 1L
  names <- igraph::vertex_attr(graph, "name")
  if (!is.null(names)) dimnames(amat) <- list(as.character(names), as.character(names))
  amat
}

# The same, for those who need names.
named_adjacency_of <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  force(arg)
  amat <- adjacency_of(x, arg, call)
  if (is.null(rownames(amat)) && nrow(amat) > 0L) {
    abort(c(
      "The nodes of {.arg {arg}} have no names.",
      i = "Give the matrix dimnames, or the igraph a vertex attribute {.field name}."
    ), call = call)
  }
  amat
}

# Position of each name in byte order: the same in every locale, whatever the order of the
# columns. Ties in the graph room are broken by it.
name_rank <- function(nodes) {
  rank <- integer(length(nodes))
  rank[order(nodes, method = "radix")] <- seq_along(nodes)
  rank
}
