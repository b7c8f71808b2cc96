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

test_that("the README tells the shares of a budget that steps take", {
  skip_if_not(file.exists(readme), "README.md is here")
  share <- round(100 * rho_from_dp(c(0.1, 0.3, 0.5), 1e-6) / rho_from_dp(1, 1e-6))
  said <- sprintf("take about %d %%, %d %% and %d %%", share[[1]], share[[2]], share[[3]])
  expect_match(paste(readLines(readme), collapse = " "), said, fixed = TRUE)
  pure <- round(100 * 0.1 * tanh(0.05) / rho_from_dp(1, 1e-6))
  said <- sprintf("Laplace noise of epsilon 0.1 takes about %d %%", pure)
  expect_match(paste(readLines(readme), collapse = " "), said, fixed = TRUE)
})

test_that("every line of the README runs, in order, and leaves a figure and a graph", {
  skip_if_not(file.exists(readme), "README.md is here")
  skip_if_not_installed("bnlearn")
  for (package in c("DBI", "dbplyr", "dplyr", "RSQLite")) skip_if_not_installed(package)
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
  expect_true(all(file.exists("figure1.pdf", "graph.rds")))
  expect_true(here$fit$privacy$private)
})
