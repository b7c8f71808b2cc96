# Pictures of a plan: curves of the smallest effect, or scores of simulated studies, against epsilon
# or against the number of records. Both ways of drawing share the numbers and the looks.

#' Draw a plan
#'
#' @description The smallest effect that is found in 80 % of fits, against epsilon or against the
#' number of records, one line for each value of the other, on logarithmic scales. The dashed line
#' is what sampling alone would leave to be seen, if nothing were private. The axis on the right has
#' the odds ratios that belong to the effects. An effect that was asked for is a horizontal line:
#' what lies on or below it is enough.
#'
#' If studies were simulated, `what = "accuracy"` draws the F1 of skeleton and CPDAG and the
#' stability, with bars of one standard error to both sides.
#'
#' Lines differ by colour, symbol and line type. `autoplot()` draws the same with ggplot2, if that
#' is installed.
#'
#' @param x,object A plan, from [plan_study()].
#' @param ... Must be empty.
#' @param what `"effect"`, or `"accuracy"` for simulated studies; `NULL` for `"accuracy"` if there
#'   are any.
#' @param against What the horizontal axis shows: `"epsilon"` or `"n"`; `NULL` for the one of which
#'   there are more values.
#' @return `plot()`: invisibly, a data frame with what was drawn: `line`, the position `at` and the
#'   `value`; with `what = "accuracy"` also the `panel` and the standard error `se`. `autoplot()`: a
#'   plot of class `"ggplot"`.
#' @name plot.privpc_plan
#' @examples
#' plan <- plan_study(n = 8000, levels = rep(2, 12), effect = 0.1)
#' plot(plan)
#'
#' # Against the number of records, for several epsilons
#' plot(plan_study(levels = rep(2, 12)))
#'
#' # Simulated studies
#' set.seed(1)
#' plan <- plan_study(n = c(2000, 10000), epsilon = c(0.3, 1, 3), network = "survey", runs = 3)
#' plot(plan)
NULL

#' @rdname plot.privpc_plan
#' @export
plot.privpc_plan <- function(x, ..., what = NULL, against = NULL) {
  check_dots_empty(...)
  figure <- plan_figure(x, what, against, rlang::current_env())
  panels <- levels(figure$points$panel)
  old <- graphics::par(no.readonly = TRUE)
  on.exit({
    graphics::layout(1)
    graphics::par(old)
  })
  key <- plan_key(figure)
  legend_rows <- ceiling(nrow(key) / legend_columns(key))
  graphics::layout(
    rbind(seq_along(panels), length(panels) + 1L),
    heights = c(1, graphics::lcm(2.54 * (0.25 + 0.2 * legend_rows)))
  )
  right <- if (is.null(figure$ratios)) 1 else 4
  graphics::par(mar = c(3.2, 4.2, 1.8, right), mgp = c(2.1, 0.6, 0), las = 1, cex = 0.8, tcl = -0.3)
  for (panel in panels) draw_plan_panel(figure, panel)
  draw_plan_key(key)
  draw_mark(mark_of(x), 1L, line = -1)
  shown <- c("line", "at", "value", if (figure$what == "accuracy") c("panel", "se"))
  invisible(marked(figure$points[shown], mark_of(x)))
}

# ---- what is drawn ------------------------------------------------------------------------------

plan_figure <- function(x, what, against, call, arg = "x") {
  check_plan(x, call, arg)
  kinds <- c("effect", if (!is.null(x$network)) "accuracy")
  what <- if (is.null(what)) rev(kinds)[[1L]] else check_plan_picture(what, kinds, call)
  if (is.null(against)) {
    more_n <- length(unique(x$table$n)) > length(unique(x$table$epsilon))
    against <- if (more_n) "n" else "epsilon"
  }
  against <- check_choice(against, c("epsilon", "n"), call = call, or_null = TRUE)
  figure <- if (what == "effect") effect_figure(x, against) else accuracy_figure(x, against)
  figure$what <- what
  figure$look <- plan_looks(levels(figure$points$line))
  # Few values are told as they are.
  values <- sort(unique(x$table[[against]]))
  few <- what == "accuracy" && length(values) <= 4L
  figure$ticks <- if (few) values else log_ticks(figure$x_range)
  figure$x_name <- if (against == "epsilon") "Epsilon" else "Records"
  figure
}

