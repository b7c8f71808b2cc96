# HTML as text. What is written into a page passes through element(), which escapes everything that
# is not itself made by element(): a name of a variable can never become a part of the page's
# structure, because there is no way to put plain text in unescaped.
#
# The pages are well-formed XML too, so that a strict parser finds what a browser would mend.

# `...`: named arguments are attributes (NULL leaves one out), the others are children, in their
# order: text, other elements, or lists of these.
element <- function(tag, ...) {
  given <- list(...)
  is_attribute <- nzchar(rlang::names2(given))
  attributes <- drop_null(given[is_attribute])
  values <- vapply(attributes, function(x) escaped(paste(x, collapse = " ")), "")
  opening <- paste0(
    "<", tag, paste0(" ", names(attributes), "=\"", values, "\"", collapse = "", recycle0 = TRUE)
  )
  inside <- children_text(given[!is_attribute])
  # HTML knows some elements without an end; SVG lets any be closed at once.
  if (!nzchar(inside) && tag %in% elements_without_end) return(as_html(paste0(opening, "/>")))
  as_html(paste0(opening, ">", inside, "</", tag, ">"))
}

elements_without_end <- c("meta", "br", "path", "rect", "polygon", "line", "col")

as_html <- function(text) structure(text, class = "privpc_html")

# Several elements without one around them.
elements <- function(...) as_html(children_text(list(...)))

children_text <- function(children) {
  paste(vapply(children, child_text, ""), collapse = "")
}

child_text <- function(child) {
  if (is.null(child)) return("")
  if (inherits(child, "privpc_html")) return(paste(unclass(child), collapse = ""))
  if (is.list(child)) return(children_text(child))
  paste(escaped(child), collapse = "")
}

# Text for the inside of an element or an attribute.
escaped <- function(text) {
  text <- readable(text)
  for (character in names(entities)) {
    text <- gsub(character, entities[[character]], text, fixed = TRUE)
  }
  text
}

# The ampersand first: the others have one.
entities <- c(
  `&` = "&amp;", `<` = "&lt;", `>` = "&gt;", `"` = "&quot;", `'` = "&#39;", `\n` = "&#10;"
)

# UTF-8 without characters that neither HTML nor XML can hold, and without those that turn the
# direction of the text around them; these are shown by their number.
readable <- function(text) {
  text <- iconv(enc2utf8(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  for (i in which(!is_ascii(text))) {
    codes <- utf8ToInt(text[[i]])
    odd <- codes < 32L & !codes %in% c(9L, 10L) | codes %in% unreadable_codes
    shown <- intToUtf8(codes, multiple = TRUE)
    shown[odd] <- sprintf("<U+%04X>", codes[odd])
    text[[i]] <- paste(shown, collapse = "")
  }
  text
}

unreadable_codes <- c(0x7F:0x9F, 0x202A:0x202E, 0x2066:0x2069, 0xFFFE, 0xFFFF)

is_ascii <- function(text) !grepl("[^ -~]", text, useBytes = TRUE)

# A name of the user's within a sentence: whatever direction its script has stays inside it.
name_html <- function(name) element("bdi", name)

# "a, b and c" of elements.
enumerate_html <- function(items) {
  if (length(items) < 2L) return(elements(items))
  n <- length(items)
  between <- c(rep(", ", n - 2L), " and ", "")
  elements(Map(function(item, after) list(item, after), items, between))
}

# `columns`: a named list, one entry per column, of text or elements. Numbers stand to the right.
# `caption` says what the table is; a wide one scrolls in its own box, which the keyboard reaches.
html_table <- function(columns, caption, numeric = character(), class = NULL) {
  heads <- lapply(names(columns), function(name) {
    element("th", scope = "col", class = if (name %in% numeric) "number", name)
  })
  rows <- lapply(seq_along(columns[[1L]]), function(i) {
    element("tr", lapply(seq_along(columns), function(k) {
      place <- if (names(columns)[[k]] %in% numeric) "number"
      if (k == 1L) {
        element("th", scope = "row", class = place, columns[[k]][[i]])
      } else {
        element("td", class = place, columns[[k]][[i]])
      }
    }))
  })
  element(
    "div", class = "scroll", tabindex = 0, role = "region", `aria-label` = words_of(caption),
    element(
      "table", class = class, element("caption", caption), element("thead", element("tr", heads)),
      element("tbody", rows)
    )
  )
}

# An element's words, for where only text can stand.
words_of <- function(x) {
  text <- gsub("<[^>]*>", "", child_text(x))
  for (character in rev(names(entities))) {
    text <- gsub(entities[[character]], character, text, fixed = TRUE)
  }
  text
}

# ---- files inside the page -----------------------------------------------------------------------

# A file as an address that holds all of it.
data_uri <- function(text, type) {
  paste0("data:", type, ";charset=utf-8;base64,", base64(charToRaw(enc2utf8(text))))
}

base64 <- function(bytes) {
  n <- length(bytes)
  if (n == 0L) return("")
  padded <- matrix(as.integer(c(bytes, raw(-n %% 3L))), 3L)
  word <- padded[1L, ] * 65536L + padded[2L, ] * 256L + padded[3L, ]
  digits <- rbind(word %/% 262144L, word %/% 4096L %% 64L, word %/% 64L %% 64L, word %% 64L)
  alphabet <- c(LETTERS, letters, 0:9, "+", "/")
  text <- alphabet[digits + 1L]
  missing <- -n %% 3L
  if (missing) text[length(text) + 1L - seq_len(missing)] <- "="
  paste(text, collapse = "")
}

# A data frame as CSV (RFC 4180, UTF-8), numbers so that they can be read back, whatever the locale.
csv_text <- function(frame) {
  columns <- lapply(frame, function(x) {
    if (is.logical(x)) return(ifelse(is.na(x), "", ifelse(x, "TRUE", "FALSE")))
    if (is.numeric(x)) return(all_digits_text(x))
    x <- as.character(x)
    ifelse(is.na(x), "", csv_quoted(x))
  })
  rows <- do.call(paste, c(unname(columns), sep = ","))
  if (nrow(frame) == 0L) rows <- character()
  paste0(paste(c(paste(csv_quoted(names(frame)), collapse = ","), rows), collapse = "\r\n"), "\r\n")
}

csv_quoted <- function(x) paste0("\"", gsub("\"", "\"\"", enc2utf8(x), fixed = TRUE), "\"")

all_digits_text <- function(x) {
  local_decimal_point()
  vapply(x, function(number) {
    if (is.na(number)) return("")
    # Fifteen digits, more only where these do not give the same number.
    short <- formatC(number, digits = 15L, format = "g", width = 1L, decimal.mark = ".")
    if (identical(as.double(short), as.double(number))) return(short)
    formatC(number, digits = 17L, format = "g", width = 1L, decimal.mark = ".")
  }, "")
}
