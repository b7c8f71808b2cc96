# Nodes without edges. They stand in rows below the graph, whatever the direction; with tiers, in
# their tier, beside the graph.

# ---- rows below the graph ------------------------------------------------------------------------

# For paper of this width: which row each node is in, and how high all rows are, both for letters
# of size `cex`; the sizes of the boxes for cex = 1.
isolated_strip <- function(label_width, label_height, width) {
  sizes <- layout_sizes
  box <- label_width + sizes$pad
  high <- label_height + sizes$pad
  thick <- max(high, 0)
  fill_rows <- function(width) {
    row <- integer(length(box))
    used <- Inf
    for (i in seq_along(box)) {
      new <- used + sizes$gap + box[i] > width
      row[i] <- if (i == 1L) 1L else row[i - 1L] + new
      used <- if (new) box[i] else used + sizes$gap + box[i]
    }
    row
  }
  # As many rows as are needed, and these about equally long.
  rows_for <- function(cex) {
    full <- fill_rows(width / cex)
    if (max(full, 0L) < 2L) return(full)
    for (share in seq(0.4, 0.95, by = 0.05)) {
      row <- fill_rows(share * width / cex)
      if (max(row) == max(full)) return(row)
    }
    full
  }
  list(
    rows = rows_for, box = box, high = high, thick = thick,
    # With a wider gap above: the strip is not a layer.
    height = function(cex) {
      if (length(box) == 0L) return(rep(0, length(cex)))
      n_rows <- vapply(cex, function(size) max(fill_rows(width / size)), 0L)
      n_rows * (thick + sizes$gap) + sizes$gap
    }
  )
}

# The graph and the rows below it, in the middle of the paper. Until then the graph stands
# anywhere on its part of the paper.
settle <- function(placed, isolated, paper, cex) {
  linked <- setdiff(which(placed$depth > 0), isolated)
  block <- c(0, 0)
  if (length(linked)) {
    extent <- function(at, size) range(at[linked] - size[linked] / 2, at[linked] + size[linked] / 2)
    across <- extent(placed$across, placed$size)
    along <- extent(placed$along, placed$depth)
    block <- c(diff(across), diff(along))
    if (paper$sideways) block <- rev(block)
  }
  strip <- if (length(linked)) placed$strip else
    max(placed$strip - cex * layout_sizes$gap, 0)
  left <- (paper$width - block[1L]) / 2
  top <- (paper$height - block[2L] - strip) / 2
  if (length(linked)) {
    to <- if (paper$sideways) c(top, left) else c(left, top)
    placed$across[linked] <- placed$across[linked] + to[1L] - across[1L]
    placed$along[linked] <- placed$along[linked] + to[2L] - along[1L]
    placed$track$x <- lapply(placed$track$x, `+`, to[1L] - across[1L])
  }
  place_isolated(placed, isolated, paper, cex, top + block[2L] + strip)
}

# `bottom`: where the last row ends, counted from the top of the paper.
place_isolated <- function(placed, isolated, paper, cex, bottom) {
  if (length(isolated) == 0L) return(placed)
  strip <- paper$strip
  gap <- layout_sizes$gap * cex
  row <- strip$rows(cex)
  box <- cex * strip$box
  high <- cex * strip$high
  height <- cex * strip$thick + gap
  for (k in unique(row)) {
    i <- which(row == k)
    spare <- paper$width - sum(box[i]) - gap * (length(i) - 1L)
    x <- spare / 2 + cumsum(box[i] + gap) - gap - box[i] / 2
    y <- rep(bottom - height * (max(row) - k) - cex * strip$thick / 2, length(i))
    node <- isolated[i]
    placed$across[node] <- if (paper$sideways) y else x
    placed$along[node] <- if (paper$sideways) x else y
    placed$size[node] <- if (paper$sideways) high[i] else box[i]
    placed$thickness[node] <- if (paper$sideways) box[i] else high[i]
  }
  placed
}

# ---- in tiers ------------------------------------------------------------------------------------

# Every tier has layers of its own already. Its nodes without edges go where there is most room;
# to a further layer of the tier where letters would become small.
spread_in_tiers <- function(layers, paper, tier) {
  room <- paper$across_size + layout_sizes$pad + layout_sizes$gap
  most <- (if (paper$sideways) paper$height else paper$width) / comfortable_cex
  lonely <- is_lonely(layers)
  used <- 0L
  for (k in sort(unique(tier))) {
    linked <- which(tier == k & !lonely)
    own <- match(layers$layer[linked], sort(unique(layers$layer[linked])))
    filled <- as.vector(tapply(room[linked], factor(own, seq_len(max(own, 1L))), sum, default = 0))
    layers$layer[linked] <- used + own
    for (node in which(tier == k & lonely)) {
      at <- which.min(filled)
      if (filled[at] > 0 && filled[at] + room[node] > most) {
        at <- length(filled) + 1L
        filled[at] <- 0
      }
      filled[at] <- filled[at] + room[node]
      layers$layer[node] <- used + at
    }
    used <- used + length(filled)
  }
  layers$layer
}

is_lonely <- function(layers) !seq_along(layers$layer) %in% c(layers$from, layers$to)

# Across: beside the graph, which stands at `x`, one column for all tiers if there is room.
# `members` are the layers in their order, `lonely` whether a point is a node without edges.
place_beside <- function(x, members, lonely, size, gap, room) {
  if (!any(lonely)) return(x)
  graph <- setdiff(unlist(members), which(lonely))
  edge <- max(x[graph] + size[graph] / 2 + gap[graph] / 2, 0)
  for (i in members[vapply(members, function(i) any(lonely[i]), NA)]) {
    own <- i[lonely[i]]
    slot <- size[own] + gap[own]
    x[own] <- edge + cumsum(slot) - slot / 2
    # Where they would leave the paper the others give way only if they must.
    weight <- ifelse(lonely[i], 0.001, 1)
    x[i] <- separate(x[i], weight, size[i], gap[i], room)
  }
  x
}
