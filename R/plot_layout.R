# Where the nodes and edges of a graph go on the paper: a layered drawing (Sugiyama, Tagawa
# & Toda 1981) in inches. Causes stand in earlier layers than their effects; an edge that
# skips layers gets a bend point in each of them, so that no edge runs over a node.
#
# "along" is the axis from layer to layer, "across" the axis inside a layer. They become
# y and x (direction "down") or x and y (direction "right").

# Sizes in inches at cex = 1: room around a label, between neighbours, around a bend point,
# between a layer and the tracks of edges, from edge to edge at a node.
layout_sizes <- list(pad = 0.16, gap = 0.16, bend = 0.14, band = 0.2, port = 0.09)

# Tracks closer than this (in inches, whatever the letters) could not be told apart.
least_track <- 0.035

# Small graphs get letters up to the first size. Layers are rearranged only below the second.
largest_cex <- 1.5
comfortable_cex <- 0.85

# The drawing for a region of `width` by `height` inches. `label_width` and `label_height`
# are the sizes of the labels at cex = 1, `magnify` is what the user asks for. With `tier`, the
# number of each node's tier, every tier has layers of its own. `between` are inches that each layer
# keeps from the next in addition, for numbers at the edges.
layout_graph <- function(graph, label_width, label_height, width, height,
                         direction = "down", magnify = 1, tier = NULL, between = 0) {
  planned <- plan_layout(graph, label_width, label_height, width, height, direction, tier)
  layers <- planned$layers
  paper <- planned$paper
  cex <- planned$cex
  bent <- add_bends(layers)
  rough <- order_across(bent)
  # Edges need their tracks as well: somewhat smaller letters if these do not fit. In a very
  # dense graph the tracks come closer to each other instead.
  smallest <- 0.8 * cex
  repeat {
    placed <- place_nodes(bent, rough, paper, cex, 1, between)
    if (placed$fits || cex < smallest) break
    cex <- 0.94 * cex
  }
  if (magnify != 1) placed <- place_nodes(bent, rough, paper, cex, magnify, between)
  c(
    settle(placed, planned$isolated, paper, cex * magnify),
    bent[c("path", "layer", "n_nodes")],
    list(cex = cex * magnify, sideways = paper$sideways)
  )
}

# Layers, and the largest letters that these allow; the edges between them may need smaller ones.
plan_layout <- function(graph, label_width, label_height, width, height, direction = "down",
                        tier = NULL) {
  sideways <- direction == "right"
  paper <- list(
    width = width, height = height, sideways = sideways,
    across_size = if (sideways) label_height else label_width,
    along_size = if (sideways) label_width else label_height
  )
  layers <- layer_nodes(graph, tier)
  ports <- pmax(tabulate(layers$from, nrow(graph)), tabulate(layers$to, nrow(graph)))
  paper$across_size <- pmax(paper$across_size, layout_sizes$port * ports - layout_sizes$pad)
  isolated <- which(is.na(layers$layer))
  paper$strip <- isolated_strip(label_width[isolated], label_height[isolated], width)
  layers$layer <- if (is.null(tier)) {
    fit_layers(layers, paper)
  } else {
    spread_in_tiers(layers, paper, tier)
  }
  list(layers = layers, paper = paper, isolated = isolated, cex = letter_size(layers, paper))
}

# The layer of each node and the edges as node numbers, both in the direction of a DAG that
# the graph allows. Nodes without edges have no layer (NA).
layer_nodes <- function(graph, tier = NULL) {
  dag <- cpp_extend_to_dag(graph, name_rank(rownames(graph)))
  ends <- which(dag == 1L, arr.ind = TRUE, useNames = FALSE)
  from <- ends[, 1L]
  to <- ends[, 2L]
  layer <- if (is.null(tier)) {
    shortest_layers(from, to, nrow(dag))
  } else {
    tier_layers(from, to, tier)
  }
  arcs <- igraph::make_graph(c(rbind(from, to)), nrow(dag))
  part <- as.integer(igraph::components(arcs)$membership)
  list(layer = layer, from = from, to = to, part = part)
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
  layer
}

