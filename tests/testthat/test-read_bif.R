# A file called `name` in a new folder: messages show the name only.
temporary_file <- function(name) {
  folder <- tempfile()
  dir.create(folder)
  file.path(folder, name)
}

bundled <- function(name) {
  system.file("extdata", paste0(name, ".bif"), package = "privpc", mustWork = TRUE)
}

test_that("the probabilities are those bnlearn reads", {
  skip_if_not_installed("bnlearn")
  for (name in networks()$name) {
    ours <- read_bif(bundled(name))
    theirs <- bnlearn::read.bif(bundled(name))
    expect_identical(ours$nodes, names(theirs))
    for (node in ours$nodes) {
      table <- theirs[[node]]$prob
      expect_identical(ours$parents[[node]], theirs[[node]]$parents)
      expect_identical(unname(dimnames(ours$probabilities[[node]])), unname(dimnames(table)))
      expect_equal(
        as.vector(ours$probabilities[[node]]), as.vector(table),
        tolerance = 1e-14
      )
    }
  }
})

test_that("what bnlearn writes is read back", {
  skip_if_not_installed("bnlearn")
  file <- temporary_file("child.bif")
  bnlearn::write.bif(file, bnlearn::read.bif(bundled("child")))
  again <- read_bif(file)
  expect_equal(again$probabilities, read_bif(bundled("child"))$probabilities)
})

test_that("a compressed file, and a name with other letters, are read", {
  file <- temporary_file("asia.bif.gz")
  connection <- gzfile(file, "wb")
  writeBin(readBin(bundled("asia"), "raw", 1e5), connection)
  close(connection)
  expect_identical(read_bif(file), read_bif(bundled("asia")))

  text <- sub("asia", "\u00e4sien", readLines(bundled("asia")), fixed = TRUE)
  file <- temporary_file("utf8.bif")
  writeLines(enc2utf8(text), file, useBytes = TRUE)
  net <- read_bif(file)
  expect_identical(net$nodes[[1]], "\u00e4sien")
  expect_identical(net$parents$tub, "\u00e4sien")
})

test_that("the network's name comes from the file", {
  expect_identical(read_bif(bundled("asia"))$name, "asia")
  file <- temporary_file("x.bif")
  writeLines(sub("unknown", "chest_clinic", readLines(bundled("asia"))), file)
  expect_identical(read_bif(file)$name, "chest_clinic")
  expect_null(read_bif(file)$reference)
})

test_that("`ordered` marks variables and reorders levels", {
  expect_false(any(read_bif(bundled("survey"))$ordered))
  net <- read_bif(bundled("survey"), ordered = c("A", "R"))
  expect_identical(net$nodes[net$ordered], c("A", "R"))
  expect_identical(net$probabilities, read_bif(bundled("survey"))$probabilities)

  net <- read_bif(bundled("survey"), ordered = list(A = c("old", "adult", "young")))
  expect_identical(net$levels$A, c("old", "adult", "young"))
  expect_equal(as.vector(net$probabilities$A), c(0.2, 0.5, 0.3))
  # From the file: P(E = high | A = young, S = M) = 0.75.
  expect_equal(net$probabilities$E["high", "young", "M"], 0.75)
  expect_equal(net$probabilities$E[1, 3, 1], 0.75)
})

test_that("a wrong `ordered` is refused", {
  file <- bundled("survey")
  expect_snapshot({
    show_refusal(read_bif(file, ordered = "age"))
    show_refusal(read_bif(file, ordered = TRUE))
    show_refusal(read_bif(file, ordered = NA_character_))
    show_refusal(read_bif(file, ordered = list("A")))
    show_refusal(read_bif(file, ordered = c("A", "A")))
    show_refusal(read_bif(file, ordered = list(B = "x")))
    show_refusal(read_bif(file, ordered = list(A = c("young", "old"))))
    show_refusal(read_bif(file, ordered = list(A = c("young", "old", "ancient"))))
    show_refusal(read_bif(file, ordered = list(A = c("young", "old", "old"))))
    show_refusal(read_bif(file, ordered = list(A = 1:3)))
  })
})

test_that("a file that is not there is refused", {
  expect_snapshot({
    show_refusal(read_bif("missing.bif"))
    show_refusal(read_bif("."))
    show_refusal(read_bif(character()))
    show_refusal(read_bif(3))
    show_refusal(read_bif(""))
  })
})

