#' Draw a graph
#'
#' @description
#' Causes stand above their effects (or left of them, with `direction = "right"`). Directed
#' edges are solid with an arrow head; undirected ones, whose direction the data cannot tell,
#' are dashed, lighter and without head, so that they differ in black and white too. A
#' legend says so if there are undirected edges. `ggplot2::autoplot()` draws the same picture.
#'
#' **Height has a meaning only along arrows.** Of two nodes joined by an undirected edge one
#' has to stand higher; which one means nothing. Nor does it mean anything that two nodes
#' stand at the same height, or that one part of the graph stands above another part to which
#' it is not connected. Nodes without edges stand in rows below the graph, with `tiers = TRUE`
#' beside it in their tier.
#'
#' Below the graph of a fit that states an epsilon and is not private (see [fits][privpc-class])
#' stands "NOT private", and why; below that of a fit of [pool_fits()] the names of its sites.
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
#' @param strength `TRUE` to write at edges how probable it is that the edge stands, and draw
#'   them accordingly thick ([edge_strength()], for fits of [marginal_pc()]); or what
#'   `edge_strength()` returned: it takes some seconds and differs a little from time to time, so
#'   for several pictures call it once. The number is about the edge, not about the direction of
#'   its arrow, which `edge_strength()` gives apart. Edges of at least 95% have no number, as the
#'   legend says, nor have those that background knowledge required. Numbers stand where they hide
#'   nothing, and layers are moved apart for them; only in a very crowded graph a number may still
#'   cover a piece of a line.
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
  check_sound(x, call, "x")
  what <- check_choice(what, c("graph", "ledger"))
  if (what == "ledger") return(draw_ledger(x, main, call))
  extras <- plot_extras(x, tiers, strength, call)
  draw_graph(
    edge_matrix(x), main, direction, cex, extras, mark_of(x, extras$strength),
    caption = sites_caption(x)
  )
}

#' @rdname plot.privpc
#' @export
plot.privpc_network <- function(x, ..., main = NULL, direction = c("down", "right"), cex = 1) {
  check_dots_empty(...)
  draw_graph(adjacency_of(x), main, direction, cex, mark = mark_of(x))
}

# Below the graph `caption` is said, and `mark`.
draw_graph <- function(graph, main, direction, cex, extras = NULL, mark = NULL, end_marks = NULL,
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
  nodes <- data.frame(
    node = character(), x = double(), y = double(), width = double(), height = double()
  )
  if (nrow(graph)) {
    shapes <- graph_shapes(graph, direction, extras, room, cex, end_marks)
    draw_shapes(shapes)
    nodes <- shapes$boxes
  }
  # Last: the bands of tiers reach into the margin.
  draw_mark(caption, 1L, line = 0.1, font = 1L)
  draw_mark(mark, 1L, line = 0.1 + !is.null(caption))
  invisible(marked(nodes, mark))
}

directions <- c("down", "right")

draw_shapes <- function(shapes) {
  if (!is.null(shapes$bands)) draw_bands(shapes$bands)
  draw_lines(shapes)
  boxes <- shapes$boxes
  draw_boxes(boxes, col = "white", border = "grey40", lwd = 0.5 + 0.5 * shapes$cex)
  graphics::text(boxes$x, boxes$y, shapes$labels, cex = shapes$cex, adj = c(0.5, 0.5))
  if (!is.null(shapes$marks)) {
    draw_boxes(shapes$marks, col = "white", border = NA)
    graphics::text(
      shapes$marks$x, shapes$marks$y, shapes$marks$label, cex = share_size(shapes$cex)
    )
  }
  legend <- shapes$legend
  if (legend$height > 0) {
    draw_lines(legend)
    graphics::text(
      legend$texts$x, legend$texts$y, legend$texts$label, cex = legend$cex, adj = c(0, 0.5)
    )
  }
}

# Edges with their heads, of the graph or of its legend.
draw_lines <- function(shapes) {
  for (line in by_edge(shapes$lines)) {
    graphics::lines(
      line$x, line$y, col = line$colour[[1L]], lty = line$lty[[1L]], lwd = line$lwd[[1L]]
    )
  }
  for (head in by_edge(shapes$heads)) {
    graphics::polygon(head$x, head$y, col = "grey10", border = NA)
  }
  for (ring in by_edge(shapes$rings)) {
    graphics::polygon(ring$x, ring$y, col = "white", border = "grey10")
  }
}

by_edge <- function(shape) if (!is.null(shape)) split(shape, shape$edge)

draw_boxes <- function(boxes, ...) {
  graphics::rect(
    boxes$x - boxes$width / 2, boxes$y - boxes$height / 2, boxes$x + boxes$width / 2,
    boxes$y + boxes$height / 2, ...
  )
}
