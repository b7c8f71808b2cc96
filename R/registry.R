# The learners and the tests of this package, a line each. Whatever lists them reads it here:
# choices of arguments, hints, examples in messages, report(), evaluations, figures. What a line
# says and what the functions do are held against each other in test-registry.R.

# `method`: how report() names it. `private`: it keeps an epsilon. `pure`: it can do so without a
# delta. `tests`: those it can decide by, "exact" (all), "private" (those of `search`, below) or
# none. `paper`: it is one of Wang, Pang and Song (2020).
learner_line <- function(method, private = TRUE, pure = TRUE, tests = "private", paper = FALSE) {
  list(method = method, private = private, pure = pure, tests = tests, paper = paper)
}

# In the order in which evaluations run them and figures give them their looks.
learner_registry <- list(
  priv_pc = learner_line(
    "the PC algorithm with sieve-and-examine tests (Priv-PC)", paper = TRUE
  ),
  em_pc = learner_line(
    "the PC algorithm with tests chosen by the exponential mechanism", paper = TRUE
  ),
  svt_pc = learner_line("the PC algorithm with sparse-vector tests", paper = TRUE),
  sg_pc = learner_line(
    "the PC algorithm with Gaussian noise on every test", pure = FALSE, paper = TRUE
  ),
  marginal_pc = learner_line(
    "noisy marginal tables and a search that allows for their noise", pure = FALSE,
    tests = "none"
  ),
  exact_pc = learner_line(
    "the order-independent PC algorithm with exact tests", private = FALSE, tests = "exact"
  )
)

# `label`: how results name it. `symbol`: its statistic. `by_order`: compares by the order of levels
# or by the values of numbers, so that a missing value cannot be a level; the others are for nominal
# variables, and private by blocks of records only. `counts_levels`: its degrees of freedom are
# those of all levels, declared or occurring. `search`: whether the private learners can decide by
# it. `elsewhere`: what other software calls it.
test_line <- function(label, symbol, by_order = FALSE, counts_levels = FALSE, search = TRUE,
                      elsewhere = NULL) {
  list(
    label = label, symbol = symbol, by_order = by_order, counts_levels = counts_levels,
    search = search, elsewhere = elsewhere
  )
}

test_registry <- list(
  g2 = test_line("log-likelihood ratio (G2) test", "G2", counts_levels = TRUE, elsewhere = "mi"),
  chisq = test_line("Pearson chi-square test", "X2", counts_levels = TRUE, elsewhere = "x2"),
  tau = test_line("Kendall's tau", "T", by_order = TRUE, elsewhere = c("jt", "kendall")),
  rho = test_line("Spearman's rho", "R", by_order = TRUE, elsewhere = "spearman"),
  cmh = test_line("generalised Cochran-Mantel-Haenszel test", "M2", search = FALSE)
)

# ---- learners -----------------------------------------------------------------------------------

learner_names <- function(private = NULL) {
  if (is.null(private)) return(names(learner_registry))
  names(Filter(function(line) line$private == private, learner_registry))
}

learner_function <- function(name) get(name, envir = topenv(), mode = "function")

# Fits can be made by hand, or come from another version: FALSE, or NULL, for a learner that is not
# known.
is_of_paper <- function(learner) isTRUE(learner_registry[[learner]]$paper)
learner_method <- function(learner) learner_registry[[learner]]$method

# ---- tests --------------------------------------------------------------------------------------

compares_by_order <- function(test) test_registry[[test]]$by_order

# Worked out once: it would take as long as checking all other arguments of a learner.
nominal_tests <- names(Filter(function(line) !line$by_order, test_registry))

# Those of private_test(), the default first: tests that compare by order need the least noise.
private_tests <- c(setdiff(names(test_registry), nominal_tests), nominal_tests)

private_search_tests <- Filter(function(test) test_registry[[test]]$search, private_tests)

# The tests of a learner, the default first.
learner_tests <- function(learner) {
  switch(learner_registry[[learner]]$tests,
    exact = names(test_registry), private = private_search_tests
  )
}

# One of the tests `known`, with a hint for the names of other software.
check_test <- function(test, known, call) {
  check_choice(test, known, "test", call, hint = test_hint(test, known))
}

test_hint <- function(test, known) {
  if (!rlang::is_string(test)) return(NULL)
  for (meant in known) {
    if (test %in% test_registry[[meant]]$elsewhere) {
      return(cli::format_inline("Here that test is called {.val {meant}}."))
    }
  }
  if (test %in% nominal_tests) {
    cli::format_inline("{.fn marginal_pc} tests nominal variables more accurately.")
  }
}

# As in: "g2", "chisq" and "cmh".
listed_tests <- function(tests, last = " and ") cli::cli_vec(tests, list("vec-last" = last))

# ---- examples in messages -----------------------------------------------------------------------

# A whole call of a learner, or of an exact test; NULL for other functions.
registered_example <- function(name) {
  if (name %in% learner_names(private = TRUE)) return(paste0(name, "(data, epsilon = 1)"))
  if (name %in% learner_names()) {
    return(paste0(name, "(data, test = \"", learner_tests(name)[[1L]], "\")"))
  }
  if (name %in% paste0("cond_", names(test_registry))) {
    paste0(name, "(data, x = \"smoking\", y = \"cancer\")")
  }
}
