# Tests run on a copy of the sources: testthat removes snapshots of tests that were skipped, adds
# new ones and leaves notes of its own, and none of that may happen to the tree. Gives the folder.
copy_sources <- function(folder) {
  unlink(folder, recursive = TRUE)
  dir.create(folder, recursive = TRUE)
  parts <- setdiff(list.files("."), c("build", "docs"))
  copied <- file.copy(parts, folder, recursive = TRUE, copy.date = TRUE)
  if (!all(copied)) stop("These could not be copied to ", folder, ": ", toString(parts[!copied]))
  folder
}
