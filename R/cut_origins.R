# Cut points that may have been made from the data. Quantiles, the limits of cut(x, 4), a median:
# all of them are statistics of the records, which a fit publishes without having paid for them. No
# program can know where numbers came from, but some do not look like the numbers that people
# choose: these are asked about, once. Only what is public anyway is looked at: the argument
# `breaks` and the levels of factors. Cut points of private_breaks() were paid for, those of
# `bounds` follow from the bounds.

ask_about_cuts <- function(breaks, bounds, schema) {
  if (!isTRUE(getOption("privpc.advice", TRUE))) return(invisible())
  free <- setdiff(names(breaks), names(bounds))
  cut <- free[vapply(free, function(name) looks_computed(breaks[[name]]), NA)]
  as_levels <- setdiff(schema$names, names(breaks))
  binned <- as_levels[vapply(schema$labels[match(as_levels, schema$names)], has_odd_intervals, NA)]
  names <- c(cut, binned)
  if (length(names) == 0L) return(invisible())
  example <- paste0(
    "private_breaks(data, \"", names[[1L]], "\", epsilon = 0.1, bounds = list(",
    as_code(names[[1L]]), " = c(lowest, highest)))"
  )
  warn_once(c(
    "!" = "Were the cut points of {.var {names}} chosen without looking at the data?",
    " " = paste(
      "They are not the round numbers that people choose. If they are quantiles, a median or",
      "limits of the same records, they tell about these, and the promise of the result does not",
      "cover it."
    ),
    i = paste(
      "Take cut points from the literature or the questionnaire, {.arg bounds} for bins of equal",
      "width, or pay for quantiles: {.code {example}}."
    ),
    i = "If they are public, all is well. {.code options(privpc.advice = FALSE)} asks no more."
  ), "privpc_cuts_from_data", c("cuts", names), say = cli::cli_inform)
}

# `breaks` of one column. Bins of equal width are as round as their limits.
looks_computed <- function(cuts) {
  # What private_breaks() chose, and what check_breaks() refuses.
  if (!is.numeric(cuts) || !is.null(attr(cuts, "paid", exact = TRUE))) return(FALSE)
  # The names that quantile() gives.
  if (any(grepl("^[0-9.]+%$", names(cuts)))) return(TRUE)
  numbers <- as.double(cuts[is.finite(cuts)])
  if (length(numbers) == 0L) return(FALSE)
  judged <- if (is_equally_spaced(numbers)) range(numbers) else numbers
  digits <- significant_digits(judged)
  whole <- judged == round(judged)
  # 18.5, 7.35 and the year 1964 are chosen by people; 34.25 and 23391 hardly, but one
  # of them may be.
  odd <- digits >= ifelse(whole, 5L, 4L)
  sum(odd) >= 2L || sum(odd) >= length(judged) / 2 || any(digits >= 7L & !whole)
}

# Whether the levels of a factor are intervals, as cut() writes them, with limits that look
# computed. Its labels have three digits.
has_odd_intervals <- function(levels) {
  levels <- levels[!is.na(levels)]
  if (length(levels) < 2L || !all(startsWith(levels, "(") | startsWith(levels, "["))) return(FALSE)
  number <- "(-?[0-9.]+(?:e[-+]?[0-9]+)?|-?Inf)"
  interval <- paste0("^[[(]", number, ", ?", number, "[])]$")
  parts <- regmatches(levels, regexec(interval, levels, perl = TRUE))
  if (!all(lengths(parts) == 3L)) return(FALSE)
  limits <- suppressWarnings(as.double(unlist(lapply(parts, `[`, 2:3))))
  limits <- sort(unique(limits[is.finite(limits)]))
  if (length(limits) == 0L) return(FALSE)
  if (is_stretched(limits)) return(TRUE)
  judged <- if (is_equally_spaced(limits)) range(limits) else limits
  unit <- last_unit(judged)
  last <- round(judged / unit) %% 10
  # 18.5 and 24.9, which is "below 25", are chosen by people.
  odd <- significant_digits(judged) >= 3L & judged != round(judged) & !last %in% c(5, 9)
  sum(odd) >= 2L || sum(odd) >= length(judged) / 2
}

# cut(x, 4) makes bins of equal width from the smallest to the largest value, and moves these two
# out by a thousandth of the range: 17.9, 36, 54, 72, 90.1.
is_stretched <- function(limits) {
  count <- length(limits)
  if (count < 4L || is_equally_spaced(limits)) return(FALSE)
  if (!any(significant_digits(range(limits)) >= 3L)) return(FALSE)
  # Half a unit of the third digit is what a label is off by.
  off <- 0.5 * 10^(floor(log10(pmax(abs(limits), 1e-300))) - 2)
  inner <- limits[-c(1L, count)]
  step <- (inner[[count - 2L]] - inner[[1L]]) / (count - 3L)
  step_off <- (off[[2L]] + off[[count - 1L]]) / (count - 3L)
  moved <- c(inner[[1L]] - step - limits[[1L]], limits[[count]] - step - inner[[count - 2L]])
  all(abs(diff(inner) - step) <= 2 * max(off) + step_off) && max(off) < step / 8 &&
    all(abs(moved) <= off[c(1L, count)] + off[c(2L, count - 1L)] + step_off + 0.02 * step)
}

is_equally_spaced <- function(numbers) {
  length(numbers) > 2L && diff(range(diff(numbers))) < 1e-9 * diff(range(numbers))
}

# As few as it takes to write the number.
significant_digits <- function(x) {
  vapply(x, function(number) {
    if (number == 0) return(1L)
    exact <- abs(signif(number, 1:15) - number) <= 1e-12 * abs(number)
    if (any(exact)) which(exact)[[1L]] else 16L
  }, 0L)
}

# The place of the last digit that is not 0, as in 0.1 for 17.9 and 10 for 120.
last_unit <- function(x) {
  size <- ifelse(x == 0, 0, floor(log10(abs(ifelse(x == 0, 1, x)))))
  10^(size - significant_digits(x) + 1)
}
