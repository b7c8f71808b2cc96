# A progress bar for searches: shown once a second has passed, whatever order the search is at by
# then. (cli would wait for two seconds with every bar, and so with every order.) The core reports
# at most every tenth of a second. cli ends the bar on error and on interrupt.
with_progress <- function(progress, label, run) {
  if (!progress) return(run(NULL))
  bar <- NULL
  order_shown <- -1L
  frame <- environment()
  started <- Sys.time()
  report <- function(order, done, total) {
    if (order != order_shown) {
      if (!is.null(bar)) cli::cli_progress_done(bar, .envir = frame)
      order_shown <<- order
      bar <<- timely_bar(paste(label, "order", order), total, started, frame)
    }
    cli::cli_progress_update(set = done, id = bar, .envir = frame)
  }
  run(report)
}

# A bar that is shown from one second after `started` on, or later if the user's option says so.
timely_bar <- function(label, total, started, frame) {
  wait <- getOption("cli.progress_show_after", 1)
  passed <- as.double(Sys.time() - started, units = "secs")
  rlang::local_options(cli.progress_show_after = max(0, wait - passed))
  cli::cli_progress_bar(label, total = total, .envir = frame)
}

# A part at a time, to show progress and to save memory.
draw_parts <- function(draws, most = 10) diff(unique(c(seq(0, draws, by = most), draws)))

# Counts draws.
draw_reporter <- function(progress, draws, what, frame = rlang::caller_env()) {
  if (!progress) return(function(new = 1) NULL)
  bar <- timely_bar(what, draws, Sys.time(), frame)
  function(new = 1) cli::cli_progress_update(inc = new, id = bar, .envir = frame)
}

# The error that R makes where a limit of setTimeLimit() is reached. It is about the call as a
# whole, and passes all that explains errors of its parts.
is_time_limit <- function(e) {
  grepl("reached (session )?(elapsed|CPU) time limit", conditionMessage(e))
}
