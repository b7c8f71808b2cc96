mixed <- function() graph_of("a -> c", "b -> c", "c -> d", "d -- e", nodes = c(letters[1:5], "f"))

test_that("a fit becomes a plain bn with the same matrix", {
  skip_if_not_installed("bnlearn")
  bn <- as_bn(fit_of(mixed()))
  expect_identical(class(bn), "bn")
  expect_equal(bnlearn::amat(bn), mixed(), ignore_attr = FALSE)
  expect_identical(nrow(bnlearn::undirected.arcs(bn)), 2L)
  expect_identical(nrow(bnlearn::directed.arcs(bn)), 3L)
  expect_output(print(bn), "Random/Generated|generated", ignore.case = TRUE)
  expect_identical(bnlearn::mb(bn, "a"), bnlearn::mb(bnlearn::model2network("[a][b][c|a:b]"), "a"))
})

test_that("the documented way to scores and probabilities works", {
  skip_if_not_installed("bnlearn")
  cohort <- simulate(network("earthquake"), nsim = 2000, seed = 1)
  cpdag <- graph_of("JohnCalls -- Alarm", "Alarm -- MaryCalls", nodes = names(cohort))
  # (score() takes a CPDAG from bnlearn 5 on.)
  expect_error(bnlearn::bn.fit(as_bn(cpdag), cohort))
  dag <- bnlearn::cextend(as_bn(cpdag))
  expect_true(bnlearn::directed(dag))
  expect_identical(compare_graphs(dag, cpdag)$shd, c(0L, 0L))
  expect_lt(bnlearn::score(dag, cohort, type = "bic"), 0)
  expect_s3_class(bnlearn::bn.fit(dag, cohort), "bn.fit")
})

test_that("random CPDAGs survive the way to bnlearn and back", {
  skip_if_not_installed("bnlearn")
  with_seed(1, for (trial in 1:50) {
    cpdag <- cpdag_of(random_dag(sample(2:12, 1), 2.5))
    expect_identical(adjacency_of(as_bn(fit_of(cpdag))), cpdag)
  })
})

test_that("bnlearn's own generic knows fits and networks", {
  skip_if_not_installed("bnlearn")
  expect_equal(bnlearn::as.bn(fit_of(mixed())), as_bn(mixed()))
  expect_equal(bnlearn::as.bn(network("asia")), as_bn(network("asia")))
  expect_equal(bnlearn::amat(as_bn(network("asia"))), as.matrix(network("asia")))
})

test_that("igraphs and bn objects are taken too", {
  skip_if_not_installed("bnlearn")
  expect_equal(as_bn(igraph::as.igraph(fit_of(mixed()))), as_bn(mixed()))
  expect_equal(as_bn(as_bn(mixed())), as_bn(mixed()))
})

test_that("a network keeps its probabilities in a bn.fit", {
  skip_if_not_installed("bnlearn")
  for (name in c("survey", "asia")) {
    net <- network(name)
    fitted <- as_bn_fit(net)
    expect_s3_class(fitted, "bn.fit")
    expect_identical(adjacency_of(fitted), as.matrix(net))
    for (node in net$nodes) {
      expect_equal(c(fitted[[node]]$prob), c(net$probabilities[[node]]), tolerance = 1e-6)
      expect_identical(dimnames(fitted[[node]]$prob)[[1]], net$levels[[node]])
    }
  }
  expect_s3_class(as_bn_fit(network("survey"))$A, "bn.fit.onode")
})

test_that("what cannot become a bn is refused", {
  skip_if_not_installed("bnlearn")
  cycle <- graph_of("a -> b", "b -> c", "c -> a")
  expect_snapshot({
    show_refusal(as_bn(cycle))
    show_refusal(as_bn("asia"))
    show_refusal(as_bn(unname(cycle)))
    show_refusal(as_bn(matrix(0L, 0, 0)))
    show_refusal(as_bn(mixed(), algo = "pc"))
    show_refusal(as_bn_fit(mixed()))
  })
})
