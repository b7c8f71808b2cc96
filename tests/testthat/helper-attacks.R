# An attacker who knows the two data sets, every argument and this program, sees one released object
# and has to say which of the two it came from. An audit (audit_privacy()) looks for the one event
# that refutes a claim; here is the best guess that all of the object allows, and how good it is.
#
# The attacker practises on half of the runs: scores are fitted on one part of it, and score and
# thresholds chosen on the other. The second half, of which nothing was seen, says what they are
# worth: TPR is the share of runs on data1 that are called data1, FPR that of runs on data2. For an
# (epsilon, delta)-private release no attacker has (Kairouz, Oh and Viswanath 2015)
#   TPR <= exp(epsilon) FPR + delta    and    1 - FPR <= exp(epsilon) (1 - TPR) + delta,
# so that TPR - FPR <= (exp(epsilon) - 1 + 2 delta) / (exp(epsilon) + 1).

# ---- Bounds --------------------------------------------------------------------------------------

most_advantage <- function(epsilon, delta) {
  (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1)
}

most_tpr <- function(fpr, epsilon, delta) {
  pmin(1, exp(epsilon) * fpr + delta, 1 - exp(-epsilon) * (1 - fpr - delta))
}

# All limits of one attack hold together but for one time in a million: six events, two shares each.
attack_level <- 1e-6 / 12

# ---- What an attacker makes of what was seen -----------------------------------------------------

# Each takes what was seen in practice on the two sides and returns a function from what is seen to
# scores, higher for data1; or NULL where it has nothing to say.

# The logarithm of the likelihood ratio of whole texts, as far as they were seen.
score_of_texts <- function(seen1, seen2) {
  known <- unique(c(seen1, seen2))
  count <- function(seen) tabulate(match(seen, known), length(known))
  ratio <- log(count(seen1) + 0.5) - log(count(seen2) + 0.5)
  function(seen) {
    found <- ratio[match(seen, known)]
    ifelse(is.na(found), 0, found)
  }
}

# The words of a text as if they were independent: for texts that hardly come twice.
score_of_words <- function(seen1, seen2) {
  words_of <- function(seen) lapply(strsplit(seen, "[ ;]+"), unique)
  words1 <- words_of(seen1)
  words2 <- words_of(seen2)
  known <- unique(unlist(c(words1, words2)))
  share <- function(words, runs) {
    (tabulate(match(unlist(words), known), length(known)) + 0.5) / (runs + 1)
  }
  share1 <- share(words1, length(seen1))
  share2 <- share(words2, length(seen2))
  there <- log(share1) - log(share2)
  absent <- log1p(-share1) - log1p(-share2)
  function(seen) {
    sum(absent) + vapply(words_of(seen), function(words) {
      at <- match(words, known)
      at <- at[!is.na(at)]
      sum(there[at] - absent[at])
    }, 0)
  }
}

# The weighted sum of numbers that separates the means best (Fisher 1936); of normal numbers with
# the same spread it is the likelihood ratio.
score_of_sums <- function(seen1, seen2) {
  spread <- (stats::cov(seen1) + stats::cov(seen2)) / 2
  varies <- diag(spread) > 0
  if (!any(varies)) return(NULL)
  unit <- sqrt(diag(spread)[varies])
  spread <- spread[varies, varies, drop = FALSE] / outer(unit, unit)
  apart <- (colMeans(seen1) - colMeans(seen2))[varies] / unit
  weights <- tryCatch(
    solve(spread + diag(1e-6, sum(varies)), apart), error = function(e) apart
  )
  function(seen) as.vector(seen[, varies, drop = FALSE] %*% (weights / unit))
}

