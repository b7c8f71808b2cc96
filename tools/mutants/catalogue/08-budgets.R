# The budget in R: one thing, which cannot be copied, forked, changed or read back.
budget <- "R/budget.R"
pointer <- "src/ledger_pointer.h"
by_hand <- r_test("test-budget", "a budget that was changed by hand is refused")

list(
  mutant(
    "delta-in-pure-budget", "sparse_vector() hands a delta to a budget that counts in epsilon",
    "R/sparse_vector.R", old = "check_delta_of_budget(delta, budget, call)", new = "NULL",
    killed_by = r_test(
      "test-sparse_vector", "a budget without delta is charged in epsilon, whatever runs are made"
    )
  ),
  mutant(
    "forked-budget", "a forked process may spend the budget again", pointer,
    old = "if (CHAR(STRING_ELT(tag, 1)) != process_id()) return \"forked\";", new = "",
    killed_by = r_test("test-budget", "a forked process cannot spend the budget a second time")
  ),
  mutant(
    "loaded-budget", "a budget that was read from a file is taken for one with nothing spent",
    pointer,
    old = "if (R_ExternalPtrAddr(pointer) == nullptr) return \"lost\";", new = "",
    killed_by = r_test(
      "test-budget", "a budget that was saved is refused, because its spending is unknown"
    )
  ),
  mutant(
    "changed-budget", "a budget whose promise was changed by hand is accepted", budget,
    old = "identical(promised, state[c(\"pure\", \"cap\", \"slack\", \"neighbours\")])", new = "TRUE",
    killed_by = by_hand,
    quick = TRUE
  ),
  mutant(
    "changed-reserve", "a reserve that was changed by hand is accepted", budget,
    old = "identical(promised, state[c(\"pure\", \"cap\", \"slack\", \"neighbours\")])",
    new = "identical(promised[c(1, 2, 4)], state[c(\"pure\", \"cap\", \"neighbours\")])", killed_by = by_hand, quick = TRUE
  ),
  mutant(
    "reserve-for-free", "the reserve is not taken out of the delta that becomes rho", budget,
    old = "if (reserve > 0) (delta - reserve) * (1 - 2^-52) else delta", new = "delta",
    killed_by = r_test(
      "test-budget", "a reserve of delta is taken from the conversion"
    ), quick = TRUE
  ),
  mutant(
    "no-budget-checks", "what is handed over as a budget is not looked at", budget,
    after = "check_budget <- function(", old = "budget_status(budget)", new = "\"ok\"",
    killed_by = r_test(
      "test-budget", "a budget that was saved is refused, because its spending is unknown"
    )
  ),
  mutant(
    "cost-without-unit", "a plain number is taken for a cost", budget,
    old = "!inherits(cost, \"privpc_cost\")", new = "FALSE",
    killed_by = r_test("test-budget", "a step is paid for in the unit that it is proved in")
  ),
  mutant(
    "both-units", "a step is paid for by its rho although it states an epsilon", "src/budget.cpp",
    old = "ISNA(epsilon) == ISNA(rho)", new = "false",
    killed_by = r_test("test-budget", "a step is paid for in the unit that it is proved in")
  ),
  mutant(
    "delta-from-pure-budget", "a budget without delta pays for a step that has one", budget,
    old = "is.null(budget) || budget$delta > 0 || delta == 0", new = "TRUE",
    killed_by = r_test("test-private_fit", "what is refused costs nothing")
  ),
  mutant(
    "taken-delta-untold", "what steps took from the reserve is left out of the printed promise",
    budget,
    old = "sum(cpp_ledger_entries(budget$ledger)$delta)", new = "0",
    killed_by = r_test(
      "test-budget", "what steps take from the reserve is in the ledger and in the promise"
    ),
    quick = TRUE
  ),
  mutant(
    "reserve-above-delta", "a reserve as large as delta is accepted", budget,
    old = "reserve == 0 || reserve < delta", new = "TRUE",
    killed_by = r_test("test-budget", "budgets without meaning are refused")
  )
)
