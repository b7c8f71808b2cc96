# Where the label of an edge goes: on its line, where it hides neither a node nor another edge or
# label, as near to the middle as possible; beside the line if it would hide most of it. All
# lengths are inches on the paper.

# What it costs to hide something (`own`: more than half of the edge itself), to stand beside the
# line, or away from its middle.
label_costs <- list(
  node = 100, page = 100, label = 40, head = 15, own = 12, edge = 5, beside = 4, away = 2
)

# `lines`: one two-column matrix (x, y) per edge; `boxes`: the nodes, and `heads`, the arrow
# heads, as data frames of x, y, width and height; `width` and `height` of the labels; `room`: the
# paper's. One row (x, y) per edge. Every label is placed where it costs least, first against what
# stands already, then twice again against all the others.
place_labels <- function(lines, boxes, heads, width, height, room) {
  candidates <- Map(label_spots, lines, width, height)
  # Points closer to each other than a label is high.
  paths <- lapply(lines, function(line) {
    length <- sum(sqrt(rowSums(diff(line)^2)))
    along_line(line, seq(0, 1, length.out = max(10, ceiling(length / 0.06))))
  })
  points <- data.frame(
    do.call(rbind, paths), edge = rep(seq_along(paths), vapply(paths, nrow, 0L))
  )
  names(points)[1:2] <- c("x", "y")
  fixed <- lapply(seq_along(lines), function(k) {
    fixed_cost(candidates[[k]], width[[k]], height[[k]], boxes, heads, points, k, room)
  })
  # The edges with the least choice come first.
  order <- order(-vapply(fixed, min, 0))
  at <- matrix(NA_real_, length(lines), 2L)
  for (k in rep(order, 3L)) {
    spot <- candidates[[k]]$at
    cost <- fixed[[k]]
    for (j in setdiff(which(!is.na(at[, 1L])), k)) {
      hit <- abs(spot[, 1L] - at[j, 1L]) < (width[[k]] + width[[j]]) / 2 &
        abs(spot[, 2L] - at[j, 2L]) < (height[[k]] + height[[j]]) / 2
      cost <- cost + label_costs$label * hit
    }
    at[k, ] <- spot[which.min(cost), ]
  }
  at
}

# Points at these shares of the length of a line.
along_line <- function(line, share) {
  step <- sqrt(rowSums(diff(line)^2))
  done <- cumsum(c(0, step)) / max(sum(step), 1e-9)
  # Corners may repeat a point: ties.
  place <- function(k) stats::approx(done, line[, k], share, ties = mean, rule = 2)$y
  cbind(place(1L), place(2L))
}

# Spots on the line and on its four sides.
label_spots <- function(line, width, height) {
  share <- seq(0.06, 0.94, by = 0.02)
  on_line <- along_line(line, share)
  gap <- 0.03
  shift <- rbind(
    c(0, 0), c(width / 2 + gap, 0), c(-width / 2 - gap, 0), c(0, height / 2 + gap),
    c(0, -height / 2 - gap)
  )
  side <- rep(seq_len(nrow(shift)), each = length(share))
  list(
    at = on_line[rep(seq_along(share), nrow(shift)), ] + shift[side, ], beside = side > 1L,
    away = rep(abs(2 * share - 1), nrow(shift))
  )
}

# The cost of each spot for the label of edge `own`, but for the other labels. `points`: of all
# edges, as data frame of x, y and edge.
fixed_cost <- function(spots, width, height, boxes, heads, points, own, room) {
  at <- spots$at
  near <- function(x, y, wide = 0 * x, high = 0 * x) {
    abs(outer(at[, 1L], x, "-")) < rep((width + wide) / 2, each = nrow(at)) &
      abs(outer(at[, 2L], y, "-")) < rep((height + high) / 2, each = nrow(at))
  }
  # Only what comes near any of the spots is looked at more closely.
  within_reach <- function(things, wide = 0, high = 0) {
    things[
      things$x > min(at[, 1L]) - (width + wide) / 2 & things$x < max(at[, 1L]) + (width + wide) / 2 &
        things$y > min(at[, 2L]) - (height + high) / 2 &
        things$y < max(at[, 2L]) + (height + high) / 2, , drop = FALSE
    ]
  }
  hidden <- function(things) {
    things <- within_reach(things, things$width, things$height)
    rowSums(near(things$x, things$y, things$width, things$height))
  }
  mine <- points[points$edge == own, ]
  others <- within_reach(points[points$edge != own, ])
  # How many of the others a label would touch, wherever it does.
  crossed <- colSums(rowsum(t(near(others$x, others$y)) + 0, others$edge) > 0)
  outside <- at[, 1L] < width / 2 | at[, 1L] > room[[1L]] - width / 2 |
    at[, 2L] < height / 2 | at[, 2L] > room[[2L]] - height / 2
  label_costs$node * hidden(boxes) + label_costs$head * hidden(heads) +
    label_costs$edge * crossed + label_costs$own * (rowMeans(near(mine$x, mine$y)) > 0.5) +
    label_costs$page * outside + label_costs$beside * spots$beside + label_costs$away * spots$away
}

# The labels of the edges' strengths: data frame of x, y, width, height and label. `to_paper`
# turns the curves of plot.R into x and y; `boxes` are the nodes on paper.
share_marks <- function(curves, share, cex, to_paper, boxes, room) {
  if (length(curves) == 0L) return(NULL)
  label <- share_label(share)
  width <- graphics::strwidth(label, units = "inches", cex = cex) + 0.05
  height <- graphics::strheight(label, units = "inches", cex = cex) + 0.05
  lines <- lapply(curves, function(curve) {
    do.call(cbind, unname(as.list(to_paper(curve$line[, 1L], curve$line[, 2L]))))
  })
  tips <- lapply(Filter(function(curve) !curve$plain, curves), function(curve) {
    corner <- to_paper(curve$tip[1L], curve$tip[2L] - curve$head / 2)
    data.frame(x = corner$x, y = corner$y, width = curve$head, height = curve$head)
  })
  heads <- do.call(rbind, c(list(boxes[0L, c("x", "y", "width", "height")]), tips))
  at <- place_labels(lines, boxes, heads, width, height, room)
  data.frame(x = at[, 1L], y = at[, 2L], width, height, label)
}

share_size <- function(cex) min(0.8, max(0.75 * cex, 0.45))

draw_shares <- function(marks, cex) {
  if (is.null(marks)) return(invisible())
  graphics::rect(
    marks$x - marks$width / 2, marks$y - marks$height / 2, marks$x + marks$width / 2,
    marks$y + marks$height / 2, col = "white", border = NA
  )
  graphics::text(marks$x, marks$y, marks$label, cex = cex)
}
