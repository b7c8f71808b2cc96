binned_cohort <- function(n = 20000) {
  with_seed(1, {
    age <- stats::runif(n, 10, 100)
    ill <- factor(ifelse(stats::runif(n) < age / 120, "yes", "no"), levels = c("no", "yes"))
    grade <- factor(sample(c("low", "high"), n, TRUE), c("low", "high"), ordered = TRUE)
  })
  data.frame(ill, age, grade)
}
cuts <- list(age = c(18, 40, 65, 90))

test_that("outer bins are called by what they hold", {
  expect_identical(bin_labels(c(1, 2.5, 3.5, 6)), c("<= 2.5", "(2.5,3.5]", "> 3.5"))
  expect_identical(bin_labels(c(0, 10, 20)), c("<= 10", "> 10"))
  expect_identical(bin_labels(c(0, 10)), "all")
  expect_identical(bin_labels(c(0, 100000, 2000000, 3e6)), c(
    "<= 100000", "(100000,2000000]", "> 2000000"
  ))
  expect_identical(anyDuplicated(bin_labels(c(0, 1, 1 + 1e-9, 1 + 2e-9, 2))), 0L)
})

test_that("rows are binned as the fit binned them", {
  data <- binned_cohort()
  fit <- marginal_pc(data, epsilon = 1, seed = 1, breaks = cuts)
  binned <- bin_like(data, fit)
  expect_named(binned, fit$nodes)
  expect_identical(levels(binned$age), c("<= 40", "(40,65]", "> 65"))
  expect_identical(as.integer(binned$age), as.integer(bin_values(data$age, cuts$age)))
  expect_identical(binned[c("ill", "grade")], data[c("ill", "grade")])
  expect_identical(levels(measured(fit, "age")$age), levels(binned$age))
  # Values beyond the outer cut points are in the outer bins.
  few <- bin_like(data.frame(grade = data$grade[1:3], age = c(-5, 50, 200), ill = data$ill[1:3],
                             more = 1:3), fit)
  expect_identical(as.character(few$age), c("<= 40", "(40,65]", "> 65"))
  # Private cut points, and a learner without measurements.
  chosen <- private_breaks(data, "age", bins = 3, epsilon = 1, bounds = list(age = c(10, 100)))
  for (breaks in list(cuts, chosen)) {
    graph <- exact_pc(data, breaks = breaks)
    expect_identical(
      as.integer(bin_like(data, graph)$age), as.integer(bin_values(data$age, breaks$age))
    )
  }
})

test_that("missing values are a level where they were one in the fit", {
  data <- binned_cohort()
  data$age[1:5] <- NA
  data$ill[6:9] <- NA
  fit <- marginal_pc(
    data, epsilon = 1, seed = 1, breaks = cuts, na = c(age = "level", ill = "level")
  )
  binned <- bin_like(data, fit)
  expect_identical(as.character(binned$age[1:5]), rep("NA", 5))
  expect_identical(as.character(binned$ill[6:9]), rep("NA", 4))
  expect_false(is.ordered(binned$age))
  complete <- marginal_pc(binned_cohort(), epsilon = 1, seed = 1, breaks = cuts)
  expect_identical(which(is.na(bin_like(data, complete)$age)), 1:5)
})

test_that("a number at full resolution stays a number", {
  data <- binned_cohort(500)
  fit <- suppressMessages(exact_pc(data, test = "tau", max_order = 0))
  expect_identical(bin_like(data, fit)$age, data$age)
})

test_that("bnlearn takes the rows with the fitted graph and its private parameters", {
  skip_if_not_installed("bnlearn")
  data <- binned_cohort()
  fit <- marginal_pc(data, epsilon = 1, seed = 1, breaks = cuts)
  binned <- bin_like(data, fit)
  net <- suppressMessages(as_bn_fit(fit))
  expect_true(is.finite(as.numeric(stats::logLik(net, binned))))
  graph <- suppressMessages(as_bn(as_network(fit)))
  expect_true(is.finite(bnlearn::score(graph, binned, type = "bic")))
  predicted <- stats::predict(net, node = "ill", data = binned, method = "bayes-lw")
  expect_identical(levels(predicted), levels(data$ill))
})

