# Records that come in parts, from a file or from anywhere: each stage is one pass over them, and no
# more than a part is in memory.

#' Records that are read in parts
#'
#' A file, or anything else that gives its records part by part, as `data` of the learners and
#' tests. Nothing but the beginning is read when it is made; each stage of a learner is then one
#' pass over all parts, of which one at a time is in memory. As with tables in a data base
#' ([tables_in_engines]) what the columns hold is declared with `levels` and `breaks`, and the fit
#' is the one that the same records would give as a data frame.
#'
#' @param x The path of a CSV file with a line of names (it may be compressed), or a function
#'   without arguments that begins a pass: it returns a function that gives the next part, a data
#'   frame, each time it is called, and `NULL` after the last. All passes must give the same
#'   records.
#' @param columns Names of the columns to use; `NULL` for all.
#' @param rows Rows of a part of a file. Of more than 100,000, that many are read at a time, so that
#'   reading can be interrupted in between.
#' @param ... For a file, further arguments of [utils::read.csv()], as `sep`, `dec`, `row.names` or
#'   `na.strings`. All columns are read as text; those with `breaks` are then turned into numbers,
#'   and text in them that is no number is an error.
#' @return An object of class `privpc_chunks`, to be given as `data`.
#' @seealso [tables_in_engines]
#' @examples
#' file <- system.file("extdata", "cohort.csv.gz", package = "privpc")
#' cohort <- read_chunks(file, rows = 10000, columns = c("smoking", "pressure", "infarction"))
#' cohort
#'
#' # What the columns hold is declared, and never read off the data
#' no_yes <- c("no", "yes")
#' marginal_pc(
#'   cohort, epsilon = 1, levels = list(smoking = no_yes, infarction = no_yes),
#'   breaks = list(pressure = c(70, 120, 130, 140, 240))
#' )
#' @export
read_chunks <- function(x, columns = NULL, rows = 100000, ...) {
  check_given(x)
  check_number(rows, min = 1, max = 1e9, whole = TRUE)
  begin <- if (is.function(x)) {
    if (...length()) check_dots_empty(...)
    x
  } else {
    check_string(x)
    if (!file.exists(x)) {
      abort(c("{.arg x} must be a file that is there.", x = "Not found: {.file {x}}."),
            call = rlang::current_env())
    }
    check_csv_arguments(names(list(...)), rlang::current_env())
    csv_parts(normalizePath(x), min(rows, 1e5), list(...))
  }
  first <- if (is.function(x)) first_part(begin) else csv_head(x, list(...), rlang::current_env())
  if (!is.data.frame(first)) {
    abort(c(
      "{.arg x} must give data frames, part by part.",
      x = "The first part is {describe(first)}.",
      i = "See the help of {.fn read_chunks} for how such a function looks."
    ), call = rlang::current_env())
  }
  unknown <- setdiff(columns, names(first))
  if (length(unknown)) {
    abort(c(
      "{.arg columns} must be names of columns.",
      x = "Unknown: {.var {unknown}}.",
      i = "Columns: {.var {names(first)}}."
    ), call = rlang::current_env())
  }
  structure(
    list(
      begin = begin, columns = if (is.null(columns)) names(first) else plain_text(columns),
      file = if (!is.function(x)) basename(x),
      dec = if (is.null(list(...)$dec)) "." else list(...)$dec
    ),
    class = "privpc_chunks"
  )
}

#' @export
print.privpc_chunks <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, chunk_kinds, rlang::current_env())
  cli::cat_line(
    cli::style_bold("<privpc_chunks>"), " ", length(x$columns), " columns",
    if (!is.null(x$file)) paste(" in", x$file), ", read in parts"
  )
  cli::cat_line(
    strwrap(toString(x$columns), width = cli::console_width(), exdent = 2L, indent = 2L)
  )
  invisible(x)
}

is_chunks <- function(data) inherits(data, "privpc_chunks")

first_part <- function(begin) {
  next_part <- begin()
  if (is.function(next_part)) next_part() else next_part
}

# What is set here, and what would change from part to part.
check_csv_arguments <- function(given, call) {
  taken <- intersect(given, c(
    "file", "text", "header", "nrows", "colClasses", "check.names", "col.names", "skip",
    "comment.char", "encoding", "fileEncoding"
  ))
  if (!length(taken)) return(invisible())
  abort(c(
    "{.arg {taken[[1L]]}} cannot be given for a file that is read in parts.",
    i = "Every column is read as text. Which values it has is declared where the file is used, by
         {.arg levels} and {.arg breaks}."
  ), call = call)
}

