# Which sets block whatever the undecided triples of a learnt graph are. R/pag_identify.R takes the
# graph for complete, in which a triple is no collider unless its marks say so. Where the evidence
# did not tell, the middle may be a collider as well: to adjust for it might open what it seems to
# block.

# Is there a walk from x to y, not along the arrows from x to `first`, that the set may leave open?
# A node blocks it if it is surely no collider there and in the set, or surely a collider of which
# nothing in the set can be an effect. All else may be open, also triangles with circles: which
# paths these allow is settled only in a complete graph. More is called open than is.
may_be_open <- function(marks, undecided, x, y, set, first = character()) {
  if (NROW(undecided) == 0L) return(FALSE)
  arrow <- mark_codes[["arrow"]]
  tail <- mark_codes[["tail"]]
  circle <- mark_codes[["circle"]]
  marks[cbind(rep(x, length(first)), first)] <- 0L
  marks[cbind(first, rep(x, length(first)))] <- 0L
  near <- marks > 0L
  asked <- paste(undecided[, 2L], undecided[, 1L], undecided[, 3L], sep = "\r")
  asked <- c(asked, paste(undecided[, 2L], undecided[, 3L], undecided[, 1L], sep = "\r"))
  above <- possible_ancestors(may_cause(marks), set)
  passes <- function(u, v, w) {
    at <- c(marks[u, v], marks[w, v])
    if (all(at == arrow)) return(v %in% above)
    no_collider <- any(at == tail) ||
      (all(at == circle) && !near[u, w] && !paste(v, u, w, sep = "\r") %in% asked)
    !no_collider || !v %in% set
  }
  nodes <- rownames(marks)
  steps <- lapply(nodes[near[x, ]], function(v) c(x, v))
  seen <- vapply(steps, paste, "", collapse = "\r")
  while (length(steps)) {
    u <- steps[[1L]][[1L]]
    v <- steps[[1L]][[2L]]
    steps <- steps[-1L]
    if (v == y) return(TRUE)
    for (w in setdiff(nodes[near[v, ]], c(u, x))) {
      key <- paste(v, w, sep = "\r")
      if (key %in% seen || !passes(u, v, w)) next
      seen <- c(seen, key)
      steps <- c(steps, list(c(v, w)))
    }
  }
  FALSE
}
