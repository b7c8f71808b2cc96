# A cluster of which a part fails: a clear error, never a graph of half the data, and a budget that
# has paid what was started and nothing else.

# `trouble` happens before a stage is counted; stages count from 1.
before_stage <- function(stage, trouble, code) {
  ask <- ask_engine
  counted <- 0
  with_replacement("ask_engine", function(con, sql) {
    if (grepl("arrayJoin", sql, fixed = TRUE)) {
      counted <<- counted + 1
      if (counted == stage) trouble()
    }
    ask(con, sql)
  }, code)
}

run_later <- function(seconds, command) {
  processx::process$new("sh", c("-c", paste("sleep", seconds, ";", command)))
}

# Of two stages or more, each of one statement.
cluster_with_child <- function(env = parent.frame()) {
  cluster <- local_clickhouse_cluster(env)
  cluster$rows <- child_rows()
  cluster$declared <- cluster$rows[0, ]
  cluster$data <- distributed_table(cluster, cluster$rows)
  made <- statements_of_stages(cluster$data, cluster$declared)
  stopifnot(length(made) > 1, made == 1)
  cluster$last <- length(made)
  cluster
}

test_that("a server that is down from the beginning: nothing is spent", {
  cluster <- cluster_with_child()
  for (at in 2:1) {
    cluster$kill(at)
    budget <- privacy_budget(5, 1e-6)
    expect_error(
      learn_child(cluster$data, cluster$declared, budget), class = "privpc_not_opened"
    )
    expect_identical(nrow(privacy_ledger(budget)), 0L)
  }
})

test_that("a server that is killed before a stage: an error that names it, and the price is paid", {
  for (at in 2:1) {
    for (stage in c("first", "last")) {
      cluster <- cluster_with_child()
      number <- if (stage == "first") 1 else cluster$last
      budget <- privacy_budget(5, 1e-6)
      error <- expect_error(
        before_stage(number, function() cluster$kill(at), {
          learn_child(cluster$data, cluster$declared, budget)
        }), class = "privpc_not_counted"
      )
      expect_match(conditionMessage(error), paste("stage", number))
      expect_identical(budget_left(budget), 0)
    }
  }
})

# So many seconds for each record of a server.
slow <- function(data, seconds = 0.0005) {
  dplyr::filter(data, dplyr::sql(paste0("sleepEachRow(", seconds, ") = 0")))
}

test_that("a server that is killed while it counts", {
  for (at in 2:1) {
    cluster <- cluster_with_child()
    budget <- privacy_budget(5, 1e-6)
    kill_soon <- function() run_later(0.2, paste("kill -9", cluster$pid(at)))
    expect_error(
      before_stage(1, kill_soon, learn_child(slow(cluster$data), cluster$declared, budget)),
      class = "privpc_not_counted"
    )
    expect_identical(budget_left(budget), 0)
  }
})

test_that("a query that is cancelled", {
  skip_if(!nzchar(Sys.which("clickhouse-client")), "there is no clickhouse-client")
  cluster <- cluster_with_child()
  budget <- privacy_budget(5, 1e-6)
  cancel_soon <- function() {
    run_later(0.1, paste(
      "clickhouse-client --host 127.0.0.1 --port", cluster$ports[[1, "tcp"]], "--query",
      shQuote("KILL QUERY WHERE query LIKE '%arrayJoin([%' ASYNC")
    ))
  }
  expect_error(
    before_stage(1, cancel_soon, learn_child(slow(cluster$data), cluster$declared, budget)),
    "cancel", class = "privpc_not_counted"
  )
  expect_identical(budget_left(budget), 0)
})

test_that("limits of time and memory", {
  cluster <- cluster_with_child()
  limits <- list(
    list(set = "max_execution_time = 1", message = "Timeout", data = slow(cluster$data, 0.002)),
    list(set = "max_memory_usage = 10000", message = "Memory limit", data = cluster$data)
  )
  for (limit in limits) {
    budget <- privacy_budget(5, 1e-6)
    reach <- function() DBI::dbExecute(cluster$con, paste("SET", limit$set))
    expect_error(
      before_stage(cluster$last, reach, learn_child(limit$data, cluster$declared, budget)),
      limit$message, class = "privpc_not_counted"
    )
    expect_identical(budget_left(budget), 0)
    DBI::dbExecute(cluster$con, sub("=.*", "= 0", paste("SET", limit$set)))
  }
})

test_that("a server that finds more or fewer records in a later stage gives no graph", {
  cluster <- cluster_with_child()
  learn <- function() learn_child(cluster$data, cluster$declared)
  second <- cluster$connections[[2]]
  more <- function() DBI::dbExecute(second, "INSERT INTO shard SELECT * FROM shard LIMIT 1")
  fewer <- function() {
    DBI::dbExecute(second, "RENAME TABLE shard TO whole")
    DBI::dbExecute(second, "CREATE TABLE shard AS whole ENGINE = MergeTree ORDER BY tuple()")
    DBI::dbExecute(second, "INSERT INTO shard SELECT * FROM whole LIMIT 999")
  }
  for (change in list(more, fewer)) {
    for (stage in c(1, cluster$last)) {
      DBI::dbExecute(second, "DROP TABLE IF EXISTS whole")
      cluster$data <- distributed_table(cluster, cluster$rows)
      expect_error(before_stage(stage, change, learn()), class = "privpc_changed_data")
    }
  }
})

test_that("a cluster that would leave out servers without a word is refused", {
  cluster <- cluster_with_child()
  set <- function(...) DBI::dbExecute(cluster$con, paste("SET", ...))
  budget <- privacy_budget(5, 1e-6)
  learn <- function(...) learn_child(cluster$data, cluster$declared, ...)
  set("skip_unavailable_shards = 1")
  expect_error(learn(budget), class = "privpc_incomplete_answers")
  cluster$kill(2)
  # What would have been taken for all records.
  half <- DBI::dbGetQuery(cluster$con, "SELECT count(*) AS n FROM cohort")$n
  expect_equal(as.double(half), nrow(cluster$rows) / 2)
  expect_error(learn(budget), class = "privpc_incomplete_answers")
  expect_error(
    cond_g2(cluster$data, "Age", "Sick", levels = cluster$declared),
    class = "privpc_incomplete_answers"
  )
  set("skip_unavailable_shards = 0")
  set("max_rows_to_read = 500")
  set("read_overflow_mode = 'break'")
  expect_snapshot(show_refusal(learn(budget)))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("a cluster that begins to leave out servers is noticed, also where persons are counted", {
  silence <- function(cluster) {
    function() {
      DBI::dbExecute(cluster$con, "SET skip_unavailable_shards = 1")
      cluster$kill(2)
    }
  }
  cluster <- cluster_with_child()
  expect_error(
    before_stage(cluster$last, silence(cluster), learn_child(cluster$data, cluster$declared)),
    "without some of the records", class = "privpc_not_counted"
  )
  cluster <- local_clickhouse_cluster()
  # Everybody has records in both servers: half of them are of as many persons.
  child <- child_rows()[rep(1:1000, each = 2), ]
  data <- distributed_table(cluster, cbind(child, person = rep(1:1000, each = 2)))
  budget <- privacy_budget(5, 1e-6, per = "person")
  expect_error(
    before_stage(1, silence(cluster), marginal_pc(
      data, 5, 1e-6, levels = child[0, ], id = "person", max_records = 3, budget = budget
    )), "without some of the records", class = "privpc_not_counted"
  )
  expect_identical(budget_left(budget), 0)
})
