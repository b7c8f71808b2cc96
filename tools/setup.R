# The R packages that privpc needs. Called by tools/setup.sh:
#   Rscript tools/setup.R look <needs>     writes the names of missing packages to build/missing
#   Rscript tools/setup.R install <needs>  installs them from CRAN
# where <needs> are words of: run, test, engines, check, document, site. (For engines see
# tools/test_engines.R.)

# CRAN's current bnlearn asks for R 4.4; this is the last version that older R can install.
old_bnlearn <- list(
  path = "src/contrib/Archive/bnlearn/bnlearn_4.9.tar.gz",
  sha256 = "5159ab0e4b4785ce830726284bdd52d8e1e444a34109b657d022c07b14449227"
)

say <- function(...) cat(..., "\n", sep = "")

fail <- function(...) {
  say(...)
  quit(status = 1L)
}

# A field of DESCRIPTION such as "cli, testthat (>= 3.1.0)" as a data frame.
dependencies <- function(field) {
  value <- read.dcf("DESCRIPTION", fields = field)[1L, ]
  entries <- trimws(unlist(strsplit(value[!is.na(value)], ",")))
  data.frame(
    package = sub("[ (].*", "", entries),
    version = ifelse(grepl(">=", entries), gsub(".*>= *|\\).*", "", entries), "0"),
    stringsAsFactors = FALSE
  )
}

# Without the required packages the command cannot go on; without the optional ones tests skip.
needed_packages <- function(needs) {
  imports <- unique(dependencies(c("Imports", "LinkingTo")))
  of_r <- rownames(utils::installed.packages(.Library, priority = "base"))
  imports <- imports[!imports$package %in% of_r, ]
  suggests <- dependencies("Suggests")
  pick <- function(names) {
    found <- suggests[match(names, suggests$package), ]
    data.frame(package = names, version = ifelse(is.na(found$version), "0", found$version))
  }
  required <- rbind(
    imports,
    if ("test" %in% needs) pick("testthat"),
    if ("check" %in% needs) pick(c("knitr", "rmarkdown")),
    if ("document" %in% needs) pick("roxygen2"),
    if ("site" %in% needs) pick(c("pkgdown", "knitr", "rmarkdown"))
  )
  # dagitty brings a JavaScript engine with it: the tests do without it rather than install that.
  has_v8 <- nzchar(system.file(package = "V8"))
  optional <- c(
    if (any(c("test", "site") %in% needs)) "bnlearn",
    if ("site" %in% needs || ("test" %in% needs && has_v8)) "dagitty",
    if (any(c("test", "site") %in% needs)) "ggplot2",
    # What vignettes are made with; their tests need pandoc, too (tools/setup.sh).
    if ("test" %in% needs) c("knitr", "rmarkdown", "spelling"),
    # Tables in data bases; the PostgreSQL server itself is asked for in tools/setup.sh.
    if (any(c("test", "site") %in% needs)) c("DBI", "dbplyr", "dplyr", "RSQLite"),
    if ("test" %in% needs) "RPostgres"
  )
  rbind(
    cbind(required, required = TRUE),
    if (length(optional)) cbind(pick(optional), required = FALSE)
  )
}

is_installed <- function(package, version) {
  folder <- suppressWarnings(find.package(package, quiet = TRUE))
  length(folder) > 0L && utils::packageVersion(package) >= version
}

missing_packages <- function(needs) {
  packages <- needed_packages(needs)
  there <- mapply(is_installed, packages$package, packages$version)
  packages[!there, ]
}

# build/toolchain is rewritten only when its content changes: make rebuilds the package when it
# does. build/catch names the folder of Catch, the C++ test framework that comes with testthat,
# build/eigen that of Eigen, which comes with RcppEigen. (Files, because a user's .Rprofile may
# print something of its own.)
compiled_in <- c("Rcpp", "RcppEigen")

record_toolchain <- function() {
  versions <- vapply(compiled_in, function(package) {
    paste(package, utils::packageVersion(package))
  }, "")
  now <- c(R.version.string, R.version$platform, unname(versions))
  before <- if (file.exists("build/toolchain")) readLines("build/toolchain") else ""
  if (!identical(now, before)) writeLines(now, "build/toolchain")
  writeLines(system.file("include/testthat/vendor", package = "testthat"), "build/catch")
  writeLines(system.file("include", package = "RcppEigen"), "build/eigen")
  writeLines(system.file("include", package = "Rcpp"), "build/rcpp")
}

look <- function(needs) {
  missing <- missing_packages(needs)
  # What could not be had once is not tried again on every run.
  given_up <- if (file.exists("build/unavailable")) readLines("build/unavailable")
  given_up <- intersect(missing$package[!missing$required], given_up)
  if (length(given_up)) {
    say("Going on without ", toString(given_up), ", which could not be installed before ",
        "(remove build/unavailable to try again).")
  }
  missing <- setdiff(missing$package, given_up)
  writeLines(missing, "build/missing")
  if (!any(compiled_in %in% missing)) record_toolchain()
}

