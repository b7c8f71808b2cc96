test_that("numbers of a promise are never printed too small, and those left never too large", {
  numbers <- with_seed(1, c(
    exp(stats::runif(20000, log(1e-300), log(1e300))), stats::runif(20000, 0, 20),
    10^stats::runif(20000, -12, 15)
  ))
  # Just above and just below decimals, where rounding to nearest goes wrong.
  decimals <- as.double(sprintf("%de%d", rep(c(1, 5, 1001, 99999), each = 20), -12:7))
  numbers <- c(numbers, decimals, decimals * (1 + 2^-52), decimals * (1 - 2^-52))
  for (digits in c(2, 3, 4, 7)) {
    up <- as.double(text_up(numbers, digits))
    down <- as.double(text_down(numbers, digits))
    expect_true(all(up >= numbers))
    expect_true(all(down <= numbers))
    # Nor further off than the last of the digits that are shown.
    expect_lt(max(up / numbers - 1), 10^(1 - digits) * (1 + 1e-12))
    expect_lt(max(1 - down / numbers), 10^(1 - digits) * (1 + 1e-12))
    # Below a power of ten the last digit is ten times smaller.
    below <- 10^(-8:8) * (1 - 10^(-digits) / 3)
    expect_lt(max(1 - as.double(text_down(below, digits)) / below), 10^(-digits))
  }
  # What is a short decimal already stays as it is.
  expect_identical(as.double(text_up(decimals, 7)), decimals)
  expect_identical(as.double(text_down(decimals, 7)), decimals)
})

test_that("promises look as people write them", {
  expect_identical(
    text_up(c(1, 0.1, 1e-6, 1.00049, 9.99951, 123456.2, 1e-05 / 3, 0, Inf, NA)),
    c("1", "0.1", "1e-06", "1.001", "10", "123457", "3.334e-06", "0", "Inf", "NA")
  )
  expect_identical(
    text_down(c(1, 1.99999, 0.0243559, 123456.2, 0.99996, 99999.6, 9.99996e-5)),
    c("1", "1.999", "0.02435", "123456", "0.9999", "99999", "9.999e-05")
  )
  expect_identical(text_up(1.00049, 7), "1.00049")
  expect_identical(text_up(numeric()), character())
  # Another decimal mark in the session is no reason to misread.
  rlang::local_options(OutDec = ",")
  expect_identical(text_up(1.00049), "1.001")
})

test_that("no printed promise is rounded down", {
  slightly_more <- 1.00049
  budget <- privacy_budget(slightly_more, 1.00049e-6)
  data <- small_cohort()
  fit <- marginal_pc(data, epsilon = slightly_more, delta = 1.00049e-6)
  paid <- marginal_pc(data, epsilon = slightly_more, budget = budget)
  told <- c(
    format(laplace_mechanism(1, 1, epsilon = slightly_more)),
    format(gaussian_mechanism(1, 1, epsilon = slightly_more, delta = 1.00049e-6)),
    format(budget), utils::capture.output(budget), format(fit),
    utils::capture.output(print(fit)), utils::capture.output(print(paid)),
    report(fit), report(paid),
    format(private_test(data, "a", "b", epsilon = slightly_more)),
    format(private_breaks(
      data.frame(x = 1:50), "x", bins = 2, epsilon = slightly_more, bounds = list(x = c(1, 50))
    )),
    ledger_title(budget), ledger_title(fit),
    utils::capture.output(print(audit_privacy(
      function(data) 7, 0, 1, epsilon = slightly_more, runs = 1e4
    )))
  )
  read <- function(what) {
    found <- unlist(regmatches(told, gregexpr(paste0(what, " = [0-9.e+-]*[0-9]"), told)))
    as.double(sub(".* = ", "", found))
  }
  expect_gt(length(read("epsilon")), 12)
  # All are 1.00049, or its rho there and back.
  expect_gte(min(read("epsilon")), slightly_more)
  expect_lt(max(read("epsilon")), 1.011)
  expect_gte(min(setdiff(read("delta"), 0)), 1.00049e-6)
  expect_match(
    report(fit)[["privacy"]], "epsilon = 1.001 and delta = 1.001e-06.*exp\\(1.001\\) = 2.73,"
  )
})

test_that("what is left of a budget is enough for what it is said to be enough for", {
  for (epsilon in c(0.1, 0.37, 1, 3)) {
    for (spent in c(0, 0.31, 0.7)) {
      budget <- privacy_budget(epsilon, 1e-5, reserve = 1e-6)
      if (spent > 0) gaussian_mechanism(0, 1, epsilon = spent * epsilon, budget = budget)
      left <- cpp_ledger_state(budget$ledger)$left
      text <- enough_text(left, budget)
      said <- regmatches(text, gregexpr("(?<=epsilon = )[0-9.e-]+", text, perl = TRUE))
      said <- as.double(said[[1L]])
      expect_lte(rho_from_dp(said[[1L]], budget_delta(budget)), left)
      expect_no_error(laplace_mechanism(0, 1, epsilon = said[[2L]], budget = budget))
      if (spent == 0) expect_identical(said[[1L]], epsilon)
    }
  }
})
