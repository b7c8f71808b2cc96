#' Sieve and examine
#'
#' The mechanism of Priv-PC (Wang, Pang and Song, 2020, Algorithm 1). Many
#' queries are looked at quickly on a sub-sample, until one seems to be above the
#' threshold (the *sieve*); that one is then looked at carefully on all rows (the
#' *examine* step). One call is one run: it finds at most one query.
#'
#' A part of `epsilon` pays for the sieve, the rest for the examine step. Drawing
#' the sub-sample at random makes the sieve's own epsilon larger than its part,
#' log(1 + (n / m)(exp(part) - 1)). The run is paid for when it starts, whatever it
#' finds, and its sub-sample is used once and never told.
#'
#' A lower threshold in the sieve (`tweak > 0`) makes it miss fewer queries that
#' are above the threshold, at the price of stopping at some that are not, which
#' the examine step then refuses.
#'
#' @inheritParams laplace_mechanism
#' @param queries The statistics: a list of functions, each taking a vector of row
#'   numbers and returning one number for *every* set of rows (a missing value counts
#'   as below the threshold); or a list of two vectors `sample` and `all` with values on
#'   rows of the user's choice and on all rows. In the second form no gain from
#'   sampling is credited, because a sub-sample may serve one run only and the function
#'   cannot see where the values came from.
#' @param n Number of rows of the data.
#' @param threshold The public threshold.
#' @param sensitivity The largest change of any single statistic when one record
#'   is replaced, on the sub-sample and on all rows.
#' @param tweak By how much the sieve's threshold is lower.
#' @param epsilon The guarantee; with a `budget`, what this run takes from it.
#' @param subsample Number of rows of the sub-sample that is drawn.
#' @param share Share of epsilon for the sieve.
#' @return A `privpc_release` whose `value` is a list: `sieved`, the number of the
#'   query at which the sieve stopped (`NA` if at none), and `accepted`, whether
#'   the examine step found it above the threshold.
#' @references
#' Wang, L., Pang, Q. and Song, D. (2020). Towards practical differentially private
#' causal graph discovery. *Advances in Neural Information Processing Systems* 33.
#' @examples
#' # Is any of these measurements high in more than half of the patients?
#' high <- matrix(runif(3000) < rep(c(0.1, 0.2, 0.8), each = 1000), ncol = 3)
#' share_of <- lapply(1:3, function(j) function(rows) mean(high[rows, j]))
#'
#' # On m rows one record moves a share by 1 / m; m = 500 is the smaller number.
#' sieve_and_examine(share_of, n = 1000, threshold = 0.5, sensitivity = 1 / 500,
#'                   subsample = 500, epsilon = 1)
#' @export
sieve_and_examine <- function(queries, n, threshold, sensitivity, epsilon, tweak = 0,
                              subsample = n, share = 0.5, budget = NULL, target = "queries",
                              seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_given(queries)
  check_number(n, min = 1, max = 2147483647, whole = TRUE)
  ask <- check_queries(queries, call)
  check_number(threshold, min = -Inf, max = Inf, min_open = TRUE, max_open = TRUE)
  check_positive(sensitivity)
  check_positive(epsilon)
  check_number(tweak, min = -Inf, max = Inf, min_open = TRUE, max_open = TRUE)
  check_number(subsample, min = 1, max = n, whole = TRUE)
  if (ask$given && subsample < n) {
    abort(c(
      "{.arg subsample} must be {.arg n} if the values are given.",
      i = "Give functions of row numbers, so that a fresh sub-sample can be drawn for this run."
    ), call = call)
  }
  check_number(share, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_string(target)
  check_seed(seed, budget, call)
  ledger <- check_budget(budget, call)
  everyone <- seq_len(n)
  query <- function(i, rows) {
    value <- ask$value(i, rows, everyone)
    if (!(is.numeric(value) || is.logical(value)) || length(value) != 1L) {
      abort("Every query in {.arg queries} must return one number.", call = call)
    }
    # An error here would depend on the data.
    if (is.na(value)) -Inf else as.double(value)
  }
  out <- with_mechanism(call, cpp_sieve_and_examine(
    query, ask$number, n, subsample, threshold, tweak, sensitivity, epsilon, share, ledger,
    target, seed
  ), budget)
  new_release(
    out[c("sieved", "accepted")], "sieve and examine", epsilon, 0, Inf, seed,
    list(
      `threshold scale` = out$threshold_noise, `query scale` = out$query_noise,
      `examine scale` = out$examine_noise
    )
  )
}

check_queries <- function(queries, call) {
  if (is.list(queries) && length(queries) > 0L && all(vapply(queries, is.function, NA))) {
    return(list(
      number = length(queries), given = FALSE,
      value = function(i, rows, everyone) queries[[i]](if (is.null(rows)) everyone else rows)
    ))
  }
  two <- is.list(queries) && setequal(names(queries), c("sample", "all")) &&
    is.numeric(queries$sample) && is.numeric(queries$all) &&
    length(queries$sample) == length(queries$all) && length(queries$all) > 0L
  if (two) {
    return(list(
      number = length(queries$all), given = TRUE,
      value = function(i, rows, everyone) {
        if (is.null(rows)) queries$all[[i]] else queries$sample[[i]]
      }
    ))
  }
  abort(c(
    "{.arg queries} must be a list of functions of row numbers, or {.code list(sample =, all =)} with two vectors of the same length.",
    x = "It is {type_of(queries)}."
  ), call = call)
}
