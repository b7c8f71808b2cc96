# Runs the testthat suite against the installed package and leaves "passed failed skipped" in the
# file given as the argument. The file is written last: a crash of R leaves none.

count_file <- commandArgs(trailingOnly = TRUE)[1L]
library(testthat)

results <- tryCatch(
  as.data.frame(test_dir(
    "tests/testthat",
    package = "privpc",
    load_package = "installed",
    reporter = "summary",
    stop_on_failure = FALSE
  )),
  error = function(e) {
    message("The test suite could not be run: ", conditionMessage(e))
    quit(status = 1L)
  }
)

failed <- sum(results$failed) + sum(results$error)

# A snapshot that is recorded for the first time compares nothing: testthat counts it as passed and
# warns; here it is a failure.
warnings <- unlist(lapply(results$result, function(expectations) {
  Filter(Negate(is.null), lapply(expectations, function(expectation) {
    if (inherits(expectation, "expectation_warning")) conditionMessage(expectation)
  }))
}))
recorded <- sum(grepl("^Adding new (file )?snapshot", warnings))
if (recorded > 0L) {
  message(
    recorded, " snapshot(s) were recorded for the first time: look at tests/testthat/_snaps, ",
    "then run the tests again."
  )
}
passed <- sum(results$passed) - recorded
failed <- failed + recorded
writeLines(paste(passed, failed, sum(results$skipped)), count_file)
quit(status = if (failed > 0L) 1L else 0L)
