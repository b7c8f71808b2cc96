# The budget: what may be lost in all, fixed before the data are touched. The spending is kept
# by a ledger in C++ (inst/include/privpc/privacy/ledger.hpp), so that no copy of the R object
# can be spent a second time.

#' A privacy budget
#'
#' @description
#' A budget says how much may be learnt about any one record from everything that is published
#' with it. Make it first, hand it to each private step, and the steps together keep the
#' promise: each takes its share before it draws noise, and a step that asks for more than is
#' left is refused.
#'
#' @details
#' **What is promised.** Replace one person's record by any other: the chance of every possible
#' outcome changes by a factor of at most `exp(epsilon)`, up to a probability `delta`. The
#' number of records counts as public. (With `neighbours = "add-remove"`: add one record or take one
#' away; the number of records is then a secret. It is a weaker promise for the same epsilon:
#' replacing a record is removing one and adding another, which may cost up to twice the epsilon.)
#' A small epsilon (0.1 to 1) is strong protection; beyond
#' 10 it is weak. `delta` should be far below one over the number of records: a delta of 1/n
#' would permit publishing a random person's record in full.
#'
#' **What is public.** Besides the number of records: the names, types and levels of all columns,
#' cut points and bounds, every argument, *and that the data are as they were declared*: no column
#' has missing values (but where they were made a level), and every value is one of the declared
#' levels. An error that finds otherwise says so, and in which columns, and takes nothing from a
#' budget; that there is no error says that they have none. Both depend on the data and cannot be
#' paid for. If it is a secret whether somebody's value is missing or unusual, make the data
#' complete whatever is in them: `na = "level"` (see [marginal_pc()]), a level for all other values
#' (`factor(ifelse(x %in% known, x, "other"), levels = c(known, "other"))`), and bins for numbers
#' (`breaks`, whose outer bins also hold what lies beyond).
#'
#' **How it is counted.** With `delta = 0` the epsilons of the steps are added up. With a delta
#' the budget is first turned into a number rho ("zero-concentrated" privacy, see
#' [rho_from_dp()]) and the rhos of the steps are added up, which allows far more steps for the
#' same promise. Steps may be chosen after looking at earlier results. The promise is the whole
#' budget, however much of it was used.
#'
#' **Rounding.** Costs are rounded up and the budget down, in steps of 2^-64. So ten steps of a
#' tenth may not fit: the last is refused when the tenth, as the computer stores it, is a little
#' more than a tenth.
#'
#' **A budget is one thing.** Unlike other R objects it is not copied: after `b <- a`, spending
#' from `b` is spending from `a`. A budget without a `file` cannot be saved and loaded again, nor
#' spent in a forked process (as `parallel::mclapply()` starts them), because what it has spent
#' would no longer be known; such a budget is refused.
#'
#' Two budgets for the same data add up: their epsilons, and their deltas.
#'
#' @section A ledger that survives:
#' With a `file` the budget outlives the session: its promise and every debit are lines of that
#' file, which is only appended to. The call that begins it also goes on with it, if it makes the
#' same promise; `privacy_budget(file = "cohort.ledger")` goes on with whatever the file
#' promises. `privacy_ledger("cohort.ledger")` only reads it. Several processes may spend from
#' one file at once, forked ones too. A budget that was saved and loaded again is not usable, but
#' its file can be opened again.
#'
#' *What is kept.* The name of the data set (`data`, a name that you give; no hash of the
#' records), the promise, and for each step its number, mechanism, target and amounts, all of
#' which are public. There are no times in it: the time between two debits would tell how long a
#' computation on the records took. Each line ends with a hash (SHA-256) of itself and all lines
#' before it.
#'
#' *When.* A step locks the file, reads it, compares, appends its line and has the disk confirm
#' it (`fsync()`); only then is noise drawn. Whatever is killed or crashes at whatever instant,
#' no debit is lost, and none is granted twice. A step that was stopped while its line was
#' written counts as spent (mechanism `torn entry`), although nothing was released. If its amount
#' cannot be read, nothing can be spent from the file any more. A full disk, a missing file or a
#' lock that somebody holds for a minute are errors, and nothing is released then.
#'
#' *What is noticed.* A line that was changed, removed, inserted or moved breaks the chain of
#' hashes, and the file is refused. If an older copy is put back, or the last lines are cut off,
#' every session that has seen a later state refuses it.
#'
#' *What cannot be noticed.* A session that starts afterwards cannot tell an older copy, or a
#' file without its last lines, from the real one. Nor can anybody tell if the whole file was
#' written anew with right hashes, or if two copies of it are spent from: a copy is a second
#' budget, and adds its epsilon and delta. The file protects against crashes and mistakes, not
#' against somebody who is allowed to write it and wants to deceive. Against those, keep it where
#' users may only append (on Linux `chattr +a`, which ledgers can live with), and keep the
#' receipts: each fit paid from a file holds the number of its entry and the beginning of that
#' entry's hash (see [report()]), which has to be in the file as long as the study lasts.
#'
#' *Where.* On a local disk. The lock is tried out when a file is opened, and a disk on which
#' locks keep nobody out is refused. On network folders (NFS, SMB) locks may work on each machine
#' but not between machines, which cannot be tried out from one of them: two machines could then
#' spend the same budget, and one of them would notice at its next step only. Use such a folder
#' from one machine.
#'
#' *Fits without the budget.* A learner that is called without a `budget`, on data whose argument
#' has the name of the data set of a ledger that this session has opened (`cohort` for `data =
#' "cohort"`), or has the name and the columns of data that a fit was paid for from it, says in a
#' message how much was spent before, and so does the fit.
#'
#' @param epsilon The bound on the loss, a number above 0.
#' @param delta The probability with which the bound may fail, at least 0 and below 1. With 0
#'   only steps without such a probability fit (no Gaussian noise).
#' @param reserve The part of `delta` kept for steps that have a delta of their own, as
#'   [private_median()] has; the rest goes into the conversion to rho.
#' @param neighbours Between which data sets the promise holds: `"replace-one"` or, for
#'   [marginal_pc()] only, `"add-remove"`. One budget never mixes the two: steps of the other kind
#'   are refused.
#' @param file The file of the ledger, such as `"cohort.ledger"`, or `NULL` for a budget that ends
#'   with the session. A file that is there is gone on with: the promise may then be left out, and a
#'   different one is refused.
#' @param data With a `file`: the name of the data set, in your words, for the ledger, for fits and
#'   reports. The default is the name of the file, without its extension.
#' @param per Whom the promise protects: a `"record"`, or a `"person"` with all their records; then
#'   every step needs to know whose record it is, see [several_records].
#' @param x A budget.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return `privacy_budget()` returns an object of class `"privpc_budget"`: a list of `epsilon`,
#'   `delta`, `reserve`, `rho` (`NA` if `delta` is 0), `neighbours` and `ledger`, a pointer; with a
#'   file also `file`, its full path, and `data`.
#'   `print()` returns it invisibly, `format()` gives a line of text.
#' @seealso [privacy_ledger()] for the list of what was spent. [marginal_pc()] and the other
#'   learners, [private_test()], [private_breaks()] and the mechanisms, such as
#'   [laplace_mechanism()], take a `budget`.
#' @examples
#' # Fix the promise before anything is computed from the data
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' budget
#'
#' # Without delta: epsilons are added up
#' privacy_budget(epsilon = 0.5)
#'
#' # What was it spent on? So far on nothing.
#' privacy_ledger(budget)
#'
#' # A ledger in a file, for a data set that is analysed more than once
#' file <- file.path(tempdir(), "cohort.ledger")
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6, file = file, data = "cohort 2024")
#' released <- laplace_mechanism(c(cases = 120), 1, 0.1, budget = budget, target = "cases")
#'
#' # Next week, in another session
#' budget <- privacy_budget(file = file)
#' budget
#' privacy_ledger(file)
#' \dontshow{unlink(file)}
#' @export
privacy_budget <- function(epsilon, delta = 0, reserve = 0, neighbours = "replace-one",
                           file = NULL, data = NULL, per = "record") {
  call <- rlang::current_env()
  if (is.null(file)) {
    if (!is.null(data)) abort_data_without_file(call)
    promise <- check_promise(epsilon, delta, reserve, neighbours, per, call)
    ledger <- cpp_new_ledger(delta == 0, promise$cap, promise$reserve, promise$neighbours)
    return(new_budget(promise, promise$cap, ledger))
  }
  # The whole promise, as it is given to begin a ledger; or of a file that is there any part of it.
  promise <- if (!missing(epsilon)) check_promise(epsilon, delta, reserve, neighbours, per, call)
  share <- function(x, arg) as.double(check_number(x, arg, min = 0, max = 1, call = call))
  parts <- drop_null(list(
    delta = if (!missing(delta)) share(delta, "delta"),
    reserve = if (!missing(reserve)) share(reserve, "reserve"),
    neighbours = if (!missing(neighbours)) check_neighbours(neighbours, call),
    per = if (!missing(per)) check_per(per, call)
  ))
  open_ledger_file(file, data, promise, parts, call)
}

