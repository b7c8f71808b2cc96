# Conversions between the ways of stating a privacy loss. The formulas, with their sources and
# the reason why rounding is safe, stand beside the C++ code: accounting.hpp and renyi.hpp.

check_loss <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_numbers(x, arg, min = 0, call = call)
}

check_delta <- function(delta, arg = rlang::caller_arg(delta), call = rlang::caller_env()) {
  check_numbers(delta, arg, min = 0, max = 1, min_open = TRUE, max_open = TRUE, call = call)
}

check_sample <- function(sampled, total, call = rlang::caller_env()) {
  check_numbers(total, min = 1, max = 1e15, whole = TRUE, call = call)
  check_numbers(sampled, min = 1, max = 1e15, whole = TRUE, call = call)
  longest <- max(length(sampled), length(total))
  sampled <- rep_len(sampled, longest)
  total <- rep_len(total, longest)
  wrong <- which(sampled > total)
  if (length(wrong) == 0L) return(invisible())
  first <- wrong[[1L]]
  abort(c(
    "{.arg sampled} must be at most {.arg total}.",
    x = "{format(sampled[[first]])} of {format(total[[first]])} rows were asked for."
  ), call = call)
}

# Either one value or as many as the longest: silent recycling hides mistakes.
check_lengths <- function(..., call = rlang::caller_env()) {
  sizes <- lengths(list(...))
  longest <- max(sizes)
  odd <- names(sizes)[sizes != 1L & sizes != longest]
  if (length(odd) == 0L) return(invisible())
  given <- sizes[[odd[[1L]]]]
  abort(c(
    "All arguments must have one value, or as many as the longest, which has {longest}.",
    x = "{.arg {odd[[1L]]}} has {given}."
  ), call = call)
}

#' From (epsilon, delta) to rho and back
#'
#' @description
#' A promise is stated in epsilon and delta; the cost of noisy steps adds up best in rho
#' ("zero-concentrated" differential privacy). These functions change between the two.
#'
#' * `rho_from_dp()`: the largest rho that keeps the promise (epsilon, delta).
#' * `dp_from_rho()`: the epsilon that a given rho keeps, at a given delta.
#' * `delta_from_rho()`: the delta that a given rho keeps, at a given epsilon.
#'
#' All three round against the one who spends: rho down, epsilon and delta up.
#'
#' @details
#' **Gaussian noise only.** If every step adds Gaussian noise, and nothing else comes from the data,
#' the same rhos imply a smaller epsilon ("Gaussian differential privacy"): with mu = sqrt(2 rho),
#' delta = `pnorm(mu / 2 - epsilon / mu) - exp(epsilon) * pnorm(-mu / 2 - epsilon / mu)`, which
#' `gaussian = TRUE` solves. At epsilon = 1 and delta = 1e-6 it allows 1.15 times the rho. It holds
#' for noise that is continuous, and for discrete noise on whole numbers whose variance is larger by
#' 4 than sensitivity^2 / (2 rho). [marginal_pc()] counts its own steps in this way; budgets do not,
#' because they pay for steps of all kinds.
#'
#' Gaussian noise of standard deviation s on a statistic that changes by at most D (in Euclidean
#' length) when one record is replaced costs rho = D^2 / (2 s^2). A step that is
#' epsilon-differentially private costs at most epsilon^2 / 2. The rhos of all steps are added.
#'
#' The conversion is the tight one of Canonne, Kamath and Steinke: the smallest delta over all
#' orders a > 1 of `exp((a - 1) * (a * rho - epsilon)) * (1 - 1 / a)^a / (a - 1)`. At epsilon = 1
#' and delta = 1e-6 it allows 1.39 times the rho of the common formula
#' `epsilon = rho + 2 * sqrt(rho * log(1 / delta))`.
#' @param epsilon,delta,rho Numbers or vectors of numbers: epsilon and rho at least 0 and finite,
#'   delta between 0 and 1.
#' @param gaussian `TRUE` if all that was computed from the data has Gaussian noise; see below.
#' @return A vector of numbers: rho, epsilon or delta.
#' @references
#' Bun, M. and Steinke, T. (2016). Concentrated differential privacy: simplifications,
#' extensions, and lower bounds. \doi{10.48550/arXiv.1605.02065}
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential
#' privacy. \doi{10.48550/arXiv.2004.00010}
#'
#' Dong, J., Roth, A. and Su, W. (2022). Gaussian differential privacy. *Journal of the Royal
#' Statistical Society B* 84, 3-37.
#'
#' Smith, A. and Thakurta, A. (2022). Fully adaptive composition for Gaussian differential privacy.
#' \doi{10.48550/arXiv.2210.17520}
#' @seealso [privacy_budget()], which does this for you.
#' @examples
#' # How much rho is there in a budget of epsilon = 1, delta = 1e-6?
#' rho <- rho_from_dp(1, 1e-6)
#' rho
#'
#' # The standard deviation of the noise on one count, if all of it is spent there
#' sqrt(1 / (2 * rho))
#'
#' # Ten such counts are ten times the rho. What would that promise?
#' dp_from_rho(10 * rho, 1e-6)
#'
#' # Which delta belongs to epsilon = 2?
#' delta_from_rho(rho, epsilon = 2)
#'
#' # If all noise is Gaussian there is more
#' rho_from_dp(1, 1e-6, gaussian = TRUE) / rho
#' @export
rho_from_dp <- function(epsilon, delta, gaussian = FALSE) {
  check_loss(epsilon)
  check_delta(delta)
  check_flag(gaussian)
  check_lengths(epsilon = epsilon, delta = delta)
  if (gaussian) cpp_gaussian_rho_from_dp(epsilon, delta) else cpp_rho_from_dp(epsilon, delta)
}

