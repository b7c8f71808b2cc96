# The statistics and the search again, slowly and from their definitions alone, and random data of
# odd shapes to compare on. Used by test-against_reference.R and tools/hostile.R.

# ---- tests ---------------------------------------------------------------------------------------

# One matrix of counts per stratum that occurs, with all declared levels.
strata_of <- function(data, x, y, given) {
  stratum <- if (length(given)) {
    interaction(data[given], drop = TRUE)
  } else {
    factor(rep(1L, nrow(data)))
  }
  lapply(split(data[c(x, y)], stratum), function(part) unclass(table(part[[1L]], part[[2L]])))
}

expected_counts <- function(counts) outer(rowSums(counts), colSums(counts)) / sum(counts)

reference_g2 <- function(strata) {
  sum(vapply(strata, function(counts) {
    seen <- counts > 0
    2 * sum((counts * log(counts / expected_counts(counts)))[seen])
  }, 0))
}

reference_chisq <- function(strata) {
  sum(vapply(strata, function(counts) {
    expected <- expected_counts(counts)
    sum(((counts - expected)^2 / expected)[expected > 0])
  }, 0))
}

reference_df <- function(data, x, y, given, occurring) {
  if (!occurring) {
    return((nlevels(data[[x]]) - 1) * (nlevels(data[[y]]) - 1) *
             prod(vapply(data[given], nlevels, 0L)))
  }
  sum(vapply(strata_of(data, x, y, given), function(counts) {
    max(0, sum(rowSums(counts) > 0) - 1) * max(0, sum(colSums(counts) > 0) - 1)
  }, 0))
}

chi_square_p <- function(statistic, df) {
  if (df == 0) 1 else stats::pchisq(statistic, df, lower.tail = FALSE)
}

# The codes of the records of each stratum.
codes_of <- function(data, x, y, given) {
  stratum <- if (length(given)) {
    interaction(data[given], drop = TRUE)
  } else {
    factor(rep(1L, nrow(data)))
  }
  split(data.frame(x = as.numeric(data[[x]]), y = as.numeric(data[[y]])), stratum)
}

tie_groups <- function(x) as.vector(table(x))

# Sum of n times tau-a, and the variance given the ties (Kendall 1970, equation 4.4).
reference_tau <- function(parts) {
  statistic <- variance <- 0
  for (part in parts) {
    n <- nrow(part)
    if (n < 2) next
    # Of all pairs of records, each twice.
    score <- sum(vapply(seq_len(n), function(i) {
      sum(sign(part$x[[i]] - part$x) * sign(part$y[[i]] - part$y))
    }, 0)) / 2
    t <- tie_groups(part$x)
    u <- tie_groups(part$y)
    v <- n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5)) - sum(u * (u - 1) * (2 * u + 5))
    of_score <- v / 18 + sum(t * (t - 1)) * sum(u * (u - 1)) / (2 * n * (n - 1))
    if (n > 2) {
      of_score <- of_score + sum(t * (t - 1) * (t - 2)) * sum(u * (u - 1) * (u - 2)) /
        (9 * n * (n - 1) * (n - 2))
    }
    statistic <- statistic + 2 * score / (n - 1)
    variance <- variance + (2 / (n - 1))^2 * of_score
  }
  c(statistic = statistic, variance = variance)
}

# Sum of n times Spearman's coefficient with the normaliser for no ties.
reference_rho <- function(parts) {
  statistic <- variance <- 0
  for (part in parts) {
    n <- nrow(part)
    if (n < 2) next
    x <- rank(part$x) - (n + 1) / 2
    y <- rank(part$y) - (n + 1) / 2
    scale <- 12 / (n^2 - 1)
    statistic <- statistic + scale * sum(x * y)
    variance <- variance + scale^2 * sum(x^2) * sum(y^2) / (n - 1)
  }
  c(statistic = statistic, variance = variance)
}

normal_p <- function(found) {
  # What is left of a variance of 0 by rounding.
  if (found[["variance"]] <= 1e-9) return(1)
  2 * stats::pnorm(-abs(found[["statistic"]]) / sqrt(found[["variance"]]))
}

