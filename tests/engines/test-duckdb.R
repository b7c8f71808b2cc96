# DuckDB, and Parquet files through it. Its library is taken as it is, behind adbi: to the package it
# is an engine without a name.

local_duckdb <- function(env = parent.frame()) {
  library <- Sys.getenv("DUCKDB_LIBRARY")
  skip_if(!file.exists(library), "DUCKDB_LIBRARY does not name libduckdb.so")
  skip_if_not_installed("adbi")
  skip_if_not_installed("adbcdrivermanager")
  driver <- adbcdrivermanager::adbc_driver(library, "duckdb_adbc_init")
  con <- DBI::dbConnect(adbi::adbi(driver))
  at_the_end(function() DBI::dbDisconnect(con), env)
  con
}

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
  named <- function(con) c(name = "DuckDB", engine_registry$DuckDB)
  with_replacement("engine_of", named, expect_same_fit(table, data, learn))
  # NaN is larger than all numbers there, and in no bin here.
  odd <- data.frame(x = rep(c(1, 2, 3, NaN), 100), y = rep(c("a", "b"), 200))
  numbers <- quietly(remote_table(con, odd, "odd"))
  with_replacement("engine_of", named, expect_same_fit(numbers, odd, function(x) {
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
