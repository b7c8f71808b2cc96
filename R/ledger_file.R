# Budgets whose ledger is a file, which outlives the session and is shared by several
# (inst/include/privpc/privacy/ledger_file.hpp). R checks arguments and words the errors; reading,
# comparing and writing are done by the core, under the lock of the file.

# What privacy_budget(file = ) does. `promise` is the promise of the call, NULL if it gives no
# epsilon; then `parts` are those elements of a promise that it gives all the same.
open_ledger_file <- function(file, data, promise, parts, call) {
  check_string(file, "file", call)
  if (!is.null(data)) data <- check_data_name(data, call)
  path <- ledger_path(file, call)
  if (!file.exists(path)) {
    if (is.null(promise)) abort_no_ledger(file, call)
    if (!is.null(open_ledgers[[path]])) abort_vanished_ledger(file, call)
    create_ledger_file(path, if (is.null(data)) data_name_of(file) else data, promise, call)
  }
  ledger <- with_ledger_file(path, call, cpp_open_ledger_file(path))
  kept <- cpp_ledger_promise(ledger)
  asked <- if (is.null(promise)) {
    parts
  } else {
    split_kind(promise[c("epsilon", "delta", "reserve", "neighbours")])
  }
  asked$data <- data
  there <- split_kind(kept)
  if (!identical(asked, there[names(asked)])) abort_other_promise(there, asked, file, call)
  check_kept_cap(kept, path, call)
  budget <- new_budget(kept, kept$cap, ledger, list(file = path, data = kept$data))
  remember_ledger(budget)
  budget
}

# A new one in its place would grant again what the old one has spent.
abort_vanished_ledger <- function(file, call) {
  abort(c(
    "The ledger {.file {file}} was used in this session and is gone.",
    x = "A new one would forget what was spent.",
    i = "Put it back. If nothing was ever published from it, begin again in a new session, or under
         another name."
  ), class = "privpc_ledger_file", call = call)
}

# Two processes may begin the same ledger: the second goes on with what the first has made.
create_ledger_file <- function(path, data, promise, call) {
  made <- tryCatch(
    with_ledger_file(path, call, cpp_create_ledger_file(
      path, data, promise$epsilon, promise$delta, promise$reserve, promise$neighbours, promise$cap
    )),
    privpc_ledger_exists = function(e) NULL
  )
  invisible(made)
}

# Where the file is, whatever the working directory will be.
ledger_path <- function(file, call, arg = "file") {
  folder <- dirname(path.expand(file))
  if (!dir.exists(folder)) {
    abort(c(
      "{.arg {arg}} must be in a folder that is there.", x = "There is no folder {.file {folder}}."
    ), class = "privpc_ledger_file", call = call)
  }
  path <- file.path(normalizePath(folder), basename(file))
  if (.Platform$OS.type == "windows") enc2utf8(path) else path
}

# As in: privacy_budget(file = "cohort.ledger").
code_to_go_on <- function(file) {
  paste0("privacy_budget(file = ", encodeString(file, quote = "\""), ")")
}

# A name for people: it stands in the file, in fits and in reports.
check_data_name <- function(data, call) {
  check_string(data, "data", call)
  data <- enc2utf8(plain_text(data))
  if (nchar(data) <= 100L && !grepl("[[:cntrl:]]", data)) return(data)
  abort(c(
    "{.arg data} must be the name of the data set, one line of at most 100 characters.",
    x = if (nchar(data) > 100L) "It has {nchar(data)} characters." else "It has more than one line."
  ), call = call)
}

data_name_of <- function(file) {
  name <- sub("[.][^.]*$", "", basename(file))
  if (nzchar(name)) enc2utf8(name) else enc2utf8(basename(file))
}

abort_no_ledger <- function(file, call) {
  beginning <- sub(")$", ", epsilon = 1, delta = 1e-6)", code_to_go_on(file))
  abort(c(
    "There is no ledger {.file {basename(file)}} to go on with.",
    i = paste(
      "Begin one with the promise, {.code {beginning}} for instance, or look for the file: a",
      "second ledger for the same data adds its epsilon and its delta to the first one's."
    )
  ), class = c("privpc_no_ledger", "privpc_ledger_file"), call = call)
}

# `neighbours` and `per` as the arguments of privacy_budget() have them.
split_kind <- function(promise) {
  per <- if (is_per_person(promise$neighbours)) "person" else "record"
  promise$neighbours <- without_person(promise$neighbours)
  append(promise, list(per = per), match("neighbours", names(promise)))
}

# All digits: what differs in the last one is another promise.
whole_promise_text <- function(promise) {
  shown <- vapply(promise, function(x) {
    if (is.character(x)) encodeString(x, quote = "\"") else format(x, digits = 15)
  }, "")
  paste(names(shown), shown, sep = " = ", collapse = ", ")
}

