# The statements that engines get. Those that cannot be run here are looked at.

skip_if_not_installed("DBI")
skip_if_not_installed("dbplyr")

# Three columns: text with an odd name and a level for the rest, a number in bins, and a flag.
some_codings <- function(age = "real") {
  flags <- read_levels(
    list(`it's "odd"` = c("a'b", "back\\slash"), ill = c(FALSE, TRUE)), c(`it's "odd"` = "rest"),
    c("it's \"odd\"", "ill"), NULL
  )
  codings <- c(list(age = bin_coding("age", c(0, 40, 0.1 + 64.9, 120))), flags)
  codings$age$kind <- age
  codings$age$missing <- TRUE
  codings[[2]]$kind <- "text"
  codings$ill$kind <- "logical"
  codings
}

statements_for <- function(con) {
  new_statements(con, "SELECT * FROM t", some_codings(), c("age", "ill", "it's \"odd\""))
}

# A line for each part. How simulated connections quote names differs from one version of dbplyr to
# the next; shown is what dbplyr 2.3 writes, and what was written is asked for below.
show_sql <- function(sql) {
  for (name in c("age", "ill", "it's \"odd\"", "who", "day")) {
    doubled <- gsub("\"", "\"\"", name, fixed = TRUE)
    for (quoted in c(paste0("\"", doubled, "\""), paste0("[", name, "]"))) {
      sql <- gsub(quoted, paste0("`", name, "`"), sql, fixed = TRUE)
    }
  }
  cat(gsub(" (FROM|GROUP BY|UNION ALL) ", "\n  \\1 ", sql), sep = "\n")
}

expect_quoted <- function(sql, con) {
  for (name in c("age", "ill", "it's \"odd\"")) {
    expect_match(sql, as.character(dbplyr::escape(dbplyr::ident(name), con = con)), fixed = TRUE)
  }
}

test_that("statements of engines with and without grouping sets", {
  sets <- list(1:2, 2:3)
  first <- c(0, 12)
  expect_snapshot({
    show_sql(opening_sql(statements_for(dbplyr::simulate_postgres()), 1:3))
    show_sql(counting_sql(statements_for(dbplyr::simulate_postgres()), sets, first))
    show_sql(counting_sql(statements_for(dbplyr::simulate_sqlite()), sets, first))
  })
})

# How other engines name and quote; the shape is one of the two above.
simulated <- function(class) {
  structure(list(), class = c(class, "TestConnection", "DBIConnection"))
}

test_that("statements for engines that are not here", {
  engines <- list(
    Redshift = dbplyr::simulate_redshift(), Snowflake = dbplyr::simulate_snowflake(),
    `SQL Server` = dbplyr::simulate_mssql(), MySQL = dbplyr::simulate_mysql(),
    Oracle = dbplyr::simulate_oracle(), Spark = simulated("Spark SQL"),
    BigQuery = simulated("BigQueryConnection"), Trino = simulated("PrestoConnection"),
    DuckDB = simulated("duckdb_connection"), ClickHouse = simulated("ClickhouseConnection"),
    `a data base` = dbplyr::simulate_dbi()
  )
  for (name in names(engines)) {
    expect_identical(engine_of(engines[[name]])$name, name)
    made <- statements_for(engines[[name]])
    expect_snapshot({
      cat(name, "\n")
      show_sql(counting_sql(made, list(1:2, 2:3), c(2^32, 2^32 + 12)))
    })
    expect_quoted(counting_sql(made, list(1:3), 0), engines[[name]])
  }
})

test_that("statements that keep some records of each person", {
  engines <- list(
    Spark = simulated("Spark SQL"), BigQuery = simulated("BigQueryConnection"),
    Snowflake = dbplyr::simulate_snowflake(), Trino = simulated("PrestoConnection"),
    PostgreSQL = dbplyr::simulate_postgres(), ClickHouse = simulated("ClickhouseConnection")
  )
  for (name in names(engines)) {
    made <- function(...) {
      new_statements(
        engines[[name]], "SELECT * FROM t", some_codings(), c(names(some_codings()), "who", "day"),
        persons = list(id = "who", id_kind = "text", ...)
      )
    }
    expect_snapshot({
      cat(name, "\n")
      show_sql(opening_sql(made(max_records = 3L), 1:2))
      show_sql(counting_sql(made(max_records = 3L), list(1:2, 3), c(0, 12)))
      first <- made(max_records = 1L, first_by = "day", time_kind = "real")
      show_sql(counting_sql(first, list(2:3), 0))
    })
  }
})

test_that("a cluster of ClickHouse is asked for a table by its name", {
  named <- function(query) {
    new_statements(simulated("ClickhouseConnection"), query, some_codings(), names(some_codings()))
  }
  made <- named("SELECT *\nFROM `records`.`cohort`")
  expect_snapshot({
    show_sql(opening_sql(made, 1:2))
    show_sql(counting_sql(made, list(1:2, 2:3), c(0, 12)))
  })
  for (query in c(
    "SELECT * FROM `a` LIMIT 5", "SELECT * FROM `a`, `b`", "SELECT `x` FROM `a`",
    "SELECT * FROM `a\\`", "SELECT *\nFROM `a`\nWHERE (`x` = '`')", "SELECT * FROM a"
  )) expect_null(named(query)$table)
  expect_null(new_statements(dbplyr::simulate_mysql(), "SELECT * FROM `a`", list(), "x")$table)
})

