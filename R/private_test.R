#' One private conditional independence test
#'
#' Tests whether `x` and `y` are independent given other variables, and gives the
#' answer with differential privacy: decision, noisy statistic, and a p-value that
#' accounts for the sampling of the records *and* for the noise.
#'
#' @section Kendall and Spearman:
#' `"tau"` and `"rho"` release the statistic T or R of [cond_tau()] and [cond_rho()]
#' with noise in proportion to its proved sensitivity. Its variance under independence
#' depends on ties, hence on the data; a tenth of the budget goes to a noisy version of it.
#' The p-value is the smallest level at which the test rejects, where the test
#' at level a takes an upper confidence bound of the variance that fails with probability
#' a / 50 (never above what the levels allow), and refers the noisy statistic to the sum of a
#' normal variable with that variance and the noise, at level a - a / 50. So the chance of
#' a p-value of at most a under independence is at most a, up to the normal
#' approximation of the statistic.
#'
#' @section G2, chi-square and CMH:
#' No bound holds for the change of these statistics by one record. So the rows are
#' split at random, without looking at them, into `blocks`, and each block is tested on its own
#' (*sub-sample and aggregate*). A record is in one block only, so it can change one of the
#' results. They are put together in one of two ways:
#' * `aggregate = "count"`: in how many blocks is the p-value at most 1/2? One record moves
#'   this count by at most 1, so a little noise is enough. It needs few
#'   blocks (17 for epsilon = 1 and alpha = 0.05), which can then be large. The guarantee is pure
#'   (delta = 0) unless Gaussian noise is chosen, see below.
#' * `aggregate = "median"`: the median over the blocks of the evidence -2 log(p-value), with
#'   noise in proportion to its smooth sensitivity ([private_median()]). This is the method
#'   of Wang, Pang and Song (2020). It needs hundreds of blocks and a `delta` above 0, and so far
#'   more records for the same power.
#'
#' The p-value follows from public facts: under independence the blocks' p-values are independent
#' and nearly uniform, and the noise is known. *Nearly*, because blocks
#' rely on the chi-square approximation (degrees of freedom count the levels that occur in a
#' stratum of the block; G2 is divided by Williams' correction, at most 1.3). To be on the safe side
#' a block's evidence is taken to be 16% larger under independence than uniform
#' p-values would make it, that is, 55% of the blocks at or below 1/2. A warning, which depends
#' on public facts only, is given when blocks have less than five rows per cell: then even this
#' may not be enough.
#'
#' @section What is public:
#' The number of rows, the names, levels and cut points of the columns and all arguments; and that
#' the columns are complete and within their declared levels, because an error tells otherwise, at
#' no price. See [privacy_budget()] for what to do if that is a secret.
#'
#' @section Noise and budget:
#' Without a `budget`, the test is `(epsilon, delta)`-private by itself; of Laplace and Gaussian
#' noise the one with the smaller spread is taken, for a single test practically always Laplace
#' noise, whose guarantee is pure. The guarantee that was given is in the result.
#'
#' With a `budget` that has a delta, the test takes from it the rho of `epsilon` and `delta`
#' ([rho_from_dp()]), with whichever noise is smaller at that price; with `delta = 0`, or
#' from a budget without a delta, it takes `epsilon`. The median
#' takes `epsilon` and `delta`; the budget needs a `reserve` for it. A test that the budget does
#' not cover is refused before anything is computed.
#'
#' @inheritParams cond_tau
#' @inheritParams exact_pc
#' @inheritParams laplace_mechanism
#' @param bounds Instead of `breaks`: the public range of numeric columns, as in [exact_pc()].
#' @param test `"tau"` (Kendall), `"rho"` (Spearman), `"g2"`, `"chisq"` or `"cmh"`; see
#'   [cond_tau()]. It must be given if `x` or `y` is a factor of three or more levels that is not
#'   ordered.
#' @param epsilon,delta The guarantee, or with a `budget` what the test takes from it. `NULL` for a
#'   delta that is small against one over the number of rows (1e-6, or 1/(10 n) from 100,000
#'   rows on); 0 for a pure guarantee.
#' @param alpha Level of the decision: independent if the p-value is above it.
#' @param aggregate How block results are put together, for `"g2"`, `"chisq"` and `"cmh"`.
#' @param blocks Number of blocks for these tests; `NULL` for a number that follows from the
#'   budget, the levels and the number of rows.
#' @return A list of class `privpc_test`, which may be published as a whole:
#' * `independent`: the decision, `TRUE` or `FALSE`.
#' * `statistic`: the noisy statistic: T, R, the count of blocks, or the median evidence.
#' * `p.value`, `alpha`.
#' * `estimate`: T / n or R / n on the scale of tau or rho; the share of the blocks; or the
#'   median block's p-value.
#' * `test`, `x`, `y`, `given`, `n`, and for the block tests `aggregate` and `blocks`.
#' * `privacy`: `epsilon`, `delta`, `rho` (for Gaussian noise, else `Inf`), `private`,
#'   `neighbours`.
#' * `noise`: its kind and scale, as far as it is public.
#' * `method`, `data.name`: as in objects of class `htest`.
#' @references
#' Nissim, K., Raskhodnikova, S. and Smith, A. (2007). Smooth sensitivity and sampling in
#' private data analysis. *Proceedings of STOC*, 75-84.
#'
#' Wang, L., Pang, Q. and Song, D. (2020). Towards practical differentially private
#' causal graph discovery. *Advances in Neural Information Processing Systems* 33.
#'
#' Williams, D. A. (1976). Improved likelihood ratio tests for complete contingency tables.
#' *Biometrika* 63, 33-37.
#' @seealso [cond_tau()] for the exact tests, [privacy_budget()] for several tests in a row.
#' @examples
#' survey <- simulate(network("survey"), nsim = 50000, seed = 1)
#'
#' # Does education (E) depend on age (A)? What is printed may be published.
#' private_test(survey, "A", "E", epsilon = 0.5)
#'
#' # Age has to do with the size of the residence (R), but only through education.
#' private_test(survey, "A", "R", given = "E", test = "g2", epsilon = 1)
#'
#' # Several tests from one budget
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' private_test(survey, "A", "E", epsilon = 0.5, budget = budget)$p.value
#' private_test(survey, "S", "E", test = "chisq", epsilon = 0.5, budget = budget)$p.value
#' budget
#' @export
private_test <- function(data, x, y, given = NULL, test = c("tau", "rho", "g2", "chisq", "cmh"),
                         epsilon, delta = NULL, alpha = 0.05, aggregate = c("count", "median"),
                         blocks = NULL, na = "error", breaks = NULL, bounds = NULL,
                         levels = NULL, other = "error", id = NULL, first_by = NULL,
                         budget = NULL, seed = NULL, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  data_name <- public_name(substitute(data))
  check_test_data(data, call)
  check_quoted(c("x", "y", "given", "id", "first_by"), call)
  check_test_columns(data, x, y, given, call)
  x <- plain_text(x)
  y <- plain_text(y)
  given <- plain_text(given)
  by_default <- length(test) > 1L
  test <- check_test(test, private_tests, call)
  aggregate <- check_choice(aggregate, c("count", "median"))
  check_epsilon(epsilon, call, "the answer")
  check_number(alpha, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_seed(seed, budget, call)
  persons <- read_persons(id, 1L, first_by, data_columns(data), call)
  check_not_tested(persons, c(x, y, given), call)
  ledger <- check_budget(budget, call, per = unit_of_promise(persons))
  by_order <- compares_by_order(test)
  used <- c(x, y, given)
  breaks <- resolve_breaks(breaks, bounds, data, call)
  check_private_breaks(breaks, budget, call)
  check_breaks_persons(breaks, persons, call)
  check_breaks(breaks, data, call)
  source <- data_source(
    data, na_rule_of(na, used, data, call), breaks[names(breaks) %in% used], by_order,
    if (by_order) c(x, y), levels = levels, other = other, used = used, persons = persons,
    call = call
  )
  schema <- source$schema
  ask_about_cuts(breaks[names(breaks) %in% used], bounds, schema)
  if (!by_order) refuse_blocks(schema, test, call)
  delta <- choose_test_delta(delta, schema$n, budget, call)
  if (by_default) check_order_is_meant(schema, c(x, y), call)
  say_nominal_order(schema, test, c(x, y))
  # What is asked and what it may cost, without a record: prices are made of this alone.
  question <- list(
    schema = schema, test = test, x = match(x, schema$names),
    y = match(y, schema$names), given = match(given, schema$names),
    epsilon = as.double(epsilon), delta = delta,
    alpha = as.double(alpha), budget = budget, ledger = ledger, seed = seed,
    breaks = breaks[names(breaks) %in% used], target = test_target(x, y, given), call = call,
    mark = mark_of(data)
  )
  if (by_order && !is.null(blocks)) {
    abort(c(
      "{.arg blocks} is for the tests {.val {listed_tests(nominal_tests)}}.",
      x = "The test is {.val {test}}, which is released as a whole."
    ), call = call)
  }
  if (!by_order) question$blocks <- check_blocks(blocks, aggregate, question)
  answer <- if (by_order) {
    order_test(question, source)
  } else if (aggregate == "count") {
    count_test(question, source)
  } else {
    median_test(question, source)
  }
  new_private_test(answer, question, x, y, given, data_name, aggregate)
}

# The result says which data were used. Only a plain name is repeated: an expression, or the data
# themselves where the call was built by do.call(), may hold records.
public_name <- function(expression) {
  if (is.symbol(expression)) as.character(expression) else "data"
}

test_target <- function(x, y, given) {
  paste0(x, " ~ ", y, if (length(given)) paste0(" | ", paste(given, collapse = ", ")))
}

# Nobody has asked for the default. The order of nominal levels means nothing, and an answer
# about it would be paid for; so refuse before anything is spent. Looks at public facts only.
check_order_is_meant <- function(schema, names, call) {
  nominal <- schema$names[!schema$ordered & schema$levels > 2L & schema$names %in% names]
  if (length(nominal) == 0L) return(invisible())
  column <- paste0("data$", as_code(nominal[[1L]]))
  default <- private_tests[[1L]]
  others <- listed_tests(nominal_tests[-1L], " or ")
  abort(c(
    "{.arg test} must be given: {.var {nominal}} {?is a factor/are factors} without an order.",
    x = "The default, {.val {default}}, compares by the order of the levels.",
    i = "For nominal variables use {.code test = \"{nominal_tests[[1L]]}\"}, {.val {others}}.",
    i = paste(
      "If the order of the levels as they stand is meant, {.code test = \"{default}\"}, or declare",
      "it: {.code {column} <- factor({column}, levels({column}), ordered = TRUE)}."
    ),
    i = "Nothing was computed or spent."
  ), call = call)
}

# A budget without delta can only pay for pure steps.
choose_test_delta <- function(delta, n, budget, call) {
  if (!is.null(budget) && budget$delta == 0) {
    if (is.null(delta)) return(0)
    check_number(delta, "delta", min = 0, max = 1, max_open = TRUE, call = call)
    check_delta_of_budget(delta, budget, call)
  }
  if (is.null(delta)) return(default_delta(n))
  check_learner_delta(delta, n, call)
}

# ---- noise -------------------------------------------------------------------------------------

# Laplace or Gaussian, whichever has the smaller spread at level alpha for the same price.
# `amount` is what the mechanism is built from (epsilon or rho). All of this is public.
plan_noise <- function(question) {
  epsilon <- question$epsilon
  delta <- question$delta
  laplace <- list(kind = "laplace", amount = epsilon)
  if (delta == 0) return(laplace)
  rho <- rho_from_dp(epsilon, delta)
  if (rho <= 0) return(laplace)
  gaussian <- list(kind = "gaussian", amount = rho)
  # From a budget that counts in rho both must cost the same rho.
  if (!is.null(question$budget)) laplace$amount <- cpp_epsilon_per_round(rho, 1L)
  spread <- c(
    -log(question$alpha) / laplace$amount,
    stats::qnorm(question$alpha / 2, lower.tail = FALSE) / sqrt(2 * rho)
  )
  if (spread[[1L]] <= spread[[2L]]) laplace else gaussian
}

# For a whole number; beyond these amounts the noise is 0 in all likelihood, and the samplers end.
plan_count_noise <- function(question) {
  plan <- plan_noise(question)
  plan$amount <- min(plan$amount, if (plan$kind == "gaussian") 1e5 else 500)
  plan
}

# What the test guarantees by itself.
noise_guarantee <- function(plan, question) {
  gaussian <- plan$kind == "gaussian"
  list(
    epsilon = if (gaussian) question$epsilon else plan$amount,
    delta = if (gaussian) question$delta else 0, rho = if (gaussian) plan$amount else Inf
  )
}

# Probability that a normal variable with this variance plus noise exceeds t >= 0 in absolute
# value. For Laplace noise of scale b, with s the standard deviation,
#   P(N + L > t) = Q(t/s) + exp(s^2/(2 b^2)) (exp(-t/b) P(t/s - s/b) - exp(t/b) Q(t/s + s/b)) / 2,
# P the normal distribution function and Q = 1 - P (integrate the Laplace tail against the normal
# density); exponents are added before the exponential is taken.
noisy_normal_tail <- function(t, variance, kind, scale) {
  if (kind == "gaussian") {
    return(2 * stats::pnorm(t / sqrt(variance + scale^2), lower.tail = FALSE))
  }
  if (variance <= 0) return(exp(-t / scale))
  s <- sqrt(variance)
  shift <- variance / (2 * scale^2)
  near <- exp(shift - t / scale + stats::pnorm(t / s - s / scale, log.p = TRUE))
  far <- exp(shift + t / scale +
               stats::pnorm(t / s + s / scale, lower.tail = FALSE, log.p = TRUE))
  min(1, max(0, 2 * stats::pnorm(t / s, lower.tail = FALSE) + near - far))
}

# ---- tau and rho -------------------------------------------------------------------------------

variance_share <- 0.1  # of the budget
variance_risk <- 0.02  # of the level: the chance that the variance's bound fails

order_test <- function(question, source) {
  plan <- plan_noise(question)
  found <- ask_core(question, source, function(source) {
    cpp_private_order_test(
      source, question$test, question$x, question$y, question$given, plan$amount,
      plan$kind == "gaussian", variance_share, force_portable(), question$ledger,
      question$target, question$seed
    )
  })
  n <- question$schema$n
  list(
    statistic = stats::setNames(found$statistic, test_registry[[question$test]]$symbol),
    p.value = order_p_value(
      abs(found$statistic), found$variance, found$variance_limit, plan$kind, found$scale,
      found$variance_scale
    ),
    estimate = stats::setNames(found$statistic / n, question$test),
    guarantee = noise_guarantee(plan, question),
    noise = list(kind = plan$kind, scale = found$scale, `variance scale` = found$variance_scale),
    private = found$private
  )
}

# The smallest level a at which the test rejects. The test at level a bounds the variance so that
# the bound is below the truth with probability at most a r (r = variance_risk), and rejects if the
# tail at that bound is at most a (1 - r): wrongly with probability at most a in all. As a grows the
# bound falls, hence so does the tail, so the levels that reject are an interval up to 1.
order_p_value <- function(t, variance, limit, kind, scale, variance_scale) {
  rejects <- function(log_level) {
    # The noise is below -q with probability a r.
    log_risk <- log_level + log(variance_risk)
    q <- if (kind == "laplace") {
      variance_scale * max(0, -log_risk - log(2))
    } else {
      variance_scale * stats::qnorm(log_risk, lower.tail = FALSE, log.p = TRUE)
    }
    bound <- max(0, min(limit, variance + q))
    noisy_normal_tail(t, bound, kind, scale) <= exp(log_level) * (1 - variance_risk)
  }
  if (!rejects(0)) return(1)
  low <- -690
  if (rejects(low)) return(exp(low))
  high <- 0
  while (high - low > 1e-9) {
    middle <- (low + high) / 2
    if (rejects(middle)) high <- middle else low <- middle
  }
  exp(high)
}

# ---- all tests ---------------------------------------------------------------------------------

# A ledger's refusal is carried past with_source(), which words the errors of the search. The core
# debits; what fails before has cost nothing.
ask_core <- function(question, source, run) {
  refusal <- NULL
  taken <- function() cpp_ledger_state(question$budget$ledger)$steps
  before <- if (!is.null(question$budget)) taken()
  found <- with_source(source, question$call, function(source) {
    tryCatch(run(source), error = function(e) {
      if (!is_overdraft(e) && !is_ledger_file_error(e)) stop(e)
      refusal <<- e
      NULL
    })
  }, paid = !is.null(before) && taken() > before)
  if (is_ledger_file_error(refusal)) {
    abort_ledger_file(refusal, question$budget$file, question$call)
  }
  if (!is.null(refusal)) abort_overdraft(refusal, question$call, question$budget)
  found
}

# ---- the result --------------------------------------------------------------------------------

test_privacy <- function(answer, question) {
  own <- list(private = answer$private, neighbours = "replace-one")
  if (!is.null(question$schema$persons)) own$per <- "person"
  privacy <- privacy_with_breaks(c(answer$guarantee, own), question$breaks)
  privacy_with_mark(privacy, question$mark)
}

new_private_test <- function(answer, question, x, y, given, data_name, aggregate) {
  blocks <- question$blocks
  out <- list(
    independent = answer$p.value > question$alpha,
    statistic = answer$statistic, p.value = answer$p.value, alpha = question$alpha,
    estimate = answer$estimate, test = question$test, x = x, y = y,
    given = if (length(given)) given else character(), n = question$schema$n
  )
  if (!is.null(blocks)) out <- c(out, list(aggregate = aggregate, blocks = blocks))
  method <- test_method(question$test, length(given) > 0L)
  structure(c(out, list(
    privacy = test_privacy(answer, question),
    noise = answer$noise,
    method = paste("Private", sub("^Conditional", "conditional", method)),
    data.name = paste0(
      x, " and ", y, if (length(given)) paste0(" given ", paste(given, collapse = ", ")),
      " in ", data_name
    )
  )), class = c("privpc_test", "htest"))
}

# "p = 0.012", "p < 1e-12"
p_value_text <- function(p) {
  if (is.na(p)) return("no p-value")
  if (p < 1e-12) return("p < 1e-12")
  paste("p =", format(p, digits = 3))
}

# Noise may carry a count beyond what it can be.
block_count_text <- function(count, blocks) {
  possible <- min(max(count, 0), blocks)
  text <- paste(big(unname(possible)), "of", big(blocks))
  if (possible == count) return(text)
  paste0(big(unname(count)), ", that is about ", text)
}

#' @export
format.privpc_test <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, test_kinds, rlang::current_env())
  paste0(
    "<privpc_test> ", test_target(x$x, x$y, x$given), ": ",
    if (x$independent) "independent" else "dependent", " (", x$test, ", ",
    p_value_text(x$p.value), ", ", promise_text(x$privacy),
    if (!x$privacy$private) ", NOT private", ")"
  )
}

