# The class "privpc_pag": a graph in which common causes may be hidden (a partial ancestral graph).
# It is not a "privpc", whose graph is a CPDAG, so that nothing takes it for one by mistake.

# The marks at the ends of edges, by pcalg's codes 1, 2, 3: at the left end of a text, and at the
# right.
mark_codes <- c(circle = 1L, arrow = 2L, tail = 3L)
left_signs <- c("o", "<", "-")
right_signs <- c("o", ">", "-")

# `fit`: what it was learnt from; NULL for a true graph, whose `origin` says of what. The promise of
# the fit is kept beside it: who sends the graph alone sends it without the fit. Of a learnt graph
# also: the marks for which there is clear evidence (`clear`), and the triples of which nobody knows
# whether the middle is a collider (`undecided`, one in each row).
new_pag <- function(marks, separations = NULL, fit = NULL, settings = list(), origin = NULL,
                    privacy = fit$privacy, clear = NULL, undecided = NULL) {
  structure(
    drop_null(list(
      marks = marks, clear = clear, undecided = undecided, separations = separations,
      nodes = rownames(marks), settings = settings, origin = origin, privacy = privacy, fit = fit
    )),
    class = "privpc_pag"
  )
}

# Learns it from the measurements of a fit, by the fit's own settings and knowledge. `decisive`: how
# much evidence marks need (DecisiveEvidence in the core), for calibration.
with_hidden_causes <- function(fit, call, decisive = double()) {
  held <- check_measurements(fit, call)
  known <- fit$settings
  knowledge <- parse_knowledge(known$whitelist, known$blacklist, known$tiers, held$nodes, call)
  found <- with_mechanism(call, cpp_relearn_hidden(
    held$nodes, fit$nodes, lengths(held$levels), ordered_nodes(held), held$n, held$tables,
    rules_of(fit, call), knowledge$required, knowledge$forbidden, decisive
  ))
  # The tests decide, whatever the fit's own graph was found by.
  settings <- known
  settings$search <- "tests"
  new_pag(
    found$marks, found$separations, fit, settings, clear = found$clear, undecided = found$undecided
  )
}

is_pag <- function(x) inherits(x, "privpc_pag")

# Of network_pag(), not learnt.
is_true_pag <- function(x) is.null(x$fit) && rlang::is_string(x$origin)

# For what is asked of the measurements, not of the graph.
fit_behind <- function(x, call, arg = "fit") {
  check_given(x, arg, call)
  if (!is_pag(x)) return(x)
  check_sound_pag(x, call, arg)
  if (!is.null(x$fit)) return(x$fit)
  if (!is_true_pag(x)) {
    abort(c(
      "{.arg {arg}} must be a graph with its measurements.",
      x = "Its element {.field fit}, which held them, was taken out.",
      i = "Use the graph as {.fn relearn} or {.fn marginal_pc} made it."
    ), call = call)
  }
  abort(c(
    "{.arg {arg}} must have been learnt from data.",
    x = "It is the true graph of {x$origin}, for which nothing was measured."
  ), call = call)
}

# For what needs a graph without hidden causes.
abort_pag <- function(x, arg, call) {
  abort(c(
    "{.arg {arg}} must be a graph without hidden common causes here.",
    x = "It is a partial ancestral graph, whose edges have other meanings.",
    i = if (is.null(x$fit)) {
      paste(
        "{.fn compare_graphs}, {.fn as_dagitty}, {.fn as.matrix},",
        "{.fn summary} and {.fn plot} take it."
      )
    } else {
      paste(
        "{.code {arg}$fit} is the graph of the same measurements without them; {.fn effect},",
        "{.fn measured}, {.fn retest} and {.fn relearn} take either."
      )
    }
  ), class = "privpc_hidden_causes", call = call)
}

