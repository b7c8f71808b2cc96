#' How large must my study be?
#'
#' @description
#' Tells before any record is looked at what a private graph can show: the smallest effect that
#' [marginal_pc()] finds with 80 % power, for numbers of records, variables and levels and for
#' values of epsilon. And the other way round: how many records, or which epsilon, it takes to
#' find an effect of a given size. With a `network`, studies are simulated on it and the graphs
#' scored.
#'
#' Only public facts are used. It costs no budget. Of a data frame given as `levels`, the names and
#' levels of its factors are used and nothing else; `data[0, ]` does as well.
#'
#' @section Effects: `effect` is phi: the root of the squared correlation of two variables, summed
#' over their levels (chi-square over n). Of two variables with two levels it is their correlation.
#' `odds_ratio` is the same effect as the odds ratio of a two-by-two table with the shares
#' `prevalence` of exposure and outcome. With rare outcomes the same odds ratio is a much smaller
#' phi: an odds ratio of 2 is a phi of 0.17 if both shares are one half, and of 0.076 if they are
#' 0.3 and 0.05. Noise hides effects between rare levels more; that is allowed for. If some
#' variables have more levels, effects are those of a pair like most, and two variables with two
#' levels need no larger ones. The odds ratio is `Inf` if one cell of the table is empty, and `NA`
#' if no table with these shares has so large a phi.
#'
#' @section How it is computed: As for the warnings of [marginal_pc()] about few rows: from the
#' noise that the fit would add, the chance of sampling, and the false-discovery rule at its
#' strictest. Effects below the root of `least_effect` (0.014) are taken for none, so with very many
#' records it is this that counts. Taken as given are a pair whose variables depend on nothing else
#' and, but for `prevalence`, levels of equal frequency. Background knowledge, which leaves more
#' budget for the other pairs, is not taken into account, nor that with many variables pairs are
#' selected before they are measured. It is about *edges*: directions need more, which simulations
#' show.
#'
#' **How good it is.** `bench/planning.R` draws records, fits, and counts how often an edge
#' whose effect is the predicted one is found; 80 % would be right. With 2,000 to 200,000 records, 6
#' to 30 variables, an epsilon of 0.1 to 3 and 100 data sets each, pairs that depend on nothing
#' else were found in 70 to 95 % of fits (85 % on average; 76 to 83 % with an outcome of
#' 10 %), those with half the effect in 0 to 18 %, and those with one and a half times the effect
#' always, or nearly so. Of random networks in which every arc has the predicted effect, 61
#' to 93 % of the arcs were found (82 % on average). The prediction is somewhat cautious with two
#' levels and few records, and somewhat hopeful with three levels and a small epsilon (70 % of pairs
#' and 61 % of arcs).
#'
#' @section Simulated studies: With a `network`, `runs` data sets are drawn for each number of
#' records. On each of them two graphs are learnt for each epsilon, with the noise of a private fit.
#' The mean F1 of the skeleton and of the CPDAG say how near the graphs are to the network
#' ([compare_graphs()]). `stability` is the F1 of the skeleton of one fit against the other: how far
#' two fits of the same people would agree. (Two empty graphs agree, so look at both.) Standard
#' errors are those of the mean over data sets. [set.seed()] makes all of it repeatable, for any
#' number of threads.
#'
#' A network that was fitted to the records themselves is no public fact: choosing epsilon by it
#' would tell about them. Take one from the literature, from other data, or a [random_network()].
#'
#' @param n Numbers of records; by default from 1,000 to 1,000,000. Must be given with a `network`.
#' @param levels How many levels the variables have: a vector of numbers, `rep(2, 12)` for twelve
#'   variables with two levels; a list with the levels of each variable (or how many there are); or
#'   a data frame of factors.
#' @param epsilon Values of epsilon, each for a whole fit. By default 0.1 to 10 if `n` is given, and
#'   0.1, 0.3, 1 and 3 if not.
#' @param delta One number for all, or `NULL` for the default of [marginal_pc()]: 1e-6, or
#'   1/(10 n) from 100,000 records on.
#' @param effect An effect (phi) to be found, or `NULL`: which `n` and which `epsilon` does it take?
#' @param odds_ratio The same as an odds ratio, for variables with two levels.
#' @param prevalence For odds ratios, the shares of exposure and outcome: one number for both, or
#' two.
#' @param network The name of a bundled network ([networks()]), a network, or a `"bn.fit"` of
#'   bnlearn; takes the place of `levels`.
#' @param runs Number of simulated data sets for each `n`, if there is a `network`.
#' @param alpha,least_effect,parameters,neighbours As in [marginal_pc()].
#' @param threads How many simulated data sets to work on at the same time, each in a process of its
#'   own (one after the other on Windows). The results are the same.
#' @param progress Show a progress bar.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A plan, of class `"privpc_plan"`; `print()` says it in words, [plot()][plot.privpc_plan]
#'   draws it. `as.data.frame()` gives a row for each `n` and `epsilon` with the columns
#'   * `n`, `epsilon`, `delta`,
#'   * `effect`: the smallest phi with 80 % power; above 1 there is none,
#'   * `odds_ratio`: the same as an odds ratio, `NA` if variables with two levels cannot have it,
#'   * `without_noise`: the smallest phi if nothing were private, by sampling alone,
#'   * `n_needed`, `epsilon_needed`: with `effect` or `odds_ratio`, how many records it takes at
#'     this epsilon, and which epsilon with this many records; `Inf` if no number of records that
#'     can be handled, or no epsilon up to `r weak_epsilon`, is enough,
#'   * `skeleton_f1`, `cpdag_f1`, `stability`, each with its standard error (`skeleton_se`,
#'     `cpdag_se`, `stability_se`): with a `network`.
#' @seealso [plot.privpc_plan()]; [random_network()]; [evaluate_learners()] to compare learners;
#'   `vignette("planning")`.
#' @examples
#' # 8,000 participants and twelve yes/no questions: which epsilon?
#' plan <- plan_study(n = 8000, levels = rep(2, 12))
#' plan
#' plot(plan)
#'
#' # Which epsilon, or how many more participants, would show an odds ratio of 1.5?
#' plan_study(n = 8000, levels = rep(2, 12), epsilon = 0.3, odds_ratio = 1.5)
#'
#' # The same for a rare outcome
#' plan_study(
#'   n = 8000, levels = rep(2, 12), epsilon = 1, odds_ratio = 1.5, prevalence = c(0.3, 0.05)
#' )
#'
#' # The graph as a whole, on simulated studies of a network that may be like the truth
#' truth <- random_network(nodes = 12, degree = 2, effect = 0.2, seed = 1)
#' set.seed(1)
#' plan_study(n = 8000, epsilon = c(0.3, 1), network = truth, runs = 3)
#' @export
plan_study <- function(n = NULL, levels = NULL, epsilon = NULL, delta = NULL, effect = NULL,
                       odds_ratio = NULL, prevalence = 0.5, network = NULL, runs = 10, alpha = 0.05,
                       least_effect = 2e-4, parameters = FALSE, neighbours = "replace-one",
                       threads = 1, progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  truth <- if (!is.null(network)) check_plan_network(network, call)
  levels <- choose_plan_levels(levels, truth, call)
  at <- check_plan_grid(n, epsilon, truth, call)
  check_flag(parameters)
  neighbours <- check_neighbours(neighbours, call)
  if (!is.null(delta)) {
    # A secret number of records cannot be compared with it.
    rows <- if (is_add_remove(neighbours)) 1 else max(at$n)
    delta <- check_learner_delta(delta, rows, call, pure = learner_registry$marginal_pc$pure)
  }
  prevalence <- check_prevalence(prevalence, levels, call)
  target <- check_plan_target(effect, odds_ratio, prevalence, levels, call)
  check_number(runs, min = 2, max = 1e6, whole = TRUE)
  threads <- check_threads(threads, call)
  check_flag(progress)
  design <- plan_design(
    levels, delta, alpha, least_effect, parameters, neighbours, noise_evenness(prevalence), call
  )
  plan <- structure(
    list(
      table = planned_effects(design, at, prevalence, target), levels = levels, design = design,
      prevalence = prevalence, target = target, asked_ratio = odds_ratio, neighbours = neighbours,
      given = c(n = !is.null(n), epsilon = !is.null(epsilon))
    ),
    class = "privpc_plan"
  )
  if (is.null(truth)) return(plan)
  plan$network <- format(truth)
  plan$runs <- runs
  plan$table <- cbind(plan$table, simulate_studies(
    plan, truth, runs, parameters, threads, progress, call
  ))
  marked(plan, mark_of(truth))
}

