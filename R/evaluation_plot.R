# The paper's figure: score against total epsilon, one panel per network, one line per learner.

#' Draw an evaluation
#'
#' @description
#' Mean score against total epsilon on a logarithmic scale: one panel per network, one line per
#' learner, with bars of one standard deviation over the runs to both sides. A learner without
#' privacy is a dashed line without bars. If there is only one epsilon but several numbers of
#' rows, the score is drawn against these.
#'
#' Learners differ by colour, symbol and line type, so they can be told apart in grey and by
#' people who do not see colours. The colours are those of Okabe and Ito (2008).
#'
#' `autoplot()` draws the same with ggplot2, if that is installed, and returns the plot, to
#' which themes and scales can be added.
#'
#' @details Lines are moved sideways by one or two per cent, so that the bars of different
#' learners do not hide each other. Panels are made for all combinations of a network and, if
#' there are several, of what is not on the horizontal axis (numbers of rows, or values of
#' epsilon).
#'
#' @param x,object An evaluation, see [evaluate_learners()].
#' @param ... Must be empty.
#' @param score Which score to draw: `"skeleton_f1"`, `"cpdag_f1"` or `"shd"`.
#' @param against What the horizontal axis shows: `"epsilon"` or `"n"`; `NULL` for the first that
#'   has more than one value.
#' @param columns Number of panels side by side; `NULL` for two, or one if there is one panel.
#' @return `plot()`: invisibly, a data frame with what was drawn: `panel`, `learner`, the position
#'   `at`, `mean` and `sd`. `autoplot()`: a plot of class `"ggplot"`.
#' @references
#' Okabe, M. and Ito, K. (2008). *Color universal design: how to make figures and presentations
#' that are friendly to colorblind people.*
#' @name plot.privpc_evaluation
#' @examples
#' found <- evaluate_learners(
#'   c("earthquake", "cancer"), c("priv_pc", "em_pc", "exact_pc"),
#'   epsilon = c(0.1, 0.3, 1, 3, 10), n = 10000, runs = 3
#' )
#' plot(found)
#'
#' # With directions, and against the number of rows
#' plot(found, score = "cpdag_f1", columns = 1)
#' rows <- evaluate_learners("cancer", c("em_pc", "exact_pc"), 1, n = c(1000, 10000, 100000))
#' plot(rows)
NULL

#' @rdname plot.privpc_evaluation
#' @export
plot.privpc_evaluation <- function(x, ..., score = c("skeleton_f1", "cpdag_f1", "shd"),
                                   against = NULL, columns = NULL) {
  check_dots_empty(...)
  call <- rlang::current_env()
  figure <- evaluation_figure(x, "x", score, against, call)
  panels <- levels(figure$points$panel)
  if (is.null(columns)) columns <- min(2L, length(panels))
  check_number(columns, min = 1, max = 100, whole = TRUE)
  columns <- min(columns, length(panels))
  rows <- ceiling(length(panels) / columns)
  legend_rows <- ceiling(nrow(figure$look) / legend_columns(figure$look))
  old <- graphics::par(no.readonly = TRUE)
  on.exit({
    graphics::layout(1)
    graphics::par(old)
  })
  cells <- replace(integer(rows * columns), seq_along(panels), seq_along(panels))
  cells <- matrix(cells, rows, columns, byrow = TRUE)
  graphics::layout(
    rbind(cells, length(panels) + 1L),
    heights = c(rep(1, rows), graphics::lcm(2.54 * (0.25 + 0.2 * legend_rows)))
  )
  graphics::par(mar = c(3.2, 3.2, 1.8, 1), mgp = c(2, 0.6, 0), las = 1, cex = 0.8, tcl = -0.3)
  for (panel in panels) draw_panel(figure, panel)
  draw_key(figure)
  invisible(figure$points[c("panel", "learner", "at", "mean", "sd")])
}

