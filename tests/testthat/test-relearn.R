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
  fit <- survey_fit(search = "tests")
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

test_that("measurements that were damaged are refused by everything that reads them", {
  data <- simulate(network("cancer"), nsim = 500, seed = 1)
  fit <- marginal_pc(data, 1, seed = 1, parameters = TRUE)
  damage <- list(
    fewer_values = function(t) replace(t, "values", list(t$values[1])),
    fewer_variances = function(t) replace(t, "variance", list(t$variance[1])),
    empty_set = function(t) {
      t$sets[[1]] <- integer()
      t
    },
    foreign_set = function(t) {
      t$sets[[1]] <- 99L
      t
    },
    missing_value = function(t) {
      t$values[[1]][[1]] <- NA_real_
      t
    },
    no_noise = function(t) replace(t, "variance", list(replace(t$variance, 1, 0))),
    endless_noise = function(t) replace(t, "variance", list(replace(t$variance, 1, Inf)))
  )
  ask <- list(
    function(fit) relearn(fit), function(fit) measured(fit, "Smoker"),
    function(fit) retest(fit, "Smoker", "Cancer", "Pollution"),
    function(fit) edge_strength(fit, draws = 1), function(fit) as_network(fit)
  )
  for (name in names(damage)) {
    broken <- fit
    broken$measurements$tables <- damage[[name]](fit$measurements$tables)
    for (question in ask) expect_error(question(broken), info = name)
  }
  # A graph that no learner makes.
  cyclic <- fit
  cyclic$amat[] <- 0L
  cyclic$amat[cbind(1:3, c(2, 3, 1))] <- 1L
  cyclic$skeleton <- without_directions(cyclic$amat)
  expect_error(as_network(cyclic), "directed cycle", class = "privpc_error")
})
