#' The graph in dagitty
#'
#' @description
#' dagitty finds adjustment sets, instruments and testable implications of a causal graph.
#' `as_dagitty()` hands a graph over; with `string = TRUE` it returns the text that dagitty
#' reads, which also works in the browser version of dagitty and without the R package.
#'
#' @param x A fit, a network, a [graph with hidden common causes][privpc_pag], a `"bn"`, an igraph,
#'   or an adjacency matrix with names (row = from, undirected = both).
#' @param ... Must be empty.
#' @param string `TRUE` for the text instead of an object of the dagitty package.
#' @return An object of class `"dagitty"`, or a string: `dag { ... }` if all edges are
#'   directed, `pdag { ... }` otherwise, with `->` and `--` for the edges; `pag { ... }` with
#'   hidden common causes, where `@` is a circle. Of a graph that states an
#'   epsilon and is not private (a fit with a `seed`), a message says so, and the attribute
#'   `privacy`; see [fits][privpc-class].
#' @seealso [as_bn()], [as.igraph][as.igraph.privpc]
#' @export
#' @examples
#' # Two causes of an alarm, and two neighbours who call when they hear it: the data
#' # identify all directions
#' cohort <- simulate(network("earthquake"), nsim = 50000, seed = 1)
#' fit <- exact_pc(cohort, alpha = 0.01, max_order = 2)
#' cat(as_dagitty(fit, string = TRUE))
#'
#' # In the true network: what to adjust for, to see the effect of education on travel?
#' if (requireNamespace("dagitty", quietly = TRUE)) {
#'   truth <- as_dagitty(network("survey"))
#'   dagitty::adjustmentSets(truth, exposure = "E", outcome = "T")
#' }
as_dagitty <- function(x, ..., string = FALSE) {
  check_dots_empty(...)
  check_flag(string)
  call <- rlang::current_env()
  if (is_pag(x)) {
    check_sound_pag(x, call)
    type <- "pag"
    nodes <- dagitty_name(x$nodes, call)
    edges <- dagitty_pag_edges(x$marks, nodes)
  } else {
    graph <- named_adjacency_of(x)
    nodes <- dagitty_name(rownames(graph), call)
    edges <- edge_table(graph, nodes)
    type <- if (any(edges$type == "undirected")) "pdag" else "dag"
    edges <- edge_text(edges)
  }
  lines <- paste0("  ", c(nodes, edges), "\n", recycle0 = TRUE)
  text <- paste0(type, " {\n", paste(lines, collapse = ""), "}\n")
  mark <- mark_of(x)
  if (!string) {
    check_suggested("dagitty", "to make a dagitty object (`string = TRUE` works without it)")
    text <- dagitty::dagitty(text)
  }
  say_mark(mark, "The graph is")
  marked(text, mark)
}

# dagitty writes a circle as "@", and a tail as the line alone.
dagitty_pag_edges <- function(marks, nodes) {
  edges <- pag_edges(marks)
  sign <- c(
    `-->` = "->", `<->` = "<->", `o->` = "@->", `o-o` = "@-@", `---` = "--", `o--` = "@--",
    `--o` = "--@"
  )
  at <- function(names) nodes[match(names, rownames(marks))]
  paste(at(edges$from), sign[edges$edge], at(edges$to), recycle0 = TRUE)
}

# dagitty reads letters, digits, "_" and "." as they are and everything else in quotes, where
# only a quote is escaped. What it cannot read at all (found by giving it to the parser of
# dagitty 0.3-4) is refused here, because its own message would not name the variable.
dagitty_name <- function(nodes, call) {
  unreadable <- grepl("[[:cntrl:]]|\\\\$", nodes) | nodes %in% c("node", "graph")
  if (any(unreadable)) {
    abort(c(
      "{.pkg dagitty} cannot read every name of a variable.",
      x = "It cannot read {.val {nodes[unreadable]}}.",
      i = "Rename: no line breaks, no backslash at the end, not {.val node} and not {.val graph}."
    ), call = call)
  }
  plain <- grepl("^[0-9A-Za-z_.]+$", nodes, perl = TRUE)
  ifelse(plain, nodes, paste0("\"", gsub("\"", "\\\"", nodes, fixed = TRUE), "\""))
}
