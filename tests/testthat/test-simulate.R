# Counts of each level of `node`, one column per configuration of its parents,
# in the layout of the network's probability table.
counts_of <- function(net, data, node) {
  codes <- lapply(data[c(node, net$parents[[node]])], as.integer)
  sizes <- lengths(net$levels[c(node, net$parents[[node]])])
  cell <- 1 + Reduce(`+`, Map(function(code, stride) (code - 1) * stride,
    codes, cumprod(c(1, sizes[-length(sizes)]))
  ))
  matrix(tabulate(cell, prod(sizes)), sizes[[1]])
}

# Smallest p-value over all levels of all rows of all tables, multiplied by the
# number of tests (Bonferroni). Given how often a configuration of the parents
# occurred, the count of a level is exactly binomial, so this is exact however
# rare the configuration. `pooled` is the chi-square statistic of all rows with
# enough data, as a two-sided p-value: it sees what is too small for one row.
goodness_of_fit <- function(net, data) {
  p_values <- numeric()
  statistic <- freedom <- 0
  for (node in net$nodes) {
    observed <- counts_of(net, data, node)
    p <- matrix(net$probabilities[[node]], nrow(observed))
    n <- rep(colSums(observed), each = nrow(observed))
    below <- stats::pbinom(observed, n, p)
    above <- stats::pbinom(observed - 1, n, p, lower.tail = FALSE)
    p_values <- c(p_values, pmin(1, 2 * pmin(below, above)))
    expected <- n * p
    rich <- apply(p == 0 | matrix(expected, nrow(p)) >= 20, 2, all)
    part <- (observed - expected)^2 / expected
    statistic <- statistic + sum(part[, rich][p[, rich] > 0])
    freedom <- freedom + sum(pmax(0, colSums(p[, rich, drop = FALSE] > 0) - 1))
  }
  tails <- c(
    stats::pchisq(statistic, freedom),
    stats::pchisq(statistic, freedom, lower.tail = FALSE)
  )
  list(
    exact = min(p_values) * length(p_values), pooled = 2 * min(tails),
    freedom = freedom, tests = length(p_values)
  )
}

test_that("rows follow the probabilities of every network", {
  # False alarms: seven networks, two tests each, 1e-6 in all.
  alarm_level <- 1e-6 / 14
  for (name in networks()$name) {
    net <- network(name)
    fit <- goodness_of_fit(net, simulate(net, nsim = 2e5, seed = 20))
    expect_gt(fit$exact, alarm_level)
    expect_gt(fit$pooled, alarm_level)
    expect_gte(fit$tests, sum(lengths(net$probabilities)))
  }
})

test_that("that test would notice a small error", {
  net <- network("alarm")
  data <- simulate(net, nsim = 2e5, seed = 20)
  wrong <- net
  wrong$probabilities$CVP[, "NORMAL"] <- c(0.05, 0.90, 0.05)
  expect_lt(goodness_of_fit(wrong, data)$exact, 1e-6 / 14)
  swapped <- data
  swapped$CVP <- rev(swapped$CVP)
  expect_lt(goodness_of_fit(net, swapped)$pooled, 1e-6 / 14)
})

test_that("a deterministic variable is exact, a level of probability zero absent", {
  data <- simulate(network("asia"), nsim = 1e5, seed = 2)
  expect_identical(data$either == "yes", data$lung == "yes" | data$tub == "yes")
  child <- simulate(network("child"), nsim = 1e5, seed = 2)
  expect_identical(unique(as.character(child$DuctFlow[child$Disease == "PAIVS"])), "Lt_to_Rt")
})

test_that("the result is a plain data frame of factors", {
  net <- network("child")
  data <- simulate(net, nsim = 10, seed = 3)
  expect_s3_class(data, "data.frame", exact = TRUE)
  expect_identical(names(data), net$nodes)
  expect_identical(dim(data), c(10L, 20L))
  expect_identical(lapply(data, levels), net$levels)
  expect_identical(vapply(data, is.ordered, logical(1)), net$ordered)
  expect_true(all(vapply(data, is.factor, logical(1))))
  expect_identical(.row_names_info(data), -10L)
  expect_identical(nrow(simulate(net)), 1L)
})

test_that("a seed always gives the same rows", {
  # If this changes, data that users made with a seed change too: say so in NEWS.
  expect_snapshot({
    simulate(network("survey"), nsim = 6, seed = 1)
    simulate(network("sachs"), nsim = 3, seed = -2^53)
  })
  alarm <- simulate(network("alarm"), nsim = 3000, seed = 4)
  codes <- as.matrix(as.data.frame(lapply(alarm, as.integer)))
  expect_snapshot(sum(codes * row(codes) * col(codes)))
})

test_that("the rows depend on the seed, not on threads or their number", {
  net <- network("child")
  one <- simulate(net, nsim = 10000, seed = 5)
  expect_identical(simulate(net, nsim = 10000, seed = 5L), one)
  expect_identical(simulate(net, nsim = 10000, seed = 5, threads = 2), one)
  expect_identical(simulate(net, nsim = 10000, seed = 5, threads = 7), one)
  expect_false(identical(simulate(net, nsim = 10000, seed = 6), one))
  fewer <- simulate(net, nsim = 1500, seed = 5)
  expect_identical(as.list(fewer), as.list(one[1:1500, ]))
})