check_plan_picture <- function(what, kinds, call) {
  if (identical(what, "accuracy") && !what %in% kinds) {
    abort(c(
      "This plan has no simulated studies to draw.",
      i = "Give {.fn plan_study} a {.arg network}."
    ), call = call)
  }
  check_choice(what, c("effect", "accuracy"), "what", call, or_null = TRUE)
}

# The labels of the lines, in the order of the values.
line_labels <- function(values, other) {
  labels <- if (other == "n") {
    paste(big_numbers(values), "records")
  } else {
    paste("epsilon =", number_text(values))
  }
  factor(labels, unique(labels[order(values)]))
}

without_privacy <- "without noise"

# Points of the table and, between and around them, as many more as make the lines smooth.
effect_figure <- function(x, against) {
  table <- x$table
  other <- setdiff(c("n", "epsilon"), against)
  range <- axis_range(table[[against]], against)
  fine <- exp(seq(log(range[[1L]]), log(range[[2L]]), length.out = 60L))
  if (against == "n") fine <- unique(round(fine))
  at <- sort(unique(c(fine, table[[against]])))
  curve <- function(n, epsilon) {
    value <- mapply(function(n, epsilon) visible_effect(x$design, n, epsilon), n, epsilon)
    data.frame(at = at, value = value)
  }
  values <- sort(unique(table[[other]]))
  curves <- lapply(values, function(value) {
    if (against == "n") curve(at, value) else curve(value, at)
  })
  curves <- cbind(do.call(rbind, curves), line = line_labels(rep(values, each = length(at)), other))
  # One line for each number of records; if these are on the axis, it is the same for each epsilon.
  floors <- if (against == "n") list(curve(at, Inf)) else lapply(values, curve, epsilon = Inf)
  points <- data.frame(
    panel = factor("all"), at = table[[against]], value = table$effect, se = NA_real_,
    line = line_labels(table[[other]], other)
  )
  shown <- c(curves$value, x$target, unlist(lapply(floors, `[[`, "value")))
  y_range <- c(min(0.9 * min(shown), 0.05), 1)
  list(
    points = points[points$value <= 1, ], curves = curves, floors = floors, target = x$target,
    x_range = range, y_range = y_range, y_name = "Smallest effect (phi) found in 80 % of fits",
    log = "xy", ratios = if (has_odds_ratio(x$levels)) ratio_ticks(y_range, x$prevalence),
    ratio_name = paste("Odds ratio at", shares_text(x$prevalence))
  )
}

# One panel for each score.
accuracy_figure <- function(x, against) {
  table <- x$table
  other <- setdiff(c("n", "epsilon"), against)
  scores <- c(
    skeleton_f1 = "F1 of the skeleton", cpdag_f1 = "F1 of the CPDAG", stability = "Stability"
  )
  errors <- c("skeleton_se", "cpdag_se", "stability_se")
  points <- do.call(rbind, Map(function(score, error) {
    data.frame(
      panel = scores[[score]], at = table[[against]], value = table[[score]], se = table[[error]],
      line = line_labels(table[[other]], other)
    )
  }, names(scores), errors))
  points$panel <- factor(points$panel, scores)
  row.names(points) <- NULL
  list(
    points = points, curves = points, floors = list(), target = NULL,
    x_range = axis_range(table[[against]], against), y_range = c(0, 1.03), y_name = "", log = "x"
  )
}

# A single value stands in the middle of what can be chosen.
axis_range <- function(values, against) {
  if (length(unique(values)) > 1L) return(range(values))
  if (against == "epsilon") return(range(values, 0.1, 10))
  c(max(2, values[[1L]] / 10), min(core_limits$max_rows, values[[1L]] * 10))
}

