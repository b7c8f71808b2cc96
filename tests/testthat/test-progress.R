# What is drawn of a function of a bar, one line for each that is shown.
drawn_of <- function(code) {
  rlang::local_options(cli.progress_show_after = 0, cli.dynamic = FALSE)
  lines <- testthat::capture_messages(code)
  strsplit(gsub("^[^[:alnum:]]+", "", paste(lines, collapse = "")), "\n", fixed = TRUE)[[1L]]
}

few_rows <- function() simulate(network("asia"), nsim = 500, seed = 1)

test_that("a bar takes whatever it is told", {
  told <- list(
    c(0, 0, 1), c(0, 0, 1), c(0, 0, 40), c(0, 39, 40), c(0, 40, 40), c(0, 5, 40), c(0, 60, 40),
    c(0, 1, 1), c(0, 7, 1), c(0, 3, 0), c(1, 2, 4), c(1, 9, 4), c(1, 9, 90), c(1, 90, 90),
    c(2, NaN, 5), c(2, Inf, 5), c(0, -3, 5), c(0, 0, 1), c(3, 1, NaN), c(3, 1, NA)
  )
  for (dynamic in c(TRUE, FALSE)) {
    rlang::local_options(cli.progress_show_after = 0, cli.dynamic = dynamic)
    utils::capture.output(type = "message", {
      gone <- NULL
      out <- with_progress(TRUE, "Searching", function(report) {
        for (numbers in told) report(numbers[[1L]], numbers[[2L]], numbers[[3L]])
        gone <<- environment(environment(report)$bar$set)$gone
        "done"
      })
      bar <- new_bar(TRUE, "Drawing", 3)
      for (i in 1:5) bar$add()
      bar$add(100)
      bar$end()
      bar$end()
    })
    expect_identical(out, "done")
    # No error was swallowed on the way.
    expect_false(gone)
    expect_false(environment(bar$set)$gone)
  }
})

test_that("a line that cannot be written over is shown once, with a percentage if one is known", {
  lines <- drawn_of(with_progress(TRUE, "Searching", function(report) {
    for (i in 1:20) report(0, 0, 1)
    for (i in 0:19) report(1, i, 100)
    for (i in 1:20) report(0, 0, 1)
  }))
  expect_length(lines, 3)
  expect_identical(trimws(lines[[1L]]), "Searching")
  expect_match(lines[[2L]], "Searching order 1 .* 0%")
  expect_match(lines[[3L]], "Searching order 1 .* 10%")
})

with_cli <- function(name, replacement, code) {
  rlang::local_options(cli.progress_show_after = 0)
  with_replacement(name, replacement, code, package = "cli")
}

test_that("a bar that cannot be drawn ends no work", {
  fails <- function(...) stop("no room for a bar")
  core <- cpp_marginal_pc
  rlang::local_options(cli.dynamic = TRUE)
  for (name in c("cli_progress_bar", "cli_progress_update", "cli_progress_done")) {
    utils::capture.output(type = "message", with_cli(name, fails, {
      out <- with_progress(TRUE, "Searching", function(report) {
        for (i in 1:5) report(i, 1, 5)
        "done"
      })
      bar <- new_bar(TRUE, "Drawing", 3)
      bar$add(2)
      bar$end()
      budget <- privacy_budget(1, 1e-6)
      fit <- with_replacement("cpp_marginal_pc", function(...) {
        # The last argument is the function that the core reports to.
        report <- rev(list(...))[[1L]]
        report(0, 0, 1)
        report(0, 40, 1)
        core(...)
      }, marginal_pc(few_rows(), 1, budget = budget, progress = TRUE))
    }))
    expect_identical(out, "done")
    expect_s3_class(fit, "privpc")
    expect_identical(nrow(privacy_ledger(budget)), 1L)
  }
})

test_that("a bar that warns does not tell the user", {
  expect_warning(with_cli(
    "cli_progress_update", function(...) warning("hardly any room"),
    with_progress(TRUE, "Searching", function(report) report(0, 1, 5))
  ), NA)
})

test_that("after an error of the bar there is no bar any more", {
  drawn <- 0
  fails <- function(...) {
    drawn <<- drawn + 1
    stop("no room for a bar")
  }
  with_cli("cli_progress_update", fails, {
    with_progress(TRUE, "Searching", function(report) for (i in 1:5) report(i, 1, 5))
  })
  expect_identical(drawn, 1)
})

test_that("interrupts and limits on the time pass through a bar", {
  tell <- function(draw) {
    with_cli("cli_progress_update", draw, {
      with_progress(TRUE, "Searching", function(report) report(0, 1, 5))
    })
  }
  said <- tryCatch({
    tell(function(...) rlang::interrupt())
    "finished"
  }, interrupt = function(condition) "interrupted")
  expect_identical(said, "interrupted")
  expect_error(
    tell(function(...) stop("reached elapsed time limit")), "reached elapsed time limit"
  )
})

test_that("an error after the debit says that the price was paid", {
  budget <- privacy_budget(5, 1e-6)
  data <- few_rows()
  breaks <- function(...) stop("something broke")
  expect_snapshot({
    with_replacement("cpp_marginal_pc", breaks, {
      show_refusal(marginal_pc(data, 1, budget = budget))
      show_refusal(marginal_pc(data, 1))
    })
    with_replacement("cpp_private_pc", breaks, show_refusal(priv_pc(data, 1, budget = budget)))
  })
  expect_identical(nrow(privacy_ledger(budget)), 2L)
})

test_that("of a single test an error says so only if the price was paid", {
  budget <- privacy_budget(5, 1e-6)
  data <- few_rows()
  refused <- function(core) {
    tryCatch(
      with_replacement("cpp_private_order_test", core, private_test(
        data, "asia", "tub", test = "tau", epsilon = 1, budget = budget
      )),
      error = conditionMessage
    )
  }
  expect_false(grepl("has paid", refused(function(...) stop("something broke"))))
  late <- function(...) {
    laplace_mechanism(0, 1, 0.1, budget = budget)
    stop("something broke")
  }
  expect_true(grepl("has paid", refused(late)))
})

test_that("a time limit is one in any language", {
  before <- Sys.getenv("LANGUAGE", NA)
  on.exit(if (is.na(before)) Sys.unsetenv("LANGUAGE") else Sys.setenv(LANGUAGE = before))
  # Where the session has translations, R speaks them; elsewhere English.
  for (language in c("en", "de", "fr")) {
    Sys.setenv(LANGUAGE = language)
    said <- tryCatch({
      setTimeLimit(elapsed = 0.05, transient = TRUE)
      repeat Sys.sleep(0.01)
    }, error = identity, finally = setTimeLimit())
    expect_true(is_time_limit(said), info = conditionMessage(said))
    expect_false(is_time_limit(simpleError("it broke")))
  }
})
