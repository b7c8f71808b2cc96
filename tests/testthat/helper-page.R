# Reads pages of publish() back, with nothing of the package's own.

# A page without strengths and effects, unless asked for, as text.
page_of <- function(fit, ..., strength = FALSE, effects = FALSE) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  publish(fit, file, ..., strength = strength, effects = effects)
  text <- rawToChar(readBin(file, "raw", file.size(file)))
  Encoding(text) <- "UTF-8"
  text
}

# By bytes, which is many times faster in a long text.
matches_of <- function(pattern, text) {
  Encoding(text) <- "bytes"
  found <- regmatches(text, gregexpr(pattern, text, perl = TRUE, useBytes = TRUE))[[1L]]
  Encoding(found) <- "UTF-8"
  found
}

# What a strict parser would complain of: brackets and ampersands outside tags and entities, tags
# that do not match, attributes without quotes, ids that are used twice. Empty if all is well.
malformed <- function(text) {
  text <- sub("^<!DOCTYPE html>\n|^<[?]xml[^>]*>\n", "", text)
  name <- "[A-Za-z][A-Za-z0-9:-]*"
  attribute <- "(?: [A-Za-z_:][A-Za-z0-9_:.-]*=\"[^\"<]*\")*"
  tag <- paste0("</", name, ">|<", name, attribute, "/?>")
  tags <- matches_of(tag, text)
  outside <- gsub(tag, "", text, perl = TRUE, useBytes = TRUE)
  wrong <- c(
    if (grepl("<", outside, fixed = TRUE)) "a bracket that opens no tag",
    if (grepl("&(?!(amp|lt|gt|quot|#39|#10);)", text, perl = TRUE)) "an ampersand of its own"
  )
  tags <- tags[!endsWith(tags, "/>")]
  names <- sub("^</?([A-Za-z0-9:-]+).*$", "\\1", tags)
  closing <- startsWith(tags, "</")
  open <- character()
  for (k in seq_along(tags)) {
    if (!closing[[k]]) {
      open <- c(open, names[[k]])
    } else if (length(open) && open[[length(open)]] == names[[k]]) {
      open <- open[-length(open)]
    } else {
      return(c(wrong, paste(tags[[k]], "closes", utils::tail(open, 1L))))
    }
  }
  opening <- paste(tags[!closing], collapse = "")
  ids <- matches_of("(?<= id=\")[^\"]*", opening)
  c(
    wrong, if (length(open)) paste("not closed:", open), if (anyDuplicated(ids)) "an id twice",
    setdiff(matches_of("(?<= href=\"#)[^\"]*", opening), ids)
  )
}

decoded_base64 <- function(text) {
  digits <- match(strsplit(text, "")[[1L]], c(LETTERS, letters, 0:9, "+", "/")) - 1L
  bits <- vapply(digits[!is.na(digits)], function(d) rev(as.integer(intToBits(d))[1:6]), integer(6))
  bytes <- length(bits) %/% 8L
  raw <- packBits(as.integer(apply(matrix(bits[seq_len(8L * bytes)], 8L), 2L, rev)))
  out <- rawToChar(raw)
  Encoding(out) <- "UTF-8"
  out
}

# The files inside a page, by name.
files_of <- function(page) {
  links <- matches_of("<a href=\"data:[^\"]*\" download=\"[^\"]*\"", page)
  names <- sub("^.* download=\"([^\"]*)\"$", "\\1", links)
  text <- lapply(sub("^[^,]*,([^\"]*)\".*$", "\\1", links), decoded_base64)
  stats::setNames(text, names)
}

read_csv_text <- function(text) {
  utils::read.csv(text = text, check.names = FALSE, encoding = "UTF-8", na.strings = "")
}

# Tags taken off, entities read.
words_on <- function(page) {
  text <- gsub("(?s)<(style|script)>.*?</\\1>", "", page, perl = TRUE)
  text <- gsub("<[^>]*>", "", text)
  for (pair in list(
    c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""), c("&#39;", "'"), c("&#10;", "\n"),
    c("&amp;", "&")
  )) {
    text <- gsub(pair[[1L]], pair[[2L]], text, fixed = TRUE)
  }
  text
}

hostile_names <- c(
  "<script>alert(1)</script>", "a\"b' & c &amp; d", "]]></svg><b onclick=\"x\">",
  "\u5fc3\u81d3 \u00e4\u00f6\u00fc \u0642\u0644\u0628", strrep("a_very_long_name_", 12), "share",
  "line\nbreak\u0001\u202e"
)

# A chain of the first variables and a lone last one, with names and levels that are hard to write.
hostile_cohort <- function(n = 3000, names = hostile_names) {
  columns <- list(rep(0:1, length.out = n))
  for (k in seq_along(names)[-1L]) {
    columns[[k]] <- ifelse(seq_len(n) %% (6L + k) == 0L, 1L - columns[[k - 1L]], columns[[k - 1L]])
  }
  columns[[length(names)]] <- rep(c(0, 0, 1, 1), length.out = n)
  levels <- c("<i>no</i>", "\"yes\" & 'more' ]]>")
  data <- as.data.frame(lapply(columns, factor, levels = 0:1, labels = levels))
  stats::setNames(data, names)
}

# The noise of these fits is fixed, so that no test fails by chance, and then taken
# for the system's.
private_again <- function(fit) {
  fit$privacy$private <- TRUE
  fit$privacy$why <- NULL
  fit
}
chest_fit <- function(n = 5000, ...) {
  private_again(
    marginal_pc(simulate(network("asia"), nsim = n, seed = 1), epsilon = 2, seed = 1, ...)
  )
}
small_fit <- function(..., data = small_cohort()) {
  private_again(marginal_pc(data, epsilon = 3, seed = 1, ...))
}
