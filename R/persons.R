# Several records per person: whose record it is (`id`), how many of a person count (`max_records`),
# and which (`first_by`). The rule and the weights are those of the core (counts/kept_records.hpp,
# schema/person_weights.hpp); everything here is declared and public but the values of the columns.

#' Several records per person
#'
#' @description
#' Visits, prescriptions, deliveries: where a person may have several records, a promise about one
#' record tells a person too little. Name the column that says whose record it is, and the promise
#' is for a person with all their records, for the same `epsilon` and the same noise:
#' `marginal_pc(visits, epsilon = 1, id = "patient")`.
#'
#' @section How records are counted:
#' * [marginal_pc()] uses at most `max_records` records of each person. Each weighs one over the
#'   number of that person's kept records, so that everyone has the weight of one, and replacing a
#'   person moves the tables no farther than replacing a single record would. No noise is added for
#'   this, while to protect ten records of a person one by one would take ten times the noise. The
#'   graph is that of a record of a random person.
#' * [priv_pc()], [em_pc()], [svt_pc()], [sg_pc()], [private_test()] and [private_breaks()], and
#'   [exact_pc()], use one record of each person.
#'
#' Which records of a person are kept, if there are more, depends on this person's records alone:
#' the first ones by the column `first_by`, such as a date (missing ones last, and of the same date
#' those with the lower levels); without it a hash of the identifier and of the levels chooses as if
#' by chance, but always the same ones.
#'
#' @section What is public:
#' The number of persons, and that every record says whose it is. The number of records is a secret,
#' and so is who has how many. `id`, `max_records` and `first_by` are public, and the columns `id`
#' and `first_by` are no variables of the graph. (If one is meant to be, give a copy of it.)
#'
#' @section The sample size:
#' Records of one person are alike: a thousand people with ten records each are not ten thousand
#' people. All tests, scores and intervals take the number of persons for the sample size. That errs
#' on the careful side where a person's records differ.
#'
#' @section Budgets:
#' `privacy_budget(..., per = "person")` makes a budget whose promise is for persons. It pays only
#' for steps with `id` (and for the mechanisms on numbers, where `sensitivity` must then say how far
#' a whole person can move them). A fit says `per person` in its print, in [report()] and in
#' `fit$privacy$per`.
#'
#' @section In data bases and files:
#' The same works for tables in a data base (see [tables_in_engines]), which number the records of
#' each person by themselves; with the same seed the fit is that of a data frame. Without
#' `first_by` the engine needs the hash function MD5, which SQLite, SQL Server, Oracle and MySQL do
#' not have under a known name. A file that is read in parts ([read_chunks()]) must be sorted by
#' `id`. Two texts that an engine's collation takes for equal are one person there. Text in
#' `first_by` is put in the order of its bytes, but in SQL Server, Oracle and MySQL in that of their
#' collation.
#'
#' @param id Name of the column that says whose record it is, if a person may have several: text,
#'   whole numbers or a factor. `NULL`: every record is protected by itself.
#' @param max_records How many records of a person are used at most, 1 to 10.
#' @param first_by Name of a column, such as a date or the number of a visit: the first records of a
#'   person by it are used. `NULL`: chosen by a hash.
#' @examples
#' # 5,000 people, with one to four visits each
#' people <- simulate(network("asia"), nsim = 5000, seed = 1)
#' whose <- rep(seq_len(5000), times = 1 + seq_len(5000) %% 4)
#' visits <- cbind(patient = whose, people[whose, ])
#'
#' fit <- marginal_pc(visits, epsilon = 1, id = "patient")
#' fit
#'
#' # A budget for persons
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6, per = "person")
#' private_test(visits, "smoke", "lung", epsilon = 0.2, id = "patient", budget = budget)$p.value
#' budget
#' @seealso [privacy_budget()], and `vignette("databases")` for a registry of visits
#' @name several_records
NULL

