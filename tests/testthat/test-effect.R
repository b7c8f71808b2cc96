# u causes x and y, x causes y; all yes/no.
confounded <- function(n, seed = 1) {
  with_seed(seed, {
    u <- rbinom(n, 1, 0.4)
    x <- rbinom(n, 1, 0.2 + 0.5 * u)
    y <- rbinom(n, 1, 0.1 + 0.2 * x + 0.3 * u)
  })
  yes_no <- function(v) factor(v, levels = 0:1, labels = c("no", "yes"))
  data.frame(u = yes_no(u), x = yes_no(x), y = yes_no(y))
}
known <- tiers(u ~ x ~ y)

test_that("with much budget the effect is the true one, and the crude one is not", {
  fit <- marginal_pc(confounded(200000), epsilon = 50, tiers = known, seed = 1)
  found <- with_seed(1, suppressMessages(effect(fit, "x", "y", draws = 200)))
  expect_identical(attr(found, "adjusted"), "u")
  expect_equal(found$estimate[[1]], 0.2, tolerance = 0.05)
  expect_equal(found$estimate[[2]], (0.1 + 0.2 + 0.12) / 0.22, tolerance = 0.05)
  expect_true(found$lower[[1]] < found$estimate[[1]] && found$estimate[[1]] < found$upper[[1]])
  crude <- prop.table(table(confounded(200000)[c("y", "x")]), 2)["yes", ]
  expect_gt(diff(crude), 0.3)
})

test_that("without noise the estimate is the standardised risk of the data", {
  data <- confounded(5000)
  fit <- marginal_pc(data, epsilon = 1e6, tiers = known, parameters = TRUE, seed = 1)
  found <- with_seed(1, effect(fit, "x", "y", draws = 20))
  risk <- function(level) {
    sum(vapply(c("no", "yes"), function(u) {
      mean(data$u == u) * mean(data$y[data$u == u & data$x == level] == "yes")
    }, 0))
  }
  expect_equal(found$estimate[[1]], risk("yes") - risk("no"), tolerance = 0.01)
  expect_equal(attr(found, "risks")$risk, c(risk("no"), risk("yes")), tolerance = 0.01)
})

test_that("intervals cover the truth, at budgets where the noise is most of the error", {
  # 40 seeded cohorts, so repeatable; 95% intervals miss about 2 of 40. More than 10 misses would
  # have a probability below 1e-5 if they held.
  for (case in list(c(n = 3000, epsilon = 0.5), c(n = 20000, epsilon = 2))) {
    covered <- vapply(1:40, function(i) {
      data <- confounded(case[["n"]], seed = i)
      fit <- marginal_pc(data, case[["epsilon"]], tiers = known, parameters = TRUE, seed = i)
      fit$amat[] <- 0L
      fit$amat["u", c("x", "y")] <- 1L
      fit$amat["x", "y"] <- 1L
      fit$skeleton <- without_directions(fit$amat)
      found <- with_seed(i, suppressMessages(effect(fit, "x", "y", draws = 100)))
      found$lower[[1]] <= 0.2 && 0.2 <= found$upper[[1]]
    }, NA)
    expect_gte(sum(covered), 30)
  }
})

# The truth: y depends on x in one stratum of u only.
interacting <- function(n, seed = 1) {
  with_seed(seed, {
    u <- rbinom(n, 1, 0.4)
    x <- rbinom(n, 1, 0.2 + 0.5 * u)
    y <- rbinom(n, 1, 0.2 + 0.25 * x * u)
  })
  yes_no <- function(v) factor(v, levels = 0:1, labels = c("no", "yes"))
  data.frame(u = yes_no(u), x = yes_no(x), y = yes_no(y))
}

test_that("intervals allow for an interaction that was not measured", {
  # The effect is 0.4 * 0.25 = 0.1; from the pairs alone, without interaction, it is 0.115. With so
  # many records little else is in the interval, so that leaving it out has to show.
  cover <- function(interaction) {
    vapply(1:10, function(i) {
      fit <- marginal_pc(interacting(3e5, seed = i), epsilon = 5, tiers = known, seed = i)
      fit$measurements$tables <- lapply(fit$measurements$tables, `[`, {
        lengths(fit$measurements$tables$sets) < 3L
      })
      fit$amat[] <- 0L
      fit$amat["u", c("x", "y")] <- 1L
      fit$amat["x", "y"] <- 1L
      fit$skeleton <- without_directions(fit$amat)
      found <- with_seed(i, suppressMessages(
        effect(fit, "x", "y", interaction = interaction, draws = 100)
      ))
      found$lower[[1]] <= 0.1 && 0.1 <= found$upper[[1]]
    }, NA)
  }
  expect_equal(sum(cover(1)), 10)
  expect_lt(sum(cover(0)), 3)
})

