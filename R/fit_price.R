# What a fit costs: its delta, its rho, and how a budget pays for it. All of it follows from public
# facts.

# Small against 1/n: a delta of 1/n would permit publishing a random record in full.
default_delta <- function(n) min(1e-6, 1 / (10 * n))

# `NULL` for the default. `pure` says whether the learner can do without a delta.
check_learner_delta <- function(delta, n, call = rlang::caller_env(), pure = TRUE) {
  if (is.null(delta)) return(default_delta(n))
  check_number(delta, "delta", min = 0, max = 1, max_open = TRUE, call = call)
  if (delta == 0 && !pure) {
    abort(c(
      "{.arg delta} must be above 0 here.",
      x = "Gaussian noise has no pure guarantee.",
      i = "Leave {.arg delta} out for a default that is small against one over the number of rows."
    ), call = call)
  }
  if (delta >= 1 / n) {
    cli::cli_warn(c(
      "{.arg delta} = {format(delta)} is not small against one over the number of rows ({format(1 / n, digits = 3)}).",
      x = "It would permit publishing a record in full with a noticeable probability.",
      i = "Leave {.arg delta} out, or choose at most {text_down(default_delta(n))}."
    ), class = "privpc_weak_delta")
  }
  as.double(delta)
}

# The fit's own delta: as given, or the part of the budget's delta that is not set aside, so that a
# fit for all of a budget's epsilon costs all of it.
choose_learner_delta <- function(delta, n, budget, call, pure) {
  if (is.null(budget)) return(check_learner_delta(delta, n, call, pure))
  if (budget$delta == 0) {
    if (!pure) {
      abort(c(
        "{.arg budget} must have a delta here.",
        x = "Gaussian noise has no pure guarantee.",
        i = "Make it as {.code privacy_budget(epsilon = {format(budget$epsilon)}, delta = {format(default_delta(n))})}."
      ), call = call)
    }
    return(choose_test_delta(delta, n, budget, call))
  }
  if (is.null(delta)) delta <- budget_delta(budget)
  check_learner_delta(delta, n, call, pure)
}

# Takes the whole price of a fit from a budget, as one step. What a fit is charged is what it
# is proved to be:
# * `rho` is not NA: the fit draws on a ledger of its own whose cap is this rho, so it is rho-zCDP, and
#   zCDP adds up over adaptively chosen steps (the theorems in privacy/ledger.hpp);
# * delta = 0: it is epsilon-DP, which costs epsilon in a pure budget, and in one that counts in
#   rho at most epsilon tanh(epsilon / 2);
# * otherwise (on a sub-sample) only that it is (epsilon, delta)-DP is known. It then behaves as an
#   epsilon-DP step but for a probability of delta (Kairouz, Oh and Viswanath 2015, theorem 3.3),
#   which comes from the reserve (privacy/cost.hpp).
pay_for_fit <- function(budget, schema, learner, epsilon, delta, rho, call) {
  if (is.null(budget)) return(invisible())
  target <- paste("graph of", counted(length(schema$names), "variable"))
  cost <- if (is.na(rho)) cost_of_epsilon(epsilon, delta) else cost_of_rho(rho)
  debit_budget(budget, learner, target, cost, call = call)
}

# The rho of a fit, NA if it is pure: the one place where its epsilon and delta are turned into rho.
# What the core may spend, what a budget is charged and what the fit states is this number.
fit_rho <- function(epsilon, delta, call) {
  if (delta > 0) return(budget_rho(epsilon, delta, call))
  # Below this the noise would exceed any number of records.
  if (epsilon >= 1e-6) return(NA_real_)
  abort(c(
    "The budget is too small to learn anything.",
    x = "{.arg epsilon} is {format(epsilon)}.",
    i = "Below 1e-6 the noise is larger than any number of records."
  ), call = call)
}

# The conversion of privacy_budget(). Below this rho the noise of any count exceeds 20,000
# records, and the ledger's rounding would matter.
budget_rho <- function(epsilon, delta, call) {
  rho <- budget_cap(epsilon, delta, 0)
  if (rho >= 2^-30) return(rho)
  abort(c(
    "The budget is too small to measure anything.",
    x = "{.arg epsilon} = {format(epsilon)} and {.arg delta} = {format(delta)} amount to rho = {format(rho)}."
  ), call = call)
}
