# Where the nodes and edges of a graph go on the paper: a layered drawing (Sugiyama, Tagawa
# & Toda 1981) in inches. Causes stand in earlier layers than their effects; an edge that
# skips layers gets a bend point in each of them, so that no edge runs over a node.
#
# "along" is the axis from layer to layer, "across" the axis inside a layer. They become
# y and x (top to bottom) or x and y (left to right), whichever allows larger letters.

# The layer of each node and the edges as node numbers, both in the direction of a DAG that
# the graph allows. Nodes without edges have no layer (NA).
layer_nodes <- function(amat) {
  dag <- cpp_extend_to_dag(amat, name_rank(rownames(amat)))
  ends <- which(dag == 1L, arr.ind = TRUE, useNames = FALSE)
  from <- ends[, 1L]
  to <- ends[, 2L]
  list(layer = shortest_layers(from, to, nrow(dag)), from = from, to = to)
}

# Layers in which every edge goes down by at least one. Starts with each node as early as
# its causes allow; then nodes move, one at a time, towards the side on which they have more
# edges, as far as these allow, until no move makes the edges shorter together.
shortest_layers <- function(from, to, n) {
  layer <- rep(1L, n)
  repeat {
    lowest <- layer[from] + 1L
    behind <- layer[to] < lowest
    if (!any(behind)) break
    pushed <- tapply(lowest[behind], to[behind], max)
    layer[as.integer(names(pushed))] <- pushed
  }
  causes <- split(from, factor(to, seq_len(n)))
  effects <- split(to, factor(from, seq_len(n)))
  pull <- lengths(effects) - lengths(causes)
  repeat {
    moved <- FALSE
    for (node in order(layer, decreasing = TRUE)) {
      target <- if (pull[node] > 0L) {
        min(layer[effects[[node]]]) - 1L
      } else if (pull[node] < 0L && length(causes[[node]])) {
        max(layer[causes[[node]]]) + 1L
      } else {
        layer[node]
      }
      moved <- moved || target != layer[node]
      layer[node] <- target
    }
    if (!moved) break
  }
  layer[lengths(causes) + lengths(effects) == 0L] <- NA
  match(layer, sort(unique(layer)))
}

# Bend points for the edges that skip layers. Each becomes a point of its own between the
# nodes; `path` lists the points of every edge from end to end.
add_bends <- function(layers) {
  layer <- layers$layer
  path <- vector("list", length(layers$from))
  for (edge in seq_along(path)) {
    ends <- c(layers$from[edge], layers$to[edge])
    between <- seq_len(layer[ends[2L]] - layer[ends[1L]] - 1L)
    bends <- length(layer) + between
    layer <- c(layer, layer[ends[1L]] + between)
    path[[edge]] <- c(ends[1L], bends, ends[2L])
  }
  list(layer = layer, path = path, n_nodes = length(layers$layer))
}

# Order and rough position inside the layers, by igraph, in units of one node.
place_across <- function(bent) {
  placed <- which(!is.na(bent$layer))
  across <- rep(NA_real_, length(bent$layer))
  if (length(placed) == 0L) return(across)
  steps <- unlist(lapply(bent$path, function(path) rbind(path[-length(path)], path[-1L])))
  graph <- igraph::make_graph(match(steps, placed), length(placed))
  across[placed] <- igraph::layout_with_sugiyama(
    graph, layers = bent$layer[placed], hgap = 1, vgap = 1, maxiter = 500
  )$layout[, 1L]
  across
}

# Nodes without edges fill rows of their own after the last layer.
place_isolated <- function(bent, across) {
  isolated <- which(is.na(bent$layer))
  if (length(isolated) == 0L) return(list(layer = bent$layer, across = across))
  last <- max(bent$layer, 0L, na.rm = TRUE)
  most <- max(tabulate(bent$layer[seq_len(bent$n_nodes)]), ceiling(sqrt(length(isolated))), 1L)
  row <- (seq_along(isolated) - 1L) %/% most
  middle <- if (last > 0L) mean(range(across, na.rm = TRUE)) else 0
  bent$layer[isolated] <- last + 1L + row
  for (k in unique(row)) {
    members <- isolated[row == k]
    across[members] <- middle + seq_along(members) - (length(members) + 1) / 2
  }
  list(layer = bent$layer, across = across)
}

