# `levels` and `other`: what is declared about columns, the same for all kinds of data.

people <- function() {
  data.frame(
    smoking = rep(c("no", "yes", "no", "yes", "no"), 20), stage = rep(c(1, 2, 3, 1), 25),
    ill = rep(c(TRUE, FALSE), 50), age = rep(c(20, 50, 70, 40), 25)
  )
}
declared <- list(
  smoking = c("no", "yes"), stage = factor(levels = 1:3, ordered = TRUE), ill = c(FALSE, TRUE)
)
cuts <- list(age = c(0, 40, 65, 120))

test_that("columns of a data frame can be declared instead of made into factors", {
  data <- people()
  factors <- data.frame(
    smoking = factor(data$smoking, c("no", "yes")), stage = factor(data$stage, 1:3, ordered = TRUE),
    ill = factor(data$ill, c(FALSE, TRUE)), age = data$age
  )
  expect_identical(
    without_call(marginal_pc(data, 5, seed = 1, levels = declared, breaks = cuts)),
    without_call(marginal_pc(factors, 5, seed = 1, breaks = cuts))
  )
  # A prototype: factors, logical columns, and numbers, which need breaks.
  expect_identical(
    without_call(marginal_pc(data, 5, seed = 1, levels = factors[0, ], breaks = cuts)),
    without_call(marginal_pc(factors, 5, seed = 1, breaks = cuts))
  )
  # Levels of a prototype are declared levels, whatever its rows hold.
  expect_identical(
    read_levels(factors[1, ], "error", names(factors), NULL),
    read_levels(factors, "error", names(factors), NULL)
  )
})

test_that("other values become a level, or are an error", {
  coding <- function(other) {
    read_levels(list(x = c("a", "b")), other, "x", NULL)$x
  }
  x <- c("b", "c", NA, "a", "d")
  expect_identical(code_values(x, coding("error"), NULL), c(2L, NA, NA, 1L, NA))
  expect_identical(code_values(x, coding("rest"), NULL), c(2L, 3L, NA, 1L, 3L))
  expect_identical(code_values(factor(x), coding(c(x = "a")), NULL), c(2L, 1L, NA, 1L, 1L))
  expect_identical(coding("rest")$labels, c("a", "b", "rest"))
  expect_identical(coding(c(x = "error"))$labels, c("a", "b"))
  with_na <- read_levels(list(x = c("a", NA)), "rest", "x", NULL)$x
  expect_identical(code_values(x, with_na, NULL), c(2L, 2L, 3L, 1L, 2L))
  # A catch-all has no place in an order, unless it was given one.
  graded <- list(x = factor(levels = c("low", "high"), ordered = TRUE))
  expect_false(read_levels(graded, "rest", "x", NULL)$x$ordered)
  expect_true(read_levels(graded, "low", "x", NULL)$x$ordered)
  expect_error(
    marginal_pc(people(), 1, levels = list(smoking = "no", stage = 1:3, ill = 0:1), breaks = cuts),
    class = "privpc_error"
  )
})

test_that("values are those of the column, whatever they were declared as", {
  coding <- function(values) read_levels(list(x = values), "error", "x", NULL)$x
  expect_identical(code_values(c(2, 1), coding(c("1", "2")), NULL), 2:1)
  expect_identical(code_values(c("2", "1"), coding(1:2), NULL), 2:1)
  expect_identical(code_values(c(TRUE, FALSE), coding(c("FALSE", "TRUE")), NULL), 2:1)
  expect_identical(code_values(c(TRUE, FALSE), coding(0:1), NULL), 2:1)
  expect_identical(code_values(c(1, 0), coding(c(FALSE, TRUE)), NULL), 2:1)
  expect_identical(code_values(c(NA, NA), coding(c("a", "b")), NULL), c(NA_integer_, NA))
})

