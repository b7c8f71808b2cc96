# How good is marginal_pc() on cohorts of thousands, and how much of it is the search? Run it with
#   Rscript bench/cohorts.R
# The bundled networks, fresh rows for every data set, the same for both searches, and for the search
# by score under the weaker promise of others (add-remove neighbours). Writes
# inst/extdata/evaluation/cohorts.rds, from which the vignette `paper` takes its figures; with `tiny`
# a few cases are tried and written to build/ only. What others get on rows of the same networks stands
# beside it in detour.csv, recorded on 2026-11-16: 8 data sets each, epsilon 1, delta 1e-6. AIM + tabu is
# private synthetic records by the AIM mechanism, then bnlearn's tabu() with BIC on these; AIM promises less
# for the same epsilon: that a record was added or removed, not replaced. tabu is on the records themselves,
# not private.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
tiny <- "tiny" %in% commandArgs(TRUE)
target <- file.path(
  here, "..", if (tiny) "build/cohorts.rds" else "inst/extdata/evaluation/cohorts.rds"
)

design <- data.frame(
  rows = c(2000, 10000, 10000, 30000, 100000, 1000000), epsilon = c(1, 0.3, 1, 1, 1, 1),
  runs = c(20, 20, 40, 20, 20, 5)
)
if (tiny) design <- within(design[c(1, 3), ], runs <- 2)

ways <- list(
  tests = list(search = "tests"), score = list(search = "score"),
  `score, add-remove` = list(search = "score", neighbours = "add-remove")
)

one_network <- function(name, rows, epsilon, runs) {
  truth <- network(name)
  results <- lapply(seq_len(runs), function(run) {
    data <- simulate(truth, nsim = rows, seed = 70000 + run)
    do.call(rbind, lapply(names(ways), function(way) {
      fit <- suppressWarnings(suppressMessages(do.call(marginal_pc, c(
        list(data, epsilon, delta = 1e-6, threads = 1, progress = FALSE), ways[[way]]
      ))))
      scores <- compare_graphs(fit, truth)
      data.frame(
        network = name, rows = rows, epsilon = epsilon, run = run, search = way,
        skeleton_f1 = scores$f1[[1L]], cpdag_f1 = scores$f1[[2L]], shd = scores$shd[[2L]]
      )
    }))
  })
  do.call(rbind, results)
}

results <- do.call(rbind, lapply(seq_len(nrow(design)), function(i) {
  case <- design[i, ]
  found <- do.call(rbind, lapply(networks()$name, one_network, case$rows, case$epsilon, case$runs))
  means <- stats::aggregate(cbind(skeleton_f1, cpdag_f1, shd) ~ network + search, found, mean)
  cat("\n", case$rows, " rows, epsilon ", case$epsilon, "\n", sep = "")
  print(means, row.names = FALSE, digits = 3)
  print(stats::aggregate(cbind(skeleton_f1, cpdag_f1) ~ search, means, mean), digits = 3)
  found
}))
dir.create(dirname(target), recursive = TRUE, showWarnings = FALSE)
saveRDS(
  list(
    results = results, delta = 1e-6, date = Sys.Date(),
    version = as.character(packageVersion("privpc"))
  ),
  target, compress = "xz", version = 3
)
