# All that a picture of a graph consists of, in inches from the lower left corner: plot() draws it
# with base graphics (plot.R), autoplot() with ggplot2 (autoplot.R). A device must be open, as
# letters are measured.

# `extras`: tiers and strengths, as plot_extras() gives them. `room`: width and height of the
# picture, `cex` what the user asks for. `end_marks`: those of a graph with hidden common causes
# (plot_pag.R).
graph_shapes <- function(graph, direction, extras, room, cex = 1, end_marks = NULL) {
  nodes <- rownames(graph)
  labels <- break_label(nodes)
  legend <- if (is.null(end_marks)) {
    legend_shapes(graph, strength_matrix(extras$strength, nodes), room, measure_device)
  } else {
    pag_legend(end_marks, room, measure_device)
  }
  margin <- tier_margin(extras$tiers, direction, room)
  size <- measure_device(labels, 1)
  inner <- c(room[1L] - margin$left - margin$right, room[2L] - margin$top - margin$bottom)
  inner[2L] <- inner[2L] - legend$height
  # Layers count from the top, so "along" runs against the y axis.
  paper_of <- function(sideways) {
    top <- room[2L] - margin$top
    function(across, along) {
      if (sideways) return(data.frame(x = margin$left + along, y = top - across))
      data.frame(x = margin$left + across, y = top - along)
    }
  }
  found <- layout_with_marks(
    graph, direction, strength_matrix(extras$strength, nodes), room, measure_device, paper_of,
    function(between) {
      layout_graph(
        graph, size$width, size$height, inner[1L], inner[2L], direction, cex,
        tier_of(nodes, extras$tiers), between
      )
    }
  )
  shapes <- c(found[c("marks", "boxes")], list(
    labels = labels, cex = found$layout$cex, legend = legend,
    lines = line_shapes(found$curves, found$share, found$layout$cex, found$to_paper),
    heads = head_shapes(found$curves, found$to_paper),
    bands = if (!is.null(extras$tiers)) {
      tier_bands(found$layout, extras$tiers, nodes, room, margin, legend$height)
    }
  ))
  if (is.null(end_marks)) shapes else with_end_marks(shapes, found, end_marks)
}

measure_device <- function(text, cex) {
  list(
    width = graphics::strwidth(text, units = "inches", cex = cex),
    height = graphics::strheight(text, units = "inches", cex = cex)
  )
}

# The layout, and the numbers at its edges. Where a number would hide something the layers that its
# edge joins are set further apart. `layout_for(between)` makes a layout, `paper_of(sideways)` the
# function that turns its places into x and y.
layout_with_marks <- function(graph, direction, share, room, measure, paper_of, layout_for) {
  undirected <- is_undirected(graph)
  attempt <- function(between) {
    layout <- layout_for(between)
    to_paper <- paper_of(layout$sideways)
    boxes <- node_boxes(layout, rownames(graph), to_paper)
    curves <- edge_curves(layout, undirected)
    shares <- edge_shares(layout, share)
    marks <- if (!is.null(shares) && length(curves)) {
      share_marks(curves, shares, layout$cex, to_paper, boxes, room, measure)
    }
    list(
      layout = layout, to_paper = to_paper, boxes = boxes, curves = curves, share = shares,
      marks = marks
    )
  }
  hiding <- function(found) which(as.logical(found$marks$hides)) # marks may be NULL
  best <- found <- attempt(0)
  between <- rep(0, length(best$layout$track$count))
  for (round in seq_len(4L)) {
    if (length(hiding(found)) == 0L) break
    step <- max(if (direction == "right") found$marks$width else found$marks$height) / 2
    bands <- lapply(found$layout$path[found$marks$edge[hiding(found)]], function(path) {
      found$layout$layer[path[-length(path)]]
    })
    bands <- unique(unlist(bands))
    between[bands] <- between[bands] + step
    found <- attempt(between)
    if (length(hiding(found)) < length(hiding(best))) best <- found
  }
  best
}

# Where the nodes stand on the paper.
node_boxes <- function(layout, nodes, to_paper) {
  i <- seq_len(layout$n_nodes)
  at <- to_paper(layout$across[i], layout$along[i])
  width <- if (layout$sideways) layout$thickness[i] else layout$size[i]
  height <- if (layout$sideways) layout$size[i] else layout$thickness[i]
  data.frame(node = nodes, x = at$x, y = at$y, width = width, height = height)
}

