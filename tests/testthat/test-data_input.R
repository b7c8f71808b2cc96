good <- function() simulate(network("cancer"), nsim = 50, seed = 1)

test_that("data that cannot be used are refused with the remedy", {
  data <- good()
  with_column <- function(x) {
    data$Xray <- x
    data
  }
  duplicated <- stats::setNames(data, c("a", "a", "b", "c", "d"))
  unnamed <- stats::setNames(data, c("a", "", "b", "c", "d"))
  matrix_column <- data
  matrix_column$Xray <- matrix(1, 50, 2)
  short <- structure(
    list(a = rnorm(5), b = factor(1:5)), class = "data.frame", row.names = c(NA, -50L)
  )
  corrupt <- structure(rep(c(1L, 9L), 25), levels = c("a", "b"), class = "factor")
  odd <- data
  odd$`a b` <- rep("x", 50)
  expect_snapshot({
    show_refusal(exact_pc(as.matrix(data)))
    show_refusal(exact_pc(NULL))
    show_refusal(exact_pc(list(a = 1)))
    show_refusal(exact_pc(data[0, ]))
    show_refusal(exact_pc(data[1]))
    show_refusal(exact_pc(duplicated))
    show_refusal(exact_pc(unnamed))
    show_refusal(exact_pc(with_column(rep("a", 50))))
    show_refusal(exact_pc(with_column(rep(TRUE, 50))))
    show_refusal(exact_pc(with_column(rep(as.Date("2024-01-01"), 50))))
    show_refusal(exact_pc(with_column(as.list(1:50))))
    show_refusal(exact_pc(matrix_column))
    show_refusal(exact_pc(with_column(complex(50))))
    show_refusal(exact_pc(with_column(factor(rep(NA, 50)))))
    show_refusal(exact_pc(with_column(1:50)))
    show_refusal(exact_pc(with_column(factor(1:50, levels = 1:70000))))
    show_refusal(exact_pc(short))
    show_refusal(exact_pc(with_column(corrupt)))
    show_refusal(exact_pc(odd))
    show_refusal(exact_pc(datasets::Titanic))
    show_refusal(exact_pc(data, test = "tau", na = "level"))
    show_refusal(cond_tau(with_column(addNA(factor(rep(1:2, 25)))), "Xray", "Cancer"))
  })
})

test_that("breaks are checked", {
  data <- good()
  data$age <- 1:50
  expect_snapshot({
    show_refusal(exact_pc(data, breaks = c(1, 2)))
    show_refusal(exact_pc(data, breaks = list(c(1, 2))))
    show_refusal(exact_pc(data, breaks = list(Age = c(1, 2))))
    show_refusal(exact_pc(data, breaks = list(Xray = c(1, 2))))
    show_refusal(exact_pc(data, breaks = list(age = c(2, 1))))
    show_refusal(exact_pc(data, breaks = list(age = 1)))
    show_refusal(exact_pc(data, breaks = list(age = c(50, 80))))
    show_refusal(exact_pc(data, breaks = list(age = c(-Inf, Inf))))
    show_refusal(exact_pc(data, breaks = list(age = numeric())))
    show_refusal(exact_pc(data, breaks = list(age = c(1, NA))))
  })
})

test_that("bins are closed on the right and outer values go to the outer bins", {
  expect_identical(
    as.integer(bin_values(c(-5, 0, 1, 1.5, 2, 99, NA), c(0, 1, 2, 3))),
    c(1L, 1L, 1L, 2L, 2L, 3L, NA)
  )
  inside <- c(0.5, 1, 1.01, 2, 2.5)
  expect_identical(
    as.integer(bin_values(inside, 0:3)), as.integer(cut(inside, 0:3))
  )
})

test_that("the limits of the range can be infinite", {
  data <- good()
  data$age <- 1:50
  wide <- exact_pc(data, breaks = list(age = c(-Inf, 10, 30, Inf)))
  expect_identical(wide$amat, exact_pc(data, breaks = list(age = c(0, 10, 30, 60)))$amat)
  expect_identical(levels(bin_like(data, wide)$age), c("<= 10", "(10,30]", "> 30"))
  expect_match(report(wide)[["graph"]], "age cut at 10 and 30.", fixed = TRUE)
  private <- suppressWarnings(marginal_pc(data, 1, breaks = list(age = c(-Inf, 10, 30, Inf))))
  expect_identical(levels(bin_like(data, private)$age), c("<= 10", "(10,30]", "> 30"))
})

