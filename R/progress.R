# Progress bars. A bar is a courtesy: nothing that goes wrong in drawing it may end the work, for
# which a budget may have paid. After an error of its own there is no bar any more. Interrupts and
# limits on the time are not its own.

# The bar of one piece of work, shown once a second has passed, or later if the user's option says
# so. (cli would wait for two, again with every bar.) `set()` tells how much is done of how much,
# `add()` how much more is done; whoever made the bar calls `end()` when leaving.
new_bar <- function(progress, label, total = NA_real_) {
  started <- Sys.time()
  so_far <- 0
  gone <- !progress
  id <- NULL
  kind <- NULL
  lines <- character()
  frame <- environment()
  draw <- function(done, total, label) {
    wait <- getOption("cli.progress_show_after", 1)
    if (as.double(Sys.time() - started, units = "secs") < wait) return()
    # Of one part or none no share is known before its end.
    known <- is.finite(total) && total > 1
    now <- paste(label, known)
    if (!identical(now, kind)) {
      end()
      id <<- open_bar(label, if (known) total else NA, frame)
      kind <<- now
    }
    total <- if (known) total else NA
    # cli cannot draw more than all of it.
    done <- if (known && is.finite(done)) min(max(done, 0), total) else 0
    rewrites <- cli::is_dynamic_tty()
    # Where a line cannot be written over, there is one for each tenth.
    if (!rewrites) {
      line <- paste(now, floor(10 * done / total))
      if (line %in% lines) return()
      lines <<- c(lines, line)
    }
    cli::cli_progress_update(set = done, total = total, id = id, force = !rewrites, .envir = frame)
  }
  end <- function() {
    ended <- id
    id <<- kind <<- NULL
    if (!is.null(ended)) without_harm(cli::cli_progress_done(ended, .envir = frame))
  }
  set <- function(done, total, label) {
    if (!gone) gone <<- !without_harm(draw(done, total, label))
  }
  add <- function(new = 1) {
    so_far <<- so_far + new
    set(so_far, total, label)
    if (isTRUE(so_far >= total)) end()
  }
  list(set = set, add = add, end = end)
}

open_bar <- function(label, total, frame) {
  rlang::local_options(cli.progress_show_after = 0)
  cli::cli_progress_bar(
    label, total = total, format = if (is.na(total)) "{cli::pb_spin} {cli::pb_name}",
    current = FALSE, auto_terminate = FALSE, .auto_close = FALSE, .envir = frame
  )
}

# Whether it could be drawn. Warnings would be errors for users who want them to be.
without_harm <- function(draw) {
  tryCatch({
    suppressWarnings(draw)
    TRUE
  }, error = function(e) {
    if (is_time_limit(e)) stop(e)
    FALSE
  })
}

# For searches: `run` takes the function that the core tells how far it is, at most every tenth of
# a second.
with_progress <- function(progress, label, run) {
  if (!progress) return(run(NULL))
  bar <- new_bar(progress, label)
  on.exit(bar$end())
  run(function(order, done, total) {
    bar$set(done, total, if (isTRUE(total > 1)) paste(label, "order", order) else label)
  })
}

# A part at a time, to show progress and to save memory.
draw_parts <- function(draws, most = 10) diff(unique(c(seq(0, draws, by = most), draws)))

# The error that R makes where a limit of setTimeLimit() is reached. It is about the call as a
# whole, and passes all that explains errors of its parts. It has no class, but it speaks the
# user's language.
is_time_limit <- function(e) {
  limits <- c(
    "reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
    "reached session CPU time limit"
  )
  said <- c(limits, gettext(limits, domain = "R"))
  any(vapply(said, function(text) grepl(text, conditionMessage(e), fixed = TRUE), NA))
}
