shapes_of <- function(amat, direction = "down", strength = NULL, size = c(7, 5)) {
  with_measuring_device(size, graph_shapes(amat, direction, list(strength = strength), size))
}

test_that("a box fits its own name, whatever stands beside it", {
  for (name in c("child", "alarm")) {
    for (direction in c("down", "right")) {
      shapes <- shapes_of(as.matrix(network(name)), direction, size = c(10, 7))
      # Letters of whole points only, as devices for files have them.
      needed <- with_measuring_device(c(10, 7), measure_device(shapes$labels, 1))
      needed <- lapply(needed, `*`, shapes$cex)
      pad <- layout_sizes$pad * shapes$cex
      # Across a layer a box may be larger, for the ends of many edges.
      if (direction == "right") {
        expect_equal(shapes$boxes$width, needed$width + pad)
        expect_true(all(shapes$boxes$height > needed$height + pad - 1e-9))
      } else {
        expect_equal(shapes$boxes$height, needed$height + pad)
        expect_true(all(shapes$boxes$width > needed$width + pad - 1e-9))
      }
    }
  }
})

test_that("edges begin and end at the boxes of their nodes", {
  for (direction in c("down", "right")) {
    amat <- as.matrix(network("child"))
    shapes <- shapes_of(amat, direction, size = c(9, 7))
    at_box <- function(x, y) {
      boxes <- shapes$boxes
      outside <- pmax(abs(boxes$x - x) - boxes$width / 2, abs(boxes$y - y) - boxes$height / 2)
      boxes$node[abs(outside) < 1e-6]
    }
    found <- lapply(split(shapes$lines, shapes$lines$edge), function(line) {
      head <- shapes$heads[shapes$heads$edge == line$edge[1], ]
      c(at_box(line$x[1], line$y[1]), at_box(head$x[1], head$y[1]))
    })
    expect_true(all(lengths(found) == 2L))
    arcs <- which(amat == 1L, arr.ind = TRUE)
    expect_setequal(
      vapply(found, paste, "", collapse = " "),
      paste(rownames(amat)[arcs[, 1]], rownames(amat)[arcs[, 2]])
    )
  }
})

test_that("the legend has an arrow for directed edges, and lies below the graph", {
  amat <- graph_of("a -> b", "c -> b", "d -- e")
  shapes <- shapes_of(amat)
  legend <- shapes$legend
  expect_identical(legend$texts$label, c("directed", "direction not identified"))
  expect_setequal(legend$lines$edge, 1:2)
  expect_identical(unique(legend$heads$edge), 1L)
  # The head begins where its line ends, and its tip comes before the text.
  line <- legend$lines[legend$lines$edge == 1, ]
  expect_equal(min(legend$heads$x), max(line$x))
  expect_gt(max(legend$heads$x), max(line$x) + 0.05)
  expect_lt(max(legend$heads$x), legend$texts$x[1])
  expect_lt(max(legend$heads$y, legend$texts$y), legend$height)
  expect_gt(min(shapes$boxes$y - shapes$boxes$height / 2), legend$height - 1e-9)
  # Its kinds of lines are those of the graph.
  expect_setequal(legend$lines$lty, shapes$lines$lty)
  expect_setequal(legend$lines$colour, shapes$lines$colour)
})

test_that("a legend that is too long for the page is broken or made smaller", {
  amat <- graph_of("a -> b", "c -> b", "d -- e")
  strength <- data.frame(from = c("a", "b", "d"), to = c("b", "c", "e"), strength = c(1, 1, 0.5))
  for (wide in c(7, 3.5, 2)) {
    legend <- shapes_of(amat, strength = strength, size = c(wide, 4))$legend
    expect_identical(nrow(legend$texts), 3L)
    width <- with_measuring_device(c(7, 5), measure_device(legend$texts$label, legend$cex)$width)
    expect_true(all(legend$texts$x + width <= wide, legend$texts$x >= 0))
    rows <- length(unique(legend$texts$y))
    expect_identical(rows, if (wide == 7) 1L else if (wide == 3.5) 2L else 3L)
  }
})
