# Random inputs to the C++ core: `make fuzz`. Writes inst/fuzz.md.
# Usage: Rscript tools/fuzz.R SECONDS TARGET ...
#
# Every target is a program of its own (tests/fuzz/TARGET.cpp with libFuzzer, under ASan and UBSan).
# It starts from the inputs that are kept in tests/fuzz/corpus; what it finds on the way stays in
# build/fuzz/work, so that the next run goes on from there, and what it finds wrong in
# build/fuzz/found. A target that could not be built, did not come to its end or tried no input has
# failed, and then no report is written.
#
# Runs of a minute or more add a row for each target to tests/fuzz/runs.csv, and the report sums
# them up: an hour for each target may be made of many runs.

arguments <- commandArgs(trailingOnly = TRUE)
seconds <- as.numeric(arguments[[1L]])
targets <- arguments[-1L]
runs_file <- "tests/fuzz/runs.csv"
# A short look is no statement.
is_recorded <- seconds >= 60
processes <- max(1L, as.integer(Sys.getenv("JOBS", "1")))
compiler <- strsplit(Sys.getenv("FUZZ_CXX", "clang++"), " ")[[1L]]

fail <- function(...) {
  cat(..., "\n", sep = "")
  quit(status = 1L)
}

# Compiles a program of one line, so that a clang without its runtime is told at once.
has_fuzzer <- function() {
  if (!nzchar(Sys.which(compiler[[1L]]))) return(FALSE)
  source <- tempfile(fileext = ".cpp")
  writeLines(
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }",
    source
  )
  options <- c(compiler[-1L], "-fsanitize=fuzzer,address,undefined", source, "-o", tempfile())
  system2(compiler[[1L]], options, stdout = FALSE, stderr = FALSE) == 0L
}

if (!length(targets)) fail("There is no target to run.")
if (!has_fuzzer()) {
  fail(
    "make fuzz needs clang with libFuzzer (Debian: clang and libclang-rt-dev of its version). ",
    "Another name of the compiler: make fuzz FUZZ_CXX=clang++-14."
  )
}

log_of <- function(target) file.path("build/fuzz/logs", paste0(target, ".txt"))
for (folder in c("logs", "found")) {
  dir.create(file.path("build/fuzz", folder), recursive = TRUE, showWarnings = FALSE)
}

make <- function(targets) {
  # A make of its own: it must not look for the jobs of the one that called us.
  own <- c("MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
  options <- c("--no-print-directory", "--keep-going", paste0("-j", processes))
  files <- file.path("build/fuzz", targets)
  system2(Sys.getenv("MAKE", "make"), c(options, files), env = own) == 0L
}

# Which targets are built. A program that is there may be an older one, which make could not renew:
# if anything failed, make is asked for each alone.
build <- function(targets) {
  if (make(targets)) rep(TRUE, length(targets)) else vapply(targets, make, NA)
}

run <- function(target) {
  # What an earlier run said is not the result of this one.
  unlink(log_of(target))
  work <- file.path("build/fuzz/work", target)
  dir.create(work, recursive = TRUE, showWarnings = FALSE)
  options <- c(
    paste0("-max_total_time=", seconds), "-timeout=60", "-rss_limit_mb=4096", "-max_len=2000",
    "-len_control=10", "-print_final_stats=1",
    paste0("-artifact_prefix=build/fuzz/found/", target, "-"), work,
    file.path("tests/fuzz/corpus", target)
  )
  system2(file.path("build/fuzz", target), options, stdout = log_of(target), stderr = log_of(target))
}

# What a log says at its end.
number_after <- function(lines, pattern) {
  found <- grep(pattern, lines, value = TRUE)
  if (!length(found)) return(NA_real_)
  as.numeric(sub(paste0(".*", pattern, " *([0-9]+).*"), "\\1", found[[length(found)]]))
}

# `seconds`: of the processor, since others may have used it, too. libFuzzer sums up every finding;
# what ended in another way was stopped, or never began.
read_log <- function(target, status, time) {
  lines <- readLines(log_of(target), warn = FALSE)
  inputs <- number_after(lines, "stat::number_of_executed_units:")
  found <- any(grepl("SUMMARY: ", lines, fixed = TRUE, useBytes = TRUE))
  list(ended = found || (status == 0L && isTRUE(inputs > 0)), row = data.frame(
    date = as.character(Sys.Date()), target = target,
    seconds = round(sum(time[c("user.child", "sys.child")])), inputs = inputs,
    edges = number_after(lines, "cov:"), kept = number_after(lines, "corp:"),
    findings = as.integer(found)
  ))
}

record <- function(row) {
  utils::write.table(
    row, runs_file, sep = ",", quote = FALSE, row.names = FALSE,
    col.names = !file.exists(runs_file), append = file.exists(runs_file)
  )
}

start <- Sys.time()
built <- build(targets)
cat(
  "Running", sum(built), "targets for", seconds, "seconds each,", processes, "at a time\n"
)
rows <- parallel::mclapply(targets[built], function(target) {
  time <- system.time(status <- run(target))
  seen <- read_log(target, status, time)
  if (!seen$ended) return(NULL)
  if (is_recorded) record(seen$row)
  found <- if (seen$row$findings) "SOMETHING" else "nothing"
  cat(sprintf("%-15s %12.0f inputs, found %s\n", target, seen$row$inputs, found))
  seen$row
}, mc.cores = processes, mc.preschedule = FALSE)
# A process that died leaves no row either.
rows <- do.call(rbind, Filter(is.data.frame, rows))
lost <- setdiff(targets[built], rows$target)

show_log <- function(target) {
  if (!file.exists(log_of(target))) return()
  cat("\n", target, ": the end of ", log_of(target), "\n", sep = "")
  writeLines(utils::tail(readLines(log_of(target), warn = FALSE), 15))
}
for (target in targets[!built]) cat("could not be built:", target, "\n")
for (target in lost) cat("tried no input or did not come to its end:", target, "\n")
for (target in c(lost, rows$target[rows$findings > 0L])) show_log(target)

big <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)

