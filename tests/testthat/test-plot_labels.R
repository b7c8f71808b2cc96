# The tests measure shapes on their own, not with the functions that placed them.
overlap <- function(a, b) {
  abs(outer(a$x, b$x, "-")) < outer(a$width, b$width, "+") / 2 - 1e-9 &
    abs(outer(a$y, b$y, "-")) < outer(a$height, b$height, "+") / 2 - 1e-9
}

shapes_of <- function(amat, strength, direction, size) {
  with_measuring_device(size, graph_shapes(
    amat, direction, list(tiers = NULL, strength = strength), size
  ))
}

# Every edge of a graph with a number, from 30% to 94%.
all_numbered <- function(amat) {
  at <- which((amat | t(amat)) & upper.tri(amat), arr.ind = TRUE)
  share <- 0.3 + 0.64 * ((seq_len(nrow(at)) * 0.618) %% 1)
  data.frame(from = rownames(amat)[at[, 1]], to = rownames(amat)[at[, 2]], strength = share)
}

# Points of a line at most 0.01 inches apart, with the direction there.
dense_line <- function(line) {
  pieces <- lapply(seq_len(nrow(line) - 1L), function(k) {
    step <- c(line$x[k + 1] - line$x[k], line$y[k + 1] - line$y[k])
    if (sum(step^2) < 1e-12) return(NULL)
    share <- seq(0, 1, length.out = ceiling(sqrt(sum(step^2)) / 0.01) + 1)
    data.frame(
      x = line$x[k] + share * step[1], y = line$y[k] + share * step[2],
      angle = atan2(step[2], step[1])
    )
  })
  do.call(rbind, pieces)
}

inside <- function(points, box) {
  abs(points$x - box$x) < box$width / 2 & abs(points$y - box$y) < box$height / 2
}

# What the labels of a picture hide, as words.
hidden_by_labels <- function(shapes) {
  marks <- shapes$marks
  among <- overlap(marks, marks)
  heads <- do.call(rbind, lapply(split(shapes$heads, shapes$heads$edge), function(head) {
    data.frame(
      x = mean(range(head$x)), y = mean(range(head$y)), width = diff(range(head$x)),
      height = diff(range(head$y))
    )
  }))
  lines <- lapply(split(shapes$lines, shapes$lines$edge), dense_line)
  elbow <- other <- FALSE
  for (k in seq_len(nrow(marks))) {
    for (edge in seq_along(lines)) {
      covered <- lines[[edge]][inside(lines[[edge]], marks[k, ]), ]
      if (nrow(covered) == 0L) next
      turn <- outer(covered$angle, covered$angle, "-")
      # A third of a right angle, and a little: the piece that is covered is as good as straight.
      if (min(cos(turn)) < cos(pi / 5.5)) elbow <- TRUE
      if (edge != marks$edge[k]) other <- TRUE
    }
  }
  c(
    node = any(overlap(marks, shapes$boxes)), label = any(among[upper.tri(among)]),
    head = !is.null(heads) && any(overlap(marks, heads)), elbow = elbow, edge = other
  )
}

test_that("numbers hide no node, elbow, arrow head, edge or other number, and stay on the page", {
  sizes <- list(cancer = c(7, 5), asia = c(7, 5), sachs = c(7, 5), child = c(9, 7))
  for (name in names(sizes)) {
    amat <- as.matrix(network(name))
    for (direction in c("down", "right")) {
      shapes <- shapes_of(amat, all_numbered(amat), direction, sizes[[name]])
      marks <- shapes$marks
      expect_identical(nrow(marks), as.integer(sum(amat)))
      hidden <- hidden_by_labels(shapes)
      expect_identical(names(hidden)[hidden], character(), label = paste(name, direction))
      room <- sizes[[name]]
      expect_true(all(marks$x - marks$width / 2 >= 0, marks$x + marks$width / 2 <= room[1]))
      expect_true(all(marks$y - marks$height / 2 >= 0, marks$y + marks$height / 2 <= room[2]))
    }
  }
})

test_that("in dense and large graphs, too, no node, elbow, arrow head or number is hidden", {
  with_seed(3, graphs <- list(
    twelve = list(amat = cpdag_of(random_dag(12, 25 / 6)), size = c(7, 5)),
    seventy = list(amat = cpdag_of(random_dag(70, 2, paste0("variable_", 1:70))), size = c(11, 8))
  ))
  for (name in names(graphs)) {
    amat <- graphs[[name]]$amat
    strength <- all_numbered(amat)
    # In the large one every third edge has a number, as in graphs that were learnt.
    if (name == "seventy") strength$strength[seq_len(nrow(strength)) %% 3 > 0] <- 1
    for (direction in c("down", "right")) {
      shapes <- shapes_of(amat, strength, direction, graphs[[name]]$size)
      expect_identical(nrow(shapes$marks), sum(strength$strength < 0.95))
      hidden <- hidden_by_labels(shapes)[c("node", "label", "head", "elbow")]
      expect_identical(names(hidden)[hidden], character(), label = paste(name, direction))
    }
  }
})

