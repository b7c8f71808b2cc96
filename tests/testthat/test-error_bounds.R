# How often `count` of `runs` may come up if its probability is at most `p`: exceeded with
# probability 1e-6.
most <- function(runs, p) stats::qbinom(1e-6, runs, p, lower.tail = FALSE)
least <- function(runs, p) stats::qbinom(1e-6, runs, p)

# Counts of both errors in `runs` runs. The query is `margin` above the threshold for type I; for
# type II `queries` are `margin` below.
count_errors <- function(runs, epsilon, sensitivity, margin, tweak, queries = 1, share = 0.5) {
  one_run <- function(values) {
    sieve_and_examine(
      list(sample = values, all = values), n = 10, threshold = 0, sensitivity = sensitivity,
      epsilon = epsilon, tweak = tweak, share = share
    )$value$accepted
  }
  c(
    type_1 = sum(!vapply(seq_len(runs), function(i) one_run(margin), NA)),
    type_2 = sum(vapply(seq_len(runs), function(i) one_run(rep(-margin, queries)), NA))
  )
}

cases <- data.frame(
  epsilon = c(1, 1, 2, 0.5, 4, 1, 1), sensitivity = c(1, 1, 1, 4, 0.5, 1, 2),
  margin = c(1, 1, 2, 20, 0.3, 0, 3), tweak = c(1, 20, 0, 10, 0.3, 3, 0),
  queries = c(1, 1, 1, 5, 3, 1, 1), share = c(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.7)
)

test_that("the corrected bounds hold, and are not far from what happens", {
  runs <- 3000
  for (i in seq_len(nrow(cases))) {
    at <- cases[i, ]
    seen <- do.call(count_errors, c(list(runs = runs), at))
    bound <- do.call(error_bounds, at)
    expect_lte(seen[["type_1"]], most(runs, bound$type_1))
    expect_lte(seen[["type_2"]], most(runs, bound$type_2))
    # The type I bound is exact for one query, and so is the type II bound.
    expect_gte(seen[["type_1"]], least(runs, bound$type_1 / 1.001))
    if (at$queries == 1) expect_gte(seen[["type_2"]], least(runs, bound$type_2 / 1.001))
  }
})

test_that("the printed bounds are violated", {
  runs <- 3000
  # Type I: a large tweak hides the examine step.
  seen <- count_errors(runs, epsilon = 1, sensitivity = 1, margin = 1, tweak = 20)
  printed <- error_bounds(1, 1, margin = 1, tweak = 20, version = "paper")
  expect_gt(seen[["type_1"]], most(runs, printed$type_1))
  # Type II: the tail of the examine step is far heavier.
  seen <- count_errors(runs, epsilon = 2, sensitivity = 1, margin = 1, tweak = 1)
  printed <- error_bounds(2, 1, margin = 1, tweak = 1, version = "paper")
  expect_gt(seen[["type_2"]], most(runs, printed$type_2))
})

test_that("bounds hold on a sub-sample, with the margin that it has", {
  # All records alike: the sub-sample's sum is m/n of the full one, and its margin too.
  runs <- 2000
  value <- function(rows) 0.1 * length(rows)
  accepted <- vapply(seq_len(runs), function(i) {
    sieve_and_examine(
      list(value), n = 100, threshold = 2, sensitivity = 1, epsilon = 1, tweak = 1, subsample = 25
    )$value$accepted
  }, NA)
  bound <- error_bounds(
    1, 1, margin = 8, tweak = 1, n = 100, subsample = 25, margin_sample = 0.5
  )
  expect_lte(sum(!accepted), most(runs, bound$type_1))
  expect_gte(sum(!accepted), least(runs, bound$type_1 / 1.001))
})

test_that("the tail of two Laplace variables is exact", {
  # Against numerical integration of the density of the one times the tail of the other.
  tail <- function(w) ifelse(w >= 0, exp(-abs(w) / 4) / 2, 1 - exp(-abs(w) / 4) / 2)
  for (w in c(-7, -1, 0, 0.5, 3, 20)) {
    # In two pieces, at the kink.
    both <- function(v) tail(w - v) * exp(-abs(v) / 2) / 4
    breaks <- sort(unique(c(-200, 0, w, 200)))
    parts <- vapply(seq_len(length(breaks) - 1L), function(k) {
      stats::integrate(both, breaks[k], breaks[k + 1], rel.tol = 1e-10)$value
    }, 0)
    expect_equal(laplace_sum_tail(w, 1), sum(parts), tolerance = 2e-4)
    expect_gte(laplace_sum_tail(w, 1), sum(parts))
  }
})

test_that("the paper's formulas are as printed", {
  inside <- log(100 / 20 * (exp(0.4) - 1) + 1)
  printed <- error_bounds(0.8, 2, margin = 5, tweak = 3, n = 100, subsample = 20, version = "paper")
  expect_equal(printed$type_1, exp(-inside * 8 / 12) - exp(-inside * 8 / 6) / 4)
  expect_equal(
    printed$type_2,
    exp(-(12 * 0.8 * 5 + inside * 2) / 12) - exp(-(6 * 0.8 * 5 + inside * 2) / 6) / 4
  )
  expect_identical(error_bounds(1, 1, margin = 1, tweak = 2, version = "paper")$type_2, NA_real_)
})

test_that("bounds move the right way and stay probabilities", {
  bounds <- error_bounds(1, 1, margin = seq(0, 50, 5), tweak = 2, queries = 10, runs = 3)
  expect_false(is.unsorted(rev(bounds$type_1)))
  expect_false(is.unsorted(rev(bounds$type_2)))
  expect_true(all(bounds[c("type_1", "type_2")] >= 0 & bounds[c("type_1", "type_2")] <= 1))
  sampled <- error_bounds(1, 1, margin = 4, n = 1000, subsample = c(100, 1000))
  expect_lt(sampled$type_1[[1]], sampled$type_1[[2]])  # same margin, less noise in the sieve
})

test_that("output and refusals", {
  expect_snapshot({
    error_bounds(0.5, 4, margin = c(10, 40), tweak = 20)
    show_refusal(error_bounds(0, 1, 1))
    show_refusal(error_bounds(1, 1, -1))
    show_refusal(error_bounds(1, 1, 1, n = 10, subsample = 20))
    show_refusal(error_bounds(1, 1, 1, share = 0.3, version = "paper"))
    show_refusal(error_bounds(1, 1, 1, margn = 2))
  })
})
