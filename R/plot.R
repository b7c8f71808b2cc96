#' Draw a graph
#'
#' @description
#' Causes stand above (or left of) their effects. Directed edges are solid with an arrow head;
#' undirected ones, whose direction the data cannot tell, are dashed, lighter and without
#' head, so that they differ in black and white too. Nodes without edges stand in rows of
#' their own at the end.
#'
#' @details
#' The layers and the order in them come from `igraph::layout_with_sugiyama()`, applied to a
#' DAG that the graph allows. Edges that skip a layer are led through gaps between its nodes.
#' The size of letters and boxes follows from the size of the device; labels longer than
#' about 18 letters are broken at spaces, dots and underscores.
#'
#' @param x A fit or a network.
#' @param ... Must be empty.
#' @param main A title, or `NULL` for none.
#' @return Invisibly, a data frame with one row per node: `node`, the centre `x` and `y` of its
#'   box, and the `width` and `height` of the box, all in inches from the lower left corner of
#'   the plot region. These are also the plot's user coordinates, so that `points()` or
#'   `text()` can add to the picture.
#' @export
#' @examples
#' plot(network("asia"))
#'
#' # A learnt graph: some directions are not identified
#' fit <- exact_pc(simulate(network("asia"), nsim = 5000, seed = 1))
#' plot(fit, main = "Asia, 5000 records")
plot.privpc <- function(x, ..., main = NULL) {
  check_dots_empty(...)
  draw_graph(x$amat, main)
}

#' @rdname plot.privpc
#' @export
plot.privpc_network <- function(x, ..., main = NULL) {
  check_dots_empty(...)
  draw_graph(adjacency_of(x), main)
}

draw_graph <- function(amat, main, call = rlang::caller_env()) {
  if (!is.null(main)) check_string(main, call = call)
  old <- graphics::par(mar = c(0.3, 0.3, if (is.null(main)) 0.3 else 2, 0.3), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  room <- graphics::par("pin")
  graphics::plot.window(c(0, room[1L]), c(0, room[2L]), xaxs = "i", yaxs = "i")
  if (!is.null(main)) graphics::title(main)
  if (nrow(amat) == 0L) {
    return(invisible(data.frame(
      node = character(), x = double(), y = double(), width = double(), height = double()
    )))
  }
  undirected <- amat & t(amat)
  both_kinds <- any(undirected) && any(amat & !undirected)
  legend_height <- if (both_kinds) min(0.3, 0.1 * room[2L]) else 0

  labels <- break_label(rownames(amat))
  layout <- layout_graph(
    amat,
    graphics::strwidth(labels, units = "inches"), graphics::strheight(labels, units = "inches"),
    room[1L], room[2L] - 1.3 * legend_height
  )
  # Layers count from the top, so "along" runs against the y axis.
  to_paper <- function(across, along) {
    if (layout$sideways) return(list(x = along, y = room[2L] - across))
    list(x = across, y = room[2L] - along)
  }
  draw_edges(layout, undirected, to_paper)
  nodes <- draw_nodes(layout, rownames(amat), labels, to_paper)
  if (both_kinds) draw_legend(layout$cex, legend_height)
  invisible(nodes)
}

edge_look <- function(undirected) {
  if (undirected) list(col = "grey45", lty = "44") else list(col = "grey10", lty = "solid")
}

draw_nodes <- function(layout, nodes, labels, to_paper) {
  i <- seq_len(layout$n_nodes)
  at <- to_paper(layout$across[i], layout$along[i])
  width <- if (layout$sideways) layout$thickness[i] else layout$size[i]
  height <- if (layout$sideways) layout$size[i] else layout$thickness[i]
  graphics::rect(
    at$x - width / 2, at$y - height / 2, at$x + width / 2, at$y + height / 2,
    col = "white", border = "grey40", lwd = 0.5 + 0.5 * layout$cex
  )
  graphics::text(at$x, at$y, labels, cex = layout$cex, adj = c(0.5, 0.5))
  data.frame(node = nodes, x = at$x, y = at$y, width = width, height = height)
}

draw_edges <- function(layout, undirected, to_paper) {
  for (curve in edge_curves(layout, undirected)) {
    look <- edge_look(curve$plain)
    graphics::lines(
      to_paper(curve$line[, 1L], curve$line[, 2L]),
      col = look$col, lty = look$lty, lwd = 0.6 + 0.6 * layout$cex
    )
    if (!curve$plain) draw_head(curve$tip, curve$head, to_paper)
  }
}

draw_head <- function(tip, size, to_paper) {
  graphics::polygon(
    to_paper(tip[1L] + size * c(0, -0.38, 0.38), tip[2L] - size * c(0, 1, 1)),
    col = "grey10", border = NA
  )
}

draw_legend <- function(cex, height) {
  cex <- min(0.8, max(cex, 0.55))
  room <- graphics::par("pin")
  texts <- c("directed", "direction not identified")
  line <- 0.35
  size <- graphics::strwidth(texts, units = "inches", cex = cex)
  left <- (room[1L] - sum(size) - 2 * (line + 0.08) - 0.3) / 2
  for (k in 1:2) {
    look <- edge_look(k == 2L)
    end <- left + line - if (k == 1L) 0.08 else 0
    graphics::lines(c(left, end), rep(height / 2, 2L), col = look$col, lty = look$lty)
    if (k == 1L) {
      graphics::polygon(
        left + line - c(0, 0.08, 0.08), height / 2 + c(0, -0.03, 0.03),
        col = look$col, border = NA
      )
    }
    graphics::text(left + line + 0.08, height / 2, texts[k], cex = cex, adj = c(0, 0.5))
    left <- left + line + 0.08 + size[k] + 0.3
  }
}

# Long names over several lines, at most three; what does not fit ends in "...".
break_label <- function(labels, width = 18L) {
  vapply(labels, function(label) {
    if (nchar(label) <= width) return(label)
    words <- strsplit(label, "(?<=[ ._/-])", perl = TRUE)[[1L]]
    lines <- ""
    for (word in words) {
      current <- length(lines)
      if (nzchar(lines[current]) && nchar(lines[current]) + nchar(word) > width) {
        lines <- c(lines, word)
      } else {
        lines[current] <- paste0(lines[current], word)
      }
    }
    too_long <- nchar(lines) > width + 4L
    lines[too_long] <- paste0(substr(lines[too_long], 1L, width + 1L), "...")
    if (length(lines) > 3L) lines <- c(lines[1:2], "...")
    paste(trimws(lines), collapse = "\n")
  }, "", USE.NAMES = FALSE)
}
