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
  expect_false(
    holds(do.call(marginal_pc, list(data, 1, bounds = list(age = c(18, 90)))), data$age[[1]])
  )
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
  expect_identical(
    bare(quote(privpc::exact_pc(data = d[1:5, ]))), quote(privpc::exact_pc(data = ...))
  )
})

test_that("a column spliced into a call is not kept", {
  data <- cohort()
  fit <- rlang::inject(exact_pc(data, breaks = list(age = c(18, mean(c(!!!data$age)), 90))))
  expect_identical(fit$call$breaks, as.symbol("..."))
  expect_false(holds(fit, data$age[[1]]))
  few <- rlang::inject(exact_pc(data, breaks = list(age = c(!!!seq(18, 90, by = 9)))))
  expect_length(few$call$breaks$age, 10L)
})

test_that("nothing hangs on settings, names and prices", {
  data <- simulate(network("cancer"), nsim = 500, seed = 1)
  data$age <- rep(18:67, 10)
  with_note <- function(x) structure(x, note = "planted")
  named <- function(x) stats::setNames(x, "planted")
  cuts <- list(age = c(18, 30, 50, 67))
  attr(cuts, "names") <- with_note("age")
  range <- list(age = c(18, 67))
  attr(range, "names") <- with_note("age")
  plain <- data[1:5]
  fits <- list(
    exact_pc(plain, with_note("g2"), with_note(0.05)), exact_pc(plain, named("g2"), named(0.05)),
    priv_pc(plain, with_note(1), test = with_note("g2")), priv_pc(plain, 1, test = named("g2")),
    marginal_pc(plain, with_note(1), parameters = with_note(TRUE), alpha = with_note(0.05)),
    relearn(marginal_pc(plain, 1, parameters = named(TRUE)), alpha = named(0.01)),
    exact_pc(data, breaks = cuts), marginal_pc(data, 1, breaks = cuts),
    em_pc(data, 1, bounds = range),
    private_test(plain, with_note("Cancer"), named("Xray"), given = with_note("Smoker"),
                 epsilon = with_note(1), alpha = with_note(0.05), test = "g2"),
    private_breaks(data, with_note("age"), epsilon = with_note(1), bounds = list(age = c(18, 67))),
    laplace_mechanism(1, 1, with_note(1)), gaussian_mechanism(1, 1, with_note(1), named(1e-6)),
    gaussian_mechanism(1, 1, rho = with_note(0.1)), exponential_mechanism(1:3, 1, named(1)),
    private_median(1:100, 0, 100, with_note(1), with_note(1e-6))
  )
  for (k in seq_along(fits)) expect_false(holds(fits[[k]], "planted"), label = paste("result", k))
})

test_that("what cannot be recorded is refused before anything is spent", {
  data <- simulate(network("cancer"), nsim = 500, seed = 1)
  data$age <- rep(18:67, 10)
  budget <- privacy_budget(2, 1e-5)
  forged <- function(paid) list(age = structure(c(18, 30, 67), paid = paid))
  learn <- function(paid) marginal_pc(data, 0.2, breaks = forged(paid), budget = budget)
  expect_snapshot(show_refusal(learn(list(epsilon = "a", private = TRUE))))
  for (paid in list(
    list(epsilon = -5, private = TRUE), list(epsilon = NA_real_, private = TRUE), 1, "x",
    list(epsilon = c(0.1, 0.2), private = TRUE), list(epsilon = 1), list(epsilon = 1, private = NA)
  )) {
    expect_error(learn(paid), class = "privpc_error")
  }
  broken <- structure(1L, class = "factor", levels = 5:6)
  call <- as.call(list(
    quote(marginal_pc), quote(data[1:5]), 1, progress = as.call(list(quote(`{`), broken, FALSE))
  ))
  expect_identical(eval(call)$call$progress[[2]], as.symbol("..."))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})
