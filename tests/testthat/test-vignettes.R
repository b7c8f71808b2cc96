# The vignettes are not part of the installed sources; these tests run in a checkout.
vignette_files <- list.files(test_path("..", "..", "vignettes"), "[.]Rmd$", full.names = TRUE)

# The text with its formulas, without the code: that is run where the package is built.
without_code <- function(lines) {
  fence <- startsWith(lines, "```")
  inside <- cumsum(fence) %% 2L == 1L | fence
  gsub("`r [^`]*`", "NUMBER", lines[!inside])
}

# What a page asks a network for as soon as it is opened. Links that a reader may follow are no such
# thing.
loaded_from_elsewhere <- function(html) {
  text <- paste(html, collapse = "\n")
  elsewhere <- "[\"']?(https?:)?//"
  asked <- c(
    paste0("<(script|link|img|iframe)[^>]*(src|href)=", elsewhere), paste0("url\\(", elsewhere),
    paste0("[.]src *= *", elsewhere), "@import"
  )
  regmatches(text, gregexpr(paste(asked, collapse = "|"), text))[[1L]]
}

test_that("what loads from a network is seen", {
  expect_length(loaded_from_elsewhere("<script src=\"https://a.org/x.js\"></script>"), 1)
  expect_length(loaded_from_elsewhere("script.src = \"https://a.org/MathJax.js\";"), 1)
  expect_length(loaded_from_elsewhere("<link href='//a.org/x.css' rel=\"stylesheet\">"), 1)
  expect_length(loaded_from_elsewhere("@font-face { src: url(https://a.org/x.woff) }"), 1)
  expect_length(loaded_from_elsewhere("<a href=\"https://doi.org/10\">paper</a>"), 0)
})

test_that("vignettes show their formulas, and load nothing from a network", {
  skip_if(length(vignette_files) == 0L, "the vignettes are not here")
  skip_if_not_installed("rmarkdown", "2.12")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "pandoc is here")
  folder <- tempfile("vignettes")
  dir.create(folder)
  formulas <- vapply(vignette_files, function(file) {
    source <- file.path(folder, basename(file))
    writeLines(without_code(readLines(file, encoding = "UTF-8")), source, useBytes = TRUE)
    html <- readLines(rmarkdown::render(source, quiet = TRUE), encoding = "UTF-8")
    expect_identical(loaded_from_elsewhere(html), character(), label = basename(file))
    # What pandoc cannot read stays as it was written.
    expect_false(any(grepl("class=\"math", html)), label = basename(file))
    sum(lengths(regmatches(html, gregexpr("<math", html))))
  }, 0)
  expect_gt(formulas[basename(vignette_files) == "algorithms.Rmd"], 300)
  expect_gt(formulas[basename(vignette_files) == "paper.Rmd"], 5)
})
