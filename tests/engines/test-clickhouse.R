# ClickHouse as a cluster: two servers, and a table that is distributed over both. Neighbouring
# records are on different servers, and so are those of one person.

expect_same_fit <- function(table, data, learn) {
  expect_identical(
    without_call(suppressMessages(learn(table))), without_call(suppressMessages(learn(data)))
  )
}

test_that("the cluster holds half of the records in each server", {
  cluster <- local_clickhouse_cluster()
  table <- distributed_table(cluster, simulate(network("asia"), nsim = 3001, seed = 7))
  expect_identical(rows_of_shards(cluster), c(1501, 1500))
  expect_identical(engine_of(cluster$con)$name, "ClickHouse")
  expect_equal(as.double(dplyr::collect(dplyr::count(table))$n), 3001)
})

test_that("learners find in the cluster what they find in a data frame, for all networks", {
  cluster <- local_clickhouse_cluster()
  for (name in networks()$name) {
    data <- simulate(network(name), nsim = 3000, seed = 7)
    table <- distributed_table(cluster, data)
    levels <- data[0, ]
    expect_same_fit(table, data, function(x) {
      marginal_pc(x, 2, seed = 1, parameters = name == "asia", levels = levels)
    })
    for (learner in names(paper_learners)) {
      if (learner == "em_pc" && length(data) > 20) next # scores all sets: long, and no other path
      expect_same_fit(table, data, function(x) {
        paper_learners[[learner]](
          x, epsilon = 20, seed = 2, levels = levels,
          test = if (learner == "svt_pc") "rho" else "tau", max_order = 1
        )
      })
    }
  }
  asia <- simulate(network("asia"), nsim = 3000, seed = 8)
  table <- distributed_table(cluster, asia)
  expect_same_fit(table, asia, function(x) priv_pc(x, 20, 0, seed = 2, levels = asia[0, ]))
  expect_same_fit(table, asia, function(x) {
    marginal_pc(x, 2, seed = 1, neighbours = "add-remove", levels = asia[0, ])
  })
})

test_that("exact_pc() finds the same in the cluster, with all tests", {
  cluster <- local_clickhouse_cluster()
  for (name in c("asia", "survey", "sachs", "child")) {
    data <- simulate(network(name), nsim = 2000, seed = 9)
    table <- distributed_table(cluster, data)
    for (test in learner_tests("exact_pc")) {
      expect_same_fit(table, data, function(x) {
        exact_pc(
          x, test = test, levels = data[0, ], max_order = 2,
          df = if (test == "chisq") "occurring" else "declared",
          colliders = if (test == "cmh") "sepset" else "max-p"
        )
      })
    }
  }
})

test_that("single tests find the same in the cluster", {
  cluster <- local_clickhouse_cluster()
  survey <- simulate(network("survey"), nsim = 2000, seed = 9)
  table <- distributed_table(cluster, survey)
  levels <- survey[0, c("A", "E", "S", "R")] # of others nothing is asked
  for (test in list(cond_tau, cond_rho, cond_g2, cond_chisq, cond_cmh)) {
    expect_same_fit(table, survey, function(x) {
      test(x, "A", "E", given = c("S", "R"), levels = levels)
    })
  }
  expect_same_fit(table, survey, function(x) {
    private_test(x, "A", "E", given = "S", epsilon = 1, seed = 3, levels = levels)
  })
})

test_that("names and values of any kind are counted as in a data frame", {
  cluster <- local_clickhouse_cluster()
  set.seed(1)
  n <- 600
  words <- c("it's", 'say "yes"', "a\\b", "\u00e4\u4e16", "'; DROP TABLE cohort; --", " ")
  a <- sample(6, n, TRUE)
  data <- data.frame(
    words[ifelse(stats::runif(n) < 0.7, a, sample(6, n, TRUE))], c("no", "yes")[1 + (a > 3)],
    sample(c(0.1, 1 / 3, 0.3, 2, -1e-9, 1e20), n, TRUE), sample(0:2, n, TRUE), a > 2,
    sample(c(NA, "x", "y", "z"), n, TRUE)
  )
  names(data) <- c('a "b" `c`', "SELECT 1; --", "x'y\\", "\u00fcber", "privpc_v1", "with space")
  declared <- stats::setNames(list(
    words, factor(levels = c("yes", "no")), factor(levels = 0:2, ordered = TRUE), c(FALSE, TRUE),
    c("x", "y")
  ), names(data)[-3])
  cuts <- stats::setNames(list(c(-Inf, -1e-9, 0.1, 0.3, 1 / 3, 1e20, Inf)), names(data)[[3]])
  table <- distributed_table(cluster, data)
  expect_same_fit(table, data, function(x) {
    marginal_pc(
      x, 3, seed = 1, levels = declared, breaks = cuts, na = c("with space" = "level"),
      other = c("with space" = "rest", "SELECT 1; --" = "no")
    )
  })
  expect_equal(sum(rows_of_shards(cluster)), n)
})