abort_other_promise <- function(kept, asked, file, call) {
  there <- whole_promise_text(kept[names(kept) != "cap"])
  here <- whole_promise_text(asked)
  abort(c(
    "The ledger {.file {basename(file)}} was begun with another promise.",
    x = "The file says {there}.",
    x = "This call says {here}.",
    i = "To go on with it, leave the promise out: {.code {code_to_go_on(file)}}.",
    i = "A promise cannot be changed. Another one needs another file, and adds its epsilon and its
         delta to this one's."
  ), class = c("privpc_other_promise", "privpc_ledger_file"), call = call)
}

# What may be spent follows from the promise. The conversion is computed by the machine's own exp()
# and log(), which may differ in the last digits from where the file was begun.
check_kept_cap <- function(kept, path, call) {
  most <- budget_cap(kept$epsilon, kept$delta, kept$reserve)
  unit <- budget_unit(kept$delta)
  if (kept$cap <= most * (1 + 1e-9) && kept$neighbours %in% budget_kinds) return(invisible())
  abort(c(
    "The ledger {.file {basename(path)}} cannot be used.",
    x = "It allows {unit} = {text_up(kept$cap)}, but its promise only {text_up(most)}."
  ), class = "privpc_ledger_file", call = call)
}

# ---- errors --------------------------------------------------------------------------------------

is_ledger_file_error <- function(error) {
  inherits(error, c("privpc_core_bad_ledger", "privpc_core_file_error"))
}

with_ledger_file <- function(path, call, run) {
  tryCatch(run, error = function(e) {
    if (is_ledger_file_error(e)) abort_ledger_file(e, path, call, spending = FALSE)
    stop(e)
  })
}

abort_ledger_file <- function(error, path, call, spending = TRUE) {
  words <- ledger_file_words(error, path)
  class <- if (identical(error$problem, "exists")) "privpc_ledger_exists"
  abort(c(
    words,
    i = if (spending && identical(error$doing, "written")) {
      paste(
        "Nothing was released. If {.fn privacy_ledger} lists the step",
        "all the same, it counts as spent."
      )
    } else if (spending) {
      "Nothing was taken from it, and nothing was released."
    }
  ), class = c(class, "privpc_ledger_file"), call = call)
}

# Its first line, for print().
ledger_file_problem <- function(error, path) {
  cli::ansi_strip(cli::format_inline(ledger_file_words(error, path)[[1L]]))
}

ledger_file_words <- function(error, path) {
  name <- gsub("([{}])", "\\1\\1", basename(path))
  entry <- error$entry
  on_top <- "A new ledger for the same data adds its epsilon and its delta to all of this one's."
  reason <- gsub("([{}])", "\\1\\1", if (is.null(error$reason)) "" else error$reason)
  of_text <- function(problem) {
    switch(problem,
      foreign = c("{.file @} is not a ledger of privpc.", i = "Choose another name."),
      version = c(
        "The ledger {.file @} was written by another version of privpc.",
        i = "Use a version that knows it."
      ),
      damaged = c(
        paste("The ledger {.file @} is damaged:", if (entry == 0) {
          "its promise is not as it was written."
        } else {
          paste("entry", entry, "is not as it was written.")
        }),
        x = paste(
          "Its hash does not belong to it and to what stands before it: the file was edited, or a",
          "part of it was lost."
        ),
        i = "Put back the file as it was.", i = on_top
      ),
      torn = c(
        paste("The ledger {.file @} ends with a piece of entry", entry, "that cannot be read."),
        x = "What was taken by it is unknown: it may be all that was left.",
        i = "Nothing more can be spent from it.", i = on_top
      ),
      rolled_back = c(
        "The ledger {.file @} is not the one that this session knows.",
        x = if (entry == 0) {
          "Another ledger stands in its place."
        } else {
          paste0(
            "This session has seen ", counted(entry, "step"),
            " in it; the file has fewer, or others."
          )
        },
        i = "An older copy was put back, or entries were removed. Put back the latest one."
      ),
      overspent = c(
        "The ledger {.file @} lists more than its promise allows.",
        x = paste("With entry", entry, "the sum passes what may be spent.")
      )
    )
  }
  of_file <- function(problem) {
    switch(problem,
      missing = c(
        "The ledger {.file @} is not there.", i = "Was it moved or deleted? Put it back."
      ),
      foreign = c("{.file @} is a folder or a device, not a file.", i = "Choose another name."),
      busy = c(
        "The ledger {.file @} is in use.",
        x = "Another process has held its lock for a minute.", i = "Wait, or end that process."
      ),
      no_locks = c(
        "The ledger {.file @} cannot be locked.",
        x = paste(
          "On this disk, locks do not keep others out: two processes could spend",
          "the same budget."
        ),
        i = "Keep the ledger on a local disk."
      ),
      exists = "The ledger {.file @} is there already.",
      failed = paste0("The ledger {.file @} cannot be ", error$doing, ": ", reason, ".")
    )
  }
  core <- inherits(error, "privpc_core_bad_ledger")
  sub("@", name, (if (core) of_text else of_file)(error$problem), fixed = TRUE)
}

