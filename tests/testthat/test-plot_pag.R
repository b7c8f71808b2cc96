test_that("every end of every edge has its mark in the picture", {
  every <- pag_of("a --> b", "c o-> a", "c <-> d", "d o-o e", nodes = letters[1:6])
  shapes <- with_measuring_device(
    c(7, 5), graph_shapes(drawn_edges(every$marks), "down", NULL, c(7, 5), end_marks = every$marks)
  )
  expect_length(unique(shapes$heads$edge), sum(every$marks == 2L))
  expect_length(unique(shapes$rings$edge), sum(every$marks == 1L))
  expect_true(all(shapes$lines$lty == "solid"))
  # A mark stands at the box of its own node: the nearest one to an arrow's tip.
  boxes <- shapes$boxes
  nearest <- function(x, y) {
    dx <- pmax(abs(x - boxes$x) - boxes$width / 2, 0)
    dy <- pmax(abs(y - boxes$y) - boxes$height / 2, 0)
    boxes$node[which.min(dx^2 + dy^2)]
  }
  tips <- vapply(by_edge(shapes$heads), function(head) nearest(head$x[[1L]], head$y[[1L]]), "")
  expect_identical(sort(unname(tips)), c("a", "b", "c", "d"))
  rings <- vapply(by_edge(shapes$rings), function(ring) nearest(mean(ring$x), mean(ring$y)), "")
  expect_identical(sort(unname(rings)), c("c", "d", "e"))
  # Causes above effects.
  y <- stats::setNames(boxes$y, boxes$node)
  expect_gt(y[["a"]], y[["b"]])
  expect_gt(y[["c"]], y[["a"]])
  expect_setequal(shapes$legend$texts$label, c(
    "causes, nothing hidden behind it", "share a hidden cause",
    "causes, or a hidden cause, or both", "one causes the other, or a hidden cause, or both"
  ))
})

test_that("visible arrows are thick, and the legend says so", {
  shapes_of <- function(...) {
    pag <- pag_of(...)
    with_measuring_device(
      c(7, 5), graph_shapes(drawn_edges(pag$marks), "down", NULL, c(7, 5), end_marks = pag$marks)
    )
  }
  widths <- function(shapes) sort(unname(vapply(by_edge(shapes$lines), function(x) x$lwd[[1L]], 0)))
  # c points to a: only the arrow out of a is visible.
  shapes <- shapes_of("c o-> a", "a --> b", "d --> e")
  expect_equal(widths(shapes), widths(shapes)[[1L]] * c(1, 1, visible_width))
  # The thick one ends at b.
  thick <- shapes$lines[shapes$lines$lwd == max(shapes$lines$lwd), ]
  at <- shapes$boxes[match(c("a", "b"), shapes$boxes$node), ]
  expect_equal(range(thick$x), range(at$x), tolerance = 0.3)
  expect_setequal(shapes$legend$texts$label, c(
    "causes, nothing hidden behind it", "causes, perhaps a hidden cause too",
    "causes, or a hidden cause, or both"
  ))
  expect_equal(widths(shapes$legend), c(1, 1, visible_width))
  # None is visible.
  shapes <- shapes_of("a --> b", "d --> e")
  expect_length(unique(widths(shapes)), 1L)
  expect_identical(shapes$legend$texts$label, "causes, perhaps a hidden cause too")
})

test_that("the picture of a pooled graph names its sites", {
  cohort <- simulate(network("cancer"), nsim = 20000, seed = 1)
  fits <- list(
    north = marginal_pc(cohort[1:10000, ], epsilon = 1, seed = 1),
    south = marginal_pc(cohort[10001:20000, ], epsilon = 1, seed = 2)
  )
  graph <- relearn(pool_fits(fits), hidden = TRUE)
  expect_snapshot({
    graph
    format(graph)
  })
  file <- tempfile(fileext = ".pdf")
  on.exit(unlink(file))
  grDevices::pdf(file, compress = FALSE, useDingbats = FALSE)
  tryCatch(plot(graph), finally = grDevices::dev.off())
  lines <- grep("T[Jj]$", readLines(file, warn = FALSE), value = TRUE, useBytes = TRUE)
  words <- gsub("\\)[^(]*\\(", "", lines, useBytes = TRUE)
  expect_true(
    any(grepl("ooled from 2 sites: north and south", words, fixed = TRUE, useBytes = TRUE))
  )
  skip_if_not_installed("ggplot2")
  expect_match(ggplot2::autoplot(graph)$labels$caption, "2 sites: north and south.*NOT private")
})

test_that("graphs of all kinds are drawn, also impossible ones", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(network_pag(network("asia"), "smoke")))
  expect_silent(plot(network_pag(network("alarm")), direction = "right", main = "Alarm"))
  expect_silent(plot(new_pag(no_edges(c("a", "b")))))
  cycle <- pag_of("a --> b", "b --> c", "c --> a")
  expect_identical(sum(drawn_edges(cycle$marks)), 6L)
  expect_silent(plot(cycle))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(network_pag(network("asia"), "smoke")), "ggplot")
  expect_silent(print(ggplot2::autoplot(network_pag(network("asia"), "smoke"))))
})
