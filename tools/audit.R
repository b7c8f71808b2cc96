# The long audits: `make audit`. Writes inst/audit.md. Usage: Rscript tools/audit.R [runs [file]]

library(privpc)
arguments <- commandArgs(trailingOnly = TRUE)
all_runs <- if (length(arguments) > 0L) as.numeric(arguments[1L]) else 1e6
report_file <- if (length(arguments) > 1L) arguments[2L] else "inst/audit.md"
here <- new.env(parent = asNamespace("privpc"))
for (helper in c("helper-audit.R", "helper-audit_learners.R", "helper-broken.R")) {
  sys.source(file.path("tests/testthat", helper), envir = here)
}

# `times` is how much more than its claim every mechanism spends; the data are chosen for `aim`
# times the claim. `epsilons` is a function of the name.
# Every one of them has to leave a row: nothing that was not audited may look as if it held.
audit_all <- function(mechanisms, epsilons, expected, runs = all_runs, times = NULL, aim = NULL) {
  rows <- lapply(names(mechanisms), function(name) {
    do.call(rbind, lapply(epsilons(name), function(epsilon) {
      more <- c(list(spent = times * epsilon)[!is.null(times)], list(aim = aim)[!is.null(aim)])
      audit <- do.call(mechanisms[[name]], c(list(epsilon, runs = runs), more))
      cat(sprintf("%-55s epsilon %-5g bound %.3f\n", name, epsilon, audit$lower_bound))
      data.frame(
        mechanism = name, epsilon = epsilon, delta = audit$claim$delta,
        `lower bound` = sprintf("%.3f", audit$lower_bound), verdict = audit$verdict,
        `as expected` = if (audit$violated == expected) "yes" else "NO", check.names = FALSE
      )
    }))
  })
  rows <- do.call(rbind, rows)
  lost <- setdiff(names(mechanisms), rows$mechanism)
  if (!NROW(rows) || length(lost)) stop("Nothing was audited of: ", toString(lost))
  if (is.null(times)) rows else cbind(rows[1:3], spent = paste(times, "times"), rows[-(1:3)])
}

table_lines <- function(data) {
  data[] <- lapply(data, format, trim = TRUE)
  c(
    paste0("| ", paste(names(data), collapse = " | "), " |"),
    paste0("|", strrep("---|", length(data))),
    paste0("| ", do.call(paste, c(data, sep = " | ")), " |")
  )
}

several <- function(...) function(name) c(...)
overspent <- 4
start <- Sys.time()
sound <- audit_all(
  c(here$sound_mechanisms, here$corrected_constants), several(0.1, 0.5, 1, 2), FALSE
)
learners <- audit_all(here$learner_audits, several(0.5, 1, 2), FALSE, all_runs / 5)
# The data of marginal_pc are the same whatever they are aimed at
aimable <- here$learner_audits[!startsWith(names(here$learner_audits), "marginal_pc")]
aimed <- audit_all(aimable, here$control_claim, FALSE, all_runs / 5, aim = overspent)
controls <- rbind(
  audit_all(here$sound_mechanisms, several(1), TRUE, all_runs, overspent, overspent),
  audit_all(here$learner_audits, here$control_claim, TRUE, all_runs * 2 / 5, overspent, overspent)
)
broken <- audit_all(
  c(here$published_constants, here$broken_mechanisms, here$records_for_persons), several(1), TRUE
)

writeLines(c(
  "# Audit of the mechanisms",
  "",
  paste0(
    "Written by `make audit` on ", Sys.Date(), ": ",
    format(all_runs, big.mark = ",", scientific = FALSE),
    " runs of every mechanism on each of two neighbouring data sets, confidence 1 - 1e-6 each. ",
    "A lower bound above the claimed epsilon refutes the claim; one below it proves nothing."
  ),
  "",
  "## The package's mechanisms, on neighbours chosen to be the worst case",
  "",
  table_lines(sound),
  "",
  "## Whole learners",
  "",
  paste(
    "The event may be anything a fit tells: edges, separating sets, number of tests and of steps;",
    "for marginal_pc all measured values. Neighbours differ in a replaced record; for \"add-remove\"",
    "the record is there or not. A fifth of the runs. A learner that pays in",
    "zero-concentrated privacy loses to that accounting when it takes few steps: the one run of",
    "svt_pc that costs what epsilon = 1, delta = 0.01 allow is 0.46-private whatever the data, and",
    "no audit could show more. tests/testthat/helper-audit_learners.R has these limits."
  ),
  "",
  table_lines(learners),
  "",
  paste(
    "The same with the data of the controls below, which are aimed at the noise of",
    overspent, "times the budget:"
  ),
  "",
  table_lines(aimed),
  "",
  paste("## Controls: the same audits of what spends", overspent, "times its claim"),
  "",
  "All must be caught. Learners have two fifths of the runs.",
  "",
  table_lines(controls),
  "",
  "## Controls: published constants and broken mechanisms",
  "",
  "All must be caught.",
  "",
  table_lines(broken)
), report_file)

cat("Written:", report_file, "after", format(Sys.time() - start, digits = 3), "\n")
verdicts <- lapply(list(sound, learners, aimed, controls, broken), `[[`, "as expected")
if (!all(unlist(verdicts) == "yes")) quit(status = 1L)
