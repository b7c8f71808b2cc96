# What a mechanism gives back: the released value, how it was protected, and
# how much noise it carries. Everything in it may be published.

# `epsilon` and `delta` are what was asked for, NA if that was `rho`; then `at_delta` is the delta
# at which print() says what rho amounts to. `private` is what the core says of its random bits.
new_release <- function(value, mechanism, epsilon, delta, rho, private, noise, at_delta = NULL) {
  structure(
    list(
      value = value,
      mechanism = mechanism,
      privacy = drop_null(list(
        epsilon = bare_number(epsilon), delta = bare_number(delta), rho = bare_number(rho),
        private = isTRUE(private), neighbours = "replace-one", at_delta = bare_number(at_delta)
      )),
      noise = noise
    ),
    class = "privpc_release"
  )
}

# The noisy numbers in the form of the exact ones: names, dimensions, or a table.
in_form_of <- function(noisy, value) {
  # Names may have attributes of their own, which would be published with them.
  labels <- dimnames(value)
  attributes(noisy) <- drop_null(list(
    names = if (is.null(dim(value))) plain_text(names(value)),
    dim = as.vector(dim(value)),
    dimnames = if (!is.null(labels)) {
      stats::setNames(lapply(labels, plain_text), plain_text(names(labels)))
    }
  ))
  if (inherits(value, "table") && is.numeric(noisy)) class(noisy) <- "table"
  noisy
}

#' @export
format.privpc_release <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, release_kinds, rlang::current_env())
  privacy <- x$privacy
  promise <- if (!privacy$private) {
    not_private_text("seed")
  } else if (is.na(privacy$epsilon)) {
    paste("private:", rho_text(privacy$rho, privacy$at_delta))
  } else {
    paste0(
      "private: epsilon = ", text_up(privacy$epsilon),
      if (privacy$delta > 0) paste0(", delta = ", text_up(privacy$delta)),
      if (is.finite(privacy$rho)) paste0(" (rho = ", text_up(privacy$rho), ")")
    )
  }
  paste0("<privpc release> ", x$mechanism, ", ", promise)
}

#' @export
print.privpc_release <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  print(x$value)
  if (length(x$noise)) {
    shown <- paste0(names(x$noise), " ", vapply(x$noise, format, "", digits = 4))
    cat("noise: ", paste(shown, collapse = ", "), "\n", sep = "")
  }
  invisible(x)
}

# Checks that all mechanisms share. Values are data: only their type and number
# are looked at, and whether they are numbers at all. A table is numbers with names.
check_values <- function(value, arg, call, finite = TRUE) {
  check_given(value, arg, call)
  numbers <- is.numeric(value) && (!is.object(value) || inherits(value, "table"))
  if (!numbers || length(value) == 0L) {
    abort(c(
      "{.arg {arg}} must be numbers: a vector, a matrix or a table.",
      x = if (numbers) "It is empty." else "It is {type_of(value)}."
    ), call = call)
  }
  if (anyNA(value)) {
    abort(c(
      "{.arg {arg}} must have no missing values.",
      i = "Define the statistic so that it is a number for every data set."
    ), call = call)
  }
  # From a finite value an infinite one is infinitely far: no sensitivity covers both.
  if (finite && any(is.infinite(value))) {
    abort(c(
      "{.arg {arg}} must be finite numbers.",
      x = "One at least is infinite.",
      i = "Define the statistic so that it is a finite number for every data set."
    ), call = call)
  }
}

# For what may hold secrets: the type, never the value.
type_of <- function(x) {
  if (is.null(x)) return("`NULL`")
  if (is.object(x)) return(paste0("an object of class <", paste(class(x), collapse = "/"), ">"))
  paste("of type", typeof(x))
}

# A seeded release is not private, so a budget that promises privacy must not hold it.
check_seed <- function(seed, budget, call) {
  if (is.null(seed)) return(invisible())
  check_number(seed, "seed", min = -2^53, max = 2^53, whole = TRUE, call = call)
  if (!is.null(budget)) {
    abort(c(
      "{.arg seed} and {.arg budget} do not go together.",
      x = "A release with a seed is not private, whatever it is charged."
    ), call = call)
  }
}

# The C++ core's refusals (overdraft apart, which overdraft.R words) as errors of
# the function the user called.
with_mechanism <- function(call, run, budget = NULL, hint = NULL) {
  tryCatch(run, error = function(e) {
    if (inherits(e, "privpc_error") || is_time_limit(e)) stop(e)
    if (is_overdraft(e)) abort_overdraft(e, call, budget, hint)
    if (is_ledger_file_error(e)) abort_ledger_file(e, budget$file, call)
    abort(c("The mechanism cannot be run.", x = "{conditionMessage(e)}."), call = call)
  })
}