test_that("a random interaction has the size asked for and leaves the margins alone", {
  table <- list(
    levels = c(2L, 3L, 2L), missing = list(1:3), margins = list(1:2, 2:3, c(1L, 3L)), n = 1000
  )
  logs <- with_seed(1, draw_interactions(table, 0.7, 4000))
  cells <- array(logs, c(2, 3, 2, 4000))
  odds <- function(k, a, b) {
    cells[1, a, k, ] - cells[2, a, k, ] - cells[1, b, k, ] + cells[2, b, k, ]
  }
  for (pair in list(1:2, 2:3, c(1, 3))) {
    spread <- sd(odds(1, pair[[1]], pair[[2]]) - odds(2, pair[[1]], pair[[2]]))
    # Five standard errors of a standard deviation from 4000 draws are 5.6 %.
    expect_equal(spread, 0.7, tolerance = 0.056)
  }
  shares <- array(as.vector(outer(c(0.3, 0.7), outer(c(0.2, 0.3, 0.5), c(0.4, 0.6)))), c(2, 3, 2))
  fitted <- fitted_cells(table, matrix(shares), logs[, 1L, drop = FALSE])
  fitted <- array(fitted, table$levels)
  expect_equal(apply(fitted, 1:2, sum), apply(shares, 1:2, sum), tolerance = 1e-5)
  expect_equal(apply(fitted, 2:3, sum), apply(shares, 2:3, sum), tolerance = 1e-5)
  interaction <- function(p) {
    log(p[1, 1, 1] * p[2, 2, 1] * p[1, 2, 2] * p[2, 1, 2]) -
      log(p[2, 1, 1] * p[1, 2, 1] * p[2, 2, 2] * p[1, 1, 2])
  }
  expect_equal(interaction(fitted), interaction(exp(cells[, , , 1])), tolerance = 1e-4)
})

test_that("less budget means wider intervals", {
  data <- confounded(5000)
  width <- vapply(c(0.3, 30), function(epsilon) {
    fit <- marginal_pc(data, epsilon, tiers = known, parameters = TRUE, seed = 1)
    fit$amat[] <- 0L
    fit$amat["u", c("x", "y")] <- 1L
    fit$amat["x", "y"] <- 1L
    fit$skeleton <- without_directions(fit$amat)
    found <- with_seed(1, suppressMessages(effect(fit, "x", "y", draws = 200)))
    found$upper[[1]] - found$lower[[1]]
  }, 0)
  expect_gt(width[[1]], 1.5 * width[[2]])
})

test_that("events and references can be chosen", {
  fit <- marginal_pc(confounded(20000), epsilon = 10, tiers = known, seed = 1)
  plain <- with_seed(1, suppressMessages(effect(fit, "x", "y", draws = 20)))
  turned <- with_seed(1, suppressMessages(
    effect(fit, "x", "y", event = "no", reference = "yes", draws = 20)
  ))
  expect_equal(turned$estimate[[1]], plain$estimate[[1]], tolerance = 1e-3)
  expect_identical(turned$exposure, rep("no", 3))
})

test_that("being missing is an event only for those who ask for it", {
  data <- confounded(20000)
  fit <- marginal_pc(
    data, epsilon = 10, tiers = known, seed = 1, na = c(y = "level")
  )
  expect_identical(fit$measurements$levels[[match("y", fit$nodes)]], c("no", "yes", "NA"))
  found <- suppressMessages(with_seed(1, effect(fit, "x", "y", draws = 20)))
  expect_identical(attr(found, "event"), "yes")
  asked <- suppressMessages(with_seed(1, effect(fit, "x", "y", event = "NA", draws = 20)))
  expect_identical(attr(asked, "event"), "NA")
  expect_identical(last_level(c("a", "NA", "NA.1")), "NA")
  expect_identical(last_level(c("NA", "b")), "b")
})

test_that("an exposure with three levels has two contrasts", {
  with_seed(5, {
    x <- sample(3, 20000, TRUE)
    y <- rbinom(20000, 1, c(0.1, 0.2, 0.5)[x])
  })
  data <- data.frame(dose = factor(x, labels = c("none", "low", "high")), y = factor(y))
  fit <- marginal_pc(data, epsilon = 20, tiers = tiers(dose ~ y), seed = 1)
  found <- with_seed(1, effect(fit, "dose", "y", draws = 50))
  expect_identical(unique(found$exposure), c("low", "high"))
  expect_equal(found$estimate[c(1, 4)], c(0.1, 0.4), tolerance = 0.1)
})

