# Where counts come from changes nothing: one seed gives one fit, from a data frame and from every
# engine.

# One data set, once in each engine that is here.
engine_connections <- function(env = parent.frame()) {
  # Without a server only SQLite is left: that PostgreSQL is missing is told below, as a skip.
  postgres <- tryCatch(list(local_postgres(env)$con), skip = function(e) list())
  c(list(local_sqlite(env)), postgres)
}

expect_same_everywhere <- function(data, connections, learn) {
  expected <- without_call(learn(data))
  for (con in connections) {
    expect_identical(without_call(learn(remote_table(con, data))), expected)
  }
}

# Factors with their levels, and no record.
declared_in <- function(name) simulate(network(name), nsim = 1, seed = 1)[0, ]

test_that("the PostgreSQL server of these tests runs", {
  server <- local_postgres()
  expect_identical(DBI::dbGetQuery(server$con, "SELECT 1 AS one")$one, 1L)
})

test_that("marginal_pc() finds the same in every engine, for all networks", {
  connections <- engine_connections()
  for (name in networks()$name) {
    data <- simulate(network(name), nsim = 3000, seed = 7)
    expect_same_everywhere(data, connections, function(data) {
      marginal_pc(
        data, epsilon = 2, seed = 1, parameters = name == "asia", levels = declared_in(name)
      )
    })
  }
})

test_that("the paper's learners find the same in every engine, for all networks", {
  connections <- engine_connections()
  for (name in networks()$name) {
    data <- simulate(network(name), nsim = 3000, seed = 8)
    for (learner in names(paper_learners)) {
      if (learner == "em_pc" && length(data) > 20) next # scores all sets: long, and no other path
      expect_same_everywhere(data, connections, function(data) {
        suppressMessages(paper_learners[[learner]](
          data, epsilon = 20, seed = 2, levels = declared_in(name),
          test = if (learner == "svt_pc") "rho" else "tau", max_order = 1
        ))
      })
    }
  }
  data <- simulate(network("asia"), nsim = 3000, seed = 8)
  expect_same_everywhere(data, connections, function(data) {
    suppressMessages(priv_pc(data, epsilon = 20, delta = 0, seed = 2, levels = declared_in("asia")))
  })
})

test_that("exact_pc() finds the same in every engine, with all tests", {
  connections <- engine_connections()
  for (name in c("asia", "survey", "sachs", "child")) {
    data <- simulate(network(name), nsim = 2000, seed = 9)
    for (test in learner_tests("exact_pc")) {
      expect_same_everywhere(data, connections, function(data) {
        suppressMessages(exact_pc(
          data, test = test, levels = declared_in(name), max_order = 2,
          df = if (test == "chisq") "occurring" else "declared",
          colliders = if (test == "cmh") "sepset" else "max-p"
        ))
      })
    }
  }
})

test_that("single tests find the same in every engine", {
  connections <- engine_connections()
  survey <- simulate(network("survey"), nsim = 2000, seed = 9)
  for (con in connections) {
    data <- survey
    expected <- private_test(data, "A", "E", given = "S", epsilon = 1, seed = 3)
    exact <- lapply(list(cond_tau, cond_rho, cond_g2, cond_chisq, cond_cmh), function(test) {
      test(data, "A", "E", given = c("S", "R"))
    })
    data <- remote_table(con, survey)
    declared <- declared_in("survey")[c("A", "E", "S", "R")] # of others nothing is asked
    found <- private_test(data, "A", "E", given = "S", epsilon = 1, seed = 3, levels = declared)
    expect_identical(found, expected)
    tests <- list(cond_tau, cond_rho, cond_g2, cond_chisq, cond_cmh)
    expect_identical(lapply(tests, function(test) {
      test(data, "A", "E", given = c("S", "R"), levels = declared)
    }), exact)
  }
})

# Names and values that would change the meaning of a careless statement.
odd_data <- function(n = 600) {
  set.seed(1)
  words <- c("it's", 'say "yes"', "a\\b", "\u00e4\u4e16", "'; DROP TABLE cohort; --", " ")
  a <- sample(6, n, TRUE)
  data <- data.frame(
    words[ifelse(runif(n) < 0.7, a, sample(6, n, TRUE))],
    c("no", "yes")[1 + (a > 3)], sample(c(0.1, 1 / 3, 0.3, 2, -1e-9, 1e20), n, TRUE),
    sample(0:2, n, TRUE), a > 2, sample(c(NA, "x", "y", "z"), n, TRUE)
  )
  names(data) <- c(
    'a "b" `c`', "SELECT 1; --", "x'y", "\u00fcber", "privpc_v1", "with space"
  )
  list(data = data, words = words)
}

