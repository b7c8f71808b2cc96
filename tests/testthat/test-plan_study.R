effects <- function(...) as.data.frame(plan_study(...))$effect

test_that("the plan is the one that marginal_pc() warns by", {
  data <- as.data.frame(lapply(stats::setNames(1:15, letters[1:15]), function(i) {
    factor(rep_len(1:2, 6900), 1:2)
  }))
  said <- rlang::with_options(
    tryCatch(marginal_pc(data, epsilon = 1), privpc_missed_edges = conditionMessage),
    privpc.advice = TRUE, rlib_warning_verbosity = "verbose"
  )
  found <- effects(6900, data, 1)
  expect_match(said, paste0("of about ", text_up(found, 2), "."), fixed = TRUE)
  # Also with levels in another order than by name, with other accounting, and with fewer budget.
  levels <- c(z = 2, b = 5, a = 3, m = 2, k = 4)
  shuffled <- levels[c(3, 1, 5, 2, 4)]
  expect_identical(effects(3000, levels, 1), effects(3000, shuffled, 1))
  expect_gt(effects(3000, levels, 1, parameters = TRUE), effects(3000, levels, 1))
  expect_lt(effects(3000, levels, 1, neighbours = "add-remove"), effects(3000, levels, 1))
  expect_gt(effects(3000, levels, 1, alpha = 0.001), effects(3000, levels, 1))
})

test_that("the budget of the plan is the budget of the fit", {
  cohort <- simulate(network("survey"), nsim = 3000, seed = 1)
  for (parameters in c(FALSE, TRUE)) {
    fit <- marginal_pc(cohort, epsilon = 0.7, seed = 1, parameters = parameters)
    design <- plan_study(3000, cohort, 0.7, parameters = parameters)$design
    expect_equal(
      graph_rho(design, 3000, 0.7), fit$privacy$rho * if (parameters) 0.7 else 1
    )
  }
})

test_that("of a data frame only names and levels are used", {
  one <- simulate(network("survey"), nsim = 50, seed = 1)
  other <- simulate(network("survey"), nsim = 400, seed = 2)
  other$A[1:100] <- NA
  plan <- plan_study(5000, one, c(0.3, 1), effect = 0.1)
  expect_identical(plan_study(5000, other, c(0.3, 1), effect = 0.1), plan)
  expect_identical(plan_study(5000, one[0, ], c(0.3, 1), effect = 0.1), plan)
  expect_identical(plan_study(5000, lapply(one, levels), c(0.3, 1), effect = 0.1), plan)
  expect_identical(plan_study(5000, vapply(one, nlevels, 0L), c(0.3, 1), effect = 0.1), plan)
  # Nothing random in it, and a network has the levels of its records.
  before <- globalenv()[[".Random.seed"]]
  plan_study(5000, one, 1)
  expect_identical(globalenv()[[".Random.seed"]], before)
  expect_identical(
    effects(5000, one, 1), with_seed(1, effects(5000, epsilon = 1, network = "survey", runs = 2))
  )
})

test_that("more records and more epsilon show smaller effects, noise hides some", {
  table <- as.data.frame(plan_study(levels = rep(2, 12)))
  expect_identical(nrow(table), 10L * 4L)
  by_epsilon <- split(table$effect, table$epsilon)
  for (effect in by_epsilon) expect_true(all(diff(effect) < 0))
  for (effect in split(table$effect, table$n)) expect_true(all(diff(effect) < 0))
  expect_true(all(table$without_noise < table$effect))
  expect_gt(effects(5000, rep(2, 24), 1), effects(5000, rep(2, 12), 1))
  expect_gt(effects(5000, rep(3, 12), 1), effects(5000, rep(2, 12), 1))
})

test_that("what is said to be enough is enough, and no more", {
  levels <- rep(c(2, 3), 6)
  plan <- as.data.frame(plan_study(c(5000, 300000), levels, c(0.03, 1), effect = 0.06))
  for (i in seq_len(nrow(plan))) {
    n <- plan$n_needed[[i]]
    expect_lte(effects(n, levels, plan$epsilon[[i]]), 0.06)
    expect_gt(effects(n - 2, levels, plan$epsilon[[i]]), 0.06)
    epsilon <- plan$epsilon_needed[[i]]
    if (is.infinite(epsilon)) next
    expect_lte(effects(plan$n[[i]], levels, epsilon), 0.06)
    expect_gt(effects(plan$n[[i]], levels, epsilon * 0.999), 0.06)
  }
  # From 100,000 records on delta gets smaller with their number.
  expect_gt(max(plan$n_needed), 100000)
  expect_identical(plan$delta, c(1e-6, 1e-6, 1 / 3e6, 1 / 3e6))
  # Where sampling hides it, no epsilon helps.
  few <- as.data.frame(plan_study(500, levels, 1, effect = 0.06))
  expect_gt(few$without_noise, 0.06)
  expect_identical(few$epsilon_needed, Inf)
})

