# How many of the true edges are among the pairs that the private selection would have measured,
# beside the same selection without noise. Usage:
#   Rscript bench/selection.R [network [rows [epsilon [data sets]]]]
# Shares of rho: all variables 0.08, a tree by its distance from independence 0.12, its tables 0.10,
# then twice as many pairs as variables by their distance from what the tree implies 0.12. What is
# left would be spent on measuring all that was selected. Prints a table; nothing is written.

selection_shares <- c(singles = 0.08, tree = 0.12, tables = 0.10, further = 0.12)

# What Gaussian noise on the contrasts of a batch makes of tables of counts: centred in every
# direction in which a set has contrasts.
centred <- function(noise) sweep(noise, 2, colMeans(noise))
centred_normal <- function(k, sd) centred(matrix(stats::rnorm(k) * sd))[, 1]
noisy_margin <- function(shares, sd) positive(shares + centred_normal(length(shares), sd))
noisy_table <- function(shares, sd) {
  rows <- nrow(shares)
  columns <- ncol(shares)
  interaction <- centred(t(centred(matrix(stats::rnorm(rows * columns) * sd, columns))))
  of_rows <- outer(centred_normal(rows, sd) / columns, rep(1, columns))
  of_columns <- outer(rep(1, rows), centred_normal(columns, sd) / rows)
  positive(shares + interaction + of_rows + of_columns)
}
positive <- function(shares) prop.table(pmax(shares, 1e-4))

# Noise of shares when all variables and the pairs of a tree (or none) are measured for rho. Which
# variables a replaced record changes, h, decides how far it moves them; the worst h, from the
# leaves of the tree to its root (inst/include/privpc/statistic/batch.hpp has the formula).
batch_sd <- function(schema, tree, rho) {
  part <- 1 - 1 / schema$levels
  worst_below <- function(at, from) {
    next_to <- c(tree[tree[, 1] == at, 2], tree[tree[, 2] == at, 1])
    below <- lapply(setdiff(next_to, from), function(to) {
      worst <- worst_below(to, at)
      vapply(0:1, function(here) {
        moved <- part[at] * part[to] - (part[at] - here) * (part[to] - 0:1)
        max(worst + moved)
      }, 0)
    })
    Reduce(`+`, below, 0:1)
  }
  squared <- 2 * if (nrow(tree)) max(worst_below(1, 0)) else length(part)
  sqrt(squared / (2 * rho)) / schema$n
}

# The table of every pair of variables if the tree is the whole truth: conditional tables multiplied
# along the path between the two.
tree_tables <- function(tree, tables, p) {
  neighbours <- lapply(seq_len(p), function(v) {
    rbind(
      cbind(tree[tree[, 1] == v, 2], which(tree[, 1] == v)),
      cbind(tree[tree[, 2] == v, 1], which(tree[, 2] == v))
    )
  })
  implied <- matrix(list(), p, p)
  for (x in seq_len(p)) {
    walk <- function(at, joint, from) {
      for (k in seq_len(nrow(neighbours[[at]]))) {
        to <- neighbours[[at]][k, 1]
        if (to == from) next
        table <- tables[[neighbours[[at]][k, 2]]]
        if (tree[neighbours[[at]][k, 2], 1] != at) table <- t(table)
        further <- if (is.null(joint)) table else joint %*% (table / rowSums(table))
        implied[[x, to]] <<- further
        walk(to, further, at)
      }
    }
    walk(x, NULL, 0)
  }
  implied
}

select_once <- function(data, rho, noise = TRUE) {
  source <- privpc:::data_source(data)
  schema <- source$schema
  p <- length(schema$names)
  columns <- data[schema$names]
  none <- matrix(0L, 0, 2)
  price <- function(stage) if (noise) rho * selection_shares[[stage]] else 1e9
  sd <- function(pairs, stage) if (noise) batch_sd(schema, pairs, price(stage)) else 0
  of_singles <- sd(none, "singles")
  margins <- lapply(columns, function(x) noisy_margin(c(prop.table(table(x))), of_singles))
  pairs <- t(utils::combn(p, 2))
  independent <- lapply(seq_len(nrow(pairs)), function(i) {
    outer(margins[[pairs[i, 1]]], margins[[pairs[i, 2]]])
  })
  tree <- privpc:::selected_pairs(source, pairs, independent, price("tree"))[1, ]
  of_tables <- sd(pairs[tree, ], "tables")
  tables <- lapply(tree, function(i) {
    noisy_table(prop.table(table(columns[[pairs[i, 1]]], columns[[pairs[i, 2]]])), of_tables)
  })
  implied <- tree_tables(pairs[tree, ], tables, p)
  rest <- setdiff(seq_len(nrow(pairs)), tree)
  expected <- lapply(rest, function(i) implied[[pairs[i, 1], pairs[i, 2]]])
  further <- privpc:::selected_pairs(source, pairs[rest, ], expected, price("further"), 2 * p)[1, ]
  list(names = schema$names, pairs = pairs, tree = tree, further = rest[further])
}

measure_selection <- function(name = "alarm", rows = 10000, epsilon = 1, delta = 1e-6, runs = 20) {
  truth <- network(name)
  edges <- as.matrix(privpc:::adjacency_of(truth))
  rho <- rho_from_dp(epsilon, delta)
  shares <- lapply(seq_len(runs), function(run) {
    data <- simulate(truth, nsim = rows, seed = 5000 + run)
    set.seed(run)
    vapply(c(private = TRUE, `no noise` = FALSE), function(noise) {
      found <- select_once(data, rho, noise)
      at <- matrix(found$names[found$pairs], ncol = 2)
      is_edge <- edges[at] + edges[at[, 2:1]] > 0
      selected <- c(found$tree, found$further)
      c(
        `edges in the tree` = sum(is_edge[found$tree]) / sum(is_edge),
        `edges selected` = sum(is_edge[selected]) / sum(is_edge),
        `of all pairs` = length(selected) / length(is_edge)
      )
    }, numeric(3))
  })
  all <- simplify2array(shares)
  error <- apply(all, 1:2, stats::sd) / sqrt(runs)
  data.frame(
    network = name, rows = rows, epsilon = epsilon, what = rownames(all),
    round(apply(all, 1:2, mean), 3), se = round(error[, "private"], 3), row.names = NULL,
    check.names = FALSE
  )
}

if (sys.nframe() == 0L) {
  library(privpc)
  given <- commandArgs(trailingOnly = TRUE)
  number <- function(i, default) if (length(given) >= i) as.numeric(given[i]) else default
  print(measure_selection(
    if (length(given)) given[1] else "alarm", number(2, 10000), number(3, 1), runs = number(4, 20)
  ), row.names = FALSE)
}
