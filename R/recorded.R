# What a fit keeps of the call and of the arguments it came from. A fit is to be published, so that
# nothing may ride along: do.call() and pipes put a whole data frame in the place of its name, a
# function written out in a call holds the script it stands in (its source reference), and any
# argument may have further columns or attributes.

# The call as match.call() gives it. Of `data` only a name is kept; of everything else names, single
# values and calls of a few such, without attributes. `...` takes the place of the rest.
recorded_call <- function(call, learner) cpp_recorded_call(call, learner)

# Names and numbers of the arguments that a fit keeps, and nothing that hangs on them.
bare_settings <- function(settings, nodes) {
  for (arg in c("whitelist", "blacklist")) {
    if (!is.null(settings[[arg]])) settings[[arg]] <- bare_arcs(settings[[arg]], nodes)
  }
  if (!is.null(settings$tiers)) settings$tiers <- bare_tiers(settings$tiers)
  if (!is.null(settings$breaks)) {
    breaks <- unclass(settings$breaks)
    settings$breaks <- stats::setNames(lapply(breaks, bare_cuts), plain_text(names(breaks)))
  }
  if (!is.null(settings$na) && !identical(settings$na, "error")) {
    settings$na <- stats::setNames(as.vector(settings$na), plain_text(names(settings$na)))
  }
  settings
}

bare_arcs <- function(arcs, nodes) {
  at <- read_arcs(arcs, "arcs", nodes, rlang::caller_env())
  matrix(plain_text(nodes)[at], ncol = 2L, dimnames = list(NULL, c("from", "to")))
}

bare_tiers <- function(tiers) {
  stats::setNames(lapply(unclass(tiers), plain_text), plain_text(names(tiers)))
}

# What private_breaks() took for the cut points stays with them.
bare_cuts <- function(cuts) {
  paid <- attr(cuts, "paid", exact = TRUE)
  cuts <- as.vector(cuts, "double")
  if (!is.null(paid)) {
    attr(cuts, "paid") <- list(epsilon = as.double(paid$epsilon), private = isTRUE(paid$private))
  }
  cuts
}

bare_number <- function(x) if (!is.null(x)) as.vector(x, "double")

plain_text <- function(x) if (!is.null(x)) as.vector(x, "character")
