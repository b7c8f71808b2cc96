#' Pictures with ggplot2
#'
#' `ggplot2::autoplot()` draws a fit's graph or its ledger, and the ledger of a budget, as a
#' ggplot that can be changed further: titles, themes, saving by `ggsave()`. The graph, with its
#' legend, is the picture that [plot()][plot.privpc] draws; lines, dashes and shades of grey carry
#' all information, so that it can be read in print and by colour-blind readers.
#'
#' @param object A fit, or a [privacy_budget()].
#' @param ... Must be empty.
#' @param what For a fit: `"graph"`, or `"ledger"` for a bar chart of what the budget was spent
#'   on.
#' @param direction,tiers,strength As in [plot()][plot.privpc].
#' @param width,height The size in inches for which letters and boxes are chosen; by default
#'   that of the open device, or 7 by 5. Save the picture in this size.
#' @return A ggplot.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#'
#' # The graph, with a title of one's own
#' ggplot2::autoplot(fit) + ggplot2::ggtitle("Asia, epsilon = 1")
#'
#' # Where the budget went
#' ggplot2::autoplot(fit, what = "ledger")
#' @exportS3Method ggplot2::autoplot
autoplot.privpc <- function(object, ..., what = c("graph", "ledger"), # nolint: object_name_linter.
                            direction = c("down", "right"), tiers = FALSE, strength = FALSE,
                            width = NULL, height = NULL) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_sound(object, call, "object")
  what <- check_choice(what, c("graph", "ledger"))
  if (what == "ledger") {
    check_spent(object, call)
    return(gg_ledger(object))
  }
  direction <- check_choice(direction, directions, call = call)
  extras <- plot_extras(object, tiers, strength, call)
  size <- gg_size(width, height, call)
  said <- c(sites_caption(object), mark_of(object, extras$strength))
  gg_graph(edge_matrix(object), direction, extras, size, said)
}

#' @rdname autoplot.privpc
#' @exportS3Method ggplot2::autoplot
autoplot.privpc_budget <- function(object, ...) { # nolint: object_name_linter.
  check_dots_empty(...)
  check_budget(object, rlang::current_env(), arg = "object", neighbours = NULL)
  gg_ledger(object)
}

gg_size <- function(width, height, call) {
  open <- if (grDevices::dev.cur() > 1L) grDevices::dev.size("in") else c(7, 5)
  if (is.null(width)) width <- open[1L]
  if (is.null(height)) height <- open[2L]
  check_number(width, "width", min = 1, max = 100, call = call)
  check_number(height, "height", min = 1, max = 100, call = call)
  c(width, height)
}

# Runs code that measures letters where no device may be open, and leaves the devices as they were.
with_measuring_device <- function(size, code) {
  before <- grDevices::dev.cur()
  grDevices::pdf(NULL, size[1L], size[2L])
  on.exit({
    grDevices::dev.off()
    if (before > 1L) grDevices::dev.set(before)
  })
  graphics::par(mar = c(0, 0, 0, 0))
  graphics::plot.new()
  code
}

# The shapes are those of plot().
gg_graph <- function(graph, direction, extras, size, mark = NULL, end_marks = NULL) {
  # Margins, and what is said below the picture.
  room <- size - c(0.2, 0.2 + 0.25 * length(mark))
  picture <- ggplot2::ggplot()
  if (nrow(graph)) {
    shapes <- with_measuring_device(size, graph_shapes(
      graph, direction, extras, room, end_marks = end_marks
    ))
    picture <- gg_shapes(picture, shapes)
  }
  picture + gg_mark(mark) +
    ggplot2::scale_linetype_identity() +
    ggplot2::scale_colour_identity() +
    ggplot2::coord_fixed(xlim = c(0, room[1L]), ylim = c(0, room[2L]), expand = FALSE,
                         clip = "off") +
    ggplot2::theme_void() +
    ggplot2::theme(
      plot.margin = ggplot2::margin(0.1, 0.1, 0.1, 0.1, "in"),
      plot.caption = ggplot2::element_text(
        face = "bold", hjust = 0.5, size = gg_mark_size(mark, size)
      )
    )
}

