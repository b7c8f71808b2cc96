test_that("snapshots hold our words, not the headings of one version of testthat", {
  # show_refusal() and show_said() give the words alone.
  files <- list.files(test_path("_snaps"), "[.]md$", full.names = TRUE)
  expect_gt(length(files), 50L)
  heading <- "^    (Message|Warning|Condition|Error)( <|$)"
  found <- unlist(lapply(files, function(file) {
    if (any(grepl(heading, readLines(file, encoding = "UTF-8")))) basename(file)
  }))
  expect_null(found)
})
