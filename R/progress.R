# A progress bar for searches. The core reports at most every tenth of a second,
# so short searches never show one. cli ends the bar on error and on interrupt.
with_progress <- function(progress, label, run) {
  if (!progress) return(run(NULL))
  bar <- NULL
  order_shown <- -1L
  frame <- environment()
  report <- function(order, done, total) {
    if (order != order_shown) {
      if (!is.null(bar)) cli::cli_progress_done(bar, .envir = frame)
      order_shown <<- order
      bar <<- cli::cli_progress_bar(paste(label, "order", order), total = total, .envir = frame)
    }
    cli::cli_progress_update(set = done, id = bar, .envir = frame)
  }
  run(report)
}
