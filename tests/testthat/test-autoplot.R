skip_if_not_installed("ggplot2")

# The data of all layers of one kind.
layers_of <- function(picture, geom) {
  kind <- vapply(picture$layers, function(layer) class(layer$geom)[1], "")
  ggplot2::ggplot_build(picture)$data[kind == geom]
}

test_that("the ggplot has the nodes and edges of the graph", {
  fit <- exact_pc(simulate(network("asia"), nsim = 20000, seed = 1), alpha = 0.01)
  picture <- ggplot2::autoplot(fit, width = 7, height = 5)
  expect_s3_class(picture, "ggplot")
  expect_setequal(layers_of(picture, "GeomText")[[1]]$label, fit$nodes)
  path <- layers_of(picture, "GeomPath")[[1]]
  expect_length(unique(path$group), sum(fit$skeleton) / 2)
  heads <- layers_of(picture, "GeomPolygon")[[1]]
  expect_length(unique(heads$group), sum(fit$amat & !t(fit$amat)))
})

test_that("its legend has an arrow head for directed edges", {
  fit <- fit_of(graph_of("a -> b", "c -> b", "d -- e"))
  picture <- ggplot2::autoplot(fit, width = 7, height = 5)
  text <- layers_of(picture, "GeomText")
  expect_identical(text[[2]]$label, c("directed", "direction not identified"))
  heads <- layers_of(picture, "GeomPolygon")
  expect_length(heads, 2L)
  # At the height of the word "directed", left of it, and nothing like it at the other entry.
  expect_length(unique(heads[[2]]$group), 1L)
  expect_equal(mean(range(heads[[2]]$y)), text[[2]]$y[1])
  expect_lt(max(heads[[2]]$x), text[[2]]$x[1])
})

test_that("it is the picture that plot() draws", {
  fit <- fit_of(cpdag_of(as.matrix(network("child"))))
  for (direction in c("down", "right")) {
    boxes <- layers_of(
      ggplot2::autoplot(fit, direction = direction, width = 7.2, height = 5.2), "GeomTile"
    )[[1]]
    shapes <- with_measuring_device(
      c(7.2, 5.2), graph_shapes(fit$amat, direction, list(), c(7, 5))
    )
    expect_equal(boxes$xmax - boxes$xmin, shapes$boxes$width)
    expect_equal(boxes$x, shapes$boxes$x)
    # Boxes are as wide as their names, not as the widest of a layer.
    if (direction == "right") {
      label <- with_measuring_device(c(7, 5), measure_device(shapes$labels, 1)$width)
      expect_equal(boxes$xmax - boxes$xmin, shapes$cex * (label + layout_sizes$pad))
    }
  }
})

test_that("a graph without edges, one with tiers and one with strengths can be drawn", {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  amat <- matrix(0L, 2, 2, dimnames = list(c("a", "b"), c("a", "b")))
  expect_silent(print(ggplot2::autoplot(fit_of(amat))))
  fit <- marginal_pc(
    simulate(network("cancer"), nsim = 5000, seed = 1), epsilon = 3, seed = 1,
    tiers = tiers(Pollution + Smoker ~ Cancer ~ .)
  )
  sure <- with_seed(1, edge_strength(fit, draws = 10))
  expect_silent(print(ggplot2::autoplot(fit, tiers = TRUE, strength = sure)))
  expect_silent(print(ggplot2::autoplot(fit, tiers = TRUE, direction = "right")))
  expect_identical(grDevices::dev.cur(), device)
})

test_that("what makes a fit not private can be read as a whole in a small picture, too", {
  mark <- "NOT private: the noise came from a seed and can be repeated"
  expect_identical(gg_mark_size(NULL, c(7, 5)), 9)
  expect_identical(gg_mark_size(mark, c(7, 5)), 9)
  size <- gg_mark_size(mark, c(3, 3))
  wide <- with_measuring_device(c(7, 5), graphics::strwidth(mark, "inches", cex = 1, font = 2L))
  expect_lt(wide * size / 12, 2.8)
  expect_gt(wide * size / 12, 2.4)
})

test_that("the ledger's bars are its shares", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  bars <- ggplot2::ggplot_build(ggplot2::autoplot(fit, what = "ledger"))$data[[1]]
  expect_equal(bars$x, ledger_shares(fit)$share)
  budget <- privacy_budget(epsilon = 1)
  laplace_mechanism(3, 1, epsilon = 0.25, budget = budget, target = "cases")
  bars <- ggplot2::ggplot_build(ggplot2::autoplot(budget))$data[[1]]
  expect_equal(bars$x, c(0.25, 0.75))
})

test_that("wrong arguments are refused", {
  fit <- exact_pc(small_cohort())
  expect_snapshot({
    show_refusal(ggplot2::autoplot(fit, what = "ledger"))
    show_refusal(ggplot2::autoplot(fit, direction = "up"))
    show_refusal(ggplot2::autoplot(fit, width = 0))
    show_refusal(ggplot2::autoplot(fit, size = 3))
  })
})
