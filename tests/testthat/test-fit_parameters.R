test_that("with much budget the probabilities are those of the network", {
  truth <- network("survey")
  cohort <- simulate(truth, nsim = 200000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 100, parameters = TRUE, seed = 1)
  net <- suppressMessages(as_network(fit, dag = truth))
  for (node in truth$nodes) {
    family <- c(node, truth$parents[[node]])
    theirs <- net$probabilities[[node]]
    theirs <- aperm(theirs, match(family, names(dimnames(theirs))))
    counts <- table(cohort[family])
    given <- if (length(family) > 1L) seq_along(family)[-1]
    seen <- prop.table(counts, given)
    often <- if (length(family) == 1L) TRUE else rep(margin_large(counts), each = dim(counts)[1])
    # Interactions of three that were not measured are taken as none.
    expect_lt(max(abs(theirs - seen)[often]), if (length(family) > 2L) 0.06 else 0.02)
  }
})

test_that("tables are probabilities, whatever the noise", {
  cohort <- simulate(network("asia"), nsim = 500, seed = 1)
  for (seed in 1:5) {
    fit <- marginal_pc(cohort, epsilon = 0.1, alpha = 0.5, parameters = seed %% 2 == 0, seed = seed)
    net <- suppressMessages(as_network(fit))
    for (table in net$probabilities) {
      expect_gte(min(table), 0)
      sums <- if (length(dim(table)) == 1L) sum(table) else colSums(table)
      expect_equal(as.vector(sums), rep(1, length(sums)))
    }
    expect_identical(dim(suppressMessages(simulate(net, nsim = 10, seed = 1))), c(10L, 8L))
  }
})

test_that("the default DAG is of the fit's class, and is the one that was measured", {
  cohort <- simulate(network("asia"), nsim = 50000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 5, parameters = TRUE, seed = 1)
  # No interaction is missing for it.
  expect_silent(net <- as_network(fit))
  expect_identical(cpp_dag_to_cpdag(as.matrix(net), no_arcs, no_arcs), fit$amat)
  # Whatever the order of the columns.
  other <- marginal_pc(rev(cohort), epsilon = 5, parameters = TRUE, seed = 1)
  expect_identical(lapply(as_network(other)$parents[fit$nodes], sort), lapply(net$parents, sort))
})

test_that("with several parents the network agrees with the measured pairs", {
  # Four parents, of which two act: most of the 72 combinations are rare.
  with_seed(1, {
    n <- 30000
    a <- sample(3, n, TRUE, c(0.6, 0.3, 0.1))
    b <- sample(4, n, TRUE, c(0.5, 0.3, 0.15, 0.05))
    c <- rbinom(n, 1, 0.2)
    d <- sample(3, n, TRUE)
    y <- rbinom(n, 1, plogis(-3 + 1.2 * a + 0.8 * b))
  })
  cohort <- data.frame(a = factor(a), b = factor(b), c = factor(c), d = factor(d), y = factor(y))
  required <- cbind(c("a", "b", "c", "d"), "y")
  for (parameters in c(FALSE, TRUE)) {
    fit <- marginal_pc(cohort, epsilon = 1, parameters = parameters,
                       tiers = tiers(a + b + c + d ~ y), whitelist = required, seed = 1)
    given <- suppressMessages(as_network(fit))$probabilities$y
    found <- apply(given, c("y", "b"), mean)["1", ]
    # The truth, with the other parents spread evenly as in the mean.
    truth <- vapply(1:4, function(b) mean(plogis(-3 + 1.2 * (1:3) + 0.8 * b)), 0)
    expect_lt(max(abs(found - truth)), 0.06)
    # Twenty-five people in each of these cells: with their own noise (parameters = TRUE) a single
    # one may be off by 0.4, their mean was off by 0.1 at most with 30 seeds.
    rare <- given["1", "3", "4", , ]
    of_rare <- plogis(-3 + 1.2 * 3 + 0.8 * 4)
    expect_lt(abs(mean(rare) - of_rare), 0.15)
    if (!parameters) expect_lt(max(abs(rare - of_rare)), 0.05)
  }
})

test_that("bnlearn queries, predicts and samples", {
  skip_if_not_installed("bnlearn")
  cohort <- simulate(network("cancer"), nsim = 50000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 5, parameters = TRUE, seed = 1)
  model <- suppressMessages(as_bn_fit(fit))
  expect_s3_class(model, "bn.fit")
  with_seed(1, {
    drawn <- bnlearn::rbn(model, 5000)
    risk <- bnlearn::cpquery(model, event = Cancer == "True", evidence = TRUE, n = 1e5)
    guess <- predict(model, node = "Cancer", data = cohort[1:50, ])
  })
  expect_identical(levels(drawn$Smoker), levels(cohort$Smoker))
  expect_equal(risk, mean(cohort$Cancer == "True"), tolerance = 0.3)
  expect_length(guess, 50L)
})

test_that("what cannot be filled is refused", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  cycle <- matrix(c(0, 0, 1, 1, 0, 0, 0, 1, 0), 3, dimnames = list(fit$nodes, fit$nodes))
  expect_snapshot({
    show_refusal(as_network(exact_pc(small_cohort())))
    show_refusal(as_network(fit, dag = network("asia")))
    show_refusal(as_network(fit, dag = cycle))
    show_refusal(as_network(fit, dag = 1 - diag(3)))
    show_refusal(as_network(fit, dag = cycle | t(cycle)))
    show_refusal(as_network(fit, prior = -1))
    show_refusal(as_network(fit, weight = 1))
  })
})

test_that("a message says what was not measured", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  all <- matrix(0L, 3, 3, dimnames = list(fit$nodes, fit$nodes))
  all["a", "c"] <- all["b", "c"] <- 1L
  fit$measurements$tables <- lapply(fit$measurements$tables, function(column) {
    column[lengths(fit$measurements$tables$sets) < 3]
  })
  expect_message(as_network(fit, dag = all), "a x b x c", class = "privpc_not_measured")
})

test_that("bnlearn has no variables with one level and parents", {
  skip_if_not_installed("bnlearn")
  data <- simulate(network("cancer"), nsim = 2000, seed = 1)
  data$constant <- factor(rep("one", 2000))
  fit <- marginal_pc(data, epsilon = 5, whitelist = c("Smoker", "constant"), seed = 1)
  expect_equal(sum(as_network(fit)$probabilities$constant), 2)
  expect_snapshot(show_said(show_refusal(as_bn_fit(fit))))
})
