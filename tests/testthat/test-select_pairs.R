# The rules and the privacy of a selection: tests/cpp/test_pair_selection.cpp, test_pair_scores.cpp.

test_that("a selection finds what its model does not expect, and nothing outside its candidates", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)
  source <- data_source(data)
  names <- source$schema$names
  margins <- lapply(data[names], function(x) prop.table(table(x)))
  pairs <- t(utils::combn(length(names), 2))
  expected <- lapply(seq_len(nrow(pairs)), function(i) {
    outer(margins[[pairs[i, 1]]], margins[[pairs[i, 2]]])
  })
  edges <- apply(pairs, 1, function(at) paste(names[at], collapse = "-"))
  # With next to no noise the farthest ones, less what chance explains
  deviations <- vapply(margins, function(p) sum(sqrt(p * (1 - p))), 0)
  scores <- vapply(seq_along(edges), function(i) {
    counts <- table(data[names[pairs[i, ]]])
    sum(abs(counts - 20000 * expected[[i]])) - sqrt(2 * 20000 / pi) * prod(deviations[pairs[i, ]])
  }, 0)
  top <- selected_pairs(source, pairs, expected, rho = 1e8, count = 9)
  expect_identical(top[1, ], order(-scores)[1:9])
  expect_identical(ncol(selected_pairs(source, pairs, expected, rho = 0.1)), 7L) # a tree
  # A model that is right about a pair takes it off the list; so does leaving it out
  right <- which(edges == "either-lung")
  expect_true(right %in% top)
  informed <- expected
  informed[[right]] <- prop.table(table(data[c("either", "lung")]))
  expect_false(right %in% selected_pairs(source, pairs, informed, rho = 100, count = 9))
  others <- selected_pairs(source, pairs[-right, ], expected[-right], rho = 100, count = 9)
  expect_false("either-lung" %in% edges[-right][others])
})

test_that("the two variables of a candidate may come in either order", {
  data <- data.frame(a = factor(c(1, 1, 2)), b = factor(c(1, 2, 3)), c = factor(c(1, 2, 2)))
  source <- data_source(data)
  pairs <- rbind(1:2, 2:3, c(1, 3))
  expected <- list(
    prop.table(table(data$a, data$b)), matrix(1 / 6, 3, 2), prop.table(table(data$a, data$c))
  )
  swapped <- lapply(expected, t)
  choose <- function(pairs, expected) selected_pairs(source, pairs, expected, 5, 2, 20, seed = 1)
  expect_identical(choose(pairs, expected), choose(pairs[, 2:1], swapped))
  expect_setequal(selected_pairs(source, pairs[, 2:1], swapped, 1e6, 1, 20), 2L)
})
