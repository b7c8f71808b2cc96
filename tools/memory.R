# Does the code between R and the core treat R's memory as it must? `make memory`; writes
# inst/memory.md. Usage: Rscript tools/memory.R [parts ...]; parts are collector, valgrind (all of
# them if none is named).
#
# Every exported function is called, with what else it takes to reach every adapter of the core
# (tests/testthat/helper-adapters.R), twice:
#   collector  with R's garbage collector at every chance it has inside an adapter: an object that
#              is not protected is gone, and the result is another one, or R dies. Adapters that give
#              the same twice have to give it once more then.
#   valgrind   under memcheck: reads and writes out of bounds, values that nobody set, memory that
#              nobody can free any more.
# What came of a part is kept in build/memory, and the report is written of what is there of this
# build of the package. A part that could not be run, or compared nothing, has failed.

library(privpc)
arguments <- commandArgs(trailingOnly = TRUE)
parts <- c("collector", "valgrind")
asked <- if (length(arguments)) arguments else parts
stopifnot(asked %in% c(parts, "only-calls"))
options(privpc.advice = FALSE, cli.num_colors = 1L)
processes <- max(1L, as.integer(Sys.getenv("JOBS", "1")))
folder <- "build/memory"
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

world <- new.env(parent = asNamespace("privpc"))
helpers <- c(
  "graph", "audit", "audit_learners", "broken", "hostile", "hostile_fits", "bad_calls", "adapters",
  "tool_parts"
)
for (name in helpers) {
  sys.source(file.path("tests/testthat", paste0("helper-", name, ".R")), envir = world)
}
calls <- c(world$good_calls, world$adapter_calls)
# Has no good call: rows are drawn from a network.
calls$simulate.privpc <- NULL

prepared <- function() {
  made <- world$bad_call_world()
  parent.env(made) <- world
  made
}

control <- local({
  built <- NULL
  function(name) {
    if (is.null(built)) {
      file.copy("tools/memory/controls.c", folder, overwrite = TRUE)
      source <- file.path(folder, "controls.c")
      built <<- file.path(folder, paste0("controls", .Platform$dynlib.ext))
      log <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", source, "-o", built),
                     stdout = TRUE, stderr = TRUE)
      if (!file.exists(built)) stop(paste(log, collapse = "\n"))
    }
    loaded <- dyn.load(built)
    .Call(getNativeSymbolInfo(name, loaded))
  }
})

# What valgrind runs: all calls, and the control, of which it must tell.
if (identical(asked, "only-calls")) {
  failed <- world$make_adapter_calls(calls, prepared())
  writeLines(failed, file.path(folder, "failed.txt"))
  control("past_the_end")
  quit(status = 0L)
}

# ---- the garbage collector -----------------------------------------------------------------------

# Calls that change what they are given, or a file, are made once.
is_repeatable <- function(name, adapter) {
  changes <- c("budget", "ledger", "pointer", "path", "stream")
  !any(changes %in% names(formals(adapter))) && !grepl("new_ledger|heed_interrupts", name)
}

# Counts: of calls with the collector running, of those compared, and of differences.
tortured <- function(seen) {
  function(name, adapter) {
    force(name)
    repeatable <- is_repeatable(name, adapter)
    add <- function(what) seen[[name]] <- replace(seen[[name]], what, seen[[name]][[what]] + 1)
    function(...) {
      # What the arguments are is computed before.
      given <- list(...)
      if (is.null(seen[[name]])) seen[[name]] <- c(calls = 0, compared = 0, different = 0)
      # Of functions that are called very often the first calls are enough.
      if (seen[[name]][["calls"]] >= 20) return(do.call(adapter, given, quote = TRUE))
      same <- FALSE
      if (repeatable) {
        first <- do.call(adapter, given, quote = TRUE)
        same <- identical(first, do.call(adapter, given, quote = TRUE))
      }
      add("calls")
      on.exit(gctorture(FALSE))
      gctorture(TRUE)
      out <- adapter(...)
      gctorture(FALSE)
      if (same) {
        add("compared")
        if (!identical(out, first)) add("different")
      }
      out
    }
  }
}

torture_one <- function(name, made) {
  seen <- new.env()
  failed <- world$with_wrapped_adapters(tortured(seen), {
    world$make_adapter_calls(calls[name], world$with_own_budget(made))
  })
  counts <- do.call(rbind, lapply(ls(seen), function(adapter) {
    data.frame(call = name, adapter = adapter, t(seen[[adapter]]))
  }))
  list(counts = counts, failed = failed)
}

control_of_collector <- function() {
  sound <- identical(control("unprotected"), seq_len(1000) - 1L)
  # It may die of it.
  same <- world$in_processes("unprotected", function(name) {
    gctorture(TRUE)
    out <- control(name)
    gctorture(FALSE)
    identical(out, seq_len(1000) - 1L)
  }, 1L)[[1L]]
  sound && !isTRUE(same)
}