#' @rdname plot.privpc_evaluation
#' @exportS3Method ggplot2::autoplot
autoplot.privpc_evaluation <- function(object, ..., # nolint
                                       score = c("skeleton_f1", "cpdag_f1", "shd"),
                                       against = NULL, columns = NULL) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_suggested("ggplot2", "to draw with autoplot()", call)
  figure <- evaluation_figure(object, "object", score, against, call)
  look <- figure$look
  points <- figure$points
  barred <- points[points$private & !is.na(points$sd), ]
  named <- function(values) stats::setNames(values, look$learner)
  look$symbol[look$learner %in% figure$across$learner] <- NA
  aes <- function(...) ggplot2::aes(!!!rlang::exprs(...))
  # A reference that has no epsilon is a line across the whole panel, without symbols.
  across <- figure$across
  marked <- if (nrow(across)) points[points$private, ] else points
  ggplot2::ggplot(points, aes(
    x = .data$shifted, y = .data$mean, colour = .data$learner, shape = .data$learner,
    linetype = .data$learner
  )) +
    ggplot2::geom_hline(
      data = across, aes(yintercept = .data$mean, colour = .data$learner, linetype = .data$learner)
    ) +
    ggplot2::geom_line(data = marked) +
    ggplot2::geom_linerange(
      data = barred, aes(ymin = .data$mean - .data$sd, ymax = .data$mean + .data$sd),
      linetype = "solid", alpha = 0.5, show.legend = FALSE
    ) +
    ggplot2::geom_point(data = marked, size = 1.6) +
    ggplot2::facet_wrap(~panel, ncol = if (is.null(columns)) 2 else columns) +
    ggplot2::scale_x_log10(labels = function(x) vapply(x, axis_text, "")) +
    ggplot2::coord_cartesian(ylim = figure$range) +
    ggplot2::scale_colour_manual(
      values = named(look$colour), limits = look$learner, labels = look$label
    ) +
    ggplot2::scale_shape_manual(
      values = named(look$symbol), limits = look$learner, labels = look$label
    ) +
    ggplot2::scale_linetype_manual(
      values = named(look$line), limits = look$learner, labels = look$label
    ) +
    ggplot2::labs(
      x = figure$x_name, y = figure$y_name, colour = NULL, shape = NULL, linetype = NULL
    ) +
    ggplot2::theme_bw() +
    ggplot2::theme(
      legend.position = "bottom", legend.key.width = ggplot2::unit(2.2, "lines"),
      panel.grid.minor = ggplot2::element_blank()
    )
}

# ---- what is drawn ------------------------------------------------------------------------------

# Everything both ways of drawing need: `points` (panel, learner, private, at, shifted, mean, sd),
# `across` (means of learners that have no place on the axis), `look` (how each learner is drawn),
# the names of the axes and the range of the vertical one.
evaluation_figure <- function(x, arg, score, against, call) {
  check_evaluation(x, arg, call)
  score <- check_score(score, call)
  scores <- summary.privpc_evaluation(x)$scores
  if (is.null(scores)) abort("{.arg {arg}} has no fit that succeeded.", call = call)
  against <- check_against(against, scores, call)
  other <- setdiff(c("epsilon", "n"), against)
  points <- data.frame(
    network = scores$network, learner = factor(scores$learner, unique(scores$learner)),
    private = is.finite(scores$epsilon), at = scores[[against]], other = scores[[other]],
    mean = scores[[score]], sd = scores[[paste0(score, "_sd")]]
  )
  points <- spread_over_panels(points, other)
  look <- learner_looks(points)
  across <- points[is.infinite(points$at), ]
  # One or two per cent to the side, symmetrically.
  place <- as.integer(points$learner) - (nlevels(points$learner) + 1) / 2
  points$shifted <- points$at * 1.012^place
  top <- if (score == "shd") max(points$mean + ifelse(is.na(points$sd), 0, points$sd)) else 1
  list(
    points = points[is.finite(points$at), ], across = across, look = look,
    range = c(0, max(top, 1) * 1.03),
    x_name = if (against == "epsilon") "Total epsilon" else "Rows",
    y_name = c(
      skeleton_f1 = "F1 of the skeleton", cpdag_f1 = "F1 of the CPDAG", shd = "SHD"
    )[[score]]
  )
}

check_against <- function(against, scores, call) {
  epsilons <- unique(scores$epsilon[is.finite(scores$epsilon)])
  if (is.null(against)) {
    return(if (length(epsilons) < 2L && length(unique(scores$n)) > 1L) "n" else "epsilon")
  }
  check_choice(against, c("epsilon", "n"), call = call, or_null = TRUE)
}

# Panels by network and, if there are several, by the variable that is not on the axis. What is not
# private belongs to every epsilon.
spread_over_panels <- function(points, other) {
  values <- sort(unique(points$other[is.finite(points$other)]))
  if (other == "epsilon" && length(values)) {
    fixed <- points[is.infinite(points$other), ]
    copies <- lapply(values, function(value) {
      fixed$other <- rep(value, nrow(fixed))
      fixed
    })
    points <- rbind(points[is.finite(points$other), ], do.call(rbind, copies))
  }
  networks <- unique(points$network)
  label <- function(network, value) {
    if (length(values) < 2L) return(network)
    if (other == "n") return(paste0(network, ", ", big(value), " rows"))
    paste0(network, ", epsilon = ", axis_text(value))
  }
  all_labels <- unlist(lapply(networks, function(network) {
    if (length(values)) vapply(values, function(v) label(network, v), "") else network
  }))
  points$panel <- factor(mapply(label, points$network, points$other), unique(all_labels))
  points
}

