# Small argument checks. Each names the argument, says what was given and what
# to do; `call` is the user-facing function so that the error points there.

abort <- function(message, ..., class = NULL, call = rlang::caller_env(),
                  envir = rlang::caller_env()) {
  local_decimal_point()
  force(call)
  # What was given may be no valid text: it is shown as bytes, of which newer versions of R warn.
  withCallingHandlers(
    cli::cli_abort(
      message, ..., class = c(class, "privpc_error"), call = bare_error_call(call), .envir = envir
    ),
    warning = function(w) {
      if (grepl("unable to translate|input string", conditionMessage(w))) {
        tryInvokeRestart("muffleWarning")
      }
    }
  )
}

# An error keeps the call that it came from. Where do.call() put the records themselves in the place
# of their name, they would be saved with it: of such a call names and single values are kept.
bare_error_call <- function(call) {
  called <- if (is.environment(call)) rlang::frame_call(call) else call
  bare <- bare_call(called)
  if (identical(bare, called)) call else bare
}

bare_call <- function(x) {
  if (is.call(x)) {
    # Formals are names and calls; the source reference behind them is a whole file.
    if (identical(x[[1L]], quote(`function`))) {
      return(as.call(list(x[[1L]], x[[2L]], bare_call(x[[3L]]))))
    }
    parts <- as.list(x)
    for (i in seq_along(parts)) {
      if (!identical(parts[[i]], rlang::missing_arg())) parts[i] <- list(bare_call(parts[[i]]))
    }
    # A function in the place of its name.
    if (is.function(x[[1L]])) parts[[1L]] <- quote(fn)
    return(as.call(parts))
  }
  one_value <- is.null(x) || is.symbol(x) || (is.atomic(x) && length(x) == 1L)
  if (one_value && is.null(attributes(x))) x else quote(...)
}

# A short, safe description of a value for error messages: "a character vector",
# "`NULL`", "the number 1.5". Never prints data.
describe <- function(x) {
  if (is.null(x)) return("`NULL`")
  if (is.data.frame(x)) return("a data frame")
  if (is.matrix(x)) return(paste("a matrix of type", typeof(x)))
  if (is.atomic(x) && !is.object(x) && length(x) == 1L) {
    kind <- switch(typeof(x), character = "the string", logical = "the value", "the number")
    if (is.na(x)) return(if (is.nan(x)) "`NaN`" else "`NA`")
    return(paste(kind, if (is.character(x)) encodeString(x, quote = "\"") else format(x)))
  }
  if (is.atomic(x) && !is.object(x)) {
    article <- if (typeof(x) == "integer") "an " else "a "
    return(paste0(article, typeof(x), " vector of length ", length(x)))
  }
  if (is.function(x)) return("a function")
  if (is.list(x) && !is.object(x)) return(paste("a list of length", length(x)))
  paste0("an object of class <", paste(class(x), collapse = "/"), ">")
}

# `...` of the learners and methods must be empty: a misspelt argument is an error.
check_dots_empty <- function(..., call = rlang::caller_env()) {
  if (...length() == 0L) return(invisible())
  given <- names(list(...))
  given <- if (is.null(given)) rep("", ...length()) else given
  known <- setdiff(names(formals(sys.function(-1))), "...")
  named <- given[nzchar(given)]
  if (length(named) == 0L) {
    unnamed <- ...length()
    abort(c(
      "Arguments after the first ones must be named.",
      x = "{unnamed} unnamed argument{?s} {?was/were} given.",
      i = "Write them as {.code name = value}; known names: {.arg {known}}."
    ), call = call)
  }
  if ("neighbours" %in% named) abort_no_neighbours(call)
  nearest <- nearest_name(named[[1L]], known)
  abort(c(
    "Unknown argument{?s}: {.arg {named}}.",
    i = if (length(nearest)) "Did you mean {.arg {nearest}}?" else "Known: {.arg {known}}."
  ), call = call)
}

# The name that was probably meant: bnlearn's word for ours, or a likely misspelling.
nearest_name <- function(given, known) {
  elsewhere <- c(
    max.sx = "max_order", m.max = "max_order", B = "breaks", x = "data",
    person = "id", patient = "id", subject = "id", cluster = "id", identifier = "id"
  )
  if (!validEnc(given)) return(NULL)
  meant <- elsewhere[given]
  if (!is.na(meant) && meant %in% known) return(unname(meant))
  distance <- utils::adist(given, known, ignore.case = TRUE)
  # In a short name two letters are nearly all of it: `id` is no misspelt `na`.
  most <- max(min(2, nchar(given) %/% 2), nchar(given) / 3)
  if (length(known) && min(distance) <= most) known[which.min(distance)]
}