# How densely the values of one column lie on the two sides: its likelihood ratio in bins.
score_of_column <- function(column, bins = 40L) {
  function(seen1, seen2) {
    pooled <- c(seen1[, column], seen2[, column])
    shares <- seq(0, 1, length.out = bins + 1L)
    cuts <- unique(stats::quantile(pooled, shares, names = FALSE, type = 1))
    if (length(cuts) < 2L) return(NULL)
    score <- score_of_texts(
      findInterval(seen1[, column], cuts), findInterval(seen2[, column], cuts)
    )
    function(seen) score(findInterval(seen[, column], cuts))
  }
}

scorers_for <- function(seen) {
  if (is.character(seen)) return(list(score_of_texts, score_of_words))
  if (ncol(seen) == 1L) return(list(score_of_sums, score_of_column(1L)))
  most <- min(ncol(seen), 12L)
  c(list(score_of_sums), lapply(seq_len(most), score_of_column))
}

# ---- The attack ----------------------------------------------------------------------------------

rows_of <- function(seen, at) if (is.matrix(seen)) seen[at, , drop = FALSE] else seen[at]
runs_in <- function(seen) if (is.matrix(seen)) nrow(seen) else length(seen)

# Shares of the two sides above every value of the scores.
operating_points <- function(score1, score2) {
  cuts <- sort(unique(c(score1, score2)))
  above <- function(score) 1 - stats::ecdf(score)(cuts)
  data.frame(cut = c(-Inf, cuts), tpr = c(1, above(score1)), fpr = c(1, above(score2)))
}

# Texts, one for each run, or a matrix of numbers with a row for each.
as_seen <- function(seen) {
  if (is.data.frame(seen)) seen <- as.matrix(seen)
  if (is.character(seen)) {
    return(if (is.matrix(seen)) apply(seen, 1L, paste, collapse = " ") else seen)
  }
  if (is.matrix(seen)) seen else matrix(as.numeric(seen))
}

# `view(data, n)`: n runs on `data`, as texts or as a matrix with a row for each. `theory`: the
# advantage of the best attacker, where it is known.
attack <- function(view, data1, data2, epsilon, delta = 0, runs = 4000, theory = NA_real_) {
  seen1 <- view(data1, runs)
  seen2 <- view(data2, runs)
  attack_on_seen(seen1, seen2, epsilon, delta, theory)
}

attack_on_seen <- function(seen1, seen2, epsilon, delta = 0, theory = NA_real_) {
  seen1 <- as_seen(seen1)
  seen2 <- as_seen(seen2)
  runs <- runs_in(seen1)
  stopifnot(runs == runs_in(seen2))
  fitted_on <- seq_len(runs %/% 4)
  chosen_on <- runs %/% 4 + seq_len(runs %/% 4)
  tried_on <- seq(2 * (runs %/% 4) + 1, runs)
  scores <- lapply(scorers_for(seen1), function(scorer) {
    scorer(rows_of(seen1, fitted_on), rows_of(seen2, fitted_on))
  })
  scores <- scores[!vapply(scores, is.null, NA)]
  if (length(scores) == 0L) scores <- list(function(seen) rep(0, runs_in(seen)))
  points <- lapply(scores, function(score) {
    operating_points(score(rows_of(seen1, chosen_on)), score(rows_of(seen2, chosen_on)))
  })
  best <- function(value) {
    worth <- vapply(points, function(at) max(value(at)), 0)
    score <- which.max(worth)
    at <- points[[score]]
    list(score = scores[[score]], cut = at$cut[[which.max(value(at))]])
  }
  practised <- length(chosen_on)
  refuting <- function(sign) {
    function(at) {
      hits <- if (sign > 0) at$tpr else 1 - at$fpr
      others <- if (sign > 0) at$fpr else 1 - at$tpr
      epsilon_bound(round(hits * practised), round(others * practised), practised, delta, 0.01)
    }
  }
  guesses <- list(
    advantage = best(function(at) at$tpr - at$fpr),
    one_percent = best(function(at) ifelse(at$fpr <= 0.01, at$tpr, -1)),
    one_permille = best(function(at) ifelse(at$fpr <= 0.001, at$tpr, -1)),
    refutes = best(refuting(1)), refutes_back = best(refuting(-1))
  )
  n <- length(tried_on)
  tried <- vapply(guesses, function(guess) {
    c(
      tpr = sum(guess$score(rows_of(seen1, tried_on)) > guess$cut),
      fpr = sum(guess$score(rows_of(seen2, tried_on)) > guess$cut)
    )
  }, c(tpr = 0, fpr = 0))
  new_attack(tried, n, epsilon, delta, theory)
}