test_that("effects print, and what is not identified is refused with the reason", {
  fit <- marginal_pc(confounded(20000), epsilon = 10, tiers = known, seed = 1)
  open <- relearn(fit, tiers = NULL)
  expect_snapshot({
    print(with_seed(1, suppressMessages(effect(fit, "x", "y", draws = 100))), digits = 2)
    show_refusal(effect(fit, "y", "x"))
    print(with_seed(1, suppressMessages(effect(open, "x", "y", draws = 100))), digits = 2)
    show_refusal(effect(open, "x", "y", adjust = "u"))
    show_refusal(effect(fit, "u", "y", adjust = "x"))
    show_refusal(effect(fit, "x", "y", adjust = character()))
    show_refusal(effect(fit, "x", "y", adjust = "z"))
    show_refusal(effect(fit, "x", "x"))
    show_refusal(effect(fit, "x", "y", event = "maybe"))
    show_refusal(effect(fit, "x", "y", draws = 1))
    show_refusal(effect(fit, "x", "y", interaction = -1))
    show_refusal(effect(exact_pc(confounded(200)), "x", "y"))
  })
})

test_that("an effect is not computed from pairs that were not measured", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)[c("smoke", "lung")]
  fit <- marginal_pc(data, epsilon = 1, whitelist = c("smoke", "lung"), seed = 1)
  expect_error(effect(fit, "smoke", "lung"), class = "privpc_not_measured")
  expect_error(as_network(fit), class = "privpc_not_measured")
})

test_that("a risk below the noise gives no ratio, and says so", {
  data <- with_seed(5, {
    z <- rbinom(2000, 1, 0.4)
    x <- rbinom(2000, 1, ifelse(z == 1, 0.5, 0.2))
    y <- rbinom(2000, 1, plogis(-4.5 + 0.9 * x + 0.8 * z))
    data.frame(x = factor(x, 0:1), y = factor(y, 0:1), z = factor(z, 0:1))
  })
  ratio <- NULL
  for (seed in 1:12) {
    fit <- marginal_pc(data, epsilon = 0.3, seed = seed)
    fit$amat[] <- 0L
    fit$amat["z", c("x", "y")] <- 1L
    fit$amat["x", "y"] <- 1L
    fit$skeleton <- without_directions(fit$amat)
    found <- suppressMessages(with_seed(1, effect(fit, "x", "y", draws = 50)))
    ratio <- c(ratio, found$estimate[[2]])
    if (is.na(found$estimate[[2]])) expect_identical(found$upper[2:3], c(Inf, Inf))
  }
  expect_true(anyNA(ratio))
  expect_lt(max(ratio, 0, na.rm = TRUE), 200)
  expect_message(with_seed(1, effect(fit, "x", "y", draws = 50)), class = "privpc_rare_event")
})

test_that("effects along edges that the tables chose say so, unless these stand surely", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)
  known <- tiers(asia + smoke ~ tub + lung + bronc ~ either ~ xray + dysp)
  fit <- marginal_pc(data, epsilon = 1, seed = 1, tiers = known)
  found <- with_seed(1, effect(fit, "smoke", "bronc", draws = 20))
  expect_identical(attr(found, "about")$weakest, NA_real_)
  expect_output(print(found), "if an edge on the way was barely found.*edge_strength")
  # What knowledge requires was not chosen.
  required <- relearn(fit, whitelist = c("smoke", "bronc"))
  found <- with_seed(1, effect(required, "smoke", "bronc", draws = 20))
  expect_null(attr(found, "about")$weakest)
  expect_no_match(paste(capture.output(print(found)), collapse = "\n"), "tables chose")
  # Of a consensus the weakest edge on the way counts, and no other.
  agreed <- with_seed(1, consensus(fit, draws = 10))
  on_the_way <- function(strength) {
    at <- is_pair(agreed$strength$from, agreed$strength$to, "lung", "either")
    agreed$strength$strength[!at] <- 1
    agreed$strength$strength[at] <- strength
    agreed
  }
  expect_identical(weakest_edge(on_the_way(0.6), "smoke", "xray"), 0.6)
  expect_identical(weakest_edge(on_the_way(0.6), "smoke", "bronc"), 1)
  expect_snapshot(cat(chosen_text(0.6), chosen_text(NA_real_), sep = "\n"))
  expect_null(chosen_text(0.97))
  expect_null(chosen_text(NULL))
})

test_that("where directions are open a ratio that cannot be told has no estimate either", {
  part <- function(estimate, adjusted) list(estimate = estimate, adjusted = adjusted, none = FALSE)
  found <- possible_effects(
    list(part(c(0.001, 0.1, 0.99), "z"), part(c(0.002, 0.2, 0.99), character())),
    list(event = 2L, reference = 1L), c("a", "b", "c"), none = c(TRUE, FALSE, FALSE),
    full = c(FALSE, FALSE, TRUE)
  )
  told <- found$measure == "risk difference"
  expect_equal(found$estimate[told], c(0.099, 0.989, 0.198, 0.988))
  expect_true(all(is.na(found$estimate[!told])))
  found <- possible_effects(
    list(part(c(0.1, 0.2), "z")), list(event = 2L, reference = 1L), c("a", "b"),
    none = c(FALSE, FALSE), full = c(FALSE, TRUE)
  )
  expect_equal(found$estimate, c(0.1, 2, NA))
})
