# These tests look at advice, which setup.R turns off for all others.
set.seed(1)
n <- 3000
age <- round(runif(n, 18, 90))
bmi <- rnorm(n, 26, 4)
income <- round(exp(rnorm(n, 10, 0.6)))
people <- data.frame(
  age = age, bmi = bmi, smoking = factor(rbinom(n, 1, 0.3), 0:1),
  sex = factor(rbinom(n, 1, 0.5), 0:1)
)

# The question that a call asks, or NULL.
question_of <- function(code) {
  rlang::local_options(
    privpc.advice = TRUE, rlib_warning_verbosity = "verbose", rlib_message_verbosity = "verbose"
  )
  asked <- NULL
  withCallingHandlers(
    code,
    privpc_cuts_from_data = function(m) asked <<- m,
    message = function(m) invokeRestart("muffleMessage"),
    warning = function(w) invokeRestart("muffleWarning")
  )
  asked
}

test_that("cut points that look computed are told from those that people choose", {
  computed <- list(
    quantile(age), quantile(bmi), unname(quantile(bmi)), c(-Inf, median(bmi), Inf),
    unname(quantile(income, 0:4 / 4)), seq(min(bmi), max(bmi), length.out = 5),
    c(min(bmi), 25, 30, max(bmi)), c(0, 1.23456789, 3, 4, 5, 6)
  )
  for (cuts in computed) expect_true(looks_computed(cuts), info = toString(cuts))
  chosen <- list(
    c(0, 40, 65, 120), c(12, 18.5, 25, 30, 60), c(18.5, 25, 30), seq(0, 1, 0.1),
    c(0, 0.1, 0.2, 0.5), c(1900, 1945, 1964, 1980, 2010), c(7, 7.35, 7.45, 8),
    c(-Inf, 1.69, 2.26, 5.65, Inf), c(950, 1000, 1013.25, 1050), c(0, 12500, 25000, 50000, 1e5),
    seq(0, 1, length.out = 4), c(0, 24.9, 29.9, 60), c(-1, 0, 1), c(-Inf, 0, Inf),
    c(0, 1e-3, 2.5e-3, 1), 1:100, c(0L, 40L, 120L), c(70, 120, 130, 140, 240)
  )
  for (cuts in chosen) expect_false(looks_computed(cuts), info = toString(cuts))
  # Paid for, or not numbers at all.
  expect_false(looks_computed(structure(quantile(bmi), paid = list(epsilon = 1, private = TRUE))))
  expect_false(looks_computed("a"))
  expect_false(looks_computed(c(-Inf, Inf)))
})

test_that("so are levels that cut() made", {
  computed <- list(
    cut(age, 4), cut(age, 2), cut(bmi, 3), cut(bmi, 4), cut(income, 5),
    cut(bmi, quantile(bmi)), cut(bmi, quantile(bmi), right = FALSE), cut(runif(100), 4),
    cut(round(rnorm(n, 130, 15)), 4)
  )
  for (x in computed) expect_true(has_odd_intervals(levels(x)), info = toString(levels(x)))
  chosen <- list(
    cut(age, c(0, 40, 65, 120)), cut(age, c(-Inf, 40, 65, Inf)), cut(age, seq(10, 90, 10)),
    cut(age, c(18, 40, 60, 80, 101), right = FALSE), cut(age, c(0, 33, 66, 100)),
    cut(bmi, c(0, 18.5, 25, 30, 60)), cut(bmi, c(0, 18.5, 24.9, 29.9, 34.9, 60)),
    cut(bmi, seq(10, 60, 2.5)), factor(c("yes", "no")), factor(c("(other)", "(none)")),
    factor("(17.93,36.12]"), factor(c("[unknown]", "(17.93,36.12]")), factor(character())
  )
  for (x in chosen) expect_false(has_odd_intervals(levels(x)), info = toString(levels(x)))
  expect_true(has_odd_intervals(c(levels(cut(bmi, 4)), NA)))
})