test_that("text, numbers, dates and logical values are matched to the levels of the fit", {
  n <- 300L
  as_factors <- with_seed(1, data.frame(
    place = factor(sample(c("town", "village"), n, TRUE), c("village", "town", "island")),
    flag = factor(sample(0:1, n, TRUE), levels = 0:1),
    day = factor(sample(c("2024-01-31", "2024-02-01"), n, TRUE)),
    yes = factor(sample(c(TRUE, FALSE), n, TRUE), levels = c(FALSE, TRUE))
  ))
  raw <- with(as_factors, data.frame(
    place = as.character(place), flag = as.integer(flag) - 1L, day = as.Date(as.character(day)),
    yes = yes == "TRUE", further = 1
  ))
  fit <- suppressWarnings(marginal_pc(as_factors, epsilon = 1))
  expect_identical(bin_like(raw, fit), as_factors)
  raw$flag[[1L]] <- NA
  expect_identical(which(is.na(bin_like(raw, fit)$flag)), 1L)
  with_na <- suppressWarnings(marginal_pc(as_factors, epsilon = 1, na = c(flag = "level")))
  expect_identical(as.character(bin_like(raw, with_na)$flag[[1L]]), "NA")
  raw$flag[[1L]] <- 7L
  exact <- exact_pc(as_factors)
  expect_identical(bin_like(as_factors, exact), as_factors)
  nested <- as_factors
  nested$place <- as.list(seq_len(n))
  expect_snapshot({
    show_refusal(bin_like(raw, fit))
    show_refusal(bin_like(raw, exact))
    show_refusal(bin_like(transform(as_factors, flag = 1), exact))
    show_refusal(bin_like(nested, fit))
  })
})

test_that("other data are refused", {
  data <- binned_cohort(500)
  fit <- marginal_pc(data, epsilon = 1, seed = 1, breaks = cuts)
  other <- data
  levels(other$ill) <- c("no", "maybe")
  expect_snapshot({
    show_refusal(bin_like(data[-1], fit))
    show_refusal(bin_like(1, fit))
    show_refusal(bin_like(data, data))
    show_refusal(bin_like(other, fit))
    show_refusal(bin_like(transform(data, age = factor(age > 5)), fit))
    show_refusal(bin_like(transform(data, age = as.Date("2024-01-01")), fit))
    show_refusal(bin_like(data, fit, breaks = cuts))
  })
})

test_that("dates with the time of day are counted in days", {
  data <- data.frame(
    visit = as.numeric(as.Date("2024-01-01")) + 0:49, sex = factor(rep(1:2, 25), levels = 1:2)
  )
  fit <- exact_pc(data, breaks = list(visit = c(19700, 19730, 19800)))
  data$visit <- as.POSIXct("2024-01-01", tz = "UTC") + 86400 * 0:49
  expect_error(bin_like(data, fit), "as.numeric(as.Date(data$visit))", fixed = TRUE)
})

test_that("that large columns are taken in blocks is not seen", {
  expect_identical(by_blocks(1:10, function(some) 2L * some, size = 3), 2L * 1:10)
  expect_identical(by_blocks(integer(), function(some) 2L * some), integer())
  text <- c(rep(c("b", NA), 60000), rep(c("NA", "a"), 60000))
  coded <- coded_text(text)
  expect_identical(coded$labels[coded$codes], text)
  expect_identical(
    bin_values(c(-1, NA, 0.5, 1, 7, Inf), c(0, 1, 5, 6)),
    factor(c(1, NA, 1, 1, 3, 3), levels = 1:3, ordered = TRUE)
  )
})
