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

test_that("a triple that is undecided blocks nothing", {
  # Whether b is a common effect of a and c is not known: to adjust for it may open what it seems
  # to block.
  pag <- pag_of("w o-> x", "a o-o b", "a o-> x", "c o-o b", "c o-> y", "x --> y")
  sets_of <- function(pag) pag_sets(pag_criterion(pag, "x", "y", NULL), "x", "y", NULL)
  expect_setequal(unlist(sets_of(pag)), c("a", "b", "c"))
  pag$undecided <- cbind("a", "b", "c")
  expect_setequal(unlist(sets_of(pag)), c("a", "c"))
  expect_false(pag_criterion(pag, "x", "y", NULL)$valid("b"))
  expect_false(pag_criterion(pag, "x", "y", NULL)$valid(character()))
  # Either way round.
  pag$undecided <- cbind("c", "b", "a")
  expect_setequal(unlist(sets_of(pag)), c("a", "c"))
})

test_that("of complete graphs the walks call open all that is", {
  # With a triple that is undecided but nowhere near, the walks alone decide: no set that they let
  # pass may fail to block.
  far <- cbind("p", "q", "r")
  let <- blocked <- 0L
  with_seed(2, for (trial in 1:60) {
    dag <- random_dag(7L, 2.2)
    pag <- network_pag(dag, sample(rownames(dag), 2L))
    full <- latent_dag(pag$marks)
    nodes <- pag$nodes
    for (k in 1:20) {
      some <- sample(nodes)
      set <- some[-(1:2)][stats::runif(length(nodes) - 2L) < 0.4]
      open <- may_be_open(pag$marks, far, some[[1L]], some[[2L]], set)
      apart <- cpp_is_d_separated(
        full, match(some[[1L]], nodes), match(some[[2L]], nodes), as.integer(match(set, nodes))
      )
      let <- let + !open
      blocked <- blocked + apart
      if (!open) expect_true(apart)
    }
  })
  # Nearly all that is blocked is seen to be.
  expect_gt(let, 0.6 * blocked)
})

test_that("an arrow is visible only where the evidence is clear", {
  pag <- pag_of("c o-> a", "a --> b")
  expect_identical(sum(pag_edges(pag$marks, pag$marks)$visible), 1L)
  open <- pag_of("c o-o a", "a o-> b")
  expect_false(any(pag_edges(pag$marks, open$marks)$visible))
  pag$clear <- open$marks
  expect_identical(adjustment_in(pag, "a", "b"), "refused")
})

test_that("effect() does not adjust for what may be a common effect", {
  n <- 1e5
  data <- with_seed(1, {
    coin <- function(p) stats::rbinom(n, 1, p)
    w <- coin(0.5)
    a <- coin(0.5)
    c <- coin(0.5)
    b <- coin(ifelse(a + c == 0, 0.05, 0.9))
    x <- coin(0.1 + 0.3 * w + 0.5 * a)
    y <- coin(0.1 + 0.2 * x + 0.6 * c)
    data.frame(lapply(data.frame(w, a, b, c, x, y), factor))
  })
  # That neither of a and c causes the other is so; nothing is known of b between them.
  graph <- suppressMessages(marginal_pc(
    data, epsilon = 5, blacklist = data.frame(from = c("a", "c"), to = c("c", "a")), hidden = TRUE,
    seed = 1
  ))
  expect_identical(sort(unname(graph$undecided[1L, ])), c("a", "b", "c"))
  found <- with_seed(1, effect(graph, "x", "y", draws = 50))
  expect_true(attr(found, "adjusted") %in% c("a", "c"))
  expect_equal(found$estimate[[1L]], 0.2, tolerance = 0.1)
  expect_error(effect(graph, "x", "y", adjust = "b"), class = "privpc_not_identified")
  # A graph from which that was taken would have more effects.
  for (part in c("clear", "undecided")) {
    less <- graph
    less[[part]] <- NULL
    expect_error(effect(less, "x", "y"), class = "privpc_damaged")
  }
})