csv_head <- function(path, arguments, call) {
  tryCatch(
    {
      check_whole_gzip(path)
      next_part <- csv_parts(path, 1L, arguments)()
      on.exit(attr(next_part, "close")())
      head <- next_part()
      if (is.null(head)) stop("it has no records", call. = FALSE)
      head
    },
    error = function(e) {
      abort(c(
        "{.arg x} could not be read as a CSV file.", x = "{conditionMessage(e)}.",
        i = paste(
          "Are {.arg sep} and {.arg dec} right?",
          "{.code read_chunks(file, sep = \";\", dec = \",\")} is for files of {.fn write.csv2}."
        )
      ), call = call)
    }
  )
}

# A pass over a CSV file. Text throughout: what a value is must not depend on the part it is in, and
# every part is read as a file of its own, with the line of names before it. `close` ends a pass
# that is left before its end.
csv_parts <- function(path, rows, arguments) {
  force(rows)
  force(arguments)
  path <- normalizePath(path)
  quoted <- !identical(arguments$quote, "")
  function() {
    lines <- record_lines(path, quoted)
    names <- lines$take(1L)
    next_part <- function() {
      repeat {
        text <- lines$take(rows)
        if (is.null(text)) return(NULL)
        part <- do.call(utils::read.csv, c(
          list(text = c(names, text), colClasses = "character", check.names = FALSE), arguments
        ))
        if (nrow(part)) return(part)
      }
    }
    structure(next_part, close = lines$close)
  }
}

# The lines of a file, in groups that end where a record does: a quoted value may have several
# lines. A quote that is not closed would otherwise swallow what follows, and half of the records
# look like all. The bytes are taken as they are and must be UTF-8: a connection that translates
# stops at the first one that is not.
record_lines <- function(path, quoted) {
  compressed <- is_compressed(path)
  con <- file(path, "r", encoding = "native.enc")
  waiting <- character()
  close_file <- function() {
    if (!is.null(con)) close(con)
    con <<- NULL
  }
  more <- function(count) {
    lines <- if (is.null(con)) character() else whole_lines(con, count, compressed)
    if (length(lines) < count) close_file()
    if (!all(validUTF8(lines))) {
      close_file()
      stop("the file is not in UTF-8", call. = FALSE)
    }
    Encoding(lines) <- "UTF-8"
    sub("^\ufeff", "", lines)
  }
  quotes <- function(lines) nchar(gsub("[^\"]", "", lines))
  take <- function(count) {
    lines <- c(waiting, more(count))
    waiting <<- character()
    if (!length(lines)) return(NULL)
    repeat {
      ends <- if (quoted) which(cumsum(quotes(lines)) %% 2 == 0) else seq_along(lines)
      ends <- ends[ends >= min(count, length(lines))]
      if (length(ends)) break
      added <- more(1000L)
      if (!length(added)) stop("a quote is not closed", call. = FALSE)
      lines <- c(lines, added)
    }
    waiting <<- lines[-seq_len(ends[[1L]])]
    lines[seq_len(ends[[1L]])]
  }
  list(take = take, close = close_file)
}

# Lines, and what R only warns of: a NUL, at which it cuts a line off, and a compressed file that
# ends within a line, as one does that was cut short. (A plain file may end without an end of line.)
whole_lines <- function(con, count, compressed) {
  withCallingHandlers(readLines(con, count), warning = function(w) {
    no_end <- sub("%s.*", "", gettext("incomplete final line found on '%s'", domain = "R"))
    if (!startsWith(conditionMessage(w), no_end)) stop(conditionMessage(w), call. = FALSE)
    if (compressed) stop("the compressed file ends within a line: was it cut short?", call. = FALSE)
    tryInvokeRestart("muffleWarning")
  })
}

# A gzip file ends with the number of bytes that it holds, and R does not look at it: one that was
# cut short reads like a shorter one.
check_whole_gzip <- function(path) {
  first <- readBin(path, "raw", 2L)
  if (!identical(first, as.raw(c(0x1f, 0x8b)))) return(invisible())
  con <- gzfile(path, "rb")
  on.exit(close(con))
  size <- 0
  # What R warns of shows in the size.
  read <- function() suppressWarnings(readBin(con, "raw", 2^20))
  while (length(bytes <- read())) size <- size + length(bytes)
  end <- file(path, "rb")
  on.exit(close(end), add = TRUE)
  seek(end, file.size(path) - 4)
  stated <- sum(as.integer(readBin(end, "raw", 4L)) * 256^(0:3))
  if (size %% 2^32 == stated) return(invisible())
  stop(
    "the compressed file was cut short, or put together of several: decompress it first",
    call. = FALSE
  )
}

# As file() finds out: by the first bytes of gzip, bzip2 and xz.
is_compressed <- function(path) {
  first <- readBin(path, "raw", 6L)
  kinds <- list(as.raw(c(0x1f, 0x8b)), charToRaw("BZh"), as.raw(c(0xfd, 0x37, 0x7a, 0x58, 0x5a)))
  any(vapply(kinds, function(kind) identical(first[seq_along(kind)], kind), NA))
}