test_that("missing numbers are refused or become a level", {
  data <- good()
  data$age <- c(NA, 2:50)
  cuts <- list(age = c(0, 25, 60))
  expect_snapshot({
    show_refusal(exact_pc(data, breaks = cuts))
    show_refusal(exact_pc(data, test = "tau", breaks = cuts))
  })
  expect_s3_class(exact_pc(data, breaks = cuts, na = "level"), "privpc")
})

test_that("the core's tables are those of table()", {
  data <- simulate(network("child"), nsim = 3000, seed = 1)
  source <- data_source(data)
  set.seed(1)
  for (size in c(1, 2, 3, 4, 5)) {
    for (repeat_ in 1:5) {
      set <- sort(sample(length(data), size))
      # table() runs its first factor fastest, the core its last.
      expected <- as.integer(table(rev(data[source$schema$names[set]])))
      for (portable in c(FALSE, TRUE)) {
        expect_identical(cpp_table(source, set, portable, 2^26), expected)
      }
    }
  }
})

test_that("names are sorted by their bytes, in any locale and encoding", {
  latin <- "\xe4ra"
  Encoding(latin) <- "latin1"
  names <- c("b", "B", "a", "\u00fcber", latin, "a b", "_x", "Z", "a.b", "10", "9", "ab")
  expect_identical(cpp_byte_order(names), order(enc2utf8(names), method = "radix"))
  expect_identical(cpp_byte_order(character()), integer())
})

test_that("columns are described as R's own functions describe them", {
  columns <- list(
    plain = factor(c("a", "b", "a")), ordered = factor(1:3, levels = 1:4, ordered = TRUE),
    with_na = addNA(factor(c("a", NA, "b"))), whole = 1:3, real = c(1.5, 2, NA),
    text = letters[1:3], flag = c(TRUE, FALSE, NA), date = as.Date("2024-01-01") + 0:2,
    parts = list(1, 2, 3), time = as.POSIXlt("2024-01-01", tz = "UTC") + 0:2
  )
  columns$matrix <- matrix(1:6, 3)
  data <- structure(columns, class = "data.frame", row.names = 1:3)
  facts <- column_facts(data)
  expect_identical(facts$kind, unname(vapply(columns, column_kind, "")))
  expect_identical(facts$levels, unname(lengths(lapply(columns, levels))))
  expect_identical(facts$ordered, unname(vapply(columns, is.ordered, NA)))
  expect_identical(facts$na_level, names(columns) == "with_na")
  expect_identical(facts$size, rep(3, length(columns)))
  expect_identical(facts$n, 3L)
})

test_that("very many levels and variables are counted", {
  set.seed(2)
  wide <- factor(sample(65535, 5000, TRUE), levels = 1:65535)
  other <- factor(as.integer(wide) %% 3)
  data <- data.frame(wide, other, third = factor(sample(2, 5000, TRUE)))
  result <- cond_chisq(data, "other", "third", given = "wide")
  expect_identical(result$parameter[["df"]], 2 * 1 * 65535)
  tau <- cond_tau(data.frame(wide = as.integer(wide), other = as.integer(other)), "wide", "other")
  expect_equal(
    suppressMessages(cond_tau(data, "wide", "other"))$statistic, tau$statistic
  )
  many <- as.data.frame(matrix(sample(2, 300 * 200, TRUE), 200))
  many[] <- lapply(many, factor, levels = 1:2)
  expect_identical(dim(exact_pc(many, max_order = 0)$amat), c(300L, 300L))
})

test_that("missing values become a level in the named columns only", {
  data <- good()
  data$Xray[1:3] <- NA
  data$age <- c(NA, 2:50)
  cuts <- list(age = c(0, 25, 60))
  source <- data_source(data, c(Xray = "level", Smoker = "error"), cuts)
  with_na <- vapply(source$codes, function(x) anyNA(levels(x)), NA)
  expect_identical(source$schema$names[with_na], "Xray")
  all <- data_source(data, "level", cuts)
  expect_true(all(vapply(all$codes, function(x) anyNA(levels(x)), NA)))
  fit <- exact_pc(data, na = c(Xray = "level", age = "level"), breaks = cuts)
  expect_identical(fit$settings$na, c(Xray = "level", age = "level"))
  # The same as a level added by hand.
  by_hand <- data
  by_hand$Xray <- addNA(by_hand$Xray)
  expect_identical(
    cond_g2(data, "Xray", "Smoker", na = c(Xray = "level", age = "level"))$p.value,
    cond_g2(by_hand, "Xray", "Smoker")$p.value
  )
  private <- private_test(
    data, "Xray", "Smoker", test = "cmh", epsilon = 1, na = c(Xray = "level"), seed = 1
  ) |> suppressWarnings()
  expect_s3_class(private, "privpc_test")
  expect_snapshot({
    show_refusal(exact_pc(data, na = c(Xray = "level"), breaks = cuts))
    show_refusal(exact_pc(data, na = c(X = "level"), breaks = cuts))
    show_refusal(exact_pc(data, na = c(Xray = "drop"), breaks = cuts))
    show_refusal(exact_pc(data, na = c("level", "level"), breaks = cuts))
    show_refusal(exact_pc(data, na = c(Xray = "level", "level"), breaks = cuts))
    show_refusal(cond_g2(data, "Xray", "Smoker", na = c(X = "level")))
    show_refusal(marginal_pc(data, epsilon = 1, breaks = cuts))
  })
})

