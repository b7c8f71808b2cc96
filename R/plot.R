#' Draw a graph
#'
#' @description
#' Causes stand above their effects (or left of them, with `direction = "right"`). Directed
#' edges are solid with an arrow head; undirected ones, whose direction the data cannot tell,
#' are dashed, lighter and without head, so that they differ in black and white too. A
#' legend says so if there are undirected edges.
#'
#' **Height has a meaning only along arrows.** Of two nodes joined by an undirected edge one
#' has to stand higher; which one means nothing. Nor does it mean anything that two nodes
#' stand at the same height, or that one part of the graph stands above another part to which
#' it is not connected. Nodes without edges stand together at the lower edge.
#'
#' Below the graph of a fit that states an epsilon and is not private (see [fits][privpc-class]) stands
#' "NOT private", and why; below that of a fit of [pool_fits()] the names of its sites.
#'
#' @details
#' The order inside the layers comes from `igraph::layout_with_sugiyama()`, applied to a DAG
#' that the graph allows. Edges that skip a layer are led through gaps between its nodes, and
#' edges that run side by side between two layers keep to tracks of their own. Where the page is
#' narrow, wide layers are split and unconnected parts are put below each other.
#'
#' The size of letters and boxes follows from the size of the device: a larger device, or
#' `direction = "right"` where names are long, gives larger letters.
#'
#' Long names are broken into lines of up to 18 letters: after spaces, dots, underscores,
#' hyphens and slashes, then where a capital follows a small letter, else anywhere. Up to six
#' lines are shown. A longer name loses its middle, shown by `...`, but only if no other
#' name then looks the same; otherwise it is shown in full.
#'
#' @param x A fit or a network.
#' @param ... Must be empty.
#' @param main A title, or `NULL` for none.
#' @param direction Where arrows point: `"down"` or `"right"`.
#' @param cex Multiplies the size of letters and boxes that was chosen to fit the device. Above
#'   1, boxes may come to overlap in a crowded graph.
#' @param tiers `TRUE` to show the tiers that the fit was given: each is a band of the picture,
#'   with its name if it has one. See [tiers()].
#' @param strength `TRUE` to write at each edge how probable it is that the edge stands, and draw
#'   it accordingly thick ([edge_strength()], for fits of [marginal_pc()]); or what
#'   `edge_strength()` returned: it takes some seconds and differs a little from time to time, so
#'   for several pictures call it once. The number is about the edge, not about the direction of
#'   its arrow, which `edge_strength()` gives apart. Edges that background knowledge required have
#'   no such number.
#' @param what `"graph"`, or `"ledger"` for a picture of what the budget was spent on, as
#'   [plot.privpc_budget()] draws it. All other arguments but `main` then have no effect.
#' @return Invisibly, a data frame with one row per node: `node`, the centre `x` and `y` of its
#'   box, and the `width` and `height` of the box, all in inches from the lower left corner of
#'   the plot region. These are also the plot's user coordinates, so that `points()` or
#'   `text()` can add to the picture.
#' @export
#' @examples
#' plot(network("asia"))
#'
#' # A learnt graph: some directions are not identified
#' fit <- exact_pc(simulate(network("child"), nsim = 50000, seed = 1), alpha = 0.01, max_order = 2)
#' plot(fit, main = "Child, 50000 records")
#'
#' # Long names have more room if the arrows point to the right
#' plot(fit, direction = "right")
#'
#' # How sure is each edge of a private graph, given the noise? And what was the budget spent on?
#' private <- marginal_pc(simulate(network("asia"), nsim = 20000, seed = 1), epsilon = 1)
#' plot(private, strength = TRUE)
#' plot(private, what = "ledger")
plot.privpc <- function(x, ..., main = NULL, direction = c("down", "right"), cex = 1,
                        tiers = FALSE, strength = FALSE, what = c("graph", "ledger")) {
  check_dots_empty(...)
  call <- rlang::current_env()
  what <- check_choice(what, c("graph", "ledger"))
  if (what == "ledger") return(draw_ledger(x, main, call))
  extras <- plot_extras(x, tiers, strength, call)
  draw_graph(
    edge_matrix(x), main, direction, cex, extras$tiers, extras$strength,
    mark = mark_of(x, extras$strength), caption = sites_caption(x)
  )
}

#' @rdname plot.privpc
#' @export
plot.privpc_network <- function(x, ..., main = NULL, direction = c("down", "right"), cex = 1) {
  check_dots_empty(...)
  draw_graph(adjacency_of(x), main, direction, cex, mark = mark_of(x))
}

