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

test_that("words are spelt right, or known", {
  root <- source_root()
  skip_if(is.null(root), "the sources are not here")
  skip_if_not_installed("spelling")
  skip_on_cran()
  # A word that is right but unknown goes into inst/WORDLIST.
  expect_identical(spelling::spell_check_package(root)$word, character())
})
