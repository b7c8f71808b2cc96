# Random discrete networks of many shapes, on which defaults were set (calibrate.R, colliders.R).
# Plain lists, not the package's network class: parents, levels and tables are all that is needed.

# One draw from a symmetric Dirichlet distribution.
dirichlet <- function(k, concentration) {
  x <- stats::rgamma(k, concentration)
  if (sum(x) < 1e-12) x[sample.int(k, 1L)] <- 1
  x / sum(x)
}

# `density`: mean number of parents. `skew`: small values make some levels rare. `strength`: how
# much a conditional distribution follows the parents (0: not at all, 1: entirely its own draw).
# `shape`: "free" (parents anywhere before the node), "chain" (mostly the node just before) or
# "hub" (few common parents).
random_network <- function(nodes, max_levels, density, skew, strength, shape = "free",
                           max_parents = 3L) {
  levels <- 1L + sample.int(max_levels - 1L, nodes, replace = TRUE)
  parents <- vector("list", nodes)
  tables <- vector("list", nodes)
  for (v in seq_len(nodes)) {
    earlier <- seq_len(v - 1L)
    wanted <- min(length(earlier), max_parents, stats::rpois(1L, density))
    chance <- switch(shape,
      free = rep(1, length(earlier)),
      chain = 0.3^(v - 1L - earlier) + 1e-3,
      hub = 1 / earlier
    )
    chosen <- if (wanted == 0L) integer() else earlier[sample.int(v - 1L, wanted, prob = chance)]
    while (prod(levels[chosen]) > 64L) chosen <- chosen[-1L]
    parents[[v]] <- sort(chosen)
    base <- dirichlet(levels[[v]], skew)
    strata <- prod(levels[parents[[v]]])
    tables[[v]] <- t(vapply(seq_len(strata), function(s) {
      (1 - strength) * base + strength * dirichlet(levels[[v]], skew)
    }, numeric(levels[[v]])))
  }
  list(levels = levels, parents = parents, tables = tables)
}

# Rows as integer codes, one column per node.
simulate_rows <- function(network, rows) {
  nodes <- length(network$levels)
  out <- vector("list", nodes)
  for (v in seq_len(nodes)) {
    stratum <- rep(1, rows)
    for (p in network$parents[[v]]) stratum <- (stratum - 1) * network$levels[[p]] + out[[p]]
    cumulative <- t(apply(network$tables[[v]], 1L, cumsum))
    u <- stats::runif(rows)
    code <- rep(1L, rows)
    for (l in seq_len(network$levels[[v]] - 1L)) code <- code + (u > cumulative[stratum, l])
    out[[v]] <- code
  }
  out
}

# A random network as a data frame of factors, and its true graph as an adjacency matrix.
random_case <- function(design) {
  network <- random_network(
    design$nodes, design$max_levels, design$density, design$skew, design$strength, design$shape
  )
  nodes <- sprintf("v%02d", seq_len(design$nodes))
  data <- simulate_rows(network, round(design$rows))
  data <- Map(function(x, k) structure(x, levels = as.character(seq_len(k)), class = "factor"),
              data, network$levels)
  truth <- matrix(0L, design$nodes, design$nodes, dimnames = list(nodes, nodes))
  for (v in seq_along(network$parents)) truth[network$parents[[v]], v] <- 1L
  list(data = as.data.frame(stats::setNames(data, nodes)), truth = truth)
}

# The shapes of the calibration. Every row is one network. Not more than `most_values` numbers in
# a data set: 10 million rows only with few variables.
calibration_design <- function(networks, seed, most_values = 1e8) {
  set.seed(seed)
  design <- data.frame(
    nodes = round(exp(stats::runif(networks, log(4), log(80)))),
    max_levels = sample(c(2L, 3L, 4L, 8L), networks, replace = TRUE),
    density = stats::runif(networks, 0.6, 2),
    skew = exp(stats::runif(networks, log(0.3), log(3))),
    strength = stats::runif(networks, 0.3, 1),
    shape = sample(c("free", "chain", "hub"), networks, replace = TRUE),
    rows = 10^stats::runif(networks, 3, 7)
  )
  design$rows <- round(pmin(design$rows, most_values / design$nodes))
  design
}

# Causes come first in random networks; their names must not tell.
with_other_names <- function(case) {
  names <- sample(names(case$data))
  names(case$data) <- names
  dimnames(case$truth) <- list(names, names)
  case
}
