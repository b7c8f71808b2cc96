# Run time is not protected. How much does it tell? Each learner is timed in turn on data of the
# same shape: a data set, its neighbour, and very different ones (helper-same_shape.R).

# Time of the processor, so that what else the machine does does not count; several fits together,
# because R tells it in milliseconds.
fits_together <- 3L

timed <- function(run, data, rounds) {
  took <- function(x) {
    gc(FALSE)
    before <- sum(proc.time()[1:2])
    for (i in seq_len(fits_together)) quietly(run(x))
    (sum(proc.time()[1:2]) - before) * 1000 / fits_together
  }
  quietly(run(data[[1L]]))
  # In turn, so that what else the machine does falls on all alike.
  vapply(seq_len(rounds), function(i) vapply(data, took, 0), numeric(length(data)))
}

timed_learners <- function() {
  options <- list(threads = 1, progress = FALSE)
  with_options <- function(learner, ...) {
    function(data) do.call(learner, c(list(data), list(...), options))
  }
  list(
    `marginal_pc, epsilon 1` = with_options(marginal_pc, 1, 1e-6),
    `marginal_pc by tests, epsilon 1` = with_options(marginal_pc, 1, 1e-6, search = "tests"),
    `priv_pc, epsilon 1` = with_options(priv_pc, 1, 1e-6),
    `svt_pc, epsilon 1` = with_options(svt_pc, 1, 1e-6),
    `em_pc, epsilon 1` = with_options(em_pc, 1, 1e-6),
    `sg_pc, epsilon 1` = with_options(sg_pc, 1, 1e-6),
    `private_test, epsilon 1` = function(data) {
      private_test(data, names(data)[[1L]], names(data)[[2L]], test = "tau", epsilon = 1, delta = 0)
    }
  )
}

try_time <- function(share) {
  n <- 20000
  asia <- simulate(network("asia"), nsim = n, seed = 1)
  shuffled <- asia
  shuffled[] <- lapply(asia, function(x) with_seed(1, sample(x)))
  constant <- asia
  constant[] <- lapply(asia, function(x) factor(rep(levels(x)[[1L]], n), levels = levels(x)))
  data <- list(
    asia = asia, neighbour = person_pair(asia, "rare")[[2L]], independent = shuffled,
    constant = constant
  )
  learners <- timed_learners()
  rows <- lapply(names(learners), function(name) {
    times <- timed(learners[[name]], data, max(5, ceiling(60 * share)))
    middle <- apply(times, 1L, stats::median)
    cat(sprintf("%-35s %s ms\n", name, toString(signif(middle, 3))))
    # How well do they tell data sets apart? The share of pairs of runs in the right order.
    apart <- function(other) {
      larger <- mean(outer(times["asia", ], times[other, ], ">")) +
        mean(outer(times["asia", ], times[other, ], "==")) / 2
      sprintf("%.2f", max(larger, 1 - larger))
    }
    data.frame(
      learner = name, runs = ncol(times), asia = signif(middle[["asia"]], 3),
      `its neighbour` = signif(middle[["neighbour"]], 3),
      `independent columns` = signif(middle[["independent"]], 3),
      `constant columns` = signif(middle[["constant"]], 3),
      `told from its neighbour` = apart("neighbour"), `from independent` = apart("independent"),
      `from constant` = apart("constant"), check.names = FALSE
    )
  })
  list(table = do.call(rbind, rows), records = n, wrong = 0)
}
