# How good is marginal_pc() on cohorts of thousands, and how much of it is the search? Run it with
#   Rscript bench/cohorts.R
# The bundled networks, fresh rows for every data set, the same for both searches, and for the search
# by score under the weaker promise of others (add-remove neighbours). Writes
# inst/extdata/evaluation/cohorts.rds, from which README and the vignette `paper` take their
# figures; with `tiny` a few cases are tried and written to build/ only.

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

# ---- the table of README --------------------------------------------------------------------------

# What others get on rows of the same networks, 10,000 and 100,000 of them, epsilon 1, delta 1e-6:
# recorded on 2026-11-16 (8 data sets each). AIM + tabu: private synthetic records by the AIM
# mechanism, then bnlearn's tabu() with BIC on these. AIM promises less for the same epsilon: that a
# record was added or removed, not replaced. tabu: on the records themselves, not private.
recorded <- list(
  `AIM + tabu (add-remove)` = list(
    `10000` = c(
      asia = ".72 / .48", survey = ".94 / .00", sachs = ".93 / .93", child = ".91 / .70",
      alarm = ".59 / .26"
    ),
    `1e+05` = c(asia = ".96 / .84", sachs = ".97 / .97", child = ".94 / .67")
  ),
  `tabu, not private` = list(`10000` = c(
    earthquake = "1 / 1", cancer = "1 / 1", asia = ".97 / .97", survey = ".94 / .82",
    sachs = "1 / 1", child = "1 / 1", alarm = ".89 / .62"
  ))
)

readme_table <- function(results) {
  names <- c("earthquake", "cancer", "asia", "survey", "sachs", "child", "alarm")
  at <- results[results$epsilon == 1 & results$rows %in% c(1e4, 1e5), ]
  means <- stats::aggregate(
    cbind(skeleton_f1, cpdag_f1) ~ network + search + rows, at, mean
  )
  two <- function(x) sub("^0", "", formatC(x, digits = 2, format = "f"))
  line <- function(what, rows, cells) {
    paste0("| ", paste(c(what, format(rows, big.mark = ",", scientific = FALSE), cells),
                       collapse = " | "), " |")
  }
  own <- function(search, rows) {
    part <- means[means$search == search & means$rows == rows, ]
    part <- part[match(names, part$network), ]
    arguments <- vapply(ways[[search]], dQuote, "", q = FALSE)
    if ("neighbours" %in% names(arguments)) arguments <- arguments["neighbours"]
    call <- paste0("`marginal_pc(", paste(names(arguments), "=", arguments, collapse = ", "), ")`")
    line(
      call, rows,
      paste(two(part$skeleton_f1), "/", two(part$cpdag_f1))
    )
  }
  other <- function(who, rows) {
    cells <- recorded[[who]][[format(rows)]]
    if (is.null(cells)) return(NULL)
    cells <- cells[names]
    line(who, rows, ifelse(is.na(cells), "", cells))
  }
  c(
    line("", "rows", names), paste0("|", strrep("---|", length(names) + 2L)),
    unlist(lapply(c(1e4, 1e5), function(rows) {
      c(own("score", rows), own("tests", rows), own("score, add-remove", rows),
        other("AIM + tabu (add-remove)", rows), other("tabu, not private", rows))
    }))
  )
}

writeLines(c("", readme_table(results)))
