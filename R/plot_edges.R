# How the edges of a graph run on the paper: which way they leave a node, which track they take
# between two layers, and their curves. Used by all pictures of graphs.

# Ends of the edges spread over the side of a node, in the order in which they leave, so
# that arrow heads do not lie on each other. Returns the across position for each edge.
spread_ports <- function(path, across, size, at_end) {
  pick <- function(path, k) path[if (at_end) length(path) - k else 1L + k]
  node <- vapply(path, pick, 0L, k = 0L)
  towards <- across[vapply(path, pick, 0L, k = 1L)]
  port <- across[node]
  for (members in split(seq_along(node), node)) {
    n <- length(members)
    if (n < 2L) next
    here <- node[members[1L]]
    spread <- min(0.9 * size[here] * (n - 1L) / n, 0.25 * (n - 1L))
    place <- rank(towards[members], ties.method = "first")
    port[members] <- across[here] + spread * ((place - 1) / (n - 1) - 0.5)
  }
  port
}

# Edges that run sideways between the same two layers get tracks, one below the other, as the
# wires in a channel of a circuit. Returns for every edge its across positions (`x`) and its
# track in each band it passes, and the number of tracks of each band.
assign_tracks <- function(bent, across, size, n_layers) {
  first <- spread_ports(bent$path, across, size, at_end = FALSE)
  last <- spread_ports(bent$path, across, size, at_end = TRUE)
  x <- lapply(seq_along(bent$path), function(edge) {
    path <- bent$path[[edge]]
    c(first[edge], across[path[-c(1L, length(path))]], last[edge])
  })
  band <- unlist(lapply(bent$path, function(path) bent$layer[path[-length(path)]]))
  start <- unlist(lapply(x, function(at) at[-length(at)]))
  end <- unlist(lapply(x, function(at) at[-1L]))
  track <- rep(1L, length(band))
  for (members in split(seq_along(band), band)) {
    track[members] <- band_tracks(start[members], end[members])
  }
  count <- as.vector(tapply(track, factor(band, seq_len(n_layers - 1L)), max, default = 0L))
  list(x = x, track = utils::relist(track, lapply(x, function(at) integer(length(at) - 1L))),
       count = count)
}

# Edges in one band: from `start` above to `end` below. If i runs above j they cross where the
# end of i goes down through j, and where the start of j comes down through i.
band_tracks <- function(start, end) {
  low <- pmin(start, end)
  high <- pmax(start, end)
  n <- length(start)
  inside <- function(at) outer(at, low, ">") & outer(at, high, "<")
  crossings <- inside(end) + t(inside(start))
  balance <- crossings - t(crossings)
  upright <- high - low < 0.05
  left <- which(!upright)
  track <- rep(1L, n)
  done <- integer()
  while (length(left)) {
    cost <- rowSums(balance[left, left, drop = FALSE])
    i <- left[which.min(cost)]
    beside <- done[low[done] < high[i] + 0.1 & high[done] > low[i] - 0.1]
    track[i] <- max(track[beside], 0L) + 1L
    done <- c(done, i)
    left <- setdiff(left, i)
  }
  track
}

# Each edge is a chain of curves in the free bands between two layers and of straight pieces
# where it passes a layer, or goes on to a node that is thinner than its layer. All points of a
# curve lie inside its band, so that no curve can touch a node.
edge_curves <- function(layout, undirected) {
  head <- 0.045 + 0.055 * min(layout$cex, 1.3)
  lapply(seq_along(layout$path), function(edge) {
    path <- layout$path[[edge]]
    n <- length(path)
    plain <- undirected[path[1L], path[n]]
    across <- layout$track$x[[edge]]
    half <- layout$depth[path] / 2
    spare <- half - layout$thickness[path] / 2
    pieces <- lapply(seq_len(n - 1L), function(k) {
      from <- layout$along[path[k]] + half[k]
      to <- layout$along[path[k + 1L]] - half[k + 1L]
      tracks <- layout$track$count[layout$layer[path[k]]]
      # Where the last piece is straight the head needs no room in the band.
      room <- if (k == n - 1L) max(head - spare[n], 0) else head
      band_curve(across[k + 0:1], from, to, layout$track$track[[edge]][k], tracks, room)
    })
    line <- do.call(rbind, pieces)
    start <- c(line[1L, 1L], line[1L, 2L] - spare[1L])
    tip <- c(line[nrow(line), 1L], line[nrow(line), 2L] + spare[n])
    # Ends where the head begins.
    end <- if (plain) tip else c(tip[1L], tip[2L] - head)
    line <- line[line[, 2L] <= end[2L] + 1e-9, , drop = FALSE]
    list(line = rbind(start, line, end, deparse.level = 0L), plain = plain, tip = tip, head = head)
  })
}

# The corners of an arrow head, as (across, along).
head_corners <- function(curve) {
  cbind(
    curve$tip[1L] + curve$head * c(0, -0.38, 0.38), curve$tip[2L] - curve$head * c(0, 1, 1)
  )
}

# From one layer to the next, as (across, along): down to the track, along it with a slight
# slope, down to the end, with round corners.
band_curve <- function(x, from, to, track, tracks, head) {
  head <- min(head, 0.4 * (to - from))
  lead <- min(0.08, 0.15 * (to - from - head)) # room for round corners at both ends
  if (abs(diff(x)) < 0.05) track <- tracks <- 1L # nearly upright: needs no track
  pitch <- (to - from - head - 2 * lead) / tracks
  along <- c(from, from + lead + pitch * (track - c(0.8, 0.2)), to)
  across <- x[c(1L, 1L, 2L, 2L)]
  corner <- function(k) {
    before <- c(across[k - 1L] - across[k], along[k - 1L] - along[k])
    after <- c(across[k + 1L] - across[k], along[k + 1L] - along[k])
    reach <- function(side, share) side * min(share, 0.3 / max(sqrt(sum(side^2)), 1e-9))
    # The slanted piece is shared by both corners, the upright one belongs to this corner.
    a <- reach(before, if (k == 2L) 0.9 else 0.5)
    b <- reach(after, if (k == 2L) 0.5 else 0.6)
    t <- seq(0, 1, length.out = 10L)
    cbind(
      across[k] + (1 - t)^2 * a[1L] + t^2 * b[1L],
      along[k] + (1 - t)^2 * a[2L] + t^2 * b[2L]
    )
  }
  rbind(c(x[1L], from), corner(2L), corner(3L), c(x[2L], to))
}
