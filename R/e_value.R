# How strong a hidden common cause would have to be to explain a risk ratio away (VanderWeele and
# Ding 2017): its risk ratio with the exposure and with the outcome.

e_value <- function(ratio) {
  ratio <- ifelse(ratio < 1, 1 / ratio, ratio)
  # The limit at infinity is not a number otherwise.
  ifelse(is.infinite(ratio), Inf, ratio + sqrt(ratio * (ratio - 1)))
}

# Of the limit of an interval that is nearer to no effect; 1 if no effect is in it.
e_value_of_interval <- function(lower, upper) {
  ifelse(lower > 1, e_value(lower), ifelse(upper < 1, e_value(upper), 1))
}

# `rows` as effect() returns them. Where the risk cannot be told from 0 (a lower limit of 0), the
# ratio is that of whatever stands for 0, and only its upper limit says something.
effect_e_values <- function(rows, mark) {
  ratios <- rows[rows$measure == "risk ratio", , drop = FALSE]
  untold <- ratios$lower == 0 & ratios$estimate < 1
  marked(data.frame(
    exposure = ratios$exposure, estimate = e_value(ifelse(untold, NA, ratios$estimate)),
    limit = e_value_of_interval(ratios$lower, ratios$upper)
  ), mark)
}

# For print(). NULL where there is no estimate to be explained away (where directions are open there
# are several), or none other than "no effect".
e_value_text <- function(values, about, risks = NULL) {
  if (is.null(values) || about$kind == "none") return(NULL)
  if (about$kind == "open") values <- values[!is.na(values$estimate), , drop = FALSE]
  if (nrow(values) == 0L) return(NULL)
  number <- function(value) vapply(signif(value, 3), format, "", scientific = FALSE)
  each <- ifelse(
    is.na(values$estimate), paste(number(values$limit), "for the nearer limit only"),
    paste0(number(values$estimate), " (nearer limit ", number(values$limit), ")")
  )
  if (nrow(values) > 1L) each <- paste(each, "for", about$exposure, "=", values$exposure)
  paste0(
    "E-value: ", paste(each, collapse = ", "),
    ". A hidden cause would need risk ratios that large with both ", about$exposure, " and ",
    about$outcome, " to explain the risk ratio away.", common_event_text(about, risks)
  )
}

# A risk of 0.8 can rise by a quarter at most: if even the lowest risk is high, ratios are near 1,
# and their E-values small, however strong the effect is. The other event is rare then.
common_event_text <- function(about, risks) {
  lowest <- suppressWarnings(min(risks$risk, na.rm = TRUE))
  if (!is.finite(lowest) || lowest <= 0.5) return(NULL)
  event <- paste0(about$outcome, level_sign(about$event), about$event)
  paste0(
    " But ", event, " is a common event, with a risk of at least ", format(signif(lowest, 2)),
    ": its risk ratio is near 1 however strong the effect is, and the E-value was made for rare ",
    "ones. Ask about the rarer one: `event = ",
    if (length(about$other_events) == 1L) quoted_name(about$other_events) else "...",
    "`, with `reference = ` for the level of ", about$exposure, " to compare with."
  )
}

quoted_name <- function(x) encodeString(x, quote = "\"")
