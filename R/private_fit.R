# What the private learners share: their budget, the checks of their arguments and the way from
# the core's answer to a fit. Nothing here sees data that has not passed a mechanism.

# Small against 1/n: a delta of 1/n would permit publishing a random record in full.
default_delta <- function(n) min(1e-6, 1 / (10 * n))

# `NULL` for the default. `pure` says whether the learner can do without a delta.
check_learner_delta <- function(delta, n, call = rlang::caller_env(), pure = TRUE) {
  if (is.null(delta)) return(default_delta(n))
  check_number(delta, "delta", min = 0, max = 1, max_open = TRUE, call = call)
  if (delta == 0 && !pure) {
    abort(c(
      "{.arg delta} must be above 0 here.",
      x = "Gaussian noise has no pure guarantee.",
      i = "Leave {.arg delta} out for a default that is small against one over the number of rows."
    ), call = call)
  }
  if (delta >= 1 / n) {
    cli::cli_warn(c(
      "{.arg delta} = {format(delta)} is not small against one over the number of rows ({format(1 / n, digits = 3)}).",
      x = "It would permit publishing a record in full with a noticeable probability.",
      i = "Leave {.arg delta} out, or choose at most {text_down(default_delta(n))}."
    ), class = "privpc_weak_delta")
  }
  as.double(delta)
}

check_epsilon <- function(epsilon, call = rlang::caller_env(), what = "the graph") {
  if (missing(epsilon)) {
    abort_not_given("epsilon", call, c(
      paste("how much may", what, "tell about one record?"),
      i = "1 is a common choice; 0.1 protects more, 10 hardly."
    ))
  }
  check_number(epsilon, "epsilon", min = 0, max = 1e6, min_open = TRUE, call = call)
  warn_weak_epsilon(epsilon)
  as.double(epsilon)
}

# The noise of a fit with a seed can be repeated, and constants that do not hold protect nobody. NA
# if there is nothing to say against it.
why_not_private <- function(seed, published) {
  if (published) return("published constants")
  if (is.null(seed)) NA_character_ else "seed"
}

# From rows (or a share of them) to a number of rows.
check_subsample <- function(subsample, n, round_epsilon, call) {
  if (identical(subsample, "optimal")) return(subsample_size(n, round_epsilon))
  if (is.character(subsample)) {
    abort(c(
      "{.arg subsample} must be a share, a number of rows or {.val optimal}.",
      x = "It is {describe(subsample)}."
    ), call = call)
  }
  check_number(subsample, "subsample", min = 0, max = n, min_open = TRUE, call = call)
  rows <- if (subsample <= 1) ceiling(subsample * n) else round(subsample)
  max(1, min(rows, n))
}

private_tests <- c("tau", "rho", "g2", "chisq")

check_private_test <- function(test, call, known = private_tests) {
  if (identical(test, known)) return(known[[1L]])
  if (is.character(test) && length(test) == 1L && test %in% known) return(known[known == test])
  abort(c(
    "{.arg test} must be one of {.val {known}}.",
    x = "It is {describe(test)}.",
    i = if (identical(test, "cmh")) "{.fn marginal_pc} tests nominal variables more accurately."
  ), call = call)
}

# NULL or a number.
check_optional_number <- function(x, arg, call, ...) {
  if (is.null(x)) return(NA_real_)
  check_number(x, arg, call = call, ...)
  as.double(x)
}

# What all four learners of the paper do. `args` are the arguments of the learner by name, `call` its
# environment, for errors; `recorded` what match.call() says.
learn_privately <- function(learner, args, call, recorded) {
  epsilon <- as.double(args$epsilon)
  test <- check_private_test(args$test, call)
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
  published <- check_constants(args$sensitivity, call)
  check_seed(args$seed, args$budget, call)
  check_budget(args$budget, call)
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
  encoded <- encode_data(
    data, args$na, args$breaks, by_order, if (by_order) names(data),
    intersect(all_nominal_tests, private_tests), call = call
  )
  if (max_order > 0L && length(data) > 2L) check_conditioning(encoded, encoded$names, call)
  n <- encoded$n
  check_enough_rows(n, call)
  delta <- choose_learner_delta(args$delta, n, args$budget, call, pure = learner != "sg_pc")
  price <- fit_price(learner, epsilon, delta, n, n, call)
  knowledge <- parse_knowledge(args$whitelist, args$blacklist, args$tiers, encoded$names, call)
  first <- cpp_first_round(length(data), n, if (is.na(rounds)) 0 else rounds, epsilon, price$run)
  subsample <- n
  if (!is.null(args$subsample)) {
    subsample <- check_subsample(args$subsample, n, first$epsilon, call)
  }
  if (!by_order && subsample < n) abort_subsampled_blocks(test, call)
  say_nominal_order(encoded, test)
  blocks <- if (by_order) 0 else first$blocks
  enough <- cpp_enough_for_margins(n, encoded$levels, critical, first$noise, blocks)
  warn_few_rows(enough, n, length(data), epsilon, learner)
  if (subsample < n) price <- fit_price(learner, epsilon, delta, subsample, n, call)
  plan <- list(
    learner = learner, test = test, critical = critical, published = published,
    epsilon = epsilon, rho = price$run, subsample = subsample,
    rounds = if (is.na(rounds)) 0 else rounds, tweak = tweak, max_order = max_order,
    blocks = blocks, threads = threads,
    portable = force_portable(), memory_cap = cache_bytes(call)
  )
  # Before anything is spent: a call that cannot be recorded is an error.
  recorded <- recorded_call(recorded, learner)
  pay_for_fit(args$budget, encoded, learner, price, call)
  found <- with_encoded(encoded, call, function(encoded) {
    with_progress(args$progress, "Searching", function(report) {
      cpp_private_pc(encoded, plan, knowledge$required, knowledge$forbidden, args$seed, report)
    })
  })
  say_cut_short(found)
  why <- why_not_private(args$seed, published)
  new_fit(
    found, encoded, names(data), learner = learner,
    privacy = privacy_with_inputs(drop_null(list(
      epsilon = epsilon, delta = delta, rho = price$rho,
      private = is.na(why), neighbours = "replace-one", why = why,
      budget = shared_budget(args$budget)
    )), data),
    ledger = ledger_frame(found$ledger, delta > 0),
    settings = drop_null(list(
      test = test, max_order = max_order, threshold = critical,
      tweak = if (!is.na(tweak)) tweak, rounds = if (!is.na(rounds)) rounds,
      subsample = if (subsample < n) subsample, blocks = if (!by_order) plan$blocks,
      sensitivity = if (published) "paper" else "proven", n = n,
      whitelist = args$whitelist, blacklist = args$blacklist, tiers = args$tiers,
      na = args$na, breaks = args$breaks, tests = found$tests
    )),
    call = recorded
  )
}

