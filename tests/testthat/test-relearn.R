survey_fit <- function(...) {
  marginal_pc(simulate(network("survey"), nsim = 50000, seed = 1), epsilon = 1, seed = 1, ...)
}

test_that("the same settings give the same fit", {
  fit <- survey_fit()
  expect_identical(relearn(fit), fit)
  fit <- survey_fit(tiers = list(c("A", "S"), "E", c("O", "R"), "T"), max_order = 1)
  expect_identical(relearn(fit), fit)
})

test_that("stricter settings leave fewer edges, knowledge is obeyed, nothing is spent", {
  fit <- survey_fit()
  strict <- relearn(fit, alpha = 1e-12, least_effect = 0.01)
  expect_true(all(strict$skeleton <= fit$skeleton))
  expect_lt(sum(strict$skeleton), sum(fit$skeleton))
  expect_identical(strict$settings$alpha, 1e-12)
  open <- relearn(fit, max_order = 0)
  expect_true(all(open$skeleton >= fit$skeleton))
  known <- relearn(
    fit, whitelist = data.frame(from = "S", to = "T"), blacklist = data.frame(from = "E", to = "A")
  )
  expect_identical(known$amat["S", "T"], 1L)
  expect_identical(known$amat["E", "A"], 0L)
  expect_identical(known$ledger, fit$ledger)
  expect_identical(known$privacy, fit$privacy)
  # NULL takes knowledge away.
  expect_identical(relearn(known, whitelist = NULL, blacklist = NULL), fit)
})

test_that("wrong arguments are refused with advice", {
  data <- simulate(network("survey"), nsim = 200, seed = 1)
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  expect_snapshot({
    show_refusal(relearn(data))
    show_refusal(relearn(exact_pc(data)))
    show_refusal(relearn(fit, alpha = 0))
    show_refusal(relearn(fit, max_order = -1))
    show_refusal(relearn(fit, epsilon = 2))
    show_refusal(relearn(fit, whitelist = c("A", "nobody")))
  })
})

test_that("a fit whose names were changed is refused", {
  data <- simulate(network("cancer"), nsim = 500, seed = 1)
  names(data)[1] <- "\u00e9t\u00e9"
  fit <- marginal_pc(data, 1, seed = 1)
  upper <- more <- other <- fit
  upper$nodes <- toupper(upper$nodes)
  more$nodes <- c(more$nodes, "z")
  other$measurements$nodes <- other$measurements$nodes[1:2]
  for (damaged in list(upper, more, other)) {
    expect_error(relearn(damaged), "damaged", class = "privpc_error")
  }
  # The same text in another encoding is the same name.
  latin <- fit
  latin$nodes <- iconv(latin$nodes, "UTF-8", "latin1")
  expect_equal(unname(relearn(latin)$amat), unname(fit$amat))
})
