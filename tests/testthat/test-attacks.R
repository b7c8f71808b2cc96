# Quick versions of the attacks of `make attacks`: the attackers work, and the promise holds.

test_that("an attacker is as good as theory says, and no better", {
  normal <- function(mean, n) stats::rnorm(n, mean)
  with_seed(1, {
    found <- attack(normal, 1, 0, epsilon = 10, delta = 0.1, runs = 40000)
    nothing <- attack(normal, 0, 0, epsilon = 0.01, runs = 40000)
  })
  best <- 2 * stats::pnorm(0.5) - 1
  expect_lt(found$low, best)
  expect_gt(found$high, best)
  expect_lt(found$high - found$low, 0.05)
  # At a false alarm in a hundred: P(N(1, 1) > the quantile).
  expect_equal(found$tpr[[1L]], stats::pnorm(stats::qnorm(0.01) + 1), tolerance = 0.3)
  expect_false(found$caught)
  expect_lt(nothing$low, 0)
  expect_false(nothing$caught)
})

test_that("an attacker reads words, whole texts, columns and their sums", {
  with_seed(2, {
    texts <- function(p, n) ifelse(stats::runif(n) < p, "a b", "a c")
    long <- function(p, n) paste(stats::runif(n), ifelse(stats::runif(n) < p, "here", "there"))
    apart <- function(shift, n) cbind(stats::rnorm(n), stats::rnorm(n) * shift, 0)
    sums <- function(shift, n) matrix(stats::rnorm(8 * n, shift / 4), n)
    expect_gt(attack(texts, 0.9, 0.1, 1, runs = 4000)$advantage, 0.7)
    expect_gt(attack(long, 0.9, 0.1, 1, runs = 4000)$advantage, 0.7)
    # The same mean, another spread.
    expect_gt(attack(apart, 1, 6, 1, runs = 4000)$advantage, 0.5)
    expect_gt(attack(sums, 1, 0, 1, runs = 4000)$advantage, 0.2)
  })
})

test_that("bounds of attackers are those of the definition", {
  expect_equal(most_advantage(1, 0), tanh(0.5))
  # The corner where both inequalities hold with equality.
  fpr <- (1 - 1e-3) / (exp(1) + 1)
  expect_equal(most_tpr(fpr, 1, 1e-3) - fpr, most_advantage(1, 1e-3))
  # A release that reaches its bound is not refuted, one that passes it is.
  at <- rbind(tpr = rep(731, 5), fpr = rep(269, 5))
  colnames(at) <- c("advantage", "one_percent", "one_permille", "refutes", "refutes_back")
  expect_false(new_attack(1000 * at, 1e6, 1, 0, NA)$caught)
  expect_true(new_attack(1000 * at + rbind(rep(5000, 5), 0), 1e6, 1, 0, NA)$caught)
})

test_that("nobody's membership shows more than is promised, and the attack sees what overspends", {
  for (name in c("priv_pc, pure", "em_pc, pure", "laplace, real values")) {
    mechanism <- c(learner_audits, sound_mechanisms)[[name]]
    run <- worst_attack(mechanism, control_claim(name))
    expect_false(run(2000)$caught, label = name)
    expect_true(run(8000, times = 16)$caught, label = name)
  }
})

test_that("of marginal_pc no attacker guesses better than the likelihood ratio, which is known", {
  run <- attack_marginals(corner_pair(2))
  found <- run(500)
  expect_false(found$caught)
  expect_lt(found$theory, found$bound)
  # Five standard deviations of two shares of 250.
  expect_lt(abs(found$advantage - found$theory), 5 * sqrt(0.5 / 250))
  expect_true(run(200, times = 60)$caught)
})

test_that("single tests and cut points hide a person, and show one where they overspend", {
  for (run in list(attack_test(lapply(star_pair(10), `[`, 1:2), "tau"), attack_breaks)) {
    expect_false(run(200)$caught)
    expect_true(run(200, times = 30)$caught)
  }
})

test_that("a person who decides the exact graph does not show in a private one", {
  asia <- simulate(network("asia"), nsim = 500, seed = 1)
  pair <- pivotal_pair(asia)
  expect_length(pair, 2L)
  expect_identical(sum(do.call(paste, pair[[1L]]) != do.call(paste, pair[[2L]])), 1L)
  expect_true(attack_exact(pair)(400)$caught)
  expect_false(attack_fits(priv_pc, pair)(100)$caught)
})

test_that("the last bits of released numbers say nothing", {
  expect_identical(last_bit(c(1, 3, 0.5, 6, -12, 2^-30, 1 + 2^-52)), c(0, 0, -1, 1, 2, -30, -52))
  expect_true(is.na(last_bit(0)))
  for (name in names(bit_attacks)) {
    for (pair in bit_pairs) {
      found <- bit_attacks[[name]](pair, 4000)
      expect_identical(found$off_grid, 0L, label = name)
      expect_false(found$caught, label = name)
    }
  }
  # Noise that is added as a double tells.
  naive <- naive_laplace(c(0, 1), 20000)
  expect_gt(naive$off_grid, 0)
  expect_true(naive$caught)
  for (gaussian in c(FALSE, TRUE)) {
    one <- released_by_test(odd_strata(0), 300, gaussian)
    other <- released_by_test(odd_strata(3), 300, gaussian)
    for (at in c(1L, 3L)) {
      expect_gt(shared_step(one[, at], other[, at]), one[1L, at + 1L] * 2^-20)
    }
  }
})

test_that("numbers that are divided after their release stay whole numbers of steps", {
  for (scaled in list(scaled_contrasts, scaled_medians, scaled_cuts, scaled_estimates)) {
    found <- scaled(60)
    expect_gt(found[["numbers"]], 100)
    expect_equal(unname(found[c("off_grid", "several_doubles")]), c(0, 0))
  }
})