# One row for each number of records and epsilon.
planned_effects <- function(design, at, prevalence, target) {
  table <- expand.grid(epsilon = at$epsilon, n = at$n)[2:1]
  table$delta <- vapply(table$n, plan_delta, 0, design = design)
  each <- function(f) mapply(f, table$n, table$epsilon)
  table$effect <- each(function(n, epsilon) visible_effect(design, n, epsilon))
  table$odds_ratio <- if (has_odds_ratio(design$levels)) {
    odds_ratio_from_phi(table$effect, prevalence)
  } else {
    NA_real_
  }
  table$without_noise <- each(function(n, epsilon) visible_effect(design, n, Inf))
  if (is.null(target)) return(table)
  records <- vapply(at$epsilon, function(e) records_for_effect(design, target, e), 0)
  table$n_needed <- records[match(table$epsilon, at$epsilon)]
  epsilons <- vapply(at$n, function(n) epsilon_for_effect(design, target, n), 0)
  table$epsilon_needed <- epsilons[match(table$n, at$n)]
  table
}

# ---- checks of the arguments --------------------------------------------------------------------

plan_records <- outer(c(1, 2, 5), 10^(3:5))[seq_len(9L)]
plan_epsilons <- c(0.1, 0.2, 0.5, 1, 2, 5, 10)

