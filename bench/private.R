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
    peer <- cpu_time(function() {
      bnlearn::pc.stable(plain, test = "mi", alpha = 0.01, max.sx = 3, undirected = TRUE)
    }, rounds = 3)
    row <- lapply(names(private_learners()), function(learner) {
      learn <- function(data) {
        private_learners()[[learner]](data, epsilon = epsilon, threads = 1, progress = FALSE)
      }
      ours <- cpu_time(function() suppressMessages(learn(data)))
      data.frame(
        network = name, learner = learner, ms = ours, `times bnlearn` = peer / ours,
        `skeleton F1` = skeleton_f1(learn, truth, rows, runs), check.names = FALSE
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
