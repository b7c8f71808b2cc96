# How far do exact_pc() and marginal_pc() go: networks of the bnlearn repository with 37 to 1,041
# variables and up to 63 levels, and 200 variables that all depend on each other. The networks are
# not bundled; FOLDER has their BIF files.
#
#   Rscript bench/large_networks.R FOLDER [network ...]
#
# Each call runs in a process of its own and is stopped after LIMIT seconds. Writes a section of
# bench/results.md; with networks named, prints only.

source("bench/measure.R")

limit <- 180
rows <- 10000
default_networks <- c(
  "alarm", "win95pts", "pathfinder", "munin1", "andes", "diabetes", "pigs", "link", "munin"
)
# No set of variables separates any two: all are signs of one that is not there, cut so often.
dense <- c(`200 dense, 2 levels` = 1, `200 dense, 8 levels` = 7)

# `tests`: what exact_pc() says beforehand, or that it left orders out.
calls <- list(
  `exact_pc, max_order = 1` = "exact_pc(data, 'g2', 0.01, max_order = 1, threads = 2)",
  `exact_pc, max_order = 3` = "exact_pc(data, 'g2', 0.01, max_order = 3, threads = 2)",
  `exact_pc, max_tests = 1e6` = "exact_pc(data, 'g2', 0.01, max_tests = 1e6, threads = 2)",
  `marginal_pc, epsilon = 3` = "marginal_pc(data, 3, threads = 2, seed = 1)"
)

network_code <- function(bif) {
  c(
    sprintf("truth <- read_bif(%s)", encodeString(bif, quote = '"')),
    sprintf("data <- simulate(truth, nsim = %d, seed = 1)", rows)
  )
}
dense_code <- function(cuts) {
  c(
    "truth <- NULL; set.seed(1)",
    sprintf("common <- rnorm(%d); at <- qnorm(seq_len(%d) / %d)", rows, cuts, cuts + 1),
    "sign <- function(i) cut((common + rnorm(length(common))) / sqrt(2), c(-Inf, at, Inf))",
    "data <- as.data.frame(setNames(lapply(1:200, sign), sprintf('v%03d', 1:200)))"
  )
}

# What one call did with the data that the code makes.
run_call <- function(code, call) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    "suppressPackageStartupMessages(library(privpc))",
    "options(cli.progress_show_after = 1e9)",
    code,
    "said <- list(ahead = 0, few = FALSE)",
    "invisible(gc()); writeLines('5', '/proc/self/clear_refs')",
    "start <- proc.time()[['elapsed']]",
    sprintf("setTimeLimit(elapsed = %d)", limit),
    sprintf("fit <- try(silent = TRUE, withCallingHandlers(%s, condition = function(c) {", call),
    "  text <- conditionMessage(c)",
    "  if (inherits(c, 'privpc_many_tests')) {",
    "    number <- sub('.*may take up to ([0-9,.e+]+) tests.*', '\\\\1', text)",
    "    said$ahead <<- max(said$ahead, as.numeric(gsub(',', '', number)))",
    "    cat('ahead', format(said$ahead, big.mark = ',', scientific = FALSE), '\\n')",
    "  }",
    "  if (inherits(c, 'privpc_cut_short')) cat('cut short\\n')",
    "  if (inherits(c, 'warning')) cat('warned', gsub('\\n', ' ', text), '\\n')",
    "}))",
    "setTimeLimit()",
    "ended <- inherits(fit, 'try-error')",
    "if (ended && !grepl('time limit', fit)) stop(fit)",
    "seconds <- if (ended) Inf else proc.time()[['elapsed']] - start",
    "status <- grep('^VmHWM', readLines('/proc/self/status'), value = TRUE)",
    "f1 <- if (ended || is.null(truth)) NA else compare_graphs(fit, truth)$f1[[1L]]",
    "cat('done', seconds, as.numeric(gsub('[^0-9]', '', status)) / 2^20, f1, '\\n')"
  ), script)
  out <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = TRUE
  ))
  find <- function(word) grep(paste0("^", word, " "), out, value = TRUE)
  done <- find("done")
  ahead <- find("ahead")
  number <- suppressWarnings(as.numeric(strsplit(c(done, "done failed")[[1L]], " ")[[1L]][2:4]))
  list(
    failed = !length(done),
    out = out,
    row = data.frame(
      seconds = if (!length(done)) "failed" else if (number[[1L]] < Inf) short(number[[1L]]) else
        paste("over", limit),
      `peak GB` = number[[2L]],
      `skeleton F1` = number[[3L]],
      `tests said beforehand` = if (length(ahead)) sub("^ahead ", "", ahead[[length(ahead)]]) else "",
      `left out` = if (any(grepl("^cut short", out))) "yes" else "",
      warned = if (length(find("warned"))) "yes" else "",
      check.names = FALSE
    )
  )
}

run_calls <- function(name, variables, levels, code) {
  do.call(rbind, lapply(names(calls), function(call) {
    found <- run_call(code, calls[[call]])
    if (found$failed) writeLines(found$out)
    row <- cbind(
      network = name, variables = variables, `most levels` = levels, call = call, found$row
    )
    print(row, row.names = FALSE)
    row
  }))
}

run_network <- function(name) {
  if (name %in% names(dense)) {
    cuts <- dense[[name]]
    return(run_calls(name, 200L, cuts + 1, dense_code(cuts)))
  }
  bif <- file.path(normalizePath(folder), paste0(name, ".bif"))
  truth <- read_bif(bif)
  run_calls(name, length(truth$nodes), max(lengths(truth$levels)), network_code(bif))
}

folder <- commandArgs(TRUE)[1L]
asked <- commandArgs(TRUE)[-1L]
default <- c(default_networks, names(dense))
table <- do.call(rbind, lapply(if (length(asked)) asked else default, run_network))
table$variables <- format(table$variables, big.mark = ",", trim = TRUE)

if (!length(asked)) {
  replace_section("bench/results.md", "Large networks", report_part(table, paste0(
    "Written by `Rscript bench/large_networks.R`, on networks of the bnlearn repository and on 200 ",
    "variables that are all signs of one that is not there, with ", format(rows, big.mark = ","),
    " rows. Elapsed time on two threads; a call is stopped after ", limit,
    " seconds. The peak is that of the whole process, R and the records included. \"Tests said ",
    "beforehand\": the most tests of an order, as a message has it before the order begins; \"left ",
    "out\": an order that `max_tests` did not let begin, or what the bound of work did not let the ",
    "search by score try."
  )))
}