# What was declared, checked; NULL where records are what is protected. `columns` are those of the
# data.
read_persons <- function(id, max_records, first_by, columns, call, by_default = 1) {
  if (is.null(id)) {
    limited <- !is.null(max_records) && !isTRUE(all.equal(max_records, by_default))
    if (is.null(first_by) && !limited) return(NULL)
    abort(c(
      if (is.null(first_by)) {
        "{.arg max_records} says how many records of a person count, so it needs {.arg id}."
      } else {
        "{.arg first_by} says which records of a person come first, so it needs {.arg id}."
      },
      i = "Give the column that says whose record it is: {.code id = \"person\"}."
    ), call = call)
  }
  check_person_column(id, "id", columns, call)
  if (!is.null(first_by)) {
    check_person_column(first_by, "first_by", columns, call)
    if (identical(first_by, id)) {
      abort(c(
        "{.arg first_by} must be another column than {.arg id}.", x = "Both are {.val {id}}."
      ), call = call)
    }
  }
  check_number(max_records, "max_records", min = 1, max = 10, whole = TRUE, call = call)
  list(id = plain_text(id), first_by = plain_text(first_by), max_records = as.integer(max_records))
}

check_person_column <- function(name, arg, columns, call) {
  check_string(name, arg, call)
  # What has no columns is no data frame, and that is said elsewhere.
  if (is.null(columns) || name %in% columns) return(invisible())
  nearest <- nearest_name(name, columns)
  abort(c(
    "{.arg {arg}} must be a column of {.arg data}.",
    x = "There is none called {.val {name}}.",
    i = if (length(nearest)) "Did you mean {.val {nearest}}?"
  ), call = call)
}

# The columns that can be variables: those that say whose record it is, and when, are none.
without_persons <- function(columns, persons) setdiff(columns, c(persons$id, persons$first_by))

# What a fit keeps of it.
person_settings <- function(persons) {
  if (!is.null(persons)) list(persons = drop_null(persons[c("id", "max_records", "first_by")]))
}

unit_of_promise <- function(persons) if (is.null(persons)) "record" else "person"

# What the sample size is a number of.
counted_unit <- function(persons) if (is.null(persons)) "row" else "person"

# The core's word for it is "records", whatever is counted.
ledger_of_persons <- function(ledger, persons) {
  if (!is.null(persons)) {
    ledger$target[ledger$target == "number of records"] <- "number of persons"
  }
  ledger
}

# ---- records in memory ---------------------------------------------------------------------------

# The persons of a data frame: a list of `person` (for each record the number of its person), `ids`
# (the persons' names as text) and `time` (numbers in the order of first_by, or NULL).
person_facts <- function(data, persons, call) {
  c(person_numbers(data[[persons$id]], persons$id, call),
    list(time = if (!is.null(persons$first_by)) {
      order_numbers(check_order_column(data, persons$first_by, call))
    }))
}

check_order_column <- function(data, name, call) {
  x <- data[[name]]
  if (inherits(x, "integer64")) {
    check_integer64(name, call)
    if (any(abs(x) >= 2^53, na.rm = TRUE)) {
      abort(c(
        "{.arg first_by} must be a column of dates, numbers or text.",
        x = "Column {.var {name}} holds numbers too large to be compared exactly.",
        i = "Make it text of equal length, or numbers of a coarser unit."
      ), call = call)
    }
  }
  if (is.atomic(x) && !is.null(x) && !is.complex(x) && !is.raw(x) && is.null(dim(x))) return(x)
  abort(c(
    "{.arg first_by} must be a column of dates, numbers or text.",
    x = "Column {.var {name}} is {describe_column(x)}."
  ), call = call)
}

person_numbers <- function(id, name, call) {
  texts <- id_texts(id, name, call)
  # A file that is read with read.csv() has an empty text where nothing stands.
  if (anyNA(texts) || !all(nzchar(texts))) abort_without_id(name, call)
  ids <- unique(texts)
  list(person = match(texts, ids), ids = enc2utf8(ids))
}

