# Boxes of a picture of 7 by 5 inches, without a legend.
boxes_of <- function(amat, direction, tiers = NULL, size = c(7, 5)) {
  with_measuring_device(size, graph_shapes(amat, direction, list(tiers = tiers), size))$boxes
}

margins <- function(boxes, size = c(7, 5)) {
  c(
    left = min(boxes$x - boxes$width / 2), right = size[1] - max(boxes$x + boxes$width / 2),
    bottom = min(boxes$y - boxes$height / 2), top = size[2] - max(boxes$y + boxes$height / 2)
  )
}

# A chain, and nodes without edges whose names have different lengths.
chain_and <- function(n) {
  lonely <- substring("a rather long name", 1, 1 + (5 * seq_len(n)) %% 17)
  names <- c("cause", "middle", "effect", make.unique(lonely))
  amat <- matrix(0L, length(names), length(names), dimnames = list(names, names))
  amat["cause", "middle"] <- amat["middle", "effect"] <- 1L
  amat
}

test_that("nodes without edges stand in rows below the graph, all in the middle of the page", {
  for (direction in c("down", "right")) {
    for (n in c(1, 4, 20)) {
      amat <- chain_and(n)
      boxes <- boxes_of(amat, direction)
      lonely <- seq_len(nrow(boxes)) > 3
      # Graph and rows together: the same margins above and below, and on both sides.
      margin <- margins(boxes)
      expect_equal(margin[["top"]], margin[["bottom"]], tolerance = 1e-6)
      for (part in list(boxes[!lonely, ], boxes[lonely, ])) {
        expect_equal(margins(part)[["left"]], margins(part)[["right"]], tolerance = 1e-6)
      }
      expect_gt(min(margin), -1e-9)
      # The rows begin close below the graph, but further away than they are from each other.
      bottom <- boxes$y - boxes$height / 2
      top <- boxes$y + boxes$height / 2
      rows <- split(which(lonely), -round(boxes$y[lonely], 6))
      to_graph <- min(bottom[!lonely]) - max(top[rows[[1]]])
      expect_lt(to_graph, 0.6)
      if (length(rows) > 1) {
        between <- min(bottom[rows[[1]]]) - max(top[rows[[2]]])
        expect_gt(to_graph, 1.5 * between)
      }
    }
  }
})

test_that("the rows are about equally long", {
  boxes <- boxes_of(chain_and(20), "down")[-(1:3), ]
  rows <- split(boxes, round(boxes$y, 6))
  expect_gt(length(rows), 1)
  length_of <- vapply(rows, function(row) sum(row$width), 0)
  expect_gt(min(length_of), 0.6 * max(length_of))
})

test_that("in tiers they stand beside the graph, not at the edge of the page", {
  amat <- chain_and(5)
  names <- rownames(amat)
  tiers <- list(early = names[c(1, 4, 5)], late = names[c(2, 3, 6, 7, 8)])
  for (direction in c("down", "right")) {
    boxes <- boxes_of(amat, direction, tiers)
    across <- if (direction == "down") boxes$x else -boxes$y
    size <- if (direction == "down") boxes$width else boxes$height
    # All after the last node with edges in their layer, a gap apart.
    along <- if (direction == "down") boxes$y else boxes$x
    for (layer in split(seq_along(along), round(along, 3))) {
      layer <- layer[order(across[layer])]
      expect_false(is.unsorted(layer > 3))
      start <- across[layer] - size[layer] / 2
      end <- across[layer] + size[layer] / 2
      gap <- start[-1] - end[-length(end)]
      expect_true(all(gap > 0.1))
    }
    # As far from the one side of the page as the graph is from the other.
    margin <- margins(boxes)
    reserved <- with_measuring_device(c(7, 5), tier_margin(tiers, direction, c(7, 5)))
    free <- if (direction == "down") {
      margin[c("left", "right")] - c(reserved$left, reserved$right)
    } else {
      margin[c("top", "bottom")] - c(reserved$top, reserved$bottom)
    }
    expect_equal(free[[1]], free[[2]], tolerance = 1e-6)
    expect_gt(margin[[if (direction == "down") "right" else "bottom"]], 0.09)
  }
})

test_that("a tier with many of them gets more layers rather than small letters", {
  amat <- chain_and(30)
  names <- rownames(amat)
  tiers <- list(early = names[1], late = names[-1])
  boxes <- boxes_of(amat, "down", tiers)
  expect_gt(length(unique(round(boxes$y[-(1:3)], 3))), 2)
  one_line <- with_measuring_device(c(7, 5), measure_device("A", 1)$height + layout_sizes$pad)
  expect_gt(min(boxes$height), 0.6 * one_line)
  # No arrow points upwards, and no box leaves the page.
  expect_true(all(diff(boxes$y[1:3]) < 0))
  expect_gt(min(margins(boxes)), 0)
})
