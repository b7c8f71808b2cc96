# Which effects a learnt graph identifies, and what to adjust for. Graphs are those of R/edges.R.
# The criterion is that of Perkovic et al. (2018) for completed graphs, with and without background
# knowledge.

# Nodes that can be reached from `start` along edges that are not against their direction. `through`
# may be passed, others may not.
possible_descendants <- function(graph, start, through = rownames(graph)) {
  reached <- start
  new <- start
  while (length(new)) {
    new <- setdiff(intersect(possible_children_of(graph, new), through), reached)
    reached <- c(reached, new)
  }
  reached
}

possible_ancestors <- function(graph, start) possible_descendants(t(graph), start)

# Whether the effect is identified: the undirected edges at the exposure that are in the way
# (`unclear`, their other ends), and whether there is any path that may be causal. The effect is
# identified if every such path leaves the exposure by an arrow. A path is taken as possibly
# causal if no edge of it points back; some of these are ruled out by edges between nodes of the
# path that are not neighbours on it, so the answer errs on the careful side.
identification <- function(graph, exposure, outcome) {
  others <- setdiff(rownames(graph), exposure)
  leads <- function(first) outcome %in% possible_descendants(graph, first, others)
  next_to <- possible_children_of(graph, exposure)
  next_to <- next_to[vapply(next_to, leads, NA)]
  open <- undirected_neighbours_of(graph, exposure)
  list(unclear = intersect(next_to, open), any_path = length(next_to) > 0L)
}

# How the fit's own graph answers: `kind`, the `sets` to adjust for, and whether these are
# `together` one distribution. Identified ("given"), by an open direction not ("open"), or no path
# at all ("none"); what causes the exposure cannot be its effect.
ways_of_graph <- function(fit, held, exposure, outcome, adjust, call) {
  graph <- edge_matrix(fit)
  found <- identification(graph, exposure, outcome)
  way <- function(kind, sets, ...) {
    list(kind = kind, sets = sets, weights = rep(1, length(sets)), together = FALSE, ...)
  }
  if (!is.null(adjust) && length(found$unclear)) {
    abort_unclear(found$unclear, exposure, outcome, call)
  }
  if (found$any_path && !length(found$unclear)) {
    return(way("given", list(choose_adjustment(fit, held, exposure, outcome, adjust, call))))
  }
  definite <- is_directed(graph) + 0L
  if (exposure %in% possible_descendants(definite, outcome)) {
    abort_reversed(exposure, outcome, outcome %in% parents_of(graph, exposure), call)
  }
  shares <- stats::setNames(rep(1, nrow(graph)), rownames(graph))
  levels <- stats::setNames(held$levels, held$nodes)
  sets <- unique(lapply(possible_parents(graph, exposure), function(set) {
    if (outcome %in% set) outcome else within_limits(set, exposure, outcome, levels, shares)
  }))
  if (length(found$unclear)) return(way("open", sets, unclear = found$unclear))
  if (!is.null(adjust)) abort_nothing_to_adjust(exposure, outcome, call)
  way("none", sets)
}

# A graph with hidden common causes either identifies the effect, or refuses.
ways_of_pag <- function(pag, held, exposure, outcome, adjust, call) {
  set <- pag_adjustment(pag, held, exposure, outcome, adjust, call)
  list(kind = "given", sets = list(set), weights = 1, together = FALSE, hidden = TRUE)
}

# The graphs that were drawn, those with the same set once.
ways_of_graphs <- function(drawn, outcome) {
  sets <- unique(drawn$sets)
  list(
    kind = "uncertain", sets = sets, weights = tabulate(match(drawn$sets, sets), length(sets)),
    together = TRUE, no_path = mean(!drawn$acts), graphs = length(drawn$sets),
    reversed = mean(vapply(drawn$sets, identical, NA, outcome))
  )
}

abort_unclear <- function(unclear, exposure, outcome, call) {
  edges <- paste(exposure, "--", unclear)
  abort(c(
    paste(
      "The graph does not identify the effect of {.val {exposure}} on {.val {outcome}}, so",
      "{.arg adjust} cannot be checked."
    ),
    x = paste(
      "The direction of {.val {edges}} is open, and from there a path may lead to",
      "{.val {outcome}}: {cli::qty(edges)}{?it/each} may be a cause of {.val {exposure}} to adjust",
      "for, or a way in which it acts."
    ),
    i = paste(
      "Leave {.arg adjust} out for the effects that are possible. If it is known what came first,",
      "say so at no cost: {.code relearn(fit, tiers = ...)} or",
      "{.code relearn(fit, whitelist = ...)}."
    )
  ), class = "privpc_not_identified", call = call)
}

abort_nothing_to_adjust <- function(exposure, outcome, call) {
  abort(c(
    paste(
      "The graph has no effect of {.val {exposure}} on {.val {outcome}} that {.arg adjust} could",
      "be checked for."
    ),
    x = "No path of arrows leads from {.val {exposure}} to {.val {outcome}}.",
    i = paste(
      "Leave {.arg adjust} out for what the tables leave room for. If it is known that there is an",
      "effect, say so at no cost:",
      "{.code relearn(fit, whitelist = c(\"{exposure}\", \"{outcome}\"))}."
    )
  ), class = "privpc_no_effect", call = call)
}

