#' Which queries are above a threshold
#'
#' The sparse vector technique: goes through many statistics and says of each
#' whether it is above a threshold, until `cutoff` of them were. Only those cost
#' privacy; any number below the threshold are free.
#'
#' With `delta = 0` one run answers everything (Lyu, Su and Li, 2017): the
#' threshold gets noise once, each statistic fresh noise, the run stops at the
#' last positive. With `delta > 0` a run may instead be restarted with a fresh
#' threshold after every positive, the runs being composed in zero-concentrated
#' privacy; whichever of the two needs less noise is taken, which can be worked out
#' beforehand. The split between threshold and statistics is the one with the
#' smallest variance. The noisy values themselves are never shown, a tie counts as
#' above.
#'
#' @inheritParams laplace_mechanism
#' @param values The exact statistics, finite numbers, in the order in which they are asked.
#' @param threshold The public threshold.
#' @param sensitivity The largest change of any single statistic when one record
#'   is replaced.
#' @param cutoff How many positives end the run.
#' @param epsilon,delta The guarantee; with a `budget`, what this call takes from it: with
#'   `delta = 0` the price of a pure step, with a delta the rho of both ([rho_from_dp()]), which is
#'   far less. A budget without delta takes `delta = 0` only. The release states what holds of it by
#'   itself, which may be an epsilon without delta.
#' @param monotone `TRUE` if replacing a record moves all statistics in the same
#'   direction. Counts of several categories are *not* monotone: the replaced record
#'   leaves one category and enters another.
#' @param share Share of epsilon for the threshold's noise; `NULL` for the best.
#' @return A `privpc_release` whose `value` is a logical vector: above or not,
#'   `NA` for those after the end of the run.
#' @references
#' Lyu, M., Su, D. and Li, N. (2017). Understanding the sparse vector technique
#' for differential privacy. *Proceedings of the VLDB Endowment* 10, 637-648.
#' @examples
#' # Which of these symptoms have more than 100 cases? Stop after two.
#' cases <- c(cough = 12, fever = 240, rash = 3, ache = 35, fatigue = 310, chills = 290)
#' sparse_vector(cases, threshold = 100, sensitivity = 1, epsilon = 1, cutoff = 2)
#' @export
sparse_vector <- function(values, threshold, sensitivity, epsilon, delta = 0, cutoff = 1,
                          monotone = FALSE, share = NULL, budget = NULL, target = "queries",
                          seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_values(values, "values", call)
  check_number(threshold, min = -Inf, max = Inf, min_open = TRUE, max_open = TRUE)
  check_positive(sensitivity)
  check_positive(epsilon)
  check_number(delta, min = 0, max = 1, max_open = TRUE)
  check_number(cutoff, min = 1, max = 1e6, whole = TRUE)
  check_flag(monotone)
  if (!is.null(share)) check_number(share, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_string(target)
  check_seed(seed, budget, call)
  ledger <- check_budget(budget, call)
  check_delta_of_budget(delta, budget, call)
  plan <- plan_sparse_vector(epsilon, delta, cutoff, monotone, in_rho = !is.null(budget))
  out <- with_mechanism(call, cpp_sparse_vector(
    as.vector(values), threshold, sensitivity, plan$epsilon, plan$rounds, plan$cutoff, monotone,
    if (is.null(share)) 0 else share, ledger, target, seed
  ), budget)
  new_release(
    in_form_of(out$above, values), "sparse vector",
    if (plan$rounds > 1L) epsilon else plan$epsilon, if (plan$rounds > 1L) delta else 0, plan$rho,
    out$private,
    list(`threshold scale` = out$threshold_noise, `query scale` = out$query_noise)
  )
}

# One run for all positives, or one run each: whichever has the smaller noise. Each is what keeps
# (epsilon, delta) by itself; from a budget that counts in rho both have to cost the same rho.
plan_sparse_vector <- function(epsilon, delta, cutoff, monotone, in_rho = FALSE) {
  one <- list(epsilon = epsilon, rounds = 1L, cutoff = as.integer(cutoff), rho = Inf)
  if (delta == 0) return(one)
  rho <- rho_from_dp(epsilon, delta)
  if (in_rho) one$epsilon <- cpp_epsilon_per_round(rho, 1L)
  if (cutoff == 1) return(one)
  each <- cpp_epsilon_per_round(rho, as.integer(cutoff))
  factor <- if (monotone) 1 else 2
  # With the best split the noise's size goes with (1 + k^(2/3))^(3/2) / epsilon.
  size <- function(k, epsilon) (1 + (factor * k)^(2 / 3))^(3 / 2) / epsilon
  if (size(cutoff, one$epsilon) <= size(1, each)) return(one)
  list(epsilon = each, rounds = as.integer(cutoff), cutoff = 1L, rho = rho)
}
