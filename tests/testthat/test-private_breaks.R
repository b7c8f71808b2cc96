test_that("the sensitivity of the scores is 1: all data sets of four records, all neighbours", {
  grid <- c(1, 2, 3)
  values <- c(0.5, 1, 2.5, 9, NA)
  all <- as.matrix(expand.grid(rep(list(values), 4)))
  worst <- 0
  for (q in c(0.25, 0.5, 0.9)) {
    scores <- apply(all, 1, function(x) quantile_scores(count_up_to(x, grid), q))
    for (record in 1:4) {
      # Data sets that agree in all other records.
      others <- apply(all[, -record], 1, paste, collapse = " ")
      for (group in split(seq_along(others), others)) {
        change <- apply(scores[, group], 1, function(u) diff(range(u)))
        worst <- max(worst, change)
      }
    }
  }
  expect_lte(worst, 1 + 1e-12)
  expect_equal(worst, 1)
})

test_that("scores are largest at the quantile", {
  x <- 1:1000
  grid <- inner_grid(c(0, 1000), 99)
  scores <- function(x, q) quantile_scores(count_up_to(x, grid), q)
  expect_identical(grid[which.max(scores(x, 0.25))], 250)
  expect_identical(grid[which.max(scores(c(x, rep(NA, 500)), 0.9))], 900)
  direct <- vapply(grid, function(g) -abs(sum(x <= g) - 300), 0)
  expect_equal(scores(x, 0.3), direct)
})

test_that("values are counted up to each point, also more than a million of them", {
  x <- with_seed(1, replace(round(stats::rnorm(2e6 + 3), 1), c(1, 1e6, 1e6 + 1, 2e6 + 3), NA))
  grid <- c(-1, 0, 0.25, 2)
  counted <- count_up_to(x, grid)
  expect_identical(counted$known, 2e6 - 1)
  expect_identical(
    counted$at_most, vapply(grid, function(g) as.double(sum(x <= g, na.rm = TRUE)), 0)
  )
  expect_identical(count_up_to(numeric(), 1), list(at_most = 0, known = 0))
})

test_that("cut points are near the quantiles, by as much as the mechanism promises", {
  n <- 20000
  x <- qexp((seq_len(n) - 0.5) / n)
  data <- data.frame(x = x)
  # P(rank error > (2/share)(log(points) + t)) <= exp(-t) for each choice, with share = epsilon / 3;
  # a false alarm of 1e-6 over the three cut points.
  allowed <- 2 * 3 / 1 * (log(512) + log(3e6))
  # The nearest grid point itself misses by at most the records between two grid points.
  allowed <- allowed + max(diff(n * pexp(inner_grid(c(0, 12), 512))))
  cuts <- private_breaks(data, "x", bins = 4, epsilon = 1, bounds = list(x = c(0, 12)))
  ranks <- vapply(cuts$x[2:4], function(cut) sum(x <= cut), 0)
  expect_lt(max(abs(ranks - n * (1:3) / 4)), allowed)
  expect_identical(cuts$x[c(1, 5)], c(0, 12))
})

test_that("two columns share the price, and a budget is debited for every choice", {
  data <- data.frame(x = 1:2000 / 2000, y = (1:2000 / 2000)^2)
  range <- list(x = c(0, 1), y = c(0, 1))
  budget <- privacy_budget(epsilon = 1)
  cuts <- private_breaks(
    data, c("x", "y"), bins = c(2, 4), epsilon = 0.8, bounds = range, budget = budget
  )
  ledger <- privacy_ledger(budget)
  expect_identical(ledger$target, paste("cut point of", c("x", "y", "y", "y")))
  expect_equal(ledger$epsilon, rep(0.2, 4))
  # All or nothing: what does not fit takes nothing.
  expect_error(
    private_breaks(data, "x", bins = 5, epsilon = 0.5, bounds = range, budget = budget),
    class = "privpc_overdraft"
  )
  expect_identical(nrow(privacy_ledger(budget)), 4L)
  in_rho <- privacy_budget(epsilon = 1, delta = 1e-6)
  private_breaks(data, "x", bins = 5, epsilon = 0.4, bounds = range, budget = in_rho)
  expect_equal(privacy_ledger(in_rho)$rho, rep(0.1^2 / 8, 4))
})

test_that("a budget can be spent to the end", {
  data <- data.frame(x = 1:2000 / 2000)
  for (bins in c(2, 4, 11)) {
    budget <- privacy_budget(epsilon = 1)
    private_breaks(data, "x", bins, epsilon = 1, bounds = list(x = c(0, 1)), budget = budget)
    expect_equal(sum(privacy_ledger(budget)$epsilon), 1)
  }
})

