# The strengths of edges as numbers in a picture: which edges get one, and where it goes. A number
# stands on a straight piece of its line or beside it, and hides no node, arrow head, elbow, other
# edge or other number as long as there is such a place. All lengths are inches on the paper.

# ---- which edges ---------------------------------------------------------------------------------

# Most edges of a private graph are nearly certain, and numbers at all of them would hide those
# that matter. From this strength on an edge has none.
sure_share <- 0.95

# As it would be written: what rounds to 95 % is at least 95 % in the picture.
is_sure <- function(share) round(100 * share) >= 100 * sure_share

# "" for an edge without a number: a sure one, or one that was required (NA).
share_texts <- function(share) {
  ifelse(is.na(share) | is_sure(share), "", share_label(share))
}

# What the legend says about edges without a number; NULL if there are none.
share_note <- function(share) {
  sure <- sum(is_sure(share), na.rm = TRUE)
  required <- sum(is.na(share))
  if (sure + required == 0L) return(NULL)
  which <- if (sure + required == length(share)) "all edges" else "edges without a number"
  paste0(which, ": ", paste(c(
    if (required > 0L) "required",
    if (sure > 0L) paste0("strength of at least ", 100 * sure_share, "%")
  ), collapse = ", or "))
}

# ---- on the paper --------------------------------------------------------------------------------

# The numbers at the edges: data frame of x, y, width, height, label, the number of the edge, and
# whether the label `hides` something. `share` has one number per curve; `to_paper` turns the curves
# of plot_edges.R into x and y; `boxes` are the nodes on paper; `measure` gives the width and
# height of texts.
share_marks <- function(curves, share, cex, to_paper, boxes, room, measure) {
  label <- share_texts(share)
  shown <- which(nzchar(label))
  if (length(shown) == 0L) return(NULL)
  size <- measure(label[shown], share_size(cex))
  lines <- lapply(curves, function(curve) {
    do.call(cbind, unname(as.list(to_paper(curve$line[, 1L], curve$line[, 2L]))))
  })
  tips <- lapply(Filter(function(curve) !curve$plain, curves), function(curve) {
    corner <- to_paper(curve$tip[1L], curve$tip[2L] - curve$head / 2)
    data.frame(x = corner$x, y = corner$y, width = curve$head, height = curve$head)
  })
  heads <- do.call(rbind, c(list(boxes[0L, c("x", "y", "width", "height")]), tips))
  width <- size$width + 0.04
  height <- size$height + 0.05
  placed <- place_labels(lines, boxes, heads, shown, width, height, room)
  data.frame(
    x = placed$at[, 1L], y = placed$at[, 2L], width, height, label = label[shown], edge = shown,
    hides = placed$hides
  )
}

# Not below 6 points.
share_size <- function(cex) min(0.8, max(0.75 * cex, 0.5))

# What it costs to hide something, to cover an end or most of the edge itself; to cover nearly as
# much, to come near another edge, to stand beside the line, or away from its middle. Up to `own`
# it is a fault.
label_costs <- list(
  node = 1000, page = 1000, label = 400, head = 200, elbow = 200, edge = 30, own = 30,
  squeezed = 12, near = 6, beside = 3, away = 2
)
label_fault <- label_costs$own

# Lines that turn by more than this (in radians) within a label would be hard to follow.
elbow_angle <- pi / 6

