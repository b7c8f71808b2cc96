# Whole learners on neighbours, the event being all that a fit tells. The long version runs with
# `make audit`.
test_that("no claim of a learner is refuted", {
  for (name in names(learner_audits)) {
    for (epsilon in c(0.5, 1, 2)) {
      audit <- learner_audits[[name]](epsilon, runs = 2000)
      expect_false(audit$violated, label = paste(name, epsilon))
    }
  }
})

test_that("the audit of every learner catches one that spends eight times what it says", {
  for (name in names(learner_audits)) {
    claim <- control_claim(name)
    audit <- function(spent) learner_audits[[name]](claim, runs = 2e4, spent = spent, aim = 8)
    expect_false(audit(claim)$violated, label = name)
    expect_true(audit(8 * claim)$violated, label = name)
  }
})
