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
# variables, be seen more often than not?
warn_few_rows <- function(enough, n, variables, epsilon, learner) {
  if (enough) return(invisible())
  rows <- if (n == 1) "1 row is" else paste(big(n), "rows are")
  warn_once(c(
    "{rows} very few for {variables} variables at {.arg epsilon} = {text_up(epsilon, 7)}.",
    x = "The noise hides even strong dependence (a correlation of one half): the graph says more about the noise than about the data.",
    i = "More rows, fewer variables or levels, background knowledge or a larger {.arg epsilon} help."
  ), "privpc_few_rows", c(learner, n, variables, format(epsilon)))
}

# For marginal_pc(), whose first stage decides what is looked at further. The orthonormal contrast
# of two variables with two levels is n/4 for such a dependence; by chance alone it has the
# variance n/4, and to that comes the noise of the first stage: half of the budget on all pairs
# and single variables, with the sensitivity of worst_pattern_of_all_pairs() in
# statistic/batch.hpp. The dependence has to pass the false-discovery rule at its strictest, in
# the smallest of the tables.
enough_to_measure <- function(n, levels, rho, alpha) {
  levels <- sort(levels[levels > 1L])
  if (length(levels) < 2L) return(TRUE)
  pairs <- choose(length(levels), 2)
  gains <- sort(1.5 + sum(1 - 1 / levels) - 1 + 1 / levels, decreasing = TRUE)
  sensitivity <- 2 * max(cumsum(gains - seq_along(gains) + 1))
  variance <- n / 4 + sensitivity / (2 * 0.5 * rho)
  df <- prod(levels[1:2] - 1)
  df + (n / 4)^2 / variance >= stats::qchisq(alpha / pairs, df, lower.tail = FALSE)
}

# For the learners that decide by a margin. At a correlation of one half Kendall's and Spearman's
# statistics, divided by their sensitivity, are n/8 from 0 (two levels) or n/12 (more); what
# chance explains, `critical` standard deviations, is taken off. For tests by votes the best there
# can be is that every block votes against independence. What is left must exceed the noise of a
# round, because a pair is taken for independent as soon as its noisy margin is above minus one
# noise scale.
enough_for_margins <- function(n, levels, critical, noise, blocks) {
  if (blocks > 0) return(0.45 * blocks - critical * sqrt(blocks) / 2 > noise)
  two <- all(levels == 2L)
  distance <- if (two) n / 8 else n / 12
  chance <- critical * sqrt(n) / if (two) 4 else 6
  distance - chance > noise
}
