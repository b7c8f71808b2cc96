example_fit <- function() {
  sepsets <- data.frame(x = c("a", "a"), y = c("b", "d"))
  sepsets$given <- list(character(), c("c", "e"))
  fit_of(graph_of("a -> c", "b -> c", "c -> d", "d -- e", nodes = c(letters[1:5], "f")), sepsets)
}

test_that("a fit prints its edges and that it is not private", {
  expect_snapshot(print(example_fit()))
  expect_snapshot(format(example_fit()))
  expect_snapshot(print(summary(example_fit())))
})

test_that("long and empty graphs print well", {
  nodes <- sprintf("n%02d", 1:30)
  chain <- graph_of(paste(nodes[-30], "->", nodes[-1]), nodes = nodes)
  expect_snapshot(print(fit_of(chain)))
  nothing <- matrix(0L, 1, 1, dimnames = list("a", "a"))
  expect_snapshot({
    print(fit_of(nothing))
    print(summary(fit_of(nothing)))
    format(fit_of(nothing))
  })
})

test_that("a private fit states its promise and what was spent", {
  ledger <- data.frame(
    step = 1:2, mechanism = "gaussian", target = c("a, b", "b, c"),
    epsilon = NA_real_, rho = c(0.004, 0.008), delta = 0, cumulative = c(0.004, 0.012)
  )
  privacy <- list(
    epsilon = 1, delta = 1e-6, rho = 0.016, private = TRUE, neighbours = "replace-one"
  )
  fit <- fit_of(
    graph_of("a -> b"), learner = "priv_pc", privacy = privacy, ledger = ledger
  )
  expect_snapshot({
    print(fit)
    format(fit)
  })
  ledger$epsilon <- c(0.25, 0.25)
  pure <- utils::modifyList(privacy, list(rho = NULL, delta = 0))
  expect_match(privacy_text(pure, ledger), "50% of the budget spent in 2 steps")
  expect_no_match(privacy_text(pure, ledger), "delta")
})

test_that("print returns the fit invisibly", {
  fit <- example_fit()
  capture.output(shown <- withVisible(print(fit)))
  expect_false(shown$visible)
  expect_identical(shown$value, fit)
})

test_that("matrix and table hold the same edges", {
  fit <- example_fit()
  expect_identical(as.matrix(fit), fit$amat)
  expect_identical(as.data.frame(fit), data.frame(
    from = c("a", "b", "c", "d"), to = c("c", "c", "d", "e"),
    type = c("directed", "directed", "directed", "undirected")
  ))
  expect_identical(row.names(as.data.frame(fit, row.names = letters[1:4])), letters[1:4])
  expect_identical(nrow(as.data.frame(fit_of(no_edges(c("a", "b"))))), 0L)
})

test_that("summary counts the roles of the nodes", {
  nodes <- summary(example_fit())$nodes
  expect_identical(nodes$node, c(letters[1:5], "f"))
  expect_identical(nodes$parents, c(0L, 0L, 2L, 1L, 0L, 0L))
  expect_identical(nodes$children, c(1L, 1L, 1L, 0L, 0L, 0L))
  expect_identical(nodes$undirected, c(0L, 0L, 0L, 1L, 1L, 0L))
  expect_identical(nodes$degree, c(1L, 1L, 3L, 2L, 1L, 0L))
})

test_that("the fit has the documented elements", {
  fit <- example_fit()
  expect_named(fit, c(
    "amat", "skeleton", "sepsets", "nodes", "learner", "privacy", "ledger", "settings", "call"
  ))
  expect_named(fit$privacy, c("epsilon", "delta", "rho", "private", "neighbours"))
  expect_named(
    fit$ledger, c("step", "mechanism", "target", "epsilon", "rho", "delta", "cumulative")
  )
  expect_identical(nrow(fit$ledger), 0L)
  expect_false(fit$privacy$private)
})

test_that("misspelt arguments of the methods are errors", {
  fit <- example_fit()
  expect_snapshot({
    show_refusal(summary(fit, nodes = TRUE))
    show_refusal(as.matrix(fit, drop = FALSE))
  })
})
