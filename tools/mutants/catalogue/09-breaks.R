# Private cut points, and what they cost where they are used.
breaks <- "R/private_breaks.R"
shared_price <- r_test("test-private_breaks", "two columns share the price, and a budget is debited for every choice")

list(
  mutant(
    "breaks-each-whole", "every cut point costs the whole epsilon of all of them",
    header("privacy/exponential.hpp"),
    old = "std::max<std::size_t>(choices, 1)", new = "std::size_t{1}",
    killed_by = cpp_test(
      "test_fit_price",
      "equal choices fit where exactly their epsilon is left, and use nearly all of it"
    )
  ),
  mutant(
    "breaks-free", "cut points are not taken from the budget", breaks,
    after = "scores, 1, price$each, FALSE, FALSE,", old = "ledger", new = "NULL",
    killed_by = shared_price
  ),
  mutant(
    "breaks-half-paid", "a budget that covers some of the cut points pays for those", breaks,
    old = "cost <= left", new = "TRUE", killed_by = shared_price
  ),
  mutant(
    "breaks-not-in-promise", "the price of cut points is not part of a fit's promise", breaks,
    old = "privacy$epsilon + privacy$breaks", new = "privacy$epsilon",
    killed_by = r_test("test-private_breaks", "the price is part of the fit's promise, once")
  ),
  mutant(
    "breaks-forget-price", "cut points that were changed cost nothing", breaks,
    old = "all(has_price) || rest <= 1e-9 * whole$epsilon", new = "TRUE",
    killed_by = r_test(
      "test-private_breaks", "cut points that were changed still cost what they cost"
    )
  ),
  mutant(
    "seeded-breaks-private", "a fit with cut points from a seed says it is private", breaks,
    old = "!all(vapply(paid, function(price) price$private, NA)) && isTRUE(privacy$private)",
    new = "FALSE",
    killed_by = r_test(
      "test-private_breaks", "a fit with seeded breaks is not private"
    ), quick = TRUE
  ),
  mutant(
    "budget-pays-seeded-breaks", "a budget pays for a fit with cut points from a seed", breaks,
    old = "length(seeded) == 0L", new = "TRUE",
    killed_by = r_test("test-private_breaks", "a budget does not pay for what is not private")
  ),
  mutant(
    "forged-price", "a note that says cut points cost less than nothing is believed", breaks,
    old = "all(sound)", new = "TRUE",
    killed_by = r_test(
      "test-recorded", "what cannot be recorded is refused before anything is spent"
    )
  ),
  mutant(
    "breaks-from-data", "the candidates lie between the lowest and the highest value of the data",
    breaks,
    old = "break_grid(bounds[[name]], is_whole, points, name, call)",
    new = "break_grid(range(data[[name]]), is_whole, points, name, call)",
    killed_by = r_test(
      "test-private_breaks", "the candidates are public: data of the same shape give the same ones"
    )
  ),
  mutant(
    "scores-count-twice", "the scores of cut points move by 2", breaks,
    old = "-abs(counted$at_most - q * counted$known)",
    new = "-2 * abs(counted$at_most - q * counted$known)",
    killed_by = r_test(
      "test-private_breaks",
      "the sensitivity of the scores is 1: all data sets of four records, all neighbours"
    ),
    quick = TRUE
  ),
  mutant(
    "scores-by-share",
    "scores are shares of the values that are not missing, times the number of rows",
    breaks,
    old = "-abs(counted$at_most - q * counted$known)",
    new = "-4 * abs(counted$at_most / max(1, counted$known) - q)",
    killed_by = r_test(
      "test-private_breaks",
      "the sensitivity of the scores is 1: all data sets of four records, all neighbours"
    )
  )
)
