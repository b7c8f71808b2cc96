# What a fit says of itself in several places agrees, in fits of every kind; where it was edited in
# one of these places, it does not.

pure_cohort <- function() simulate(network("cancer"), nsim = 2000, seed = 1)

forbidden <- function(names) {
  pairs <- t(utils::combn(names, 2L))
  data.frame(from = c(pairs), to = c(pairs[, 2:1]))
}

expect_sound <- function(fit, info) {
  expect_null(if (is_pag(fit)) pag_damage(fit) else fit_damage(fit), info = info)
}

expect_damaged <- function(fit, words) {
  for (read in list(print, report, privacy_ledger)) {
    expect_error(read(fit), words, class = "privpc_damaged")
  }
  expect_error(
    publish(fit, tempfile(fileext = ".html"), open = FALSE), words, class = "privpc_damaged"
  )
}

# Where it is called `fit`.
edited_fit <- function(fit, change) {
  eval(substitute(change))
  fit
}

test_that("fits of all learners are let in, with all that they may leave unspent", {
  data <- pure_cohort()
  visits <- cbind(data, id = rep_len(1:1500, 2000))
  none <- forbidden(names(data))
  for (name in names(paper_learners)) {
    learner <- paper_learners[[name]]
    expect_sound(learner(data, epsilon = 3, test = "g2"), name)
    expect_sound(learner(data, epsilon = 3, blacklist = none), paste(name, "asks nothing"))
    expect_sound(learner(visits, epsilon = 3, id = "id"), paste(name, "per person"))
    expect_sound(
      suppressMessages(learner(data, epsilon = 3, sensitivity = "paper")), paste(name, "paper")
    )
    budget <- privacy_budget(3, 1e-6)
    expect_sound(learner(data, epsilon = 1, budget = budget), paste(name, "from a budget"))
    if (name != "sg_pc") expect_sound(learner(data, epsilon = 3, delta = 0), paste(name, "pure"))
    if (name %in% c("priv_pc", "sg_pc")) {
      expect_sound(learner(data, epsilon = 3, subsample = 0.5), paste(name, "on a sub-sample"))
    }
  }
  for (kind in c("replace-one", "add-remove")) {
    for (search in graph_searches) {
      learn <- function(data, ...) {
        marginal_pc(data, epsilon = 1, search = search, neighbours = kind, ...)
      }
      info <- paste(search, kind)
      expect_sound(learn(data), info)
      expect_sound(learn(data, parameters = TRUE), info)
      expect_sound(learn(data, blacklist = none, parameters = TRUE), info)
      expect_sound(learn(visits, id = "id", max_records = 2), info)
      expect_sound(learn(data, hidden = TRUE), info)
    }
  }
  # Nothing to measure.
  same <- data.frame(a = factor(rep("x", 500)), b = factor(rep("y", 500)))
  expect_sound(marginal_pc(same, epsilon = 1), "one level each")
  budget <- privacy_budget(3, 1e-6)
  expect_sound(marginal_pc(data, epsilon = 1, budget = budget), "marginal_pc from a budget")
})

test_that("a search by tests that finds nothing in question leaves half, and can be pooled", {
  grid <- data.frame(a = factor(rep(0:1, 1500)), b = factor(rep(c(0, 0, 1, 1), 750)))
  learn <- function(...) marginal_pc(grid, epsilon = 5, search = "tests", ..., seed = 1)
  for (fit in list(learn(), learn(parameters = TRUE), learn(neighbours = "add-remove"))) {
    expect_lt(sum(fit$ledger$rho), 0.9 * fit$privacy$rho)
    expect_sound(fit, "half")
    # Learnt anew by score.
    expect_sound(relearn(fit, search = "score"), "half")
  }
  other <- marginal_pc(grid, epsilon = 5, search = "tests", seed = 2)
  expect_sound(pool_fits(north = learn(), south = other), "pooled")
})

test_that("what is made of fits is let in, also from a file", {
  file <- tempfile(fileext = ".rds")
  for (kind in c("marginal", "persons", "pag", "pooled", "consensus", "priv_pc", "exact_pc")) {
    saveRDS(hostile_objects[[kind]](), file)
    expect_sound(readRDS(file), kind)
  }
  pooled <- hostile_objects$pooled()
  expect_sound(relearn(pooled, hidden = TRUE), "pooled, hidden")
  expect_sound(with_seed(1, consensus(pooled, draws = 2, progress = FALSE)), "pooled, consensus")
})

test_that("a fit that was edited in one place is damaged", {
  data <- pure_cohort()
  fit <- marginal_pc(data, epsilon = 1)
  exact <- exact_pc(data)
  seeded <- marginal_pc(data, epsilon = 1, seed = 3)
  seeded$privacy$private <- TRUE
  expect_damaged(seeded, "says why it is not")
  exact$privacy <- fit$privacy
  expect_damaged(exact, "It promises privacy, which its")
  # Nor by another name.
  exact$call <- quote(learn(data))
  exact$learner <- "learn"
  expect_damaged(exact, "Its ledger lists nothing")
  expect_damaged(edited_fit(fit, fit$privacy$neighbours <- "add-remove"), "neighbours")
  expect_damaged(edited_fit(fit, fit$privacy$per <- "person"), "one is about persons")
  expect_damaged(edited_fit(fit, fit$learner <- "em_pc"), "not the one that made it")
  expect_damaged(edited_fit(fit, fit$ledger <- fit$ledger[1L, ]), "steps are missing")
  expect_damaged(edited_fit(fit, fit$ledger <- fit$ledger[1:2, ]), "steps are missing")
  expect_damaged(edited_fit(fit, fit$ledger$rho <- fit$ledger$rho / 10), "Its ledger is not")
  expect_damaged(edited_fit(fit, {
    fit$ledger$rho <- fit$ledger$rho / 10
    fit$ledger$cumulative <- fit$ledger$cumulative / 10
  }), "steps are missing")
  asked <- priv_pc(data, epsilon = 1)
  expect_damaged(edited_fit(asked, fit$ledger <- fit$ledger[0L, ]), "Its ledger lists nothing")
  expect_damaged(edited_fit(asked, fit$learner <- "svt_pc"), "not the one that made it")
  expect_damaged(edited_fit(asked, fit$learner <- "exact_pc"), "not the one that made it")
})
