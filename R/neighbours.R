# Which data sets a promise calls neighbours: those that differ by one replaced record, so that the
# number of records is public, or by one that was added or removed, so that it is a secret.
neighbour_kinds <- c("replace-one", "add-remove")

# What one of them is: a record, or a person with all their records (R/persons.R).
protected_units <- c("record", "person")

# A budget keeps both in one word, as "replace-one-person": its ledger has room for one.
budget_kind <- function(neighbours, per) {
  paste0(neighbours, if (per == "person") "-person")
}
budget_kinds <- c(neighbour_kinds, budget_kind(neighbour_kinds, "person"))
is_per_person <- function(kind) isTRUE(endsWith(as.character(kind), "-person"))
without_person <- function(kind) sub("-person$", "", kind)

# Of a fit's or a test's promise.
neighbours_text <- function(privacy) {
  paste0(privacy$neighbours, " neighbours", if (identical(privacy$per, "person")) " per person")
}

kind_text <- function(kind) {
  paste0(without_person(kind), " neighbours", if (is_per_person(kind)) " per person")
}

check_neighbours <- function(neighbours, call) {
  check_choice(neighbours, neighbour_kinds, arg = "neighbours", call = call)
}

check_per <- function(per, call) check_choice(per, protected_units, arg = "per", call = call)

is_add_remove <- function(neighbours) {
  rlang::is_string(neighbours) && neighbours %in% c("add-remove", "add-remove-person")
}

# A budget is a promise about one kind of neighbours. Adding or removing a record is a part of
# replacing one, so steps of the other kind would need twice their epsilon: they are refused.
#
# Nor does one budget pay for steps per record and per person: a record that is replaced may become
# another person's, and then two persons have changed. `per` is NULL where the user has said how far
# neighbours are apart.
check_budget_neighbours <- function(budget, neighbours, per, call) {
  kind <- without_person(budget$neighbours)
  budget_per <- if (is_per_person(budget$neighbours)) "person" else "record"
  if (!is.null(per) && per != budget_per) abort_other_unit(per, call)
  if (identical(kind, neighbours)) return(invisible())
  abort(c(
    paste(
      "{.arg budget} is a promise about {.val {kind}} neighbours, this step about",
      "{.val {neighbours}}."
    ),
    x = "One budget never mixes the two.",
    i = if (is_add_remove(budget$neighbours)) {
      paste(
        "Of all steps only {.fn marginal_pc} with",
        "{.code neighbours = \"add-remove\"} can be paid from it."
      )
    } else {
      paste(
        "Make one with {.code privacy_budget(..., neighbours = \"add-remove\")},",
        "before the first step."
      )
    }
  ), class = "privpc_other_neighbours", call = call)
}

abort_other_unit <- function(per, call) {
  abort(c(
    if (per == "record") {
      paste(
        "{.arg budget} is a promise to persons with all their records, this",
        "step one about single records."
      )
    } else {
      paste(
        "{.arg budget} is a promise about single records, this step one to",
        "persons with all their records."
      )
    },
    x = "One budget never mixes the two.",
    i = if (per == "record") {
      "Say whose record it is: {.code id = \"person\"}, the column that does."
    } else {
      "Use a budget for persons: {.code privacy_budget(..., per = \"person\")}."
    }
  ), class = "privpc_other_neighbours", call = call)
}

# For functions that do not have the argument: it is one of marginal_pc(), not a misspelling.
abort_no_neighbours <- function(call) {
  abort(c(
    "Only {.fn marginal_pc} offers {.arg neighbours}, and a {.fn privacy_budget} for it.",
    x = paste(
      "All other private steps promise something about {.val replace-one} neighbours;",
      "{.fn exact_pc} promises nothing."
    ),
    i = "Leave {.arg neighbours} out, or use {.fn marginal_pc}."
  ), class = "privpc_no_neighbours", call = call)
}

# Cut points that were paid for were chosen for a public number of records.
check_breaks_neighbours <- function(breaks, neighbours, call) {
  paid <- vapply(unclass(breaks), function(cuts) !is.null(attr(cuts, "paid")), NA)
  if (!is_add_remove(neighbours) || !any(paid)) return(invisible())
  chosen <- names(breaks)[paid]
  abort(c(
    paste(
      "{.arg breaks} from {.fn private_breaks} and",
      "{.code neighbours = \"add-remove\"} do not go together."
    ),
    x = paste(
      "The cut points of {.var {chosen}} were chosen under a promise about",
      "{.val replace-one} neighbours."
    ),
    i = "Declare cut points, or leave {.arg neighbours} out."
  ), call = call)
}