#' A graph with hidden common causes
#'
#' @description
#' [relearn()] and [marginal_pc()] with `hidden = TRUE` give a *partial ancestral graph* (PAG): what
#' the noisy tables say about causes if variables may be missing that act on several of those that
#' were recorded. Each end of an edge has a mark.
#'
#' * An **arrowhead** at y: y is no cause of x.
#' * A **tail** at x: x is a cause of y, directly or through others.
#' * A **circle**: not known.
#'
#' | edge | in words |
#' |---|---|
#' | `x --> y` | x causes y |
#' | `x o-> y` | x causes y, or they share a hidden cause, or both; y does not cause x |
#' | `x <-> y` | x and y share a hidden cause; neither causes the other |
#' | `x o-o y` | one causes the other, or they share a hidden cause, or both |
#'
#' Two variables without an edge have neither a direct effect on each other nor a hidden cause in
#' common. Even where x causes y, a hidden cause may act on both besides; only for a *visible* edge
#' (Zhang 2008) it is ruled out, and only then can the effect be estimated. `print()` names the
#' visible edges, `summary()` says what each edge means, and pictures draw visible ones thick. In a
#' graph that was learnt an edge is called visible only if the evidence for that is clear. All of it
#' holds if the graph is right.
#'
#' Edges are counted by kind: *causal* are those that say which of the two is a cause (`-->`), *by
#' hidden causes* those that say that neither is (`<->`), and *open* all others, which have a
#' circle.
#'
#' @details The algorithm is FCI with the complete rules R1 to R10 (Zhang 2008). The tests of
#' [marginal_pc()] decide, also for fits with `search = "score"`: an edge goes if the evidence, with
#' noise and sampling error in it, favours independence. Whether x and y meet in z (`x *-> z <-* y`)
#' is decided by a likelihood ratio of the same tables; where the noise leaves it near 1, nothing is
#' concluded from the triple, and circles stay (as in conservative FCI, Colombo et al. 2012). All of
#' it is computed from what was measured and costs no budget.
#'
#' Background knowledge: of two variables in different [tiers()], or joined by an arc that is
#' forbidden in one direction, the later one is no cause of the earlier one: an arrowhead. A
#' required arc has a tail as well. Pairs that are forbidden both ways have no edge, so that a
#' hidden common cause of the two is excluded as well; a message names them, and `print()` says
#' where their tables speak against it.
#'
#' It is assumed that people did not get into the data because of what two of the variables are
#' (no selection bias), and that independences are not accidents (faithfulness). Fewer marks are
#' right than edges are: see `vignette("hidden")` for how many are wrong at which size.
#'
#' @param x,object A graph with hidden common causes.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A list of class `"privpc_pag"`:
#' * `marks`: integer matrix with pcalg's codes. Entry (a, b) is the mark at b of the edge between a
#'   and b: 0 no edge, 1 circle, 2 arrowhead, 3 tail. `as.matrix()` gives it.
#' * `separations`: data frame of the pairs that were separated: `x`, `y`, and the list column
#'   `given`.
#' * `nodes`: the names of the variables. `settings`: by which it was learnt.
#' * `privacy`: the promise of the fit that it was learnt from, which the graph keeps without the
#'   fit.
#' * `fit`: the [fit][privpc-class] with the measurements, the promise and the graph without hidden
#'   causes; not in a true graph ([network_pag()]), which has an `origin` instead. Without it
#'   (`graph$fit <- NULL`) the graph can be looked at and handed on, but nothing can be asked of its
#'   measurements.
#'
#' `as.data.frame()` gives one row per edge: `from`, `to`, `edge` (as `"o->"`), `visible` and
#' `meaning`. [privacy_ledger()], [measured()], [retest()], [bin_like()] and [effect()] take the
#' object as they take a fit; functions that need a graph without hidden causes refuse it.
#' @references Zhang, J. (2008). On the completeness of orientation rules for causal discovery in
#' the presence of latent confounders and selection bias. *Artificial Intelligence* 172, 1873-1896.
#'
#' Colombo, D., Maathuis, M. H., Kalisch, M. and Richardson, T. S. (2012). Learning high-dimensional
#' directed acyclic graphs with latent and selection variables. *Annals of Statistics* 40, 294-321.
#' @seealso [relearn()], [network_pag()] for the truth, [compare_graphs()], [effect()],
#'   [as_dagitty()].
#' @name privpc_pag
#' @examples
#' # Smoking, which acts on lung cancer and bronchitis, was not recorded
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' cohort$smoke <- NULL
#' fit <- marginal_pc(cohort, epsilon = 1)
#' graph <- relearn(fit, hidden = TRUE)
#' graph
#' summary(graph)
#'
#' # The truth, and how close it is
#' truth <- network_pag(network("asia"), hidden = "smoke")
#' compare_graphs(graph, truth)
NULL

