# Directions and degrees of freedom without privacy: no secret leaks, but wrong graphs would pass
# unnoticed.
colliders <- header("learners/exact_colliders.hpp")
definition <- cpp_test(
  "test_exact_colliders",
  "colliders by tests are those of the rules' definitions, for any number of threads"
)

list(
  mutant(
    "smallest-p", "the smallest p-value decides about a collider, not the largest", colliders,
    old = "largest = std::max(largest, *log_p);", new = "largest = *log_p;",
    killed_by = definition
  ),
  mutant(
    "own-set-forgotten", "the set that separated a pair is not asked once its members left",
    colliders,
    old = "among(pair.found.y) || visit(given)", new = "among(pair.found.y) || true",
    killed_by = definition
  ),
  mutant(
    "ambiguous-colliders", "the strict rule takes triples that sets with the centre separate too",
    colliders,
    old = "if (rule == ColliderRule::conservative && evidence.with > log_alpha) continue;",
    new = "",
    killed_by = definition
  ),
  mutant(
    "empty-strata-separate", "a test in which nothing varies counts as the best separation",
    header("learners/exact_judge.hpp"),
    old = "if (!(df > 0)) return std::nullopt;", new = "",
    killed_by = cpp_test("test_exact_colliders", "what a test cannot tell does not count")
  ),
  mutant(
    "constant-stratum-df", "a stratum in which one variable does not vary has a degree of freedom",
    header("statistic/chi_square.hpp"),
    old = "if (rows > 1 && columns > 1) value_ += (rows - 1) * (columns - 1);",
    new = "value_ += std::max(1.0, (rows - 1) * (columns - 1));",
    killed_by = cpp_test(
      "test_exact_colliders", "degrees of freedom count occurring levels, stratum by stratum"
    )
  )
)
