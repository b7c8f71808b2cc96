# From a user's data frame to what the core counts: integer codes with public
# levels. Everything a user can get wrong about `data` is caught here, before
# any table is made.

max_levels <- 65535L
max_variables <- 4096L

# Returns a list: names, levels (how many), ordered, numeric, codes (factors),
# values (of numeric columns), n; variables sorted by name in byte order, so that nothing downstream
# can depend on the order of the columns.
# `by_order`: the test compares by order (tau, rho), so a missing value cannot be
# a level. `full_resolution` names the columns that are compared by their values
# if they are numeric; all others are used through their bins.
encode_data <- function(data, na = "error", breaks = NULL, by_order = FALSE,
                        full_resolution = NULL, call = rlang::caller_env()) {
  facts <- check_data_frame(data, call)
  check_na_rule(na, by_order, call)
  check_breaks(breaks, data, call)
  by_name <- cpp_byte_order(names(data))
  columns <- unclass(data)[by_name]
  kinds <- facts$kind[by_name]
  check_column_kinds(columns, kinds, call)
  values <- vector("list", length(columns))
  fine <- logical(length(columns))
  numbers <- which(kinds == "numeric")
  fine[numbers] <- names(columns)[numbers] %in% full_resolution
  bare <- names(columns)[numbers[!fine[numbers]]]
  bare <- bare[!bare %in% names(breaks)]
  if (length(bare)) abort_numeric_needs_breaks(bare, call)
  for (i in numbers) {
    cuts <- breaks[[names(columns)[[i]]]]
    if (fine[[i]]) {
      values[[i]] <- as.double(columns[[i]])
      if (anyNA(values[[i]])) abort_missing(names(columns)[[i]], by_order, call)
    }
    columns[i] <- list(if (!is.null(cuts)) bin_values(columns[[i]], cuts))
  }
  if (na == "level") columns <- lapply(columns, function(x) if (!is.null(x)) addNA(x))
  coded <- cpp_column_facts(columns)
  check_level_counts(coded, names(columns), call)
  if (by_order && any(coded$na_level)) {
    abort_missing(names(columns)[coded$na_level], by_order, call)
  }
  list(
    names = names(columns), levels = coded$levels,
    ordered = fine | (coded$ordered & !coded$na_level), numeric = fine, codes = columns,
    values = values, n = facts$n, by_order = by_order
  )
}

# Calls the core; a missing value shows there, as a code that is no level.
with_encoded <- function(encoded, call, run) {
  tryCatch(
    run(encoded),
    error = function(e) {
      if (grepl("has missing or undeclared values", conditionMessage(e), fixed = TRUE)) {
        bad <- mapply(function(x, levels) {
          codes <- as.integer(x)
          length(codes) > 0L && (anyNA(codes) || any(codes < 1L | codes > levels))
        }, encoded$codes, encoded$levels)
        abort_missing(encoded$names[bad], encoded$by_order, call)
      }
      abort(c("The search could not be run.", x = "{conditionMessage(e)}."), call = call)
    }
  )
}

# Kind and size of every column, and the number of rows. Plain factors and numbers, that is nearly
# always all columns, are told without R's dispatch.
column_facts <- function(data) {
  facts <- cpp_column_facts(data)
  facts$n <- .row_names_info(data, 2L)
  for (i in which(facts$kind == "")) {
    column <- unclass(data)[[i]]
    facts$kind[[i]] <- column_kind(column)
    facts$size[[i]] <- if (length(dim(column))) facts$n else length(column)
  }
  facts
}

