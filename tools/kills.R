# Two R processes that release noisy numbers from one ledger file, each killed (kill -9) at random
# instants: `make test-kills`. The same as tests/cpp/test_ledger_kills.cpp, with the whole way from
# laplace_mechanism() to the disk. Usage: Rscript tools/kills.R [kills]
#
# A writer adds a byte to a file of its own after each release. After every kill the ledger has to
# be sound, list at least as many steps as were released, and no more than the budget allows.

library(privpc)
asked <- commandArgs(trailingOnly = TRUE)
kills <- if (length(asked)) as.integer(asked[[1L]]) else 40L
folder <- tempfile("kills")
dir.create(folder)
file <- file.path(folder, "cohort.ledger")
# So many that no writer comes to the end: the number of an ended process may be given to another.
most <- 65536L
invisible(privacy_budget(1, file = file))

writer_script <- file.path(folder, "writer.R")
writeLines(c(
  "arguments <- commandArgs(trailingOnly = TRUE)",
  "suppressMessages(library(privpc))",
  "budget <- privacy_budget(file = arguments[[1L]])",
  "cat(Sys.getpid(), file = arguments[[3L]])",
  "repeat {",
  paste0("  laplace_mechanism(1, 1, 1 / ", most, ", budget = budget)"),
  "  cat('r', file = arguments[[2L]], append = TRUE)",
  "}"
), writer_script)

started <- 0L
start_writer <- function() {
  started <<- started + 1L
  told <- file.path(folder, paste0("told-", started))
  process <- file.path(folder, paste0("process-", started))
  file.create(told)
  system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", writer_script, file, told, process),
    wait = FALSE, stdout = FALSE, stderr = FALSE
  )
  while (!file.exists(process) || file.size(process) == 0) Sys.sleep(0.01)
  as.integer(readLines(process, warn = FALSE))
}

released <- function() sum(file.size(list.files(folder, "^told-", full.names = TRUE)))

writers <- c(start_writer(), start_writer())
steps <- 0L
for (kill in seq_len(kills)) {
  Sys.sleep(stats::runif(1L, 0, 0.2))
  victim <- sample(2L, 1L)
  tools::pskill(writers[[victim]], tools::SIGKILL)
  before <- released()
  ledger <- privacy_ledger(file)
  stopifnot(nrow(ledger) >= before, nrow(ledger) >= steps, max(ledger$cumulative, 0) <= 1)
  steps <- nrow(ledger)
  if (kill < kills) writers[[victim]] <- start_writer()
}
for (writer in writers) tools::pskill(writer, tools::SIGKILL)
Sys.sleep(0.2)
ledger <- privacy_ledger(file)
stopifnot(nrow(ledger) >= released(), nrow(ledger) - released() <= started)
cat(
  kills, " kills of R processes: ", nrow(ledger), " steps in the ledger, ", released(),
  " released, ", sum(ledger$mechanism == "torn entry"), " torn\n", sep = ""
)
unlink(folder, recursive = TRUE)
