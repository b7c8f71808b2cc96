# Records and what is public about them, kept apart.
#
# A schema is a plain list of public facts: `names` of the variables (sorted by their bytes, so that
# nothing downstream can depend on the order of the columns), `levels` (how many), `labels` (what
# the levels are called; NULL for a column without bins), `ordered`, `numeric` (compared by its
# values), `n`, and `missing`, the words for an error about missing values. Checks, warnings, prices
# and messages take a schema, so that they cannot look at a record.
#
# A source is a schema and the records. Only the adapters that count take one (read_data() in
# src/data_input.h), and the two functions below that look for missing values. Records are here
# `codes` (a factor for each variable, or NULL) and `values` (numbers, or NULL); a table in a data
# base would be another kind of records with the same schema.

new_source <- function(schema, codes, values) {
  list(schema = schema, codes = codes, values = values)
}

# The source that a data frame is. `by_order`: the test compares by order (tau, rho), so a missing
# value cannot be a level; `hinted_tests` are the tests of the same function for which it can, for
# hints. `full_resolution` names the columns that are compared by their values if they are numeric;
# all others are used through their bins.
# Plain factors, as nearly always, are read at once; the long way is for all others, and finds out
# what is wrong.
data_source <- function(data, na = "error", breaks = NULL, by_order = FALSE,
                        full_resolution = NULL, hinted_tests = nominal_tests,
                        call = rlang::caller_env()) {
  check_given(data, "data", call)
  missing <- list(by_order = by_order, hinted_tests = hinted_tests)
  if (is.null(breaks) && identical(na, "error")) {
    plain <- cpp_plain_factors(data, core_limits$max_variables, core_limits$max_levels)
    if (!is.null(plain)) {
      plain$schema$missing <- missing
      return(new_source(plain$schema, plain$codes, plain$values))
    }
  }
  facts <- check_data_frame(data, call)
  with_level <- check_na_rule(na, names(data), by_order, hinted_tests, call)
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
      if (anyNA(values[[i]])) {
        abort_missing(names(columns)[[i]], by_order, hinted_tests, call)
      }
    }
    columns[i] <- list(if (!is.null(cuts)) bin_values(columns[[i]], cuts))
  }
  if (length(with_level)) {
    for (i in which(names(columns) %in% with_level & lengths(columns) > 0L)) {
      columns[[i]] <- addNA(columns[[i]])
    }
  }
  coded <- cpp_column_facts(columns)
  check_level_counts(coded, names(columns), call)
  if (by_order && any(coded$na_level)) {
    abort_missing(names(columns)[coded$na_level], by_order, hinted_tests, call)
  }
  missing$with_level <- with_level
  missing$binned <- names(columns)[numbers]
  new_source(
    schema = list(
      names = names(columns), levels = coded$levels,
      ordered = fine | (coded$ordered & !coded$na_level), numeric = fine, n = facts$n,
      labels = lapply(columns, attr, "levels", exact = TRUE), missing = missing
    ),
    codes = columns, values = values
  )
}

# Hands a source to the core; a missing value shows there, as a code that is no level.
with_source <- function(source, call, run) {
  tryCatch(
    run(source),
    error = function(e) {
      if (inherits(e, "privpc_core_invalid_code")) check_complete(source, call)
      abort(c("The search could not be run.", x = "{conditionMessage(e)}."), call = call)
    }
  )
}

# The core finds missing values by itself and faster. This finds out in which columns they are.
check_complete <- function(source, call) {
  schema <- source$schema
  bad <- mapply(function(x, levels) {
    codes <- as.integer(x)
    length(codes) > 0L && (anyNA(codes) || any(codes < 1L | codes > levels))
  }, source$codes, schema$levels)
  if (!any(bad)) return(invisible())
  rule <- schema$missing
  abort_missing(
    schema$names[bad], rule$by_order, rule$hinted_tests, call, rule$with_level, rule$binned
  )
}

# Where a budget would be spent in vain: the core would refuse missing values, but after the price
# is paid.
check_before_paying <- function(budget, source, call) {
  if (!is.null(budget)) check_complete(source, call)
}
