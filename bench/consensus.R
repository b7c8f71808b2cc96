# From which share of the draws on consensus() keeps an edge, and what it gains. Run it with
#   Rscript bench/consensus.R threshold   random networks: F1 against the truth, by threshold
#   Rscript bench/consensus.R bundled     the bundled networks: the fit and its consensus
#   Rscript bench/consensus.R agreement   two fits of the same people, simulated and real
# The threshold is chosen on random networks only.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
source(file.path(here, "real_records.R"))
what <- commandArgs(TRUE)

learn <- function(data) {
  suppressWarnings(suppressMessages(
    marginal_pc(data, epsilon = 1, delta = 1e-6, threads = 1, progress = FALSE)
  ))
}

f1 <- function(fit, truth) compare_graphs(fit, truth)$f1

# The draws are made once; every threshold is tried on them.
consensus_at <- function(fit, thresholds, draws) {
  replayed <- privpc:::replay_fit(fit, draws, "noise", 2L, FALSE, environment())
  lapply(thresholds, function(threshold) {
    privpc:::cpp_consensus(
      replayed$graphs, threshold, rownames(replayed$edges), fit$nodes,
      replayed$knowledge$required, replayed$knowledge$forbidden
    )$amat
  })
}

# Networks of 6 to 40 variables, 2,000 to 100,000 rows.
choose_threshold <- function(networks = 40L, thresholds = seq(0.2, 0.6, by = 0.05), draws = 100L) {
  set.seed(17)
  results <- lapply(seq_len(networks), function(i) {
    rows <- round(10^stats::runif(1L, log10(2000), 5))
    nodes <- round(exp(stats::runif(1L, log(6), log(40))))
    design <- calibration_design(1L, 5000L + i)
    network <- random_network(
      nodes, min(design$max_levels, 4L), design$density, design$skew, design$strength,
      design$shape
    )
    case <- as_records(network, rows)
    fit <- learn(case$data)
    graphs <- consensus_at(fit, thresholds, draws)
    scores <- rbind(f1(fit, case$truth), do.call(rbind, lapply(graphs, f1, case$truth)))
    data.frame(
      network = i, nodes = nodes, rows = rows, threshold = c(NA, thresholds),
      skeleton = scores[, 1L], cpdag = scores[, 2L]
    )
  })
  results <- do.call(rbind, results)
  results$threshold <- factor(ifelse(is.na(results$threshold), "fit", results$threshold))
  print(stats::aggregate(cbind(skeleton, cpdag) ~ threshold, results, mean), digits = 3)
  cat("from 10,000 rows on\n")
  many <- results[results$rows >= 10000, ]
  print(stats::aggregate(cbind(skeleton, cpdag) ~ threshold, many, mean), digits = 3)
}

on_bundled <- function(runs = 5L, draws = 100L) {
  for (name in networks()$name) {
    for (rows in c(10000, 100000)) {
      scores <- rowMeans(vapply(seq_len(runs), function(run) {
        fit <- learn(simulate(network(name), nsim = rows, seed = 3000 + run))
        agreed <- consensus(fit, draws = draws, progress = FALSE)
        c(f1(fit, network(name)), f1(agreed, network(name)))
      }, double(4L)), na.rm = TRUE)
      cat(sprintf(
        "%-12s %6d rows: fit %.3f / %.3f, consensus %.3f / %.3f\n", name, rows, scores[[1L]],
        scores[[2L]], scores[[3L]], scores[[4L]]
      ))
    }
  }
}

agreement <- function(fits = 6L, draws = 200L) {
  sets <- c(real_records(), list(
    `child 5000` = simulate(network("child"), nsim = 5000, seed = 99),
    `alarm 20000` = simulate(network("alarm"), nsim = 20000, seed = 99)
  ))
  for (name in names(sets)) {
    plain <- lapply(seq_len(fits), function(i) learn(sets[[name]]))
    agreed <- lapply(plain, consensus, draws = draws, progress = FALSE)
    pairs <- utils::combn(fits, 2L)
    mean_f1 <- function(list) {
      rowMeans(apply(pairs, 2L, function(k) f1(list[[k[[1L]]]], list[[k[[2L]]]])))
    }
    cat(sprintf(
      "%-12s %6d people: fits %.3f / %.3f, consensus %.3f / %.3f\n", name, nrow(sets[[name]]),
      mean_f1(plain)[[1L]], mean_f1(plain)[[2L]], mean_f1(agreed)[[1L]], mean_f1(agreed)[[2L]]
    ))
  }
}

if ("threshold" %in% what) choose_threshold()
if ("bundled" %in% what) on_bundled()
if ("agreement" %in% what) agreement()
if (!any(c("threshold", "bundled", "agreement") %in% what)) {
  stop("say what to run: threshold, bundled or agreement")
}