# The fit's own delta: as given, or the part of the budget's delta that is not set aside, so that a
# fit for all of a budget's epsilon costs all of it.
choose_learner_delta <- function(delta, n, budget, call, pure) {
  if (is.null(budget)) return(check_learner_delta(delta, n, call, pure))
  if (budget$delta == 0) {
    if (!pure) {
      abort(c(
        "{.arg budget} must have a delta here.",
        x = "Gaussian noise has no pure guarantee.",
        i = "Make it as {.code privacy_budget(epsilon = {format(budget$epsilon)}, delta = {format(default_delta(n))})}."
      ), call = call)
    }
    return(choose_test_delta(delta, n, budget, call))
  }
  if (is.null(delta)) delta <- budget_delta(budget)
  check_learner_delta(delta, n, call, pure)
}

# Takes the whole price of a fit from a budget, as one step.
# Missing values are looked for first: the core would refuse them, but after the price is paid.
pay_for_fit <- function(budget, encoded, learner, price, call) {
  if (is.null(budget)) return(invisible())
  check_complete(encoded, call)
  target <- paste("graph of", counted(length(encoded$names), "variable"))
  debit_budget(budget, learner, target, structure(price$cost, class = "privpc_cost"), call = call)
}

# What a fit may spend (`run`, NA: its epsilon), what it states as its rho (NA: none) and what a
# budget is charged (`cost`): from the core, which enforces it (learners/fit_price.hpp).
fit_price <- function(learner, epsilon, delta, sample, rows, call) {
  price <- cpp_fit_price(learner, epsilon, delta, sample, rows)
  if (!price$too_small) return(price)
  if (is.na(price$run)) {
    least <- sub("e-0", "e-", format(core_limits$least_epsilon))
    abort(c(
      "The budget is too small to learn anything.",
      x = "{.arg epsilon} is {format(epsilon)}.",
      i = "Below {least} the noise is larger than any number of records."
    ), call = call)
  }
  abort(c(
    "The budget is too small to measure anything.",
    x = "{.arg epsilon} = {format(epsilon)} and {.arg delta} = {format(delta)} amount to rho = {format(price$run)}."
  ), call = call)
}

drop_null <- function(x) x[!vapply(x, is.null, NA)]

check_constants <- function(sensitivity, call) {
  known <- c("proven", "paper")
  if (identical(sensitivity, known)) return(FALSE)
  if (!is.character(sensitivity) || length(sensitivity) != 1L || !sensitivity %in% known) {
    abort(c(
      "{.arg sensitivity} must be {.val proven} or {.val paper}.",
      x = "It is {describe(sensitivity)}."
    ), call = call)
  }
  sensitivity == "paper"
}

check_enough_rows <- function(n, call) {
  if (n >= 2L) return(invisible())
  abort(c(
    "{.arg data} must have at least two rows.",
    x = "It has {n}."
  ), call = call)
}

abort_subsampled_blocks <- function(test, call) {
  abort(c(
    "{.arg subsample} must be 1 with {.code test = \"{test}\"}.",
    x = "That test divides all rows into blocks; there is nothing to gain from fewer rows."
  ), call = call)
}

say_cut_short <- function(found) {
  if (!found$cut_short) return(invisible())
  reached <- length(found$tests) - 1L
  cli::cli_inform(c(
    "!" = "The search stopped after order {reached}: so many edges were left that order {reached + 1L} would take more than {big(core_limits$most_tests)} tests.",
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
