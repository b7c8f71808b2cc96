# Results that are data frames, or are mostly one, looked at before they are printed or drawn.

# A data frame that has these columns, each of the kind that its function asks for.
has_columns <- function(x, kinds) is_frame(x) && is.null(first_unsound(unclass(x), kinds))

# Where a frame has lost what makes it a result of ours, it is printed like any other: but only if
# it is one.
check_printable <- function(x, call, arg = "x") {
  if (is.list(unclass(x)) && is_frame(x)) return(invisible())
  abort_damaged_result("Its columns are not those of a data frame.", arg, call)
}

# `of_frame`: the kinds of the attributes that hang on it.
check_frame <- function(x, columns, of_frame, call, arg = "x") {
  wrong <- if (is_frame(x)) first_unsound(unclass(x), columns) else "names"
  if (!is.null(wrong)) {
    abort_damaged_part("column", wrong, arg, call)
  }
  wrong <- first_unsound(attributes(x), of_frame)
  if (!is.null(wrong)) {
    abort_damaged_part("attribute", wrong, arg, call)
  }
}

# ---- strengths ---------------------------------------------------------------------------------

# Enough of a strength to draw it; some rows may have been left out.
drawn_strength_columns <- list(
  from = are_texts, to = are_texts,
  strength = function(x) are_numbers(x) && all(is.na(x) | (x >= 0 & x <= 1)),
  required = or_none(function(x) is.logical(x))
)

check_whole_strength <- function(x, call, arg = "x") {
  nodes <- attr(x, "nodes")
  if (are_names(nodes) && is_whole_strength(x, nodes)) return(invisible())
  abort_damaged_result("It is not what {.fn edge_strength} returned.", arg, call)
}

# ---- effects -----------------------------------------------------------------------------------

effect_columns <- list(
  exposure = are_texts, measure = are_texts, estimate = are_numbers, lower = are_numbers,
  upper = are_numbers
)

effect_about_kinds <- list(
  kind = function(x) rlang::is_string(x, c("given", "none", "open", "uncertain")),
  exposure = is_text, outcome = is_text, event = is_text, reference = is_text,
  adjusted = or_none(are_texts), used = or_none(are_texts), binned = or_none(are_texts),
  other_events = or_none(are_texts), unclear = or_none(are_texts),
  interactions = or_none(is_flag), hidden = or_none(is_flag), weakest = or_none(function(x) {
    is.atomic(x) && length(x) == 1L && (is.na(x) || is_number(x))
  })
)

effect_attributes <- list(
  level = function(x) is_number(x, 0, 1),
  about = function(x) {
    is.list(x) && is.null(first_unsound(x, effect_about_kinds)) &&
      (x$kind != "uncertain" || is.null(first_unsound(x, list(
        graphs = is_number, no_path = is_number, reversed = is_number
      ))))
  },
  possible = or_none(function(x) {
    has_columns(x, list(
      adjusted = are_texts, exposure = are_texts, measure = are_texts, estimate = are_numbers
    ))
  }),
  e_value = or_none(function(x) {
    has_columns(x, list(exposure = are_texts, estimate = are_numbers, limit = are_numbers))
  }),
  risks = or_none(function(x) has_columns(x, list(exposure = are_texts, risk = are_numbers)))
)

check_effect <- function(x, call) {
  check_frame(x, effect_columns, effect_attributes, call)
  possible <- attr(x, "possible")
  known <- paste(possible$exposure, possible$measure, sep = "\r")
  if (!is.null(possible) && !all(paste(x$exposure, x$measure, sep = "\r") %in% known)) {
    abort_damaged_part("attribute", "possible", "x", call)
  }
}

# ---- evaluations -------------------------------------------------------------------------------

evaluation_kinds <- c(
  lapply(evaluation_columns[evaluation_columns != "character"], function(type) are_numbers),
  list(network = are_texts, learner = are_texts, problem = is.character)
)
evaluation_kinds$epsilon <- function(x) are_known_numbers(x) && all(x > 0)
evaluation_kinds$n <- function(x) are_known_numbers(x) && all(x >= 1)
evaluation_kinds$seconds <- are_amounts

