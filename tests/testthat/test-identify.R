graph_of <- function(nodes, ..., undirected = character()) {
  amat <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (arc in strsplit(c(...), " -> ")) amat[arc[1], arc[2]] <- 1L
  for (edge in strsplit(undirected, " -- ")) amat[edge[1], edge[2]] <- amat[edge[2], edge[1]] <- 1L
  amat
}

# Measurements of nothing.
nothing_held <- function(nodes) {
  list(
    nodes = nodes, levels = rep(list(c("0", "1")), length(nodes)), n = 10, tables = list(),
    families = list()
  )
}

# All DAGs of the class of a completed graph, by brute force.
members <- function(cpdag) {
  open <- which(cpdag == 1L & t(cpdag) == 1L & upper.tri(cpdag), arr.ind = TRUE)
  out <- list()
  for (mask in seq_len(2^nrow(open)) - 1L) {
    dag <- cpdag
    for (k in seq_len(nrow(open))) {
      ends <- open[k, ]
      if (bitwAnd(mask, 2^(k - 1)) > 0) ends <- rev(ends)
      dag[ends[2], ends[1]] <- 0L
    }
    if (!cpp_is_acyclic(dag)) next
    if (identical(cpp_dag_to_cpdag(dag, no_arcs, no_arcs), cpdag)) out <- c(out, list(dag))
  }
  out
}

# Pearl's back-door criterion in one DAG: no descendant of the exposure, and separation without
# the arrows out of the exposure.
is_back_door <- function(dag, x, y, set) {
  after <- setdiff(possible_descendants(dag, x), x)
  if (any(set %in% after)) return(FALSE)
  dag[x, ] <- 0L
  nodes <- rownames(dag)
  cpp_is_d_separated(dag, match(x, nodes), match(y, nodes), as.integer(match(set, nodes)))
}

test_that("in random classes: a chosen set is valid in every DAG, and refusals are right", {
  checked <- refused <- 0
  with_seed(11, for (trial in 1:40) {
    nodes <- letters[1:5]
    cpdag <- cpp_dag_to_cpdag(random_dag(5, 2.2, nodes), no_arcs, no_arcs)
    if (sum(cpdag & t(cpdag)) > 8) next # too many DAGs to list quickly
    dags <- members(cpdag)
    expect_gt(length(dags), 0)
    for (ends in utils::combn(sample(nodes), 2, simplify = FALSE)) {
      x <- ends[1]
      y <- ends[2]
      fit <- list(amat = cpdag)
      held <- nothing_held(nodes)
      found <- identification(cpdag, x, y)
      causal <- vapply(dags, function(dag) y %in% possible_descendants(dag, x), NA)
      if (!found$any_path) {
        expect_false(any(causal))
      } else if (length(found$unclear)) {
        refused <- refused + 1
        # Then x has different parents in different DAGs of the class.
        parents <- vapply(dags, function(dag) paste(nodes[dag[, x] == 1L], collapse = " "), "")
        expect_gt(length(unique(parents)), 1)
      } else {
        checked <- checked + 1
        expect_true(any(causal))
        answer <- choose_adjustment(fit, held, x, y, NULL, NULL)
        for (dag in dags) {
          # Valid for total effects: forbidden are only nodes on or after causal paths.
          forbidden <- c(forbidden_nodes(dag, x, y), x, y)
          expect_true(is_valid_adjustment(dag, x, y, answer, forbidden))
        }
        # Where a back-door set of that size exists without descendants of x, ours is no larger.
        parents <- nodes[cpdag[, x] == 1L & cpdag[x, ] == 0L]
        expect_lte(length(answer), length(parents))
      }
    }
  })
  expect_gt(checked, 10)
  expect_gt(refused, 5)
})

test_that("the criterion agrees with Pearl's where both apply", {
  with_seed(12, for (trial in 1:40) {
    nodes <- letters[1:5]
    dag <- random_dag(5, 2, nodes)
    ends <- sample(nodes, 2)
    if (!ends[2] %in% possible_descendants(dag, ends[1])) next
    others <- setdiff(nodes, c(ends, possible_descendants(dag, ends[1])))
    forbidden <- c(forbidden_nodes(dag, ends[1], ends[2]), ends)
    for (size in 0:length(others)) {
      for (set in utils::combn(others, size, simplify = FALSE)) {
        if (is_back_door(dag, ends[1], ends[2], set)) {
          expect_true(is_valid_adjustment(dag, ends[1], ends[2], set, forbidden))
        }
      }
    }
  })
})

test_that("known graphs", {
  confounded <- graph_of(c("u", "x", "y"), "u -> x", "u -> y", "x -> y")
  held <- nothing_held(c("u", "x", "y"))
  pick <- function(amat) choose_adjustment(list(amat = amat), held, "x", "y", NULL, NULL)
  expect_identical(pick(confounded), "u")
  mediated <- graph_of(c("u", "x", "y"), "x -> u", "u -> y", "x -> y")
  expect_identical(pick(mediated), character())
  collider <- graph_of(c("u", "x", "y"), "x -> u", "y -> u", "x -> y")
  expect_identical(pick(collider), character())
  expect_error(
    choose_adjustment(list(amat = collider), held, "x", "y", "u", NULL),
    class = "privpc_not_identified"
  )
})
