# Sources that have no rows to show: a table in a data base (R/engine_source.R), a file in parts
# (R/chunk_source.R). They share the declaration of columns and the checks; `backend` is what they
# differ in:
#   what     how messages call the data, as "a table in SQLite"
#   columns  the names of the columns
#   leave_out, leave_rows  how to do without columns, and rows: lines of messages
#   kinds    function(names): the kind of each of these columns, see typed_values()
#   open     function(codings, persons): a list of `n`, the number of records or persons, and
#            `gaps`, the names of the columns in which some record has no level
#   count    function(codings, persons): the function(sets, first, stage) of src/engine_tables.h
# `persons` (R/persons.R) is NULL where records are counted; else a record weighs
# person_unit(max_records) over the number of its person's kept records. It has the kinds of these
# columns, `id_kind` and `time_kind`.

# `compared` are the columns that the test compares at full resolution if they are numbers, which
# needs records; `used` those that are asked about, NULL for all.
counted_source <- function(backend, levels, other, na, breaks, by_order, compared, hinted_tests,
                           used, persons, call) {
  nodes <- if (is.null(used)) without_persons(backend$columns, persons) else used
  check_counted_columns(backend$columns, nodes, call)
  with_level <- check_na_rule(na, backend$columns, by_order, hinted_tests, call)
  codings <- read_levels(levels, other, backend$columns, call)
  twice <- intersect(names(codings), names(breaks))
  if (length(twice)) {
    abort(c(
      "Give either {.arg levels} or {.arg breaks} for a column.",
      x = "Both were given for {.var {twice}}."
    ), call = call)
  }
  for (name in names(breaks)) codings[[name]] <- bin_coding(name, breaks[[name]])
  undeclared <- setdiff(nodes, names(codings))
  if (length(undeclared)) abort_undeclared(undeclared, backend, is.null(used), call)
  fine <- intersect(compared, names(breaks))
  if (by_order && length(fine)) abort_full_resolution(fine, backend$what, call)
  codings <- codings[sorted_by_bytes(nodes)]
  for (name in intersect(with_level, names(codings))) codings[[name]]$missing <- TRUE
  na_level <- vapply(codings, `[[`, NA, "missing")
  if (by_order && any(na_level)) {
    abort_missing(names(codings)[na_level], by_order, hinted_tests, call)
  }
  kinds <- backend$kinds(c(names(codings), persons$id, persons$first_by))
  if (!is.null(persons)) {
    persons$id_kind <- kinds[[length(codings) + 1L]]
    check_id_kind(persons$id_kind, persons$id, call)
    if (!is.null(persons$first_by)) persons$time_kind <- kinds[[length(codings) + 2L]]
  }
  for (i in seq_along(codings)) codings[[i]] <- with_kind(codings[[i]], kinds[[i]], call)
  counts <- vapply(codings, coding_levels, 0L, USE.NAMES = FALSE)
  check_level_counts(list(levels = counts, size = 0), names(codings), call)
  opened <- backend$open(codings, persons)
  if (isTRUE(opened$without_id)) abort_without_id(persons$id, call)
  if (opened$n == 0) abort(c("{.arg data} must have rows.", x = "It has none."), call = call)
  if (opened$n > .Machine$integer.max) {
    abort(c(
      "{.arg data} has too many rows.",
      x = "At most {big(.Machine$integer.max)} can be counted."
    ), call = call)
  }
  if (length(opened$gaps)) {
    abort_gaps(opened$gaps, codings, backend, by_order, call)
  }
  schema <- list(
    names = names(codings), levels = counts,
    ordered = vapply(codings, `[[`, NA, "ordered", USE.NAMES = FALSE) & !unname(na_level),
    numeric = rep(FALSE, length(codings)), n = as.integer(opened$n),
    labels = lapply(codings, function(coding) c(coding$labels, if (coding$missing) NA)),
    missing = list(by_order = by_order, hinted_tests = hinted_tests), nodes = nodes,
    counted = backend$what
  )
  schema$persons <- persons
  most <- persons$max_records
  drop_null(list(
    schema = schema, count = backend$count(codings, persons), most = if (isTRUE(most > 1L)) most
  ))
}

check_id_kind <- function(kind, name, call) {
  if (kind %in% c("text", "integer", "unknown")) return(invisible())
  abort(c(
    "{.arg id} must be a column of text or whole numbers.",
    x = paste(
      "Column {.var {name}} is",
      "{if (kind == 'real') 'of numbers with decimals' else describe_kind(kind)}."
    ),
    i = paste(
      "Turn it into text in the query:",
      "{.code data <- dplyr::mutate(data, {as_code(name)} = as.character({as_code(name)}))}."
    )
  ), call = call)
}

sorted_by_bytes <- function(names) names[cpp_byte_order(names)]

# Values as the column holds them; bins are for numbers.
with_kind <- function(coding, kind, call) {
  coding$kind <- kind
  if (is.null(coding$cuts)) {
    held <- if (kind %in% c("real", "integer")) "number" else kind
    coding$values <- typed_values(coding, held, call)
  } else if (kind %in% c("text", "logical")) {
    abort(c(
      "{.arg breaks} are for numeric columns.",
      x = "Column {.var {coding$name}} is {describe_kind(switch(kind, text = 'character', kind))}."
    ), call = call)
  }
  coding
}

# ---- checks -------------------------------------------------------------------------------------

