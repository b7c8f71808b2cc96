# An engine that fails, or changes, in the middle: a clear error, no graph, and a budget that has
# paid.

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

# A count that needs more room than there is, for what is sorted outside of memory.
with_little_memory <- function(con) {
  DBI::dbExecute(con, "SET work_mem = '64kB'")
  DBI::dbExecute(con, "SET enable_hashagg = off")
}

test_that("a PostgreSQL server whose disk is full, or may not be used, is an error", {
  server <- local_postgres()
  child <- simulate(network("child"), nsim = 20000, seed = 7)
  declared <- child[0, ]
  data <- remote_table(server$con, child)
  with_little_memory(server$con)
  no_files <- function(con) DBI::dbExecute(con, "SET temp_file_limit = 0")
  budget <- privacy_budget(5, 1e-6)
  expect_error(
    with_trouble(3, no_files, learn_child(data, declared, budget)), "temporary file size",
    class = "privpc_not_counted"
  )
  expect_identical(budget_left(budget), 0)
  DBI::dbExecute(server$con, "SET temp_file_limit = -1")
  disk <- local_tiny_disk(server$folder)
  DBI::dbExecute(server$con, sprintf("CREATE TABLESPACE tiny LOCATION '%s'", disk))
  full <- function(con) DBI::dbExecute(con, "SET temp_tablespaces = 'tiny'")
  for (at in c(3, 2 + sum(statements_of_stages(data, declared)))) {
    DBI::dbExecute(server$con, "RESET temp_tablespaces")
    budget <- privacy_budget(5, 1e-6)
    expect_error(
      with_trouble(at, full, learn_child(data, declared, budget)), "No space left on device",
      class = "privpc_not_counted"
    )
    expect_identical(budget_left(budget), 0)
  }
  # It goes on when there is room again.
  DBI::dbExecute(server$con, "RESET temp_tablespaces")
  expect_identical(
    without_call(learn_child(data, declared)), without_call(learn_child(child, declared))
  )
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
    cond_tau(
      aged, "asia", "tub", "age", levels = declared, breaks = list(age = c(0, 40, 65))
    )$p.value,
    cond_tau(
      cbind(asia, age = 1:3000), "asia", "tub", "age", breaks = list(age = c(0, 40, 65))
    )$p.value
  )
})