try_collector <- function() {
  made <- prepared()
  found <- world$in_processes(names(calls), function(name) {
    out <- torture_one(name, made)
    cat(sprintf("%-28s %5.0f calls\n", name, sum(out$counts$calls)))
    out
  }, processes)
  died <- !vapply(found, is.list, NA)
  counts <- do.call(rbind, lapply(found[!died], `[[`, "counts"))
  failed <- unlist(lapply(found[!died], `[[`, "failed"))
  if (is.null(counts)) stop("no call came to its end")
  different <- counts[counts$different > 0, , drop = FALSE]
  missed <- setdiff(world$adapter_names(), c(counts$adapter, world$not_called_here))
  list(
    counts = c(
      "adapters of the core" = length(world$adapter_names()),
      "of them called with the collector at every chance (one ends its process, and is not called)" =
        length(unique(counts$adapter)),
      "calls of them" = sum(counts$calls),
      "of them compared with the same call without" = sum(counts$compared),
      "different results" = sum(counts$different),
      "crashes of R with the collector at every chance" = sum(died),
      "errors that only the collector made" = length(failed)
    ),
    caught = control_of_collector(),
    wrong = c(
      if (any(died)) paste("died:", toString(names(calls)[died])),
      if (nrow(different)) paste("different:", paste(different$call, different$adapter)),
      if (!sum(counts$compared)) "no result was compared",
      if (length(failed)) failed, if (length(missed)) paste("not called:", toString(missed))
    )
  )
}

# ---- valgrind ------------------------------------------------------------------------------------

# The reports in a log of valgrind, one text each.
reports_in <- function(lines) {
  lines <- sub("^==[0-9]+== ?", "", grep("^==[0-9]+==", lines, value = TRUE))
  groups <- split(lines, cumsum(!nzchar(lines)))
  texts <- vapply(groups, paste, "", collapse = "\n")
  texts[grepl("\n +(at|by) 0x", texts)]
}

try_valgrind <- function() {
  if (!nzchar(Sys.which("valgrind"))) stop("valgrind was not found")
  log <- normalizePath(file.path(folder, "valgrind.txt"), mustWork = FALSE)
  unlink(c(log, file.path(folder, "failed.txt")))
  options <- paste0(
    "valgrind --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite ",
    "--num-callers=40 --error-limit=no --trace-children=no --log-file=", log
  )
  control("past_the_end")
  status <- system2(
    file.path(R.home("bin"), "R"),
    c("-d", shQuote(options), "--no-save", "--no-restore", "--no-echo", "-f", "tools/memory.R", "--args",
      "only-calls"),
    stdout = file.path(folder, "valgrind-out.txt"), stderr = file.path(folder, "valgrind-out.txt")
  )
  reports <- reports_in(readLines(log, warn = FALSE))
  # R and others have theirs, which come without this package, too.
  ours <- grepl("privpc[.]so", reports)
  lost <- grepl("definitely lost", reports)
  failed <- if (file.exists(file.path(folder, "failed.txt"))) {
    readLines(file.path(folder, "failed.txt"))
  } else {
    "R did not come to its end under valgrind"
  }
  list(
    counts = c(
      "calls of exported functions and adapters under valgrind" = length(calls),
      "errors of memory with this package among the callers" = sum(ours & !lost),
      "blocks lost with this package among the callers" = sum(ours & lost),
      "crashes of R under valgrind" = as.integer(status != 0L)
    ),
    caught = any(grepl("past_the_end", reports) & !lost),
    wrong = c(reports[ours], failed)
  )
}

# ---- the report ----------------------------------------------------------------------------------

build <- world$package_build()
could_run <- vapply(asked, function(part) {
  world$run_and_keep(part, folder, build, get(paste0("try_", part)))
}, NA)
results <- world$kept_parts(folder, parts)
results <- results[world$is_of_build(results, build)]
if (!length(results)) {
  cat("No part was run: no report is written.\n")
  quit(status = 1L)
}
counts <- unlist(lapply(unname(results), `[[`, "counts"))
caught <- vapply(results, `[[`, NA, "caught")
counts <- c(counts, "controls" = length(caught), "controls caught" = sum(caught))
left <- world$named_or_none(setdiff(parts, names(results)))
writeLines(c(
  "# Memory of R",
  "",
  paste0(
    "Written by `make memory`, run ", world$days_of(results), " with one build of the package and ",
    R.version.string, ". Every exported function is called, with what else it takes to reach every ",
    "adapter between R and the core: once while R's garbage collector runs at every chance it has ",
    "inside of an adapter, once under valgrind. (The one adapter that is not called ends its ",
    "process.) Controls are an object that is not protected and a look past the end of an array."
  ),
  "",
  "| what | count |", "|---|---|",
  sprintf("| parts of the looks at memory that have not run | %s |", left),
  sprintf("| %s | %s |", names(counts), format(counts, big.mark = ",", trim = TRUE))
), "inst/memory.md")
cat("Written: inst/memory.md\n")
wrong <- unlist(lapply(results, `[[`, "wrong"))
if (!all(caught)) wrong <- c(wrong, paste("a control was not caught:", names(caught)[!caught]))
if (!all(could_run)) wrong <- c(wrong, paste("could not be run:", toString(asked[!could_run])))
writeLines(as.character(wrong))
quit(status = if (length(wrong)) 1L else 0L)
