# sg_pc() on a sub-sample: its tests have the noise of a rho that is certified for all rows, and it
# draws as many rows as that was worked out for.

# The exact delta of the worst case on a sub-sample of share q: whether the replaced record is among
# the sampled ones moves the value, of sensitivity 1, by 1 or not at all, so that the outputs of two
# neighbours are N(0, s^2) and (1 - q) N(0, s^2) + q N(1, s^2). Their likelihood ratio rises with
# the output: the event that tells most is that it lies above (or below) one number.
exact_delta <- function(rho, q, epsilon) {
  s <- 1 / sqrt(2 * rho)
  mixture <- function(x, lower) {
    (1 - q) * stats::pnorm(x / s, lower.tail = lower) +
      q * stats::pnorm((x - 1) / s, lower.tail = lower)
  }
  above <- s^2 * log((exp(epsilon) - 1 + q) / q) + 0.5
  delta <- mixture(above, FALSE) - exp(epsilon) * stats::pnorm(above / s, lower.tail = FALSE)
  if (exp(-epsilon) <= 1 - q) return(delta)
  below <- s^2 * log((exp(-epsilon) - 1 + q) / q) + 0.5
  max(delta, stats::pnorm(below / s) - exp(epsilon) * mixture(below, TRUE))
}

# An upper bound of epsilon, by formulas of three papers: every order and every split of delta gives
# a valid one, so that no search has to be exact.
certified_epsilon <- function(rho, q, delta) {
  from_rho <- function(delta) {  # Canonne, Kamath and Steinke (2020), Proposition 12
    at <- function(log_b) {
      b <- exp(log_b)
      (b + 1) * rho - log((b + 1) * delta) / b - log1p(1 / b)
    }
    stats::optimize(at, c(-7, 14), tol = 1e-6)$objective
  }
  amplified <- log1p(q * expm1(from_rho(delta / q)))  # Balle, Barthe and Gaboardi (2018)
  by_order <- vapply(2:300, function(a) {  # Wang, Balle and Kasiviswanathan (2019), Theorem 9
    j <- 2:a
    log_terms <- j * log(q) + lchoose(a, j) + (j - 1) * j * rho + log(2)
    log_terms[[1L]] <- 2 * log(q) + lchoose(a, 2) +
      log(min(4 * expm1(2 * rho), 2 * exp(2 * rho)))
    largest <- max(log_terms)
    log_moment <- log1p(exp(largest) * sum(exp(log_terms - largest)))
    log_moment / (a - 1) - log(a * delta) / (a - 1) + log1p(-1 / a)
  }, 0)
  min(from_rho(delta), amplified, by_order)
}

two_columns <- function(n) {
  data.frame(x = factor(rep(0:1, length.out = n)), y = factor(rep(c(0, 0, 1, 1), length.out = n)))
}

test_that("what is spent on the sub-sample keeps the promise for all rows", {
  for (q in c(0.05, 0.25, 0.5, 0.9)) {
    for (epsilon in c(0.1, 1, 4)) {
      # With one test all of the budget goes to it, and the ledger says how much that was.
      fit <- sg_pc(two_columns(400), epsilon, 1e-6, subsample = q, max_order = 0)
      expect_identical(nrow(fit$ledger), 1L)
      rho <- fit$ledger$rho
      label <- paste("share", q, "at epsilon", epsilon)
      expect_lte(exact_delta(rho, q, epsilon), 1e-6, label = label)
      expect_lte(certified_epsilon(rho, q, 1e-6), epsilon * (1 + 1e-6), label = label)
      # Nor is it wasteful, which is what makes the two lines above able to fail: with a share
      # that is half as large they would not hold.
      half <- cpp_subsampled_gaussian_sigma(epsilon, 1e-6, q / 2, 1, 1, 1)
      expect_gt(exact_delta(1 / (2 * half^2), q, epsilon), 1e-6)
      # Several tests and orders draw on the same rho.
      cohort <- small_cohort(400)
      many <- sg_pc(cohort, epsilon, 1e-6, subsample = q)
      expect_gt(nrow(many$ledger), 2L)
      expect_lte(sum(many$ledger$rho), rho * (1 + 1e-8))
    }
  }
})

# Runs inside the core, one string each, that begins with "0-1|" where the edge was removed.
share_removed <- function(data, runs, ...) {
  settings <- utils::modifyList(list(
    learner = "sg_pc", test = "tau", published = FALSE, rounds = 0, tweak = NA_real_,
    max_order = 0L, blocks = 0, threads = 1L, portable = FALSE, memory_cap = 2^20
  ), list(...))
  settings$delta <- 1e-6
  found <- cpp_runs_private_pc(
    data_source(data, by_order = TRUE), settings, no_arcs, no_arcs, as.integer(runs)
  )
  sum(startsWith(found, "0-1|"))
}

test_that("the tests have the noise that was paid for", {
  # Of constant columns T and its variance are 0 on every sub-sample, so that the margin is known:
  # c sqrt(v0) / (2 + c (140/81) / (2 sqrt(v0))) with the floor v0 = max(4, 8 sigma). An edge goes
  # if the noisy margin is above -sigma/4.
  data <- data.frame(x = factor(rep(0, 50), levels = 0:1), y = factor(rep(0, 50), levels = 0:1))
  runs <- 60000
  for (q in c(0.1, 0.5)) {
    rho <- sg_pc(data, 1, 1e-6, subsample = q, max_order = 0)$ledger$rho
    sigma <- 1 / sqrt(2 * rho)
    floor <- max(4, 8 * sigma)
    margin <- sqrt(floor) / (2 + 140 / 81 / (2 * sqrt(floor)))
    chance <- stats::pnorm(0.25 + margin / sigma)
    removed <- share_removed(data, runs, epsilon = 1, critical = 1, subsample = 50 * q)
    expect_gt(stats::binom.test(removed, runs, chance)$p.value, 1e-7)
    # A tenth less noise would be seen: it is 13 standard deviations away.
    with_less <- stats::pnorm(0.25 + margin / (0.9 * sigma))
    expect_lt(stats::binom.test(removed, runs, with_less)$p.value, 1e-7)
  }
})

test_that("the sub-sample has the size that was paid for, and every row may be in it", {
  # With next to no noise the edge stays if and only if the one odd record is among the sampled.
  runs <- 20000
  for (place in c(1L, 5L, 10L)) {
    odd <- replace(integer(10), place, 1L)
    data <- data.frame(x = factor(odd, levels = 0:1), y = factor(odd, levels = 0:1))
    for (m in c(3, 5)) {
      removed <- share_removed(data, runs, epsilon = 1e5, critical = 0.1, subsample = m)
      expect_gt(stats::binom.test(runs - removed, runs, m / 10)$p.value, 1e-7)
    }
  }
})