test_that("drivers for many engines say which one it is", {
  expect_identical(engine_of(structure(list(), class = "OdbcConnection"))$name, "a data base")
  with_replacement("engine_product", function(con) "Snowflake", {
    expect_identical(engine_of(structure(list(), class = "OdbcConnection"))$name, "Snowflake")
  })
})

test_that("numbers are read as they were written", {
  skip_if_not_installed("RSQLite")
  con <- local_sqlite()
  set.seed(1)
  numbers <- c(
    0.1, 1 / 3, 0.1 + 0.2, -2.5, 1e-300, 1.7976931348623157e308, 5e-324, 2^52 + 0.5, 123456789.125,
    0, -1, 100000, 2^53 - 1, 2^53, 1e22, 40, stats::runif(200), stats::rnorm(100) * 10^(-49:50)
  )
  texts <- vapply(numbers, number_sql, "")
  expect_identical(as.double(texts), numbers)
  expect_identical(vapply(c(40, 1e5, -3, 0), number_sql, ""), c("40", "100000", "-3", "0"))
  expect_identical(number_sql(0.1), "1e-01")
  expect_identical(number_sql(0.25), "2.5e-01")
  whole <- abs(numbers) < 2^53 & numbers == round(numbers)
  DBI::dbWriteTable(con, "n", data.frame(x = numbers))
  # (SQLite 3.51 is off by one bit at 1e-300; it promises 15 digits.)
  usual <- abs(numbers) > 1e-290 & abs(numbers) < 1e300
  kept <- vapply(texts[!whole & usual], function(text) {
    DBI::dbGetQuery(con, paste("SELECT COUNT(*) AS n FROM n WHERE x =", text))$n
  }, 0L)
  expect_true(all(kept >= 1))
})

test_that("long statements are divided", {
  engine <- engine_line("x", tables = 3L, characters = 100L)
  expect_identical(statement_parts(rep(10, 7), engine), c(1L, 1L, 1L, 2L, 2L, 2L, 3L))
  expect_identical(statement_parts(c(60, 60, 500, 10, 10), engine), c(1L, 2L, 3L, 4L, 4L))
})

test_that("names in a statement are not those of a column", {
  made <- new_statements(dbplyr::simulate_sqlite(), "q", list(), c("a", "PRIVPC_v1", "privpc__x"))
  expect_identical(made$prefix, "privpc___")
})

# As the package bit64 keeps them: as the bits of a double, of which these are the smallest.
as_integer64 <- function(x) structure(as.double(x) * 2^-1074, class = "integer64")

test_that("whole numbers are read in all forms that drivers have", {
  expect_identical(cpp_whole_number(7L), 7)
  expect_identical(cpp_whole_number(7), 7)
  expect_identical(cpp_whole_number("7"), 7)
  expect_identical(cpp_whole_number(as_integer64(7)), 7)
  # The smallest number of all is NA: the bits of a negative zero.
  expect_identical(cpp_whole_number(structure(-0, class = "integer64")), NA_real_)
  for (odd in list(7.5, NA, NA_integer_, "x", "7x", "", integer(), NaN, 1e300)) {
    expect_identical(cpp_whole_number(odd), NA_real_)
  }
  expect_error(cpp_whole_number(list(1)))
})

test_that("counts that come as integer64, numbers or text give the same tables", {
  con <- local_sqlite()
  asia <- simulate(network("asia"), nsim = 3000, seed = 7)
  table <- remote_table(con, asia)
  learn <- function() without_call(marginal_pc(table, 2, seed = 1, levels = asia[0, ]))
  expected <- learn()
  ask <- ask_engine
  for (form in list(as.double, as.character, as_integer64)) {
    with_replacement("ask_engine", function(con, sql) {
      answer <- ask(con, sql)
      if (nrow(answer)) answer[] <- lapply(answer, form)
      answer
    }, expect_identical(learn(), expected))
  }
})

test_that("few statements are asked, and no row travels", {
  con <- local_sqlite()
  asked <- function(name, learn) {
    data <- simulate(network(name), nsim = 20000, seed = 7)
    table <- remote_table(con, data)
    rows <- integer()
    ask <- ask_engine
    with_replacement("ask_engine", function(con, sql) {
      answer <- ask(con, sql)
      rows <<- c(rows, nrow(answer))
      answer
    }, learn(table, data[0, ]))
    rows
  }
  # The kinds of columns, the number of rows, and one table of all 256 cells.
  small <- asked("asia", function(data, levels) marginal_pc(data, 1, levels = levels, seed = 1))
  expect_length(small, 3)
  expect_identical(small[1:2], 0:1)
  expect_lte(small[[3]], 256)
  large <- asked("alarm", function(data, levels) marginal_pc(data, 1, levels = levels, seed = 1))
  expect_lte(length(large), 8)
})
