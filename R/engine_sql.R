# The statements that count. Names and values get into them by the quoting of dbplyr and of the
# driver alone. All are built around one derived table, in which each column is the number of its
# level, and NULL where a value has none:
#
#   SELECT CASE WHEN "smoking" = 'no' THEN 1 WHEN "smoking" = 'yes' THEN 2 END AS privpc_v1, ...
#   FROM (<the user's query>) privpc_records
#
# A cell of a table then has the number first + (level of the first variable - 1) * stride + ...,
# and first is chosen so that cells of different tables have different numbers: what comes back are
# two columns, numbers of cells and of records.

# What statements are made of: `con`, the `engine` of engine_of(), the user's `query`, a `coding`
# for each variable in the order of the schema, with its `kind` (sql_kind()) and typed `values`,
# `prefix`, which no column has at the beginning of its name, `persons` (R/persons.R), and `table`,
# the name of a table where that is all of the query and the engine gains by it, else NULL.
new_statements <- function(con, query, codings, columns, engine = engine_of(con), persons = NULL) {
  prefix <- "privpc_"
  while (any(startsWith(tolower(columns), prefix))) prefix <- paste0(prefix, "_")
  list(
    con = con, engine = engine, query = query, codings = codings, prefix = prefix,
    persons = persons, table = if (engine$arrays) plain_table(query),
    cases = vapply(codings, case_sql, "", con = con, engine = engine, USE.NAMES = FALSE)
  )
}

# A cluster of ClickHouse counts a table in all its servers, but brings the records of a derived
# table to one of them first. So statements name the table itself if the query is no more than that.
plain_table <- function(query) {
  plain <- "^SELECT \\*\\s+FROM ((`[^`\\\\]+`[.])?`[^`\\\\]+`)$"
  if (grepl(plain, query)) sub(plain, "\\1", query)
}

# ---- quoting ------------------------------------------------------------------------------------

quote_column <- function(con, name) as.character(dbplyr::escape(dbplyr::ident(name), con = con))

quote_value <- function(con, engine, value) {
  local_decimal_point()
  if (is.numeric(value)) return(number_sql(value))
  # A quote that is doubled would end the text in some of these engines.
  if (is.character(value) && engine$backslash && keeps_backslashes(con)) {
    return(paste0("'", gsub("(['\\\\])", "\\\\\\1", enc2utf8(value)), "'"))
  }
  as.character(dbplyr::escape(value, con = con))
}

# Whether the driver leaves them as they are.
keeps_backslashes <- function(con) {
  identical(as.character(dbplyr::escape("\\", con = con)), "'\\'")
}

# The shortest text that is read as this number again. Whole numbers are written out; others have an
# exponent, because without one many engines take them for decimal numbers of limited digits.
number_sql <- function(x) {
  local_decimal_point()
  if (x == round(x) && abs(x) < 2^53) return(written_out(x))
  for (digits in 15:17) {
    text <- formatC(x, digits = digits - 1L, format = "e")
    if (as.double(text) == x) break
  }
  sub("0+e", "e", sub("\\.0+e", "e", text))
}

# ---- the derived table --------------------------------------------------------------------------

case_sql <- function(coding, con, engine) {
  column <- quote_column(con, coding$name)
  nan <- if (coding$kind == "real" && !is.null(engine$nan)) sprintf(engine$nan, column)
  known <- paste(c(paste(column, "IS NOT NULL"), if (!is.null(nan)) paste0("NOT (", nan, ")")),
                 collapse = " AND ")
  missing <- paste(c(paste(column, "IS NULL"), nan), collapse = " OR ")
  bins <- length(coding$cuts)
  conditions <- if (bins) {
    cuts <- vapply(coding$cuts, number_sql, "")
    # NaN may be larger than all numbers, but is in no bin.
    last <- paste(column, ">", cuts[[bins]])
    if (!is.null(nan)) last <- paste0(last, " AND NOT (", nan, ")")
    within <- c(paste(column, "<=", cuts), last)
    # A text is larger than all numbers where a column may hold both, but is in no bin.
    if (!is.null(engine$is_number)) {
      within <- paste(within, "AND", sprintf(engine$is_number, column))
    }
    within
  } else {
    vapply(seq_along(coding$values), function(i) {
      equal_sql(con, engine, column, coding$values[[i]], coding$kind)
    }, "")
  }
  codes <- seq_along(conditions)
  # Missing values first: an engine may find NaN larger than a cut.
  if (coding$missing) {
    conditions <- c(missing, conditions)
    codes <- c(length(coding$labels) + 1L, codes)
  }
  if (!is.na(coding$other)) {
    conditions <- c(conditions, known)
    codes <- c(codes, coding$other)
  }
  paste0("CASE ", paste0("WHEN ", conditions, " THEN ", codes, collapse = " "), " END")
}

