# A table in a data base as a source: the engine counts, and no record travels.

is_engine_table <- function(data) inherits(data, "tbl_lazy")

engine_backend <- function(data, call) {
  check_suggested("DBI", "to count in a data base", call)
  check_suggested("dbplyr", "to count in a data base", call)
  con <- dbplyr::remote_con(data)
  engine <- engine_of(con)
  what <- paste("a table in", engine$name)
  query <- as.character(dbplyr::remote_query(data))
  say_query_of_others(query)
  columns <- colnames(data)
  # Made once: quoting hundreds of names and values takes longer than to count a small table.
  made <- NULL
  statements <- function(codings, persons) {
    if (is.null(made)) made <<- new_statements(con, query, codings, columns, engine, persons)
    made
  }
  opening <- function(run) {
    tryCatch(run(), error = function(e) {
      if (inherits(e, "privpc_error")) stop(e)
      abort_not_opened(without_values(e, query, columns), what, call)
    })
  }
  list(
    what = what, columns = columns,
    leave_out = paste(
      "A column that is not meant to be in the graph is left out beforehand:",
      "{.code data <- dplyr::select(data, !{first})}."
    ),
    leave_rows = "Or leave those rows out, {.code data <- dplyr::filter(data, ...)}.",
    kinds = function(names) {
      opening(function() {
        check_complete_answers(con, engine, call)
        empty <- ask_engine(con, paste0("SELECT * FROM (", query, ") privpc_records WHERE 0 = 1"))
        vapply(empty[names], sql_kind, "", has_logical = engine$name != "SQLite")
      })
    },
    open = function(codings, persons) {
      if (!is.null(persons)) check_can_choose(engine, persons, call)
      opening(function() {
        if (!is.null(persons)) check_keeps_records(statements(codings, persons))
        open_table(statements(codings, persons))
      })
    },
    count = function(codings, persons) {
      function(sets, first, stage) {
        tryCatch({
          asked <- counting_sql(statements(codings, persons), sets, first)
          counted <- lapply(asked, function(sql) unclass(ask_engine(con, sql)))
          check_complete_answers(con, engine, call)
          counted
        }, error = function(e) stop_counting(without_values(e, query, columns), stage, what))
      }
    }
  )
}

# An engine's error may repeat a value of a record (one that cannot be made a number, say), in
# quotes or not. Shown are names the user has given, that is words of the query and columns, and
# words that engines use of themselves. Quoted pieces are shown only if they are such names: from
# the first other one on nothing up to the last quote, or up to the end where quotes do not pair.
without_values <- function(error, query, columns) {
  text <- iconv(enc2utf8(conditionMessage(error)), "UTF-8", "UTF-8", sub = "?")
  lines <- trimws(strsplit(if (is.na(text)) "" else text, "\n", fixed = TRUE)[[1L]])
  line <- c(lines[nzchar(lines)], "it gave no reason")[[1L]]
  known <- c(columns, strsplit(query, "[^[:alnum:]_]+")[[1L]])
  line <- without_quoted(line, known)
  # What stands behind such a word is a value, quoted or not.
  line <- sub(
    "\\b(values?|strings?|literal)\\b.*$", "\\1 ...", line,
    ignore.case = TRUE
  )
  words <- gregexpr("[[:alnum:]_]+", line)
  regmatches(line, words) <- lapply(regmatches(line, words), function(word) {
    ifelse(tolower(word) %in% tolower(c(known, words_of_engines)), word, "...")
  })
  line <- gsub("[^[:alnum:]_ .,:;()'\"?-]", "?", line)
  simpleError(gsub("(\\.\\.\\.[^[:alnum:]_]*)+\\.\\.\\.", "...", line))
}

# From the first quotation mark whose content is no name of the query to the last one.
without_quoted <- function(line, known) {
  letters <- strsplit(line, "")[[1L]]
  marks <- c(
    "'", "\"", "`", "\u00ab", "\u00bb", "\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u201a",
    "\u2039", "\u203a"
  )
  quotes <- which(letters %in% marks)
  for (k in seq(1L, by = 2L, length.out = ceiling(length(quotes) / 2))) {
    first <- quotes[[k]]
    closed <- k < length(quotes)
    if (closed && substr(line, first + 1L, quotes[[k + 1L]] - 1L) %in% known) next
    last <- quotes[[length(quotes)]]
    pairs <- closed && letters[[last]] == letters[[first]] &&
      sum(letters == letters[[first]]) %% 2 == 0
    return(paste0(substr(line, 1L, first - 1L), "...", if (pairs) substring(line, last + 1L)))
  }
  line
}