#' @export
print.privpc_test <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, test_kinds, rlang::current_env())
  number <- function(value) format(unname(value), digits = 4)
  cli::cat_line(cli::style_bold("<privpc_test>"), " ", x$method)
  unit <- if (identical(x$privacy$per, "person")) "persons" else "rows"
  cli::cat_line("Data: ", x$data.name, " (", big(x$n), " ", unit, ")")
  cli::cat_line(
    "Decision: ", if (x$independent) "independent" else "dependent", " at level ", format(x$alpha),
    ", ", p_value_text(x$p.value)
  )
  cli::cat_line(switch(names(x$statistic),
    blocks = paste0(
      "Noisy count: ", block_count_text(x$statistic, x$blocks), " blocks at or below p = 1/2"
    ),
    evidence = paste0(
      "Noisy median of ", big(x$blocks), " blocks: -2 log(p) = ",
      number(x$statistic), ", p = ", number(x$estimate)
    ),
    paste0(
      "Noisy ", names(x$statistic), ": ", number(x$statistic), " (", names(x$estimate), " about ",
      number(x$estimate), ")"
    )
  ))
  scale <- if (!is.null(x$noise$scale)) {
    paste0(if (x$noise$kind == "gaussian") ", sd " else ", scale ", number(x$noise$scale))
  }
  cli::cat_line("Noise: ", x$noise$kind, scale)
  if (x$privacy$private) {
    cli::cat_line("Private: ", promise_text(x$privacy), " (", neighbours_text(x$privacy), ")")
  } else {
    why <- if (is.null(x$privacy$why)) "seed" else x$privacy$why
    cli::cat_line(not_private_text(why), col = "red")
  }
  invisible(x)
}