#' @rdname rho_from_dp
#' @export
dp_from_rho <- function(rho, delta, gaussian = FALSE) {
  check_loss(rho)
  check_delta(delta)
  check_flag(gaussian)
  check_lengths(rho = rho, delta = delta)
  if (gaussian) cpp_gaussian_dp_from_rho(rho, delta) else cpp_dp_from_rho(rho, delta)
}

#' @rdname rho_from_dp
#' @export
delta_from_rho <- function(rho, epsilon) {
  check_loss(rho)
  check_loss(epsilon)
  check_lengths(rho = rho, epsilon = epsilon)
  cpp_delta_from_rho(rho, epsilon)
}

#' The loss of many steps by advanced composition
#'
#' The classical bound on the loss of many private steps. The budget of this package does not
#' use it, because [rho_from_dp()] gives a smaller loss for the same noise; it is here for
#' comparison with papers that do.
#'
#' `steps` steps, each (epsilon, delta)-differentially private, lose together at most
#' `epsilon * sqrt(2 * steps * log(1 / slack)) + steps * epsilon * (exp(epsilon) - 1)`, up to a
#' probability `steps * delta + slack`. Simply added up they lose `steps * epsilon`, up to
#' `steps * delta`, which is less for few steps or large ones; then that is the answer. Rounded up.
#' @param epsilon,delta What each step promises.
#' @param steps How many steps.
#' @param slack The probability given to the composition itself, between 0 and 1.
#' @return A data frame with the columns `steps`, `epsilon` and `delta`, one row per element of
#'   the longest argument.
#' @references
#' Dwork, C., Rothblum, G. and Vadhan, S. (2010). Boosting and differential privacy.
#' \doi{10.1109/FOCS.2010.12}
#' @examples
#' # A hundred steps of epsilon = 0.1 at a delta of 1e-6
#' advanced_composition(0.1, steps = 100, slack = 1e-6)
#'
#' # Simply added up they would lose 10. With rho, at most 0.1^2 / 2 a step, they lose
#' dp_from_rho(100 * 0.1^2 / 2, delta = 1e-6)
#' @export
advanced_composition <- function(epsilon, steps, slack, delta = 0) {
  check_loss(epsilon)
  check_numbers(steps, min = 1, max = 1e15, whole = TRUE)
  check_delta(slack)
  check_numbers(delta, min = 0, max = 1, max_open = TRUE)
  check_lengths(epsilon = epsilon, steps = steps, slack = slack, delta = delta)
  total <- cpp_advanced_composition(epsilon, delta, steps, slack)
  data.frame(
    steps = rep_len(steps, length(total$epsilon)), epsilon = total$epsilon, delta = total$delta
  )
}

