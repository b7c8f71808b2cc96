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
  abort_damaged_result(damage, arg, call)
}

abort_damaged_result <- function(damage, arg, call) {
  abort(c(
    "{.arg {arg}} is damaged.", x = damage,
    i = "Results are not meant to be changed by hand: use it as it was made."
  ), class = "privpc_damaged", call = call)
}

abort_damaged_part <- function(kind, name, arg, call) {
  abort_damaged_result(paste0("Its ", kind, " {.field ", name, "} is not what it was."), arg, call)
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

# ---- audits and single tests -------------------------------------------------------------------

audit_kinds <- list(
  claim = function(x) is_record(x) && is_number(x$epsilon, 0) && is_number(x$delta, 0, 1),
  lower_bound = function(x) is_number(x, 0), violated = is_flag, verdict = is_text,
  event = are_texts,
  counts = function(x) {
    has_columns(x, list(
      data = are_texts, runs = are_known_numbers, hits = are_known_numbers,
      share = are_known_numbers
    )) && nrow(x) == 2L
  },
  largest_bound = function(x) is_number(x, 0), runs = function(x) is_number(x, 0),
  confidence = function(x) is_number(x, 0, 1)
)

retest_kinds <- list(
  statistic = is_any_number, parameter = is_any_number,
  p.value = function(x) is_any_number(x) && (is.na(x) || (x >= 0 && x <= 1)),
  estimate = is_any_number, evidence = is_any_number, noise = or_none(is_any_number),
  largest = or_none(is_any_number), method = is_text, prior = or_none(function(x) is_number(x, 0)),
  data.name = is_text
)

contradiction_kinds <- list(
  pairs = function(x) {
    has_columns(x, list(
      x = are_texts, y = are_texts, effect = are_numbers, p.value = are_numbers,
      carried = are_known_numbers, forbidden = are_flags, largest = are_known_numbers
    ))
  },
  determined = function(x) {
    has_columns(x, list(
      variable = are_texts, by = function(x) is.list(x) && all(vapply(x, are_texts, NA)),
      share_left = are_numbers
    ))
  }
)

# ---- explanations ------------------------------------------------------------------------------

# What is known of an effect, with its interval and tests.
reading_kinds <- list(
  phi = is_any_number, lower = is_any_number, upper = is_any_number, estimate = is_any_number,
  p.value = function(x) is_any_number(x) && (is.na(x) || (x >= 0 && x <= 1)),
  evidence = is_any_number, prior = function(x) is_number(x, 0)
)

is_reading <- function(x, more = list()) {
  is_record(x) && is.null(first_unsound(x, c(reading_kinds, more)))
}

explanation_kinds <- list(
  x = is_text, y = is_text, edge = function(x) rlang::is_string(x, c("", "->", "<-", "--")),
  reason = is_text,
  measured = or_none(function(x) {
    is_reading(x, list(
      tables = function(x) is.list(x) && all(vapply(x, are_texts, NA)), se = is_any_number
    ))
  }),
  # A learner that keeps no tables knows the set only.
  separated = or_none(function(x) {
    is_record(x) && are_texts(x$given) && (length(x) == 1L || is_reading(x))
  }),
  nearest = or_none(function(x) is_reading(x, list(given = are_texts))),
  uncovered = or_none(function(x) is_reading(x, list(given = is_text))),
  power = or_none(function(x) {
    is_record(x) && is_number(x$least, 0) && or_none(function(x) is_number(x, 0))(x$least_here) &&
      (is.null(x$rows) || is.null(first_unsound(x, list(
        rows = is_number, is_limit = is_flag, effect = is_number,
        epsilon = function(x) is_number(x, 0)
      ))))
  }),
  knowledge = function(x) {
    is_record(x) && are_texts(x$required) && are_texts(x$forbidden) && (is.null(x$tiers) || (
      are_known_numbers(x$tiers) && length(x$tiers) == 2L && !is.null(names(x$tiers))
    ))
  },
  direction = or_none(function(x) {
    is_record(x) && is_text(x$rule) && are_texts(x$by) &&
      (length(x$by) == 2L || !x$rule %in% c("meek 3", "meek 4"))
  }),
  contradictions = or_none(function(x) {
    is.list(x) && is_record(unclass(x)) && is.null(first_unsound(unclass(x), contradiction_kinds))
  }),
  tried = or_none(function(x) has_columns(x, list(setting = are_texts, edge = are_texts))),
  strength = or_none(are_known_numbers),
  about = function(x) is_record(x) && is.null(first_unsound(x, about_kinds))
)

# Of the fit that the question was about.
about_kinds <- list(
  learner = is_text, search = or_none(is_text), n = or_none(is_any_number), unit = is_text,
  noisy_n = is_flag, epsilon = is_any_number, has_tables = is_flag, selects = is_flag,
  consensus = or_none(function(x) is_agreement(x)), constant = or_none(are_texts)
)

check_explanation <- function(x, call) {
  check_result(x, explanation_kinds, call)
  parts <- unclass(x)
  missing <- c(
    direction = nzchar(parts$edge) && is.null(parts$direction),
    strength = parts$reason == "consensus" && length(parts$strength) != 1L,
    about = (parts$reason == "consensus" && is.null(parts$about$consensus)) ||
      (parts$about$has_tables && is.null(element_of(parts$about, "n"))),
    knowledge = !is.null(parts$knowledge$tiers) &&
      !setequal(names(parts$knowledge$tiers), c(parts$x, parts$y))
  )
  if (!any(missing)) return(invisible())
  wrong <- names(missing)[missing][[1L]]
  abort_damaged_part("element", wrong, "x", call)
}
