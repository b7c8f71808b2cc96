# Whole learners on neighbours, the event being all that a fit tells. The long version runs with
# `make audit`.
test_that("no claim of a learner is refuted", {
  for (name in names(audited_learners)) {
    for (epsilon in c(0.5, 1, 2)) {
      audit <- audited_learners[[name]](epsilon, runs = 2000)
      expect_false(audit$violated, label = paste(name, epsilon))
    }
  }
})

test_that("the audit of a learner catches one that spends more than it says", {
  for (name in names(overspending_learners)) {
    expect_true(overspending_learners[[name]](1, runs = 20000)$violated, label = name)
  }
})
