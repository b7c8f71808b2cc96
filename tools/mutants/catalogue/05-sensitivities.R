# How far one record can move a statistic.
sensitivity <- header("statistic/sensitivity.hpp")
margin <- header("statistic/margin.hpp")
null_variance <- header("statistic/null_variance.hpp")
blocks <- header("counts/memory_blocks.hpp")
small <- cpp_test(
  "test_null_variance",
  "T, R and their null variance move by at most their sensitivities: all small data sets"
)
worst <- cpp_test(
  "test_worst_cases", "a record that changes the stratum moves T by all that is stated"
)

list(
  mutant(
    "tau-unconditional", "Kendall's T without strata: 3 instead of 4", sensitivity,
    old = "both ? 2 : 4", new = "both ? 2 : 3", killed_by = small
  ),
  mutant(
    "tau-in-strata", "Kendall's T over strata: the 4 of one stratum", sensitivity,
    old = "one ? 4 : 6", new = "4", killed_by = worst
  ),
  mutant(
    "tau-binary", "Kendall's T of two binary variables: half of 2", sensitivity,
    old = "both ? 2 : 4", new = "both ? 1 : 4",
    killed_by = cpp_test(
      "test_margin", "one record moves the bracket by at most its sensitivity: every data set"
    )
  ),
  mutant(
    "tau-in-strata-binary", "Kendall's T over strata, binary: the 2 of one stratum", sensitivity,
    old = "one ? 4 : 6", new = "both ? 2 : 6", killed_by = worst
  ),
  mutant(
    "rho-unconditional", "Spearman's R without strata: 3 instead of 6", sensitivity,
    old = "(both ? 3 : 6) * n / (n + 1)", new = "3 * n / (n + 1)", killed_by = small
  ),
  mutant(
    "statistic-not-floored", "T is rounded towards zero, not down", margin,
    old = "numerator < quotient * denominator ? 1 : 0", new = "0",
    killed_by = cpp_test(
      "test_margin", "the sum on its grid is the statistic, rounded down in every stratum"
    )
  ),
  mutant(
    "ties-through-double", "tied pairs are added up as doubles: beyond 2^53 one record is lost",
    header("statistic/ties.hpp"),
    old = "pairs += ordered_pairs(t);",
    new = "pairs = static_cast<std::int64_t>(static_cast<double>(pairs) + static_cast<double>(ordered_pairs(t)));",
    killed_by = cpp_test(
      "test_large_counts", "many small groups beside a large one: no tied pair is lost to rounding"
    )
  ),
  mutant(
    "statistic-grid-free", "rounding T to its grid is left out of its sensitivity", margin,
    after = "return {sealed.open(key).value(), sensitivity(",
    old = "2 * std::ldexp(1.0, -OrderSum::grid_bits)",
    new = "0",
    killed_by = cpp_test(
      "test_sensitivity",
      "the steps of the grid are needed: some neighbours move the sum by more than D"
    )
  ),
  mutant(
    "no-floor-for-variance",
    "a margin without a floor for its variance is allowed: its slope has no bound",
    margin,
    old = "!(rule.variance_floor > 0)", new = "false",
    killed_by = cpp_test(
      "test_margin", "a margin without a floor or with a negative critical value is refused"
    )
  ),
  mutant(
    "null-gain-tau", "what a record adds to the null variance of T: without the 4/3", null_variance,
    old = "4.0 / 3 * (n + 1) / (n - 1)", new = "(n + 1) / (n - 1)",
    killed_by = cpp_test(
      "test_null_variance",
      "one record changes the null variance by what is proved: all margins up to 12 records"
    )
  ),
  mutant(
    "null-gain-rho", "what a record adds to the null variance of R: 2 instead of 3", null_variance,
    old = "3 * n * n / (n * n - 1)", new = "2 * n * n / (n * n - 1)",
    killed_by = cpp_test(
      "test_null_variance",
      "one record changes the null variance by what is proved: all margins up to 12 records"
    )
  ),
  mutant(
    "grid-not-widened-l1", "rounding to the grid is left out of the L1 sensitivity",
    header("privacy/grid.hpp"),
    after = "double steps_l1(", old = "static_cast<double>(coordinates)", new = "0",
    killed_by = cpp_test(
      "test_worst_cases",
      "several numbers, each snapped over a line, stay within the widened sensitivity"
    )
  ),
  mutant(
    "grid-not-widened-l2", "rounding to the grid is left out of the L2 sensitivity",
    header("privacy/grid.hpp"),
    old = "std::ceil(root)", new = "0",
    killed_by = cpp_test(
      "test_worst_cases",
      "several numbers, each snapped over a line, stay within the widened sensitivity"
    )
  ),
  mutant(
    "blocks-not-shuffled", "rows are put into blocks in the order in which they stand", blocks,
    after = "static std::vector<std::uint32_t> random_order(",
    old = "std::swap(order[i - 1], order[static_cast<std::size_t>(bits.below(i))]);",
    new = "bits.below(i);",
    killed_by = cpp_test("test_block_tests", "every order of the rows is as likely")
  ),
  mutant(
    "blocks-overlap", "the last row of a block is in the next one too", blocks,
    after = "void visit_tables(", old = "block_begin(b + 1)",
    new = "std::min(rows_, block_begin(b + 1) + 1)",
    killed_by = cpp_test(
      "test_block_tests", "replacing one record changes at most one block, for every test"
    )
  ),
  mutant(
    "sample-with-replacement", "a sub-sample draws rows with replacement",
    header("base/row_mask.hpp"),
    old = "mask.contains(candidate) ? j : candidate", new = "candidate",
    killed_by = cpp_test("test_counts", "sub-samples of a given size are all equally likely")
  ),
  mutant(
    "sample-favours-early-rows", "the last row is drawn too rarely", header("base/row_mask.hpp"),
    old = "uniform_below(j + 1)", new = "uniform_below(j)",
    killed_by = cpp_test("test_counts", "sub-samples of a given size are all equally likely")
  )
)
