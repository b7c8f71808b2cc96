# DuckDB, and Parquet files through it.

# As a connection that says what it is.
as_duckdb <- function(con) c(name = "DuckDB", engine_registry$DuckDB)

# adbi is new, and dbplyr 2.3 is not: it says so once.
quietly <- function(code) suppressWarnings(suppressMessages(code))

expect_same_fit <- function(table, data, learn) {
  expect_identical(without_call(quietly(learn(table))), without_call(quietly(learn(data))))
}

test_that("learners find in DuckDB what they find in a data frame, for all networks", {
  con <- local_duckdb()
  for (name in networks()$name) {
    data <- simulate(network(name), nsim = 3000, seed = 7)
    table <- quietly(remote_table(con, data, name))
    expect_same_fit(table, data, function(x) marginal_pc(x, 2, seed = 1, levels = data[0, ]))
    expect_same_fit(table, data, function(x) {
      priv_pc(x, 20, seed = 1, levels = data[0, ], max_order = 1)
    })
  }
})

test_that("grouping sets and plain statements count the same", {
  con <- local_duckdb()
  data <- simulate(network("child"), nsim = 3000, seed = 7)
  table <- quietly(remote_table(con, data))
  plain <- engine_of(con)
  expect_false(plain$grouping_sets)
  learn <- function(x) marginal_pc(x, 2, seed = 1, levels = data[0, ])
  with_replacement("engine_of", as_duckdb, expect_same_fit(table, data, learn))
  # NaN is larger than all numbers there, and in no bin here.
  odd <- data.frame(x = rep(c(1, 2, 3, NaN), 100), y = rep(c("a", "b"), 200))
  numbers <- quietly(remote_table(con, odd, "odd"))
  with_replacement("engine_of", as_duckdb, expect_same_fit(numbers, odd, function(x) {
    marginal_pc(
      x, 5, seed = 1, levels = list(y = c("a", "b")), breaks = list(x = c(0, 1, 2, 4)),
      na = c(x = "level")
    )
  }))
})

test_that("a Parquet file is a table like any other", {
  con <- local_duckdb()
  data <- simulate(network("asia"), nsim = 3000, seed = 7)
  quietly(remote_table(con, data, "asia"))
  file <- tempfile(fileext = ".parquet")
  DBI::dbExecute(con, sprintf("COPY asia TO '%s' (FORMAT parquet)", file))
  read <- dplyr::sql(sprintf("SELECT * FROM read_parquet('%s')", file))
  table <- quietly(dplyr::tbl(con, read))
  expect_same_fit(table, data, function(x) marginal_pc(x, 2, seed = 1, levels = data[0, ]))
})

# ---- several records per person ------------------------------------------------------------------

test_that("DuckDB and Parquet files keep the same records of each person", {
  con <- local_duckdb()
  data <- some_visits("asia")
  levels <- data[0, 1:8]
  quietly(remote_table(con, data, "visits"))
  file <- tempfile(fileext = ".parquet")
  DBI::dbExecute(con, sprintf("COPY visits TO '%s' (FORMAT parquet)", file))
  parquet <- dplyr::sql(sprintf("SELECT * FROM read_parquet('%s')", file))
  for (table in quietly(list(dplyr::tbl(con, "visits"), dplyr::tbl(con, parquet)))) {
    for (id in c("whose", "person")) {
      for (first_by in list(NULL, "visit", "day", "when")) {
        kept <- c(names(levels), id, first_by)
        for (most in c(1, 3, 10)) {
          with_replacement("engine_of", as_duckdb, expect_same_fit(
            dplyr::select(table, dplyr::all_of(kept)), data[kept],
            function(x) {
              marginal_pc(
                x, 3, seed = 1, id = id, max_records = most, first_by = first_by, levels = levels
              )
            }
          ))
        }
      }
    }
  }
})

test_that("all learners and tests count persons in DuckDB alike", {
  con <- local_duckdb()
  data <- some_visits("survey")
  levels <- data[0, 1:6]
  for (first_by in list(NULL, "day")) {
    kept <- data[c(names(levels), "person", first_by)]
    table <- quietly(remote_table(con, kept, "visits"))
    for (learn in person_learners(levels, id = "person", first_by = first_by)) {
      with_replacement("engine_of", as_duckdb, expect_same_fit(table, kept, learn))
    }
  }
  # Without a name it is not known to have a hash.
  expect_error(
    quietly(marginal_pc(dplyr::select(table, -"day"), 3, id = "person", levels = levels)),
    class = "privpc_no_hash"
  )
})