# Statistic, degrees of freedom (NA for those that have none) and p-value.
reference_test <- function(data, test, x, y, given = NULL, occurring = FALSE) {
  if (test %in% c("tau", "rho")) {
    found <- (if (test == "tau") reference_tau else reference_rho)(codes_of(data, x, y, given))
    return(c(statistic = found[["statistic"]], df = NA, p.value = normal_p(found)))
  }
  strata <- strata_of(data, x, y, given)
  statistic <- (if (test == "g2") reference_g2 else reference_chisq)(strata)
  df <- reference_df(data, x, y, given, occurring)
  c(statistic = statistic, df = df, p.value = chi_square_p(statistic, df))
}

# ---- the search ----------------------------------------------------------------------------------

# All subsets of a size.
subsets_of <- function(set, size) {
  if (size > length(set)) return(list())
  if (size == 0) return(list(set[0]))
  picks <- utils::combn(length(set), size)
  lapply(seq_len(ncol(picks)), function(k) set[picks[, k]])
}

# PC-stable (Colombo and Maathuis 2014): the skeleton, and of each pair that was separated the set
# with the largest p-value of its order. `p_value` answers for (x, y, given). `margin`: the distance
# of the nearest p-value from alpha, below which two computations may decide otherwise.
reference_skeleton <- function(nodes, p_value, alpha, max_order) {
  joined <- matrix(TRUE, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  diag(joined) <- FALSE
  separated <- list()
  margin <- Inf
  for (order in 0:max_order) {
    before <- joined
    for (i in seq_along(nodes)) for (j in seq_along(nodes)) {
      if (i >= j || !before[i, j]) next
      sets <- unique(lapply(c(
        subsets_of(setdiff(nodes[before[i, ]], nodes[j]), order),
        subsets_of(setdiff(nodes[before[j, ]], nodes[i]), order)
      ), sort))
      if (length(sets) == 0L) next
      p <- vapply(sets, function(set) p_value(nodes[i], nodes[j], set), 0)
      margin <- min(margin, abs(p - alpha))
      if (max(p) > alpha) {
        joined[i, j] <- joined[j, i] <- FALSE
        separated[[paste(i, j)]] <- sets[[which.max(p)]]
      }
    }
  }
  list(skeleton = joined, separated = separated, margin = margin)
}

# v-structures by the separating sets, then Meek's rules 1 to 3. NULL where v-structures contradict
# each other, or what they say cannot be a class of graphs: how such a conflict is solved is a
# matter of choice, not of definition.
reference_cpdag <- function(found) {
  skeleton <- found$skeleton
  nodes <- rownames(skeleton)
  arrow <- skeleton & FALSE
  for (i in seq_along(nodes)) for (j in seq_along(nodes)) {
    if (i >= j || skeleton[i, j]) next
    for (z in nodes[skeleton[i, ] & skeleton[j, ]]) {
      if (z %in% found$separated[[paste(i, j)]]) next
      arrow[i, z] <- arrow[j, z] <- TRUE
    }
  }
  if (any(arrow & t(arrow))) return(NULL)
  n <- length(nodes)
  repeat {
    changed <- FALSE
    for (a in seq_len(n)) for (b in seq_len(n)) {
      if (!skeleton[a, b] || arrow[a, b] || arrow[b, a]) next
      others <- setdiff(seq_len(n), c(a, b))
      first <- any(vapply(others, function(k) arrow[k, a] && !skeleton[k, b], NA))
      second <- any(vapply(others, function(k) arrow[a, k] && arrow[k, b], NA))
      open <- function(k, l) skeleton[k, l] && !arrow[k, l] && !arrow[l, k]
      third <- any(vapply(others, function(k) {
        any(vapply(setdiff(others, k), function(l) {
          open(a, k) && open(a, l) && arrow[k, b] && arrow[l, b] && !skeleton[k, l]
        }, NA))
      }, NA))
      if (first || second || third) {
        arrow[a, b] <- TRUE
        changed <- TRUE
      }
    }
    if (!changed) break
  }
  graph <- skeleton & !t(arrow)
  storage.mode(graph) <- "integer"
  # It must be the whole class of a graph without cycles.
  class <- cpp_pdag_to_cpdag(graph)
  if (is.null(class) || any(class != graph)) return(NULL)
  graph
}

# ---- data of odd shapes --------------------------------------------------------------------------

# Columns that are constant, copies, functions of others, or have levels that do not occur, beside
# some that depend on their neighbours. `levels`: how many, of each variable.
odd_data <- function(rows, levels) {
  columns <- list()
  for (v in seq_along(levels)) {
    k <- levels[[v]]
    kind <- sample(c("even", "rare", "constant", "copy", "sum", "child"), 1L,
                   prob = c(3, 2, 1, 1, 1, 4))
    before <- if (v > 1L) columns[[sample.int(v - 1L, 1L)]]
    if (is.null(before) && kind %in% c("copy", "sum", "child")) kind <- "even"
    columns[[v]] <- switch(kind,
      even = sample.int(k, rows, replace = TRUE),
      # Most levels never, some once.
      rare = pmin(k, 1L + as.integer(stats::rexp(rows, 2))),
      constant = rep(sample.int(k, 1L), rows),
      copy = (before - 1L) %% k + 1L,
      sum = (before + columns[[1L]]) %% k + 1L,
      child = ifelse(stats::runif(rows) < 0.4, (before - 1L) %% k + 1L,
                     sample.int(k, rows, replace = TRUE))
    )
  }
  names(columns) <- paste0("v", seq_along(levels))
  as.data.frame(Map(function(codes, k) {
    factor(codes, seq_len(k), ordered = stats::runif(1) < 0.3)
  }, columns, levels))
}

# What differs between the core and the reference on one data set, in words: nothing if all is well.
# `wide` data have too many cells for tests given two others.
test_differences <- function(data, names, given) {
  out <- character()
  near <- function(a, b, slack) all(is.na(a) == is.na(b)) && all(abs(a - b) <= slack, na.rm = TRUE)
  compare <- function(what, found, wanted) {
    found <- c(
      statistic = found$statistic[[1L]],
      df = if (is.na(wanted[["df"]])) NA else found$parameter[["df"]], p.value = found$p.value
    )
    slack <- c(1e-7 * (1 + abs(wanted[["statistic"]])), 0, 1e-7)
    if (!near(found, wanted, slack)) {
      out <<- c(out, paste0(
        what, " of ", names[[1L]], ", ", names[[2L]], " given {", toString(given), "}: ",
        toString(signif(found, 8)), " is not ", toString(signif(wanted, 8))
      ))
    }
  }
  for (test in c("g2", "chisq")) for (df in c("declared", "occurring")) {
    run <- if (test == "g2") cond_g2 else cond_chisq
    compare(
      paste(test, df), run(data, names[[1L]], names[[2L]], given, df = df),
      reference_test(data, test, names[[1L]], names[[2L]], given, df == "occurring")
    )
  }
  for (test in c("tau", "rho")) {
    run <- if (test == "tau") cond_tau else cond_rho
    if (test == "tau" && nrow(data) > 3000L) next
    compare(
      test, suppressMessages(run(data, names[[1L]], names[[2L]], given)),
      reference_test(data, test, names[[1L]], names[[2L]], given)
    )
  }
  out
}

# The same for the graph; attribute `directed`: whether directions could be compared.
search_differences <- function(data, test, alpha, max_order) {
  asked <- new.env()
  p_value <- function(x, y, given) {
    key <- paste(c(x, y, given), collapse = " ")
    if (is.null(asked[[key]])) {
      asked[[key]] <- reference_test(
        data, test, x, y, given, occurring = test %in% c("g2", "chisq")
      )[["p.value"]]
    }
    asked[[key]]
  }
  wanted <- reference_skeleton(names(data), p_value, alpha, max_order)
  # Equal but for rounding: the two may rightly disagree.
  if (wanted$margin < 1e-9) return(structure(character(), directed = FALSE))
  fit <- suppressMessages(exact_pc(
    data, test = test, alpha = alpha, max_order = max_order, colliders = "sepset",
    df = if (test %in% c("g2", "chisq")) "occurring" else "declared", progress = FALSE
  ))
  out <- character()
  if (any((fit$skeleton == 1L) != wanted$skeleton)) out <- paste(test, "another skeleton")
  cpdag <- reference_cpdag(wanted)
  if (!is.null(cpdag) && any(fit$amat != cpdag)) out <- c(out, paste(test, "other directions"))
  structure(out, directed = !is.null(cpdag))
}

# A whole table of the core, of variables by position in the order of names.
table_differences <- function(data, set) {
  source <- data_source(data)
  at <- sort(match(set, source$schema$names))
  # table() runs its first factor fastest, the core its last.
  wanted <- as.integer(table(data[rev(source$schema$names[at])]))
  same <- vapply(c(FALSE, TRUE), function(portable) {
    identical(cpp_table(source, at, portable, 2^26), wanted)
  }, NA)
  if (!all(same)) paste("the table of", toString(set))
}

# The tables of a fit with next to no noise, beside those of the records: at most nine standard
# errors apart, and at least the rounding of the shares.
contrast_differences <- function(data, seed) {
  fit <- suppressMessages(marginal_pc(
    data, epsilon = 1e6, delta = 1e-6, search = "tests", max_order = 1, seed = seed,
    progress = FALSE
  ))
  held <- fit$measurements
  out <- character()
  for (k in seq_along(held$tables$sets)) {
    set <- held$nodes[held$tables$sets[[k]]]
    if (prod(vapply(data[set], nlevels, 0L)) > 1e4) next
    off <- held$tables$values[[k]] - exact_contrasts(data, set) / nrow(data)
    if (any(abs(off) > 9 * sqrt(held$tables$variance[[k]]) + 1e-9)) {
      out <- c(out, paste("contrasts of", toString(set)))
    }
  }
  structure(out, tables = length(held$tables$sets))
}

# One random data set and all comparisons that its size allows.
random_case <- function(seed) {
  with_seed(seed, {
    kind <- sample(c("small", "wide", "many levels", "many rows"), 1L, prob = c(12, 1, 2, 1))
    size <- switch(kind,
      small = list(rows = sample(c(1:5, 20, 100, 300), 1L), variables = sample(2:6, 1L), most = 6L),
      wide = list(rows = 200, variables = sample(50:200, 1L), most = 4L),
      `many levels` = list(rows = sample(c(10, 200, 2000), 1L), variables = 3L, most = 65535L),
      `many rows` = list(rows = 10^stats::runif(1L, 4, 6), variables = 4L, most = 5L)
    )
    rows <- as.integer(size$rows)
    # Small numbers of levels are as likely as large ones.
    levels <- pmax(1L, as.integer(round(exp(stats::runif(size$variables, 0, log(size$most))))))
    data <- odd_data(rows, levels)
    found <- character()
    count <- c(tables = 0L, tests = 0L, skeletons = 0L, cpdags = 0L, contrasts = 0L)
    cells <- function(set) prod(levels[match(set, names(data))])
    for (k in 1:3) {
      set <- sample(names(data), min(length(data), sample.int(3L, 1L)))
      # The core has no dense table of more.
      if (cells(set) > max(65536, min(4 * rows, 1e6))) next
      found <- c(found, table_differences(data, set))
      count[["tables"]] <- count[["tables"]] + 1L
    }
    for (k in 1:2) {
      names <- sample(names(data), min(length(data), 2L + sample(0:2, 1L)))
      # The reference keeps whole tables of every stratum.
      if (cells(names[1:2]) > 1e5 || cells(names) > 1e7) next
      found <- c(found, test_differences(data, names[1:2], if (length(names) > 2L) names[-(1:2)]))
      count[["tests"]] <- count[["tests"]] + 5L + (rows <= 3000L)
    }
    if (kind == "small" && rows > 1L) {
      test <- sample(c("g2", "chisq", "tau", "rho"), 1L)
      searched <- search_differences(data, test, sample(c(0.05, 0.2, 0.5), 1L), sample(0:3, 1L))
      found <- c(found, searched)
      count[["skeletons"]] <- 1L
      count[["cpdags"]] <- as.integer(attr(searched, "directed"))
    }
    if (kind %in% c("small", "many rows") && rows >= 2L) {
      measured <- contrast_differences(data, seed)
      found <- c(found, measured)
      count[["contrasts"]] <- attr(measured, "tables")
    }
    data.frame(
      seed = seed, kind = kind, as.list(count), differences = length(found),
      what = paste(found, collapse = "; ")
    )
  })
}