test_that("numbers, and what is none, fall where they fall in R", {
  cluster <- local_clickhouse_cluster()
  data <- data.frame(
    x = rep(c(-Inf, -1, 0, 1, Inf, NaN, NA, 0.5), 50), y = rep(c("a", "b"), each = 200),
    z = rep(c(3L, NA, 1L, 2L, 1L), 80)
  )
  learn <- function(x, ...) {
    marginal_pc(
      x, 5, seed = 1, levels = list(y = c("a", "b")),
      breaks = list(x = c(-2, 0, 0.5, 2), z = c(0, 1, 2, 3)), ...
    )
  }
  table <- distributed_table(cluster, data)
  expect_same_fit(table, data, function(x) learn(x, na = "level"))
  expect_error(learn(table), class = "privpc_gaps")
  expect_error(learn(table, na = c(x = "level")), class = "privpc_gaps")
  known <- data[!is.na(data$x) & !is.na(data$z), ]
  expect_same_fit(distributed_table(cluster, known), known, learn)
  # The driver writes NaN as NULL.
  made <- dplyr::mutate(distributed_table(cluster, known), x = dplyr::sql("if(x = 1, nan, x)"))
  known$x[known$x == 1] <- NaN
  expect_same_fit(made, known, function(x) learn(x, na = c(x = "level")))
  expect_error(learn(made), class = "privpc_gaps")
})

test_that("a query is a table like any other", {
  cluster <- local_clickhouse_cluster()
  asia <- simulate(network("asia"), nsim = 3000, seed = 7)
  age <- rep(c(20, 50, 70), 1000)
  table <- distributed_table(cluster, cbind(asia, row = seq_len(3000), age = age))
  asked <- dplyr::filter(table, .data$row <= 2000, .data$age > 30)
  asked <- dplyr::select(asked, -"row", -"dysp")
  asked <- dplyr::mutate(asked, old = .data$age > 60, age = NULL)
  kept <- asia[seq_len(3000) <= 2000 & age > 30, ]
  kept$dysp <- NULL
  kept$old <- factor(age[seq_len(3000) <= 2000 & age > 30] > 60)
  declared <- c(as.list(asia[0, names(kept)[-8]]), list(old = c(FALSE, TRUE)))
  expect_same_fit(asked, kept, function(x) {
    marginal_pc(x, 2, seed = 1, levels = if (is.data.frame(x)) NULL else declared)
  })
})

# ---- several records per person ------------------------------------------------------------------

test_that("records of a person come together from both servers", {
  cluster <- local_clickhouse_cluster()
  data <- some_visits("asia")
  on_both <- tapply(seq_len(nrow(data)) %% 2, data$whose, function(x) length(unique(x)) == 2)
  expect_gt(mean(on_both), 0.8)
  expect_gt(sum(table(data$whose) > 10), 100)
  levels <- data[0, 1:8]
  table <- distributed_table(cluster, data)
  for (id in c("whose", "person")) {
    for (first_by in list(NULL, "visit", "day", "when")) {
      kept <- c(names(levels), id, first_by)
      for (most in c(1, 3, 10)) {
        expect_same_fit(dplyr::select(table, dplyr::all_of(kept)), data[kept], function(x) {
          marginal_pc(
            x, 3, seed = 1, id = id, max_records = most, first_by = first_by, levels = levels
          )
        })
      }
    }
  }
})

test_that("all learners and tests count persons of the cluster alike", {
  cluster <- local_clickhouse_cluster()
  data <- some_visits("survey")
  levels <- data[0, 1:6]
  for (first_by in list(NULL, "day")) {
    kept <- c(names(levels), "person", first_by)
    table <- distributed_table(cluster, data[kept])
    for (learn in person_learners(levels, id = "person", first_by = first_by)) {
      expect_same_fit(table, data[kept], learn)
    }
  }
})

test_that("a time that is no number is a missing one", {
  cluster <- local_clickhouse_cluster()
  data <- some_visits("asia")
  kept <- c(names(data)[1:8], "whose", "when")
  data <- data[kept]
  data$when[is.na(data$when)] <- -1
  table <- dplyr::mutate(
    distributed_table(cluster, data),
    when = dplyr::sql("if(`when` = -1, if(whose % 2 = 0, nan, NULL), `when`)")
  )
  data$when[data$when == -1] <- NA
  expect_same_fit(table, data, function(x) {
    marginal_pc(
      x, 3, seed = 1, id = "whose", max_records = 3, first_by = "when", levels = data[0, 1:8]
    )
  })
})

test_that("ids may be NULL-able, but none may be NULL", {
  cluster <- local_clickhouse_cluster()
  data <- some_visits("asia")
  data <- data[c(names(data)[1:8], "person")]
  levels <- data[0, 1:8]
  lacking <- data
  lacking$person[[17]] <- NA
  table <- distributed_table(cluster, lacking)
  learn <- function(x) marginal_pc(x, 3, seed = 1, id = "person", max_records = 3, levels = levels)
  expect_error(learn(table), class = "privpc_without_id")
  known <- dplyr::filter(table, !is.na(.data$person))
  expect_same_fit(known, data[-17, ], learn)
  lacking$person[[17]] <- ""
  expect_error(learn(distributed_table(cluster, lacking)), class = "privpc_without_id")
})
