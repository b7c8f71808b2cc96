# Noisy tables: marginal_pc() and what is read off them.
batch <- header("statistic/batch.hpp")
quadratic <- header("statistic/quadratic_bound.hpp")
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
    old = "+ std::max(g * (1 - x[i]), -g * x[i])", new = "", killed_by = never_below,
    quick = TRUE
  ),
  mutant(
    "quadratic-half-a-shift", "the shift of the diagonal is not given back to the gains", quadratic,
    old = "const double slope = gain_[i] + d / 2,", new = "const double slope = gain_[i],",
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
