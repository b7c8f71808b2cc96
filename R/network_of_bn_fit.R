# A network of bnlearn with its probabilities, as a network of this package. Read from the object
# alone: bnlearn need not be installed.

network_of_bn_fit <- function(x, call) {
  check_discrete_nodes(x, call)
  nodes <- names(x)
  parents <- lapply(x, function(node) as.character(node$parents))
  levels <- lapply(x, function(node) dimnames(node$prob)[[1L]])
  tables <- lapply(x, function(node) as.vector(unclass(node$prob)))
  unknown <- nodes[vapply(tables, anyNA, NA)]
  if (length(unknown)) {
    abort(c(
      "{.arg x} must have all its probabilities.",
      x = "Some are missing in the {cli::qty(unknown)}table{?s} of {.val {unknown}}.",
      i = "{.code bnlearn::bn.fit(..., method = \"bayes\")} leaves none out."
    ), call = call)
  }
  net <- new_network("from bnlearn", nodes, levels, parents, tables)
  net$ordered[] <- vapply(x, inherits, NA, "bn.fit.onode")
  marked(net, mark_of(x))
}

check_discrete_nodes <- function(x, call) {
  discrete <- vapply(x, inherits, NA, c("bn.fit.dnode", "bn.fit.onode"))
  if (all(discrete)) return(invisible())
  other <- names(x)[!discrete]
  abort(c(
    "{.arg x} must be a network of variables with levels.",
    x = "{.val {other}} {?is/are} not: {?it has/they have} numbers.",
    i = "Cut numbers into bins before {.code bnlearn::bn.fit()}, for example with {.code cut()}."
  ), call = call)
}
