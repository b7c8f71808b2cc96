# The private learners, from their budget to their graph.
private_fit <- "R/private_fit.R"
price <- "R/fit_price.R"
marginal <- "R/marginal_pc.R"
fit_price <- header("learners/fit_price.hpp")
one_rho <- cpp_test(
  "test_fit_price", "a fit with delta spends, states and costs one and the same rho"
)
price_on_sample <- cpp_test(
  "test_fit_price",
  "a run on one sub-sample may spend more there, and keeps its promise on all rows"
)
from_budget <- r_test("test-private_fit", "a fit takes its rho from a budget, as one step, before anything else")
refused <- r_test("test-private_fit", "what is refused costs nothing")

list(
  mutant(
    "fit-free", "a fit is not taken from its budget", price,
    after = "pay_for_fit <- function(", old = "is.null(budget)", new = "TRUE",
    killed_by = from_budget,
    quick = TRUE
  ),
  mutant(
    "fit-half-price", "a fit costs its budget half of its rho", fit_price,
    after = "inline FitPrice fit_price(Epsilon epsilon, double delta) {",
    old = "Cost::concentrated(rho)", new = "Cost::concentrated(rho / 2)", killed_by = one_rho
  ),
  mutant(
    "fit-delta-free", "a fit on a sub-sample does not pay for its delta", fit_price,
    old = "Cost::approximate(epsilon, delta)", new = "Cost::approximate(epsilon, 0)",
    killed_by = price_on_sample
  ),
  mutant(
    "sample-rho-for-all", "a fit on a sub-sample states the rho of the sub-sample", fit_price,
    after = "const Rho rho = subsampled_gaussian_rho(", old = "std::nullopt",
    new = "std::optional<Rho>(rho)",
    killed_by = price_on_sample
  ),
  mutant(
    "gaps-found-late", "missing values are looked for after the price is paid",
    "R/source.R",
    old = "if (!is.null(budget)) check_complete(source, call)", new = "invisible()",
    killed_by = refused
  ),
  mutant(
    "reserve-spent", "a fit takes for its delta also what the budget set aside", price,
    after = "choose_learner_delta <- function(", old = "budget_delta(budget)", new = "budget$delta",
    killed_by = r_test(
      "test-private_fit", "a fit for all of a budget leaves nothing, with a reserve too"
    )
  ),
  mutant(
    "large-default-delta", "the default delta is one over the number of rows", price,
    old = "min(1e-6, 1 / (10 * n))", new = "1 / n",
    killed_by = r_test(
      "test-private_fit", "the default delta is small against one over the number of rows"
    )
  ),
  mutant(
    "weak-delta-unsaid", "a delta that permits publishing a record is taken without a word",
    price,
    old = "delta >= 1 / n", new = "FALSE",
    killed_by = r_test(
      "test-private_fit", "the default delta is small against one over the number of rows"
    )
  ),
  mutant(
    "published-called-private", "a fit with the published constants says it is private",
    private_fit,
    old = "if (published) return(\"published constants\")", new = "",
    killed_by = r_test("test-priv_pc", "prints say what is promised, and what is not")
  ),
  mutant(
    "budget-pays-published", "a budget pays for a fit with the published constants", private_fit,
    old = "published && !is.null(args$budget)", new = "FALSE",
    killed_by = r_test("test-private_breaks", "a budget does not pay for what is not private")
  ),
  mutant(
    "seeded-fit-private", "a fit with a seed says it is private", private_fit,
    after = "learn_privately <- function(", old = "is.na(why)", new = "TRUE",
    killed_by = r_test("test-priv_pc", "prints say what is promised, and what is not")
  ),
  mutant(
    "seeded-tables-private", "noisy tables with a seed say they are private", marginal,
    after = "privacy = privacy_with_inputs(drop_null(list(", old = "!found$repeatable", new = "TRUE",
    killed_by = r_test("test-marginal_pc", "a fit prints its graph and its promise")
  ),
  mutant(
    "learner-cap-doubled", "a learner draws on a ledger of twice its budget", "src/private_pc.cpp",
    after = "Rcpp::List cpp_private_pc(", old = "run.cap(tables->schema().rows())",
    new = "run.cap(tables->schema().rows()).of(2 * run.cap(tables->schema().rows()).value())",
    killed_by = r_test("test-priv_pc", "the ledger of every fit sums to at most its budget")
  ),
  mutant(
    "families-free", "the tables of the families are measured from a ledger of their own",
    header("learners/marginal_pc.hpp"),
    after = "family_batch(schema, directed_member(fit.graph)),",
    old = "ledger", new = "*std::make_unique<Ledger>(settings.rho)",
    killed_by = r_test(
      "test-marginal_pc", "the ledger has one row per batch and never exceeds the budget"
    )
  ),
  mutant(
    "parameter-share-twice", "the graph takes the share of the families too",
    header("learners/marginal_pc.hpp"),
    old = "rho_for_tables(settings, schema) * (1 - settings.parameter_share)",
    new = "rho_for_tables(settings, schema)",
    killed_by = r_test(
      "test-marginal_pc", "the ledger has one row per batch and never exceeds the budget"
    )
  ),
  mutant(
    "score-sensitivity-not-checked", "scores that one record moves by more than 1 are compared",
    header("privacy/candidate_scores.hpp"), old = "score.sensitivity() > 1", new = "false",
    killed_by = cpp_test(
      "test_mechanism_limits", "scores and queries more sensitive than announced are refused"
    )
  ),
  mutant(
    "how-many-too-sharp", "the worth of a number of edges moves by 2",
    header("privacy/candidate_scores.hpp"),
    old = "std::max(distance, best[k])", new = "std::max(distance, 2 * best[k])",
    killed_by = cpp_test(
      "test_paper_learners", "how many are good: worth of every count, and its sensitivity"
    )
  ),
  mutant(
    "decided-pairs-paid", "pairs that knowledge decides are measured too",
    header("learners/batch_parts.hpp"),
    old = "!decided || needed", new = "true",
    killed_by = r_test(
      "test-marginal_pc",
      "pairs that knowledge decides are measured only if a test of others may need them"
    )
  ),
  mutant(
    "test-free", "a private test by order is not taken from its budget", "src/private_test.cpp",
    after = "Rcpp::List cpp_private_order_test(", old = "charge(budget, target, Cost(price));",
    new = "",
    killed_by = r_test(
      "test-private_test",
      "the cost is taken from the budget, as one step, and refused before anything is drawn"
    )
  ),
  mutant(
    "count-test-free", "a private test by counts is not taken from its budget",
    "src/private_test.cpp",
    after = "Rcpp::List cpp_private_block_count(", old = "charge(budget, target, Cost(price));",
    new = "",
    killed_by = r_test(
      "test-private_test",
      "the cost is taken from the budget, as one step, and refused before anything is drawn"
    )
  ),
  mutant(
    "median-test-free", "a private test by medians is not taken from its budget",
    "src/private_test.cpp",
    old = "charge(budget, target, Cost::approximate(Epsilon(epsilon), delta));", new = "",
    killed_by = r_test(
      "test-private_test",
      "the cost is taken from the budget, as one step, and refused before anything is drawn"
    )
  ),
  mutant(
    "variance-free", "the variance of a test costs nothing beside its statistic",
    header("learners/private_test.hpp"),
    old = "(amount - of_variance.value()) * (1 - 1e-12)", new = "amount",
    killed_by = r_test("test-private_test", "with a huge epsilon tau and rho are the exact tests")
  ),
  mutant(
    "seeded-test-private", "a test with a seed says it is private", "R/private_test.R",
    old = "answer$private", new = "TRUE",
    killed_by = r_test(
      "test-private_test", "a seed repeats and says so; set.seed() has no influence"
    )
  ),
  mutant(
    "test-delta-untold", "a test with Gaussian noise states no delta", "R/private_test.R",
    old = "if (gaussian) question$delta else 0", new = "0",
    killed_by = r_test(
      "test-private_test",
      "the cost is taken from the budget, as one step, and refused before anything is drawn"
    )
  ),
  mutant(
    "sampled-values-given", "values on a sub-sample that the user drew are taken for a fresh one",
    "R/sieve_and_examine.R", old = "ask$given && subsample < n", new = "FALSE",
    killed_by = r_test("test-sieve_and_examine", "bad arguments are refused")
  ),
  mutant(
    "sparse-delta-untold", "several sparse vector runs state no delta", "R/sparse_vector.R",
    old = "if (plan$rounds > 1L) delta else 0", new = "0",
    killed_by = r_test("test-sparse_vector", "several runs state the delta they need, one run none")
  )
)