# A crowded graph gets larger letters if its unconnected parts stand below each other, and if
# wide layers are split in two (nodes of one layer have no edges between them, so any split is
# valid). Both are tried step by step as long as the letters grow.
fit_layers <- function(layers, paper) {
  linked <- which(!is.na(layers$layer))
  if (length(linked) == 0L) return(layers$layer)
  for (part in split(linked, layers$part[linked])) {
    layers$layer[part] <- match(layers$layer[part], sort(unique(layers$layer[part])))
  }
  try_out <- function(own, depth) {
    layers$layer <- stack_parts(own, layers, paper, depth)
    list(own = own, depth = depth, layer = layers$layer, cex = letter_size(layers, paper))
  }
  best <- state <- try_out(layers$layer, max(layers$layer, na.rm = TRUE))
  misses <- 0L
  while (best$cex < comfortable_cex && misses < 6L) {
    halved <- split_widest(state, layers, paper)
    tries <- list(
      try_out(halved, max(state$depth, halved, na.rm = TRUE)),
      try_out(state$own, state$depth + 1L)
    )
    state <- tries[[which.max(c(tries[[1L]]$cex, tries[[2L]]$cex))]]
    better <- state$cex > 1.02 * best$cex
    misses <- if (better) 0L else misses + 1L
    if (better) best <- state
  }
  best$layer
}

# Parts from the largest to the smallest, each where it makes the fullest layer least full.
# `own` are the layers counted within each part.
stack_parts <- function(own, layers, paper, depth) {
  filled <- rep(0, depth)
  room <- paper$across_size + layout_sizes$pad + layout_sizes$gap
  linked <- which(!is.na(own))
  parts <- split(linked, layers$part[linked])
  for (part in parts[order(-lengths(parts))]) {
    width <- as.vector(tapply(room[part], factor(own[part], seq_len(max(own[part]))), sum))
    width[is.na(width)] <- 0
    shifts <- 0:(depth - length(width))
    fullness <- vapply(shifts, function(shift) max(filled[shift + seq_along(width)] + width), 0)
    shift <- shifts[which.min(fullness)]
    filled[shift + seq_along(width)] <- filled[shift + seq_along(width)] + width
    own[part] <- own[part] + shift
  }
  own
}

# Splits the fullest layer, in the part that fills it most. Effects go to the upper half and
# causes to the lower one, so that few edges have to pass the other half.
split_widest <- function(state, layers, paper) {
  own <- state$own
  room <- paper$across_size + layout_sizes$pad + layout_sizes$gap
  widest <- which.max(tapply(room, factor(state$layer, seq_len(state$depth)), sum))
  members <- which(state$layer == widest)
  part <- names(which.max(tapply(room[members], layers$part[members], sum)))
  members <- members[layers$part[members] == as.integer(part)]
  if (length(members) < 2L) return(own)
  below <- which(layers$part == as.integer(part) & own > own[members[1L]])
  outward <- tabulate(layers$from, length(own)) - tabulate(layers$to, length(own))
  lower <- members[order(outward[members])][-seq_len(ceiling(length(members) / 2))]
  own[c(below, lower)] <- own[c(below, lower)] + 1L
  own
}

# The largest letters with which all layers, and the nodes without edges, fit on the paper.
letter_size <- function(layers, paper) {
  sizes <- layout_sizes
  cex <- largest_cex * 0.98^(0:180)
  strip <- cex * paper$strip$height(cex)
  linked <- which(!is.na(layers$layer))
  across <- along <- tracks <- 0
  if (length(linked)) {
    n_layers <- max(layers$layer[linked])
    layer <- factor(layers$layer[linked], seq_len(n_layers))
    edge_start <- layers$layer[layers$from]
    edge_end <- layers$layer[layers$to]
    k <- seq_len(n_layers)
    passing <- colSums(outer(edge_start, k, "<") & outer(edge_end, k, ">"))
    in_band <- colSums(outer(edge_start, k, "<=") & outer(edge_end, k, ">"))
    width <- tapply(paper$across_size[linked] + sizes$pad + sizes$gap, layer, sum, default = 0)
    across <- max(width + sizes$bend * passing)
    thick <- tapply(paper$along_size[linked], layer, max, default = 0) + sizes$pad
    along <- sum(thick) + sizes$band * (n_layers - 1L)
    # Every fourth to every second edge needs a track of its own: a low guess, put right when
    # the tracks are known. Tracks do not shrink with the letters.
    tracks <- least_track * sum(1 + in_band[-n_layers] / 4)
  }
  free <- free_room(paper, strip)
  fits <- which(
    cex * across <= free$across &
      cex * along + pmin(tracks, 0.4 * free$along) <= free$along &
      strip <= paper$height &
      cex * max(paper$strip$box, 0) <= paper$width
  )
  cex[if (length(fits)) fits[1L] else length(cex)]
}