# Moves the points of one layer as little as possible (least squares) so that neighbours keep
# their distance and all stay between `low` and `high`. With the needed distances taken off,
# this is isotonic regression; bounds only clip its solution.
separate <- function(position, size, gap, low, high) {
  order <- order(position)
  half <- size[order] / 2
  n <- length(order)
  offset <- cumsum(c(0, half[-n] + half[-1L] + gap))
  free <- if (n > 1L) stats::isoreg(position[order] - offset)$yf else position
  free <- pmin(pmax(free, low + half[1L]), high - half[n] - offset[n])
  position[order] <- free + offset
  position
}

# The drawing for a region of `width` by `height` inches. `label_width` and `label_height`
# are the sizes of the labels at cex = 1.
layout_graph <- function(amat, label_width, label_height, width, height) {
  bent <- add_bends(layer_nodes(amat))
  rough <- place_across(bent)
  bent[c("layer", "across")] <- place_isolated(bent, rough)[c("layer", "across")]
  down <- fit_to_region(bent, label_width, label_height, width, height)
  right <- fit_to_region(bent, label_height, label_width, height, width)
  # Top to bottom is what readers expect: the other way has to earn it.
  sideways <- right$cex > 1.15 * down$cex
  chosen <- if (sideways) right else down
  c(chosen, list(
    sideways = sideways, layer = bent$layer, path = bent$path, n_nodes = bent$n_nodes
  ))
}

# Sizes in inches at cex = 1: room around a label, between neighbours, for a bend point.
layout_sizes <- list(pad = 0.14, gap = 0.14, bend = 0.04, cex_max = 1)

# Between layers: more where many edges have to find their way.
least_gaps <- function(bent, n_layers) {
  bands <- unlist(lapply(bent$path, function(path) bent$layer[path[-1L]] - 1L))
  pmin(0.3 + 0.02 * tabulate(as.integer(bands), n_layers - 1L), 1)
}

fit_to_region <- function(bent, across_size, along_size, across_room, along_room) {
  sizes <- layout_sizes
  is_node <- seq_along(bent$layer) <= bent$n_nodes
  n_layers <- max(bent$layer)
  size <- rep(sizes$bend, length(is_node))
  size[is_node] <- across_size + sizes$pad
  thickness <- vapply(seq_len(n_layers), function(k) {
    max(along_size[bent$layer[is_node] == k], 0) + sizes$pad
  }, 0)
  in_layers <- split(seq_along(size), bent$layer)
  needed_across <- max(vapply(in_layers, function(i) sum(size[i]) + sizes$gap * length(i), 0))
  least <- least_gaps(bent, n_layers)
  needed_along <- sum(thickness) + sum(least)
  cex <- min(sizes$cex_max, across_room / needed_across, along_room / needed_along)
  size <- size * cex
  thickness <- thickness * cex

  # Across: stretched to the room, again with a limit, and centred.
  range <- range(bent$across)
  step <- min((across_room - max(size)) / max(diff(range), 1), 1.6 * max(size) + 0.6)
  across <- across_room / 2 + (bent$across - mean(range)) * step
  for (members in in_layers) {
    across[members] <- separate(across[members], size[members], sizes$gap * cex, 0, across_room)
  }
  # Along: the bands between layers share the room that is left, those with long edges get
  # more of it, up to a limit that keeps small graphs compact.
  least <- least * cex
  free <- max(0, along_room - sum(thickness) - sum(least))
  weight <- band_weights(bent, across, n_layers)
  gap <- least + pmin(free * weight, 1.1 * max(thickness) + 0.6)
  start <- (along_room - sum(thickness) - sum(gap)) / 2
  middle <- start + cumsum(thickness) - thickness / 2 + cumsum(c(0, gap))

  list(
    cex = cex, across = across, along = middle[bent$layer], size = size,
    thickness = thickness[bent$layer]
  )
}

# Shares of the bands between layers, by how far their edges run across.
band_weights <- function(bent, across, n_layers) {
  length_across <- rep(0, n_layers - 1L)
  for (path in bent$path) {
    bands <- bent$layer[path[-1L]] - 1L
    length_across[bands] <- length_across[bands] + abs(diff(across[path]))
  }
  weight <- 0.3 * max(sqrt(length_across), 1) + sqrt(length_across)
  weight / sum(weight)
}

