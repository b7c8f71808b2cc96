test_that("E-values are those that were published", {
  # VanderWeele and Ding (2017): a risk ratio of 3.9 with the interval 1.8 to 8.7.
  expect_equal(round(e_value(3.9), 2), 7.26)
  expect_equal(round(e_value_of_interval(1.8, 8.7), 1), 3)
  # Their protective example, 0.80 with the interval 0.71 to 0.91: 1.81 and 1.43.
  expect_equal(round(e_value(0.8), 2), 1.81)
  expect_equal(round(e_value_of_interval(0.71, 0.91), 2), 1.43)
})

test_that("no effect needs no hidden cause, an infinite one an infinite one", {
  expect_identical(e_value(1), 1)
  expect_identical(e_value_of_interval(c(0.9, 1, 0.5), c(1.1, 2, 1)), c(1, 1, 1))
  expect_identical(e_value(c(Inf, 0, NA)), c(Inf, Inf, NA))
  expect_equal(e_value(c(2, 0.5)), rep(2 + sqrt(2), 2))
})

test_that("effect() has them for the risk ratios, and says them", {
  fit <- marginal_pc(
    simulate(network("asia"), nsim = 100000, seed = 1), epsilon = 1, seed = 1,
    tiers = tiers(asia + smoke ~ tub + lung + bronc ~ either ~ xray + dysp)
  )
  found <- with_seed(1, effect(fit, "bronc", "dysp", event = "yes", reference = "no", draws = 50))
  ratio <- found[found$measure == "risk ratio", ]
  values <- attr(found, "e_value")
  expect_identical(values$exposure, "yes")
  expect_equal(values$estimate, ratio$estimate + sqrt(ratio$estimate * (ratio$estimate - 1)))
  expect_equal(values$limit, ratio$lower + sqrt(ratio$lower * (ratio$lower - 1)))
  expect_match(mark_of(values), "NOT private")
  shown <- paste(capture.output(print(found)), collapse = " ")
  expect_match(shown, "E-value: ")
  expect_match(shown, format(signif(values$estimate, 3)), fixed = TRUE)
  # Where the graph has no effect there is nothing to be explained away.
  none <- with_seed(1, effect(fit, "asia", "lung", draws = 50))
  expect_no_match(paste(capture.output(print(none)), collapse = " "), "E-value")
})

test_that("a common event is called one, and the other one is named", {
  fit <- marginal_pc(
    simulate(network("asia"), nsim = 50000, seed = 1), epsilon = 1, seed = 1,
    tiers = tiers(asia + smoke ~ tub + lung + bronc ~ either ~ xray + dysp)
  )
  ask <- function(...) {
    found <- with_seed(1, effect(fit, "smoke", "lung", draws = 20, ...))
    gsub(" +", " ", paste(capture.output(print(found)), collapse = " "))
  }
  common <- ask(event = "no", reference = "no")
  expect_match(common, "But lung = no is a common event, with a risk of at least 0.9", fixed = TRUE)
  expect_match(
    common, "`event = \"yes\"`, with `reference = ` for the level of smoke", fixed = TRUE
  )
  about <- list(
    kind = "given", exposure = "x", outcome = "y", event = "no", other_events = c("a", "b")
  )
  values <- data.frame(exposure = "1", estimate = 2, limit = 1.5)
  expect_match(e_value_text(values, about, data.frame(risk = c(0.9, 0.51))), "`event = ...`")
  # A ratio may be large if one of the risks is low.
  expect_no_match(e_value_text(values, about, data.frame(risk = c(0.2, 0.9))), "common event")
  expect_no_match(e_value_text(values, about, data.frame(risk = NA_real_)), "common event")
})

test_that("what cannot be told from 0 has an E-value of its limit only", {
  rows <- data.frame(
    exposure = c("1", "2", "3", "4"), measure = "risk ratio", estimate = c(0.002, 0.5, NA, 1),
    lower = c(0, 0.3, 4, 0), upper = c(0.4, 0.8, Inf, 2)
  )
  values <- effect_e_values(rows, NULL)
  expect_equal(values$estimate, c(NA, e_value(0.5), NA, 1))
  expect_equal(values$limit, c(e_value(0.4), e_value(0.8), e_value(4), 1))
  about <- list(kind = "given", exposure = "x", outcome = "y", event = "yes")
  expect_snapshot({
    cat(e_value_text(values, about))
    cat(e_value_text(values[1, ], about))
  })
  # Open directions: several estimates, of which none is to be explained away.
  about$kind <- "open"
  expect_null(e_value_text(values[3, ], about))
})
