# What a package is built from: of a clone only the files that git tracks, as they are now, so that
# nothing else that lies in the folder (notes, records) is handed on; of an unpacked archive all.
#   Rscript tools/tracked.R build/repo/privpc  copies them there if need be; prints where they are

# The folder to build from: `to`, or this one where git does not know.
folder_to_build <- function(to, say = message) {
  git <- function(...) {
    suppressWarnings(tryCatch(
      system2("git", c("-c", "core.quotepath=off", ...), stdout = TRUE, stderr = FALSE),
      error = function(e) structure(character(), status = 127L)
    ))
  }
  failed <- function(answer) !is.null(attr(answer, "status"))
  # The archive may have been unpacked inside a clone of something else.
  if (failed(git("ls-files", "--error-unmatch", "DESCRIPTION"))) {
    if (file.exists(".git")) {
      say(
        "git could not tell which files it tracks: all files of this folder go into the package, ",
        "also those that are none of it."
      )
    }
    return(".")
  }
  tracked <- git("ls-files")
  others <- git("ls-files", "--others", "--exclude-standard")
  if (failed(tracked) || failed(others)) stop("git could not list the files of this folder.")
  # git writes a name with a quote or a tab in quotes and escapes, which no file has.
  odd <- startsWith(tracked, "\"")
  if (any(odd)) stop("Rename these files, whose names git quotes: ", toString(tracked[odd]))
  # What was deleted but is tracked still.
  tracked <- unique(tracked[file.exists(tracked)])
  unlink(to, recursive = TRUE)
  for (folder in unique(dirname(file.path(to, tracked)))) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  }
  copied <- file.copy(tracked, file.path(to, tracked), copy.date = TRUE)
  if (!all(copied)) stop("These could not be copied to ", to, ": ", toString(tracked[!copied]))
  if (length(others)) {
    say(
      "Left out, because git does not track ", if (length(others) == 1L) "it" else "them", ": ",
      length(others), if (length(others) == 1L) " file (" else " files (",
      toString(utils::head(others, 3L)), if (length(others) > 3L) ", ...", ")."
    )
  }
  to
}

arguments <- commandArgs(trailingOnly = TRUE)
if (sys.nframe() == 0L && length(arguments) == 1L) cat(folder_to_build(arguments), "\n", sep = "")
