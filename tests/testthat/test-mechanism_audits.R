test_that("no audit of a mechanism refutes its claim", {
  for (name in names(sound_mechanisms)) {
    for (epsilon in c(0.5, 2)) {
      audit <- sound_mechanisms[[name]](epsilon, runs = 4e4)
      expect_false(audit$violated, label = paste(name, epsilon))
    }
  }
})

test_that("the audit of every mechanism catches one that spends eight times what it says", {
  for (name in names(sound_mechanisms)) {
    audit <- sound_mechanisms[[name]](1, runs = 4e4, spent = 8, aim = 8)
    expect_true(audit$violated, label = name)
  }
})

test_that("audits are sharp: where the worst case is reached, so is the bound", {
  # A test that finds nothing anywhere would pass the one above; these pairs are the worst case.
  for (name in c("laplace, counts", "laplace, real values", "laplace, a vector")) {
    audit <- sound_mechanisms[[name]](1, runs = 2e5)
    expect_gt(audit$lower_bound, 0.6)
  }
})

test_that("the published constants are caught and the corrected ones are not", {
  for (name in names(published_constants)) {
    expect_true(published_constants[[name]](1, runs = 4e4)$violated, label = name)
  }
  for (name in names(corrected_constants)) {
    expect_false(corrected_constants[[name]](1, runs = 4e4)$violated, label = name)
  }
})

test_that("the authors' pair moves their statistic far, ours by what is stated", {
  change <- abs(published_z(authors_pair(TRUE, 1e5)) - published_z(authors_pair(FALSE, 1e5)))
  expect_gt(change / (4.5 / sqrt(1e5 + 10)), 63)
})
