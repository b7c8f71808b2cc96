# Results that are printed, and may have been edited: elements are looked at by name,
# as in R/sound.R.

# A list of one class, whose elements are looked at by name.
check_result <- function(x, kinds, call, arg = "x") {
  damage <- if (!is.list(x) || !is_record(unclass(x))) {
    "Its elements do not have names of their own."
  } else if (!is.null(wrong <- first_unsound(unclass(x), kinds))) {
    paste0("Its element {.field ", wrong, "} is not what it was.")
  }
  if (is.null(damage)) return(invisible())
  abort(c(
    "{.arg {arg}} is damaged.", x = damage,
    i = "Results are not meant to be changed by hand: use it as it was made."
  ), class = "privpc_damaged", call = call)
}

# What a single release says of its promise.
is_release_privacy <- function(x) {
  number <- function(x) is.numeric(x) && length(x) == 1L
  is_record(x) && number(x$epsilon) && number(x$delta) && number(x$rho) && is_flag(x$private) &&
    rlang::is_string(x$neighbours, neighbour_kinds) && (is.null(x$per) || is_text(x$per)) &&
    (is.null(x$why) || is_text(x$why) || is.na(x$why)) &&
    (is.null(x$at_delta) || is_number(x$at_delta, 0, 1))
}

is_named_number <- function(x) {
  is.numeric(x) && length(x) == 1L && !is.null(names(x)) && is_text(names(x))
}

test_kinds <- list(
  independent = is_flag, statistic = is_named_number,
  p.value = function(x) is.numeric(x) && length(x) == 1L && (is.na(x) || (x >= 0 && x <= 1)),
  alpha = function(x) is_number(x, 0, 1), estimate = is_named_number,
  test = function(x) rlang::is_string(x, names(test_registry)), x = is_text, y = is_text,
  given = function(x) is.character(x) && !anyNA(x), n = is_count, blocks = or_none(is_count),
  privacy = function(x) {
    is_release_privacy(x) && is_number(x$epsilon, 0) && is_number(x$delta, 0, 1)
  },
  noise = function(x) {
    is_record(x) && is_text(x$kind) && (is.null(x$scale) || is_number(x$scale, 0))
  },
  method = is_text, data.name = is_text
)

release_kinds <- list(
  mechanism = is_text, privacy = is_release_privacy, noise = function(x) is.null(x) || is_record(x)
)
