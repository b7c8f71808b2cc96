# How the budget of a search by score is best divided, on the same rows. Usage:
#   Rscript bench/plans.R [networks [data sets]]
# Random networks of 6 to 40 variables (bench/random_networks.R), epsilon 1, delta 1e-6. The plans are
# those of guided_shares() (learners/score_plan.hpp): all pairs, rounds of pairs in question, triples.
# Which one is used depends on the effective rows; here each is tried at each size. Prints mean F1 of
# skeleton and CPDAG, and how they differ from the first plan, with standard errors over networks.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
source(file.path(here, "other_plans.R"))
options(privpc.advice = FALSE)

asked <- as.integer(commandArgs(TRUE))
networks <- if (length(asked) > 0L) asked[[1L]] else 30L
sets <- if (length(asked) > 1L) asked[[2L]] else 3L
plans <- list(
  `40, 30, 30` = c(0.4, 0.3, 0.3, 0), `40, 30, 15, triples 15` = c(0.4, 0.3, 0.15, 0.15),
  `50, 33, triples 17` = c(0.5, 0.33, 0.17)
)

design <- calibration_design(networks, 61L)
design$nodes <- pmin(pmax(design$nodes, 6), 40)
results <- do.call(rbind, lapply(seq_len(networks), function(i) {
  do.call(rbind, lapply(c(2000, 10000, 30000, 100000), function(rows) {
    do.call(rbind, lapply(seq_len(sets), function(set) {
      set.seed(1000 * i + set)
      shape <- design[i, ]
      shape$rows <- rows
      case <- with_other_names(random_case(shape))
      do.call(rbind, lapply(names(plans), function(plan) {
        fit <- marginal_pc_with(
          case$data, 1, delta = 1e-6, search = "score",
          stages = list(guided_shares = plans[[plan]]), select = FALSE
        )
        scores <- compare_graphs(fit, case$truth)
        data.frame(network = i, rows = rows, plan = plan, skeleton = scores$f1[[1L]],
                   cpdag = scores$f1[[2L]])
      }))
    }))
  }))
}))
of_network <- stats::aggregate(cbind(skeleton, cpdag) ~ network + rows + plan, results, mean)
first <- of_network[of_network$plan == names(plans)[[1L]], ]
shown <- do.call(rbind, lapply(split(of_network, list(of_network$plan, of_network$rows)), function(part) {
  against <- first[first$rows == part$rows[[1L]], ]
  against <- against[match(part$network, against$network), ]
  error <- function(x) stats::sd(x) / sqrt(length(x))
  data.frame(
    rows = part$rows[[1L]], plan = part$plan[[1L]], skeleton = mean(part$skeleton),
    cpdag = mean(part$cpdag), more_skeleton = mean(part$skeleton - against$skeleton),
    se = error(part$skeleton - against$skeleton), more_cpdag = mean(part$cpdag - against$cpdag),
    se_cpdag = error(part$cpdag - against$cpdag)
  )
}))
print(shown, row.names = FALSE, digits = 2)