test_that("effects that the fit takes for none are not promised", {
  floor <- sqrt(formals(marginal_pc)$least_effect)
  expect_gt(effects(1e8, rep(2, 5), 5), floor)
  expect_lt(effects(1e8, rep(2, 5), 5), 1.05 * floor)
  expect_lt(effects(1e8, rep(2, 5), 5, least_effect = 1e-6), 0.1 * floor)
  below <- as.data.frame(plan_study(levels = rep(2, 5), epsilon = 1, effect = 0.9 * floor))
  expect_identical(unique(below$n_needed), Inf)
  expect_identical(formals(plan_study)$least_effect, formals(marginal_pc)$least_effect)
  expect_identical(formals(plan_study)$alpha, formals(marginal_pc)$alpha)
})

test_that("odds ratios are those of the table with these margins", {
  for (shares in list(c(0.5, 0.5), c(0.3, 0.05), c(0.9, 0.2))) {
    for (phi in c(-0.08, 0.01, 0.1)) {
      both <- prod(shares) + phi * sqrt(prod(shares * (1 - shares)))
      cells <- matrix(c(both, shares[2] - both, shares[1] - both, 1 - sum(shares) + both), 2)
      expect_equal(colSums(cells)[[1]], shares[[2]])
      expect_equal(rowSums(cells)[[1]], shares[[1]])
      ratio <- cells[1, 1] * cells[2, 2] / (cells[1, 2] * cells[2, 1])
      expect_equal(odds_ratio_from_phi(phi, shares), ratio)
      expect_equal(phi_from_odds_ratio(ratio, shares), phi)
    }
    most <- largest_phi(shares)
    expect_identical(odds_ratio_from_phi(most, shares), Inf)
    expect_identical(odds_ratio_from_phi(c(1.01 * most, Inf), shares), c(NA_real_, NA_real_))
    expect_true(is.finite(odds_ratio_from_phi(0.99 * most, shares)))
  }
  # Figures of the help page.
  expect_equal(phi_from_odds_ratio(2, c(0.5, 0.5)), 0.17, tolerance = 0.01)
  expect_equal(phi_from_odds_ratio(2, c(0.3, 0.05)), 0.076, tolerance = 0.01)
  needed <- function(ratio, shares) {
    as.data.frame(plan_study(8000, rep(2, 12), 1, odds_ratio = ratio, prevalence = shares))$n_needed
  }
  # What protects is the same with the levels of the outcome exchanged.
  expect_equal(needed(1.5, c(0.3, 0.2)), needed(1 / 1.5, c(0.3, 0.8)))
  expect_gt(needed(1.5, c(0.3, 0.05)), needed(1.5, c(0.3, 0.2)))
})

test_that("effects on rare levels must be larger, and the noise is why", {
  even <- as.data.frame(plan_study(8000, rep(2, 12), 1))
  rare <- as.data.frame(plan_study(8000, rep(2, 12), 1, prevalence = 0.1))
  expect_gt(rare$effect, 1.2 * even$effect)
  expect_identical(rare$without_noise, even$without_noise)
})

# Variables in twos: the first and the second have the effect phi, and so on for `pairs` twos.
twos <- function(variables, pairs, phi, shares = c(0.5, 0.5)) {
  net <- random_network(variables, degree = 0, seed = 1)
  for (i in seq_along(net$nodes)) {
    share <- shares[[2 - i %% 2]]
    net$probabilities[[i]][] <- c(share, 1 - share)
  }
  x <- c(shares[[1]], 1 - shares[[1]])
  y <- c(shares[[2]], 1 - shares[[2]])
  joint <- outer(y, x) + phi * sqrt(prod(x, y)) * matrix(c(1, -1, -1, 1), 2)
  for (i in seq(1, by = 2, length.out = pairs)) {
    family <- net$nodes[c(i + 1, i)]
    net$parents[[family[[1]]]] <- family[[2]]
    net$probabilities[[family[[1]]]] <- array(
      sweep(joint, 2, x, `/`), c(2, 2), net$levels[family]
    )
  }
  net
}

share_found <- function(net, n, epsilon, runs) {
  truth <- as.matrix(net) == 1
  mean(vapply(seq_len(runs), function(i) {
    fit <- marginal_pc(simulate(net, nsim = n, seed = i), epsilon, seed = i)
    mean(fit$skeleton[truth])
  }, 0))
}

test_that("an edge of the planned effect is found about so often as planned", {
  # Three edges in each of 40 data sets: a standard error of 0.04.
  even <- list(n = 4000, epsilon = 0.5, shares = c(0.5, 0.5))
  rare <- list(n = 8000, epsilon = 1, shares = c(0.3, 0.1))
  for (case in list(even, rare)) {
    shares <- case$shares
    phi <- effects(case$n, rep(2, 12), case$epsilon, prevalence = shares)
    found <- share_found(twos(12, 3, phi, shares), case$n, case$epsilon, 40)
    expect_gt(found, 0.68)
    expect_lt(found, 0.95)
    expect_lt(share_found(twos(12, 3, phi / 2, shares), case$n, case$epsilon, 20), 0.45)
  }
})
