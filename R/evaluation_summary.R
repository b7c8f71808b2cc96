# Evaluations as text: print() and the tables of summary().

#' Tables of an evaluation
#'
#' Mean and standard deviation of the scores over the runs, and the time of a fit, for every
#' network, learner, epsilon and number of rows.
#'
#' @param object,x An evaluation, see [evaluate_learners()], or its summary.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return `summary()`: an object of class `"summary.privpc_evaluation"`, a list of two data frames:
#'   * `scores`: one row per `network`, `n`, `learner` and `epsilon`, with the number of
#'     `runs` and the mean and standard deviation (`_sd`) of `skeleton_f1`, `cpdag_f1` and `shd`,
#'     and the means of `tests` and `spent`,
#'   * `times`: one row per `network`, `n` and `learner`, with the number of `fits` and the median
#'     of `seconds` over all runs and values of epsilon. The median, because a fit takes so little
#'     time that whatever else the machine does shows in the mean.
#'
#'   Fits that failed are left out. `print()` returns its argument invisibly.
#' @export
#' @examples
#' found <- evaluate_learners(
#'   c("earthquake", "cancer"), c("em_pc", "exact_pc"), epsilon = c(0.1, 1), n = 10000, runs = 3
#' )
#' tables <- summary(found)
#' tables
#'
#' # The numbers behind the print
#' at_one <- tables$scores[tables$scores$epsilon == 1, ]
#' at_one[c("network", "learner", "skeleton_f1", "skeleton_f1_sd")]
#' tables$times
summary.privpc_evaluation <- function(object, ...) {
  check_dots_empty(...)
  check_evaluation(object, "object")
  cells <- as.data.frame(object)[is.na(object$problem), ]
  class(cells) <- "data.frame"
  structure(
    list(scores = summarise_scores(cells), times = summarise_times(cells)),
    class = "summary.privpc_evaluation"
  )
}

# The rows of `cells` in groups that agree in the columns `by`, in the order of first appearance.
# `describe_group` makes a one-row data frame of a group.
group_rows <- function(cells, by, describe_group) {
  key <- do.call(paste, c(lapply(cells[by], format, digits = 15), sep = "\n"))
  groups <- split(seq_len(nrow(cells)), factor(key, levels = unique(key)))
  rows <- lapply(unname(groups), function(at) {
    cbind(cells[at[[1L]], by], describe_group(cells[at, ]))
  })
  out <- do.call(rbind, rows)
  row.names(out) <- NULL
  out
}

summarise_scores <- function(cells) {
  group_rows(cells, c("network", "n", "learner", "epsilon"), function(group) {
    spread <- function(x) if (length(x) > 1L) stats::sd(x) else NA_real_
    data.frame(
      delta = group$delta[[1L]], runs = nrow(group),
      skeleton_f1 = mean(group$skeleton_f1), skeleton_f1_sd = spread(group$skeleton_f1),
      cpdag_f1 = mean(group$cpdag_f1), cpdag_f1_sd = spread(group$cpdag_f1),
      shd = mean(group$shd), shd_sd = spread(group$shd),
      tests = mean(group$tests), spent = mean(group$spent)
    )
  })
}

summarise_times <- function(cells) {
  group_rows(cells, c("network", "n", "learner"), function(group) {
    data.frame(fits = nrow(group), seconds = stats::median(group$seconds))
  })
}

#' @rdname summary.privpc_evaluation
#' @param score Which score to show.
#' @export
print.summary.privpc_evaluation <- function(x, ..., score = c("skeleton_f1", "cpdag_f1", "shd")) {
  check_dots_empty(...)
  score <- check_score(score, rlang::current_env())
  check_result(x, evaluation_summary_kinds, rlang::current_env())
  if (is.null(x$scores)) {
    cli::cat_line("No fit succeeded.")
    return(invisible(x))
  }
  name <- c(skeleton_f1 = "F1 of the skeleton", cpdag_f1 = "F1 of the CPDAG", shd = "SHD")
  for (n in unique(x$scores$n)) {
    at <- x$scores[x$scores$n == n, ]
    rows <- paste0(" (", big(n), " rows)")
    cli::cat_line(cli::style_bold(paste0(name[[score]], rows)))
    cli::cat_line("Mean over the runs, standard deviation in brackets, by total epsilon.")
    table <- score_table(at, score)
    print_table(table)
    say_left_out(at, table)
    cli::cat_line("\n", cli::style_bold(paste0("Seconds per fit", rows)))
    print_table(time_table(x$times[x$times$n == n, ]))
    cli::cat_line()
  }
  invisible(x)
}

print_table <- function(table) {
  print(table, row.names = FALSE, right = FALSE)
}

