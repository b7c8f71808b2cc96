# All variables depend on each other, so that nothing is separated.
dependent_columns <- function(variables, n = 500) {
  data <- with_seed(1, {
    common <- stats::rnorm(n)
    lapply(seq_len(variables), function(i) factor(common + stats::rnorm(n) > 0))
  })
  as.data.frame(stats::setNames(data, sprintf("v%02d", seq_len(variables))))
}

test_that("an order of too many tests is left out, and that is said", {
  data <- dependent_columns(12)
  learn <- function(..., colliders = "sepset") {
    exact_pc(data, alpha = 1e-4, colliders = colliders, ...)
  }
  suppressMessages({
    whole <- learn(max_order = 1)
    expect_message(cut <- learn(max_tests = 1400), class = "privpc_cut_short")
  })
  # 66 pairs with 20 sets each are at most 1320; of order 2 they are more.
  expect_identical(cut$skeleton, whole$skeleton)
  expect_length(cut$settings$tests, 2L)
  expect_identical(cut$settings$max_tests, 1400)
  # All pairs are tested in any case.
  none <- suppressMessages(learn(max_tests = 0))
  expect_length(none$settings$tests, 1L)
  expect_identical(none$skeleton, suppressMessages(learn(max_order = 0))$skeleton)
  # A bound that is not reached changes nothing, and nothing is said of it.
  expect_no_message(free <- learn(max_order = 1, max_tests = 1e6), class = "privpc_cut_short")
  expect_identical(free[c("amat", "skeleton")], whole[c("amat", "skeleton")])
  # Threads are no matter.
  expect_identical(suppressMessages(learn(max_tests = 1400, threads = 4))$amat, cut$amat)
})

# Two causes of many effects: one pair is separated, and its ends have many neighbours.
dependent_then_split <- function() {
  with_seed(2, {
    a <- stats::rnorm(3000)
    b <- stats::rnorm(3000)
    effects <- lapply(1:8, function(i) factor(a + b + stats::rnorm(3000) > 0))
    as.data.frame(c(
      list(a = factor(a > 0), b = factor(b > 0)), stats::setNames(effects, paste0("e", 1:8))
    ))
  })
}

test_that("tests for directions are bounded, too", {
  # Of sets of three of the eight effects there are more than a hundred.
  said <- character()
  withCallingHandlers(
    exact_pc(dependent_then_split(), max_order = 3, max_tests = 60),
    message = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    }
  )
  expect_match(said, "tests for directions", all = FALSE)
})

test_that("how many tests there may be is said before they are made", {
  said <- character()
  ahead <- tests_ahead(bounded = FALSE)
  for (call in list(c(0, 600), c(1, 1234567), c(2, 999999), c(0, 300), c(1, 2e6))) {
    withCallingHandlers(
      ahead(call[[1L]], call[[2L]]),
      privpc_many_tests = function(m) {
        said <<- c(said, conditionMessage(m))
        invokeRestart("muffleMessage")
      }
    )
  }
  expect_length(said, 2L)
  expect_snapshot({
    cat(said, sep = "\n\n")
    show_said(say_tests_ahead(0L, 8e6, FALSE, FALSE))
    show_said(say_tests_ahead(2L, 4.1e8, FALSE, TRUE))
    show_said(say_tests_left_out(
      list(cut_short = TRUE, colliders_cut_short = TRUE, tests = c(1, 2)), 1e6
    ))
  })
  # The core tells it, in order.
  orders <- character()
  heard <- function(order, at_most) orders <<- c(orders, paste(order, at_most))
  data <- dependent_columns(5)
  source <- data_source(data)
  knowledge <- no_knowledge
  cpp_exact_pc(
    source, names(data), "g2", "declared", 0.01, 2L, Inf, "sepset", knowledge$required,
    knowledge$forbidden, 1L, FALSE, 2^26, NULL, heard
  )
  expect_identical(orders[1:2], c("0 10", "1 60"))
})

test_that("the bound must be a number", {
  data <- dependent_columns(3)
  expect_snapshot({
    show_refusal(exact_pc(data, max_tests = -1))
    show_refusal(exact_pc(data, max_tests = "many"))
  })
})

test_that("a fit says that it was cut short", {
  fit <- suppressMessages(exact_pc(dependent_columns(12), alpha = 1e-4, max_tests = 50))
  expect_true(fit$settings$cut_short)
  expect_snapshot({
    writeLines(grep("short|larger sets", capture.output(print(fit)), value = TRUE))
    writeLines(cut_short_text(fit$settings))
    writeLines(cut_short_text(list(cut_short = TRUE, tests = c(1, 2))))
    writeLines(cut_short_text(list(colliders_cut_short = TRUE, max_tests = 1e6)))
  })
  expect_true(all(
    grep("cut short", capture.output(print(fit)), value = TRUE) %in%
      capture.output(print(summary(fit)))
  ))
  expect_match(report(fit)[["graph"]], "cut short after order 0 by max_tests = 50: edges that only")
  directions <- suppressMessages(exact_pc(dependent_then_split(), max_order = 3, max_tests = 60))
  expect_true(directions$settings$colliders_cut_short)
  # A whole search says nothing, nor a fit of before this was kept.
  whole <- suppressMessages(exact_pc(dependent_columns(4), max_tests = 1e6))
  expect_false(any(grepl("cut_short", names(whole$settings))))
  fit$settings[c("cut_short", "max_tests")] <- NULL
  expect_false(any(grepl("cut short", c(capture.output(print(fit)), report(fit)))))
  fit$settings$cut_short <- "yes"
  expect_error(print(fit), class = "privpc_damaged")
})

test_that("a search by score that was stopped says so, in other words", {
  expect_match(cut_short_text(list(search = "score", cut_short = TRUE)), "may be a better graph")
  expect_identical(cut_short_text(list(search = "score")), character())
  said <- tryCatch(
    say_score_cut_short(list(cut_short = TRUE), list(levels = c(2, 3, 1001))),
    privpc_cut_short = conditionMessage
  )
  expect_match(said, "1,003 contrasts", fixed = TRUE)
  expect_silent(say_score_cut_short(list(cut_short = FALSE), list(levels = 2)))
})
