# Running the tests that have to notice mutants.

# A run is killed if an expectation failed, or the program ended before its time. It survived if the
# test passed. Anything else (no such test, a skipped one, a package that cannot be loaded, no end
# within the time limit, an end by somebody else) decides nothing and is told as it is.

# The lines of an R test file without the tests of other names. What stands outside tests is kept.
only_test <- function(file, name) {
  parsed <- parse(file, keep.source = TRUE)
  wanted <- vapply(parsed, function(line) {
    !(is.call(line) && identical(line[[1L]], quote(test_that)) && !identical(line[[2L]], name))
  }, NA)
  is_test <- vapply(parsed, function(line) {
    is.call(line) && identical(line[[1L]], quote(test_that))
  }, NA)
  if (sum(wanted & is_test) != 1L) {
    stop("There is no single test \"", name, "\" in ", file, ".", call. = FALSE)
  }
  unlist(lapply(attr(parsed, "srcref")[wanted], as.character))
}

# Every test that the entries name has to be there; all that are not are told at once.
check_tests <- function(entries) {
  lost <- vapply(entries, function(entry) {
    test <- entry$killed_by
    if (!file.exists(test$file)) return(TRUE)
    if (test$kind == "r") {
      return(inherits(try(only_test(test$file, test$name), silent = TRUE), "try-error"))
    }
    # A long name may be written on two lines.
    text <- gsub("\"\n *\"", "", read_text(test$file))
    length(places(text, paste0("TEST_CASE(\"", test$name, "\""))) != 1L
  }, NA)
  if (!any(lost)) return(invisible())
  stop(
    "These tests are not there:\n",
    paste0("  ", vapply(entries[lost], function(entry) {
      paste0(entry$killed_by$file, ", \"", entry$killed_by$name, "\" (", entry$id, ")")
    }, ""), collapse = "\n"),
    call. = FALSE
  )
}

# Tests run in a folder of their own with what they may need, so that two of them do not get into
# each other's snapshots.
test_folder <- function(test) {
  folder <- tempfile("mutant")
  dir.create(file.path(folder, "testthat", "_snaps"), recursive = TRUE)
  near <- list.files("tests/testthat", "^(helper|setup)", full.names = TRUE)
  file.copy(near, file.path(folder, "testthat"))
  snapshot <- sub("^test-(.*)[.]R$", "\\1.md", basename(test$file))
  snapshot <- file.path("tests/testthat/_snaps", snapshot)
  if (file.exists(snapshot)) file.copy(snapshot, file.path(folder, "testthat", "_snaps"))
  writeLines(only_test(test$file, test$name), file.path(folder, "testthat", basename(test$file)))
  folder
}

# In this process, which has the package loaded. Gives "passed failed skipped".
run_r_test_here <- function(test) {
  folder <- test_folder(test)
  on.exit(unlink(folder, recursive = TRUE))
  results <- as.data.frame(testthat::test_file(
    file.path(folder, "testthat", basename(test$file)), package = "privpc",
    load_package = "installed", reporter = "silent", stop_on_failure = FALSE
  ))
  for (outcome in unlist(results$result, recursive = FALSE)) {
    if (inherits(outcome, c("expectation_failure", "expectation_error"))) {
      writeLines(conditionMessage(outcome))
    }
  }
  c(sum(results$passed), sum(results$failed) + sum(results$error), sum(results$skipped))
}

# Ends by a signal that no fault of a program raises: whoever stopped the run, or a machine without
# memory, has sent it.
stopped_from_outside <- 128L + c(tools::SIGHUP, tools::SIGINT, tools::SIGKILL, tools::SIGTERM)

verdict <- function(counts, status) {
  if (identical(status, 124L)) return("no end within the time limit")
  if (status %in% stopped_from_outside) return("it was stopped from outside")
  if (is.null(counts)) return("killed")
  if (counts[[2L]] > 0) return("killed")
  if (counts[[1L]] == 0) return("nothing was tested")
  if (status != 0L) return("killed")
  if (counts[[3L]] > 0) "the test was skipped" else "survived"
}

