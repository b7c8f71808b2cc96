# What steps cost, what a promise allows, and the sum that must not pass its cap.
accounting <- header("privacy/accounting.hpp")
renyi <- header("privacy/renyi.hpp")
cost <- header("privacy/cost.hpp")
ledger <- header("privacy/ledger.hpp")
exponential <- header("privacy/exponential.hpp")
outward <- cpp_test("test_accounting", "epsilon and delta of a given rho are outward and tight")
prices <- cpp_test(
  "test_mechanisms", "gaussian noise is refused on a pure ledger, and each mechanism costs what it should"
)
gaussian <- header("privacy/gaussian_dp.hpp")
exact <- cpp_test(
  "test_gaussian_dp", "the conversion is exact, and rounded against the one who spends"
)
slack <- cpp_test("test_ledger", "steps with a delta of their own take it from the slack")

list(
  mutant(
    "pure-as-bounded-range",
    "a pure step costs epsilon^2/8, as if it were the exponential mechanism",
    accounting,
    old = "epsilon * std::tanh(epsilon / 2)", new = "epsilon * epsilon / 8",
    killed_by = cpp_test(
      "test_accounting", "a pure step costs what randomised response needs at every order"
    ),
    quick = TRUE
  ),
  mutant(
    "exponential-half-price", "the exponential mechanism costs epsilon^2/16", accounting,
    after = "rho_of_exponential(Epsilon step)", old = "epsilon * epsilon / 8",
    new = "epsilon * epsilon / 16",
    killed_by = prices
  ),
  mutant(
    "flip-as-exponential", "permute-and-flip is charged as the exponential mechanism", exponential,
    old = "Cost::pure(epsilon_)", new = "Cost::bounded_range(epsilon_)", killed_by = prices
  ),
  mutant(
    "gaussian-half-price", "Gaussian noise costs half of its rho", accounting,
    old = "ratio * ratio / 2", new = "ratio * ratio / 4",
    killed_by = cpp_test("test_accounting", "Gaussian noise and its cost are outward")
  ),
  mutant(
    "gaussian-twice-rho", "Gaussian steps may spend mu^2 instead of half of it", gaussian,
    old = "outward::down(mu * mu / 2)", new = "outward::down(mu * mu)", killed_by = exact
  ),
  mutant(
    "gaussian-second-tail-twice", "the delta of Gaussian steps is too small", gaussian,
    old = "first - second + error * (first + second)",
    new = "first - 1.01 * second + error * (first + second)", killed_by = exact
  ),
  mutant(
    "gaussian-takes-all", "a ledger of Gaussian steps lets other steps in", cost,
    old = "accounting == Accounting::gaussian && !is_gaussian_", new = "false",
    killed_by = cpp_test(
      "test_gaussian_dp",
      "a ledger of Gaussian steps takes no others, and other ledgers take Gaussian steps"
    )
  ),
  mutant(
    "gaussian-not-widened", "discrete noise is counted as if it were continuous",
    header("privacy/scaled_gaussian.hpp"),
    old = "std::sqrt(kGaussianWidening) / smallest * root", new = "0.0",
    killed_by = cpp_test(
      "test_gaussian_dp", "in a ledger of Gaussian steps the noise is wider by 4 counts at least"
    )
  ),
  mutant(
    "budget-pays-gaussian", "a fit that a budget pays for is counted as Gaussian steps alone",
    "R/marginal_pc.R",
    after = "gaussian <- !selects && ", old = "alone", new = "TRUE",
    killed_by = r_test(
      "test-marginal_pc", "a fit that stands alone is counted as Gaussian noise, others as budgets are"
    )
  ),
  mutant(
    "epsilon-rounded-down", "the epsilon of a rho is rounded down", accounting,
    after = "inline Epsilon dp_from_rho(",
    old = "outward::up(gain - order + needed - weight, gain + order + needed + weight)",
    new = "outward::down(gain - order + needed - weight, gain + order + needed + weight)",
    killed_by = outward
  ),
  mutant(
    "delta-too-small", "the delta of a rho counts the weight of the order twice", accounting,
    old = "gain - promised - order - weight", new = "gain - promised - order - 2 * weight",
    killed_by = outward
  ),
  mutant(
    "rho-rounded-up", "the rho of a promise is rounded up", accounting,
    old = "outward::down(numerator / (b + 1))", new = "numerator / (b + 1) * (1 + 1e-9)",
    killed_by = cpp_test(
      "test_accounting", "rho keeps the promise, and a little more rho would break it"
    )
  ),
  mutant(
    "rounding-inward", "costs are rounded down by the bound on their rounding error", accounting,
    old = "value + slack * magnitude", new = "value - slack * magnitude",
    killed_by = cpp_test(
      "test_accounting", "a pure step costs what randomised response needs at every order"
    )
  ),
  mutant(
    "amplified-twice", "sampling amplifies twice", accounting,
    old = "share * std::expm1(epsilon)", new = "share * share * std::expm1(epsilon)",
    killed_by = cpp_test(
      "test_accounting", "amplification by sampling is outward, monotone and inverted"
    )
  ),
  mutant(
    "before-sampling-twice",
    "a step on a sub-sample may cost what it could on one of half the size",
    accounting,
    old = "total / sampled * std::expm1(amplified)",
    new = "2 * total / sampled * std::expm1(amplified)",
    killed_by = cpp_test(
      "test_accounting", "amplification by sampling is outward, monotone and inverted"
    )
  ),
  mutant(
    "moments-without-two",
    "the moments of the sub-sampled Gaussian lose the factor 2 of replacement",
    renyi,
    old = "add(j, log2 + exponent, log2 + exponent);", new = "add(j, exponent, log2 + exponent);",
    killed_by = cpp_test(
      "test_accounting", "the moments of the sub-sampled Gaussian agree with sixty digits"
    )
  ),
  mutant(
    "moments-of-one-step", "many sub-sampled steps cost as much as one", renyi,
    old = "outward::up(steps * curve)", new = "outward::up(curve)",
    killed_by = r_test(
      "test-accounting", "the accountant of the sub-sampled Gaussian agrees with the theorem"
    )
  ),
  mutant(
    "drift-dropped", "advanced composition without its second term", accounting,
    old = "steps * epsilon * std::expm1(epsilon)", new = "0",
    killed_by = cpp_test(
      "test_accounting", "advanced composition is the theorem's formula, rounded up"
    )
  ),
  mutant(
    "rho-paid-as-epsilon", "a ledger of epsilon takes a step of rho for one of epsilon", cost,
    old = paste0(
      "throw std::invalid_argument(\n",
      "          \"a step that costs rho has no pure guarantee: it needs delta > 0\");"
    ),
    new = "return Epsilon(rho_.value());", killed_by = prices
  ),
  mutant(
    "delta-free", "a step with a delta of its own does not pay for it", cost,
    after = "static Cost approximate(", old = "return Cost(epsilon, rho_of_pure(epsilon), delta);",
    new = "return Cost(epsilon, rho_of_pure(epsilon), 0);", killed_by = slack
  ),
  mutant(
    "cap-not-checked", "a ledger accepts every step", ledger,
    old = "units <= cap_units_ - spent_units_", new = "true",
    killed_by = cpp_test("test_ledger", "an overdraft is refused and leaves no trace"), quick = TRUE
  ),
  mutant(
    "cap-one-unit-more", "a ledger accepts one unit more than its cap", ledger,
    old = "units <= cap_units_ - spent_units_", new = "units <= cap_units_ - spent_units_ + 1",
    killed_by = cpp_test("test_ledger", "a cap of zero allows only what is free"), quick = TRUE
  ),
  mutant(
    "cap-rounded-up", "the cap is rounded up to whole units", ledger,
    old = "to_units(cap, false)", new = "to_units(cap, true)",
    killed_by = cpp_test("test_ledger", "a cap of zero allows only what is free")
  ),
  mutant(
    "debit-rounded-down", "debits are rounded down to whole units", ledger,
    old = "static_cast<Units>(kept) + (round_up && inexact ? 1 : 0)",
    new = "static_cast<Units>(kept)",
    killed_by = cpp_test("test_ledger", "the smallest amounts are rounded up to one unit")
  ),
  mutant(
    "tiny-debit-free", "what is less than a unit is free", ledger,
    old = "round_up ? 1 : 0", new = "0",
    killed_by = cpp_test("test_ledger", "the smallest amounts are rounded up to one unit")
  ),
  mutant(
    "debit-not-added", "debits are written down and not added up", ledger,
    old = "amounts_.add(debit.units);", new = "",
    killed_by = cpp_test("test_ledger", "a ledger records steps and adds them up")
  ),
  mutant(
    "slack-not-checked", "any delta is accepted", ledger,
    old = "if (!deltas_.fits(delta_units)) throw Overdraft(\"delta\", delta, deltas_.left(), deltas_.cap());",
    new = "", killed_by = slack
  ),
  mutant(
    "delta-not-added", "deltas are not added up", ledger,
    old = "deltas_.add(debit.delta_units);", new = "", killed_by = slack
  ),
  mutant(
    "left-rounded-up", "a ledger says that more is left than it will pay", ledger,
    old = "to_double(cap_units_ - spent_units_, false)",
    new = "to_double(cap_units_ - spent_units_, true)",
    killed_by = cpp_test("test_ledger", "what is left can be spent to the last unit")
  ),
  mutant(
    "spent-rounded-down", "what was charged is shown rounded down", ledger,
    old = "to_double(units, true)", new = "to_double(units, false)",
    killed_by = cpp_test("test_ledger", "small debits are not swallowed by a large sum")
  ),
  mutant(
    "negative-amounts", "an amount may be negative: a debit that pays in",
    header("privacy/amounts.hpp"),
    old = "!(value >= 0)", new = "false",
    killed_by = cpp_test("test_ledger", "nonsense is refused before it is recorded")
  ),
  mutant(
    "unit-not-checked", "an amount of rho is given back as one of epsilon",
    header("privacy/amounts.hpp"),
    old = "!right", new = "false",
    killed_by = cpp_test("test_ledger", "a price gives back only the unit it was made of")
  )
)
