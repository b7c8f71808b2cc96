# The sources, if the tests run beside them.
source_root <- function() {
  root <- testthat::test_path("..", "..")
  if (all(file.exists(file.path(root, c("_pkgdown.yml", "man", "vignettes"))))) root
}

test_that("every help page is in the reference index, and every entry of it exists", {
  root <- source_root()
  skip_if(is.null(root), "the sources are not here")
  lines <- readLines(file.path(root, "_pkgdown.yml"), encoding = "UTF-8")
  reference <- lines[-seq_len(which(lines == "reference:"))]
  listed <- sub("^  - ", "", grep("^  - [^ ]+$", reference, value = TRUE))
  pages <- list.files(file.path(root, "man"), pattern = "[.]Rd$", full.names = TRUE)
  names <- lapply(pages, function(page) {
    text <- readLines(page, encoding = "UTF-8")
    found <- grep("^\\\\(name|alias)\\{", text, value = TRUE)
    gsub("^\\\\(name|alias)\\{|\\}$", "", found)
  })
  missing <- basename(pages)[!vapply(names, function(alias) any(alias %in% listed), NA)]
  expect_identical(missing, character())
  expect_identical(setdiff(listed, unlist(names)), character())
  expect_false(anyDuplicated(listed) > 0)
  vignettes <- sub("[.]Rmd$", "", list.files(file.path(root, "vignettes"), "[.]Rmd$"))
  articles <- sub("^  - ", "", grep("^  - [^ ]+$", setdiff(lines, reference), value = TRUE))
  expect_setequal(c("privpc", articles), vignettes)
})

test_that("?privpc leads to every help page, and help(package = \"privpc\") to it", {
  root <- source_root()
  skip_if(is.null(root), "the sources are not here")
  pages <- list.files(file.path(root, "man"), pattern = "[.]Rd$", full.names = TRUE)
  text <- lapply(pages, readLines, encoding = "UTF-8")
  names(text) <- basename(pages)
  here <- text[["privpc-package.Rd"]]
  # A page with this keyword is left out of the index.
  expect_false(any(grepl("\\\\keyword\\{internal\\}", here)))
  links <- regmatches(here, gregexpr("\\\\link(\\[=[^]]+\\]|)\\{[^}]+", here))
  linked <- sub(".*link\\[=([^]]+)\\].*", "\\1", sub("^\\\\link\\{", "", unlist(links)))
  aliases <- lapply(text, function(lines) {
    gsub("^\\\\alias\\{|\\}$", "", grep("^\\\\alias\\{", lines, value = TRUE))
  })
  missed <- names(aliases)[!vapply(aliases, function(names) any(names %in% linked), NA)]
  expect_identical(missed, "privpc-package.Rd")
  namespace <- readLines(file.path(root, "NAMESPACE"))
  exports <- gsub("^export\\(|\\)$", "", grep("^export\\(", namespace, value = TRUE))
  named <- vapply(exports, function(name) name %in% linked, NA)
  expect_identical(exports[!named], character())
})

test_that("words are spelt right, or known", {
  root <- source_root()
  skip_if(is.null(root), "the sources are not here")
  skip_if_not_installed("spelling")
  skip_on_cran()
  # A word that is right but unknown goes into inst/WORDLIST. "F1" and "1e" are words to some
  # dictionaries only.
  words <- spelling::spell_check_package(root)$word
  expect_identical(grep("[0-9]", words, invert = TRUE, value = TRUE), character())
})
