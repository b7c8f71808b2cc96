#' Release numbers with noise
#'
#' `laplace_mechanism()` and `gaussian_mechanism()` add noise to the user's own
#' statistics, in proportion to how far one record can move them.
#'
#' The value is put on a public grid far finer than the noise, and discrete noise
#' is drawn exactly, on the integers, from the operating system's entropy, which
#' the stream cipher ChaCha20 stretches; no floating-point logarithm can leak
#' through low bits. The noise is calibrated to the sensitivity widened by the
#' grid, so the guarantee is exact. Counts (`whole = TRUE`) are their own grid. Values
#' beyond about 2^44 times the smaller of sensitivity and noise scale, divided by
#' the number of values, are moved to the end of the grid (for `whole` numbers:
#' beyond 2^61).
#'
#' The Laplace mechanism with L1 sensitivity D is `epsilon`-differentially
#' private with noise of scale D / epsilon. The Gaussian mechanism with L2
#' sensitivity D satisfies rho-zero-concentrated privacy with standard deviation
#' D / sqrt(2 rho); given `epsilon` and `delta`, rho is the largest that implies
#' them ([rho_from_dp()]).
#'
#' The sensitivity is the user's claim: the largest change of the statistic, over
#' *all* data sets with this many records, when one record is replaced by any
#' other. If it is wrong, so is the guarantee; [audit_privacy()] can help to find
#' out.
#'
#' @param value The exact statistic: finite numbers, each defined for every possible data set, as a
#'   vector, a matrix, an array or a [table()]; the release has the same form. How many there
#'   are, and their names, are released as they are: they must be public, not read off the
#'   data. So make a table of factors with declared levels, never of text. Missing and infinite
#'   values are refused, at no price: that the statistic is a number is part of what is public.
#' @param sensitivity Its sensitivity: in L1 (the sum of the absolute changes of
#'   all elements) for Laplace, in L2 (the root of their sum of squares) for
#'   Gaussian noise.
#' @param epsilon,delta The guarantee. With a `budget`, what this release takes
#'   from it. Gaussian noise from a budget can do without `delta`: it is then that of the budget
#'   (without its `reserve`).
#' @param rho For Gaussian noise, instead of `epsilon` and `delta`.
#' @param whole `TRUE` if the values are whole numbers for *every* data set, such as
#'   counts. The release then consists of whole numbers. Values with fractions are refused: rounding
#'   can move values apart that hardly differ, which the sensitivity does not count.
#' @param budget A [privacy_budget()] to take the cost from; `NULL` if the release
#'   stands alone.
#' @param target What is released, a word for the ledger.
#' @param seed Only for teaching and tests: a whole number that makes the noise
#'   repeatable. The result is then **not private** and says so; it cannot be taken
#'   from a budget. [set.seed()] never has an influence.
#' @param ... Must be empty.
#' @return An object of class `privpc_release`: a list with the noisy `value`, the
#'   `mechanism`, `privacy` (epsilon, delta, rho, and whether it is private) and
#'   `noise`, its scale. All of it may be published.
#' @references
#' Canonne, C. L., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for
#' differential privacy. *Advances in Neural Information Processing Systems* 33.
#' @seealso [exponential_mechanism()], [sparse_vector()], [private_median()]
#' @examples
#' # How many of 1000 patients smoke? One record moves the count by at most 1.
#' smokers <- 312L
#' laplace_mechanism(smokers, sensitivity = 1, epsilon = 0.5, whole = TRUE)
#'
#' # A table of counts: replacing a record moves two cells by one each.
#' counts <- c(never = 500L, former = 188L, current = 312L)
#' gaussian_mechanism(counts, sensitivity = sqrt(2), epsilon = 0.5, delta = 1e-6, whole = TRUE)
#'
#' # The same for a table(); the levels were declared, so they are public.
#' cohort <- simulate(network("cancer"), nsim = 1000, seed = 1)
#' gaussian_mechanism(
#'   table(cohort[c("Smoker", "Cancer")]), sensitivity = sqrt(2), epsilon = 0.5, delta = 1e-6,
#'   whole = TRUE
#' )
#'
#' # Several releases from one budget, which cannot be overdrawn.
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' gaussian_mechanism(counts, sensitivity = sqrt(2), epsilon = 0.5, whole = TRUE, budget = budget)
#' budget
#' @export
laplace_mechanism <- function(value, sensitivity, epsilon, whole = FALSE, budget = NULL,
                              target = "value", seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_values(value, "value", call)
  check_positive(sensitivity)
  check_positive(epsilon)
  check_flag(whole)
  if (whole) check_whole(value, call)
  check_string(target)
  check_seed(seed, budget, call)
  ledger <- check_budget(budget, call)
  out <- with_mechanism(call, cpp_laplace(
    as.vector(value), sensitivity, epsilon, whole, ledger, target, seed
  ), budget, hint = gaussian_costs_less(epsilon, budget))
  new_release(
    in_form_of(out$value, value), "Laplace mechanism", epsilon, 0, Inf, out$private,
    list(scale = out$scale)
  )
}

