# Several records per person: one seed gives one fit, from a data frame, from a data base and from
# records in parts.

expect_same_persons <- function(found, data, learn) {
  expect_identical(
    without_call(suppressMessages(learn(found))), without_call(suppressMessages(learn(data)))
  )
}

# marginal_pc() with one to ten records of each person.
learn_visits <- function(levels, id, first_by, most) {
  function(data) {
    marginal_pc(
      data, 3, seed = 1, id = id, max_records = most, first_by = first_by, levels = levels
    )
  }
}

expect_same_visits <- function(con, data, ids, times) {
  levels <- data[0, 1:8]
  for (id in ids) {
    for (first_by in times) {
      kept <- data[c(names(levels), id, first_by)]
      table <- remote_table(con, kept)
      for (most in c(1, 3, 10)) {
        expect_same_persons(table, kept, learn_visits(levels, id, first_by, most))
      }
    }
  }
}

test_that("the visits of these tests have what can go wrong", {
  data <- some_visits("asia")
  expect_gt(sum(table(data$whose) > 10), 100)
  expect_true(anyNA(data$day))
  expect_gt(sum(duplicated(data[c("whose", "day")])), 100)
  expect_gt(sum(duplicated(data[c(1:8, match("whose", names(data)))])), 100)
  fits <- lapply(c(1, 3, 10), function(most) {
    kept <- data[c(1:8, match(c("person", "day"), names(data)))]
    learn_visits(data[0, 1:8], "person", "day", most)(kept)$measurements
  })
  expect_false(identical(fits[[1]], fits[[2]]))
  expect_false(identical(fits[[2]], fits[[3]]))
})

