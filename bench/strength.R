# How good the strengths of edge_strength() are. Run it with
#   Rscript bench/strength.R                 everything, about half an hour
#   Rscript bench/strength.R "asia|nafld1"   the sets whose names match
# A set of records is fitted `refits` times (epsilon 1). The share of these fits that have an edge
# is what the strength of that edge, computed from one fit alone, should be. Printed are
#   - by set: the mean absolute difference over all pairs, over those the fit has joined and over
#     the others; the mean difference; that of directions, over learnt edges in at least .2 of the
#     refits; seconds per call;
#   - by bins of the strength: the mean share of refits, and the root mean square difference,
#     which is what the column `uncertainty` promises. Simulated networks, random ones
#     (bench/random_networks.R), and records that come with R.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
source(file.path(here, "real_records.R"))

refits <- 100L
judged <- 6L # fits of which strengths are computed
draws <- 200L

simulated <- function() {
  sets <- list()
  for (name in c("asia", "sachs", "child", "alarm")) {
    for (rows in c(5000, 20000)) {
      sets[[paste(name, rows)]] <- simulate(network(name), nsim = rows, seed = 99)
    }
  }
  for (i in 1:6) {
    rows <- if (i %% 2L == 1L) 20000 else 5000
    # 9 to 14 variables.
    design <- calibration_design(1L, 1000L + i)
    network <- random_network(
      8L + i, min(design$max_levels, 4L), design$density, design$skew, design$strength, design$shape
    )
    sets[[paste("random", i, rows)]] <- as_records(network, rows)$data
  }
  sets
}

learn <- function(data) {
  suppressWarnings(suppressMessages(
    marginal_pc(data, epsilon = 1, delta = 1e-6, threads = 1, progress = FALSE)
  ))
}

# Shares of edges and of arrows, an undirected edge half each way.
refit_shares <- function(fits) {
  graphs <- lapply(fits, as.matrix)
  mean_of <- function(f) Reduce(`+`, lapply(graphs, f)) / length(graphs)
  list(edge = mean_of(function(g) (g | t(g)) * 1), arrow = mean_of(function(g) g * (1 - t(g) / 2)))
}

judge <- function(fit, truth) {
  started <- proc.time()[["elapsed"]]
  sure <- edge_strength(fit, draws = draws, progress = FALSE)
  seconds <- proc.time()[["elapsed"]] - started
  at <- cbind(sure$from, sure$to)
  out <- data.frame(
    strength = sure$strength, share = truth$edge[at], learnt = sure$learnt,
    direction = sure$direction, share_direction = truth$arrow[at] / truth$edge[at],
    seconds = seconds
  )
  out[sure$from < sure$to, ]
}

by_set <- function(x) {
  off <- abs(x$strength - x$share)
  pointed <- x$learnt & x$share >= 0.2 & x$strength > 0
  data.frame(
    all = mean(off), learnt = mean(off[x$learnt]), others = mean(off[!x$learnt]),
    bias = mean(x$strength - x$share),
    direction = mean(abs(x$direction - x$share_direction)[pointed]), seconds = mean(x$seconds)
  )
}

by_bins <- function(x) {
  bin <- cut(x$strength, c(-0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01))
  mean_of <- function(value) as.vector(tapply(value, bin, mean))
  data.frame(
    strength = levels(bin), pairs = as.vector(table(bin)), mean = mean_of(x$strength),
    refits = mean_of(x$share), rms = sqrt(mean_of((x$strength - x$share)^2)),
    promised = sqrt(mean_of(0.55^2 * x$strength * (1 - x$strength)))
  )
}

wanted <- commandArgs(TRUE)
set.seed(1)
sets <- c(simulated(), real_records())
if (length(wanted)) sets <- sets[grepl(wanted[[1L]], names(sets))]
results <- lapply(names(sets), function(name) {
  fits <- lapply(seq_len(refits), function(i) learn(sets[[name]]))
  truth <- refit_shares(fits)
  rows <- do.call(rbind, lapply(fits[seq_len(judged)], judge, truth = truth))
  cat(sprintf("%-20s", name), sprintf("%6.3f", unlist(by_set(rows))), "\n")
  data.frame(set = name, real = name %in% names(real_records()), rows)
})
results <- do.call(rbind, results)
for (real in unique(results$real)) {
  for (learnt in c(TRUE, FALSE)) {
    cat(if (real) "\nreal records," else "\nsimulated,", if (learnt) "learnt" else "others", "\n")
    part <- results[results$real == real & results$learnt == learnt, ]
    print(by_bins(part), row.names = FALSE, digits = 2)
  }
}
