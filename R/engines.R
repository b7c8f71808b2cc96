# What engines can do, a line each: the one place that knows them by name. An engine that is not
# listed gets statements that all understand.

# `classes`: of its DBI connections. `product`: how drivers for many engines (odbc, adbi) call it.
# `grouping_sets`: counts several tables in one pass, GROUP BY GROUPING SETS. `arrays`: it does so
# by arrays (as ClickHouse), and numbers the records of a person by them, which others do by
# windows. With neither, tables are put together with UNION ALL. `tables`: at most so many in one
# statement. `characters`: at most so many in one statement of several tables. `wide`: the name of
# its 64-bit whole numbers, NULL where its arithmetic is wide by itself. `unsigned`: its whole
# numbers are of many types, some without a sign, which do not go together. `nan`: how it tells that
# a number is not one, NULL where there is none. `backslash`: a backslash in a text is not itself.
# `is_number`: how it tells a number from a text, NULL where a column holds values of one type only.
# `md5`: the hexadecimal digits of the MD5 of a text, NULL where it has none; `text`: the name of
# its texts, in a CAST. `by_bytes`: how it compares texts by their bytes, NULL where it does so by
# itself, or nobody knows. `incomplete`: a statement that gives the names of settings by which
# answers may leave out records, NULL where there are none. `id`: how a column that says whose
# record it is becomes one value per person, NULL where it is one.
engine_line <- function(classes, product = "^$", grouping_sets = FALSE, arrays = FALSE,
                        tables = 100L, characters = 200000L, wide = "BIGINT", unsigned = FALSE,
                        nan = NULL, backslash = FALSE, is_number = NULL, md5 = NULL,
                        text = "VARCHAR", by_bytes = NULL, incomplete = NULL, id = NULL) {
  list(
    classes = classes, product = product, grouping_sets = grouping_sets, arrays = arrays,
    tables = tables, characters = characters, wide = wide, unsigned = unsigned, nan = nan,
    backslash = backslash, is_number = is_number, md5 = md5, text = text, by_bytes = by_bytes,
    incomplete = incomplete, id = id
  )
}

# NaN is larger than all numbers in these, and equal to itself.
nan_is_largest <- "CAST(%s AS DOUBLE PRECISION) = CAST('NaN' AS DOUBLE PRECISION)"

# Servers that do not answer, and limits at which it stops reading, without an error; and numbers of
# persons that are estimated.
clickhouse_incomplete <- paste(
  "SELECT name FROM system.settings WHERE",
  "(name IN ('skip_unavailable_shards', 'distributed_group_by_no_merge') AND value <> '0')",
  "OR (name LIKE '%overflow_mode%' AND value <> 'throw')",
  "OR (name = 'count_distinct_implementation' AND value <> 'uniqExact')"
)

# A column of SQLite may hold values of several types: 1, 1.0 and '1' are one person.
sqlite_id <- paste(
  "CASE WHEN typeof(%s) = 'real' AND %s = CAST(%s AS INTEGER)",
  "THEN CAST(CAST(%s AS INTEGER) AS TEXT) ELSE CAST(%s AS TEXT) END"
)

engine_registry <- list(
  SQLite = engine_line(
    "SQLiteConnection", "SQLite", wide = NULL, is_number = "typeof(%s) IN ('integer', 'real')",
    text = "TEXT", by_bytes = "%s COLLATE BINARY", id = sqlite_id
  ),
  Redshift = engine_line(
    c("RedshiftConnection", "Redshift"), "Redshift", grouping_sets = TRUE, nan = nan_is_largest,
    backslash = TRUE, md5 = "MD5(%s)", text = "VARCHAR(65535)"
  ),
  PostgreSQL = engine_line(
    c("PqConnection", "PostgreSQLConnection", "PostgreSQL"), "PostgreSQL", grouping_sets = TRUE,
    nan = nan_is_largest, md5 = "MD5(%s)", by_bytes = "%s COLLATE \"C\""
  ),
  DuckDB = engine_line(
    "duckdb_connection", "DuckDB", grouping_sets = TRUE, nan = nan_is_largest, md5 = "MD5(%s)"
  ),
  Spark = engine_line(
    c("spark_connection", "Spark SQL", "DatabricksConnection", "Databricks"), "Spark|Databricks",
    grouping_sets = TRUE, nan = "isnan(%s)", backslash = TRUE, md5 = "MD5(%s)", text = "STRING"
  ),
  BigQuery = engine_line(
    "BigQueryConnection", "BigQuery", grouping_sets = TRUE, wide = NULL, nan = "IS_NAN(%s)",
    backslash = TRUE, md5 = "TO_HEX(MD5(%s))", text = "STRING"
  ),
  Snowflake = engine_line(
    "Snowflake", "Snowflake", grouping_sets = TRUE, nan = nan_is_largest, backslash = TRUE,
    md5 = "MD5(%s)"
  ),
  Trino = engine_line(
    c("PrestoConnection", "TrinoConnection", "AthenaConnection"), "Presto|Trino|Athena",
    grouping_sets = TRUE, nan = "is_nan(%s)", md5 = "LOWER(TO_HEX(MD5(TO_UTF8(%s))))"
  ),
  `SQL Server` = engine_line(
    "Microsoft SQL Server", "Microsoft SQL Server", grouping_sets = TRUE, text = "NVARCHAR(4000)"
  ),
  Oracle = engine_line(
    c("Oracle", "OraConnection"), "Oracle", grouping_sets = TRUE, wide = NULL,
    nan = "%s IS NAN", text = "VARCHAR2(4000)"
  ),
  MySQL = engine_line(
    c("MariaDBConnection", "MySQLConnection", "MySQL"), "MySQL|MariaDB", wide = "SIGNED",
    backslash = TRUE, text = "CHAR"
  ),
  ClickHouse = engine_line(
    c("ClickhouseConnection", "ClickHouseHTTPConnection"), "ClickHouse", arrays = TRUE,
    tables = 50L,
    # The names alone would be of values that cannot be NULL.
    wide = "Nullable(Int64)", unsigned = TRUE, nan = "isNaN(%s)", backslash = TRUE,
    md5 = "lower(hex(MD5(%s)))", text = "Nullable(String)", incomplete = clickhouse_incomplete
  )
)

# The line of a connection's engine, and its name.
engine_of <- function(con) {
  for (name in names(engine_registry)) {
    if (inherits(con, engine_registry[[name]]$classes)) {
      return(c(name = name, engine_registry[[name]]))
    }
  }
  product <- engine_product(con)
  for (name in names(engine_registry)) {
    if (grepl(engine_registry[[name]]$product, product, ignore.case = TRUE)) {
      return(c(name = name, engine_registry[[name]]))
    }
  }
  c(name = "a data base", engine_line("DBIConnection"))
}

# What the driver says about itself, if anything.
engine_product <- function(con) {
  info <- tryCatch(DBI::dbGetInfo(con), error = function(e) NULL)
  for (entry in c("dbms.name", "vendor_name")) {
    product <- info[[entry]]
    if (rlang::is_string(product)) return(product)
  }
  ""
}
