# The part of the statements that keeps at most so many records of each person, by the rule of the
# core (counts/kept_records.hpp), and gives them their weights:
#
#   SELECT v1, v2, CASE m WHEN 1 THEN 2520 WHEN 2 THEN 1260 ... END AS w FROM (
#     SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY <the rule>) AS r,
#               COUNT(*) OVER (PARTITION BY id) AS m FROM (<all records>)
#   ) WHERE r <= k
#
# The rule needs all variables, also where few are counted: records at the same time are told apart
# by their levels, and the hash is made of them.

is_weighted <- function(statements) isTRUE(statements$persons$max_records > 1L)

# What is counted: records, or their weights.
weight_sum_sql <- function(statements) {
  if (!is_weighted(statements)) return("COUNT(*)")
  weight <- paste0(statements$prefix, "w")
  wide <- statements$engine$wide
  paste0("SUM(", if (is.null(wide)) weight else paste0("CAST(", weight, " AS ", wide, ")"), ")")
}

# The columns that say whose record it is, and when.
person_columns <- function(statements) {
  persons <- statements$persons
  if (is.null(persons)) return(NULL)
  id <- quote_column(statements$con, persons$id)
  if (!is.null(statements$engine$id)) id <- gsub("%s", id, statements$engine$id, fixed = TRUE)
  list(
    id = paste0(id, " AS ", statements$prefix, "id"),
    time = if (!is.null(persons$first_by)) {
      paste0(time_sql(statements), " AS ", statements$prefix, "t")
    }
  )
}

# As in R: a time that is no number is missing, and text is in the order of its bytes.
time_sql <- function(statements) {
  time <- quote_column(statements$con, statements$persons$first_by)
  engine <- statements$engine
  kind <- statements$persons$time_kind
  if (identical(kind, "real") && !is.null(engine$nan)) {
    return(paste0("CASE WHEN NOT (", sprintf(engine$nan, time), ") THEN ", time, " END"))
  }
  if (!identical(kind, "text")) return(time)
  # Drivers also have text for what is none there, as an interval.
  text <- paste0("CAST(", time, " AS ", engine$text, ")")
  # Not the other way round: where '' is NULL nothing is unlike it.
  text <- paste0("CASE WHEN ", text, " = '' THEN NULL ELSE ", text, " END")
  if (is.null(engine$by_bytes)) text else sprintf(engine$by_bytes, paste0("(", text, ")"))
}

# All of what will be asked, of no records: a type or a function that the engine has not is found
# before anything is paid.
check_keeps_records <- function(statements) {
  nothing <- statements
  nothing$query <- paste0(
    "SELECT * FROM (", statements$query, ") ", statements$prefix, "none WHERE 0 = 1"
  )
  nothing["table"] <- list(NULL)
  ask_engine(statements$con, counting_sql(nothing, list(1:2), 0)[[1L]])
  invisible()
}

# Without a time the rule is a hash, which not every engine has.
check_can_choose <- function(engine, persons, call) {
  if (!is.null(persons$first_by) || !is.null(engine$md5)) return(invisible())
  abort(c(
    "{.arg first_by} must be given here: which records of a person come first?",
    x = "Without it a hash chooses, and {engine$name} has none that is known.",
    i = "Name a column of times or of numbers: {.code first_by = \"visit\"}.",
    i = "Nothing was computed or spent."
  ), class = "privpc_no_hash", call = call)
}

