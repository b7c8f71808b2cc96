# `make repo`: a folder that install.packages() takes as a repository, with the source package and
# its rendered vignettes in it. To be put on any web server or shared disk.
#   Rscript tools/repo.R build/repo       fills the folder from the package that was built there
#   Rscript tools/repo.R test build/repo  installs from it as a user would

arguments <- commandArgs(trailingOnly = TRUE)
say <- function(...) cat(..., "\n", sep = "")
address <- function(folder) {
  path <- normalizePath(folder, winslash = "/")
  # A path of Windows begins with a drive, not with a slash.
  paste0(if (startsWith(path, "/")) "file://" else "file:///", utils::URLencode(path))
}

fill <- function(folder) {
  contrib <- file.path(folder, "src", "contrib")
  archive <- list.files(folder, "^privpc_.*[.]tar[.]gz$", full.names = TRUE)
  if (length(archive) != 1L) stop("There must be one package in ", folder, ".")
  dir.create(contrib, recursive = TRUE, showWarnings = FALSE)
  file.rename(archive, file.path(contrib, basename(archive)))
  tools::write_PACKAGES(contrib, type = "source")
  say("A repository with ", basename(archive), " is in ", folder, ". From there:")
  say("  install.packages(\"privpc\", repos = c(\"", address(folder), "\", getOption(\"repos\")))")
}

# What a user does: a library of their own that is empty, one line, and the first vignette. The
# packages that privpc imports may be in other libraries; CRAN is not asked.
try_it <- function(folder) {
  library <- tempfile("library")
  dir.create(library)
  on.exit(unlink(library, recursive = TRUE))
  say("Installing from ", folder, " into an empty library: some minutes")
  utils::install.packages("privpc", lib = library, repos = address(folder), quiet = TRUE)
  code <- paste(
    "library(privpc)", sprintf("stopifnot(startsWith(find.package(\"privpc\"), \"%s\"))", library),
    "page <- vignette(\"privpc\")", "file <- file.path(page$Dir, \"doc\", page$PDF)",
    "stopifnot(file.exists(file), any(grepl(\"<h1\", readLines(file, warn = FALSE))))",
    "all <- vignette(package = \"privpc\")$results[, \"Item\"]",
    "cohort <- simulate(network(\"asia\"), nsim = 20000, seed = 1)",
    "fit <- marginal_pc(cohort, epsilon = 1)", "stopifnot(inherits(fit, \"privpc\"))",
    "cat(length(all), \"vignettes:\", toString(sort(all)), \"\\n\")",
    sep = "\n"
  )
  script <- tempfile(fileext = ".R")
  writeLines(code, script)
  libraries <- paste(c(library, .libPaths()), collapse = .Platform$path.sep)
  Sys.setenv(R_LIBS = libraries)
  status <- system2(file.path(R.home("bin"), "Rscript"), c("--no-init-file", shQuote(script)))
  if (status != 0L) {
    say("The package could not be installed and used from ", folder, ".")
    quit(status = 1L)
  }
  say("Installed from ", folder, ", a graph learnt, vignette(\"privpc\") found.")
}

if (arguments[1L] == "test") try_it(arguments[2L]) else fill(arguments[1L])
