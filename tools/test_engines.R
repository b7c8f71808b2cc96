# `make test-engines`: tests with engines that not every machine can have. What is missing is
# fetched where that takes little (the drivers from CRAN, DuckDB's library with npm), and skipped
# where it cannot be had.

library(testthat)

need <- c("adbcdrivermanager", "adbi")
absent <- need[!vapply(need, requireNamespace, NA, quietly = TRUE)]
if (length(absent)) {
  cat("Installing from CRAN:", absent, "\n")
  try(utils::install.packages(absent, quiet = TRUE))
}

# The npm package carries the library as it is.
fetch_duckdb <- function(folder = "build/duckdb") {
  library <- file.path(folder, "package", "libduckdb.so")
  npm <- Sys.which("npm")
  linux <- Sys.info()[["sysname"]] == "Linux" && R.version$arch == "x86_64"
  if (!file.exists(library) && nzchar(npm) && linux) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    old <- setwd(folder)
    on.exit(setwd(old))
    cat("Fetching the library of DuckDB with npm\n")
    system2(npm, c("pack", "--silent", "@duckdb/node-bindings-linux-x64"), stdout = FALSE)
    archive <- list.files(pattern = "[.]tgz$")
    if (length(archive)) utils::untar(archive[[1L]])
    setwd(old)
  }
  if (file.exists(library)) normalizePath(library) else ""
}
if (!nzchar(Sys.getenv("DUCKDB_LIBRARY"))) Sys.setenv(DUCKDB_LIBRARY = fetch_duckdb())

results <- as.data.frame(test_dir(
  "tests/engines", package = "privpc", load_package = "installed", reporter = "summary",
  stop_on_failure = FALSE
))
failed <- sum(results$failed) + sum(results$error)
cat(sum(results$passed), "passed,", failed, "failed,", sum(results$skipped), "skipped\n")
quit(status = if (failed > 0L) 1L else 0L)
