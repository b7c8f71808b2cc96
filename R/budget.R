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
#' from `b` is spending from `a`. A budget cannot be saved and loaded again, nor spent in a
#' forked process (as `parallel::mclapply()` starts them), because what it has spent would no
#' longer be known; such a budget is refused.
#'
#' Two budgets for the same data add up: their epsilons, and their deltas.
#'
#' @param epsilon The bound on the loss, a number above 0.
#' @param delta The probability with which the bound may fail, at least 0 and below 1. With 0
#'   only steps without such a probability fit (no Gaussian noise).
#' @param reserve The part of `delta` kept for steps that have a delta of their own, as
#'   [private_median()] has; the rest goes into the conversion to rho.
#' @param neighbours Between which data sets the promise holds: `"replace-one"` or, for
#'   [marginal_pc()] only, `"add-remove"`. One budget never mixes the two: steps of the other kind
#'   are refused.
#' @param x A budget.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return `privacy_budget()` returns an object of class `"privpc_budget"`: a list of `epsilon`,
#'   `delta`, `reserve`, `rho` (`NA` if `delta` is 0), `neighbours` and `ledger`, a pointer.
#'   `print()` returns it invisibly, `format()` gives a line of text.
#' @seealso [privacy_ledger()] for the list of what was spent. [marginal_pc()] and the other learners,
#'   [private_test()], [private_breaks()] and the mechanisms, such as [laplace_mechanism()], take a
#'   `budget`.
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
#' @export
privacy_budget <- function(epsilon, delta = 0, reserve = 0, neighbours = "replace-one") {
  check_number(epsilon, min = 0, max = 1e15, min_open = TRUE)
  check_number(delta, min = 0, max = 1, max_open = TRUE)
  check_number(reserve, min = 0, max = 1, max_open = TRUE)
  epsilon <- as.double(epsilon)
  delta <- as.double(delta)
  reserve <- as.double(reserve)
  neighbours <- check_neighbours(neighbours, rlang::current_env())
  check_reserve(delta, reserve)
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
    ), call = rlang::current_env())
  }
  structure(
    list(
      epsilon = epsilon, delta = delta, reserve = reserve,
      rho = if (delta > 0) cap else NA_real_, neighbours = neighbours,
      ledger = cpp_new_ledger(delta == 0, cap, reserve, neighbours)
    ),
    class = "privpc_budget"
  )
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
  inherits(x, "privpc_budget") && is.list(x) &&
    all(c("epsilon", "delta", "reserve", "rho", "neighbours", "ledger") %in% names(x))
}