# How an edge is drawn; `lwd` as in base graphics. Dashes grow with the width, so wide lines have
# short ones.
edge_look <- function(undirected, lwd = 1) {
  if (!undirected) return(list(colour = "grey10", lty = "solid"))
  list(colour = "grey45", lty = if (lwd > 1.5) "22" else "44")
}

# Points of all edges: x, y, the number of the edge, and its looks.
line_shapes <- function(curves, share, cex, to_paper) {
  lines <- lapply(seq_along(curves), function(k) {
    curve <- curves[[k]]
    lwd <- if (is.null(share)) 0.6 + 0.6 * min(cex, 1.2) else strength_width(share[[k]])
    look <- edge_look(curve$plain, lwd)
    at <- to_paper(curve$line[, 1L], curve$line[, 2L])
    data.frame(x = at$x, y = at$y, edge = k, colour = look$colour, lty = look$lty, lwd = lwd)
  })
  do.call(rbind, lines)
}

# The corners of all arrow heads: x, y and the number of the edge.
head_shapes <- function(curves, to_paper) {
  do.call(rbind, lapply(seq_along(curves), function(k) {
    if (curves[[k]]$plain) return(NULL)
    corner <- head_corners(curves[[k]])
    at <- to_paper(corner[, 1L], corner[, 2L])
    data.frame(x = at$x, y = at$y, edge = k)
  }))
}

# ---- the legend ----------------------------------------------------------------------------------

# Explains the two kinds of edges if some are undirected, and which edges have no number. Rows in
# the middle of the lower edge of the picture: `lines` and the corners of `heads`, as above, `texts`
# with their left end, the size of letters and the height of all.
legend_shapes <- function(graph, share, room, measure) {
  undirected <- is_undirected(graph)
  kinds <- any(undirected) & c(any(is_directed(graph)), TRUE)
  texts <- c(
    c("directed", "direction not identified")[kinds],
    if (!is.null(share)) share_note(share[upper.tri(share) & (graph | t(graph))])
  )
  if (length(texts) == 0L) return(list(height = 0))
  plain <- c(c(FALSE, TRUE)[kinds], NA)[seq_along(texts)]
  cex <- 0.75 * max(0.6, min(1, room[[2L]] / 4))
  size <- legend_sizes
  lead <- ifelse(is.na(plain), 0, size$line + size$gap)
  wide <- lead + measure(texts, cex)$width
  shrink <- min(1, 0.98 * room[[1L]] / max(wide))
  cex <- cex * shrink
  wide <- lead + measure(texts, cex)$width
  row <- legend_rows(wide, room[[1L]])
  high <- size$row * min(1, max(0.5, room[[2L]] / 4))
  left <- legend_lefts(wide, row, room[[1L]])
  y <- high * (max(row) - row + 0.5)
  lines <- lapply(which(!is.na(plain)), function(k) {
    look <- edge_look(plain[k])
    end <- left[k] + size$line - if (plain[k]) 0 else size$head
    data.frame(
      x = c(left[k], end), y = y[k], edge = k, colour = look$colour, lty = look$lty, lwd = 1
    )
  })
  heads <- lapply(which(!is.na(plain) & !plain), function(k) {
    data.frame(
      x = left[k] + size$line - size$head * c(0, 1, 1), y = y[k] + size$head * c(0, -0.38, 0.38),
      edge = k
    )
  })
  list(
    height = high * max(row) + 0.14, cex = cex, lines = do.call(rbind, lines),
    heads = do.call(rbind, heads), texts = data.frame(x = left + lead, y, label = texts)
  )
}

# The line of a kind of edge, its arrow head, from it to the text, from entry to entry, and a row.
legend_sizes <- list(line = 0.35, head = 0.09, gap = 0.08, apart = 0.3, row = 0.22)

legend_rows <- function(wide, room) {
  row <- integer(length(wide))
  used <- 0
  for (k in seq_along(wide)) {
    new <- k > 1L && used + legend_sizes$apart + wide[k] > room
    row[k] <- if (k == 1L) 1L else row[k - 1L] + new
    used <- if (new || k == 1L) wide[k] else used + legend_sizes$apart + wide[k]
  }
  row
}

legend_lefts <- function(wide, row, room) {
  left <- double(length(wide))
  for (i in split(seq_along(wide), row)) {
    slot <- wide[i] + legend_sizes$apart
    start <- (room - sum(slot) + legend_sizes$apart) / 2
    left[i] <- start + cumsum(slot) - slot
  }
  left
}
