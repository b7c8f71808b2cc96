# How far do exact_pc() and marginal_pc() go: networks of the bnlearn repository with 37 to 1,041
# variables and up to 63 levels. They are not bundled; FOLDER has their BIF files.
#
#   Rscript bench/large_networks.R FOLDER [network ...]
#
# Each call runs in a process of its own, which is ended after LIMIT seconds. Writes a section of
# bench/results.md; with networks named, prints only.

source("bench/measure.R")

limit <- 180
rows <- 10000
default_networks <- c(
  "alarm", "win95pts", "pathfinder", "munin1", "andes", "diabetes", "pigs", "link", "munin"
)

# `tests`: what exact_pc() says beforehand, or that it left orders out.
calls <- list(
  `exact_pc, max_order = 1` = "exact_pc(data, 'g2', 0.01, max_order = 1, threads = 2)",
  `exact_pc, max_order = 3` = "exact_pc(data, 'g2', 0.01, max_order = 3, threads = 2)",
  `exact_pc, max_tests = 1e6` = "exact_pc(data, 'g2', 0.01, max_tests = 1e6, threads = 2)",
  `marginal_pc, epsilon = 3` = "marginal_pc(data, 3, threads = 2, seed = 1)"
)

# What one call did: the last lines that it printed, or nothing if it was ended.
run_call <- function(bif, call) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    "suppressPackageStartupMessages(library(privpc))",
    "options(privpc.advice = FALSE, cli.progress_show_after = 1e9)",
    sprintf("truth <- read_bif(%s)", encodeString(bif, quote = '"')),
    sprintf("data <- simulate(truth, nsim = %d, seed = 1)", rows),
    "said <- list(ahead = 0, few = FALSE)",
    "invisible(gc()); writeLines('5', '/proc/self/clear_refs')",
    "start <- proc.time()[['elapsed']]",
    sprintf("fit <- withCallingHandlers(%s, condition = function(c) {", call),
    "  text <- conditionMessage(c)",
    "  if (inherits(c, 'privpc_many_tests')) {",
    "    number <- sub('.*may take up to ([0-9,.e+]+) tests.*', '\\\\1', text)",
    "    said$ahead <<- max(said$ahead, as.numeric(gsub(',', '', number)))",
    "    cat('ahead', said$ahead, '\\n')",
    "  }",
    "  if (inherits(c, 'privpc_cut_short')) cat('cut short\\n')",
    "  if (inherits(c, 'warning')) cat('warned', gsub('\\n', ' ', text), '\\n')",
    "})",
    "seconds <- proc.time()[['elapsed']] - start",
    "status <- grep('^VmHWM', readLines('/proc/self/status'), value = TRUE)",
    "scores <- compare_graphs(fit, truth)",
    "cat('done', seconds, as.numeric(gsub('[^0-9]', '', status)) / 2^20, scores$f1[[1L]], '\\n')"
  ), script)
  out <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = TRUE,
    timeout = limit
  ))
  find <- function(word) grep(paste0("^", word, " "), out, value = TRUE)
  done <- strsplit(find("done"), " ")
  ahead <- find("ahead")
  ended <- identical(attr(out, "status"), 124L)
  list(
    ended = ended,
    failed = !length(done) && !ended,
    out = out,
    row = data.frame(
      seconds = if (length(done)) short(as.numeric(done[[1L]][[2L]])) else
        if (ended) paste("over", limit) else "failed",
      `peak GB` = if (length(done)) as.numeric(done[[1L]][[3L]]) else NA_real_,
      `skeleton F1` = if (length(done)) as.numeric(done[[1L]][[4L]]) else NA_real_,
      `tests said beforehand` = if (length(ahead)) sub("^ahead ", "", ahead[[length(ahead)]]) else "",
      `left out` = if (any(grepl("^cut short", out))) "yes" else "",
      warned = if (length(find("warned"))) "yes" else "",
      check.names = FALSE
    )
  )
}

folder <- commandArgs(TRUE)[1L]
asked <- commandArgs(TRUE)[-1L]
table <- do.call(rbind, lapply(if (length(asked)) asked else default_networks, function(name) {
  bif <- file.path(normalizePath(folder), paste0(name, ".bif"))
  truth <- read_bif(bif)
  do.call(rbind, lapply(names(calls), function(call) {
    found <- run_call(bif, calls[[call]])
    if (found$failed) writeLines(found$out)
    row <- cbind(
      network = name, variables = length(truth$nodes),
      `most levels` = max(lengths(truth$levels)), call = call, found$row
    )
    print(row, row.names = FALSE)
    row
  }))
}))
table$variables <- format(table$variables, big.mark = ",", trim = TRUE)

if (!length(asked)) {
  replace_section("bench/results.md", "Large networks", report_part(table, paste0(
    "Written by `Rscript bench/large_networks.R`, on networks of the bnlearn repository with ",
    format(rows, big.mark = ","), " rows. Elapsed time on two threads; a call is ended after ", limit,
    " seconds. The peak is that of the whole process, R and the records included. \"Tests said ",
    "beforehand\": the most tests of an order, as a message has it before the order begins; \"left ",
    "out\": an order that `max_tests` did not let begin."
  )))
}
