# From a user's data frame to what the core counts: integer codes with public
# levels. Everything a user can get wrong about `data` is caught here, before
# any table is made.

max_levels <- 65535L
max_variables <- 4096L

# Returns a list: names, levels (how many), ordered, numeric, codes (factors),
# values (of numeric columns), n; variables sorted by name in byte order, so that nothing downstream
# can depend on the order of the columns.
# `full_resolution`: numeric columns are compared by their values (tau, rho) and
# binned only for conditioning; otherwise they are used through their bins.
encode_data <- function(data, na = "error", breaks = NULL, full_resolution = FALSE,
                        min_columns = 2L, call = rlang::caller_env()) {
  check_data_frame(data, min_columns, call)
  na <- check_na_rule(na, call)
  check_breaks(breaks, data, call)
  columns <- unclass(data)[order(names(data), method = "radix")]
  kinds <- vapply(columns, column_kind, "", USE.NAMES = FALSE)
  check_column_kinds(columns, kinds, call)
  values <- vector("list", length(columns))
  numeric <- logical(length(columns))
  for (i in which(kinds == "numeric")) {
    name <- names(columns)[[i]]
    if (full_resolution) {
      values[[i]] <- as.double(columns[[i]])
      if (anyNA(values[[i]])) abort_missing(name, numeric = TRUE, call)
      numeric[[i]] <- TRUE
    } else if (is.null(breaks[[name]])) {
      abort_numeric_needs_breaks(name, call)
    }
    columns[i] <- list(if (!is.null(breaks[[name]])) bin_values(columns[[i]], breaks[[name]]))
  }
  if (na == "level") columns <- lapply(columns, function(x) if (!is.null(x)) addNA(x))
  levels <- vapply(columns, function(x) length(attr(x, "levels")), 0L, USE.NAMES = FALSE)
  check_level_counts(levels, columns, call)
  list(
    names = names(columns), levels = levels,
    ordered = numeric | vapply(columns, is.ordered, NA, USE.NAMES = FALSE),
    numeric = numeric, codes = columns, values = values, n = nrow(data)
  )
}

# Calls the core; a missing value shows there, as a code that is no level.
with_encoded <- function(encoded, call, run) {
  tryCatch(
    run(encoded),
    error = function(e) {
      missing <- vapply(encoded$codes, function(x) !is.null(x) && anyNA(as.integer(x)), NA)
      if (any(missing)) abort_missing(encoded$names[missing], numeric = FALSE, call)
      abort(c("The data cannot be used.", x = "{conditionMessage(e)}"), call = call)
    }
  )
}

column_kind <- function(x) {
  if (is.factor(x)) return("factor")
  if (!is.null(dim(x))) return("matrix")
  if (is.numeric(x) && !is.object(x)) return("numeric")
  if (is.character(x)) return("character")
  if (is.logical(x)) return("logical")
  if (inherits(x, c("Date", "POSIXt", "difftime"))) return("date")
  if (is.list(x)) return("list")
  "other"
}

bin_values <- function(x, breaks) {
  inner <- breaks[-c(1L, length(breaks))]
  codes <- findInterval(x, inner, left.open = TRUE) + 1L
  factor(codes, levels = seq_len(length(breaks) - 1L), ordered = TRUE)
}

check_data_frame <- function(data, min_columns, call) {
  if (!is.data.frame(data)) {
    abort(c(
      "{.arg data} must be a data frame with one row per record.",
      x = "It is {describe(data)}.",
      i = if (is.matrix(data)) "Convert it with {.code as.data.frame()} and declare the levels with {.code factor()}."
    ), call = call)
  }
  given <- names(data)
  bare <- which(is.na(given) | !nzchar(given))
  if (length(bare)) {
    abort(c(
      "Every column of {.arg data} needs a name.",
      x = "Without one: column number {bare}."
    ), call = call)
  }
  if (anyDuplicated(given)) {
    abort(c(
      "Column names of {.arg data} must be unique.",
      x = "Given more than once: {.var {unique(given[duplicated(given)])}}."
    ), call = call)
  }
  if (length(data) < min_columns) {
    abort(c(
      "{.arg data} must have at least {min_columns} columns.",
      x = "It has {length(data)}."
    ), call = call)
  }
  if (length(data) > max_variables) {
    abort(c(
      "{.arg data} has too many columns.",
      x = "It has {length(data)}; at most {max_variables} are possible."
    ), call = call)
  }
  if (nrow(data) == 0L) {
    abort(c("{.arg data} must have rows.", x = "It has none."), call = call)
  }
}

