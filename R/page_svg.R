# The graph of a page as SVG. Places, curves and the legend are those of plot_shapes.R, in inches;
# letters are measured here, because a browser's letters are not those of an R device. One inch is
# 96 pixels of a page, and letters of cex = 1 have 16.

pixels <- 96
letter_inches <- 1 / 6

# Widths of the letters 32 to 126 of Helvetica, in thousandths of their size. Arial and Liberation
# Sans, which browsers take for it, have the same ones.
helvetica_widths <- c(
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, rep(556, 10),
  278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556,
  833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
  333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333,
  500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584
)

# The width of lines of text, in units of the size of their letters. Other scripts are guessed, on
# the large side.
text_width <- function(lines) {
  vapply(lines, function(line) {
    codes <- utf8ToInt(line)
    plain <- codes >= 32L & codes <= 126L
    wide <- nchar(intToUtf8(codes, multiple = TRUE), type = "width")
    sum(ifelse(plain, helvetica_widths[pmax(codes - 31L, 1L)] / 1000, c(0, 0.75, 1.1)[wide + 1L]))
  }, 0, USE.NAMES = FALSE)
}

# Where letters could be so large, there is room around those of a page, which are smaller.
spacious_cex <- 1.4

# All that is drawn, in inches, for a page of this width. Grows until the letters can be read: first
# downwards, then sideways (the picture then scrolls in its box).
picture_shapes <- function(graph, share, width, least_cex) {
  names <- readable(rownames(graph))
  # A line break of a name's own would be one of its label.
  labels <- strsplit(break_label(gsub("[\t\n]", " ", names)), "\n", fixed = TRUE)
  label_width <- letter_inches * vapply(labels, function(lines) max(text_width(lines)), 0)
  label_height <- letter_inches * (1.15 * lengths(labels) - 0.3)
  # Most graphs have room to spare on a page that is not too tall. Of the others a taller one is
  # read more easily than one that scrolls sideways too.
  more <- expand.grid(
    taller = c(0.75, 1, 1.3, 1.7, 2.2, 2.8, 4, 6, 9), wider = c(1, 1.4, 2, 2.8, 4), cex = least_cex
  )
  tries <- rbind(
    expand.grid(taller = c(0.45, 0.6, 0.75), wider = 1, cex = spacious_cex),
    more[order(more$taller * more$wider + 3 * (more$wider - 1)), ]
  )
  for (k in seq_len(nrow(tries))) {
    paper <- width * c(tries$wider[[k]], tries$taller[[k]])
    # A whole layout takes far longer than to see that it would be too small.
    plan <- plan_layout(graph, label_width, label_height, paper[[1L]], paper[[2L]])
    if (plan$cex < tries$cex[[k]] && k < nrow(tries)) next
    layout <- layout_graph(graph, label_width, label_height, paper[[1L]], paper[[2L]])
    if (layout$cex >= tries$cex[[k]]) break
  }
  # Letters of a page have one size, unless they must be smaller.
  smaller <- min(1, 1 / layout$cex)
  found <- layout_with_marks(
    graph, "down", share, paper, measure_helvetica,
    # "along" counts from the top, as SVG does.
    paper_of = function(sideways) function(across, along) list(x = across, y = along),
    layout_for = function(between) {
      layout_graph(
        graph, label_width, label_height, paper[[1L]], paper[[2L]], magnify = smaller,
        between = between
      )
    }
  )
  ends <- lapply(found$layout$path, function(path) path[c(1L, length(path))])
  list(
    boxes = found$boxes, labels = labels, curves = found$curves, ends = ends,
    cex = found$layout$cex, marks = found$marks,
    size = c(paper[[1L]], bottom_of(found$boxes, found$curves)),
    legend = legend_shapes(graph, share, paper, measure_helvetica)
  )
}

# Letters of texts of one line, as a browser has them.
measure_helvetica <- function(text, cex) {
  size <- cex * letter_inches
  list(width = size * text_width(text), height = rep(0.75 * size, length(text)))
}

# The layout spreads over the height that it was given, the picture ends below its last node.
bottom_of <- function(boxes, curves) {
  max(boxes$y + boxes$height / 2, unlist(lapply(curves, function(curve) curve$line[, 2L]))) + 0.1
}

# ---- SVG -----------------------------------------------------------------------------------------

# Pixels with one decimal.
px <- function(inches) formatC(round(pixels * inches, 1L), format = "f", digits = 1L, width = 1L)

# `edges` is what R/page_edges.R knows of each edge; `id` tells the two pictures of a page apart.
picture_svg <- function(graph, edges, share, mark, width, least_cex, id) {
  shapes <- picture_shapes(graph, share, width, least_cex)
  top <- mark_lines(mark, shapes$size[[1L]])
  below <- if (shapes$legend$height > 0) shapes$legend$height + 0.05 else 0
  # Lines have a width: a little more than what they are drawn along.
  margin <- 0.05
  above <- length(top) * 0.22 + margin
  size <- shapes$size + c(2 * margin, above + below)
  label <- paste0(id, c("-title", "-desc"))
  element(
    "svg", xmlns = "http://www.w3.org/2000/svg", role = "group",
    class = c("graph", if (nrow(graph) <= 15L) "small"),
    viewBox = paste(px(-margin), px(-above), px(size[[1L]]), px(size[[2L]])),
    width = px(size[[1L]]), height = px(size[[2L]]),
    # Smaller than this the letters could not be read: the box scrolls.
    style = paste0("min-width:", px(min(size[[1L]], size[[1L]] * 0.62 / shapes$cex)), "px"),
    `aria-labelledby` = label,
    element("title", id = label[[1L]], picture_title(graph)),
    element("desc", id = label[[2L]], picture_description(graph, edges, mark)),
    mark_svg(top, shapes$size[[1L]]),
    element("g", class = "edges", edge_links(shapes, graph, edges)),
    element("g", class = "nodes", lapply(seq_along(shapes$labels), node_svg, shapes)),
    element("g", class = "shares", `aria-hidden` = "true", share_labels(shapes)),
    if (below > 0) legend_svg(shapes$legend, shapes$size[[2L]] + shapes$legend$height)
  )
}

