skip_if_not_installed("ggplot2")

test_that("the ggplot has the nodes and edges of the graph", {
  fit <- exact_pc(simulate(network("asia"), nsim = 20000, seed = 1), alpha = 0.01)
  picture <- ggplot2::autoplot(fit, width = 7, height = 5)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)$data
  kind <- vapply(picture$layers, function(layer) class(layer$geom)[1], "")
  text <- built[[which(kind == "GeomText")]]
  expect_setequal(text$label, fit$nodes)
  path <- built[[which(kind == "GeomPath")]]
  expect_length(unique(path$group), sum(fit$skeleton) / 2)
  heads <- built[[which(kind == "GeomPolygon")]]
  expect_length(unique(heads$group), sum(fit$amat & !t(fit$amat)))
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
