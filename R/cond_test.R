#' Conditional independence tests
#'
#' Tests whether `x` and `y` are independent inside every stratum of the
#' variables in `given`. These are the tests that [exact_pc()] asks and the
#' private learners answer with noise; used directly they are **not private**.
#'
#' * `cond_tau()`: Kendall. The statistic is T, the sum over strata of
#'   \eqn{n_k \tau_k}, with \eqn{\tau_k} Kendall's tau-a inside stratum k (0 in
#'   strata of one record); the estimate is T / n, a weighted mean of the strata's tau.
#'   The p-value is normal, with the variance corrected for ties; z is that of
#'   [cor.test()], which prints tau-b instead of tau-a.
#' * `cond_rho()`: Spearman. The statistic is the sum of \eqn{n_k \rho_k}, where
#'   \eqn{\rho_k} uses mid-ranks and the fixed normaliser
#'   \eqn{12 / (n_k^3 - n_k)}; without ties this is the usual coefficient. The
#'   p-value is normal, with the permutation variance given the ties.
#' * `cond_g2()`, `cond_chisq()`: log-likelihood ratio and Pearson's chi-square,
#'   summed over strata. Degrees of freedom count the declared levels, or with
#'   `df = "occurring"` in each stratum only those that occur in it: the sum over strata of
#'   (occurring levels of `x` - 1)(occurring levels of `y` - 1). Without any, the p-value is 1.
#' * `cond_cmh()`: generalised Cochran-Mantel-Haenszel. Ordered factors of three
#'   and more levels enter through their scores 1, 2, ...; so two nominal
#'   variables give the general association test, one ordered variable the
#'   mean-score test, two ordered variables the correlation test. No continuity
#'   correction.
#'
#' Numeric `x` and `y` are compared at full resolution by `cond_tau()` and
#' `cond_rho()`, by an algorithm whose time grows as n log n. Conditioning on a
#' numeric variable, or giving one to the other tests, needs `breaks`.
#'
#' @inheritParams exact_pc
#' @param x,y Names of two columns of `data`.
#' @param given Names of the columns to condition on; `NULL` for none.
#'
#' @return An object of class `htest` with the extra element `sensitivity`: a proved
#'   upper bound on the change of the statistic when one record is replaced by any
#'   other, the number of records and the levels being public; `NULL` where there is
#'   no finite bound.
#' @references
#' Knight, W. R. (1966). A computer method for calculating Kendall's tau with
#' ungrouped data. *Journal of the American Statistical Association* 61, 436-439.
#'
#' Landis, J. R., Heyman, E. R. and Koch, G. G. (1978). Average partial
#' association in three-way contingency tables. *International Statistical
#' Review* 46, 237-254.
#' @examples
#' survey <- simulate(network("survey"), nsim = 50000, seed = 1)
#'
#' # Does education (E) depend on age (A)? Age is an ordered factor.
#' cond_tau(survey, "A", "E")
#'
#' # Age has to do with the size of the residence (R), but only through education:
#' cond_g2(survey, "A", "R")
#' cond_g2(survey, "A", "R", given = "E")
#'
#' # One record can move the Kendall statistic by at most
#' cond_tau(survey, "A", "E", given = "S")$sensitivity
#' @name cond_tests
NULL

#' @rdname cond_tests
#' @export
cond_tau <- function(data, x, y, given = NULL, na = "error", breaks = NULL, bounds = NULL,
                     levels = NULL, other = "error", ...) {
  check_dots_empty(...)
  cond_test(data, x, y, given, "tau", na, breaks, bounds, levels, other, rlang::caller_arg(data))
}

#' @rdname cond_tests
#' @export
cond_rho <- function(data, x, y, given = NULL, na = "error", breaks = NULL, bounds = NULL,
                     levels = NULL, other = "error", ...) {
  check_dots_empty(...)
  cond_test(data, x, y, given, "rho", na, breaks, bounds, levels, other, rlang::caller_arg(data))
}

#' @rdname cond_tests
#' @export
cond_g2 <- function(data, x, y, given = NULL, na = "error", breaks = NULL, bounds = NULL,
                    levels = NULL, other = "error", df = c("declared", "occurring"), ...) {
  check_dots_empty(...)
  df <- check_df(df, "g2")
  cond_test(data, x, y, given, "g2", na, breaks, bounds, levels, other, rlang::caller_arg(data), df)
}

