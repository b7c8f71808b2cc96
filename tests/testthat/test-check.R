test_that("a missing argument is named, with a call that would do", {
  data <- small_cohort()
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  expect_snapshot({
    show_refusal(marginal_pc(data))
    show_refusal(marginal_pc(epsilon = 1))
    show_refusal(em_pc(data))
    show_refusal(priv_pc(epsilon = 1))
    show_refusal(exact_pc())
    show_refusal(private_test(data, epsilon = 1))
    show_refusal(private_test(data, "a", epsilon = 1))
    show_refusal(privpc::private_test(data, "a", "b"))
    show_refusal(cond_g2(data, "a"))
    show_refusal(measured(fit))
    show_refusal(measured())
    show_refusal(retest(fit, "a"))
    show_refusal(effect(fit))
    show_refusal(effect(fit, "a"))
    show_refusal(report())
    show_refusal(bin_like(data))
    show_refusal(laplace_mechanism(3))
    show_refusal(laplace_mechanism(3, 1))
    show_refusal(gaussian_mechanism())
    show_refusal(sparse_vector(1:3))
    show_refusal(private_median(1:3))
    show_refusal(sieve_and_examine())
    show_refusal(private_breaks(data))
    show_refusal(privacy_budget())
    show_refusal(privacy_ledger())
    show_refusal(rho_from_dp(1))
    show_refusal(audit_privacy(identity))
    show_refusal(network())
    show_refusal(as_bn())
  })
})

test_that("every example is a call of the function it stands for, with arguments it has", {
  for (name in names(usage_examples)) {
    call <- str2lang(usage_examples[[name]])
    f <- get(name, asNamespace("privpc"))
    expect_identical(as.character(call[[1L]]), name)
    expect_error(match.call(f, call), NA)
    expect_true(all(setdiff(names(call), "") %in% names(formals(f))), label = name)
  }
})

test_that("a short name is not taken for another one that shares no letter with it", {
  known <- c("data", "epsilon", "delta", "na", "n", "x", "fit", "alpha")
  for (given in c("id", "by", "pid", "k")) expect_null(nearest_name(given, known))
  expect_identical(nearest_name("NA", known), "na")
  expect_identical(nearest_name("alfa", known), "alpha")
  expect_identical(nearest_name("dta", known), "data")
  for (given in c("ID", "ids", "pid", "patient", "person", "cluster")) {
    expect_identical(nearest_name(given, c(known, "id")), "id")
  }
  data <- small_cohort()
  expect_snapshot({
    show_refusal(cond_g2(data, "a", "b", id = "person"))
    show_refusal(marginal_pc(data, epsilon = 1, patient = "a"))
  })
})

test_that("an error does not hold the records that do.call() put into its call", {
  data <- small_cohort(5000)
  raised <- list(
    tryCatch(do.call(marginal_pc, list(data, epsilon = "a")), error = identity),
    tryCatch(do.call("marginal_pc", list(data, epsilon = 1, epsilom = 2)), error = identity),
    tryCatch(do.call(private_test, list(data, "a", "z", epsilon = 1)), error = identity)
  )
  for (e in raised) {
    expect_s3_class(e, "privpc_error")
    expect_lt(length(serialize(e$call, NULL)), 2000)
    # R's own function says what a call of it is.
    expect_no_error(deparse(e$call))
  }
  expect_identical(raised[[1L]]$call, quote(fn(..., epsilon = "a")))
  expect_identical(raised[[2L]]$call[[1L]], quote(marginal_pc))
  # Calls as they are written stay as they are.
  as_written <- tryCatch(marginal_pc(data, epsilon = c(1, 2)), error = identity)
  expect_identical(as_written$call, quote(marginal_pc(data, epsilon = c(1, 2))))
  with_function <- quote(f(function(x, y = 2) x + y, z, -1, a[1, ]))
  expect_identical(bare_call(with_function), with_function)
})

test_that("a message about a missing package says what this R can install", {
  expect_identical(how_to_install("dagitty"), 'install.packages("dagitty")')
  expect_identical(
    how_to_install("bnlearn", numeric_version("4.4.0")), 'install.packages("bnlearn")'
  )
  expect_identical(
    how_to_install("bnlearn", numeric_version("4.2.2")),
    'remotes::install_version("bnlearn", "4.9")'
  )
})
