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
    audit <- function(runs, spent) learner_audits[[name]](claim, runs, spent, aim = 8)
    expect_false(audit(4000, claim)$violated, label = name)
    # In 4e4 runs all bounds are more than six standard deviations above the claim
    expect_true(audit(4e4, 8 * claim)$violated, label = name)
  }
})

test_that("the audit of persons catches records that are counted one by one", {
  for (audit in records_for_persons) expect_true(audit(1, runs = 2e4)$violated)
})

test_that("every private learner is audited, with and without delta if it can do without", {
  audited <- names(learner_audits)
  for (name in learner_names()) {
    about <- learner_registry[[name]]
    if (!about$private) next
    expect_true(name %in% audited, info = name)
    if (about$pure) expect_true(paste0(name, ", pure") %in% audited, info = name)
  }
})
