# The arithmetic of plan_study(): which effects show at which number of records and epsilon, and
# what it takes to show a given one. Everything here is computed from public numbers; the core does
# it (learners/visible_effects.hpp), for the warnings of marginal_pc() too.

# What a fit would be like, apart from records and epsilon. `levels` are in the order in which a fit
# has its variables, by name. `evenness` is how much less the noise leaves of an effect between
# variables with rare levels: see noise_evenness().
plan_design <- function(levels, delta, alpha, least_effect, parameters, neighbours, evenness,
                        call) {
  if (!is.null(names(levels))) levels <- levels[cpp_byte_order(names(levels))]
  # The other rules as marginal_pc() has them; they do not matter here.
  usual <- formals(marginal_pc)
  rules <- check_noisy_rules("score", alpha, usual$prior, least_effect, usual$max_order, call)
  list(
    levels = levels, delta = delta, rules = rules,
    for_families = if (parameters) parameter_share else 0,
    add_remove = is_add_remove(neighbours), evenness = evenness
  )
}

# A secret number of records does not decide on the default.
plan_delta <- function(design, n) {
  if (!is.null(design$delta)) return(design$delta)
  default_delta(if (design$add_remove) 1 else n)
}

no_knowledge <- list(required = matrix(0L, 0L, 2L), forbidden = matrix(0L, 0L, 2L))

# The rho that a fit has for its graph; 0 where the budget is too small for a fit at all.
graph_rho <- function(design, n, epsilon) {
  price <- tryCatch(
    marginal_price(
      unname(design$levels), n, epsilon, plan_delta(design, n), design$rules, no_knowledge,
      design$for_families, design$add_remove, call = NULL
    )$price,
    privpc_error = function(e) NULL
  )
  if (is.null(price)) 0 else price$rho * (1 - design$for_families)
}

# Phi that an edge must have to be found in 80 % of fits. May be above 1: no edge is found so often.
# `epsilon` may be Inf, for a search without noise.
visible_effect <- function(design, n, epsilon) {
  # Where sampling is all that hides an edge.
  rho <- if (is.infinite(epsilon)) 1e9 else graph_rho(design, n, epsilon) * design$evenness
  if (rho <= 0) return(Inf)
  least <- cpp_visible_effect(
    n, unname(design$levels), rho, design$rules$alpha, design$add_remove
  )
  max(least, large_enough_effect(design, least))
}

# Effects below `least_effect` (phi squared) are taken for none, which the core does not ask about:
# it warns of few rows, where they are far from being seen. Measured with an error of about `error`,
# an effect has to be larger to be above it in 80 % of fits. `least` is what passes the test so
# often: it is so many errors away from 0.
large_enough_effect <- function(design, least) {
  varying <- sum(design$levels > 1L)
  level <- design$rules$alpha / choose(varying, 2L)
  power <- stats::qnorm(0.8)
  error <- least / (stats::qnorm(level / 2, lower.tail = FALSE) + power)
  taken_for_none(design) + power * error
}

taken_for_none <- function(design) sqrt(design$rules$least_effect)

# The smallest number of records, or epsilon, that shows an effect of this size; Inf if none does.
records_for_effect <- function(design, effect, epsilon) {
  shows <- function(n) visible_effect(design, n, epsilon) <= effect
  ceiling(smallest_number(shows, 2, core_limits$max_rows))
}

epsilon_for_effect <- function(design, effect, n) {
  shows <- function(epsilon) visible_effect(design, n, epsilon) <= effect
  smallest_number(shows, 1e-4, weak_epsilon)
}

# By bisection on a logarithmic scale, to one part in a million: where `shows` becomes TRUE.
smallest_number <- function(shows, low, high) {
  if (!shows(high)) return(Inf)
  if (shows(low)) return(low)
  while (high / low > 1 + 1e-6) {
    middle <- sqrt(low * high)
    if (shows(middle)) high <- middle else low <- middle
  }
  high
}

# ---- effects between variables with two levels --------------------------------------------------

# Noise is added to counts, whatever the levels' shares; an effect phi between a variable with the
# share p and one with q moves the counts by phi sqrt(p (1 - p) q (1 - q)) n, which is most for even
# shares. Relative to it the variance of the noise is larger by 1 / (16 p (1 - p) q (1 - q)): as if
# rho were smaller by that factor.
noise_evenness <- function(prevalence) 16 * prod(prevalence * (1 - prevalence))

# In a two-by-two table with these margins phi fixes the cells. Inf where one of them is empty then,
# NA where phi is larger than the margins permit.
odds_ratio_from_phi <- function(phi, prevalence) {
  p <- prevalence[[1L]]
  q <- prevalence[[2L]]
  both <- p * q + phi * sqrt(p * (1 - p) * q * (1 - q))
  cells <- matrix(c(both, 1 - p - q + both, p - both, q - both), ncol = 4L)
  # A cell that is empty but for rounding.
  cells[abs(cells) < 1e-12] <- 0
  ratio <- cells[, 1L] * cells[, 2L] / (cells[, 3L] * cells[, 4L])
  ratio[rowSums(is.na(cells) | cells < 0) > 0] <- NA
  ratio
}

# The share of both from the odds ratio, a quadratic equation; its root between the limits.
phi_from_odds_ratio <- function(odds_ratio, prevalence) {
  p <- prevalence[[1L]]
  q <- prevalence[[2L]]
  more <- odds_ratio - 1
  sum <- 1 + (p + q) * more
  root <- sqrt(sum^2 - 4 * odds_ratio * more * p * q)
  # In this form there is no division by zero for an odds ratio of 1.
  both <- 2 * odds_ratio * p * q / (sum + root)
  (both - p * q) / sqrt(p * (1 - p) * q * (1 - q))
}

# The largest phi that the margins permit.
largest_phi <- function(prevalence) {
  p <- prevalence[[1L]]
  q <- prevalence[[2L]]
  (min(p, q) - p * q) / sqrt(p * (1 - p) * q * (1 - q))
}