# `more` are the elements of a budget in a file.
new_budget <- function(promise, cap, ledger, more = NULL) {
  structure(
    c(list(
      epsilon = promise$epsilon, delta = promise$delta, reserve = promise$reserve,
      rho = if (promise$delta > 0) cap else NA_real_, neighbours = promise$neighbours,
      ledger = ledger
    ), more),
    class = "privpc_budget"
  )
}

check_promise <- function(epsilon, delta, reserve, neighbours, per, call) {
  check_number(epsilon, min = 0, max = 1e15, min_open = TRUE, call = call)
  check_number(delta, min = 0, max = 1, max_open = TRUE, call = call)
  check_number(reserve, min = 0, max = 1, max_open = TRUE, call = call)
  epsilon <- as.double(epsilon)
  delta <- as.double(delta)
  reserve <- as.double(reserve)
  neighbours <- budget_kind(check_neighbours(neighbours, call), check_per(per, call))
  check_reserve(delta, reserve, call)
  warn_weak_epsilon(epsilon)
  # Any data set of a hundred rows or more has 1/n <= 0.01.
  if (delta >= 0.01) {
    cli::cli_warn(c(
      "{.arg delta} = {format(delta)} is hardly any protection.",
      x = "It permits publishing one record in {format(floor(1 / delta))} in full.",
      i = "Choose it far below one over the number of records, as 1e-6."
    ), class = "privpc_weak_delta")
  }
  cap <- budget_cap(epsilon, delta, reserve)
  # Below 2^10 units of the ledger, rounding would eat the budget.
  if (cap < 2^-54) {
    abort(c(
      "The budget is too small to be counted.",
      x = "{.arg epsilon} = {format(epsilon)} amounts to {budget_unit(delta)} = {format(cap)}."
    ), call = call)
  }
  list(epsilon = epsilon, delta = delta, reserve = reserve, neighbours = neighbours, cap = cap)
}

