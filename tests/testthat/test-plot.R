local_device <- function(width = 7, height = 7, env = parent.frame()) {
  grDevices::pdf(NULL, width, height)
  device <- grDevices::dev.cur()
  do.call("on.exit", list(bquote(grDevices::dev.off(.(device))), add = TRUE), envir = env)
}

expect_no_overlap <- function(at) {
  i <- utils::combn(nrow(at), 2)
  apart <- function(centre, size) {
    abs(at[[centre]][i[1, ]] - at[[centre]][i[2, ]]) - (at[[size]][i[1, ]] + at[[size]][i[2, ]]) / 2
  }
  expect_gt(min(pmax(apart("x", "width"), apart("y", "height"))), 0)
}

test_that("boxes neither overlap nor leave the page, from 5 to 70 nodes", {
  local_device()
  with_seed(5, for (n in c(5, 8, 12, 20, 37, 50, 70)) {
    for (degree in c(1, 2, 3.5)) {
      names <- replicate(n, paste(sample(letters, sample(1:14, 1), TRUE), collapse = ""))
      amat <- cpdag_of(random_dag(n, degree, make.unique(names)))
      at <- plot(fit_of(amat))
      expect_identical(at$node, rownames(amat))
      expect_no_overlap(at)
      room <- graphics::par("usr") + 0.01 * c(-1, 1, -1, 1)
      expect_true(all(at$x - at$width / 2 > room[1], at$x + at$width / 2 < room[2]))
      expect_true(all(at$y - at$height / 2 > room[3], at$y + at$height / 2 < room[4]))
    }
  })
})

test_that("no edge runs over a node", {
  with_seed(6, for (trial in 1:12) {
    n <- sample(c(8, 25, 60), 1)
    amat <- random_dag(n, 2.5)
    layout <- layout_graph(amat, runif(n, 0.1, 1), rep(0.15, n), 7, 7)
    curves <- edge_curves(layout, amat & FALSE)
    expect_length(curves, sum(amat))
    i <- seq_len(n)
    for (curve in curves) {
      # Points between the corners too, so that a straight piece cannot jump over a box.
      dense <- apply(curve$line, 2, function(x) stats::approx(x, n = 8 * length(x))$y)
      within <- function(position, centre, size) {
        abs(outer(position, centre[i], "-")) < rep(0.499 * size[i], each = nrow(dense))
      }
      expect_false(any(
        within(dense[, 1], layout$across, layout$size) &
          within(dense[, 2], layout$along, layout$thickness)
      ))
    }
  })
})

test_that("causes stand above or left of their effects", {
  local_device()
  for (name in c("asia", "alarm")) {
    amat <- as.matrix(network(name))
    at <- plot(network(name))
    arcs <- which(amat == 1L, arr.ind = TRUE)
    down <- at$y[arcs[, 1]] > at$y[arcs[, 2]] + 0.01
    right <- at$x[arcs[, 1]] < at$x[arcs[, 2]] - 0.01
    expect_true(all(down) || all(right))
  }
})

test_that("very small graphs, isolated nodes and long names can be drawn", {
  local_device()
  expect_identical(nrow(plot(fit_of(matrix(0L, 0, 0, dimnames = list(NULL, NULL))))), 0L)
  expect_identical(nrow(plot(fit_of(empty_amat("a")))), 1L)
  expect_no_overlap(plot(fit_of(empty_amat(c("a", "b")))))
  expect_no_overlap(plot(fit_of(graph_of("a -- b"))))
  expect_no_overlap(plot(fit_of(empty_amat(paste0("isolated_", 1:70)))))
  long <- c(strrep("x", 80), "a_rather_long.name of several-words_and/parts", "b")
  expect_no_overlap(plot(fit_of(`dimnames<-`(graph_of("a -> b", "b -- c"), list(long, long)))))
})

test_that("small devices and several figures on a page work", {
  local_device(3, 2)
  expect_no_overlap(plot(network("asia"), main = "Asia"))
  graphics::par(mfrow = c(1, 2))
  expect_no_overlap(plot(network("survey")))
  expect_no_overlap(plot(network("cancer")))
})

test_that("par() and the random seed are as before, the result is invisible", {
  local_device()
  graphics::plot.new()
  graphics::par(mar = c(1, 2, 3, 4), xpd = FALSE)
  before <- graphics::par(c("mar", "xpd", "cex", "mfrow", "lwd", "oma"))
  set.seed(1)
  seed <- .Random.seed
  shown <- withVisible(plot(network("asia"), main = "Asia"))
  expect_false(shown$visible)
  expect_identical(graphics::par(c("mar", "xpd", "cex", "mfrow", "lwd", "oma")), before)
  expect_identical(.Random.seed, seed)
})

test_that("long labels are broken at separators", {
  expect_identical(break_label("short"), "short")
  expect_identical(break_label("a_rather_long_name_of_words"), "a_rather_long_\nname_of_words")
  expect_identical(break_label(strrep("x", 40)), paste0(strrep("x", 19), "..."))
  expect_match(break_label(paste(rep("words", 30), collapse = "_")), "\\.\\.\\.$")
})

test_that("bad arguments are refused", {
  local_device()
  expect_snapshot({
    show_refusal(plot(fit_of(graph_of("a -> b")), main = 1))
    show_refusal(plot(fit_of(graph_of("a -> b")), colour = "red"))
    show_refusal(plot(network("asia"), title = "Asia"))
  })
})