test_that("what is wrong with a declaration is said", {
  data <- people()
  learn <- function(levels, ...) marginal_pc(data, 1, levels = levels, breaks = cuts, ...)
  expect_snapshot({
    show_refusal(learn("no"))
    show_refusal(learn(list(smokes = c("no", "yes"))))
    show_refusal(learn(list(smoking = mean)))
    show_refusal(learn(data[0, ]))
    show_refusal(learn(list(smoking = c("no", "no"))))
    show_refusal(learn(list(smoking = character())))
    show_refusal(learn(list(stage = c("one", "2"))))
    show_refusal(learn(declared, other = 1))
    show_refusal(learn(declared, other = c(age = "rest")))
    show_refusal(learn(NULL, other = "rest"))
  })
  data$born <- as.Date("2000-01-01")
  expect_snapshot(show_refusal(learn(c(declared, list(born = "2000-01-01")))))
})

test_that("a table needs a declaration of every column", {
  con <- local_sqlite()
  table <- remote_table(con, people())
  expect_snapshot({
    show_refusal(marginal_pc(table, 1))
    show_refusal(marginal_pc(table, 1, levels = declared))
    show_refusal(private_test(table, "smoking", "age", epsilon = 1, levels = declared))
    show_refusal(marginal_pc(table, 1, levels = declared, breaks = c(cuts, list(ill = 0:2))))
    show_refusal(marginal_pc(table, 1, levels = declared, breaks = list(born = 1:3)))
    show_refusal(marginal_pc(
      table, 1, levels = c(declared["ill"], list(age = 1:4, stage = 1:3)),
      breaks = list(smoking = 1:3)
    ))
    show_refusal(marginal_pc(dplyr::select(table, "age"), 1, breaks = cuts))
    show_refusal(marginal_pc(
      dplyr::filter(table, .data$age > 1000), 1, levels = declared, breaks = cuts
    ))
  })
  data <- people()
  data$smoking[3] <- NA
  data$stage[4] <- 7
  gaps <- remote_table(con, data)
  budget <- privacy_budget(1, 1e-6)
  expect_snapshot({
    show_refusal(marginal_pc(gaps, 1, levels = declared, breaks = cuts, budget = budget))
    show_refusal(cond_tau(gaps, "smoking", "stage", levels = declared))
  })
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("a value that was not declared is no missing one, whatever becomes of these", {
  data <- data.frame(
    a = rep(c("x", "y", "unknown"), 100), b = rep(c("u", NA), 150), stringsAsFactors = FALSE
  )
  levels <- list(a = c("x", "y"), b = "u")
  learn <- function(data, ...) {
    marginal_pc(data, 10, seed = 1, levels = levels, na = c(a = "level", b = "level"), ...)
  }
  expect_error(learn(data), class = "privpc_gaps")
  expect_error(learn(data, other = "error"), class = "privpc_gaps")
  expect_snapshot(show_refusal(learn(data)))
  con <- local_sqlite()
  expect_snapshot(show_refusal(learn(remote_table(con, data))))
  fit <- learn(data, other = c(a = "other"))
  expect_identical(
    without_call(fit), without_call(learn(remote_table(con, data), other = c(a = "other")))
  )
})

test_that("what is no data frame gets a hint at what would be", {
  con <- local_sqlite()
  expect_snapshot({
    show_refusal(marginal_pc(con, 1))
    show_refusal(marginal_pc("cohort.csv", 1))
  })
})

test_that("a missing value may already be a level, and other columns do not matter", {
  data <- data.frame(a = rep(c("x", "y"), 20), b = rep(c("u", "v", NA, "v"), 10), e = 1:40)
  with_level <- transform(data, b = addNA(factor(b)))
  levels <- list(a = c("x", "y"), b = c("u", "v", NA))
  fit <- marginal_pc(with_level[1:2], 5, levels = levels, seed = 1)
  expect_identical(
    without_call(fit), without_call(marginal_pc(data[1:2], 5, levels = levels, seed = 1))
  )
  # Not among the others.
  coding <- read_levels(levels["b"], c(b = "rest"), "b", NULL)$b
  expect_identical(code_values(with_level$b[1:4], coding, NULL), c(1L, 2L, 4L, 2L))
  declared <- list(a = c("x", "y"), b = c("u", "v", NA), e = 0:1)
  test <- suppressWarnings(
    private_test(data, "a", "b", test = "g2", epsilon = 1, levels = declared)
  )
  expect_s3_class(test, "privpc_test")
})
