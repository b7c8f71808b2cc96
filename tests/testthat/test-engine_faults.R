# An engine that fails, or changes, in the middle: a clear error, no graph, and a budget that has
# paid.

asia_rows <- function() simulate(network("asia"), nsim = 3000, seed = 7)

# Statements: the kinds of columns, the number of rows, then one or more for each stage. `trouble`
# happens before number `at`.
with_trouble <- function(at, trouble, code) {
  ask <- ask_engine
  asked <- 0
  with_replacement("ask_engine", function(con, sql) {
    asked <<- asked + 1
    if (asked == at) trouble(con)
    ask(con, sql)
  }, code)
}

# Of what a budget has.
budget_left <- function(budget) {
  cap <- if (budget$delta > 0) budget$rho else budget$epsilon
  spent <- utils::tail(privacy_ledger(budget)$cumulative, 1)
  max(0, round(cap - spent, 12))
}

# 20 variables: no table holds all of them, so that parents and children are a stage of their own.
child_rows <- function() simulate(network("child"), nsim = 2000, seed = 7)

test_that("a data base that fails before anything is paid says so", {
  con <- local_sqlite()
  data <- remote_table(con, asia_rows())
  declared <- asia_rows()[0, ]
  gone <- function(con) stop("the line is dead\nand more")
  for (at in 1:2) {
    budget <- privacy_budget(2, 1e-6)
    expect_error(
      with_trouble(at, gone, marginal_pc(data, 1, levels = declared, budget = budget)),
      class = "privpc_not_opened"
    )
    expect_identical(nrow(privacy_ledger(budget)), 0L)
  }
  expect_snapshot(show_refusal(with_trouble(1, gone, marginal_pc(data, 1, levels = declared))))
  DBI::dbRemoveTable(con, "cohort")
  expect_error(marginal_pc(data, 1, levels = declared), class = "privpc_not_opened")
})

learn_child <- function(data, declared, budget = NULL) {
  marginal_pc(
    data, 5, 1e-6, parameters = TRUE, levels = declared, budget = budget,
    seed = if (is.null(budget)) 1
  )
}

# How many statements each stage takes.
statements_of_stages <- function(data, declared) {
  made <- integer()
  write <- counting_sql
  with_replacement("counting_sql", function(...) {
    sql <- write(...)
    made <<- c(made, length(sql))
    sql
  }, learn_child(data, declared))
  made
}

test_that("a data base that fails in any stage is an error that names the stage", {
  con <- local_sqlite()
  child <- child_rows()
  data <- remote_table(con, child)
  declared <- child[0, ]
  gone <- function(con) stop("the line is dead")
  made <- statements_of_stages(data, declared)
  expect_gte(length(made), 2)
  for (at in 2 + seq_len(sum(made))) {
    error <- expect_error(
      with_trouble(at, gone, learn_child(data, declared)), class = "privpc_not_counted"
    )
    stage <- findInterval(at - 3, c(0, cumsum(made)))
    expect_match(conditionMessage(error), paste("stage", stage))
  }
  budget <- privacy_budget(5, 1e-6)
  expect_snapshot(show_refusal(
    with_trouble(3, gone, learn_child(data, declared, budget))
  ))
  expect_identical(budget_left(budget), 0)
  expect_snapshot(show_refusal(
    with_trouble(2 + sum(made), gone, learn_child(data, declared))
  ))
  pure <- privacy_budget(1)
  expect_error(
    with_trouble(3, gone, private_test(
      data, "Age", "Sick", epsilon = 0.25, test = "tau", levels = declared, budget = pure
    )), class = "privpc_not_counted"
  )
  expect_identical(budget_left(pure), 0.75)
})

test_that("data that change between stages give no graph", {
  con <- local_sqlite()
  child <- child_rows()
  declared <- child[0, ]
  last <- 2 + sum(statements_of_stages(remote_table(con, child), declared))
  changes <- list(
    fewer = function(con) DBI::dbExecute(con, "DELETE FROM cohort WHERE rowid = 1"),
    more = function(con) DBI::dbExecute(con, "INSERT INTO cohort SELECT * FROM cohort LIMIT 1"),
    # In a column that the first stage asks for, as all of them.
    unknown = function(con) DBI::dbExecute(con, "UPDATE cohort SET Age = 'odd' WHERE rowid = 1"),
    empty = function(con) DBI::dbExecute(con, "DELETE FROM cohort")
  )
  for (change in changes) {
    data <- remote_table(con, child)
    expect_error(
      with_trouble(3, change, learn_child(data, declared)), class = "privpc_changed_data"
    )
  }
  for (change in changes[c("fewer", "more", "empty")]) {
    data <- remote_table(con, child)
    expect_error(
      with_trouble(last, change, learn_child(data, declared)), class = "privpc_changed_data"
    )
  }
  budget <- privacy_budget(5, 1e-6)
  data <- remote_table(con, child)
  expect_snapshot(show_refusal(
    with_trouble(3, changes$fewer, learn_child(data, declared, budget))
  ))
})

test_that("a PostgreSQL server that is killed, cancels or loses the table is an error", {
  server <- local_postgres()
  child <- child_rows()
  declared <- child[0, ]
  data <- remote_table(server$con, child)
  last <- 2 + sum(statements_of_stages(data, declared))
  expect_gte(last, 4)
  learn <- function(budget = NULL) learn_child(data, declared, budget)
  cancel <- function(con) DBI::dbExecute(con, "SET statement_timeout = 1")
  expect_error(with_trouble(last, cancel, learn()), "timeout", class = "privpc_not_counted")
  DBI::dbExecute(server$con, "SET statement_timeout = 0")
  drop <- function(con) DBI::dbRemoveTable(con, "cohort")
  expect_error(with_trouble(3, drop, learn()), "cohort", class = "privpc_not_counted")
  data <- remote_table(server$con, child)
  budget <- privacy_budget(5, 1e-6)
  killed <- function(con) server$stop("immediate")
  expect_error(with_trouble(3, killed, learn(budget)), class = "privpc_not_counted")
  expect_identical(budget_left(budget), 0)
  untouched <- privacy_budget(5, 1e-6)
  expect_error(learn(untouched), class = "privpc_not_opened")
  expect_identical(nrow(privacy_ledger(untouched)), 0L)
})

test_that("what needs records is refused, before anything is spent", {
  con <- local_sqlite()
  asia <- asia_rows()
  data <- remote_table(con, asia)
  declared <- asia[0, ]
  budget <- privacy_budget(2, 1e-6)
  expect_snapshot({
    show_refusal(priv_pc(data, 1, test = "g2", levels = declared, budget = budget))
    show_refusal(priv_pc(data, 1, subsample = 0.5, levels = declared, budget = budget))
    show_refusal(private_test(
      data, "asia", "tub", test = "chisq", epsilon = 1, levels = declared, budget = budget
    ))
    show_refusal(svt_pc(
      remote_table(con, cbind(asia, age = 1:3000)), 1, levels = declared,
      breaks = list(age = c(0, 40, 65, 120)), budget = budget
    ))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  # A number can be conditioned on.
  aged <- remote_table(con, cbind(asia, age = 1:3000))
  expect_identical(
    cond_tau(aged, "asia", "tub", "age", levels = declared, breaks = list(age = c(0, 40, 65)))$p.value,
    cond_tau(cbind(asia, age = 1:3000), "asia", "tub", "age", breaks = list(age = c(0, 40, 65)))$p.value
  )
})
