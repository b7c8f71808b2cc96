# What selecting pairs before they are measured gains, on the same rows. Usage:
#   Rscript bench/selection.R [networks [data sets]]
# Random networks of 50 to 65 and of 66 to 80 variables (bench/random_networks.R), epsilon 1 and
# delta 1e-6. Cases in which the rule on public numbers would not select are left out. Prints a table
# of F1, skeleton and CPDAG; nothing is written. (With 25 to 40 variables skeletons gained 0.01 and
# directions nothing: the rule does not select there.)

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))

asked <- as.integer(commandArgs(TRUE))
networks <- if (length(asked) > 0L) asked[[1L]] else 12L
sets <- if (length(asked) > 1L) asked[[2L]] else 3L

fit <- function(data, select) {
  usual <- formals(marginal_pc)
  usual <- lapply(usual[setdiff(names(usual), c("data", "epsilon", "..."))], eval)
  args <- utils::modifyList(usual, list(
    data = data, epsilon = 1, delta = 1e-6, search = "score", threads = 1, progress = FALSE
  ), keep.null = TRUE)
  suppressWarnings(suppressMessages(privpc:::learn_from_marginals(
    args, environment(), quote(marginal_pc(data, epsilon)), select = select
  )))
}

compare <- function(data, truth, what, rows) {
  selected <- fit(data, TRUE)
  if (!isTRUE(selected$settings$selects)) return(NULL)
  scores <- lapply(list(all = fit(data, FALSE), selected = selected), compare_graphs, truth)
  data.frame(
    what = what, rows = rows,
    all_skeleton = scores$all$f1[[1L]], selected_skeleton = scores$selected$f1[[1L]],
    all_cpdag = scores$all$f1[[2L]], selected_cpdag = scores$selected$f1[[2L]]
  )
}

random_of <- function(i, variables, rows) {
  design <- calibration_design(1L, 4000L + i)
  design$nodes <- round(variables[[1L]] + diff(variables) * (i %% 7) / 6)
  design$rows <- rows
  case <- random_case(design)
  # Causes come first in these networks; their names must not tell.
  names <- sample(names(case$data))
  names(case$data) <- names
  dimnames(case$truth) <- list(names, names)
  case
}

results <- list()
for (rows in c(5000, 10000, 30000)) {
  for (i in seq_len(networks)) {
    for (variables in list(c(50, 65), c(66, 80))) {
      for (set in seq_len(sets)) {
        set.seed(100 * i + set)
        case <- random_of(i, variables, rows)
        what <- paste(variables, collapse = " to ")
        results[[length(results) + 1L]] <- compare(case$data, case$truth, what, rows)
      }
    }
  }
}
results <- do.call(rbind, results)
columns <- c("all_skeleton", "selected_skeleton", "all_cpdag", "selected_cpdag")
groups <- split(results, list(results$what, results$rows), drop = TRUE)
shown <- do.call(rbind, lapply(groups, function(part) {
  gain <- part$selected_skeleton - part$all_skeleton
  directed <- part$selected_cpdag - part$all_cpdag
  data.frame(
    variables = part$what[[1L]], rows = part$rows[[1L]], fits = nrow(part),
    round(t(colMeans(part[columns])), 3L),
    se_skeleton = round(stats::sd(gain) / sqrt(nrow(part)), 3L),
    se_cpdag = round(stats::sd(directed) / sqrt(nrow(part)), 3L)
  )
}))
print(shown, row.names = FALSE)
