mixed <- function() graph_of("a -> c", "b -> c", "c -> d", "d -- e", nodes = c(letters[1:5], "f"))

test_that("undirected edges become marked pairs of arcs", {
  graph <- igraph::as.igraph(fit_of(mixed()))
  expect_true(igraph::is_directed(graph))
  expect_identical(igraph::vertex_attr(graph, "name"), rownames(mixed()))
  expect_equal(as.matrix(igraph::as_adjacency_matrix(graph)), mixed(), ignore_attr = TRUE)
  expect_identical(igraph::edge_attr(graph, "undirected"), igraph::which_mutual(graph))
  expect_equal(
    igraph::edge_attr(graph, "arrow.mode"), ifelse(igraph::which_mutual(graph), 0, 2)
  )
})

test_that("igraphs are read back, with and without direction", {
  expect_identical(adjacency_of(igraph::as.igraph(fit_of(mixed()))), mixed())
  path <- igraph::make_graph(c(1, 2, 2, 3), directed = FALSE)
  expect_identical(adjacency_of(path), unname(graph_of("a -- b", "b -- c")))
})

test_that("networks and graphs without edges can be converted", {
  asia <- igraph::as.igraph(network("asia"))
  expect_identical(adjacency_of(asia), as.matrix(network("asia")))
  expect_true(igraph::is_dag(asia))
  empty <- igraph::as.igraph(fit_of(no_edges(c("a", "b"))))
  expect_equal(igraph::vcount(empty), 2)
  expect_equal(igraph::ecount(empty), 0)
})

test_that("bnlearn's generic of the same name does the same", {
  skip_if_not_installed("bnlearn")
  same <- function(a, b) {
    expect_s3_class(a, "igraph")
    expect_equal(igraph::as_data_frame(a, "both"), igraph::as_data_frame(b, "both"))
  }
  same(bnlearn::as.igraph(fit_of(mixed())), igraph::as.igraph(fit_of(mixed())))
  same(bnlearn::as.igraph(network("asia")), igraph::as.igraph(network("asia")))
})

test_that("the documented way to count neighbours is right, degree() is not", {
  graph <- igraph::as.igraph(fit_of(mixed()))
  expect_equal(igraph::ego_size(graph) - 1, c(1, 1, 3, 2, 1, 0))
  expect_equal(unname(igraph::degree(graph)), c(1, 1, 3, 3, 2, 0))
})

test_that("a misspelt argument is an error", {
  expect_snapshot(show_refusal(igraph::as.igraph(fit_of(mixed()), mode = "directed")))
})
