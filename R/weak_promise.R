# Warnings that follow from public facts alone (rows, levels, epsilon, delta): a promise that
# protects nobody, and noise that leaves nothing to be seen. The same facts warn once per session;
# options(privpc.advice = FALSE) is for studies that go to such extremes on purpose.

warn_once <- function(message, class, facts, envir = rlang::caller_env()) {
  if (!isTRUE(getOption("privpc.advice", TRUE))) return(invisible())
  id <- paste(c(class, facts), collapse = " ")
  # rlang would know too, but only after the text was made, which takes longer than many a fit.
  verbose <- identical(getOption("rlib_warning_verbosity"), "verbose")
  if (!verbose && !is.null(already_warned[[id]])) return(invisible())
  already_warned[[id]] <- TRUE
  cli::cli_warn(message, class = class, .envir = envir, .frequency = "once", .frequency_id = id)
}

already_warned <- new.env(parent = emptyenv())

# exp(10) = 22,026: what is 1 in a million without a record may be 2 in a hundred with it.
weak_epsilon <- 10

warn_weak_epsilon <- function(epsilon) {
  if (epsilon <= weak_epsilon) return(invisible())
  factor <- format(as.double(text_up(exp(min(epsilon, 700)), 2)), big.mark = ",")
  warn_once(c(
    "{.arg epsilon} = {text_up(epsilon, 7)} promises almost nothing.",
    x = "One record may change the probability of a result by a factor of {factor}.",
    i = "1 is a common choice; 0.1 protects more."
  ), "privpc_weak_epsilon", format(epsilon))
}

# `enough`: would a strong dependence, a correlation of one half between two evenly split
# variables, be seen more often than not? The core answers (learners/enough_rows.hpp).
warn_few_rows <- function(enough, n, variables, epsilon, learner) {
  if (enough) return(invisible())
  rows <- if (n == 1) "1 row is" else paste(big(n), "rows are")
  warn_once(c(
    "{rows} very few for {variables} variables at {.arg epsilon} = {text_up(epsilon, 7)}.",
    x = "The noise hides even strong dependence (a correlation of one half): the graph says more about the noise than about the data.",
    i = "More rows, fewer variables or levels, background knowledge or a larger {.arg epsilon} help."
  ), "privpc_few_rows", c(learner, n, variables, format(epsilon)))
}
