# Small argument checks. Each names the argument, says what was given and what
# to do; `call` is the user-facing function so that the error points there.

abort <- function(message, ..., class = NULL, call, envir = rlang::caller_env()) {
  cli::cli_abort(message, ..., class = c(class, "privpc_error"), call = call, .envir = envir)
}

# A short, safe description of a value for error messages: "a character vector",
# "`NULL`", "the number 1.5". Never prints data.
describe <- function(x) {
  if (is.null(x)) return("`NULL`")
  if (is.data.frame(x)) return("a data frame")
  if (is.matrix(x)) return(paste("a matrix of type", typeof(x)))
  if (is.atomic(x) && !is.object(x) && length(x) == 1L) {
    kind <- switch(typeof(x), character = "the string", logical = "the value", "the number")
    if (is.na(x)) return("`NA`")
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
  nearest <- nearest_name(named[[1L]], known)
  abort(c(
    "Unknown argument{?s}: {.arg {named}}.",
    i = if (length(nearest)) "Did you mean {.arg {nearest}}?" else "Known: {.arg {known}}."
  ), call = call)
}

# The name that was probably meant: bnlearn's word for ours, or a likely misspelling.
nearest_name <- function(given, known) {
  elsewhere <- c(max.sx = "max_order", m.max = "max_order", B = "breaks", x = "data")
  meant <- elsewhere[given]
  if (!is.na(meant) && meant %in% known) return(unname(meant))
  distance <- utils::adist(given, known, ignore.case = TRUE)
  if (length(known) && min(distance) <= max(2, nchar(given) / 3)) known[which.min(distance)]
}

check_number <- function(x, arg = rlang::caller_arg(x), min = -Inf, max = Inf,
                         min_open = FALSE, max_open = FALSE, whole = FALSE,
                         call = rlang::caller_env()) {
  ok <- is.numeric(x) && !is.object(x) && length(x) == 1L && !is.na(x)
  ok <- ok && (if (min_open) x > min else x >= min) && (if (max_open) x < max else x <= max)
  ok <- ok && (!whole || is.infinite(x) || x == round(x))
  if (ok) return(invisible(x))
  range <- paste0(
    if (min > -Inf) paste0(if (min_open) " above " else " of at least ", format(min)),
    if (min > -Inf && max < Inf) " and",
    if (max < Inf) paste0(if (max_open) " below " else " at most ", format(max))
  )
  kind <- if (whole) "a single whole number" else "a single number"
  abort(c(
    "{.arg {arg}} must be {kind}{range}.",
    x = "It is {describe(x)}."
  ), call = call)
}

check_flag <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (is.logical(x) && length(x) == 1L && !is.na(x)) return(invisible(x))
  abort(c("{.arg {arg}} must be `TRUE` or `FALSE`.", x = "It is {describe(x)}."), call = call)
}

check_string <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (is.character(x) && length(x) == 1L && !is.na(x) && nzchar(x)) return(invisible(x))
  abort(c("{.arg {arg}} must be a single string.", x = "It is {describe(x)}."), call = call)
}

# Packages in Suggests: a clear message instead of a failure deep inside.
check_suggested <- function(package, purpose, call = rlang::caller_env()) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort(c(
    "Package {.pkg {package}} is needed {purpose}.",
    i = "Install it with {.code install.packages({encodeString(package, quote = '\"')})}."
  ), class = "privpc_missing_package", call = call)
}
