# Warnings that follow from public facts alone (rows, levels, epsilon, delta): a promise that
# protects nobody, and noise that leaves nothing to be seen. The same facts warn once per session;
# options(privpc.advice = FALSE) is for studies that go to such extremes on purpose.

warn_once <- function(message, class, facts, envir = rlang::caller_env(), say = cli::cli_warn) {
  if (!isTRUE(getOption("privpc.advice", TRUE))) return(invisible())
  id <- paste(c(class, facts), collapse = " ")
  # rlang would know too, but only after the text was made, which takes longer than many a fit.
  verbose <- identical(getOption("rlib_warning_verbosity"), "verbose")
  if (!verbose && !is.null(already_warned[[id]])) return(invisible())
  already_warned[[id]] <- TRUE
  say(message, class = class, .envir = envir, .frequency = "once", .frequency_id = id)
}

already_warned <- new.env(parent = emptyenv())

# exp(10) = 22,026: what is 1 in a million without a record may be 2 in a hundred with it.
weak_epsilon <- 10

warn_weak_epsilon <- function(epsilon) {
  if (epsilon <= weak_epsilon) return(invisible())
  factor <- format(
    as.double(text_up(exp(min(epsilon, 700)), 2)), big.mark = ",", decimal.mark = "."
  )
  warn_once(c(
    "{.arg epsilon} = {text_up(epsilon, 7)} promises almost nothing.",
    x = "One record may change the probability of a result by a factor of {factor}.",
    i = "1 is a common choice; 0.1 protects more."
  ), "privpc_weak_epsilon", format(epsilon))
}

# `enough`: would a strong dependence, a correlation of one half between two evenly split
# variables, be seen more often than not? The core answers (learners/enough_rows.hpp). For searches
# that go from test to test. `unit`: what is counted, a "row" or a "person".
warn_few_rows <- function(enough, n, variables, epsilon, learner, unit = "row") {
  if (enough) return(invisible())
  rows <- rows_are(n, unit)
  warn_once(c(
    "{rows} very few for {variables} variables at {.arg epsilon} = {text_up(epsilon, 7)}.",
    x = paste(
      "The noise hides even strong dependence (a correlation of one half): the graph says more",
      "about the noise than about the data."
    ),
    i = paste(
      "More {unit}s, fewer variables or levels, background knowledge",
      "or a larger {.arg epsilon} help."
    )
  ), "privpc_few_rows", c(learner, n, variables, format(epsilon)))
}

rows_are <- function(n, unit) {
  if (n == 1) paste("1", unit, "is") else paste0(big(n), " ", unit, "s are")
}

# Phi that an edge must have to be found in 80 % of fits by a search by score
# (learners/visible_effects.hpp): beyond the first number weak edges are missed, beyond the second
# hardly any is found. Chosen by bench/few_rows.R: the skeleton's F1 was 0.9 below the first, fell
# to 0.4 up to the second, and was 0.14 and less beyond, with more than half of the graphs empty.
missed_effect <- 0.06
hidden_effect <- 0.45

# `plan`: rows, levels, rho for the graph, alpha and whether neighbours are added or removed
# records, all public. `epsilon_of` turns a rho of the graph into the epsilon of the fit.
# Where the fit `selects` pairs before it measures them, the effect is that of a fit which measures
# all, and too large: on `pigs` (441 variables) it is 0.94, where most edges of 0.5 are found.
warn_weak_effects <- function(plan, epsilon, epsilon_of, unit = "row", selects = FALSE) {
  least <- do.call(cpp_visible_effect, unname(plan))
  n <- plan$n
  variables <- length(plan$levels)
  facts <- c("marginal_pc", n, variables, format(epsilon), signif(least, 3))
  rows <- rows_are(n, unit)
  if (least > hidden_effect) {
    return(warn_once(c(
      paste(
        "{rows} very few for {variables} variables at {.arg epsilon} = {text_up(epsilon, 7)}:",
        if (selects) "only strong edges can be found." else "hardly any edge can be found."
      ),
      x = "{visible_text(least, selects)}",
      i = "{enough_rows_text(plan, epsilon_of, unit)}"
    ), "privpc_few_rows", facts))
  }
  warn_many_levels(plan, epsilon, rows)
  if (least <= missed_effect) return(invisible())
  # Where sampling alone is to blame, no promise of privacy is.
  without_noise <- do.call(cpp_visible_effect, unname(replace(plan, "rho", 1e9)))
  if (least < 1.1 * without_noise) return(invisible())
  warn_once(c(
    i = paste(
      "{rows} not many for {variables} variables at {.arg epsilon} = {text_up(epsilon, 7)}: weak",
      "edges will be missed, and which ones is partly chance; see {.fn edge_strength}."
    ),
    " " = "{visible_text(least, selects)}",
    " " = "{enough_rows_text(plan, epsilon_of, unit)}"
  ), "privpc_missed_edges", facts, say = cli::cli_inform)
}

# The typical pair says nothing about a variable with many more levels than most have: its tables
# have many cells, and the noise is on each. The searches differ in their shares of the budget, by
# less than matters here.
warn_many_levels <- function(plan, epsilon, rows) {
  levels <- sort(unique(plan$levels[plan$levels > stats::median(plan$levels)]))
  if (length(levels) == 0L) return(invisible())
  least <- do.call(cpp_visible_effect_of_levels, c(list(levels), unname(plan)))
  if (all(least <= hidden_effect)) return(invisible())
  fewest <- min(levels[least > hidden_effect])
  hard <- sum(plan$levels >= fewest)
  which <- if (hard == 1L) {
    paste0("the variable with ", fewest, " levels")
  } else {
    paste0("the ", hard, " variables with ", fewest, " levels or more")
  }
  effect <- text_up(least[[match(fewest, levels)]], 2)
  warn_once(c(
    paste(
      "{rows} very few for variables with many levels at {.arg epsilon} = {text_up(epsilon, 7)}:",
      "hardly any edge of {which} can be found."
    ),
    x = paste(
      "It must have an effect (phi, as a correlation) of about",
      "{effect} to be found in 80 % of fits."
    ),
    i = "Merge levels, or take more rows or a larger {.arg epsilon}."
  ), "privpc_many_levels", c(
    "marginal_pc", plan$n, length(plan$levels), format(epsilon), fewest, hard, effect
  ))
}

visible_text <- function(least, selects = FALSE) {
  if (selects) {
    return(paste(
      "How strong an edge must be is not known beforehand where pairs are selected before they are",
      "measured; if all were, its effect (phi, as a correlation) would have to be about",
      paste0(text_up(least, 2), ".")
    ))
  }
  if (least > 1) return("Even two variables that determine each other would mostly not be joined.")
  paste0(
    "To be found in 80 % of fits an edge must have an effect (phi, as a correlation) of about ",
    text_up(least, 2), "."
  )
}

enough_rows_text <- function(plan, epsilon_of, unit) {
  enough <- do.call(cpp_enough_for_effect, unname(c(missed_effect, plan)))
  larger <- if (is.finite(enough[["rho"]])) epsilon_of(enough[["rho"]]) else Inf
  paste0(
    "About ", big(up_to_two_digits(enough[["rows"]])), " ", unit, "s",
    if (larger <= weak_epsilon) paste0(" or `epsilon` = ", text_up(larger, 2)),
    " would show effects of ", missed_effect,
    "; fewer variables or levels and background knowledge help, too."
  )
}

up_to_two_digits <- function(x) {
  unit <- 10^(floor(log10(x)) - 1)
  ceiling(x / unit) * unit
}
