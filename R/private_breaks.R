#' Cut points of numeric columns, chosen privately
#'
#' Bins that hold about equally many records tell more than bins of equal width, but quantiles
#' are read off the data and must be paid for. `private_breaks()` chooses them by the
#' exponential mechanism among the points of a public grid; the result is the argument `breaks`
#' of the learners.
#'
#' @details
#' Each cut point is one choice. For the quantile q a point g of the grid gets the score
#' -|number of values at most g - q times the number of values|, which replacing one record moves
#' by at most 1. `epsilon` is divided equally among the choices of all columns. The number of
#' records by which a cut point misses its quantile is about 2 (choices / epsilon) log(points).
#'
#' **The promise.** The breaks carry their price: a learner that uses them adds it to the epsilon
#' of its fit, because the fit shows the breaks. So `epsilon = 1` for the graph and
#' `epsilon = 0.1` for the breaks is reported as 1.1. Cut points that come from the literature
#' (`breaks`) or from the range of a scale (`bounds`) are public and cost nothing; prefer them where
#' there are any.
#'
#' If many records have the same value, two choices may fall on the same point. It is then taken
#' once, and the column has fewer bins.
#'
#' Missing values are left out of the counts, and values outside the bounds count as at the end
#' they are beyond: neither is an error, so neither is told. The learners refuse missing values in
#' their turn unless `na` makes them a level.
#'
#' @inheritParams laplace_mechanism
#' @inheritParams several_records
#' @param data A data frame.
#' @param columns Names of numeric columns.
#' @param bins Number of bins, for all columns or one number for each.
#' @param epsilon The price of all cut points together.
#' @param bounds Named list: the lowest and highest possible value of each column, public. Values
#'   outside count as at the end they are beyond.
#' @param points Number of points in the public grid between the bounds. They are rounded to as many
#'   digits as it takes to tell them apart.
#' @param whole `TRUE` if the columns hold whole numbers, such as years of age: cut points are then
#'   whole numbers too (34 means: up to 34, or 35 and more), and each whole number between the
#'   bounds is a point of the grid if there are at most `points` of them. `FALSE` if not. `NULL` for
#'   `TRUE` in columns that are stored as integers; the type of a column counts as public.
#' @return A named list of breaks, of class `"privpc_breaks"`, for the argument `breaks` of the
#'   learners. The attribute `privacy` states what was promised. All of it may be published.
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *Proceedings of
#' FOCS*, 94-103.
#'
#' Smith, A. (2011). Privacy-preserving statistical estimation with optimal convergence rates.
#' *Proceedings of STOC*, 813-822.
#' @seealso [marginal_pc()], [priv_pc()]
#' @examples
#' # Incomes are skewed: of five bins of equal width, the first would hold almost everybody.
#' survey <- simulate(network("survey"), nsim = 20000, seed = 1)
#' survey$income <- round(exp(rnorm(20000, mean = 10 + 0.5 * (survey$E == "uni"), sd = 0.6)))
#' cuts <- private_breaks(
#'   survey, "income", bins = 4, epsilon = 0.1, bounds = list(income = c(0, 200000)), whole = TRUE
#' )
#' cuts
#'
#' # The fit's promise counts both prices
#' marginal_pc(survey, epsilon = 1, breaks = cuts)
#' @export
private_breaks <- function(data, columns, bins = 5, epsilon, bounds, points = 512,
                           whole = NULL, id = NULL, first_by = NULL, budget = NULL, seed = NULL,
                           ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_quoted(c("columns", "id", "first_by"), call)
  check_given(columns)
  if (!is.data.frame(data)) {
    abort(c("{.arg data} must be a data frame.", x = "It is {describe(data)}."), call = call)
  }
  check_break_columns(data, columns, bounds, call)
  bins <- check_bin_counts(bins, columns, call)
  if (missing(epsilon)) abort_not_given("epsilon", call, "the price of all cut points together.")
  check_positive(epsilon)
  epsilon <- bare_number(epsilon)
  columns <- plain_text(columns)
  check_number(points, min = 2, max = 1e5, whole = TRUE)
  if (!is.null(whole)) check_flag(whole)
  check_seed(seed, budget, call)
  persons <- read_persons(id, 1L, first_by, names(data), call)
  ledger <- check_budget(budget, call, per = unit_of_promise(persons))
  grids <- lapply(columns, function(name) {
    is_whole <- if (is.null(whole)) is.integer(data[[name]]) else whole
    break_grid(bounds[[name]], is_whole, points, name, call)
  })
  choices <- sum(bins - 1L)
  price <- cpp_equal_choices(epsilon, choices, ledger)
  if (!is.null(budget)) check_covers(budget, price, call)
  numbers <- lapply(unclass(data)[columns], function(x) x)
  if (!is.null(persons)) numbers <- one_of_each(numbers, data, persons, call)
  draw <- 0L
  seeded <- FALSE
  cuts <- lapply(stats::setNames(seq_along(columns), columns), function(i) {
    range <- bounds[[columns[[i]]]]
    grid <- grids[[i]]
    counted <- if (bins[[i]] > 1L) count_up_to(numbers[[i]], grid)
    inner <- vapply(seq_len(bins[[i]] - 1L), function(j) {
      draw <<- draw + 1L
      scores <- quantile_scores(counted, j / bins[[i]])
      chosen <- with_mechanism(call, cpp_exponential(
        scores, 1, price$each, FALSE, FALSE, ledger, paste("cut point of", columns[[i]]),
        if (!is.null(seed)) seed + draw
      ), budget)
      seeded <<- seeded || !chosen$private
      grid[[chosen$value]]
    }, 0)
    inner <- unique(sort(inner))
    c(below(range[[1L]], inner[[1L]]), inner, range[[2L]])
  })
  why <- if (seeded) "seed" else if (!is.null(mark_of(data))) "marked input"
  cuts <- Map(function(cut, bins) {
    structure(cut, paid = drop_null(list(
      epsilon = epsilon * (bins - 1L) / choices, private = is.null(why), why = why,
      per = if (!is.null(persons)) "person"
    )))
  }, cuts, bins)
  say_fewer_bins(cuts, bins)
  structure(
    cuts,
    privacy = drop_null(list(
      epsilon = epsilon, delta = 0, private = is.null(why), neighbours = "replace-one",
      per = if (!is.null(persons)) "person", why = why
    )),
    class = "privpc_breaks"
  )
}

