skip_if_not_installed("bnlearn")

test_that("a network goes to bnlearn and back", {
  for (name in c("survey", "asia")) {
    net <- network(name)
    back <- as_network(as_bn_fit(net))
    expect_identical(back$nodes, net$nodes)
    expect_identical(back$levels, net$levels)
    expect_identical(back$ordered, net$ordered)
    expect_identical(as.matrix(back), as.matrix(net))
    for (node in net$nodes) {
      parents <- net$parents[[node]]
      same <- aperm(
        back$probabilities[[node]], match(c(node, parents), c(node, back$parents[[node]]))
      )
      expect_equal(same, net$probabilities[[node]], ignore_attr = TRUE)
    }
    expect_identical(nrow(simulate(back, nsim = 5, seed = 1)), 5L)
  }
})

test_that("the parents' order in the table is that of the network", {
  dag <- bnlearn::model2network("[a][b][c|b:a]")
  data <- simulate(network("survey"), nsim = 3000, seed = 1)[c("S", "R", "T")]
  names(data) <- c("a", "b", "c")
  fitted <- bnlearn::bn.fit(dag, data)
  net <- as_network(fitted)
  counts <- table(data[c("c", net$parents$c)])
  expect_equal(
    as.vector(net$probabilities$c), as.vector(prop.table(counts, 2:3)), tolerance = 1e-10
  )
})

test_that("networks of numbers, or with holes, are refused", {
  dag <- bnlearn::model2network("[x][y|x]")
  numbers <- bnlearn::bn.fit(dag, data.frame(x = 1:5 / 3, y = c(2, 1, 4, 3, 5)))
  data <- data.frame(a = factor(c("u", "u"), c("u", "v")), b = factor(c("u", "v")))
  # (bnlearn 5 warns of the level that nobody has.)
  holes <- suppressWarnings(bnlearn::bn.fit(bnlearn::model2network("[a][b|a]"), data))
  expect_snapshot({
    show_refusal(as_network(numbers))
    show_refusal(as_network(holes))
    show_refusal(as_network(as_bn_fit(network("cancer")), prior = 1))
    show_refusal(evaluate_learners(as_bn_fit(network("cancer"))))
  })
})
