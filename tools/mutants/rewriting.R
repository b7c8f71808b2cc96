# From the catalogue to sources that carry all mutants at once, each behind a switch.

# One entry of the catalogue. `old` is the exact text of the source and has to occur there once; or,
# with `after` (a text that occurs once), `old` is its first occurrence from there on. So a changed
# source cannot leave an entry behind that changes something else, or nothing.
# A text of C++ that ends with ; or } is taken for whole statements, any other for an expression;
# in R everything is an expression. `new` may be empty for statements: they are left out.
mutant <- function(id, breaks, file, old, new, killed_by, after = NULL, quick = FALSE) {
  structure(list(
    id = id, breaks = breaks, file = file, old = old, new = new, killed_by = killed_by,
    after = after, quick = quick
  ), class = "mutant")
}

header <- function(path) file.path("inst/include/privpc", path)

# The test that has to notice the mutant: a test case of the core or of the R package.
cpp_test <- function(file, name) {
  list(kind = "cpp", file = paste0("tests/cpp/", file, ".cpp"), name = name)
}
r_test <- function(file, name) {
  list(kind = "r", file = paste0("tests/testthat/", file, ".R"), name = name)
}

# All entries of all files, in a fixed order. The file they stand in is their area. The switch is
# set to an entry's number, which is made of its id: a new entry changes no other file's copy.
read_catalogue <- function(folder = "tools/mutants/catalogue") {
  files <- sort(list.files(folder, "[.]R$", full.names = TRUE), method = "radix")
  entries <- unlist(lapply(files, function(file) {
    area <- sub("^[0-9]+-", "", sub("[.]R$", "", basename(file)))
    lapply(source(file, local = TRUE)$value, function(entry) {
      c(unclass(entry), list(area = gsub("-", " ", area)))
    })
  }), recursive = FALSE)
  ids <- vapply(entries, function(entry) entry$id, "")
  if (anyDuplicated(ids)) stop("The catalogue has ", ids[duplicated(ids)][[1L]], " twice.")
  numbers <- vapply(ids, number_of, 0L)
  if (anyDuplicated(numbers)) stop("Two ids have one number: rename ", ids[duplicated(numbers)])
  for (i in seq_along(entries)) entries[[i]]$number <- numbers[[i]]
  stats::setNames(entries, ids)
}

number_of <- function(id) {
  as.integer(Reduce(function(sum, letter) (31 * sum + letter) %% 2147483629, utf8ToInt(id), 7)) + 1L
}

read_text <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  text
}

places <- function(text, part) {
  found <- gregexpr(part, text, fixed = TRUE)[[1L]]
  found[found > 0L]
}

# First and last character of what an entry replaces.
locate <- function(entry, text) {
  complain <- function(...) stop("Mutant ", entry$id, ", ", entry$file, ": ", ..., call. = FALSE)
  from <- 1L
  if (!is.null(entry$after)) {
    from <- places(text, entry$after)
    if (length(from) != 1L) complain("`after` occurs ", length(from), " times, not once.")
  }
  at <- places(text, entry$old)
  if (is.null(entry$after) && length(at) != 1L) {
    complain("the text to be changed occurs ", length(at), " times, not once.")
  }
  at <- at[at >= from]
  if (length(at) == 0L) complain("the text to be changed does not follow `after`.")
  if (identical(entry$old, entry$new)) complain("it changes nothing.")
  c(at[[1L]], at[[1L]] + nchar(entry$old) - 1L)
}

is_r <- function(file) grepl("[.]R$", file)

switched <- function(entry, old) {
  if (is_r(entry$file)) {
    new <- if (nzchar(entry$new)) entry$new else "NULL"
    return(paste0("(if (mutant_is_on(", entry$number, "L)) {", new, "} else {", old, "})"))
  }
  on <- paste0("::privpc_mutants::is_on(", entry$number, ")")
  if (grepl("[;}]$", entry$old)) {
    return(paste0("if (", on, ") {", entry$new, "} else {", old, "}"))
  }
  paste0("(", on, " ? (", entry$new, ") : (", old, "))")
}

