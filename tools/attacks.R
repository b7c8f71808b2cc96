# Attacks on the promise: `make attacks`, and with `make audit`. Writes inst/attacks.md.
#
# Usage: Rscript tools/attacks.R [share of the runs [parts ...]]; parts are worst, whole, persons,
# controls, bits, secrets, files, time (all of them if none is named), report (none). What a part
# found is kept in build/attacks, and the report is written of what is there.

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
  "helper-same_shape.R",
  list.files("tests/testthat", "^helper-attacks")
)
for (helper in helpers) sys.source(file.path("tests/testthat", helper), envir = here)
tools <- new.env(parent = here)
for (file in list.files("tools/attacks", "[.]R$", full.names = TRUE)) {
  sys.source(file, envir = tools)
}

kept_in <- "build/attacks"
dir.create(kept_in, showWarnings = FALSE, recursive = TRUE)
for (part in asked) {
  started <- Sys.time()
  cat("\n", part, "\n", sep = "")
  found <- tools[[paste0("try_", part)]](share)
  found$date <- as.character(Sys.Date())
  found$minutes <- as.numeric(difftime(Sys.time(), started, units = "mins"))
  saveRDS(found, file.path(kept_in, paste0(part, ".rds")))
}
files <- file.path(kept_in, paste0(parts, ".rds"))
there <- file.exists(files)
results <- lapply(stats::setNames(files, parts)[there], readRDS)
if (!all(there)) cat("Have not run: ", toString(parts[!there]), "\n", sep = "")
writeLines(tools$attack_report(results), "inst/attacks.md")
cat("\nWritten: inst/attacks.md\n")
wrong <- sum(vapply(results, function(found) found$wrong, 0))
if (wrong > 0) {
  cat(wrong, "results are not as they should be\n")
  quit(status = 1L)
}