#' Privacy gained by looking at a random part of the rows
#'
#' @description
#' A private step that looks only at a secret random sub-sample protects each record twice: by
#' its noise, and by the chance that the record is not in the sub-sample.
#'
#' * `amplified_epsilon()`: the loss of the whole, when a step with loss `epsilon` is run on
#'   `sampled` of `total` rows. Rounded up.
#' * `epsilon_before_sampling()`: the reverse. The loss the step itself may have so that the
#'   whole loses `epsilon`. Rounded down.
#'
#' @details
#' The rows are drawn without replacement and neighbours differ in one replaced record; then the
#' loss is `log(1 + sampled / total * (exp(epsilon) - 1))`. It holds for one step that is
#' epsilon-differentially private, on a sub-sample that is drawn for it and not used again.
#' @param epsilon The loss of the step, or of the whole; at least 0.
#' @param sampled,total Numbers of rows: in the sub-sample, and in all.
#' @return A vector of numbers.
#' @references
#' Balle, B., Barthe, G. and Gaboardi, M. (2018). Privacy amplification by subsampling.
#' \doi{10.48550/arXiv.1807.01647}
#' @examples
#' # A step with epsilon = 1 on a tenth of the rows
#' amplified_epsilon(1, sampled = 1000, total = 10000)
#'
#' # To lose 0.1 in all, that step could have had
#' epsilon_before_sampling(0.1, sampled = 1000, total = 10000)
#' @export
amplified_epsilon <- function(epsilon, sampled, total) {
  check_loss(epsilon)
  check_sample(sampled, total)
  check_lengths(epsilon = epsilon, sampled = sampled, total = total)
  cpp_amplified_epsilon(epsilon, sampled, total)
}

#' @rdname amplified_epsilon
#' @export
epsilon_before_sampling <- function(epsilon, sampled, total) {
  check_loss(epsilon)
  check_sample(sampled, total)
  check_lengths(epsilon = epsilon, sampled = sampled, total = total)
  cpp_epsilon_before_sampling(epsilon, sampled, total)
}

#' Gaussian noise on random parts of the rows
#'
#' @description
#' Several steps, each of which draws a fresh secret sub-sample, computes a statistic on it and
#' adds Gaussian noise.
#'
#' * `subsampled_gaussian_dp()`: the epsilon of all steps together, at a given delta. Rounded up.
#' * `subsampled_gaussian_sigma()`: the reverse. The standard deviation of the noise with which
#'   all steps together keep (epsilon, delta). Rounded up.
#'
#' @details
#' Rows are drawn without replacement and neighbours differ in one replaced record. The result is
#' the smallest of three valid bounds: that of Wang, Balle and Kasiviswanathan (Theorem 9),
#' evaluated at many whole orders; the gain from sampling for each step on its own, added up,
#' which is best for a single step; and the bound without any gain from sampling. All three also
#' hold for noise from the discrete Gaussian.
#' @param sigma Standard deviation of the noise.
#' @param sampled,total Numbers of rows: in each sub-sample, and in all.
#' @param delta,epsilon The promise.
#' @param steps How many steps, each with its own sub-sample.
#' @param sensitivity By how much the statistic of a sub-sample can change, in Euclidean length,
#'   when one of its records is replaced.
#' @return A vector of numbers.
#' @references
#' Wang, Y.-X., Balle, B. and Kasiviswanathan, S. (2019). Subsampled Renyi differential privacy
#' and analytical moments accountant. \doi{10.48550/arXiv.1808.00087}
#' @examples
#' # A hundred looks at 1 % of the rows, with noise five times the sensitivity
#' subsampled_gaussian_dp(5, sampled = 1000, total = 1e5, delta = 1e-6, steps = 100)
#'
#' # The same looks at all rows
#' subsampled_gaussian_dp(5, sampled = 1e5, total = 1e5, delta = 1e-6, steps = 100)
#'
#' # How much noise is needed for epsilon = 1?
#' subsampled_gaussian_sigma(1, delta = 1e-6, sampled = 1000, total = 1e5, steps = 100)
#' @export
subsampled_gaussian_dp <- function(sigma, sampled, total, delta, steps = 1, sensitivity = 1) {
  check_numbers(sigma, min = 0, min_open = TRUE)
  check_sample(sampled, total)
  check_delta(delta)
  check_numbers(steps, min = 1, max = 1e15, whole = TRUE)
  check_loss(sensitivity)
  check_lengths(
    sigma = sigma, sampled = sampled, total = total, delta = delta, steps = steps,
    sensitivity = sensitivity
  )
  cpp_subsampled_gaussian_dp(sigma, sampled, total, steps, delta, sensitivity)
}

#' @rdname subsampled_gaussian_dp
#' @export
subsampled_gaussian_sigma <- function(epsilon, delta, sampled, total, steps = 1,
                                      sensitivity = 1) {
  check_numbers(epsilon, min = 0, max = 1e15, min_open = TRUE)
  check_delta(delta)
  check_sample(sampled, total)
  check_numbers(steps, min = 1, max = 1e15, whole = TRUE)
  check_loss(sensitivity)
  check_lengths(
    epsilon = epsilon, delta = delta, sampled = sampled, total = total, steps = steps,
    sensitivity = sensitivity
  )
  cpp_subsampled_gaussian_sigma(epsilon, delta, sampled, total, steps, sensitivity)
}
