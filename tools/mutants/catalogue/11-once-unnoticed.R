# Mutants that an earlier suite of tests did not notice.
margin <- header("statistic/margin.hpp")
same_shape <- r_test("test-same_shape", "with one seed nothing but noisy numbers differs between data of the same shape")

# A mechanism that draws from its stream before it has paid.
late <- function(name, file, debit) {
  mutant(
    paste0(name, "-debit-late"), paste0("noise is drawn before it is paid for (", name, ")"),
    header(paste0("privacy/", file, ".hpp")), old = debit, new = paste("bits.next();", debit),
    killed_by = cpp_test(
      "test_debit_first",
      "a step that is not covered draws no random bit and leaves the ledger as it is"
    )
  )
}

list(
  mutant(
    "deviation-dropped", "the standard deviation's part is left out of the sensitivity of a margin",
    margin,
    old = "rule.critical * of_variance / (2 * std::sqrt(floor))", new = "0",
    killed_by = cpp_test(
      "test_margin",
      "the bracket moves by more than the statistic alone: all 2 x 2 tables of 30 records"
    )
  ),
  mutant(
    "rho-in-strata", "Spearman's R over strata: 9 instead of 10",
    header("statistic/sensitivity.hpp"),
    old = "one ? 6 : 10", new = "one ? 6 : 9",
    killed_by = cpp_test(
      "test_sensitivity", "sixty concordant and sixty discordant records: rho moves by more than 9"
    )
  ),
  mutant(
    "null-variance-in-strata", "the null variance over strata: 4.5 instead of 6",
    header("statistic/null_variance.hpp"),
    after = "double exact = 6;", old = "6", new = "4.5",
    killed_by = cpp_test(
      "test_null_variance",
      "T, R and their null variance move by at most their sensitivities: all small data sets"
    )
  ),
  mutant(
    "votes-doubled", "vote margins move by 2 and say 1", header("statistic/block_tests.hpp"),
    old = "above(level, kind, x, y, given) - minus",
    new = "2 * above(level, kind, x, y, given) - minus",
    killed_by = cpp_test(
      "test_block_tests",
      "one record moves a vote margin and a count of blocks by all of their sensitivity"
    )
  ),
  mutant(
    "amplified-for-half", "sg_pc() is amplified as if its sub-sample had half of its rows",
    header("learners/fit_price.hpp"),
    old = "static_cast<double>(sample)", new = "static_cast<double>(sample) / 2",
    killed_by = cpp_test(
      "test_fit_price",
      "a run on one sub-sample may spend more there, and keeps its promise on all rows"
    )
  ),
  mutant(
    "sample-kept", "one sub-sample serves all rounds of priv_pc()",
    header("learners/sieve_judge.hpp"),
    old = "sample_.size < sample_.rows", new = "sample_.size < sample_.rows && !sampled_",
    killed_by = cpp_test(
      "test_learner_prices",
      "every round of the sieve has a sub-sample of its own, drawn after it was paid for"
    )
  ),
  mutant(
    "examine-on-sample", "priv_pc() examines on the sub-sample what the sieve found there",
    header("learners/sieve_judge.hpp"), after = "run_->examine(",
    old = "margins_.margin(x, y, given)",
    new = "on_sample.margin(x, y, given)",
    killed_by = cpp_test(
      "test_learner_prices",
      "a round of the sieve is over with its look at all rows, and the next is paid for"
    )
  ),
  mutant(
    "sieve-asks-all-rows", "the sieve of priv_pc() is amplified and looks at all rows",
    header("learners/sieve_judge.hpp"),
    old = "sampled_ ? *sampled_ : margins_", new = "margins_",
    killed_by = cpp_test(
      "test_learner_prices",
      "a round of the sieve is over with its look at all rows, and the next is paid for"
    )
  ),
  mutant(
    "round-goes-on", "a round of priv_pc() goes on after its examine step",
    header("learners/sieve_judge.hpp"),
    old = "run_.reset();", new = "if (independent) run_.reset();",
    killed_by = cpp_test(
      "test_learner_prices",
      "a round of the sieve is over with its look at all rows, and the next is paid for"
    )
  ),
  mutant(
    "examine-gets-all", "the examine step gets all of a round's epsilon, the sieve its share besides",
    header("privacy/sieve_and_examine.hpp"),
    old = "(epsilon.value() - sieve.value()) * (1 - 1e-15)", new = "epsilon.value()",
    killed_by = cpp_test(
      "test_learner_prices",
      "the parts of a round of sieve and examine add up to its price, on any sub-sample"
    )
  ),
  mutant(
    "how-many-free", "em_pc() does not pay for its choice of how many edges go",
    header("learners/choice_search.hpp"),
    old = "choose(epsilon, scores.how_many(settings_.offset * noise), label + \", how many edges\")",
    new = "[&] {
          Ledger own(ledger_.cap());
          const Selection selection =
              ledger_.is_pure() ? Selection::permute_and_flip : Selection::exponential;
          return ExponentialMechanism(epsilon, 1.0, false, selection)
              .choose(scores.how_many(settings_.offset * noise), own, bits_, label);
        }()",
    killed_by = cpp_test(
      "test_learner_prices",
      "choices: how many edges is paid for in every order, and every removal by itself"
    )
  ),
  mutant(
    "breaks-half-sensitivity", "cut points are chosen as if one record moved the scores by a half",
    "R/private_breaks.R",
    after = "scores, 1, price$each", old = "1", new = "0.5",
    killed_by = r_test(
      "test-break_choices", "cut points are chosen as often as the exponential mechanism says"
    )
  ),
  mutant(
    "tables-less-noise", "marginal_pc() draws noise of 0.8 times its sigma",
    header("privacy/scaled_gaussian.hpp"),
    old = "unit * wide * (1 + 1e-12)", new = "unit * wide * 0.8",
    killed_by = cpp_test(
      "test_mechanism_limits",
      "Gaussian noise in units of its own is as large as its price asks for"
    )
  ),
  mutant(
    "count-in-settings", "marginal_pc() keeps an exact count among its settings", "R/marginal_pc.R",
    after = "settings = c(rules, list(", old = "isTRUE(args$parameters)",
    new = "c(isTRUE(args$parameters), sum(as.integer(source$codes[[1L]]) == 1L))", killed_by = same_shape
  ),
  mutant(
    "count-in-variance", "an exact count hides in the variance of a noisy table", "R/marginal_pc.R",
    after = "fit$measurements <- list(", old = "found$tables",
    new = "utils::modifyList(found$tables, list(variance = found$tables$variance * (1 + 1e-9 * sum(as.integer(source$codes[[1L]]) == 1L))))",
    killed_by = same_shape
  ),
  mutant(
    "occurring-levels-in-settings", "a fit tells how many levels of each variable occur",
    "R/private_fit.R",
    after = "na = args$na, breaks = args$breaks, tests =", old = "found$tests",
    new = "c(found$tests, vapply(source$codes, function(x) length(unique(x)), 0L))",
    killed_by = same_shape
  ),
  mutant(
    "constant-column-message", "a message when a column is constant", "R/private_fit.R",
    after = "learn_privately <- function(", old = "say_cut_short(found)",
    new = "say_cut_short(found); if (any(vapply(source$codes, function(x) length(unique(x)) == 1L, NA))) cli::cli_inform(\"A column is constant.\")",
    killed_by = same_shape
  ),
  late("laplace", "laplace_gaussian", "ledger.debit(\"laplace\", target, Cost::pure(epsilon_));"),
  late("gaussian", "laplace_gaussian", "ledger.debit(\"gaussian\", target, Cost::concentrated(rho_));"),
  late("tables", "scaled_gaussian", "ledger.debit(\"gaussian\", target, cost_);"),
  late("choice", "exponential", "ledger.debit(\"exponential\", target, Cost::bounded_range(epsilon_));"),
  late("selection", "pair_selection", "ledger.debit(\"pair selection\", target, cost());"),
  late("flip", "exponential", "ledger.debit(\"permute and flip\", target, Cost::pure(epsilon_));"),
  late("sparse-vector", "sparse_vector", "ledger.debit(\"sparse vector\", target, Cost::pure(epsilon_));"),
  late("sieve", "sieve_and_examine", "ledger.debit(\"sieve and examine\", target, Cost(split_.whole));"),
  late("median", "smooth_median", "ledger.debit(\"smooth median\", target, Cost::approximate(epsilon_, delta_));")
)
