# What a fit says of a search that was cut short by the number of its tests: its graph has edges
# that a whole search might have removed, and nothing else in it shows that. A search by score is
# cut short by its work: a whole one might have found a better graph.

# What the fit keeps of it; nothing where the search came to its end.
cut_short_settings <- function(found) {
  c(
    if (isTRUE(found$cut_short)) list(cut_short = TRUE),
    if (isTRUE(found$colliders_cut_short)) list(colliders_cut_short = TRUE)
  )
}

# Sentences; none where the search came to its end, or where a fit of an earlier version does not
# say. The private learners have a fixed bound, which their settings do not list.
cut_short_text <- function(settings) {
  if (identical(settings$search, "score")) {
    if (!isTRUE(settings$cut_short)) return(character())
    return(paste(
      "The search was stopped before it had tried everything, for the work it takes with so many",
      "levels: there may be a better graph."
    ))
  }
  bound <- settings$max_tests
  by <- if (is.null(bound)) "its number of tests" else paste("`max_tests` =", big(bound))
  c(
    if (isTRUE(settings$cut_short)) {
      paste0(
        "The search was cut short", if (length(settings$tests)) {
          paste(" after order", length(settings$tests) - 1L)
        }, " by ", by, ": edges that only larger sets of variables would separate are still there."
      )
    },
    if (isTRUE(settings$colliders_cut_short)) {
      paste0("Not all tests for directions were made, because of ", by, ".")
    }
  )
}

cat_cut_short <- function(x) {
  for (text in cut_short_text(x$settings)) cat_wrapped(text)
}

report_cut_short <- function(settings) {
  text <- gsub("`", "", cut_short_text(settings), fixed = TRUE)
  if (length(text)) paste(c("", text), collapse = " ")
}
