# Mutation tests: small changes that would break the promise, each with the test that must notice
# it. Usage:
#   Rscript tools/mutants.R             all of them (`make mutants`); writes inst/mutants.md
#   Rscript tools/mutants.R ID ...      only these; writes nothing
#   Rscript tools/mutants.R quick FILE  the quick ones (`make test`); leaves their counts in FILE
#
# The sources hold no trace of this. A copy of them is written to build/mutants with every mutant
# behind a switch (tools/mutants/rewriting.R), built once, and run with each switch in turn. With no
# switch on, every test must pass: so the copy is the package, and tests fail because of the mutant.

for (file in c("rewriting", "running", "report")) source(paste0("tools/mutants/", file, ".R"))

asked <- commandArgs(trailingOnly = TRUE)
quick <- identical(asked[1L], "quick")
processes <- max(1L, as.integer(Sys.getenv("JOBS", "2")))
time_limit <- 300

catalogue <- read_catalogue()
all_ids <- names(catalogue)
tree <- "build/mutants/tree"
objects <- "build/mutants/cpp"
for (folder in c(objects, "build/mutants/logs")) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
}

# Every entry has to fit the sources and the tests, also where only some of them are run.
check_tests(catalogue)
invisible(write_tree(catalogue, tree))
chosen <- if (quick) {
  Filter(function(entry) entry$quick, catalogue)
} else if (length(asked)) {
  unknown <- setdiff(asked, all_ids)
  if (length(unknown)) stop("Not in the catalogue: ", paste(unknown, collapse = ", "), ".")
  catalogue[asked]
} else {
  catalogue
}
if (length(chosen) == 0L) stop("There is no mutant to run.")
is_cpp <- function(entry) entry$killed_by$kind == "cpp"

call_make <- function(...) {
  # A make of its own: it must not look for the jobs of the one that called us.
  own <- c("MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
  status <- system2(Sys.getenv("MAKE", "make"), c("--no-print-directory", ...), env = own)
  if (status != 0L) stop("The mutants could not be built.", call. = FALSE)
}

# One program with the test files that are needed.
build_cpp <- function(entries) {
  if (length(entries) == 0L) return(NULL)
  files <- unique(vapply(entries, function(entry) entry$killed_by$file, ""))
  needed <- file.path(objects, sub("[.]cpp$", ".o", basename(sort(files, method = "radix"))))
  call_make(paste0("-j", processes), needed)
  program <- file.path(objects, if (quick) "quick-tests" else "tests")
  compiler <- strsplit(Sys.getenv("CXX", "c++"), " ")[[1L]]
  linked <- c("-pthread", needed, "build/cpp/main.o", "-o", program)
  status <- system2(compiler[[1L]], c(compiler[-1L], linked))
  if (status != 0L) stop("The mutants could not be linked.", call. = FALSE)
  program
}

# The package with the switches, in a library of its own.
build_package <- function() {
  library <- "build/mutants/lib"
  dir.create(library, showWarnings = FALSE)
  files <- list.files(tree, recursive = TRUE)
  files <- files[!grepl("[.](o|so)$|^tests/|^inst/[a-z]+[.]md$", files)]
  sums <- paste(tools::md5sum(file.path(tree, files)), files)
  stamp <- "build/mutants/installed"
  known <- if (file.exists(stamp)) readLines(stamp) else ""
  if (!identical(sums, known)) {
    unlink(stamp)
    # Objects know nothing of the headers they were made from.
    headers <- function(lines) grep(" (inst/include/|src/.*[.]h$)", lines, value = TRUE)
    if (!identical(headers(sums), headers(known))) unlink(Sys.glob(file.path(tree, "src/*.o")))
    changed <- grep(" src/.*[.]cpp$", setdiff(sums, known), value = TRUE)
    unlink(file.path(tree, sub("^[^ ]+ (.*)[.]cpp$", "\\1.o", changed)))
    message("Building the package with all mutants")
    log <- "build/mutants/install.log"
    options <- c("--no-docs", "--no-test-load", "--no-lock", paste0("--library=", library))
    # The compile jobs that R starts are a make of their own.
    status <- system2(
      file.path(R.home("bin"), "R"), c("CMD", "INSTALL", options, tree), stdout = log, stderr = log,
      env = c("MFLAGS=", "MAKELEVEL=", paste0("MAKEFLAGS=-j", processes))
    )
    if (status != 0L) {
      writeLines(readLines(log))
      stop("The package with the mutants could not be built.", call. = FALSE)
    }
    writeLines(sums, stamp)
  }
  paste(c(normalizePath(library), Sys.getenv("R_LIBS")), collapse = .Platform$path.sep)
}

start <- Sys.time()
program <- build_cpp(Filter(is_cpp, chosen))
if (quick) {
  # Mutants in R code are put into the loaded package; nothing is built for them.
  patch_namespace(Filter(Negate(is_cpp), chosen))
  run_r <- run_in_this_package
} else {
  library_path <- if (!all(vapply(chosen, is_cpp, NA))) build_package()
  run_r <- function(test, number, log) run_r_test(library_path, test, number, time_limit, log)
}
# What the tests said is kept, so that one can read why a mutant was killed.
run_one <- function(test, number, id) {
  log <- file.path("build/mutants/logs", paste0(id, ".txt"))
  if (test$kind == "r") return(run_r(test, number, log))
  run_cpp_test(program, test, number, time_limit, log)
}
built <- Sys.time()

tests <- unique(lapply(chosen, function(entry) entry$killed_by))
message("Running ", length(tests), " tests without a mutant")
sound <- in_parallel(seq_along(tests), function(i) {
  run_one(tests[[i]], 0L, paste0("without-", i))
}, processes)
unsound <- which(sound != "survived")
for (i in unsound) {
  reason <- sub("killed", "failed", sound[[i]])
  message("  fails without a mutant: ", test_label(tests[[i]]), ": ", reason)
}

message("Running ", length(chosen), " mutants")
verdicts <- in_parallel(chosen, function(entry) {
  run_one(entry$killed_by, entry$number, entry$id)
}, processes)
# A test that fails anyway notices nothing.
unproven <- vapply(chosen, function(entry) list(entry$killed_by) %in% tests[unsound], NA)
verdicts[unproven & verdicts == "killed"] <- "its test fails without a mutant, too"
for (i in which(verdicts != "killed")) {
  message("  not killed: ", chosen[[i]]$id, " (", chosen[[i]]$breaks, "): ", verdicts[[i]])
}
end <- Sys.time()
message(
  sum(verdicts == "killed"), " of ", length(chosen), " mutants killed; building took ",
  format(built - start, digits = 3), ", running ", format(end - built, digits = 3)
)

good <- length(unsound) == 0L && all(verdicts == "killed")
if (quick) {
  # Each test that passes without a mutant counts, and each mutant.
  passed <- sum(verdicts == "killed") + length(tests) - length(unsound)
  failed <- sum(verdicts != "killed") + length(unsound)
  writeLines(paste(passed, failed, 0), asked[[2L]])
} else if (length(asked) == 0L) {
  writeLines(report_lines(catalogue, verdicts, sound), "inst/mutants.md")
  message("Written: inst/mutants.md")
}
quit(status = if (good) 0L else 1L)
