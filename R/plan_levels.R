# What plan_study() is told about the variables: how many levels each has. Of a data frame only the
# names and levels of its columns are looked at.

# A vector of whole numbers, with names if there are any.
read_plan_levels <- function(levels, call) {
  if (is.data.frame(levels)) {
    counts <- levels_of_columns(levels, call)
  } else if (rlang::is_bare_list(levels) && length(levels)) {
    counts <- levels_of_list(levels, call)
  } else if (is.numeric(levels) && !is.object(levels) && length(levels)) {
    check_numbers(levels, "levels", min = 1, max = max_measured_levels, whole = TRUE, call = call)
    counts <- levels
  } else {
    abort_plan_levels("It is {describe(levels)}.", call)
  }
  check_plan_size(counts, call)
  stats::setNames(as.integer(counts), check_plan_names(names(counts), call))
}

abort_plan_levels <- function(problem, call) {
  abort(c(
    "{.arg levels} must be numbers of levels, a list of levels, or a data frame of factors.",
    x = problem,
    i = paste(
      "For example {.code levels = rep(2, 12)} for twelve variables with two levels, or",
      "{.code levels = data[0, ]}."
    )
  ), call = call, envir = rlang::caller_env())
}

# Without a look at the values: nothing but class and levels of a column is asked for.
levels_of_columns <- function(data, call) {
  columns <- lapply(unclass(data), function(column) if (is.factor(column)) base::levels(column))
  other <- names(data)[!vapply(columns, is.character, NA)]
  if (length(other)) {
    mended <- paste0("schema$", as_code(other[[1L]]), " <- factor(levels = 1:5)")
    abort(c(
      "Every column of {.arg levels} must be a factor with declared levels.",
      x = "Column {.var {other}} {cli::qty(other)}{?is/are} not.",
      i = paste(
        "Say how many levels or bins there will be, for example {.code schema <- data[0, ]} and",
        "{.code {mended}}."
      )
    ), call = call)
  }
  limited_levels(lengths(columns), call)
}

# Of each variable its levels, as a vector or a factor, or how many there are.
levels_of_list <- function(levels, call) {
  counts <- vapply(seq_along(levels), function(i) {
    x <- levels[[i]]
    if (is.factor(x)) return(as.double(nlevels(x)))
    if (is.numeric(x) && length(x) == 1L && isTRUE(x >= 1 & x == round(x))) return(as.double(x))
    names <- is.atomic(x) && length(x) > 1L && !anyNA(x) && !anyDuplicated(x)
    if (names) return(as.double(length(x)))
    abort_plan_levels("Element {i} is {describe(x)}.", call)
  }, 0)
  limited_levels(stats::setNames(counts, names(levels)), call)
}

limited_levels <- function(counts, call) {
  many <- which(counts > max_measured_levels | counts < 1)
  if (length(many) == 0L) return(counts)
  first <- many[[1L]]
  which <- if (is.null(names(counts))) as.character(first) else names(counts)[[first]]
  abort(c(
    "Variables in {.arg levels} must have 1 to {max_measured_levels} levels.",
    x = "Variable {.val {which}} has {counts[[first]]}.",
    i = "Merge levels; for numbers take fewer bins."
  ), call = call)
}

check_plan_size <- function(counts, call) {
  varying <- sum(counts > 1)
  # One number may have been meant as that of the variables.
  meant <- if (counts[[1L]] > 2) counts[[1L]] else 12
  if (varying < 2L) {
    abort(c(
      "{.arg levels} must be of at least two variables with two levels or more.",
      x = "There {cli::qty(varying)}{?is/are} {varying}, of {length(counts)}.",
      i = if (length(counts) == 1L) {
        paste(
          "Give one number for each variable: {.code levels = rep(2, {meant})} is {meant}",
          "variables with two levels."
        )
      }
    ), call = call)
  }
  if (length(counts) > core_limits$max_variables) {
    abort(c(
      "There are too many variables in {.arg levels}.",
      x = "There are {length(counts)}; at most {core_limits$max_variables} are possible."
    ), call = call)
  }
}

# Names are all there or none.
check_plan_names <- function(names, call) {
  if (is.null(names)) return(NULL)
  if (anyNA(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    abort(c(
      "The names in {.arg levels} must be there for all variables and differ.",
      i = "Leave all of them out, or name every variable once."
    ), call = call)
  }
  names
}