test_that("SQLite keeps the first records of each person, and has no hash", {
  con <- local_sqlite()
  data <- some_visits("asia")
  expect_same_visits(con, data, c("whose", "person"), c("visit", "day", "when"))
  levels <- data[0, 1:8]
  table <- remote_table(con, data[c(names(levels), "person")])
  budget <- privacy_budget(5, 1e-6, per = "person")
  expect_snapshot(show_refusal(
    marginal_pc(table, 3, id = "person", levels = levels, budget = budget)
  ))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("PostgreSQL keeps the same records of each person, by time and by hash", {
  server <- local_postgres()
  expect_same_visits(
    server$con, some_visits("asia"), c("whose", "person"), list(NULL, "visit", "day", "when")
  )
})

test_that("all learners and tests count persons alike", {
  data <- some_visits("survey")
  levels <- data[0, 1:6]
  by_day <- data[c(names(levels), "person", "day")]
  by_hash <- data[c(names(levels), "person")]
  table <- remote_table(local_sqlite(), by_day)
  for (learn in person_learners(levels, id = "person", first_by = "day")) {
    expect_same_persons(table, by_day, learn)
  }
  server <- local_postgres()
  table <- remote_table(server$con, by_hash)
  for (learn in person_learners(levels, id = "person")) expect_same_persons(table, by_hash, learn)
})

test_that("bins, missing levels and a query before it, with persons", {
  server <- local_postgres()
  data <- some_visits("asia")
  data$age <- with_seed(1, sample(c(NA, 20:70), nrow(data), TRUE))
  data$clinic <- with_seed(2, sample(c("a", "b", "c", NA), nrow(data), TRUE))
  data$when[data$whose > 300] <- NA
  kept <- data[c("asia", "lung", "age", "clinic", "whose", "when")]
  learn <- function(data) {
    marginal_pc(
      data, 3, seed = 1, id = "whose", first_by = "when", max_records = 3,
      levels = list(asia = c("no", "yes"), lung = c("no", "yes"), clinic = c("a", "b")),
      other = c(clinic = "elsewhere"), na = c(clinic = "level", age = "level"),
      breaks = list(age = c(0, 40, 60, 120))
    )
  }
  table <- remote_table(server$con, kept)
  expect_same_persons(table, kept, learn)
  # All times are missing there, whether NULL or no number.
  no_number <- "UPDATE cohort SET \"when\" = 'NaN' WHERE whose > 300 AND clinic = 'c'"
  DBI::dbExecute(server$con, no_number)
  expect_same_persons(table, kept, learn)
  later <- dplyr::filter(table, .data$whose > 100L)
  expect_same_persons(later, kept[kept$whose > 100, ], learn)
})

test_that("ids that only drivers take for text", {
  server <- local_postgres()
  data <- some_visits("asia")
  levels <- data[0, 1:8]
  data$person <- sprintf("00000000-0000-4000-8000-%012d", data$whose)
  kept <- data[c(names(levels), "person")]
  remote_table(server$con, kept)
  DBI::dbExecute(server$con, "ALTER TABLE cohort ALTER person TYPE uuid USING person::uuid")
  expect_same_persons(
    dplyr::tbl(server$con, "cohort"), kept, learn_visits(levels, "person", NULL, 3)
  )
})

test_that("text that says which record comes first is compared by its bytes", {
  server <- local_postgres()
  data <- some_visits("asia")
  levels <- data[0, 1:8]
  data$code <- with_seed(1, sample(c("a", "B", "A b", "ab", "\u00e4", "_", NA), nrow(data), TRUE))
  kept <- data[c(names(levels), "whose", "code")]
  remote_table(server$con, kept)
  # A collation that is not that of bytes.
  DBI::dbExecute(server$con, "ALTER TABLE cohort ALTER code TYPE text COLLATE \"en-x-icu\"")
  expect_same_persons(
    dplyr::tbl(server$con, "cohort"), kept, learn_visits(levels, "whose", "code", 3)
  )
})

test_that("a record without a person is an error before anything is spent", {
  data <- some_visits("asia")
  levels <- data[0, 1:8]
  data <- data[c(names(levels), "person", "day")]
  data$person[[5]] <- NA
  budget <- privacy_budget(5, 1e-6, per = "person")
  learn <- function(data) {
    marginal_pc(data, 3, id = "person", first_by = "day", levels = levels, budget = budget)
  }
  expect_error(learn(data), class = "privpc_without_id")
  expect_error(learn(remote_table(local_sqlite(), data)), class = "privpc_without_id")
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data[order(data$person), ], file, row.names = FALSE)
  expect_error(learn(read_chunks(file)), class = "privpc_without_id")
  data$person[[5]] <- ""
  expect_error(learn(data), class = "privpc_without_id")
  expect_error(learn(remote_table(local_sqlite(), data)), class = "privpc_without_id")
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

# ---- records in parts ----------------------------------------------------------------------------

in_parts <- function(data, size) read_chunks(as_parts(data, size))

test_that("parts and files that are sorted by id give the same fit", {
  data <- some_visits("asia", people = 200)
  levels <- data[0, 1:8]
  file <- tempfile(fileext = ".csv")
  for (id in c("whose", "person")) {
    sorted <- data[order(data[[id]], method = "radix"), ]
    for (first_by in list(NULL, "visit", "day", "when")) {
      kept <- sorted[c(names(levels), id, first_by)]
      utils::write.csv(kept, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
      for (most in c(1, 3, 10)) {
        learn <- learn_visits(levels, id, first_by, most)
        expect_same_persons(in_parts(kept, 17), kept, learn)
        expect_same_persons(read_chunks(file, rows = 200), kept, learn)
      }
    }
  }
})

test_that("all learners and tests count persons in parts alike", {
  data <- some_visits("survey", people = 200)
  levels <- data[0, 1:6]
  data <- data[order(data$whose), c(names(levels), "whose", "day")]
  for (learn in person_learners(levels, id = "whose", first_by = "day")) {
    expect_same_persons(in_parts(data, 50), data, learn)
  }
})

test_that("nobody is counted twice because parts end between two records", {
  learn <- function(id, size) {
    data <- data.frame(
      a = rep_len(c("x", "y"), length(id)), b = rep_len(c("u", "v", "v"), length(id)), id = id
    )
    exact_pc(in_parts(data, size), id = "id", levels = list(a = c("x", "y"), b = c("u", "v")))
  }
  turns <- list(
    # Equal as numbers, but other persons.
    c("1", "01", "1"), c("9007199254740992", "9007199254740993", "9007199254740992"),
    c("1", "1.0", "1"), c("1", "2", "1"), c("b", "a", "b")
  )
  for (id in turns) {
    for (size in 1:3) expect_error(learn(id, size), class = "privpc_unsorted")
  }
  # The same text in another encoding is the same person.
  latin <- "\xe4"
  Encoding(latin) <- "latin1"
  for (size in 1:2) {
    expect_identical(learn(c("a", "\u00e4", latin, latin, "\u00e4", "\u00f6"), size)$settings$n, 3L)
  }
  expect_identical(learn(c("2", "2", "10", "10", "11", "11"), 1)$settings$n, 3L)
  expect_identical(learn(c("10", "10", "2", "2", "21", "21"), 1)$settings$n, 3L)
})

test_that("a number and the same text are one person in SQLite, and no text is none", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE v (pid, x TEXT, y TEXT, t INTEGER)")
  data <- data.frame(
    pid = rep(1:12, 2), x = rep(c("u", "v"), 12), y = rep(c("p", "p", "q", "q"), 6), t = 1:24
  )
  DBI::dbAppendTable(con, "v", data)
  DBI::dbExecute(con, "UPDATE v SET pid = CAST(pid AS TEXT) WHERE rowid % 2 = 0")
  DBI::dbExecute(con, "UPDATE v SET pid = CAST(pid AS REAL) WHERE rowid % 3 = 0")
  learn <- function(data) {
    marginal_pc(
      data, 5, id = "pid", first_by = "t", seed = 1, levels = list(x = c("u", "v"), y = c("p", "q"))
    )
  }
  expect_identical(without_call(learn(dplyr::tbl(con, "v"))), without_call(learn(data)))
  DBI::dbExecute(con, "UPDATE v SET pid = '' WHERE rowid = 3")
  expect_error(learn(dplyr::tbl(con, "v")), class = "privpc_without_id")
})

test_that("what an engine cannot do for persons is found before anything is paid", {
  server <- local_postgres()
  data <- data.frame(
    pid = rep(1:30, 2), x = rep(c("u", "v"), 30), y = rep(c("p", "q", "q"), 20), t = 1:60
  )
  table <- remote_table(server$con, data)
  levels <- list(x = c("u", "v"), y = c("p", "q"))
  budget <- privacy_budget(50, 1e-6, per = "person")
  for (type in c("json", "point")) {
    odd <- dplyr::tbl(server$con, dplyr::sql(sprintf(
      "SELECT pid, x, y, CAST('%s' AS %s) AS t FROM cohort", if (type == "json") "1" else "(1,2)",
      type
    )))
    tried <- tryCatch(
      marginal_pc(odd, 1, id = "pid", first_by = "t", levels = levels, budget = budget),
      error = identity
    )
    if (inherits(tried, "error")) expect_s3_class(tried, "privpc_not_opened")
  }
  for (type in c("interval", "uuid")) {
    value <- if (type == "interval") "t * interval '1 day'" else
      "CAST('00000000-0000-0000-0000-0000000000' || lpad(CAST(t AS TEXT), 2, '0') AS uuid)"
    odd <- dplyr::tbl(server$con, dplyr::sql(paste("SELECT pid, x, y,", value, "AS t FROM cohort")))
    fit <- marginal_pc(odd, 1, id = "pid", first_by = "t", levels = levels, seed = 1)
    expect_identical(fit$settings$n, 30L)
  }
  # The value of a record is in no message.
  secret <- dplyr::tbl(server$con, dplyr::sql(
    paste(
      "SELECT pid, x, y, CAST(CASE WHEN pid = 7 THEN 'se' || 'cret9876' ELSE '1' END AS INTEGER)",
      "AS t FROM cohort"
    )
  ))
  error <- expect_error(
    marginal_pc(secret, 1, id = "pid", first_by = "t", levels = levels), class = "privpc_error"
  )
  expect_no_match(conditionMessage(error), "secret9876")
  missing <- dplyr::tbl(server$con, dplyr::sql("SELECT * FROM cohort"))
  DBI::dbRemoveTable(server$con, "cohort")
  expect_error(
    marginal_pc(missing, 1, id = "pid", first_by = "t", levels = levels), "cohort",
    class = "privpc_not_opened"
  )
})

test_that("what an engine says of its error repeats no value of a record", {
  said <- function(text) {
    conditionMessage(without_values(simpleError(text), "SELECT num FROM v2", "lung"))
  }
  expect_identical(said("relation \"v2\" does not exist"), "relation \"v2\" does not exist")
  expect_identical(said("no column 'lung' in \"v2\""), "no column 'lung' in \"v2\"")
  expect_identical(said("bad integer: \"um\""), "bad integer: ...")
  expect_identical(said("bad integer: \"line1\nline2\""), "bad integer: ...")
  expect_identical(said("bad: \"say \"hiv\" positive\""), "bad: ...")
  expect_identical(
    said("Could not convert string 'O'Brien secret' to INT32"), "Could not convert ..."
  )
  expect_identical(said("file \"pg_x/1\": No space left"), "file ...: No space left")
  expect_identical(said("value 71234 is out of range at 22P02"), "...")
  # Also one without quotation marks, between other brackets, or behind known names.
  for (text in c(
    "Bad int64 value: Smith", "ID AB123456 twice", "cannot convert 0x1F", "bad: 1e5",
    "bad \u2018Smith\u2019", "bad \u201aSmith\u2018", "bad \u2039Smith\u203a", "bad (Smith)",
    "bad [Smith]", "bad \u201eSmith\u201c", "expected 'eof' before: Smith",
    "column 'lung' has value Smith which 'num' has not"
  )) {
    expect_no_match(said(text), "Smith|AB12|1F|1e5")
  }
  expect_identical(
    said("canceling statement due to user request"), "canceling statement due to user request"
  )
  expect_identical(said("no such table: v2"), "no such table: v2")
  expect_identical(said(""), "it gave no reason")
  broken <- "caf\xe9 'b"
  Encoding(broken) <- "UTF-8"
  expect_identical(said(broken), "...")
})
