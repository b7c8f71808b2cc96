# Pairs as measured_pairs() has them, of variables with two contrasts each: the covariances that
# follow from `arcs` (one matrix per variable with parents), plus noise.
pairs_of_arcs <- function(parents, arcs, noise = 0, sizes = rep(2L, length(parents))) {
  ends <- cumsum(sizes)
  at <- Map(function(end, size) end - size + seq_len(size), ends, sizes)
  covariance <- diag(0.3, sum(sizes))
  for (v in seq_along(parents)) {
    before <- unlist(at[seq_len(v - 1L)])
    if (length(parents[[v]]) == 0L) next
    row <- arcs[[v]] %*% covariance[unlist(at[parents[[v]]]), before, drop = FALSE]
    covariance[at[[v]], before] <- row
    covariance[before, at[[v]]] <- t(row)
  }
  noisy <- covariance
  for (v in seq_along(parents)) {
    for (w in seq_len(v - 1L)) {
      noisy[at[[w]], at[[v]]] <- noisy[at[[w]], at[[v]]] +
        stats::rnorm(sizes[[v]] * sizes[[w]], sd = noise)
      noisy[at[[v]], at[[w]]] <- t(noisy[at[[w]], at[[v]]])
    }
  }
  variance <- matrix(max(noise, 1e-6)^2, length(parents), length(parents))
  list(truth = covariance, covariance = noisy, variance = variance, at = at)
}

some_parents <- list(integer(), 1L, 1:2, 3L, c(2L, 4L), 5L)
some_arcs <- function() {
  lapply(some_parents, function(set) {
    matrix(stats::runif(4 * length(set), -0.6, 0.6), 2L)
  })
}

test_that("pairs that follow from a DAG are explained by it exactly", {
  with_seed(1, pairs <- pairs_of_arcs(some_parents, some_arcs()))
  expect_equal(joint_pairs(pairs, some_parents), pairs$truth, tolerance = 1e-5)
  # Whatever the order of the variables.
  turned <- rev(seq_along(some_parents))
  places <- unlist(pairs$at[turned])
  other <- list(
    covariance = pairs$covariance[places, places], variance = pairs$variance[turned, turned],
    at = unname(split(seq_along(places), rep(seq_along(turned), each = 2)))
  )
  implied <- joint_pairs(other, lapply(some_parents[turned], function(set) match(set, turned)))
  expect_equal(implied, pairs$truth[places, places], tolerance = 1e-5)
})

test_that("all pairs together tell more of an arc than its own pair", {
  with_seed(2, {
    off <- vapply(1:20, function(i) {
      pairs <- pairs_of_arcs(some_parents, some_arcs(), noise = 0.02)
      joint <- joint_pairs(pairs, some_parents)
      arcs <- lapply(2:6, function(v) {
        list(pairs$at[[v]], unlist(pairs$at[some_parents[[v]]]))
      })
      squared <- function(found) {
        mean(
          unlist(lapply(arcs, function(a) (found[a[[1]], a[[2]]] - pairs$truth[a[[1]], a[[2]]])^2))
        )
      }
      c(squared(joint), squared(pairs$covariance))
    }, numeric(2))
  })
  # Noise of the measured pairs: 0.02^2. Of 20 networks none got worse on the whole.
  expect_equal(mean(off[2, ]), 0.02^2, tolerance = 0.1)
  expect_lt(mean(off[1, ]), 0.9 * mean(off[2, ]))
})

test_that("a pair that was not measured follows from the others", {
  with_seed(3, pairs <- pairs_of_arcs(some_parents, some_arcs()))
  rows <- pairs$at[[1]]
  columns <- pairs$at[[6]]
  pairs$variance[1, 6] <- pairs$variance[6, 1] <- NA
  pairs$covariance[rows, columns] <- 5
  pairs$covariance[columns, rows] <- 5
  expect_equal(
    joint_pairs(pairs, some_parents)[rows, columns], pairs$truth[rows, columns], tolerance = 1e-4
  )
})

test_that("what parents do together does not bend the pairs of arcs where noise is small", {
  # z is x or y, w is z: given as sums the pairs of x and w fit, those of exclusive or do not.
  with_seed(4, {
    n <- 100000
    a <- rbinom(n, 1, 0.4)
    b <- ifelse(runif(n) < 0.3, a, rbinom(n, 1, 0.5))
    c <- ifelse(runif(n) < 0.8, as.integer(xor(a, b)), rbinom(n, 1, 0.3))
    d <- ifelse(runif(n) < 0.7, as.integer(c | a), rbinom(n, 1, 0.5))
    e <- ifelse(runif(n) < 0.7, as.integer(xor(d, b)), 1L)
  })
  cohort <- data.frame(lapply(list(a = a, b = b, c = c, d = d, e = e), factor))
  fit <- marginal_pc(cohort, epsilon = 50, seed = 1)
  dag <- matrix(0L, 5, 5, dimnames = list(names(cohort), names(cohort)))
  dag[cbind(c("a", "a", "b", "c", "a", "d", "b"), c("b", "c", "c", "d", "d", "e", "e"))] <- 1L
  held <- opened(fit$measurements)
  pairs <- measured_pairs(held)
  implied <- joint_pairs(
    pairs, lapply(held$nodes, function(v) match(parents_of(dag, v), held$nodes))
  )
  of_arcs <- which((dag | t(dag))[held$nodes, held$nodes])
  expect_lt(max(abs(implied - pairs$covariance)[of_arcs]), 0.002)
})

test_that("measured pairs are those of the measured tables", {
  cohort <- simulate(network("survey"), nsim = 2000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 1, seed = 1)
  held <- opened(fit$measurements)
  pairs <- measured_pairs(held)
  at <- match(c("E", "A"), held$nodes)
  for (at in list(at, rev(at))) {
    table <- measured(fit, held$nodes[at])
    shares <- xtabs(reformulate(rev(rev(names(table)[1:2])), "share"), table)
    # Their margins are noisy too; as probabilities they differ from these only below 0.
    beyond <- shares - outer(rowSums(shares), colSums(shares))
    found <- pairs$bases[[at[1]]] %*%
      pairs$covariance[pairs$at[[at[1]]], pairs$at[[at[2]]]] %*% t(pairs$bases[[at[2]]])
    expect_equal(as.vector(found), as.vector(beyond), tolerance = 1e-6)
  }
})