# `tried`: hits of each guess on the two sides, in `n` runs each.
new_attack <- function(tried, n, epsilon, delta, theory) {
  low <- function(hits, level) lower_share(hits, n, level)
  high <- function(hits, level) upper_share(hits, n, level)
  hits <- tried["tpr", ]
  false <- tried["fpr", ]
  # Surely more than can be: forwards (TPR against FPR) or backwards (1 - FPR against 1 - TPR).
  more <- function(level) {
    c(
      low(hits[["advantage"]], level) - high(false[["advantage"]], level) -
        most_advantage(epsilon, delta),
      low(hits[-5L], level) - delta - exp(epsilon) * high(false[-5L], level),
      low(n - false[["refutes_back"]], level) - delta -
        exp(epsilon) * high(n - hits[["refutes_back"]], level)
    )
  }
  # Of the two events that were looked for to refute the claim the one that comes nearer to it: its
  # share on one side, and on the other. Backwards it marks data2, of which a TPR says nothing.
  event <- function(here, there) {
    least <- low(here, attack_level)
    most <- min(1, delta + exp(epsilon) * high(there, attack_level))
    c(here = here / n, there = there / n, least = least, most = most)
  }
  forwards <- event(hits[["refutes"]], false[["refutes"]])
  backwards <- event(n - false[["refutes_back"]], n - hits[["refutes_back"]])
  beyond <- function(x) x[["least"]] - x[["most"]]
  # Two shares at 95 %: each limit at 1.25 %.
  structure(list(
    epsilon = epsilon, delta = delta, runs = n,
    advantage = (hits[["advantage"]] - false[["advantage"]]) / n,
    low = low(hits[["advantage"]], 0.0125) - high(false[["advantage"]], 0.0125),
    high = high(hits[["advantage"]], 0.0125) - low(false[["advantage"]], 0.0125),
    bound = most_advantage(epsilon, delta), theory = theory,
    tpr = unname(hits[c("one_percent", "one_permille")]) / n,
    fpr = unname(false[c("one_percent", "one_permille")]) / n,
    most_tpr = most_tpr(c(0.01, 0.001), epsilon, delta),
    event = if (beyond(backwards) > beyond(forwards)) backwards else forwards,
    event_of = if (beyond(backwards) > beyond(forwards)) "data2" else "data1",
    caught = any(more(attack_level) > 0)
  ), class = "attack_result")
}

# A row of a table.
attack_row <- function(result) {
  three <- function(x) sprintf("%.3f", x)
  beside <- function(k, form) {
    paste0(sprintf(form, result$tpr[[k]]), " (bound ", sprintf(form, result$most_tpr[[k]]), ")")
  }
  data.frame(
    epsilon = result$epsilon, delta = result$delta, runs = result$runs,
    advantage = three(result$advantage),
    `95 %` = paste(three(result$low), "to", three(result$high)),
    theory = if (is.na(result$theory)) "" else three(result$theory), bound = three(result$bound),
    `TPR at FPR 1 %` = beside(1L, "%.3f"), `at 0.1 %` = beside(2L, "%.4f"),
    `most telling event` = sprintf(
      "of %s: %.4f, there %.4f (surely %.4f, allowed %.4f)", result$event_of,
      result$event[["here"]], result$event[["there"]], result$event[["least"]],
      result$event[["most"]]
    ),
    check.names = FALSE
  )
}