test_that("an audit does not refute the promise, and does refute a quarter of it", {
  # Two grid points; replacing 0 by 10 moves the score of the one up and of the other down, so
  # that the true loss is half of epsilon.
  choose <- function(x) {
    private_breaks(
      data.frame(x = x), "x", bins = 2, epsilon = 2, bounds = list(x = c(0, 10)), points = 2
    )$x[[2]]
  }
  audit <- function(claim, runs) {
    quick_audit(choose, c(0, 5), c(10, 5), epsilon = claim, runs = runs)
  }
  expect_false(audit(2, 1500)$violated)
  # Nine standard deviations from being missed; with 1500 runs it was two.
  expect_true(audit(0.5, 6000)$violated)
})

test_that("the price is part of the fit's promise, once", {
  data <- small_cohort()
  data$x <- rep(1:100, length.out = nrow(data))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 0.25, bounds = list(x = c(0, 200)))
  fit <- marginal_pc(data, epsilon = 1, breaks = cuts)
  expect_equal(fit$privacy$epsilon, 1.25)
  expect_true(fit$privacy$private)
  expect_equal(relearn(fit, alpha = 0.01)$privacy$epsilon, 1.25)
  expect_equal(share_spent(fit$privacy, fit$ledger), 1)
  pure <- suppressMessages(priv_pc(data, epsilon = 1, delta = 0, breaks = cuts))
  expect_equal(pure$privacy$epsilon, 1.25)
  expect_lte(share_spent(pure$privacy, pure$ledger), 1)
  expect_match(paste(report(fit), collapse = " "), "chosen privately for epsilon = 0.25")
})

test_that("a fit with seeded breaks is not private", {
  data <- small_cohort()
  data$x <- rep(1:100, length.out = nrow(data))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 5, bounds = list(x = c(0, 200)), seed = 1)
  again <- private_breaks(data, "x", bins = 2, epsilon = 5, bounds = list(x = c(0, 200)), seed = 1)
  expect_identical(cuts, again)
  fit <- marginal_pc(data, epsilon = 1, breaks = cuts)
  expect_false(fit$privacy$private)
  expect_match(privacy_text(fit$privacy), "seed")
})

test_that("equal values give fewer bins, said aloud", {
  data <- data.frame(x = rep(5, 1000))
  expect_message(
    cuts <- private_breaks(
      data, "x", bins = 4, epsilon = 100, bounds = list(x = c(0, 10)), points = 2, seed = 1
    ),
    class = "privpc_fewer_bins"
  )
  expect_true(!is.unsorted(cuts$x, strictly = TRUE))
  expect_lt(length(cuts$x), 5)
})

test_that("breaks print, and refusals say what is missing", {
  data <- data.frame(x = 1:100, f = factor(1:2))
  range <- list(x = c(0, 100))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 1, bounds = range, seed = 4, points = 4)
  expect_snapshot({
    cuts
    show_refusal(private_breaks(1:3, "x", epsilon = 1, bounds = range))
    show_refusal(private_breaks(data, "y", epsilon = 1, bounds = range))
    show_refusal(private_breaks(data, "f", epsilon = 1, bounds = range))
    show_refusal(private_breaks(data, "x", epsilon = 1))
    show_refusal(private_breaks(data, "x", bounds = range))
    show_refusal(private_breaks(data, "x", epsilon = 1, bounds = list(f = c(0, 1))))
    show_refusal(private_breaks(data, "x", bins = 1, epsilon = 1, bounds = range))
    show_refusal(private_breaks(data, "x", epsilon = 1, bounds = range, cuts = 3))
    show_refusal(private_breaks(
      data, "x", epsilon = 2, bounds = range, budget = privacy_budget(1)
    ))
  })
})

test_that("the price of breaks follows them wherever they go", {
  set.seed(1)
  data <- data.frame(
    age = rnorm(500, 50, 10), bmi = rnorm(500, 25, 3), y = factor(sample(2, 500, TRUE)),
    z = factor(sample(2, 500, TRUE))
  )
  ranges <- list(age = c(0, 120), bmi = c(10, 60))
  cuts <- private_breaks(data, c("age", "bmi"), bins = 4, epsilon = 0.5, bounds = ranges)
  price <- function(breaks) {
    used <- c(names(breaks), "y", "z")
    fit <- priv_pc(data[used], epsilon = 1, delta = 1e-6, breaks = breaks)
    fit$privacy$epsilon
  }
  expect_equal(price(cuts), 1.5)
  expect_equal(price(cuts["age"]), 1.25)
  expect_equal(price(c(cuts["age"], cuts["bmi"])), 1.5)
  expect_equal(price(lapply(cuts, identity)), 1.5)
  expect_equal(price(list(age = cuts$age)), 1.25)
  test <- private_test(data, "y", "z", given = "age", epsilon = 1, breaks = cuts)
  expect_equal(test$privacy$epsilon, 1.25)
  seeded <- private_breaks(data, "age", epsilon = 0.5, bounds = ranges, seed = 1)
  expect_false(private_test(data, "y", "z", "age", epsilon = 1, breaks = seeded)$privacy$private)
  expect_false(priv_pc(data[-2], epsilon = 1, delta = 1e-6, breaks = seeded["age"])$privacy$private)
})