# Below the graph `caption` is said, and `mark`.
draw_graph <- function(graph, main, direction, cex, tiers = NULL, strength = NULL, mark = NULL,
                       caption = NULL, call = rlang::caller_env()) {
  if (!is.null(main)) check_string(main, call = call)
  direction <- check_choice(direction, directions, call = call)
  check_number(cex, min = 0, min_open = TRUE, max = 10, call = call)
  below <- 0.3 + (!is.null(mark)) + (!is.null(caption))
  lines <- c(below, 0.3, if (is.null(main)) 0.3 else 2, 0.3)
  old <- graphics::par(mar = lines, xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  room <- graphics::par("pin")
  graphics::plot.window(c(0, room[1L]), c(0, room[2L]), xaxs = "i", yaxs = "i")
  if (!is.null(main)) graphics::title(main)
  if (nrow(graph) == 0L) {
    draw_mark(mark, 1L, line = 0.1)
    return(invisible(marked(data.frame(
      node = character(), x = double(), y = double(), width = double(), height = double()
    ), mark)))
  }
  undirected <- is_undirected(graph)
  kinds <- c(directed = any(is_directed(graph)), undirected = any(undirected))
  legend_height <- if (kinds[["undirected"]]) min(0.3, 0.1 * room[2L]) else 0

  labels <- break_label(rownames(graph))
  margin <- tier_margin(tiers, direction, room)
  layout <- layout_graph(
    graph,
    graphics::strwidth(labels, units = "inches"), graphics::strheight(labels, units = "inches"),
    room[1L] - margin$left, room[2L] - 1.3 * legend_height - margin$top, direction, cex,
    tier_of(rownames(graph), tiers)
  )
  # Layers count from the top, so "along" runs against the y axis.
  to_paper <- function(across, along) {
    top <- room[2L] - margin$top
    if (layout$sideways) return(list(x = margin$left + along, y = top - across))
    list(x = margin$left + across, y = top - along)
  }
  if (!is.null(tiers)) draw_bands(tier_bands(layout, tiers, rownames(graph), room, margin))
  boxes <- node_boxes(layout, rownames(graph), to_paper)
  draw_edges(layout, undirected, to_paper, edge_shares(layout, strength, rownames(graph)), boxes)
  nodes <- draw_nodes(boxes, labels, layout$cex)
  if (kinds[["undirected"]]) draw_legend(layout$cex, legend_height, kinds)
  # Last: the bands of tiers reach into the margin.
  draw_mark(caption, 1L, line = 0.1, font = 1L)
  draw_mark(mark, 1L, line = 0.1 + !is.null(caption))
  invisible(marked(nodes, mark))
}

directions <- c("down", "right")

edge_look <- function(undirected) {
  if (undirected) list(col = "grey45", lty = "44") else list(col = "grey10", lty = "solid")
}

# Where the nodes stand on the paper.
node_boxes <- function(layout, nodes, to_paper) {
  i <- seq_len(layout$n_nodes)
  at <- to_paper(layout$across[i], layout$along[i])
  width <- if (layout$sideways) layout$thickness[i] else layout$size[i]
  height <- if (layout$sideways) layout$size[i] else layout$thickness[i]
  data.frame(node = nodes, x = at$x, y = at$y, width = width, height = height)
}

draw_nodes <- function(boxes, labels, cex) {
  graphics::rect(
    boxes$x - boxes$width / 2, boxes$y - boxes$height / 2, boxes$x + boxes$width / 2,
    boxes$y + boxes$height / 2, col = "white", border = "grey40", lwd = 0.5 + 0.5 * cex
  )
  graphics::text(boxes$x, boxes$y, labels, cex = cex, adj = c(0.5, 0.5))
  boxes
}

draw_edges <- function(layout, undirected, to_paper, share, boxes) {
  curves <- edge_curves(layout, undirected)
  for (edge in seq_along(curves)) {
    curve <- curves[[edge]]
    look <- edge_look(curve$plain)
    width <- if (is.null(share)) 0.6 + 0.6 * min(layout$cex, 1.2) else strength_width(share[edge])
    # Dashes grow with the width; between two labels there must still be some.
    if (curve$plain && width > 1.5) look$lty <- "22"
    graphics::lines(
      to_paper(curve$line[, 1L], curve$line[, 2L]), col = look$col, lty = look$lty, lwd = width
    )
    if (!curve$plain) draw_head(curve$tip, curve$head, to_paper)
  }
  if (is.null(share)) return(invisible())
  cex <- share_size(layout$cex)
  draw_shares(share_marks(curves, share, cex, to_paper, boxes, graphics::par("pin")), cex)
}

draw_head <- function(tip, size, to_paper) {
  graphics::polygon(
    to_paper(tip[1L] + size * c(0, -0.38, 0.38), tip[2L] - size * c(0, 1, 1)),
    col = "grey10", border = NA
  )
}

# Explains the kinds of edges that the picture has.
draw_legend <- function(cex, height, kinds) {
  cex <- min(0.8, max(cex, 0.55))
  room <- graphics::par("pin")
  texts <- c("directed", "direction not identified")[kinds]
  plain <- c(FALSE, TRUE)[kinds]
  line <- 0.35
  size <- graphics::strwidth(texts, units = "inches", cex = cex)
  left <- (room[1L] - sum(size + line + 0.08) - 0.3 * (length(texts) - 1L)) / 2
  for (k in seq_along(texts)) {
    look <- edge_look(plain[k])
    end <- left + line - if (plain[k]) 0 else 0.08
    graphics::lines(c(left, end), rep(height / 2, 2L), col = look$col, lty = look$lty)
    if (!plain[k]) {
      graphics::polygon(
        left + line - c(0, 0.08, 0.08), height / 2 + c(0, -0.03, 0.03),
        col = look$col, border = NA
      )
    }
    graphics::text(left + line + 0.08, height / 2, texts[k], cex = cex, adj = c(0, 0.5))
    left <- left + line + 0.08 + size[k] + 0.3
  }
}

# Long names over several lines. Only a very long one is cut, in the middle because names of
# one kind mostly differ at an end, and only if it then differs from all other labels.
break_label <- function(labels, width = 18L, most = 6L) {
  lines <- lapply(labels, label_lines, width)
  full <- vapply(lines, paste, "", collapse = "\n")
  cut <- vapply(lines, function(line) {
    n <- length(line)
    if (n <= most) return(paste(line, collapse = "\n"))
    half <- most %/% 2L
    paste(c(line[seq_len(half)], "...", line[seq(n - half + 1L, n)]), collapse = "\n")
  }, "")
  alike <- cut %in% cut[duplicated(cut)]
  cut[alike] <- full[alike]
  cut
}

label_lines <- function(label, width) {
  if (nchar(label) <= width) return(label)
  words <- strsplit(label, "(?<=[ ._/-])(?=[^ ._/-])", perl = TRUE)[[1L]]
  words <- unlist(lapply(words, function(word) {
    if (nchar(word) <= width) return(word)
    parts <- strsplit(word, "(?<=[[:lower:][:digit:]])(?=[[:upper:]])", perl = TRUE)[[1L]]
    unlist(lapply(parts, function(part) {
      start <- seq(1L, nchar(part), by = width)
      substring(part, start, start + width - 1L)
    }))
  }))
  lines <- ""
  for (word in words) {
    current <- length(lines)
    if (nzchar(lines[current]) && nchar(lines[current]) + nchar(word) > width) {
      lines <- c(lines, word)
    } else {
      lines[current] <- paste0(lines[current], word)
    }
  }
  lines
}

# Nodes without edges: rows along the lower edge of the paper, whatever the direction.
isolated_strip <- function(label_width, label_height, width) {
  sizes <- layout_sizes
  box <- label_width + sizes$pad
  thick <- max(label_height, 0) + sizes$pad
  rows_for <- function(cex) {
    row <- integer(length(box))
    used <- Inf
    for (i in seq_along(box)) {
      new <- used + box[i] + sizes$gap > width / cex
      row[i] <- if (i == 1L) 1L else row[i - 1L] + new
      used <- if (new) box[i] + sizes$gap else used + box[i] + sizes$gap
    }
    row
  }
  list(
    rows = rows_for, box = box, thick = thick,
    height = function(cex) {
      if (length(box) == 0L) return(rep(0, length(cex)))
      n_rows <- vapply(cex, function(size) max(rows_for(size)), 0L)
      n_rows * (thick + sizes$gap) + sizes$gap
    }
  )
}

# Their places. The strip is counted from the top of the paper, as all of "down" is.
place_isolated <- function(placed, isolated, paper, cex) {
  if (length(isolated) == 0L) return(placed)
  strip <- paper$strip
  gap <- layout_sizes$gap
  row <- strip$rows(cex)
  height <- cex * (strip$thick + gap)
  # Alone on the page they stand in its middle.
  alone <- length(isolated) == length(paper$across_size)
  start <- if (alone) (paper$height - height * max(row)) / 2 else
    paper$height - placed$strip + cex * gap
  box <- cex * strip$box
  for (k in unique(row)) {
    i <- which(row == k)
    spare <- paper$width - sum(box[i]) - cex * gap * (length(i) - 1L)
    x <- spare / 2 + cumsum(box[i] + cex * gap) - cex * gap - box[i] / 2
    y <- rep(start + height * (k - 0.5), length(i))
    node <- isolated[i]
    thick <- rep(cex * strip$thick, length(i))
    placed$across[node] <- if (paper$sideways) y else x
    placed$along[node] <- if (paper$sideways) x else y
    placed$size[node] <- if (paper$sideways) thick else box[i]
    placed$thickness[node] <- if (paper$sideways) box[i] else thick
  }
  placed
}

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
# where it passes a layer. All points of a curve lie inside its band, so that no curve can
# touch a node.
edge_curves <- function(layout, undirected) {
  head <- 0.045 + 0.055 * min(layout$cex, 1.3)
  lapply(seq_along(layout$path), function(edge) {
    path <- layout$path[[edge]]
    n <- length(path)
    plain <- undirected[path[1L], path[n]]
    across <- layout$track$x[[edge]]
    half <- layout$thickness[path] / 2
    pieces <- lapply(seq_len(n - 1L), function(k) {
      from <- layout$along[path[k]] + half[k]
      to <- layout$along[path[k + 1L]] - half[k + 1L]
      tracks <- layout$track$count[layout$layer[path[k]]]
      band_curve(across[k + 0:1], from, to, layout$track$track[[edge]][k], tracks, head)
    })
    line <- do.call(rbind, pieces)
    tip <- line[nrow(line), ]
    if (!plain) line[nrow(line), 2L] <- tip[2L] - head # ends where the head begins
    list(line = line, plain = plain, tip = tip, head = head)
  })
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
