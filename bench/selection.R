# What selecting pairs before they are measured gains, and where it does harm, on the same rows. Usage:
#   Rscript bench/selection.R [networks [data sets]]
# Random networks of 25 to 40 and of 50 to 75 variables (bench/random_networks.R), alarm, and chains in
# which every variable is that before it, but for 5 %; epsilon 1, delta 1e-6. The rule
# (learners/selection_plan.hpp) is not asked: `by_rule` is the share of fits in which it would select.
# Prints F1, skeleton and CPDAG, with the standard errors of the differences; nothing is written.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
source(file.path(here, "other_plans.R"))
options(privpc.advice = FALSE)

asked <- as.integer(commandArgs(TRUE))
networks <- if (length(asked) > 0L) asked[[1L]] else 12L
sets <- if (length(asked) > 1L) asked[[2L]] else 3L

compare <- function(case, what, rows) {
  fit <- function(select) {
    marginal_pc_with(case$data, 1, delta = 1e-6, search = "score", select = select)
  }
  all <- compare_graphs(fit(FALSE), case$truth)$f1
  selected <- compare_graphs(fit(TRUE), case$truth)$f1
  data.frame(
    what = what, rows = rows, by_rule = isTRUE(fit(NULL)$settings$selects),
    all_skeleton = all[[1L]], selected_skeleton = selected[[1L]],
    all_cpdag = all[[2L]], selected_cpdag = selected[[2L]]
  )
}

random_of <- function(i, variables, rows) {
  design <- calibration_design(1L, 4000L + i)
  design$nodes <- round(variables[[1L]] + diff(variables) * (i %% 7) / 6)
  design$rows <- rows
  with_other_names(random_case(design))
}

chain_of <- function(variables, rows) {
  columns <- list(stats::rbinom(rows, 1L, 0.5))
  for (v in seq_len(variables)[-1L]) {
    columns[[v]] <- abs(columns[[v - 1L]] - stats::rbinom(rows, 1L, 0.05))
  }
  nodes <- sprintf("v%02d", seq_len(variables))
  truth <- matrix(0L, variables, variables, dimnames = list(nodes, nodes))
  truth[cbind(nodes[-variables], nodes[-1L])] <- 1L
  data <- as.data.frame(stats::setNames(lapply(columns, factor, levels = 0:1), nodes))
  with_other_names(list(data = data, truth = truth))
}

results <- list()
add <- function(...) results[[length(results) + 1L]] <<- compare(...)
for (rows in c(10000, 30000)) {
  for (set in seq_len(sets)) {
    set.seed(set)
    for (i in seq_len(networks)) {
      add(random_of(i, c(25, 40), rows), "random, 25 to 40", rows)
      add(random_of(i, c(50, 75), rows), "random, 50 to 75", rows)
    }
    for (i in 1:3) {
      alarm <- simulate(network("alarm"), nsim = rows, seed = 700 + 10 * set + i)
      add(list(data = alarm, truth = network("alarm")), "alarm", rows)
      add(chain_of(30, rows), "chain of 30", rows)
      add(chain_of(60, rows), "chain of 60", rows)
    }
  }
}
results <- do.call(rbind, results)
shown <- do.call(rbind, lapply(split(results, list(results$what, results$rows)), function(part) {
  error <- function(x) stats::sd(x) / sqrt(length(x))
  data.frame(
    what = part$what[[1L]], rows = part$rows[[1L]], fits = nrow(part), t(colMeans(part[-(1:2)])),
    se_skeleton = error(part$selected_skeleton - part$all_skeleton),
    se_cpdag = error(part$selected_cpdag - part$all_cpdag)
  )
}))
print(shown, row.names = FALSE, digits = 2)
