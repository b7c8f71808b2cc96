# Attacks on the promise: `make attacks`, and with `make audit`. Writes inst/attacks.md.
#
# Usage: Rscript tools/attacks.R [share of the runs [parts ...]]; parts are worst, whole, persons,
# controls, bits, secrets, files, time (all of them if none is named), report (none). What a part
# found is kept in build/attacks, and the report is written of what is there; it says of each part
# when it was run, and whether with the build of the package that is installed. A part that could not
# be run or tried nothing has failed, and so have attacks without controls.

library(privpc)
arguments <- commandArgs(trailingOnly = TRUE)
share <- if (length(arguments) > 0L) as.numeric(arguments[[1L]]) else 1
parts <- c("worst", "whole", "persons", "controls", "bits", "secrets", "files", "time")
asked <- if (length(arguments) > 1L) arguments[-1L] else parts
stopifnot(share > 0, asked %in% c(parts, "report"))
asked <- setdiff(asked, "report")
options(privpc.advice = FALSE)

here <- new.env(parent = asNamespace("privpc"))
helpers <- c(
  "helper-audit.R", "helper-audit_learners.R", "helper-broken.R", "helper-graph.R",
  "helper-same_shape.R", "helper-tool_parts.R",
  list.files("tests/testthat", "^helper-attacks")
)
for (helper in helpers) sys.source(file.path("tests/testthat", helper), envir = here)
tools <- new.env(parent = here)
for (file in list.files("tools/attacks", "[.]R$", full.names = TRUE)) {
  sys.source(file, envir = tools)
}

kept_in <- "build/attacks"
dir.create(kept_in, showWarnings = FALSE, recursive = TRUE)
build <- here$package_build()
could_run <- vapply(asked, function(part) {
  started <- Sys.time()
  cat("\n", part, "\n", sep = "")
  here$run_and_keep(part, kept_in, build, function() {
    found <- tools[[paste0("try_", part)]](share)
    found$minutes <- as.numeric(difftime(Sys.time(), started, units = "mins"))
    found
  })
}, NA)
results <- here$kept_parts(kept_in, parts)
failures <- c(
  tools$attack_gaps(results), paste("could not be run:", asked[!could_run], recycle0 = TRUE)
)
writeLines(failures)
results <- Filter(tools$has_rows, results)
if (!length(results)) {
  cat("\nNo part was run: no report is written.\n")
  quit(status = 1L)
}
writeLines(tools$attack_report(results, build), "inst/attacks.md")
cat("\nWritten: inst/attacks.md\n")
cat("Have not run: ", here$named_or_none(setdiff(parts, names(results))), "\n", sep = "")
wrong <- sum(vapply(results, function(found) found$wrong, 0))
if (wrong > 0) cat(wrong, "results are not as they should be\n")
quit(status = if (wrong > 0 || length(failures)) 1L else 0L)
