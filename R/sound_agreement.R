# What a fit says of itself in several places must agree: who made it, what it promises to whom,
# and which steps it paid for. This finds mistakes. Who edits all of these places at once makes a
# fit that cannot be told from a real one.

# `call` names the function that learnt it; tables are measured by one learner only.
maker_damage <- function(fit) {
  other <- "Its {.field learner} is not the one that made it."
  if (!is.null(fit$measurements) && fit$learner != "marginal_pc") return(other)
  made_by <- if (is.call(fit$call)) fit$call[[1L]]
  if (!is.symbol(made_by)) return(NULL)
  made_by <- as.character(made_by)
  if (made_by %in% learner_names() && made_by != fit$learner) other
}

# Of fits and of graphs with hidden causes.
neighbours_damage <- function(fit) {
  privacy <- fit$privacy
  # Nothing is promised to anybody.
  if (!is.finite(privacy$epsilon)) return(NULL)
  if (is_add_remove(privacy$neighbours) != is_add_remove(fit$settings$neighbours)) {
    return("Its promise and its settings have different {.field neighbours}.")
  }
  if (identical(privacy$per, "person") == is.null(fit$settings$persons)) {
    "Of its promise and its settings, one is about persons and one about records."
  }
}

spending_damage <- function(fit) {
  privacy <- fit$privacy
  if (privacy$private && isFALSE(learner_registry[[fit$learner]]$private)) {
    return("It promises privacy, which its {.field learner} does not.")
  }
  # No promise, no price. Of a pooled fit each site was asked.
  if (!is.finite(privacy$epsilon) || is_pooled(fit)) return(NULL)
  if (nrow(fit$ledger) == 0L && !asked_nothing(fit)) return("Its ledger lists nothing.")
  held <- fit$measurements
  measured <- !is.null(held) && length(held$tables$sets) > 0L
  if (measured && lacks_steps(privacy, fit$ledger, fit$settings)) {
    "Its ledger lists less than it says to have paid: steps are missing."
  }
}

# Knowledge can decide all pairs, or all variables have one level.
asked_nothing <- function(fit) {
  if (!is.null(fit$measurements)) return(length(fit$measurements$tables$sets) == 0L)
  tests <- fit$settings$tests
  is.numeric(tests) && !anyNA(tests) && sum(tests) == 0
}

# The learners of the paper stop when they have asked enough, and may have budget left. A fit of
# marginal_pc() spends all of it, but for what is kept for rounding, with two exceptions.
lacks_steps <- function(privacy, ledger, settings) {
  below <- function(amount, least) !isTRUE(amount >= least * (1 - 1e-6))
  if (!below(sum(ledger$rho), privacy$rho)) return(FALSE)
  # One that selects pairs may have none to select from: a quarter is left then (SelectionShares).
  if (isTRUE(settings$selects)) return(below(sum(ledger$rho), 0.75 * privacy$rho))
  # A search by tests ends with half of the budget for tables where no pair is in question
  # (StagedChooser).
  aside <- ledger$target %in% c("number of records", "number of persons", "families")
  for_tables <- privacy$rho - sum(ledger$rho[aside])
  !identical(ledger$target[!aside], "all pairs") || below(ledger$rho[!aside], 0.5 * for_tables)
}

# Amounts add up to what is said beside them; in rho where all steps have one.
adds_up <- function(ledger) {
  # The steps of several sites stand one after the other (sites_ledger_damage()).
  if (nrow(ledger) == 0L || !is.null(ledger$site)) return(TRUE)
  amount <- if (anyNA(ledger$rho)) ledger$epsilon else ledger$rho
  isTRUE(all(abs(cumsum(amount) - ledger$cumulative) <= 1e-6 * max(ledger$cumulative)))
}

# The ledger of a pooled fit is that of its sites.
sites_ledger_damage <- function(fit) {
  columns <- c("site", names(no_steps))
  theirs <- pooled_ledger(fit$pooled$sites)
  same <- nrow(theirs) == nrow(fit$ledger) && isTRUE(all.equal(
    unclass(fit$ledger)[columns], unclass(theirs)[columns], check.attributes = FALSE
  ))
  if (!same) "Its ledger does not list the steps of its sites."
}
