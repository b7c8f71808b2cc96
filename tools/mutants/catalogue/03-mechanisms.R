# From statistics to releases.
grid <- header("privacy/grid.hpp")
exponential <- header("privacy/exponential.hpp")
sparse <- header("privacy/sparse_vector.hpp")
sieve <- header("privacy/sieve_and_examine.hpp")
median <- header("privacy/smooth_median.hpp")
windows <- header("privacy/smooth_sensitivity.hpp")
additive <- header("privacy/laplace_gaussian.hpp")
scales <- cpp_test(
  "test_mechanisms", "noise scales are never below what the proofs ask for, from tiny to huge budgets"
)
definition <- cpp_test(
  "test_smooth_sensitivity", "the smooth sensitivity is that of its definition"
)

list(
  mutant(
    "quotient-rounded-down", "a noise scale is below sensitivity / epsilon by a rounding error",
    grid,
    old = "quotient = std::nextafter(quotient, std::numeric_limits<double>::infinity());", new = "",
    killed_by = cpp_test(
      "test_worst_cases", "a noise scale is never below its quotient, by as little as it may be"
    )
  ),
  mutant(
    "snap-to-nearest", "values are cut towards zero: two steps wide there", grid,
    old = "std::floor(std::ldexp(x, -exponent_))",
    new = "std::trunc(2 * std::ldexp(x, -exponent_))",
    killed_by = cpp_test(
      "test_mechanisms", "snapping moves neighbours apart by at most the widened sensitivity"
    ),
    quick = TRUE
  ),
  mutant(
    "grid-too-coarse",
    "one grid for any number of values: its rounding is a large part of the noise",
    grid,
    old = "std::ilogb(fine) - 16", new = "std::ilogb(fine) - 1",
    killed_by = scales
  ),
  mutant(
    "laplace-half-scale", "Laplace noise of half the scale", additive,
    after = "class LaplaceMechanism", old = "grid_.steps_l1(shape.sensitivity, shape.coordinates)",
    new = "grid_.steps_l1(shape.sensitivity, shape.coordinates) / 2", killed_by = scales,
    quick = TRUE
  ),
  mutant(
    "gaussian-smaller-sigma", "Gaussian noise with sigma = D / (2 sqrt(rho))", additive,
    after = "class GaussianMechanism", old = "root_rounded_down(2 * rho.value())",
    new = "2 * std::sqrt(rho.value())",
    killed_by = scales
  ),
  mutant(
    "l1-for-l2", "Laplace noise is scaled to the L2 sensitivity on the grid", additive,
    after = "class LaplaceMechanism", old = "grid_.steps_l1(shape.sensitivity, shape.coordinates)",
    new = "grid_.steps_l2(shape.sensitivity, shape.coordinates)",
    killed_by = cpp_test(
      "test_mechanism_limits", "Laplace noise on many numbers covers a line crossed by each"
    )
  ),
  mutant(
    "sensitivity-not-checked", "values more sensitive than the noise was made for are released",
    additive,
    old = "values.sensitivity() > sensitivity", new = "false",
    killed_by = cpp_test(
      "test_mechanisms",
      "values more sensitive or more numerous than announced are refused undebited"
    )
  ),
  mutant(
    "number-not-checked", "more values than were announced are released", additive,
    old = "open.size() != coordinates", new = "false",
    killed_by = cpp_test(
      "test_mechanisms",
      "values more sensitive or more numerous than announced are refused undebited"
    )
  ),
  mutant(
    "fractions-as-counts", "fractions are released as whole numbers, whose grid has no room for rounding",
    additive,
    old = "whole && std::any_of(open.begin(), open.end(), fraction)", new = "false",
    killed_by = cpp_test(
      "test_mechanisms",
      "values that were announced as whole numbers and are not are refused undebited"
    )
  ),
  mutant(
    "missing-query-is-low", "a query that one record makes NA counts as minus infinity",
    "R/sieve_and_examine.R",
    old = "if (is.finite(value)) return(as.double(value))",
    new = "return(if (is.finite(value)) as.double(value) else -Inf)",
    killed_by = r_test(
      "test-sieve_and_examine",
      "a query that is not a finite number is refused, and the run stays paid"
    )
  ),
  mutant(
    "whole-tiny-sensitivity", "a count of sensitivity 0.3 gets noise for 0.3, though it moves by 1",
    additive,
    after = "class GaussianMechanism", old = "std::max(shape.sensitivity, 1.0)",
    new = "shape.sensitivity",
    killed_by = r_test("test-mechanisms", "the type of the value decides nothing")
  ),
  mutant(
    "choice-without-two", "the exponential mechanism takes all scores for monotone", exponential,
    old = "monotone ? 1 : 2", new = "1",
    killed_by = r_test("test-mechanisms", "the exponential mechanism has its exact distribution")
  ),
  mutant(
    "choice-always-best", "the exponential mechanism rejects all but the best candidate",
    exponential,
    after = "std::size_t accept_reject(", old = "coin(best - steps[i], bits)",
    new = "best == steps[i]",
    killed_by = r_test("test-mechanisms", "the exponential mechanism has its exact distribution")
  ),
  mutant(
    "flip-without-permuting", "permute-and-flip goes through the candidates in their own order",
    exponential,
    old = "std::swap(order[left - 1], order[static_cast<std::size_t>(bits.below(left))]);",
    new = "",
    killed_by = r_test("test-mechanisms", "permute and flip has its exact distribution")
  ),
  mutant(
    "choice-sensitivity-not-checked",
    "scores more sensitive than the mechanism was made for are taken",
    exponential,
    old = "scores.sensitivity() > sensitivity_", new = "false",
    killed_by = cpp_test(
      "test_mechanism_limits", "scores and queries more sensitive than announced are refused"
    )
  ),
  mutant(
    "threshold-without-noise", "the sparse vector's threshold has no noise", sparse,
    old = "grid_.snap(threshold) + discrete_laplace(threshold_scale_, bits)",
    new = "grid_.snap(threshold)",
    killed_by = r_test("test-sparse_vector", "the chance of a positive is that of the two noises")
  ),
  mutant(
    "query-noise-halved", "queries get half of their noise", sparse,
    old = "factor * steps", new = "factor * steps / 2",
    killed_by = scales
  ),
  mutant(
    "query-noise-for-one", "the noise of the queries does not grow with the cutoff", sparse,
    old = "(monotone ? 1.0 : 2.0) * static_cast<double>(cutoff)", new = "(monotone ? 1.0 : 2.0)",
    killed_by = scales
  ),
  mutant(
    "run-never-stops", "a sparse vector run goes on after its last positive", sparse,
    old = "if (positive && ++positives_ == cutoff_) running_ = false;", new = "",
    killed_by = cpp_test("test_mechanisms", "a sparse vector run ends at its cutoff and not before")
  ),
  mutant(
    "run-one-more", "a sparse vector run stops one positive too late", sparse,
    old = "++positives_ == cutoff_", new = "positives_++ == cutoff_",
    killed_by = cpp_test("test_mechanisms", "a sparse vector run ends at its cutoff and not before")
  ),
  mutant(
    "ended-run-answers", "a run that has ended goes on answering", sparse,
    old = "if (!running_) throw std::logic_error(\"the run has ended: its budget is spent\");",
    new = "",
    killed_by = cpp_test("test_mechanisms", "a sparse vector run ends at its cutoff and not before")
  ),
  mutant(
    "query-sensitivity-not-checked",
    "queries more sensitive than the run was made for are answered",
    sparse,
    old = "query.sensitivity() > sensitivity_", new = "false",
    killed_by = cpp_test(
      "test_mechanism_limits", "scores and queries more sensitive than announced are refused"
    )
  ),
  mutant(
    "shares-overlap", "threshold and queries share more than all of epsilon", sparse,
    old = "(epsilon - first) * (1 - 1e-15)", new = "epsilon",
    killed_by = scales
  ),
  mutant(
    "runs-not-divided", "every one of several runs may cost the whole rho", sparse,
    old = "rho / static_cast<double>(rounds) * (1 - 1e-12)", new = "rho * 1.0",
    killed_by = r_test("test-sparse_vector", "delta is used only where it helps")
  ),
  mutant(
    "sieve-on-all-rows", "the sieve is amplified for a sub-sample and looks at all rows", sieve,
    after = "RowMask::sample(sample_.rows, sample_.size", old = "sample_.size",
    new = "sample_.rows",
    killed_by = cpp_test(
      "test_mechanisms", "examine comes once, and only after the sieve has stopped"
    )
  ),
  mutant(
    "examine-twice", "a run examines as often as it is asked", sieve,
    after = "bool examine(const Sensitive<double>& on_all_rows, double threshold",
    old = "may_examine_ = false;",
    new = "",
    killed_by = cpp_test("test_mechanisms", "examine comes once, and only after the sieve has stopped")
  ),
  mutant(
    "examine-unasked", "examine answers before the sieve has stopped", sieve,
    old = "may_examine_ = sieve_.above(on_sample, bits);",
    new = "sieve_.above(on_sample, bits); may_examine_ = true;",
    killed_by = cpp_test(
      "test_mechanism_limits", "a query that the sieve passed over cannot be examined"
    )
  ),
  mutant(
    "median-interior-cut", "the smooth sensitivity leaves the last window out", windows,
    old = "t <= k + 1", new = "t <= k", killed_by = definition
  ),
  mutant(
    "median-decay-too-fast", "the smooth sensitivity falls twice as fast", windows,
    old = "-static_cast<double>(k) * decay_", new = "-2 * static_cast<double>(k) * decay_",
    killed_by = definition
  ),
  mutant(
    "median-local-only", "the local sensitivity instead of the smooth one", windows,
    old = "if (farthest < 1) return largest_;", new = "return largest_;",
    killed_by = definition
  ),
  mutant(
    "median-ends-too-near", "the smooth sensitivity leaves the widest windows out", windows,
    old = "search(0, lefts_.size(), 0, rights_.size() - 1);",
    new = "search(1, lefts_.size(), 0, rights_.size() - 1);",
    killed_by = definition
  ),
  mutant(
    "median-wrong-side", "the search for the best window goes on where it cannot be", windows,
    old = "search(begin, middle, low, near_high);\n    search(middle + 1, end, near_low, high);",
    new = "search(begin, middle, near_low, high);\n    search(middle + 1, end, low, near_high);",
    killed_by = definition
  ),
  mutant(
    "median-not-clipped", "block values are not moved into the public bounds", median,
    old = "std::min(std::max((x - lower_) / width_, 0.0), 1.0)", new = "(x - lower_) / width_",
    killed_by = cpp_test(
      "test_mechanism_limits", "the private median sees nothing beyond its bounds"
    )
  ),
  mutant(
    "median-alpha-doubled", "the noise of the median is half of what its proof asks for", median,
    old = "alpha_ = epsilon / 2;", new = "alpha_ = epsilon;",
    killed_by = cpp_test(
      "test_mechanism_limits", "the constants of the private median are those of its proof"
    )
  ),
  mutant(
    "median-beta-doubled", "the smooth sensitivity may vary twice as much as its proof allows",
    median,
    old = "epsilon / (2 * std::log(2 / delta))", new = "epsilon / std::log(2 / delta)",
    killed_by = cpp_test(
      "test_mechanism_limits", "the constants of the private median are those of its proof"
    )
  ),
  mutant(
    "median-gaussian-delta", "the Gaussian median forgets that delta is split in two", median,
    old = "2 * std::log(4 / delta)", new = "std::log(4 / delta)",
    killed_by = cpp_test(
      "test_mechanism_limits", "the constants of the private median are those of its proof"
    )
  )
)
