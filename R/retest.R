#' Test a hypothesis on the measurements of a fit
#'
#' A conditional independence test that uses what [marginal_pc()] measured and knows how
#' noisy it is. It costs no budget and can be repeated for any hypothesis, also
#' one that came up after seeing the graph (then with the usual caution about
#' p-values).
#'
#' The statistic compares the pooled covariance of `x` and `y` within the strata of `given`
#' (as a generalised Cochran-Mantel-Haenszel test) with its sampling variance *plus* the
#' variance of the noise. Without conditions it weighs the contrasts by how much
#' effect the margins leave room for; its null distribution is a weighted sum of
#' chi-squares. Where `x` or `y` is ordered, trends along its levels are tested as well: the
#' p-value is then twice the smaller of the two (1 at most), and `evidence` that of either
#' kind of effect. A large p-value may only mean that the noise hides the effect. `evidence` tells
#' the two apart: it is the log Bayes factor of an effect of size `prior` against no
#' effect, negative if the tables speak for independence, and near 0 if they say
#' nothing.
#'
#' A small p-value and evidence near or below 0 can come together, with many rows above all. They
#' answer different questions: whether the effect is none, and whether none or an effect of size
#' `prior` is the better description. Then there is an effect that is much smaller than `prior`, and
#' printing says so; a smaller `prior` asks about such effects.
#'
#' With two or three conditions the test needs tables of `x` and of `y` with several
#' conditions at once. Where these were not measured it allows for the main effects of the
#' conditions only. What is left may then come from their interactions: there is no
#' p-value, and a message says so.
#'
#' @param fit A fit of [marginal_pc()].
#' @param x,y Names of two variables.
#' @param given Names of up to three further variables, or `NULL`.
#' @param prior Size of a typical effect (phi squared); the fit's by default.
#' @param ... Must be empty.
#' @return A list of class `"privpc_retest"`, which is also an `"htest"`: `statistic`, `parameter`
#'   (degrees of freedom), `p.value`, `estimate` (the effect: Pearson's phi squared, within strata
#'   if there are conditions, less what noise and sampling alone would give; may be negative, and
#'   above 1 with more than two levels), `evidence`, the `prior` that it compares with, `noise`,
#'   what was taken off the effect, and `largest`, the most that the effect can be with so many
#'   levels. Printing it says what the evidence means: below 1 (either way) it is called little, up
#'   to 3 some, up to 5 strong, above very strong, as Kass and Raftery (1995) do. A test on a fit
#'   that is not private has the further element `privacy`, which says so.
#' @references
#' Kass, R. E. and Raftery, A. E. (1995). Bayes factors. *Journal of the American Statistical
#' Association* 90, 773-795.
#' @examples
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#'
#' # Smoking and the X-ray depend on each other ...
#' retest(fit, "smoke", "xray")
#'
#' # ... but not given lung cancer.
#' test <- retest(fit, "smoke", "xray", given = "lung")
#' test
#' test$evidence
#' @export
retest <- function(fit, x, y, given = NULL, prior = fit$settings$prior, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  name <- rlang::caller_arg(fit)
  fit <- fit_behind(fit, call)
  held <- check_measurements(fit, call)
  check_quoted(c("x", "y", "given"), call)
  check_string(x)
  check_string(y)
  if (!is.null(given) && (!is.character(given) || anyNA(given) || length(given) > 3L)) {
    abort(c(
      "{.arg given} must be the names of at most three variables, or `NULL`.",
      x = "It is {describe(given)}."
    ), call = call)
  }
  check_known_variables(
    c(x, y, given), held$nodes, call, "{.arg x}, {.arg y} and {.arg given}"
  )
  check_number(prior, min = 0, max = 100, min_open = TRUE)
  found <- read_pair(held, x, y, given, prior, call)
  if (is.null(found)) abort_not_testable(c(x, y, given), held, call)
  if (!found$complete) {
    found$p.value <- NA_real_
    say_main_effects_only()
  }
  out <- structure(
    list(
      statistic = c(Q = found$statistic), parameter = c(df = found$df), p.value = found$p.value,
      estimate = c(effect = found$effect), evidence = found$evidence, noise = found$effect_noise,
      largest = largest_effect(held, x, y),
      method = paste0(
        "Noise-aware test of conditional independence",
        if (!found$complete) " (main effects of the conditions only)"
      ),
      prior = prior,
      data.name = paste0(
        x, " and ", y, if (length(given)) paste0(" given ", paste(given, collapse = ", ")),
        " in ", name
      )
    ),
    class = c("privpc_retest", "htest")
  )
  marked(out, mark_of(fit))
}

