local_null_device <- function(env = parent.frame()) {
  grDevices::pdf(NULL, 7, 7)
  device <- grDevices::dev.cur()
  do.call("on.exit", list(bquote(grDevices::dev.off(.(device))), add = TRUE), envir = env)
}

test_that("with tiers, every tier stands below the one before, whatever the arcs", {
  local_null_device()
  known <- tiers(early = asia + smoke, middle = tub + lung + bronc + either, late = .)
  cohort <- simulate(network("asia"), nsim = 5000, seed = 1)
  fit <- exact_pc(cohort, alpha = 0.01, tiers = known)
  tier <- tier_of(fit$nodes, fill_tiers(known, fit$nodes))
  expect_false(anyNA(tier))
  at <- plot(fit, tiers = TRUE)
  lowest <- tapply(at$y - at$height / 2, tier, min)
  highest <- tapply(at$y + at$height / 2, tier, max)
  expect_true(all(lowest[-3] > highest[-1]))
  at <- plot(fit, tiers = TRUE, direction = "right")
  left <- tapply(at$x - at$width / 2, tier, min)
  right <- tapply(at$x + at$width / 2, tier, max)
  expect_true(all(right[-3] < left[-1]))
})

test_that("a graph without edges can show its tiers", {
  local_null_device()
  amat <- matrix(0L, 3, 3, dimnames = list(letters[1:3], letters[1:3]))
  fit <- fit_of(amat)
  fit$settings$tiers <- list("b", c("a", "c"))
  at <- plot(fit, tiers = TRUE)
  expect_gt(at$y[2], max(at$y[c(1, 3)]))
})

test_that("edges get the strength of their pair", {
  local_null_device()
  fit <- marginal_pc(simulate(network("cancer"), nsim = 5000, seed = 1), epsilon = 3, seed = 1)
  sure <- with_seed(1, edge_strength(fit, draws = 20))
  layout <- layout_graph(fit$amat, rep(0.5, 5), rep(0.15, 5), 7, 7)
  shares <- edge_shares(layout, strength_matrix(sure, fit$nodes))
  expect_length(shares, sum(fit$skeleton) / 2)
  for (k in seq_along(shares)) {
    ends <- fit$nodes[range(layout$path[[k]][c(1, length(layout$path[[k]]))])]
    expect_identical(
      shares[[k]], sure$strength[(sure$from == ends[1] & sure$to == ends[2])]
    )
  }
  expect_silent(plot(fit, strength = sure))
  expect_identical(share_label(c(0.5, 1, 0.999, NA)), c("50%", "100%", ">99%", ""))
})

test_that("what cannot be shown is refused", {
  local_null_device()
  fit <- exact_pc(small_cohort())
  expect_snapshot({
    show_refusal(plot(fit, tiers = TRUE))
    show_refusal(plot(fit, strength = TRUE))
    show_refusal(plot(fit, strength = data.frame(a = 1)))
    show_refusal(plot(fit, strength = "yes"))
    show_refusal(plot(fit, tiers = list("a")))
  })
})