# The text with every entry behind its switch. Where one entry lies inside another, or on the same
# text, the inner one is what the outer one leaves as it is.
rewrite <- function(text, entries) {
  if (length(entries) == 0L) return(text)
  at <- t(vapply(entries, locate, integer(2), text = text))
  outer_first <- order(at[, 1L], -at[, 2L])
  entries <- entries[outer_first]
  at <- at[outer_first, , drop = FALSE]
  render <- function(first, last, members) {
    out <- character()
    while (length(members)) {
      i <- members[[1L]]
      inside <- members[-1L][at[members[-1L], 1L] <= at[i, 2L]]
      if (any(at[inside, 2L] > at[i, 2L])) {
        stop("Mutants that overlap but do not nest: ", entries[[i]]$id, ".", call. = FALSE)
      }
      out <- c(
        out, substr(text, first, at[i, 1L] - 1L),
        switched(entries[[i]], render(at[i, 1L], at[i, 2L], inside))
      )
      first <- at[i, 2L] + 1L
      members <- setdiff(members, c(i, inside))
    }
    paste0(c(out, substr(text, first, last)), collapse = "")
  }
  render(1L, nchar(text), seq_along(entries))
}

# The switch: the number of the mutant that is on, from the environment. 0: none.
switch_in_cpp <- '// Written by tools/mutants.R.
#pragma once
#include <cstdlib>
namespace privpc_mutants {
inline int read_switch() {
  const char* number = std::getenv("PRIVPC_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}
inline const int active = read_switch();
inline bool is_on(int number) { return active == number; }
}  // namespace privpc_mutants
'

switch_in_r <- "# Written by tools/mutants.R.
mutant_is_on <- function(number) identical(Sys.getenv(\"PRIVPC_MUTANT\"), as.character(number))
"

rewrite_file <- function(file, entries) {
  text <- rewrite(read_text(file), entries)
  if (is_r(file)) return(text)
  # The first include of the file is a place where another is safe.
  sub("#include", "#include \"privpc/mutants.hpp\"\n#include", text, fixed = TRUE)
}

# The package and the tests of the core in `folder`, with all mutants. A file is written only if it
# is new or another, so that no more is compiled than has to be. Gives the files that changed.
write_tree <- function(catalogue, folder) {
  parts <- c("DESCRIPTION", "NAMESPACE", "R", "src", "inst", "tests/cpp")
  from <- unlist(lapply(parts, function(part) {
    if (dir.exists(part)) list.files(part, recursive = TRUE, full.names = TRUE) else part
  }))
  from <- from[!grepl("[.](o|so|dll)$", from)]
  by_file <- split(catalogue, vapply(catalogue, function(entry) entry$file, ""))
  lost <- setdiff(names(by_file), from)
  if (length(lost)) stop("The catalogue names a file that is not there: ", lost[[1L]], ".")
  texts <- lapply(stats::setNames(from, from), function(file) {
    if (file %in% names(by_file)) rewrite_file(file, by_file[[file]]) else NULL
  })
  texts[["inst/include/privpc/mutants.hpp"]] <- switch_in_cpp
  texts[["R/mutants.R"]] <- switch_in_r
  wanted <- union(from, names(Filter(Negate(is.null), texts)))
  is_new <- vapply(wanted, function(file) {
    to <- file.path(folder, file)
    dir.create(dirname(to), recursive = TRUE, showWarnings = FALSE)
    made <- tempfile()
    on.exit(unlink(made))
    if (is.null(texts[[file]])) file.copy(file, made) else writeBin(charToRaw(texts[[file]]), made)
    if (file.exists(to) && identical(tools::md5sum(made)[[1L]], tools::md5sum(to)[[1L]])) {
      return(FALSE)
    }
    file.copy(made, to, overwrite = TRUE)
  }, NA)
  there <- list.files(folder, recursive = TRUE)
  gone <- there[!there %in% wanted & !grepl("[.](o|so|dll)$", there)]
  unlink(file.path(folder, gone))
  c(wanted[is_new], gone)
}