# The columns for one record of each person. A missing number is a value like any other here.
one_of_each <- function(numbers, data, persons, call) {
  facts <- person_facts(data, persons, call)
  values <- lapply(unname(numbers), function(x) ifelse(is.na(x), Inf, as.double(x)))
  kept <- cpp_kept_records(
    vector("list", length(values)), values, facts$person, facts$ids, facts$time, 1L
  )
  lapply(numbers, `[`, which(kept == 1L))
}

# The points among which cuts are chosen. Whichever are chosen, the breaks rise: learners refuse
# others, and by then they are paid for.
break_grid <- function(range, is_whole, points, name, call) {
  # Between some bounds there are no two whole numbers.
  is_whole <- is_whole && floor(range[[2L]]) > ceiling(range[[1L]])
  grid <- if (is_whole) whole_grid(range, points) else inner_grid(range, points)
  if (all(is.finite(grid))) {
    cuts <- c(below(range[[1L]], grid[[1L]]), grid, range[[2L]])
    if (!is.unsorted(cuts, strictly = TRUE)) return(grid)
  }
  abort(c(
    "{.arg bounds} for {.var {name}} are too close to each other.",
    x = "Between them there are fewer than {points} different numbers that a computer can tell.",
    i = "Take off a common part of all values, or give fewer {.arg points}. Nothing was taken."
  ), call = call)
}

# Bins are closed on the right: the lowest value alone is the interval up to it from one below.
below <- function(lowest, first_cut) if (first_cut > lowest) lowest else lowest - 1

# Points strictly between the bounds, with no more digits than it takes to tell them apart: a cut at
# 23400 reads better than one at 23391.8. The grid is public, and so is how it is rounded.
inner_grid <- function(range, points) {
  grid <- seq(range[[1L]], range[[2L]], length.out = points + 2L)[-c(1L, points + 2L)]
  step <- (range[[2L]] - range[[1L]]) / (points + 1L)
  rounded <- round(grid, ceiling(-log10(step)))
  # Bounds that doubles can hardly tell apart.
  sound <- !anyDuplicated(rounded) && rounded[[1L]] > range[[1L]] && rounded[[points]] < range[[2L]]
  if (isTRUE(sound)) rounded else grid
}

# Whole numbers at which two whole numbers between the bounds can be told apart: all
# but the highest.
whole_grid <- function(range, points) {
  lowest <- ceiling(range[[1L]])
  highest <- floor(range[[2L]]) - 1
  unique(round(seq(lowest, highest, length.out = min(points, highest - lowest + 1))))
}

