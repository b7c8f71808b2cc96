# For tools of many parts, which may be run one by one (tools/attacks.R, hostile.R and memory.R).
#
# What a part found is kept in a file, with the day and the build of the package: a report must not
# call old results today's, nor mix what two builds did.

# The code of the installed package.
package_build <- function(folder = system.file(package = "privpc")) {
  files <- file.path(folder, c(paste0("libs/privpc", .Platform$dynlib.ext), "R/privpc.rdb"))
  sums <- unname(tools::md5sum(files))
  if (anyNA(sums)) stop("There is no installed package in ", folder, ".")
  paste(sums, collapse = " ")
}

part_file <- function(folder, part) file.path(folder, paste0(part, ".rds", recycle0 = TRUE))

# Keeps what `run` finds; FALSE if it stops. What the part found before is removed first, so that it
# is not told in the place of a run that failed.
run_and_keep <- function(part, folder, build, run) {
  unlink(part_file(folder, part))
  found <- tryCatch(run(), error = function(e) {
    cat("could not be run: ", part, ": ", conditionMessage(e), "\n", sep = "")
  })
  if (is.null(found)) return(FALSE)
  saveRDS(c(found, list(date = as.character(Sys.Date()), build = build)), part_file(folder, part))
  TRUE
}

kept_parts <- function(folder, parts) {
  parts <- parts[file.exists(part_file(folder, parts))]
  lapply(stats::setNames(part_file(folder, parts), parts), readRDS)
}

is_of_build <- function(results, build) {
  vapply(results, function(found) identical(found$build, build), NA)
}

# "on" one day or "from" one "to" another.
days_of <- function(results) {
  days <- range(vapply(results, `[[`, "", "date"))
  if (days[[1L]] == days[[2L]]) {
    paste("on", days[[1L]])
  } else {
    paste("from", days[[1L]], "to", days[[2L]])
  }
}

named_or_none <- function(names) if (length(names)) toString(names) else "none"

# f of each thing in a process of its own: NULL where it died, an error as try() gives it. (With one
# core or for one thing mclapply() makes no process, and a crash would end this one.)
in_processes <- function(things, f, processes) {
  apart <- function(thing) {
    job <- parallel::mcparallel(f(thing), mc.set.seed = FALSE)
    suppressWarnings(parallel::mccollect(job))[[1L]]
  }
  if (processes < 2L || length(things) < 2L) return(lapply(things, apart))
  suppressWarnings(parallel::mclapply(
    things, f, mc.cores = processes, mc.preschedule = FALSE, mc.set.seed = FALSE
  ))
}

why_lost <- function(result) {
  if (inherits(result, "try-error")) conditionMessage(attr(result, "condition")) else "R died"
}

# f gives a data frame, or NULL. A hundred things together, because a process costs time; those of a
# group that was lost are tried again one by one, to see which of them it was. `crashes` has a line
# for each: what was lost and why.
in_groups <- function(things, f, label, processes, size = 100) {
  groups <- unname(split(things, ceiling(seq_along(things) / size)))
  found <- in_processes(groups, function(group) lapply(group, f), processes)
  died <- !vapply(found, is.list, NA)
  crashes <- character()
  for (at in which(died)) {
    group <- groups[[at]]
    alone <- in_processes(group, function(thing) list(f(thing)), processes)
    lost <- which(!vapply(alone, is.list, NA))
    said <- paste0(vapply(group[lost], label, ""), ": ", vapply(alone[lost], why_lost, ""))
    if (!length(lost)) {
      ends <- vapply(group[c(1L, length(group))], label, "")
      said <- paste0(
        "once, and not when each was tried alone, from ", ends[[1L]], " to ", ends[[2L]], ": ",
        why_lost(found[[at]])
      )
    }
    crashes <- c(crashes, said)
    found[at] <- list(unlist(alone[setdiff(seq_along(group), lost)], recursive = FALSE))
  }
  rows <- unlist(found, recursive = FALSE)
  list(rows = do.call(rbind, c(list(data.frame()), rows)), crashes = crashes)
}
