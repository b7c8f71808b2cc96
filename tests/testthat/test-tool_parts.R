# Tools of many parts must not tell old results as new ones, nor lose what crashed.

test_that("what is kept of a part says when and with which build it was found", {
  folder <- tempfile("kept")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  expect_true(run_and_keep("one", folder, "this build", function() list(counts = 3)))
  saveRDS(list(counts = 4, date = "2026-01-02"), part_file(folder, "two"))
  kept <- kept_parts(folder, c("one", "two", "three"))
  expect_named(kept, c("one", "two"))
  expect_identical(kept$one$counts, 3)
  expect_identical(is_of_build(kept, "this build"), c(one = TRUE, two = FALSE))
  expect_identical(days_of(kept["two"]), "on 2026-01-02")
  kept$one$date <- "2026-01-04"
  expect_identical(days_of(kept), "from 2026-01-02 to 2026-01-04")
})

test_that("a part that stops leaves nothing, also not what it found before", {
  folder <- tempfile("kept")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  run_and_keep("one", folder, "this build", function() list(counts = 3))
  expect_output(
    expect_false(run_and_keep("one", folder, "this build", function() stop("no tool"))),
    "could not be run: one: no tool"
  )
  expect_length(kept_parts(folder, "one"), 0L)
})

test_that("another build of the package is told", {
  folder <- tempfile("package")
  for (part in c("libs", "R")) dir.create(file.path(folder, part), recursive = TRUE)
  on.exit(unlink(folder, recursive = TRUE))
  expect_error(package_build(folder), "no installed package")
  code <- file.path(folder, "R/privpc.rdb")
  writeLines("compiled", file.path(folder, "libs", paste0("privpc", .Platform$dynlib.ext)))
  writeLines("one", code)
  first <- package_build(folder)
  writeLines("two", code)
  expect_false(package_build(folder) == first)
})

test_that("crashes of R are counted and named", {
  skip_on_os("windows")
  skip_on_cran()
  f <- function(i) {
    if (i == 4) tools::pskill(Sys.getpid(), tools::SIGKILL)
    if (i == 5) stop("odd")
    if (i != 1) data.frame(i = i)
  }
  for (processes in 1:2) {
    found <- in_groups(1:6, f, function(i) paste("call", i), processes, size = 3)
    expect_identical(found$rows$i, c(2L, 3L, 6L))
    expect_identical(found$crashes, c("call 4: R died", "call 5: odd"))
  }
  all_lost <- in_groups(4:5, f, function(i) paste("call", i), 1)
  expect_identical(nrow(all_lost$rows), 0L)
  expect_length(all_lost$crashes, 2L)
})