# Score of the point g for the quantile q: u(g) = -|c(g) - q m|, with c(g) the number of values
# that are at most g and m the number of values that are not missing.
#
# Sensitivity 1 under replacement of one record. Write c(g) - q m as the sum over records of
#   s(x) = 1 - q if x <= g,   -q if x > g,   0 if x is missing.
# Replacing a record changes the sum by s(x') - s(x), which lies between (-q) - (1 - q) = -1 and
# (1 - q) - (-q) = 1 because 0 <= q <= 1; the absolute value changes by no more. The candidates
# (the grid) do not depend on the data, so the exponential mechanism with sensitivity 1 is
# epsilon-differentially private (McSherry and Talwar 2007). The scores of different points move in
# different directions: it is not the monotone case.
quantile_scores <- function(counted, q) {
  -abs(counted$at_most - q * counted$known)
}

# c(g) for each point of the grid, and m. Counted once for all quantiles, and a million records at a
# time, between which R may be interrupted.
count_up_to <- function(x, grid) {
  between <- numeric(length(grid) + 1L)
  for (first in seq(1, by = 1e6, length.out = ceiling(length(x) / 1e6))) {
    let_interrupt()
    some <- x[seq(first, min(first + 1e6 - 1, length(x)))]
    some <- some[!is.na(some)]
    # Bin 1 is up to the first point, the last one is above all points.
    bins <- findInterval(some, grid, left.open = TRUE) + 1L
    between <- between + tabulate(bins, length(grid) + 1L)
  }
  list(at_most = cumsum(between)[seq_along(grid)], known = sum(between))
}

# All or nothing: a budget that covers some of the choices only is left alone.
check_covers <- function(budget, price, call) {
  cost <- price$cost
  left <- price$left
  if (cost <= left) return(invisible())
  abort(c(
    "The privacy budget does not cover these breaks.",
    x = "They cost {budget_unit(budget$delta)} = {text_up(cost)}; {text_down(left)} is left.",
    i = if (budget$delta > 0) "What is left is {enough_text(left, budget)}.",
    i = "Nothing was taken. Give them a smaller {.arg epsilon}, or ask for fewer bins."
  ), class = "privpc_overdraft", call = call)
}

check_break_columns <- function(data, columns, bounds, call) {
  if (!is.character(columns) || length(columns) == 0L || anyNA(columns) ||
        anyDuplicated(columns)) {
    abort(c(
      "{.arg columns} must be names of numeric columns, each once.",
      x = "It is {describe(columns)}."
    ), call = call)
  }
  unknown <- setdiff(columns, names(data))
  if (length(unknown)) {
    abort(c(
      "{.arg columns} names columns that {.arg data} does not have.",
      x = "Unknown: {.var {unknown}}."
    ), call = call)
  }
  for (name in columns) {
    if (column_kind(data[[name]]) == "numeric") next
    abort(c(
      "{.arg columns} must be numeric.",
      x = "Column {.var {name}} is {describe_column(data[[name]])}.",
      time_remedy(name, data[[name]])
    ), call = call)
  }
  if (missing(bounds)) {
    example <- paste0("bounds = list(", as_code(columns[[1L]]), " = c(lowest, highest))")
    abort(c(
      "{.arg bounds} must be given: between which values can the columns lie?",
      i = "For example {.code {example}}, from the questionnaire or the device, not from the data."
    ), call = call)
  }
  check_bounds(bounds, data, call)
  bare <- setdiff(columns, names(bounds))
  if (length(bare)) {
    abort(c(
      "{.arg bounds} must be given for every one of {.arg columns}.",
      x = "They are missing for {.var {bare}}."
    ), call = call)
  }
}

check_bin_counts <- function(bins, columns, call) {
  ok <- is.numeric(bins) && length(bins) %in% c(1L, length(columns)) && !anyNA(bins) &&
    all(bins >= 2 & bins <= 100 & bins == round(bins))
  if (!ok) {
    abort(c(
      "{.arg bins} must be one whole number from 2 to 100, or one for each column.",
      x = "It is {describe(bins)}."
    ), call = call)
  }
  as.integer(rep_len(bins, length(columns)))
}

say_fewer_bins <- function(cuts, bins) {
  fewer <- names(cuts)[lengths(cuts) - 1L < bins]
  if (length(fewer) == 0L) return(invisible())
  cli::cli_inform(c(
    "!" = "{cli::qty(fewer)}Column{?s} {.var {fewer}} {?has/have} fewer bins than asked for.",
    i = "Some cut points fell together, as they do where many records have the same value."
  ), class = "privpc_fewer_bins")
}

