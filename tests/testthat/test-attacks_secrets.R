# What only the records hold is in nothing that can be seen of a call; the long version is
# `make attacks`.
data <- secret_persons(secret_records())
secrets <- secrets_of(data)

test_that("no call shows a planted secret", {
  calls <- secret_calls(data)
  # The slow ones are left to `make attacks`.
  slow <- c("publish", "edge_strength", "consensus", "effect", "private_test, median")
  for (name in setdiff(names(calls), slow)) {
    expect_identical(secrets_shown(calls[[name]], secrets), character(), label = name)
  }
})

test_that("no refusal shows a planted secret, nor does its trace", {
  refused <- refused_calls(data)
  for (name in names(refused)) {
    seen <- all_seen(refused[[name]]())
    expect_s3_class(seen$value, "error")
    expect_identical(secrets_seen(seen, secrets), character(), label = name)
  }
})

test_that("every planted leak is found", {
  expect_true(7919 %in% secrets$numbers)
  fit <- secret_calls(data)$marginal_pc()
  for (name in names(planted_leaks)) {
    found <- secrets_shown(function() planted_leaks[[name]](fit, data), secrets, calls = 1L)
    expect_gt(length(found), 0, label = name)
  }
})