# "ok", "lost", "forked", "changed" or "foreign".
budget_status <- function(budget) {
  if (!is_budget(budget)) return("foreign")
  status <- cpp_ledger_status(budget$ledger)
  if (status != "ok") return(status)
  # The promise that is printed must be the one that the ledger enforces.
  state <- cpp_ledger_state(budget$ledger)
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
                         neighbours = "replace-one") {
  if (is.null(budget)) return(NULL)
  status <- budget_status(budget)
  if (status == "ok") {
    if (!is.null(neighbours)) check_budget_neighbours(budget, neighbours, call)
    return(budget$ledger)
  }
  problem <- switch(status,
    foreign = c(
      "{.arg {arg}} must be made by {.fn privacy_budget}.",
      x = "It is {describe(budget)}."
    ),
    lost = c(
      "{.arg {arg}} was loaded from a file or another session and cannot be used.",
      x = "What it has spent is unknown here.",
      i = "Make a new one with {.fn privacy_budget}, and count its epsilon on top of the old one's."
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

# The refusal of a ledger in the words of an R error. The condition of the core has the amounts, in
# all their digits: `unit`, `asked`, `left` and `cap` (Overdraft in privacy/ledger.hpp).
is_overdraft <- function(error) inherits(error, "privpc_core_overdraft")

abort_overdraft <- function(refused, call, budget = NULL, hint = NULL) {
  in_delta <- refused$unit == "delta"
  reason <- overdraft_text(refused)
  abort(c(
    "The privacy budget does not cover this step.",
    x = "{reason}.",
    i = if (!in_delta) overdraft_in_epsilon(refused, budget),
    i = if (!in_delta) hint,
    i = "Nothing was taken for it. Give it a smaller share, or plan a larger
         budget before the first step: a second budget for the same data adds its epsilon and
         its delta to this one's.",
    i = if (in_delta && isTRUE(budget$reserve == 0)) {
      "This budget has no reserve. Steps with a delta of their own take it from the
       {.arg reserve} of a budget, {.code privacy_budget(1, 1e-6, reserve = 1e-7)} for instance."
    } else if (in_delta) {
      "Steps with a delta of their own take it from {.code privacy_budget(..., reserve = )}."
    }
  ), class = "privpc_overdraft", call = call)
}

# With as many digits as it takes to see that more was asked for than is left. What was asked for is
# told to the nearest digit: it is the user's own number.
overdraft_text <- function(refused) {
  digits <- 4L
  asked <- function() format(refused$asked, digits = digits, decimal.mark = ".")
  left <- function() text_down(refused$left, digits)
  while (digits < 15L && as.double(asked()) <= as.double(left())) digits <- digits + 1L
  paste0(
    "The step asks for ", refused$unit, " = ", asked(), ", but only ", left(), " of ",
    text_up(refused$cap), " is left"
  )
}

# The two amounts of rho as epsilons. Where they differ by less than can be seen, nothing.
overdraft_in_epsilon <- function(refused, budget) {
  if (is.null(budget) || refused$unit != "rho") return(NULL)
  rho <- c(refused$asked, refused$left)
  epsilon <- cpp_dp_from_rho(rho, budget_delta(budget))
  epsilon <- vapply(epsilon, format, "", digits = 3, decimal.mark = ".")
  if (epsilon[[1L]] == epsilon[[2L]]) return(NULL)
  paste0(
    "What it asks for is the rho of epsilon = ", epsilon[[1L]], " at delta = ",
    text_up(near_short(budget_delta(budget)), 3), "; what is left is ",
    enough_text(rho[[2L]], budget), "."
  )
}

# What a step may cost that takes all of this rho.
enough_text <- function(rho, budget) {
  if (rho == 0) return("enough for no further step")
  delta <- near_short(budget_delta(budget))
  paste0(
    "enough for a step of epsilon = ",
    affordable_text(cpp_dp_from_rho(rho, delta), function(e) cpp_rho_from_dp(e, delta) <= rho),
    " at delta = ", text_down(delta, 3),
    # No pure step is about added and removed records.
    if (!is_add_remove(budget$neighbours)) {
      pure <- cpp_epsilon_per_round(rho, 1L)
      fits <- function(e) cpp_rho_of_pure(e) <= rho
      paste0(", or for a pure one of epsilon = ", affordable_text(pure, fits))
    }
  )
}

# Rounded down, but where rounding up is not too much: conversions there and back lose a last bit,
# and a budget of epsilon = 1 is enough for a step of epsilon = 1.
affordable_text <- function(epsilon, fits) {
  above <- text_up(epsilon, 3)
  if (fits(as.double(above))) above else text_down(epsilon, 3)
}

# A budget that counts in epsilon cannot pay for a guarantee with a delta.
check_delta_of_budget <- function(delta, budget, call) {
  if (is.null(budget) || budget$delta > 0 || delta == 0) return(invisible())
  abort(c(
    "{.arg delta} must be 0 for a {.arg budget} without delta.",
    x = "It is {format(delta)}."
  ), call = call)
}

# What a step is proved to be: (epsilon, delta)-DP, or rho-zCDP. The ledger works out what that is in
# the unit it counts in (privacy/cost.hpp), so that nobody can pay in the wrong one.
cost_of_epsilon <- function(epsilon, delta = 0) {
  structure(list(epsilon = as.double(epsilon), rho = NA_real_, delta = delta), class = "privpc_cost")
}

cost_of_rho <- function(rho) {
  structure(list(epsilon = NA_real_, rho = as.double(rho), delta = 0), class = "privpc_cost")
}

# Takes the cost of a step from a budget; noise is drawn only after this has returned.
debit_budget <- function(budget, mechanism, target, cost, call = rlang::caller_env(),
                         neighbours = "replace-one") {
  ledger <- check_budget(budget, call, neighbours = neighbours)
  if (!inherits(cost, "privpc_cost")) {
    rlang::abort("A cost must be made by cost_of_epsilon() or cost_of_rho().", .internal = TRUE)
  }
  tryCatch(
    cpp_ledger_debit(ledger, mechanism, target, cost$epsilon, cost$rho, cost$delta),
    error = function(e) {
      if (is_overdraft(e)) abort_overdraft(e, call, budget)
      reason <- sub("^(.)", "\\U\\1", conditionMessage(e), perl = TRUE)
      abort(c("The privacy budget refuses this step.", x = "{reason}."), call = call)
    }
  )
  invisible(budget)
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
    "<privpc_budget: ", promise_text(x), if (is_add_remove(x$neighbours)) ", add-remove", ", ",
    percent(state$spent, state$cap), " spent>"
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
    cli::cat_line("Promise: ", promise_text(x), " (", x$neighbours, " neighbours)")
  }
  if (status != "ok") {
    cli::cat_line("Not usable here: ", switch(status,
      lost = "it was loaded from a file or another session, and what it has spent is unknown.",
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

#' What a privacy budget was spent on
#'
#' One row per step, in the order in which the steps were taken. The list holds only what was
#' fixed before each step's noise was drawn, so it may be published. The ledger of a fit that is not
#' private, because of a `seed` for instance, carries a mark ([fits][privpc-class]): what it lists was
#' charged, but protects nobody.
#'
#' @param x A [privacy_budget()], or a fit of one of the learners.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A data frame with the columns `step` (1, 2, ...), `mechanism`, `target` (what was
#'   looked at), `epsilon` (what this step would promise if it were the only one: its own, or, where
#'   it has only a rho, the epsilon of that rho at the delta of the budget, for a fit of
#'   [marginal_pc()] that no budget pays for by its Gaussian accounting), `rho` (`NA` if
#'   the budget counts in epsilon), `delta` (what the step took from the budget's `reserve`; 0 for
#'   steps without a delta of their own, and so for all steps of a fit), `cumulative`, the sum up to
#'   this step in the unit of the budget, and `share`, the part of the whole budget that this step
#'   took, from 0 to 1. In a budget that counts in rho it is the rhos that add up, not the epsilons;
#'   the deltas add up too, and come on top of the part of the budget's delta that is not
#'   reserved. For a fit the whole is the price of the fit (without that of its `breaks`); on a
#'   sub-sample, what was spent.
#' @examples
#' # Without privacy nothing is spent
#' cohort <- simulate(network("cancer"), nsim = 20000, seed = 1)
#' privacy_ledger(exact_pc(cohort))
#'
#' # A budget lists the steps that were paid from it
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' released <- laplace_mechanism(
#'   c(cases = 120), sensitivity = 1, epsilon = 0.1, budget = budget, target = "cases"
#' )
#' privacy_ledger(budget)
#' @export
privacy_ledger <- function(x, ...) UseMethod("privacy_ledger")

#' @export
privacy_ledger.default <- function(x, ...) {
  check_given(x)
  abort(c(
    "{.arg x} must be a {.fn privacy_budget} or a fit of one of the learners.",
    x = "It is {describe(x)}."
  ), call = rlang::current_env())
}

#' @export
privacy_ledger.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  # On a sub-sample rho is that of the sub-sample, which no epsilon of the whole belongs to.
  in_rho <- isTRUE(x$privacy$rho > 0 && is.finite(x$privacy$rho))
  ledger <- x$ledger
  if (in_rho) ledger <- with_epsilons(ledger, x$privacy$delta, is_gaussian(x$privacy))
  marked(with_shares(ledger, ledger_total(x)), mark_of(x))
}

#' @export
privacy_ledger.privpc_budget <- function(x, ...) {
  check_dots_empty(...)
  ledger <- check_budget(x, rlang::current_env(), arg = "x", neighbours = NULL)
  entries <- ledger_frame(cpp_ledger_entries(ledger), x$delta > 0)
  with_shares(with_epsilons(entries, budget_delta(x)), ledger_total(x))
}

with_shares <- function(ledger, budget) {
  ledger$share <- (if (budget$unit == "rho") ledger$rho else ledger$epsilon) / budget$total
  ledger
}

# A step without an epsilon of its own gets the one that its rho amounts to.
with_epsilons <- function(ledger, delta, gaussian = FALSE) {
  bare <- which(is.na(ledger$epsilon) & !is.na(ledger$rho))
  convert <- if (gaussian) cpp_gaussian_dp_from_rho else cpp_dp_from_rho
  ledger$epsilon[bare] <- convert(ledger$rho[bare], delta)
  ledger
}
