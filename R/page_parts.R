# The parts of a page besides picture and edges: what is promised, how sure the edges are, what the
# budget was spent on, how it was done, and the files to take along.

section <- function(id, heading, ...) {
  title <- paste0(id, "-heading")
  element(
    "section", id = id, `aria-labelledby` = title, element("h2", id = title, heading), ...
  )
}

# ---- the promise ---------------------------------------------------------------------------------

# `mark` is that of a fit that keeps no promise.
promise_section <- function(fit, mark) {
  if (!is.null(mark)) {
    return(section(
      "promise", "No promise",
      element("p", element("b", mark), "."),
      element(
        "p", report_no_promise(fit$privacy),
        " Nothing on this page protects anybody in the data."
      )
    ))
  }
  section(
    "promise", "What is promised",
    lapply(promise_words(fit$privacy), function(words) element("p", words)),
    element("dl", class = "facts", Map(
      function(name, value) element("div", element("dt", name), element("dd", value)),
      names(promise_facts(fit$privacy)), promise_facts(fit$privacy)
    ))
  )
}

# Differential privacy without its name: P(S) <= exp(epsilon) P'(S) + delta for all sets S of
# results, both ways round.
promise_words <- function(privacy) {
  epsilon <- text_up(privacy$epsilon)
  factor <- text_up(exp(as.double(epsilon)), 3L)
  person <- identical(privacy$per, "person")
  one <- if (person) "person with all their records" else "record"
  change <- if (is_add_remove(privacy$neighbours)) {
    paste0("Suppose one ", one, " had not been in the data, or one more had been.")
  } else {
    paste0("Suppose any one ", one, " had been another one.")
  }
  c(
    paste0(
      "This page was made from a graph that was learnt with noise, and no record was looked at ",
      "for it again. ", change, " Whatever this page says, it would then have said with a ",
      "probability that is at most ", factor, " times as large, and at least 1/", factor,
      " as large",
      if (privacy$delta > 0) paste0(", give or take ", delta_words(privacy$delta)),
      ". The closer that factor is to 1, the less the page can tell about any one ",
      if (person) "person" else "record", "."
    ),
    paste0(
      if (person) {
        "All records of a person are protected together. "
      } else {
        paste(
          "The promise is about single records: several records of one person are not protected",
          "as a whole. "
        )
      },
      "What holds for many people alike is no secret, and is what the graph is for. Other results ",
      "from the same data tell something too: their prices add up with that of this one."
    )
  )
}

# Rounded up, without an exponent where that can be read.
delta_words <- function(delta) {
  local_decimal_point()
  text <- text_up(delta)
  if (delta < 1e-9) text else format(as.double(text), scientific = FALSE, digits = 15L)
}

promise_facts <- function(privacy) {
  c(
    epsilon = text_up(privacy$epsilon),
    delta = if (privacy$delta > 0) text_up(privacy$delta) else "0",
    neighbours = if (is_add_remove(privacy$neighbours)) {
      "add-remove: one is added or removed"
    } else {
      "replace-one: one is replaced by another"
    },
    `protected unit` =
      if (identical(privacy$per, "person")) "a person with all their records" else "a record"
  )
}

# ---- strengths -----------------------------------------------------------------------------------

strength_kind_text <- function(strength) {
  switch(attr(strength, "kind"),
    noise = "if the same people were measured again with fresh noise",
    "if another sample of people were measured"
  )
}

# More are folded away: of many variables there are hundreds of pairs.
most_strength_rows <- 40L

# `least`: weaker pairs are only counted, as print() does.
strength_section <- function(strength, least = 0.05) {
  draws <- attr(strength, "draws")
  pairs <- strength[!duplicated(paste(
    pmin(strength$from, strength$to), pmax(strength$from, strength$to), sep = "\r"
  )), ]
  shown <- pairs[pairs$learnt | pairs$strength >= least, ]
  rest <- nrow(pairs) - nrow(shown)
  section(
    "strengths", "How sure the edges are",
    element(
      "p", "Share of ", draws, " graphs that have the edge, ", strength_kind_text(strength),
      ". Computed from the noisy tables; whether the assumptions of the search hold is not in it. ",
      "\u201cPoints so\u201d is the share, among those, in which it points as written; open ones ",
      "count half."
    ),
    if (nrow(shown)) strength_table(utils::head(shown, most_strength_rows), "Strengths of pairs"),
    if (nrow(shown) > most_strength_rows) element(
      "details", class = "fold", open = "open",
      element("summary", counted(nrow(shown) - most_strength_rows, "further pair")),
      strength_table(shown[-seq_len(most_strength_rows), ], "Strengths of further pairs")
    ),
    if (rest) element(
      "p", class = "quiet", counted(rest, "pair"), " below ", share_label(least),
      if (rest == 1L) " is" else " are", " only in the file."
    )
  )
}