gg_shapes <- function(picture, shapes) {
  at <- function(...) ggplot2::aes(x = .data$x, y = .data$y, ...)
  box <- at(width = .data$width, height = .data$height)
  name <- at(label = .data$label)
  if (!is.null(shapes$bands)) picture <- gg_bands(picture, shapes$bands)
  picture <- gg_lines(picture, shapes) +
    ggplot2::geom_tile(
      data = shapes$boxes, box, fill = "white", colour = "grey40", linewidth = 0.4
    ) +
    ggplot2::geom_text(
      data = cbind(shapes$boxes, label = shapes$labels), name, size = gg_letters(shapes$cex),
      lineheight = 1
    )
  if (!is.null(shapes$marks)) {
    picture <- picture +
      ggplot2::geom_tile(data = shapes$marks, box, fill = "white") +
      ggplot2::geom_text(data = shapes$marks, name, size = gg_letters(share_size(shapes$cex)))
  }
  legend <- shapes$legend
  if (legend$height == 0) return(picture)
  gg_lines(picture, legend) +
    ggplot2::geom_text(data = legend$texts, name, size = gg_letters(legend$cex), hjust = 0)
}

# Letters of 12 points at cex = 1, as base graphics has them; ggplot2 counts in millimetres.
gg_letters <- function(cex) 12 * cex / ggplot2::.pt

# Edges with their heads, of the graph or of its legend.
gg_lines <- function(picture, shapes) {
  if (!is.null(shapes$lines)) {
    picture <- picture + ggplot2::geom_path(
      data = shapes$lines, linewidth = shapes$lines$lwd / ggplot2::.pt,
      ggplot2::aes(
        x = .data$x, y = .data$y, group = .data$edge, linetype = .data$lty, colour = .data$colour
      )
    )
  }
  if (!is.null(shapes$heads)) {
    picture <- picture + ggplot2::geom_polygon(
      data = shapes$heads, fill = "grey10",
      ggplot2::aes(x = .data$x, y = .data$y, group = .data$edge)
    )
  }
  if (!is.null(shapes$rings)) {
    picture <- picture + ggplot2::geom_polygon(
      data = shapes$rings, fill = "white", colour = "grey10", linewidth = 0.4,
      ggplot2::aes(x = .data$x, y = .data$y, group = .data$edge)
    )
  }
  picture
}

# Points: small enough for the mark to be read as a whole.
gg_mark_size <- function(mark, size) {
  if (is.null(mark)) return(9)
  wide <- with_measuring_device(
    size, graphics::strwidth(mark, units = "inches", cex = 0.75, font = 2L)
  )
  9 * min(1, 0.95 * (size[1L] - 0.2) / max(wide))
}

# One line each; nothing where there is none.
gg_mark <- function(lines) {
  if (length(lines)) ggplot2::labs(caption = paste(lines, collapse = "\n"))
}

gg_bands <- function(picture, bands) {
  picture +
    ggplot2::geom_rect(
      data = bands, fill = bands$fill,
      ggplot2::aes(xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax)
    ) +
    ggplot2::geom_text(
      data = bands, colour = "grey30", fontface = "italic", size = 3.4,
      hjust = if (bands$left[[1L]]) 0 else 0.5,
      ggplot2::aes(x = .data$x, y = .data$y, label = .data$label)
    )
}

gg_ledger <- function(x) {
  parts <- ledger_shares(x)
  labels <- ledger_labels(parts)
  parts$target <- factor(labels, rev(unique(labels)))
  ggplot2::ggplot(parts, ggplot2::aes(x = .data$share, y = .data$target)) +
    ggplot2::geom_col(
      fill = ifelse(parts$left, "white", "grey40"), colour = "grey20", width = 0.7,
      linetype = ifelse(parts$left, "dashed", "solid")
    ) +
    ggplot2::geom_text(
      ggplot2::aes(label = percent_text(.data$share, 2)), hjust = -0.15, size = 3.4
    ) +
    ggplot2::scale_x_continuous(
      labels = function(at) paste0(100 * at, "%"), limits = c(0, 1.12 * max(parts$share)),
      expand = ggplot2::expansion(c(0, 0))
    ) +
    ggplot2::labs(x = "share of the budget", y = NULL, title = ledger_title(x)) +
    gg_mark(mark_of(x)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      panel.grid.major.y = ggplot2::element_blank(), panel.grid.minor = ggplot2::element_blank()
    )
}