test_that("whole numbers get whole cut points", {
  data <- data.frame(age = rep(18:90, 100), visits = rep(c(0L, 0L, 0L, 1L, 5L), 1460))
  range <- list(age = c(18, 90), visits = c(0, 10))
  cuts <- private_breaks(data, c("age", "visits"), bins = c(4, 2), epsilon = 20, bounds = range)
  expect_identical(cuts$age[], round(cuts$age))
  expect_identical(cuts$age[c(1, 5)], c(18, 90))
  # Of the 73 ages a quarter is up to 35.
  expect_lte(max(abs(as.double(cuts$age) - c(18, 35, 54, 72, 90))), 3)
  # The most frequent value is the lowest there can be, and still gets a bin of its own.
  expect_identical(as.double(cuts$visits), c(-1, 0, 10))
  expect_identical(levels(bin_values(data$visits, cuts$visits)), c("1", "2"))
  # Stored as doubles they have to be declared; then the answer is the same.
  doubles <- data.frame(age = as.double(data$age))
  declared <- private_breaks(
    doubles, "age", bins = 4, epsilon = 20, bounds = range["age"], whole = TRUE
  )
  expect_identical(as.double(declared$age), round(as.double(declared$age)))
  free <- private_breaks(
    data, "age", bins = 4, epsilon = 20, bounds = range["age"], whole = FALSE, seed = 1
  )
  expect_false(identical(as.double(free$age), round(as.double(free$age))))
  expect_error(
    private_breaks(data, "age", epsilon = 1, bounds = range["age"], whole = NA),
    class = "privpc_error"
  )
})

test_that("the grid of whole numbers does not depend on the data and stays inside the bounds", {
  expect_identical(whole_grid(c(18, 90), 512), as.double(18:89))
  expect_identical(whole_grid(c(17.5, 90.5), 512), as.double(18:89))
  expect_identical(whole_grid(c(0, 1), 512), 0)
  wide <- whole_grid(c(0, 200000), 512)
  expect_length(wide, 512)
  expect_identical(wide, unique(round(wide)))
  expect_identical(range(wide), c(0, 199999))
  # Bounds between which there is no whole number: nothing to tell apart, but no failure.
  none <- private_breaks(
    data.frame(x = 1:5), "x", bins = 2, epsilon = 1, bounds = list(x = c(0.2, 0.8))
  )
  expect_false(is.unsorted(none$x, strictly = TRUE))
})

test_that("cut points that were changed still cost what they cost", {
  data <- with_seed(1, data.frame(
    age = runif(3000, 18, 90), bmi = rnorm(3000, 26, 4), sex = factor(rbinom(3000, 1, 0.5), 0:1)
  ))
  limits <- list(age = c(18, 90), bmi = c(12, 50))
  cuts <- private_breaks(data, c("age", "bmi"), epsilon = 5, bounds = limits, bins = 4)
  price <- function(breaks) marginal_pc(data, epsilon = 1, breaks = breaks)$privacy$epsilon
  expect_equal(price(cuts), 6)
  fewer <- cuts
  fewer$age <- fewer$age[-2]
  expect_equal(price(fewer), 6)
  expect_match(
    report(marginal_pc(data, epsilon = 1, breaks = fewer))["public"],
    "age and bmi were chosen privately"
  )
  by_hand <- cuts
  by_hand$age <- c(-Inf, cuts$age[2:3], Inf)
  by_hand$bmi <- sort(c(cuts$bmi))
  expect_equal(price(by_hand), 6)
  # What was declared instead costs nothing, but the price of the others stays.
  declared <- cuts
  declared$age <- NULL
  expect_equal(
    marginal_pc(data[-1], epsilon = 1, breaks = declared)$privacy$epsilon,
    1 + attr(cuts$bmi, "paid")$epsilon
  )
})