check_plan_grid <- function(n, epsilon, truth, call) {
  if (is.null(n) && !is.null(truth)) {
    abort_not_given("n", call, "how many records shall the simulated studies have?")
  }
  if (!is.null(n)) {
    check_numbers(n, min = 2, max = core_limits$max_rows, whole = TRUE, call = call)
  }
  if (!is.null(epsilon)) {
    check_numbers(epsilon, min = 0, max = 1e6, min_open = TRUE, call = call)
    warn_weak_epsilon(max(epsilon))
  }
  if (is.null(epsilon)) epsilon <- if (is.null(n)) c(0.1, 0.3, 1, 3) else plan_epsilons
  if (is.null(n)) n <- c(plan_records, 1e6)
  list(n = sort(unique(as.double(n))), epsilon = sort(unique(as.double(epsilon))))
}

check_plan_network <- function(network, call) {
  if (inherits(network, "bn.fit")) return(network_of_bn_fit(network, call))
  if (inherits(network, "privpc_network")) return(check_network_numbers(network, call, "network"))
  known <- names(network_references)
  if (rlang::is_string(network) && network %in% known) {
    # The argument hides the function.
    return(get("network", envir = topenv(), mode = "function")(network))
  }
  abort(c(
    "{.arg network} must be a network, or the name of a bundled one.",
    x = "It is {describe(network)}.",
    i = paste(
      "The names are {.val {known}}. Networks come from {.fn random_network}, {.fn read_bif} and,",
      "of bnlearn's, {.fn as_network}."
    )
  ), call = call)
}

choose_plan_levels <- function(levels, truth, call) {
  if (is.null(truth)) {
    if (is.null(levels)) {
      why <- "how many variables are there, and how many levels have they?"
      abort_not_given("levels", call, why)
    }
    return(read_plan_levels(levels, call))
  }
  if (!is.null(levels)) {
    abort(c(
      "Give either {.arg levels} or {.arg network}.",
      i = "The variables of {.arg network} have their levels."
    ), call = call)
  }
  check_network_fields(truth, call)
  read_plan_levels(lengths(truth$levels[truth$nodes]), call)
}

has_odds_ratio <- function(levels) sum(levels == 2L) >= 2L

# Always two numbers.
check_prevalence <- function(prevalence, levels, call) {
  check_numbers(
    prevalence, min = 0, max = 1, min_open = TRUE, max_open = TRUE, call = call
  )
  if (length(prevalence) > 2L) {
    abort(c(
      "{.arg prevalence} must be one number, or one for the exposure and one for the outcome.",
      x = "There are {length(prevalence)}."
    ), call = call)
  }
  if (any(prevalence != 0.5) && !has_odds_ratio(levels)) {
    abort_no_odds_ratio("prevalence", call)
  }
  rep_len(as.double(prevalence), 2L)
}

abort_no_odds_ratio <- function(arg, call) {
  abort(c(
    "{.arg {arg}} is about variables with two levels.",
    x = "There are not two of these.",
    i = "Leave {.arg {arg}} out; {.arg effect} goes with variables of all kinds."
  ), call = call)
}

# The phi to be found, NULL if none was asked for.
check_plan_target <- function(effect, odds_ratio, prevalence, levels, call) {
  if (!is.null(effect) && !is.null(odds_ratio)) {
    abort("Give either {.arg effect} or {.arg odds_ratio}.", call = call)
  }
  if (!is.null(effect)) {
    check_number(effect, min = 0, max = 1, min_open = TRUE, call = call)
    most <- largest_phi(prevalence)
    if (any(prevalence != 0.5) && effect > most * (1 + 1e-9)) {
      abort(c(
        "{.arg effect} is larger than {.arg prevalence} permits.",
        x = paste(
          "It is {format(effect)}, and shares of {format(prevalence[[1L]])} and",
          "{format(prevalence[[2L]])} permit at most {text_down(most, 2)}."
        )
      ), call = call)
    }
    return(as.double(effect))
  }
  if (is.null(odds_ratio)) return(NULL)
  if (!has_odds_ratio(levels)) abort_no_odds_ratio("odds_ratio", call)
  check_number(odds_ratio, min = 0, max = 1e6, min_open = TRUE, call = call)
  if (odds_ratio == 1) {
    abort(c(
      "{.arg odds_ratio} must differ from 1.",
      x = "An odds ratio of 1 is no effect."
    ), call = call)
  }
  abs(phi_from_odds_ratio(odds_ratio, prevalence))
}