# `lines`: one two-column matrix (x, y) per edge; `boxes`: the nodes, and `heads`, the arrow
# heads, as data frames of x, y, width and height; `shown`: the edges that get a label, and
# `width` and `height` of these labels; `room`: the paper's. Every label is placed where it costs
# least, first against what stands already, then again against all the others. Returns `at`, one
# row (x, y) per label, and `hides`, which labels are at fault.
place_labels <- function(lines, boxes, heads, shown, width, height, room) {
  paths <- lapply(lines, fine_path)
  raster <- path_raster(paths, room)
  tried <- lapply(seq_along(shown), function(k) {
    path <- paths[[shown[[k]]]]
    found <- NULL
    for (gap in beside_gaps) {
      spots <- label_spots(path, width[[k]], height[[k]], gap)
      cost <- fixed_cost(spots, width[[k]], height[[k]], boxes, heads, path, raster, room)
      found <- list(at = rbind(found$at, spots$at), cost = c(found$cost, cost))
      if (min(cost) < label_costs$squeezed) break
    }
    found
  })
  spots <- lapply(tried, `[[`, "at")
  fixed <- lapply(tried, `[[`, "cost")
  # The edges with the least choice come first.
  order <- order(vapply(fixed, function(cost) sum(cost < label_fault), 0))
  at <- matrix(NA_real_, length(shown), 2L)
  cost_now <- rep(Inf, length(shown))
  for (k in rep(order, 4L)) {
    spot <- spots[[k]]
    cost <- fixed[[k]]
    for (j in setdiff(which(!is.na(at[, 1L])), k)) {
      hit <- abs(spot[, 1L] - at[j, 1L]) < (width[[k]] + width[[j]]) / 2 + label_gap &
        abs(spot[, 2L] - at[j, 2L]) < (height[[k]] + height[[j]]) / 2 + label_gap
      cost <- cost + label_costs$label * hit
    }
    best <- which.min(cost)
    at[k, ] <- spot[best, ]
    cost_now[[k]] <- cost[[best]]
  }
  list(at = at, hides = cost_now >= label_fault)
}

# Between a label and whatever it must not hide; between it and its line where it stands beside,
# and what is tried if it finds no place there; between it and other edges, so that nobody takes it
# for theirs.
label_gap <- 0.02
beside_gaps <- c(0.045, 0.09)
other_gap <- 0.07

# Points of a line, closely spaced, with the direction of the line there (in radians, counted on
# through turns) and whether it makes an elbow.
fine_path <- function(line, step = 0.02) {
  done <- cumsum(c(0, sqrt(rowSums(diff(line)^2))))
  new <- c(TRUE, diff(done) > 1e-9) # corners may repeat a point
  at <- seq(0, max(done), length.out = max(10, ceiling(max(done) / step)))
  x <- stats::approx(done[new], line[new, 1L], at)$y
  y <- stats::approx(done[new], line[new, 2L], at)$y
  angle <- atan2(diff(y), diff(x))
  turn <- diff(angle)
  turn <- turn - 2 * pi * round(turn / (2 * pi))
  angle <- cumsum(c(angle[1L], turn))
  angle <- c(angle, angle[length(angle)])
  ahead <- pmin(seq_along(at) + 3L, length(at))
  behind <- pmax(seq_along(at) - 3L, 1L)
  data.frame(x, y, angle, elbow = abs(angle[ahead] - angle[behind]) > elbow_angle)
}

# Spots on the line, on its four sides and at four corners.
label_spots <- function(path, width, height, gap) {
  keep <- unique(round(seq(1, nrow(path), length.out = min(nrow(path), 80L))))
  right <- width / 2 + gap
  up <- height / 2 + gap
  shift <- rbind(
    c(0, 0), c(right, 0), c(-right, 0), c(0, up), c(0, -up),
    0.85 * c(right, up), 0.85 * c(right, -up), 0.85 * c(-right, up), 0.85 * c(-right, -up)
  )
  side <- rep(seq_len(nrow(shift)), each = length(keep))
  at <- cbind(path$x, path$y)[keep, , drop = FALSE]
  list(
    at = at[rep(seq_along(keep), nrow(shift)), , drop = FALSE] + shift[side, , drop = FALSE],
    beside = side > 1L,
    away = rep(abs(2 * (keep - 1) / (nrow(path) - 1) - 1), nrow(shift))
  )
}

# The cost of each spot for the label of the edge `path`, but for the other labels.
fixed_cost <- function(spots, width, height, boxes, heads, path, raster, room) {
  x <- spots$at[, 1L]
  y <- spots$at[, 2L]
  hidden <- function(things) {
    reach <- function(size, label) rep((label + size) / 2 + label_gap, each = length(x))
    rowSums(
      abs(outer(x, things$x, "-")) < reach(things$width, width) &
        abs(outer(y, things$y, "-")) < reach(things$height, height)
    )
  }
  outside <- x < width / 2 | x > room[[1L]] - width / 2 |
    y < height / 2 | y > room[[2L]] - height / 2
  cost <- label_costs$node * hidden(boxes) + label_costs$page * outside +
    label_costs$head * hidden(heads) + label_costs$beside * spots$beside +
    label_costs$away * spots$away
  # Lines take longer to look at: only where there is no worse.
  open <- cost < min(cost) + label_costs$head
  at <- spots$at[open, , drop = FALSE]
  cost[open] <- cost[open] + line_cost(at, spots$beside[open], width, height, path, raster)
  cost
}

