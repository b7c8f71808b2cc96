# Which search is better, on random networks of many shapes, and does either make edges out of
# nothing? Run it with
#   Rscript bench/search.R
# It writes inst/extdata/evaluation/search.rds, from which the vignette `algorithms` takes its
# figures; with `tiny` a few cases are tried and written to build/ only. None of these networks was
# used to set anything.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))

tiny <- "tiny" %in% commandArgs(TRUE)
target <- file.path(
  here, "..", if (tiny) "build/search.rds" else "inst/extdata/evaluation/search.rds"
)
searches <- c("tests", "score")

quiet_fit <- function(data, epsilon, search, ...) {
  suppressWarnings(suppressMessages(marginal_pc(
    data, epsilon, delta = 1e-6, search = search, threads = 1, progress = FALSE, ...
  )))
}

# The same rows for both searches.
compare_searches <- function(networks = if (tiny) 3 else 60, epsilon = 1, seed = 2026) {
  design <- calibration_design(networks, seed)
  design$nodes <- pmin(design$nodes, 40)
  rows <- if (tiny) c(2000, 10000) else c(2000, 10000, 30000, 100000)
  results <- lapply(seq_len(networks), function(i) {
    set.seed(seed + i)
    shape <- design[i, ]
    do.call(rbind, lapply(rows, function(n) {
      set.seed(seed + i)
      shape$rows <- n
      case <- with_other_names(random_case(shape))
      do.call(rbind, lapply(searches, function(search) {
        scores <- compare_graphs(quiet_fit(case$data, epsilon, search), case$truth)
        data.frame(
          network = i, rows = n, search = search, skeleton_f1 = scores$f1[[1L]],
          cpdag_f1 = scores$f1[[2L]], shd = scores$shd[[2L]]
        )
      }))
    }))
  })
  do.call(rbind, results)
}

# Shares of graphs with an edge where no variable depends on another.
false_edges <- function(runs = if (tiny) 5 else 200, epsilons = c(0.05, 0.3, 1, 10), seed = 7) {
  cases <- expand.grid(
    rows = c(1000, 10000), nodes = c(5, 25), levels = c(2, 5), skewed = c(FALSE, TRUE)
  )
  set.seed(seed)
  results <- lapply(seq_len(nrow(cases)), function(i) {
    case <- cases[i, ]
    chance <- if (case$skewed) c(1, 0.02 * seq_len(case$levels)[-1L]) else rep(1, case$levels)
    wrong <- vapply(seq_len(runs), function(run) {
      names <- stats::setNames(nm = sprintf("v%02d", seq_len(case$nodes)))
      data <- as.data.frame(lapply(names, function(v) {
        codes <- sample.int(case$levels, case$rows, TRUE, chance)
        structure(codes, levels = as.character(seq_len(case$levels)), class = "factor")
      }))
      vapply(epsilons, function(epsilon) {
        any(quiet_fit(data, epsilon, "score", least_effect = 0)$skeleton == 1L)
      }, NA)
    }, logical(length(epsilons)))
    data.frame(
      case[rep(1L, length(epsilons)), ], epsilon = epsilons, runs = runs,
      false_edge = rowMeans(wrong), row.names = NULL
    )
  })
  do.call(rbind, results)
}

compared <- compare_searches()
means <- stats::aggregate(cbind(skeleton_f1, cpdag_f1, shd) ~ search + rows, compared, mean)
print(means, row.names = FALSE, digits = 3)
empty <- false_edges()
cat("share of graphs with a false edge:", format(range(empty$false_edge)), "\n")
dir.create(dirname(target), recursive = TRUE, showWarnings = FALSE)
saveRDS(
  list(
    compared = compared, empty = empty, epsilon = 1, alpha = 0.05, date = Sys.Date(),
    version = as.character(packageVersion("privpc"))
  ),
  target, compress = "xz", version = 3
)
