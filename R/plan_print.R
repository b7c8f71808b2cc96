# What a plan says in words. Effects, records and epsilons that are needed are rounded up: what is
# said to be enough is enough.

#' @export
format.privpc_plan <- function(x, ...) {
  check_dots_empty(...)
  check_plan(x, rlang::current_env())
  c(
    plan_title(x), plan_facts(x), "", plan_effect_lines(x),
    if (!is.null(x$target)) c("", plan_needed_lines(x)),
    if (!is.null(x$network)) c("", plan_study_lines(x))
  )
}

#' @export
print.privpc_plan <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  cat_mark(x)
  invisible(x)
}

#' @export
as.data.frame.privpc_plan <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  check_dots_empty(...)
  check_plan(x, rlang::current_env())
  table <- x$table
  check_row_names(row.names, nrow(table))
  if (!is.null(row.names)) row.names(table) <- row.names
  marked(table, mark_of(x))
}

plan_title <- function(x) {
  if (length(unique(x$table$n)) == 1L) {
    return(paste("What can", big(x$table$n[[1L]]), "records show?"))
  }
  "How large must the study be?"
}

plan_facts <- function(x) {
  levels <- unique(range(x$levels))
  deltas <- unique(x$table$delta)
  wrapped(paste0(
    length(x$levels), " variables with ", paste(levels, collapse = " to "), " levels; delta = ",
    if (length(deltas) == 1L) text_up(deltas) else "1e-06, or 1/(10 n) from 100,000 records on",
    if (is_add_remove(x$neighbours)) "; add-remove neighbours", ". From public facts, at no cost."
  ))
}

# A number and its per cent sign stay together.
wrapped <- function(text) {
  glued <- gsub(" %", "_%", text, fixed = TRUE)
  gsub("_%", " %", strwrap(glued, width = cli::console_width()), fixed = TRUE)
}

# A data frame of texts as lines, every column as wide as it must be.
text_table <- function(columns) {
  lines <- Map(function(name, text) formatC(c(name, text), width = max(nchar(c(name, text)))),
               names(columns), columns)
  paste0("  ", do.call(paste, c(unname(lines), sep = "  ")))
}

# One line per row of the plan; where both records and epsilon vary, a table of each effect with a
# column for every epsilon.
plan_effect_lines <- function(x) {
  table <- x$table
  ratio <- has_odds_ratio(x$levels)
  lines <- if (length(unique(table$n)) > 1L && length(unique(table$epsilon)) > 1L) {
    c(
      wide_table(table, visible_phi_text(table$effect), visible_phi_text(table$without_noise)),
      if (ratio) c("As odds ratios:", wide_table(
        table, ratio_text(table$odds_ratio, table$effect),
        ratio_text(odds_ratio_from_phi(table$without_noise, x$prevalence), table$without_noise)
      ))
    )
  } else {
    text_table(drop_null(list(
      records = big_numbers(table$n), epsilon = number_text(table$epsilon),
      effect = visible_phi_text(table$effect),
      `odds ratio` = if (ratio) ratio_text(table$odds_ratio, table$effect),
      `without noise` = visible_phi_text(table$without_noise)
    )))
  }
  c(
    wrapped(paste0(
      "The smallest effect (phi", if (ratio) paste0("; odds ratio at ", shares_text(x$prevalence)),
      ") of an edge that is found in 80 % of fits:"
    )),
    lines, plan_impossible_lines(table, ratio, x$prevalence)
  )
}

wide_table <- function(table, text, without_noise) {
  by_epsilon <- split(text, table$epsilon)
  names(by_epsilon) <- paste("epsilon", number_text(unique(table$epsilon)))
  first <- !duplicated(table$n)
  text_table(c(
    list(records = big_numbers(table$n[first])), by_epsilon, list(`no noise` = without_noise[first])
  ))
}

number_text <- function(x) vapply(x, format, "")

visible_phi_text <- function(effect) ifelse(effect > 1, "none", text_up(pmin(effect, 1), 2))