column_kind <- function(x) {
  if (!is.null(dim(x))) return("matrix")
  if (is.factor(x)) return("factor")
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

# Returns its column_facts().
check_data_frame <- function(data, call) {
  if (!is.data.frame(data)) {
    abort(c(
      "{.arg data} must be a data frame with one row per record.",
      x = "It is {describe(data)}.",
      i = if (inherits(data, "table")) {
        "A table of counts must be expanded to one row per record first."
      } else if (is.matrix(data)) {
        "Convert it with {.code as.data.frame()} and declare the levels with {.code factor()}."
      }
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
  if (length(data) < 2L) {
    abort(c(
      "{.arg data} must have at least 2 columns.",
      x = "It has {length(data)}."
    ), call = call)
  }
  if (length(data) > max_variables) {
    abort(c(
      "{.arg data} has too many columns.",
      x = "It has {length(data)}; at most {max_variables} are possible."
    ), call = call)
  }
  facts <- column_facts(data)
  if (facts$n == 0L) {
    abort(c("{.arg data} must have rows.", x = "It has none."), call = call)
  }
  uneven <- given[facts$size != facts$n]
  if (length(uneven)) {
    abort(c(
      "Every column of {.arg data} must have one value per row.",
      x = "{cli::qty(uneven)}Column{?s} {.var {uneven}} {?has/have} not: the data frame is damaged."
    ), call = call)
  }
  invisible(facts)
}

check_na_rule <- function(na, by_order, call) {
  if (!is.character(na) || length(na) != 1L || !na %in% c("error", "level")) {
    abort(c(
      "{.arg na} must be {.val error} or {.val level}.",
      x = "It is {describe(na)}.",
      i = "To leave incomplete rows out, use {.fn na.omit} on the columns you need; who has missing values is then not protected."
    ), call = call)
  }
  if (na == "level" && by_order) {
    abort(c(
      "{.arg na} = {.val level} does not go with a test that compares by order.",
      i = "A missing value has no place in the order. Use {.fn na.omit} on the data, or the tests {.val g2}, {.val chisq} or {.val cmh}."
    ), call = call)
  }
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
      x = "Unknown: {.var {unknown}}.",
      i = "Numeric columns: {.var {names(data)[vapply(data, column_kind, '') == 'numeric']}}."
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
        x = if (is.numeric(b)) "They are {.val {b}}." else "They are {describe(b)}."
      ), call = call)
    }
  }
}

check_column_kinds <- function(columns, kinds, call) {
  bad <- which(!kinds %in% c("factor", "numeric"))
  if (length(bad) == 0L) return(invisible())
  name <- names(columns)[[bad[[1L]]]]
  column <- paste0("data$", as_code(name))
  kind <- kinds[[bad[[1L]]]]
  remedy <- switch(kind,
    character = "Declare all values it can have; they become public: {.code {column} <- factor({column}, levels = c(...))}.",
    logical = "Declare its levels: {.code {column} <- factor({column}, levels = c(FALSE, TRUE))}.",
    date = "Turn it into a number, {.code {column} <- as.numeric({column})}, with public {.code bounds = list({as_code(name)} = as.numeric(as.Date(c(\"2000-01-01\", \"2025-12-31\"))))}, or into a factor of periods.",
    "Drop it, or turn it into a factor with declared levels."
  )
  others <- names(columns)[bad[-1L]]
  abort(c(
    "Columns of {.arg data} must be factors or numbers.",
    x = "Column {.var {name}} is {describe_kind(kind)}.",
    i = remedy,
    x = if (length(others)) "Neither a factor nor a number {?is/are} also {.var {others}}."
  ), call = call)
}

# A name as it is written in code.
as_code <- function(names) {
  ifelse(names == make.names(names), names, paste0("`", gsub("`", "\\\\`", names), "`"))
}

describe_kind <- function(kind) {
  switch(kind,
    character = "text", logical = "logical", date = "a date or time",
    list = "a list", matrix = "a matrix", "of a class that cannot be counted"
  )
}

# Numeric columns without breaks have been left out (NULL) and have no levels.
check_level_counts <- function(coded, names, call) {
  none <- coded$levels == 0L & coded$size > 0
  if (any(none)) abort_missing(names[none], FALSE, call)
  many <- which(coded$levels > max_levels)
  if (length(many) == 0L) return(invisible())
  abort(c(
    "Column {.var {names[[many[[1L]]]]}} of {.arg data} has too many levels.",
    x = "It has {coded$levels[[many[[1L]]]]}; at most {max_levels} are possible.",
    i = "Merge levels, or use it as a number with {.arg breaks}."
  ), call = call)
}

abort_numeric_needs_breaks <- function(names, call) {
  example <- paste0("breaks = list(", paste0(as_code(names), " = c(...)", collapse = ", "), ")")
  range <- paste0(
    "bounds = list(", paste0(as_code(names), " = c(lowest, highest)", collapse = ", "), ")"
  )
  column <- paste0("data$", as_code(names[[1L]]))
  abort(c(
    "Numeric column{?s} {.var {names}} can be counted and conditioned on only in bins.",
    i = "Declare public cut points, in increasing order: {.code {example}}.",
    i = "Or only the public range, for {default_bins} bins of equal width: {.code {range}}.",
    i = "If a column's few numbers are categories, make it a factor: {.code {column} <- factor({column}, levels = ...)}."
  ), call = call)
}

abort_missing <- function(names, by_order, call) {
  abort(c(
    "{.arg data} has missing values in column{?s} {.var {names}}, or values outside the declared levels.",
    i = "Leave those rows out with {.fn na.omit}.",
    i = if (by_order) {
      "This test compares by order, in which a missing value has no place."
    } else {
      "Or make missing values a level of their own with {.code na = \"level\"}."
    }
  ), call = call)
}
