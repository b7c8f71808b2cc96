# Measurements with almost no noise: the tables must be those of the data.
exact_measurements <- function(data, parameters = FALSE) {
  marginal_pc(data, epsilon = 1e6, delta = 1e-6, parameters = parameters, seed = 1)
}

test_that("cells agree with measured(), whatever the order of the variables", {
  cohort <- simulate(network("survey"), nsim = 20000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 1, seed = 1)
  held <- fit$measurements
  for (variables in list("A", c("A", "E"), c("E", "A"), c("T", "R"))) {
    table <- noisy_table(held, match(variables, held$nodes))
    expect_equal(as.vector(table$basis %*% table$value), measured(fit, variables)$share)
    expect_equal(margin_noise(table, seq_along(variables)), measured(fit, variables)$se[[1]])
  }
  # Three variables, measured with the families and in part before: both are averaged.
  cohort <- simulate(network("asia"), nsim = 50000, seed = 1)
  fit <- marginal_pc(cohort, epsilon = 5, parameters = TRUE, seed = 1)
  held <- fit$measurements
  triple <- Filter(function(set) length(set) == 3L, held$families$sets)
  expect_gt(length(triple), 0L)
  variables <- held$nodes[triple[[1]][c(2, 3, 1)]]
  table <- noisy_table(held, match(variables, held$nodes))
  expect_equal(as.vector(table$basis %*% table$value), measured(fit, variables)$share)
  expect_equal(margin_noise(table, 1:3), measured(fit, variables)$se[[1]])
})

test_that("the basis is orthonormal, with known signs and in the order of R's arrays", {
  for (k in 2:5) {
    basis <- cbind(cpp_basis_columns(k, integer()), cpp_basis_columns(k, 1L))
    expect_equal(crossprod(basis), diag(k))
  }
  expect_equal(cpp_basis_columns(3L, 1L)[, 2], c(1, 1, -2) / sqrt(6))
  # Of two variables the first runs fastest, in the cells and in the contrasts.
  of_both <- cpp_basis_columns(3:2, 1:2)
  expect_equal(of_both, kronecker(cpp_basis_columns(2L, 1L), cpp_basis_columns(3L, 1L)))
})

test_that("the projection is the nearest table of probabilities", {
  expect_equal(on_simplex(c(0.2, 0.3, 0.5)), c(0.2, 0.3, 0.5))
  expect_equal(on_simplex(c(1.2, -0.2)), c(1, 0))
  with_seed(1, for (trial in 1:20) {
    x <- rnorm(6)
    p <- on_simplex(x)
    expect_equal(sum(p), 1)
    expect_gte(min(p), 0)
    others <- matrix(rexp(6 * 500), 6)
    others <- sweep(others, 2, colSums(others), "/")
    expect_true(all(colSums((others - x)^2) >= sum((p - x)^2) - 1e-12))
  })
})

test_that("without noise the fitted cells are the data's, or have the measured margins", {
  cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
  fit <- exact_measurements(cohort)
  held <- fit$measurements
  pair <- noisy_table(held, match(c("smoke", "lung"), held$nodes))
  expect_equal(
    as.vector(probability_cells(pair)), as.vector(table(cohort$smoke, cohort$lung)) / 20000,
    tolerance = 1e-3
  )
  variables <- c("bronc", "smoke", "xray", "asia")
  four <- noisy_table(held, match(variables, held$nodes))
  cells <- probability_cells(four)
  expect_equal(sum(cells), 1)
  for (set in four$margins) {
    expect_equal(
      as.vector(apply(cells, set, sum)), as.vector(table(cohort[variables[set]])) / 20000,
      tolerance = 1e-3
    )
  }
})

test_that("a variable with one level does no harm", {
  data <- cbind(small_cohort(), one = factor(rep("x", 2000), levels = "x"))
  fit <- exact_measurements(data)
  held <- fit$measurements
  table <- noisy_table(held, match(c("a", "one", "b"), held$nodes))
  expect_equal(
    as.vector(probability_cells(table)), as.vector(table(data$a, data$b)) / 2000, tolerance = 1e-3
  )
})

test_that("tables that are too large are refused", {
  held <- list(nodes = letters[1:3], levels = rep(list(as.character(1:50)), 3), n = 10)
  expect_snapshot(show_refusal(noisy_table(held, 1:3, quote(effect()))))
})
