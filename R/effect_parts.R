# Estimates with one adjustment set or several, and one interval from all of them. A part is a list
# of `adjusted`, `estimate` (the risk at each level of the exposure), `draws` (the same, one column
# per bootstrap draw), `least` (the least risk there can be) and `weight`.

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
# where nothing is pushed. `turn` reflects: 2 estimate - draw, for ratios on the scale of logarithms.
both_sides <- function(draws, reflected, tails) {
  range <- function(x) stats::quantile(x, tails, names = FALSE, na.rm = TRUE)
  one <- range(draws)
  other <- range(reflected)
  c(min(one[[1L]], other[[1L]]), max(one[[2L]], other[[2L]]))
}

reflect <- list(
  difference = function(draws, estimate) 2 * estimate - draws,
  ratio = function(draws, estimate) estimate^2 / draws
)

# `value` makes a number of the risks: function(risks) for a matrix with one column per draw.
# `together`: one distribution of all parts, for graphs that were drawn; else what reaches over the
# intervals of all of them, because nothing is known of how probable each is.
parts_interval <- function(parts, value, scale, tails, limits, together) {
  of_part <- function(part) {
    draws <- value(part$draws)
    estimate <- value(matrix(part$estimate, ncol = 1L))
    list(draws = draws, reflected = reflect[[scale]](draws, estimate))
  }
  drawn <- lapply(parts, of_part)
  if (together) {
    drawn <- list(list(
      draws = unlist(lapply(drawn, `[[`, "draws")),
      reflected = unlist(lapply(drawn, `[[`, "reflected"))
    ))
  }
  ranges <- vapply(drawn, function(x) both_sides(x$draws, x$reflected, tails), c(0, 0))
  c(max(min(ranges[1L, ]), limits[[1L]]), min(max(ranges[2L, ]), limits[[2L]]))
}

# The mean over the parts, by weight: graphs that were drawn are equally probable.
parts_estimate <- function(parts) {
  weights <- vapply(parts, `[[`, 0, "weight")
  Reduce(`+`, Map(function(part, w) w * part$estimate, parts, weights / sum(weights)))
}
