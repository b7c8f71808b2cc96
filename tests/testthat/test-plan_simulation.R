simulated <- function(..., n = c(500, 20000), epsilon = c(0.1, 3), network = "survey", runs = 3) {
  set.seed(4)
  plan_study(n = n, epsilon = epsilon, network = network, runs = runs, ...)
}

scores <- c("skeleton_f1", "cpdag_f1", "stability")

test_that("simulated studies can be repeated, with any number of threads", {
  before <- globalenv()[[".Random.seed"]]
  on.exit(if (!is.null(before)) assign(".Random.seed", before, envir = globalenv()))
  plan <- simulated()
  expect_identical(simulated(progress = TRUE), plan)
  expect_false(identical(plan, {
    set.seed(5)
    plan_study(n = c(500, 20000), epsilon = c(0.1, 3), network = "survey", runs = 3)
  }))
  skip_if_not_installed("parallel")
  expect_identical(simulated(threads = 2), plan)
})

test_that("the scores are those of compare_graphs(), with their standard errors", {
  truth <- network("survey")
  table <- as.data.frame(plan_study(n = 3000, levels = lengths(truth$levels), epsilon = 1))
  set.seed(4)
  studies <- study_design(table, 3)
  expect_length(studies, 3)
  by_hand <- t(vapply(studies, function(study) {
    data <- simulate(truth, nsim = 3000, seed = study$data_seed)
    fits <- lapply(c(study$noise_seed, study$other_seed), function(seed) {
      marginal_pc(data, epsilon = 1, seed = seed)
    })
    f1 <- vapply(fits, function(fit) compare_graphs(fit, truth)$f1, c(0, 0))
    c(rowMeans(f1), compare_graphs(fits[[1]], fits[[2]])$f1[[1]])
  }, c(0, 0, 0)))
  found <- as.data.frame(simulated(n = 3000, epsilon = 1))
  expect_equal(unlist(found[scores], use.names = FALSE), colMeans(by_hand))
  expect_equal(
    unlist(found[c("skeleton_se", "cpdag_se", "stability_se")], use.names = FALSE),
    apply(by_hand, 2, stats::sd) / sqrt(3)
  )
  # Settings reach the fits.
  strict <- as.data.frame(simulated(n = 3000, epsilon = 1, least_effect = 0.5))
  expect_identical(strict$skeleton_f1, 0)
})

test_that("larger studies are better and more stable", {
  table <- as.data.frame(simulated(network = random_network(8, 2, effect = 0.3, seed = 1)))
  expect_identical(table$n, c(500, 500, 20000, 20000))
  expect_lt(table$skeleton_f1[[1]], 0.3)
  expect_gt(table$skeleton_f1[[4]], 0.9)
  expect_gt(table$stability[[4]], 0.9)
  expect_gt(table$cpdag_f1[[4]], table$cpdag_f1[[1]])
})

test_that("networks of all kinds are taken, and a mark is kept", {
  cancer <- network("cancer")
  by_name <- simulated(n = 2000, epsilon = 1, network = "cancer")
  expect_identical(simulated(n = 2000, epsilon = 1, network = cancer), by_name)
  if (requireNamespace("bnlearn", quietly = TRUE)) {
    by_bn <- simulated(n = 2000, epsilon = 1, network = as_bn_fit(cancer))
    expect_identical(as.data.frame(by_bn), as.data.frame(by_name))
  }
  cohort <- simulate(cancer, nsim = 20000, seed = 1)
  seeded <- suppressMessages(as_network(marginal_pc(cohort, epsilon = 1, seed = 1)))
  plan <- simulated(n = 2000, epsilon = 1, network = seeded, runs = 2)
  expect_match(mark_of(plan), "^NOT private")
  expect_output(print(plan), "NOT private")
  expect_match(mark_of(as.data.frame(plan)), "^NOT private")
})

test_that("a study that is lost is told", {
  table <- data.frame(n = 100, epsilon = 1, delta = 1e-6)
  studies <- with_seed(1, study_design(table, 2))
  folder <- tempfile()
  dir.create(folder)
  saveRDS(data.frame(), study_file(folder, studies[[1]]))
  expect_snapshot(show_refusal(collect_studies(studies, folder, call = NULL)))
})

test_that("simulated studies print with their standard errors", {
  expect_snapshot(simulated(n = 20000, epsilon = 3, network = "cancer", runs = 2))
})