# As data bases write them, so that the same records are kept there.
id_texts <- function(id, name, call) {
  plain <- is.null(dim(id))
  if (plain && is.factor(id)) id <- levels(id)[as.integer(id)]
  if (inherits(id, "integer64")) {
    check_integer64(name, call)
    id <- as.character(id)
  }
  if (plain && is.character(id)) return(as.vector(id))
  whole <- is.numeric(id) && !is.object(id) && is.null(dim(id)) &&
    all(is.na(id) | (is.finite(id) & id == round(id) & abs(id) < 2^53))
  if (!whole) {
    numeric <- column_kind(id) == "numeric"
    # Beyond 2^53 two whole numbers may have become one when they were read.
    large <- numeric && any(abs(id) >= 2^53, na.rm = TRUE)
    kind <- if (large) {
      "of numbers too large to be exact: two persons may have become one when they were read"
    } else if (numeric) {
      "of numbers that are not whole"
    } else {
      describe_column(id)
    }
    abort(c(
      "{.arg id} must be a column of text, whole numbers or a factor.",
      x = "Column {.var {name}} is {kind}.",
      i = if (large) {
        paste(
          "Read it as text from the beginning:",
          "{.code read.csv(..., colClasses = c({as_code(name)} = \"character\"))}."
        )
      } else {
        "For example {.code data${as_code(name)} <- as.character(data${as_code(name)})}."
      }
    ), call = call)
  }
  numbers <- unique(id)
  texts <- written_out(numbers)[match(id, numbers)]
  texts[is.na(id)] <- NA
  texts
}

# Without the package that knows them such numbers are bits that mean another number.
check_integer64 <- function(name, call) {
  if (rlang::is_installed("bit64")) return(invisible())
  abort(c(
    "Column {.var {name}} holds 64-bit numbers, which need the package {.pkg bit64} to be read.",
    i = "Install it, or make the column text where it comes from."
  ), call = call)
}

# Numbers that compare as the values do; NA where there is none.
order_numbers <- function(x) {
  if (is.factor(x)) return(as.double(as.integer(x)))
  if (!is.character(x)) return(as.double(x))
  # One encoding: sort() compares bytes, unique() and match() characters, and the first of two
  # spellings would decide for everybody. Where nothing stands nothing is known.
  x <- enc2utf8(x)
  x[!nzchar(x)] <- NA
  as.double(match(x, sort(unique(x), method = "radix")))
}

abort_without_id <- function(name, call) {
  abort(c(
    "Some records do not say whose they are: {.var {name}} is missing there.",
    x = "Without it nobody can be protected as a person.",
    i = paste(
      "Leave such records out, or give each an {.arg id} of its own if each is somebody else's. In",
      "a private analysis it is then not protected who has such records."
    ),
    i = "Nothing was computed or spent."
  ), class = "privpc_without_id", call = call)
}

# Of a source of all records, one of persons. What is missing in a record that is not kept is an
# error as well: a data base sees all of them, and so must memory.
keep_records <- function(source, facts, persons, call) {
  check_complete(source, call)
  kept <- cpp_kept_records(
    source$codes, source$values, facts$person, facts$ids, facts$time, persons$max_records
  )
  source$schema$n <- length(facts$ids)
  source$schema$persons <- persons
  if (persons$max_records > 1L) {
    source$kept <- kept
    source$most <- persons$max_records
    return(source)
  }
  rows <- which(kept == 1L)
  # Only the codes are read from here on.
  pick <- function(x) if (!is.null(x)) x[rows]
  source$codes <- lapply(source$codes, pick)
  source$values <- lapply(source$values, pick)
  source
}

# ---- identifiers that were not declared ----------------------------------------------------------

