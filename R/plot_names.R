# The names of nodes as labels of several lines.

# Long names over several lines. Only a very long one is cut, in the middle because names of
# one kind mostly differ at an end, and only if it then differs from all other labels.
break_label <- function(labels, width = 18L, most = 6L) {
  lines <- lapply(labels, label_lines, width)
  full <- vapply(lines, paste, "", collapse = "\n")
  cut <- vapply(lines, function(line) {
    n <- length(line)
    if (n <= most) return(paste(line, collapse = "\n"))
    half <- most %/% 2L
    paste(c(line[seq_len(half)], "...", line[seq(n - half + 1L, n)]), collapse = "\n")
  }, "")
  alike <- cut %in% cut[duplicated(cut)]
  cut[alike] <- full[alike]
  cut
}

label_lines <- function(label, width) {
  if (nchar(label) <= width) return(label)
  words <- strsplit(label, "(?<=[ ._/-])(?=[^ ._/-])", perl = TRUE)[[1L]]
  words <- unlist(lapply(words, function(word) {
    if (nchar(word) <= width) return(word)
    parts <- strsplit(word, "(?<=[[:lower:][:digit:]])(?=[[:upper:]])", perl = TRUE)[[1L]]
    unlist(lapply(parts, function(part) {
      start <- seq(1L, nchar(part), by = width)
      substring(part, start, start + width - 1L)
    }))
  }))
  lines <- ""
  for (word in words) {
    current <- length(lines)
    if (nzchar(lines[current]) && nchar(lines[current]) + nchar(word) > width) {
      lines <- c(lines, word)
    } else {
      lines[current] <- paste0(lines[current], word)
    }
  }
  lines
}
