# Sessions that write numbers with a comma: by options(OutDec), which any session can have, and by
# the locale, of which there must be one.

with_comma_locale <- function(code) {
  before <- Sys.getlocale("LC_NUMERIC")
  on.exit(suppressWarnings(Sys.setlocale("LC_NUMERIC", before)))
  for (name in c("de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "German_Germany")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_NUMERIC", name)))) break
  }
  skip_if_not(Sys.localeconv()[["decimal_point"]] == ",", "there is a locale with a decimal comma")
  force(code)
}

with_comma_option <- function(code) {
  rlang::local_options(OutDec = ",")
  force(code)
}

# What programs read, and what is read again.
machine_texts <- function() {
  net <- network("asia")
  fit <- marginal_pc(
    small_cohort(), epsilon = 1.5, delta = 1e-6, seed = 1, progress = FALSE, parameters = TRUE
  )
  page <- tempfile(fileext = ".html")
  on.exit(unlink(page))
  suppressMessages(publish(
    fit, page, strength = FALSE, effects = FALSE, date = as.Date("2024-01-01"), open = FALSE,
    progress = FALSE
  ))
  list(
    text_up(c(1.00049, 1e-6, 0.5)), text_down(c(1.99999, 0.5)), exact_text(c(0.1, 1 / 3)),
    number_sql(0.15), all_digits_text(c(0.25, 1 / 3)), written_out(c(0.5, 2)),
    bin_labels(c(0, 0.5, 1.5, 2)), percent_text(0.1234), delta_words(1.5e-6), bif_text(net),
    c(report(fit)), readLines(page), suppressMessages(as_dagitty(fit, string = TRUE)),
    overdraft_text(list(unit = "rho", asked = 0.25, left = 0.125, cap = 0.5))
  )
}

expect_same_texts <- function(with_comma) {
  with_point <- machine_texts()
  found <- with_comma(machine_texts())
  for (i in seq_along(found)) expect_identical(found[[i]], with_point[[i]], info = i)
}

# Nothing of R's own comes out of printing, and what was written can be read.
expect_survives <- function() {
  file <- tempfile(fileext = ".ledger")
  on.exit(unlink(file))
  said <- outcome_of({
    budget <- privacy_budget(0.5, 1e-6, file = file)
    released <- gaussian_mechanism(1.5, 1, rho = 0.001, budget = budget)
    fit <- marginal_pc(small_cohort(), epsilon = 1.5, delta = 1e-6, seed = 1, progress = FALSE)
    for (x in list(budget, released, fit, summary(fit), report(fit), network("asia"))) print(x)
    print(laplace_mechanism(0.5, 1, epsilon = 0.5))
    print(private_test(small_cohort(), "a", "b", epsilon = 0.5))
    print(plan_study(n = 1000, epsilon = c(0.5, 1.5), levels = c(2, 2, 3)))
    print(edge_strength(fit, draws = 2, progress = FALSE))
    privacy_ledger(budget)
  })
  expect_false(said$refused)
  expect_identical(said$raw, NULL)
  expect_match(readLines(file)[[1L]], "epsilon 0.5 | delta 1e-06", fixed = TRUE)
  budget <- privacy_budget(0.5, 1e-6, file = file)
  expect_identical(nrow(privacy_ledger(budget)), 1L)
  file
}

test_that("options(OutDec) has no part in what programs read", {
  expect_same_texts(with_comma_option)
  with_comma_option(expect_survives())
  # What was asked for is still there, also after an error.
  with_comma_option({
    expect_error(privacy_budget(-1), class = "privpc_error")
    expect_identical(getOption("OutDec"), ",")
  })
})

test_that("numbers that are levels are known again with a decimal comma", {
  data <- data.frame(x = rep(c(1.5, 2.5), 200), y = factor(rep(0:1, each = 200)))
  fit <- marginal_pc(data, epsilon = 5, levels = list(x = c(1.5, 2.5)), seed = 1)
  expect_identical(with_comma_option(bin_like(data, fit)), bin_like(data, fit))
})

test_that("a locale with a decimal comma has no part in what programs read", {
  skip_on_cran()
  expect_same_texts(with_comma_locale)
  with_comma_locale({
    expect_survives()
    expect_error(privacy_budget(-1), class = "privpc_error")
    expect_identical(Sys.localeconv()[["decimal_point"]], ",")
  })
})

test_that("a ledger is the same file in sessions with a point and with a comma", {
  skip_on_cran()
  file <- tempfile(fileext = ".ledger")
  on.exit(unlink(file))
  spend <- function() {
    budget <- privacy_budget(0.5, 1e-6, file = file)
    gaussian_mechanism(1, 1, rho = 0.001, budget = budget)
  }
  spend()
  with_comma_locale(spend())
  spend()
  expect_identical(nrow(privacy_ledger(privacy_budget(0.5, 1e-6, file = file))), 3L)
  expect_false(any(grepl("[0-9],[0-9]", readLines(file))))
})
