# What the learners and tests check and say before they count. All of it follows from arguments and
# from the schema.

check_max_order <- function(max_order, call) {
  if (is.null(max_order)) return(core_limits$max_order)
  check_number(max_order, "max_order", min = 0, whole = TRUE, call = call)
  as.integer(min(max_order, core_limits$max_order))
}

# What degrees of freedom count. Only tests of all levels have such a choice.
check_df <- function(df, test, call = rlang::caller_env()) {
  df <- check_choice(df, c("declared", "occurring"), call = call)
  if (df == "declared" || test_registry[[test]]$counts_levels) return(df)
  with_choice <- names(Filter(function(line) line$counts_levels, test_registry))
  abort(c(
    "{.code df = {.val {df}}} is for the tests {.val {with_choice}}.",
    x = "{.arg test} is {.val {test}}, whose p-value does not count levels."
  ), call = call)
}

check_threads <- function(threads, call) {
  check_number(threads, "threads", min = 1, max = 1024, whole = TRUE, call = call)
  as.integer(threads)
}

# A numeric variable can be conditioned on only through its bins.
check_conditioning <- function(schema, names, call) {
  if (all(schema$levels > 0L)) return(invisible())
  bare <- schema$names[schema$levels == 0L]
  bare <- bare[bare %in% names]
  if (length(bare)) abort_numeric_needs_breaks(bare, call)
}

# Some tests compare by order. Where a factor's order was not declared to mean
# something, say aloud that it is used.
say_nominal_order <- function(schema, test, names = schema$names) {
  if (!compares_by_order(test)) return(invisible())
  nominal <- schema$names[!schema$ordered & schema$levels > 2L & schema$names %in% names]
  if (length(nominal) == 0L) return(invisible())
  nominal <- schema$nodes[schema$nodes %in% nominal]
  # Plain text: formatting by cli would take longer than many a search.
  count <- if (length(nominal) == 1L) "1 factor is" else paste(length(nominal), "factors are")
  text <- paste0(
    '! "', test, '" uses the order of the levels, but ', count, " not ordered: ",
    few_names(nominal), ".\n", cli::symbol$info,
    " Declare the order with `factor(..., ordered = TRUE)`, or use a test for nominal variables ",
    'such as "', nominal_tests[[1L]], '".\n'
  )
  message(structure(
    class = c("privpc_nominal_order", "message", "condition"), list(message = text, call = NULL)
  ))
}

# All of six names, of more the first five.
few_names <- function(names) {
  shown <- if (length(names) > 6L) utils::head(names, 5L) else names
  more <- length(names) - length(shown)
  paste0(
    paste0("`", shown, "`", collapse = ", "), if (more) paste0(" and ", more, " more")
  )
}

# Given a variable that has almost as many levels as there are records, everything is constant and
# looks independent.
say_identifiers <- function(schema) {
  many <- schema$levels >= 20L & schema$levels > schema$n / 5
  if (!any(many)) return(invisible())
  shown <- paste0("`", schema$names[many], "` (", schema$levels[many], ")", collapse = ", ")
  rlang::inform(c(
    "!" = paste0("Almost as many levels as records (", schema$n, "): ", shown, "."),
    i = paste(
      "Given such a variable almost everything looks independent.",
      "Leave it out, or merge its levels."
    )
  ), class = "privpc_identifiers")
}

# Switches for tests and for machines with little memory.
force_portable <- function() isTRUE(getOption("privpc.portable", FALSE))
cache_bytes <- function(call = rlang::caller_env()) {
  mb <- getOption("privpc.cache_mb", 512)
  check_number(mb, "options(privpc.cache_mb)", min = 0, max = 2^20, call = call)
  mb * 2^20
}
