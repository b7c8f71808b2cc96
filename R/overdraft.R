# What a budget says that cannot pay: how much was asked for, what is left, and what that would be
# enough for.

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
  local_decimal_point()
  digits <- 4L
  asked <- function() format(refused$asked, digits = digits, decimal.mark = ".")
  left <- function() text_down(refused$left, digits)
  while (digits < 15L && as.double(asked()) <= as.double(left())) digits <- digits + 1L
  ask <- paste0("The step asks for ", refused$unit, " = ", asked(), ", but ")
  if (refused$cap == 0) return(paste0(ask, "the budget has none"))
  # Nothing was spent, but for what the units of the ledger round off. Beside the cap, which is
  # rounded up, it would look as if something were.
  if (refused$cap - refused$left < 2^-60) {
    return(paste0(ask, "the whole budget has only ", left()))
  }
  if (refused$left < 2^-50) return(paste0(ask, "nothing of ", text_up(refused$cap), " is left"))
  paste0(ask, "only ", left(), " of ", text_up(refused$cap, digits), " is left")
}

# The two amounts of rho as epsilons. Where they differ by less than can be seen, nothing.
overdraft_in_epsilon <- function(refused, budget) {
  local_decimal_point()
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
