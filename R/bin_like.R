# Numeric columns as bins: what the bins are called, and raw rows as a fit saw them.

# Public names of the levels, by variable, in the order of the schema.
level_names <- function(schema, breaks) {
  labels <- lapply(schema$labels, function(x) {
    names <- as.character(x)
    names[is.na(names)] <- "NA"
    make.unique(names)
  })
  for (name in intersect(names(breaks), schema$names)) {
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
  local_decimal_point()
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
#' Where a fit of [marginal_pc()] has a factor, text, numbers, dates and logical values are matched
#' to its levels by their text: 0 and 1 to `"0"` and `"1"`, a date to `"2024-01-31"`. Other fits do
#' not keep their levels and need the same factors as they were learnt from.
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
  fit <- fit_behind(fit, call)
  check_fit(fit, call)
  check_data_frame(data, call)
  absent <- setdiff(fit$nodes, names(data))
  if (length(absent)) {
    abort(c(
      "{.arg data} must have the variables of the fit.",
      x = "Not there: {.val {absent}}."
    ), call = call)
  }
  breaks <- fit$settings$breaks
  with_level <- check_na_rule(fit$settings$na, fit$nodes, FALSE, NULL, call)
  held <- fit$measurements
  by_value <- any(vapply(fit$settings$test, compares_by_order, NA))
  rows <- data[fit$nodes]
  for (name in fit$nodes) {
    at <- match(name, held$nodes)
    rows[[name]] <- column_like(
      rows[[name]], name, cuts = breaks[[name]],
      known = if (!is.null(held)) held$levels[[at]],
      ordered = if (!is.null(held)) held$ordered[[at]],
      na_level = name %in% with_level,
      by_value = by_value, call = call
    )
  }
  rows
}

# One column as the fit saw it. Of the fits, only those with measurements know their levels
# (`known`) and whether these are ordered; of the others it is known which columns they cut, and
# whether numbers were compared by value.
column_like <- function(x, name, cuts, known, ordered, na_level, by_value, call) {
  kind <- column_kind(x)
  if (!is.null(cuts)) {
    if (kind != "numeric") abort_not_a_number(name, x, kind, cuts, call)
    bins <- bin_labels(cuts)
    given <- list(codes = as.integer(bin_values(x, cuts)), labels = bins)
    if (is.null(known)) known <- c(bins, if (na_level) "NA")
    if (is.null(ordered)) ordered <- !na_level
  } else {
    if (is.null(known) && kind == "numeric" && by_value) return(x)
    if (kind %in% c("list", "matrix") || (is.null(known) && kind != "factor")) {
      abort_not_a_factor(name, kind, known, call)
    }
    given <- coded_text(x)
    na_level <- na_level || (kind == "factor" && anyNA(levels(x)))
    if (is.null(known)) {
      declared <- levels(x)[!is.na(levels(x))]
      known <- make.unique(c(declared, if (na_level) "NA"))
    }
    if (is.null(ordered)) ordered <- is.ordered(x) && !na_level
  }
  labels <- given$labels
  if (na_level) {
    # A level that is called "NA" keeps the name; that of the missing values comes after it.
    na_name <- if ("NA.1" %in% known) "NA.1" else "NA"
    labels[is.na(labels)] <- na_name
    if (anyNA(given$codes)) {
      labels <- c(labels, na_name)
      given$codes[is.na(given$codes)] <- length(labels)
    }
  }
  unknown <- setdiff(labels[tabulate(given$codes, length(labels)) > 0L], c(known, NA))
  if (length(unknown)) {
    abort_unknown_levels(name, if (kind == "factor") unknown, known, call)
  }
  coded_factor(match(labels, known)[given$codes], known, ordered)
}

# The text of each value, as the number of one of the texts that there are.
coded_text <- function(x) {
  if (is.factor(x)) return(list(codes = as.integer(x), labels = levels(x)))
  local_decimal_point()
  # Times are written alike, all with seconds or none.
  size <- if (is.object(x) && !inherits(x, "Date")) Inf else 1e5
  labels <- character()
  codes <- by_blocks(x, size = size, code = function(some) {
    text <- as.character(some)
    labels <<- unique(c(labels, text))
    match(text, labels)
  })
  list(codes = codes, labels = labels)
}

abort_not_a_number <- function(name, x, kind, cuts, call) {
  column <- paste0("data$", as_code(name))
  abort(c(
    "Column {.var {name}} of {.arg data} must be numeric, as it was in the fit.",
    x = "It is {describe_column(x)}.",
    i = "The fit cut it at {cut_numbers(cuts)}.",
    i = switch(kind,
      date = "If it was made from dates: {.code {column} <- as.numeric({column})}.",
      # Times count seconds, dates days.
      time = "If it was made from dates: {.code {column} <- as.numeric(as.Date({column}))}."
    )
  ), call = call)
}

abort_not_a_factor <- function(name, kind, known, call) {
  column <- paste0("data$", as_code(name))
  given <- if (kind == "numeric") "numeric" else describe_kind(kind)
  abort(c(
    "Column {.var {name}} of {.arg data} must be a factor, as it was in the fit.",
    x = "It is {given}.",
    i = if (is.null(known)) {
      paste(
        "Only fits of {.fn marginal_pc} keep their levels. For this one make the same factor as",
        "for the fit: {.code {column} <- factor({column}, levels = ...)}."
      )
    } else {
      "The fit's levels: {.val {known}}."
    }
  ), call = call)
}

# Levels are public and are named; other values are those of records and are not.
abort_unknown_levels <- function(name, unknown, levels, call) {
  what <- if (is.null(unknown)) {
    "values that are none of the fit's levels"
  } else {
    "levels that the fit does not know"
  }
  abort(c(
    "Column {.var {name}} of {.arg data} has {what}.",
    x = if (!is.null(unknown)) "Unknown: {.val {unknown}}.",
    i = "The fit's: {.val {levels}}."
  ), call = call)
}
