#' Draw a graph with hidden common causes
#'
#' Each end of an edge shows its mark: an arrowhead (no cause of the other end), a circle (not
#' known) or nothing (a cause). Thick arrows are *visible*: no hidden cause is behind them. A
#' legend says what the kinds of edges in the picture mean. Arrows
#' point down, or to the right; see [plot()][plot.privpc] for what positions mean and do not mean.
#' `autoplot()` draws the same with ggplot2.
#'
#' @inheritParams plot.privpc
#' @param x,object A [graph with hidden common causes][privpc_pag].
#' @param width,height See [autoplot()][autoplot.privpc].
#' @return `plot()`: as [plot.privpc()]. `autoplot()`: a ggplot.
#' @export
#' @examples
#' plot(network_pag(network("asia"), hidden = "smoke"))
plot.privpc_pag <- function(x, ..., main = NULL, direction = c("down", "right"), cex = 1,
                            tiers = FALSE) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_sound_pag(x, call)
  extras <- plot_extras(x, tiers, FALSE, call)
  draw_graph(
    drawn_edges(x$marks), main, direction, cex, extras, mark_of(x), drawn_marks(x),
    caption = sites_caption(x$fit), call = call
  )
}

#' @rdname plot.privpc_pag
#' @exportS3Method ggplot2::autoplot
autoplot.privpc_pag <- function(object, ..., # nolint: object_name_linter.
                                direction = c("down", "right"), tiers = FALSE,
                                width = NULL, height = NULL) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_sound_pag(object, call, "object")
  direction <- check_choice(direction, directions, call = call)
  extras <- plot_extras(object, tiers, FALSE, call)
  size <- gg_size(width, height, call)
  said <- c(sites_caption(object$fit), mark_of(object))
  gg_graph(drawn_edges(object$marks), direction, extras, size, said, drawn_marks(object))
}

# Which node stands above which: a 0/1 matrix of R/edges.R. Marks that are wrong may form a cycle;
# then no direction counts.
drawn_edges <- function(marks) {
  arrow <- mark_codes[["arrow"]]
  graph <- (marks > 0L & t(marks) != arrow) | (marks > 0L & marks == arrow & t(marks) == arrow)
  storage.mode(graph) <- "integer"
  directed <- is_directed(graph) + 0L
  storage.mode(directed) <- "integer"
  if (cpp_is_acyclic(directed)) return(graph)
  graph[marks > 0L] <- 1L
  graph
}

# All lines are solid; `heads` and `rings` (circles) stand at their ends.
with_end_marks <- function(shapes, found, end_marks) {
  if (is.null(shapes$lines)) return(shapes)
  shapes$lines$colour <- "grey10"
  shapes$lines$lty <- "solid"
  heads <- rings <- list()
  thick <- visible_matrix(end_marks)
  for (k in seq_along(found$curves)) {
    curve <- found$curves[[k]]
    path <- found$layout$path[[k]]
    ends <- c(path[[1L]], path[[length(path)]])
    if (thick[ends[[1L]], ends[[2L]]]) {
      shapes$lines$lwd <- ifelse(shapes$lines$edge == k, visible_width, 1) * shapes$lines$lwd
    }
    places <- list(list(at = curve$line[1L, ], back = 1), list(at = curve$tip, back = -1))
    codes <- c(end_marks[ends[[2L]], ends[[1L]]], end_marks[ends[[1L]], ends[[2L]]])
    for (end in 1:2) {
      corners <- end_corners(codes[[end]], places[[end]], curve$head)
      if (is.null(corners)) next
      shape <- found$to_paper(corners[, 1L], corners[, 2L])
      shape$edge <- 2L * k + end
      if (codes[[end]] == mark_codes[["arrow"]]) {
        heads <- c(heads, list(shape))
      } else {
        rings <- c(rings, list(shape))
      }
    }
  }
  shapes$heads <- do.call(rbind, heads)
  shapes$rings <- do.call(rbind, rings)
  shapes
}

# The marks, with those that are clear: pictures show which arrows are visible.
drawn_marks <- function(x) structure(x$marks, clear = x$clear)

# How much thicker visible arrows are.
visible_width <- 2.5