test_that("a malformed file is refused with its name and line", {
  file <- temporary_file("asia.bif")
  good <- paste(readLines(bundled("asia")), collapse = "\n")
  read_with <- function(from, to) {
    stopifnot(grepl(from, good, fixed = TRUE))
    writeLines(sub(from, to, good, fixed = TRUE), file)
    read_bif(file)
  }
  expect_identical(read_with("yes", "yes")$probabilities, read_bif(bundled("asia"))$probabilities)
  expect_snapshot({
    "unknown variable"
    show_refusal(read_with("tub | asia", "tub | africa"))
    "duplicate variable"
    show_refusal(read_with("variable tub", "variable asia"))
    "wrong number of levels"
    show_refusal(read_with("[ 2 ]", "[ 3 ]"))
    "wrong number of probabilities"
    show_refusal(read_with("(yes) 0.05, 0.95", "(yes) 0.05"))
    "negative"
    show_refusal(read_with("(yes) 0.05, 0.95", "(yes) -0.05, 1.05"))
    "not a number"
    show_refusal(read_with("(yes) 0.05, 0.95", "(yes) 0.05, most"))
    "sum not one"
    show_refusal(read_with("(yes) 0.05, 0.95", "(yes) 0.5, 0.95"))
    "missing configuration"
    show_refusal(read_with("(no, yes) 1.0, 0.0;", ""))
    "duplicate configuration"
    show_refusal(read_with("(no, yes)", "(yes, yes)"))
    "unknown level"
    show_refusal(read_with("(no, yes)", "(none, yes)"))
    "cycle"
    show_refusal(read_with("( smoke ) {\n  table", "( smoke | dysp ) {\n  default"))
    "missing end of a row"
    show_refusal(read_with("0.95;", "0.95"))
    "unterminated comment"
    show_refusal(read_with("variable tub", "/* variable tub"))
    "braces and cli markup in the file are only text"
    show_refusal(read_with("variable tub", "{.val {stop()}} tub"))
  })
})

test_that("a truncated, empty or binary file is refused", {
  file <- temporary_file("broken.bif")
  bytes <- readBin(bundled("asia"), "raw", 1e5)
  read_raw <- function(bytes) {
    writeBin(bytes, file)
    read_bif(file)
  }
  expect_snapshot({
    show_refusal(read_raw(raw()))
    show_refusal(read_raw(bytes[1:500]))
    show_refusal(read_raw(bytes[1:(length(bytes) - 2)]))
    show_refusal(read_raw(head(bytes, grepRaw("probability ( dysp", bytes, fixed = TRUE) - 1)))
    show_refusal(read_raw(as.raw(c(0x6e, 0x00, 0x65))))
    show_refusal(read_raw(as.raw(c(0x6e, 0xe4, 0x65))))
  })
})

test_that("the error can be caught by class and knows its line", {
  file <- temporary_file("x.bif")
  writeLines(c("network x { }", "rubbish"), file)
  error <- tryCatch(read_bif(file), privpc_bif_error = identity)
  expect_s3_class(error, "privpc_error")
  expect_identical(error$line, 2)
})

test_that("a damaged compressed file is refused in words", {
  whole <- temporary_file("asia.bif.gz")
  connection <- gzfile(whole, "wb")
  writeBin(readBin(system.file("extdata", "asia.bif", package = "privpc"), "raw", 1e6), connection)
  close(connection)
  bytes <- readBin(whole, "raw", 1e6)
  damaged <- list(
    turned = replace(bytes, 40:120, as.raw(255L)), short = utils::head(bytes, -40L),
    header = bytes[1:12]
  )
  for (name in names(damaged)) {
    file <- temporary_file(paste0(name, ".bif.gz"))
    writeBin(damaged[[name]], file)
    error <- expect_error(read_bif(file), class = "privpc_error", info = name)
    expect_no_match(conditionMessage(error), raw_pattern, info = name)
    expect_no_match(conditionMessage(error), "error reading", info = name)
    unlink(file)
  }
  file <- temporary_file("asia.bif.gz")
  writeBin(damaged$turned, file)
  expect_snapshot(show_refusal(read_bif(file)), transform = function(x) sub("'.*asia", "'asia", x))
})