# Where the type of a column is not known, as text and, if the value is one, as a number.
equal_sql <- function(con, engine, column, value, kind) {
  quoted <- quote_value(con, engine, value)
  if (is.null(engine$is_number) || kind != "unknown" || is.logical(value)) {
    return(paste(column, "=", quoted))
  }
  text <- quote_value(con, engine, written_out(value))
  same <- paste0("CAST(", column, " AS TEXT) = ", text)
  number <- if (value %in% c("FALSE", "TRUE")) {
    as.double(value == "TRUE")
  } else {
    suppressWarnings(as.double(value))
  }
  if (is.na(number)) return(same)
  paste0(
    "(", same, " OR (", sprintf(engine$is_number, column), " AND ", column, " = ",
    number_sql(number), "))"
  )
}

coded_columns <- function(statements, positions) {
  paste0(statements$cases[positions], " AS ", statements$prefix, "v", positions)
}

# The derived table with the variables at these positions: all records, and `more` columns.
records_sql <- function(statements, positions, more = NULL) {
  paste0(
    "SELECT ", toString(c(coded_columns(statements, positions), more)), " FROM ",
    if (is.null(statements$table)) {
      paste0("(", statements$query, ") ", statements$prefix, "records")
    } else {
      statements$table
    }
  )
}

# `what` is asked of it. From a table that is named itself the columns are names for expressions.
from_records_sql <- function(statements, positions, more, what) {
  if (!is.null(statements$table)) {
    columns <- toString(c(coded_columns(statements, positions), more))
    return(paste0("WITH ", columns, " SELECT ", what, " FROM ", statements$table))
  }
  paste0(
    "SELECT ", what, " FROM (", records_sql(statements, positions, more), ") ", statements$prefix,
    "coded"
  )
}

# The same, of the records that count: all, or those that are kept of each person, with what they
# weigh (R/engine_persons.R).
coded_sql <- function(statements, positions) {
  if (is.null(statements$persons)) return(records_sql(statements, positions))
  kept_sql(statements, positions)
}

# ---- opening ------------------------------------------------------------------------------------

# The number of records, or of persons, and whether (1) or not (0) some record has no level, for
# these variables, or no person.
opening_sql <- function(statements, positions) {
  prefix <- statements$prefix
  id <- paste0(prefix, "id")
  by_person <- !is.null(statements$persons)
  lacks <- paste0(c(paste0(prefix, "v", positions), if (by_person) id), " IS NULL")
  # An empty text is nobody's name. Drivers also have text for what is none there, as a UUID.
  if (by_person && (statements$persons$id_kind %in% c("text", "unknown") ||
                    !is.null(statements$engine$is_number))) {
    empty <- paste0("CAST(", id, " AS ", statements$engine$text, ") = ''")
    lacks[[length(lacks)]] <- paste(lacks[[length(lacks)]], "OR", empty)
  }
  gaps <- paste0(
    "MAX(CASE WHEN ", lacks, " THEN 1 ELSE 0 END) AS ", prefix,
    c(paste0("g", positions), if (by_person) "gid")
  )
  number <- if (by_person) paste0("COUNT(DISTINCT ", id, ")") else "COUNT(*)"
  number <- paste0(number, " AS ", prefix, "n")
  from_records_sql(
    statements, positions, person_columns(statements)$id, toString(c(number, gaps))
  )
}

# ---- counting -----------------------------------------------------------------------------------

