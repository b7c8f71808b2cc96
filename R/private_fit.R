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
  max_order <- if (is.null(args$max_order)) 2L else check_max_order(args$max_order, call)
  threads <- check_threads(args$threads, call)
  critical <- check_optional_number(args$threshold, "threshold", call, min = 0, max = 100)
  if (is.na(critical)) critical <- 3
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
  source <- data_source(
    data, args$na, args$breaks, by_order, if (by_order) names(data),
    intersect(all_nominal_tests, private_tests), call = call
  )
  schema <- source$schema
  if (max_order > 0L && length(data) > 2L) check_conditioning(schema, schema$names, call)
  n <- schema$n
  check_enough_rows(n, call)
  delta <- choose_learner_delta(args$delta, n, args$budget, call, pure = learner != "sg_pc")
  rho <- fit_rho(epsilon, delta, call)
  knowledge <- parse_knowledge(args$whitelist, args$blacklist, args$tiers, schema$names, call)
  first <- cpp_first_round(length(data), n, if (is.na(rounds)) 0 else rounds, epsilon, rho)
  subsample <- n
  if (!is.null(args$subsample)) {
    subsample <- check_subsample(args$subsample, n, first$epsilon, call)
  }
  if (!by_order && subsample < n) abort_subsampled_blocks(test, call)
  say_nominal_order(schema, test)
  blocks <- if (by_order) 0 else vote_blocks(epsilon, rho, n, length(data))
  enough <- enough_for_margins(n, schema$levels, critical, first$noise, blocks)
  warn_few_rows(enough, n, length(data), epsilon, learner)
  # One sub-sample for the whole run: what costs this rho on it is (epsilon, delta)-private on all
  # rows (privacy/renyi.hpp), and has no rho of its own there.
  on_sample <- learner == "sg_pc" && subsample < n
  run_rho <- rho
  if (on_sample) {
    run_rho <- cpp_subsampled_rho(epsilon, delta, subsample, n)
    rho <- NA_real_
  }
  plan <- list(
    learner = learner, test = test, critical = critical, published = published,
    epsilon = epsilon, rho = run_rho, subsample = subsample,
    rounds = if (is.na(rounds)) 0 else rounds, tweak = tweak, max_order = max_order,
    blocks = blocks, threads = threads,
    portable = force_portable(), memory_cap = cache_bytes(call)
  )
  # Before anything is spent: a call that cannot be recorded is an error.
  recorded <- recorded_call(recorded, learner)
  check_before_paying(args$budget, source, call)
  pay_for_fit(args$budget, schema, learner, epsilon, delta, rho, call)
  found <- with_source(source, call, function(source) {
    with_progress(args$progress, "Searching", function(report) {
      cpp_private_pc(source, plan, knowledge$required, knowledge$forbidden, args$seed, report)
    })
  })
  say_cut_short(found)
  why <- why_not_private(args$seed, published)
  new_fit(
    found, schema, names(data), learner = learner,
    privacy = privacy_with_inputs(drop_null(list(
      epsilon = epsilon, delta = delta, rho = rho,
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

# Takes the whole price of a fit from a budget, as one step. What a fit is charged is what it
# is proved to be:
# * `rho` is not NA: the fit draws on a ledger of its own whose cap is this rho, so it is rho-zCDP, and
#   zCDP adds up over adaptively chosen steps (the theorems in privacy/ledger.hpp);
# * delta = 0: it is epsilon-DP, which costs epsilon in a pure budget, and in one that counts in
#   rho at most epsilon tanh(epsilon / 2);
# * otherwise (on a sub-sample) only that it is (epsilon, delta)-DP is known. It then behaves as an
#   epsilon-DP step but for a probability of delta (Kairouz, Oh and Viswanath 2015, theorem 3.3),
#   which comes from the reserve (privacy/cost.hpp).
pay_for_fit <- function(budget, schema, learner, epsilon, delta, rho, call) {
  if (is.null(budget)) return(invisible())
  target <- paste("graph of", counted(length(schema$names), "variable"))
  cost <- if (is.na(rho)) cost_of_epsilon(epsilon, delta) else cost_of_rho(rho)
  debit_budget(budget, learner, target, cost, call = call)
}

# The rho of a fit, NA if it is pure: the one place where its epsilon and delta are turned into rho.
# What the core may spend, what a budget is charged and what the fit states is this number.
fit_rho <- function(epsilon, delta, call) {
  if (delta > 0) return(budget_rho(epsilon, delta, call))
  # Below this the noise would exceed any number of records.
  if (epsilon >= 1e-6) return(NA_real_)
  abort(c(
    "The budget is too small to learn anything.",
    x = "{.arg epsilon} is {format(epsilon)}.",
    i = "Below 1e-6 the noise is larger than any number of records."
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

# Enough blocks for their votes to stand out against the noise (statistic/vote_margins.hpp), but of a
# hundred rows at least, where there are that many.
vote_blocks <- function(epsilon, rho, n, nodes) {
  noise <- cpp_first_round(nodes, n, 0, epsilon, rho)$noise
  floor(min(max(2, n / 100), max(20, ceiling(12 * noise))))
}

say_cut_short <- function(found) {
  if (!found$cut_short) return(invisible())
  reached <- length(found$tests) - 1L
  cli::cli_inform(c(
    "!" = "The search stopped after order {reached}: so many edges were left that order {reached + 1L} would take more than 300,000 tests.",
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