abort_reversed <- function(exposure, outcome, directly, call) {
  abort(c(
    "The graph has no effect of {.val {exposure}} on {.val {outcome}} to be estimated.",
    x = if (directly) {
      "{.val {outcome}} points to {.val {exposure}}, not the other way round."
    } else {
      "A path of arrows leads from {.val {outcome}} to {.val {exposure}}, not the other way round."
    },
    i = paste(
      "If the graph is right, setting {.val {exposure}} does not change {.val {outcome}}.",
      "{.code effect(..., graph = \"uncertain\")} allows for graphs in which it is otherwise."
    )
  ), class = "privpc_no_effect", call = call)
}

# Nodes that must not be adjusted for: those on a possibly causal path (without the exposure), and
# whatever may come after them.
forbidden_nodes <- function(graph, exposure, outcome) {
  others <- setdiff(rownames(graph), exposure)
  after <- possible_descendants(graph, children_of(graph, exposure), others)
  before <- possible_descendants(t(graph), outcome, others)
  unique(possible_descendants(graph, intersect(after, before)))
}

# The class is amenable, so a set is valid in all DAGs of it or in none: one DAG decides. Valid:
# no forbidden node, and all paths that are not causal are blocked, that is, the set separates
# exposure and outcome once the arrows out of the exposure that begin causal paths are gone.
is_valid_adjustment <- function(dag, exposure, outcome, set, forbidden) {
  if (any(set %in% forbidden)) return(FALSE)
  nodes <- rownames(dag)
  before_outcome <- possible_descendants(t(dag), outcome, setdiff(nodes, exposure))
  causal <- intersect(children_of(dag, exposure), before_outcome)
  dag[exposure, causal] <- 0L
  cpp_is_d_separated(
    dag, match(exposure, nodes), match(outcome, nodes), as.integer(match(set, nodes))
  )
}

# At most this many candidates are combined; more would take long, and the parents do as well.
most_candidates <- 25L

choose_adjustment <- function(fit, held, exposure, outcome, adjust, call) {
  graph <- edge_matrix(fit)
  dag <- check_extended(extend_by_name(graph), call)
  forbidden <- c(forbidden_nodes(graph, exposure, outcome), exposure, outcome)
  valid <- function(set) is_valid_adjustment(dag, exposure, outcome, set, forbidden)
  if (!is.null(adjust)) {
    check_adjustment(adjust, held, exposure, outcome, forbidden, valid, call)
    return(adjust)
  }
  parents <- parents_of(graph, exposure)
  candidates <- setdiff(possible_ancestors(graph, c(exposure, outcome)), forbidden)
  if (length(candidates) > most_candidates) candidates <- parents
  sets <- smallest_sets(candidates, valid)
  if (length(sets)) {
    best_measured(sets, rownames(graph), fit$settings$tiers, held, exposure, outcome, call)
  } else {
    parents
  }
}

# All smallest ones that will do, of at most three of the candidates; none if these do not suffice.
smallest_sets <- function(candidates, valid) {
  candidates <- sort(candidates, method = "radix")
  for (size in 0:min(3L, length(candidates))) {
    sets <- utils::combn(candidates, size, simplify = FALSE)
    sets <- sets[vapply(sets, valid, NA)]
    if (length(sets)) return(sets)
  }
  list()
}

# The one with the fewest variables from later tiers, then the one of which most was measured.
best_measured <- function(sets, nodes, tiers, held, exposure, outcome, call) {
  tier <- stats::setNames(rep(1L, length(nodes)), nodes)
  if (length(tiers)) tier[nodes] <- tier_of(nodes, fill_tiers(tiers, nodes))
  unmeasured <- vapply(sets, function(set) {
    length(noisy_table(held, match(c(outcome, exposure, set), held$nodes), call)$missing)
  }, 0L)
  later <- vapply(sets, function(set) sum(tier[set] > tier[[exposure]]), 0)
  sets[[order(later, unmeasured)[[1L]]]]
}

check_adjustment <- function(adjust, held, exposure, outcome, forbidden, valid, call) {
  if (!is.character(adjust) || anyNA(adjust)) {
    abort(c(
      "{.arg adjust} must be names of variables, or `NULL`.",
      x = "It is {describe(adjust)}."
    ), call = call)
  }
  check_known_variables(adjust, held$nodes, call, "{.arg adjust}")
  wrong <- intersect(adjust, forbidden)
  if (length(wrong)) {
    abort(c(
      "{.arg adjust} must not contain what the exposure may act through or upon.",
      x = "In the graph that is so for {.val {wrong}}."
    ), class = "privpc_not_identified", call = call)
  }
  if (valid(adjust)) return(invisible())
  abort(c(
    "Adjusting for these variables does not identify the effect in this graph.",
    x = "A path that is not causal stays open between {.val {exposure}} and {.val {outcome}}.",
    i = "Leave {.arg adjust} out to have a valid set chosen."
  ), class = "privpc_not_identified", call = call)
}
