# A plan with ggplot2: the numbers and looks of plan_plot.R.

#' @rdname plot.privpc_plan
#' @exportS3Method ggplot2::autoplot
autoplot.privpc_plan <- function(object, ..., # nolint: object_name_linter.
                                 what = NULL, against = NULL) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_suggested("ggplot2", "to draw with autoplot()", call)
  figure <- plan_figure(object, what, against, call, "object")
  key <- plan_key(figure)
  named <- function(values) stats::setNames(values, key$label)
  gg_plan_lines(figure) +
    gg_plan_scales(figure) +
    ggplot2::scale_colour_manual(values = named(key$colour), limits = key$label) +
    ggplot2::scale_linetype_manual(values = named(key$line), limits = key$label) +
    ggplot2::scale_shape_manual(values = named(key$symbol), limits = key$label, na.value = NA) +
    ggplot2::labs(
      x = figure$x_name, y = if (nzchar(figure$y_name)) figure$y_name, colour = NULL, shape = NULL,
      linetype = NULL
    ) +
    gg_mark(mark_of(object)) +
    ggplot2::theme_bw() +
    ggplot2::theme(
      legend.position = "bottom", legend.key.width = ggplot2::unit(2.2, "lines"),
      panel.grid.minor = ggplot2::element_blank()
    )
}

gg_plan_lines <- function(figure) {
  aes <- function(...) ggplot2::aes(!!!rlang::exprs(...))
  picture <- ggplot2::ggplot(figure$points, aes(
    x = .data$at, y = .data$value, colour = .data$line, linetype = .data$line
  ))
  for (floor in figure$floors) {
    picture <- picture + ggplot2::geom_line(data = cbind(floor, line = without_privacy))
  }
  if (!is.null(figure$target)) {
    level <- data.frame(value = figure$target, line = target_label(figure$target))
    picture <- picture + ggplot2::geom_hline(
      data = level, aes(yintercept = .data$value, colour = .data$line, linetype = .data$line)
    )
  }
  # What is beyond 1 is no effect; the line leaves the picture there.
  picture <- picture + ggplot2::geom_line(data = figure$curves) +
    ggplot2::geom_point(aes(shape = .data$line))
  if (figure$what == "effect") return(picture)
  picture + ggplot2::facet_wrap(~panel) + ggplot2::geom_linerange(
    aes(ymin = .data$value - .data$se, ymax = .data$value + .data$se),
    linetype = "solid", show.legend = FALSE
  )
}

gg_plan_scales <- function(figure) {
  across <- ggplot2::scale_x_log10(
    breaks = figure$ticks, labels = function(x) vapply(x, axis_text, "")
  )
  up <- if (figure$what == "effect") {
    ggplot2::scale_y_log10(
      breaks = effect_ticks(figure$y_range), labels = number_text,
      sec.axis = if (is.null(figure$ratios)) ggplot2::waiver() else ggplot2::sec_axis(
        ~., name = figure$ratio_name, breaks = figure$ratios$phi, labels = figure$ratios$label
      )
    )
  }
  list(across, up, ggplot2::coord_cartesian(xlim = figure$x_range, ylim = figure$y_range))
}