test_that("columns and values of any name are counted, and numbers fall into the same bins", {
  odd <- odd_data()
  declared <- stats::setNames(list(
    odd$words, factor(levels = c("yes", "no")), factor(levels = 0:2, ordered = TRUE),
    c(FALSE, TRUE), c("x", "y")
  ), names(odd$data)[-3])
  cuts <- stats::setNames(list(c(-Inf, -1e-9, 0.1, 0.3, 1 / 3, 1e20, Inf)), names(odd$data)[[3]])
  learn <- function(data, ...) {
    marginal_pc(data, epsilon = 3, seed = 1, levels = declared, breaks = cuts, ...)
  }
  rules <- list(
    na = c("with space" = "level"), other = c("with space" = "rest", "SELECT 1; --" = "no")
  )
  for (con in engine_connections()) {
    # No data frame in between: the declaration alone makes the same of text as of a data frame.
    table <- remote_table(con, odd$data)
    by_name <- do.call(learn, c(list(table), rules))
    expect_identical(without_call(by_name), without_call(do.call(learn, c(list(odd$data), rules))))
    expect_identical(by_name$measurements$levels[[match("with space", by_name$measurements$nodes)]],
                     c("x", "y", "rest", "NA"))
    expect_true(DBI::dbExistsTable(con, "cohort"))
  }
})

test_that("infinite numbers, and what is none, fall where they fall in R", {
  server <- local_postgres()
  data <- data.frame(
    x = rep(c(-Inf, -1, 0, 1, Inf, NaN, NA, 0.5), 50), y = rep(c("a", "b"), each = 200),
    z = rep(c("u", "v"), 200)
  )
  learn <- function(data, ...) {
    marginal_pc(
      data, epsilon = 5, seed = 1, levels = list(y = c("a", "b"), z = c("u", "v")),
      breaks = list(x = c(-2, 0, 0.5, 2)), ...
    )
  }
  table <- remote_table(server$con, data)
  expect_identical(
    without_call(learn(table, na = c(x = "level"))), without_call(learn(data, na = c(x = "level")))
  )
  expect_error(learn(table), class = "privpc_gaps")
  known <- data[!is.na(data$x) | is.nan(data$x), ]
  expect_error(learn(remote_table(server$con, known)), class = "privpc_gaps")
})

test_that("a query is a table like any other", {
  data <- simulate(network("asia"), nsim = 3000, seed = 7)
  for (con in engine_connections()) {
    table <- remote_table(con, cbind(data, id = seq_len(3000), age = rep(c(20, 50, 70), 1000)))
    asked <- dplyr::filter(table, .data$id <= 2000, .data$age > 30)
    asked <- dplyr::select(asked, -"id", -"dysp")
    asked <- dplyr::mutate(asked, old = .data$age > 60, age = NULL)
    kept <- data[1:2000, ]
    kept$dysp <- NULL
    kept$old <- factor(rep(c(20, 50, 70), 1000)[1:2000] > 60)
    kept <- kept[rep(c(20, 50, 70), 1000)[1:2000] > 30, ]
    declared <- c(as.list(declared_in("asia")[names(kept)[-8]]), list(old = c(FALSE, TRUE)))
    expect_identical(
      without_call(marginal_pc(asked, epsilon = 2, seed = 1, levels = declared)),
      without_call(marginal_pc(kept, epsilon = 2, seed = 1))
    )
  }
})

test_that("the number of records stays a secret where it is one", {
  con <- local_sqlite()
  data <- simulate(network("asia"), nsim = 3000, seed = 7)
  expect_same_everywhere(data, list(con), function(data) {
    marginal_pc(
      data, epsilon = 2, seed = 1, neighbours = "add-remove", levels = declared_in("asia")
    )
  })
})

