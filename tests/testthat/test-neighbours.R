# The promise about added and removed records. That the true number of rows does not show is tested
# in tests/cpp/test_add_remove.cpp, with a source that says another.

fit_add_remove <- function(data = small_cohort(), epsilon = 1, ...) {
  marginal_pc(data, epsilon = epsilon, neighbours = "add-remove", ...)
}

test_that("a fit for added and removed records says so wherever it states its promise", {
  fit <- fit_add_remove()
  expect_identical(fit$privacy$neighbours, "add-remove")
  expect_match(
    privacy_text(fit$privacy), "(add-remove neighbours, Gaussian accounting)", fixed = TRUE
  )
  expect_match(format(fit), "delta = 1e-06, add-remove>", fixed = TRUE)
  said <- report(fit)
  expect_match(said[["privacy"]], "adding any one record or removing one (add-remove", fixed = TRUE)
  expect_no_match(said[["privacy"]], "replac")
  expect_no_match(said[["public"]], "number of records")
  expect_match(said[["graph"]], "was learnt from about [0-9,]+ records")
  expect_match(ledger_title(fit), "(add-remove neighbours)", fixed = TRUE)
  expect_match(settings_text(fit$settings), "about [0-9]+ rows")
  again <- relearn(fit, alpha = 0.1)
  expect_identical(again$privacy, fit$privacy)
  expect_match(settings_text(again$settings), "about [0-9]+ rows")

  plain <- marginal_pc(small_cohort(), epsilon = 1)
  expect_identical(plain$privacy$neighbours, "replace-one")
  expect_null(plain$settings$neighbours)
  expect_no_match(format(plain), "add-remove")
  expect_match(report(plain)[["public"]], "number of records")
  expect_no_match(settings_text(plain$settings), "about")
})

test_that("print() of a fit for added and removed records", {
  # A seed, so that the picture stays; the number of rows is a noisy one.
  fit <- fit_add_remove(seed = 1)
  expect_false(fit$privacy$private)
  fit$privacy$private <- TRUE
  fit$privacy$why <- NULL
  expect_snapshot(print(fit))
})

test_that("the number of rows is measured, and only the noisy one is told", {
  fits <- replicate(20, fit_add_remove(threads = 1), simplify = FALSE)
  n <- vapply(fits, function(fit) fit$measurements$n, 0)
  expect_gt(length(unique(n)), 10L)
  for (fit in fits) {
    expect_identical(fit$settings$n, fit$measurements$n)
    ledger <- privacy_ledger(fit)
    expect_identical(ledger$target[[1L]], "number of records")
    expect_lte(sum(ledger$rho), fit$privacy$rho)
  }
  # The noise that its share pays for: four standard errors of 20 numbers.
  sigma <- sqrt(1 / (2 * fits[[1L]]$ledger$rho[[1L]]) + 4)
  expect_lt(abs(mean(n) - 2000), 4 * sigma / sqrt(20))
  expect_true(all(abs(n - 2000) < 6 * sigma))
  # Nowhere in the fit is the true one.
  fit <- fits[[which(n != 2000)[[1L]]]]
  expect_false(any(rapply(
    unclass(fit)[setdiff(names(fit), "call")],
    function(x) any(x == 2000, na.rm = TRUE), "numeric", how = "unlist"
  ) %in% TRUE))
})

test_that("less noise, for a promise that is weaker", {
  data <- simulate(network("asia"), nsim = 20000, seed = 1)
  noise <- function(fit) {
    held <- fit$measurements
    stats::median(sqrt(held$tables$variance[lengths(held$tables$sets) == 2L]) * held$n)
  }
  replaced <- noise(marginal_pc(data, epsilon = 1, max_order = 0))
  added <- noise(marginal_pc(data, epsilon = 1, max_order = 0, neighbours = "add-remove"))
  expect_gt(replaced / added, 1.3)
  expect_lt(replaced / added, 2)
  expect_gt(compare_graphs(fit_add_remove(data, seed = 1), network("asia"))$f1[[1L]], 0.7)
})

test_that("neither delta nor a warning is computed from a secret number of rows", {
  many <- small_cohort(200000)
  expect_identical(marginal_pc(many, epsilon = 1)$privacy$delta, 5e-7)
  expect_identical(fit_add_remove(many)$privacy$delta, 1e-6)
  expect_warning(marginal_pc(many, epsilon = 1, delta = 1e-3), class = "privpc_weak_delta")
  expect_no_warning(fit_add_remove(many, delta = 1e-3))
  # Few rows: after the measuring, and in terms of the noisy number.
  rlang::local_options(privpc.advice = TRUE, rlib_warning_verbosity = "verbose")
  few <- simulate(network("asia"), nsim = 60, seed = 1)
  measured <- 0
  core <- cpp_marginal_pc
  warning <- with_replacement("cpp_marginal_pc", function(...) {
    found <- core(...)
    measured <<- found$n
    found
  }, tryCatch(fit_add_remove(few, epsilon = 0.5), privpc_few_rows = identity))
  expect_s3_class(warning, "privpc_few_rows")
  expect_gt(measured, 0)
  expect_match(conditionMessage(warning), paste0("^", big(measured), " row"))
})