check_counted_columns <- function(columns, nodes, call) {
  if (anyDuplicated(columns) || !all(nzchar(columns))) {
    abort(c(
      "Columns of {.arg data} must have names of their own.",
      x = paste(
        "Given more than once, or empty:",
        "{.var {unique(columns[duplicated(columns) | !nzchar(columns)])}}."
      )
    ), call = call)
  }
  if (length(nodes) < 2L) {
    abort(c(
      "{.arg data} must have at least 2 columns.", x = "It has {length(nodes)}."
    ), call = call)
  }
  if (length(nodes) > core_limits$max_variables) {
    abort(c(
      "{.arg data} has too many columns.",
      x = "It has {length(nodes)}; at most {core_limits$max_variables} are possible."
    ), call = call)
  }
}

abort_undeclared <- function(names, backend, all_used, call) {
  first <- as_code(names[[1L]])
  abort(c(
    paste(
      "The values of every column must be declared: {.arg data} is {backend$what}, and they are",
      "never read off the data."
    ),
    x = "Not declared: {.var {names}}.",
    i = paste(
      "Levels of a category: {.code levels = list({first} = c(\"no\", \"yes\"))}. Cut points of a",
      "number: {.code breaks = list({first} = c(0, 40, 65, 120))}."
    ),
    i = id_hint(names),
    i = if (all_used) backend$leave_out
  ), class = "privpc_undeclared", call = call)
}

abort_full_resolution <- function(names, what, call) {
  first <- as_code(names[[1L]])
  abort(c(
    "This test compares {.var {names}} number by number, which needs the records.",
    x = "{.arg data} is {what}: it is counted where it is, and no record leaves it.",
    i = paste(
      "Make an ordered category of it in the query and declare that: {.code data <-",
      "dplyr::mutate(data, {first} = cut({first}, c(0, 40, 65, 120), labels = c(\"young\",",
      "\"middle\", \"old\")))} with {.code levels = list({first} = factor(levels = c(\"young\",",
      "\"middle\", \"old\"), ordered = TRUE))}."
    ),
    i = "{.fn marginal_pc} uses such a column through its {.arg breaks}."
  ), class = "privpc_needs_rows", call = call)
}

# A value without a level, found when the data are opened: nothing has been paid.
abort_gaps <- function(names, codings, backend, by_order, call) {
  binned <- names[!vapply(codings[names], function(x) is.null(x$cuts), NA)]
  categories <- setdiff(names, binned)
  without_level <- names[!vapply(codings[names], `[[`, NA, "missing")]
  level <- paste0("na = c(", paste0(as_code(without_level), " = \"level\"", collapse = ", "), ")")
  rest <- paste0("other = c(", paste0(as_code(categories), " = \"other\"", collapse = ", "), ")")
  open <- categories[is.na(vapply(codings[categories], `[[`, 0L, "other"))]
  abort(c(
    paste(
      "{.arg data} has missing values in column{?s} {.var {names}}, or",
      "values outside the declared levels."
    ),
    i = if (by_order) {
      "This test compares by order, in which a missing value has no place."
    } else if (length(without_level)) {
      "Make a missing value a level of its own: {.code {level}}."
    },
    i = if (length(open)) "Make one level of all values that were not declared: {.code {rest}}.",
    i = paste(
      backend$leave_rows, "In a private analysis it is then not protected who has such values, nor",
      "how many: the number of rows counts as public."
    ),
    i = "Nothing was computed or spent."
  ), class = "privpc_gaps", call = call)
}

# ---- what only records can answer ---------------------------------------------------------------

# Before anything is spent. `what` as in "A sub-sample".
refuse_without_rows <- function(schema, what, instead, call) {
  if (is.null(schema$counted)) return(invisible())
  abort(c(
    "{what} needs the records.",
    x = "{.arg data} is {schema$counted}: it is counted where it is, and no record leaves it.",
    i = instead,
    i = "Nothing was computed or spent."
  ), class = "privpc_needs_rows", call = call)
}

refuse_blocks <- function(schema, test, call) {
  refuse_without_rows(
    schema, paste0("The private test \"", test, "\", which divides records into blocks,"),
    paste(
      "Use {.fn marginal_pc}, which takes nominal variables as they are, or {.code test = \"tau\"}",
      "where levels have an order."
    ),
    call
  )
}

refuse_subsample <- function(schema, call) {
  refuse_without_rows(schema, "A sub-sample", "Use {.code subsample = 1}.", call)
}

# ---- faults -------------------------------------------------------------------------------------

# What was being done when the data could not be counted; with_source() words it for the user.
stop_counting <- function(error, stage, what) {
  rlang::abort(
    conditionMessage(error), class = "privpc_not_counted", stage = stage, what = what,
    call = NULL
  )
}

abort_not_counted <- function(error, paid, call) {
  lines <- strsplit(conditionMessage(error), "\n", fixed = TRUE)[[1L]]
  reason <- trimws(lines[nzchar(trimws(lines))][[1L]])
  abort(c(
    paste(
      "The tables of stage {error$stage} could not be counted: {.arg data} is {error$what}, which",
      "gave an error."
    ),
    x = "{reason}",
    i = spent_text(paid)
  ), class = "privpc_not_counted", call = call)
}

abort_changed_data <- function(stage, paid, call) {
  abort(c(
    "The counts of stage {stage} do not belong to the records that were there at the beginning.",
    x = "The data were changed in between, or a part of them did not answer.",
    i = paste(
      "Nothing was learnt from them. Use data that stay as they are, for instance a copy, or one",
      "transaction that sees a single state."
    ),
    i = spent_text(paid)
  ), class = "privpc_changed_data", call = call)
}

abort_needs_rows <- function(question, what, paid, call) {
  abort(c(
    "{question} needs the records.",
    x = "{.arg data} is {what}: it is counted where it is, and no record leaves it.",
    i = "A smaller {.arg max_order} or fewer levels keep tables small.",
    i = spent_text(paid)
  ), class = "privpc_needs_rows", call = call)
}

spent_text <- function(paid) {
  if (paid) "What was started counts as spent: the budget has paid the whole price." else NULL
}
