# The effects on a page: which levels they compare, what effect() finds along each arrow, and how it
# is told. One interval takes the graph as right, the other one, where it was asked for, does not.

# Bootstrap draws of the intervals, and graphs where the graph is uncertain.
page_effect_draws <- 200
page_effect_graphs <- 100

# ---- what is asked for -------------------------------------------------------------------------

# A list of the `event` and the `reference` of each variable, by name, and whether the graph is
# `uncertain`; NULL if the page has no effects.
check_page_effects <- function(effects, event, reference, graph, fit, call) {
  graph <- check_choice(graph, c("given", "uncertain"), arg = "graph", call = call)
  shown <- effects && is.list(fit$measurements)
  given <- c(event = !is.null(event), reference = !is.null(reference), graph = graph != "given")
  if (!shown && any(given)) {
    arg <- names(given)[given][[1L]]
    abort(c(
      "{.arg {arg}} is about the effects on the page, and this page has none.",
      x = if (!effects) "{.code effects = FALSE} leaves them out.",
      x = if (effects) "{.fn {fit$learner}} releases the graph alone: it has no noisy tables.",
      i = "Leave {.arg {arg}} out."
    ), call = call)
  }
  if (!shown) return(NULL)
  list(
    event = check_levels_of(event, "event", fit$measurements, last = TRUE, call),
    reference = check_levels_of(reference, "reference", fit$measurements, last = FALSE, call),
    uncertain = graph == "uncertain"
  )
}

# Levels by name of variable. A variable that is not named has the default of effect().
check_levels_of <- function(given, arg, held, last, call) {
  if (is.null(given)) return(NULL)
  named <- rlang::names2(given)
  if (!(is.character(given) || is.list(given)) || is.object(given) || !all(nzchar(named))) {
    is <- if (is.character(given)) "text without the name of a variable" else describe(given)
    level <- encodeString(held$levels[[1L]][[1L]], quote = "\"")
    abort(c(
      "{.arg {arg}} must be a level for each variable that it names.", x = "It is {is}.",
      i = "For example {.code {arg} = c({as_code(held$nodes[[1L]])} = {level})}."
    ), call = call)
  }
  check_known_variables(named, held$nodes, call, paste0("{.arg ", arg, "}"))
  levels <- held$levels[match(named, held$nodes)]
  lapply(stats::setNames(seq_along(named), named), function(k) {
    check_level(given[[k]], levels[[k]], arg, named[[k]], last, call)
  })
}

# With the graphs that might have been learnt, drawn once for all effects.
page_effects <- function(fit, asked, threads, progress, call) {
  if (is.null(asked) || !asked$uncertain) return(asked)
  asked$drawn <- replay_fit(fit, page_effect_graphs, "sampling", threads, progress, call)
  asked
}

# ---- what is found -----------------------------------------------------------------------------

# `found`, a result of effect(), or `why` there is none; `uncertain`, the same for the uncertain
# graph, NULL if it was not asked for or cannot be had.
edge_effect_found <- function(fit, graph, from, to, directed, effects) {
  if (!directed) {
    return(list(why = paste(
      "the direction of this edge is open, so the graph does not say which of the two has an",
      "effect"
    )))
  }
  event <- effects$event[[to]]
  reference <- effects$reference[[from]]
  uncertain <- if (!is.null(effects$drawn)) {
    quiet_effect(uncertain_effect(fit, from, to, event, reference, effects$drawn))$found
  }
  unclear <- identification(graph, from, to)$unclear
  if (length(unclear)) {
    return(list(uncertain = uncertain, why = elements(
      "not identified: the direction of ",
      enumerate_html(lapply(unclear, function(other) {
        elements(name_html(from), " \u2013 ", name_html(other))
      })),
      " is open"
    )))
  }
  given <- quiet_effect(effect(
    fit, from, to, event = event, reference = reference, draws = page_effect_draws, progress = FALSE
  ))
  c(given, list(uncertain = uncertain))
}

# As effect() with graph = "uncertain", from graphs that were drawn before.
uncertain_effect <- function(fit, from, to, event, reference, drawn) {
  call <- rlang::current_env()
  held <- opened(fit$measurements)
  levels <- stats::setNames(held$levels, held$nodes)
  event <- check_level(event, levels[[to]], "event", to, last = TRUE, call)
  reference <- check_level(reference, levels[[from]], "reference", from, last = FALSE, call)
  ways <- ways_of_graphs(drawn_parents(drawn, from, to, levels), to)
  effect_of_ways(
    fit, held, from, to, event, reference, ways, interaction = 1, level = 0.95,
    draws = page_effect_draws, progress = FALSE, call
  )
}

