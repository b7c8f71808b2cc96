# Records in parts give the fit that they give together.

as_parts <- function(data, size) {
  function() {
    at <- 0
    function() {
      if (at >= nrow(data)) return(NULL)
      part <- data[seq(at + 1, min(at + size, nrow(data))), , drop = FALSE]
      at <<- at + size
      part
    }
  }
}

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
    learn(transform(below, size = suppressWarnings(as.double(size))), na = "level")$measurements$levels[[2L]]
  )
})
