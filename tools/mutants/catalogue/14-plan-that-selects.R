# Fits that select pairs before they measure them.
plan <- function(name) cpp_test("test_selecting_chooser", name)

list(
  mutant(
    "unselected-not-counted", "pairs that nobody selected do not count as tested",
    header("search/noisy_skeleton.hpp"),
    old = "p_values.push_back(1);", new = ";",
    killed_by = plan("pairs that nobody selected count as tested")
  ),
  mutant(
    "selecting-overspends", "the last round of a fit that selects takes more than is left",
    header("learners/selection_plan.hpp"),
    old = "1 - singles - tree - measure_tree - others - measure_others - first_round",
    new = "1 - singles - tree - measure_tree - measure_others - first_round",
    killed_by = plan("a fit that selects spends its rho, in steps of its plan, and never more")
  ),
  mutant(
    "selecting-for-added-records", "pairs are selected with a sensitivity that is not the neighbours'",
    header("learners/marginal_pc.hpp"),
    old = "settings.search.kind != SearchKind::score ||\n        settings.neighbours != Neighbours::replace_one",
    new = "settings.search.kind != SearchKind::score",
    killed_by = plan("pairs are selected for a score and for replaced records only")
  ),
  mutant(
    "replayed-selection-sharper", "replays select with half the noise", header("learners/replay.hpp"),
    old = "score - spread * std::log(-std::log(random.uniform()))",
    new = "score - spread / 2 * std::log(-std::log(random.uniform()))",
    killed_by = plan("a replayed selection has the probabilities of the real one")
  )
)