test_that("a budget does not pay for what is not private", {
  data <- simulate(network("asia"), nsim = 5000, seed = 1)
  budget <- privacy_budget(1, 1e-6)
  expect_error(priv_pc(data, epsilon = 0.5, sensitivity = "paper", budget = budget), "not private")
  data$age <- with_seed(1, runif(5000, 18, 90))
  cuts <- private_breaks(data, "age", epsilon = 0.1, bounds = list(age = c(18, 90)), seed = 1)
  for (learn in list(marginal_pc, priv_pc)) {
    expect_error(learn(data, epsilon = 0.5, breaks = cuts, budget = budget), "not private")
  }
  expect_error(
    private_test(data, "age", "smoke", epsilon = 0.5, breaks = cuts, budget = budget), "not private"
  )
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("the candidates are public: data of the same shape give the same ones", {
  # With next to no budget the data decide nothing: the same noise takes the same candidate.
  drawn <- function(x, seed) {
    private_breaks(
      data.frame(x = x), "x", bins = 2, epsilon = 1e-4, bounds = list(x = c(0, 10)), points = 9,
      seed = seed
    )$x[[2L]]
  }
  everywhere <- seq(0.5, 9.5, length.out = 20)
  in_one_place <- rep(4.2, 20)
  chosen <- vapply(1:30, function(seed) drawn(everywhere, seed), 0)
  expect_identical(chosen, vapply(1:30, function(seed) drawn(in_one_place, seed), 0))
  expect_true(all(chosen %in% 1:9))
  expect_gt(length(unique(chosen)), 5L)
})

test_that("cut points have no more digits than tell the points of the grid apart", {
  for (range in list(
    c(0, 200000), c(12, 60), c(-1, 1), c(0.001, 0.002), c(1e6, 1e6 + 1), c(17.123, 91.77)
  )) {
    grid <- inner_grid(range, 512)
    plain <- seq(range[[1]], range[[2]], length.out = 514)[-c(1, 514)]
    step <- diff(range) / 513
    expect_length(unique(grid), 512)
    expect_false(is.unsorted(grid, strictly = TRUE))
    expect_true(all(grid > range[[1]] & grid < range[[2]]))
    expect_lte(max(abs(grid - plain)), 0.51 * step)
    # At most one digit beyond the step.
    unit <- 10^-ceiling(-log10(step))
    expect_equal(grid / unit, round(grid / unit), tolerance = 1e-9)
  }
  # Where doubles are too coarse the points stay as they are.
  narrow <- c(1, 1 + 1e-13)
  expect_identical(
    inner_grid(narrow, 100), seq(narrow[[1]], narrow[[2]], length.out = 102)[-c(1, 102)]
  )
  set.seed(1)
  data <- data.frame(income = exp(rnorm(5000, 10, 0.6)))
  cuts <- private_breaks(
    data, "income", bins = 4, epsilon = 5, bounds = list(income = c(0, 2e5)), seed = 1
  )
  expect_identical(cuts$income[2:4] %% 100, c(0, 0, 0))
  shares <- diff(c(0, ecdf(data$income)(cuts$income[2:4]), 1))
  expect_true(all(abs(shares - 0.25) < 0.03))
})

test_that("cut points print with the digits that tell them apart, each by itself", {
  shown <- function(...) {
    cuts <- structure(
      list(x = c(...)), privacy = list(epsilon = 1, private = TRUE), class = "privpc_breaks"
    )
    format(cuts)[[2]]
  }
  expect_identical(
    shown(1e6, 1e6 + c(0.3, 0.5), 1e6 + 1), "  x: 1000000, 1000000.3, 1000000.5, 1000001"
  )
  expect_identical(shown(1 / 3, 14800, 32400, 2e5), "  x: 0.333333, 14800, 32400, 200000")
  expect_identical(shown(0, 23400, 1e9), "  x: 0, 23400, 1000000000")
  expect_identical(shown(0, 2.53e-5, 1e-4), "  x: 0, 0.0000253, 0.0001")
  expect_identical(shown(10, 22.48, 60), "  x: 10, 22.48, 60")
})

test_that("bounds that leave no room for cut points are refused before they are paid for", {
  data <- data.frame(x = stats::runif(50))
  budget <- privacy_budget(1)
  ask <- function(range, ...) {
    private_breaks(data, "x", 4, epsilon = 0.1, bounds = list(x = range), budget = budget, ...)
  }
  expect_snapshot({
    show_refusal(ask(c(1e300, 1e300 * (1 + 1e-15))))
    show_refusal(ask(c(1e17, 1e17 + 64), whole = TRUE))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  # The same bounds leave room for a few points, and the widest ones for all.
  expect_no_error(suppressMessages(ask(c(1, 1 + 1e-15), points = 3)))
  expect_no_error(suppressMessages(ask(c(-1.7e308, 1.7e308))))
})