#' @export
format.privpc_breaks <- function(x, ...) {
  check_breaks_result(x, rlang::current_env())
  privacy <- attr(x, "privacy")
  price <- if (isTRUE(privacy$private)) {
    paste0("private, epsilon = ", text_up(privacy$epsilon, 7), " for all")
  } else {
    not_private_text(privacy$why)
  }
  # Each number with the digits that it needs, whatever the others need.
  cuts <- vapply(unclass(x), function(b) toString(cut_numbers(c(-Inf, b, Inf))), "")
  c(paste0("<privpc breaks> ", price), paste0("  ", names(x), ": ", cuts))
}

#' @export
print.privpc_breaks <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# Each column's cut points carry their own price, so that a part of the breaks still knows what it
# cost. Where cut points lost it, because they were changed (x[-2], sort(x)), the part of the
# whole price that is unaccounted for is theirs.
with_price <- function(breaks) {
  whole <- attr(breaks, "privacy", exact = TRUE)
  if (!inherits(breaks, "privpc_breaks") || is.null(whole)) return(breaks)
  # What is no cut points carries no price, and is refused with the other arguments.
  if (!is.list(breaks) || !all(vapply(unclass(breaks), is.numeric, NA))) return(breaks)
  has_price <- vapply(unclass(breaks), function(cuts) !is.null(attr(cuts, "paid")), NA)
  known <- vapply(unclass(breaks)[has_price], function(cuts) attr(cuts, "paid")$epsilon, 0)
  rest <- whole$epsilon - sum(known)
  if (all(has_price) || rest <= 1e-9 * whole$epsilon) return(breaks)
  for (i in which(!has_price)) {
    price <- list(epsilon = rest / sum(!has_price), private = isTRUE(whole$private))
    attr(breaks[[i]], "paid") <- price
  }
  breaks
}

# A fit believes what its cut points say of their price.
check_prices <- function(breaks, call) {
  if (!is.list(breaks)) return(invisible())
  sound <- vapply(unclass(breaks), function(cuts) {
    paid <- attr(cuts, "paid", exact = TRUE)
    is.null(paid) || (
      is.list(paid) && is.numeric(paid$epsilon) && length(paid$epsilon) == 1L &&
        is.finite(paid$epsilon) && paid$epsilon >= 0 && is.logical(paid$private) &&
        length(paid$private) == 1L && !is.na(paid$private)
    )
  }, NA)
  if (all(sound)) return(invisible())
  abort(c(
    "{.arg breaks} for {.var {names(breaks)[!sound]}} carry a damaged note of their price.",
    i = "Use them as {.fn private_breaks} made them, or without attributes: {.code as.vector()}."
  ), call = call)
}

# What a fit or a test shows depends on its breaks, so its promise includes what was promised for
# them. `privacy$rho` stays that of the rest.
privacy_with_breaks <- function(privacy, breaks) {
  if (is.null(breaks)) return(privacy)
  paid <- drop_null(lapply(unclass(breaks), attr, "paid", exact = TRUE))
  if (length(paid) == 0L || !is.null(privacy$breaks) || !is.finite(privacy$epsilon)) return(privacy)
  privacy$breaks <- sum(vapply(paid, function(price) price$epsilon, 0))
  privacy$epsilon <- privacy$epsilon + privacy$breaks
  if (!all(vapply(paid, function(price) price$private, NA)) && isTRUE(privacy$private)) {
    privacy$private <- FALSE
    from_marked <- vapply(paid, function(price) identical(price$why, "marked input"), NA)
    privacy$why <- if (any(from_marked)) "marked input" else "seeded breaks"
  }
  privacy
}

# Cut points that came from a seed make whatever is computed with them not private: no budget can
# pay for that.
check_private_breaks <- function(breaks, budget, call) {
  if (is.null(budget) || !is.list(breaks)) return(invisible())
  paid <- drop_null(lapply(unclass(breaks), attr, "paid", exact = TRUE))
  seeded <- names(paid)[!vapply(paid, function(price) isTRUE(price$private), NA)]
  if (length(seeded) == 0L) return(invisible())
  abort(c(
    "{.arg breaks} from a {.arg seed} and {.arg budget} do not go together.",
    x = paste(
      "The cut points of {.var {seeded}} were drawn with a seed, so that the result is not",
      "private, whatever it is charged."
    )
  ), call = call)
}
