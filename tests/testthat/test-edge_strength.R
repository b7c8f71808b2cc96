strength_matrix <- function(sure, nodes) {
  out <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  out[cbind(sure$from, sure$to)] <- sure$strength
  out
}

test_that("with much budget the edges of the fit are sure and the others are not", {
  cohort <- simulate(network("cancer"), nsim = 100000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 50, seed = 1)
  sure <- with_seed(1, edge_strength(fit, draws = 50))
  expect_identical(nrow(sure), 20L)
  expect_identical(sure$learnt, fit$skeleton[cbind(sure$from, sure$to)] == 1L)
  expect_true(all(sure$strength[sure$learnt] > 0.9))
  expect_true(all(sure$strength[!sure$learnt] < 0.2))
  both <- sure$direction + sure$direction[match(
    paste(sure$to, sure$from), paste(sure$from, sure$to)
  )]
  expect_equal(both[sure$strength > 0], rep(1, sum(sure$strength > 0)))
})

test_that("on average strength is how often refits to the same records have the edge", {
  cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
  refits <- lapply(1:60, function(i) marginal_pc(cohort, epsilon = 0.5, seed = i))
  nodes <- refits[[1]]$nodes
  often <- Reduce(`+`, lapply(refits, function(fit) fit$skeleton)) / 60
  with_seed(2, {
    sure <- lapply(refits[1:12], function(fit) strength_matrix(edge_strength(fit, 40), nodes))
  })
  sure <- Reduce(`+`, sure) / 12
  pairs <- upper.tri(often)
  # Seeds make this repeatable; the bounds leave twice what was found.
  expect_lt(mean(abs(sure - often)[pairs]), 0.08)
  expect_lt(max(abs(sure - often)[pairs]), 0.35)
  expect_gt(cor(sure[pairs], often[pairs]), 0.9)
})

test_that("it costs nothing, touches neither the fit nor the data, and set.seed() repeats it", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  first <- with_seed(3, edge_strength(fit, draws = 5))
  expect_identical(with_seed(3, edge_strength(fit, draws = 5)), first)
  expect_identical(attr(first, "draws"), 5)
})

test_that("the draws are those of R's generator, one graph after the other", {
  fit <- marginal_pc(simulate(network("asia"), nsim = 3000, seed = 1), epsilon = 1, seed = 1)
  centre <- shrunken_tables(fit$measurements, fit$sepsets)
  draws <- 13
  count <- arrows <- 0
  with_seed(3, for (draw in seq_len(draws)) {
    again <- fit
    again$measurements$tables$values <- Map(function(value, variance) {
      value + stats::rnorm(length(value)) * sqrt(variance)
    }, centre$values, centre$variance)
    learnt <- relearn(again)
    count <- count + learnt$skeleton
    arrows <- arrows + learnt$amat * (1 - t(learnt$amat) / 2)
  })
  sure <- with_seed(3, edge_strength(fit, draws = draws))
  at <- cbind(sure$from, sure$to)
  expect_equal(sure$strength, count[at] / draws)
  expect_equal(sure$direction, ifelse(count[at] > 0, arrows[at] / count[at], 0))
  # Neither all nor nothing, or the order of the draws would not matter.
  expect_gt(length(unique(sure$strength)), 4L)
})

test_that("dependence as large as noise is drawn to independence", {
  held <- list(
    nodes = c("a", "b"), levels = list(c("x", "y"), c("x", "y")), n = 100,
    tables = list(
      sets = list(1L, 2L, 1:2), values = list(0.1, -0.2, -0.02 + 0.01), variance = rep(0.01^2, 3)
    )
  )
  expect_equal(shrunken_tables(held)$values, list(0.1, -0.2, -0.02))
  held$tables$values[[3]] <- -0.02 + 0.1
  expect_equal(shrunken_tables(held)$values[[3]], -0.02 + 0.98 * 0.1)
})

test_that("a pair that one variable separated is drawn to independence given it", {
  # a <- c -> b, tables without noise: nothing is left beyond what c explains.
  share_c <- c(0.3, 0.7)
  given_c <- function(yes) rbind(1 - yes, yes)
  a_c <- given_c(c(0.2, 0.6))
  b_c <- rbind(c(0.1, 0.5), c(0.3, 0.3), c(0.6, 0.2))
  joint <- array(0, c(2, 3, 2))
  for (k in 1:2) joint[, , k] <- share_c[[k]] * outer(a_c[, k], b_c[, k])
  contrasts <- function(set) {
    # The last variable runs fastest in the measurements.
    cells <- apply(joint, rev(set), sum)
    basis <- lapply(rev(dim(joint)[set]), function(k) cpp_basis_columns(k, 1L))
    as.vector(crossprod(Reduce(function(x, y) kronecker(y, x), basis), as.vector(cells)))
  }
  sets <- list(1L, 2L, 3L, 1:2, c(1L, 3L), 2:3)
  held <- list(
    nodes = c("a", "b", "c"), n = 1000, families = NULL,
    levels = list(c("n", "y"), c("u", "v", "w"), c("n", "y")),
    tables = list(sets = sets, values = lapply(sets, contrasts), variance = rep(1e-6, 6))
  )
  exact <- held$tables$values[[4]]
  sepsets <- data.frame(x = "b", y = "a")
  sepsets$given <- list("c")
  expect_equal(shrunken_tables(held, sepsets)$values[[4]], exact, tolerance = 1e-12)
  # Less than twice the noise on top of it is taken off again; without the sepset it would stay.
  held$tables$values[[4]] <- exact + c(0.001, 0.001)
  expect_equal(shrunken_tables(held, sepsets)$values[[4]], exact, tolerance = 1e-12)
  expect_gt(max(abs(shrunken_tables(held)$values[[4]] - exact)), 0.0005)
})

test_that("bnlearn averages it", {
  skip_if_not_installed("bnlearn")
  cohort <- simulate(network("cancer"), nsim = 50000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 20, seed = 1)
  sure <- with_seed(1, edge_strength(fit, draws = 30))
  there <- suppressMessages(as_bn_strength(sure))
  expect_s3_class(there, "bn.strength")
  average <- bnlearn::averaged.network(there, threshold = 0.5)
  expect_setequal(
    apply(bnlearn::arcs(bnlearn::skeleton(average)), 1, paste, collapse = " "),
    paste(sure$from, sure$to)[sure$strength > 0.5]
  )
  # The same as bnlearn computes from the graphs themselves.
  graphs <- suppressMessages(list(as_bn(fit), as_bn(fit)))
  theirs <- bnlearn::custom.strength(graphs, nodes = fit$nodes, cpdag = FALSE)
  expect_identical(names(there), names(theirs))
  expect_identical(there$from, theirs$from)
  expect_identical(there$to, theirs$to)
})

test_that("refusals", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  sure <- with_seed(1, edge_strength(fit, draws = 3))
  expect_snapshot({
    show_refusal(edge_strength(exact_pc(small_cohort())))
    show_refusal(edge_strength(fit, draws = 0))
    show_refusal(as_bn_strength(fit))
  })
  skip_if_not_installed("bnlearn")
  expect_snapshot(show_refusal(as_bn_strength(sure[1:2, ])))
})

test_that("printing shows each pair once, and what is not sure", {
  cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 0.5, seed = 1)
  sure <- with_seed(1, edge_strength(fit, draws = 20))
  expect_snapshot({
    sure
    print(sure, least = 0.5)
    head(sure, 2)
    subset(sure, learnt, from)[1:2, , drop = FALSE]
  })
})