ratio_text <- function(ratio, effect) {
  text <- text_up(pmin(ratio, 1e6), 3)
  text[is.infinite(ratio)] <- "Inf"
  text[is.na(ratio)] <- "-"
  text[effect > 1] <- "none"
  text
}

big_numbers <- function(n) vapply(n, big, "")

shares_text <- function(prevalence) {
  text <- number_text(prevalence)
  if (text[[1L]] == text[[2L]]) return(paste("a prevalence of", text[[1L]]))
  paste("prevalences of", text[[1L]], "and", text[[2L]])
}

plan_impossible_lines <- function(table, ratio, prevalence) {
  none <- table$effect > 1
  impossible <- ratio & is.na(table$odds_ratio) & !none
  wrapped_if <- function(condition, text) if (condition) wrapped(text)
  c(
    wrapped_if(
      any(none),
      "none: even variables that determine each other would be joined in less than 80 % of fits."
    ),
    wrapped_if(any(impossible), paste0(
      "-: variables with ", shares_text(prevalence), " cannot have so large an effect; ",
      text_down(largest_phi(prevalence), 2), " is the largest."
    ))
  )
}

# ---- what it takes ------------------------------------------------------------------------------

plan_needed_lines <- function(x) {
  table <- x$table
  if (x$target <= taken_for_none(x$design)) {
    least <- format(taken_for_none(x$design), digits = 2)
    return(wrapped(paste0(
      "No study finds ", target_text(x), ": effects below ", least,
      " are taken for none, see `least_effect`."
    )))
  }
  by_n <- table[!duplicated(table$n), ]
  by_epsilon <- table[!duplicated(table$epsilon), ]
  ask_n <- x$given[["epsilon"]] || !x$given[["n"]]
  c(
    wrapped(paste0("To find ", target_text(x), " in 80 % of fits takes")),
    if (x$given[["n"]]) unlist(Map(
      epsilon_needed_text, by_n$n, by_n$epsilon_needed, by_n$without_noise > x$target
    )),
    if (ask_n) unlist(Map(records_needed_text, by_epsilon$epsilon, by_epsilon$n_needed))
  )
}

target_text <- function(x) {
  # An odds ratio that was asked about is said back as it was given, also one below 1.
  ratio <- if (!is.null(x$asked_ratio)) {
    x$asked_ratio
  } else if (has_odds_ratio(x$levels)) {
    odds_ratio_from_phi(x$target, x$prevalence)
  } else {
    NA
  }
  paste0(
    "an effect of ", format(x$target, digits = 2),
    if (!is.na(ratio)) paste0(
      " (odds ratio ", format(ratio, digits = 3), " at ", shares_text(x$prevalence), ")"
    )
  )
}

epsilon_needed_text <- function(n, epsilon, hidden) {
  needed <- if (is.finite(epsilon)) {
    paste("epsilon =", text_up(epsilon, 2))
  } else if (hidden) {
    "no epsilon is enough: sampling alone hides it"
  } else {
    paste("an epsilon above", weak_epsilon)
  }
  paste0("  with ", big(n), " records: ", needed)
}

records_needed_text <- function(epsilon, n) {
  needed <- if (is.finite(n)) {
    paste(big(up_to_two_digits(n)), "records")
  } else {
    "more records than can be handled"
  }
  paste0("  at epsilon = ", format(epsilon), ": ", needed)
}

# ---- simulated studies --------------------------------------------------------------------------

plan_study_lines <- function(x) {
  table <- x$table
  with_error <- function(mean, se) sprintf("%.2f (%.2f)", mean, se)
  c(
    wrapped(paste0(
      "On ", x$runs, " simulated data sets for each number of records (", x$network,
      "), F1 with its standard error, and how far two fits of the same people agree:"
    )),
    text_table(list(
      records = big_numbers(table$n), epsilon = number_text(table$epsilon),
      skeleton = with_error(table$skeleton_f1, table$skeleton_se),
      CPDAG = with_error(table$cpdag_f1, table$cpdag_se),
      stability = with_error(table$stability, table$stability_se)
    ))
  )
}
