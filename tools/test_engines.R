# `make test-engines`: tests with engines that not every machine can have. What is missing is
# fetched where that is possible: drivers from CRAN, into a library of their own that only this run
# sees, DuckDB's library with npm, and ClickHouse's server with apt-get (tools/setup.sh). What
# cannot be had is skipped, and counted as such.

# Before anything is loaded: a driver may need a newer version of a package than is installed.
drivers <- file.path("build", "engines-lib")
dir.create(drivers, recursive = TRUE, showWarnings = FALSE)
.libPaths(c(.libPaths()[[1L]], normalizePath(drivers), .libPaths()[-1L]))

is_installed <- function(package) length(find.package(package, quiet = TRUE)) > 0L
say <- function(...) cat(..., "\n", sep = "")

# What could not be had once is not tried again on every run.
given_up_file <- file.path("build", "engines-unavailable")
given_up <- if (file.exists(given_up_file)) readLines(given_up_file) else character()

install_driver <- function(package, duration) {
  if (is_installed(package)) return(invisible())
  if (package %in% given_up) {
    return(say("Going on without ", package, ": remove ", given_up_file, " to try again."))
  }
  say("Installing ", package, " from CRAN into ", drivers, ": ", duration, ", once.")
  cran <- getOption("repos")["CRAN"]
  if (is.na(cran) || cran == "@CRAN@") utils::chooseCRANmirror(ind = 1L, local.only = TRUE)
  # The compile jobs are no part of the make that called us.
  Sys.unsetenv(c("MFLAGS", "MAKELEVEL"))
  Sys.setenv(MAKEFLAGS = paste0("-j", max(1L, parallel::detectCores(), na.rm = TRUE)))
  try(utils::install.packages(
    package, lib = drivers, quiet = TRUE, Ncpus = max(1L, parallel::detectCores(), na.rm = TRUE)
  ), silent = TRUE)
  if (is_installed(package)) return(invisible())
  say("It could not be installed; what needs it is skipped.")
  cat(package, "\n", sep = "", file = given_up_file, append = TRUE)
}

# The npm package carries the library as it is.
fetch_duckdb <- function(folder = file.path("build", "duckdb")) {
  library <- file.path(folder, "package", "libduckdb.so")
  npm <- Sys.which("npm")
  linux <- Sys.info()[["sysname"]] == "Linux" && R.version$arch == "x86_64"
  if (!file.exists(library) && nzchar(npm) && linux) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    say("Fetching the library of DuckDB with npm: a few seconds, once.")
    old <- setwd(folder)
    on.exit(setwd(old))
    system2(npm, c("pack", "--silent", "@duckdb/node-bindings-linux-x64"), stdout = FALSE)
    archive <- list.files(pattern = "[.]tgz$")
    if (length(archive)) utils::untar(archive[[1L]])
    setwd(old)
  }
  if (file.exists(library)) normalizePath(library) else ""
}

if (!nzchar(Sys.getenv("DUCKDB_LIBRARY"))) Sys.setenv(DUCKDB_LIBRARY = fetch_duckdb())
if (nzchar(Sys.getenv("DUCKDB_LIBRARY"))) {
  for (package in c("adbcdrivermanager", "adbi")) install_driver(package, "about a minute")
}
if (nzchar(Sys.which("clickhouse-server"))) {
  install_driver("RClickhouse", "about ten minutes on two cores")
}

say("Tests with DuckDB and with a cluster of two ClickHouse servers: about four minutes.")
library(testthat)
source("tools/copy_sources.R")
options(privpc.advice = FALSE)
results <- as.data.frame(test_dir(
  file.path(copy_sources("build/test-engines"), "tests", "engines"), package = "privpc",
  load_package = "installed", reporter = "summary", stop_on_failure = FALSE
))
failed <- sum(results$failed) + sum(results$error)
cat(sum(results$passed), "passed,", failed, "failed,", sum(results$skipped), "skipped\n")
quit(status = if (failed > 0L) 1L else 0L)
