# Names and values of any kind in statements: what SQLite counts is what R counts. The strings are
# made at random of what ends texts and names, begins comments or stands for something in formats.

skip_if_not_installed("DBI")
skip_if_not_installed("dbplyr")
skip_if_not_installed("RSQLite")

pieces <- c(
  "'", "''", "\"", "\"\"", "`", "\\", "\\'", "%", "%s", "_", ";", "--", "/*", "*/", "(", ")", "[",
  "]", "{", "}", "$1", "?", ":a", "@", "#", "|", "NULL", "x'41'", "\n", "\t", "\r", " ", "  ", "a",
  "B", "9", "1e5", "\u00e9", "\u4e2d", "\U1F600", "DROP TABLE t", "privpc_v1", "WHEN", "END"
)

random_strings <- function(count, longest) {
  texts <- character()
  while (length(texts) < count) {
    texts <- c(texts, paste(sample(pieces, sample(longest, 1L), replace = TRUE), collapse = ""))
    # Names of columns are compared without regard to case, and blanks alone are no name.
    texts <- texts[!duplicated(tolower(texts)) & nzchar(trimws(texts))]
  }
  texts
}

# The codes of a column by the statement that counts it.
counted <- function(con, name, levels, column) {
  coding <- read_levels(stats::setNames(list(levels), name), NULL, name, NULL)[[1L]]
  coding$kind <- "text"
  made <- new_statements(con, "SELECT * FROM records", list(coding), column)
  sql <- paste0(
    "SELECT ", made$prefix, "v1 AS code, COUNT(*) AS n FROM (", records_sql(made, 1L),
    ") q GROUP BY 1"
  )
  DBI::dbGetQuery(con, sql)
}

test_that("names and values at random are counted as they are", {
  con <- local_sqlite()
  set.seed(20)
  for (round in 1:25) {
    names <- random_strings(3L, 6L)
    levels <- lapply(1:3, function(i) random_strings(4L, 6L))
    data <- lapply(levels, sample, size = 50L, replace = TRUE)
    names(data) <- names
    data <- as.data.frame(data, check.names = FALSE)
    names(data) <- names
    DBI::dbWriteTable(con, "records", data, overwrite = TRUE)
    for (i in 1:3) {
      found <- counted(con, names[[i]], levels[[i]], names)
      expected <- table(factor(data[[i]], levels[[i]]))
      n <- stats::setNames(rep(0L, 4L), levels[[i]])
      n[found$code] <- found$n
      expect_identical(unname(n), as.vector(expected))
      expect_false(anyNA(found$code))
    }
  }
  expect_true(DBI::dbExistsTable(con, "records"))
})

test_that("values and names at random come back from the data base", {
  con <- local_sqlite()
  set.seed(21)
  engine <- engine_of(con)
  for (text in random_strings(100L, 8L)) {
    sql <- paste0("SELECT ", quote_value(con, engine, text), " AS ", quote_column(con, text))
    back <- DBI::dbGetQuery(con, sql)
    expect_identical(back[[1L]], text)
    expect_identical(names(back), text)
  }
})
