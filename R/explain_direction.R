# Which background knowledge bears on a pair of variables, and why an edge points as it does. Both
# for explain(). Graphs are those of R/edges.R.

# Arcs between the two as text, and the numbers of their tiers.
knowledge_of_pair <- function(arcs, tiers, nodes, x, y) {
  between <- function(arcs) {
    ends <- cbind(nodes[arcs[, 1L]], nodes[arcs[, 2L]])
    own <- is_pair(ends[, 1L], ends[, 2L], x, y)
    paste(ends[own, 1L], "->", ends[own, 2L], recycle0 = TRUE)
  }
  tier <- if (length(tiers)) {
    tiers <- fill_tiers(tiers, nodes)
    stats::setNames(tier_of(c(x, y), tiers), c(x, y))
  }
  list(required = between(arcs$required), forbidden = between(arcs$forbidden), tiers = tier)
}

# Why the edge between x and y points as it does. Every arc of a completed graph follows from
# knowledge, is part of an unshielded collider, or is implied by one of Meek's rules (Andersson,
# Madigan and Perlman 1997 for graphs without knowledge, Meek 1995 with it). Several may hold; the
# first in this order is told.
direction_of <- function(fit, arcs, x, y, edge) {
  if (edge == "--") return(list(rule = "open", by = character()))
  from <- if (edge == "->") x else y
  to <- if (edge == "->") y else x
  if (is_forced(arcs, match(from, fit$nodes), match(to, fit$nodes))) {
    return(list(rule = "knowledge", by = character()))
  }
  graph <- edge_matrix(fit)
  joined <- without_directions(graph) == 1L
  others <- setdiff(rownames(graph), c(from, to))
  into <- parents_of(graph, to)
  apart <- function(nodes, node) nodes[!joined[nodes, node]]
  partner <- apart(setdiff(into, from), from)
  if (length(partner)) return(list(rule = "collider", by = partner))
  before <- apart(parents_of(graph, from), to)
  if (length(before)) return(list(rule = "meek 1", by = before[[1L]]))
  between <- intersect(children_of(graph, from), into)
  if (length(between)) return(list(rule = "meek 2", by = between[[1L]]))
  open <- undirected_neighbours_of(graph, from)
  for (one in intersect(open, into)) {
    other <- apart(setdiff(intersect(open, into), one), one)
    if (length(other)) return(list(rule = "meek 3", by = c(one, other[[1L]])))
  }
  for (middle in into[into %in% others & joined[into, from]]) {
    first <- apart(intersect(open, parents_of(graph, middle)), to)
    if (length(first)) return(list(rule = "meek 4", by = c(first[[1L]], middle)))
  }
  list(rule = "other", by = character())
}

# Whether knowledge leaves this direction only: it requires the arc, or forbids its reverse.
is_forced <- function(arcs, from, to) {
  has <- function(arcs, a, b) any(arcs[, 1L] == a & arcs[, 2L] == b)
  (has(arcs$required, from, to) && !has(arcs$required, to, from)) ||
    (has(arcs$forbidden, to, from) && !has(arcs$forbidden, from, to))
}

# "smoke -> lung" as a sentence about its direction.
direction_text <- function(why) {
  from <- if (why$edge == "<-") why$y else why$x
  to <- if (why$edge == "<-") why$x else why$y
  by <- why$direction$by
  arc <- paste(from, "->", to)
  switch(why$direction$rule,
    open = paste0(
      "open. Graphs with either direction imply the same independences, so that the tables cannot ",
      "tell them apart."
    ),
    knowledge = paste0(arc, ", by background knowledge: ", forced_text(why, from, to), "."),
    collider = paste0(
      arc, ", as a collider: ", name_list(by), if (length(by) == 1L) " points" else " point",
      " to ", to, " too and ", if (length(by) == 1L) "is" else "are", " not joined to ", from, "."
    ),
    `meek 1` = paste0(
      arc, ", as it follows (Meek's rule 1): ", by, " points to ", from, " and is not joined to ",
      to, ". The other way round ", by, " and ", to, " would make a collider at ", from,
      ", which was not found."
    ),
    `meek 2` = paste0(
      arc, ", as it follows (Meek's rule 2): ", from, " -> ", by, " -> ", to,
      ". The other way round there would be a cycle."
    ),
    `meek 3` = paste0(
      arc, ", as it follows (Meek's rule 3): ", by[[1L]], " and ", by[[2L]], " point to ", to,
      " and are joined to ", from,
      ". The other way round there would be a cycle or a collider that was not found."
    ),
    `meek 4` = paste0(
      arc, ", as it follows (Meek's rule 4): ", from, " -- ", by[[1L]], " -> ", by[[2L]], " -> ",
      to, ". The other way round there would be a cycle or a collider that was not found."
    ),
    paste0(
      arc, ", by none of the usual rules: it follows from knowledge and edges elsewhere, or the ",
      "graph was changed."
    )
  )
}

forced_text <- function(why, from, to) {
  known <- why$knowledge
  tiers <- known$tiers
  if (paste(from, "->", to) %in% known$required) return("this arc is required")
  if (!is.null(tiers) && tiers[[from]] < tiers[[to]]) {
    return(paste0(
      from, " is in an earlier tier (", tiers[[from]], ") than ", to, " (", tiers[[to]], ")"
    ))
  }
  "the other direction is forbidden"
}

# a, b and c
name_list <- function(names, most = 4L) {
  if (length(names) > most) {
    names <- c(names[seq_len(most)], paste(length(names) - most, "others"))
  }
  if (length(names) < 2L) return(paste(names))
  paste(toString(names[-length(names)]), "and", names[[length(names)]])
}
