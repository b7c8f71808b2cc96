# What vignettes/databases.Rmd shows without running it: statements, and what engines can do.
page <- test_path("..", "..", "vignettes", "databases.Rmd")

# The text between fences, as one line.
shown_sql <- function() {
  lines <- readLines(page)
  begin <- which(lines == "```sql")
  ends <- which(lines == "```")
  vapply(begin, function(at) one_line(lines[(at + 1L):(min(ends[ends > at]) - 1L)]), "")
}

# Without what differs between a simulated connection and a real one: how names are quoted.
one_line <- function(text) {
  text <- gsub("`", "\"", paste(text, collapse = " "), fixed = TRUE)
  gsub(" ?([()]) ?", "\\1", gsub("[[:space:]]+", " ", text))
}

visits_sql <- function(con, levels, sets, first, persons) {
  columns <- c("patient", "day", names(levels))
  codings <- lapply(read_levels(levels, NULL, columns, NULL), function(coding) {
    coding$kind <- "text"
    coding
  })
  made <- new_statements(con, "SELECT * FROM \"visits\"", codings, columns, persons = persons)
  one_line(counting_sql(made, sets, first))
}

test_that("the statements on the page are those that engines get", {
  skip_if_not(file.exists(page), "the vignettes are here")
  skip_if_not_installed("dbplyr")
  no_yes <- c("no", "yes")
  school <- c("low", "middle", "high")
  expect_identical(shown_sql(), c(
    visits_sql(
      dbplyr::simulate_postgres(), list(education = school, smoking = no_yes), list(1:2), 0,
      list(id = "patient", first_by = "day", max_records = 1L)
    ),
    visits_sql(
      dbplyr::simulate_snowflake(),
      list(education = school, infarction = no_yes, smoking = no_yes), list(1:2, 2:3), c(0, 6),
      list(id = "patient", max_records = 3L)
    )
  ))
})

test_that("the table of engines on the page is the one of the package", {
  skip_if_not(file.exists(page), "the vignettes are here")
  lines <- readLines(page)
  table <- lines[-seq_len(which(lines == "## Which engine can do what"))]
  rows <- strsplit(grep("^[|] ", table, value = TRUE), " *[|] *")
  said <- vapply(rows, function(row) paste(row[c(2, 3, 5)], collapse = ", "), "")
  engines <- c(engine_registry, list(`any other` = engine_line("DBIConnection")))
  true <- vapply(names(engines), function(name) {
    engine <- engines[[name]]
    paste(
      name, if (engine$grouping_sets) "`GROUPING SETS`" else "`UNION ALL`",
      if (is.null(engine$md5)) "no" else "yes", sep = ", "
    )
  }, "")
  expect_setequal(said[-(1:3)], unname(true))
})
