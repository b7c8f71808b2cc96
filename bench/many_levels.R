# How long the strengths of edges take: variables with many levels, and networks with few. The peer
# is bnlearn's bootstrap of the records, boot.strength() with pc.stable, which is not private. Both
# are timed per graph.

# Records of nine variables with 16 to 20 levels that depend on up to two others. `skew`: of the
# shares of the levels, as in bench/random_networks.R.
many_levels <- function(rows, skew, seed = 1) {
  set.seed(seed)
  levels <- sample(16:20, 9L, replace = TRUE)
  codes <- list()
  for (v in seq_along(levels)) {
    parents <- sample.int(v - 1L, min(v - 1L, sample(0:2, 1L, prob = c(0.15, 0.5, 0.35))))
    base <- dirichlet(levels[[v]], skew)
    stratum <- rep(0, rows)
    for (p in parents) stratum <- stratum * 20 + codes[[p]]
    code <- integer(rows)
    for (at in split(seq_len(rows), stratum)) {
      shares <- if (length(parents)) 0.1 * base + 0.9 * dirichlet(levels[[v]], 0.3) else base
      code[at] <- sample.int(levels[[v]], length(at), replace = TRUE, prob = shares)
    }
    codes[[v]] <- code
  }
  names(codes) <- paste0("v", seq_along(levels))
  as.data.frame(Map(function(code, k) factor(code, levels = seq_len(k)), codes, levels))
}

measure_strength <- function(rows, draws = 20) {
  sets <- list(
    `16 to 20 levels, even` = many_levels(rows, 20),
    `16 to 20 levels, skewed` = many_levels(rows, 0.5),
    sachs = simulate(network("sachs"), nsim = rows, seed = 1),
    alarm = simulate(network("alarm"), nsim = rows, seed = 1)
  )
  do.call(rbind, lapply(names(sets), function(name) {
    data <- sets[[name]]
    learn <- function() {
      suppressWarnings(suppressMessages(
        marginal_pc(data, epsilon = 1, delta = 1e-6, threads = 1, progress = FALSE)
      ))
    }
    set.seed(2)
    fit <- learn()
    times <- cpu_times(list(
      ours = function() edge_strength(fit, draws = draws, threads = 1, progress = FALSE),
      fit = learn,
      bnlearn = function() {
        bnlearn::boot.strength(
          data, R = 2, algorithm = "pc.stable",
          algorithm.args = list(test = "mi", alpha = 0.01, max.sx = 3)
        )
      }
    ), rounds = 3)
    graphs <- sweep(times, 2L, c(draws, 1, 2), `/`)
    data.frame(
      set = name, variables = ncol(data), `marginal_pc ms` = stats::median(graphs[, "fit"]),
      `ms per graph` = stats::median(graphs[, "ours"]),
      `bnlearn ms per graph` = stats::median(graphs[, "bnlearn"]),
      `times bnlearn` = times_as_long(graphs)[["bnlearn"]], check.names = FALSE
    )
  }))
}