test_that("hints name tests that the function takes", {
  data <- good()
  data$Xray[1:3] <- NA
  expect_snapshot({
    show_refusal(em_pc(data, epsilon = 1, na = "level"))
    show_refusal(em_pc(data, epsilon = 1))
    show_refusal(priv_pc(data, epsilon = 1, na = c(Xray = "level")))
    show_refusal(private_test(data, "Xray", "Smoker", epsilon = 1, na = "level"))
    show_refusal(cond_rho(data, "Xray", "Smoker", na = "level"))
    show_refusal(exact_pc(data, test = "rho"))
  })
})

test_that("plain factors are read at once, as by the long way", {
  data <- good()
  data$Cancer <- factor(data$Cancer, ordered = TRUE)
  # A rule for a column, if it says nothing new, takes the long way.
  long_way <- function(data) data_source(data, na = c(Xray = "error"))
  facts <- c("names", "levels", "ordered", "numeric", "n", "labels")
  for (by_name in list(names(data), rev(names(data)))) {
    quick <- data_source(data[by_name])
    long <- long_way(data[by_name])
    expect_identical(quick[c("codes", "values")], long[c("codes", "values")])
    expect_named(quick$schema, c(facts, "missing", "nodes"))
    expect_identical(quick$schema[c(facts, "nodes")], long$schema[c(facts, "nodes")])
    rules <- names(quick$schema$missing)
    expect_identical(quick$schema$missing, long$schema$missing[rules])
  }
  expect_identical(data_source(data)$codes, unclass(data)[sort(names(data), method = "radix")])
})

test_that("what is not plain, or not in order, is left to the long way", {
  data <- good()
  plain <- function(data) !is.null(cpp_plain_factors(data, 4096L, 65535L))
  with_column <- function(x) {
    data$Xray <- x
    data
  }
  renamed <- function(names) structure(data, names = names)
  expect_true(plain(data))
  expect_true(plain(structure(data, class = c("tbl_df", "tbl", "data.frame"))))
  expect_false(plain(unclass(data)))
  expect_false(plain(as.matrix(data)))
  expect_false(plain(NULL))
  expect_false(plain(data[1]))
  expect_false(plain(data[0, ]))
  expect_false(plain(renamed(c("a", "a", "b", "c", "d"))))
  expect_false(plain(renamed(c("a", "", "b", "c", "d"))))
  expect_false(plain(renamed(c("a", NA, "b", "c", "d"))))
  expect_false(plain(renamed(NULL)))
  latin <- "\xe4"
  Encoding(latin) <- "latin1"
  expect_true(plain(renamed(c(latin, "b", "c", "d", "e"))))
  expect_false(plain(renamed(c(latin, enc2utf8(latin), "c", "d", "e"))))
  expect_false(plain(with_column(1:50)))
  expect_false(plain(with_column(as.double(1:50))))
  expect_false(plain(with_column(rep("a", 50))))
  expect_false(plain(with_column(addNA(factor(rep(1:2, 25))))))
  expect_false(plain(with_column(factor(rep(NA, 50)))))
  expect_false(plain(with_column(structure(factor(rep(1:2, 25)), dim = c(50L, 1L)))))
  short <- structure(
    list(a = factor(1:5), b = factor(1:5)), class = "data.frame", row.names = c(NA, -50L)
  )
  expect_false(plain(short))
  expect_null(cpp_plain_factors(data, 4L, 65535L))
  expect_null(cpp_plain_factors(data, 5L, 1L))
})