# Symmetric: whether the edge of two nodes is visible.
visible_matrix <- function(marks) {
  edges <- pag_edges(marks, attr(marks, "clear"))
  edges <- edges[edges$visible, , drop = FALSE]
  visible <- marks < 0L
  visible[cbind(c(edges$from, edges$to), c(edges$to, edges$from))] <- TRUE
  visible
}

# As (across, along); `back` is the direction from the end into the edge. NULL for a tail.
end_corners <- function(code, place, head) {
  if (code == mark_codes[["tail"]]) return(NULL)
  if (code == mark_codes[["arrow"]]) {
    return(cbind(
      place$at[[1L]] + head * c(0, -0.38, 0.38), place$at[[2L]] + place$back * head * c(0, 1, 1)
    ))
  }
  ring <- 0.42 * head
  ring_corners(place$at[[1L]], place$at[[2L]] + place$back * ring, ring)
}

ring_corners <- function(x, y, radius) {
  angle <- seq(0, 2 * pi, length.out = 25L)[-25L]
  cbind(x + radius * cos(angle), y + radius * sin(angle))
}

# What each kind of edge in the picture means, in the form of legend_shapes().
pag_legend <- function(marks, room, measure) {
  kinds <- c("-->", "-->", "<->", "o->", "o-o", "---")
  thick <- c(TRUE, FALSE, FALSE, FALSE, FALSE, FALSE)
  texts <- c(
    "causes, nothing hidden behind it", "causes, perhaps a hidden cause too",
    "share a hidden cause", "causes, or a hidden cause, or both",
    "one causes the other, or a hidden cause, or both", "selected together"
  )
  edges <- pag_edges(marks, attr(marks, "clear"))
  there <- paste(kinds, thick) %in% paste(edges$edge, edges$visible)
  kinds <- kinds[there]
  thick <- thick[there]
  texts <- texts[there]
  if (length(texts) == 0L) return(list(height = 0))
  size <- legend_sizes
  cex <- 0.75 * max(0.6, min(1, room[[2L]] / 4))
  lead <- size$line + size$gap
  cex <- cex * min(1, 0.98 * room[[1L]] / max(lead + 1.12 * measure(texts, cex)$width))
  # Letters of other devices may be wider than where these are measured.
  wide <- lead + 1.12 * measure(texts, cex)$width
  row <- legend_rows(wide, room[[1L]])
  high <- size$row * min(1, max(0.5, room[[2L]] / 4))
  left <- legend_lefts(wide, row, room[[1L]])
  y <- high * (max(row) - row + 0.5)
  shapes <- lapply(seq_along(texts), function(k) {
    signs <- strsplit(kinds[[k]], "")[[1L]][c(1L, 3L)]
    ends <- list(c(left[k], 1), c(left[k] + size$line, -1))
    lapply(1:2, function(end) {
      legend_end(signs[[end]], ends[[end]][[1L]], ends[[end]][[2L]], y[k], 2L * k + end)
    })
  })
  shapes <- unlist(shapes, recursive = FALSE)
  only <- function(kind) do.call(rbind, lapply(shapes, `[[`, kind))
  lines <- lapply(seq_along(texts), function(k) {
    # A thick line would stick out of the tip of its arrow head.
    end <- left[k] + size$line - if (thick[[k]]) size$head else 0
    data.frame(
      x = c(left[k], end), y = y[k], edge = k, colour = "grey10", lty = "solid",
      lwd = if (thick[[k]]) visible_width else 1
    )
  })
  list(
    height = high * max(row) + 0.14, cex = cex, lines = do.call(rbind, lines),
    heads = only("head"), rings = only("ring"),
    texts = data.frame(x = left + lead, y, label = texts)
  )
}

legend_end <- function(sign, x, back, y, id) {
  head <- legend_sizes$head
  if (sign == "o") {
    at <- ring_corners(x + back * 0.42 * head, y, 0.42 * head)
    return(list(ring = data.frame(x = at[, 1L], y = at[, 2L], edge = id)))
  }
  if (sign == "-") return(list())
  list(head = data.frame(
    x = x + back * head * c(0, 1, 1), y = y + head * c(0, -0.38, 0.38), edge = id
  ))
}