# How far a bend point may lean: the line through the layer stays clear of its neighbours
# there. Given as across per along; 0 for nodes.
bend_slopes <- function(layout) {
  n_points <- length(layout$across)
  room <- rep(Inf, n_points)
  for (members in split(seq_len(n_points), layout$layer)) {
    members <- members[order(layout$across[members])]
    k <- length(members)
    half <- layout$size[members] / 2
    free <- diff(layout$across[members]) - half[-1L] - half[-k]
    room[members] <- pmin(c(Inf, free), c(free, Inf))
  }
  slope <- rep(0, n_points)
  for (path in layout$path) {
    for (k in seq_along(path)[-c(1L, length(path))]) {
      slopes <- diff(layout$across[path[k + -1:1]]) / diff(layout$along[path[k + -1:1]])
      if (prod(slopes) <= 0) next # a turning point: straight through
      # Not steeper than the flatter side bears: the curve would overshoot.
      wanted <- min(abs(mean(slopes)), 1.5 * abs(slopes))
      limit <- 0.8 * room[path[k]] / (layout$thickness[path[k]] / 2)
      slope[path[k]] <- sign(slopes[1L]) * min(wanted, limit)
    }
  }
  slope
}

# Ends of the edges spread over the side of a node, in the order in which they leave, so
# that arrow heads do not lie on each other. Returns the across position for each edge.
spread_ports <- function(layout, at_end) {
  pick <- function(path, k) path[if (at_end) length(path) - k else 1L + k]
  node <- vapply(layout$path, pick, 0L, k = 0L)
  towards <- layout$across[vapply(layout$path, pick, 0L, k = 1L)]
  port <- layout$across[node]
  for (members in split(seq_along(node), node)) {
    n <- length(members)
    if (n < 2L) next
    here <- node[members[1L]]
    spread <- min(0.7 * layout$size[here], 0.16 * (n - 1L))
    place <- rank(towards[members], ties.method = "first")
    port[members] <- layout$across[here] + spread * ((place - 1) / (n - 1) - 0.5)
  }
  port
}

# Each edge is a chain of curves in the free bands between two layers and of straight pieces
# where it passes a layer. All control points of a curve lie inside its band, hence the
# whole curve does, and no curve can touch a node.
edge_curves <- function(layout, undirected) {
  first <- spread_ports(layout, at_end = FALSE)
  last <- spread_ports(layout, at_end = TRUE)
  slopes <- bend_slopes(layout)
  head <- 0.045 + 0.055 * layout$cex
  lapply(seq_along(layout$path), function(edge) {
    path <- layout$path[[edge]]
    n <- length(path)
    plain <- undirected[path[1L], path[n]]
    across <- c(first[edge], layout$across[path[-c(1L, n)]], last[edge])
    half <- layout$thickness[path] / 2
    lean <- slopes[path] * half
    enter <- layout$along[path] - half
    leave <- layout$along[path] + half
    tip <- c(across[n], enter[n])
    if (!plain) enter[n] <- enter[n] - head # the last curve ends where the head begins
    pieces <- lapply(seq_len(n - 1L), function(k) {
      band_curve(
        c(across[k] + lean[k], leave[k]), c(across[k + 1L] - lean[k + 1L], enter[k + 1L]),
        slopes[path[k]], slopes[path[k + 1L]],
        loose = c(k == 1L, k == n - 1L && plain)
      )
    })
    list(line = do.call(rbind, pieces), plain = plain, tip = tip, head = head)
  })
}

# A cubic Bezier curve from one layer to the next, given as (across, along). It leaves and
# arrives with the slopes of its ends; a loose end leans towards the other end.
band_curve <- function(start, end, slope_start, slope_end, loose) {
  rise <- 0.4 * (end[2L] - start[2L])
  step <- 0.25 * (end[1L] - start[1L])
  control_1 <- start + c(if (loose[1L]) step else slope_start * rise, rise)
  control_2 <- end - c(if (loose[2L]) step else slope_end * rise, rise)
  t <- seq(0, 1, length.out = 24L)
  outer((1 - t)^3, start) + outer(3 * t * (1 - t)^2, control_1) +
    outer(3 * t^2 * (1 - t), control_2) + outer(t^3, end)
}