evaluation_summary_kinds <- list(
  scores = or_none(function(x) {
    has_columns(x, c(
      evaluation_kinds[c("network", "learner", "epsilon", "n")],
      stats::setNames(rep(list(are_numbers), 6L), c(
        "skeleton_f1", "skeleton_f1_sd", "cpdag_f1", "cpdag_f1_sd", "shd", "shd_sd"
      ))
    ))
  }),
  times = or_none(function(x) {
    has_columns(x, evaluation_kinds[c("network", "learner", "n", "seconds")])
  })
)

# ---- plans -------------------------------------------------------------------------------------

plan_columns <- list(
  n = function(x) are_known_numbers(x) && all(x >= 2 & x <= core_limits$max_rows),
  epsilon = function(x) are_known_numbers(x) && all(x > 0 & x <= 1e6),
  delta = function(x) are_amounts(x) && !anyNA(x) && all(x < 1),
  effect = function(x) are_known_numbers(x) && all(x > 0), odds_ratio = are_amounts,
  without_noise = function(x) are_known_numbers(x) && all(x > 0)
)
plan_needed_columns <- list(n_needed = are_amounts, epsilon_needed = are_amounts)
plan_score_columns <- stats::setNames(rep(list(are_numbers), 6L), c(
  "skeleton_f1", "skeleton_se", "cpdag_f1", "cpdag_se", "stability", "stability_se"
))

are_level_counts <- function(x) {
  are_known_numbers(x) && length(x) >= 2L && all(x >= 1 & x <= core_limits$max_rows & x == round(x))
}

is_plan_design <- function(x) {
  share <- function(x) is_number(x, 0, 1)
  is_record(x) && is.null(first_unsound(x, list(
    levels = are_level_counts, delta = or_none(share), rules = function(x) {
      is_record(x) && are_rules(x) && rlang::is_string(x$search, graph_searches)
    },
    for_families = function(x) share(x) && x < 1, add_remove = is_flag,
    evenness = function(x) share(x) && x > 0
  )))
}

plan_kinds <- list(
  table = function(x) has_columns(x, plan_columns) && nrow(x) > 0L,
  levels = are_level_counts, design = is_plan_design,
  prevalence = function(x) are_known_numbers(x) && length(x) == 2L && all(x > 0 & x < 1),
  target = or_none(function(x) is_number(x, 0) && x > 0),
  asked_ratio = or_none(function(x) is_number(x, 0)),
  neighbours = function(x) rlang::is_string(x, neighbour_kinds),
  given = function(x) are_flags(x) && all(c("n", "epsilon") %in% names(x)),
  network = or_none(is_text), runs = or_none(function(x) is_number(x, 0))
)

check_plan <- function(x, call, arg = "x") {
  check_result(x, plan_kinds, call, arg)
  parts <- unclass(x)
  more <- c(
    if (!is.null(parts$target)) plan_needed_columns,
    if (!is.null(parts$network)) plan_score_columns
  )
  if (has_columns(parts$table, more) && (is.null(parts$network) || !is.null(parts$runs)) &&
        identical(unname(parts$design$levels)[order(parts$design$levels)],
                  unname(parts$levels)[order(parts$levels)])) {
    return(invisible())
  }
  abort_damaged_part("element", "table", arg, call)
}

# ---- differences between sites -----------------------------------------------------------------

heterogeneity_columns <- list(
  kind = are_texts, x = are_texts, y = is.character, p.value = are_numbers,
  p.adjusted = are_numbers
)

# ---- records in parts --------------------------------------------------------------------------

chunk_kinds <- list(
  # Called without arguments, for each pass.
  begin = function(x) {
    is.function(x) && !any(vapply(formals(x), identical, NA, rlang::missing_arg()))
  },
  columns = function(x) are_names(x), file = or_none(is_text), dec = is_text
)

# ---- breaks ------------------------------------------------------------------------------------

# As private_breaks() returns them; what they say of their price is read with care elsewhere.
check_breaks_result <- function(x, call) {
  cuts <- unclass(x)
  sound <- is.list(cuts) && (length(cuts) == 0L || are_names(names(cuts))) &&
    all(vapply(cuts, function(b) is.numeric(b) && is.null(dim(b)), NA))
  if (!sound) abort_damaged_result("Its cut points are not numbers by name.", "x", call)
  privacy <- attr(x, "privacy", exact = TRUE)
  promised <- is_record(privacy) && (
    isFALSE(privacy$private) || (is_flag(privacy$private) && is_number(privacy$epsilon, 0))
  )
  if (!is.null(privacy) && !promised) {
    abort_damaged_part("attribute", "privacy", "x", call)
  }
}
