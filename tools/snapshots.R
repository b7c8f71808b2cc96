# `make snapshots`: takes over the snapshots that the last `make test` or `make test-r` wrote anew
# or found to differ, from the copy it ran on. Nothing is deleted. Look at `git diff` afterwards.

seen <- "build/test/tests/testthat/_snaps"
kept <- "tests/testthat/_snaps"
if (!dir.exists(seen)) {
  cat("There is no run to take snapshots from: `make test-r` comes first.\n")
  quit(status = 1L)
}
# What differs stands beside the old one as <name>.new.<type>.
files <- list.files(seen, recursive = TRUE)
is_new <- grepl("[.]new[.][^.]+$", files)
files <- setdiff(files, sub("[.]new([.][^.]+)$", "\\1", files[is_new]))
target <- sub("[.]new([.][^.]+)$", "\\1", files)
same <- mapply(function(from, to) {
  file.exists(to) && identical(unname(tools::md5sum(from)), unname(tools::md5sum(to)))
}, file.path(seen, files), file.path(kept, target))
for (i in which(!same)) {
  dir.create(dirname(file.path(kept, target[i])), recursive = TRUE, showWarnings = FALSE)
  file.copy(file.path(seen, files[i]), file.path(kept, target[i]), overwrite = TRUE)
  cat(file.path(kept, target[i]), "\n")
}
if (all(same)) cat("All snapshots are as they were.\n")
