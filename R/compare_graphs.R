#' How close are two graphs?
#'
#' @description
#' Compares an estimated graph with the true one, twice: once by the edges alone (the
#' skeleton), once by the edges and their marks in the CPDAG, the graph of all DAGs that
#' imply the same independences.
#'
#' @details
#' For the row `"cpdag"` both graphs are replaced by the CPDAG of their equivalence class, as
#' `bnlearn::shd()` does: a DAG and its CPDAG have distance 0, and directions that come from
#' background knowledge alone do not count. A graph whose undirected edges cannot be
#' directed without a cycle or a new collider describes no class; it is taken as it is.
#'
#' An edge counts as a true positive (`tp`) if it is in both graphs, in the row `"cpdag"` with
#' the same mark (the same direction in both, or undirected in both). The other edges of the
#' estimate are false positives (`fp`), the other edges of the truth false negatives (`fn`).
#' `shd`, the structural Hamming distance, is the number of pairs of nodes on which the graphs
#' differ: an edge with a wrong mark is one difference there, but one false positive and one
#' false negative.
#'
#' `precision` is tp / (tp + fp), `recall` is tp / (tp + fn), and `f1` is
#' 2 tp / (2 tp + fp + fn). Where that is 0 / 0, the value is 1 if both graphs have no
#' edges and 0 if only one has none, so that averages over many graphs are always defined.
#'
#' **Hidden common causes.** If one of the two is a [graph with hidden common causes][privpc_pag],
#' the other must be one, too, or a network (taken with nothing hidden, see [network_pag()]), or a
#' matrix with names and pcalg's codes, as `fci()` of that package has it in `@amat`: entry (a, b)
#' is
#' the mark at b, 0 no edge, 1 circle, 2 arrowhead, 3 tail; here it needs no `t()`. The second row
#' is then `"pag"`: an edge is a true positive there if it has the same marks at both
#' ends. Further columns say what became of the marks of the edges that are in both graphs: the
#' shares that are `right` (as in the truth), `wrong` (another mark than in the truth, also where
#' the truth leaves it open), and `open` (a circle where the truth has a mark).
#'
#' @param estimate,truth Graphs: a fit, a network, a bnlearn `"bn"` or `"bn.fit"`, an igraph,
#'   or an adjacency matrix (row = from, column = to, undirected = both; matrices of pcalg are
#'   the other way round and need `t()`). Nodes are matched by name, so their order does not
#'   matter. If neither has names they are matched by position.
#' @return A data frame with two rows and the columns `graph` (`"skeleton"`, `"cpdag"`), `tp`, `fp`,
#'   `fn`, `precision`, `recall`, `f1` and `shd`; with hidden common causes also `right`, `wrong`
#'   and `open`.
#' @export
#' @examples
#' # How much of the Sachs network is found in 50000 records? Nothing is wrong, but two weak
#' # edges are missing.
#' sachs <- network("sachs")
#' fit <- exact_pc(simulate(sachs, nsim = 50000, seed = 1), alpha = 0.01, max_order = 2)
#' compare_graphs(fit, sachs)
#'
#' # In the Asia network even that many do not help: `either` is exactly "tub or lung", and
#' # given these two it tells nothing more about xray and dysp. Two edges are lost.
#' asia <- network("asia")
#' fit <- exact_pc(simulate(asia, nsim = 50000, seed = 1), alpha = 0.01, max_order = 2)
#' compare_graphs(fit, asia)
#'
#' # Reversing an arc that is not identified changes nothing
#' one <- matrix(c(0, 0, 1, 0), 2, dimnames = list(c("a", "b"), c("a", "b")))
#' compare_graphs(one, t(one))
compare_graphs <- function(estimate, truth) {
  check_given(estimate)
  check_given(truth)
  mark <- mark_of(estimate, truth)
  if (is_pag(estimate) || is_pag(truth)) return(marked(compare_pags(estimate, truth), mark))
  estimate <- adjacency_of(estimate)
  truth <- adjacency_of(truth)
  truth <- match_nodes(estimate, truth)
  marked(rbind(
    score_graph("skeleton", without_directions(estimate), without_directions(truth)),
    score_graph("cpdag", class_of(estimate), class_of(truth))
  ), mark)
}

class_of <- function(graph) {
  cpdag <- cpp_pdag_to_cpdag(graph)
  if (is.null(cpdag)) graph else cpdag
}

# The nodes of `truth` in the order of `estimate`.
match_nodes <- function(estimate, truth, call = rlang::caller_env()) {
  ours <- rownames(estimate)
  theirs <- rownames(truth)
  if (is.null(ours) != is.null(theirs) && nrow(estimate) + nrow(truth) > 0L) {
    without <- if (is.null(ours)) "estimate" else "truth"
    abort(c(
      "Nodes are matched by name, but those of {.arg {without}} have no names.",
      i = "Give it dimnames (an igraph: the vertex attribute {.field name})."
    ), call = call)
  }
  if (is.null(ours)) {
    if (nrow(estimate) == nrow(truth)) return(truth)
    abort(c(
      "Graphs without names must have the same number of nodes.",
      x = "{.arg estimate} has {nrow(estimate)}, {.arg truth} has {nrow(truth)}."
    ), call = call)
  }
  missing <- setdiff(theirs, ours)
  extra <- setdiff(ours, theirs)
  if (length(missing) + length(extra) > 0L) {
    abort(c(
      "Both graphs must have the same nodes.",
      x = if (length(missing)) "Only in {.arg truth}: {.val {missing}}.",
      x = if (length(extra)) "Only in {.arg estimate}: {.val {extra}}."
    ), call = call)
  }
  truth[ours, ours, drop = FALSE]
}

score_graph <- function(graph, estimate, truth) {
  pairs <- upper.tri(estimate)
  # 0 no edge, 1 undirected, 2 and 3 directed
  mark <- function(edges) ifelse(is_undirected(edges), 1L, 2L * edges + 3L * t(edges))[pairs]
  a <- mark(estimate)
  b <- mark(truth)
  tp <- sum(a == b & a > 0L)
  score_counts(graph, tp, sum(a > 0L) - tp, sum(b > 0L) - tp, sum(a != b))
}

score_counts <- function(graph, tp, fp, fn, shd) {
  ratio <- function(part, whole) if (whole > 0L) part / whole else as.double(fp + fn == 0L)
  data.frame(
    graph = graph, tp = tp, fp = fp, fn = fn,
    precision = ratio(tp, tp + fp), recall = ratio(tp, tp + fn),
    f1 = ratio(2 * tp, 2 * tp + fp + fn), shd = shd
  )
}
