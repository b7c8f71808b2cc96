# How near are records of as_network() to those of the people? Mean total variation over all pairs of
# variables between a cohort of 10,000 and
#   - records of the network that marginal_pc() and as_network() make of it, balanced and independent,
#   - a second cohort, drawn from the same truth: what chance alone does.
# The noise is of epsilon 1; prints a table.
#   Rscript bench/records.R [cohorts]

suppressMessages(library(privpc))
options(privpc.advice = FALSE)
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
cohorts <- if (length(arguments)) arguments[[1L]] else 10L
rows <- 10000L

# Shares of all pairs of levels.
shares_of_pairs <- function(data) {
  codes <- lapply(data, function(column) {
    out <- matrix(0, length(column), nlevels(column))
    out[cbind(seq_along(column), as.integer(column))] <- 1
    out
  })
  list(
    share = crossprod(do.call(cbind, codes)) / nrow(data),
    of = rep(seq_along(data), vapply(data, nlevels, 0L))
  )
}

mean_distance <- function(a, b) {
  apart <- abs(a$share - b$share) / 2
  by_pair <- rowsum(t(rowsum(apart, a$of)), a$of)
  mean(by_pair[upper.tri(by_pair)])
}

quietly <- function(code) suppressWarnings(suppressMessages(code))

one_cohort <- function(name, parameters, seed) {
  truth <- network(name)
  cohort <- simulate(truth, rows, seed = seed)
  here <- shares_of_pairs(cohort)
  fit <- quietly(marginal_pc(cohort, epsilon = 1, parameters = parameters, seed = seed))
  took <- system.time(net <- quietly(as_network(fit)))[["elapsed"]]
  off <- function(data) mean_distance(here, shares_of_pairs(data[names(cohort)]))
  c(
    balanced = off(quietly(simulate(net, rows, seed = seed, balanced = TRUE))),
    independent = off(quietly(simulate(net, rows, seed = seed))),
    second_cohort = off(simulate(truth, rows, seed = 100000L + seed)),
    seconds = took
  )
}

for (name in c("asia", "survey", "sachs", "child", "alarm")) {
  for (parameters in c(FALSE, TRUE)) {
    found <- t(vapply(seq_len(cohorts), function(seed) one_cohort(name, parameters, seed), numeric(4L)))
    row <- data.frame(network = name, parameters, t(signif(colMeans(found), 2)))
    print(row, row.names = FALSE)
  }
}
