# The promise to persons with all their records: who states it, and who pays for it.

visits <- function(n = 2000) {
  people <- small_cohort(n)
  whose <- rep(seq_len(n), times = 1L + seq_len(n) %% 4L)
  data.frame(people[whose, ], person = whose, visit = seq_along(whose))
}

fit_persons <- function(..., epsilon = 1) {
  marginal_pc(visits(), epsilon = epsilon, id = "person", first_by = "visit", ...)
}

test_that("a fit for persons says so wherever it states its promise", {
  fit <- fit_persons()
  expect_identical(fit$privacy$per, "person")
  expect_match(
    privacy_text(fit$privacy), "(replace-one neighbours per person, Gaussian accounting)",
    fixed = TRUE
  )
  expect_match(format(fit), "delta = 1e-06, per person>", fixed = TRUE)
  expect_match(settings_text(fit$settings), "2000 persons")
  expect_match(ledger_title(fit), "per person", fixed = TRUE)
  said <- report(fit)
  expect_match(
    said[["privacy"]], "replacing any one person with all their records by any other", fixed = TRUE
  )
  expect_match(said[["public"]], "^The number of persons")
  expect_match(said[["graph"]], "was learnt from 2,000 persons", fixed = TRUE)
  again <- relearn(fit, alpha = 0.1)
  expect_identical(again$privacy, fit$privacy)
  expect_identical(again$settings$persons, fit$settings$persons)
  for (learner in list(priv_pc, em_pc, svt_pc, sg_pc)) {
    other <- learner(visits(), 1, id = "person", first_by = "visit")
    expect_identical(other$privacy$per, "person")
    expect_identical(other$settings$n, 2000L)
  }
  plain <- marginal_pc(small_cohort(), epsilon = 1)
  expect_null(plain$privacy$per)
  expect_no_match(
    paste(c(format(plain), report(plain), ledger_title(plain)), collapse = " "), "person"
  )
})

test_that("print() and warnings of few persons", {
  rlang::local_options(privpc.advice = TRUE, rlib_warning_verbosity = "verbose")
  fit <- suppressMessages(fit_persons(seed = 1))
  fit$privacy$private <- TRUE
  fit$privacy$why <- NULL
  expect_snapshot(print(fit))
  said <- function(learner, data, epsilon, ...) {
    condition <- tryCatch(
      learner(data, epsilon, id = "person", first_by = "visit", ...), condition = identity
    )
    cat(conditionMessage(condition), "\n")
  }
  expect_snapshot({
    said(marginal_pc, visits(60), 0.1)
    said(marginal_pc, visits(60), 0.1, search = "tests")
    said(marginal_pc, visits(2000), 0.5)
    said(priv_pc, visits(60), 0.01)
  })
})

test_that("the number of persons is measured where it is a secret", {
  fits <- replicate(10, fit_persons(neighbours = "add-remove", threads = 1), simplify = FALSE)
  n <- vapply(fits, function(fit) fit$settings$n, 0)
  expect_gt(length(unique(n)), 5L)
  expect_true(all(abs(n - 2000) < 200))
  fit <- fits[[1L]]
  expect_identical(privacy_ledger(fit)$target[[1L]], "number of persons")
  expect_match(settings_text(fit$settings), "about [0-9]+ persons")
  said <- report(fit)
  expect_match(said[["privacy"]], "adding any one person with all their records", fixed = TRUE)
  expect_no_match(said[["public"]], "number of")
  expect_match(privacy_text(fit$privacy), "(add-remove neighbours per person", fixed = TRUE)
})