# For a misspelt name of a variable, the one that was probably meant. Names of one or two letters
# are too near to each other for a guess, but for their case.
nearest_variable <- function(given, known) {
  if (length(known) == 0L || !validEnc(given)) return(NULL)
  distance <- utils::adist(given, known, ignore.case = TRUE)
  if (min(distance) <= nchar(given) / 3) known[[which.min(distance)]]
}

# An argument that has no default and was not given: R's own message names it only. missing() looks
# through the functions that merely pass an argument on, so the checks below ask it of theirs.
check_given <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (missing(x)) abort_not_given(arg, call)
}

# `why` says what the argument is for, and may have further lines.
abort_not_given <- function(arg, call, why = NULL) {
  example <- usage_example(call)
  abort(c(
    paste0("{.arg {arg}} must be given", if (is.null(why)) "." else paste0(": ", why[[1L]])),
    why[-1L],
    i = if (length(example)) "For example {.code {example}}."
  ), class = "privpc_missing_argument", call = call)
}

# A whole call of the function whose frame `call` is; none for a function that is not listed.
usage_example <- function(call) {
  called <- if (is.environment(call)) rlang::frame_call(call) else call
  name <- if (is.call(called)) called[[1L]]
  if (is.call(name) && length(name) == 3L) name <- name[[3L]] # privpc::effect
  if (!is.symbol(name)) return(NULL)
  # A generic's method, by the generic's name.
  name <- sub("\\.(privpc|default).*$", "", as.character(name))
  if (!is.null(usage_examples[[name]])) usage_examples[[name]] else registered_example(name)
}

# Beside those of learners and tests, which R/registry.R has.
usage_examples <- list(
  private_test = 'private_test(data, x = "smoking", y = "cancer", epsilon = 0.5)',
  measured = 'measured(fit, c("smoking", "cancer"))',
  retest = 'retest(fit, x = "smoking", y = "cancer")',
  relearn = "relearn(fit, alpha = 0.01)",
  effect = 'effect(fit, exposure = "smoking", outcome = "cancer")',
  edge_strength = "edge_strength(fit)",
  consensus = "consensus(fit)",
  contradictions = "contradictions(fit)",
  explain = 'explain(fit, x = "smoking", y = "cancer")',
  as_network = "as_network(fit)",
  bin_like = "bin_like(data, fit)",
  report = "report(fit)",
  publish = 'publish(fit, "graph.html")',
  private_breaks =
    'private_breaks(data, "age", epsilon = 0.1, bounds = list(age = c(18, 100)))',
  privacy_budget = "privacy_budget(epsilon = 1, delta = 1e-6)",
  privacy_ledger = "privacy_ledger(fit)",
  laplace_mechanism = "laplace_mechanism(count, sensitivity = 1, epsilon = 0.5, whole = TRUE)",
  gaussian_mechanism =
    "gaussian_mechanism(counts, sensitivity = sqrt(2), epsilon = 0.5, delta = 1e-6)",
  exponential_mechanism = "exponential_mechanism(counts, sensitivity = 1, epsilon = 0.5)",
  sparse_vector = "sparse_vector(counts, threshold = 100, sensitivity = 1, epsilon = 1)",
  private_median = "private_median(values, lower = 0, upper = 10, epsilon = 1, delta = 1e-6)",
  sieve_and_examine =
    "sieve_and_examine(queries, n = 1000, threshold = 0.5, sensitivity = 0.002, epsilon = 1)",
  rho_from_dp = "rho_from_dp(epsilon = 1, delta = 1e-6)",
  dp_from_rho = "dp_from_rho(rho = 0.02, delta = 1e-6)",
  delta_from_rho = "delta_from_rho(rho = 0.02, epsilon = 1)",
  plan_study = "plan_study(n = 8000, levels = rep(2, 12), epsilon = 1)",
  random_network = "random_network(nodes = 12, degree = 2, effect = 0.2)",
  subsample_size = "subsample_size(n = 100000, epsilon = 0.5)",
  as_bn = "as_bn(fit)",
  as_bn_fit = "as_bn_fit(fit)",
  as_bn_strength = "as_bn_strength(edge_strength(fit))",
  as_dagitty = "as_dagitty(fit)",
  audit_privacy = "audit_privacy(mechanism, data1, data2, epsilon = 1)",
  kendall_threshold = "kendall_threshold(n = 10000)",
  spearman_threshold = "spearman_threshold(n = 10000)",
  error_bounds = "error_bounds(epsilon = 1, sensitivity = 1, margin = 50)",
  amplified_epsilon = "amplified_epsilon(epsilon = 1, sampled = 1000, total = 20000)",
  epsilon_before_sampling =
    "epsilon_before_sampling(epsilon = 1, sampled = 1000, total = 20000)",
  advanced_composition = "advanced_composition(epsilon = 0.1, steps = 20, slack = 1e-6)",
  compare_graphs = 'compare_graphs(fit, network("asia"))',
  network = 'network("asia")',
  read_bif = 'read_bif("network.bif")',
  read_chunks = 'read_chunks("cohort.csv")'
)