test_that("private functions ask, and their answer is the same", {
  cuts <- list(bmi = quantile(bmi), age = c(0, 40, 65, 120))
  asked <- question_of(fit <- marginal_pc(people, epsilon = 1, breaks = cuts, seed = 1))
  expect_s3_class(asked, "privpc_cuts_from_data")
  expect_identical(fit, marginal_pc(people, epsilon = 1, breaks = cuts, seed = 1))
  binned <- transform(people, age = cut(age, 4), bmi = cut(bmi, c(0, 18.5, 25, 30, 60)))
  levels_asked <- question_of(marginal_pc(binned, epsilon = 1, seed = 1))
  expect_s3_class(question_of(em_pc(binned, epsilon = 5, seed = 1)), "privpc_cuts_from_data")
  expect_s3_class(
    question_of(
      private_test(people, "bmi", "smoking", epsilon = 1, test = "g2", breaks = cuts["bmi"])
    ),
    "privpc_cuts_from_data"
  )
  # A column that the test does not use is none of its business.
  expect_null(question_of(private_test(binned[-2], "smoking", "sex", epsilon = 1, test = "g2")))
  # Nothing is promised here.
  expect_null(question_of(exact_pc(people, breaks = cuts)))
  expect_snapshot({
    cat(conditionMessage(asked))
    cat(conditionMessage(levels_asked))
  })
})

test_that("chosen, private and equal-width cut points are not asked about", {
  ordinary <- list(bmi = c(12, 18.5, 25, 30, 60), age = c(0, 40, 65, 120))
  expect_null(question_of(marginal_pc(people, epsilon = 1, breaks = ordinary, seed = 1)))
  odd_bounds <- list(bmi = range(bmi), age = c(18.123, 90.456))
  expect_null(question_of(marginal_pc(people, epsilon = 1, bounds = odd_bounds, seed = 1)))
  paid <- private_breaks(
    people, c("age", "bmi"), bins = 4, epsilon = 1,
    bounds = list(age = c(17.123, 91.77), bmi = c(9.987, 55.123)), seed = 1
  )
  expect_null(question_of(marginal_pc(people, epsilon = 1, breaks = paid, seed = 1)))
})

test_that("only what is public is asked about: records change nothing", {
  cuts <- list(bmi = c(12.345, 23.456, 60.1), age = c(0, 40, 65, 120))
  other <- people
  other$bmi <- rev(other$bmi) + 1
  texts <- vapply(list(people, other), function(data) {
    conditionMessage(question_of(marginal_pc(data, epsilon = 1, breaks = cuts, seed = 1)))
  }, "")
  expect_identical(texts[[1]], texts[[2]])
})

test_that("the same columns are asked about once per session", {
  rlang::local_options(privpc.advice = TRUE)
  once <- stats::setNames(people, c("age_of_once", "bmi_of_once", "smoking", "sex"))
  cuts <- list(age_of_once = c(0, 40, 65, 120), bmi_of_once = quantile(bmi))
  learn <- function() suppressWarnings(marginal_pc(once, epsilon = 10, breaks = cuts, seed = 1))
  expect_message(learn(), class = "privpc_cuts_from_data")
  expect_no_message(learn(), class = "privpc_cuts_from_data")
  rlang::local_options(privpc.advice = FALSE)
  cuts$age_of_once <- quantile(age)
  expect_no_message(learn(), class = "privpc_cuts_from_data")
})

test_that("digits of numbers are counted as they are written", {
  expect_identical(significant_digits(c(0, 5, 120, 18.5, 0.1, 0.1 + 0.2, 1013.25, -7.35, 1 / 3)),
                   c(1L, 1L, 2L, 3L, 1L, 1L, 6L, 3L, 12L))
  expect_equal(last_unit(c(0, 120, 17.9, 0.25)), c(1, 10, 0.1, 0.01))
})
