# The choices that private_breaks() makes: what the exponential mechanism is handed, against all
# neighbours of small data sets, and how often each grid point is chosen.

# The message about cut points that fell together takes longer than choosing them.
silently <- function(code) with_replacement("say_fewer_bins", function(...) NULL, code)

test_that("the choices' sensitivity covers all neighbours, and their prices add up to epsilon", {
  values <- c(-5, 1, 2, 2.5, 30, NA)
  codes <- as.matrix(expand.grid(rep(list(seq_along(values)), 3L)))
  all <- array(values[codes], dim(codes))
  changed <- Reduce(`+`, lapply(1:3, function(j) outer(codes[, j], codes[, j], `!=`)))
  for (bins in list(2L, 4L)) {
    handed <- lapply(seq_len(nrow(all)), function(i) {
      calls <- list()
      with_replacement("cpp_exponential", function(scores, sensitivity, epsilon, monotone, ...) {
        calls[[length(calls) + 1L]] <<- list(
          scores = scores, sensitivity = sensitivity, epsilon = epsilon, monotone = monotone
        )
        list(value = 1L, private = TRUE)
      }, silently(private_breaks(
        data.frame(v = all[i, ]), "v", bins = bins, epsilon = 0.9, bounds = list(v = c(0, 4)),
        points = 3
      )))
      calls
    })
    # Nothing but the scores depends on the data.
    public <- lapply(handed, lapply, function(choice) {
      c(list(length(choice$scores)), choice[c("sensitivity", "epsilon", "monotone")])
    })
    expect_length(unique(public), 1L)
    choices <- handed[[1L]]
    expect_length(choices, bins - 1L)
    paid <- sum(vapply(choices, function(choice) choice$epsilon, 0))
    expect_lte(paid, 0.9)
    expect_equal(paid, 0.9, tolerance = 1e-6)
    for (k in seq_along(choices)) {
      scores <- vapply(handed, function(calls) calls[[k]]$scores, double(3L))
      worst <- 0
      # One record moves some scores up and others down: that is not the monotone case.
      both_ways <- FALSE
      for (i in seq_len(nrow(all))) {
        change <- scores[, changed[i, ] == 1, drop = FALSE] - scores[, i]
        worst <- max(worst, abs(change))
        both_ways <- both_ways || any(apply(change, 2L, function(d) min(d) < 0 && max(d) > 0))
      }
      expect_lte(worst, choices[[k]]$sensitivity + 1e-12)
      expect_equal(worst, choices[[k]]$sensitivity)
      expect_true(both_ways)
      expect_false(choices[[k]]$monotone)
    }
  }
})

# One chi-square test over all outcomes that are expected at least five times; false alarms once in
# 1e7 tests.
expect_shares <- function(outcomes, chances, label) {
  counts <- table(factor(outcomes, names(chances)))
  expect_identical(sum(counts), length(outcomes), label = label)
  expected <- chances * length(outcomes)
  expect_gt(min(expected), 5)
  statistic <- sum((counts - expected)^2 / expected)
  expect_gt(
    stats::pchisq(statistic, length(chances) - 1, lower.tail = FALSE), 1e-7, label = label
  )
}

test_that("cut points are chosen as often as the exponential mechanism says", {
  data <- data.frame(v = c(0.2, 0.4, 1.5, 1.6, 1.7, 3.9, 3.95, NA))
  grid <- 1:3
  count <- vapply(grid, function(g) sum(data$v <= g, na.rm = TRUE), 0)
  chances <- function(q, epsilon) {
    weight <- exp(-epsilon / 2 * abs(count - q * 7))
    weight / sum(weight)
  }
  runs <- 5000
  # One cut point for all of epsilon.
  cuts <- replicate(runs, private_breaks(
    data, "v", bins = 2, epsilon = 1.2, bounds = list(v = c(0, 4)), points = 3
  )$v[[2L]])
  expect_shares(cuts, stats::setNames(chances(1 / 2, 1.2), grid), "one cut point")
  # Two cut points, each for half of it and independent of each other; equal ones count once.
  cuts <- silently(replicate(runs, toString(private_breaks(
    data, "v", bins = 3, epsilon = 2.4, bounds = list(v = c(0, 4)), points = 3
  )$v[-1L])))
  pairs <- expand.grid(first = grid, second = grid)
  joint <- chances(1 / 3, 1.2)[pairs$first] * chances(2 / 3, 1.2)[pairs$second]
  label <- mapply(function(a, b) toString(c(unique(sort(c(a, b))), 4)), pairs$first, pairs$second)
  expect_shares(cuts, tapply(joint, label, sum), "two cut points")
})
