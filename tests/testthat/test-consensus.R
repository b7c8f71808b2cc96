cohort <- simulate(network("asia"), nsim = 10000, seed = 1)
fit <- marginal_pc(cohort, epsilon = 1, seed = 1)

test_that("a consensus has the edges above the threshold", {
  for (threshold in c(0, 0.3, 0.7, 0.99)) {
    agreed <- with_seed(1, consensus(fit, threshold, draws = 40))
    sure <- agreed$strength
    expect_identical(sure$strength > threshold, agreed$skeleton[cbind(sure$from, sure$to)] == 1L)
    expect_identical(sure$learnt, sure$strength > threshold)
  }
  # The same draws as those of edge_strength().
  expect_identical(
    sure[c("from", "to", "strength", "direction")],
    with_seed(1, edge_strength(fit, draws = 40))[c("from", "to", "strength", "direction")]
  )
})

test_that("it is a fit like any other, with a valid CPDAG", {
  agreed <- with_seed(1, consensus(fit, draws = 40))
  expect_s3_class(agreed, "privpc")
  expect_identical(agreed$nodes, fit$nodes)
  expect_identical(agreed$privacy, fit$privacy)
  expect_identical(agreed$ledger, fit$ledger)
  expect_identical(agreed$measurements, fit$measurements)
  expect_identical(nrow(agreed$sepsets), 0L)
  expect_identical(
    agreed$consensus, list(threshold = consensus_threshold, draws = 40, kind = "noise")
  )
  # A member of the class it says it is.
  dag <- as.matrix(suppressMessages(as_network(agreed)))
  expect_identical(cpdag_of(dag)[agreed$nodes, agreed$nodes], agreed$amat)
  expect_null(relearn(agreed)$consensus)
  expect_identical(relearn(agreed)$amat, fit$amat)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(agreed, strength = TRUE))
  expect_s3_class(compare_graphs(agreed, network("asia")), "data.frame")
  expect_output(print(summary(agreed)), "consensus of 40 graphs")
  expect_match(report(agreed)[[1]], "consensus of 40 repetitions", fixed = TRUE)
})

test_that("knowledge holds", {
  late <- marginal_pc(
    cohort, epsilon = 1, seed = 1, whitelist = c("asia", "dysp"),
    tiers = list(c("asia", "smoke"), c("bronc", "either", "lung", "tub"), c("dysp", "xray"))
  )
  agreed <- with_seed(1, consensus(late, threshold = 0.2, draws = 30))
  expect_identical(agreed$amat["asia", "dysp"], 1L)
  tier <- c(asia = 1, smoke = 1, bronc = 2, either = 2, lung = 2, tub = 2, dysp = 3, xray = 3)
  arcs <- as.data.frame(agreed)
  expect_true(all(tier[arcs$from] <= tier[arcs$to] | arcs$type == "undirected"))
  across <- tier[arcs$from] != tier[arcs$to]
  expect_true(all(arcs$type[across] == "directed"))
})

test_that("two fits agree better on their consensus than by themselves", {
  records <- simulate(network("asia"), nsim = 5000, seed = 2)
  fits <- lapply(1:4, function(i) marginal_pc(records, epsilon = 1, seed = i))
  agreed <- with_seed(1, lapply(fits, consensus, draws = 60))
  agreement <- function(fits) {
    pairs <- utils::combn(4, 2)
    mean(apply(pairs, 2, function(k) {
      a <- fits[[k[[1]]]]$skeleton
      b <- fits[[k[[2]]]]$skeleton
      2 * sum(a & b) / (sum(a) + sum(b))
    }))
  }
  expect_gt(agreement(agreed), agreement(fits) + 0.03)
})

test_that("printing says what it is", {
  agreed <- with_seed(1, consensus(fit, draws = 40))
  expect_snapshot({
    agreed
    format(agreed)
    summary(agreed)
    with_seed(1, consensus(fit, threshold = 0.75, draws = 10, kind = "sampling"))
  })
})

test_that("refusals", {
  expect_snapshot({
    show_refusal(consensus(exact_pc(small_cohort())))
    show_refusal(consensus(fit, threshold = 1))
    show_refusal(consensus(fit, threshold = "most"))
    show_refusal(consensus(fit, kind = "people"))
  })
})