# One number or, with `several`, any number of them but none, so that a whole table or curve is one
# call; these must be finite.
check_number <- function(x, arg = rlang::caller_arg(x), min = -Inf, max = Inf,
                         min_open = FALSE, max_open = FALSE, whole = FALSE, several = FALSE,
                         call = rlang::caller_env()) {
  if (missing(x)) abort_not_given(arg, call)
  countable <- is.numeric(x) && !is.object(x) && (if (several) length(x) > 0L else length(x) == 1L)
  if (countable) {
    good <- !is.na(x) & (if (min_open) x > min else x >= min) &
      (if (max_open) x < max else x <= max)
    if (whole) good <- good & (is.infinite(x) | x == round(x))
    if (several) good <- good & is.finite(x)
    if (all(good)) return(invisible(x))
  }
  range <- paste0(
    if (min > -Inf) paste0(if (min_open) " above " else " of at least ", format(min)),
    if (min > -Inf && max < Inf) " and",
    if (max < Inf) paste0(if (max_open) " below " else " at most ", format(max))
  )
  kind <- if (several) {
    if (whole) "whole numbers" else "finite numbers"
  } else {
    if (whole) "a single whole number" else "a single number"
  }
  # Of many, the first that is wrong.
  first <- if (countable && length(x) > 1L) which(!good)[[1L]]
  given <- if (is.null(first)) {
    paste("It is", describe(x))
  } else {
    paste("Value", first, "is", describe(x[[first]]))
  }
  abort(c("{.arg {arg}} must be {kind}{range}.", x = "{given}."), call = call)
}

check_numbers <- function(x, arg = rlang::caller_arg(x), ..., call = rlang::caller_env()) {
  check_number(x, arg, ..., several = TRUE, call = call)
}

# One of `choices`; their whole vector, a function's default, stands for the first. `hint` is a line
# more, if there is one for this value. Returns the choice itself and not `x`, on which something
# may hang.
check_choice <- function(x, choices, arg = rlang::caller_arg(x), call = rlang::caller_env(),
                         hint = NULL, or_null = FALSE) {
  if (identical(x, choices)) return(choices[[1L]])
  if (rlang::is_string(x) && x %in% choices) return(choices[choices == x])
  known <- if (length(choices) == 2L) "{.or {.val {choices}}}" else "one of {.val {choices}}"
  abort(c(
    paste0("{.arg {arg}} must be ", known, if (or_null) ", or NULL", "."),
    x = "It is {describe(x)}.",
    i = if (!is.null(hint)) "{hint}"
  ), call = call)
}

# Names of the rows of a table that is made: NULL, or one each.
check_row_names <- function(x, rows, call = rlang::caller_env()) {
  if (is.null(x)) return(invisible())
  sound <- (is.character(x) || is.numeric(x)) && !is.object(x) && length(x) == rows && !anyNA(x) &&
    !anyDuplicated(x)
  if (sound) return(invisible())
  abort(c(
    "{.arg row.names} must be different names of the {rows} row{?s}, or `NULL`.",
    x = "It is {describe(x)}."
  ), call = call)
}

check_flag <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (missing(x)) abort_not_given(arg, call)
  if (is.logical(x) && length(x) == 1L && !is.na(x)) return(invisible(x))
  abort(c("{.arg {arg}} must be `TRUE` or `FALSE`.", x = "It is {describe(x)}."), call = call)
}

check_string <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (missing(x)) abort_not_given(arg, call)
  if (is.character(x) && length(x) == 1L && !is.na(x) && nzchar(x)) return(invisible(x))
  abort(c("{.arg {arg}} must be a single string.", x = "It is {describe(x)}."), call = call)
}

# Packages in Suggests: a clear message instead of a failure deep inside.
check_suggested <- function(package, purpose, call = rlang::caller_env()) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort(c(
    "Package {.pkg {package}} is needed {purpose}.",
    i = "Install it with {.code {how_to_install(package)}}."
  ), class = "privpc_missing_package", call = call)
}

# bnlearn 5 needs R 4.4; CRAN does not offer older R what it had before.
how_to_install <- function(package, r = getRversion()) {
  if (package == "bnlearn" && r < "4.4") return('remotes::install_version("bnlearn", "4.9")')
  paste0("install.packages(", encodeString(package, quote = '"'), ")")
}
