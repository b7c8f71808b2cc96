# Sites of the cancer network, one of which may have another mechanism for Cancer.
sites_of <- function(changed = FALSE, seed = 1, n = 30000) {
  truth <- network("cancer")
  fits <- lapply(1:3, function(i) {
    data <- simulate(truth, nsim = n, seed = 10 * seed + i)
    if (changed && i == 2L) {
      # Here smoking has nothing to do with it, and x-rays are read by a coin.
      set.seed(seed)
      data$Xray <- factor(sample(levels(data$Xray), n, replace = TRUE), levels(data$Xray))
    }
    marginal_pc(data, epsilon = 2, delta = 1e-6, seed = 100 * seed + i)
  })
  pool_fits(stats::setNames(fits, c("east", "west", "south")))
}

test_that("a site that differs is found, and named", {
  found <- heterogeneity(sites_of(changed = TRUE))
  expect_s3_class(found, "data.frame")
  edge <- found[found$x == "Cancer" & found$y %in% "Xray", ]
  expect_lt(edge$p.adjusted, 1e-4)
  expect_identical(edge$most_apart, "west")
  expect_identical(edge$df, 2)
  own <- found[found$kind == "variable" & found$x == "Xray", ]
  expect_lt(own$p.adjusted, 1e-4)
  others <- found[found$x != "Xray" & !found$y %in% "Xray", ]
  expect_true(all(others$p.adjusted > 0.01))
  text <- capture.output(print(summary(sites_of(changed = TRUE))))
  expect_match(text, "Cancer - Xray", all = FALSE)
})

test_that("p-values are uniform where sites are alike", {
  p <- unlist(lapply(1:12, function(seed) heterogeneity(sites_of(seed = seed, n = 5000))$p.value))
  # 15 rows each: 180 tests, 9 expected below 0.05.
  expect_length(p, 180L)
  expect_lt(sum(p < 0.05), 22)
  expect_gt(stats::ks.test(p, "punif")$p.value, 1e-4)
})

test_that("rows are ordered, adjusted by kind, and complete", {
  both <- sites_of()
  found <- heterogeneity(both)
  expect_identical(nrow(found), 15L)
  expect_identical(sum(found$kind == "edge"), as.integer(sum(both$skeleton) / 2))
  expect_identical(unique(found$kind), intersect(c("edge", "pair", "variable"), found$kind))
  for (kind in unique(found$kind)) {
    rows <- found[found$kind == kind, ]
    expect_false(is.unsorted(rows$p.value))
    expect_equal(rows$p.adjusted, stats::p.adjust(rows$p.value, "holm"))
  }
  expect_true(all(is.na(found$y) == (found$kind == "variable")))
})

test_that("only sites that measured a pair are compared", {
  fits <- lapply(1:3, function(i) {
    marginal_pc(
      simulate(network("cancer"), nsim = 5000, seed = i), epsilon = 1, delta = 1e-6, seed = i
    )
  })
  # As if the first site had not measured this pair.
  held <- fits[[1L]]$measurements
  pair <- match(c("Pollution", "Smoker"), held$nodes)
  at <- which(vapply(held$tables$sets, setequal, NA, pair))
  fits[[1L]]$measurements$tables <- lapply(held$tables, function(part) part[-at])
  found <- heterogeneity(pool_fits(fits))
  expect_identical(found$sites[found$x == "Pollution" & found$y %in% "Smoker"], 2L)
  found <- heterogeneity(pool_fits(fits[1:2]))
  expect_false(any(found$x == "Pollution" & found$y %in% "Smoker"))
})
