overlap <- function(a, b) {
  abs(outer(a$x, b$x, "-")) < outer(a$width, b$width, "+") / 2 - 1e-9 &
    abs(outer(a$y, b$y, "-")) < outer(a$height, b$height, "+") / 2 - 1e-9
}

marks_of <- function(name, direction, size) {
  amat <- as.matrix(network(name))
  strength <- data.frame(as.data.frame(network(name))[c("from", "to")], strength = 0.9)
  with_measuring_device(size, {
    shapes <- graph_shapes(amat, direction, list(tiers = NULL, strength = strength), size)
  })
  shapes
}

test_that("labels of edges lie on no node, on no other label, and on the page", {
  sizes <- list(asia = c(7, 5), child = c(8, 6.5), alarm = c(11, 8))
  for (name in names(sizes)) {
    for (direction in c("down", "right")) {
      shapes <- marks_of(name, direction, sizes[[name]])
      marks <- shapes$marks
      expect_identical(nrow(marks), nrow(as.data.frame(network(name))))
      expect_false(any(overlap(marks, shapes$boxes)), label = paste(name, direction, "nodes"))
      among <- overlap(marks, marks)
      expect_false(any(among[upper.tri(among)]), label = paste(name, direction, "labels"))
      room <- sizes[[name]]
      inside <- marks$x > 0 & marks$x < room[1] & marks$y > 0 & marks$y < room[2]
      expect_true(all(inside))
    }
  }
})

test_that("a label keeps to its edge, and off a line that crosses it", {
  boxes <- data.frame(x = 100, y = 100, width = 1, height = 1)
  none <- boxes[0L, ]
  straight <- cbind(c(0, 4), c(2, 2))
  crossing <- cbind(c(2, 2), c(0, 4))
  at <- place_labels(list(straight, crossing), boxes, none, c(0.4, 0.4), c(0.15, 0.15), c(5, 5))
  expect_identical(at[1, 2], 2)
  expect_identical(at[2, 1], 2)
  expect_gt(abs(at[1, 1] - 2), 0.2)
  expect_gt(abs(at[2, 2] - 2), 0.075)
  # Alone it is in the middle; on a line shorter than itself it stands beside.
  alone <- place_labels(list(straight), boxes, none, 0.4, 0.15, c(5, 5))
  expect_equal(alone[1, ], c(2, 2))
  ends <- data.frame(x = c(0.75, 1.65), y = 1, width = 0.5, height = 0.3)
  short <- place_labels(list(cbind(c(1, 1.4), c(1, 1))), ends, none, 0.38, 0.15, c(5, 5))
  expect_gt(abs(short[1, 2] - 1), 0.07)
})

test_that("nothing but all is 100%", {
  expect_identical(percent_text(c(1, 1 - 1e-9, 0.9996, 0.995, 0.5)), c(
    "100%", "100%", ">99.9%", "99.5%", "50%"
  ))
  expect_identical(percent_text(c(1, 0.996, 0.33), 2), c("100%", ">99%", "33%"))
  expect_identical(percent_text(numeric()), character())
  expect_identical(share_label(c(0.995, 0.994, 1)), c(">99%", "99%", "100%"))
})
