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
    "causes", "share a hidden cause", "causes or shares a hidden cause",
    "one causes the other, or a hidden cause"
  ))
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
