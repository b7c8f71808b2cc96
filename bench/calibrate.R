# How the defaults of marginal_pc() were set, and what they give. Run it with
#   Rscript bench/calibrate.R networks    random networks of many shapes, one row per setting
#   Rscript bench/calibrate.R empty       share of graphs with a false edge where there is no edge
#   Rscript bench/calibrate.R bundled     the bundled networks, beside exact_pc()
# Settings are compared on random networks only.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))

# A random network as a data frame of factors, and its true graph as an adjacency matrix.
random_case <- function(design) {
  network <- random_network(
    design$nodes, design$max_levels, design$density, design$skew, design$strength, design$shape
  )
  nodes <- sprintf("v%02d", seq_len(design$nodes))
  data <- simulate_rows(network, round(design$rows))
  data <- Map(function(x, k) factor(x, levels = seq_len(k)), data, network$levels)
  truth <- matrix(0L, design$nodes, design$nodes, dimnames = list(nodes, nodes))
  for (v in seq_along(network$parents)) truth[network$parents[[v]], v] <- 1L
  list(data = as.data.frame(stats::setNames(data, nodes)), truth = truth)
}

scores <- function(fit, truth) {
  compared <- compare_graphs(fit, truth)
  c(skeleton = compared$f1[[1L]], cpdag = compared$f1[[2L]], shd = compared$shd[[2L]])
}

mean_scores <- function(runs) {
  round(rowMeans(do.call(cbind, runs), na.rm = TRUE), 3)
}

compare_settings <- function(networks = 36, epsilons = c(0.1, 0.3, 1, 3), seed = 42) {
  settings <- list(
    default = list(),
    `more for all pairs` = list(pairs_share = 0.6, again_share = 0.26),
    `less for all pairs` = list(pairs_share = 0.4, again_share = 0.4),
    `more for triples` = list(pairs_share = 0.4, again_share = 0.3),
    `sharper margins` = list(single_weight = 3),
    `pairs again: fewer` = list(again_per_node = 1.5),
    `pairs again: more` = list(again_per_node = 4),
    `no near misses` = list(near_p_value = 0),
    `fewer triples` = list(triple_noise = 0.04)
  )
  design <- calibration_design(networks, seed)
  cases <- lapply(seq_len(networks), function(i) random_case(design[i, ]))
  for (name in names(settings)) {
    options(privpc.measuring_plan = settings[[name]])
    for (epsilon in epsilons) {
      runs <- lapply(cases, function(case) {
        scores(marginal_pc(case$data, epsilon = epsilon, delta = 1e-6), case$truth)
      })
      cat(sprintf("%-22s epsilon %-4s", name, epsilon), format(mean_scores(runs)), "\n")
    }
  }
  options(privpc.measuring_plan = NULL)
}

# Skewed and balanced margins, few and many levels, little and much noise.
false_edges <- function(runs = 400, alpha = 0.05) {
  for (nodes in c(5, 25)) for (levels in c(2, 5)) for (skewed in c(FALSE, TRUE)) {
    for (rows in c(1000, 10000)) {
      share <- vapply(c(0.05, 0.3, 1, 10), function(epsilon) {
        chance <- if (skewed) c(1, 0.02 * seq_len(levels)[-1L]) else rep(1, levels)
        mean(vapply(seq_len(runs), function(run) {
          names <- stats::setNames(nm = sprintf("v%d", seq_len(nodes)))
          data <- as.data.frame(lapply(names, function(v) {
            factor(sample.int(levels, rows, TRUE, chance), levels = seq_len(levels))
          }))
          any(marginal_pc(data, epsilon, alpha = alpha, least_effect = 0)$skeleton == 1L)
        }, NA))
      }, 0)
      cat(nodes, "variables,", levels, "levels,", if (skewed) "skewed," else "balanced,",
          rows, "rows: ", format(share, digits = 2), "\n")
    }
  }
}

bundled <- function(runs = 20, rows = 100000, epsilons = c(0.1, 0.3, 1, 3)) {
  for (name in c("earthquake", "cancer", "asia", "survey", "sachs", "child", "alarm")) {
    truth <- network(name)
    # New rows for every run, none of them used to set anything.
    data <- lapply(seq_len(runs), function(run) simulate(truth, nsim = rows, seed = 10000 + run))
    for (epsilon in epsilons) {
      found <- lapply(data, function(x) scores(marginal_pc(x, epsilon, delta = 1e-6), truth))
      cat(sprintf("%-10s epsilon %-4s", name, epsilon), format(mean_scores(found)), "\n")
    }
    exact <- lapply(data[1:3], function(x) {
      suppressMessages(scores(exact_pc(x, alpha = 0.01, max_order = 3), truth))
    })
    cat(sprintf("%-10s %-12s", name, "not private"), format(mean_scores(exact)), "\n")
  }
}

what <- commandArgs(TRUE)
if ("networks" %in% what) compare_settings()
if ("empty" %in% what) false_edges()
if ("bundled" %in% what) bundled()
