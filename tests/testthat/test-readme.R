# The README is not part of the installed package; these tests run in a checkout.
readme <- test_path("..", "..", "README.md")

# The lines of R between fences, but for those that install the package.
readme_code <- function() {
  lines <- readLines(readme)
  begin <- which(lines == "```r")
  ends <- which(lines == "```")
  blocks <- lapply(begin, function(at) lines[(at + 1L):(min(ends[ends > at]) - 1L)])
  Filter(function(block) !any(grepl("^(install|remotes)", block)), blocks)
}

test_that("every line of the README runs, in order, and leaves a figure and a graph", {
  skip_if_not(file.exists(readme), "README.md is here")
  skip_if_not_installed("bnlearn")
  blocks <- readme_code()
  expect_gt(length(blocks), 4)
  folder <- tempfile("readme")
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  here <- new.env(parent = globalenv())
  utils::capture.output(suppressMessages(
    expect_no_error(for (block in blocks) eval(parse(text = block), here))
  ))
  expect_true(all(file.exists("figure1.pdf", "graph.html", "graph.rds")))
  expect_true(here$fit$privacy$private)
})

test_that("files and vignettes that the README names are there, and all vignettes are named", {
  skip_if_not(file.exists(readme), "README.md is here")
  text <- paste(readLines(readme), collapse = "\n")
  linked <- regmatches(text, gregexpr("\\]\\([^)]+\\)|src=\"[^\"]+", text))[[1L]]
  linked <- grep("^http", gsub("^\\]\\(|\\)$|^src=\"", "", linked), invert = TRUE, value = TRUE)
  expect_identical(linked[!file.exists(file.path(dirname(readme), linked))], character())
  pages <- list.files(file.path(dirname(readme), "vignettes"), "[.]Rmd$")
  vignettes <- file.path("vignettes", pages)
  expect_identical(setdiff(vignettes, linked), character())
})