# By its name alone, which is public.
looks_like_id <- function(names) {
  small <- tolower(names)
  grepl("(^|[^a-z])(id|ids|idnr|idno|pid|mrn|ssn|guid|uuid|nhs)$", small) |
    grepl("[a-z](ID|Id)$", names) |
    grepl(
      paste0(
        "^(patient|person|subject|participant|respondent|client|member|individual|proband)s?",
        "([^a-z]*(id|no|nr|num|number|key|code))?$"
      ),
      small
    )
}

# For names that look like an identifier's, or else for those that may be one.
id_hint <- function(names, maybe = character()) {
  found <- names[looks_like_id(names)]
  if (!length(found) && length(maybe) > 1L) {
    return(paste(
      "If one of these columns says whose record it is, as the number of a patient, declare it:",
      "{.code id = \"column\"}, with its name for {.code column}. The promise is then for a person",
      "with all their records."
    ))
  }
  found <- c(found, maybe)
  if (!length(found)) return(NULL)
  # It goes into a message, where braces are code.
  name <- gsub("([{}])", "\\1\\1", found[[1L]])
  paste0(
    "If {.var ", name, "} says whose record it is, declare it: {.code id = \"", name,
    "\"}. The promise is then for a person with all their records."
  )
}

# A variable that looks like an identifier. Two records of one person are then two, and the promise
# is for each by itself.
say_undeclared_id <- function(schema) {
  found <- schema$names[looks_like_id(schema$names)]
  if (!is.null(schema$persons) || !length(found)) return(invisible())
  rlang::inform(c(
    "!" = paste0(
      "`", found[[1L]], "` looks like an identifier, and is used as a variable like any other."
    ),
    i = paste0(
      "If it says whose record it is, declare it: `id = \"", found[[1L]],
      "\"`. The promise is then for a person with all their records."
    ),
    i = "Without that it is for one record: of a person with several, more may be told."
  ), class = "privpc_undeclared_id", .frequency = "regularly",
  .frequency_id = paste("privpc id", found[[1L]]))
}

# Levels would make one person of several, or change who comes first.
check_persons_undeclared <- function(persons, levels, breaks, call) {
  columns <- c(persons$id, persons$first_by)
  for (arg in c("levels", "breaks")) {
    both <- intersect(columns, if (arg == "levels") levels else breaks)
    if (!length(both)) next
    abort(c(
      "{.arg {arg}} are for variables.",
      x = "{.var {both[[1L]]}} says whose record it is, or which comes first.",
      i = "If it is meant as a variable too, give a copy of it under another name."
    ), call = call)
  }
}

# A test about the column that says whose record it is would tell about persons, not
# about a variable.
check_not_tested <- function(persons, used, call) {
  both <- intersect(c(persons$id, persons$first_by), used)
  if (!length(both)) return(invisible())
  abort(c(
    "{.var {both}} cannot be tested: it says whose record it is, or which comes first.",
    i = "If it is meant as a variable too, give a copy of it under another name."
  ), call = call)
}

# Cut points that were paid for protect those whose records chose them: records or persons, as the
# budget of a step does (R/neighbours.R).
check_breaks_persons <- function(breaks, persons, call) {
  per_person <- !is.null(persons)
  of_others <- vapply(unclass(breaks), function(cuts) {
    paid <- attr(cuts, "paid", exact = TRUE)
    !is.null(paid) && identical(paid$per, "person") != per_person
  }, NA)
  if (!any(of_others)) return(invisible())
  names <- names(breaks)[of_others]
  abort(if (per_person) c(
    "The cut points of {.var {names}} were chosen with a promise about single records.",
    x = "This call promises something to persons with all their records.",
    i = "Choose them as {.code private_breaks(..., id = \"{persons$id}\")}."
  ) else c(
    paste(
      "The cut points of {.var {names}} were chosen with a promise to",
      "persons with all their records."
    ),
    x = "This call promises something about single records.",
    i = "Say whose record it is: {.code id = \"person\"}, the column that does."
  ), class = "privpc_other_neighbours", call = call)
}
