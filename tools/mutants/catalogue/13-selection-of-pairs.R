# Which pairs are measured, chosen privately.
scores <- header("statistic/pair_scores.hpp")
selection <- header("privacy/pair_selection.hpp")
softmax <- header("privacy/softmax.hpp")
priced <- cpp_test(
  "test_pair_selection", "a selection costs its rho, a little less for rounding and never more"
)
loss <- cpp_test(
  "test_pair_scores",
  "the privacy loss of a selection keeps its price: every outcome of small data sets"
)
top <- cpp_test(
  "test_pair_selection", "the k chosen ones have the probabilities of k choices without putting back"
)
near_and_far <- cpp_test(
  "test_pair_selection",
  "a draw has the distribution of the softmax, near and far, and after others have left"
)

list(
  mutant(
    "pair-score-one-cell", "a pair's score is said to move by 1, as if records were only added",
    scores,
    after = "return {std::move(scores), ", old = "kPairScoreByReplacing", new = "kPairScoreByAdding",
    killed_by = cpp_test(
      "test_pair_scores",
      "scores carry that sensitivity, and are exact with two thousand million records"
    )
  ),
  mutant(
    "pair-score-squared", "cells count by their squared distance, which has no such sensitivity",
    scores,
    old = "std::abs(counts[c] * (Count{1} << bits_) - counts_[c])",
    new = "(counts[c] - counts_[c] / (Count{1} << bits_)) * (counts[c] * (Count{1} << bits_) - counts_[c])",
    killed_by = cpp_test(
      "test_pair_scores",
      "one record moves a pair's score by at most what is stated: every table and neighbour"
    )
  ),
  mutant(
    "selection-without-two", "the selection takes all scores for monotone", selection,
    old = "2 * grid_.steps_l1(sensitivity, 1)", new = "grid_.steps_l1(sensitivity, 1)",
    killed_by = loss
  ),
  mutant(
    "selection-grid-free", "the grid of the scores is left out of their sensitivity", selection,
    old = "grid_.steps_l1(sensitivity, 1)", new = "grid_.steps_l1(sensitivity, 0)",
    killed_by = priced
  ),
  mutant(
    "selection-rho-for-each", "every choice of a selection may cost the whole rho", selection,
    old = "8 * checked_positive(rho).value() / static_cast<double>(choices)",
    new = "8 * checked_positive(rho).value()",
    killed_by = priced
  ),
  mutant(
    "selection-pays-for-one", "a selection of many pays for one choice", selection,
    old = "Cost::bounded_ranges(each_, choices_)", new = "Cost::bounded_ranges(each_, 1)",
    killed_by = priced
  ),
  mutant(
    "selection-half-price", "several choices by the exponential mechanism cost half",
    header("privacy/cost.hpp"),
    old = "rho_of_exponential(each).value() * k", new = "rho_of_exponential(each).value() * k / 2",
    killed_by = priced
  ),
  mutant(
    "selection-one-more", "one pair more is chosen than was paid for", selection,
    old = "chosen.size() < choices_", new = "chosen.size() <= choices_", killed_by = top
  ),
  mutant(
    "selection-sensitivity-not-checked",
    "scores more sensitive than the selection was made for are taken",
    selection,
    old = "scores.sensitivity() > sensitivity_", new = "false",
    killed_by = cpp_test(
      "test_announced", "values more sensitive than announced are refused, unpaid and without a draw"
    )
  ),
  mutant(
    "softmax-coin-of-distance", "candidates at a distance are accepted as often as proposed",
    softmax,
    old = "!bernoulli_two_over_e(bits)", new = "false", killed_by = near_and_far
  ),
  mutant(
    "softmax-coin-of-the-rest", "the fraction of a distance is forgotten", softmax,
    old = "part == 0 || bernoulli_exp_minus_fraction(part, denominator_, bits)", new = "true",
    killed_by = near_and_far
  ),
  mutant(
    "softmax-proposals", "near and far candidates are proposed as if they were one farther",
    softmax,
    after = "groups.weight += ", old = "farthest_ - d", new = "farthest_ - std::max(d, std::uint64_t{1})",
    killed_by = near_and_far
  ),
  mutant(
    "softmax-cut", "beyond the farthest proposals all distances are alike", softmax,
    old = "i < beyond", new = "i < std::min(beyond, std::uint64_t{0})",
    killed_by = cpp_test(
      "test_pair_selection", "beyond the farthest proposals distances still count as they are"
    )
  ),
  mutant(
    "two-over-e", "a coin of 2/e has the probability 1/e", header("privacy/samplers.hpp"),
    old = "start.all / 2", new = "start.all",
    killed_by = cpp_test("test_pair_selection", "an event of probability 2/e has it")
  )
)
