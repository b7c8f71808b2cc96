# Where nodes and bend points stand inside their layers ("across", see plot_layout.R).

# Positions inside the layers: edges as short and upright as the order and the distances
# allow. One layer at a time is solved exactly (weighted isotonic regression), up and down
# until it settles. Long edges weigh most where they only pass (weights as in Gansner et al.
# 1993, A technique for drawing directed graphs, section 4), so that these stay straight.
place_across <- function(bent, rough, size, gap, is_node, room) {
  everyone <- split(seq_along(size), bent$layer)
  everyone <- lapply(everyone, function(i) i[order(rough[i])]) # those without edges come last
  least <- gap
  # Distances grow until the fullest layer fills the room, within limits.
  spare <- vapply(everyone, function(i) {
    (room - sum(size[i]) - sum(gap[i])) / sum(1 + is_node[i])
  }, 0)
  spare <- min(spare, 0.5)
  gap <- gap + spare * (1 + is_node)
  lonely <- is.na(rough) & !is.na(bent$layer)
  members <- Filter(length, lapply(everyone, function(i) i[!lonely[i]]))
  x <- rep(0, length(size))
  if (length(members)) {
    beside <- max(vapply(everyone, function(i) sum((size + gap)[i[lonely[i]]]), 0))
    needed <- max(vapply(members, function(i) sum((size + gap)[i]), 0))
    graph_room <- max(room - beside, min(needed, room))
    x <- settle_across(bent, rough, members, size, gap, least, is_node, graph_room)
  }
  place_beside(x, everyone, lonely, size, gap, room)
}

settle_across <- function(bent, rough, members, size, gap, least, is_node, room) {
  steps <- path_steps(bent$path)
  weight <- c(8, 2, 1)[1L + is_node[steps[, 1L]] + is_node[steps[, 2L]]]
  neighbour <- split(c(steps[, 2L], steps[, 1L]), factor(c(steps), seq_along(size)))
  strength <- split(c(weight, weight), factor(c(steps), seq_along(size)))
  range <- range(rough, na.rm = TRUE)
  start <- room / 2 + (rough - mean(range)) * 0.9 * room / max(diff(range), 1)
  x <- start
  for (i in members) x[i] <- separate(x[i], rep(1, length(i)), size[i], gap[i], room)
  anchor <- 0.05
  order <- c(seq_along(members), rev(seq_along(members)))
  for (sweep in seq_len(12L)) {
    for (i in members[order]) {
      total <- anchor + vapply(strength[i], sum, 0)
      pulled <- mapply(function(at, w) sum(x[at] * w), neighbour[i], strength[i])
      x[i] <- separate((anchor * start[i] + pulled) / total, total, size[i], gap[i], room)
    }
    x <- straighten(x, bent$path, members, size, least, room)
  }
  x
}

# A long edge runs straight through as many layers as its neighbours there let it. Layer by
# layer it would take many rounds to get there.
straighten <- function(x, paths, members, size, gap, room) {
  left <- right <- rep(NA_integer_, length(x))
  for (i in members) {
    left[i] <- c(NA, i[-length(i)])
    right[i] <- c(i[-1L], NA)
  }
  distance <- function(a, b) (size[a] + size[b] + gap[a] + gap[b]) / 2
  for (bends in lapply(paths, function(path) path[-c(1L, length(path))])) {
    while (length(bends) > 1L) {
      low <- x[left[bends]] + distance(left[bends], bends)
      high <- x[right[bends]] - distance(right[bends], bends)
      low <- cummax(ifelse(is.na(low), 0, low))
      high <- cummin(ifelse(is.na(high), room, high))
      run <- max(sum(cumprod(low <= high)), 1L)
      here <- bends[seq_len(run)]
      if (run > 1L) x[here] <- min(max(mean(x[here]), low[run]), high[run])
      bends <- bends[-seq_len(run)]
    }
  }
  x
}

# Moves the points of a layer, given in their order, as little as possible (weighted least
# squares) so that neighbours keep their distance and all stay between 0 and `room`. With the
# needed distances taken off, this is isotonic regression; bounds only clip its solution.
separate <- function(position, weight, size, gap, room) {
  n <- length(position)
  offset <- cumsum(c(0, (size[-n] + size[-1L] + gap[-n] + gap[-1L]) / 2))
  free <- isotonic(position - offset, weight)
  low <- size[1L] / 2
  high <- room - size[n] / 2 - offset[n]
  if (high < low) low <- high <- (low + high) / 2
  pmin(pmax(free, low), high) + offset
}

# Pool adjacent violators.
isotonic <- function(y, weight) {
  value <- total <- double(length(y))
  count <- integer(length(y))
  top <- 0L
  for (i in seq_along(y)) {
    top <- top + 1L
    value[top] <- y[i]
    total[top] <- weight[i]
    count[top] <- 1L
    while (top > 1L && value[top - 1L] > value[top]) {
      both <- total[top - 1L] + total[top]
      value[top - 1L] <- (value[top - 1L] * total[top - 1L] + value[top] * total[top]) / both
      total[top - 1L] <- both
      count[top - 1L] <- count[top - 1L] + count[top]
      top <- top - 1L
    }
  }
  rep(value[seq_len(top)], count[seq_len(top)])
}
