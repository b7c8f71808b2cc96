test_that("tests tell dependence from independence", {
  data <- simulate(network("survey"), nsim = 100000, seed = 1)
  fit <- marginal_pc(data, epsilon = 3, seed = 1)
  expect_lt(retest(fit, "A", "E")$p.value, 1e-6)
  expect_gt(retest(fit, "A", "E")$evidence, 0)
  # Age and sex are independent; age and residence are, given education.
  expect_gt(retest(fit, "A", "S")$p.value, 1e-6)
  expect_lt(retest(fit, "A", "S")$evidence, 0)
  expect_lt(retest(fit, "A", "R", given = "E")$evidence, 0)
  # Either order of the two, and of the conditions, is the same test.
  numbers <- function(test) unname(unlist(test[c("statistic", "p.value", "evidence")]))
  expect_identical(numbers(retest(fit, "E", "A")), numbers(retest(fit, "A", "E")))
  expect_identical(
    numbers(retest(fit, "R", "T", given = c("A", "S"))),
    numbers(retest(fit, "R", "T", given = c("S", "A")))
  )
})

test_that("with a large budget the statistic is that of an exact CMH test", {
  data <- simulate(network("survey"), nsim = 20000, seed = 2)
  # Unordered, so that both tests use all contrasts.
  data[] <- lapply(data, function(x) factor(x, ordered = FALSE))
  fit <- marginal_pc(data, epsilon = 1e6, seed = 1)
  for (given in list("S", "E")) {
    noisy <- retest(fit, "A", "R", given = given)
    exact <- cond_cmh(data, "A", "R", given)
    expect_equal(unname(noisy$statistic), unname(exact$statistic), tolerance = 0.05)
    expect_equal(noisy$parameter, exact$parameter)
  }
})

test_that("p-values of independent variables are uniform in spite of the noise", {
  p <- vapply(1:300, function(run) {
    set.seed(run)
    data <- data.frame(
      x = factor(sample.int(3, 2000, TRUE), levels = 1:3),
      y = factor(sample.int(2, 2000, TRUE), levels = 1:2),
      z = factor(sample.int(2, 2000, TRUE), levels = 1:2)
    )
    fit <- marginal_pc(data, epsilon = 1, seed = run)
    c(retest(fit, "x", "y")$p.value, retest(fit, "x", "y", given = "z")$p.value)
  }, c(0, 0))
  for (i in 1:2) {
    for (level in c(0.01, 0.1, 0.5)) {
      expect_lte(sum(p[i, ] <= level), stats::qbinom(1e-6, 300, level, lower.tail = FALSE))
    }
  }
})

test_that("a test prints like any other", {
  data <- simulate(network("survey"), nsim = 20000, seed = 1)
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  expect_snapshot(retest(fit, "R", "T", given = "O"))
})

test_that("wrong arguments are refused with advice", {
  data <- simulate(network("survey"), nsim = 200, seed = 1)
  data$one <- factor(rep("a", 200), levels = "a")
  fit <- marginal_pc(
    data, epsilon = 1, seed = 1, max_order = 0, blacklist = rbind(c("A", "S"), c("S", "A"))
  )
  expect_snapshot({
    show_refusal(retest(data, "A", "E"))
    show_refusal(retest(fit, "A", 2))
    show_refusal(retest(fit, "A", "B"))
    show_refusal(retest(fit, "A", "A"))
    show_refusal(retest(fit, "A", "E", given = c("S", "O", "R", "T")))
    show_refusal(retest(fit, "A", "S"))
    show_refusal(retest(fit, "A", "one"))
    show_refusal(retest(fit, "A", "E", prior = -1))
  })
})

test_that("without the interactions of the conditions there is no p-value", {
  # x and y are independent given z1 and z2, but depend on whether these differ.
  set.seed(1)
  z1 <- rbinom(5e4, 1, 0.5)
  z2 <- rbinom(5e4, 1, 0.5)
  risk <- 0.1 + 0.8 * (z1 != z2)
  data <- as.data.frame(lapply(
    list(x = rbinom(5e4, 1, risk), y = rbinom(5e4, 1, risk), z1 = z1, z2 = z2), factor, levels = 0:1
  ))
  fit <- marginal_pc(data, epsilon = 1, seed = 1)
  held <- vapply(
    fit$measurements$tables$sets, function(s) paste(fit$measurements$nodes[s], collapse = " "), ""
  )
  measured_all <- all(c("x z1 z2", "y z1 z2") %in% held)
  test <- suppressMessages(retest(fit, "x", "y", given = c("z1", "z2")))
  expect_identical(is.na(test$p.value), !measured_all)
  three <- simulate(network("asia"), nsim = 20000, seed = 1)
  fit <- marginal_pc(three, epsilon = 1, seed = 1)
  expect_message(
    test <- retest(fit, "smoke", "xray", given = c("lung", "bronc", "tub")),
    class = "privpc_main_effects"
  )
  expect_identical(test$p.value, NA_real_)
  expect_match(test$method, "main effects")
})

test_that("evidence is put into words", {
  words <- vapply(c(0, 0.9, -0.9, 1.2, -2.9, 3.5, -4, 6, -20, 1000, NA), evidence_text, "")
  expect_snapshot(cat(words, sep = "\n"))
  fit <- marginal_pc(simulate(network("asia"), nsim = 50000, seed = 1), epsilon = 1, seed = 1)
  expect_snapshot({
    retest(fit, "smoke", "xray")
    retest(fit, "smoke", "xray", given = "lung")
    show_refusal(print(retest(fit, "smoke", "xray"), digits = 3))
  })
  expect_s3_class(retest(fit, "smoke", "xray"), "htest")
})

test_that("a small effect that is clearly seen is called that, not hidden by noise", {
  # Phi squared is 0.0009 here, to be compared with 0.1: neither that nor none.
  cells <- expand.grid(a = 0:1, c = 0:1)[rep(1:4, c(2318, 2182, 2182, 2318)), ]
  data <- as.data.frame(lapply(
    list(a = cells$a, c = cells$c, b = rep(0:1, 4500)), factor, levels = 0:1
  ))
  fit <- marginal_pc(data, epsilon = 20, seed = 1)
  small <- retest(fit, "a", "c")
  expect_lt(small$p.value, 0.01)
  expect_lt(abs(small$evidence), 1)
  expect_no_match(evidence_of(small), "noise may hide")
  expect_snapshot(small)
  # The advice holds: against the smaller effect the evidence speaks for dependence.
  advised <- as.double(sub(".*`prior = ([0-9.]+)`.*", "\\1", small_effect_text(small)))
  expect_gt(retest(fit, "a", "c", prior = advised)$evidence, small$evidence + 1)
  # An effect that is hidden is still called so.
  expect_false(is_small_effect(replace(small, "p.value", 0.3)))
  expect_match(evidence_of(replace(small, "p.value", 0.3)), "noise may hide")
})