# The library that install.packages() would offer: the first one that can be written to, else
# the user's own, which is made.
target_library <- function() {
  writable <- Filter(function(folder) file.access(folder, 2L) == 0L, .libPaths())
  if (length(writable)) return(writable[1L])
  own <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1L]]
  own <- path.expand(own[nzchar(own) & own != "NULL"])
  if (!length(own) || !(dir.exists(own[1L]) || dir.create(own[1L], recursive = TRUE))) {
    fail("There is no R library that can be written to. Set R_LIBS_USER to a folder of yours.")
  }
  own[1L]
}

use_cran <- function() {
  cran <- getOption("repos")["CRAN"]
  if (is.null(cran) || is.na(cran) || cran == "@CRAN@") {
    utils::chooseCRANmirror(ind = 1L, local.only = TRUE)
  }
  options(timeout = max(600, getOption("timeout")))
}

sha256 <- function(file) {
  if (exists("sha256sum", asNamespace("tools"))) {
    return(unname(getExportedValue("tools", "sha256sum")(file)))
  }
  programs <- list(sha256sum = character(), shasum = c("-a", "256"), openssl = c("sha256", "-r"))
  for (program in names(programs)) {
    if (!nzchar(Sys.which(program))) next
    answer <- system2(program, c(programs[[program]], shQuote(file)), stdout = TRUE)
    return(sub("[^0-9a-f].*", "", answer[1L]))
  }
  NA_character_
}

install_old_bnlearn <- function(library) {
  file <- file.path(tempdir(), basename(old_bnlearn$path))
  address <- paste(sub("/+$", "", getOption("repos")["CRAN"]), old_bnlearn$path, sep = "/")
  utils::download.file(address, file, mode = "wb", quiet = TRUE)
  if (!identical(sha256(file), old_bnlearn$sha256)) {
    stop("the download is not the expected file: its SHA-256 differs or cannot be computed")
  }
  utils::install.packages(file, lib = library, repos = NULL, type = "source", quiet = TRUE)
}

# dagitty itself is small, but it needs V8, which compiles only where a JavaScript library is
# installed. It is tried by itself, last, and not for long.
install_dagitty <- function(library) {
  locks <- file.path(library, paste0("00LOCK-", c("V8", "dagitty")))
  locks <- locks[!dir.exists(locks)]
  on.exit(unlink(locks, recursive = TRUE))
  Sys.setenv("_R_INSTALL_PACKAGES_ELAPSED_TIMEOUT_" = "100")
  options(timeout = 60)
  utils::install.packages("dagitty", lib = library, Ncpus = 1L, quiet = TRUE)
}

attempt <- function(packages, library, how) {
  say("Installing from CRAN into ", library, ": ", toString(packages))
  tryCatch(how(), error = function(e) say("That failed: ", conditionMessage(e)))
}

install_missing <- function(needs) {
  missing <- missing_packages(needs)
  if (!nrow(missing)) return(invisible())
  library <- target_library()
  .libPaths(c(library, .libPaths()))
  use_cran()
  cores <- max(1L, parallel::detectCores(), na.rm = TRUE)
  Sys.setenv(MAKEFLAGS = paste0("-j", cores))
  # testthat needs fs, and fs needs libuv. Where that is not installed, fs can make its own copy
  # with cmake. (Without either, its message names the system package to ask for.)
  has_libuv <- nzchar(Sys.which("pkg-config")) && system2("pkg-config", "--exists libuv") == 0L
  if (!has_libuv && nzchar(Sys.which("cmake"))) Sys.setenv(USE_BUNDLED_LIBUV = "1")

  needs_old_bnlearn <- "bnlearn" %in% missing$package && getRversion() < "4.4"
  current <- setdiff(missing$package, c(if (needs_old_bnlearn) "bnlearn", "dagitty"))
  if (length(current)) {
    attempt(current, library, function() {
      utils::install.packages(current, lib = library, Ncpus = cores, quiet = TRUE)
    })
  }
  required <- missing_packages(needs)
  required <- required$package[required$required]
  if (length(required)) {
    fail(
      "These R packages are needed and could not be installed: ", toString(required), ".\n",
      "The messages above say why. Install them in your own way, then run make again."
    )
  }
  if (needs_old_bnlearn) {
    attempt("bnlearn 4.9", library, function() install_old_bnlearn(library))
  }
  if ("dagitty" %in% missing$package) {
    attempt("dagitty", library, function() install_dagitty(library))
  }
}

install <- function(needs) {
  install_missing(needs)
  left_out <- missing_packages(needs)$package
  if (length(left_out)) {
    say("Going on without ", toString(left_out), ": what needs it is skipped.")
    writeLines(left_out, "build/unavailable")
  }
  record_toolchain()
}

options(warn = 1)
arguments <- commandArgs(trailingOnly = TRUE)
if (getRversion() < "4.2") {
  fail("privpc needs R 4.2 or newer; this is ", R.version.string, ".")
}
switch(arguments[1L],
  look = look(arguments[-1L]),
  install = install(arguments[-1L]),
  fail("The first argument must be look or install.")
)
