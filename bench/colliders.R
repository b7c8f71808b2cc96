# Which rule for colliders exact_pc() uses unless told otherwise. Run it with
#   Rscript bench/colliders.R          96 fresh random networks and the seven bundled ones
#   Rscript bench/colliders.R tiny     a few of each, to see that it runs
# The rules see the same rows, so that their skeletons are the same and differences are of
# directions only; each is compared with "sepset" on the same data sets.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))

tiny <- "tiny" %in% commandArgs(TRUE)
rules <- c("sepset", "max-p", "conservative")

# Shapes, sizes and strengths of every kind; 1,000 to 100,000 rows.
fresh_design <- function(networks, seed) {
  set.seed(seed)
  data.frame(
    nodes = sample(6:25, networks, replace = TRUE),
    max_levels = sample(2:4, networks, replace = TRUE),
    density = stats::runif(networks, 0.8, 2),
    skew = exp(stats::runif(networks, log(0.5), log(3))),
    strength = stats::runif(networks, 0.4, 1),
    shape = sample(c("free", "chain", "hub"), networks, replace = TRUE),
    rows = round(10^stats::runif(networks, 3, 5)),
    alpha = sample(c(0.01, 0.05), networks, replace = TRUE)
  )
}

score_rules <- function(data, truth, alpha) {
  do.call(rbind, lapply(rules, function(rule) {
    seconds <- system.time(gcFirst = FALSE, fit <- suppressMessages(exact_pc(
      data, alpha = alpha, max_order = 3, colliders = rule, threads = 1, progress = FALSE
    )))[["elapsed"]]
    compared <- compare_graphs(fit, truth)
    data.frame(
      rule = rule, skeleton_f1 = compared$f1[[1L]], cpdag_f1 = compared$f1[[2L]],
      shd = compared$shd[[2L]], seconds = seconds
    )
  }))
}

# Means, and the mean difference to "sepset" with its standard error.
paired <- function(results, what) {
  against <- results[results$rule == "sepset", ]
  rows <- lapply(rules, function(rule) {
    own <- results[results$rule == rule, ]
    gain <- own$cpdag_f1 - against$cpdag_f1
    fewer <- against$shd - own$shd
    error <- function(x) stats::sd(x) / sqrt(length(x))
    data.frame(
      data = what, rule = rule, runs = nrow(own), skeleton_f1 = mean(own$skeleton_f1),
      cpdag_f1 = mean(own$cpdag_f1), gain = mean(gain), se = error(gain), shd = mean(own$shd),
      fewer = mean(fewer), se_fewer = error(fewer), ms = 1000 * mean(own$seconds)
    )
  })
  do.call(rbind, rows)
}

shown <- function(table) print(table, row.names = FALSE, digits = 2)

design <- fresh_design(if (tiny) 4L else 96L, seed = 2026)
random <- do.call(rbind, lapply(seq_len(nrow(design)), function(i) {
  case <- random_case(design[i, ])
  data.frame(rows = design$rows[[i]], score_rules(case$data, case$truth, design$alpha[[i]]))
}))
sizes <- cut(random$rows, c(0, 5000, 25000, Inf), c("up to 5,000", "to 25,000", "to 100,000"))
cat("Random networks\n")
shown(rbind(
  paired(random, "all"),
  do.call(rbind, lapply(split(random, sizes, drop = TRUE), function(part) {
    paired(part, as.character(cut(part$rows[[1L]], c(0, 5000, 25000, Inf), levels(sizes))))
  }))
))

runs <- if (tiny) 2L else 20L
bundled <- do.call(rbind, lapply(networks()$name, function(name) {
  truth <- network(name)
  do.call(rbind, lapply(if (tiny) 1e4 else c(1e4, 1e5), function(rows) {
    results <- do.call(rbind, lapply(seq_len(runs), function(run) {
      score_rules(simulate(truth, nsim = rows, seed = 7000 + run), truth, 0.01)
    }))
    paired(results, paste(name, format(rows, big.mark = ",", scientific = FALSE)))
  }))
}))
cat("\nBundled networks\n")
shown(bundled)
