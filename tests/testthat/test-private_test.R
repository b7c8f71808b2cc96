# Rows with x in 1..3, y in 1..2 and z in 1..4; with `effect` y follows x.
make_data <- function(n, effect = 0, seed = 1) {
  with_seed(seed, {
    x <- sample(3, n, TRUE, c(0.5, 0.3, 0.2))
    y <- sample(2, n, TRUE, c(0.7, 0.3))
    follows <- stats::runif(n) < effect
    y[follows] <- 1 + (x[follows] > 1)
    data.frame(
      x = factor(x, 1:3, ordered = TRUE), y = factor(y, 1:2), z = factor(sample(4, n, TRUE), 1:4)
    )
  })
}

# Rejections in `runs` independent data sets of independent variables: at most this many.
most_rejections <- function(runs, alpha) stats::qbinom(1e-6, runs, alpha, lower.tail = FALSE)

test_that("with a huge epsilon tau and rho are the exact tests", {
  data <- make_data(2000, 0.05)
  for (given in list(NULL, "z")) {
    for (test in c("tau", "rho")) {
      exact <- (if (test == "tau") cond_tau else cond_rho)(data, "x", "y", given)
      private <- private_test(data, "x", "y", given, test, epsilon = 1e6)
      expect_equal(private$statistic, exact$statistic, tolerance = 1e-4)
      expect_equal(private$estimate, exact$estimate, tolerance = 1e-4)
      # The level is shared with the bound of the variance: 2% larger.
      expect_equal(private$p.value * 0.98, exact$p.value, tolerance = 1e-3)
      expect_identical(private$independent, private$p.value > 0.05)
    }
  }
  # Numbers at full resolution
  numbers <- data.frame(x = sin(1:300), y = cos((1:300)^2))
  expect_equal(
    private_test(numbers, "x", "y", test = "tau", epsilon = 1e6)$statistic,
    cond_tau(numbers, "x", "y")$statistic, tolerance = 1e-4
  )
})

test_that("strong dependence is found and independence is not refused, by every test", {
  strong <- make_data(10000, 0.6)
  none <- make_data(10000, 0)
  for (test in c("tau", "rho", "g2", "chisq", "cmh")) {
    # 40 blocks leave eight noise scales and more between the count and its critical value.
    blocks <- if (!test %in% c("tau", "rho")) 40
    for (given in list(NULL, "z")) {
      run <- function(data, alpha) {
        private_test(data, "x", "y", given, test, epsilon = 3, alpha = alpha, blocks = blocks)
      }
      expect_false(run(strong, 0.01)$independent)
      expect_true(run(none, 1e-6)$independent)
    }
  }
  # The median has larger noise: with a seed, so that nothing is left to chance.
  run <- function(data) {
    private_test(data, "x", "y", test = "g2", epsilon = 1, aggregate = "median", seed = 1)
  }
  expect_false(run(strong)$independent)
  expect_true(run(none)$independent)
})

test_that("under independence the level is kept", {
  runs <- 150
  rejections <- function(n, ...) {
    sum(vapply(seq_len(runs), function(i) {
      !private_test(make_data(n, seed = i), "x", "y", alpha = 0.1, ...)$independent
    }, NA))
  }
  for (test in c("tau", "rho")) {
    expect_lte(rejections(300, given = "z", test = test, epsilon = 1), most_rejections(runs, 0.1))
  }
  for (test in c("g2", "chisq", "cmh")) {
    expect_lte(rejections(2000, test = test, epsilon = 2), most_rejections(runs, 0.1))
  }
})

test_that("many small strata keep the level, though their variance is above the large-sample one", {
  runs <- 250
  refused <- vapply(seq_len(runs), function(i) {
    data <- with_seed(i, data.frame(
      x = factor(sample(4, 300, TRUE), 1:4, ordered = TRUE),
      y = factor(sample(4, 300, TRUE), 1:4, ordered = TRUE),
      z = factor(sample(100, 300, TRUE), 1:100)
    ))
    !private_test(data, "x", "y", "z", epsilon = 20, alpha = 0.1)$independent
  }, NA)
  expect_lte(sum(refused), most_rejections(runs, 0.1))
})

test_that("the power is near that of the exact test when the noise is small", {
  runs <- 60
  found <- vapply(seq_len(runs), function(i) {
    data <- make_data(5000, 0.1, seed = i)
    c(
      exact = cond_tau(data, "x", "y")$p.value <= 0.05,
      private = !private_test(data, "x", "y", epsilon = 1)$independent
    )
  }, c(exact = NA, private = NA))
  expect_gte(sum(found["private", ]), sum(found["exact", ]) - 5)
  expect_gte(sum(found["private", ]), 50)
})

