graph <- graph_of("a -> b", "c -> b", "b -- d", nodes = c("d", "c", "b", "a", "e"))

test_that("neighbours of a node are told by the direction of their edges", {
  expect_identical(parents_of(graph, "b"), c("c", "a"))
  expect_identical(children_of(graph, "a"), "b")
  expect_identical(children_of(graph, "b"), character())
  expect_identical(undirected_neighbours_of(graph, "b"), "d")
  expect_identical(undirected_neighbours_of(graph, "a"), character())
  expect_identical(possible_children_of(graph, "b"), "d")
  expect_identical(possible_children_of(graph, c("a", "d")), "b")
  expect_identical(possible_children_of(graph, "e"), character())
})

test_that("kinds of edges are told as matrices", {
  expect_identical(sum(is_directed(graph)), 2L)
  expect_true(is_directed(graph)["a", "b"])
  expect_false(is_directed(graph)["b", "a"])
  expect_identical(which(is_undirected(graph)), which(graph == 1L & t(graph) == 1L))
  expect_identical(unname(without_directions(graph)["b", ]), c(1L, 1L, 0L, 1L, 0L))
  expect_identical(edge_ends(graph), cbind(c(1L, 2L, 3L, 4L), c(3L, 3L, 1L, 3L)))
  expect_identical(sum(no_edges(c("x", "y"))), 0L)
})

test_that("an undirected edge stands once in the table", {
  expect_identical(edge_table(graph), data.frame(
    from = c("d", "c", "a"), to = "b", type = c("undirected", "directed", "directed")
  ))
  expect_identical(edge_text(edge_table(graph)), c("d -- b", "c -> b", "a -> b"))
})

test_that("how a fit keeps its edges is known in one place", {
  space <- asNamespace("privpc")
  functions <- Filter(is.function, mget(ls(space, all.names = TRUE), envir = space))
  mentions <- function(name) {
    found <- Filter(function(f) name %in% all.names(body(f)), functions)
    setdiff(names(found), grep("^cpp_", names(found), value = TRUE))
  }
  # bnlearn has a function of this name.
  expect_setequal(mentions("amat"), c("edge_matrix", "bn_from_edges"))
  # What looks at all of a fit looks at this, too.
  expect_setequal(mentions("skeleton"), c("graph_damage", "skeleton_matrix"))
})