# What effect() says by messages stands on the page. A list of `found` and `thin`, or of `why`.
quiet_effect <- function(code) {
  thin <- FALSE
  found <- tryCatch(
    withCallingHandlers(
      code,
      privpc_no_overlap = function(cnd) thin <<- TRUE,
      message = function(cnd) rlang::cnd_muffle(cnd)
    ),
    privpc_not_measured = function(cnd) "not everything that it takes was measured",
    privpc_error = function(cnd) "it cannot be computed from the tables of this fit"
  )
  if (is.character(found)) list(why = found) else list(found = found, thin = thin)
}

# ---- as HTML -----------------------------------------------------------------------------------

edge_effect_html <- function(edge) {
  effect <- edge$effect
  if (is.null(effect)) return(NULL)
  elements(
    if (is.null(effect$found)) {
      element("p", element("b", "Effect "), effect$why, ".")
    } else {
      given_effect_html(effect, edge)
    },
    if (!is.null(effect$uncertain)) uncertain_effect_html(effect$uncertain, effect$found)
  )
}

given_effect_html <- function(effect, edge) {
  found <- effect$found
  about <- attr(found, "about")
  caption <- elements(
    element("b", "Effect "), effect_words(about), "; adjusted for ",
    if (length(about$adjusted)) enumerate_html(lapply(about$adjusted, name_html)) else "nothing"
  )
  elements(
    effect_table(found, caption),
    element(
      "p", class = "quiet", decimals(100 * attr(found, "level"), 0L),
      " % intervals with sampling error",
      if (isTRUE(about$interactions)) ", interactions that were not measured,",
      " and privacy noise. ", element("b", "They hold only if the graph is right"),
      " and no confounder was left unrecorded.", chosen_words(about, edge),
      if (anyNA(found$estimate)) no_ratio_words,
      if (effect$thin) {
        " In some strata a level hardly occurs: there the effect is filled in from others."
      }
    )
  )
}

# The same tables chose the edge and give its effect (the winner's curse): to be said unless the
# edge stands nearly always, or knowledge put it there.
chosen_words <- function(about, edge) {
  if (is.null(about$weakest) || isTRUE(edge$strength$required)) return(NULL)
  if (isTRUE(about$weakest >= 0.95)) return(NULL)
  if (is.na(about$weakest) && isTRUE(edge$share >= 0.95)) return(NULL)
  paste0(
    " The same tables chose the graph: ",
    if (is.na(edge$share)) "if this edge was barely found" else "the less sure this edge is",
    ", the estimate is probably too far from no effect."
  )
}

no_ratio_words <-
  " Where the risk that a ratio divides by cannot be told from 0, there is no estimate."

uncertain_effect_html <- function(found, given) {
  about <- attr(found, "about")
  caption <- elements(
    element("b", "If the graph may be wrong: "),
    if (is.null(given)) effect_words(about) else "the same effect",
    " over ", about$graphs, " graphs that might have been learnt from other people of the same ",
    "kind, in each adjusted for the direct causes of ", name_html(about$exposure)
  )
  elements(
    effect_table(found, caption),
    element(
      "p", class = "quiet", decimals(100 * attr(found, "level"), 0L),
      " % intervals that include which graph was learnt. In ",
      percent_text(about$no_path), " of the graphs ", name_html(about$exposure),
      " has no way to act on ", name_html(about$outcome), ".",
      if (about$reversed > 0) {
        elements(
          " In ", percent_text(about$reversed), " ", name_html(about$outcome),
          " was taken as a cause of ", name_html(about$exposure), ", so that there is no effect."
        )
      },
      if (anyNA(found$estimate)) no_ratio_words
    )
  )
}

effect_words <- function(about) {
  elements(
    "of setting ", name_html(about$exposure), " on the risk of ", name_html(about$outcome),
    level_sign(about$event), name_html(about$event), ", compared with ", name_html(about$exposure),
    level_sign(about$reference), name_html(about$reference)
  )
}

effect_table <- function(found, caption) {
  measure <- function(name) found[found$measure == name, ]
  columns <- list(
    `set to` = lapply(measure("risk difference")$exposure, name_html),
    `risk difference` = interval_cells(measure("risk difference")),
    `risk ratio` = interval_cells(measure("risk ratio"))
  )
  html_table(columns, caption, numeric = names(columns)[-1L], class = "interval")
}

# As in "0.12 [0.08, 0.16]", which may be broken before the bracket.
interval_cells <- function(rows) {
  shown <- function(x) {
    number <- sub("^-", "\u2212", format_each(x))
    ifelse(is.na(x), "\u2014", ifelse(is.infinite(x), "\u221e", number))
  }
  Map(function(estimate, interval) {
    elements(element("span", estimate), " ", element("span", interval))
  }, shown(rows$estimate), paste0("[", shown(rows$lower), ", ", shown(rows$upper), "]"))
}