picture_title <- function(graph) {
  paste0(
    "Causal graph of ", counted(nrow(graph), "variable"), " with ",
    edge_counts_text(edge_table(graph))
  )
}

picture_description <- function(graph, edges, mark) {
  text <- vapply(edges, `[[`, "", "label")
  paste0(
    if (!is.null(mark)) paste0(mark, ". "),
    if (length(text)) paste0("Edges: ", paste(text, collapse = "; "), ".") else "No edges."
  )
}

# The mark is a part of the picture, so that it goes where the picture goes.
mark_lines <- function(mark, width) {
  if (is.null(mark)) return(character())
  most <- floor(width / letter_inches / 0.6)
  strwrap(mark, max(20L, most))
}

mark_svg <- function(lines, width) {
  lapply(seq_along(lines), function(k) {
    y <- 0.22 * (k - length(lines)) - 0.07
    element("text", class = "mark", x = px(width / 2), y = px(y), lines[[k]])
  })
}

# One link per edge, to what the page says about it: reached by the keyboard and by touch, also
# without a script.
edge_links <- function(shapes, graph, edges) {
  pair <- vapply(edges, function(edge) paste(sort(edge$at), collapse = " "), "")
  lapply(seq_along(shapes$curves), function(k) {
    curve <- shapes$curves[[k]]
    edge <- edges[[match(paste(sort(shapes$ends[[k]]), collapse = " "), pair)]]
    line <- paste0(
      "M", paste(px(curve$line[, 1L]), px(curve$line[, 2L]), sep = " ", collapse = "L")
    )
    corner <- head_corners(curve)
    element(
      "a", class = paste("edge", if (curve$plain) "open" else "directed"),
      href = paste0("#", edge$id), `aria-label` = edge$label,
      element("title", edge$label),
      element("path", class = "hit", d = line),
      element(
        "path", class = "line", d = line,
        style = paste0("stroke-width:", edge_pixels(edge$share))
      ),
      if (!curve$plain) {
        element("polygon", class = "head", points = paste(px(corner[, 1L]), px(corner[, 2L]),
                                                          sep = ",", collapse = " "))
      }
    )
  })
}

edge_pixels <- function(share) {
  if (is.null(share) || is.na(share)) return("1.6")
  formatC(1 + 2.4 * share, format = "f", digits = 1L)
}

node_svg <- function(k, shapes) {
  box <- shapes$boxes[k, ]
  lines <- shapes$labels[[k]]
  size <- shapes$cex * letter_inches
  first <- box$y - (length(lines) - 1L) / 2 * 1.15 * size + 0.35 * size
  element(
    "g", class = "node", element("title", box$node),
    element(
      "rect", x = px(box$x - box$width / 2), y = px(box$y - box$height / 2),
      width = px(box$width), height = px(box$height), rx = 3
    ),
    element(
      "text", style = paste0("font-size:", px(size), "px"),
      lapply(seq_along(lines), function(i) {
        element(
          "tspan", x = px(box$x), y = px(first + (i - 1L) * 1.15 * size),
          # Whatever letters the browser has, these fit: their widths are known.
          textLength = if (is_ascii(lines[[i]])) px(size * text_width(lines[[i]])),
          lengthAdjust = if (is_ascii(lines[[i]])) "spacingAndGlyphs",
          lines[[i]]
        )
      })
    )
  )
}

share_labels <- function(shapes) {
  marks <- shapes$marks
  size <- share_size(shapes$cex) * letter_inches
  lapply(seq_len(NROW(marks)), function(k) {
    mark <- marks[k, ]
    list(
      element(
        "rect", x = px(mark$x - mark$width / 2), y = px(mark$y - mark$height / 2),
        width = px(mark$width), height = px(mark$height)
      ),
      element(
        "text", x = px(mark$x), y = px(mark$y + 0.35 * size),
        style = paste0("font-size:", px(size), "px"), mark$label
      )
    )
  })
}

# `bottom`: where the legend ends, counted from the top.
legend_svg <- function(legend, bottom) {
  of_edge <- function(shape, k) shape[shape$edge == k, ]
  size <- legend$cex * letter_inches
  element("g", class = "legend", `aria-hidden` = "true", lapply(
    seq_len(nrow(legend$texts)), function(k) {
      text <- legend$texts[k, ]
      line <- of_edge(legend$lines, k)
      head <- of_edge(legend$heads, k)
      element(
        "g", class = if (NROW(line)) if (NROW(head)) "directed" else "open",
        if (NROW(line)) {
          element("path", class = "line", d = paste0(
            "M", paste(px(line$x), px(bottom - line$y), sep = " ", collapse = "L")
          ))
        },
        if (NROW(head)) {
          element("polygon", class = "head", points = paste(
            px(head$x), px(bottom - head$y), sep = ",", collapse = " "
          ))
        },
        element(
          "text", x = px(text$x), y = px(bottom - text$y + 0.35 * size),
          style = paste0("font-size:", px(size), "px"), text$label
        )
      )
    }
  ))
}