#' @rdname privpc_pag
#' @export
print.privpc_pag <- function(x, ...) {
  check_dots_empty(...)
  check_sound_pag(x, rlang::current_env())
  cli::cat_line(cli::style_bold("<privpc_pag>"), " ", pag_origin_text(x))
  settings <- settings_text(x$settings[setdiff(names(x$settings), "search")])
  if (nzchar(settings)) cli::cat_line(settings)
  if (!is.null(x$fit)) cat_sites(x$fit)
  edges <- pag_edges(x$marks, x$clear)
  cli::cat_line(counted(length(x$nodes), "node"), ", ", pag_counts_text(edges))
  cat_list(paste(edges$from, edges$edge, edges$to, recycle0 = TRUE), " more; see `as.data.frame()`")
  if (nrow(edges)) {
    cat_visible(edges)
    cat_wrapped(paste(
      "Marks: `x --> y` says that x is a cause of y (-) and y is no cause of x (>);",
      "o is not known.",
      "In words: `summary()`"
    ))
  }
  contradicted <- excluded_text(x)
  if (!is.null(contradicted)) cat_wrapped(contradicted)
  cat_pag_privacy(x)
  invisible(x)
}

pag_origin_text <- function(x) {
  if (is_true_pag(x)) return(paste("true graph of", x$origin))
  paste0(
    "causal graph with hidden common causes, ",
    if (is.null(x$fit)) "without its fit" else paste0("from ", pag_tables_text(x$fit))
  )
}

pag_tables_text <- function(fit) {
  paste0(
    if (is_pooled(fit)) "the noisy ", "tables of ",
    if (is_pooled(fit)) counted(nrow(fit$sites), "site") else paste0(fit$learner, "()")
  )
}

pag_counts_text <- function(edges) {
  if (nrow(edges) == 0L) return("no edges")
  causal <- sum(edges$edge == "-->")
  hidden <- sum(edges$edge == "<->")
  counts <- c(causal = causal, `by hidden causes` = hidden, open = nrow(edges) - causal - hidden)
  counts <- counts[counts > 0L]
  paste0(counted(nrow(edges), "edge"), " (", paste(counts, names(counts), collapse = ", "), ")")
}

cat_pag_privacy <- function(x) {
  if (is_true_pag(x)) return(cat_mark(x))
  # What the fit has spent is told with its promise, unless the graph's own one is not kept.
  with_fit <- !is.null(x$fit) && (is_promise(x$privacy) || !is_promise(x$fit$privacy))
  cat_privacy(if (with_fit) x$fit else x)
}

#' @rdname privpc_pag
#' @export
format.privpc_pag <- function(x, ...) {
  check_dots_empty(...)
  check_sound_pag(x, rlang::current_env())
  promise <- c(
    if (is_true_pag(x)) "true graph", if (!is.null(mark_of(x))) "NOT private",
    if (!is_true_pag(x) && is.null(mark_of(x))) short_promise_text(x$privacy)
  )
  paste0(
    "<privpc_pag: ", if (is_pooled(x$fit)) paste0(counted(nrow(x$fit$sites), "site"), ", "),
    counted(length(x$nodes), "node"), ", ",
    pag_counts_text(pag_edges(x$marks)), ", ", paste(promise, collapse = ", "), ">"
  )
}

#' @rdname privpc_pag
#' @export
as.matrix.privpc_pag <- function(x, ...) {
  check_dots_empty(...)
  check_sound_pag(x, rlang::current_env())
  marked(x$marks, mark_of(x))
}

#' @rdname privpc_pag
#' @param row.names,optional As in [as.data.frame()]; `row.names` names the rows, `optional`
#'   has no effect.
#' @export
as.data.frame.privpc_pag <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  check_dots_empty(...)
  check_sound_pag(x, rlang::current_env())
  edges <- pag_edges(x$marks, x$clear)
  check_row_names(row.names, nrow(edges))
  if (!is.null(row.names)) row.names(edges) <- row.names
  marked(edges, mark_of(x))
}