# The part of it that is about lines: the own one and those of other edges.
line_cost <- function(at, beside, width, height, path, raster) {
  cells <- label_cells(at, width, height, label_gap, raster)
  wide <- label_cells(at, width, height, other_gap, raster)
  own <- path_cells(path, raster)
  covered_by <- function(cells) {
    outer(cells$left, own$column, "<=") & outer(cells$right, own$column, ">=") &
      outer(cells$low, own$row, "<=") & outer(cells$high, own$row, ">=")
  }
  at_end <- function(covered) covered[, 1L] | covered[, ncol(covered)]
  mine <- covered_by(cells)
  around <- covered_by(wide)
  others <- count_cells(raster$all, cells) - rowSums(mine)
  other_elbows <- count_cells(raster$elbow, cells) - rowSums(mine[, path$elbow, drop = FALSE])
  nearby <- count_cells(raster$all, wide) - rowSums(around)
  # A label is on the line or beside it, not half of each.
  share <- rowMeans(mine)
  badly <- ifelse(beside, share > 0, share > 0.6 | at_end(mine))
  # On the line, a straight piece should be seen on both sides.
  squeezed <- !beside & (elbow_hidden(around, path$angle) | at_end(around))
  label_costs$elbow * (elbow_hidden(mine, path$angle) | other_elbows > 0) +
    label_costs$edge * (others > 0) + label_costs$own * badly +
    label_costs$squeezed * squeezed + label_costs$near * (nearby > 0)
}

# Does the line turn where a label covers it? `mine`: which points of the path each label covers.
elbow_hidden <- function(mine, angle) {
  touched <- which(rowSums(mine) > 0)
  turned <- logical(nrow(mine))
  turned[touched] <- vapply(touched, function(k) {
    covered <- angle[mine[k, ]]
    max(covered) - min(covered) > elbow_angle
  }, NA)
  turned
}

# ---- counting points in rectangles ---------------------------------------------------------------

# The paper in small cells, with sums of the points of all edges in every rectangle from the
# corner on, so that those in any other rectangle are known from four numbers.
path_raster <- function(paths, room, cell = 0.02) {
  cells <- pmax(ceiling(room / cell), 2)
  raster <- list(cell = cell, columns = cells[[1L]], rows = cells[[2L]])
  points <- do.call(rbind, paths)
  sums <- function(points) {
    at <- path_cells(points, raster)
    count <- tabulate(at$column + raster$columns * (at$row - 1L), raster$columns * raster$rows)
    count <- matrix(count, raster$columns, raster$rows)
    count <- apply(count, 2L, cumsum)
    count <- t(apply(count, 1L, cumsum))
    rbind(0, cbind(0, count))
  }
  raster$all <- sums(points)
  raster$elbow <- sums(points[points$elbow, , drop = FALSE])
  raster
}

clip <- function(x, most) pmin(pmax(x, 1L), most)

path_cells <- function(path, raster) {
  list(
    column = clip(floor(path$x / raster$cell) + 1, raster$columns),
    row = clip(floor(path$y / raster$cell) + 1, raster$rows)
  )
}

label_cells <- function(at, width, height, gap, raster) {
  cell <- function(x, most) clip(floor(x / raster$cell) + 1, most)
  list(
    left = cell(at[, 1L] - width / 2 - gap, raster$columns),
    right = cell(at[, 1L] + width / 2 + gap, raster$columns),
    low = cell(at[, 2L] - height / 2 - gap, raster$rows),
    high = cell(at[, 2L] + height / 2 + gap, raster$rows)
  )
}

count_cells <- function(sums, cells) {
  sums[cbind(cells$right + 1L, cells$high + 1L)] - sums[cbind(cells$left, cells$high + 1L)] -
    sums[cbind(cells$right + 1L, cells$low)] + sums[cbind(cells$left, cells$low)]
}
