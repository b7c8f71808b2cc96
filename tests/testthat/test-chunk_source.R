# Records in parts give the fit that they give together.

test_that("parts of any size give the same fit as a data frame", {
  data <- simulate(network("sachs"), nsim = 3000, seed = 7)
  learn <- function(data) without_call(marginal_pc(data, 2, seed = 1, levels = sachs))
  sachs <- data[0, ]
  expected <- learn(data)
  for (size in c(700, 2999, 3000)) {
    expect_identical(learn(read_chunks(as_parts(data, size))), expected)
    expect_identical(learn(read_chunks(as_parts(as_stored(data), size))), expected)
  }
  exact <- function(data) {
    suppressMessages(without_call(exact_pc(data, test = "chisq", levels = sachs, max_order = 1)))
  }
  expect_identical(exact(read_chunks(as_parts(data, 900))), exact(data))
})

test_that("a file is read in parts", {
  file <- system.file("extdata", "cohort.csv.gz", package = "privpc")
  cohort <- utils::read.csv(file)
  no_yes <- c("no", "yes")
  declared <- list(
    smoking = no_yes, exercise = no_yes, diabetes = no_yes, infarction = no_yes,
    chest_pain = no_yes, cough = no_yes, sex = c("female", "male"),
    education = factor(levels = c("low", "middle", "high"), ordered = TRUE)
  )
  learn <- function(data) {
    without_call(marginal_pc(
      data, 2, seed = 1, levels = declared,
      breaks = list(bmi = c(12, 18.5, 25, 30, 35, 60), pressure = c(70, 120, 130, 140, 240)),
      bounds = list(age = c(35, 80))
    ))
  }
  parts <- read_chunks(file, rows = 30000)
  expect_identical(learn(parts), learn(cohort))
  expect_snapshot(print(parts))
})

test_that("odd files and odd parts are errors", {
  data <- data.frame(a = rep(c("x", "y"), 50), b = rep(c("u", "v"), each = 50))
  levels <- list(a = c("x", "y"), b = c("u", "v"))
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  # A file that ends with a full part.
  expect_identical(
    without_call(exact_pc(read_chunks(file, rows = 50), levels = levels)),
    without_call(exact_pc(data, levels = levels))
  )
  three <- read_chunks(as_parts(cbind(data, id = 1:100), 60), columns = c("b", "a"))
  expect_identical(
    without_call(exact_pc(three, levels = levels)),
    without_call(exact_pc(data[c("b", "a")], levels = levels))
  )
  narrow <- as_parts(data, 60)
  passes <- 0
  changing <- function() {
    passes <<- passes + 1
    if (passes < 3) narrow() else as_parts(data["a"], 60)()
  }
  shrinking <- function() {
    passes <<- passes + 1
    as_parts(if (passes < 3) data else data[-1, ], 60)()
  }
  expect_snapshot({
    show_refusal(read_chunks("not-there.csv"))
    show_refusal(read_chunks(file, rows = 0))
    show_refusal(exact_pc(read_chunks(file), levels = levels["a"]))
    show_refusal(exact_pc(read_chunks(file), levels = list(a = c("x", "y"), b = "u")))
    show_refusal(exact_pc(read_chunks(changing), levels = levels))
    show_refusal(read_chunks(file, columns = c("a", "z")))
    show_refusal(read_chunks(function() 1))
    show_refusal(read_chunks(function() function() NULL))
  })
  passes <- 0
  expect_error(exact_pc(read_chunks(shrinking), levels = levels), class = "privpc_changed_data")
})

