# Which effects a graph with hidden common causes identifies by adjustment, and what to adjust for:
# the generalized adjustment criterion of Perkovic et al. (2018) for partial ancestral graphs.

# a -> b with no hidden cause of both, whatever graph is the true one (Zhang 2008, definition 8):
# something that is not adjacent to b points to a, directly or by a path of colliders that are all
# causes of b. In a graph that was learnt both have to be so also where marks need clear evidence:
# a wrong mark or a missed edge makes arrows visible that are none (bench/visible.R).
is_visible <- function(marks, a, b, clear = NULL) {
  points_alone(marks, a, b) && (is.null(clear) || points_alone(clear, a, b))
}

points_alone <- function(marks, a, b) {
  arrow <- mark_codes[["arrow"]]
  is_parent <- function(of) marks[, of] == arrow & marks[of, ] == mark_codes[["tail"]]
  if (!is_parent(b)[[a]]) return(FALSE)
  far <- marks[, b] == 0L & rownames(marks) != b
  seen <- reached <- a
  while (length(reached)) {
    into <- marks[, reached, drop = FALSE] == arrow
    if (any(into & far)) return(TRUE)
    # On from those that are colliders, too: two-headed edges.
    both <- rowSums(into & t(marks[reached, , drop = FALSE] == arrow)) > 0L
    reached <- setdiff(rownames(marks)[both & is_parent(b)], seen)
    seen <- c(seen, reached)
  }
  FALSE
}

# As a 0/1 matrix of R/edges.R: may the row's node be a cause of the column's, along this edge?
may_cause <- function(marks) {
  may <- marks > 0L & t(marks) != mark_codes[["arrow"]] & marks != mark_codes[["tail"]]
  storage.mode(may) <- "integer"
  may
}

# First nodes of the paths along which the exposure may act, and which of these edges are not
# visible.
pag_paths <- function(marks, exposure, outcome, clear = NULL) {
  may <- may_cause(marks)
  others <- setdiff(rownames(marks), exposure)
  first <- possible_children_of(may, exposure)
  first <- first[vapply(first, function(node) {
    outcome %in% possible_descendants(may, node, others)
  }, NA)]
  visible <- vapply(first, function(node) is_visible(marks, exposure, node, clear), NA)
  list(first = first, unclear = first[!visible])
}

# One of the graphs without circles that the marks allow, as a DAG with a node for each hidden
# cause: o-> becomes ->, and edges with two circles are directed without new colliders (Zhang
# 2008). If the effect is amenable and no triple is undecided, a set blocks in all of them or in
# none.
latent_dag <- function(marks) {
  arrow <- mark_codes[["arrow"]]
  circles <- marks == mark_codes[["circle"]] & t(marks) == mark_codes[["circle"]]
  storage.mode(circles) <- "integer"
  directed <- marks == arrow & t(marks) != arrow & t(marks) > 0L
  dag <- pmax(extend_by_name(circles), directed + 0L)
  storage.mode(dag) <- "integer"
  shared <- which(marks == arrow & t(marks) == arrow & upper.tri(marks), arr.ind = TRUE)
  n <- nrow(marks)
  full <- matrix(0L, n + nrow(shared), n + nrow(shared))
  full[seq_len(n), seq_len(n)] <- dag
  hidden <- n + seq_len(nrow(shared))
  full[cbind(hidden, shared[, 1L])] <- 1L
  full[cbind(hidden, shared[, 2L])] <- 1L
  full
}

# The set to adjust for; an error that says why if there is none.
pag_adjustment <- function(pag, held, exposure, outcome, adjust, call) {
  criterion <- pag_criterion(pag, exposure, outcome, call)
  if (!is.null(adjust)) {
    check_adjustment(adjust, held, exposure, outcome, criterion$forbidden, criterion$valid, call)
    return(adjust)
  }
  sets <- pag_sets(criterion, exposure, outcome, call)
  best_measured(sets, pag$nodes, pag$settings$tiers, held, exposure, outcome, call)
}