test_that("one budget never mixes the two promises", {
  data <- small_cohort()
  added <- privacy_budget(2, 1e-6, neighbours = "add-remove")
  replaced <- privacy_budget(2, 1e-6)
  expect_identical(added$neighbours, "add-remove")
  expect_identical(replaced$neighbours, "replace-one")
  expect_snapshot({
    show_refusal(marginal_pc(data, epsilon = 1, budget = added))
    show_refusal(marginal_pc(data, epsilon = 1, budget = replaced, neighbours = "add-remove"))
    show_refusal(gaussian_mechanism(1, 1, rho = 0.01, budget = added))
    show_refusal(marginal_pc(
      data, epsilon = 1, neighbours = "add-remove",
      budget = privacy_budget(1, neighbours = "add-remove")
    ))
    show_refusal(privacy_budget(1, neighbours = "replace"))
    show_refusal(marginal_pc(data, epsilon = 1, neighbours = "unbounded"))
  })
  others <- list(
    function(b) laplace_mechanism(1, 1, 0.1, budget = b),
    function(b) exponential_mechanism(c(a = 1, b = 2), 1, 0.1, budget = b),
    function(b) sparse_vector(c(1, 2), 0, 1, epsilon = 0.1, budget = b),
    function(b) private_test(data, "a", "b", epsilon = 0.1, budget = b),
    function(b) {
      private_breaks(data.frame(x = runif(50)), "x", bins = 2, epsilon = 0.1,
                     bounds = list(x = c(0, 1)), budget = b)
    },
    function(b) priv_pc(data, epsilon = 0.1, budget = b),
    function(b) svt_pc(data, epsilon = 0.1, budget = b),
    function(b) em_pc(data, epsilon = 0.1, budget = b),
    function(b) sg_pc(data, epsilon = 0.1, budget = b)
  )
  for (step in others) expect_error(step(added), class = "privpc_other_neighbours")
  expect_identical(nrow(privacy_ledger(added)), 0L)
  expect_identical(nrow(privacy_ledger(replaced)), 0L)

  fit <- fit_add_remove(data, budget = added)
  expect_identical(fit$privacy$accounting, "zcdp")
  expect_equal(privacy_ledger(added)$rho, rho_from_dp(1, 1e-6), tolerance = 1e-12)
  expect_lte(sum(fit$ledger$rho), rho_from_dp(1, 1e-6))
  expect_snapshot(print(added))
  expect_match(format(added), "delta = 1e-06, add-remove, ", fixed = TRUE)
  # What is printed is what the ledger was made for.
  added$neighbours <- "replace-one"
  expect_error(laplace_mechanism(1, 1, 0.1, budget = added), class = "privpc_bad_budget")
})

test_that("functions that do not offer it say which one does", {
  data <- small_cohort()
  expect_snapshot({
    show_refusal(priv_pc(data, epsilon = 1, neighbours = "add-remove"))
    show_refusal(exact_pc(data, neighbours = "add-remove"))
  })
  for (learner in list(em_pc, svt_pc, sg_pc)) {
    expect_error(
      learner(data, epsilon = 1, neighbours = "replace-one"), class = "privpc_no_neighbours"
    )
  }
  fit <- fit_add_remove()
  expect_error(relearn(fit, neighbours = "replace-one"), class = "privpc_no_neighbours")
})

test_that("cut points that were paid for belong to the other promise", {
  data <- data.frame(x = seq(0, 1, length.out = 500), a = factor(rep(0:1, 250)))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 0.5, bounds = list(x = c(0, 1)))
  expect_snapshot(show_refusal(fit_add_remove(data, breaks = cuts)))
  expect_no_error(fit_add_remove(data, breaks = list(x = c(0, 0.5, 1))))
})

# All pairs share the error of the noisy number of rows, which matters most where levels are rare:
# 15 % of such data sets had an edge before tests knew of it.
test_that("without dependence there is an edge in at most alpha of the fits", {
  runs <- 120
  for (rare in c(0.5, 0.03)) {
    wrong <- sum(vapply(seq_len(runs), function(i) {
      data <- with_seed(i, as.data.frame(matrix(stats::rbinom(12 * 2000, 1, rare), 2000)))
      data[] <- lapply(data, factor, levels = 0:1)
      epsilon <- if (i %% 2 == 0) 1 else 0.3
      any(fit_add_remove(data, epsilon, least_effect = 0, threads = 1)$skeleton == 1L)
    }, NA))
    # One false alarm in a million, at a share of alpha.
    expect_lte(wrong, stats::qbinom(5e-7, runs, 0.05, lower.tail = FALSE))
  }
})

test_that("questions to the measurements use the noisy number", {
  fit <- fit_add_remove(simulate(network("asia"), nsim = 20000, seed = 1), parameters = TRUE)
  expect_equal(sum(measured(fit, c("smoke", "lung"))$share), 1)
  expect_s3_class(as_network(fit), "privpc_network")
  expect_no_error(retest(fit, "smoke", "lung"))
})