test_that("times, durations and labelled columns get a remedy that works", {
  data <- good()
  with_column <- function(x) {
    data$Xray <- x
    data
  }
  visit <- as.POSIXct("2024-01-01", tz = "UTC") + 86400 * 1:50
  stay <- as.difftime(1:50, units = "days")
  labelled <- structure(rep(1:2, 25), labels = c(no = 1L, yes = 2L), class = "haven_labelled")
  odd <- structure(1:50, class = "integer64")
  expect_snapshot({
    show_refusal(exact_pc(with_column(visit)))
    show_refusal(exact_pc(with_column(stay)))
    show_refusal(exact_pc(with_column(labelled)))
    show_refusal(exact_pc(with_column(odd)))
  })
  data$Xray <- visit
  data$Xray <- as.numeric(as.Date(data$Xray))
  range <- list(Xray = as.numeric(as.Date(c("2000-01-01", "2025-12-31"))))
  fit <- exact_pc(data, bounds = range)
  expect_identical(as.character(unique(bin_like(data, fit)$Xray)), "> 18553.8")
  data$Xray <- stay
  data$Xray <- as.numeric(data$Xray, units = "days")
  expect_identical(data$Xray, as.numeric(1:50))
  data$Xray <- labelled
  data$Xray <- factor(
    unclass(data$Xray), attr(data$Xray, "labels"), names(attr(data$Xray, "labels"))
  )
  expect_identical(levels(data$Xray), c("no", "yes"))
  expect_identical(as.integer(data$Xray), rep(1:2, 25))
})

test_that("levels are those that were declared, whether they occur or not", {
  declared <- c("no", "yes", "never seen")
  of <- function(a, b) data.frame(a = factor(a, declared), b = factor(b, declared))
  rare <- of(rep("no", 50), rep(declared[1:2], 25))
  full <- of(rep_len(declared, 50), rev(rep_len(declared, 50)))
  # At once, and the long way.
  for (rule in list("error", c(a = "level", b = "error"))) {
    expect_identical(data_source(rare, rule)$schema, data_source(full, rule)$schema)
  }
  expect_identical(data_source(rare)$schema$levels, c(3L, 3L))
  sizes <- function(data) lengths(marginal_pc(data, epsilon = 1)$measurements$tables$values)
  expect_identical(sizes(rare), sizes(full))
})

test_that("columns of several kinds get a remedy each, and an identifier is no example", {
  data <- good()
  data$a_id <- sprintf("p%d", 1:50)
  data$job <- "nurse"
  data$town <- "Bonn"
  data$visit <- as.Date("2024-01-01") + 1:50
  data$drugs <- as.list(1:50)
  data$scan <- matrix(1:100, 50)
  data$odd <- complex(50)
  data$bits <- raw(50)
  expect_snapshot({
    show_refusal(marginal_pc(data, epsilon = 1))
    show_refusal(marginal_pc(data, epsilon = 1, levels = list(visit = 2000:2025)))
    show_refusal(marginal_pc(data, epsilon = 1, bounds = list(visit = c(0, 1))))
    show_refusal(marginal_pc(data, epsilon = 1, breaks = list(visit = c(0, 1, 2))))
    show_refusal(private_breaks(data, "visit", epsilon = 1, bounds = list(visit = c(0, 1))))
  })
  # The remedy for a matrix, as it stands there.
  kept <- data[c("Cancer", "scan")]
  expect_named(do.call(data.frame, kept), c("Cancer", "scan.1", "scan.2"))
})

test_that("the hint about 0 and 1 names the column that may hold them, or none", {
  data <- good()
  data$smoker <- rep(0:1, 25)
  data$age <- 1:50
  data$pid <- 1:50
  bare <- c("Cancer", "pid")
  expect_snapshot({
    show_refusal(marginal_pc(data, epsilon = 1))
    show_refusal(marginal_pc(data, epsilon = 1, bounds = list(age = c(0, 100))))
    show_refusal(marginal_pc(data[bare], epsilon = 1))
    # All of them at once, not one after the other.
    show_refusal(priv_pc(data, epsilon = 1, id = "pid"))
  })
})

test_that("what becomes public is told only where something is private", {
  data <- data.frame(town = c("a", "b"), ill = factor(1:2))
  refused <- function(code) tryCatch(code, error = conditionMessage)
  expect_match(refused(marginal_pc(data, epsilon = 1)), "they become public")
  expect_false(grepl("public", refused(exact_pc(data))))
  expect_false(grepl("public", refused(cond_g2(data, "town", "ill"))))
})
