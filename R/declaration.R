# What a user declares about columns that are not factors: `levels`, and with `other` what becomes
# of values that are none of them. The declaration is public and never read off the data. It is the
# same for a data frame, for a table in a data base and for a file in parts, so that the fit is.
#
# A *coding* says which level a value of one column gets: `name`; `values` (those with a level, in
# their order; NULL for a number in bins); `cuts` (between bins; NULL for levels); `labels` (what
# the levels are called, without that for missing values); `ordered`; `other` (the number of the
# level for all other values, NA if there is none); `missing` (whether a missing value has a level,
# which is then the last).

# The arguments `levels` and `other` as a list of codings, by name. `columns` are those of the data.
read_levels <- function(levels, other, columns, call) {
  if (is.null(levels)) {
    check_other(other, character(), call)
    return(list())
  }
  check_levels(levels, columns, call)
  prototype <- is.data.frame(levels)
  codings <- lapply(names(levels), function(name) {
    read_coding(name, unclass(levels)[[name]], prototype, call)
  })
  names(codings) <- names(levels)
  # A number in a prototype says nothing; its column needs `breaks`.
  codings <- codings[!vapply(codings, is.null, NA)]
  with_other(codings, check_other(other, names(codings), call))
}

check_levels <- function(levels, columns, call) {
  given <- names(levels)
  if (!is.list(levels) || is.null(given) || anyNA(given) || !all(nzchar(given)) ||
        anyDuplicated(given)) {
    abort(c(
      "{.arg levels} must be a named list, the possible values of one column each.",
      x = "It is {describe(levels)}.",
      i = paste(
        "For example {.code levels = list(smoking = c(\"no\", \"yes\"))}, or a data frame of",
        "factors, of which only the levels are looked at."
      )
    ), call = call)
  }
  unknown <- setdiff(given, columns)
  if (length(unknown)) {
    abort(c(
      "{.arg levels} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}.",
      i = "Columns: {.var {columns}}."
    ), call = call)
  }
}

# In a `prototype`, a data frame, only what holds for every value of a column counts: the levels of
# a factor, and that a logical is FALSE or TRUE.
read_coding <- function(name, given, prototype, call) {
  values <- if (is.factor(given)) {
    attr(given, "levels")
  } else if (prototype && is.logical(given)) {
    c(FALSE, TRUE)
  } else if (prototype && is.numeric(given)) {
    return(NULL)
  } else if (!prototype) {
    given
  }
  plain <- is.factor(given) || !is.object(given)
  if (!plain || is.null(values) || !(is.character(values) || is.numeric(values) ||
                                       is.logical(values))) {
    abort(c(
      "{.arg levels} of {.var {name}} must be all values it can have.",
      x = "They are {describe(given)}.",
      i = paste(
        "For example {.code {as_code(name)} = c(\"no\", \"yes\")}; if their order has a meaning,",
        "{.code {as_code(name)} = factor(levels = c(\"low\", \"high\"), ordered = TRUE)}."
      )
    ), call = call)
  }
  missing <- anyNA(values)
  values <- as.vector(values[!is.na(values)])
  labels <- written_out(values)
  if (length(values) == 0L || anyDuplicated(labels)) {
    abort(c(
      "{.arg levels} of {.var {name}} must be one or more different values.",
      x = if (length(values)) {
        "Given more than once: {.val {labels[duplicated(labels)]}}."
      } else {
        "There are none."
      }
    ), call = call)
  }
  list(
    name = name, values = values, cuts = NULL, labels = labels, ordered = is.ordered(given),
    other = NA_integer_, missing = missing
  )
}

# The level for other values of each column, by name.
check_other <- function(other, columns, call) {
  if (is.null(other) || identical(other, "error")) return(character())
  named <- !is.null(names(other))
  ok <- is.character(other) && !anyNA(other) && all(nzchar(other)) &&
    (if (named) all(nzchar(names(other))) && !anyDuplicated(names(other)) else length(other) == 1L)
  if (!ok) {
    abort(c(
      "{.arg other} must be {.val error} or the name of a level, or such by name of column.",
      x = "It is {describe(other)}.",
      i = paste(
        "For example {.code other = \"other\"} for all columns with {.arg levels}, or",
        "{.code other = c(country = \"elsewhere\")}."
      )
    ), call = call)
  }
  unknown <- setdiff(names(other), columns)
  if (length(unknown) || length(columns) == 0L) {
    abort(c(
      "{.arg other} is for columns with declared {.arg levels}.",
      x = if (length(unknown)) "Not among them: {.var {unknown}}." else "None were declared."
    ), call = call)
  }
  rules <- if (named) other else stats::setNames(rep(other, length(columns)), columns)
  rules[rules != "error"]
}

# A level that was declared takes the others in; a new one is the last, and breaks the order.
with_other <- function(codings, rules) {
  for (name in names(rules)) {
    coding <- codings[[name]]
    if (!rules[[name]] %in% coding$labels) {
      coding$labels <- c(coding$labels, rules[[name]])
      coding$ordered <- FALSE
    }
    coding$other <- match(rules[[name]], coding$labels)
    codings[[name]] <- coding
  }
  codings
}

