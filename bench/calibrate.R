# How the defaults of marginal_pc(search = "tests") were set, and what they give. Run it with
#   Rscript bench/calibrate.R networks    random networks of many shapes, several settings
#   Rscript bench/calibrate.R empty       share of graphs with a false edge where there is no edge
#   Rscript bench/calibrate.R bundled     the bundled networks, beside exact_pc()
# Each writes its part of inst/extdata/evaluation/calibration.rds, from which the vignette
# `algorithms` takes its figures; with `tiny` as well, a few cases are tried and written to build/
# only. Settings are compared on random networks only.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
source(file.path(here, "other_plans.R"))

what <- commandArgs(TRUE)
tiny <- "tiny" %in% what
target <- file.path(
  here, "..",
  if (tiny) "build/calibration.rds" else "inst/extdata/evaluation/calibration.rds"
)

# Puts a part into the file and leaves the others. Scores need no more than four digits.
write_part <- function(name, results, ...) {
  all <- if (file.exists(target)) readRDS(target) else list()
  numeric <- vapply(results, is.double, NA)
  results[numeric] <- lapply(results[numeric], signif, 4)
  all[[name]] <- list(
    results = results, ..., date = Sys.Date(), version = as.character(packageVersion("privpc"))
  )
  dir.create(dirname(target), recursive = TRUE, showWarnings = FALSE)
  saveRDS(all, target, compress = "xz", version = 3)
  cat("Written:", basename(target), name, "\n")
}

scores <- function(fit, truth) {
  compared <- compare_graphs(fit, truth)
  data.frame(
    skeleton_f1 = compared$f1[[1L]], cpdag_f1 = compared$f1[[2L]], shd = compared$shd[[2L]]
  )
}

not_private <- function(data) {
  suppressMessages(exact_pc(data, alpha = 0.01, max_order = 3, threads = 1, progress = FALSE))
}

# Changes of what is measured (inst/include/privpc/learners/staged_chooser.hpp).
settings <- list(
  default = list(),
  `more for all pairs` = list(pairs_share = 0.6, again_share = 0.26),
  `less for all pairs` = list(pairs_share = 0.4, again_share = 0.4),
  `more for triples` = list(pairs_share = 0.4, again_share = 0.3),
  `sharper margins` = list(single_weight = 3),
  `fewer pairs again` = list(again_per_node = 1.5),
  `more pairs again` = list(again_per_node = 4),
  `no near misses` = list(near_p_value = 0),
  `fewer triples` = list(triple_noise = 0.04)
)

with_plan <- function(plan, data, epsilon) {
  marginal_pc_with(data, epsilon, search = "tests", stages = plan)
}

# One network after the other, so that only one is in memory.
compare_settings <- function(networks = if (tiny) 3 else 36, epsilons = c(0.1, 0.3, 1, 3),
                             seed = 42) {
  design <- calibration_design(networks, seed)
  if (tiny) design$rows <- pmin(design$rows, 1e4)
  results <- lapply(seq_len(networks), function(i) {
    case <- random_case(design[i, ])
    private <- lapply(names(settings), function(name) {
      rows <- lapply(epsilons, function(epsilon) {
        fit <- suppressMessages(with_plan(settings[[name]], case$data, epsilon))
        data.frame(setting = name, epsilon = epsilon, scores(fit, case$truth))
      })
      do.call(rbind, rows)
    })
    exact <- data.frame(
      setting = "not private", epsilon = Inf, scores(not_private(case$data), case$truth)
    )
    cat(sprintf(
      "%2d: %2d variables, %8.0f rows done %s\n", i, design$nodes[[i]], design$rows[[i]],
      format(Sys.time(), "%H:%M:%S")
    ))
    data.frame(network = i, do.call(rbind, c(private, list(exact))))
  })
  results <- do.call(rbind, results)
  write_part("networks", results, design = design)
  means <- stats::aggregate(cbind(skeleton_f1, cpdag_f1, shd) ~ setting + epsilon, results, mean)
  print(means[order(means$epsilon, -means$skeleton_f1), ], row.names = FALSE, digits = 3)
}

