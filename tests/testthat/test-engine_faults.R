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

# 37 variables: no table holds all of them, so that there are several stages.
alarm_rows <- function() simulate(network("alarm"), nsim = 2000, seed = 7)

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

test_that("a data base that fails in any stage is an error that names the stage", {
  con <- local_sqlite()
  alarm <- alarm_rows()
  data <- remote_table(con, alarm)
  declared <- alarm[0, ]
  gone <- function(con) stop("the line is dead")
  statements <- 0
  with_trouble(Inf, identity, with_replacement("counting_sql", {
    write <- counting_sql
    function(...) {
      made <- write(...)
      statements <<- statements + length(made)
      made
    }
  }, marginal_pc(data, 2, levels = declared, seed = 1)))
  expect_gte(statements, 3)
  for (at in 2 + seq_len(statements)) {
    expect_error(
      with_trouble(at, gone, marginal_pc(data, 2, levels = declared, seed = 1)),
      class = "privpc_not_counted"
    )
  }
  budget <- privacy_budget(2, 1e-6)
  expect_snapshot(show_refusal(
    with_trouble(3, gone, marginal_pc(data, 2, 1e-6, levels = declared, budget = budget))
  ))
  expect_identical(budget_left(budget), 0)
  expect_snapshot(show_refusal(
    with_trouble(4, gone, marginal_pc(data, 2, levels = declared))
  ))
  pure <- privacy_budget(1)
  expect_error(
    with_trouble(3, gone, private_test(
      data, "HR", "CATECHOL", epsilon = 0.25, test = "tau", levels = declared, budget = pure
    )), class = "privpc_not_counted"
  )
  expect_identical(budget_left(pure), 0.75)
})

# Of what a budget has.
budget_left <- function(budget) {
  cap <- if (budget$delta > 0) budget$rho else budget$epsilon
  spent <- utils::tail(privacy_ledger(budget)$cumulative, 1)
  max(0, round(cap - spent, 12))
}

test_that("data that change between stages give no graph", {
  con <- local_sqlite()
  alarm <- alarm_rows()
  declared <- alarm[0, ]
  changes <- list(
    fewer = function(con) DBI::dbExecute(con, "DELETE FROM cohort WHERE rowid = 1"),
    more = function(con) DBI::dbExecute(con, "INSERT INTO cohort SELECT * FROM cohort LIMIT 1"),
    unknown = function(con) DBI::dbExecute(con, "UPDATE cohort SET HR = 'odd' WHERE rowid = 1"),
    empty = function(con) DBI::dbExecute(con, "DELETE FROM cohort")
  )
  for (change in changes) {
    for (at in 3:4) {
      data <- remote_table(con, alarm)
      expect_error(
        with_trouble(at, change, marginal_pc(data, 2, levels = declared, seed = 1)),
        class = "privpc_changed_data"
      )
    }
  }
  budget <- privacy_budget(2, 1e-6)
  data <- remote_table(con, alarm)
  expect_snapshot(show_refusal(
    with_trouble(4, changes$fewer, marginal_pc(data, 2, 1e-6, levels = declared, budget = budget))
  ))
})

test_that("a PostgreSQL server that is killed, cancels or loses the table is an error", {
  server <- local_postgres()
  alarm <- alarm_rows()
  declared <- alarm[0, ]
  data <- remote_table(server$con, alarm)
  learn <- function(budget = NULL) marginal_pc(data, 1, 1e-6, levels = declared, budget = budget)
  cancel <- function(con) DBI::dbExecute(con, "SET statement_timeout = 1")
  expect_error(with_trouble(4, cancel, learn()), "timeout", class = "privpc_not_counted")
  DBI::dbExecute(server$con, "SET statement_timeout = 0")
  drop <- function(con) DBI::dbRemoveTable(con, "cohort")
  expect_error(with_trouble(3, drop, learn()), "cohort", class = "privpc_not_counted")
  data <- remote_table(server$con, alarm)
  budget <- privacy_budget(1, 1e-6)
  killed <- function(con) server$stop("immediate")
  expect_error(with_trouble(4, killed, learn(budget)), class = "privpc_not_counted")
  expect_identical(budget_left(budget), 0)
  expect_error(learn(), class = "privpc_not_opened")
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