abort_data_without_file <- function(call) {
  example <- 'privacy_budget(1, 1e-6, file = "cohort.ledger", data = "cohort 2024")'
  abort(c(
    "{.arg data} is for a budget with a {.arg file}, which names the data set it is about.",
    i = "For example {.code {example}}."
  ), call = call)
}

check_reserve <- function(delta, reserve, call = rlang::caller_env()) {
  if (reserve == 0 || reserve < delta) return(invisible())
  abort(c(
    "{.arg reserve} must be smaller than {.arg delta}, of which it is a part.",
    x = "{.arg reserve} is {format(reserve)} and {.arg delta} is {format(delta)}."
  ), call = call)
}

# What the ledger may sum to.
budget_cap <- function(epsilon, delta, reserve) {
  if (delta == 0) return(epsilon)
  cpp_rho_from_dp(epsilon, converted_delta(delta, reserve))
}

# The part of delta that goes into the conversion between epsilon and rho. A difference of doubles
# may be rounded up, so it is made smaller.
converted_delta <- function(delta, reserve) {
  if (reserve > 0) (delta - reserve) * (1 - 2^-52) else delta
}

# What steps with a delta of their own took from the reserve.
taken_delta <- function(budget) sum(cpp_ledger_entries(budget$ledger)$delta)

budget_unit <- function(delta) if (delta > 0) "rho" else "epsilon"

# The delta at which a rho of this budget is turned into epsilon; 1e-6, a common choice, where no
# budget says which.
budget_delta <- function(budget) {
  if (is.null(budget) || budget$delta == 0) return(1e-6)
  converted_delta(budget$delta, budget$reserve)
}

# As in: rho = 0.0123, that is epsilon = 0.8 at delta = 1e-06.
rho_text <- function(rho, delta) {
  paste0("rho = ", text_up(rho), ", that is ", epsilon_at_text(rho, delta))
}

# `taken` is what steps with a delta of their own took: the promise has it on top of the delta of
# the conversion. Where the sum is a last bit away from a short number (1e-3 less 9e-4 is a little
# more than 1e-4) the promise is told, and converted, at that number.
epsilon_at_text <- function(rho, delta, taken = 0) {
  promised <- delta + taken
  if (near_short(promised) > taken) {
    promised <- near_short(promised)
    delta <- min(delta, converted_delta(promised, taken))
  }
  paste0(
    "epsilon = ", text_up(cpp_dp_from_rho(rho, delta), 3), " at delta = ", text_up(promised, 3)
  )
}