free_room <- function(paper, strip) {
  height <- paper$height - strip
  if (paper$sideways) list(across = height, along = paper$width) else
    list(across = paper$width, along = height)
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

path_steps <- function(paths) {
  steps <- lapply(paths, function(path) cbind(path[-length(path)], path[-1L]))
  do.call(rbind, c(list(matrix(0L, 0L, 2L)), steps))
}

# Order and rough position inside the layers, by igraph, in units of one node. Nodes without
# edges have none.
order_across <- function(bent) {
  placed <- sort(unique(unlist(bent$path)))
  across <- rep(NA_real_, length(bent$layer))
  if (length(placed) == 0L) return(across)
  graph <- igraph::make_graph(match(t(path_steps(bent$path)), placed), length(placed))
  across[placed] <- igraph::layout_with_sugiyama(
    graph, layers = bent$layer[placed], hgap = 1, vgap = 1, maxiter = 500
  )$layout[, 1L]
  across
}

# Everything in inches, for letters of size `cex`. `depth` is that of a whole layer, `thickness`
# that of a node in it. `fits` is FALSE if the edges would get less than their least distance.
place_nodes <- function(bent, rough, paper, cex, magnify, between) {
  sizes <- layout_sizes
  strip <- cex * magnify * paper$strip$height(cex * magnify)
  free <- free_room(paper, strip)
  is_node <- seq_along(bent$layer) <= bent$n_nodes
  size <- rep(0, length(is_node))
  size[is_node] <- (paper$across_size + sizes$pad) * cex * magnify
  thickness <- depth <- across <- along <- rep(0, length(size))
  track <- list()
  fits <- TRUE
  placed <- which(!is.na(bent$layer))
  if (length(placed)) {
    n_layers <- max(bent$layer[placed])
    gap <- ifelse(is_node, sizes$gap, sizes$bend) * cex
    across[placed] <- place_across(bent, rough, size, gap, is_node, free$across)[placed]
    node_layer <- factor(bent$layer[is_node], seq_len(n_layers))
    thick <- as.vector(tapply(paper$along_size, node_layer, max, default = 0) + sizes$pad)
    thick <- thick * cex * magnify
    depth[placed] <- thick[bent$layer[placed]]
    # A short name has a short box, whatever else stands in its layer.
    thickness[is_node] <- (paper$along_size + sizes$pad) * cex * magnify
    track <- assign_tracks(bent, across, size, n_layers)
    bands <- place_bands(thick, track$count, free$along, cex, between)
    along[placed] <- bands$middle[bent$layer[placed]]
    fits <- bands$fits
  }
  list(
    across = across, along = along, size = size, thickness = thickness, depth = depth,
    track = track, strip = strip, fits = fits
  )
}

# The bands between layers share the room that is left, those with many tracks get more.
place_bands <- function(thick, tracks, room, cex, between) {
  sizes <- layout_sizes
  least <- sizes$band * cex + least_track * (1 + tracks) + between
  free <- room - sum(thick) - sum(least)
  gap <- least + pmin(max(free, 0) * (2 + tracks) / sum(2 + tracks), 1)
  if (free < 0) gap <- gap * max(room - sum(thick), 0) / sum(gap)
  start <- (room - sum(thick) - sum(gap)) / 2
  list(
    middle = start + cumsum(thick) - thick / 2 + cumsum(c(0, gap)),
    fits = free >= 0 || length(tracks) == 0L
  )
}
