# Noisy tables: marginal_pc() and what is read off them.
batch <- header("statistic/batch.hpp")
quadratic <- header("statistic/quadratic_bound.hpp")
added <- cpp_test(
  "test_add_remove", "any record added to any small data set moves a batch by just what is stated"
)
never_below <- cpp_test(
  "test_batch_bounds", "the quadratic bound is never below the largest value of all patterns"
)
bounded <- cpp_test(
  "test_batch_bounds",
  "some pairs, all patterns: no bound is below the truth, the quadratic one is close"
)
measurements <- header("marginals/measurements.hpp")
moves <- cpp_test("test_marginals", "no replacement moves a batch by more than stated, and some by just that")
stated <- cpp_test("test_marginals", "the noise has the stated variance, in contrasts and in cells")

list(
  mutant(
    "batch-halved", "the squared sensitivity of a batch without its factor 2", batch,
    old = "2 * item.weight * (all - shared)", new = "item.weight * (all - shared)",
    killed_by = moves
  ),
  mutant(
    "batch-without-weights", "weights are left out of the sensitivity of a batch", batch,
    old = "2 * item.weight * (all - shared)", new = "2 * (all - shared)", killed_by = moves
  ),
  mutant(
    "batch-agreeing-pattern", "the pattern that agrees in a variable is taken, not the worst",
    batch,
    old = "std::max(sum[without], sum[without | std::size_t{1} << at])", new = "sum[without]",
    killed_by = moves
  ),
  mutant(
    "pairs-without-singles", "the bound for all pairs leaves the singles out", batch,
    old = "single_weight + sum - 1", new = "sum - 1", killed_by = moves
  ),
  mutant(
    "pairs-one-variable", "the bound for all pairs takes neighbours that differ in one variable",
    batch,
    old = "worst = std::max(worst, so_far);", new = "worst = gains[0];", killed_by = moves
  ),
  mutant(
    "quadratic-too-flat", "the quadratic bound is not made concave", quadratic,
    old = "return high * (1 + 2e-9);", new = "return high * 0.8;", killed_by = never_below
  ),
  mutant(
    "quadratic-gap-unpaid", "what the search for the quadratic bound lacks is not paid", quadratic,
    old = "std::max(g * (1 - x[i]), -g * x[i])", new = "0.0", killed_by = never_below,
    quick = TRUE
  ),
  mutant(
    "quadratic-half-a-shift", "the shift of the diagonal is not given back to the gains", quadratic,
    after = "const double slope = ", old = "gain_[i] + d / 2", new = "gain_[i]",
    killed_by = bounded
  ),
  mutant(
    "quadratic-one-end", "a pair moves one of its ends only", batch,
    old = "half.add_gain(item.set[1], item.weight * c(item.set[0]));", new = "",
    killed_by = bounded
  ),
  mutant(
    "heavy-pairs-as-light", "the bound for pairs of weight 1 is taken for heavier ones", batch,
    old = "light_pairs && item.weight <= 1", new = "light_pairs",
    killed_by = cpp_test("test_batch_bounds", "pairs that weigh more than one are paid for in full")
  ),
  mutant(
    "added-without-weights", "weights are left out of what an added record moves", batch,
    after = "inline double added_l2_squared(", old = "item.weight", new = "1.0", killed_by = added
  ),
  mutant(
    "replaced-as-added", "replaced records are priced as if they were added", batch,
    old = "schema.neighbours() == Neighbours::add_remove", new = "true",
    killed_by = moves
  ),
  mutant(
    "records-for-free", "the number of records is told without noise",
    header("learners/measure_batch.hpp"),
    old = "std::clamp(rows, 1.0, static_cast<double>(kMaxRows))",
    new = "static_cast<double>(source.schema().rows())",
    killed_by = cpp_test(
      "test_add_remove", "the number of records is measured with the noise of its price"
    )
  ),
  mutant(
    "true-rows-in-shares", "measured shares are divided by the true number of records",
    header("learners/marginal_pc.hpp"),
    old = "measure_records(source, for_records, ledger, bits)",
    new = "measure_records(source, for_records, ledger, bits) * 0 + schema.rows()",
    killed_by = cpp_test(
      "test_add_remove",
      "what a source says of its number of rows does not show in a fit that keeps it secret"
    )
  ),
  mutant(
    "true-rows-in-tables", "which tables are countable depends on the secret number of records",
    header("schema/table_shape.hpp"), old = "schema.neighbours() == Neighbours::replace_one",
    new = "true",
    killed_by = cpp_test(
      "test_add_remove",
      "which tables are countable does not depend on a secret number of records"
    )
  ),
  mutant(
    "true-rows-in-delta", "the default delta tells whether there are many rows", "R/marginal_pc.R",
    old = "public_n <- if (add_remove) 1 else schema$n", new = "public_n <- schema$n",
    killed_by = r_test(
      "test-neighbours", "neither delta nor a warning is computed from a secret number of rows"
    )
  ),
  mutant(
    "true-rows-in-fit", "a fit tells the secret number of rows", "R/marginal_pc.R",
    old = "n <- if (add_remove) found$n else schema$n", new = "n <- schema$n",
    killed_by = r_test(
      "test-neighbours", "the number of rows is measured, and only the noisy one is told"
    )
  ),
  mutant(
    "budget-mixes-neighbours", "a budget pays for steps of the other promise", "R/budget.R",
    old = "if (!is.null(neighbours)) check_budget_neighbours(budget, neighbours, per, call)",
    new = "NULL",
    killed_by = r_test("test-neighbours", "one budget never mixes the two promises")
  ),
  mutant(
    "batch-set-twice", "a set that stands twice in a batch is paid for once", batch,
    old = "!seen.emplace(item.set.begin(), item.set.end()).second", new = "false",
    killed_by = cpp_test("test_worst_cases", "a set that stands twice in a batch is refused")
  ),
  mutant(
    "averaged-equally", "a second measurement counts as much as the first, whatever its noise",
    measurements,
    old = "known.variance / (known.variance + measured.variance)", new = "0.5",
    killed_by = cpp_test("test_marginals", "repeated measurements are averaged by their precision")
  ),
  mutant(
    "variance-understated", "the stated variance of the noise is half of what was drawn",
    header("learners/measure_batch.hpp"),
    old = "measured.variance = sigma * sigma;", new = "measured.variance = sigma * sigma / 2;",
    killed_by = stated
  )
)