test_that("the tail of a normal variable plus noise is right", {
  by_integration <- function(t, variance, scale) {
    sd <- sqrt(variance)
    tail <- function(v) ifelse(v >= 0, exp(-abs(v) / scale) / 2, 1 - exp(-abs(v) / scale) / 2)
    f <- function(u) stats::dnorm(u) * tail(t - u * sd)
    cuts <- c(-38, pmax(-37, pmin(37, t / sd)), 38)
    2 * (stats::integrate(f, cuts[1], cuts[2], rel.tol = 1e-10, subdivisions = 2000)$value +
           stats::integrate(f, cuts[2], cuts[3], rel.tol = 1e-10, subdivisions = 2000)$value)
  }
  for (scale in c(0.1, 1, 30)) {
    for (variance in c(0.5, 4, 900)) {
      for (t in c(0, 1, 7, 40)) {
        expect_equal(
          noisy_normal_tail(t, variance, "laplace", scale), by_integration(t, variance, scale),
          tolerance = 1e-6
        )
      }
    }
  }
  expect_equal(noisy_normal_tail(3, 0, "laplace", 2), exp(-1.5))
  expect_equal(noisy_normal_tail(3, 5, "gaussian", 2), 2 * stats::pnorm(-1))
  # No overflow where the noise is small against the spread, and the other way round.
  expect_equal(noisy_normal_tail(2, 1, "laplace", 1e-4), 2 * stats::pnorm(-2), tolerance = 1e-6)
  expect_equal(noisy_normal_tail(20, 1e-8, "laplace", 10), exp(-2), tolerance = 1e-6)
})

test_that("p-values of T are valid whatever the variance is", {
  # Statistic and variance with noise, many times; the share of p-values up to a is at most a.
  set.seed(31)
  runs <- 1000
  laplace <- function(scale) scale * (stats::rexp(1) - stats::rexp(1))
  for (variance in c(0, 5, 400)) {
    p <- replicate(runs, order_p_value(
      abs(stats::rnorm(1, sd = sqrt(variance)) + laplace(4)), variance + laplace(60), 1000,
      "laplace", 4, 60
    ))
    for (a in c(0.01, 0.05, 0.2)) expect_lte(sum(p <= a), most_rejections(runs, a))
  }
  # The limit takes over where the noisy variance is useless.
  expect_equal(
    order_p_value(50, 1e6, 200, "gaussian", 3, 10) * (1 - variance_risk),
    2 * stats::pnorm(-50 / sqrt(209)), tolerance = 1e-6
  )
  expect_lt(order_p_value(1e5, 10, 1000, "laplace", 4, 60), 1e-200)
  expect_identical(order_p_value(0, 10, 1000, "laplace", 4, 60), 1)
})

test_that("p-values of counts are exact sums", {
  set.seed(32)
  runs <- 1e5
  for (kind in c("laplace", "gaussian")) {
    # Discrete noise from its definition.
    support <- -200:200
    mass <- if (kind == "laplace") exp(-abs(support) / 2.5) else exp(-support^2 / (2 * 2.5^2))
    seen <- stats::rbinom(runs, 30, block_share) + sample(support, runs, TRUE, mass)
    for (count in c(10, 17, 20, 25)) {
      p <- count_p_value(count, 30, kind, 2.5)
      expect_lte(sum(seen >= count), stats::qbinom(5e-7, runs, p, lower.tail = FALSE))
      expect_gte(sum(seen >= count), stats::qbinom(5e-7, runs, p))
    }
  }
})

test_that("the default number of blocks leaves room to reject", {
  question <- function(...) {
    utils::modifyList(
      list(epsilon = 1, delta = 1e-6, alpha = 0.05, schema = list(n = 1e6)), list(...)
    )
  }
  for (epsilon in c(0.05, 0.3, 1, 10)) {
    blocks <- count_blocks(question(epsilon = epsilon))
    expect_lte(blocks$least, blocks$good)
    expect_lte(count_p_value(blocks$least, blocks$least, "laplace", 1 / epsilon), 0.05)
    expect_lte(count_p_value(0.8 * blocks$good, blocks$good, "laplace", 1 / epsilon), 0.05)
  }
  for (epsilon in c(0.3, 1, 10)) {
    blocks <- median_blocks(question(epsilon = epsilon))$good
    top <- cpp_noisy_median_tail(
      evidence_limit, blocks, evidence_limit, block_inflation, epsilon, 1e-6, 200
    )
    expect_lt(top, 0.05)
  }
})