# What engines say of connections, tables, limits, kinds of columns and themselves. Another word may
# be a value of a record.
words_of_engines <- strsplit(paste(
  "a abort aborted access again backend bind aggregate already an and any argument as at bad be",
  "been bigint bool boolean buffer by bytes cancel canceled canceling cancelled cannot cast",
  "character client close closed closing cluster code column columns command conflict connect",
  "connection connections constraint conversion convert corrupt could count database date datetime",
  "db dead deadlock decimal denied denominator device did disk distributed division do does double",
  "driver dropped due during empty end engine eof error errors exception exceed exceeded exceeds",
  "exception execute execution exist exists expected expression failed failure fatal fetch file",
  "files finish float for found from full function gave had has have host implicit in int int32",
  "int64 integer internal interrupted invalid io is it killed left length limit line local lock",
  "locked long lost malformed many match maximum memory message missing module name near network",
  "no not null number numeric object of offset on open operation operator or out overflow parse",
  "parser parsing part permission prepare prepared process processing protocol query range reached",
  "read reason recovery refused relation remote request reserved reset resource result row rows",
  "runtime send schema server session set shard shards shut shutdown size socket space sql",
  "sqlstate statement stopped such supported syntax system table tables temp temp_file_limit",
  "temporary terminated terminating that the this time timed timeout timestamp to too transaction",
  "type types unable unavailable undefined unexpected unknown unrecognized unsupported user using",
  "varchar version view was while with within without write writing yet zero"
), " ")[[1L]]

# The promise is about a record, or a person, in the table that the query gives. Where one may
# decide whether another is in it, replacing one changes two.
say_query_of_others <- function(query) {
  plain <- gsub("'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^]]*\\]", "", query)
  words <- c(
    "LIMIT", "TOP", "FETCH", "OFFSET", "TABLESAMPLE", "SAMPLE", "ROWNUM", "DISTINCT", "GROUP BY",
    "OVER", "JOIN", "EXISTS", "UNION", "EXCEPT", "INTERSECT"
  )
  found <- words[vapply(words, function(word) {
    grepl(paste0("\\b", sub(" ", "\\\\s+", word), "\\b"), plain, ignore.case = TRUE)
  }, NA)]
  if (!length(found)) return(invisible())
  rlang::inform(c(
    "!" = paste0("The query of `data` has ", found[[1L]], " in it."),
    i = paste(
      "If one record (or person) can decide by it whether another is in the table, or what stands",
      "there, replacing one changes two, and more is told than `epsilon` says."
    ),
    i = paste(
      "What looks at one record at a time, as `filter()`, `select()` and",
      "`mutate()` mostly do, is safe."
    )
  ), class = "privpc_query_of_others", .frequency = "regularly",
  .frequency_id = paste("privpc query", found[[1L]]))
}

# A cluster that leaves out servers that are down, and does not say so, would give a graph of half
# the data. Between stages that is noticed by the number of records, but not if servers are down
# from the beginning, nor if everybody has records in one of the others.
check_complete_answers <- function(con, engine, call) {
  if (is.null(engine$incomplete)) return(invisible())
  set <- ask_engine(con, engine$incomplete)[[1L]]
  if (!length(set)) return(invisible())
  abort(c(
    "{.arg data} is a table in {engine$name}, which is set to answer without some of the records.",
    x = "By {.field {set}} it leaves out, without an error, what it cannot read or count in full.",
    i = "Set {cli::qty(set)}{?it/them} back for this connection.",
    i = "Nothing was computed or spent."
  ), class = "privpc_incomplete_answers", call = call)
}

ask_engine <- function(con, sql) DBI::dbGetQuery(con, sql)

# From what a driver makes of a column without rows. SQLite does not know what an expression will
# be.
sql_kind <- function(x, has_logical = TRUE) {
  if (inherits(x, "integer64") || (is.integer(x) && !is.object(x))) return("integer")
  if (is.double(x) && !is.object(x)) return("real")
  if (is.character(x) || is.factor(x)) return("text")
  if (is.logical(x) && has_logical) "logical" else "unknown"
}

# In parts, because engines limit the columns of a result.
open_table <- function(statements, most = 500L) {
  at <- seq_along(statements$codings)
  gaps <- character()
  without_id <- FALSE
  n <- NULL
  for (positions in split(at, (at - 1L) %/% most)) {
    found <- ask_engine(statements$con, opening_sql(statements, positions))
    if (nrow(found) != 1L) stop("the number of rows was answered more than once")
    found <- vapply(found, cpp_whole_number, 0, USE.NAMES = FALSE)
    if (is.null(n)) n <- found[[1L]]
    if (is.na(n) || n != found[[1L]]) stop("the number of rows changed meanwhile")
    empty <- found[-1L] != 0
    gaps <- c(gaps, names(statements$codings)[positions[which(empty[seq_along(positions)])]])
    without_id <- without_id || any(empty[-seq_along(positions)])
  }
  list(n = n, gaps = gaps, without_id = without_id)
}

abort_not_opened <- function(error, what, call) {
  lines <- strsplit(conditionMessage(error), "\n", fixed = TRUE)[[1L]]
  reason <- trimws(lines[nzchar(trimws(lines))][[1L]])
  abort(c(
    "{.arg data} is {what} that could not be opened.",
    x = "{reason}",
    i = "Nothing was computed or spent."
  ), class = "privpc_not_opened", call = call)
}
