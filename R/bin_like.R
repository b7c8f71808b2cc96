# Numeric columns as bins: what the bins are called, and raw rows as a fit saw them.

# Public names of the levels, by variable, in the order of the encoded columns.
level_names <- function(encoded, breaks) {
  labels <- lapply(encoded$codes, function(x) {
    names <- as.character(attr(x, "levels"))
    names[is.na(names)] <- "NA"
    make.unique(names)
  })
  for (name in intersect(names(breaks), encoded$names)) {
    bins <- bin_labels(breaks[[name]])
    extra <- setdiff(labels[[name]], as.character(seq_along(bins)))
    labels[[name]] <- c(bins, extra)
  }
  unname(labels)
}

# The outer bins also hold what lies beyond the outer cut points, so these are not in their names;
# the others are named as cut() names them: "<= 40", "(40,65]", "> 65".
bin_labels <- function(breaks) {
  cuts <- cut_numbers(breaks)
  if (length(cuts) == 0L) return("all")
  last <- length(cuts)
  c(
    paste("<=", cuts[[1L]]),
    paste0("(", cuts[-last], ",", cuts[-1L], "]", recycle0 = TRUE),
    paste(">", cuts[[last]])
  )
}

# The numbers at which breaks cut, as text; the outer ones do not.
cut_numbers <- function(breaks) {
  inner <- as.double(breaks[-c(1L, length(breaks))])
  digits <- 6L
  number <- function() {
    vapply(inner, function(x) {
      format(x, digits = digits, scientific = abs(x) >= 1e15 || (x != 0 && abs(x) < 1e-5))
    }, "")
  }
  while (anyDuplicated(number()) && digits < 15L) digits <- digits + 1L
  number()
}

#' Rows as a fit saw them
#'
#' Cuts the numeric columns of a data frame into the bins that a fit used, and gives all levels the
#' names that they have in the fit. The result goes with the fitted graph and its private
#' parameters into functions of other packages, such as `bnlearn::score()` or
#' `predict()`.
#'
#' **What is computed from raw rows is not private.** The fit may be published; a score, a
#' prediction for people of the study or probabilities that bnlearn estimates from the rows that
#' this function returns may not. For private probabilities use [as_bn_fit()], for private rows
#' [simulate()][simulate.privpc_network] on [as_network()].
#'
#' @details
#' Bins are closed on the right and called by their limits: `"<= 40"`, `"(40,65]"`, `"> 65"`. Values
#' beyond the outer cut points are in the outer bins. A column that the fit used at full
#' resolution and never in bins stays a number.
#'
#' Missing values become the level `"NA"` in the columns where they were a level in the fit, and
#' stay missing in the others.
#'
#' @param data A data frame with the variables of the fit; further columns are left out.
#' @param fit A fit of one of the learners.
#' @param ... Must be empty.
#' @return A data frame of factors, with the columns of the fit in its order.
#' @seealso [private_breaks()] for bins of about equal size.
#' @examples
#' # A cohort with a number in it: age, on which asthma depends.
#' set.seed(1)
#' age <- runif(20000, 18, 90)
#' asthma <- factor(runif(20000) < 0.1 + age / 200, levels = c(FALSE, TRUE))
#' cohort <- data.frame(age, asthma)
#' fit <- marginal_pc(cohort, epsilon = 1, breaks = list(age = c(18, 40, 65, 90)))
#'
#' # The first patients as the fit saw them
#' head(bin_like(cohort, fit))
#'
#' # How well does the private network fit other people? Not private: it is about their rows.
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   others <- data.frame(
#'     age = c(25, 50, 95), asthma = factor(c(FALSE, TRUE, TRUE), levels = c(FALSE, TRUE))
#'   )
#'   logLik(as_bn_fit(fit), bin_like(others, fit))
#' }
#' @export
bin_like <- function(data, fit, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(fit)
  if (!inherits(fit, "privpc")) {
    abort(c(
      "{.arg fit} must be a fit of one of the learners.",
      x = "It is {describe(fit)}."
    ), call = call)
  }
  check_data_frame(data, call)
  absent <- setdiff(fit$nodes, names(data))
  if (length(absent)) {
    abort(c(
      "{.arg data} must have the variables of the fit.",
      x = "Not there: {.val {absent}}."
    ), call = call)
  }
  rows <- data[fit$nodes]
  breaks <- fit$settings$breaks
  fine <- setdiff(names(rows)[vapply(rows, column_kind, "") == "numeric"], names(breaks))
  encoded <- encode_data(rows, fit$settings$na, breaks, full_resolution = fine, call = call)
  labels <- stats::setNames(level_names(encoded, breaks), encoded$names)
  held <- fit$measurements
  known <- if (is.null(held)) labels else stats::setNames(held$levels, held$nodes)
  ordered <- if (is.null(held)) encoded$ordered else held$ordered
  for (name in setdiff(fit$nodes, fine)) {
    column <- encoded$codes[[match(name, encoded$names)]]
    values <- labels[[name]][as.integer(column)]
    unknown <- setdiff(values, c(known[[name]], NA))
    if (length(unknown)) abort_unknown_levels(name, unknown, known[[name]], call)
    rows[[name]] <- factor(
      values, levels = known[[name]], ordered = ordered[[match(name, encoded$names)]]
    )
  }
  rows
}

abort_unknown_levels <- function(name, unknown, levels, call) {
  abort(c(
    "Column {.var {name}} of {.arg data} has levels that the fit does not know.",
    x = "Unknown: {.val {unknown}}.",
    i = "The fit's: {.val {levels}}."
  ), call = call)
}
