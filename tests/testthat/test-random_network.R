# Phi of every arc, from records.
measured_phi <- function(net, n, seed) {
  data <- simulate(net, nsim = n, seed = seed)
  unlist(lapply(net$nodes, function(node) {
    vapply(net$parents[[node]], function(parent) {
      counts <- table(data[[node]], data[[parent]])
      expected <- outer(rowSums(counts), colSums(counts)) / n
      sqrt(sum((counts - expected)^2 / expected) / n)
    }, 0)
  }))
}

test_that("arcs have the effect that was asked for, on average", {
  for (levels in 2:3) {
    for (effect in c(0.1, 0.3)) {
      found <- unlist(lapply(1:8, function(seed) {
        measured_phi(random_network(12, 2, levels, effect, seed = seed), 1e5, seed)
      }))
      expect_length(found, 8 * 12)
      expect_lt(abs(mean(found) / effect - 1), 0.06)
      # Uniform between half and one and a half times the effect, but for what parents share.
      expect_lt(abs(stats::sd(found) / (effect / sqrt(12)) - 1), 0.3)
    }
  }
})

test_that("without a spread and with one parent each, arcs have it exactly", {
  net <- random_network(10, degree = 1, effect = 0.25, spread = 0, max_parents = 1, seed = 3)
  expect_identical(sum(lengths(net$parents)), 5L)
  exact <- vapply(net$nodes[lengths(net$parents) == 1], function(node) {
    parent <- net$parents[[node]]
    # A parent that has a parent: its shares follow from that one's.
    shares <- function(node) {
      if (length(net$parents[[node]]) == 0) return(as.vector(net$probabilities[[node]]))
      drop(net$probabilities[[node]] %*% shares(net$parents[[node]]))
    }
    together <- sweep(net$probabilities[[node]], 2, shares(parent), `*`)
    expected <- outer(rowSums(together), colSums(together))
    sqrt(sum((together - expected)^2 / expected))
  }, 0)
  expect_equal(unname(exact), rep(0.25, 5), tolerance = 2e-3)
})

test_that("size, degree, levels and parents are as asked", {
  net <- random_network(30, degree = 3, levels = rep(c(2, 4), 15), seed = 1)
  expect_s3_class(net, "privpc_network")
  expect_length(net$nodes, 30)
  expect_identical(sum(lengths(net$parents)), 45L)
  expect_lte(max(lengths(net$parents)), 3)
  expect_identical(unname(lengths(net$levels)), rep(c(2L, 4L), 15))
  # The order of the columns is not that of the causes.
  from <- match(unlist(net$parents), net$nodes)
  to <- match(rep(net$nodes, lengths(net$parents)), net$nodes)
  expect_gt(sum(from < to), 10)
  expect_gt(sum(from > to), 10)
  # As dense as there is room for, and no arc at all.
  dense <- random_network(5, degree = 4, max_parents = 4, effect = 0.1)
  expect_identical(sum(as.matrix(dense)), 10L)
  expect_identical(sum(as.matrix(random_network(5, degree = 0))), 0L)
  # Sound tables: simulate() checks them.
  expect_identical(dim(simulate(net, nsim = 10, seed = 1)), c(10L, 30L))
})

# Code while R has another generator.
with_generator <- function(kind, code) {
  old <- RNGkind(kind)
  on.exit(RNGkind(old[[1]], old[[2]], old[[3]]))
  code
}

test_that("a seed fixes the network and leaves R's random numbers alone", {
  set.seed(1)
  before <- .Random.seed
  one <- random_network(8, seed = 5)
  expect_identical(.Random.seed, before)
  expect_identical(random_network(8, seed = 5), one)
  expect_false(identical(random_network(8, seed = 6), one))
  # Whatever generator is set.
  other <- with_generator("L'Ecuyer-CMRG", random_network(8, seed = 5))
  expect_identical(other, one)
  # Without a seed set.seed() decides.
  drawn <- with_seed(2, random_network(8))
  expect_identical(with_seed(2, random_network(8)), drawn)
  expect_false(identical(with_seed(3, random_network(8)), drawn))
})

test_that("a session without random numbers has none afterwards", {
  old <- globalenv()[[".Random.seed"]]
  on.exit(if (!is.null(old)) assign(".Random.seed", old, envir = globalenv()))
  if (!is.null(old)) rm(".Random.seed", envir = globalenv())
  random_network(3, seed = 1)
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})

test_that("effects that have no room are told", {
  expect_message(
    random_network(12, degree = 4, effect = 0.7, seed = 1), class = "privpc_weaker_effects"
  )
  expect_snapshot(net <- show_said(random_network(12, degree = 4, effect = 0.7, seed = 1)))
  expect_silent(random_network(12, degree = 2, effect = 0.3, seed = 1))
})

test_that("what cannot be drawn is refused", {
  expect_snapshot({
    show_refusal(random_network())
    show_refusal(random_network(1))
    show_refusal(random_network(10, degree = 20))
    show_refusal(random_network(10, degree = 8))
    show_refusal(random_network(10, levels = 1))
    show_refusal(random_network(10, levels = c(2, 3)))
    show_refusal(random_network(10, effect = 1))
    show_refusal(random_network(10, spread = 2))
    show_refusal(random_network(10, max_parents = 0))
    show_refusal(random_network(10, seed = "a"))
    show_refusal(random_network(10, effects = 0.2))
  })
})