#' @rdname laplace_mechanism
#' @export
gaussian_mechanism <- function(value, sensitivity, epsilon = NULL, delta = NULL, rho = NULL,
                               whole = FALSE, budget = NULL, target = "value", seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_values(value, "value", call)
  check_positive(sensitivity)
  ledger <- check_budget(budget, call)
  if (is.null(delta) && is.null(rho) && isTRUE(budget$delta > 0)) delta <- budget_delta(budget)
  rho <- choose_rho(epsilon, delta, rho, call, budget)
  check_flag(whole)
  if (whole) check_whole(value, call)
  check_string(target)
  check_seed(seed, budget, call)
  out <- with_mechanism(call, cpp_gaussian(
    as.vector(value), sensitivity, rho, whole, ledger, target, seed
  ), budget)
  new_release(
    in_form_of(out$value, value), "Gaussian mechanism",
    if (is.null(epsilon)) NA_real_ else epsilon, if (is.null(delta)) NA_real_ else delta, rho,
    out$private, list(sd = out$scale),
    at_delta = if (is.null(epsilon)) budget_delta(budget)
  )
}

#' Choose one of several candidates privately
#'
#' Draws a candidate that probably has a high score. With the exponential
#' mechanism the probability of a candidate with score u is proportional to
#' exp(epsilon u / (2 sensitivity)). Permute-and-flip (McKenna and Sheldon, 2020)
#' takes the candidates in random order and accepts each with probability
#' exp(-epsilon (best score - u) / (2 sensitivity)); on average its choice is
#' never worse.
#'
#' Both are `epsilon`-differentially private and drawn exactly. Against a budget
#' with `delta > 0` the exponential mechanism costs rho = epsilon^2 / 8;
#' permute-and-flip has no such bound and costs epsilon tanh(epsilon / 2), so it is
#' for budgets with `delta = 0`. Equal scores have equal chances.
#'
#' @inheritParams laplace_mechanism
#' @param scores The exact scores, one finite number per candidate; names, if any, name them. The
#'   candidates must be public, and the same for every data set: to rule one out, leave it out.
#' @param sensitivity The largest change of any single score when one record is
#'   replaced.
#' @param epsilon The guarantee; with a `budget`, what this choice takes from it.
#' @param monotone `TRUE` if replacing a record moves all scores in the same
#'   direction, which allows twice the precision. Counts of several categories are
#'   *not* monotone: the replaced record leaves one category and enters another.
#' @param method `"exponential"` or `"permute_and_flip"`.
#' @return A `privpc_release` whose `value` is the index of the chosen
#'   candidate, named if the scores are.
#' @references
#' McKenna, R. and Sheldon, D. (2020). Permute-and-flip: a new mechanism for
#' differentially private selection. *Advances in Neural Information Processing
#' Systems* 33.
#' @examples
#' # Which of three diagnoses is the most frequent?
#' counts <- c(asthma = 120, copd = 96, other = 31)
#' exponential_mechanism(counts, sensitivity = 1, epsilon = 0.5)
#' @export
exponential_mechanism <- function(scores, sensitivity, epsilon, monotone = FALSE,
                                  method = c("exponential", "permute_and_flip"), budget = NULL,
                                  target = "choice", seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_values(scores, "scores", call)
  check_positive(sensitivity)
  check_positive(epsilon)
  check_flag(monotone)
  method <- check_choice(method, c("exponential", "permute_and_flip"))
  check_string(target)
  check_seed(seed, budget, call)
  ledger <- check_budget(budget, call)
  out <- with_mechanism(call, cpp_exponential(
    as.vector(scores), sensitivity, epsilon, monotone, method == "permute_and_flip", ledger, target,
    seed
  ), budget)
  label <- c(exponential = "exponential mechanism", permute_and_flip = "permute and flip")[[method]]
  chosen <- out$value
  if (!is.null(names(scores))) names(chosen) <- names(scores)[[chosen]]
  new_release(chosen, label, epsilon, 0, Inf, out$private, list())
}

