# Several sites: what would promise less protection than was paid for, let the same people count
# twice, state less noise than there is, or hide that sites differ.
pooled <- header("marginals/pooled_tables.hpp")
differences <- header("marginals/site_differences.hpp")
pooled_test <- function(name) cpp_test("test_pooled_tables", name)
in_r <- function(name) r_test("test-pool_fits", name)
sums <- pooled_test("pooled tables are weighted sums, whatever the order of the sites")
moved <- pooled_test(
  "a pair of some sites is moved to the margins of all, so that none looks dependent"
)
damaged <- in_r("damaged and edited fits are refused")
refused <- in_r("what cannot be pooled is refused in clear words")

list(
  mutant(
    "pool-least-epsilon", "the smallest epsilon of the sites is promised to all", "R/pool_fits.R",
    old = "max(each(name))", new = "min(each(name))",
    killed_by = in_r("the largest epsilon and the largest delta hold"), quick = TRUE
  ),
  mutant(
    "pool-seed-forgotten", "one site that is private makes the whole private", "R/pool_fits.R",
    old = "length(broken) == 0L", new = "length(broken) < length(all)",
    killed_by = in_r("a fit with a seed makes the pooled one not private, and everything says so")
  ),
  mutant(
    "pool-epsilon-edited", "a site that states a smaller epsilon than it paid for is taken",
    "R/sound.R", old = "above(convert(privacy$rho, delta), own)", new = "FALSE",
    killed_by = damaged
  ),
  mutant(
    "pool-rows-edited", "a site whose measurements are of other rows than it says is taken",
    "R/sound.R", old = "!isTRUE(all.equal(fit$settings$n, held$n))",
    new = "FALSE", killed_by = damaged
  ),
  mutant(
    "pool-ledger-edited", "a ledger that lists more than was paid is taken", "R/sound.R",
    old = "above(sum(ledger$rho), privacy$rho)", new = "FALSE", killed_by = damaged
  ),
  mutant(
    "pool-same-people", "the same measurements count twice", "R/pool_checks.R",
    old = "check_different_people(fits, call)", new = "NULL", after = "# Each alone, then all",
    killed_by = refused
  ),
  mutant(
    "pool-mixed-promises", "promises about different things are pooled", "R/pool_checks.R",
    old = "check_same_promise(fits, call)", new = "NULL", after = "# Each alone, then all",
    killed_by = refused
  ),
  mutant(
    "pool-mixed-schemas", "tables of other levels are added", "R/pool_checks.R",
    old = "check_same_schema(fits, call)", new = "NULL", after = "# Each alone, then all",
    killed_by = refused
  ),
  mutant(
    "pool-noise-unsquared", "noise is stated as if weights were not squared: too much", pooled,
    old = "coefficients[i] * coefficients[i] * part->variance",
    new = "coefficients[i] * part->variance", killed_by = sums
  ),
  mutant(
    "pool-noise-averaged", "noise is stated as if it were divided by the sites once more", pooled,
    old = "out.variance = detail::steady_sum(variances);",
    new = "out.variance = detail::steady_sum(variances) / static_cast<double>(parts.size());",
    killed_by = sums
  ),
  mutant(
    "pool-order-of-sites", "sums depend on the order in which sites are given", pooled,
    old = "std::sort(terms.begin(), terms.end());", new = "", killed_by = sums
  ),
  mutant(
    "pool-precision-turned", "sites with more noise weigh more", pooled,
    old = "weights.push_back(1 / variance);", new = "weights.push_back(variance);",
    killed_by = pooled_test(
      "weights by records are shares of the rows, those by precision fall with the noise"
    )
  ),
  mutant(
    "pool-margins-stay", "a pair of some sites keeps the margins of these", pooled,
    old = "out.values[at] += more[at] - less[at];", new = "", killed_by = moved
  ),
  mutant(
    "pool-noise-of-margins", "moving a pair to other margins brings no noise", pooled,
    old = "out.variance = detail::steady_sum(noise);", new = "",
    killed_by = pooled_test("the noise of a moved table is no less than what is drawn shows")
  ),
  mutant(
    "pool-same-budget", "two fits paid from one budget are taken for two sites", "R/pool_checks.R",
    old = "check_different_budgets(fits, call)", new = "NULL", after = "# Each alone, then all",
    killed_by = in_r("fits that were paid from one budget are of the same people"), quick = TRUE
  ),
  mutant(
    "pool-ledger-cut", "a ledger that lists less than was paid is taken", "R/sound_agreement.R",
    old = "!below(sum(ledger$rho), privacy$rho)", new = "TRUE", killed_by = damaged
  ),
  mutant(
    "pool-fewer-rows-as-many", "tables of some sites are tested as if all people were in them",
    pooled,
    old = "std::max(0.0, 1 / fewer - 1 / rows_) * detail::contrast_square(pooled_.schema(), set)",
    new = "0.0", killed_by = in_r("what was measured at some sites only is used, more carefully")
  ),
  mutant(
    "sites-one-df-more", "Cochran's Q has as many degrees of freedom as sites", differences,
    old = "(static_cast<double>(out.sites) - 1)", new = "static_cast<double>(out.sites)",
    killed_by = pooled_test(
      "Cochran's Q has its distribution if sites are alike, and grows if they are not"
    )
  ),
  mutant(
    "sites-not-adjusted", "p-values of sites are not adjusted for how many there are",
    "R/heterogeneity.R", old = "stats::p.adjust(p, \"holm\")", new = "p",
    killed_by = r_test("test-heterogeneity", "rows are ordered, adjusted by kind, and complete"),
    quick = TRUE
  )
)
