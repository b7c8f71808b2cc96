# From which size of effects on does marginal_pc() speak of few rows? On random networks of many
# shapes: how good the skeleton is, and how alike two fits of the same records are, by the smallest
# effect that is found in 80 % of fits (learners/visible_effects.hpp), which is known beforehand. Run
# it with
#   Rscript bench/few_rows.R [networks]
# The thresholds `missed_effect` and `hidden_effect` (R/weak_promise.R) were chosen by the table that
# it prints.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
options(privpc.advice = FALSE)

networks <- if (length(commandArgs(TRUE))) as.numeric(commandArgs(TRUE)[[1L]]) else 300
set.seed(11)

try_network <- function(i) {
  design <- data.frame(
    nodes = sample(c(6, 10, 15, 25, 45, 70), 1L), max_levels = sample(c(2L, 2L, 3L, 4L), 1L),
    density = stats::runif(1L, 0.6, 2), skew = exp(stats::runif(1L, log(0.3), log(3))),
    strength = stats::runif(1L, 0.3, 1), shape = sample(c("free", "chain", "hub"), 1L),
    rows = round(exp(stats::runif(1L, log(700), log(40000))))
  )
  epsilon <- sample(c(0.3, 1, 3), 1L)
  case <- random_case(design)
  if (!any(case$truth == 1L)) return(NULL)
  fits <- replicate(2L, marginal_pc(
    case$data, epsilon, delta = 1e-6, threads = 1, progress = FALSE
  ), simplify = FALSE)
  first <- fits[[1L]]$skeleton
  second <- fits[[2L]]$skeleton
  data.frame(
    visible = privpc:::cpp_visible_effect(
      design$rows, vapply(case$data, nlevels, 0L), rho_from_dp(epsilon, 1e-6, gaussian = TRUE),
      0.05, FALSE
    ),
    f1 = compare_graphs(fits[[1L]], case$truth)$f1[[1L]],
    alike = 2 * sum(first & second) / max(1, sum(first) + sum(second)),
    empty = !any(first == 1L)
  )
}

results <- do.call(rbind, lapply(seq_len(networks), try_network))
results$visible_from <- cut(
  results$visible, c(0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5, Inf), dig.lab = 2
)
table <- stats::aggregate(cbind(f1, alike, empty) ~ visible_from, results, mean)
table$networks <- as.vector(table(results$visible_from)[as.character(table$visible_from)])
print(table, row.names = FALSE, digits = 2)