test_that("decimal commas are numbers, and text that is none is an error", {
  set.seed(3)
  data <- data.frame(a = sample(c("x", "y"), 200, TRUE), size = round(stats::runif(200), 3))
  file <- tempfile(fileext = ".csv")
  learn <- function(data, ...) {
    without_call(marginal_pc(
      data, 5, seed = 2, levels = list(a = c("x", "y")), breaks = list(size = c(0, 0.4, 1)), ...
    ))
  }
  utils::write.csv2(data, file, row.names = FALSE)
  expect_identical(learn(read_chunks(file, sep = ";", dec = ",")), learn(data))
  other <- tempfile(fileext = ".csv")
  below <- data
  below$size[[7]] <- NA
  below$size <- ifelse(is.na(below$size), "<0.1", format(below$size))
  utils::write.csv(below, other, row.names = FALSE)
  expect_snapshot({
    show_refusal(learn(read_chunks(file, sep = ";")))
    show_refusal(learn(read_chunks(other), na = "level"))
    show_refusal(read_chunks(file, colClasses = "numeric"))
    show_refusal(read_chunks(file, sep = ";", quote = "", row.names = 5))
  })
  # Named as missing, it is.
  expect_identical(
    learn(read_chunks(other, na.strings = "<0.1"), na = "level")$measurements$levels[[2L]],
    learn(
      transform(below, size = suppressWarnings(as.double(size))), na = "level"
    )$measurements$levels[[2L]]
  )
})

test_that("a file is read to its end, or it is an error", {
  set.seed(8)
  n <- 700
  levels <- list(a = c("x", "y"), b = c("u", "v"))
  data <- data.frame(a = sample(levels$a, n, TRUE), b = sample(levels$b, n, TRUE))
  file <- tempfile(fileext = ".csv")
  lines <- c("a,b", paste(data$a, data$b, sep = ","))
  learn <- function(...) {
    exact_pc(read_chunks(file, rows = 300, ...), levels = levels, other = c(b = "u"))
  }
  # Empty lines at the end, and none at all, are the end.
  for (text in list(lines, c(lines, "", ""))) {
    writeLines(text, file)
    fit <- marginal_pc(read_chunks(file, rows = 100), 5, seed = 1, levels = levels)
    expect_equal(fit$measurements$n, n)
  }
  writeLines(replace(lines, n + 1L, "x"), file)
  expect_error(learn(fill = FALSE), class = "privpc_not_opened")
  writeLines(replace(lines, 500L, "\"x,u"), file)
  expect_error(learn(), "a quote is not closed", class = "privpc_not_opened")
  for (at in c(2, 3, 302, n + 1)) {
    for (rows in c(1, 300, 1e5)) {
      writeLines(replace(lines, at, "x,\"u"), file)
      parts <- csv_parts(file, rows, list())()
      expect_error(while (!is.null(parts())) NULL, "a quote is not closed")
    }
  }
  bytes <- charToRaw(paste0(paste(replace(lines, 500L, "x,#"), collapse = "\n"), "\n"))
  bytes[bytes == charToRaw("#")] <- as.raw(0xe9)
  writeBin(bytes, file)
  expect_error(learn(), "not in UTF-8", class = "privpc_not_opened")
  writeLines(character(), file)
  expect_snapshot(show_refusal(read_chunks(file)))
})

test_that("a file that was cut short, or holds a NUL, is not taken for a whole one", {
  data <- data.frame(a = rep(c("x", "y"), 5000), b = with_seed(1, sample(letters, 1e4, TRUE)))
  levels <- list(a = c("x", "y"), b = letters)
  learn <- function(file) marginal_pc(read_chunks(file, rows = 700), 1, levels = levels, seed = 1)
  whole <- tempfile(fileext = ".csv.gz")
  con <- gzfile(whole, "w")
  utils::write.csv(data, con, row.names = FALSE)
  close(con)
  expect_identical(learn(whole)$settings$n, 10000L)
  bytes <- readBin(whole, "raw", file.size(whole))
  short <- tempfile(fileext = ".csv.gz")
  writeBin(bytes[seq_len(length(bytes) %/% 2L)], short)
  expect_error(learn(short), "cut short")
  broken <- bytes
  broken[length(bytes) %/% 2L] <- xor(broken[length(bytes) %/% 2L], as.raw(255))
  writeBin(broken, short)
  expect_error(learn(short), class = "privpc_error")
  # Wherever it is cut, also where a line ends.
  small <- tempfile(fileext = ".csv.gz")
  con <- gzfile(small, "w")
  utils::write.csv(data[1:300, ], con, row.names = FALSE)
  close(con)
  bytes <- readBin(small, "raw", file.size(small))
  for (kept in seq_len(length(bytes) - 1L)) {
    writeBin(bytes[seq_len(kept)], small)
    expect_error(read_chunks(small), class = "privpc_error")
  }
  plain <- tempfile(fileext = ".csv")
  utils::write.csv(data, plain, row.names = FALSE)
  bytes <- readBin(plain, "raw", file.size(plain))
  # Without the last end of line it is whole.
  writeBin(bytes[-length(bytes)], plain)
  expect_identical(learn(plain)$settings$n, 10000L)
  writeBin(replace(bytes, 5000L, as.raw(0)), plain)
  expect_error(learn(plain), class = "privpc_not_opened")
})