test_that("statements do not tell a secret number of records", {
  con <- local_sqlite()
  asked <- function(rows) {
    set.seed(1)
    data <- as.data.frame(
      lapply(c(a = 1, b = 2, c = 3), function(i) sample(c("x", "y", "z"), rows, TRUE))
    )
    table <- remote_table(con, data)
    levels <- lapply(c(a = 1, b = 2, c = 3), function(i) c("x", "y", "z"))
    sent <- character()
    ask <- ask_engine
    with_replacement("ask_engine", function(con, sql) {
      sent <<- c(sent, sql)
      ask(con, sql)
    }, suppressWarnings(
      marginal_pc(table, 1e4, seed = 1, neighbours = "add-remove", levels = levels)
    ))
    sent[1:3]
  }
  expect_identical(asked(26), asked(28))
})

test_that("pairs that are selected before they are measured are the same", {
  con <- local_sqlite()
  set.seed(1)
  flags <- matrix(stats::rbinom(3000 * 55, 1, 0.5), 3000)
  for (j in 2:55) {
    same <- stats::runif(3000) < 0.6
    flags[same, j] <- flags[same, j - 1]
  }
  numbers <- as.data.frame(flags)
  data <- numbers
  data[] <- lapply(numbers, factor, levels = 0:1)
  expected <- marginal_pc(data, 3, seed = 1)
  expect_true(expected$settings$selects)
  found <- marginal_pc(remote_table(con, numbers), 3, seed = 1, levels = data[0, ])
  expect_identical(without_call(found), without_call(expected))
})

test_that("in SQLite a column may hold anything, and what is no number is in no bin", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE odd (age REAL, b TEXT)")
  rows <- data.frame(age = rep(c(30, 50), 50), b = rep(c("u", "v"), each = 50))
  DBI::dbAppendTable(con, "odd", rows)
  learn <- function(data, ...) {
    marginal_pc(
      data, 100, seed = 1, levels = list(b = c("u", "v")), breaks = list(age = c(0, 40, 90)), ...
    )
  }
  expect_identical(without_call(learn(dplyr::tbl(con, "odd"))), without_call(learn(rows)))
  DBI::dbExecute(con, "UPDATE odd SET age = '' WHERE rowid = 7")
  expect_error(learn(dplyr::tbl(con, "odd"), na = "level"), class = "privpc_gaps")
})

test_that("in SQLite an expression is compared by its value", {
  con <- local_sqlite()
  data <- data.frame(s = rep(0:3, 50), b = rep(c("u", "v"), 100))
  remote <- remote_table(con, data)
  levels <- list(b = c("u", "v"))
  shares <- function(remote, z, other) {
    fit <- marginal_pc(
      remote, 1000, seed = 1, levels = c(levels, list(z = z)), other = c(z = other)
    )
    round(measured(fit, "z")$share, 2)
  }
  above <- dplyr::select(dplyr::mutate(remote, z = s > 1), z, b)
  expect_identical(shares(above, c("FALSE", "TRUE"), "FALSE"), c(0.5, 0.5))
  number <- dplyr::select(dplyr::mutate(remote, z = s * 1L), z, b)
  expect_identical(shares(number, factor(levels = c("0", "1")), "more"), c(0.25, 0.25, 0.5))
  as_text <- dplyr::select(dplyr::mutate(remote, z = paste0(s, "")), z, b)
  expect_identical(shares(as_text, c(0, 1), "more"), c(0.25, 0.25, 0.5))
  text <- dplyr::select(dplyr::mutate(remote, z = paste0(b, "1")), z, b)
  expect_identical(shares(text, c("u1", "w1"), "w1"), c(0.5, 0.5))
})

test_that("a query in which one record decides on another is spoken of", {
  con <- local_sqlite()
  asia <- simulate(network("asia"), nsim = 500, seed = 1)
  data <- remote_table(con, asia)
  learn <- function(data) marginal_pc(data, 1, levels = asia[0, ], seed = 1)
  rlang::local_options(rlib_message_verbosity = "verbose")
  expect_message(learn(utils::head(data, 100)), class = "privpc_query_of_others")
  expect_message(learn(dplyr::distinct(data)), class = "privpc_query_of_others")
  expect_no_message(learn(data), class = "privpc_query_of_others")
  expect_no_message(
    learn(dplyr::filter(data, smoke != "LIMIT")), class = "privpc_query_of_others"
  )
  expect_no_message(
    learn(dplyr::mutate(data, dysp = ifelse(dysp == "top", "no", dysp))),
    class = "privpc_query_of_others"
  )
  said <- tryCatch(learn(utils::head(data, 100)), message = conditionMessage)
  expect_snapshot(cat(said))
})