near_short <- function(x) {
  short <- signif(x, 3)
  if (abs(short - x) <= 1e-12 * x) short else x
}

is_budget <- function(x) {
  is_one <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1L
  inherits(x, "privpc_budget") && is.list(x) && is_record(unclass(x)) &&
    is_one(x$epsilon) && is_one(x$delta) && is_one(x$reserve) && is_one(x$rho) &&
    rlang::is_string(x$neighbours) && "ledger" %in% names(x) &&
    (is.null(x$file) || rlang::is_string(x$file)) && (is.null(x$data) || rlang::is_string(x$data))
}

# "ok", "lost", "forked", "changed", "foreign", or "broken": a file that cannot be used; then the
# attribute `reason` is the error of the core.
budget_status <- function(budget) {
  if (!is_budget(budget)) return("foreign")
  status <- cpp_ledger_status(budget$ledger)
  if (status != "ok") return(status)
  # The promise that is printed must be the one that the ledger enforces.
  state <- tryCatch(
    cpp_ledger_state(budget$ledger),
    error = function(e) if (is_ledger_file_error(e)) e else stop(e)
  )
  if (is_ledger_file_error(state)) return(structure("broken", reason = state))
  kept <- cpp_ledger_promise(budget$ledger)
  if (!is.null(kept)) {
    same <- identical(unclass(budget)[setdiff(names(kept), "cap")], kept[names(kept) != "cap"]) &&
      identical(budget$rho, if (kept$delta > 0) kept$cap else NA_real_) &&
      rlang::is_string(budget$file)
    return(if (same) "ok" else "changed")
  }
  promised <- tryCatch(
    list(
      pure = budget$delta == 0, cap = budget_cap(budget$epsilon, budget$delta, budget$reserve),
      slack = budget$reserve, neighbours = budget$neighbours
    ),
    error = function(e) NULL
  )
  if (identical(promised, state[c("pure", "cap", "slack", "neighbours")])) "ok" else "changed"
}

# For the adapters of the mechanisms: the pointer to the ledger, or NULL where no budget was
# given. `call` is the function the user called, `neighbours` what its step is private for; NULL for
# what only looks at a budget.
check_budget <- function(budget, call = rlang::caller_env(), arg = "budget",
                         neighbours = "replace-one", per = NULL) {
  if (is.null(budget)) return(NULL)
  status <- budget_status(budget)
  if (status == "ok") {
    if (!is.null(neighbours)) check_budget_neighbours(budget, neighbours, per, call)
    return(budget$ledger)
  }
  if (status == "broken") abort_ledger_file(attr(status, "reason"), budget$file, call)
  problem <- switch(status,
    foreign = c(
      "{.arg {arg}} must be made by {.fn privacy_budget}.",
      x = "It is {describe(budget)}."
    ),
    lost = c(
      "{.arg {arg}} was loaded from a file or another session and cannot be used.",
      x = if (is.null(budget$file)) "What it has spent is unknown here.",
      i = if (is.null(budget$file)) {
        "Make a new one with {.fn privacy_budget}, and count its epsilon on top of the old one's."
      } else {
        "Its ledger is a file: go on with {.code {code_to_go_on(budget$file)}}."
      }
    ),
    forked = c(
      "{.arg {arg}} cannot be spent in a forked process.",
      x = "The process it was made in would not see what is spent here.",
      i = "Spend it in that process, or split it: one {.fn privacy_budget} for each."
    ),
    changed = c(
      "{.arg {arg}} was changed by hand.",
      x = "Its elements no longer state what its ledger enforces.",
      i = "Make a new one with {.fn privacy_budget}."
    )
  )
  abort(problem, class = "privpc_bad_budget", call = call)
}

# A budget that counts in epsilon cannot pay for a guarantee with a delta.
check_delta_of_budget <- function(delta, budget, call) {
  if (is.null(budget) || budget$delta > 0 || delta == 0) return(invisible())
  abort(c(
    "{.arg delta} must be 0 for a {.arg budget} without delta.",
    x = "It is {format(delta)}."
  ), call = call)
}

# What a step is proved to be: (epsilon, delta)-DP, or rho-zCDP. The ledger works out what that is
# in the unit it counts in (privacy/cost.hpp), so that nobody can pay in the wrong one.
cost_of_epsilon <- function(epsilon, delta = 0) {
  structure(
    list(epsilon = as.double(epsilon), rho = NA_real_, delta = delta), class = "privpc_cost"
  )
}

cost_of_rho <- function(rho) {
  structure(list(epsilon = NA_real_, rho = as.double(rho), delta = 0), class = "privpc_cost")
}