#' Private median of block results
#'
#' The median of a statistic computed on disjoint blocks of the data, with noise in
#' proportion to its *smooth sensitivity* (Nissim, Raskhodnikova and Smith, 2007).
#' Where the blocks agree, little noise is needed, even if the statistic itself has
#' no bounded sensitivity: this is how G2 and chi-square can be released.
#'
#' Each record must be in one block, assigned independently of its content (by row
#' number, say, not by hospital), so that replacing a record changes one of the values
#' only; the bounds must be public. The noise is small only if there are
#' many blocks: several times log(2 / delta) / epsilon for Laplace, more for Gaussian
#' noise. The constants are proved for the
#' discrete noise that is drawn; they are in the vignette `algorithms`. The result is
#' moved into the bounds.
#'
#' @inheritParams laplace_mechanism
#' @param values One value per block, no missing ones: decide, before the data are seen, which
#'   number between the bounds a block gets whose statistic is not defined.
#' @param lower,upper Public bounds; values outside, also infinite ones, are moved to them.
#' @param epsilon,delta The guarantee; both must be given. With a `budget`, what this release takes
#'   from it: the price of a pure step of `epsilon`, and `delta` of the budget's `reserve`.
#' @param noise `"laplace"` or `"gaussian"`.
#' @return A `privpc_release` with the noisy median as its `value`. How much
#'   noise was added is not told: it depends on the data.
#' @references
#' Nissim, K., Raskhodnikova, S. and Smith, A. (2007). Smooth sensitivity and
#' sampling in private data analysis. *Proceedings of STOC*, 75-84.
#' @examples
#' # A statistic on 1000 blocks of patients, known to be between 0 and 10.
#' on_blocks <- 4 + rnorm(1000, sd = 0.3)
#' private_median(on_blocks, lower = 0, upper = 10, epsilon = 1, delta = 1e-6)
#' @export
private_median <- function(values, lower, upper, epsilon, delta,
                           noise = c("laplace", "gaussian"), budget = NULL, target = "median",
                           seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  # Infinite values may be here, since the bounds limit how far one of them can move.
  check_values(values, "values", call, finite = FALSE)
  check_number(lower, min = -Inf, max = upper, min_open = TRUE, max_open = TRUE)
  check_number(upper, max = Inf, max_open = TRUE)
  check_positive(epsilon)
  check_number(delta, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  noise <- check_choice(noise, c("laplace", "gaussian"))
  check_string(target)
  check_seed(seed, budget, call)
  ledger <- check_budget(budget, call)
  out <- with_mechanism(call, cpp_smooth_median(
    as.vector(values), lower, upper, epsilon, delta, noise == "gaussian", ledger, target, seed
  ), budget)
  new_release(
    out$value, paste("smooth-sensitivity median,", noise, "noise"), epsilon, delta, Inf,
    out$private, list()
  )
}

# The whole numbers have no room for rounding in their sensitivity: a hundred values of 0.995 and of
# 1.004 are 0.9 apart in L1, and 100 after rounding. The values themselves are secret. Doubles of
# 2^53 and more are whole.
check_whole <- function(value, call) {
  if (all(value == floor(value))) return(invisible())
  abort(c(
    "{.arg value} must be whole numbers if {.arg whole} is {.code TRUE}.",
    i = paste(
      "Leave {.arg whole} out, or make the statistic a whole number for every data set and let",
      "{.arg sensitivity} count how far one record moves that."
    ),
    i = "Nothing was computed or spent."
  ), call = call)
}

check_positive <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_number(x, arg, min = 0, max = Inf, min_open = TRUE, max_open = TRUE, call = call)
}

# For the refusal of Laplace noise by a budget that counts in rho, where Gaussian noise of the same
# spread costs less, up to an epsilon of about 3.8 (accounting.hpp).
gaussian_costs_less <- function(epsilon, budget) {
  rho <- if (isTRUE(budget$delta > 0)) cpp_gaussian_instead(epsilon) else NA
  if (is.na(rho)) return(NULL)
  paste0(
    "In a budget with a delta {.fn gaussian_mechanism} costs less: noise of the same spread takes ",
    "rho = ", text_up(rho, 3), " at most."
  )
}

# rho as given, or the one that gives (epsilon, delta).
choose_rho <- function(epsilon, delta, rho, call, budget = NULL) {
  if (isTRUE(budget$delta == 0)) {
    abort(c(
      "Gaussian noise cannot be paid from a {.arg budget} without delta.",
      x = "It has no pure guarantee.",
      i = "For a guarantee without {.arg delta} use {.fn laplace_mechanism}."
    ), call = call)
  }
  if (!is.null(rho)) {
    if (!is.null(epsilon) || !is.null(delta)) {
      abort(c(
        "Give either {.arg rho} or {.arg epsilon} and {.arg delta}.",
        x = "Both were given."
      ), call = call)
    }
    check_positive(rho, "rho", call)
    return(rho)
  }
  if (is.null(epsilon) || is.null(delta)) {
    abort(c(
      "Gaussian noise needs {.arg epsilon} and {.arg delta}, or {.arg rho}.",
      x = if (is.null(epsilon) && !is.null(delta)) "{.arg epsilon} was not given.",
      i = if (!isTRUE(budget$delta > 0)) {
        "For a guarantee without {.arg delta} use {.fn laplace_mechanism}."
      }
    ), call = call)
  }
  check_positive(epsilon, "epsilon", call)
  check_number(delta, "delta", min = 0, max = 1, min_open = TRUE, max_open = TRUE, call = call)
  rho_from_dp(epsilon, delta)
}
