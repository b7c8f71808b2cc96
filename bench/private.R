# The private learners: time as a ratio to bnlearn's non-private pc.stable on the same rows, and
# accuracy at epsilon = 1; and what sub-sampling does to both.

private_learners <- function() {
  all <- list(priv_pc = priv_pc, em_pc = em_pc, svt_pc = svt_pc, sg_pc = sg_pc)
  if (exists("marginal_pc")) all$marginal_pc <- get("marginal_pc")
  all
}

skeleton_f1 <- function(learn, truth, rows, runs) {
  mean(vapply(seq_len(runs), function(i) {
    data <- simulate(truth, nsim = rows, seed = 1000 + i)
    compare_graphs(suppressMessages(learn(data)), truth)$f1[[1L]]
  }, 0))
}

measure_private <- function(rows, runs = 20, epsilon = 1) {
  results <- lapply(networks()$name, function(name) {
    truth <- network(name)
    data <- simulate(truth, nsim = rows, seed = 1)
    plain <- data
    plain[] <- lapply(data, function(x) factor(as.character(x), levels = levels(x)))
    learners <- lapply(private_learners(), function(learner) {
      function(data) learner(data, epsilon = epsilon, threads = 1, progress = FALSE)
    })
    timed <- lapply(learners, function(learn) function() suppressMessages(learn(data)))
    timed$peer <- function() bnlearn_graph(plain, "mi", 0.01, 3)
    times <- cpu_times(timed, rounds = if (length(data) > 15) 3 else 5)
    row <- lapply(names(learners), function(learner) {
      data.frame(
        network = name, learner = learner, ms = stats::median(times[, learner]),
        `times bnlearn` = times_as_long(times, learner)[["peer"]],
        `skeleton F1` = skeleton_f1(learners[[learner]], truth, rows, runs), check.names = FALSE
      )
    })
    cat(" ", name, "done\n")
    do.call(rbind, row)
  })
  do.call(rbind, results)
}

measure_subsampling <- function(rows, runs = 20, epsilon = 1) {
  shares <- c(1, 0.5, 0.2, 0.05)
  results <- lapply(c("earthquake", "cancer", "asia", "survey"), function(name) {
    truth <- network(name)
    data <- simulate(truth, nsim = rows, seed = 1)
    rows_of <- lapply(shares, function(share) {
      learn <- function(data) {
        priv_pc(data, epsilon = epsilon, subsample = share, threads = 1, progress = FALSE)
      }
      data.frame(
        network = name, `share of rows` = share,
        ms = cpu_time(function() suppressMessages(learn(data)), rounds = 3),
        `skeleton F1` = skeleton_f1(learn, truth, rows, runs), check.names = FALSE
      )
    })
    do.call(rbind, rows_of)
  })
  do.call(rbind, results)
}