# The number of the cell of a record in the table of these variables, as an expression.
cell_sql <- function(statements, positions, first) {
  levels <- vapply(statements$codings[positions], coding_levels, 0L)
  strides <- rev(cumprod(c(1, rev(levels)[-length(levels)])))
  code <- paste0(statements$prefix, "v", positions)
  wide <- statements$engine$wide
  large <- first + prod(levels) > .Machine$integer.max && !is.null(wide)
  if (large || statements$engine$unsigned) {
    code <- paste0("CAST(", code, " AS ", wide, ")")
  }
  constant <- first - sum(strides)
  steps <- ifelse(strides == 1, code, paste(code, "*", vapply(strides, number_sql, "")))
  paste(
    paste(steps, collapse = " + "), if (constant < 0) "-" else "+", number_sql(abs(constant))
  )
}

coding_levels <- function(coding) length(coding$labels) + coding$missing

# One or several statements that count all tables; `sets` are positions of variables.
counting_sql <- function(statements, sets, first) {
  engine <- statements$engine
  if (engine$grouping_sets) {
    parts <- split(seq_along(sets), (seq_along(sets) - 1L) %/% engine$tables)
    return(vapply(parts, function(at) {
      grouping_sets_sql(statements, sets[at], first[at])
    }, "", USE.NAMES = FALSE))
  }
  each <- vapply(seq_along(sets), function(i) {
    (if (engine$arrays) array_sql else grouping_sets_sql)(statements, sets[i], first[i])
  }, "")
  parts <- split(seq_along(sets), statement_parts(nchar(each), engine))
  vapply(parts, function(at) {
    if (engine$arrays) return(array_sql(statements, sets[at], first[at]))
    paste(each[at], collapse = " UNION ALL ")
  }, "", USE.NAMES = FALSE)
}

# Which statement each table goes into.
statement_parts <- function(characters, engine) {
  part <- integer(length(characters))
  now <- 1L
  tables <- 0L
  total <- 0
  for (i in seq_along(characters)) {
    if (tables > 0L && (tables == engine$tables || total + characters[[i]] > engine$characters)) {
      now <- now + 1L
      tables <- 0L
      total <- 0
    }
    part[[i]] <- now
    tables <- tables + 1L
    total <- total + characters[[i]]
  }
  part
}

# Several tables in one pass, or one. A cell's number is that of the one table it belongs to: the
# others are NULL in its row.
grouping_sets_sql <- function(statements, sets, first) {
  prefix <- statements$prefix
  cell <- paste0(prefix, "c", seq_along(sets))
  cells <- vapply(seq_along(sets), function(i) {
    paste(cell_sql(statements, sets[[i]], first[[i]]), "AS", cell[[i]])
  }, "")
  if (is_weighted(statements)) cells <- c(cells, paste0(prefix, "w"))
  from <- paste0(
    " FROM (SELECT ", paste(cells, collapse = ", "), " FROM (",
    coded_sql(statements, sort(unique(unlist(sets)))), ") ", prefix, "coded) ", prefix, "cells"
  )
  count <- paste0(weight_sum_sql(statements), " AS ", prefix, "n")
  if (length(sets) == 1L) return(paste0("SELECT ", cell, ", ", count, from, " GROUP BY ", cell))
  paste0(
    "SELECT COALESCE(", paste(cell, collapse = ", "), ") AS ", prefix, "cell, ", count, from,
    " GROUP BY GROUPING SETS (", paste0("(", cell, ")", collapse = ", "), ")"
  )
}

# Several tables in one pass: a record becomes as many rows as there are tables, each with the
# number of its cell.
array_sql <- function(statements, sets, first) {
  prefix <- statements$prefix
  cells <- vapply(seq_along(sets), function(i) cell_sql(statements, sets[[i]], first[[i]]), "")
  positions <- sort(unique(unlist(sets)))
  what <- paste0(
    "arrayJoin([", toString(cells), "]) AS ", prefix, "cell, ", weight_sum_sql(statements), " AS ",
    prefix, "n"
  )
  counted <- if (is.null(statements$persons)) {
    from_records_sql(statements, positions, NULL, what)
  } else {
    paste0("SELECT ", what, " FROM (", coded_sql(statements, positions), ") ", prefix, "coded")
  }
  paste0(counted, " GROUP BY ", prefix, "cell")
}
