# The new figures beside those of the last committed table, so that a regression is seen.

# The tables of a report by the heading above them: data frames of texts.
read_tables <- function(file) {
  if (!file.exists(file)) return(list())
  lines <- readLines(file)
  is_row <- startsWith(lines, "|")
  starts <- which(is_row & !c(FALSE, is_row[-length(is_row)]))
  tables <- lapply(starts, function(at) {
    rows <- lines[seq(at, by = 1, length.out = rle(is_row[at:length(lines)])$lengths[[1]])]
    cells <- lapply(strsplit(sub("^\\| ?", "", rows), " ?\\| ?"), function(x) x)
    width <- length(cells[[1]])
    body <- lapply(cells[-(1:2)], function(x) c(x, rep("", width - length(x))))
    out <- as.data.frame(do.call(rbind, body))
    stats::setNames(out, cells[[1]])
  })
  names(tables) <- vapply(starts, function(at) {
    sub("^## ", "", utils::tail(grep("^## ", lines[seq_len(at)], value = TRUE), 1))
  }, "")
  tables
}

as_number <- function(x) suppressWarnings(as.numeric(gsub(",", "", x)))

# Whether a column is better when it is larger, or NA for columns that are not judged: those that
# describe, and the times of other people's programs.
larger_is_better <- function(name, what) {
  if (startsWith(name, "their ")) return(rep(NA, length(what)))
  if (name == "value") {
    others <- grepl("sum\\(\\)|with tab|plain loop in|^read|^only reading", what)
    return(ifelse(others, NA, grepl("times faster", what)))
  }
  if (grepl("^times |F1|per second", name)) return(rep(TRUE, length(what)))
  if (grepl("ms$", name) && !grepl("bnlearn", name)) return(rep(FALSE, length(what)))
  rep(NA, length(what))
}

# One row per figure that is worse or better than before by more than a factor. Times of different
# machines cannot be compared; ratios to a peer can, so then only those are.
compare_tables <- function(before, now, same_machine, factor = 1.3) {
  changes <- lapply(intersect(names(before), names(now)), function(heading) {
    old <- before[[heading]]
    new <- now[[heading]]
    columns <- intersect(names(old), names(new))
    # A share of the rows says which case it is.
    numeric <- Filter(function(name) is.numeric(new[[name]]), setdiff(columns, "share of rows"))
    labels <- setdiff(columns, numeric)
    key <- function(x) {
      do.call(paste, c(lapply(labels, function(name) as.character(x[[name]])), sep = ", "))
    }
    at <- match(key(new), key(old))
    do.call(rbind, lapply(numeric, function(name) {
      better <- larger_is_better(name, key(new))
      if (!same_machine && !grepl("^times |F1", name)) better[!grepl("times", key(new))] <- NA
      # The old ones were rounded when they were written.
      ratio <- signif(new[[name]], 2) / as_number(old[[name]])[at]
      worse <- ifelse(better, 1 / ratio, ratio)
      keep <- which(is.finite(worse) & (worse > factor | worse < 1 / factor))
      data.frame(
        table = rep(heading, length(keep)), what = key(new)[keep], figure = rep(name, length(keep)),
        before = as_number(old[[name]])[at][keep], now = new[[name]][keep],
        change = ifelse(worse[keep] > 1, "worse", "better")
      )
    }))
  })
  out <- do.call(rbind, changes)
  if (is.null(out)) return(data.frame())
  out[order(out$change == "better"), ]
}

machine_of_report <- function(file) {
  if (!file.exists(file)) return("")
  line <- grep("^Machine: ", readLines(file), value = TRUE)
  if (length(line)) sub("^Machine: (.*kernels)\\..*", "\\1", line[[1]]) else ""
}
