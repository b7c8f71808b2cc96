# The graph room itself is tested against brute force in tests/cpp; here the way through R.

true_separations <- function(dag) {
  pairs <- which(upper.tri(dag) & !(dag | t(dag)), arr.ind = TRUE)
  # The parents of that end which is not an ancestor of the other one separate the pair.
  given <- lapply(seq_len(nrow(pairs)), function(i) {
    for (end in pairs[i, ]) {
      set <- setdiff(which(dag[, end] == 1L), pairs[i, ])
      if (cpp_is_d_separated(dag, pairs[i, 1], pairs[i, 2], set)) return(set)
    }
    stop("no separating set")
  })
  list(x = pairs[, 1], y = pairs[, 2], given = given, strength = rep(1, nrow(pairs)))
}

orient_r <- function(skeleton, found, required = no_arcs, forbidden = no_arcs) {
  cpp_orient(
    skeleton, found$x, found$y, found$given, found$strength, required, forbidden,
    name_rank(rownames(skeleton))
  )
}

test_that("d-separation facts of every bundled network give its CPDAG", {
  for (name in networks()$name) {
    dag <- as.matrix(network(name))
    found <- orient_r(pmax(dag, t(dag)), true_separations(dag))
    expect_identical(found, cpdag_of(dag))
  }
})

test_that("CPDAGs of the bundled networks agree with bnlearn", {
  skip_if_not_installed("bnlearn")
  for (name in networks()$name) {
    dag <- as.matrix(network(name))
    expect_identical(cpdag_of(dag), adjacency_of(bnlearn::cpdag(as_bn(dag))))
  }
})

test_that("required and forbidden arcs direct edges and what follows from them", {
  path <- graph_of("a -- b", "b -- c", "c -- d")
  facts <- list(
    x = c(1L, 1L, 2L), y = c(3L, 4L, 4L), given = list(2L, 2L, 3L), strength = c(1, 1, 1)
  )
  expect_identical(orient_r(path, facts), path)
  expected <- graph_of("a -> b", "b -> c", "c -> d")
  expect_identical(orient_r(path, facts, required = cbind(1L, 2L)), expected)
  expect_identical(orient_r(path, facts, forbidden = cbind(2L, 1L)), expected)
})

test_that("the order of the columns does not matter even for contradictory input", {
  with_seed(7, for (trial in 1:30) {
    n <- 9
    dag <- random_dag(n, 3)
    skeleton <- pmax(dag, t(dag))
    pairs <- which(upper.tri(dag) & skeleton == 0L, arr.ind = TRUE)
    facts <- list(
      x = pairs[, 1], y = pairs[, 2],
      given = lapply(seq_len(nrow(pairs)), function(i) {
        others <- setdiff(seq_len(n), pairs[i, ])
        others[runif(length(others)) < 0.3]
      }),
      strength = sample(4, nrow(pairs), TRUE) / 4
    )
    found <- orient_r(skeleton, facts)
    expect_identical(cpp_pdag_to_cpdag(found), found)
    expect_identical(pmax(found, t(found)), skeleton)

    order <- sample(n)
    place <- order(order)
    moved <- facts
    moved$x <- place[facts$x]
    moved$y <- place[facts$y]
    moved$given <- lapply(facts$given, function(set) place[set])
    expect_identical(orient_r(skeleton[order, order], moved), found[order, order])
  })
})

test_that("ranks follow byte order in every locale", {
  expect_identical(name_rank(c("b", "a", "B", "_", "a1")), c(5L, 3L, 1L, 2L, 4L))
  expect_identical(name_rank(character()), integer())
})
