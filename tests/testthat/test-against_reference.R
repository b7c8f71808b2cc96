# Random data of odd shapes against the slow implementations in helper-reference.R: tables, tests,
# skeletons, CPDAGs and contrasts, on a sample of odd data.

test_that("tables, tests and searches are those of the definitions", {
  skip_on_cran()
  found <- do.call(rbind, lapply(1:12, random_case))
  expect_identical(found$what[found$differences > 0L], character())
  # The comparison itself must be able to fail.
  expect_gt(sum(found$tests), 20L)
  expect_gt(sum(found$skeletons), 3L)
})

test_that("the reference would notice a wrong statistic, table or graph", {
  data <- with_seed(1, odd_data(200L, c(3L, 3L, 2L)))
  right <- reference_test(data, "g2", "v1", "v2")
  expect_equal(cond_g2(data, "v1", "v2")$statistic[[1L]], right[["statistic"]])
  swapped <- transform(data, v1 = rev(v1))
  expect_false(isTRUE(all.equal(
    cond_g2(swapped, "v1", "v2")$statistic[[1L]], right[["statistic"]], tolerance = 1e-6
  )))
})