test_that("results longer than one slice are the same for any number of threads", {
  net <- network("cancer")
  rows <- 2^20 + 3000
  one <- simulate(net, nsim = rows, seed = 5)
  expect_identical(simulate(net, nsim = rows, seed = 5, threads = 2), one)
  expect_false(identical(
    as.integer(one$Smoker[1:3000]), as.integer(one$Smoker[2^20 + 1:3000])
  ))
})

test_that("R's generator is used without a seed, and left alone with one", {
  net <- network("asia")
  set.seed(1)
  before <- .Random.seed
  simulate(net, nsim = 10, seed = 1)
  expect_identical(.Random.seed, before)

  first <- simulate(net, nsim = 100)
  expect_false(identical(.Random.seed, before))
  second <- simulate(net, nsim = 100)
  expect_false(identical(first, second))
  set.seed(1)
  expect_identical(simulate(net, nsim = 100), first)
  expect_identical(simulate(net, nsim = 100, seed = attr(first, "seed")), first)
})

test_that("misuse is refused", {
  net <- network("asia")
  expect_snapshot({
    show_refusal(simulate(net, nsim = 0))
    show_refusal(simulate(net, nsim = 1.5))
    show_refusal(simulate(net, nsim = 2^31))
    show_refusal(simulate(net, nsim = "10"))
    show_refusal(simulate(net, nsim = NA_real_))
    show_refusal(simulate(net, nsim = c(1, 2)))
    show_refusal(simulate(net, seed = "a"))
    show_refusal(simulate(net, seed = 0.5))
    show_refusal(simulate(net, seed = 2^60))
    show_refusal(simulate(net, threads = 0))
    show_refusal(simulate(net, sed = 1))
  })
})

test_that("a network damaged by hand is refused", {
  damaged <- function(field, node, value) {
    net <- network("asia")
    if (field == "probabilities" && length(value) == length(net[[field]][[node]])) {
      net[[field]][[node]][] <- value
    } else {
      net[[field]][[node]] <- value
    }
    simulate(net, nsim = 10, seed = 1)
  }
  expect_snapshot({
    show_refusal(damaged("probabilities", "asia", c(0.5, 0.2)))
    show_refusal(damaged("probabilities", "asia", c(-0.5, 1.5)))
    show_refusal(damaged("probabilities", "asia", c(NA, 1)))
    show_refusal(damaged("probabilities", "tub", c(0.5, 0.5)))
    show_refusal(damaged("probabilities", "tub", c("a", "b")))
    show_refusal(damaged("probabilities", "tub", NULL))
    show_refusal(damaged("parents", "tub", "nobody"))
    show_refusal(damaged("parents", "tub", NULL))
    show_refusal(damaged("parents", "tub", "tub"))
    show_refusal(damaged("parents", "lung", "dysp"))
    show_refusal(damaged("levels", "asia", character()))
    show_refusal(damaged("levels", "asia", c("x", "x")))
    show_refusal(damaged("parents", "dysp", c("either", "bronc")))
    show_refusal(damaged("ordered", "asia", NA))
  })
})

test_that("an edited network simulates what it says", {
  net <- network("asia")
  net$probabilities$smoke[] <- c(1, 0)
  expect_true(all(simulate(net, nsim = 1000, seed = 1)$smoke == "yes"))
})

test_that("balanced rows keep the probabilities", {
  net <- network("child")
  rows <- simulate(net, nsim = 5000, seed = 1, balanced = TRUE)
  for (node in net$nodes) {
    counts <- table(rows[c(node, net$parents[[node]])])
    given <- seq_along(dim(counts))[-1]
    expected <- if (length(given)) {
      sweep(net$probabilities[[node]], given, apply(counts, given, sum), `*`)
    } else {
      5000 * net$probabilities[[node]]
    }
    expect_lt(max(abs(as.vector(counts) - as.vector(expected))), 1)
  }
  expect_identical(simulate(net, nsim = 5000, seed = 1, balanced = TRUE, threads = 3), rows)
  expect_false(identical(simulate(net, nsim = 5000, seed = 2, balanced = TRUE), rows))
  # Which rows have a level is random: two children of one cause are independent given it.
  rows <- simulate(network("asia"), nsim = 100000, seed = 1, balanced = TRUE)
  for (smokes in c("yes", "no")) {
    pair <- table(rows[rows$smoke == smokes, c("lung", "bronc")])
    p <- stats::chisq.test(pair, correct = FALSE)$p.value
    expect_gt(min(p, 1 - p), 1e-6)
  }
})

test_that("levels of probability 0 and single rows are right in balanced rows, too", {
  net <- network("asia")
  net$probabilities$asia[] <- c(0, 1)
  expect_true(all(simulate(net, nsim = 1000, seed = 1, balanced = TRUE)$asia == "no"))
  drawn <- vapply(1:2000, function(seed) {
    as.character(simulate(network("survey"), nsim = 1, seed = seed, balanced = TRUE)$S)
  }, "")
  share <- network("survey")$probabilities$S[["M"]]
  expect_gt(stats::binom.test(sum(drawn == "M"), 2000, share)$p.value, 1e-6)
  expect_snapshot(show_refusal(simulate(network("asia"), nsim = 1, balanced = NA)))
})
