# Which data sets a promise calls neighbours: those that differ by one replaced record, so that the
# number of records is public, or by one that was added or removed, so that it is a secret.
neighbour_kinds <- c("replace-one", "add-remove")

check_neighbours <- function(neighbours, call) {
  check_choice(neighbours, neighbour_kinds, arg = "neighbours", call = call)
}

is_add_remove <- function(neighbours) identical(neighbours, "add-remove")

# A budget is a promise about one kind of neighbours. Adding or removing a record is a part of
# replacing one, so steps of the other kind would need twice their epsilon: they are refused.
check_budget_neighbours <- function(budget, neighbours, call) {
  if (identical(budget$neighbours, neighbours)) return(invisible())
  abort(c(
    "{.arg budget} is a promise about {.val {budget$neighbours}} neighbours, this step about {.val {neighbours}}.",
    x = "One budget never mixes the two.",
    i = if (is_add_remove(budget$neighbours)) {
      "Of all steps only {.fn marginal_pc} with {.code neighbours = \"add-remove\"} can be paid from it."
    } else {
      "Make one with {.code privacy_budget(..., neighbours = \"add-remove\")}, before the first step."
    }
  ), class = "privpc_other_neighbours", call = call)
}

# For functions that do not have the argument: it is one of marginal_pc(), not a misspelling.
abort_no_neighbours <- function(call) {
  abort(c(
    "Only {.fn marginal_pc} offers {.arg neighbours}, and a {.fn privacy_budget} for it.",
    x = "All other private steps promise something about {.val replace-one} neighbours; {.fn exact_pc} promises nothing.",
    i = "Leave {.arg neighbours} out, or use {.fn marginal_pc}."
  ), class = "privpc_no_neighbours", call = call)
}

# Cut points that were paid for were chosen for a public number of records.
check_breaks_neighbours <- function(breaks, neighbours, call) {
  paid <- vapply(unclass(breaks), function(cuts) !is.null(attr(cuts, "paid")), NA)
  if (!is_add_remove(neighbours) || !any(paid)) return(invisible())
  chosen <- names(breaks)[paid]
  abort(c(
    "{.arg breaks} from {.fn private_breaks} and {.code neighbours = \"add-remove\"} do not go together.",
    x = "The cut points of {.var {chosen}} were chosen under a promise about {.val replace-one} neighbours.",
    i = "Declare cut points, or leave {.arg neighbours} out."
  ), call = call)
}
