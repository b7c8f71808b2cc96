# The paper's private learners, called alike.
paper_learners <- list(priv_pc = priv_pc, svt_pc = svt_pc, em_pc = em_pc, sg_pc = sg_pc)

# Mean skeleton F1 of seeded fits to simulated data: repeatable, so that a test cannot
# fail by chance.
mean_f1 <- function(learner, name, epsilon, runs, n = 1e5, ...) {
  truth <- network(name)
  mean(vapply(seq_len(runs), function(i) {
    data <- simulate(truth, nsim = n, seed = 1000 + i)
    fit <- suppressMessages(paper_learners[[learner]](data, epsilon = epsilon, seed = i, ...))
    compare_graphs(fit, truth)$f1[[1L]]
  }, 0))
}

# A small data frame with a strong edge a - b and a lone c.
small_cohort <- function(n = 2000) {
  a <- rep(0:1, length.out = n)
  b <- ifelse(seq_len(n) %% 10 == 0, 1 - a, a)
  c <- rep(c(0, 0, 1, 1), length.out = n)
  data.frame(a = factor(a), b = factor(b), c = factor(c))
}

# Combinations of all but the first variable that at least 500 records have.
margin_large <- function(counts) as.vector(apply(counts, seq_along(dim(counts))[-1], sum)) >= 500