# As many columns of epsilon as the console is wide, spread evenly over those that there are;
# without privacy apart.
score_table <- function(scores, score, width = cli::console_width()) {
  finite <- sort(unique(scores$epsilon[is.finite(scores$epsilon)]))
  apart <- any(is.infinite(scores$epsilon))
  names <- max(nchar(c("network", scores$network))) + max(nchar(c("learner", scores$learner))) + 2
  most <- max(1, floor((width - names) / 12) - apart)
  if (length(finite) > most) finite <- finite[round(seq(1, length(finite), length.out = most))]
  rows <- unique(scores[c("network", "learner")])
  for (epsilon in c(finite, if (apart) Inf)) {
    at <- scores[scores$epsilon == epsilon, ]
    at <- at[match(paste(rows$network, rows$learner), paste(at$network, at$learner)), ]
    label <- if (is.finite(epsilon)) text_up(epsilon, 3) else "not private"
    rows[[label]] <- mean_and_sd(at[[score]], at[[paste0(score, "_sd")]])
  }
  # The name of a network stands once.
  rows$network[duplicated(rows$network)] <- ""
  rows
}

say_left_out <- function(scores, table) {
  all <- length(unique(scores$epsilon[is.finite(scores$epsilon)]))
  shown <- length(setdiff(names(table), c("network", "learner", "not private")))
  if (shown == all) return(invisible())
  cli::cat_line(
    shown, " of ", all, " values of epsilon; all are in `$scores`, and more fit a wider console ",
    "(`options(width = )`).", col = "grey"
  )
}

mean_and_sd <- function(mean, sd) {
  spread <- ifelse(is.na(sd), "", sprintf(" (%.2f)", sd))
  ifelse(is.na(mean), "", paste0(sprintf("%.2f", mean), spread))
}

# As the paper's table: a row per network, a column per learner.
time_table <- function(times) {
  networks <- unique(times$network)
  out <- data.frame(network = networks)
  for (learner in unique(times$learner)) {
    at <- times[times$learner == learner, ]
    seconds <- at$seconds[match(networks, at$network)]
    out[[learner]] <- ifelse(is.na(seconds), "", format_seconds(seconds))
  }
  out
}

format_seconds <- function(x) {
  vapply(x, function(seconds) {
    format(signif(seconds, 2), scientific = FALSE, drop0trailing = TRUE, trim = TRUE)
  }, "")
}

#' @rdname evaluate_learners
#' @param x An evaluation.
#' @export
print.privpc_evaluation <- function(x, ...) {
  check_dots_empty(...)
  if (!all(names(evaluation_columns) %in% names(x))) {
    check_printable(x, rlang::current_env())
    return(NextMethod())
  }
  check_frame(x, evaluation_kinds, list(), rlang::current_env())
  values <- function(column, noun) {
    known <- unique(x[[column]])
    if (length(known) > 8L) return(counted(length(known), noun))
    paste0(noun, if (length(known) != 1L) "s", ": ", paste(known, collapse = ", "))
  }
  cli::cat_line(
    cli::style_bold("<privpc_evaluation>"), " ", counted(nrow(x), "fit"),
    if (anyNA(x$skeleton_f1)) paste0(", of which ", sum(is.na(x$skeleton_f1)), " failed")
  )
  if (nrow(x) == 0L) return(invisible(x))
  cli::cat_line(values("network", "Network"))
  cli::cat_line(values("learner", "Learner"))
  epsilon <- x$epsilon[is.finite(x$epsilon)]
  if (length(epsilon)) {
    ends <- text_up(range(epsilon), 3)
    cli::cat_line("Epsilon: ", paste(unique(ends), collapse = " to "))
  }
  cli::cat_line("Rows: ", paste(big(unique(x$n)), collapse = ", "))
  shown <- c("network", "learner", "epsilon", "n", "run", "skeleton_f1", "cpdag_f1", "shd")
  first <- utils::head(x, 6L)[shown]
  class(first) <- "data.frame"
  first$n <- big(first$n)
  print(first, row.names = FALSE, digits = 3)
  if (nrow(x) > 6L) {
    cli::cat_line("and ", nrow(x) - 6L, " more rows; see `summary()` and `plot()`", col = "grey")
  }
  invisible(x)
}

check_evaluation <- function(x, arg, call = rlang::caller_env()) {
  missing <- setdiff(names(evaluation_columns), names(x))
  if (length(missing) == 0L) return(check_frame(x, evaluation_kinds, list(), call, arg))
  abort(c(
    "{.arg {arg}} must be an evaluation with all its columns.",
    x = "There is no column {.field {missing}}.",
    i = "Evaluations come from {.fn evaluate_learners}."
  ), call = call)
}

check_score <- function(score, call) {
  check_choice(score, c("skeleton_f1", "cpdag_f1", "shd"), call = call)
}
