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

# `rows` as effect() returns them.
effect_e_values <- function(rows, mark) {
  ratios <- rows[rows$measure == "risk ratio", , drop = FALSE]
  marked(data.frame(
    exposure = ratios$exposure, estimate = e_value(ratios$estimate),
    limit = e_value_of_interval(ratios$lower, ratios$upper)
  ), mark)
}

# For print(). NULL where there is no estimate to be explained away, or none other than "no effect".
e_value_text <- function(values, about) {
  if (is.null(values) || about$kind == "none") return(NULL)
  values <- values[!is.na(values$estimate), , drop = FALSE]
  if (nrow(values) == 0L) return(NULL)
  number <- function(value) vapply(signif(value, 3), format, "", scientific = FALSE)
  each <- paste0(number(values$estimate), " (nearer limit ", number(values$limit), ")")
  if (nrow(values) > 1L) each <- paste(each, "for", about$exposure, "=", values$exposure)
  paste0(
    "E-value: ", paste(each, collapse = ", "), ". A hidden cause would need risk ratios that large ",
    "with both ", about$exposure, " and ", about$outcome, " to explain the risk ratio away."
  )
}