test_that("quoted lines, names of rows and short numbers are read as in one piece", {
  data <- data.frame(
    a = rep(c("x", "two\nlines", "a \"quote\""), 40), income = rep(c(1e5, 2e5, 5e4, 7), 30)
  )
  levels <- list(a = unique(data$a), income = c(7, 5e4, 1e5, 2e5))
  expected <- without_call(exact_pc(data, levels = levels))
  file <- tempfile(fileext = ".csv")
  for (write in list(
    utils::write.csv, function(x, file) utils::write.table(x, file, sep = ",", qmethod = "double")
  )) {
    write(data, file)
    for (rows in c(1, 7, 1000)) {
      chunks <- read_chunks(file, rows = rows, row.names = 1)
      expect_identical(without_call(exact_pc(chunks, levels = levels)), expected)
    }
  }
  # The file is the one that was named, wherever the session goes.
  old <- setwd(dirname(file))
  chunks <- read_chunks(basename(file), row.names = 1)
  setwd(old)
  expect_identical(without_call(exact_pc(chunks, levels = levels)), expected)
  expect_identical(text_as_numbers(c("1,5", "", NA), ",", "v", NULL), c(1.5, NA, NA))
  expect_error(text_as_numbers("1.500", ",", "v", NULL), class = "privpc_no_numbers")
})

test_that("parts are checked as a data frame is, before anything is paid", {
  data <- data.frame(a = rep(c("x", "y"), 50), size = rep(1:4, 25))
  levels <- list(a = c("x", "y"))
  budget <- privacy_budget(1, 1e-6)
  odd <- list(
    factor = transform(data, size = factor(size)), logical = transform(data, size = size > 2),
    duration = transform(data, size = as.difftime(size, units = "hours"))
  )
  odd$matrix <- data
  odd$matrix$a <- cbind(data$a, data$a)
  for (part in odd) {
    expect_error(
      marginal_pc(
        read_chunks(as_parts(part, 100)), 0.5, levels = levels, breaks = list(size = c(0, 2, 4)),
        budget = budget
      ), class = "privpc_not_opened"
    )
  }
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("numbers that were declared are written out as files write them", {
  zip <- rep(c("100000", "200000", "123456"), 40)
  data <- data.frame(zip = zip, b = rep(c("u", "v"), 60))
  levels <- list(zip = c(100000, 200000), b = c("u", "v"))
  other <- c(zip = "rest")
  fit <- marginal_pc(data, 1e4, seed = 1, levels = levels, other = other)
  expect_equal(measured(fit, "zip")$share, rep(1 / 3, 3), tolerance = 0.02)
  expect_identical(fit$measurements$levels[[match("zip", fit$measurements$nodes)]],
                   c("100000", "200000", "rest"))
  in_parts <- marginal_pc(
    read_chunks(as_parts(data, 50)), 1e4, seed = 1, levels = levels, other = other
  )
  expect_identical(without_call(in_parts), without_call(fit))
  short <- transform(data, zip = factor(as.double(zip)))
  expect_identical(
    without_call(marginal_pc(short, 1e4, seed = 1, levels = levels, other = other)),
    without_call(fit)
  )
})

test_that("of a file no more is read at a time than can be interrupted", {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  writeLines(c("a", rep(c("x", "y"), 60000)), file)
  pass <- read_chunks(file, rows = 3e6)$begin()
  expect_identical(nrow(pass()), 100000L)
  expect_identical(nrow(pass()), 20000L)
  expect_null(pass())
})
