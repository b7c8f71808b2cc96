# What `make site` does: the web site of the package, from _pkgdown.yml, into a folder.
# Usage: Rscript tools/site.R <folder>
# Nothing is fetched while it is built. The finished pages ask a content network for icons, the
# search field and the table of contents; without a network they are read without these.

folder <- commandArgs(trailingOnly = TRUE)[1L]

fail <- function(...) {
  cat(..., "\n", sep = "")
  quit(status = 1L)
}

missing <- Filter(
  function(package) !requireNamespace(package, quietly = TRUE),
  c("pkgdown", "knitr", "rmarkdown")
)
if (length(missing)) {
  fail("The site needs ", toString(missing), ". Install them, then run make site again.")
}
if (!rmarkdown::pandoc_available()) {
  fail("The site needs the program pandoc. Install it, then run make site again.")
}

# pkgdown would ask CRAN for dates of releases and for a page to link to.
options(pkgdown.internet = FALSE)

# Made anew each time: pages of functions that are gone must not stay.
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)
pkgdown::build_site(
  override = list(destination = folder),
  devel = FALSE, install = FALSE, new_process = FALSE, preview = FALSE
)

# The benchmarks, to which the README links, become a page too.
results <- tempfile(fileext = ".html")
rmarkdown::pandoc_convert(normalizePath("bench/results.md"), to = "html", output = results)
body <- grep("<h1", readLines(results, encoding = "UTF-8"), invert = TRUE, value = TRUE)
dir.create(file.path(folder, "bench"))
invisible(pkgdown::render_page(
  pkgdown::as_pkgdown(override = list(destination = folder)), "title-body",
  list(pagetitle = "Benchmarks", body = paste(body, collapse = "\n")),
  "bench/results.html"
))

# In the README the vignettes are files; here they are pages. Debian's pkgdown also names a
# script of the machine on which it runs.
pages <- list.files(folder, pattern = "[.]html$", recursive = TRUE)
for (page in file.path(folder, pages)) {
  text <- readLines(page, encoding = "UTF-8")
  text <- gsub("\"vignettes/([a-z]+)[.]Rmd\"", "\"articles/\\1.html\"", text)
  text <- gsub("<script src=\"file:[^>]*></script>", "", text)
  writeLines(text, page, useBytes = TRUE)
}

# Every link within the site, and every picture, must lead somewhere.
dead <- unlist(lapply(pages, function(page) {
  text <- paste(readLines(file.path(folder, page), encoding = "UTF-8"), collapse = "\n")
  found <- regmatches(text, gregexpr("(href|src)=\"[^\"]*\"", text))[[1L]]
  found <- unique(sub("#.*", "", gsub("^(href|src)=\"|\"$", "", found)))
  found <- found[nzchar(found) & !grepl("^([a-z]+:|//)", found)]
  found <- found[!file.exists(file.path(folder, dirname(page), found))]
  if (length(found)) paste0(page, " -> ", found)
}))
if (length(dead)) fail("These links lead nowhere:\n  ", paste(dead, collapse = "\n  "))
cat("The site begins at ", file.path(folder, "index.html"), ".\n", sep = "")
