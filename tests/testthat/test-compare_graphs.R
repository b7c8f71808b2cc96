test_that("a comparison by hand", {
  truth <- graph_of("a -> c", "b -> c", "c -> d", nodes = letters[1:5])
  # b -> c is missing, so no collider is left; d -- e is too much
  estimate <- graph_of("a -- c", "c -- d", "d -- e", nodes = letters[1:5])
  expect_equal(compare_graphs(estimate, truth), data.frame(
    graph = c("skeleton", "cpdag"),
    tp = c(2L, 0L), fp = c(1L, 3L), fn = c(1L, 3L),
    precision = c(2 / 3, 0), recall = c(2 / 3, 0), f1 = c(2 / 3, 0), shd = c(2L, 4L)
  ))
})

test_that("the same class has distance zero and full marks", {
  asia <- as.matrix(network("asia"))
  same <- compare_graphs(fit_of(cpdag_of(asia)), network("asia"))
  expect_equal(same$shd, c(0L, 0L))
  expect_equal(same$f1, c(1, 1))
  expect_equal(same$tp, c(8L, 8L))
  reversed <- compare_graphs(graph_of("a -> b"), t(graph_of("a -> b")))
  expect_equal(reversed$shd, c(0L, 0L))
})

test_that("0 / 0 is 1 for two empty graphs and 0 otherwise", {
  empty <- no_edges(c("a", "b"))
  edge <- graph_of("a -> b")
  scores <- c("precision", "recall", "f1")
  expect_equal(unlist(compare_graphs(empty, empty)[1, scores], use.names = FALSE), c(1, 1, 1))
  expect_equal(unlist(compare_graphs(empty, edge)[2, scores], use.names = FALSE), c(0, 0, 0))
  expect_equal(unlist(compare_graphs(edge, empty)[1, scores], use.names = FALSE), c(0, 0, 0))
  expect_equal(compare_graphs(matrix(0, 0, 0), matrix(0, 0, 0))$f1, c(1, 1))
})

test_that("nodes are matched by name, or by position if neither has names", {
  with_seed(2, {
    a <- random_dag(8, 2)
    b <- random_dag(8, 2)
    order <- sample(8)
  })
  expect_equal(compare_graphs(a, b[order, order]), compare_graphs(a, b))
  expect_equal(compare_graphs(unname(a), unname(b)), compare_graphs(a, b))
})

test_that("all kinds of graphs give the same answer", {
  asia <- network("asia")
  amat <- as.matrix(asia)
  fit <- fit_of(cpdag_of(amat))
  with_seed(3, estimate <- random_dag(8, 2, names = asia$nodes))
  expected <- compare_graphs(estimate, amat)
  expect_equal(compare_graphs(estimate, asia), expected)
  expect_equal(compare_graphs(estimate, fit), expected)
  expect_equal(compare_graphs(estimate, igraph::as.igraph(fit)), expected)
  expect_equal(compare_graphs(estimate == 1, amat), expected)
  skip_if_not_installed("bnlearn")
  expect_equal(compare_graphs(estimate, as_bn(asia)), expected)
  expect_equal(compare_graphs(estimate, as_bn_fit(asia)), expected)
  expect_equal(compare_graphs(as_bn(estimate), asia), expected)
})

test_that("shd is the one of bnlearn", {
  skip_if_not_installed("bnlearn")
  with_seed(4, for (trial in 1:150) {
    n <- sample(2:15, 1)
    a <- random_dag(n, runif(1, 0.5, 4))
    b <- random_dag(n, runif(1, 0.5, 4))
    expect_equal(compare_graphs(a, b)$shd[2], bnlearn::shd(as_bn(a), as_bn(b)))
    expect_equal(compare_graphs(cpdag_of(a), b)$shd[2], bnlearn::shd(as_bn(cpdag_of(a)), as_bn(b)))
  })
})

test_that("a graph without an extension is compared as it is", {
  cycle <- graph_of("a -> b", "b -> c", "c -> a")
  expect_equal(compare_graphs(cycle, cycle)$shd, c(0L, 0L))
  square <- graph_of("a -- b", "b -- c", "c -- d", "a -- d")
  expect_equal(compare_graphs(square, square)$tp, c(4L, 4L))
})

test_that("a missing graph is named", {
  good <- graph_of("a -> b")
  expect_error(compare_graphs(good), "`truth` must be given")
  expect_error(compare_graphs(truth = good), "`estimate` must be given")
})

test_that("bad graphs are refused", {
  good <- graph_of("a -> b", "b -> c")
  other <- graph_of("a -> b", "b -> x")
  expect_snapshot({
    show_refusal(compare_graphs("asia", good))
    show_refusal(compare_graphs(good, NULL))
    show_refusal(compare_graphs(good, other))
    show_refusal(compare_graphs(good, unname(good)))
    show_refusal(compare_graphs(unname(good), good))
    show_refusal(compare_graphs(matrix(0, 2, 2), matrix(0, 3, 3)))
    show_refusal(compare_graphs(good[, 1:2], good))
    show_refusal(compare_graphs(good + 1, good))
    show_refusal(compare_graphs(good, replace(good, 2, NA)))
    show_refusal(compare_graphs(good, replace(good, c(1, 5), 1L)))
    show_refusal(compare_graphs(good, `dimnames<-`(good, list(c("a", "b", "b"), c("a", "b", "b")))))
    show_refusal(compare_graphs(good, `dimnames<-`(good, list(c("a", "b", "c"), c("c", "b", "a")))))
  })
})
