# Background knowledge: whitelist, blacklist and tiers, with bnlearn's meaning.
# Returns required and forbidden arcs as two-column matrices of positions in
# `nodes`.

parse_knowledge <- function(whitelist, blacklist, tiers, nodes, call = rlang::caller_env()) {
  if (is.null(whitelist) && is.null(blacklist) && is.null(tiers)) {
    return(list(required = no_arcs, forbidden = no_arcs))
  }
  required <- read_arcs(whitelist, "whitelist", nodes, call)
  forbidden <- read_arcs(blacklist, "blacklist", nodes, call)
  check_no_contradiction(required, forbidden, "blacklist", nodes, call)
  into_past <- tier_arcs(tiers, nodes, call)
  check_no_contradiction(required, into_past, "tiers", nodes, call)
  forbidden <- unique(rbind(forbidden, into_past))
  check_no_forced_cycle(required, forbidden, nodes, call)
  list(required = required, forbidden = forbidden)
}

no_arcs <- matrix(0L, 0L, 2L)

read_arcs <- function(arcs, arg, nodes, call) {
  if (is.null(arcs)) return(no_arcs)
  if (is.character(arcs) && is.null(dim(arcs)) && length(arcs) == 2L) arcs <- t(arcs)
  if (is.data.frame(arcs) && all(c("from", "to") %in% names(arcs))) arcs <- arcs[c("from", "to")]
  if (is.matrix(arcs) && all(c("from", "to") %in% colnames(arcs))) {
    arcs <- arcs[, c("from", "to"), drop = FALSE]
  }
  if (is.data.frame(arcs)) {
    arcs <- vapply(arcs, as.character, character(nrow(arcs)))
    if (is.null(dim(arcs))) arcs <- t(arcs)
  }
  if (!is.matrix(arcs) || ncol(arcs) != 2L || !is.character(arcs) || anyNA(arcs)) {
    abort(c(
      "{.arg {arg}} must be a two-column matrix or data frame of names: from, to.",
      x = "It is {describe(arcs)}.",
      i = "For example {.code {arg} = data.frame(from = \"smoking\", to = \"cancer\")}."
    ), call = call)
  }
  unknown <- setdiff(arcs, nodes)
  if (length(unknown)) {
    abort(c(
      "{.arg {arg}} names variables that are not in the data.",
      x = "Unknown: {.val {unknown}}.",
      i = "Known: {.val {nodes}}."
    ), call = call)
  }
  loop <- arcs[, 1L] == arcs[, 2L]
  if (any(loop)) {
    abort(c(
      "{.arg {arg}} must not join a variable to itself.",
      x = "It does for {.val {unique(arcs[loop, 1L])}}."
    ), call = call)
  }
  unique(unname(matrix(match(arcs, nodes), ncol = 2L)))
}

check_no_contradiction <- function(required, forbidden, other, nodes, call) {
  both <- paste(required[, 1L], required[, 2L]) %in% paste(forbidden[, 1L], forbidden[, 2L])
  if (!any(both)) return(invisible())
  arcs <- arc_labels(required[both, , drop = FALSE], nodes)
  abort(c(
    "{.arg whitelist} and {.arg {other}} contradict each other.",
    x = "Required and forbidden at once: {.val {arcs}}.",
    i = "Take {cli::qty(arcs)}{?this arc/these arcs} out of one of them."
  ), call = call)
}

# A pair whose knowledge leaves one direction only has that direction whenever it
# is adjacent. If those directions could close a cycle, no graph would be left.
check_no_forced_cycle <- function(required, forbidden, nodes, call) {
  one_way <- function(arcs) {
    arcs[!paste(arcs[, 1L], arcs[, 2L]) %in% paste(arcs[, 2L], arcs[, 1L]), , drop = FALSE]
  }
  is_acyclic <- function(arcs) {
    graph <- no_edges(nodes)
    graph[arcs] <- 1L
    cpp_is_acyclic(graph)
  }
  required <- one_way(required)
  if (!is_acyclic(required)) {
    abort(c(
      "{.arg whitelist} must not contain a directed cycle.",
      x = "Its arcs {.val {arc_labels(required, nodes)}} do."
    ), call = call)
  }
  if (is_acyclic(rbind(required, one_way(forbidden)[, 2:1, drop = FALSE]))) return(invisible())
  abort(c(
    "The background knowledge must leave an acyclic graph possible.",
    x = "Where an arc is forbidden only its reverse is left, and some of these close a cycle.",
    i = "Forbid such a pair in both directions in {.arg blacklist}, or drop one of the arcs."
  ), call = call)
}

arc_labels <- function(arcs, nodes) paste(nodes[arcs[, 1L]], "->", nodes[arcs[, 2L]])

# Every arc from a later tier into an earlier one.
tier_arcs <- function(tiers, nodes, call) {
  if (is.null(tiers)) return(matrix(0L, 0L, 2L))
  if (inherits(tiers, "formula")) {
    abort(c(
      "{.arg tiers} must be a list, not a formula.",
      i = "Write it as {.code tiers = tiers({paste(deparse(unclass(tiers)), collapse = ' ')})}."
    ), call = call)
  }
  if (!is.list(tiers) || is.data.frame(tiers) || length(tiers) == 0L ||
        !all(vapply(tiers, is.character, NA))) {
    abort(c(
      "{.arg tiers} must be a list of character vectors, from the earliest tier to the latest.",
      x = "It is {describe(tiers)}.",
      i = "For example {.code tiers = list(c(\"sex\", \"age\"), \"smoking\", \"cancer\")}."
    ), call = call)
  }
  tiers <- fill_tiers(tiers, nodes)
  named <- unlist(tiers, use.names = FALSE)
  unknown <- setdiff(named, nodes)
  absent <- setdiff(nodes, named)
  repeated <- unique(named[duplicated(named)])
  if (length(unknown) || length(absent) || length(repeated)) {
    abort(c(
      "{.arg tiers} must name every variable exactly once.",
      x = if (length(unknown)) "Not in the data: {.val {unknown}}.",
      x = if (length(absent)) "Not in any tier: {.val {absent}}.",
      x = if (length(repeated)) "More than once: {.val {repeated}}."
    ), call = call)
  }
  tier <- rep(seq_along(tiers), lengths(tiers))[match(nodes, named)]
  unname(which(outer(tier, tier, ">"), arr.ind = TRUE))
}
