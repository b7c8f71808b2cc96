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
      at <- plot(fit_of(amat), direction = sample(c("down", "right"), 1))
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
    direction <- sample(c("down", "right"), 1)
    layout <- layout_graph(amat, runif(n, 0.1, 1), rep(0.15, n), 7, 7, direction)
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

test_that("causes stand above their effects, or left of them if asked", {
  for (size in list(c(7, 5), c(4, 9))) {
    local_device(size[1], size[2])
    for (name in c("asia", "sachs", "alarm")) {
      amat <- as.matrix(network(name))
      arcs <- which(amat == 1L, arr.ind = TRUE)
      at <- plot(network(name))
      expect_true(all(at$y[arcs[, 1]] > at$y[arcs[, 2]] + 0.01))
      at <- plot(network(name), direction = "right")
      expect_true(all(at$x[arcs[, 1]] < at$x[arcs[, 2]] - 0.01))
      # The same graph without some of its arcs keeps the direction.
      fewer <- amat
      fewer[arcs[seq(1, nrow(arcs), by = 3), ]] <- 0L
      arcs <- which(fewer == 1L, arr.ind = TRUE)
      at <- plot(fit_of(fewer))
      expect_true(all(at$y[arcs[, 1]] > at$y[arcs[, 2]] + 0.01))
    }
  }
})

test_that("nodes without edges stand together below the others", {
  local_device()
  amat <- as.matrix(network("child"))
  alone <- c("Age", "Grunting", "GruntingReport")
  amat[alone, ] <- 0L
  amat[, alone] <- 0L
  for (direction in c("down", "right")) {
    at <- plot(fit_of(amat), direction = direction)
    bottom <- at$node %in% alone
    expect_length(unique(round(at$y[bottom], 6)), 1L)
    highest <- max(at$y[bottom] + at$height[bottom] / 2)
    expect_gt(min(at$y[!bottom] - at$height[!bottom] / 2), highest)
  }
})

test_that("edges that run side by side between two layers keep apart", {
  # A fan: all run to the left of their common cause, over each other.
  start <- c(5, 5.1, 5.2, 5.3)
  end <- c(1, 2, 3, 4)
  expect_identical(band_tracks(start, end), 1:4)
  # The mirror image, and edges that do not meet share a track.
  expect_identical(band_tracks(-start, -end), 1:4)
  expect_identical(band_tracks(c(1, 3), c(2, 4)), c(1L, 1L))
  # No two edges of alarm share a sideways piece.
  layout <- layout_graph(as.matrix(network("alarm")), rep(0.8, 37), rep(0.15, 37), 10, 7)
  x <- layout$track$x
  piece <- data.frame(
    band = unlist(lapply(layout$path, function(path) layout$layer[path[-length(path)]])),
    track = unlist(layout$track$track),
    low = unlist(lapply(x, function(at) pmin(at[-1], at[-length(at)]))),
    high = unlist(lapply(x, function(at) pmax(at[-1], at[-length(at)])))
  )
  piece <- piece[piece$high - piece$low >= 0.05, ]
  for (same in split(piece, piece[c("band", "track")], drop = TRUE)) {
    same <- same[order(same$low), ]
    expect_true(all(same$low[-1] > same$high[-nrow(same)]))
  }
})

test_that("letters are large in small graphs, readable in large ones, and can be scaled", {
  letters_of <- function(x, width, height, ...) {
    local_device(width, height)
    # The least height of a box shows the size of the letters in it.
    min(plot(x, ...)$height)
  }
  one_line <- function(cex) {
    local_device()
    graphics::plot.new()
    cex * (graphics::strheight("A", units = "inches") + layout_sizes$pad)
  }
  expect_gt(letters_of(network("cancer"), 7, 5), one_line(1.4))
  expect_gt(letters_of(network("alarm"), 7, 5), one_line(0.6))
  expect_gt(letters_of(network("alarm"), 10, 7), one_line(0.85))
  with_seed(7, large <- fit_of(cpdag_of(random_dag(70, 2.2, paste0("variable_", 1:70)))))
  expect_gt(letters_of(large, 10, 7), one_line(0.5))
  expect_equal(
    letters_of(network("asia"), 7, 5, cex = 0.5), letters_of(network("asia"), 7, 5) / 2
  )
})