# Skewed and balanced margins, few and many levels, little and much noise. Every data set is used
# for all epsilons, so that these can be compared.
false_edges <- function(alpha = 0.05, epsilons = c(0.05, 0.3, 1, 10)) {
  cases <- expand.grid(
    rows = c(1000, 10000, 100000), nodes = c(5, 25, 80), levels = c(2, 5), skewed = c(FALSE, TRUE)
  )
  # The largest take too long.
  cases <- cases[!(cases$nodes == 80 & cases$rows == 100000), ]
  cases$runs <- ifelse(cases$nodes == 80, 100, ifelse(cases$rows == 100000, 200, 450))
  if (tiny) cases <- within(cases[cases$rows == 1000, ], runs <- 5)
  set.seed(7)
  results <- lapply(seq_len(nrow(cases)), function(i) {
    case <- cases[i, ]
    chance <- if (case$skewed) c(1, 0.02 * seq_len(case$levels)[-1L]) else rep(1, case$levels)
    wrong <- vapply(seq_len(case$runs), function(run) {
      names <- stats::setNames(nm = sprintf("v%02d", seq_len(case$nodes)))
      data <- as.data.frame(lapply(names, function(v) {
        codes <- sample.int(case$levels, case$rows, TRUE, chance)
        structure(codes, levels = as.character(seq_len(case$levels)), class = "factor")
      }))
      vapply(epsilons, function(epsilon) {
        fit <- suppressMessages(marginal_pc(
          data, epsilon, delta = 1e-6, search = "tests", alpha = alpha, least_effect = 0,
          threads = 1, progress = FALSE
        ))
        any(fit$skeleton == 1L)
      }, NA)
    }, logical(length(epsilons)))
    share <- rowMeans(wrong)
    cat(case$nodes, "variables,", case$levels, "levels,",
        if (case$skewed) "skewed," else "balanced,", case$rows, "rows: ",
        format(share, digits = 2), format(Sys.time(), "%H:%M:%S"), "\n")
    data.frame(case[rep(1L, length(epsilons)), ], epsilon = epsilons, false_edge = share)
  })
  results <- do.call(rbind, results)
  rownames(results) <- NULL
  write_part("empty", results, alpha = alpha)
}

bundled <- function(runs = if (tiny) 2 else 20, rows = if (tiny) 10000 else 100000,
                    epsilons = c(0.1, 0.3, 1, 3)) {
  results <- lapply(networks()$name, function(name) {
    truth <- network(name)
    # New rows for every run, none of them used to set anything.
    data <- lapply(seq_len(runs), function(run) simulate(truth, nsim = rows, seed = 10000 + run))
    scored <- function(learn) do.call(rbind, lapply(data, function(x) scores(learn(x), truth)))
    private <- lapply(epsilons, function(epsilon) {
      data.frame(network = name, epsilon = epsilon, scored(function(x) {
        suppressMessages(marginal_pc(x, epsilon, delta = 1e-6, threads = 1, progress = FALSE))
      }))
    })
    cat(name, "done\n")
    do.call(rbind, c(private, list(
      data.frame(network = name, epsilon = Inf, scored(not_private))
    )))
  })
  results <- do.call(rbind, results)
  means <- stats::aggregate(
    cbind(skeleton_f1, cpdag_f1, shd) ~ network + epsilon, results, mean
  )
  write_part("bundled", means, runs = runs, rows = rows)
  print(means, row.names = FALSE, digits = 3)
}

if ("networks" %in% what) compare_settings()
if ("empty" %in% what) false_edges()
if ("bundled" %in% what) bundled()
if (!any(c("networks", "empty", "bundled") %in% what)) {
  stop("say what to run: networks, empty or bundled")
}