check_na_rule <- function(na, call) {
  if (is.character(na) && length(na) == 1L && na %in% c("error", "level")) return(na)
  abort(c(
    "{.arg na} must be {.val error} or {.val level}.",
    x = "It is {describe(na)}.",
    i = "{.val level} makes missing values a level of their own in every column."
  ), call = call)
}

check_breaks <- function(breaks, data, call) {
  if (is.null(breaks)) return(invisible())
  if (!is.list(breaks) || is.null(names(breaks)) || !all(nzchar(names(breaks))) ||
        anyDuplicated(names(breaks))) {
    abort(c(
      "{.arg breaks} must be a named list, one numeric vector per numeric column.",
      x = "It is {describe(breaks)}.",
      i = "For example {.code breaks = list(age = c(0, 40, 65, 120))}."
    ), call = call)
  }
  unknown <- setdiff(names(breaks), names(data))
  if (length(unknown)) {
    abort(c(
      "{.arg breaks} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}."
    ), call = call)
  }
  for (name in names(breaks)) {
    b <- breaks[[name]]
    if (column_kind(data[[name]]) != "numeric") {
      abort(c(
        "{.arg breaks} are for numeric columns.",
        x = "Column {.var {name}} is {describe(data[[name]])}."
      ), call = call)
    }
    if (!is.numeric(b) || length(b) < 2L || anyNA(b) || is.unsorted(b, strictly = TRUE)) {
      abort(c(
        "{.arg breaks} for {.var {name}} must be at least two numbers in increasing order.",
        x = "They are {describe(b)}."
      ), call = call)
    }
  }
}

check_column_kinds <- function(columns, kinds, call) {
  bad <- !kinds %in% c("factor", "numeric")
  if (!any(bad)) return(invisible())
  i <- which(bad)[[1L]]
  name <- names(columns)[[i]]
  remedy <- switch(kinds[[i]],
    character = ,
    logical = "Declare its levels, which become public: {.code data${name} <- factor(data${name}, levels = {example_levels(kinds[[i]])})}.",
    date = "Turn it into a number or a factor of periods: {.code data${name} <- factor(format(data${name}, \"%Y\"), levels = c(\"2024\", \"2025\"))}.",
    "Drop it, or turn it into a factor with declared levels."
  )
  abort(c(
    "Columns of {.arg data} must be factors or numbers.",
    x = "Column {.var {name}} is {describe_kind(kinds[[i]])}{if (sum(bad) > 1) paste0(' (and ', sum(bad) - 1, ' more like it)')}.",
    i = remedy
  ), call = call)
}

example_levels <- function(kind) {
  if (kind == "logical") "c(FALSE, TRUE)" else "c(\"low\", \"high\")"
}

describe_kind <- function(kind) {
  switch(kind,
    character = "text", logical = "logical", date = "a date or time",
    list = "a list", matrix = "a matrix", "of a class that cannot be counted"
  )
}

# Numeric columns without breaks have been left out (NULL) and have no levels.
check_level_counts <- function(levels, columns, call) {
  none <- levels == 0L & lengths(columns) > 0L
  if (any(none)) abort_missing(names(columns)[none], numeric = FALSE, call)
  many <- which(levels > max_levels)
  if (length(many) == 0L) return(invisible())
  abort(c(
    "Column {.var {names(columns)[[many[[1L]]]]}} of {.arg data} has too many levels.",
    x = "It has {levels[[many[[1L]]]]}; at most {max_levels} are possible.",
    i = "Merge levels, or use it as a number with {.arg breaks}."
  ), call = call)
}

abort_numeric_needs_breaks <- function(name, call) {
  abort(c(
    "Numeric column {.var {name}} needs declared {.arg breaks} for this use.",
    i = "Give public cut points: {.code breaks = list({name} = c(0, 10, 20))}; values outside go to the outer bins.",
    i = "If its few values are categories, declare them: {.code data${name} <- factor(data${name}, levels = 0:3)}."
  ), call = call)
}

abort_missing <- function(names, numeric, call) {
  abort(c(
    "{.arg data} has missing values in column{?s} {.var {names}}.",
    i = if (numeric) {
      "Remove those rows, or turn the column into a factor and use {.code na = \"level\"}."
    } else {
      "Remove those rows, or make missing values a level of their own with {.code na = \"level\"}."
    }
  ), call = call)
}
