# A step that the budget does not cover: nothing is computed, and the budget is as it was.

refused_data <- function() {
  data <- small_cohort(200)
  data$v <- rep(1:100, 2)
  data
}

# Each a function of a budget and of about the epsilon that it takes from one with a delta.
steps <- local({
  data <- refused_data()
  factors <- data[c("a", "b", "c")]
  learner <- function(learn, ...) {
    function(budget, epsilon) learn(factors, epsilon = epsilon, budget = budget, ...)
  }
  list(
    priv_pc = learner(priv_pc), svt_pc = learner(svt_pc), em_pc = learner(em_pc),
    sg_pc = learner(sg_pc), marginal_pc = learner(marginal_pc),
    `marginal_pc with parameters` = learner(marginal_pc, parameters = TRUE),
    `sg_pc on a sub-sample` = learner(sg_pc, subsample = 0.5, delta = 1e-8),
    `priv_pc, pure` = learner(priv_pc, delta = 0),
    private_breaks = function(budget, epsilon) {
      # Three choices of epsilon^2/8 each where rho is counted: far less than a fit.
      private_breaks(data, "v", 4, 100 * epsilon, list(v = c(0, 100)), budget = budget)
    },
    `private_test, tau` = function(budget, epsilon) {
      private_test(factors, "a", "b", epsilon = epsilon, budget = budget)
    },
    `private_test, g2` = function(budget, epsilon) {
      private_test(factors, "a", "b", test = "g2", epsilon = epsilon, blocks = 10, budget = budget)
    },
    `private_test, median` = function(budget, epsilon) {
      private_test(
        factors, "a", "b", test = "g2", aggregate = "median", epsilon = 10 * epsilon, delta = 1e-8,
        blocks = 10, budget = budget
      )
    },
    laplace_mechanism = function(budget, epsilon) {
      laplace_mechanism(1:3, 1, 10 * epsilon, budget = budget)
    },
    gaussian_mechanism = function(budget, epsilon) {
      gaussian_mechanism(1:3, 1, epsilon, budget = budget)
    },
    exponential_mechanism = function(budget, epsilon) {
      exponential_mechanism(1:3, 1, 10 * epsilon, budget = budget)
    },
    `permute and flip` = function(budget, epsilon) {
      exponential_mechanism(1:3, 1, 10 * epsilon, method = "permute_and_flip", budget = budget)
    },
    sparse_vector = function(budget, epsilon) {
      sparse_vector(1:3, 2, 1, 10 * epsilon, budget = budget)
    },
    `sparse_vector, several runs` = function(budget, epsilon) {
      sparse_vector(1:30, 2, 1, epsilon, delta = 1e-6, cutoff = 20, budget = budget)
    },
    sieve_and_examine = function(budget, epsilon) {
      sieve_and_examine(
        list(function(rows) length(rows)), 100, 50, 1, 10 * epsilon, budget = budget
      )
    },
    private_median = function(budget, epsilon) {
      private_median(1:9, 0, 10, 10 * epsilon, 1e-8, budget = budget)
    }
  )
})

budget_trace <- function(budget) {
  list(state = cpp_ledger_state(budget$ledger), steps = privacy_ledger(budget))
}

test_that("a refused step leaves no trace in a budget, and an accepted one leaves one", {
  for (name in names(steps)) {
    budget <- privacy_budget(1, 1e-5, reserve = 1e-6)
    laplace_mechanism(1, 1, 0.01, budget = budget)
    before <- budget_trace(budget)
    expect_error(steps[[name]](budget, 5), class = "privpc_overdraft")
    expect_identical(budget_trace(budget), before, label = name)
    suppressMessages(steps[[name]](budget, 0.005))
    expect_gt(nrow(privacy_ledger(budget)), 1L)
  }
})

test_that("fits and breaks that are not covered never reach the core", {
  by_one_debit <- c(
    "priv_pc", "svt_pc", "em_pc", "sg_pc", "marginal_pc", "marginal_pc with parameters",
    "sg_pc on a sub-sample", "priv_pc, pure", "private_breaks"
  )
  reached <- character()
  for (name in by_one_debit) {
    budget <- privacy_budget(1, 1e-5, reserve = 1e-6)
    run <- function() steps[[name]](budget, 5)
    for (core in c("cpp_private_pc", "cpp_marginal_pc", "cpp_exponential", "count_up_to")) {
      run <- local({
        inner <- run
        at <- core
        function() {
          with_replacement(at, function(...) {
            reached <<- c(reached, paste(name, at))
            stop("reached")
          }, inner())
        }
      })
    }
    expect_error(run(), class = "privpc_overdraft")
  }
  expect_identical(reached, character())
})

test_that("a query is not asked before its run is paid for", {
  asked <- 0
  query <- function(rows) {
    asked <<- asked + 1
    length(rows)
  }
  budget <- privacy_budget(1)
  expect_error(
    sieve_and_examine(list(query, query), 100, 50, 1, 2, subsample = 10, budget = budget),
    class = "privpc_overdraft"
  )
  expect_identical(asked, 0)
  sieve_and_examine(list(query, query), 100, 50, 1, 0.5, subsample = 10, budget = budget)
  expect_gt(asked, 0)
})