test_that("the smallest data and the largest and smallest budgets get an answer", {
  for (n in c(1, 2, 3, 10)) {
    for (test in c("tau", "rho", "g2", "chisq", "cmh")) {
      answer <- suppressWarnings(private_test(make_data(n), "x", "y", "z", test, epsilon = 1))
      expect_true(answer$p.value >= 0 && answer$p.value <= 1)
    }
  }
  data <- make_data(1000)
  for (epsilon in c(1e-6, 1e-3, 100, 1e6)) {
    for (budget in list(NULL, privacy_budget(1e7, 0.009, reserve = 0.005))) {
      run <- function(...) {
        suppressWarnings(private_test(data, "x", "y", ..., epsilon = epsilon, budget = budget))
      }
      p <- c(
        run(test = "tau")$p.value, run(test = "g2")$p.value,
        if (epsilon > 1e-6) run(test = "g2", aggregate = "median")$p.value
      )
      expect_true(all(p >= 0 & p <= 1))
    }
  }
})

test_that("the cost is taken from the budget, as one step, and refused before anything is drawn", {
  data <- make_data(500)
  pure <- privacy_budget(epsilon = 1)
  for (test in c("tau", "g2")) {
    suppressWarnings(private_test(data, "x", "y", "z", test, epsilon = 0.4, budget = pure))
  }
  expect_equal(privacy_ledger(pure)$epsilon, c(0.4, 0.4))
  expect_identical(privacy_ledger(pure)$target, c("x ~ y | z", "x ~ y | z"))
  expect_error(
    private_test(data, "x", "y", epsilon = 0.4, budget = pure), class = "privpc_overdraft"
  )
  expect_identical(nrow(privacy_ledger(pure)), 2L)
  # In a budget with delta the test costs the rho of its epsilon and delta.
  approximate <- privacy_budget(epsilon = 1, delta = 1e-6)
  answer <- private_test(data, "x", "y", epsilon = 0.3, delta = 1e-7, budget = approximate)
  expect_identical(answer$noise$kind, "gaussian")
  expect_equal(privacy_ledger(approximate)$rho, rho_from_dp(0.3, 1e-7))
  expect_identical(answer$privacy$delta, 1e-7)
  # With delta = 0 its pure cost.
  private_test(data, "x", "y", epsilon = 0.05, delta = 0, budget = approximate)
  expect_equal(privacy_ledger(approximate)$rho[[2]], 0.05 * tanh(0.025), tolerance = 1e-6)
  # The median has a delta of its own, for which a reserve is needed.
  expect_error(
    suppressWarnings(private_test(
      data, "x", "y", test = "g2", aggregate = "median", epsilon = 0.01, blocks = 20,
      budget = approximate
    )),
    class = "privpc_overdraft"
  )
  reserved <- privacy_budget(epsilon = 2, delta = 1e-5, reserve = 5e-6)
  suppressWarnings(private_test(
    data, "x", "y", test = "g2", aggregate = "median", epsilon = 0.1, delta = 1e-6, blocks = 20,
    budget = reserved
  ))
  expect_equal(privacy_ledger(reserved)$epsilon, 0.1)
})

