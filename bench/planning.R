# Does plan_study() predict what is found? For several numbers of records, variables and levels and
# values of epsilon: the effect that is to be found in 80 % of fits, and how often edges of just
# that effect are found,
#   - of pairs that depend on nothing else, which is what the prediction is about (`found`);
#   - of pairs with half and with one and a half times that effect (`half`, `more`);
#   - of the arcs of random networks in which every arc has that effect (`network`).
# Run it with
#   Rscript bench/planning.R [data sets for each line]
# The help page of plan_study() reports the table that it prints.

suppressPackageStartupMessages(library(privpc))
options(privpc.advice = FALSE)
data_sets <- if (length(commandArgs(TRUE))) as.numeric(commandArgs(TRUE)[[1L]]) else 100
set.seed(1)

# Variables of which one in two has a partner with the effect phi; levels have equal shares, or the
# first of two the share `prevalence`, of exposures and of outcomes. With more than two levels each
# level of a variable favours the same level of the other.
pairs_network <- function(variables, levels, phi, prevalence) {
  net <- random_network(variables, degree = 0, levels = levels, seed = 1)
  nodes <- net$nodes
  shares <- lapply(seq_along(nodes), function(i) {
    if (levels > 2) return(rep(1 / levels, levels))
    p <- prevalence[[2L - i %% 2L]]
    c(p, 1 - p)
  })
  for (i in seq_along(nodes)) net$probabilities[[i]][] <- shares[[i]]
  for (i in seq(1L, 2L * (variables %/% 4L), by = 2L)) {
    x <- shares[[i]]
    y <- shares[[i + 1L]]
    # With both levels of both: the covariance that phi asks for. With more levels, a share of phi
    # of those who have the same level in both.
    joint <- if (levels == 2) {
      outer(y, x) + phi * sqrt(prod(x) * prod(y)) * matrix(c(1, -1, -1, 1), 2L)
    } else {
      share <- phi / sqrt(levels - 1)
      (1 - share) * outer(y, x) + share * diag(levels) / levels
    }
    net$parents[[i + 1L]] <- nodes[[i]]
    net$probabilities[[i + 1L]] <- array(
      sweep(joint, 2L, x, `/`), c(levels, levels), net$levels[nodes[c(i + 1L, i)]]
    )
  }
  net
}

# Of the arcs of a network, how many are in the skeleton learnt from records of it.
share_found <- function(net, n, epsilon) {
  truth <- as.matrix(net) + t(as.matrix(net)) > 0
  fit <- marginal_pc(simulate(net, nsim = n), epsilon, threads = 1, progress = FALSE)
  mean(fit$skeleton[truth] > 0)
}

lines <- data.frame(
  n = c(2000, 2000, 8000, 8000, 8000, 30000, 30000, 200000, 8000, 8000, 30000, 30000, 8000),
  epsilon = c(1, 3, 0.3, 1, 3, 0.1, 1, 1, 1, 1, 1, 0.3, 1),
  variables = c(12, 12, 12, 12, 12, 12, 12, 12, 6, 30, 30, 12, 12),
  levels = c(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3),
  prevalence = 0.5
)
rare <- data.frame(
  n = c(8000, 30000, 30000), epsilon = c(1, 0.3, 1), variables = 12, levels = 2, prevalence = 0.1
)
lines <- rbind(lines, rare)

results <- do.call(rbind, lapply(seq_len(nrow(lines)), function(i) {
  line <- lines[i, ]
  shares <- c(if (line$prevalence == 0.5) 0.5 else 0.3, line$prevalence)
  plan <- plan_study(line$n, rep(line$levels, line$variables), line$epsilon, prevalence = shares)
  phi <- as.data.frame(plan)$effect
  found_at <- function(phi) {
    net <- pairs_network(line$variables, line$levels, phi, shares)
    mean(replicate(data_sets, share_found(net, line$n, line$epsilon)))
  }
  in_network <- replicate(data_sets, {
    net <- random_network(line$variables, 2, line$levels, phi, spread = 0)
    share_found(net, line$n, line$epsilon)
  })
  found <- data.frame(
    line, phi = phi, half = found_at(phi / 2), found = found_at(phi), more = found_at(1.5 * phi),
    network = if (line$prevalence == 0.5) mean(in_network) else NA
  )
  found
}))
print(results, row.names = FALSE, digits = 2)
cat("\nMean of `found`:", format(mean(results$found), digits = 2), "\n")
