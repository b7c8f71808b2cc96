# Records and what is public about them, kept apart.
#
# A schema is a plain list of public facts: `names` of the variables (sorted by their bytes, so that
# nothing downstream can depend on the order of the columns), `levels` (how many), `labels` (what
# the levels are called; NULL for a column without bins), `ordered`, `numeric` (compared by its
# values), `n`, `nodes` (the names in the order of the columns), `missing`, the words for an error
# about missing values, and `counted`, the words for data of which no record is here (else NULL).
# Checks, warnings, prices and messages take a schema, so that they cannot look at a record.
#
# A source is a schema and the records. Only the adapters that count take one (read_data() in
# src/data_input.h), and the two functions below that look for missing values. Records are here
# `codes` (a factor for each variable, or NULL) and `values` (numbers, or NULL). Of a table in a
# data base, or a file in parts, a source has the function `count` instead (R/counted_source.R).
# Where a person may have several records, `n` is the number of persons and `schema$persons` says
# how they are told apart (R/persons.R); a source that keeps more than one record of each has
# `most`, how many, and `kept`, how many records of its person are kept with each, 0 for one that is
# not.

new_source <- function(schema, codes, values) {
  list(schema = schema, codes = codes, values = values)
}

# The source that a data frame is. `by_order`: the test compares by order (tau, rho), so a missing
# value cannot be a level; `hinted_tests` are the tests of the same function for which it can, for
# hints. `full_resolution` names the columns that are compared by their values if they are numeric;
# all others are used through their bins. `levels` and `other` declare what columns that are not
# factors hold (R/declaration.R); `used` names the columns that are asked about, NULL for all;
# `persons` is what read_persons() gives; `private`: for whom nothing is protected, words about what
# becomes public would be wrong.
data_source <- function(data, na = "error", breaks = NULL, by_order = FALSE,
                        full_resolution = NULL, hinted_tests = nominal_tests, levels = NULL,
                        other = "error", used = NULL, persons = NULL, private = TRUE,
                        call = rlang::caller_env()) {
  check_given(data, "data", call)
  # Of a data frame as the declaration only those columns count that are variables.
  if (is.data.frame(levels)) levels <- levels[without_persons(names(levels), persons)]
  check_persons_undeclared(persons, names(levels), names(breaks), call)
  backend <- counting_backend(data, call)
  if (!is.null(backend)) {
    check_breaks(breaks, data, call)
    return(counted_source(
      backend, levels, other, na, breaks, by_order, full_resolution, hinted_tests, used, persons,
      call
    ))
  }
  if (!is.null(levels) || !(is.null(other) || identical(other, "error"))) {
    check_data_frame(data, call)
    data <- declare_columns(data, levels, other, used, call)
  }
  if (!is.null(persons)) {
    check_data_frame(data, call)
    facts <- person_facts(data, persons, call)
    data <- data[if (is.null(used)) without_persons(names(data), persons) else used]
    return(keep_records(
      record_source(data, na, breaks, by_order, full_resolution, hinted_tests, private, call),
      facts, persons, call
    ))
  }
  if (!is.null(used)) data <- data[used]
  record_source(data, na, breaks, by_order, full_resolution, hinted_tests, private, call)
}

# All columns of a data frame. Plain factors, as nearly always, are read at once; the long way is
# for all others, and finds out what is wrong.
record_source <- function(data, na, breaks, by_order, full_resolution, hinted_tests, private,
                          call) {
  missing <- list(by_order = by_order, hinted_tests = hinted_tests)
  if (is.null(breaks) && identical(na, "error")) {
    plain <- cpp_plain_factors(data, core_limits$max_variables, core_limits$max_levels)
    if (!is.null(plain) && all(vapply(plain$codes, has_codes, NA))) {
      plain$schema$missing <- missing
      plain$schema$nodes <- names(data)
      check_texts(plain$schema$names, plain$schema$labels, call)
      return(new_source(plain$schema, plain$codes, plain$values))
    }
  }
  facts <- check_data_frame(data, call)
  with_level <- check_na_rule(na, names(data), by_order, hinted_tests, call)
  check_breaks(breaks, data, call)
  by_name <- cpp_byte_order(names(data))
  columns <- unclass(data)[by_name]
  kinds <- facts$kind[by_name]
  # A factor of other numbers than whole ones has no levels.
  kinds[kinds == "factor" & !vapply(columns, has_codes, NA)] <- "other"
  check_column_kinds(columns, kinds, private, call)
  values <- vector("list", length(columns))
  fine <- logical(length(columns))
  numbers <- which(kinds == "numeric")
  fine[numbers] <- names(columns)[numbers] %in% full_resolution
  bare <- names(columns)[numbers[!fine[numbers]]]
  bare <- bare[!bare %in% names(breaks)]
  if (length(bare)) {
    # How a column is stored is seen without its values.
    whole <- if (private) bare[vapply(columns[bare], is.integer, NA)]
    abort_numeric_needs_breaks(bare, call, whole)
  }
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
  check_texts(names(columns), lapply(columns, attr, "levels", exact = TRUE), call)
  if (by_order && any(coded$na_level)) {
    abort_missing(names(columns)[coded$na_level], by_order, hinted_tests, call)
  }
  missing$with_level <- with_level
  missing$binned <- names(columns)[numbers]
  new_source(
    schema = list(
      names = names(columns), levels = coded$levels,
      ordered = fine | (coded$ordered & !coded$na_level), numeric = fine, n = facts$n,
      labels = lapply(columns, attr, "levels", exact = TRUE), missing = missing,
      nodes = names(data)
    ),
    codes = columns, values = values
  )
}

# How data that are not a data frame are counted; NULL for a data frame, and for what is no data.
counting_backend <- function(data, call) {
  if (is_engine_table(data)) return(engine_backend(data, call))
  if (!is_chunks(data)) return(NULL)
  check_result(data, chunk_kinds, call, "data")
  chunk_backend(data, call)
}

# Data whose records are not here.
is_counted <- function(data) is_engine_table(data) || is_chunks(data)

# The names of the columns of whatever data were given.
data_columns <- function(data) {
  if (is_engine_table(data)) return(colnames(data))
  if (!is_chunks(data)) return(names(data))
  check_result(data, chunk_kinds, rlang::caller_env(), "data")
  data$columns
}

# Hands a source to the core; a missing value shows there, as a code that is no level. `paid`: a
# budget has paid.
with_source <- function(source, call, run, paid = FALSE) {
  tryCatch(
    run(source),
    error = function(e) {
      if (is_time_limit(e)) stop(e)
      if (inherits(e, "privpc_not_counted")) abort_not_counted(e, paid, call)
      if (inherits(e, "privpc_core_changed_data")) abort_changed_data(e$stage, paid, call)
      if (inherits(e, "privpc_core_needs_rows") && !is.null(source$schema$counted)) {
        abort_needs_rows(e$question, source$schema$counted, paid, call)
      }
      if (inherits(e, "privpc_core_invalid_code")) check_complete(source, call)
      abort(c(
        "The search could not be run.", x = "{conditionMessage(e)}.", i = spent_text(paid)
      ), call = call)
    }
  )
}

# The core finds missing values by itself and faster. This finds out in which columns they are.
check_complete <- function(source, call) {
  schema <- source$schema
  # Looked at when it was opened.
  if (!is.null(schema$counted)) return(invisible())
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