test_that("a number stands at its own edge", {
  amat <- as.matrix(network("child"))
  for (direction in c("down", "right")) {
    shapes <- shapes_of(amat, all_numbered(amat), direction, c(9, 7))
    lines <- lapply(split(shapes$lines, shapes$lines$edge), dense_line)
    for (k in seq_len(nrow(shapes$marks))) {
      mark <- shapes$marks[k, ]
      distance <- vapply(lines, function(line) {
        min(pmax(abs(line$x - mark$x) - mark$width / 2, abs(line$y - mark$y) - mark$height / 2))
      }, 0)
      expect_identical(which.min(distance)[[1]], mark$edge)
      expect_lt(distance[[mark$edge]], 0.05)
    }
  }
})

test_that("sure edges have no number, and the legend says so", {
  expect_identical(
    share_texts(c(1, 0.999, 0.95, 0.946, 0.944, 0.5, 0, NA)),
    c("", "", "", "", "94%", "50%", "0%", "")
  )
  amat <- graph_of("a -> b", "b -> c", "a -> c")
  noted <- function(share, ...) {
    strength <- data.frame(from = c("a", "b", "a"), to = c("b", "c", "c"), strength = share, ...)
    shapes <- shapes_of(amat, strength, "down", c(7, 5))
    list(marks = shapes$marks$label, note = shapes$legend$texts$label)
  }
  expect_identical(noted(c(1, 0.8, 0.97)), list(
    marks = "80%", note = "edges without a number: strength of at least 95%"
  ))
  expect_identical(noted(c(1, 1, 1)), list(
    marks = NULL, note = "all edges: strength of at least 95%"
  ))
  expect_null(noted(c(0.1, 0.2, 0.94))$note)
  expect_identical(
    noted(c(0.9, 1, 0.5), required = c(TRUE, FALSE, FALSE)),
    list(marks = "50%", note = "edges without a number: required, or strength of at least 95%")
  )
  expect_identical(
    noted(c(0.9, 0.6, 0.5), required = c(TRUE, FALSE, FALSE))$note,
    "edges without a number: required"
  )
  # Without strengths there is nothing to say.
  expect_identical(shapes_of(amat, NULL, "down", c(7, 5))$legend$height, 0)
})

test_that("a label keeps to its edge, and off a line that crosses it", {
  boxes <- data.frame(x = 100, y = 100, width = 1, height = 1)
  none <- boxes[0L, ]
  straight <- cbind(c(0, 4), c(2, 2))
  crossing <- cbind(c(2, 2), c(0, 4))
  placed <- place_labels(
    list(straight, crossing), boxes, none, 1:2, c(0.4, 0.4), c(0.15, 0.15), c(5, 5)
  )
  expect_identical(placed$hides, c(FALSE, FALSE))
  at <- placed$at
  expect_equal(at[1, 2], 2)
  expect_equal(at[2, 1], 2)
  expect_gt(abs(at[1, 1] - 2), 0.2)
  expect_gt(abs(at[2, 2] - 2), 0.075)
  # Alone it is in the middle; on a line shorter than itself it stands beside.
  alone <- place_labels(list(straight), boxes, none, 1, 0.4, 0.15, c(5, 5))
  expect_equal(alone$at[1, ], c(2, 2), tolerance = 0.02)
  ends <- data.frame(x = c(0.75, 1.65), y = 1, width = 0.5, height = 0.3)
  short <- place_labels(list(cbind(c(1, 1.4), c(1, 1))), ends, none, 1, 0.38, 0.15, c(5, 5))
  expect_gt(abs(short$at[1, 2] - 1), 0.07)
  # Where there is no place at all, that is said.
  full <- data.frame(x = 2.5, y = 2.5, width = 5, height = 5)
  expect_true(place_labels(list(straight), full, none, 1, 0.4, 0.15, c(5, 5))$hides)
})

test_that("points in rectangles are counted as they are", {
  with_seed(4, {
    path <- data.frame(x = runif(300, 0, 3), y = runif(300, 0, 2), elbow = runif(300) < 0.2)
    at <- cbind(runif(40, 0, 3), runif(40, 0, 2))
  })
  raster <- path_raster(list(path), c(3, 2))
  cells <- label_cells(at, 0.4, 0.2, 0, raster)
  own <- path_cells(path, raster)
  for (k in seq_len(40)) {
    within <- own$column >= cells$left[k] & own$column <= cells$right[k] &
      own$row >= cells$low[k] & own$row <= cells$high[k]
    expect_identical(count_cells(raster$all, cells)[k], as.numeric(sum(within)))
    expect_identical(count_cells(raster$elbow, cells)[k], as.numeric(sum(within & path$elbow)))
  }
})

test_that("nothing but all is 100%", {
  expect_identical(percent_text(c(1, 1 - 1e-9, 0.9996, 0.995, 0.5)), c(
    "100%", "100%", ">99.9%", "99.5%", "50%"
  ))
  expect_identical(percent_text(c(1, 0.996, 0.33), 2), c("100%", ">99%", "33%"))
  expect_identical(percent_text(numeric()), character())
  expect_identical(share_label(c(0.995, 0.994, 1)), c(">99%", "99%", "100%"))
})
