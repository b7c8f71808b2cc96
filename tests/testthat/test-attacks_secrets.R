# What only the records hold is in nothing that can be seen of a call; the long version is
# `make attacks`.
data <- secret_persons(secret_records())
secrets <- secrets_of(data)

test_that("no call shows a planted secret", {
  calls <- secret_calls(data)
  # The slow ones are left to `make attacks`.
  slow <- c("publish", "edge_strength", "consensus", "effect", "private_test, median")
  for (name in setdiff(names(calls), slow)) {
    found <- secrets_shown(calls[[name]], secrets, must_work = TRUE)
    expect_identical(found, character(), label = name)
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

test_that("digits of a hash are no secret, the same number beside it is one", {
  hash <- "29be333feb50b6b4d9c6dcf54e4f7919f913807375b43158eeb57735612be79fc4"
  line <- paste("2 | units a6707919756c90 | check ba529da7919aef59 | done |", hash)
  expect_identical(secrets_in_text(line, secrets), character())
  expect_identical(secrets_in_text(paste(line, "| 7919 rows"), secrets), "7919")
  expect_identical(secrets_in_text(paste(line, "of Ada-Geheim-0815"), secrets), "Ada-Geheim-0815")
})

test_that("every planted leak is found", {
  expect_true(7919 %in% secrets$numbers)
  fit <- secret_calls(data)$marginal_pc()
  for (name in names(planted_leaks)) {
    found <- secrets_shown(function() planted_leaks[[name]](fit, data), secrets, calls = 1L)
    expect_gt(length(found), 0, label = name)
  }
})
