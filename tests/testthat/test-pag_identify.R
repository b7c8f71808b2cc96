# Effects in graphs with hidden common causes.

visible_in <- function(a, b, ...) is_visible(pag_of(...)$marks, a, b)

test_that("an arrow is visible if something points to its start and not to its end", {
  expect_true(visible_in("a", "b", "c o-> a", "a --> b"))
  expect_true(visible_in("a", "b", "c <-> a", "a --> b"))
  expect_false(visible_in("a", "b", "a --> b"))
  # c is adjacent to b.
  expect_false(visible_in("a", "b", "c o-> a", "a --> b", "c o-> b"))
  # Nothing points to a.
  expect_false(visible_in("a", "b", "c o-o a", "a --> b"))
  expect_false(visible_in("a", "b", "a --> c", "a --> b"))
  # By a path of colliders that are causes of b.
  path <- c("d o-> c", "c <-> a", "c --> b", "a --> b")
  expect_true(visible_in("a", "b", path))
  expect_false(visible_in("a", "b", sub("d o-> c", "d o-o c", path)))
  expect_false(visible_in("a", "b", sub("c <-> a", "c <-- a", path)))
  expect_false(visible_in("a", "b", sub("c --> b", "c o-> b", path)))
  # Only arrows are asked for.
  expect_false(visible_in("a", "b", "c o-> a", "a o-> b"))
})

# By brute force: does adjusting for the set identify the effect in a DAG with hidden nodes? (The
# adjustment criterion of Shpitser et al. for DAGs, which is complete there.)
adjusts_in_dag <- function(dag, x, y, set) {
  nodes <- rownames(dag)
  others <- setdiff(nodes, x)
  on_path <- intersect(
    possible_descendants(dag, children_of(dag, x), others), possible_descendants(t(dag), y, others)
  )
  if (any(set %in% possible_descendants(dag, on_path))) return(FALSE)
  dag[x, intersect(children_of(dag, x), on_path)] <- 0L
  cpp_is_d_separated(dag, match(x, nodes), match(y, nodes), as.integer(match(set, nodes)))
}

test_that("what is found adjusts in the true graph, whatever is hidden there", {
  found <- list(set = 0L, refused = 0L, none = 0L)
  with_seed(1, for (trial in 1:150) {
    dag <- random_dag(8L, 2.2)
    pag <- network_pag(dag, sample(rownames(dag), 2L))
    for (x in pag$nodes) {
      for (y in setdiff(pag$nodes, x)) {
        set <- adjustment_in(pag, x, y)
        kind <- if (identical(set, "refused") || identical(set, "none")) set else "set"
        found[[kind]] <- found[[kind]] + 1L
        causes <- y %in% possible_descendants(dag, x)
        if (kind == "none") expect_false(causes)
        if (kind == "set") expect_true(adjusts_in_dag(dag, x, y, set))
      }
    }
  })
  expect_gt(found$set, 40L)
  expect_gt(found$refused, 500L)
  expect_gt(found$none, 500L)
})

test_that("the amenable arrows of a DAG with instruments are found", {
  # z points to x, which causes y through m; u is hidden between m and w.
  dag <- graph_of("z -> x", "v -> x", "x -> m", "m -> y", "w -> y", "w -> m")
  pag <- network_pag(dag)
  expect_identical(adjustment_in(pag, "x", "y"), character())
  # The confounder has to be adjusted for.
  dag <- graph_of("z -> x", "c -> x", "c -> y", "x -> y", "k -> c", "l -> c")
  pag <- network_pag(dag)
  expect_identical(adjustment_in(pag, "x", "y"), "c")
  # Hidden, it makes the arrow invisible.
  expect_identical(adjustment_in(network_pag(dag, "c"), "x", "y"), "refused")
})
