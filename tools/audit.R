# The long audits: `make audit`. Writes inst/audit.md. Usage: Rscript tools/audit.R [runs]

library(privpc)
all_runs <- as.numeric(c(commandArgs(trailingOnly = TRUE), 1e6)[1L])
here <- new.env(parent = asNamespace("privpc"))
sys.source("tests/testthat/helper-audit.R", envir = here)
sys.source("tests/testthat/helper-broken.R", envir = here)

audit_all <- function(mechanisms, epsilons, expected, runs = all_runs) {
  rows <- lapply(names(mechanisms), function(name) {
    do.call(rbind, lapply(epsilons, function(epsilon) {
      audit <- mechanisms[[name]](epsilon, runs = runs)
      cat(sprintf("%-55s epsilon %-5g bound %.3f\n", name, epsilon, audit$lower_bound))
      data.frame(
        mechanism = name, epsilon = epsilon, delta = audit$claim$delta,
        `lower bound` = sprintf("%.3f", audit$lower_bound), verdict = audit$verdict,
        `as expected` = if (audit$violated == expected) "yes" else "NO", check.names = FALSE
      )
    }))
  })
  do.call(rbind, rows)
}

table_lines <- function(data) {
  c(
    paste0("| ", paste(names(data), collapse = " | "), " |"),
    paste0("|", strrep("---|", length(data))),
    paste0("| ", do.call(paste, c(lapply(data, format, trim = TRUE), sep = " | ")), " |")
  )
}

start <- Sys.time()
sound <- audit_all(c(here$sound_mechanisms, here$corrected_constants), c(0.1, 0.5, 1, 2), FALSE)
learners <- audit_all(here$audited_learners, c(0.5, 1, 2), FALSE, all_runs / 5)
broken <- audit_all(c(here$published_constants, here$broken_mechanisms), 1, TRUE)
overspent <- audit_all(here$overspending_learners, 1, TRUE, all_runs / 5)

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
    "The event may be anything a fit tells: edges, separating sets, number of tests and of steps.",
    "A fifth of the runs."
  ),
  "",
  table_lines(learners),
  "",
  "## Negative controls: these must be caught",
  "",
  table_lines(rbind(broken, overspent))
), "inst/audit.md")

cat("Written: inst/audit.md, after", format(Sys.time() - start, digits = 3), "\n")
if (any(rbind(sound, learners, broken, overspent)$`as expected` == "NO")) {
  quit(status = 1L)
}
