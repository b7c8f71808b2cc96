# Numeric columns by their public range: `bounds` become `breaks`, so that everything after this
# file knows breaks only.

# Bins of a column of which only the range is declared. Few, because each bin has to hold enough
# records to be seen through the noise; five is as many as questionnaires commonly offer.
default_bins <- 5L

# The breaks of all columns of which `breaks` or `bounds` were given, NULL if of none. What
# private_breaks() notes about their price stays with them.
resolve_breaks <- function(breaks, bounds, data, call) {
  if (is.null(breaks) && is.null(bounds)) return(NULL)
  check_prices(breaks, call)
  breaks <- with_price(breaks)
  if (is.null(bounds)) return(breaks)
  check_test_data(data, call)
  check_bounds(bounds, data, call)
  both <- intersect(names(bounds), names(breaks))
  if (length(both)) {
    abort(c(
      "Give either {.arg breaks} or {.arg bounds} for a column.",
      x = "Both were given for {.var {both}}."
    ), call = call)
  }
  cuts <- lapply(bounds, equal_width_breaks, bins = default_bins)
  if (is.null(breaks)) return(cuts)
  if (!is.list(breaks)) return(breaks) # check_breaks() says what is wrong with it
  out <- c(unclass(breaks), cuts)
  attr(out, "privacy") <- attr(breaks, "privacy")
  class(out) <- oldClass(breaks)
  out
}

equal_width_breaks <- function(range, bins) {
  seq(range[[1L]], range[[2L]], length.out = bins + 1L)
}

check_bounds <- function(bounds, data, call) {
  if (!is.list(bounds) || is.null(names(bounds)) || !all(nzchar(names(bounds))) ||
        anyDuplicated(names(bounds))) {
    abort(c(
      "{.arg bounds} must be a named list, two numbers per numeric column.",
      x = "It is {describe(bounds)}.",
      i = "For example {.code bounds = list(age = c(18, 100))}."
    ), call = call)
  }
  unknown <- setdiff(names(bounds), data_columns(data))
  if (length(unknown)) {
    abort(c(
      "{.arg bounds} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}.",
      i = "Numeric columns: {.var {numeric_columns(data)}}."
    ), call = call)
  }
  for (name in names(bounds)) {
    range <- bounds[[name]]
    if (!name %in% numeric_columns(data)) {
      abort(c(
        "{.arg bounds} are for numeric columns.",
        x = "Column {.var {name}} is {describe_column(data[[name]])}.",
        time_remedy(name, data[[name]])
      ), call = call)
    }
    if (!is.numeric(range) || length(range) != 2L || !all(is.finite(range)) ||
          range[[1L]] >= range[[2L]]) {
      abort(c(
        "{.arg bounds} for {.var {name}} must be its lowest and its highest possible value.",
        x = if (is.numeric(range)) "They are {.val {range}}." else "They are {describe(range)}.",
        i = "Take them from the questionnaire or the device, not from the data."
      ), call = call)
    }
  }
}

describe_column <- function(x) {
  kind <- column_kind(x)
  if (kind == "factor") "a factor" else describe_kind(kind)
}
