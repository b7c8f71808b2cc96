# What a picture of a graph can show besides the graph: tiers as bands, and the strength of the
# edges. Used by plot_shapes.R and, for checks of arguments, by plot.R and autoplot.R.

# The tiers and strengths that plot() was asked for, NULL where it was not.
plot_extras <- function(x, tiers, strength, call) {
  check_flag(tiers, call = call)
  if (tiers && length(x$settings$tiers) == 0L) {
    abort(c(
      "This fit has no tiers to show.",
      i = "Give them when learning, or with {.code relearn(fit, tiers = ...)}; see {.fn tiers}."
    ), call = call)
  }
  if (isTRUE(strength)) {
    # A consensus has the strengths that it was made from.
    strength <- if (is.null(x$strength)) edge_strength(x) else x$strength
  } else if (identical(strength, FALSE)) {
    strength <- NULL
  } else if (!all(c("from", "to", "strength") %in% names(strength))) {
    abort(c(
      "{.arg strength} must be `TRUE`, `FALSE` or a result of {.fn edge_strength}.",
      x = if (is.data.frame(strength)) {
        "It is a data frame without the columns {.field from}, {.field to} and {.field strength}."
      } else {
        "It is {describe(strength)}."
      }
    ), call = call)
  } else {
    check_frame(strength, drawn_strength_columns, list(), call, "strength")
  }
  list(tiers = if (tiers) fill_tiers(x$settings$tiers, x$nodes), strength = strength)
}

# ---- the mark ----------------------------------------------------------------------------------

# In a margin, small enough to be read as a whole. The size of marginal text does not follow
# par("cex").
draw_mark <- function(mark, side, line, font = 2L) {
  if (is.null(mark)) return(invisible())
  wide <- graphics::strwidth(mark, units = "inches", cex = 0.8, font = font) / graphics::par("cex")
  cex <- 0.8 * min(1, 0.95 * graphics::par("fin")[1L] / wide)
  graphics::mtext(mark, side, line = line, cex = cex, font = font)
}

# ---- tiers -------------------------------------------------------------------------------------

tier_of <- function(nodes, tiers) {
  if (is.null(tiers)) return(NULL)
  rep(seq_along(tiers), lengths(tiers))[match(nodes, unlist(tiers, use.names = FALSE))]
}

# Layers in which every tier comes after the one before. Arcs between tiers go forward, as the fit
# obeys its tiers, so only those inside a tier need more than one layer.
tier_layers <- function(from, to, tier) {
  layer <- integer(length(tier))
  used <- 0L
  for (k in sort(unique(tier))) {
    members <- which(tier == k)
    inside <- tier[from] == k & tier[to] == k
    own <- shortest_layers(
      match(from[inside], members), match(to[inside], members), length(members)
    )
    own[is.na(own)] <- 1L
    own <- match(own, sort(unique(own)))
    layer[members] <- used + own
    used <- used + max(own)
  }
  layer
}

tier_labels <- function(tiers) {
  if (is.null(names(tiers))) return(as.character(seq_along(tiers)))
  names(tiers)
}

# Room for the names of the tiers, left of the bands or above them, and between the nodes and the
# ends of the bands.
tier_margin <- function(tiers, direction, room) {
  if (is.null(tiers)) return(list(left = 0, top = 0, right = 0, bottom = 0))
  edge <- 0.1
  if (direction == "right") {
    return(list(left = edge, top = min(0.3, 0.1 * room[2L]), right = edge, bottom = edge))
  }
  wide <- max(graphics::strwidth(tier_labels(tiers), units = "inches", cex = 0.85))
  list(left = min(wide + 0.2, 0.3 * room[1L]), top = edge, right = edge, bottom = edge)
}

# One rectangle per tier, meeting half-way between its nodes and those of the next. `below`: what
# the legend takes.
tier_bands <- function(layout, tiers, nodes, room, margin, below) {
  tier <- tier_of(nodes, tiers)
  shown <- sort(unique(tier))
  i <- seq_len(layout$n_nodes)
  low <- tapply(layout$along[i] - layout$depth[i] / 2, tier, min)
  high <- tapply(layout$along[i] + layout$depth[i] / 2, tier, max)
  n <- length(shown)
  middle <- (high[-n] + low[-1L]) / 2
  start <- c(low[[1L]] - 0.1, middle)
  end <- c(middle, high[[n]] + 0.1)
  label <- tier_labels(tiers)[shown]
  fill <- rep_len(c("grey95", "white"), n)
  if (layout$sideways) {
    start <- margin$left + start
    end <- margin$left + end
    return(data.frame(
      label, fill, xmin = start, xmax = end, ymin = below, ymax = room[2L],
      x = (start + end) / 2, y = room[2L] - margin$top / 2, left = FALSE
    ))
  }
  top <- room[2L] - margin$top
  data.frame(
    label, fill, xmin = 0, xmax = room[1L], ymin = top - end, ymax = top - start,
    x = 0.08, y = top - (start + end) / 2, left = TRUE
  )
}

draw_bands <- function(bands) {
  graphics::rect(bands$xmin, bands$ymin, bands$xmax, bands$ymax, col = bands$fill, border = NA)
  graphics::text(
    bands$x, bands$y, bands$label, cex = 0.85, font = 3L, col = "grey30",
    adj = if (bands$left[[1L]]) c(0, 0.5) else c(0.5, 0.5)
  )
}

# ---- strength ----------------------------------------------------------------------------------

# Strengths by node, as symmetric matrix; NA for pairs that were required, which have none, and for
# those without a strength. NULL stays NULL.
strength_matrix <- function(strength, nodes) {
  if (is.null(strength)) return(NULL)
  share <- matrix(NA_real_, length(nodes), length(nodes))
  at <- cbind(match(strength$from, nodes), match(strength$to, nodes))
  # The first row of a pair counts.
  for (k in rev(which(!is.na(rowSums(at))))) {
    value <- if (isTRUE(strength$required[k])) NA_real_ else strength$strength[[k]]
    share[at[k, 1L], at[k, 2L]] <- share[at[k, 2L], at[k, 1L]] <- value
  }
  share
}

# The strength of each drawn edge, in the order of the layout's paths.
edge_shares <- function(layout, share) {
  if (is.null(share)) return(NULL)
  vapply(layout$path, function(path) share[path[[1L]], path[[length(path)]]], 0)
}

strength_width <- function(share) ifelse(is.na(share), 1, 0.5 + 2.5 * share)

share_label <- function(share) {
  ifelse(is.na(share), "", ifelse(
    share < 1 & round(100 * share) == 100, ">99%",
    paste0(format(round(100 * share), trim = TRUE), "%")
  ))
}
