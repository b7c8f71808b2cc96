draw <- function(plan, ...) {
  grDevices::pdf(NULL, width = 7, height = 5)
  on.exit(grDevices::dev.off())
  plot(plan, ...)
}

test_that("a plot shows the table, against what varies most", {
  plan <- plan_study(8000, rep(2, 12), effect = 0.1)
  shown <- draw(plan)
  expect_identical(shown$at, as.data.frame(plan)$epsilon)
  expect_identical(shown$value, as.data.frame(plan)$effect)
  expect_identical(levels(shown$line), "8,000 records")
  over_n <- plan_study(levels = rep(2, 12))
  shown <- draw(over_n)
  expect_setequal(shown$at, as.data.frame(over_n)$n)
  expect_identical(levels(shown$line), paste("epsilon =", c(0.1, 0.3, 1, 3)))
  expect_setequal(draw(over_n, against = "epsilon")$at, c(0.1, 0.3, 1, 3))
  # What nobody can find is not drawn.
  hopeless <- plan_study(c(500, 50000), rep(4, 30), 0.1)
  expect_gt(as.data.frame(hopeless)$effect[[1]], 1)
  expect_identical(draw(hopeless)$at, 50000)
})

test_that("the curve goes through the points and the right axis has the odds ratios", {
  plan <- plan_study(c(2000, 8000), rep(2, 6), c(0.3, 1), prevalence = c(0.3, 0.1))
  figure <- plan_figure(plan, NULL, "n", NULL)
  points <- merge(figure$points, figure$curves, by = c("line", "at"))
  expect_identical(nrow(points), 4L)
  expect_identical(points$value.x, points$value.y)
  expect_equal(
    odds_ratio_from_phi(figure$ratios$phi, c(0.3, 0.1)), as.double(figure$ratios$label)
  )
  expect_null(plan_figure(plan_study(2000, rep(3, 6)), NULL, NULL, NULL)$ratios)
})

test_that("scores of simulated studies are drawn with their errors", {
  plan <- with_seed(1, plan_study(c(1000, 4000), epsilon = c(0.5, 3), network = "cancer", runs = 2))
  shown <- draw(plan)
  table <- as.data.frame(plan)
  expect_identical(nrow(shown), 12L)
  cpdag <- shown[shown$panel == "F1 of the CPDAG", ]
  expect_identical(cpdag$value, table$cpdag_f1)
  expect_identical(cpdag$se, table$cpdag_se)
  expect_identical(draw(plan, what = "effect", against = "n")$value, table$effect)
})

test_that("autoplot() draws the same", {
  skip_if_not_installed("ggplot2")
  plan <- plan_study(c(2000, 8000), rep(2, 6), c(0.3, 1, 3), effect = 0.1)
  picture <- ggplot2::autoplot(plan)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)
  kind <- vapply(picture$layers, function(layer) class(layer$geom)[1], "")
  points <- built$data[[which(kind == "GeomPoint")]]
  expect_equal(sort(10^points$y), sort(as.data.frame(plan)$effect))
  expect_equal(10^built$data[[which(kind == "GeomHline")]]$yintercept, 0.1)
  simulated <- with_seed(1, plan_study(1000, epsilon = c(0.5, 3), network = "cancer", runs = 2))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(simulated))
  expect_length(unique(built$data[[1]]$PANEL), 3)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(print(picture))
  expect_silent(print(ggplot2::autoplot(simulated)))
  expect_silent(print(ggplot2::autoplot(plan_study(2000, rep(3, 6)))))
})

test_that("what cannot be drawn is refused", {
  plan <- plan_study(2000, rep(2, 6))
  expect_snapshot({
    show_refusal(plot(plan, what = "accuracy"))
    show_refusal(plot(plan, what = "graph"))
    show_refusal(plot(plan, against = "rows"))
    show_refusal(plot(plan, colour = "red"))
  })
})