# What must not be adjusted for, what may be, and a function that says whether a set will do.
pag_criterion <- function(pag, exposure, outcome, call) {
  marks <- pag$marks
  paths <- pag_paths(marks, exposure, outcome, pag$clear)
  if (!length(paths$first)) abort_no_effect_in_pag(exposure, outcome, call)
  if (length(paths$unclear)) abort_invisible(pag, paths$unclear, exposure, outcome, call)
  nodes <- rownames(marks)
  may <- may_cause(marks)
  forbidden <- unique(c(possible_descendants(may, paths$first), exposure, outcome))
  dag <- latent_dag(marks)
  dag[match(exposure, nodes), match(paths$first, nodes)] <- 0L
  valid <- function(set) {
    !any(set %in% forbidden) && cpp_is_d_separated(
      dag, match(exposure, nodes), match(outcome, nodes), as.integer(match(set, nodes))
    ) && !may_be_open(marks, pag$undecided, exposure, outcome, set, paths$first)
  }
  candidates <- setdiff(possible_ancestors(may, c(exposure, outcome)), forbidden)
  list(
    forbidden = forbidden, candidates = candidates, valid = valid,
    complete = NROW(pag$undecided) == 0L
  )
}

pag_sets <- function(criterion, exposure, outcome, call) {
  valid <- criterion$valid
  candidates <- criterion$candidates
  # If any set will do, all of these together will, unless triples are undecided.
  if (criterion$complete && !valid(candidates)) abort_no_set(exposure, outcome, call)
  sets <- smallest_sets(candidates, valid)
  if (length(sets)) return(sets)
  if (!valid(candidates)) abort_no_set(exposure, outcome, call)
  # Leaves out what is not needed.
  for (node in sort(candidates, method = "radix")) {
    if (valid(setdiff(candidates, node))) candidates <- setdiff(candidates, node)
  }
  list(candidates)
}

abort_no_effect_in_pag <- function(exposure, outcome, call) {
  abort(c(
    "The graph has no effect of {.val {exposure}} on {.val {outcome}} to be estimated.",
    x = paste(
      "Every path between the two has an arrowhead against it: {.val {exposure}} is no cause of",
      "{.val {outcome}}, whatever is hidden."
    ),
    i = "If the graph is right, setting {.val {exposure}} does not change {.val {outcome}}."
  ), class = "privpc_no_effect", call = call)
}

# Why the effect cannot be told from hidden causes, edge by edge.
abort_invisible <- function(pag, unclear, exposure, outcome, call) {
  edges <- pag_edges(pag$marks, pag$clear)
  is_one <- function(a, b) a == exposure & b %in% unclear
  edges <- edges[is_one(edges$from, edges$to) | is_one(edges$to, edges$from), , drop = FALSE]
  reasons <- paste0(edges$from, " ", edges$edge, " ", edges$to, ": ", edges$meaning, ".")
  abort(c(
    paste(
      "The graph does not identify the effect of {.val {exposure}} on {.val {outcome}}: a hidden",
      "common cause may be behind it."
    ),
    rlang::set_names(escape_braces(reasons), rep("x", length(reasons))),
    i = if (length(pag$settings$tiers) == 0L) {
      paste(
        "What is known beforehand may help, at no cost:",
        "{.code relearn(fit, tiers = ..., hidden = TRUE)}."
      )
    },
    i = if (!is.null(pag$fit)) {
      paste(
        "{.code effect(fit$fit, ...)} estimates it as if nothing were hidden, with an E-value: how",
        "strong a hidden cause would have to be."
      )
    }
  ), class = "privpc_not_identified", call = call)
}

escape_braces <- function(text) gsub("}", "}}", gsub("{", "{{", text, fixed = TRUE), fixed = TRUE)

abort_no_set <- function(exposure, outcome, call) {
  abort(c(
    paste(
      "No set of the recorded variables identifies the effect of {.val {exposure}} on",
      "{.val {outcome}}."
    ),
    x = "A path that is not causal stays open between the two whatever is adjusted for.",
    i = paste(
      "What is known beforehand may help, at no cost, unless the fit has its tiers:",
      "{.code relearn(fit, tiers = ..., hidden = TRUE)}."
    )
  ), class = "privpc_not_identified", call = call)
}
