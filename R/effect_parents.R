# What to adjust for when a graph leaves directions open, or is itself uncertain: the direct causes
# of the exposure. They suffice for every effect of it (Pearl 1995), whatever the graph says about
# the outcome, so that an edge that was missed elsewhere does no harm.

# The sets of direct causes that the exposure has in the members of the class: its parents, with any
# of its open neighbours that may point to it without making a new v-structure there (Maathuis,
# Kalisch and Buehlmann 2009, "Estimating high-dimensional intervention effects from observational
# data", Annals of Statistics 37, 3133-3164: the local version of IDA).
possible_parents <- function(graph, exposure) {
  parents <- parents_of(graph, exposure)
  adjacent <- without_directions(graph) == 1
  sets <- list(character())
  for (node in undirected_neighbours_of(graph, exposure)) {
    with_node <- Filter(function(set) all(adjacent[node, c(parents, set)]), sets)
    sets <- c(sets, lapply(with_node, c, node))
    if (length(sets) > most_parent_sets) break
  }
  lapply(sets, function(set) sort(c(parents, set), method = "radix"))
}

# Beyond this the range of possible effects is told from the first ones.
most_parent_sets <- 64L

# Sets for which a table can be computed: of one that is too large, the parents that stand in the
# fewest graphs are left out. `shares` is how often each is a neighbour of the exposure.
within_limits <- function(set, exposure, outcome, levels, shares) {
  size <- function(set) prod(lengths(levels[c(exposure, outcome, set)]))
  while (length(set) && size(set) > core_limits$most_cells) {
    set <- setdiff(set, set[[which.min(shares[set])]])
  }
  set
}

# For each of the graphs that were drawn (R/replay.R) one set of direct causes of the exposure,
# chosen by chance where directions are open, and whether the graph has a path along which it may
# act. A list of `sets` and `acts`.
drawn_parents <- function(replayed, exposure, outcome, levels) {
  nodes <- rownames(replayed$edges)
  graphs <- cpp_drawn_graphs(replayed$graphs)
  shares <- replayed$edges[, exposure]
  sets <- vector("list", ncol(graphs))
  acts <- logical(ncol(graphs))
  for (k in seq_len(ncol(graphs))) {
    graph <- matrix(graphs[, k], length(nodes), dimnames = list(nodes, nodes))
    possible <- possible_parents(graph, exposure)
    set <- possible[[sample.int(length(possible), 1L)]]
    # Whoever causes the exposure is not its effect.
    sets[[k]] <- if (outcome %in% set) {
      outcome
    } else {
      within_limits(set, exposure, outcome, levels, shares)
    }
    acts[[k]] <- outcome %in% possible_descendants(graph, exposure)
  }
  list(sets = sets, acts = acts)
}