test_that("private_test() is paid for before its own ledger is opened and anything is computed", {
  # What no ledger can hold is refused by the user's, which comes first, in its own words; the
  # ledger that the parts draw on would refuse in others.
  data <- data_source(small_cohort(100), by_order = TRUE)
  too_much <- 2e15
  ask <- list(
    order = function(ledger) {
      cpp_private_order_test(
        data, "tau", 1L, 2L, integer(), too_much, FALSE, 0.1, FALSE, ledger, "t", NULL
      )
    },
    count = function(ledger) {
      cpp_private_block_count(
        data, "g2", 1L, 2L, integer(), 5, too_much, FALSE, ledger, "t", NULL
      )
    },
    median = function(ledger) {
      cpp_private_block_median(
        data, "g2", 1L, 2L, integer(), 5, 10, too_much, 1e-6, ledger, "t", NULL
      )
    }
  )
  for (name in names(ask)) {
    budget <- privacy_budget(1)
    expect_error(ask[[name]](budget$ledger), class = "privpc_core_overdraft")
    expect_error(ask[[name]](NULL), "the cap of a ledger")
    expect_identical(nrow(privacy_ledger(budget)), 0L)
  }
})

test_that("neither a seed nor published constants go with a budget, and nothing is spent on them", {
  data <- refused_data()
  budget <- privacy_budget(5, 1e-5, reserve = 1e-6)
  before <- budget_trace(budget)
  factors <- data[c("a", "b", "c")]
  for (learner in c(paper_learners, list(marginal_pc = marginal_pc))) {
    expect_error(learner(factors, epsilon = 0.1, seed = 1, budget = budget), "do not go together")
  }
  for (learner in paper_learners) {
    expect_error(
      learner(factors, epsilon = 0.1, sensitivity = "paper", budget = budget), "do not go together"
    )
    expect_false(learner(factors, epsilon = 0.1, sensitivity = "paper")$privacy$private)
  }
  expect_error(private_breaks(
    data, "v", 2, 0.1, list(v = c(0, 100)), seed = 1, budget = budget
  ), "do not go together")
  for (test in c("tau", "g2")) {
    expect_error(private_test(
      factors, "a", "b", test = test, epsilon = 0.1, seed = 1, budget = budget
    ), "do not go together")
  }
  expect_error(laplace_mechanism(1, 1, 0.1, seed = 1, budget = budget), "do not go together")
  expect_error(gaussian_mechanism(1, 1, 0.1, seed = 1, budget = budget), "do not go together")
  expect_error(exponential_mechanism(1:2, 1, 0.1, seed = 1, budget = budget), "do not go together")
  expect_error(sparse_vector(1:2, 1, 1, 0.1, seed = 1, budget = budget), "do not go together")
  expect_error(
    private_median(1:2, 0, 3, 0.1, 1e-8, seed = 1, budget = budget), "do not go together"
  )
  expect_error(
    sieve_and_examine(list(length), 10, 5, 1, 0.1, seed = 1, budget = budget), "do not go together"
  )
  expect_identical(budget_trace(budget), before)
})

test_that("set.seed() neither drives nor is moved by any private function", {
  data <- refused_data()
  # Enough noise for two answers to be the same next to never.
  answers <- list(
    marginal_pc = function() marginal_pc(data[1:3], 0.1)$measurements$tables$values,
    `private_test, tau` = function() private_test(data, "a", "b", epsilon = 0.1)$statistic,
    `private_test, g2` = function() {
      replicate(20, private_test(data, "a", "b", test = "g2", epsilon = 0.01, blocks = 5)$statistic)
    },
    private_breaks = function() {
      private_breaks(data, "v", 10, 0.1, list(v = c(0, 1e5)), whole = FALSE)$v
    },
    laplace_mechanism = function() laplace_mechanism(1, 1, 1e-6)$value,
    gaussian_mechanism = function() gaussian_mechanism(1, 1, rho = 1e-9)$value,
    exponential_mechanism = function() {
      replicate(30, exponential_mechanism(1:100, 1, 1e-3)$value)
    },
    sparse_vector = function() {
      c(sparse_vector(rep(0, 200), 0, 1, 1e-3, cutoff = 200)$value)
    },
    private_median = function() {
      replicate(10, private_median(c(0.1, 0.4, 0.6), 0, 1, 3, 1e-3)$value)
    },
    sieve_and_examine = function() {
      replicate(200, unlist(sieve_and_examine(list(length), 10, 5, 1, 1e-3)$value))
    }
  )
  for (learner in names(paper_learners)) {
    answers[[learner]] <- local({
      learn <- paper_learners[[learner]]
      # Two fits agree in up to four of five cases; a hundred pairs in one of 1e9.
      function() replicate(100, as.vector(learn(data[1:3], 0.1, 1e-6)$amat))
    })
  }
  for (name in names(answers)) {
    with_seed(1, {
      before <- get(".Random.seed", globalenv())
      first <- suppressMessages(answers[[name]]())
      expect_identical(get(".Random.seed", globalenv()), before, label = name)
      set.seed(1)
      expect_false(identical(suppressMessages(answers[[name]]()), first), label = name)
    })
  }
})
