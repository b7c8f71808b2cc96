# Does a published object hold a text or a number?
holds <- function(object, needle) {
  stream <- serialize(object, NULL)
  bytes <- if (is.character(needle)) charToRaw(needle) else serialize(needle, NULL)[-(1:22)]
  # The last eight bytes of a serialised double are its value.
  if (is.numeric(needle)) bytes <- utils::tail(bytes, 8L)
  starts <- which(stream == bytes[[1L]])
  starts <- starts[starts + length(bytes) - 1L <= length(stream)]
  any(vapply(starts, function(at) {
    identical(stream[at + seq_along(bytes) - 1L], bytes)
  }, NA))
}

cohort <- function() {
  with_seed(1, data.frame(
    age = c(41.123456789, runif(499, 18, 90)), sex = factor(rbinom(500, 1, 0.5), levels = 0:1)
  ))
}

test_that("a function written out in the call does not bring its script along", {
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "# patient 4711 Jane Doe",
    "fit <- marginal_pc(",
    "  data, epsilon = 1,",
    "  breaks = sapply(\"age\", function(x) c(18, 40, 65, 90), simplify = FALSE)",
    ")"
  ), script)
  here <- new.env()
  here$data <- cohort()
  source(script, local = here, keep.source = TRUE)
  expect_false(holds(here$fit, "Jane Doe"))
  expect_false(holds(relearn(here$fit, alpha = 0.01), "Jane Doe"))
  expect_identical(here$fit$call$breaks[[3]], as.symbol("..."))
  expect_identical(here$fit$call$epsilon, 1)
})

test_that("data put into the call are not kept, however deep", {
  data <- cohort()
  call <- bquote(marginal_pc(
    .(data), epsilon = 1, breaks = list(age = c(18, mean(range(18, .(data$age))), 90))
  ))
  fit <- eval(call)
  expect_true(holds(data, data$age[[1]]))
  expect_false(holds(fit, data$age[[1]]))
  expect_identical(fit$call$data, as.symbol("..."))
  expect_false(holds(do.call(marginal_pc, list(data, 1, bounds = list(age = c(18, 90)))), data$age[[1]]))
})

test_that("arguments are kept without what hangs on them", {
  data <- simulate(network("asia"), nsim = 2000, seed = 1)
  arcs <- data.frame(from = "smoke", to = "lung", strength = 123.456)
  known <- structure(
    list(first = structure(c("asia", "smoke"), note = "planted"), "."), note = "planted"
  )
  fit <- marginal_pc(data, epsilon = 1, whitelist = arcs, tiers = known, seed = 1)
  expect_true(holds(arcs, 123.456) && holds(known, "planted"))
  expect_false(holds(fit, 123.456))
  expect_false(holds(fit, "planted"))
  expect_identical(fit$settings$whitelist, cbind(from = "smoke", to = "lung"))
  expect_identical(fit$settings$tiers, list(first = c("asia", "smoke"), "."), ignore_attr = TRUE)
  cuts <- list(age = structure(c(18, 40, 65, 90), note = "planted"))
  for (learn in list(marginal_pc, priv_pc)) {
    fit <- learn(cohort(), epsilon = 1, breaks = cuts, seed = 1)
    expect_false(holds(fit, "planted"))
    expect_identical(fit$settings$breaks, list(age = c(18, 40, 65, 90)))
  }
})

test_that("releases are named, but nothing rides on the names", {
  counts <- structure(5:6, names = structure(c("a", "b"), note = "planted"))
  table <- table(structure(
    c(1L, 2L, 2L), levels = structure(c("a", "b"), names = c("planted", "too")), class = "factor"
  ))
  for (release in list(laplace_mechanism(counts, 2, 1), laplace_mechanism(table, 2, 1))) {
    expect_false(holds(release, "planted"))
    expect_identical(names(release$value), c("a", "b"))
  }
})

test_that("a call keeps names, single values and calls of such", {
  bare <- function(call) recorded_call(call, "exact_pc")
  expect_identical(
    bare(quote(exact_pc(data = d, alpha = 0.05, test = "g2", tiers = list(c("a", "b"), "c")))),
    quote(exact_pc(data = d, alpha = 0.05, test = "g2", tiers = list(c("a", "b"), "c")))
  )
  # Arguments that are NULL, left empty, missing values or of any single kind.
  expect_identical(
    bare(quote(f(data = d, breaks = NULL, x[1, ], NA, 2L, 1i, TRUE, ~age, function(x) secret))),
    quote(f(data = d, breaks = NULL, x[1, ], NA, 2L, 1i, TRUE, ~age, ...))
  )
  values <- list(structure(0.05, note = "secret", class = "odd"), c(a = 1L), character())
  for (value in values) {
    expect_identical(bare(bquote(f(x = .(value))))[["x"]], as.vector(unclass(value)))
  }
  expect_identical(bare(bquote(f(x = .(factor("g2")))))[["x"]], "g2")
  for (value in list(1:3, list(1), mean, new.env(), data.frame(a = 1))) {
    expect_identical(bare(bquote(f(x = .(value))))[["x"]], as.symbol("..."))
  }
  noted <- quote(f(data = d))
  attr(noted, "srcref") <- "secret"
  expect_identical(bare(noted), quote(f(data = d)))
  expect_identical(bare(as.call(list(exact_pc, data = quote(d)))), quote(exact_pc(data = d)))
  expect_identical(bare(quote(privpc::exact_pc(data = d[1:5, ]))), quote(privpc::exact_pc(data = ...)))
})
