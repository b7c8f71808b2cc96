#' How often sieve-and-examine errs: the paper's bounds
#'
#' Bounds on the two errors of one or more runs of [sieve_and_examine()], as functions of the budget
#' and of how far a query is from the threshold. They are those of Wang, Pang and Song (2020),
#' corrected, and are about that algorithm alone; to plan a study see [plan_study()].
#' * Type I: a query whose value is at least threshold + `margin` is looked at and filtered
#'   out: the sieve passes over it, or the examine step refuses it.
#' * Type II: of `queries` queries whose values are at most threshold - `margin`, one is
#'   accepted: the sieve stops at it and the examine step confirms it.
#'
#' @section The corrected bounds:
#' Let D be the sensitivity, e1 = `share` epsilon and e2 = epsilon - e1 the parts of the sieve
#' and of the examine step, and e' = log(1 + (n / m)(exp(e1) - 1)) the sieve's own epsilon on m
#' of n rows. The sieve compares value + A with threshold - tweak + B, where A and B are Laplace
#' variables of scales 4D/e' and 2D/e'; the examine step adds a Laplace variable C of
#' scale D/e2. For w >= 0
#'
#' P(A + B >= w) = s(w) = (4 exp(-w e'/(4D)) - exp(-w e'/(2D))) / 6,
#'
#' the exact tail of the sum (for w < 0 use 1 - s(-w)), and P(C >= w) = exp(-w e2/D)/2. With
#' a = `margin` and t = `tweak`:
#' * Type I: the sieve passes over the query only if A - B < -(a + t), with probability at
#'   most s(a + t); otherwise it may stop there, and the examine step, whose noise is
#'   independent, refuses with probability at most x = exp(-a e2/D)/2. In all at most
#'   s + (1 - s) x. If several such queries are in the run, a run can only err at
#'   the first of them it looks at, since the sieve ends there or has erred: the bound holds for the
#'   run. It bounds the chance that the query is looked at *and* filtered out.
#' * Type II: the sieve stops at one of the queries with probability at most
#'   `queries` times s(a - t) (union bound, at most 1), and the examine step then accepts with
#'   probability at most x, independently: min(1, queries s(a - t)) x.
#'
#' Several `runs` have at most so many times these chances.
#' The noise that is drawn is discrete, on a grid of at most 2^-16 of sensitivity and noise scale;
#' the bounds allow for it (less than one part in a thousand).
#'
#' @section The paper's bounds:
#' `version = "paper"` gives what Wang, Pang and Song (2020, Theorem 2) print, with e1 = e2 =
#' epsilon / 2:
#' * Type I: u(a + t), with u(w) = exp(-e' w/(6D)) - exp(-e' w/(3D))/4;
#' * Type II: u(a - t) exp(-2 epsilon a/D).
#'
#' Neither holds. The type I bound leaves out the examine step: with a large tweak it goes
#' to 0, while the examine step refuses with probability exp(-epsilon a/(2D))/2 whatever the tweak.
#' The type II bound has the tail of the examine step as exp(-2 epsilon a/D); with the printed
#' scale 2D/epsilon it is exp(-epsilon a/(2D))/2. The second formula is stated only for a >= t
#' and for one query, and is `NA` otherwise.
#'
#' @param epsilon The budget of one run.
#' @param sensitivity The sensitivity of the queries.
#' @param margin How far the values are from the threshold; at least 0 (alpha in the paper).
#' @param tweak By how much the sieve's threshold is lower.
#' @param queries How many queries below the threshold a run looks at, for type II.
#' @param runs Number of runs.
#' @param n,subsample Number of rows, and of rows of the sub-sample.
#' @param share Share of epsilon for the sieve.
#' @param margin_sample The margin on the sub-sample. The paper takes it to be that on all rows;
#'   a random sub-sample may be closer to the threshold, or on its other side (negative).
#' @param version `"corrected"`, or `"paper"` for the printed bounds.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A data frame with a row for every combination given (arguments may be vectors of the same
#'   length): the arguments `epsilon`, `margin` and `tweak`, and the bounds `type_1` and `type_2`.
#' @references
#' Wang, L., Pang, Q. and Song, D. (2020). Towards practical differentially private
#' causal graph discovery. *Advances in Neural Information Processing Systems* 33.
#' @seealso [sieve_and_examine()], [subsample_size()]
#' @examples
#' # Kendall's T with sensitivity 4: how far from the threshold is far enough?
#' error_bounds(epsilon = 0.5, sensitivity = 4, margin = c(10, 20, 40, 80), queries = 20)
#'
#' # A tweak makes type I errors rarer and type II errors more frequent ...
#' error_bounds(epsilon = 0.5, sensitivity = 4, margin = 40, tweak = c(0, 20, 40))
#'
#' # ... far more frequent than the paper's bound says.
#' error_bounds(0.5, 4, margin = 40, tweak = c(0, 20, 40), version = "paper")
#' @export
error_bounds <- function(epsilon, sensitivity, margin, tweak = 0, queries = 1, runs = 1, n = 1,
                         subsample = n, share = 0.5, margin_sample = margin,
                         version = c("corrected", "paper"), ...) {
  check_dots_empty(...)
  version <- check_choice(version, c("corrected", "paper"))
  check_numbers(epsilon, min = 0, min_open = TRUE)
  check_numbers(sensitivity, min = 0, min_open = TRUE)
  check_numbers(margin, min = 0)
  check_numbers(tweak, min = -1e300)
  check_numbers(queries, min = 1, whole = TRUE)
  check_numbers(runs, min = 1, whole = TRUE)
  check_numbers(n, min = 1, max = 1e15, whole = TRUE)
  check_numbers(subsample, min = 1, max = 1e15, whole = TRUE)
  check_numbers(share, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_numbers(margin_sample, min = -1e300)
  check_lengths(
    epsilon = epsilon, sensitivity = sensitivity, margin = margin, tweak = tweak,
    queries = queries, runs = runs, n = n, subsample = subsample, share = share,
    margin_sample = margin_sample
  )
  if (any(subsample > n)) {
    abort(c(
      "{.arg subsample} must be at most {.arg n}.",
      x = "It is {format(max(subsample))}, of {format(min(n))} rows."
    ), call = rlang::current_env())
  }
  if (version == "paper" && (any(share != 0.5) || any(margin_sample != margin))) {
    abort(c(
      "The paper's bounds are for {.code share = 0.5} and the same margin on the sub-sample.",
      i = "Leave {.arg share} and {.arg margin_sample} out, or use {.code version = \"corrected\"}."
    ), call = rlang::current_env())
  }
  all <- data.frame(
    epsilon, sensitivity, margin, tweak, queries, runs, n, subsample, share, margin_sample
  )
  bounds <- if (version == "paper") printed_bounds(all) else corrected_bounds(all)
  cbind(
    all[c("epsilon", "margin", "tweak")],
    type_1 = pmin(1, all$runs * bounds$type_1), type_2 = pmin(1, all$runs * bounds$type_2)
  )
}

# Discrete noise on a grid. A step is at most g = 2^-16 min(D, D/e), e the epsilon of the mechanism
# (of the sieve, or of the examine step). Sensitivities are widened by less than two steps and
# scales rounded up by less than 2^-22 of themselves, so scales are at most (1 + 2^-14) times those
# in the formulas. Value and threshold are each rounded down to the grid: a distance w becomes at
# least w - 2g. A discrete Laplace variable X of scale b (in steps) is stochastically at most a
# continuous one L of that scale plus one step: for k >= 1, P(X >= k) = exp(-k/b)/(1 + exp(-1/b))
# <= exp(-(k - 1/2)/b)/2 = P(L >= k - 1/2), and for k <= 0, P(X >= k) = 1 - P(X >= 1 - k)
# <= 1 - exp(-(1 - k)/b)/2 = P(L >= k - 1). So the tail at w of one or two of them is at most the
# continuous tail at w - 4g, and 4g is at most 2^-14 of D/e.
grid_allowance <- 2^-14

corrected_bounds <- function(at) {
  sensitivity <- at$sensitivity * (1 + grid_allowance)
  inside <- cpp_epsilon_before_sampling(at$epsilon * at$share, at$subsample, at$n)
  of_sieve <- sensitivity / inside
  of_examine <- sensitivity / (at$epsilon * (1 - at$share))
  missed <- laplace_sum_tail(at$margin_sample + at$tweak, of_sieve)
  stopped <- laplace_sum_tail(at$margin_sample - at$tweak, of_sieve)
  wrong <- 0.5 * exp(-pmax(0, at$margin / of_examine - grid_allowance))
  list(
    type_1 = missed + (1 - missed) * wrong,
    type_2 = pmin(1, at$queries * stopped) * wrong
  )
}

# P(A + B >= w) for independent Laplace variables of scales 4 d and 2 d, with the allowance.
laplace_sum_tail <- function(w, d) {
  w <- w / d - grid_allowance
  tail <- (4 * exp(-abs(w) / 4) - exp(-abs(w) / 2)) / 6
  ifelse(w >= 0, tail, 1 - tail)
}

printed_bounds <- function(at) {
  inside <- cpp_epsilon_before_sampling(at$epsilon / 2, at$subsample, at$n)
  printed <- function(w) {
    exp(-inside * w / (6 * at$sensitivity)) - exp(-inside * w / (3 * at$sensitivity)) / 4
  }
  stated <- at$margin >= at$tweak & at$queries == 1
  list(
    type_1 = printed(at$margin + at$tweak),
    type_2 = ifelse(
      stated,
      printed(at$margin - at$tweak) * exp(-2 * at$epsilon * at$margin / at$sensitivity), NA_real_
    )
  )
}
