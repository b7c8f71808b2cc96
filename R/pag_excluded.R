# Pairs that background knowledge forbids both ways. They have no edge in a graph with hidden common
# causes either, so that such a cause of the two is excluded as well, which nobody may have meant.

# `fit`: with the measurements and the knowledge. One row per pair, by position in its nodes.
excluded_pairs <- function(fit, call) {
  held <- check_measurements(fit, call)
  known <- fit$settings
  arcs <- parse_knowledge(
    known$whitelist, known$blacklist, known$tiers, held$nodes, call
  )$forbidden
  both <- arcs[, 1L] < arcs[, 2L] &
    paste(arcs[, 1L], arcs[, 2L]) %in% paste(arcs[, 2L], arcs[, 1L])
  data.frame(x = held$nodes[arcs[both, 1L]], y = held$nodes[arcs[both, 2L]])
}

say_excluded_pairs <- function(fit, call, most = 10L) {
  pairs <- excluded_pairs(fit, call)
  if (nrow(pairs) == 0L) return(invisible())
  named <- utils::head(paste(pairs$x, "and", pairs$y), most)
  rest <- nrow(pairs) - length(named)
  cli::cli_inform(c(
    "!" = paste0(
      "Background knowledge forbids an edge both ways, so that a hidden common cause is ",
      "excluded, too: ",
      escape_braces(paste(c(named, if (rest) paste(rest, "more")), collapse = "; ")), "."
    ),
    i = "If one may be hidden, forbid one direction only: {.code <->} stays possible."
  ), class = "privpc_excluded_pairs")
}

# For print(): such pairs whose own tables say that they depend on each other.
excluded_text <- function(x) {
  if (!is.list(x$fit$measurements)) return(NULL)
  # A fit that was changed by hand is printed as far as it goes.
  pairs <- tryCatch(find_contradictions(x$fit)$pairs, error = function(e) NULL)
  pairs <- pairs[pairs$forbidden, , drop = FALSE]
  if (is.null(pairs) || nrow(pairs) == 0L) return(NULL)
  paste0(
    "The graph contradicts its own tables: ", counted(nrow(pairs), "dependent pair"),
    " that background knowledge forbids both ways, which excludes a hidden common cause, too",
    if (nrow(pairs) > 1L) ", most of all " else ": ", pairs$x[[1L]], " and ", pairs$y[[1L]], " (",
    strength_text(pairs$effect[[1L]], pairs$largest[[1L]]), "); see `contradictions(graph$fit)`"
  )
}