# ---- what was spent before -----------------------------------------------------------------------

# The state of a ledger in a file after its entry number `entry`, as it is kept in a fit: public
# facts of the ledger, without the place of the file. The receipt is the beginning of the entry's
# hash: whoever has it can see later whether the file still has this entry, and all before it.
ledger_so_far <- function(promise, entries, entry = length(entries$amount), receipt = NULL) {
  upto <- seq_len(entry)
  fits <- sum(entries$mechanism[upto] %in% learner_names(private = TRUE))
  drop_null(list(
    data = promise$data, entry = as.integer(entry), fits = fits, others = as.integer(entry) - fits,
    epsilon = promise$epsilon, delta = promise$delta, reserve = promise$reserve,
    spent = if (entry > 0) entries$cumulative[[entry]] else 0,
    taken = sum(entries$delta[upto]),
    receipt = if (!is.null(receipt)) substr(receipt, 1L, 16L)
  ))
}

# After a debit of a fit; NULL for a budget without a file.
paid_entry <- function(budget, entry, call) {
  if (is.null(budget$file)) return(NULL)
  entries <- with_ledger_file(budget$file, call, cpp_ledger_entries(budget$ledger))
  ledger_so_far(budget, entries, entry, cpp_ledger_receipt(budget$ledger, entry))
}

# As in: 2 fits and 1 other step, all together epsilon = 0.7 at delta = 1e-06.
spent_so_far_text <- function(so_far) {
  steps <- c(
    if (so_far$fits > 0 || so_far$others == 0) counted(so_far$fits, "fit"),
    if (so_far$others > 0) counted(so_far$others, if (so_far$fits > 0) "other step" else "step")
  )
  total <- if (so_far$delta == 0) {
    paste("epsilon =", text_up(so_far$spent))
  } else {
    epsilon_at_text(so_far$spent, converted_delta(so_far$delta, so_far$reserve), so_far$taken)
  }
  paste0(enumerate(steps), ", all together ", total)
}

data_text <- function(name) paste0("data set ", encodeString(name, quote = "\""))

# The ledgers that were opened in this session, by path: the name of the data set, and what is
# known in public of the data of fits that were paid from it, the name of the argument and the names
# of its columns.
open_ledgers <- new.env(parent = emptyenv())

remember_ledger <- function(budget, known = NULL) {
  before <- open_ledgers[[budget$file]]
  open_ledgers[[budget$file]] <- list(data = budget$data, known = unique(c(before$known, known)))
}

# The name of a fit's data, from its recorded call; NULL if it was not a plain name.
name_of_data <- function(recorded) {
  name <- recorded$data
  if (is.symbol(name) && !identical(name, quote(...))) as.character(name)
}

# A fit without a budget, of data of which a ledger of this session is known: its argument has the
# name of the data set, or name and columns are those of a fit that was paid from it. Says what was
# spent before and gives it back; NULL if there is none, or if it cannot be read any more.
spent_beside <- function(recorded, columns, budget) {
  name <- name_of_data(recorded)
  if (is.null(name)) return(NULL)
  known <- paste(c(name, sort(columns, method = "radix")), collapse = "\n")
  if (!is.null(budget)) {
    if (!is.null(budget$file)) remember_ledger(budget, known)
    return(NULL)
  }
  for (path in ls(open_ledgers)) {
    ledger <- open_ledgers[[path]]
    if (!identical(name, ledger$data) && !known %in% ledger$known) next
    found <- tryCatch(cpp_read_ledger_file(path), error = function(e) NULL)
    if (is.null(found)) next
    so_far <- ledger_so_far(found$promise, found$entries)
    say_spent_beside(so_far, basename(path), name)
    return(so_far)
  }
  NULL
}

say_spent_beside <- function(so_far, file, name) {
  spent <- spent_so_far_text(so_far)
  named <- data_text(so_far$data)
  cli::cli_inform(c(
    "!" = "{.arg data} = {.var {name}} has a ledger, and this fit is not paid from it.",
    i = "{.file {file}}, of the {named}, lists {spent}.",
    i = "This fit adds its epsilon and delta to these. To pay for it from there:
         {.code budget = {code_to_go_on(file)}}."
  ), class = "privpc_spent_before")
}
