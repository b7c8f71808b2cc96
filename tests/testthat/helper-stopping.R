# What `make stopping` (tools/stopping.R) lists, measures and calls wrong.

# How many seconds later than it was told may a call stop?
stopping_limit <- 1

# Functions whose work is over before anybody could stop it, or is not their own, and why.
quick_functions <- c(
  advanced_composition = "a formula",
  amplified_epsilon = "a formula",
  delta_from_rho = "a formula",
  dp_from_rho = "a formula",
  error_bounds = "a formula",
  epsilon_before_sampling = "a formula",
  kendall_threshold = "a formula",
  rho_from_dp = "a formula",
  spearman_threshold = "a formula",
  subsample_size = "a formula",
  as_bn = "another form of one graph",
  as_bn_fit = "as_network() in another form",
  as_bn_strength = "edge_strength() in another form",
  as_dagitty = "another form of one graph",
  cond_chisq = "one table, counted as exact_pc() counts",
  cond_cmh = "one table, counted as exact_pc() counts",
  cond_g2 = "one table, counted as exact_pc() counts",
  contradictions = "one look at each pair of a fit",
  heterogeneity = "one look at each table of a few fits",
  measured = "shows the tables of a fit",
  network = "reads a small file of the package",
  networks = "shows a table of the package",
  pool_fits = "one look at each table of a few fits, and then relearn()",
  report = "text about one fit",
  retest = "one pair of a fit",
  sieve_and_examine = "its time is that of the user's queries",
  tiers = "a list of names"
)

# "exact_pc, tau" is about exact_pc().
function_of_call <- function(names) sub(",.*", "", names)

# What is wrong with the list of calls: each exported function is tried or quick, and not both.
# `methods`: functions of other packages of which this one has methods.
stopping_gaps <- function(calls, quick, exported, methods = "simulate") {
  tried <- unique(function_of_call(calls))
  c(
    sprintf("%s() is neither tried nor said to be quick.", setdiff(exported, c(tried, quick))),
    sprintf("%s() is tried, and not exported.", setdiff(tried, c(exported, methods))),
    sprintf("%s() is said to be quick, and not exported.", setdiff(quick, exported)),
    sprintf("%s() is tried, and said to be quick.", intersect(tried, quick)),
    sprintf("\"%s\" is there twice.", unique(calls[duplicated(calls)]))
  )
}

# Those with this word in their names.
wanted_calls <- function(calls, word) {
  chosen <- calls[grepl(word, names(calls), fixed = TRUE)]
  if (!length(chosen)) stop("No call has \"", word, "\" in its name.", call. = FALSE)
  chosen
}

is_late <- function(x) is.na(x) | x > stopping_limit

# `stop_it()` gives list(late = , outcome = ). A machine that is busy with something else may be
# late by itself: what was late is measured once more, and the better one counts.
stop_twice_if_late <- function(stop_it) {
  first <- stop_it()
  if (!is_late(first$late)) return(first)
  second <- stop_it()
  if (is.na(first$late) || isTRUE(second$late < first$late)) second else first
}

# One row for each call, with the seconds that it was late when stopped by a limit, and by a signal.
stopping_counts <- function(rows) {
  c(
    "kinds of long work that were stopped" = nrow(rows),
    "times each was stopped, by a limit and by a signal" = 2,
    "that did not stop, or came to their end" = sum(rows$outcome != "stopped"),
    "that stopped more than a second late" = sum(is_late(rows$limit) | is_late(rows$signal))
  )
}

stopping_holds <- function(rows) nrow(rows) > 0L && all(stopping_counts(rows)[3:4] == 0)
