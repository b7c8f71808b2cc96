# What is published: fits, tests and releases tell nothing but noisy and public things.
fit <- "R/fit.R"
release <- "R/release.R"
recorded <- "R/recorded.R"

list(
  mutant(
    "promise-rounded-down", "printed promises are rounded down", "R/rounding.R",
    old = "rounded_text(x, digits, up = TRUE)", new = "rounded_text(x, digits, up = FALSE)",
    killed_by = r_test(
      "test-rounding",
      "numbers of a promise are never printed too small, and those left never too large"
    )
  ),
  mutant(
    "promise-to-nearest", "printed promises are rounded to the nearest number", "R/rounding.R",
    old = "if (up) read_back() < number else read_back() > number", new = "FALSE",
    killed_by = r_test("test-rounding", "no printed promise is rounded down")
  ),
  mutant(
    "mark-lost", "what is made of a seeded fit does not say that it is not private", "R/mark.R",
    after = "marked <- function(x, mark)", old = "is.null(mark)", new = "TRUE",
    killed_by = r_test(
      "test-mark", "every derived object of a fit that is not private says so in print"
    )
  ),
  mutant(
    "inputs-unmarked", "rows and knowledge from a seeded fit do not mark what is learnt", "R/mark.R",
    old = "!isTRUE(privacy$private) || is.null(mark)", new = "TRUE",
    killed_by = r_test("test-mark", "what goes into a fit marks it")
  ),
  mutant(
    "refusal-to-nearest", "a refusal tells more to be left than there is", "R/overdraft.R",
    old = "text_down(refused$left, digits)", new = "format(refused$left, digits = digits)",
    killed_by = r_test(
      "test-budget", "a refusal tells no more to be left than there is, and what is enough is enough"
    )
  ),
  mutant(
    "mark-of-seed-only", "only a seed marks what is made of a fit, not the published constants", "R/mark.R",
    old = "if (!is_promise(privacy) && !states_none)",
    new = "if (!is_promise(privacy) && !states_none && identical(privacy$why, \"seed\"))",
    killed_by = r_test("test-mark", "the reason is that of the fit")
  ),
  mutant(
    "seeded-release-private", "a release with a seed says it is private", release,
    old = "isTRUE(private)", new = "TRUE",
    killed_by = r_test(
      "test-mechanisms", "a seed repeats, entropy does not, and R's generator is left alone"
    ),
    quick = TRUE
  ),
  mutant(
    "names-carry-attributes", "what hangs on the names of a value is published with them", release,
    old = "plain_text(names(value))", new = "names(value)",
    killed_by = r_test(
      "test-recorded", "releases are named, but nothing rides on the names"
    ), quick = TRUE
  ),
  mutant(
    "secret-in-error", "an error shows the value that was to be protected", release,
    old = "\"It is {type_of(value)}.\"", new = "\"It is {describe(value)}.\"",
    killed_by = r_test(
      "test-mechanisms", "refusals name the type of a secret, never its value"
    ), quick = TRUE
  ),
  mutant(
    "seed-with-budget", "a budget pays for a release with a seed", release,
    after = "check_seed <- function(", old = "!is.null(budget)", new = "FALSE",
    killed_by = r_test("test-mechanisms", "refusals name the type of a secret, never its value")
  ),
  mutant(
    "settings-as-given", "a fit keeps its arguments with all that hangs on them", fit,
    old = "bare_settings(settings, nodes)", new = "settings",
    killed_by = r_test("test-recorded", "arguments are kept without what hangs on them")
  ),
  mutant(
    "cuts-as-given", "cut points are kept with all that hangs on them", recorded,
    old = "cuts <- as.vector(cuts, \"double\")", new = "cuts",
    killed_by = r_test("test-recorded", "arguments are kept without what hangs on them")
  ),
  mutant(
    "numbers-as-given", "numbers are kept with all that hangs on them", recorded,
    old = "if (!is.null(x)) as.vector(x, \"double\")", new = "x",
    killed_by = r_test("test-recorded", "nothing hangs on settings, names and prices")
  ),
  mutant(
    "call-keeps-data", "a fit keeps its call as it was made, with the data that were put into it",
    recorded,
    old = "cpp_recorded_call(call, learner)", new = "call",
    killed_by = r_test(
      "test-recorded", "data put into the call are not kept, however deep"
    ), quick = TRUE
  ),
  mutant(
    "breaks-left-out-of-fit", "a fit's promise leaves the price of its cut points out", fit,
    old = "privacy_with_breaks(privacy, settings$breaks)", new = "privacy",
    killed_by = r_test("test-private_breaks", "the price is part of the fit's promise, once")
  ),
  mutant(
    "all-fits-print-private", "a fit that is not private prints a promise", fit,
    after = "privacy_text <- function(", old = "!is_promise(privacy)", new = "FALSE",
    killed_by = r_test("test-fit", "a fit prints its edges and that it is not private")
  ),
  mutant(
    "test-name-holds-data", "a test keeps the expression that its data came from",
    "R/private_test.R",
    old = "if (is.symbol(expression)) as.character(expression) else \"data\"",
    new = "paste(deparse(expression), collapse = \"\")",
    killed_by = r_test("test-private_test", "no records get into the result through the call")
  ),
  mutant(
    "median-tells-noise", "a private median tells its noise, which depends on the data",
    "R/block_aggregates.R",
    old = "list(kind = \"laplace, by smooth sensitivity\")",
    new = "list(
      kind = \"laplace, by smooth sensitivity\",
      scale = 1 / sum(as.integer(source$codes[[question$x]]))
    )",
    killed_by = r_test(
      "test-private_test", "what is said beside the noisy numbers does not depend on the data"
    )
  )
)