# As a data frame of all parts would be checked.
check_chunk <- function(part, codings) {
  if (!is.data.frame(part)) stop("a part is not a data frame")
  lacking <- setdiff(names(codings), names(part))
  if (length(lacking)) stop("a part has no column ", lacking[[1L]])
  for (coding in codings) {
    x <- part[[coding$name]]
    kinds <- if (is.null(coding$cuts)) {
      c("factor", "character", "logical", "numeric")
    } else {
      c("character", "numeric")
    }
    if (!column_kind(x) %in% kinds) {
      stop("column ", coding$name, " is ", describe_column(x), " in a part, and has ",
           if (is.null(coding$cuts)) "levels" else "breaks")
    }
    if (length(x) != nrow(part)) stop("column ", coding$name, " of a part is too short or too long")
  }
}

chunk_backend <- function(data, call) {
  what <- if (is.null(data$file)) "records in parts" else "a file that is read in parts"
  list(
    what = what, columns = data$columns,
    leave_out = paste(
      "A column that is not meant to be in the graph is left out with {.arg columns} of",
      "{.fn read_chunks}."
    ),
    leave_rows = "Or give only the other rows.",
    # Each part says it by itself.
    kinds = function(names) rep("unknown", length(names)),
    open = function(codings, persons) {
      n <- 0
      gaps <- logical(length(codings))
      tryCatch(
        each_group(data, codings, persons, call, function(codes, weights, people) {
          n <<- n + people
          gaps <<- gaps | vapply(codes, anyNA, NA)
        }),
        error = function(e) {
          if (inherits(e, "privpc_error") || is_time_limit(e)) stop(e)
          abort_not_opened(e, what, call)
        }
      )
      list(n = n, gaps = names(codings)[gaps])
    },
    count = function(codings, persons) {
      function(sets, first, stage) {
        tryCatch(
          count_chunks(data, codings, persons, sets, first, call),
          error = function(e) if (is_time_limit(e)) stop(e) else stop_counting(e, stage, what)
        )
      }
    }
  )
}

# visit(codes, part) for each part.
each_chunk <- function(data, codings, call, visit) {
  next_part <- data$begin()
  if (is.function(attr(next_part, "close"))) on.exit(attr(next_part, "close")())
  while (!is.null(part <- next_part())) {
    let_interrupt()
    check_chunk(part, codings)
    codes <- lapply(codings, function(coding) {
      x <- part[[coding$name]]
      if (!is.null(coding$cuts) && is.character(x)) {
        x <- text_as_numbers(x, data$dec, coding$name, call)
      }
      code_values(x, coding, call)
    })
    visit(codes, part)
  }
}

# Text that is no number is not a missing one: that would make a level of a decimal comma.
text_as_numbers <- function(x, dec, name, call) {
  x[!nzchar(trimws(x))] <- NA
  if (dec != ".") {
    x[grepl(".", x, fixed = TRUE)] <- "no number"
    x <- sub(dec, ".", x, fixed = TRUE)
  }
  numbers <- suppressWarnings(as.double(x))
  if (any(is.na(numbers) & !is.na(x) & toupper(trimws(x)) != "NAN")) {
    abort(c(
      "Column {.var {name}} has {.arg breaks}, but some of its values are no numbers.",
      i = if (dec == ".") {
        "Does the file write a decimal comma? {.code read_chunks(file, dec = \",\")}."
      },
      i = paste(
        "Values that stand for a missing one are named with {.arg na.strings} of",
        "{.fn read_chunks}."
      ),
      i = "Nothing was computed or spent."
    ), class = "privpc_no_numbers", call = call)
  }
  numbers
}

count_chunks <- function(data, codings, persons, sets, first, call) {
  levels <- vapply(codings, coding_levels, 0L)
  counted <- rep(list(list(cell = double(), n = double())), length(sets))
  each_group(data, codings, persons, call, function(codes, weights, people) {
    for (i in seq_along(sets)) {
      cell <- first[[i]]
      stride <- 1
      for (v in rev(sets[[i]])) {
        cell <- cell + (codes[[v]] - 1) * stride
        stride <- stride * levels[[v]]
      }
      counted[[i]] <<- add_cells(counted[[i]], cell, weights)
    }
  })
  counted
}

# `weights` of the records, NULL where each weighs one. Sums of whole numbers, exact in doubles.
add_cells <- function(counted, cell, weights) {
  cells <- unique(c(counted$cell, cell))
  at <- match(cell, cells)
  n <- if (is.null(weights)) {
    tabulate(at, length(cells))
  } else {
    sums <- double(length(cells))
    added <- rowsum(as.double(weights), at)
    sums[as.integer(rownames(added))] <- added
    sums
  }
  n[seq_along(counted$cell)] <- n[seq_along(counted$cell)] + counted$n
  list(cell = cells, n = as.double(n))
}