#' @rdname cond_tests
#' @export
cond_chisq <- function(data, x, y, given = NULL, na = "error", breaks = NULL, bounds = NULL,
                       levels = NULL, other = "error", df = c("declared", "occurring"), ...) {
  check_dots_empty(...)
  df <- check_df(df, "chisq")
  cond_test(
    data, x, y, given, "chisq", na, breaks, bounds, levels, other, rlang::caller_arg(data), df
  )
}

#' @rdname cond_tests
#' @export
cond_cmh <- function(data, x, y, given = NULL, na = "error", breaks = NULL, bounds = NULL,
                     levels = NULL, other = "error", ...) {
  check_dots_empty(...)
  cond_test(data, x, y, given, "cmh", na, breaks, bounds, levels, other, rlang::caller_arg(data))
}

cond_test <- function(data, x, y, given, test, na, breaks, bounds, levels, other, data_name,
                      df = "declared", call = rlang::caller_env()) {
  check_test_data(data, call)
  check_quoted(c("x", "y", "given"), call)
  check_test_columns(data, x, y, given, call)
  used <- c(x, y, given)
  breaks <- resolve_breaks(breaks, bounds, data, call)
  check_breaks(breaks, data, call)
  by_order <- compares_by_order(test)
  source <- data_source(
    data, na_rule_of(na, used, data, call), breaks[names(breaks) %in% used], by_order,
    if (by_order) c(x, y), paste0("cond_", nominal_tests), levels, other, used, private = FALSE,
    call = call
  )
  schema <- source$schema
  say_nominal_order(schema, test, c(x, y))
  at <- function(names) match(names, schema$names)
  found <- with_source(source, call, function(source) {
    cpp_cond_test(source, test, df, at(x), at(y), at(given), force_portable())
  })
  out <- list(
    statistic = stats::setNames(found$statistic, test_registry[[test]]$symbol),
    parameter = if (by_order) c(z = found$z) else c(df = found$df),
    p.value = found$p.value,
    estimate = if (by_order) stats::setNames(found$estimate, test),
    null.value = if (by_order) stats::setNames(0, test),
    alternative = if (by_order) "two.sided",
    method = test_method(test, length(given) > 0L),
    data.name = paste0(
      x, " and ", y, if (length(given)) paste0(" given ", paste(given, collapse = ", ")),
      " in ", data_name
    )
  )
  out <- out[!vapply(out, is.null, NA)]
  out["sensitivity"] <- list(if (is.finite(found$sensitivity)) found$sensitivity)
  structure(out, class = "htest")
}

test_method <- function(test, conditional) {
  label <- test_registry[[test]]$label
  if (conditional) paste("Conditional", label) else label
}

check_test_data <- function(data, call) {
  check_given(data, "data", call)
  if (!is_counted(data)) check_data_frame(data, call)
}

check_test_columns <- function(data, x, y, given, call) {
  check_string(x, "x", call)
  check_string(y, "y", call)
  if (!is.null(given) && (!is.character(given) || anyNA(given))) {
    abort(c(
      "{.arg given} must be a character vector of column names, or `NULL`.",
      x = "It is {describe(given)}."
    ), call = call)
  }
  unknown <- setdiff(c(x, y, given), data_columns(data))
  if (length(unknown)) {
    abort(c(
      "{.arg x}, {.arg y} and {.arg given} must name columns of {.arg data}.",
      x = "Not there: {.val {unknown}}.",
      i = "Columns: {.val {data_columns(data)}}."
    ), call = call)
  }
  repeated <- unique(c(x, y, given)[duplicated(c(x, y, given))])
  if (length(repeated)) {
    abort(c(
      "{.arg x}, {.arg y} and {.arg given} must name different columns.",
      x = "Given more than once: {.val {repeated}}."
    ), call = call)
  }
  if (length(given) > core_limits$max_order) {
    abort(c(
      "{.arg given} can name at most {core_limits$max_order} columns.",
      x = "It names {length(given)}."
    ), call = call)
  }
}
