# Do the intervals of effect() cover? Random networks with the order in time known (as tiers),
# epsilon 1; the truth is computed exactly. Prints a table, and writes
# inst/extdata/evaluation/coverage.csv from all runs in build/, which have different seeds. The table
# there is of
#   Rscript bench/effects.R 12 1
#   Rscript bench/effects.R 24 500
# `given` is graph = "given", where there is an answer; `uncertain` is graph = "uncertain", which
# always answers.

suppressMessages(library(privpc))
options(privpc.advice = FALSE)
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
networks <- if (length(arguments) > 0L) arguments[[1L]] else 20L
first_seed <- if (length(arguments) > 1L) arguments[[2L]] else 1L
nodes <- 7L
pairs_per_network <- 6L

# Levels follow a logistic model of the parents: effects of each, and of pairs of them together where
# `together` is TRUE. The first two nodes are exposures that 1 % have, if `rare`.
effect_network <- function(levels, together, rare) {
  parents <- lapply(seq_len(nodes), function(v) {
    wanted <- min(v - 1L, 3L, stats::rpois(1L, 1.3))
    if (wanted) sort(sample.int(v - 1L, wanted)) else integer()
  })
  if (rare) parents[1:2] <- list(integer())
  tables <- lapply(seq_len(nodes), function(v) {
    strata <- as.matrix(expand.grid(rep(list(seq_len(levels)), length(parents[[v]]))))
    logit <- matrix(stats::rnorm(levels, 0, 0.8), max(1L, nrow(strata)), levels, byrow = TRUE)
    for (j in seq_along(parents[[v]])) {
      size <- matrix(stats::rnorm(levels^2, 0, 0.8), levels)
      logit <- logit + size[strata[, j], ]
    }
    if (together && length(parents[[v]]) > 1L) {
      size <- array(stats::rnorm(levels^3, 0, 0.6), rep(levels, 3L))
      at <- strata[, 1L] + levels * (strata[, 2L] - 1L)
      logit <- logit + matrix(size, levels^2)[at, ]
    }
    if (rare && v <= 2L) logit[] <- c(rep(log(0.99 / (levels - 1)), levels - 1L), log(0.01))
    exp(logit) / rowSums(exp(logit))
  })
  list(levels = levels, parents = parents, tables = tables)
}

stratum_of <- function(net, v, codes) {
  stratum <- rep(1L, nrow(codes))
  for (j in seq_along(net$parents[[v]])) {
    stratum <- stratum + (codes[, net$parents[[v]][[j]]] - 1L) * net$levels^(j - 1L)
  }
  stratum
}

records_of <- function(net, rows) {
  codes <- matrix(1L, rows, nodes)
  for (v in seq_len(nodes)) {
    below <- t(apply(net$tables[[v]], 1L, cumsum))[stratum_of(net, v, codes), , drop = FALSE]
    codes[, v] <- 1L + as.integer(rowSums(stats::runif(rows) > below[, -net$levels, drop = FALSE]))
  }
  out <- as.data.frame(lapply(seq_len(nodes), function(v) factor(codes[, v], seq_len(net$levels))))
  stats::setNames(out, paste0("v", seq_len(nodes)))
}

# Risk of the last level of y if x is set to its last level, less that of its first.
true_difference <- function(net, x, y) {
  codes <- as.matrix(expand.grid(rep(list(seq_len(net$levels)), nodes)))
  risk <- function(value) {
    share <- as.double(codes[, x] == value)
    for (v in setdiff(seq_len(nodes), x)) {
      share <- share * net$tables[[v]][cbind(stratum_of(net, v, codes), codes[, v])]
    }
    sum(share[codes[, y] == net$levels])
  }
  risk(net$levels) - risk(1L)
}

asked <- function(...) {
  answer <- tryCatch(suppressMessages(effect(...)), privpc_no_effect = function(e) NULL)
  if (is.null(answer)) return(c(NA, NA))
  row <- which(answer$measure == "risk difference")
  row <- row[[length(row)]]
  c(answer$lower[[row]], answer$upper[[row]])
}

one_network <- function(design, seed) {
  set.seed(seed)
  net <- effect_network(design$levels, design$together, design$rare)
  data <- records_of(net, design$rows)
  order <- as.list(names(data))
  fit <- suppressWarnings(suppressMessages(
    marginal_pc(data, epsilon = 1, tiers = order, seed = seed)
  ))
  pairs <- which(upper.tri(diag(nodes)), arr.ind = TRUE)
  if (design$rare) pairs <- pairs[pairs[, 1L] <= 2L, ]
  pairs <- pairs[sample.int(nrow(pairs), pairs_per_network), , drop = FALSE]
  do.call(rbind, lapply(seq_len(nrow(pairs)), function(i) {
    x <- pairs[i, 1L]
    y <- pairs[i, 2L]
    ends <- list(fit, names(data)[[x]], names(data)[[y]], draws = 400)
    given <- do.call(asked, ends)
    uncertain <- do.call(asked, c(ends, list(graph = "uncertain", graphs = 100)))
    data.frame(
      design, seed = seed, truth = true_difference(net, x, y), arc = x %in% net$parents[[y]],
      given_lower = given[[1L]], given_upper = given[[2L]],
      lower = uncertain[[1L]], upper = uncertain[[2L]]
    )
  }))
}

designs <- expand.grid(
  rows = c(5000, 20000, 100000), levels = c(2L, 3L), together = c(FALSE, TRUE),
  rare = c(FALSE, TRUE)
)

covers <- function(truth, lower, upper) truth >= lower - 1e-9 & truth <= upper + 1e-9

table_of <- function(found) {
  inside <- covers(found$truth, found$lower, found$upper)
  data.frame(
    found[1L, names(designs)], networks = length(unique(found$seed)), effects = nrow(found),
    given = mean(covers(found$truth, found$given_lower, found$given_upper), na.rm = TRUE),
    given_width = stats::median(found$given_upper - found$given_lower, na.rm = TRUE),
    uncertain = mean(inside), width = stats::median(found$upper - found$lower),
    arcs = mean(inside[found$arc])
  )
}

dir.create("build", showWarnings = FALSE)
results <- NULL
for (d in seq_len(nrow(designs))) {
  found <- do.call(rbind, lapply(seq_len(networks), function(k) {
    one_network(designs[d, ], 1000L * d + first_seed + k)
  }))
  print(format(table_of(found), digits = 3), row.names = FALSE)
  results <- rbind(results, found)
  saveRDS(results, sprintf("build/effects-%d.rds", first_seed))
}

# The table of this run and of those with other seeds before it.
runs <- do.call(rbind, lapply(Sys.glob("build/effects-*.rds"), readRDS))
rows <- do.call(rbind, lapply(split(runs, runs[names(designs)], drop = TRUE), table_of))
shown <- c("given", "given_width", "uncertain", "width", "arcs")
rows[shown] <- lapply(rows[shown], signif, 3)
rows <- rows[order(rows$rare, rows$together, rows$levels, rows$rows), ]
utils::write.csv(rows, "inst/extdata/evaluation/coverage.csv", row.names = FALSE)
