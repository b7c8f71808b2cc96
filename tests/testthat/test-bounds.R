mixed <- function(n = 3000) {
  age <- rep(18:77, length.out = n)
  data.frame(age = age, old = factor(age > 50, levels = c(FALSE, TRUE)))
}

test_that("bounds are five bins of equal width, and settings say so", {
  data <- mixed()
  fit <- exact_pc(data, bounds = list(age = c(0, 100)))
  expect_identical(fit$settings$breaks, list(age = seq(0, 100, by = 20)))
  same <- exact_pc(data, breaks = list(age = seq(0, 100, by = 20)))
  expect_identical(fit$amat, same$amat)
})

test_that("every learner takes bounds", {
  data <- mixed()
  range <- list(age = c(0, 100))
  learners <- c(paper_learners, list(marginal_pc = marginal_pc))
  for (learner in learners) {
    fit <- suppressMessages(learner(data, epsilon = 1, seed = 1, bounds = range))
    expect_identical(fit$settings$breaks, list(age = seq(0, 100, by = 20)))
  }
  expect_s3_class(
    private_test(data, "age", "old", test = "g2", epsilon = 5, bounds = range, seed = 1), "htest"
  )
})

test_that("bounds and breaks of different columns go together", {
  data <- cbind(mixed(), weight = rep(50:99, length.out = 3000))
  fit <- exact_pc(data, breaks = list(weight = c(0, 70, 200)), bounds = list(age = c(0, 100)))
  expect_identical(
    fit$settings$breaks, list(weight = c(0, 70, 200), age = seq(0, 100, by = 20))
  )
})

test_that("wrong bounds are refused", {
  data <- mixed()
  expect_snapshot({
    show_refusal(exact_pc(data, bounds = c(0, 100)))
    show_refusal(exact_pc(data, bounds = list(height = c(0, 100))))
    show_refusal(exact_pc(data, bounds = list(old = c(0, 1))))
    show_refusal(exact_pc(data, bounds = list(age = c(100, 0))))
    show_refusal(exact_pc(data, bounds = list(age = c(0, 50, 100))))
    show_refusal(exact_pc(data, bounds = list(age = c(0, Inf))))
    show_refusal(exact_pc(data, breaks = list(age = c(0, 9)), bounds = list(age = c(0, 9))))
    show_refusal(marginal_pc(data, epsilon = 1, bounds = list(age = "old")))
  })
})

test_that("columns that are neither factors nor numbers are refused with the line that helps", {
  data <- data.frame(a = factor(rep(1:2, 10)), b = rep(1:2, 10))
  other <- function(column) cbind(data["a"], visit = column)
  expect_snapshot({
    show_refusal(exact_pc(data))
    show_refusal(exact_pc(other(as.Date("2024-01-01") + 1:20)))
    show_refusal(exact_pc(other(rep(c(TRUE, FALSE), 10))))
    show_refusal(exact_pc(other(rep(c("yes", "no"), 10))))
  })
})

test_that("columns of several kinds get a remedy each", {
  data <- data.frame(a = factor(rep(1:2, 10)), job = rep(c("x", "y"), 10), town = "z")
  data$visit <- as.Date("2024-01-01") + 1:20
  data$seen <- as.POSIXct("2024-01-01", tz = "UTC") + 1:20
  data$codes <- rep(list(1:2), 20)
  data$ill <- TRUE
  data$`odd {name}` <- as.Date("2024-01-01") + 1:20
  expect_snapshot({
    show_refusal(exact_pc(data))
    show_refusal(exact_pc(data.frame(a = data$a, person_id = "p", late = data$visit)))
  })
})

test_that("with several numeric columns the hint for categories singles out none", {
  data <- data.frame(age = 1:20, bmi = 1:20 / 2, smoker = rep(0:1, 10))
  text <- tryCatch(exact_pc(data), privpc_error = conditionMessage)
  expect_match(text, "data$column <- factor(data$column, levels = 0:1)", fixed = TRUE)
  expect_no_match(text, "data$age", fixed = TRUE)
})

test_that("a refusal never shows values of the data", {
  secret <- data.frame(a = factor(rep(1:2, 10)), b = c(rep(1, 19), 987654))
  text <- tryCatch(exact_pc(secret), privpc_error = conditionMessage)
  expect_match(text, "bounds = list\\(b = c\\(lowest, highest\\)\\)")
  expect_no_match(text, "987654")
})
