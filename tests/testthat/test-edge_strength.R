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

test_that("the number of threads changes nothing", {
  fit <- marginal_pc(simulate(network("asia"), nsim = 3000, seed = 1), epsilon = 1, seed = 1)
  for (kind in c("noise", "sampling")) {
    one <- with_seed(3, edge_strength(fit, draws = 40, kind = kind, threads = 1))
    two <- with_seed(3, edge_strength(fit, draws = 40, kind = kind, threads = 3))
    expect_identical(one, two)
    expect_gt(length(unique(one$strength)), 4L)
  }
})

test_that("strengths know that parameters took their share of the budget", {
  cohort <- simulate(network("asia"), nsim = 3000, seed = 1)
  plain <- marginal_pc(cohort, epsilon = 1, seed = 1)
  # The same tables, said to be of a fit that set budget aside: its repetitions have more noise.
  poorer <- plain
  poorer$settings$parameters <- TRUE
  # Of learnt edges: others may gain from noise. With 400 draws so for each of five seeds.
  sum_of <- function(fit) {
    sure <- with_seed(5, edge_strength(fit, draws = 400))
    sum(sure$strength[sure$learnt])
  }
  expect_lt(sum_of(poorer), sum_of(plain))
})

test_that("what knowledge decides is certain", {
  cohort <- simulate(network("asia"), nsim = 3000, seed = 1)
  fit <- marginal_pc(
    cohort, epsilon = 1, seed = 1, whitelist = c("asia", "smoke"),
    blacklist = rbind(c("bronc", "dysp"), c("dysp", "bronc"))
  )
  sure <- with_seed(1, edge_strength(fit, draws = 20))
  of <- function(from, to) sure[sure$from == from & sure$to == to, ]
  expect_identical(of("asia", "smoke")$strength, 1)
  expect_identical(of("asia", "smoke")$direction, 1)
  expect_true(of("asia", "smoke")$required)
  expect_identical(of("asia", "smoke")$uncertainty, 0)
  expect_identical(of("bronc", "dysp")$strength, 0)
})

test_that("other people vary more than other noise alone", {
  # So much budget that the noise hardly matters: what is left to chance is who was asked.
  cohort <- simulate(network("asia"), nsim = 2000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 200, delta = 1e-6, seed = 1) |> suppressWarnings()
  uncertain <- function(kind) {
    sure <- with_seed(1, edge_strength(fit, draws = 100, kind = kind))
    mean(sure$strength * (1 - sure$strength))
  }
  expect_gt(uncertain("sampling"), 1.5 * uncertain("noise"))
})

test_that("on average strength of kind sampling is how often fits to new people have the edge", {
  fits <- lapply(1:60, function(i) {
    marginal_pc(simulate(network("asia"), nsim = 5000, seed = 100 + i), epsilon = 1, seed = i)
  })
  often <- Reduce(`+`, lapply(fits, function(fit) fit$skeleton)) / 60
  with_seed(2, {
    sure <- lapply(fits[1:12], function(fit) {
      strength_matrix(edge_strength(fit, 40, kind = "sampling"), fit$nodes)
    })
  })
  sure <- Reduce(`+`, sure) / 12
  pairs <- upper.tri(often)
  expect_lt(mean(abs(sure - often)[pairs]), 0.08)
  expect_gt(cor(sure[pairs], often[pairs]), 0.9)
})

test_that("uncertainty is largest in the middle, and none of few draws is certain", {
  strength <- c(0, 0.1, 0.5, 0.9, 1)
  found <- strength_uncertainty(strength, rep(FALSE, 5), 100)
  expect_equal(found, rev(found))
  expect_identical(order(found), c(1L, 5L, 2L, 4L, 3L))
  expect_equal(found[[3]], 0.275, tolerance = 1e-6)
  expect_gt(strength_uncertainty(1, FALSE, 10), strength_uncertainty(1, FALSE, 1000))
  # As the help states it.
  for (draws in c(1, 20, 200)) {
    s <- (strength * draws + 0.5) / (draws + 1)
    stated <- strength_error * sqrt(s * (1 - s))
    expect_equal(strength_uncertainty(strength, rep(FALSE, 5), draws), stated)
    expect_true(all(stated > 0))
  }
  expect_equal(strength_uncertainty(c(0, 1), c(FALSE, FALSE), 200), c(0.03, 0.03), tolerance = 0.1)
  expect_identical(strength_uncertainty(1, TRUE, 10), 0)
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
    show_refusal(edge_strength(fit, kind = "people"))
    show_refusal(edge_strength(fit, threads = 0))
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
    print(with_seed(1, edge_strength(fit, draws = 20, kind = "sampling")), least = 0.5)
    head(sure, 2)
    subset(sure, learnt, from)[1:2, , drop = FALSE]
  })
})

test_that("a strength to which the user has added columns of any kind is printed", {
  fit <- marginal_pc(simulate(network("asia"), nsim = 2000, seed = 1), epsilon = 5, seed = 1)
  some <- edge_strength(fit, draws = 2)[1:2, ]
  some$when <- as.Date(c("2026-01-01", "2026-01-02"))
  some$both <- matrix(1:4, 2)
  expect_output(print(some), "2026-01-02")
})