test_that("without delta the guarantee is pure; missing values cost nothing", {
  data <- make_data(500)
  for (test in c("tau", "g2")) {
    answer <- suppressWarnings(private_test(data, "x", "y", test = test, epsilon = 1, delta = 0))
    expect_identical(answer$privacy[c("epsilon", "delta")], list(epsilon = 1, delta = 0))
  }
  data$x[[3]] <- NA
  budget <- privacy_budget(epsilon = 1)
  for (test in c("tau", "g2")) {
    expect_error(
      suppressWarnings(private_test(data, "x", "y", test = test, epsilon = 0.5, budget = budget)),
      "missing values"
    )
  }
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("what is said beside the noisy numbers does not depend on the data", {
  one <- make_data(400, 0, seed = 1)
  other <- make_data(400, 0.9, seed = 2)
  released <- c("independent", "statistic", "p.value", "estimate")
  for (arguments in list(
    list(test = "tau"), list(test = "rho", given = "z"), list(test = "g2"),
    list(test = "chisq", aggregate = "median", given = "z")
  )) {
    run <- function(data) {
      answer <- suppressWarnings(do.call(
        private_test, c(list(data, x = "x", y = "y", epsilon = 1), arguments)
      ))
      answer <- unclass(answer)
      answer[setdiff(names(answer), c(released, "data.name"))]
    }
    expect_identical(run(one), run(other))
  }
  # And the noisy numbers are all that decision and p-value are made from: the same release gives
  # the same answer.
  a <- private_test(one, "x", "y", test = "chisq", epsilon = 1, blocks = 10, seed = 1)
  expect_identical(a$p.value, count_p_value(a$statistic[[1]], 10, "laplace", a$noise$scale))
})

test_that("no records get into the result through the call", {
  data <- make_data(100)
  inline <- private_test(
    data.frame(x = factor(c("secret", "b"), c("b", "secret")), y = factor(1:2)), "x", "y",
    epsilon = 1
  )
  expect_identical(inline$data.name, "x and y in data")
  by_call <- do.call(private_test, list(data, "x", "y", epsilon = 1))
  expect_identical(by_call$data.name, "x and y in data")
  expect_identical(private_test(data, "x", "y", epsilon = 1)$data.name, "x and y in data")
  cohort <- data
  expect_identical(private_test(cohort, "x", "y", epsilon = 1)$data.name, "x and y in cohort")
  expect_lt(as.numeric(utils::object.size(serialize(by_call, NULL))), 5000)
})

test_that("a seed repeats and says so; set.seed() has no influence", {
  data <- make_data(12000)
  run <- function(...) private_test(data, "x", "y", epsilon = 1, ...)$statistic
  expect_identical(run(seed = 1), run(seed = 1))
  expect_false(private_test(data, "x", "y", epsilon = 1, seed = 1)$privacy$private)
  set.seed(1)
  a <- run()
  set.seed(1)
  expect_false(identical(a, run()))
  expect_identical(
    run(test = "g2", aggregate = "median", seed = 3),
    run(test = "g2", aggregate = "median", seed = 3)
  )
})

test_that("audits of the whole test do not refute its claim, and see a claim that is too good", {
  audited <- function(data1, data2, epsilon, delta, run, runs = 2e4) {
    mechanism <- vectorised(function(data, n) {
      source <- data_source(data, by_order = FALSE)
      t(vapply(seq_len(n), function(i) run(source), c(0, 0)))
    })
    quick_audit(mechanism, data1, data2, epsilon, delta, runs = runs)
  }
  order_run <- function(epsilon, test = "tau") {
    function(source) {
      unlist(cpp_private_order_test(
        source, test, 1, 2, integer(), epsilon, FALSE, variance_share, FALSE, NULL, "", NULL
      )[c("statistic", "variance")])
    }
  }
  # T moves by 4, as far as it can.
  a <- three_level_pair(3)
  b <- three_level_pair(1)
  for (test in c("tau", "rho")) {
    expect_false(audited(a, b, 1, 0, order_run(1, test))$violated)
  }
  expect_true(audited(a, b, 1, 0, order_run(2))$violated)

  count_run <- function(epsilon) {
    function(source) {
      unlist(cpp_private_block_count(
        source, "chisq", 1, 2, integer(), 1, epsilon, FALSE, NULL, "", NULL
      )[c("count", "scale")])
    }
  }
  # One block: dependent, or with one record changed not.
  pair <- function(last) {
    data.frame(
      x = factor(c(1, 1, 1, 2, 2, 2), 1:2), y = factor(c(1, 1, 2, 1, 2, last), 1:2)
    )
  }
  expect_false(audited(pair(2), pair(1), 1, 0, count_run(1))$violated)
  expect_true(audited(pair(2), pair(1), 1, 0, count_run(2))$violated)

  median_run <- function(source) {
    c(cpp_private_block_median(
      source, "chisq", 1, 2, integer(), 3, 5, 1, 1e-3, NULL, "", NULL
    )$evidence, 0)
  }
  expect_false(audited(pair(2), pair(1), 1, 1e-3, median_run)$violated)
})

test_that("the core refuses positions that no variable has", {
  source <- data_source(make_data(50, 0.2))
  for (odd in list(NA_integer_, 0L, 99L)) {
    expect_error(
      cpp_private_order_test(source, "tau", odd, 2L, integer(), 1, FALSE, 0.1, FALSE, NULL, "", 1),
      "position|not that many"
    )
    expect_error(
      cpp_private_block_count(source, "g2", 1L, 2L, odd, 5, 1, FALSE, NULL, "", 1),
      "position|not that many"
    )
  }
})

test_that("results are tests to users of stats, and print", {
  data <- make_data(20000, 0.2)
  answer <- private_test(data, "x", "y", epsilon = 1)
  expect_s3_class(answer, c("privpc_test", "htest"), exact = TRUE)
  expect_true(all(c("statistic", "p.value", "method", "data.name") %in% names(answer)))
  expect_snapshot({
    private_test(data, "x", "y", epsilon = 1, seed = 1)
    private_test(data, "x", "y", "z", test = "rho", epsilon = 0.5, seed = 1)
    private_test(data, "x", "y", "z", test = "g2", epsilon = 1, seed = 1)
    private_test(data, "x", "y", test = "chisq", aggregate = "median", epsilon = 1, seed = 1)
    cat(format(private_test(data, "x", "y", "z", test = "cmh", epsilon = 1, seed = 1)))
  })
  # The lines that say what is promised
  shown <- utils::capture.output(print(answer))
  expect_match(shown, "Private: epsilon = 1 (replace-one neighbours)", fixed = TRUE, all = FALSE)
})

test_that("bad arguments are refused", {
  data <- make_data(200)
  expect_snapshot({
    show_refusal(private_test(data, "x", "y"))
    show_refusal(private_test(data, "x", "w", epsilon = 1))
    show_refusal(private_test(data, "x", "y", epsilon = 0))
    show_refusal(private_test(data, "x", "y", epsilon = 1, alpha = 1))
    show_refusal(private_test(data, "x", "y", epsilon = 1, delta = 1))
    show_refusal(private_test(data, "x", "y", epsilon = 1, blocks = 5))
    show_refusal(private_test(data, "x", "y", test = "g2", epsilon = 1, blocks = 201))
    show_refusal(private_test(
      data, "x", "y", test = "g2", epsilon = 1, delta = 0, aggregate = "median"
    ))
    show_refusal(private_test(data, "x", "y", test = "g2", epsilon = 1e-5, aggregate = "median"))
    show_refusal(private_test(
      data, "x", "y", epsilon = 1, delta = 1e-6, budget = privacy_budget(1)
    ))
    show_refusal(private_test(data, "x", "y", epsilon = 1, seed = 1, budget = privacy_budget(1)))
    show_refusal(private_test(data, "x", "y", epsilon = 1, bloks = 3))
  })
  expect_snapshot(
    found <- show_said(private_test(data, "x", "y", "z", test = "g2", epsilon = 1, seed = 1))
  )
  expect_warning(
    private_test(data, "x", "y", epsilon = 1, delta = 0.01), class = "privpc_weak_delta"
  )
})

test_that("p-values and noisy counts are written so that they can be read", {
  expect_identical(
    vapply(c(0.01234, 1, 1e-12, 9e-13, 0, NA), p_value_text, ""),
    c("p = 0.0123", "p = 1", "p = 1e-12", "p < 1e-12", "p < 1e-12", "no p-value")
  )
  expect_identical(block_count_text(c(blocks = 20), 24), "20 of 24")
  expect_identical(block_count_text(c(blocks = 25), 24), "25, that is about 24 of 24")
  expect_identical(block_count_text(c(blocks = -2), 1200), "-2, that is about 0 of 1,200")
  copy <- data.frame(x = factor(rep(1:2, 5000)), y = factor(rep(1:2, 5000)))
  sure <- private_test(copy, "x", "y", epsilon = 5, seed = 1)
  expect_match(format(sure), "(tau, p < 1e-12, ", fixed = TRUE)
  expect_output(print(sure), "at level 0.05, p < 1e-12", fixed = TRUE)
  votes <- private_test(copy, "x", "y", test = "g2", epsilon = 1, seed = 1)
  votes$statistic[["blocks"]] <- votes$blocks + 1
  expect_output(print(votes), "Noisy count: 18, that is about 17 of 17 blocks", fixed = TRUE)
})

test_that("the default test is not taken for nominal variables, and nothing is spent", {
  survey <- simulate(network("survey"), nsim = 2000, seed = 1)
  budget <- privacy_budget(epsilon = 1, delta = 1e-6)
  ask <- function(...) {
    suppressMessages(suppressWarnings(private_test(survey, ..., epsilon = 0.1, budget = budget)))
  }
  survey$kind <- factor(rep(1:4, 500), levels = 1:4)
  expect_snapshot({
    show_refusal(private_test(survey, "A", "T", epsilon = 0.1, budget = budget))
    show_refusal(private_test(survey, "kind", "T", epsilon = 0.1, budget = budget))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  # As asked for, with two levels, or as a condition they are allowed.
  expect_s3_class(ask("A", "T", test = "tau"), "privpc_test")
  expect_s3_class(ask("A", "T", test = "g2"), "privpc_test")
  expect_s3_class(ask("A", "E", given = "T"), "privpc_test")
})