# Odds ratios that people use, where the effects that belong to them are in the picture.
ratio_ticks <- function(y_range, prevalence) {
  ratio <- c(1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 30, 100)
  phi <- phi_from_odds_ratio(ratio, prevalence)
  # Near the largest effect they would stand upon each other.
  apart <- c(TRUE, diff(log(phi)) > 0.04 * diff(log(y_range)))
  inside <- apart & phi >= y_range[[1L]] & phi <= y_range[[2L]]
  data.frame(phi = phi[inside], label = number_text(ratio[inside]))
}

plan_looks <- function(lines) {
  colours <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
  types <- c("solid", "longdash", "dotdash", "twodash")
  cycle <- function(values) rep_len(values, length(lines))
  data.frame(
    label = lines, colour = cycle(colours), line = cycle(types),
    symbol = cycle(c(16L, 17L, 15L, 1L, 2L, 0L))
  )
}

# ---- base graphics ------------------------------------------------------------------------------

draw_plan_panel <- function(figure, panel) {
  graphics::plot(
    NA, xlim = figure$x_range, ylim = figure$y_range, log = figure$log, xlab = figure$x_name,
    ylab = "", main = if (panel != "all") panel, axes = FALSE, font.main = 1
  )
  graphics::title(ylab = figure$y_name, line = 3)
  ticks <- figure$ticks
  heights <- if (figure$log == "xy") effect_ticks(figure$y_range) else graphics::axTicks(2)
  graphics::abline(v = ticks, h = heights, col = "grey90")
  graphics::axis(1, at = ticks, labels = vapply(ticks, axis_text, ""))
  graphics::axis(2, at = heights, labels = number_text(heights))
  graphics::box(col = "grey50")
  if (!is.null(figure$ratios)) {
    graphics::axis(4, at = figure$ratios$phi, labels = figure$ratios$label)
    graphics::mtext(figure$ratio_name, 4, line = 2.6, las = 0, cex = 0.8)
  }
  for (floor in figure$floors) {
    graphics::lines(floor$at, floor$value, lty = "dashed", col = "grey40")
  }
  if (!is.null(figure$target)) graphics::abline(h = figure$target, lwd = 1.5)
  for (i in seq_len(nrow(figure$look))) {
    look <- figure$look[i, ]
    curve <- figure$curves[figure$curves$line == look$label, ]
    if (figure$what == "accuracy") curve <- curve[curve$panel == panel, ]
    curve <- curve[order(curve$at), ]
    graphics::lines(curve$at, curve$value, lty = look$line, col = look$colour, lwd = 1.5)
    own <- figure$points$line == look$label & figure$points$panel == panel
    points <- figure$points[own, ]
    graphics::points(points$at, points$value, pch = look$symbol, col = look$colour)
    bars <- points[!is.na(points$se) & points$se > 0, ]
    if (nrow(bars)) {
      graphics::segments(
        bars$at, bars$value - bars$se, bars$at, bars$value + bars$se, col = look$colour
      )
    }
  }
}

effect_ticks <- function(range) {
  ticks <- sort(c(outer(c(1, 2, 5), 10^(-4:0))))
  ticks[ticks >= range[[1L]] & ticks <= range[[2L]]]
}

draw_plan_key <- function(look) {
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::legend(
    "center", legend = paste0(look$label, "  "), col = look$colour, lty = look$line, lwd = 1.5,
    pch = look$symbol, ncol = legend_columns(look), bty = "n", seg.len = 3, cex = 0.95
  )
}

# The lines, and what the dashed and the horizontal one are.
plan_key <- function(figure) {
  extra <- function(label, colour, line) data.frame(label, colour, line, symbol = NA_integer_)
  rbind(
    figure$look,
    if (length(figure$floors)) extra(without_privacy, "grey40", "dashed"),
    if (!is.null(figure$target)) extra(target_label(figure$target), "black", "solid")
  )
}

target_label <- function(target) paste("effect of", format(target, digits = 2))
