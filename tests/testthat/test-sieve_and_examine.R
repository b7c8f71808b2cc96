test_that("far from the threshold the right query is found and examined", {
  data <- c(rep(0, 500), rep(1, 500))
  seen <- integer()
  queries <- list(
    function(rows) -1e6,
    function(rows) {
      seen <<- c(seen, length(rows))
      1e6
    },
    function(rows) stop("never asked")
  )
  release <- sieve_and_examine(
    queries, n = 1000, threshold = 0, sensitivity = 1, epsilon = 1, subsample = 100
  )
  expect_identical(release$value, list(sieved = 2L, accepted = TRUE))
  expect_identical(seen, c(100L, 1000L))
})

test_that("a sub-sample that misleads the sieve is refused by the examine step", {
  release <- sieve_and_examine(
    list(sample = c(-1e6, 1e6), all = c(-1e6, -1e6)), n = 100, threshold = 0, sensitivity = 1,
    epsilon = 1
  )
  expect_identical(release$value, list(sieved = 2L, accepted = FALSE))
  none <- sieve_and_examine(
    list(sample = -1e6, all = 1e6), n = 100, threshold = 0, sensitivity = 1, epsilon = 1
  )
  expect_identical(none$value, list(sieved = NA_integer_, accepted = FALSE))
})

test_that("rows are drawn without replacement and every row is as likely", {
  counts <- integer(20)
  for (s in 1:2000) {
    sieve_and_examine(
      list(function(rows) {
        if (length(rows) == 5) counts[rows] <<- counts[rows] + 1L
        -1e9
      }), n = 20, threshold = 0, sensitivity = 1, epsilon = 1, subsample = 5, seed = s
    )
  }
  # 2,000 draws of 5 of 20; for a sum of squares with this variance 19 df at 1e-6 gives 63.
  expect_identical(sum(counts), 10000L)
  expect_lt(sum((counts - 500)^2 / (500 * 0.75)) * 19 / 20, 63)
})

test_that("sampling buys the sieve a larger epsilon and smaller noise", {
  at <- function(m) {
    sieve_and_examine(list(function(rows) 0), 1000, 0, 1, 1, subsample = m, seed = 1)$noise
  }
  expect_lt(at(100)$`query scale`, at(1000)$`query scale`)
  expect_identical(at(100)$`examine scale`, at(1000)$`examine scale`)
  # The paper's scales: 2 D / epsilon' and 4 D / epsilon' with epsilon' from epsilon / 2.
  inside <- log(1 + 10 * (exp(0.5) - 1))
  expect_equal(at(100)$`threshold scale`, 2 / inside, tolerance = 1e-4)
  expect_equal(at(100)$`query scale`, 4 / inside, tolerance = 1e-4)
  expect_equal(at(100)$`examine scale`, 2, tolerance = 1e-4)
})

test_that("a run is paid for whatever it finds", {
  budget <- privacy_budget(epsilon = 1)
  sieve_and_examine(list(function(rows) -1e6), 10, 0, 1, 0.7, budget = budget)
  expect_equal(privacy_ledger(budget)$epsilon, 0.7)
  try(sieve_and_examine(list(function(rows) stop("no")), 10, 0, 1, 0.2, budget = budget), TRUE)
  expect_equal(sum(privacy_ledger(budget)$epsilon), 0.9)
})

test_that("a query that is not a finite number is refused, and the run stays paid", {
  for (bad in c(NA, NaN, Inf, -Inf)) {
    budget <- privacy_budget(epsilon = 1)
    ask <- function(...) {
      sieve_and_examine(..., n = 20, threshold = 0, sensitivity = 1, epsilon = 0.4, budget = budget)
    }
    queries <- list(function(rows) bad, function(rows) 1e6)
    expect_error(ask(queries), class = "privpc_not_finite")
    # In the examine step too.
    turns <- function(rows) if (length(rows) == 5) 1e6 else bad
    expect_error(ask(list(turns), subsample = 5), class = "privpc_not_finite")
    expect_equal(sum(privacy_ledger(budget)$epsilon), 0.8)
    # Given values are looked at first, all of them, wherever the run would have stopped.
    for (given in list(
      list(sample = c(1e6, bad), all = c(1e6, 0)), list(sample = c(1e6, 0), all = c(1e6, bad))
    )) {
      expect_error(ask(given), class = "privpc_not_finite")
    }
    expect_identical(nrow(privacy_ledger(budget)), 2L)
  }
})

test_that("a declared number takes the place of what is missing or infinite", {
  for (bad in c(NA, NaN, Inf, -Inf)) {
    ask <- function(queries, if_missing) {
      sieve_and_examine(queries, n = 20, threshold = 0, sensitivity = 1, epsilon = 1,
                        if_missing = if_missing)$value
    }
    # Far below and far above the threshold, so that noise has no say.
    queries <- list(function(rows) bad, function(rows) 1e6)
    expect_identical(ask(queries, -1e6), list(sieved = 2L, accepted = TRUE))
    expect_identical(ask(queries, 1e6), list(sieved = 1L, accepted = TRUE))
    given <- list(sample = c(bad, 1e6), all = c(0, bad))
    expect_identical(ask(given, -1e6), list(sieved = 2L, accepted = FALSE))
  }
})

test_that("bad arguments are refused", {
  expect_snapshot({
    show_refusal(sieve_and_examine(1:3, 10, 0, 1, 1))
    show_refusal(sieve_and_examine(list(sample = 1, all = 1:2), 10, 0, 1, 1))
    show_refusal(sieve_and_examine(list(function(rows) "a"), 10, 0, 1, 1))
    show_refusal(sieve_and_examine(list(sample = 1, all = 1), 10, 0, 1, 1, subsample = 5))
    show_refusal(sieve_and_examine(list(function(rows) 1), 10, 0, 1, 1, subsample = 11))
    show_refusal(sieve_and_examine(list(function(rows) 1), 10, 0, 1, 1, share = 0))
    show_refusal(sieve_and_examine(list(function(rows) 1), 10, 0, 1, 1, if_missing = NA))
    show_refusal(sieve_and_examine(list(function(rows) 1), 10, 0, 1, 1, if_missing = -Inf))
    show_refusal(sieve_and_examine(list(function(rows) NA), 10, 0, 1, 1))
    show_refusal(sieve_and_examine(
      list(function(rows) NA), 10, 0, 1, 1, budget = privacy_budget(1)
    ))
    show_refusal(sieve_and_examine(list(sample = NaN, all = 1), 10, 0, 1, 1))
  })
})
