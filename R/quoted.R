# Names of variables and levels are texts. Given without quotes R looks for an object of that name,
# and its own error has no word on quotes.

# `args` are arguments of the function whose frame `call` is. What else is wrong with them is found
# by others.
check_quoted <- function(args, call) {
  for (arg in args) {
    if (eval(call("missing", as.name(arg)), call)) next
    given <- do.call(substitute, list(as.name(arg), call))
    words <- unquoted(given)
    words <- words[nzchar(words)]
    if (length(words) == 0L) next
    withCallingHandlers(get(arg, envir = call), error = function(e) {
      absent <- which_is_absent(words, e)
      if (length(absent)) abort_unquoted(arg, given, absent[[1L]], call)
    })
  }
}

# R's own error has no class, but it speaks the user's language.
which_is_absent <- function(words, e) {
  words[gettextf("object '%s' not found", words, domain = "R") == conditionMessage(e)]
}

# The words in `smoke` or `c(smoke, "lung")` that stand without quotes, and "" for the others.
unquoted <- function(expression) {
  if (is.symbol(expression)) return(as.character(expression))
  if (!is.call(expression) || !identical(expression[[1L]], quote(c))) return("")
  parts <- as.list(expression)[-1L]
  # Not handed to a function: one of them may be empty, as in c(smoke, ).
  vapply(seq_along(parts), function(i) {
    if (is.symbol(parts[[i]])) as.character(parts[[i]]) else ""
  }, "")
}

abort_unquoted <- function(arg, given, absent, call) {
  words <- unquoted(given)
  if (is.symbol(given)) {
    given <- words
  } else {
    given[1L + which(nzchar(words))] <- words[nzchar(words)]
  }
  mended <- paste(arg, "=", paste(deparse(given, 500L), collapse = " "))
  abort(c(
    "Names in {.arg {arg}} must stand in quotes.",
    x = "There is no object {.code {absent}}.",
    i = "Write {.code {mended}}."
  ), class = "privpc_unquoted", call = call)
}