# The core's reading of a pair; NULL where the tables for it were not measured.
read_pair <- function(held, x, y, given, prior, call) {
  at <- function(names) as.integer(match(names, held$nodes))
  with_mechanism(call, cpp_retest(
    lengths(held$levels), ordered_nodes(held), held$n, held$tables, at(x), at(y), at(given), prior
  ))
}

#' @export
print.privpc_retest <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, retest_kinds, rlang::current_env())
  number <- function(value) format(unname(value), digits = 3)
  cli::cat_line(cli::style_bold("<privpc_retest>"), " ", x$method)
  cli::cat_line("Data: ", x$data.name)
  cli::cat_line(
    p_value_text(x$p.value), " (Q = ", number(x$statistic), ", df = ",
    number(x$parameter), ")"
  )
  if (isTRUE(x$noise > x$largest)) {
    cat_wrapped(paste0(
      "Effect (phi squared): cannot be told. Noise and sampling alone give ", number(x$noise),
      ", because a level is rare, and no table of two such variables has more than ",
      number(x$largest), "."
    ))
  } else {
    cli::cat_line(
      "Effect (phi squared): ", number(x$estimate),
      if (isTRUE(x$largest > 1)) paste(" of at most", number(x$largest)), ", after taking off ",
      number(x$noise), " for noise and sampling"
    )
  }
  cli::cat_line("Evidence: ", number(x$evidence), ", ", evidence_of(x))
  if (is_small_effect(x)) cat_wrapped(small_effect_text(x))
  if (is.null(mark_of(x))) {
    cli::cat_line("Computed from what was measured: it costs no budget.")
  }
  cat_mark(x)
  invisible(x)
}

# Whether there is an effect, but one that is small against the one that evidence compares with: the
# p-value is small and the evidence does not speak for dependence. The two answer different
# questions (Lindley's paradox): is it none, and is it rather none than of that size?
is_small_effect <- function(x) {
  !is.null(x$prior) && isTRUE(x$p.value < 0.05) && isTRUE(x$evidence < 1) &&
    isTRUE(x$estimate < x$prior)
}

small_effect_text <- function(x) {
  smaller <- max(unname(x$estimate), x$noise)
  paste0(
    "A small p-value beside this evidence means a small effect: too large for none, too small for ",
    "one of about ", format(x$prior, digits = 3), ". With `prior = ",
    format(signif(smaller, 1), scientific = FALSE), "` it is compared with a smaller one."
  )
}

# In words, with what it compares: against a large effect a small one looks like none. `size` says
# how large that one is.
evidence_of <- function(x, size = paste("an effect of about", format(x$prior, digits = 3))) {
  text <- evidence_text(x$evidence)
  if (is.null(x$prior) || is.na(x$evidence) || x$evidence >= 1) return(text)
  if (x$evidence <= -1) return(paste(text, "rather than", size))
  # Noise hides nothing where the p-value is small.
  if (is_small_effect(x)) paste("hardly any either way between none and", size) else text
}

# A log Bayes factor in words, with the scale of Kass and Raftery (1995), who use
# twice the logarithm.
evidence_text <- function(evidence) {
  if (is.na(evidence)) return("not known")
  side <- if (evidence > 0) "dependence" else "independence"
  size <- abs(evidence)
  if (size < 1) return("hardly any either way: the noise may hide the answer")
  strength <- if (size < 3) "some" else if (size < 5) "strong" else "very strong"
  odds <- if (size > log(1e6)) {
    "over a million"
  } else {
    format(signif(exp(size), 2), scientific = FALSE)
  }
  paste0(strength, " evidence for ", side, " (", odds, " to 1)")
}

abort_not_testable <- function(used, held, call) {
  constant <- used[lengths(held$levels)[match(used, held$nodes)] == 1L]
  abort(c(
    "This test needs tables that were not measured.",
    x = if (length(constant)) "{.val {constant}} {?has/have} one level only.",
    i = if (!length(constant)) {
      paste(
        "Pairs that background knowledge forbids or requires are not measured, nor, of many",
        "variables, pairs that were not selected, nor conditions with more than",
        "{core_limits$most_conditioning_cells} cells."
      )
    }
  ), call = call)
}

say_main_effects_only <- function() {
  cli::cli_inform(c(
    "!" = paste(
      "Not all interactions of the conditions were measured: the test allows for their main",
      "effects only."
    ),
    i = paste(
      "What is left may be due to those interactions, so there is no p-value. Evidence for",
      "independence still counts."
    )
  ), class = "privpc_main_effects")
}
