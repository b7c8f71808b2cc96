# How things are measured: CPU time (user and system) of this process, repeated until it can be
# trusted; peak memory in a process of its own.

suppressPackageStartupMessages(library(privpc))

cpu_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

# CPU time of one call of each of `runs`, in milliseconds: a row for every round, a column for every
# run. They take turns, so that a machine that is slow for a while is slow for all of them and ratios
# within a round hold. A round of a run takes at least `at_least` seconds; the option shortens them,
# to try things out.
cpu_times <- function(runs, rounds = 5, at_least = 0.3) {
  at_least <- min(at_least, getOption("privpc.bench_seconds", Inf))
  calls <- vapply(runs, calls_for, 0, at_least)
  seconds_of <- function(run, calls) {
    start <- cpu_seconds()
    for (i in seq_len(calls)) run()
    (cpu_seconds() - start) / calls
  }
  if (at_least < 0.1) rounds <- 1
  times <- lapply(seq_len(rounds), function(round) 1000 * mapply(seconds_of, runs, calls))
  matrix(unlist(times), ncol = length(runs), byrow = TRUE, dimnames = list(NULL, names(runs)))
}

# How many calls take that long; warms up on the way.
calls_for <- function(run, at_least) {
  run()
  calls <- 1
  repeat {
    start <- cpu_seconds()
    for (i in seq_len(calls)) run()
    spent <- cpu_seconds() - start
    if (spent >= at_least) return(calls)
    calls <- if (spent <= 0.01) calls * 10 else ceiling(calls * at_least / spent * 1.2)
  }
}

# The median of one alone.
cpu_time <- function(run, ...) stats::median(cpu_times(list(run), ...))

# How many times as long as `ours` each of the others takes: the median over the rounds.
times_as_long <- function(times, ours = "ours") apply(times / times[, ours], 2, stats::median)

# How much more memory (MB) a fresh R process needs at its peak while it runs `extra` than it had
# after `code`. Linux only; NA elsewhere.
peak_memory <- function(code, extra) {
  if (!file.exists("/proc/self/clear_refs")) return(NA_real_)
  status <- function(field) {
    sprintf(
      "as.numeric(gsub('[^0-9]', '', grep('^%s', readLines('/proc/self/status'), value = TRUE)))",
      field
    )
  }
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(c(
    "suppressPackageStartupMessages(library(privpc))", code, "invisible(gc())",
    # 5 sets the peak back to what is resident now.
    "writeLines('5', '/proc/self/clear_refs')",
    paste("before <-", status("VmRSS")), extra,
    paste("cat(", status("VmHWM"), "- before)")
  ), file)
  out <- system2(file.path(R.home("bin"), "Rscript"), shQuote(file), stdout = TRUE)
  as.numeric(utils::tail(out, 1)) / 1024
}

machine <- function() {
  processor <- if (file.exists("/proc/cpuinfo")) {
    sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[[1]])
  } else {
    Sys.info()[["machine"]]
  }
  paste0(
    processor, ", ", parallel::detectCores(), " cores, R ", getRversion(), ", ",
    privpc:::cpp_kernel_name(), " kernels"
  )
}

# Numbers for people: two significant digits, no exponents.
short <- function(x) {
  vapply(x, function(v) {
    if (is.na(v)) "" else format(signif(v, 2), scientific = FALSE, big.mark = ",", trim = TRUE)
  }, "")
}

markdown_table <- function(data) {
  cells <- lapply(data, function(x) if (is.numeric(x)) short(x) else as.character(x))
  lines <- do.call(paste, c(cells, sep = " | "))
  c(
    paste0("| ", paste(names(data), collapse = " | "), " |"),
    paste0("|", strrep("---|", length(data))),
    paste0("| ", lines, " |")
  )
}

report_part <- function(table, note) c(note, "", markdown_table(table))

headings_of <- function(file) {
  if (!file.exists(file)) return(character())
  sub("^## ", "", grep("^## ", readLines(file), value = TRUE))
}

# The lines of a report below one of its headings, up to the next heading.
section_lines <- function(file, heading) {
  if (!file.exists(file)) return(character())
  lines <- readLines(file)
  headings <- c(grep("^## ", lines), length(lines) + 1)
  at <- match(paste("##", heading), lines)
  if (is.na(at)) return(character())
  lines <- lines[seq(at + 1, length.out = headings[headings > at][[1]] - at - 1)]
  filled <- which(nzchar(lines))
  if (length(filled)) lines[min(filled):max(filled)] else character()
}

# Puts one section anew into a report that stays as it is otherwise.
replace_section <- function(file, heading, part) {
  lines <- readLines(file)
  headings <- c(grep("^## ", lines), length(lines) + 1)
  at <- match(paste("##", heading), lines)
  # A new one comes last.
  if (is.na(at)) at <- length(lines) + 1
  above <- lines[seq_len(at - 1)]
  below <- lines[seq_along(lines) >= c(headings[headings > at], at)[[1]]]
  writeLines(c(
    above, if (nzchar(utils::tail(above, 1))) "", paste("##", heading), "", part,
    if (length(below)) "", below
  ), file)
  cat("Written: ", file, "\n", sep = "")
}

# A section that could not be measured this time: what stood there, with a line that says so.
kept_section <- function(file, heading, why) {
  mark <- "*Not measured in this run*"
  before <- section_lines(file, heading)
  before <- before[!startsWith(before, mark)]
  while (length(before) && !nzchar(before[[1]])) before <- before[-1]
  if (length(before)) c(paste0(mark, " (", why, "): the last table that was."), "", before)
}

# `tables`: named list, heading to data frame. `notes`: what stands above a table, by heading.
# `kept`: sections that go in as they are, by heading.
write_report <- function(tables, notes, kept = list(), file = "bench/results.md") {
  peers <- c("bnlearn", "pcalg")
  versions <- vapply(peers, function(p) {
    if (requireNamespace(p, quietly = TRUE)) paste(p, utils::packageVersion(p)) else NA_character_
  }, "")
  before <- machine_of_report(file)
  changes <- compare_tables(read_tables(file), tables, same_machine = identical(before, machine()))
  part <- function(heading) report_part(tables[[heading]], notes[[heading]])
  parts <- unlist(lapply(names(tables), function(heading) {
    c("", paste("##", heading), "", part(heading))
  }))
  kept_parts <- unlist(lapply(names(kept), function(heading) {
    c("", paste("##", heading), "", kept[[heading]])
  }))
  writeLines(c(
    "# Benchmarks",
    "",
    "Written by `make bench`; all figures come from one run, unless a section says otherwise.",
    "",
    paste0("Machine: ", machine(), ". ", paste(stats::na.omit(versions), collapse = ", "), "."),
    paste0("Date: ", Sys.Date(), ". privpc ", utils::packageVersion("privpc"), "."),
    parts,
    kept_parts
  ), file)
  cat("Written: ", file, "\n", sep = "")
  cat(changes_text(changes, before), sep = "\n")
}

# For whoever runs the benchmarks, who decides what it means: figures of a noisy machine change by
# chance, so it does not stand in the report.
changes_text <- function(changes, before) {
  if (before == "") return("There was no table before this one.")
  scope <- if (identical(before, machine())) {
    "The table before this one is of the same kind of machine: all figures are compared."
  } else {
    "The table before this one is of another machine: only ratios and scores are compared."
  }
  c(
    paste(scope, "Shown is what changed by more than 30 %."), "",
    if (NROW(changes)) markdown_table(changes) else "Nothing changed by more than that."
  )
}
