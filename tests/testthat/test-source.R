# Records stay in the source; whatever is decided, priced or said before they are counted is
# decided by the schema.

all_functions <- function() {
  space <- asNamespace("privpc")
  named <- Filter(function(name) is.function(space[[name]]), ls(space, all.names = TRUE))
  mget(named, envir = space)
}

# What is done with `source` in a function: the names of the functions it is handed to, and
# "$schema" and so on for its elements.
uses_of_source <- function(code) {
  if (!is.call(code)) return(character())
  parts <- as.list(code)
  handed <- any(vapply(parts[-1L], identical, NA, quote(source)))
  own <- if (handed) {
    called <- paste(deparse(parts[[1L]]), collapse = "")
    if (called == "$") paste0("$", parts[[3L]]) else called
  }
  # An argument that is left out, as in x[, 1], is no code.
  inner <- Filter(function(part) !identical(part, rlang::missing_arg()), parts)
  c(own, unlist(lapply(inner, uses_of_source)))
}

calls <- function(code, name) name %in% all.names(body(code))

test_that("only what counts, or looks for missing values, is handed a source", {
  functions <- all_functions()
  makers <- Filter(function(f) calls(f, "data_source"), functions)
  expect_setequal(
    names(makers),
    c("learn_privately", "learn_from_marginals", "exact_pc", "cond_test", "private_test")
  )
  takers <- c("order_test", "count_test", "median_test", "ask_core", "with_source")
  allowed <- c(
    "<-", "function", "$schema", "with_source", "check_before_paying", "ask_core", "run",
    "check_complete", "order_test", "count_test", "median_test"
  )
  for (name in c(names(makers), takers)) {
    used <- uses_of_source(body(functions[[name]]))
    expect_gt(length(used), 0)
    odd <- setdiff(used, allowed)
    expect_identical(odd[!startsWith(odd, "cpp_")], character(), info = name)
  }
  # The rule is noticed when it is broken.
  expect_identical(uses_of_source(quote(warn_few_rows(source, n))), "warn_few_rows")
  expect_identical(uses_of_source(quote(sum(as.integer(source$codes[[1L]])))), "$codes")
})

test_that("checks, warnings, messages and prices take no source", {
  functions <- all_functions()
  public <- grepl("^(check|warn|say|abort|pay|plan|enough|choose|fit)_", names(functions))
  takes <- vapply(functions[public], function(f) "source" %in% names(formals(f)), NA)
  expect_setequal(names(takes)[takes], c("check_complete", "check_before_paying"))
})

test_that("a schema is the same for all records", {
  of <- function(a, b, age) {
    data.frame(
      a = factor(a, c("no", "yes")), b = factor(b, c("low", "mid", "high"), ordered = TRUE), age
    )
  }
  one <- of(rep("no", 60), rep("low", 60), rep(20, 60))
  two <- of(rep(c("no", "yes"), 30), rep(c("low", "mid", "high"), 20), 1:60)
  cuts <- list(age = c(0, 30, 60))
  for (by_order in c(FALSE, TRUE)) {
    schema <- function(data, ...) {
      data_source(data, breaks = cuts, by_order = by_order, ...)$schema
    }
    expect_identical(schema(one), schema(two))
    expect_identical(schema(one, full_resolution = "age"), schema(two, full_resolution = "age"))
  }
  expect_identical(data_source(one[1:2])$schema, data_source(two[1:2])$schema)
  expect_identical(data_source(one, "level", cuts)$schema, data_source(two, "level", cuts)$schema)
})

test_that("errors of the core have a class, and their facts as elements", {
  budget <- privacy_budget(1, 1e-6)
  refused <- tryCatch(
    cpp_ledger_debit(budget$ledger, "gaussian", "", NA, 1 / 3, 0), error = identity
  )
  expect_s3_class(refused, c("privpc_core_overdraft", "privpc_core_error", "error"), exact = FALSE)
  expect_identical(refused$unit, "rho")
  expect_identical(refused$asked, 1 / 3)
  expect_identical(refused$left, budget$rho)
  expect_identical(refused$cap, budget$rho)
  in_delta <- tryCatch(
    cpp_ledger_debit(budget$ledger, "median", "", 1e-3, NA, 1e-7), error = identity
  )
  expect_identical(in_delta$unit, "delta")

  data <- data.frame(a = factor(c("x", NA, "y")), b = factor(c("x", "y", "y")))
  invalid <- tryCatch(
    cpp_cond_test(data_source(data), "g2", "declared", 1L, 2L, integer(), FALSE), error = identity
  )
  expect_s3_class(invalid, "privpc_core_invalid_code")
  # Neither the value nor the row is told.
  expect_named(invalid, c("message", "call"))
  # What has no name goes the way of Rcpp.
  other <- tryCatch(
    cpp_ledger_debit(budget$ledger, "laplace", "", 1, 1, 0), error = identity
  )
  expect_s3_class(other, "error")
  expect_false(inherits(other, "privpc_core_error"))
})

test_that("R goes by the class of an error, not by its words", {
  looks <- function(code) {
    if (!is.call(code)) return(FALSE)
    searches <- c("grepl", "grep", "regexpr", "regexec", "startsWith", "switch", "==", "%in%")
    parts <- Filter(function(part) !identical(part, rlang::missing_arg()), as.list(code))
    if (is.symbol(parts[[1L]]) && as.character(parts[[1L]]) %in% searches) {
      # Of switch() only what it goes by.
      asked <- if (identical(parts[[1L]], quote(switch))) parts[2L] else parts[-1L]
      if (any(vapply(asked, function(part) "conditionMessage" %in% all.names(part), NA))) {
        return(TRUE)
      }
    }
    any(vapply(parts, looks, NA))
  }
  looking <- Filter(function(f) looks(body(f)), all_functions())
  # A limit on time and an object that is not there are R's own errors; a line without an end, and a
  # text that cannot be translated (abort()), are its own warnings: they have no class.
  expect_setequal(names(looking), c("abort", "is_time_limit", "which_is_absent", "whole_lines"))
})
