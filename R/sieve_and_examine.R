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
#' @section Queries that are not defined everywhere:
#' The sensitivity of a query is finite only if the query is a finite number for *every* set of rows
#' of *every* data set. A share among the smokers is not: a sub-sample may have none, and then one
#' record makes a number of what was missing. There are two ways to deal with it:
#' * say beforehand what counts instead, by `if_missing`. The replacement is then a value of the
#'   query like any other, and `sensitivity` has to cover it: it must be at least the largest
#'   distance between the replacement and any value that the query can have when one record more, or
#'   less, decides whether it is defined. For a share among the smokers, with any replacement
#'   between 0 and 1, that is 1.
#' * define the query so that it is a number everywhere.
#'
#' Without `if_missing` a missing or infinite value is refused. That all queries are finite
#' numbers is then a public fact, of which the promise does not cover the opposite: a refusal tells,
#' at no further price, that on some rows a query is not a number. Where functions are given it can
#' come only in the middle of a run, which stays paid.
#'
#' @inheritParams laplace_mechanism
#' @param queries The statistics: a list of functions, each taking a vector of row
#'   numbers and returning one finite number for *every* set of rows (see below); or a list of
#'   two vectors `sample` and `all` with values on
#'   rows of the user's choice and on all rows. In the second form no gain from
#'   sampling is credited, because a sub-sample may serve one run only and the function
#'   cannot see where the values came from.
#' @param n Number of rows of the data.
#' @param threshold The public threshold.
#' @param sensitivity The largest change of any single statistic when one record
#'   is replaced, on the sub-sample and on all rows, with `if_missing` in the place of missing
#'   and infinite values.
#' @param tweak By how much the sieve's threshold is lower.
#' @param epsilon The guarantee; with a `budget`, what this run takes from it.
#' @param subsample Number of rows of the sub-sample that is drawn.
#' @param share Share of epsilon for the sieve.
#' @param if_missing A finite, public number that takes the place of every missing or infinite value
#'   of a query; `NULL` if there can be none.
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
#'
#' # The same among the old. A sub-sample may have none of them: then the share counts as 0. One
#' # record can be the only old one, so that a share moves by up to 1.
#' old <- runif(1000) < 0.3
#' among_old <- lapply(1:3, function(j) function(rows) mean(high[rows[old[rows]], j]))
#' sieve_and_examine(among_old, n = 1000, threshold = 0.5, sensitivity = 1, subsample = 500,
#'                   epsilon = 1, if_missing = 0)
#' @export
sieve_and_examine <- function(queries, n, threshold, sensitivity, epsilon, tweak = 0,
                              subsample = n, share = 0.5, if_missing = NULL, budget = NULL,
                              target = "queries", seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_given(queries)
  check_number(n, min = 1, max = core_limits$max_rows, whole = TRUE)
  if (!is.null(if_missing)) {
    check_number(if_missing, min = -Inf, max = Inf, min_open = TRUE, max_open = TRUE)
  }
  ask <- check_queries(queries, is.null(if_missing), call)
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
    if (is.finite(value)) return(as.double(value))
    # A number that was not declared would have to be one that no sensitivity covers. Not said:
    # which query it was.
    if (is.null(if_missing)) {
      abort_not_finite(call, if (!is.null(budget)) "The run had begun, and stays paid.")
    }
    as.double(if_missing)
  }
  out <- with_mechanism(call, cpp_sieve_and_examine(
    query, ask$number, n, subsample, threshold, tweak, sensitivity, epsilon, share, ledger,
    target, seed
  ), budget)
  new_release(
    out[c("sieved", "accepted")], "sieve and examine", epsilon, 0, Inf, out$private,
    list(
      `threshold scale` = out$threshold_noise, `query scale` = out$query_noise,
      `examine scale` = out$examine_noise
    )
  )
}

abort_not_finite <- function(call, paid) {
  abort(c(
    "Every query in {.arg queries} must be a finite number for every set of rows.",
    x = "A value is missing or infinite.",
    i = paste(
      "Say what counts instead, {.code if_missing = 0} for instance, with a {.arg sensitivity}",
      "that covers it."
    ),
    i = paid
  ), class = "privpc_not_finite", call = call)
}

# Given values can be looked at before the run is paid, those of functions cannot.
check_queries <- function(queries, must_be_finite, call) {
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
    if (must_be_finite && !all(is.finite(c(queries$sample, queries$all)))) {
      abort_not_finite(call, "Nothing was computed or spent.")
    }
    return(list(
      number = length(queries$all), given = TRUE,
      value = function(i, rows, everyone) {
        if (is.null(rows)) queries$all[[i]] else queries$sample[[i]]
      }
    ))
  }
  abort(c(
    paste(
      "{.arg queries} must be a list of functions of row numbers, or {.code list(sample =, all =)}",
      "with two vectors of the same length."
    ),
    x = "It is {type_of(queries)}."
  ), call = call)
}