test_that("one budget never pays for records and for persons", {
  data <- visits()
  of_persons <- privacy_budget(20, 1e-6, per = "person")
  of_records <- privacy_budget(20, 1e-6)
  # Without `id` the columns are numbers like any other.
  breaks_of <- function(...) {
    range <- list(person = c(0, 1e4), visit = c(0, 1e4))
    if (length(list(...))) range["visit"] else range
  }
  steps <- list(
    function(b, ...) marginal_pc(data, 1, budget = b, bounds = breaks_of(...), ...),
    function(b, ...) priv_pc(data, 1, budget = b, bounds = breaks_of(...), ...),
    function(b, ...) em_pc(data, 1, budget = b, bounds = breaks_of(...), ...),
    function(b, ...) svt_pc(data, 1, budget = b, bounds = breaks_of(...), ...),
    function(b, ...) sg_pc(data, 1, budget = b, bounds = breaks_of(...), ...),
    function(b, ...) private_test(data, "a", "b", epsilon = 0.1, budget = b, ...),
    function(b, ...) {
      private_breaks(data, "visit", bins = 2, epsilon = 0.1, bounds = list(visit = c(0, 1e4)),
                     budget = b, ...)
    }
  )
  for (step in steps) {
    expect_error(step(of_persons), class = "privpc_other_neighbours")
    expect_error(step(of_records, id = "person"), class = "privpc_other_neighbours")
  }
  expect_identical(nrow(privacy_ledger(of_persons)), 0L)
  expect_identical(nrow(privacy_ledger(of_records)), 0L)
  for (step in steps) step(of_persons, id = "person")
  expect_identical(nrow(privacy_ledger(of_persons)), length(steps))
  # The user says how far neighbours are apart.
  gaussian_mechanism(1, 1, rho = 0.01, budget = of_persons)
  expect_snapshot({
    show_refusal(marginal_pc(data[1:4], 1, budget = of_persons))
    show_refusal(marginal_pc(data, 1, id = "person", first_by = "visit", budget = of_records))
    show_refusal(privacy_budget(1, per = "visit"))
    print(privacy_budget(1, per = "person"))
    print(privacy_budget(1, 1e-6, neighbours = "add-remove", per = "person"))
    format(of_records)
    format(privacy_budget(1, per = "person"))
  })
  # What is printed is what the ledger was made for.
  of_persons$neighbours <- "replace-one"
  expect_error(private_test(data, "a", "b", epsilon = 0.1, budget = of_persons),
               class = "privpc_bad_budget")
})

test_that("a pure budget for persons is told which one would do", {
  expect_snapshot(show_refusal(
    sg_pc(visits(), 1, id = "person", first_by = "visit",
          budget = privacy_budget(2, per = "person"))
  ))
})

test_that("cut points protect whom the call protects", {
  data <- visits()
  range <- list(visit = c(0, 1e4))
  of_persons <- private_breaks(data, "visit", bins = 3, epsilon = 1, bounds = range, id = "person")
  of_records <- private_breaks(data, "visit", bins = 3, epsilon = 1, bounds = range)
  expect_identical(attr(of_persons, "privacy")$per, "person")
  expect_null(attr(of_records, "privacy")$per)
  fit <- marginal_pc(data, 1, id = "person", breaks = of_persons)
  expect_identical(fit$privacy$per, "person")
  expect_gt(fit$privacy$epsilon, 1.9)
  expect_snapshot({
    show_refusal(marginal_pc(data, 1, id = "person", breaks = of_records))
    show_refusal(marginal_pc(data[names(data) != "person"], 1, breaks = of_persons))
    show_refusal(private_test(data, "a", "visit", epsilon = 1, id = "person", breaks = of_records))
  })
})

test_that("a ledger file keeps whom it protects", {
  file <- tempfile(fileext = ".ledger")
  seen <- visits()
  budget <- privacy_budget(3, 1e-6, file = file, data = "visits of 2026", per = "person")
  fit <- marginal_pc(seen, 1, id = "person", first_by = "visit", budget = budget)
  expect_match(report(fit)[["privacy"]], "person with all their records", fixed = TRUE)
  again <- privacy_budget(file = file, per = "person")
  expect_identical(again$neighbours, "replace-one-person")
  expect_silent(privacy_budget(file = file, neighbours = "replace-one"))
  expect_error(marginal_pc(seen[1:4], 1, budget = again), class = "privpc_other_neighbours")
  expect_snapshot({
    show_refusal(privacy_budget(file = file, per = "record"))
    show_refusal(privacy_budget(3, 1e-6, file = file))
  }, transform = function(x) gsub("[^ '\"]*[.]ledger", "visits.ledger", x))
})
