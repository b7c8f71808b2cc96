# The noise that a release states, turned back into what it costs by the theorem of its mechanism,
# against what a budget was charged and what the release promises.

last_step <- function(budget) utils::tail(privacy_ledger(budget), 1L)

expect_price <- function(cost, charged, promised, label) {
  expect_lte(cost, charged * (1 + 1e-12), label = label)
  expect_gt(cost, 0.998 * charged, label = label)
  expect_lte(charged, promised * (1 + 1e-9), label = label)
}

test_that("Laplace and Gaussian noise cost what they are charged", {
  for (epsilon in c(0.05, 0.8)) {
    for (size in c(0.1, 3)) {
      pure <- privacy_budget(1)
      scale <- laplace_mechanism(c(1, 2), size, epsilon, budget = pure)$noise$scale
      expect_price(size / scale, last_step(pure)$epsilon, epsilon, "laplace")
      in_rho <- privacy_budget(8, 1e-6)
      scale <- laplace_mechanism(c(1, 2), size, epsilon, budget = in_rho)$noise$scale
      cost <- size / scale
      expect_price(
        cost * tanh(cost / 2), last_step(in_rho)$rho, epsilon * tanh(epsilon / 2), "laplace in rho"
      )
      sd <- gaussian_mechanism(c(1, 2), size, epsilon, budget = in_rho)$noise$sd
      expect_price(
        size^2 / (2 * sd^2), last_step(in_rho)$rho, rho_from_dp(epsilon, 1e-6), "gaussian"
      )
    }
  }
})

test_that("a sparse vector costs what it is charged, in one run and in several", {
  seen <- logical()
  for (cutoff in c(1, 5, 200)) {
    for (monotone in c(FALSE, TRUE)) {
      for (share in list(NULL, 0.3)) {
        for (delta in c(0, 1e-6)) {
          budget <- privacy_budget(8, 1e-5)
          released <- sparse_vector(
            rep(1e9, 300), 0, 2, epsilon = 1, delta = delta, cutoff = cutoff, monotone = monotone,
            share = share, budget = budget
          )
          label <- paste("cutoff", cutoff, "delta", delta, if (monotone) "monotone")
          # Everything is far above: as many answers as were paid for, then none.
          expect_identical(sum(released$value, na.rm = TRUE), as.integer(cutoff), label = label)
          expect_identical(sum(!is.na(released$value)), as.integer(cutoff), label = label)
          several <- released$privacy$delta > 0
          seen <- c(seen, several)
          positives <- if (several) 1 else cutoff
          each <- 2 / released$noise$`threshold scale` +
            (if (monotone) 1 else 2) * positives * 2 / released$noise$`query scale`
          runs <- if (several) cutoff else 1
          expect_identical(nrow(privacy_ledger(budget)), 1L, label = label)
          expect_price(
            runs * each * tanh(each / 2), last_step(budget)$rho,
            if (several) rho_from_dp(1, delta) else tanh(1 / 2), label
          )
        }
      }
    }
  }
  expect_identical(sort(unique(seen)), c(FALSE, TRUE))
})

test_that("sieve and examine step cost what they are charged together", {
  for (epsilon in c(0.1, 2)) {
    for (subsample in c(10, 500, 1000)) {
      for (share in c(0.2, 0.7)) {
        budget <- privacy_budget(3)
        noise <- sieve_and_examine(
          list(length), 1000, 5, 2, epsilon, subsample = subsample, share = share, budget = budget
        )$noise
        before <- 2 / noise$`threshold scale` + 2 * 2 / noise$`query scale`
        sieve <- log1p(subsample / 1000 * expm1(before))
        expect_price(
          sieve + 2 / noise$`examine scale`, last_step(budget)$epsilon, epsilon,
          paste("epsilon", epsilon, "on", subsample)
        )
      }
    }
  }
})
