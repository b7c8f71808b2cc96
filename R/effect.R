#' The effect of an exposure on an outcome
#'
#' Reads off the learnt graph which variables to adjust for, and estimates from the noisy tables of
#' a [marginal_pc()] fit how the risk of the outcome would change if the exposure were set to
#' another level: risk difference, risk ratio and odds ratio, with intervals that include the
#' privacy noise. It costs no budget.
#'
#' @section Identification:
#' The effect is identified if every path along which the exposure may cause the outcome begins with
#' an arrow out of the exposure (the graph is *amenable*, Perkovic et al. 2018). The adjustment set
#' is the smallest that satisfies the adjustment criterion (a back-door criterion for equivalence
#' classes); of those the one with the fewest variables from tiers after the exposure's, then the
#' one of which most was measured, then the first by name. If three variables do not suffice it is
#' the set of the exposure's parents.
#'
#' Otherwise the exposure's own causes are not known. Then each set of causes that some member of
#' the class gives it is adjusted for in turn (the local version of IDA, Maathuis et al. 2009): the
#' attribute `possible` lists the estimates, the interval reaches over those of all of them, and
#' `estimate` is `NA` unless they agree. Background knowledge often settles it:
#' `relearn(fit, tiers = ...)`.
#'
#' If the graph has no path along which the exposure may act, the effect is none in the graph: a
#' difference of 0, ratios of 1. The interval is what the tables leave room for, were the edge there
#' all the same. It refuses if the graph says that the outcome causes the exposure.
#'
#' @section When the graph is uncertain:
#' `graph = "uncertain"` includes the graph in the answer. Graphs are drawn as by
#' [edge_strength()] of the kind `"sampling"`: what other people from the same population, measured
#' with fresh noise, might have given. In each the direct causes of the exposure are adjusted for,
#' which suffices whatever else the graph has wrong; where directions are open, one of the possible
#' sets, by chance. The estimate is the mean over the graphs, the interval that of all their
#' bootstrap draws together, and the attribute `no_path` the share of graphs that have no path along
#' which the exposure may act. A graph without a path is often one that missed a weak edge, so that
#' there, too, the tables decide how large the effect may be, and the estimate includes it. A graph
#' in which the outcome causes the exposure says that there is none, and counts as no effect.
#'
#' @section Hidden common causes:
#' A [graph with hidden common causes][privpc_pag] says for which
#' effects nothing hidden can matter: those where every path along which the exposure may act begins
#' with a *visible* arrow, and some set of recorded variables blocks all other paths (the
#' generalized adjustment criterion, Perkovic et al. 2018). These are estimated; all others are
#' refused, with the edge that is in the way. In a graph that was learnt an arrow counts as visible
#' only if the evidence for it is clear, and no set is adjusted for that might open a path whose
#' triples the tables leave undecided.
#'
#' For any estimate the **E-value** (VanderWeele and Ding 2017) says how strong a hidden cause would
#' have to be to explain it away: the risk ratio that it would need with both the exposure and the
#' outcome, beyond what was adjusted for. For a risk ratio RR above 1 it is RR + sqrt(RR (RR - 1));
#' one below 1 is inverted first. The second E-value is that of the limit of the interval that is
#' nearer to no effect: what would move it to 1; it is 1 if the interval includes no effect. Where a
#' risk cannot be told from 0 there is an E-value of the limit only. E-values are meant for rare
#' events:
#' of a common one (the last level of the outcome may well be `"no"`) the risk ratio is near 1
#' however
#' strong the effect is. Printing says so where a risk is above one half; then ask about the other
#' level, with `event`, and choose what to compare with, with `reference`. The attribute `e_value`
#' is a data frame of `exposure`, `estimate` and `limit`.
#'
#' @section Estimation:
#' Standardisation: the risk at each level of the exposure, given the adjustment set, averaged over
#' the distribution of the adjustment set. The table of all variables involved comes from
#' the fit; see [as_network()] for how noise and interactions that were not measured are dealt with.
#'
#' The intervals come from a parametric bootstrap: records are drawn anew from the estimated
#' table, noise of the known size is added to all measured contrasts, and the whole estimation is
#' repeated; the interval reaches over the quantiles and over their reflections at the estimate, so
#' that the truth is in it near the limits 0 and 1, too. How often they hold was tried on random
#' networks; `vignette("privpc")` has the table. An interaction that was not measured (a
#' message names it) is none in the estimate, but not in the interval: each draw has one of random
#' size, such that the logarithm of the ratio of the odds ratios in two strata has the standard
#' deviation `interaction`. If that dominates the interval, learn with `parameters = TRUE`, so that
#' each outcome is measured with its direct causes.
#'
#' With `graph = "given"` **that the graph may be wrong is not in the interval**, and confounders
#' that were not recorded are in neither. The same noisy tables chose the graph and give the
#' estimate. An edge that was barely found is in the graph because noise and sampling made it look
#' strong, so that its **effect is estimated too far from zero**, and its interval may miss the
#' truth (the winner's curse). Look at [edge_strength()]: with a strength near 1 the choice hardly
#' matters; well below, ask with `graph = "uncertain"`, whose answer does not depend on what was
#' found. Effects whose edges background knowledge requires are not chosen by the tables. For a
#' [consensus()] printing tells the weakest edge between exposure and outcome. A number is adjusted
#' for through its bins, and what differs within a bin still confounds: cut confounders finer than
#' other variables.
#'
#' @param fit A fit of [marginal_pc()], or a [graph with hidden common causes][privpc_pag].
#' @param exposure,outcome Names of two variables.
#' @param event The level of the outcome whose risk is computed; the last one by default, but for
#'   the level of missing values.
#' @param reference The level of the exposure with which the others are compared; the first
#'   by default.
#' @param adjust Names of the variables to adjust for, `character()` for none, or `NULL` to have
#'   them chosen. A set with which the graph does not identify the effect is refused.
#' @param graph `"given"`: the fit's own graph is taken as right. `"uncertain"`: it is one of many
#'   that might have been learnt, and the interval includes which; see below.
#' @param interaction How strong interactions may be that were not measured: 1 means that odds
#'   ratios in different strata differ by a factor of up to e (2.7) in two of three cases;
#'   0 takes them as none.
#' @param level Coverage of the intervals.
#' @param draws Number of bootstrap draws. They come from R's generator.
#' @param graphs Number of graphs that are drawn where the graph is uncertain.
#' @param threads Number of threads for drawing graphs.
#' @param progress Show a progress bar when it takes more than a moment.
#' @param ... Must be empty.
#' @return A data frame of class `"privpc_effect"` with, for each level of the exposure but the
#'   reference, three rows: `exposure` (the level), `measure` (`"risk difference"`, `"risk ratio"`
#'   or `"odds ratio"`), `estimate`, `lower` and `upper`. Attributes: `adjusted` (the adjustment
#'   set; `NULL` where there are several), `risks` (a data frame with the risk at every level and
#'   its interval), `event`, `reference`, `level`; `possible` (where directions are open: a data
#'   frame with the estimates for each set that may have to be adjusted for), `no_path` (where the
#'   graph is uncertain) and `e_value` (of the risk ratios). From a fit that is not private it
#'   carries a mark, see [fits][privpc-class]. Where the risk at the reference level cannot be told
#'   from 0, the ratios are `NA` with the upper limit `Inf`, and so are odds ratios where the risk
#'   at the other level cannot be told from 1; a message says so.
#' @references
#' Maathuis, M. H., Kalisch, M. and Buehlmann, P. (2009). Estimating high-dimensional intervention
#' effects from observational data. *Annals of Statistics* 37, 3133-3164.
#'
#' Perkovic, E., Textor, J., Kalisch, M. and Maathuis, M. H. (2018). Complete graphical
#' characterization and construction of adjustment sets in Markov equivalence classes of
#' ancestral graphs. *Journal of Machine Learning Research* 18 (220), 1-62.
#'
#' VanderWeele, T. J. and Ding, P. (2017). Sensitivity analysis in observational research:
#' introducing the E-value. *Annals of Internal Medicine* 167, 268-274.
#' @seealso [as_dagitty()] for adjustment sets in dagitty, [as_network()].
#' @examples
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' known <- tiers(asia + smoke ~ tub + lung + bronc ~ either ~ xray + dysp)
#' fit <- marginal_pc(cohort, epsilon = 1, tiers = known)
#'
#' # Does bronchitis cause dyspnoea? Smoking causes both bronchitis and, through lung cancer,
#' # dyspnoea, so it has to be adjusted for.
#' set.seed(1)
#' effect(fit, "bronc", "dysp", event = "yes", reference = "no")
#'
#' # The graph may be wrong: other graphs that might have been learnt, each with its own adjustment
#' effect(fit, "bronc", "dysp", graph = "uncertain", graphs = 50)
#'
#' # What the graph has the other way round is refused
#' try(effect(fit, "dysp", "bronc"))
#' @export
effect <- function(fit, exposure, outcome, event = NULL, reference = NULL, adjust = NULL,
                   graph = c("given", "uncertain"), interaction = 1, level = 0.95, draws = 1000,
                   graphs = 200, threads = getOption("privpc.threads", 2L),
                   progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(fit, "fit", call)
  check_quoted(c("exposure", "outcome", "event", "reference", "adjust"), call)
  pag <- if (is_pag(fit)) fit
  fit <- fit_behind(fit, call)
  held <- opened(check_measurements(fit, call), call)
  check_string(exposure)
  check_string(outcome)
  check_known_variables(
    c(exposure, outcome), held$nodes, call, "{.arg exposure} and {.arg outcome}"
  )
  levels <- stats::setNames(held$levels, held$nodes)
  event <- check_level(event, levels[[outcome]], "event", outcome, last = TRUE, call)
  reference <- check_level(reference, levels[[exposure]], "reference", exposure, FALSE, call)
  graph <- check_choice(graph, c("given", "uncertain"), call = call)
  check_number(interaction, min = 0, max = 10)
  check_number(level, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_number(draws, min = 10, max = 1e6, whole = TRUE)
  check_flag(progress)
  ways <- if (!is.null(pag)) {
    check_given_graph(graph, call)
    ways_of_pag(pag, held, exposure, outcome, adjust, call)
  } else if (graph == "given") {
    ways_of_graph(fit, held, exposure, outcome, adjust, call)
  } else {
    check_no_adjust(adjust, call)
    check_number(graphs, min = 1, max = 1e6, whole = TRUE)
    replayed <- replay_fit(fit, graphs, "sampling", threads, progress, call)
    ways_of_graphs(drawn_parents(replayed, exposure, outcome, levels), outcome)
  }
  effect_of_ways(
    fit, held, exposure, outcome, event, reference, ways, interaction, level, draws, progress, call
  )
}

check_given_graph <- function(graph, call) {
  if (graph == "given") return(invisible())
  abort(c(
    "{.code graph = \"uncertain\"} goes with graphs without hidden common causes.",
    i = "Ask {.code effect(fit$fit, ..., graph = \"uncertain\")}."
  ), call = call)
}

check_no_adjust <- function(adjust, call) {
  if (is.null(adjust)) return(invisible())
  abort(c(
    "{.arg adjust} goes with {.code graph = \"given\"}.",
    x = "Where the graph is uncertain, each graph has its own adjustment."
  ), call = call)
}

# The edges along which the exposure acts on the outcome were chosen by the tables that also give
# the estimate. NULL if knowledge requires all of them; otherwise the smallest of their strengths
# where these are known, that is in a consensus, and NA elsewhere: to find them takes a replay of
# the fit.
weakest_edge <- function(fit, exposure, outcome) {
  graph <- edge_matrix(fit)
  after <- possible_descendants(graph, exposure)
  before <- possible_ancestors(graph, outcome)
  edges <- edge_table(graph)
  edges <- edges[edges$from %in% after & edges$to %in% before, , drop = FALSE]
  known <- read_arcs(fit$settings$whitelist, "whitelist", fit$nodes, rlang::caller_env())
  known <- rbind(known, known[, 2:1, drop = FALSE])
  ends <- cbind(match(edges$from, fit$nodes), match(edges$to, fit$nodes))
  edges <- edges[
    !paste(ends[, 1L], ends[, 2L]) %in% paste(known[, 1L], known[, 2L]), , drop = FALSE
  ]
  if (nrow(edges) == 0L) return(NULL)
  strength <- fit$strength
  if (!is.data.frame(strength)) return(NA_real_)
  at <- match(
    paste(edges$from, edges$to, sep = "\r"), paste(strength$from, strength$to, sep = "\r")
  )
  min(strength$strength[at])
}

# For print(): nothing where the choice hardly matters.
chosen_text <- function(weakest, hidden = FALSE) {
  if (is.null(weakest)) return(NULL)
  known <- !is.na(weakest)
  if (known && weakest >= 0.95) return(NULL)
  paste0(
    "The same tables chose the graph: ",
    if (known) {
      paste0(
        "the weakest edge on the way stands in ", format(round(100 * weakest)),
        " % of graphs only, and "
      )
    } else {
      "if an edge on the way was barely found, "
    },
    "the estimate is probably too far from no effect",
    if (hidden) "." else "; see `edge_strength()`, or ask with `graph = \"uncertain\"`."
  )
}

check_level <- function(given, levels, arg, variable, last, call) {
  if (length(levels) < 2L) {
    abort("{.val {variable}} has one level only: it cannot have an effect.", call = call)
  }
  if (is.null(given)) return(if (last) last_level(levels) else levels[[1L]])
  if (is.character(given) && length(given) == 1L && given %in% levels) return(given)
  abort(c(
    "{.arg {arg}} must be a level of {.val {variable}}.",
    x = "It is {describe(given)}.",
    i = "Its levels are {.val {levels}}."
  ), call = call)
}

# Nobody asks for the risk of being missing unless they say so: a level for missing values, which is
# the last one (R/bin_like.R has its name), does not count.
last_level <- function(levels) {
  n <- length(levels)
  levels[[if (levels[[n]] %in% c("NA", "NA.1")) n - 1L else n]]
}

# Risk of the event at each level of the exposure. `cells` has the outcome first, then the exposure.
# One imaginary record per combination, with the risk that the level has overall, answers for
# combinations that do not occur; no risk is below half a record of the level, or that far from 1.
standardised_risks <- function(cells, event, n) {
  levels <- dim(cells)
  flat <- array(cells, c(levels[1:2], prod(levels[-(1:2)])))
  joint <- matrix(flat[event, , ], levels[[2L]])
  total <- matrix(apply(flat, 2:3, sum), levels[[2L]])
  crude <- (n * rowSums(joint) + 0.5) / (n * rowSums(total) + 1)
  risk <- (n * joint + crude) / (n * total + 1)
  least <- least_risk(rowSums(total), n)
  pmin(pmax(as.vector(risk %*% colSums(total)), least), 1 - least)
}

# Half a record of a level that has the given share of the records.
least_risk <- function(share, n) 0.5 / (n * pmax(share, 0) + 1)

# The estimate, and its bootstrap draws: one column per draw. See "Estimation" above.
bootstrap_risks <- function(table, event, interaction, draws, report_draws) {
  cells <- probability_cells(table)
  risks <- function(shares) standardised_risks(array(shares, table$levels), event, table$n)
  parts <- lapply(draw_parts(draws, 100), function(size) {
    drawn <- apply(draw_cells(table, cells, interaction, size), 2L, risks)
    report_draws(size)
    drawn
  })
  list(
    estimate = risks(cells), draws = do.call(cbind, parts),
    least = least_risk(apply(cells, 2L, sum), table$n)
  )
}

# Tables as they might have been estimated: other records, other noise, and whatever interactions
# were not measured. One per column.
draw_cells <- function(table, cells, interaction, draws) {
  again <- stats::rmultinom(draws, table$n, as.vector(cells)) / table$n
  coefficients <- crossprod(table$basis, again)
  noise <- sqrt(table$variance) * matrix(stats::rnorm(length(coefficients)), nrow(coefficients))
  fitted_cells(
    table, table$basis %*% (coefficients + noise), draw_interactions(table, interaction, draws)
  )
}

effect_measures <- list(
  `risk difference` = function(risk, base) risk - base,
  `risk ratio` = function(risk, base) risk / base,
  `odds ratio` = function(risk, base) (risk / (1 - risk)) / (base / (1 - base))
)

new_effect <- function(parts, at, exposure_levels, level, about, mark) {
  tails <- c((1 - level) / 2, (1 + level) / 2)
  several <- about$kind == "open" && length(parts) > 1L
  estimate <- parts_estimate(parts)
  interval <- function(value, scale, limits) {
    parts_interval(parts, value, scale, tails, limits, about$together)
  }
  risk_rows <- seq_along(exposure_levels)
  ranges <- t(vapply(risk_rows, function(i) {
    interval(function(risks) risks[i, ], "difference", c(0, 1))
  }, c(0, 0)))
  # A risk whose draws reach the least there can be is not told from 0: ratios with it have no
  # upper limit (or, as numerator, 0 as their lower one), and its estimate depends on what stands
  # for 0. Likewise odds of a risk that reaches 1.
  least <- vapply(risk_rows, function(i) max(vapply(parts, function(x) x$least[[i]], 0)), 0)
  none <- ranges[, 1L] <= 2 * least
  full <- ranges[, 2L] >= 1 - 2 * least
  say_extreme_risks(exposure_levels, none, full, at$reference, about)
  rows <- lapply(risk_rows[-at$reference], function(i) {
    do.call(rbind, lapply(names(effect_measures), function(measure) {
      compare <- effect_measures[[measure]]
      difference <- measure == "risk difference"
      odds <- measure == "odds ratio"
      extreme <- any(none[c(i, at$reference)], odds & full[c(i, at$reference)])
      range <- interval(
        function(risks) compare(risks[i, ], risks[at$reference, ]),
        if (difference) "difference" else if (extreme) "none" else "ratio",
        if (difference) c(-1, 1) else c(0, Inf)
      )
      value <- compare(estimate[[i]], estimate[[at$reference]])
      if (about$kind == "none") {
        # Of the graph; the tables may say otherwise.
        value <- as.double(!difference)
        range <- c(min(range[[1L]], value), max(range[[2L]], value))
      }
      if (several) value <- NA_real_
      if (!difference) {
        if (none[[i]] || (odds && full[[at$reference]])) range[[1L]] <- 0
        if (none[[at$reference]] || (odds && full[[i]])) {
          value <- NA_real_
          range[[2L]] <- Inf
        }
      }
      data.frame(
        exposure = exposure_levels[[i]], measure = measure, estimate = value,
        lower = range[[1L]], upper = range[[2L]]
      )
    }))
  })
  risks <- data.frame(
    exposure = exposure_levels, risk = if (several) NA_real_ else estimate, lower = ranges[, 1L],
    upper = ranges[, 2L]
  )
  marked(structure(
    do.call(rbind, rows), class = c("privpc_effect", "data.frame"), risks = marked(risks, mark),
    adjusted = about$adjusted, event = about$event, reference = about$reference, level = level,
    possible = if (several) marked(possible_effects(parts, at, exposure_levels, none, full), mark),
    no_path = about$no_path, e_value = effect_e_values(do.call(rbind, rows), mark), about = about
  ), mark)
}

# The estimates for each set that may have to be adjusted for; none where a risk cannot be told from
# 0 or 1, as above.
possible_effects <- function(parts, at, exposure_levels, none, full) {
  do.call(rbind, lapply(parts, function(part) {
    others <- seq_along(exposure_levels)[-at$reference]
    adjusted <- if (part$none) "no effect" else toString(part$adjusted)
    do.call(rbind, lapply(others, function(i) {
      estimate <- vapply(effect_measures, function(compare) {
        compare(part$estimate[[i]], part$estimate[[at$reference]])
      }, 0)
      if (none[[at$reference]]) estimate[c("risk ratio", "odds ratio")] <- NA
      if (full[[i]]) estimate["odds ratio"] <- NA
      data.frame(
        adjusted = adjusted, exposure = exposure_levels[[i]], measure = names(effect_measures),
        estimate = unname(estimate)
      )
    }))
  }))
}

#' @export
print.privpc_effect <- function(x, ..., digits = 3) {
  about <- attr(x, "about")
  # A part of the rows may have lost what it is about.
  if (is.null(about)) {
    check_printable(x, rlang::current_env())
    return(NextMethod())
  }
  check_effect(x, rlang::current_env())
  named <- function(set) {
    binned <- set %in% about$binned
    set[binned] <- paste(set[binned], "(in bins)")
    if (length(set)) toString(set) else "nothing"
  }
  cli::cat_line(
    cli::style_bold("<privpc effect>"), " of ", about$exposure, " on ", about$outcome,
    level_sign(about$event), about$event, ", compared with ", about$exposure,
    level_sign(about$reference), about$reference
  )
  cat(strwrap(paste0(
    effect_way_text(about, named, attr(x, "possible")),
    "; ", format(100 * attr(x, "level")), "% intervals with sampling error",
    if (isTRUE(about$interactions)) ", unmeasured interactions",
    if (about$kind == "uncertain") ", privacy noise and the uncertain graph"
    else " and privacy noise, the graph taken as given",
    if (isTRUE(about$hidden)) " (hidden common causes allowed for)",
    if (isFALSE(about$interactions)) ", without interactions"
  ), cli::console_width()), sep = "\n")
  rounded <- function(value) {
    vapply(signif(value, digits), format, "", digits = digits, scientific = FALSE)
  }
  estimates <- rounded(x$estimate)
  possible <- attr(x, "possible")
  if (!is.null(possible)) estimates <- possible_ranges(x, possible, rounded)
  shown <- data.frame(x$exposure, x$measure, estimates, rounded(x$lower), rounded(x$upper))
  names(shown) <- c(about$exposure, "measure", "estimate", "lower", "upper")
  print(shown, row.names = FALSE)
  told <- e_value_text(attr(x, "e_value"), about, attr(x, "risks"))
  if (!is.null(told)) cat_wrapped(told)
  if (isTRUE(about$hidden)) {
    cat_wrapped(paste(
      "All of it rests on the marks of the graph, of which some are wrong:",
      "`vignette(\"hidden\")` says how often."
    ))
  }
  chosen <- chosen_text(about$weakest, isTRUE(about$hidden))
  if (!is.null(chosen)) cat_wrapped(chosen)
  cat_mark(x)
  invisible(x)
}

# Bins are called "<= 40", "(40,65]" and "> 65": age <= 40, not age = <= 40.
level_sign <- function(level) {
  ifelse(grepl("^(<=|>) ", level), " ", ifelse(grepl("^\\(.*,.*\\]$", level), " in ", " = "))
}

effect_way_text <- function(about, named, possible) {
  switch(about$kind,
    given = paste0("Adjusted for ", named(about$adjusted)),
    none = paste0(
      "The graph has no path from ", about$exposure, " to ", about$outcome, ", so the effect is ",
      "none in it; the intervals are what the tables leave room for, adjusted for ",
      named(about$used)
    ),
    open = paste0(
      "The direction of ", toString(paste(about$exposure, "--", about$unclear)), " is open: ",
      "estimates for each set of causes of ", about$exposure, " that the graph leaves possible",
      if (!is.null(possible)) {
        paste0(" (", toString(unique(paste0("{", possible$adjusted, "}"))), ")")
      }
    ),
    uncertain = paste0(
      "Adjusted for the direct causes of ", about$exposure, " in each of ", about$graphs,
      " graphs that might have been learnt (",
      if (length(about$used)) {
        paste("among them", named(about$used))
      } else {
        "none besides the outcome"
      },
      "); ", percent_of_graphs(about$no_path), " of them have no path from ", about$exposure,
      " to ", about$outcome,
      if (about$reversed > 0) {
        paste0(
          ", and in ", percent_of_graphs(about$reversed), " ", about$outcome,
          " was taken as a cause of ", about$exposure, ", so that there is no effect"
        )
      }
    )
  )
}

percent_of_graphs <- function(share) paste0(format(100 * share, digits = 2), "%")

# As in "0.12 to 0.2".
possible_ranges <- function(x, possible, rounded) {
  vapply(seq_len(nrow(x)), function(i) {
    same <- possible$exposure == x$exposure[[i]] & possible$measure == x$measure[[i]]
    if (anyNA(possible$estimate[same])) return("NA")
    paste(rounded(range(possible$estimate[same])), collapse = " to ")
  }, "")
}

# Few people have that level of the exposure, or the event is rare (or the rule) among them.
say_extreme_risks <- function(levels, none, full, reference, about) {
  if (!any(none, full)) return(invisible())
  where <- function(which) paste0(about$exposure, level_sign(levels[which]), levels[which])
  cli::cli_inform(c(
    "!" = if (any(none)) {
      paste(
        "The risk at {.val {where(none)}} cannot be told from 0: few people are there, or the",
        "event is rare among them, beside the noise."
      )
    },
    "!" = if (any(full)) "The risk at {.val {where(full)}} cannot be told from 1.",
    i = if (none[[reference]]) {
      paste(
        "Ratios that divide by the risk at {.val {where(reference)}} have no estimate and no upper",
        "limit; another {.arg reference} may do better."
      )
    },
    i = if (any(none[-reference])) "Ratios of a risk that may be 0 have no lower limit but 0.",
    i = if (any(full)) {
      "Odds ratios with a risk that may be 1 have no estimate or no limit on one side."
    },
    i = "The risk difference stands."
  ), class = "privpc_rare_event")
}

# Strata in which a level of the exposure has fewer records than the noise has standard deviations.
say_no_overlap <- function(table, exposure, adjusted) {
  if (length(adjusted) == 0L) return(invisible())
  cells <- probability_cells(table)
  both <- apply(cells, seq_along(table$levels)[-1L], sum)
  least <- max(5 / table$n, 2 * margin_noise(table, seq_along(table$levels)[-1L]))
  strata <- apply(both, seq_along(adjusted) + 1L, sum)
  empty <- apply(both < least, seq_along(adjusted) + 1L, any)
  thin <- sum(strata[empty]) / sum(strata)
  if (thin < 0.05) return(invisible())
  cli::cli_inform(c(
    "!" = paste(
      "About {format(100 * thin, digits = 2)}% of the records are in strata of {.val {adjusted}}",
      "where some level of {.val {exposure}} hardly occurs."
    ),
    i = "There the effect is filled in from the other strata: read it with caution."
  ), class = "privpc_no_overlap")
}
