test_that("rows and strengths are pointed to where they are made", {
  fit <- marginal_pc(small_cohort(), epsilon = 1, seed = 1)
  strength <- edge_strength(fit, draws = 2, progress = FALSE)
  expect_snapshot({
    show_refusal(simulate(fit, nsim = 500000))
    show_refusal(simulate(exact_pc(small_cohort())))
    show_refusal(plot(strength))
  })
  # Registered, not only found from inside the package.
  registered <- getNamespaceInfo("privpc", "S3methods")[, 3L]
  expect_true(all(c("simulate.privpc", "plot.privpc_strength") %in% registered))
  # The ways that the errors name are there.
  expect_identical(nrow(suppressMessages(simulate(as_network(fit), nsim = 5))), 5L)
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  expect_no_error(plot(fit, strength = strength))
})

test_that("a misspelt variable is recognised", {
  nodes <- c("Smoker", "Cancer", "a", "bb")
  expect_identical(nearest_variable("smoker", nodes), "Smoker")
  expect_identical(nearest_variable("Smokr", nodes), "Smoker")
  expect_identical(nearest_variable("A", nodes), "a")
  expect_null(nearest_variable("x", nodes))
  expect_null(nearest_variable("bc", nodes))
  expect_null(nearest_variable("income", nodes))
  expect_null(nearest_variable("income", character()))
  fit <- marginal_pc(
    simulate(network("cancer"), nsim = 5000, seed = 1), epsilon = 1, seed = 1
  )
  expect_snapshot({
    show_refusal(measured(fit, c("smoker", "Cancr")))
    show_refusal(retest(fit, "Smoker", "income"))
  })
})