bin_coding <- function(name, breaks) {
  bins <- length(breaks) - 1L
  list(
    name = name, values = NULL, cuts = as.double(breaks[-c(1L, length(breaks))]),
    labels = as.character(seq_len(bins)), ordered = TRUE, other = NA_integer_, missing = FALSE
  )
}

# ---- values -------------------------------------------------------------------------------------

# Declared values as a column of this kind ("number", "logical", "text") holds them: the levels of a
# factor are text, whatever they were made of. For "unknown" they are taken as they are.
typed_values <- function(coding, kind, call) {
  values <- coding$values
  typed <- switch(kind,
    number = as_number(values), logical = as_truth(values), text = written_out(values), values
  )
  if (!anyNA(typed)) return(typed)
  abort(c(
    "{.arg levels} of {.var {coding$name}} are not values of this column.",
    x = paste(
      "It holds {switch(kind, number = 'numbers', 'FALSE and TRUE')}, and",
      "{.val {coding$labels[is.na(typed)]}} {?is/are} none."
    )
  ), call = call)
}

# As people and files write them: 100000, not 1e+05.
written_out <- function(values) {
  local_decimal_point()
  text <- as.character(values)
  if (!is.numeric(values)) return(text)
  whole <- which(values == round(values) & abs(values) < 2^53)
  # Adding 0 makes a negative zero one without a sign.
  text[whole] <- sprintf("%.0f", values[whole] + 0)
  text
}

as_number <- function(values) {
  number <- suppressWarnings(as.double(values))
  # A logical column that is stored as 0 and 1.
  if (anyNA(number)) number[is.na(number)] <- as.double(as.logical(values[is.na(number)]))
  number
}

as_truth <- function(values) {
  if (is.numeric(values)) values[!values %in% 0:1] <- NA
  as.logical(values)
}

value_kind <- function(x) {
  if (is.factor(x) || is.character(x)) return("text")
  if (is.logical(x)) return("logical")
  if (is.numeric(x) && !is.object(x)) "number" else "unknown"
}

# The number of each value's level; NA where it has none.
code_values <- function(x, coding, call) {
  if (!is.null(coding$cuts)) {
    codes <- findInterval(x, coding$cuts, left.open = TRUE) + 1L
  } else {
    kind <- value_kind(x)
    # Nothing but missing values: R cannot say of what.
    if (kind == "logical" && all(is.na(x))) kind <- "unknown"
    values <- typed_values(coding, kind, call)
    codes <- if (is.factor(x)) {
      text_codes(levels(x), values, coding)[as.integer(x)]
    } else if (kind == "text") {
      text_codes(x, values, coding)
    } else {
      match(x, values)
    }
    if (!is.na(coding$other)) codes[is.na(codes) & !has_no_value(x)] <- coding$other
  }
  if (coding$missing) codes[has_no_value(x)] <- length(coding$labels) + 1L
  codes
}

# Also where that is a level, as addNA() makes it.
has_no_value <- function(x) {
  missing <- is.na(x)
  if (is.factor(x) && anyNA(levels(x))) missing <- missing | is.na(levels(x))[as.integer(x)]
  missing
}

# R itself, as factor() and write.csv() do, writes some numbers in short: 1e+05.
text_codes <- function(text, values, coding) {
  local_decimal_point()
  codes <- match(text, values)
  short <- is.na(codes)
  codes[short] <- match(text[short], as.character(coding$values))
  codes
}

# A data frame with the declared columns as factors. What has no level is then missing, and found
# where missing values are.
declare_columns <- function(data, levels, other, used, call) {
  codings <- read_levels(levels, other, names(data), call)
  if (!is.null(used)) codings <- codings[names(codings) %in% used]
  for (coding in codings) {
    x <- data[[coding$name]]
    if (!column_kind(x) %in% c("factor", "character", "logical", "numeric")) {
      abort(c(
        "{.arg levels} are for columns of text, numbers, factors and logical values.",
        x = "Column {.var {coding$name}} is {describe_column(x)}.",
        time_remedy(coding$name, x)
      ), call = call)
    }
    codes <- code_values(x, coding, call)
    # Not as missing values, which may be a level.
    if (anyNA(codes[!has_no_value(x)])) abort_other_values(coding$name, call)
    data[[coding$name]] <- structure(
      codes, levels = c(coding$labels, if (coding$missing) NA),
      class = c(if (coding$ordered) "ordered", "factor")
    )
  }
  data
}

abort_other_values <- function(name, call) {
  abort(c(
    "{.arg data} has values in column {.var {name}} that are none of the declared levels.",
    i = "Make one level of all of them: {.code other = c({as_code(name)} = \"other\")}.",
    i = paste(
      "Or leave those rows out. In a private analysis it is then not protected who has such",
      "values, nor how many: the number of rows counts as public."
    ),
    i = "Nothing was computed or spent."
  ), class = "privpc_gaps", call = call)
}
