#' Size of the sub-sample in Priv-PC: the paper's formula
#'
#' How many rows the sieve of [sieve_and_examine()] looks at if the published optimum is followed
#' (Wang, Pang and Song, 2020). It is for comparisons, not for planning a study ([plan_study()] is);
#' all rows are the more accurate choice.
#'
#' @details
#' The size m minimises sqrt(n/m) / log((n/m)(exp(epsilon/2) - 1) + 1), and is kept
#' between n/20 and n.
#'
#' With r = n/m and y = r (exp(epsilon/2) - 1) the quantity is proportional to
#' sqrt(y) / log(1 + y), which falls up to the solution y = 3.92155... of
#' log(1 + y) = 2y / (1 + y) and rises after it. So the best r is y / (exp(epsilon/2) - 1), and
#' where that is outside 1 to 20 the nearer end is best.
#'
#' **What it is good for.** The square root stands for the sensitivity of the paper's
#' conditional statistic, which the paper takes to grow as 1 / sqrt(m). On the scale of tau itself,
#' T / n, the noise of the sieve grows with n/m instead of its root, and a smaller sub-sample
#' always means more noise relative to the signal. Sub-sampling therefore buys time, not
#' accuracy; all rows (`subsample = n`) are the most accurate choice.
#'
#' @param n Number of rows; from 1 to 1e15.
#' @param epsilon The privacy parameter of one run of sieve-and-examine.
#' @return The number of rows of the sub-sample, a whole number between n/20 (rounded up) and n.
#'   Both arguments may be vectors.
#' @references
#' Wang, L., Pang, Q. and Song, D. (2020). Towards practical differentially private
#' causal graph discovery. *Advances in Neural Information Processing Systems* 33.
#' @examples
#' # With a small epsilon the lower limit is reached, with a large one all rows are taken.
#' subsample_size(100000, epsilon = c(0.1, 0.5, 1, 2, 5))
#' @export
subsample_size <- function(n, epsilon) {
  check_numbers(n, min = 1, max = 1e15, whole = TRUE)
  check_numbers(epsilon, min = 0, min_open = TRUE)
  check_lengths(n = n, epsilon = epsilon)
  ratio <- pmin(20, pmax(1, best_growth / expm1(epsilon / 2)))
  size <- n / ratio
  lowest <- ceiling(n / 20)
  below <- pmin(n, pmax(lowest, floor(size)))
  above <- pmin(n, pmax(lowest, ceiling(size)))
  # The better of the two whole numbers around it.
  ifelse(sieve_noise_level(n, below, epsilon) <= sieve_noise_level(n, above, epsilon), below, above)
}

# Where sqrt(y) / log(1 + y) is smallest: log(1 + y) = 2y / (1 + y).
best_growth <- 3.92155363456751

# The quantity of the paper. With h = epsilon/2 and r = n/m the logarithm is
# h + log(1 + (r - 1)(1 - e^-h)), which neither overflows nor loses digits.
sieve_noise_level <- function(n, m, epsilon) {
  ratio <- n / m
  half <- epsilon / 2
  sqrt(ratio) / (half + log1p((ratio - 1) * -expm1(-half)))
}
