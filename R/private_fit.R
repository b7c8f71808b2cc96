# What the learners of the paper share: the way from their arguments to a fit. The checks of single
# arguments are in R/private_arguments.R, what a fit costs in R/fit_price.R.

# The noise of a fit with a seed can be repeated, and constants that do not hold protect nobody. NA
# if there is nothing to say against it.
why_not_private <- function(repeatable, published) {
  if (published) return("published constants")
  if (repeatable) "seed" else NA_character_
}

# What all four learners of the paper do. `args` are the arguments of the learner by name, `call`
# its environment, for errors; `recorded` what match.call() says.
learn_privately <- function(learner, args, call, recorded) {
  about <- learner_registry[[learner]]
  epsilon <- as.double(args$epsilon)
  test <- check_test(args$test, learner_tests(learner), call)
  check_flag(args$progress, "progress", call = call)
  max_order <- if (is.null(args$max_order)) {
    core_limits$private_max_order
  } else {
    check_max_order(args$max_order, call)
  }
  threads <- check_threads(args$threads, call)
  critical <- check_optional_number(args$threshold, "threshold", call, min = 0, max = 100)
  if (is.na(critical)) critical <- core_limits$critical
  tweak <- check_optional_number(args$tweak, "tweak", call, min = -100, max = 100)
  rounds <- check_optional_number(args$rounds, "rounds", call, min = 1, max = 1e6, whole = TRUE)
  published <- uses_published_constants(args$sensitivity, call)
  check_seed(args$seed, args$budget, call)
  persons <- read_persons(args$id, 1L, args$first_by, data_columns(args$data), call)
  per <- unit_of_promise(persons)
  check_budget(args$budget, call, per = per)
  by_order <- compares_by_order(test)
  data <- args$data
  if (published && !is.null(args$budget)) {
    abort(c(
      "{.code sensitivity = \"paper\"} and {.arg budget} do not go together.",
      x = "A fit with the published constants is not private, whatever it is charged."
    ), call = call)
  }
  args$breaks <- resolve_breaks(args$breaks, args$bounds, data, call)
  check_private_breaks(args$breaks, args$budget, call)
  check_breaks_persons(args$breaks, persons, call)
  source <- data_source(
    data, args$na, args$breaks, by_order, if (by_order) data_columns(data),
    intersect(nominal_tests, learner_tests(learner)), args$levels, args$other, persons = persons,
    call = call
  )
  schema <- source$schema
  say_undeclared_id(schema)
  ask_about_cuts(args$breaks, args$bounds, schema)
  if (!by_order) refuse_blocks(schema, test, call)
  if (max_order > 0L && length(schema$names) > 2L) check_conditioning(schema, schema$names, call)
  n <- schema$n
  check_enough_rows(n, call)
  delta <- choose_learner_delta(args$delta, n, args$budget, call, pure = about$pure)
  price <- fit_price(learner, epsilon, delta, n, n, call)
  knowledge <- parse_knowledge(args$whitelist, args$blacklist, args$tiers, schema$names, call)
  first <- cpp_first_round(
    length(schema$names), n, if (is.na(rounds)) 0 else rounds, epsilon, price$run
  )
  subsample <- n
  if (!is.null(args$subsample)) {
    subsample <- check_subsample(args$subsample, n, first$epsilon, call)
  }
  if (!by_order && subsample < n) abort_subsampled_blocks(test, call)
  if (subsample < n) refuse_subsample(schema, call)
  say_nominal_order(schema, test)
  blocks <- if (by_order) 0 else first$blocks
  enough <- cpp_enough_for_margins(n, schema$levels, critical, first$noise, blocks)
  warn_few_rows(enough, n, length(schema$names), epsilon, learner, counted_unit(persons))
  if (subsample < n) price <- fit_price(learner, epsilon, delta, subsample, n, call)
  run <- list(
    learner = learner, test = test, critical = critical, published = published,
    epsilon = epsilon, delta = delta, subsample = subsample,
    rounds = if (is.na(rounds)) 0 else rounds, tweak = tweak, max_order = max_order,
    blocks = blocks, threads = threads,
    portable = force_portable(), memory_cap = cache_bytes(call)
  )
  # Before anything is spent: a call that cannot be recorded is an error.
  recorded <- recorded_call(recorded, learner)
  check_before_paying(args$budget, source, call)
  paid <- pay_for_fit(args$budget, schema, learner, price, call, per = per)
  beside <- if (is.null(args$seed) && !published) spent_beside(recorded, schema$names, args$budget)
  found <- with_source(source, call, function(source) {
    with_progress(args$progress, "Searching", function(report) {
      cpp_private_pc(
        source, schema$nodes, run, knowledge$required, knowledge$forbidden, args$seed, report
      )
    })
  }, paid = !is.null(args$budget))
  say_cut_short(found)
  why <- why_not_private(found$repeatable, published)
  new_fit(
    found, learner = learner,
    privacy = privacy_with_inputs(drop_null(list(
      epsilon = epsilon, delta = delta, rho = price$rho, accounting = price$accounting,
      private = is.na(why), neighbours = "replace-one", per = if (per == "person") per, why = why,
      budget = shared_budget(args$budget, paid), beside = beside
    )), data),
    ledger = ledger_frame(found$ledger, delta > 0),
    settings = c(drop_null(list(
      test = test, max_order = max_order, threshold = critical,
      tweak = if (!is.na(tweak)) tweak, rounds = if (!is.na(rounds)) rounds,
      subsample = if (subsample < n) subsample, blocks = if (!by_order) run$blocks,
      sensitivity = if (published) "paper" else "proven", n = n,
      whitelist = args$whitelist, blacklist = args$blacklist, tiers = args$tiers,
      na = args$na, breaks = args$breaks, tests = found$tests
    )), cut_short_settings(found), person_settings(persons)),
    call = recorded
  )
}

drop_null <- function(x) x[!vapply(x, is.null, NA)]

say_cut_short <- function(found) {
  if (!found$cut_short) return(invisible())
  reached <- length(found$tests) - 1L
  cli::cli_inform(c(
    "!" = paste(
      "The search stopped after order {reached}: so many edges were left that order {reached + 1L}",
      "would take more than {big(core_limits$most_tests)} tests."
    ),
    i = "A larger {.arg epsilon}, fewer variables or background knowledge leaves fewer edges."
  ), class = "privpc_cut_short")
}

# Entries of a ledger of the core as a data frame.
ledger_frame <- function(entries, in_rho) {
  new_data_frame(list(
    step = seq_along(entries$amount), mechanism = entries$mechanism, target = entries$target,
    epsilon = if (in_rho) entries$epsilon else entries$amount,
    rho = if (in_rho) entries$amount else rep(NA_real_, length(entries$amount)),
    delta = entries$delta,
    cumulative = entries$cumulative
  ))
}