strength_table <- function(rows, caption) {
  html_table(
    list(
      pair = lapply(seq_len(nrow(rows)), function(i) {
        elements(name_html(rows$from[[i]]), " \u2192 ", name_html(rows$to[[i]]))
      }),
      strength = ifelse(rows$required, "required", share_label(rows$strength)),
      `give or take` =
        ifelse(rows$required, "", paste0(decimals(100 * rows$uncertainty, 0L), "%")),
      `points so` = ifelse(rows$strength > 0, share_label(rows$direction), ""),
      `in the graph` = in_fit_text(rows)
    ),
    caption, numeric = c("strength", "give or take", "points so"), class = "pairs"
  )
}

in_fit_text <- function(rows) {
  words <- c(`->` = "yes", `<-` = "yes, the other way", `--` = "yes, direction open")
  ifelse(rows$learnt, words[rows$in_fit], "no")
}

# ---- contradictions ------------------------------------------------------------------------------

contradictions_section <- function(fit) {
  found <- find_contradictions(fit)
  pairs <- found$pairs
  determined <- found$determined
  if (nrow(pairs) + nrow(determined) == 0L) return(NULL)
  section(
    "contradictions", "Where the graph and its tables disagree",
    if (nrow(pairs)) elements(
      element(
        "p", "Pairs that are clearly dependent in the noisy tables, and that the graph does not ",
        "connect, or connects only by weaker edges."
      ),
      html_table(
        list(
          pair = lapply(seq_len(nrow(pairs)), function(i) {
            elements(name_html(pairs$x[[i]]), " and ", name_html(pairs$y[[i]]))
          }),
          `effect (phi squared)` =
            ifelse(is.na(pairs$effect), "not told", format_each(pairs$effect)),
          `in the graph` = ifelse(pairs$carried > 0, "by weaker edges only", "not connected")
        ),
        "Dependent pairs", numeric = "effect (phi squared)", class = "pairs"
      ),
      if (anyNA(pairs$effect)) element(
        "p", class = "quiet", "Not told: a level is so rare that noise alone gives more than any ",
        "effect could be."
      )
    ),
    if (nrow(determined)) element("ul", lapply(seq_len(nrow(determined)), function(i) {
      element(
        "li", name_html(determined$variable[[i]]), " is nearly determined by ",
        enumerate_html(lapply(determined$by[[i]], name_html)),
        ": what a search does around it is hardly reliable."
      )
    }))
  )
}

# ---- the ledger ----------------------------------------------------------------------------------

# Longer ledgers are shown in parts; the file has all rows.
most_ledger_rows <- 100L

ledger_section <- function(fit) {
  ledger <- privacy_ledger(fit)
  if (nrow(ledger) == 0L) return(NULL)
  shown <- utils::head(ledger, most_ledger_rows)
  in_rho <- ledger_total(fit)$unit == "rho"
  price <- function(x) ifelse(is.na(x), "", text_up(x, 3L))
  columns <- list(
    site = if (is_pooled(fit)) lapply(shown$site, name_html),
    step = as.character(shown$step), mechanism = shown$mechanism,
    `what was looked at` = lapply(shown$target, name_html),
    epsilon = price(shown$epsilon), rho = if (in_rho) price(shown$rho),
    `sum so far` = price(shown$cumulative), share = percent_text(shown$share)
  )
  parts <- ledger_shares(fit)
  rows <- html_table(
    drop_null(columns), "Every step that cost privacy",
    numeric = c("step", "epsilon", "rho", "sum so far", "share")
  )
  section(
    "ledger", "What the budget was spent on",
    element(
      "p", "All that was taken from the data, in ", counted(nrow(ledger), "step"),
      ". Prices were fixed before noise was drawn.",
      if (in_rho) " It is the rhos that add up: epsilon is what a step would promise alone."
    ),
    if (nrow(ledger) > 12L) elements(
      html_table(
        list(
          purpose = lapply(parts$target, name_html), steps = as.character(parts$steps),
          share = percent_text(parts$share)
        ),
        "By purpose", numeric = c("steps", "share")
      ),
      element(
        "details", class = "fold", open = "open", element("summary", "Every step"), rows,
        if (nrow(ledger) > nrow(shown)) element(
          "p", class = "quiet", "The first ", nrow(shown), "; the file has all ", nrow(ledger), "."
        )
      )
    ) else rows
  )
}

# ---- methods and downloads -----------------------------------------------------------------------

methods_section <- function(fit, year) {
  text <- report_text(fit, year)
  section("methods", "How it was done", lapply(unname(text), function(words) element("p", words)))
}

# `files` and `left_out` as page_files() gives them.
downloads_section <- function(files, left_out) {
  section(
    "files", "Files",
    element(
      "p", "These are inside this page: no server is asked for them. Everything in them was ",
      "computed from the graph and the noisy tables."
    ),
    element("ul", class = "files", lapply(files, function(file) {
      element(
        "li", element(
          "a", href = data_uri(file$text, file$type), download = file$name, file$name
        ), " \u2013 ", file$what, " (", size_text(file$text), ")", file$note
      )
    })),
    if (length(left_out)) element("ul", class = "quiet", lapply(left_out, function(file) {
      element("li", "Left out: ", file$what, ", because ", file$why, ".")
    }))
  )
}

size_text <- function(text) {
  bytes <- sum(nchar(text, type = "bytes"))
  if (bytes < 1000) paste(bytes, "bytes") else paste(big(ceiling(bytes / 1000)), "kB")
}
