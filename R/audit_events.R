# What an audit counts: sets of values that tell two data sets apart.

# ---- Events: sets of values of a view ------------------------------------------------------------

# A partition cuts the values of a view into cells: `locate(values)` gives the number of the cell,
# `words(inside, show)` describes a union of cells.

# Cells (-Inf, c1], (c1, c2], ..., (ck, Inf) and one for missing values. The cuts are quantiles,
# with more of them far out in the tails.
interval_partition <- function(values) {
  values <- sort(values)
  cuts <- unique(values)
  if (length(cuts) > 50L) {
    n <- length(values)
    far <- 4^(0:floor(log(n / 40, 4)))
    cuts <- unique(values[sort(unique(round(c(far, n - far, n * (1:39) / 40))))])
  }
  list(
    cells = length(cuts) + 2L,
    locate = function(x) {
      cell <- findInterval(x, cuts, left.open = TRUE) + 1L
      cell[is.na(x)] <- length(cuts) + 2L
      cell
    },
    words = function(inside, show) interval_words(inside, cuts)
  )
}

# One cell for each value that came twice or more, the most frequent first, and one for all others.
value_partition <- function(values) {
  # unique() and tabulate() instead of table(), which would turn numbers into text
  distinct <- unique(values)
  times <- tabulate(match(values, distinct), length(distinct))
  kept <- distinct[order(-times)][seq_len(min(sum(times > 1L), 1000L))]
  list(
    cells = length(kept) + 1L,
    locate = function(x) match(x, kept, nomatch = length(kept) + 1L),
    words = function(inside, show) value_words(inside, kept, show)
  )
}

interval_words <- function(inside, cuts) {
  last <- length(inside)
  runs <- rle(inside[-last])
  ends <- cumsum(runs$lengths)[runs$values]
  starts <- ends - runs$lengths[runs$values] + 1L
  number <- function(x) vapply(x, format, "", digits = 6L)
  parts <- mapply(function(start, end) {
    paste(c(
      if (start > 1L) paste("above", number(cuts[start - 1L])),
      if (end < last - 1L) paste("at most", number(cuts[end])),
      if (start == 1L && end == last - 1L) "a number"
    ), collapse = " and ")
  }, starts, ends)
  parts <- c(unlist(parts), if (inside[last]) "missing")
  paste("is", some_of(parts, ", or ", "in one of", "intervals"))
}

value_words <- function(inside, kept, show) {
  last <- length(inside)
  others <- inside[last]
  named <- kept[inside[-last] != others]
  if (length(named) == 0L) return("is anything")
  text <- show(utils::head(named, 6L))
  text[is.na(utils::head(named, 6L))] <- "missing"
  text <- c(text, rep("", length(named) - length(text)))
  paste(if (others) "is not" else "is", some_of(text, " or ", "one of", "values"))
}

# At most six parts are written out.
some_of <- function(parts, link, lead, noun) {
  if (length(parts) <= 6L) return(paste(parts, collapse = link))
  shown <- paste(parts[1:3], collapse = link)
  paste0(lead, " ", length(parts), " ", noun, ", among them ", shown)
}

# The event that promises the largest bound, made of the first part of the training runs and judged
# on the rest of them: sets that fit the first part by chance fail there.
choose_event <- function(one, two, delta, level) {
  n <- NROW(one$output)
  first <- n %/% 2
  # Many candidates compete, so a low confidence would reward luck
  level <- min(level, 1e-3)
  judge <- function(hits, others) epsilon_bound(hits, others, n - first, delta, level)
  sources <- lapply(names(one), function(name) {
    where <- if (name == "output") "the output" else name
    sources_of(one[[name]], two[[name]], where, function(seen) seen[[name]])
  })
  best <- list(score = -Inf)
  for (source in unlist(sources, recursive = FALSE)) {
    samples <- list(source$sample(one), source$sample(two))
    for (view in views_of(source, samples[[1L]], samples[[2L]], first)) {
      values <- lapply(samples, view$extract)
      found <- best_event(view, values[[1L]], values[[2L]], first, judge)
      if (is.null(best$view) || clearly_better(found$score, best$score)) {
        best <- c(found, list(view = view, source = source))
      }
    }
  }
  list(
    frequent = best$frequent,
    words = paste(best$view$label, best$partition$words(best$inside, best$view$show)),
    count = function(seen) {
      values <- best$view$extract(best$source$sample(seen))
      sum(best$inside[best$partition$locate(values)])
    }
  )
}

# A more complicated event must earn its place: it had more chances to look good by luck.
clearly_better <- function(score, best) score > best + 0.02 * max(best, 0)

# Candidates of three families, the simplest first. Single cells and intervals are stretches of
# cells in their own order. By Neyman and Pearson the best sets hold the cells of largest likelihood
# ratio: they are stretches from either end when the cells are ordered by it.
best_event <- function(view, one, two, first, judge) {
  made <- seq_len(first)
  seen <- c(one[made], two[made])
  values <- value_partition(seen)
  lines <- if (view$ordered) interval_partition(seen)
  best <- list(score = -Inf)
  consider <- function(partition, from, to, order) {
    hits <- lapply(list(one[-made], two[-made]), function(x) {
      below <- c(0, cumsum(tabulate(partition$locate(x), partition$cells)[order]))
      below[to + 1L] - below[from]
    })
    for (frequent in 1:2) {
      scores <- judge(hits[[frequent]], hits[[3L - frequent]])
      top <- which.max(scores)
      if (!is.null(best$inside) && !clearly_better(scores[top], best$score)) next
      inside <- seq_len(partition$cells) %in% order[from[top]:to[top]]
      best <<- list(
        score = scores[top], frequent = frequent, inside = inside, partition = partition
      )
    }
  }
  by_ratio <- function(partition) {
    # One is added so that a cell seen only once does not come first
    count <- function(x) tabulate(partition$locate(x), partition$cells) + 1
    n <- partition$cells
    order <- order(count(two[made]) / count(one[made]))
    consider(partition, c(rep(1L, n), seq_len(n)), c(seq_len(n), rep(n, n)), order)
  }
  consider(values, seq_len(values$cells), seq_len(values$cells), seq_len(values$cells))
  if (view$ordered) {
    n <- lines$cells
    from <- rep(seq_len(n), times = n:1)
    consider(lines, from, from + sequence(n:1) - 1L, seq_len(n))
    by_ratio(lines)
  }
  by_ratio(values)
  best
}
