# The counts in inst/security.md are read off the result files, never written by hand:
# `Rscript tools/security.R` puts them there, test-security.R compares.

# Tables of a Markdown file, each as a data frame of words.
markdown_tables <- function(file) {
  lines <- readLines(file)
  is_row <- startsWith(lines, "|")
  first <- which(is_row & !c(FALSE, is_row[-length(is_row)]))
  lapply(first, function(at) {
    last <- at + match(FALSE, c(is_row[at:length(lines)], FALSE)) - 2L
    cells <- lapply(lines[setdiff(at:last, at + 1L)], function(line) {
      trimws(strsplit(sub("^\\|", "", line), "(?<!\\\\)\\|", perl = TRUE)[[1L]])
    })
    out <- as.data.frame(do.call(rbind, cells[-1L]), stringsAsFactors = FALSE)
    stats::setNames(out, cells[[1L]])
  })
}

# Result files whose first table is one of counts; what to run if there is none yet.
counted_in <- c(
  attacks.md = "make attacks", fuzz.md = "make fuzz", hostile.md = "make hostile",
  memory.md = "make memory", stopping.md = "make stopping"
)

mutants_words <- "faults injected into the lines that the promise rests on (mutants)"
controls_words <- "controls: mechanisms that overspend or are broken"

security_counts <- function(folder) {
  file <- function(name) file.path(folder, name)
  row <- function(tried, count, from) data.frame(tried = tried, count = count, from = from)
  big <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)
  rows <- list()
  add <- function(tried, count, from) rows[[length(rows) + 1L]] <<- row(tried, count, from)
  if (file.exists(file("mutants.md"))) {
    words <- paste(readLines(file("mutants.md"), 10L), collapse = " ")
    numbers <- as.numeric(regmatches(words, regexec(
      "([0-9]+) mutants \\(.*\\), ([0-9]+) killed, ([0-9]+) not; ([0-9]+) tests", words
    ))[[1L]][-1L])
    add(mutants_words, big(numbers[[1L]]), "mutants.md")
    add("of them noticed by the tests", big(numbers[[2L]]), "mutants.md")
    add("of them not noticed", big(numbers[[3L]]), "mutants.md")
  }
  if (file.exists(file("audit.md"))) {
    tables <- markdown_tables(file("audit.md"))
    tables <- Filter(function(table) "verdict" %in% names(table), tables)
    is_control <- vapply(tables, function(table) {
      "spent" %in% names(table) || any(grepl("half the scale", table$mechanism))
    }, NA)
    verdicts <- function(which) unlist(lapply(tables[which], `[[`, "verdict"))
    refuted <- function(which) big(sum(verdicts(which) == "violates the claim"))
    add("claims audited on the worst neighbours", big(length(verdicts(!is_control))), "audit.md")
    add("of them refuted", refuted(!is_control), "audit.md")
    add(controls_words, big(length(verdicts(is_control))), "audit.md")
    add("of them caught", refuted(is_control), "audit.md")
  }
  for (name in names(counted_in)) {
    table <- if (file.exists(file(name))) markdown_tables(file(name))[[1L]]
    counts <- !is.null(table) && identical(names(table)[1:2], c("what", "count"))
    if (counts) {
      add(table$what, table$count, name)
    } else {
      add(paste0("**not filled in**: ", counted_in[[name]]), "", name)
    }
  }
  do.call(rbind, rows)
}

security_marks <- c("<!-- counts: Rscript tools/security.R -->", "<!-- counts end -->")

# The lines between the two marks, as they should be.
security_lines <- function(folder) {
  counts <- security_counts(folder)
  counts$from <- paste0("[", counts$from, "](", counts$from, ")")
  names(counts) <- c("what was tried", "count", "result file")
  c(
    "",
    paste0("| ", paste(names(counts), collapse = " | "), " |"), "|---|---|---|",
    paste0("| ", do.call(paste, c(unname(counts), sep = " | ")), " |"), ""
  )
}

between_marks <- function(lines) {
  at <- match(security_marks, lines)
  stopifnot(!anyNA(at))
  list(before = lines[seq_len(at[[1L]])], inside = lines[seq(at[[1L]] + 1L, at[[2L]] - 1L)],
       after = lines[at[[2L]]:length(lines)])
}
