# The numbers in a fit of marginal_pc() against what the fit says of them and of its price.

# What the measurements of a fit cost, from their stated variances alone. Replacing a record that
# differs from the old one in the variables h moves the contrasts of a set A, in counts, by the
# squared length 2 (prod c - prod (c - h)), c = 1 - 1/k (inst/include/privpc/statistic/batch.hpp);
# each is divided by 2 n^2 variance, and the worst h of all counts.
rho_of_measurements <- function(fit) {
  held <- fit$measurements
  c_of <- 1 - 1 / lengths(held$levels)
  patterns <- as.matrix(expand.grid(rep(list(0:1), length(c_of))))
  cost <- numeric(nrow(patterns))
  for (part in held[c("tables", "families")]) {
    for (k in seq_along(part$sets)) {
      set <- part$sets[[k]]
      shared <- apply(sweep(-patterns[, set, drop = FALSE], 2L, c_of[set], `+`), 1L, prod)
      cost <- cost + (prod(c_of[set]) - shared) / (part$variance[[k]] * held$n^2)
    }
  }
  max(cost)
}

test_that("the stated variances of a fit cost no more rho than its ledger and its promise say", {
  data <- list(
    asia = simulate(network("asia"), nsim = 5000, seed = 1),
    survey = simulate(network("survey"), nsim = 5000, seed = 1),
    two = small_cohort()[c("a", "c")]
  )
  data$mixed <- data.frame(data$survey, other = factor(rep(1:7, length.out = 5000)))
  for (name in names(data)) {
    for (epsilon in c(0.05, 1, 10)) {
      for (parameters in c(FALSE, TRUE)) {
        for (max_order in c(0, 3)) {
          fit <- marginal_pc(
            data[[name]], epsilon, 1e-6, max_order = max_order, parameters = parameters, threads = 1
          )
          label <- paste(name, "at epsilon", epsilon, if (parameters) "with parameters")
          paid <- sum(fit$ledger$rho)
          used <- rho_of_measurements(fit)
          expect_lte(paid, fit$privacy$rho, label = label)
          gaussian <- fit$privacy$accounting == "gaussian"
          expect_lte(fit$privacy$rho, rho_from_dp(epsilon, 1e-6, gaussian), label = label)
          expect_lte(used, paid, label = label)
          # A tenth less noise would cost 1.23 times as much.
          expect_gt(used / 0.81, paid, label = label)
          expect_identical(
            fit$ledger$target[[nrow(fit$ledger)]] == "families", parameters, label = label
          )
          stages <- paid - if (parameters) fit$ledger$rho[[nrow(fit$ledger)]] else 0
          expect_lte(stages, fit$privacy$rho * if (parameters) 0.7 else 1, label = label)
        }
      }
    }
  }
})

test_that("unseeded fits scatter around the exact tables as much as they say", {
  # x and y are nearly the same, so that the pair is in question in every fit, and what is measured
  # does not hang on the noise.
  n <- 20000
  x <- rep(1:4, length.out = n)
  y <- ifelse(seq_len(n) %% 7 == 0, 1 + seq_len(n) %% 5, x)
  data <- data.frame(x = factor(x, levels = 1:4), y = factor(y, levels = 1:5))
  fits <- replicate(
    250, marginal_pc(data, epsilon = 1, parameters = TRUE, threads = 1), simplify = FALSE
  )
  held <- fits[[1L]]$measurements
  for (part in c("tables", "families")) {
    sets <- lapply(held[[part]]$sets, function(set) held$nodes[set])
    expect_setequal(vapply(sets, paste, "", collapse = " "), c("x", "y", "x y"))
    exact <- unlist(lapply(sets, exact_contrasts, data = data)) / n
    variance <- rep(held[[part]]$variance, lengths(held[[part]]$values))
    squares <- vapply(fits, function(fit) {
      expect_identical(fit$measurements[[part]]$variance, held[[part]]$variance)
      sum((unlist(fit$measurements[[part]]$values) - exact)^2 / variance)
    }, 0)
    # 4750 squares of normal numbers: a false alarm in less than one of 1e6 runs of this test, and a
    # tenth less or more noise is seen nearly always.
    df <- 19 * length(fits)
    chance <- function(sum) {
      2 * min(stats::pchisq(sum, df), stats::pchisq(sum, df, lower.tail = FALSE))
    }
    expect_gt(chance(sum(squares)), 2.5e-7)
    expect_lt(chance(0.81 * sum(squares)), 2.5e-7)
    # No fit shares its noise with another.
    expect_identical(anyDuplicated(squares), 0L)
  }
})
