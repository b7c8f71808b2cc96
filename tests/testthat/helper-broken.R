# Negative controls: mechanisms that claim epsilon and do not keep it. Each gives `n` outputs at
# once, draws from R's generator, and is here only to be caught by audit_privacy(). The broken
# sparse vectors are those that Lyu, Su and Li (2017), "Understanding the sparse vector technique
# for differential privacy", PVLDB 10(6), 637-648, found in the literature.

# Laplace noise as the difference of two exponentials. Good enough to audit, not to publish.
laplace_noise <- function(n, scale) scale * (stats::rexp(n) - stats::rexp(n))

# A statistic of sensitivity 1 with noise for sensitivity 1/2.
laplace_half_scale_not_private <- function(statistic, n, epsilon = 1) {
  statistic + laplace_noise(n, 0.5 / epsilon)
}

# `sigma` is what would be right.
gaussian_half_not_private <- function(statistic, n, sigma) {
  statistic + stats::rnorm(n, sd = sigma / 2)
}

# All variants of the sparse vector for queries of sensitivity 1 and threshold 0. One row per run,
# one column per query: 1 above, 0 below, NA after the run has stopped.
sparse_vector_runs <- function(answers, n, threshold_scale, query_scale, cutoff = 1) {
  threshold <- laplace_noise(n, threshold_scale)
  stopped <- logical(n)
  above_so_far <- numeric(n)
  outputs <- matrix(NA_real_, n, length(answers))
  values <- outputs
  for (query in seq_along(answers)) {
    values[, query] <- answers[query] + laplace_noise(n, query_scale)
    above <- values[, query] >= threshold
    outputs[!stopped, query] <- above[!stopped]
    above_so_far <- above_so_far + above
    stopped <- stopped | above_so_far >= cutoff
  }
  list(outputs = outputs, values = values)
}

# The threshold's noise alone does not hide which query is larger (their Algorithm 5).
svt_no_query_noise_not_private <- function(answers, n, epsilon = 1) {
  sparse_vector_runs(answers, n, 2 / epsilon, 0, cutoff = Inf)$outputs
}

# Noise for one positive answer, and any number of them (their Algorithm 6).
svt_never_stops_not_private <- function(answers, n, epsilon = 1) {
  sparse_vector_runs(answers, n, 2 / epsilon, 2 / epsilon, cutoff = Inf)$outputs
}

# The noisy answer that passed the threshold, NA for those that did not: it tells how low the
# threshold was, and so how much was below it (their Algorithm 3).
svt_outputs_values_not_private <- function(answers, n, epsilon = 1) {
  run <- sparse_vector_runs(answers, n, 2 / epsilon, 2 / epsilon)
  ifelse(!is.na(run$outputs) & run$outputs == 1, run$values, NA_real_)
}