# Takes the cost of a step from a budget; noise is drawn only after this has returned. Gives back
# the number of the entry.
debit_budget <- function(budget, mechanism, target, cost, call = rlang::caller_env(),
                         neighbours = "replace-one", per = NULL) {
  ledger <- check_budget(budget, call, neighbours = neighbours, per = per)
  if (!inherits(cost, "privpc_cost")) {
    rlang::abort("A cost must be made by cost_of_epsilon() or cost_of_rho().", .internal = TRUE)
  }
  entry <- tryCatch(
    cpp_ledger_debit(ledger, mechanism, target, cost$epsilon, cost$rho, cost$delta),
    error = function(e) {
      if (is_overdraft(e)) abort_overdraft(e, call, budget)
      if (is_ledger_file_error(e)) abort_ledger_file(e, budget$file, call)
      reason <- sub("^(.)", "\\U\\1", conditionMessage(e), perl = TRUE)
      abort(c("The privacy budget refuses this step.", x = "{reason}."), call = call)
    }
  )
  invisible(entry)
}

promise_text <- function(x) {
  paste0(
    "epsilon = ", text_up(x$epsilon, 7), if (x$delta > 0) paste0(", delta = ", text_up(x$delta, 7))
  )
}

#' @rdname privacy_budget
#' @export
format.privpc_budget <- function(x, ...) {
  check_dots_empty(...)
  status <- budget_status(x)
  if (status == "foreign") return("<privpc_budget: not valid>")
  if (status == "changed") return("<privpc_budget: changed by hand, not usable>")
  if (status != "ok") return(paste0("<privpc_budget: ", promise_text(x), ", not usable here>"))
  state <- cpp_ledger_state(x$ledger)
  paste0(
    "<privpc_budget: ", promise_text(x), if (is_add_remove(x$neighbours)) ", add-remove",
    if (is_per_person(x$neighbours)) ", per person", ", ", percent(state$spent, state$cap),
    " spent>"
  )
}

percent <- function(part, whole) {
  share <- 100 * part / whole
  # Not "100%" before all is spent, nor "0%" after something was.
  if (share > 99.9 && part < whole) return("almost 100%")
  if (share < 0.1 && part > 0) return("below 0.1%")
  paste0(format(share, digits = 3), "%")
}

#' @rdname privacy_budget
#' @export
print.privpc_budget <- function(x, ...) {
  check_dots_empty(...)
  status <- budget_status(x)
  cli::cat_line(cli::style_bold("<privpc_budget>"))
  if (status == "foreign") {
    cli::cat_line("Not a valid budget: make one with privacy_budget().", col = "red")
    return(invisible(x))
  }
  # What was changed by hand is no promise.
  if (status != "changed") {
    cli::cat_line("Promise: ", promise_text(x), " (", kind_text(x$neighbours), ")")
    if (!is.null(x$file)) {
      cli::cat_line("Ledger: the file ", basename(x$file), ", of the ", data_text(x$data))
    }
  }
  if (status != "ok") {
    cli::cat_line("Not usable here: ", switch(status,
      lost = if (is.null(x$file)) {
        "it was loaded from a file or another session, and what it has spent is unknown."
      } else {
        "it was loaded from a file or another session. Its ledger can be opened again."
      },
      broken = ledger_file_problem(attr(status, "reason"), x$file),
      forked = "it belongs to another process.",
      changed = "it was changed by hand."
    ), col = "red")
    return(invisible(x))
  }
  state <- cpp_ledger_state(x$ledger)
  unit <- budget_unit(x$delta)
  cli::cat_line("Counted in: ", unit, if (unit == "rho") " (zero-concentrated)" else " (pure)")
  cli::cat_line(
    "Spent: ", text_up(state$spent), " of ", text_up(state$cap), " (",
    percent(state$spent, state$cap), ") in ",
    counted(format(state$steps, scientific = FALSE), "step")
  )
  if (unit == "rho" && state$spent > 0) {
    cli::cat_line(
      "  by itself this promises ",
      epsilon_at_text(state$spent, budget_delta(x), taken_delta(x))
    )
  }
  # Rounded down, an untouched budget would seem to have lost something.
  cli::cat_line("Left: ", if (state$spent == 0) "all of it" else text_down(state$left))
  if (unit == "rho") cli::cat_line("  ", enough_text(state$left, x))
  if (x$reserve > 0) {
    cli::cat_line(
      "Reserve of delta: ", text_down(state$slack_left), " of ", text_up(state$slack), " left"
    )
  }
  invisible(x)
}
