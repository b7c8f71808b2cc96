# Checks of the arguments that the private learners share.

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

# NULL or a number.
check_optional_number <- function(x, arg, call, ...) {
  if (is.null(x)) return(NA_real_)
  check_number(x, arg, call = call, ...)
  as.double(x)
}

# Of the sensitivities.
uses_published_constants <- function(sensitivity, call) {
  check_choice(sensitivity, c("proven", "paper"), call = call) == "paper"
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