kept_sql <- function(statements, positions) {
  if (statements$engine$arrays) return(kept_by_arrays_sql(statements, positions))
  prefix <- statements$prefix
  name <- function(x) paste0(prefix, x)
  all <- name(paste0("v", seq_along(statements$codings)))
  from <- records_sql(statements, seq_along(statements$codings), unlist(person_columns(statements)))
  from <- paste0("(", from, ") ", name("all"))
  own <- paste0("PARTITION BY ", name("id"))
  if (is.null(statements$persons$first_by)) {
    copies <- paste0(
      "ROW_NUMBER() OVER (", own, ", ", toString(all), " ORDER BY ", all[[1L]], ") AS ",
      name("copy")
    )
    from <- paste0(
      "(SELECT ", paste(c(name("id"), all, copies), collapse = ", "), " FROM ", from, ") ",
      name("copies")
    )
    rule <- sprintf(statements$engine$md5, hashed_text_sql(statements, c(all, name("copy"))))
  } else {
    # Engines do not agree on where a missing time comes.
    missing <- paste0("CASE WHEN ", name("t"), " IS NULL THEN 1 ELSE 0 END")
    rule <- toString(c(missing, name("t"), all))
  }
  counted <- name(paste0("v", positions))
  numbered <- c(
    counted, paste0("ROW_NUMBER() OVER (", own, " ORDER BY ", rule, ") AS ", name("r")),
    paste0("COUNT(*) OVER (", own, ") AS ", name("m"))
  )
  kept <- c(counted, if (is_weighted(statements)) weight_sql(statements, name("m")))
  paste0(
    "SELECT ", toString(kept), " FROM (SELECT ", toString(numbered), " FROM ", from, ") ",
    name("numbered"), " WHERE ", name("r"), " <= ", statements$persons$max_records
  )
}

# A column: what each record weighs whose person has `m` of them.
weight_sql <- function(statements, m) {
  most <- statements$persons$max_records
  weights <- cpp_person_unit(most) / seq_len(most)
  cases <- paste("WHEN", seq_len(most - 1L), "THEN", weights[-most], collapse = " ")
  paste0("CASE ", m, " ", cases, " ELSE ", weights[[most]], " END AS ", statements$prefix, "w")
}

# The text of a record: id|level|level|...|copy.
hashed_text_sql <- function(statements, numbers) {
  text <- statements$engine$text
  parts <- paste0("CAST(", c(paste0(statements$prefix, "id"), numbers), " AS ", text, ")")
  paste(parts, collapse = " || '|' || ")
}

# ClickHouse before version 21 has no windows. The records of each person become an array, which is
# sorted and cut, and then rows again.
kept_by_arrays_sql <- function(statements, positions) {
  prefix <- statements$prefix
  name <- function(x) paste0(prefix, x)
  at <- seq_along(statements$codings)
  all <- name(paste0("v", at))
  by_time <- !is.null(statements$persons$first_by)
  element <- function(i) paste0("tupleElement(", name("r"), ", ", i, ")")
  before <- if (by_time) {
    c(paste0("CASE WHEN ", name("t"), " IS NULL THEN 1 ELSE 0 END"), name("t"))
  }
  records <- paste0("groupArray(tuple(", toString(c(before, all)), "))")
  if (by_time) {
    records <- paste0("arraySort(", records, ")")
    shift <- 2L
  } else {
    level <- paste0("toString(tupleElement(x, ", at, "))")
    text <- paste0(
      "concat(toString(", name("id"), "), '|', ",
      paste(c(level, "toString(c)"), collapse = ", '|', "), ")"
    )
    hashed <- paste0(
      "arrayMap((x, c) -> tuple(", sprintf(statements$engine$md5, text), ", x), ", records,
      ", arrayEnumerateUniq(", records, "))"
    )
    # The hash decides; copies of a record have different ones.
    records <- paste0("arrayMap(y -> tupleElement(y, 2), arraySort(", hashed, "))")
    shift <- 0L
  }
  kept <- paste0("arraySlice(", records, ", 1, ", statements$persons$max_records, ")")
  from <- records_sql(statements, at, unlist(person_columns(statements)))
  people <- paste0(
    "SELECT ", kept, " AS ", name("rs"), " FROM (", from, ") ", name("all"), " GROUP BY ",
    name("id")
  )
  columns <- c(
    paste0(vapply(positions + shift, element, ""), " AS ", name(paste0("v", positions))),
    if (is_weighted(statements)) weight_sql(statements, paste0("length(", name("rs"), ")"))
  )
  paste0(
    "SELECT ", toString(columns), " FROM (", people, ") ", name("people"), " ARRAY JOIN ",
    name("rs"), " AS ", name("r")
  )
}