# All runs of each target. Of what was found only the last run tells whether it is mended.
summed_up <- function(runs) {
  do.call(rbind, lapply(split(runs, factor(runs$target, unique(sort(runs$target)))), function(all) {
    last <- all[nrow(all), ]
    data.frame(
      target = last$target, runs = nrow(all), seconds = sum(all$seconds),
      inputs = sum(all$inputs, na.rm = TRUE), edges = max(all$edges, na.rm = TRUE),
      kept = max(all$kept, na.rm = TRUE), mended = sum(all$findings) - last$findings,
      open = last$findings
    )
  }))
}

write_report <- function(runs) {
  sums <- summed_up(runs)
  dates <- range(runs$date)
  counts <- c(
    "targets of the fuzzer" = nrow(sums),
    "seconds of the processor for each of them, at least" = min(sums$seconds),
    "hours of the processor in all" = round(sum(sums$seconds) / 3600, 1),
    "inputs tried" = sum(sums$inputs),
    "findings on the way, mended" = sum(sums$mended),
    "crashes and wrong answers that are left" = sum(sums$open)
  )
  writeLines(c(
    "# Fuzzing of the core",
    "",
    paste0(
      "Written by `make fuzz`, the sum of ", nrow(runs), " runs",
      if (dates[[1L]] < dates[[2L]]) " from " else " on ", dates[[1L]],
      if (dates[[1L]] < dates[[2L]]) paste(" to", dates[[2L]]), " (tests/fuzz/runs.csv), between ",
      "which the code was changed. Each started from the inputs that are kept in tests/fuzz/corpus, ",
      "under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer. A target checks more ",
      "than that nothing crashes: what was written is read back, sums and tables agree with those ",
      "of a slow computation, and errors are the library's own. A run ends with its first finding; ",
      "what was found is mended and among the kept inputs, which run with `make test`. An edge is a ",
      "step from one block of compiled code to another."
    ),
    "",
    "| what | count |", "|---|---|", sprintf("| %s | %s |", names(counts), vapply(counts, big, "")),
    "",
    "| target | runs | seconds | inputs | edges reached | inputs kept | found and mended | left |",
    "|---|---|---|---|---|---|---|---|",
    with(sums, sprintf(
      "| %s | %d | %s | %s | %s | %s | %d | %d |", target, runs, big(seconds), big(inputs), big(edges),
      big(kept), mended, open
    ))
  ), "inst/fuzz.md")
  cat("Written: inst/fuzz.md after", format(Sys.time() - start, digits = 3), "\n")
}

not_run <- sum(!built) + length(lost)
if (not_run) {
  cat("No report is written, because not all targets were run.\n")
} else if (is_recorded) {
  write_report(utils::read.csv(runs_file))
}
failed <- not_run + sum(rows$findings)
cat(length(targets) - failed, " passed, ", failed, " failed\n", sep = "")
quit(status = if (failed == 0L) 0L else 1L)
