# Estimates with one adjustment set or several, and one interval from all of them. A part is a list
# of `adjusted`, `estimate` (the risk at each level of the exposure), `draws` (the same, one column
# per bootstrap draw), `least` (the least risk there can be) and `weight`.

# What effect() returns, by the adjustment sets in `ways` (R/identify.R).
effect_of_ways <- function(fit, held, exposure, outcome, event, reference, ways, interaction, level,
                           draws, progress, call) {
  levels <- stats::setNames(held$levels, held$nodes)
  at <- list(
    event = match(event, levels[[outcome]]), reference = match(reference, levels[[exposure]])
  )
  shares <- draws * ways$weights / if (ways$together) sum(ways$weights) else 1
  sizes <- pmax(10, round(shares))
  bar <- new_bar(progress, "Drawing tables", sum(sizes))
  on.exit(bar$end())
  parts <- Map(function(set, size, weight) {
    effect_part(
      held, exposure, outcome, set, at$event, interaction, size, bar$add, weight, call
    )
  }, ways$sets, sizes, ways$weights)
  missing <- unique(unlist(lapply(parts, `[[`, "missing")))
  say_no_interaction(missing, fit, if (interaction > 0) {
    "The intervals allow for interactions as strong as {.arg interaction} says."
  })
  adjusted <- if (length(parts) == 1L) parts[[1L]]$adjusted
  if (length(adjusted)) {
    table <- noisy_table(held, match(c(outcome, exposure, adjusted), held$nodes), call)
    say_no_overlap(table, exposure, adjusted)
  }
  used <- unique(unlist(lapply(parts, `[[`, "adjusted")))
  new_effect(parts, at, levels[[exposure]], level, c(list(
    exposure = exposure, outcome = outcome, event = event, reference = reference,
    adjusted = adjusted, used = used, draws = draws,
    other_events = setdiff(levels[[outcome]], event),
    interactions = if (length(missing)) interaction > 0,
    binned = intersect(used, names(fit$settings$breaks)),
    # How strong the edges of a graph with hidden causes are is not known.
    weakest = if (isTRUE(ways$hidden)) {
      NA_real_
    } else if (ways$kind == "given") {
      weakest_edge(fit, exposure, outcome)
    }
  ), ways[
    c("kind", "together", "unclear", "no_path", "reversed", "graphs", "hidden")
  ]), mark_of(fit))
}

# The part of one adjustment set; of the outcome itself, that of no effect at all.
effect_part <- function(held, exposure, outcome, adjusted, event, interaction, draws, report_draws,
                        weight = 1, call) {
  none <- identical(adjusted, outcome)
  if (none) adjusted <- character()
  variables <- c(outcome, exposure, adjusted)
  table <- noisy_table(held, match(variables, held$nodes), call)
  check_pairs_measured(table, variables, call)
  part <- bootstrap_risks(table, event, interaction, draws, report_draws)
  if (none) {
    share <- apply(probability_cells(table), 2L, sum)
    part$estimate[] <- sum(share * part$estimate)
    part$draws[] <- rep(colSums(share * part$draws), each = nrow(part$draws))
  }
  c(part, list(
    adjusted = adjusted, none = none, weight = weight, missing = missing_labels(table, variables)
  ))
}

# The bootstrap asks how estimates scatter around the truth of its own making. Where an estimate is
# pushed away from a limit (a risk near 1 whose noisy cells cannot go beyond), the draws are pushed
# once more, and their quantiles leave out the truth on the far side; reflected at the estimate they
# are on the other side of it. The interval reaches over both, and has the same length as either
# where nothing is pushed. Ratios are reflected on the scale of logarithms, but not where a risk may
# be 0 (or odds infinite): the reflection of a ratio near 0 is as large as one likes.
reflect <- list(
  difference = function(draws, estimate) 2 * estimate - draws,
  ratio = function(draws, estimate) estimate^2 / draws,
  none = function(draws, estimate) draws
)

# Quantiles of draws with weights: rare sets of causes have more draws than their share, so that
# there are some.
weighted_range <- function(draws, weights, tails) {
  keep <- !is.na(draws)
  draws <- draws[keep]
  weights <- weights[keep]
  order <- order(draws)
  below <- (cumsum(weights[order]) - weights[order] / 2) / sum(weights)
  stats::approx(below, draws[order], tails, rule = 2, ties = "ordered")$y
}

# `value` makes a number of the risks: function(risks) for a matrix with one column per draw.
# `together`: one distribution of all parts, for graphs that were drawn; else what reaches over the
# intervals of all of them, because nothing is known of how probable each is.
parts_interval <- function(parts, value, scale, tails, limits, together) {
  drawn <- lapply(parts, function(part) {
    draws <- value(part$draws)
    estimate <- value(matrix(part$estimate, ncol = 1L))
    list(
      draws = draws, reflected = reflect[[scale]](draws, estimate),
      weights = rep(part$weight / length(draws), length(draws))
    )
  })
  if (together) {
    pooled <- function(name) unlist(lapply(drawn, `[[`, name))
    drawn <- list(list(
      draws = pooled("draws"), reflected = pooled("reflected"), weights = pooled("weights")
    ))
  }
  ranges <- vapply(drawn, function(x) {
    one <- weighted_range(x$draws, x$weights, tails)
    other <- weighted_range(x$reflected, x$weights, tails)
    c(min(one[[1L]], other[[1L]]), max(one[[2L]], other[[2L]]))
  }, c(0, 0))
  c(max(min(ranges[1L, ]), limits[[1L]]), min(max(ranges[2L, ]), limits[[2L]]))
}

# The mean over the parts, by weight: graphs that were drawn are equally probable.
parts_estimate <- function(parts) {
  weights <- vapply(parts, `[[`, 0, "weight")
  Reduce(`+`, Map(function(part, w) w * part$estimate, parts, weights / sum(weights)))
}