# Black for what is not private; for the others colours that differ in lightness too. The yellow
# of the palette is left out: on white it is hardly seen. The package's own learners look the same
# in all figures.
learner_looks <- function(points) {
  learners <- levels(points$learner)
  private <- vapply(learners, function(learner) {
    any(points$private[points$learner == learner])
  }, NA)
  own <- learner_names(private = TRUE)
  place <- match(learners, own)
  further <- private & is.na(place)
  free <- c(setdiff(seq_along(own), place), length(own) + seq_along(learners))
  # First the looks that no learner of the package has, then those of learners that are not here.
  colours <- c("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
  unused <- free > length(own) & free <= length(colours)
  free <- c(free[unused], free[!unused])
  place[further] <- free[seq_len(sum(further))]
  place[!private] <- 1L
  open <- cumsum(!private)
  cycle <- function(values, at) values[(pmax(at, 1L) - 1L) %% length(values) + 1L]
  data.frame(
    learner = learners, private = private,
    colour = ifelse(private, cycle(colours, place), cycle(c("#000000", "#777777"), open)),
    symbol = ifelse(private, cycle(c(16L, 17L, 15L, 1L, 0L, 4L, 2L, 6L), place), 8L),
    line = ifelse(
      private, cycle(c("solid", "twodash", "dotdash", "dotted", "longdash", "solid"), place),
      "dashed"
    ),
    label = ifelse(private, learners, paste(learners, "(not private)")),
    row.names = NULL
  )
}

# 0.05, 1, 30, 1k, 1M: short, because R leaves out labels that have no room.
axis_text <- function(x) {
  if (is.na(x)) return(NA_character_)
  if (x < 1e3) return(format(x, digits = 3))
  power <- if (x < 1e6) 1e3 else 1e6
  paste0(format(x / power, digits = 3), if (power == 1e3) "k" else "M")
}

# ---- base graphics ------------------------------------------------------------------------------

draw_panel <- function(figure, panel) {
  points <- figure$points[figure$points$panel == panel, ]
  across <- figure$across[figure$across$panel == panel, ]
  x_range <- range(if (nrow(figure$points)) figure$points$shifted else 1)
  # A single value stands in the middle.
  if (x_range[[2L]] < 1.5 * x_range[[1L]]) x_range <- x_range * c(0.5, 2)
  graphics::plot(
    NA, xlim = x_range, ylim = figure$range, log = "x", xlab = figure$x_name,
    ylab = figure$y_name, main = panel, axes = FALSE, yaxs = "i", font.main = 1
  )
  ticks <- log_ticks(x_range)
  graphics::abline(v = ticks, h = graphics::axTicks(2), col = "grey90")
  graphics::axis(1, at = ticks, labels = vapply(ticks, axis_text, ""))
  graphics::axis(2)
  graphics::box(col = "grey50")
  for (i in seq_len(nrow(across))) {
    look <- figure$look[figure$look$learner == across$learner[[i]], ]
    graphics::abline(h = across$mean[[i]], lty = look$line, col = look$colour, lwd = 1.5)
  }
  for (learner in intersect(figure$look$learner, points$learner)) {
    look <- figure$look[figure$look$learner == learner, ]
    line <- points[points$learner == learner, ]
    line <- line[order(line$at), ]
    bars <- line[look$private & !is.na(line$sd) & line$sd > 0, ]
    if (nrow(bars)) {
      graphics::segments(
        bars$shifted, bars$mean - bars$sd, bars$shifted, bars$mean + bars$sd,
        col = grDevices::adjustcolor(look$colour, 0.5)
      )
    }
    graphics::lines(line$shifted, line$mean, lty = look$line, col = look$colour, lwd = 1.5)
    graphics::points(line$shifted, line$mean, pch = look$symbol, col = look$colour, cex = 0.9)
  }
}

# Powers of ten; with less than two of them, also 2 and 5 times these.
log_ticks <- function(range) {
  powers <- 10^seq(floor(log10(range[[1L]])), ceiling(log10(range[[2L]])))
  inside <- function(x) x[x >= range[[1L]] * 0.98 & x <= range[[2L]] * 1.02]
  ticks <- inside(powers)
  if (length(ticks) < 3L) ticks <- inside(sort(c(powers, 2 * powers, 5 * powers)))
  if (length(ticks)) ticks else range[[1L]]
}

# As many entries side by side as the page has room for: 0.07 inches a letter at this size, and
# the line before it.
legend_columns <- function(look) {
  entry <- 0.07 * max(nchar(look$label)) + 0.75
  max(1L, min(4L, nrow(look), floor(graphics::par("din")[[1L]] / entry)))
}

draw_key <- function(figure) {
  look <- figure$look
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  without_symbol <- look$learner %in% figure$across$learner
  graphics::legend(
    "center", legend = look$label, col = look$colour, lty = look$line, lwd = 1.5,
    pch = ifelse(without_symbol, NA, look$symbol), ncol = legend_columns(look), bty = "n",
    seg.len = 3, cex = 0.95
  )
}
