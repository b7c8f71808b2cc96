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
      paste(
        "{.arg delta} = {format(delta)} is not small against one over the number of rows",
        "({format(1 / n, digits = 3)})."
      ),
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
      with_delta <- budget_code(budget$epsilon, default_delta(n), budget$neighbours)
      abort(c(
        "{.arg budget} must have a delta here.",
        x = "Gaussian noise has no pure guarantee.",
        i = "Make it as {.code {with_delta}}.",
        i = if (!is.null(budget$file)) {
          "What a ledger file promises stays as it was begun: this takes a file of its own."
        }
      ), call = call)
    }
    return(choose_test_delta(delta, n, budget, call))
  }
  if (is.null(delta)) delta <- budget_delta(budget)
  check_learner_delta(delta, n, call, pure)
}

# The call that makes a budget, for hints: of the same kind of neighbours, or the next step would be
# refused.
budget_code <- function(epsilon, delta, neighbours) {
  paste0(
    "privacy_budget(epsilon = ", format(epsilon), ", delta = ", format(delta),
    if (is_add_remove(neighbours)) ", neighbours = \"add-remove\"",
    if (is_per_person(neighbours)) ", per = \"person\"", ")"
  )
}

# Takes the whole price of a fit from a budget, as one step. Gives back what the fit keeps of a
# budget in a file (R/ledger_file.R).
pay_for_fit <- function(budget, schema, learner, price, call, neighbours = "replace-one",
                        per = "record") {
  if (is.null(budget)) return(NULL)
  target <- paste("graph of", counted(length(schema$names), "variable"))
  # Whose persons: by another column they would be others.
  if (!is.null(schema$persons)) target <- paste0(target, ", persons by ", schema$persons$id)
  cost <- structure(price$cost, class = "privpc_cost")
  entry <- debit_budget(
    budget, learner, target, cost, call = call, neighbours = neighbours, per = per
  )
  paid_entry(budget, entry, call)
}

# What a fit may spend (`run`, NA: its epsilon), how that is counted (`accounting`), what it states
# as its rho (NA: none) and what a budget is charged (`cost`): from the core, which enforces it
# (learners/fit_price.hpp). `gaussian`: every step of the run adds Gaussian noise, and no budget
# pays for it; the ledger of such a run refuses all other steps. A budget adds up rhos of steps of
# all kinds, so what it pays for is counted as those are.
fit_price <- function(learner, epsilon, delta, sample, rows, call, gaussian = FALSE) {
  price <- cpp_fit_price(learner, epsilon, delta, sample, rows, gaussian)
  if (!price$too_small) return(price)
  if (is.na(price$run)) {
    least <- sub("e-0", "e-", format(core_limits$least_epsilon))
    abort(c(
      "The budget is too small to learn anything.",
      x = "{.arg epsilon} is {format(epsilon)}.",
      i = "Below {least} the noise is larger than any number of records."
    ), call = call)
  }
  abort(c(
    "The budget is too small to measure anything.",
    x = paste(
      "{.arg epsilon} = {format(epsilon)} and {.arg delta} = {format(delta)} amount to rho =",
      "{format(price$run)}."
    )
  ), call = call)
}
