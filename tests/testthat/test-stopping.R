# What tools/stopping.R calls wrong is wrong: it was once content with late calls, and with none.

exported <- function() getNamespaceExports("privpc")

test_that("every function is tried, or said to be quick", {
  calls <- setdiff(exported(), names(quick_functions))
  expect_identical(stopping_gaps(calls, names(quick_functions), exported()), character())
  expect_true(all(nzchar(quick_functions)))
  expect_match(
    stopping_gaps(calls[-1L], names(quick_functions), exported()),
    paste0("^", calls[[1L]], "\\(\\) is neither")
  )
  gaps <- stopping_gaps(
    c(calls, "exact_pc", "cond_g2, many", "gone_pc"), c(names(quick_functions), "old"), exported()
  )
  expect_identical(gaps, c(
    "gone_pc() is tried, and not exported.", "old() is said to be quick, and not exported.",
    "cond_g2() is tried, and said to be quick.", "\"exact_pc\" is there twice."
  ))
})

test_that("the list of tools/stopping.R leaves out no function", {
  file <- test_path("..", "..", "tools", "stopping.R")
  skip_if_not(file.exists(file), "the tools are here")
  code <- parse(file)
  is_list <- vapply(code, function(e) {
    is.call(e) && identical(e[[1L]], as.symbol("<-")) && identical(e[[2L]], as.symbol("calls")) &&
      identical(e[[3L]][[1L]], as.symbol("list"))
  }, NA)
  expect_identical(sum(is_list), 1L)
  calls <- names(code[is_list][[1L]][[3L]])[-1L]
  expect_gt(length(calls), 50)
  expect_identical(stopping_gaps(calls, names(quick_functions), exported()), character())
})

test_that("a name that no call has is an error", {
  calls <- list(`private_median, many` = 1, exact_pc = 2)
  expect_identical(names(wanted_calls(calls, "private_median")), "private_median, many")
  expect_identical(wanted_calls(calls, ""), calls)
  expect_error(wanted_calls(calls, "private_mediann"), "No call has \"private_mediann\"")
})

test_that("what is late is measured again, and is late if it is so again", {
  answers <- function(...) {
    left <- list(...)
    function() {
      answer <- left[[1L]]
      left <<- left[-1L]
      list(late = answer, outcome = if (is.na(answer)) "did not stop" else "stopped")
    }
  }
  # A third measurement would be an error here.
  expect_identical(stop_twice_if_late(answers(0.3))$late, 0.3)
  expect_identical(stop_twice_if_late(answers(4, 0.2))$late, 0.2)
  expect_identical(stop_twice_if_late(answers(4, 12.6))$late, 4)
  expect_identical(stop_twice_if_late(answers(NA, 12.6))$late, 12.6)
  expect_identical(stop_twice_if_late(answers(NA, NA))$outcome, "did not stop")
  expect_identical(stop_twice_if_late(answers(3, NA))$late, 3)
})

test_that("late calls, calls that end, and no calls at all fail", {
  row <- function(limit, signal, outcome = "stopped") {
    data.frame(call = "x", limit = limit, signal = signal, outcome = outcome)
  }
  good <- row(0.02, 0.98)
  expect_true(stopping_holds(good))
  expect_false(stopping_holds(rbind(good, row(12.6, 0))))
  expect_false(stopping_holds(rbind(good, row(0, 1.01))))
  expect_false(stopping_holds(rbind(good, row(NA, 0, "did not stop, stopped"))))
  expect_false(stopping_holds(rbind(good, row(0, 0, "came to its end"))))
  expect_false(stopping_holds(good[0L, ]))
  # As test-security.R reads them.
  expect_match(names(stopping_counts(good))[3:4], "^that did not stop|late$")
})