test_that("extreme sizes are drawn all the same", {
  local_device()
  amat <- as.matrix(network("alarm"))
  amat[, "HR"] <- amat["HR", ] <- 0L
  for (cex in c(0.05, 3, 10)) {
    expect_true(all(is.finite(as.matrix(plot(fit_of(amat), cex = cex)[-1]))))
  }
  # Larger letters than those chosen are given where they are asked for.
  expect_equal(plot(fit_of(amat), cex = 1.3)$width, 1.3 * plot(fit_of(amat))$width)
  complete <- upper.tri(diag(25)) * 1L
  dimnames(complete) <- rep(list(paste0("v", 1:25)), 2)
  expect_no_overlap(plot(fit_of(complete)))
})

test_that("the legend explains undirected edges and is absent without them", {
  shown <- function(amat) {
    file <- tempfile(fileext = ".pdf")
    on.exit(unlink(file))
    grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
    plot(fit_of(amat))
    grDevices::dev.off()
    text <- paste(readLines(file, warn = FALSE), collapse = " ")
    has <- function(words) grepl(words, text, fixed = TRUE, useBytes = TRUE)
    c(directed = has("(directed)"), undirected = has("(direction not identified)"))
  }
  expect_identical(shown(graph_of("a -> b")), c(directed = FALSE, undirected = FALSE))
  expect_identical(shown(graph_of("a -- b")), c(directed = FALSE, undirected = TRUE))
  expect_identical(shown(graph_of("a -- b", "c -> d")), c(directed = TRUE, undirected = TRUE))
})

test_that("very small graphs, isolated nodes and long names can be drawn", {
  local_device()
  # No learner makes a graph without variables.
  nothing <- matrix(0L, 0, 0, dimnames = list(NULL, NULL))
  expect_identical(nrow(draw_graph(nothing, NULL, "down", 1)), 0L)
  expect_error(plot(fit_of(nothing)), class = "privpc_damaged")
  expect_identical(nrow(plot(fit_of(no_edges("a")))), 1L)
  expect_no_overlap(plot(fit_of(no_edges(c("a", "b")))))
  expect_no_overlap(plot(fit_of(graph_of("a -- b"))))
  expect_no_overlap(plot(fit_of(no_edges(paste0("isolated_", 1:70)))))
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

test_that("long labels are broken at separators, at capitals, then anywhere", {
  expect_identical(break_label("short"), "short")
  expect_identical(break_label("a_rather_long_name_of_words"), "a_rather_long_\nname_of_words")
  expect_identical(break_label("DiastolicBloodPressureFirst"), "DiastolicBlood\nPressureFirst")
  expect_identical(break_label(strrep("x", 40)), paste(strrep("x", c(18, 18, 4)), collapse = "\n"))
  expect_identical(break_label(character()), character())
})

test_that("different names never get the same label", {
  visits <- paste0("systolic.blood.pressure.at.", c("first", "second", "third"), ".visit")
  expect_identical(gsub("\n", "", break_label(visits)), visits)
  # Cut in the middle where the ends tell names apart; not at all where they do not.
  middle <- strrep("_and_words", 15)
  ends <- paste0(c("one", "two", "one"), middle, c("_x", "_x", "_y"))
  cut <- break_label(ends)
  expect_match(cut, "\n...\n", fixed = TRUE)
  expect_identical(anyDuplicated(cut), 0L)
  hidden <- paste0(strrep("a", 80), c("first", "other"), strrep("b", 80))
  expect_identical(gsub("\n", "", break_label(hidden)), hidden)
  with_seed(8, for (trial in 1:20) {
    parts <- c("blood", "Pressure", ".", "_", " ", "visit", "A", "1", strrep("x", 25))
    names <- unique(replicate(30, paste(sample(parts, sample(1:30, 1), TRUE), collapse = "")))
    expect_identical(anyDuplicated(break_label(names)), 0L)
  })
})

test_that("bad arguments are refused", {
  local_device()
  expect_snapshot({
    show_refusal(plot(fit_of(graph_of("a -> b")), main = 1))
    show_refusal(plot(fit_of(graph_of("a -> b")), colour = "red"))
    show_refusal(plot(network("asia"), title = "Asia"))
    show_refusal(plot(network("asia"), direction = "up"))
    show_refusal(plot(network("asia"), cex = 0))
    show_refusal(plot(network("asia"), cex = c(1, 2)))
  })
})
