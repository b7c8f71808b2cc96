# Runs the testthat suite against the installed package and leaves "passed failed skipped" in the
# file given as the argument. The file is written last: a crash of R leaves none.
#
# It runs on a copy in build/test (tools/copy_sources.R says why). `make snapshots` takes over what
# the last run would have changed.

count_file <- commandArgs(trailingOnly = TRUE)[1L]
library(testthat)
source("tools/copy_sources.R")

results <- tryCatch(
  as.data.frame(test_dir(
    file.path(copy_sources("build/test"), "tests", "testthat"),
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
# warns (or fails by itself, where it thinks that it runs in CI); here it is a failure.
warnings <- unlist(lapply(results$result, function(expectations) {
  Filter(Negate(is.null), lapply(expectations, function(expectation) {
    if (inherits(expectation, "expectation_warning")) conditionMessage(expectation)
  }))
}))
recorded <- sum(grepl("^Adding new (file )?snapshot", warnings))
if (recorded > 0L) {
  message(
    recorded, " snapshot(s) were recorded for the first time: look at ",
    "build/test/tests/testthat/_snaps, take them over with `make snapshots`, and run the tests ",
    "again."
  )
}
passed <- sum(results$passed) - recorded
failed <- failed + recorded
writeLines(paste(passed, failed, sum(results$skipped)), count_file)
quit(status = if (failed > 0L) 1L else 0L)
