# Random inputs to the C++ core: `make fuzz`. Writes inst/fuzz.md.
# Usage: Rscript tools/fuzz.R SECONDS TARGET ...
#
# Every target is a program of its own (tests/fuzz/TARGET.cpp with libFuzzer, under ASan and UBSan).
# It starts from the inputs that are kept in tests/fuzz/corpus; what it finds on the way stays in
# build/fuzz/work, so that the next run goes on from there, and what it finds wrong in
# build/fuzz/found. A target that could not be built or did not come to its end has failed.

arguments <- commandArgs(trailingOnly = TRUE)
seconds <- as.numeric(arguments[[1L]])
targets <- arguments[-1L]
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

build <- function(targets) {
  # A make of its own: it must not look for the jobs of the one that called us.
  own <- c("MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
  options <- c("--no-print-directory", "--keep-going", paste0("-j", processes))
  system2(Sys.getenv("MAKE", "make"), c(options, file.path("build/fuzz", targets)), env = own)
}

run <- function(target) {
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

read_log <- function(target, status) {
  lines <- readLines(log_of(target), warn = FALSE)
  data.frame(
    target = target, inputs = number_after(lines, "stat::number_of_executed_units:"),
    edges = number_after(lines, "cov:"), kept = number_after(lines, "corp:"),
    found = if (status == 0L) "nothing" else "SOMETHING"
  )
}

start <- Sys.time()
build(targets)
built <- file.exists(file.path("build/fuzz", targets))
cat(
  "Running", sum(built), "targets for", seconds, "seconds each,", processes, "at a time\n"
)
rows <- parallel::mclapply(targets[built], function(target) {
  status <- run(target)
  row <- read_log(target, status)
  cat(sprintf("%-15s %12.0f inputs, found %s\n", target, row$inputs, row$found))
  row
}, mc.cores = processes, mc.preschedule = FALSE)
rows <- do.call(rbind, rows)

for (target in targets[!built]) cat("could not be built:", target, "\n")
for (target in rows$target[rows$found != "nothing"]) {
  cat("\n", target, ": the end of ", log_of(target), "\n", sep = "")
  writeLines(utils::tail(readLines(log_of(target), warn = FALSE), 15))
}

shown <- rows
shown$inputs <- format(shown$inputs, big.mark = ",", scientific = FALSE, trim = TRUE)
table_lines <- c(
  "| target | inputs | edges reached | inputs kept | found |", "|---|---|---|---|---|",
  sprintf("| %s | %s | %d | %d | %s |", shown$target, shown$inputs, as.integer(shown$edges),
          as.integer(shown$kept), shown$found)
)
cat("\n")
writeLines(table_lines)

failed <- sum(!built) + sum(rows$found != "nothing")
# A short look is no statement.
if (failed == 0L && seconds >= 60) {
  writeLines(c(
    "# Fuzzing of the core",
    "",
    paste0(
      "Written by `make fuzz` on ", Sys.Date(), ": each target ran for ",
      format(seconds, big.mark = ","), " seconds, started from the inputs that are kept in ",
      "tests/fuzz/corpus, under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer. ",
      "A target checks more than that nothing crashes: what was written is read back, sums and ",
      "tables agree with those of a slow computation, and errors are the library's own. What was ",
      "found before is mended and among the kept inputs, which run with `make test`. An edge is a ",
      "step from one block of compiled code to another."
    ),
    "",
    "| what | count |", "|---|---|",
    sprintf("| %s | %s |", c(
      "targets of the fuzzer", "seconds for each of them", "inputs tried", "crashes and wrong answers"
    ), format(c(nrow(rows), seconds, sum(rows$inputs), failed), big.mark = ",", scientific = FALSE,
              trim = TRUE)),
    "",
    table_lines
  ), "inst/fuzz.md")
  cat("Written: inst/fuzz.md after", format(Sys.time() - start, digits = 3), "\n")
}
cat(length(targets) - failed, " passed, ", failed, " failed\n", sep = "")
quit(status = if (failed == 0L) 0L else 1L)