read_counts <- function(file) {
  if (!file.exists(file) || file.size(file) == 0) return(NULL)
  scan(file, quiet = TRUE)
}

# A program with the switch set to `number`. What it says goes to `log`.
run_program <- function(command, args, number, limit, log, library = NULL) {
  counts <- tempfile("counts")
  on.exit(unlink(counts))
  environment <- c(
    paste0("PRIVPC_MUTANT=", number), paste0("PRIVPC_TEST_COUNTS=", shQuote(counts)),
    "NOT_CRAN=true", if (!is.null(library)) paste0("R_LIBS=", shQuote(library))
  )
  status <- suppressWarnings(system2(
    command, args, stdout = log, stderr = log, env = environment, timeout = limit
  ))
  list(counts = read_counts(counts), status = as.integer(status))
}

run_cpp_test <- function(program, test, number, limit, log) {
  # Quoted, because a comma separates names for Catch.
  ran <- run_program(program, shQuote(paste0("\"", test$name, "\"")), number, limit, log)
  verdict(ran$counts, ran$status)
}

# In a process of its own, against the package with the switches. Before the test begins it leaves
# the counts "0 0 0": without them the package could not even be loaded.
run_r_test <- function(library, test, number, limit, log) {
  started <- tempfile("started")
  on.exit(unlink(started))
  code <- paste0(
    "for (file in c('rewriting', 'running')) source(paste0('tools/mutants/', file, '.R'));",
    "suppressMessages({library(testthat); library(privpc)});",
    "invisible(file.create(", deparse(started), "));",
    "counts <- run_r_test_here(", paste(deparse(test), collapse = ""), ");",
    "writeLines(paste(counts, collapse = ' '), Sys.getenv('PRIVPC_TEST_COUNTS'))"
  )
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script), add = TRUE)
  writeLines(code, script)
  rscript <- file.path(R.home("bin"), "Rscript")
  ran <- run_program(rscript, shQuote(script), number, limit, log, library)
  if (!file.exists(started)) return("the package could not be loaded")
  verdict(ran$counts, ran$status)
}

# `run` for every element, a few at a time; the order of the answers is that of the elements.
in_parallel <- function(items, run, processes) {
  answers <- parallel::mclapply(items, function(item) {
    tryCatch(run(item), error = function(e) conditionMessage(e))
  }, mc.cores = processes, mc.preschedule = FALSE)
  vapply(answers, function(answer) {
    if (is.character(answer) && length(answer) == 1L) answer else "the run came to no end"
  }, "")
}

# The functions that the entries change, with their switches, into the loaded package.
patch_namespace <- function(entries) {
  if (length(entries) == 0L) return(invisible())
  suppressMessages({
    library(testthat)
    library(privpc)
  })
  package <- asNamespace("privpc")
  # A locked namespace takes no new names; the functions find the switch by their own environment.
  holder <- new.env(parent = package)
  eval(parse(text = switch_in_r), holder)
  for (file in unique(vapply(entries, function(entry) entry$file, ""))) {
    here <- Filter(function(entry) entry$file == file, entries)
    original <- parse(text = read_text(file), keep.source = FALSE)
    changed <- parse(text = rewrite(read_text(file), here), keep.source = FALSE)
    for (i in which(!mapply(identical, as.list(original), as.list(changed)))) {
      name <- as.character(changed[[i]][[2L]])
      unlockBinding(name, package)
      assign(name, eval(changed[[i]][[3L]], holder), envir = package)
    }
  }
}

# For in_parallel(), which runs each item in a fork of this process: budgets are made in there.
run_in_this_package <- function(test, number, log) {
  Sys.setenv(PRIVPC_MUTANT = number, NOT_CRAN = "true")
  on.exit(Sys.setenv(PRIVPC_MUTANT = 0))
  said <- utils::capture.output(counts <- run_r_test_here(test))
  writeLines(said, log)
  verdict(counts, 0L)
}
