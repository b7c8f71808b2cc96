# Several records per person in a file that is read in parts: whose records are complete, and which
# of them are kept.

# visit(codes, weights, people) for each part: the records that count, what each weighs (NULL: one),
# and how many people they are of. A person's records must stand together, because only a part is in
# memory: those of the last person of a part wait for the next.
each_group <- function(data, codings, persons, call, visit) {
  if (is.null(persons)) {
    return(each_chunk(data, codings, call, function(codes, part) visit(codes, NULL, nrow(part))))
  }
  waiting <- NULL
  sorted <- sorted_so_far(persons$id, call)
  finish <- function(records) {
    facts <- person_numbers(records$id, persons$id, call)
    kept <- cpp_kept_records(
      records$codes, vector("list", length(codings)), facts$person, facts$ids,
      person_times(records$time, facts$person, data), persons$max_records
    )
    rows <- which(kept > 0L)
    weights <- if (persons$max_records > 1L) {
      cpp_person_unit(persons$max_records) / as.integer(kept[rows])
    }
    # A value without a level in a record that is not kept is a gap as well.
    codes <- lapply(records$codes, function(x) if (anyNA(x)) x else x[rows])
    visit(codes, weights, length(facts$ids))
  }
  same_time <- same_in_all_parts(persons$first_by)
  each_chunk(data, codings, call, function(codes, part) {
    if (nrow(part) == 0L) return()
    records <- person_records(codes, part, persons, data, call)
    same_time(records$time)
    if (is.factor(records$time)) records$time <- as.integer(records$time)
    sorted(records$id)
    records <- append_records(waiting, records)
    last <- records$id == records$id[[length(records$id)]]
    waiting <<- pick_records(records, last)
    if (!all(last)) finish(pick_records(records, !last))
  })
  if (!is.null(waiting)) finish(waiting)
}

person_records <- function(codes, part, persons, data, call) {
  columns <- c(persons$id, persons$first_by)
  lacking <- setdiff(columns, names(part))
  if (length(lacking)) stop("a part has no column ", lacking[[1L]])
  for (name in columns) {
    if (length(part[[name]]) != nrow(part)) {
      stop("column ", name, " of a part is too short or too long")
    }
  }
  id <- id_texts(part[[persons$id]], persons$id, call)
  if (anyNA(id) || !all(nzchar(id))) abort_without_id(persons$id, call)
  # R writes numbers in short into files: 1e+05.
  if (!is.null(data$file)) {
    short <- grep("^-?[0-9]+([.][0-9]+)?e[+][0-9]+$", id)
    short <- short[abs(as.double(id[short])) < 2^53]
    id[short] <- written_out(as.double(id[short]))
  }
  time <- if (!is.null(persons$first_by)) check_order_column(part, persons$first_by, call)
  drop_null(list(codes = unname(codes), id = id, time = time))
}

# What comes first must not depend on which part it is in, nor on who else is in that part: codes of
# a factor whose levels are those of the part would.
same_in_all_parts <- function(name) {
  first <- NULL
  function(time) {
    now <- list(class(time), levels(time))
    if (is.null(first)) first <<- now
    if (!identical(now, first)) {
      stop("column ", name, " has other levels, or is of another kind, in a later part")
    }
  }
}

# A file holds text. Whether it compares as numbers is decided by the person's own records: those of
# others must not change which are kept. What a function gives is what it is.
person_times <- function(time, person, data) {
  if (is.null(time)) return(NULL)
  if (!is.character(time) || is.null(data$file)) return(order_numbers(time))
  time[!nzchar(time)] <- NA
  plain <- if (identical(data$dec, ".")) time else sub(data$dec, ".", time, fixed = TRUE)
  number <- suppressWarnings(as.double(plain))
  text <- person %in% person[is.na(number) & !is.na(time)]
  number[text] <- order_numbers(time[text])
  number
}

append_records <- function(before, records) {
  if (is.null(before)) return(records)
  records$codes <- Map(c, before$codes, records$codes)
  records$id <- c(before$id, records$id)
  if (!is.null(records$time)) records$time <- c(before$time, records$time)
  records
}

pick_records <- function(records, which) {
  records$codes <- lapply(records$codes, `[`, which)
  records$id <- records$id[which]
  if (!is.null(records$time)) records$time <- records$time[which]
  records
}

# Whether ids rise from record to record, as numbers or as text: then nobody comes twice. As numbers
# two persons may be equal ("1" and "01", or beyond 2^53), and then come in turns.
sorted_so_far <- function(name, call) {
  last <- NULL
  as_numbers <- as_text <- TRUE
  function(id) {
    id <- c(last, id)
    if (as_numbers) {
      number <- suppressWarnings(as.double(id))
      same <- id[-1L] == id[-length(id)]
      as_numbers <<- !anyNA(number) && all(same | number[-1L] > number[-length(id)])
    }
    if (as_text) as_text <<- identical(order(enc2utf8(id), method = "radix"), seq_along(id))
    last <<- id[[length(id)]]
    if (as_numbers || as_text) return(invisible())
    abort(c(
      "Records in parts must be sorted by {.arg id}: only a part of them is in memory.",
      x = "{.var {name}} does not rise from record to record.",
      i = paste(
        "Sort the file by number or by the bytes of the text (as {.code LC_ALL=C sort} does), or",
        "put the records into a data base (see {.code ?tables_in_engines})."
      ),
      i = "Nothing was computed or spent."
    ), class = "privpc_unsorted", call = call)
  }
}
