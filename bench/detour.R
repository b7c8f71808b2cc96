# The detour that one can take instead: private synthetic records by another program, then bnlearn's
# tabu() with BIC on these. Beside it: marginal_pc(), and tabu() and pc.stable() on the records
# themselves, which are not private. The same rows for all.
#   PRIVPC_SYNTHESIZER='python aim.py --dataset {csv} --domain {domain} --epsilon {epsilon} \
#     --delta {delta} --save {out}' Rscript bench/detour.R ["network|network" [rows [data sets]]]
# In the command {csv} is a table of whole numbers from 0, {domain} a JSON file with the number of
# levels of every column, and {out} the table that it writes; programs such as those of AIM and MST
# (McKenna and others) take these. Without a command the detour is left out:
# inst/extdata/evaluation/detour.csv has figures that were recorded. The program promises what its own authors say (most often added and
# removed records, a weaker promise than ours for the same epsilon).

suppressPackageStartupMessages(library(privpc))
if (!requireNamespace("bnlearn", quietly = TRUE)) stop("This needs the package bnlearn.")
asked <- commandArgs(TRUE)
chosen <- if (length(asked) > 0L) strsplit(asked[[1L]], "|", fixed = TRUE)[[1L]] else networks()$name
rows <- if (length(asked) > 1L) as.numeric(asked[[2L]]) else 10000
sets <- if (length(asked) > 2L) as.integer(asked[[3L]]) else 8L
command <- Sys.getenv("PRIVPC_SYNTHESIZER")
epsilon <- 1
delta <- 1e-6

synthetic <- function(data) {
  files <- c(csv = tempfile(fileext = ".csv"), domain = tempfile(fileext = ".json"),
             out = tempfile(fileext = ".csv"))
  on.exit(unlink(files))
  codes <- as.data.frame(lapply(data, function(column) as.integer(column) - 1L))
  utils::write.csv(codes, files[["csv"]], row.names = FALSE, quote = FALSE)
  counts <- vapply(data, nlevels, 0L)
  domain <- paste0('"', names(data), '": ', counts, collapse = ", ")
  writeLines(paste0("{", domain, "}"), files[["domain"]])
  filled <- command
  values <- c(lapply(files, shQuote), list(epsilon = format(epsilon), delta = format(delta)))
  for (name in names(values)) {
    filled <- gsub(paste0("{", name, "}"), values[[name]], filled, fixed = TRUE)
  }
  if (system(filled, ignore.stdout = TRUE) != 0L || !file.exists(files[["out"]])) {
    stop("The command failed: ", filled)
  }
  made <- utils::read.csv(files[["out"]])[names(data)]
  # Levels that the program never drew are levels still.
  as.data.frame(Map(function(code, column) {
    factor(levels(column)[code + 1L], levels = levels(column))
  }, made, data))
}

ways <- list(
  `marginal_pc()` = function(data) {
    suppressWarnings(suppressMessages(
      marginal_pc(data, epsilon, delta = delta, threads = 1, progress = FALSE)
    ))
  },
  `synthetic + tabu` = if (nzchar(command)) function(data) {
    bnlearn::cpdag(bnlearn::tabu(synthetic(data)))
  },
  `tabu, not private` = function(data) bnlearn::cpdag(bnlearn::tabu(data)),
  `pc.stable, not private` = function(data) bnlearn::pc.stable(data, undirected = FALSE)
)
ways <- Filter(Negate(is.null), ways)

results <- do.call(rbind, lapply(chosen, function(name) {
  truth <- network(name)
  do.call(rbind, lapply(seq_len(sets), function(set) {
    data <- simulate(truth, nsim = rows, seed = 90000 + set)
    do.call(rbind, lapply(names(ways), function(way) {
      started <- proc.time()[["elapsed"]]
      found <- suppressWarnings(ways[[way]](data))
      seconds <- proc.time()[["elapsed"]] - started
      amat <- if (inherits(found, "bn")) bnlearn::amat(found) else as.matrix(found)
      scores <- compare_graphs(amat, truth)
      data.frame(
        network = name, way = way, skeleton = scores$f1[[1L]], cpdag = scores$f1[[2L]],
        shd = scores$shd[[2L]], seconds = seconds
      )
    }))
  }))
}))
cat(rows, "rows,", sets, "data sets, epsilon", epsilon, "delta", delta, "\n")
if (nzchar(command)) cat("synthetic records by:", command, "\n")
shown <- stats::aggregate(cbind(skeleton, cpdag, shd, seconds) ~ way + network, results, mean)
print(shown[c("network", "way", "skeleton", "cpdag", "shd", "seconds")], digits = 3, row.names = FALSE)
