# What can be said about a user's data frame before its records are counted. Everything a user can
# get wrong about `data` is caught here, before any table is made; R/source.R makes of it what the
# core counts.


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
  if (is.factor(x)) return(if (has_codes(x)) "factor" else "other")
  if (is.numeric(x) && !is.object(x)) return("numeric")
  if (is.character(x)) return("character")
  if (is.logical(x)) return("logical")
  if (inherits(x, "Date")) return("date")
  if (inherits(x, "POSIXt")) return("time")
  if (inherits(x, "difftime")) return("duration")
  if (is.list(x)) return("list")
  "other"
}

# R's own is.integer() says no to every factor.
has_codes <- function(x) typeof(x) == "integer"

bin_values <- function(x, breaks) {
  inner <- breaks[-c(1L, length(breaks))]
  codes <- by_blocks(x, function(some) findInterval(some, inner, left.open = TRUE) + 1L)
  coded_factor(codes, as.character(seq_len(length(breaks) - 1L)), ordered = TRUE)
}

# factor(), for codes that are known: it would write each of them as text first.
coded_factor <- function(codes, levels, ordered) {
  structure(codes, levels = levels, class = c(if (ordered) "ordered", "factor"))
}

# Between parts of long work. R looks at its time limits only every few times that it is asked.
let_interrupt <- function() for (i in 1:6) Sys.sleep(0)

# Whole numbers, one for each element of x: `code` of a million at a time, between which R may be
# interrupted.
by_blocks <- function(x, code, size = 1e6) {
  if (length(x) <= size) return(code(x))
  out <- integer(length(x))
  for (first in seq(1, length(x), by = size)) {
    let_interrupt()
    some <- seq(first, min(first + size - 1, length(x)))
    out[some] <- code(x[some])
  }
  out
}

