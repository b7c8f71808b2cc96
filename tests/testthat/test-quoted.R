test_that("a name without quotes is told so", {
  data <- simulate(network("asia"), nsim = 500, seed = 1)
  fit <- marginal_pc(data, epsilon = 5, seed = 1)
  expect_snapshot({
    show_refusal(private_test(data, smoke, lung, epsilon = 1))
    show_refusal(private_test(data, "smoke", "lung", given = c(asia, "tub"), epsilon = 1))
    show_refusal(cond_g2(data, "smoke", lung))
    show_refusal(effect(fit, smoke, lung))
    show_refusal(effect(fit, "smoke", "lung", event = yes))
    show_refusal(retest(fit, "smoke", lung))
    show_refusal(explain(fit, smoke, lung))
    show_refusal(measured(fit, c(smoke, lung)))
    show_refusal(private_breaks(data, age, epsilon = 1, bounds = list(age = c(0, 1))))
    show_refusal(marginal_pc(data, epsilon = 1, id = `the patient`))
    show_refusal(priv_pc(data, epsilon = 1, id = patient))
    show_refusal(exact_pc(data, id = patient))
    show_refusal(network_pag(network("asia"), hidden = smoke))
  })
})

test_that("names in variables of the user are taken, and other errors stay as they are", {
  data <- simulate(network("asia"), nsim = 500, seed = 1)
  exposure <- "smoke"
  through <- function(x, y) cond_g2(data, x, y)$p.value
  expect_identical(through(exposure, c("lung")), cond_g2(data, "smoke", "lung")$p.value)
  expect_error(through("smoke", stop("something broke")), "something broke")
  expect_error(private_test(data, "smoke", c(lung, ), epsilon = 1), "lung", fixed = TRUE)
  expect_error(through("smoke"), class = "privpc_missing_argument")
  expect_error(private_test(data, "smoke", epsilon = 1), class = "privpc_missing_argument")
  expect_error(cond_g2(data, "smoke"), class = "privpc_missing_argument")
})
