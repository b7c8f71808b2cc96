# tools/tracked.R is not part of the package that is built.
tracked_tool <- function() {
  file <- test_path("..", "..", "tools", "tracked.R")
  skip_if_not(file.exists(file), "The tools are not here")
  tool <- new.env()
  sys.source(file, tool)
  tool
}

# A folder that looks like a package, with a file that was never meant to be in it.
folder_with_records <- function(envir = parent.frame()) {
  folder <- tempfile("a clone ")
  dir.create(file.path(folder, "R"), recursive = TRUE)
  dir.create(file.path(folder, "scratch"))
  for (name in c("DESCRIPTION", ".Rbuildignore", "R/kept.R", "R/gone.R", "scratch/records.csv")) {
    writeLines(name, file.path(folder, name))
  }
  old <- setwd(folder)
  do.call(on.exit, list(bquote({
    setwd(.(old))
    unlink(.(folder), recursive = TRUE)
  })), envir = envir)
}

test_that("a package is built from what git tracks, as it is now", {
  skip_if(!nzchar(Sys.which("git")), "git is not installed")
  tool <- tracked_tool()
  folder_with_records()
  git <- function(...) system2("git", c(...), stdout = FALSE, stderr = FALSE)
  git("init")
  git("add", "DESCRIPTION", ".Rbuildignore", "R")
  writeLines("changed", "R/kept.R")
  unlink("R/gone.R")
  said <- NULL
  to <- tool$folder_to_build("build/copy", say = function(...) said <<- paste0(...))
  expect_identical(to, "build/copy")
  expect_setequal(
    list.files(to, all.files = TRUE, recursive = TRUE), c("DESCRIPTION", ".Rbuildignore", "R/kept.R")
  )
  expect_identical(readLines(file.path(to, "R/kept.R")), "changed")
  expect_identical(
    said, "Left out, because git does not track it: 1 file (scratch/records.csv)."
  )
})

test_that("where git does not know a folder the package is built from all of it", {
  tool <- tracked_tool()
  folder_with_records()
  said <- NULL
  say <- function(...) said <<- paste0(...)
  expect_identical(tool$folder_to_build("build/copy", say), ".")
  expect_null(said)
  # A clone, but git is missing or refuses to work in it.
  dir.create(".git")
  expect_identical(tool$folder_to_build("build/copy", say), ".")
  expect_match(said, "git could not tell")
})
