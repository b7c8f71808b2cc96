test_that("a formula and named arguments give the same tiers", {
  plain <- list(c("age", "sex"), "smoking", c("cough", "x-ray"))
  expect_identical(tiers(age + sex ~ smoking ~ cough + `x-ray`), plain)
  expect_identical(tiers(c("age", "sex"), smoking, c(cough, "x-ray")), plain)
  expect_identical(
    tiers(before = age + sex, smoking, after = (cough + `x-ray`)),
    setNames(plain, c("before", "tier 2", "after"))
  )
  expect_identical(tiers(age), list("age"))
})

test_that("a point stands for all others, and forbids what the list in full forbids", {
  nodes <- c("a", "b", "c", "d", "e")
  short <- parse_knowledge(NULL, NULL, tiers(d ~ . ~ a), nodes)
  full <- parse_knowledge(NULL, NULL, list("d", c("b", "c", "e"), "a"), nodes)
  expect_identical(short, full)
  with_one <- parse_knowledge(NULL, NULL, tiers(d ~ a + .), nodes)
  expect_identical(with_one, parse_knowledge(NULL, NULL, list("d", c("a", "b", "c", "e")), nodes))
})

test_that("a variable named . is a variable", {
  expect_identical(fill_tiers(list(".", "a"), c(".", "a", "b")), list(".", "a"))
})

test_that("learners obey tiers written as a formula", {
  cohort <- simulate(network("cancer"), nsim = 20000, seed = 1)
  known <- tiers(Pollution + Smoker ~ Cancer ~ Xray + Dyspnoea)
  fit <- exact_pc(cohort, alpha = 0.01, tiers = known)
  tier <- tier_of(fit$nodes, known)
  arcs <- which(fit$amat == 1L, arr.ind = TRUE)
  expect_gt(nrow(arcs), 2L)
  expect_true(all(tier[arcs[, 1]] <= tier[arcs[, 2]]))
  expect_identical(fit$settings$tiers, known)
})

test_that("what cannot be read is refused", {
  expect_snapshot({
    show_refusal(tiers())
    show_refusal(tiers(~ smoking))
    show_refusal(tiers(age - sex ~ smoking))
    show_refusal(tiers(age + sex ~ age))
    show_refusal(tiers(log(age) ~ smoking))
    show_refusal(parse_knowledge(NULL, NULL, a ~ b, c("a", "b"), quote(exact_pc())))
    show_refusal(parse_knowledge(NULL, NULL, tiers(. ~ .), c("a", "b"), quote(exact_pc())))
  })
})