# Returns its column_facts().
check_data_frame <- function(data, call) {
  check_given(data, "data", call)
  if (!is.data.frame(data)) {
    abort(c(
      "{.arg data} must be a data frame with one row per record.",
      x = "It is {describe(data)}.",
      i = if (inherits(data, "table")) {
        "A table of counts must be expanded to one row per record first."
      } else if (is.matrix(data)) {
        "Convert it with {.code as.data.frame()} and declare the levels with {.code factor()}."
      } else if (inherits(data, "DBIConnection")) {
        paste(
          "Of a data base name the table: {.code dplyr::tbl(con, \"cohort\")}; see",
          "{.code ?tables_in_engines}."
        )
      } else if (rlang::is_string(data) && grepl("[./\\\\]", data)) {
        paste(
          "Read the file first, with {.code read.csv()} and factors, or in parts:",
          "{.code read_chunks(file)}."
        )
      }
    ), call = call)
  }
  given <- names(data)
  bare <- if (is.null(given)) seq_along(data) else which(is.na(given) | !nzchar(given))
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
  check_texts(given, NULL, call)
  if (length(data) < 2L) {
    abort(c(
      "{.arg data} must have at least 2 columns.",
      x = "It has {length(data)}."
    ), call = call)
  }
  if (length(data) > core_limits$max_variables) {
    abort(c(
      "{.arg data} has too many columns.",
      x = "It has {length(data)}; at most {core_limits$max_variables} are possible."
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

# The columns in which a missing value is a level: all of them, those that `na` names, or none.
check_na_rule <- function(na, columns, by_order, hinted_tests, call) {
  if (identical(na, "error")) return(character())
  named <- !is.null(names(na))
  ok <- is.character(na) && all(na %in% c("error", "level")) &&
    (if (named) all(nzchar(names(na))) && !anyDuplicated(names(na)) else length(na) == 1L)
  if (!ok) {
    example <- paste0("na = c(", as_code(columns[[1L]]), " = \"level\")")
    abort(c(
      paste(
        "{.arg na} must be {.val error} or {.val level}, or say",
        "{.val level} for some columns by name."
      ),
      x = "It is {describe(na)}.",
      i = "For example {.code na = \"level\"} for all columns, or {.code {example}} for one.",
      i = paste(
        "To leave incomplete rows out, use {.fn na.omit} on the columns you need; who has missing",
        "values is then not protected."
      )
    ), call = call)
  }
  unknown <- setdiff(names(na), columns)
  if (length(unknown)) {
    abort(c(
      "{.arg na} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}."
    ), call = call)
  }
  with_level <- if (named) names(na)[na == "level"] else if (na == "level") columns
  if (length(with_level) && by_order) {
    abort(c(
      "{.arg na} = {.val level} does not go with a test that compares by order.",
      i = paste(
        "A missing value has no place in the order. Use {.fn na.omit} on the data, or",
        "{nominal_hint(hinted_tests)}."
      )
    ), call = call)
  }
  with_level
}

# The rule for some of the columns, once it is known that it holds for columns of the data.
na_rule_of <- function(na, used, data, call) {
  if (is.null(names(na)) || !is.character(na)) return(na)
  columns <- data_columns(data)
  if (!all(names(na) %in% columns)) check_na_rule(na, columns, FALSE, NULL, call)
  kept <- na[names(na) %in% used]
  if (length(kept)) kept else "error"
}

nominal_hint <- function(tests) {
  if (all(grepl("^cond_", tests))) return(cli::format_inline("{.or {.fn {tests}}}"))
  cli::format_inline("the test{?s} {.or {.val {tests}}}")
}

# Of data whose values are not here, all columns may be numbers.
numeric_columns <- function(data) {
  if (!is.data.frame(data)) return(data_columns(data))
  names(data)[vapply(data, column_kind, "") == "numeric"]
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
  unknown <- setdiff(names(breaks), data_columns(data))
  if (length(unknown)) {
    abort(c(
      "{.arg breaks} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}.",
      i = "Numeric columns: {.var {numeric_columns(data)}}."
    ), call = call)
  }
  for (name in names(breaks)) {
    b <- breaks[[name]]
    if (!name %in% numeric_columns(data)) {
      abort(c(
        "{.arg breaks} are for numeric columns.",
        x = "Column {.var {name}} is {describe_column(data[[name]])}.",
        time_remedy(name, data[[name]])
      ), call = call)
    }
    if (!is.numeric(b) || length(b) == 0L || anyNA(b) || is.unsorted(b, strictly = TRUE)) {
      abort(c(
        "{.arg breaks} for {.var {name}} must be at least three numbers in increasing order.",
        x = if (is.numeric(b) && length(b)) "They are {.val {b}}." else "They are {describe(b)}."
      ), call = call)
    }
    if (length(b) < 3L) abort_one_bin(name, b, call)
  }
}

# The outer numbers make no cut, so that two of them are one bin: a column that says nothing.
abort_one_bin <- function(name, breaks, call) {
  inner <- cut_numbers(c(-Inf, breaks[is.finite(breaks)], Inf))
  mended <- paste0(
    "breaks = list(", as_code(name), " = c(", toString(c("-Inf", inner, "Inf")), "))"
  )
  abort(c(
    "{.arg breaks} for {.var {name}} must be at least three numbers.",
    x = paste(
      "{cli::qty(length(breaks))}{?It is/They are} {.val {breaks}}, which",
      "leaves one bin for all values."
    ),
    i = paste(
      "The first and the last number are the limits of the range and make no cut: what lies beyond",
      "them goes into the outer bins."
    ),
    i = "{.code c(0, 50, 80, 120)} makes three bins, cut at 50 and 80.",
    i = if (length(inner)) "To cut at {inner}: {.code {mended}}, or numbers as limits."
  ), call = call)
}

check_column_kinds <- function(columns, kinds, private, call) {
  bad <- which(!kinds %in% c("factor", "numeric"))
  if (length(bad) == 0L) return(invisible())
  labelled <- vapply(columns[bad], inherits, NA, "haven_labelled")
  kinds[bad[labelled]] <- "labelled"
  what <- vapply(bad, function(i) {
    if (kinds[[i]] %in% c("labelled", "other")) {
      describe(columns[[i]])
    } else {
      describe_kind(kinds[[i]])
    }
  }, "")
  # Each kind has its own remedy, shown for its first column.
  lines <- lapply(split(bad, factor(what, unique(what))), function(alike) {
    names <- names(columns)[alike]
    # An identifier is a bad example: it is not to become a factor.
    names <- names[order(looks_like_id(names))]
    kind <- kinds[[alike[[1L]]]]
    c(finished_lines(kind_text_of(names, what[[match(alike[[1L]], bad)]]), "x"),
      finished_lines(kind_remedy(names[[1L]], kind, private)))
  })
  abort(c(
    "Columns of {.arg data} must be factors or numbers.", unlist(unname(lines)),
    i = id_hint(names(columns)[bad])
  ), call = call)
}

kind_text_of <- function(names, what) {
  others <- names[-1L]
  cli::format_inline(
    "Column {.var {names[[1L]]}} is {what}",
    if (length(others)) ", and so {cli::qty(others)}{?is/are} {.var {others}}", "."
  )
}

# Text that goes into a message as it is, although it may have braces, which are code there.
finished_lines <- function(lines, bullet = "i") {
  stats::setNames(gsub("([{}])", "\\1\\1", lines), rep(bullet, length(lines)))
}

# What to do about a column of this kind, one line each.
kind_remedy <- function(name, kind, private = TRUE) {
  column <- paste0("data$", as_code(name))
  as_factor <- paste0(column, " <- factor(", column, ", levels = ")
  in_years <- function() {
    code <- paste0(column, " <- factor(format(", column, ", \"%Y\"), levels = 2000:2025)")
    cli::format_inline("Turn it into a factor of years, all that can occur: {.code {code}}.")
  }
  in_days <- function(number) {
    code <- paste0(column, " <- ", number)
    range <- paste0(
      "bounds = list(", as_code(name), " = as.numeric(as.Date(c(\"2000-01-01\", \"2025-12-31\"))))"
    )
    cli::format_inline("Or into a number of days, {.code {code}}, with public {.code {range}}.")
  }
  switch(kind,
    character = {
      code <- paste0(as_factor, "c(...))")
      public <- if (private) "; they become public"
      cli::format_inline("Declare all values it can have{public}: {.code {code}}.")
    },
    logical = {
      code <- paste0(as_factor, "c(FALSE, TRUE))")
      cli::format_inline("Declare its levels: {.code {code}}.")
    },
    date = c(in_years(), in_days(paste0("as.numeric(", column, ")"))),
    time = c(in_years(), in_days(paste0("as.numeric(as.Date(", column, "))"))),
    duration = {
      code <- paste0(column, " <- as.numeric(", column, ", units = \"days\")")
      range <- paste0("bounds = list(", as_code(name), " = c(0, 365))")
      cli::format_inline("Turn it into a number, {.code {code}}, with public {.code {range}}.")
    },
    labelled = {
      labels <- paste0("attr(", column, ", \"labels\")")
      code <- paste0(column, " <- factor(unclass(", column, "), ", labels, ", names(", labels, "))")
      cli::format_inline("Turn it into a factor of its labels: {.code {code}}.")
    },
    list = {
      code <- paste0(column, " <- NULL")
      cli::format_inline(
        "A list may hold anything. Make columns of what you need of it, one value per record, ",
        "and drop it: {.code {code}}."
      )
    },
    matrix = {
      code <- "data <- do.call(data.frame, data)"
      cli::format_inline("Make a column of each of its columns: {.code {code}}.")
    },
    "Drop it, or turn it into a factor with declared levels."
  )
}

# Where a column of dates was taken for one of numbers or of categories.
time_remedy <- function(name, x) {
  kind <- column_kind(x)
  if (kind %in% c("date", "time", "duration")) finished_lines(kind_remedy(name, kind))
}

# A name as it is written in code.
as_code <- function(names) {
  ifelse(names == make.names(names), names, paste0("`", gsub("`", "\\\\`", names), "`"))
}

describe_kind <- function(kind) {
  switch(kind,
    factor = "a factor", character = "text", logical = "logical", date = "a date",
    time = "a date with the time of day", duration = "a difference in time",
    list = "a list", matrix = "a matrix or a data frame", "of a class that cannot be counted"
  )
}

# Names and levels are public and are printed, sorted and compared as text: what is none would be
# noticed after the price was paid. `labels` of each variable; NULL, or with a missing one among
# them.
check_texts <- function(names, labels, call) {
  garbled <- !validEnc(names)
  if (any(garbled)) {
    abort(c(
      "Names of columns of {.arg data} must be text.",
      x = paste(
        "{.val {encodeString(names[garbled])}} {?is/are} not, in the encoding that R takes",
        "{?it/them} to be in."
      ),
      i = "For example {.code names(data) <- iconv(names(data), \"latin1\", \"UTF-8\")}."
    ), call = call)
  }
  is_sound <- function(x) {
    is.null(x) || (is.character(x) && all(validEnc(x)) && !anyDuplicated(x))
  }
  odd <- names[!vapply(unname(labels), is_sound, NA)]
  if (length(odd) == 0L) return(invisible())
  column <- paste0("data$", as_code(odd[[1L]]))
  abort(c(
    "The levels of every column of {.arg data} must be different texts.",
    x = "That is not so for {.var {odd}}.",
    i = "See {.code attr({column}, \"levels\")}, and make the factor anew."
  ), call = call)
}

# Numeric columns without breaks have been left out (NULL) and have no levels.
check_level_counts <- function(coded, names, call) {
  none <- coded$levels == 0L & coded$size > 0
  if (any(none)) abort_missing(names[none], FALSE, NULL, call)
  many <- which(coded$levels > core_limits$max_levels)
  if (length(many) == 0L) return(invisible())
  abort(c(
    "Column {.var {names[[many[[1L]]]]}} of {.arg data} has too many levels.",
    x = "It has {coded$levels[[many[[1L]]]]}; at most {core_limits$max_levels} are possible.",
    i = "Merge levels, or use it as a number with {.arg breaks}."
  ), call = call)
}

# `whole` are the columns that are stored as whole numbers, as identifiers mostly are.
abort_numeric_needs_breaks <- function(names, call, whole = character()) {
  # Which of several columns holds categories only the values tell, and these are not looked at. An
  # identifier, by its name, is neither a number nor a category.
  maybe <- names[!looks_like_id(names)]
  shown <- as_code(if (length(maybe)) maybe else names)
  example <- paste0("breaks = list(", paste0(shown, " = c(...)", collapse = ", "), ")")
  range <- paste0("bounds = list(", paste0(shown, " = c(lowest, highest)", collapse = ", "), ")")
  column <- if (length(maybe) == 1L) paste0("data$", as_code(maybe)) else "data$column"
  whose <- if (length(maybe) == 1L) {
    "the few numbers of {.var {maybe}}"
  } else {
    "a column's few numbers"
  }
  which_one <- if (length(maybe) > 1L) ", with its name for {.code column}"
  abort(c(
    "Numeric column{?s} {.var {names}} can be counted and conditioned on only in bins.",
    i = "Declare public cut points, in increasing order: {.code {example}}.",
    i = "Or only the public range, for {default_bins} bins of equal width: {.code {range}}.",
    i = if (length(maybe)) {
      paste0(
        "If ", whose, " are categories, as 0 and 1 for no and yes, make it a factor: ",
        "{.code {column} <- factor({column}, levels = 0:1)}", which_one, "."
      )
    },
    i = id_hint(names, maybe = whole)
  ), call = call)
}

# `with_level` are the columns that have a level for them already, `binned` those that are numbers.
abort_missing <- function(names, by_order, hinted_tests, call, with_level = NULL,
                          binned = NULL) {
  level <- paste0(as_code(c(with_level, names)), " = \"level\"", collapse = ", ")
  rule <- paste0("na = c(", level, ")")
  factors <- setdiff(names, binned)
  column <- if (length(factors)) paste0("data$", as_code(factors[[1L]]))
  abort(c(
    paste(
      "{.arg data} has missing values in column{?s} {.var {names}}, or",
      "values outside the declared levels."
    ),
    i = if (length(factors)) {
      paste(
        "Values that {.fn factor} was not told of are missing, too: do its {.arg levels} match the",
        "values as they are written?"
      )
    },
    i = if (by_order) {
      paste(
        "This test compares by order, in which a missing value has no place. Use",
        "{nominal_hint(hinted_tests)} with {.code {rule}}."
      )
    } else {
      paste0("Make a missing value a level of its own: {.code {rule}}", if (length(factors)) {
        ", or beforehand {.code {column} <- addNA({column})}"
      }, ".")
    },
    i = paste(
      "Or leave those rows out, {.code data <- na.omit(data)}. In a private analysis it is then",
      "not protected who has missing values, nor how many: the number of rows counts as public."
    )
  ), call = call)
}