#' @rdname privpc_pag
#' @export
summary.privpc_pag <- function(object, ...) {
  check_dots_empty(...)
  check_sound_pag(object, rlang::current_env(), "object")
  structure(list(edges = as.data.frame(object), graph = object), class = "summary.privpc_pag")
}

#' @export
print.summary.privpc_pag <- function(x, ...) {
  graph <- x$graph
  cli::cat_line(cli::style_bold("<privpc_pag>"), " ", pag_origin_text(graph))
  edges <- pag_edges(graph$marks, graph$clear)
  cli::cat_line(counted(length(graph$nodes), "node"), ", ", pag_counts_text(edges))
  # What is known first.
  if (nrow(edges)) cli::cat_line("If the graph is right:")
  rank <- match(edges$edge, c("-->", "<->", "o->", "o-o"))
  edges <- edges[order(rank), , drop = FALSE]
  shown <- paste(edges$from, edges$edge, edges$to, recycle0 = TRUE)
  for (text in paste0(edges$meaning, " (", shown, ")", recycle0 = TRUE)) {
    cat(strwrap(text, cli::console_width(), indent = 2L, exdent = 4L), sep = "\n")
  }
  cat_pag_privacy(graph)
  invisible(x)
}

# Which arrows nothing hidden can be behind.
cat_visible <- function(edges, most = 10L) {
  shown <- edges[edges$visible, , drop = FALSE]
  if (nrow(shown) == 0L) return(invisible())
  text <- utils::head(paste(shown$from, shown$edge, shown$to), most)
  rest <- nrow(shown) - length(text)
  cat_wrapped(paste0(
    "No hidden cause behind: ", paste(c(text, if (rest) paste(rest, "more")), collapse = ", ")
  ))
}

# One row per edge, by position of the nodes, an arrowhead at the right end where there is one.
pag_edges <- function(marks, clear = NULL) {
  ends <- which(marks > 0L & upper.tri(marks), arr.ind = TRUE, useNames = FALSE)
  ends <- ends[order(ends[, 1L], ends[, 2L]), , drop = FALSE]
  is_arrow <- marks == mark_codes[["arrow"]]
  swap <- !is_arrow[ends] & is_arrow[ends[, 2:1, drop = FALSE]]
  ends[swap, ] <- ends[swap, 2:1]
  nodes <- rownames(marks)
  from <- nodes[ends[, 1L]]
  to <- nodes[ends[, 2L]]
  edge <- paste0(
    left_signs[marks[ends[, 2:1, drop = FALSE]]], "-", right_signs[marks[ends]], recycle0 = TRUE
  )
  visible <- vapply(seq_along(from), function(i) {
    is_visible(marks, from[[i]], to[[i]], clear)
  }, NA)
  data.frame(
    from = from, to = to, edge = edge, visible = visible,
    meaning = edge_meaning(from, to, edge, visible)
  )
}

edge_meaning <- function(from, to, edge, visible) {
  if (length(edge) == 0L) return(character())
  both <- paste(from, "and", to, recycle0 = TRUE)
  ifelse(
    edge == "-->" & visible, paste(from, "causes", to, "and no hidden cause acts on both"),
    ifelse(
      edge == "-->", paste0(from, " causes ", to, "; a hidden cause may act on both besides"),
      ifelse(
        edge == "<->", paste(both, "share a hidden cause; neither causes the other"),
        ifelse(
          edge == "o->",
          paste0(
            from, " causes ", to, ", or they share a hidden cause, or both; ", to,
            " does not cause ", from
          ),
          ifelse(
            edge == "o-o",
            paste("one of", both, "causes the other, or they share a hidden cause, or both"),
            paste(both, "depend on each other among those who were selected")
          )
        )
      )
    )
  )
}

# Methods of other packages' generics, for a message that says what to do.
#' @importFrom igraph as.igraph
#' @export
as.igraph.privpc_pag <- function(x, ...) abort_pag(x, "x", rlang::current_env())

#' @importFrom stats simulate
#' @export
simulate.privpc_pag <- function(object, nsim = 1, seed = NULL, ...) {
  abort_pag(object, "object", rlang::current_env())
}

#' @exportS3Method bnlearn::as.bn
as.bn.privpc_pag <- function(x, ...) { # nolint: object_name_linter.
  abort_pag(x, "x", rlang::current_env())
}
