# What a mechanism gives back: the released value, how it was protected, and
# how much noise it carries. Everything in it may be published.

new_release <- function(value, mechanism, epsilon, delta, rho, seed, noise) {
  structure(
    list(
      value = value,
      mechanism = mechanism,
      privacy = list(
        epsilon = epsilon, delta = delta, rho = rho, private = is.null(seed),
        neighbours = "replace-one"
      ),
      noise = noise
    ),
    class = "privpc_release"
  )
}

#' @export
format.privpc_release <- function(x, ...) {
  check_dots_empty(...)
  promise <- if (!x$privacy$private) {
    "NOT private: the noise came from a seed and can be repeated"
  } else if (is.finite(x$privacy$rho)) {
    paste0("private: rho = ", format(x$privacy$rho, digits = 4), " (zero-concentrated)")
  } else {
    paste0(
      "private: epsilon = ", format(x$privacy$epsilon, digits = 4),
      if (x$privacy$delta > 0) paste0(", delta = ", format(x$privacy$delta, digits = 4))
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
# are looked at, and whether they are numbers at all.
check_values <- function(value, arg, call) {
  if (!is.numeric(value) || is.object(value) || length(value) == 0L) {
    abort(c(
      "{.arg {arg}} must be a vector of numbers.",
      x = if (is.numeric(value) && !is.object(value)) "It is empty." else "It is {type_of(value)}."
    ), call = call)
  }
  if (anyNA(value)) {
    abort(c(
      "{.arg {arg}} must have no missing values.",
      i = "Define the statistic so that it is a number for every data set."
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

# The C++ core's refusals (overdraft apart, which budget.R words) as errors of
# the function the user called.
with_mechanism <- function(call, run) {
  tryCatch(run, error = function(e) {
    if (inherits(e, "privpc_error")) stop(e)
    if (is_overdraft(e)) abort_overdraft(e, call)
    abort(c("The mechanism cannot be run.", x = "{conditionMessage(e)}."), call = call)
  })
}
