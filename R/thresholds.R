#' Critical values of Kendall's T and Spearman's R
#'
#' How large the statistics of [cond_tau()] and [cond_rho()] may be by chance when x and y are
#' independent inside strata, from public or assumed margins. No data are needed, so nothing is
#' spent: for the `threshold` of [sieve_and_examine()] and [sparse_vector()]. How large a study must
#' be is told by [plan_study()].
#'
#' The statistic is the sum over strata of n_k tau_k (or n_k rho_k); under independence its mean is
#' 0. Let a2 = 1 - sum p^2 and a3 = 1 - sum p^3 over the probabilities p of the levels of x (1 and 1
#' if it has no ties), b2 and b3 the same for y. A stratum of m records contributes the variance
#'
#' (4/9) m(m-2)/(m-1) a3 b3 + 2m/(m-1) a2 b2
#'
#' to T, and
#'
#' m^2/(m-1) g h, with g = ((m-2) a3 + 3 a2)/(m+1)
#'
#' to R (h like g for y), exactly. The critical value is the normal quantile times the
#' root of the sum. If noise will be added, the critical value of the sum of both is given, so that
#' a noisy statistic of at least this size (in absolute value) has probability `alpha`.
#'
#' @param n Number of records; a vector for several strata.
#' @param x,y Margin of each variable: `NULL` if there are no ties, one whole number for so many
#'   equally frequent levels, or a vector of probabilities or frequencies of the levels.
#'   A list with one of these for every stratum is possible.
#' @param alpha Level, two-sided. May be a vector.
#' @param laplace,gaussian Scale of Laplace noise, or standard deviation of Gaussian noise, that
#'   will be added; at most one of them.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return The critical value of T or R; divide by `sum(n)` for the scale of tau or rho.
#' @examples
#' # Two binary variables, one of them rare, in 100,000 records
#' kendall_threshold(100000, x = 2, y = c(0.99, 0.01), alpha = 0.01)
#'
#' # The same without knowing how rare it is, and with noise for epsilon = 0.5: T has
#' # sensitivity 2 for binary variables.
#' kendall_threshold(100000, x = 2, y = 2, alpha = 0.01, laplace = 2 / 0.5)
#'
#' # Numeric variables in four strata
#' spearman_threshold(c(500, 300, 150, 50), alpha = 0.05)
#' @export
kendall_threshold <- function(n, x = NULL, y = NULL, alpha = 0.05, laplace = 0, gaussian = 0, ...) {
  check_dots_empty(...)
  order_threshold("tau", n, x, y, alpha, laplace, gaussian, rlang::current_env())
}

#' @rdname kendall_threshold
#' @export
spearman_threshold <- function(n, x = NULL, y = NULL, alpha = 0.05, laplace = 0, gaussian = 0,
                               ...) {
  check_dots_empty(...)
  order_threshold("rho", n, x, y, alpha, laplace, gaussian, rlang::current_env())
}

order_threshold <- function(test, n, x, y, alpha, laplace, gaussian, call) {
  check_numbers(n, "n", min = 0, whole = TRUE, call = call)
  check_numbers(alpha, "alpha", min = 0, max = 1, min_open = TRUE, max_open = TRUE, call = call)
  check_number(laplace, "laplace", min = 0, max = Inf, max_open = TRUE, call = call)
  check_number(gaussian, "gaussian", min = 0, max = Inf, max_open = TRUE, call = call)
  if (laplace > 0 && gaussian > 0) {
    abort(c(
      "Give {.arg laplace} or {.arg gaussian}, not both.", x = "Both are above 0."
    ), call = call)
  }
  variance <- sum(stratum_variance(
    test, n, margin_shares(x, "x", length(n), call), margin_shares(y, "y", length(n), call)
  ))
  if (laplace == 0) {
    return(stats::qnorm(alpha / 2, lower.tail = FALSE) * sqrt(variance + gaussian^2))
  }
  vapply(alpha, function(level) noisy_critical(level, variance, laplace), 0)
}

# Variance of n tau or n rho under independence; the expectation over the margins of formulas (1)
# and (2) of null_variance.hpp, whose shares of pairs and triples have the expectations a2 and a3
# and are independent for x and y.
stratum_variance <- function(test, n, x, y) {
  m <- pmax(n, 2)
  variance <- if (test == "tau") {
    4 / 9 * m * (m - 2) / (m - 1) * x$triples * y$triples + 2 * m / (m - 1) * x$pairs * y$pairs
  } else {
    share <- function(v) ((m - 2) * v$triples + 3 * v$pairs) / (m + 1)
    m^2 / (m - 1) * share(x) * share(y)
  }
  ifelse(n < 2, 0, variance)
}

# a2 and a3 of every stratum.
margin_shares <- function(margin, arg, strata, call) {
  each <- if (is.list(margin)) margin else list(margin)
  if (!length(each) %in% c(1L, strata)) {
    abort(c(
      "{.arg {arg}} must have one margin, or one for each of the {strata} strata in {.arg n}.",
      x = "It has {length(each)}."
    ), call = call)
  }
  shares <- vapply(each, function(one) {
    if (is.null(one)) return(c(pairs = 1, triples = 1))
    if (is_level_count(one)) return(c(pairs = 1 - 1 / one, triples = 1 - 1 / one^2))
    p <- margin_probabilities(one, arg, call)
    c(pairs = 1 - sum(p^2), triples = 1 - sum(p^3))
  }, c(pairs = 0, triples = 0))
  list(pairs = rep_len(shares["pairs", ], strata), triples = rep_len(shares["triples", ], strata))
}

# A number of equally frequent levels, however large.
is_level_count <- function(margin) {
  is_number(margin, 1) && is.finite(margin) && margin == round(margin)
}

margin_probabilities <- function(margin, arg, call) {
  good <- is.numeric(margin) && !is.object(margin) && length(margin) > 0L &&
    all(is.finite(margin)) && all(margin >= 0) && sum(margin) > 0
  # One probability alone is none; one number of levels was dealt with above.
  if (good && length(margin) > 1L) return(margin / sum(margin))
  abort(c(
    "{.arg {arg}} must be `NULL`, a number of levels, or the probabilities of the levels.",
    x = "It is {describe(margin)}.",
    i = "For example {.code {arg} = 3} or {.code {arg} = c(0.7, 0.2, 0.1)}."
  ), call = call)
}

# The value that a normal variable plus Laplace noise exceeds (in absolute value) with this chance.
noisy_critical <- function(level, variance, scale) {
  excess <- function(t) log(noisy_normal_tail(t, variance, "laplace", scale)) - log(level)
  high <- scale + sqrt(variance)
  while (excess(high) > 0) high <- 2 * high
  stats::uniroot(excess, c(0, high), tol = high * 1e-12)$root
}
