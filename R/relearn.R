#' Another graph from the same measurements
#'
#' Learns a graph again from what [marginal_pc()] measured, with other settings or
#' background knowledge. It costs no budget: the new graph is computed from public,
#' noisy tables only.
#'
#' Arguments that are not given keep the value they had in the fit; with the
#' same settings the result is the same graph. Knowledge given here replaces the
#' fit's; `NULL` takes it away. What was measured stays as it was: a pair that the fit's
#' own knowledge decided may not have been measured, and then has no edge unless it is required.
#' It takes as long as the search of the fit did, without the counting; `search = "tests"` is faster
#' with many variables.
#' Choosing the settings by the look of the graph is allowed, and the privacy
#' promise stays the same; but `alpha` then no longer means what it says.
#'
#' @inheritParams marginal_pc
#' @param fit A fit of [marginal_pc()] or [pool_fits()], or a graph with hidden common causes from
#'   one.
#' @param search,alpha,prior,least_effect,max_order See [marginal_pc()]. What was measured was
#'   chosen for the search of the fit; the other one can be tried all the same.
#' @param hidden `TRUE` for a graph in which common causes may be hidden: see [privpc_pag]. By
#'   default as it was.
#' @return A fit like `fit`, with the new graph, separating sets and settings; privacy, ledger
#'   and measurements are unchanged. With `hidden = TRUE` a [graph with hidden common
#'   causes][privpc_pag] that holds this fit.
#' @examples
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#'
#' # Fewer false edges, at the price of missing weak ones
#' relearn(fit, alpha = 0.001)
#'
#' # What is known about time gives more directions
#' relearn(fit, tiers = list(
#'   c("asia", "smoke"), c("tub", "lung", "bronc"), "either", c("xray", "dysp")
#' ))
#'
#' # Some cause may not have been recorded
#' relearn(fit, hidden = TRUE)
#' @export
relearn <- function(fit, search, alpha, prior, least_effect, max_order, whitelist, blacklist, tiers,
                    hidden, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(fit, "fit", call)
  if (missing(hidden)) hidden <- is_pag(fit) else check_flag(hidden)
  fit <- fit_behind(fit, call)
  held <- check_measurements(fit, call)
  old <- fit$settings
  rules <- check_noisy_rules(
    if (missing(search)) search_of(old) else search, if (missing(alpha)) old$alpha else alpha,
    if (missing(prior)) old$prior else prior,
    if (missing(least_effect)) old$least_effect else least_effect,
    if (missing(max_order)) old$max_order else max_order, call
  )
  known <- list(
    whitelist = if (missing(whitelist)) old$whitelist else whitelist,
    blacklist = if (missing(blacklist)) old$blacklist else blacklist,
    tiers = if (missing(tiers)) old$tiers else tiers
  )
  knowledge <- parse_knowledge(
    known$whitelist, known$blacklist, known$tiers, held$nodes, call
  )
  settings <- old
  settings[names(rules)] <- rules
  settings[names(known)] <- known
  # Nothing was changed: the graph need not be found again.
  if (hidden && identical(settings, old) && is.null(fit$consensus)) {
    say_excluded_pairs(fit, call)
    return(with_hidden_causes(fit, call))
  }
  found <- with_mechanism(call, cpp_relearn(
    held$nodes, fit$nodes, lengths(held$levels), ordered_nodes(held), held$n, held$tables, rules,
    knowledge$required, knowledge$forbidden
  ))
  settings$cut_short <- NULL
  out <- new_fit(
    found, learner = fit$learner, privacy = fit$privacy,
    ledger = fit$ledger, settings = c(settings, cut_short_settings(found)), call = fit$call
  )
  out$measurements <- held
  out <- with_sites(out, fit)
  if (!hidden) return(out)
  say_excluded_pairs(out, call)
  with_hidden_causes(out, call)
}

# Fits from before there was a choice were learnt by tests.
search_of <- function(settings) if (is.null(settings$search)) "tests" else settings$search

# How the graph of a fit was found in its tables, as the core takes it.
rules_of <- function(fit, call) {
  settings <- fit$settings
  check_noisy_rules(
    search_of(settings), settings$alpha, settings$prior, settings$least_effect, settings$max_order,
    call
  )
}
