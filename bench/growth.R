# How time and memory grow: with the rows (ten thousand to ten million), the variables, their
# levels, and the size of the conditioning sets.

measure_growth <- function(rows, names = c("asia", "alarm")) {
  results <- lapply(names, function(name) {
    do.call(rbind, lapply(rows, function(n) {
      data <- simulate(network(name), nsim = n, seed = 1, threads = 2)
      run <- function() {
        suppressMessages(exact_pc(data, "g2", 0.01, max_order = 3, threads = 2, progress = FALSE))
      }
      cpu <- cpu_time(run, rounds = 3, at_least = 0.2)
      elapsed <- 1000 * min(replicate(3, system.time(run())[["elapsed"]]))
      rm(data)
      gc()
      set_up <- sprintf(
        "data <- simulate(network('%s'), nsim = %d, seed = 1, threads = 2); gc()", name, n
      )
      data.frame(
        network = name, rows = n, `CPU ms` = cpu, `elapsed ms` = elapsed,
        `data MB` = 4 * n * length(network(name)$nodes) / 2^20,
        `extra MB` = peak_memory(
          set_up, "fit <- suppressMessages(exact_pc(data, 'g2', 0.01, max_order = 3))"
        ),
        check.names = FALSE
      )
    }))
  })
  out <- do.call(rbind, results)
  out$rows <- format(out$rows, big.mark = ",", scientific = FALSE, trim = TRUE)
  out
}

# Data of a random network (bench/random_networks.R) with `levels` levels in every variable.
random_data <- function(nodes, levels, rows) {
  set.seed(1)
  net <- random_network(nodes, 2L, density = 1.2, skew = 1, strength = 0.6, shape = "chain")
  net$levels[] <- levels
  # Tables for that many levels, with the same parents.
  net$tables <- lapply(seq_len(nodes), function(v) {
    strata <- levels^length(net$parents[[v]])
    t(vapply(seq_len(strata), function(s) {
      0.4 / levels + 0.6 * dirichlet(levels, 1)
    }, numeric(levels)))
  })
  codes <- simulate_rows(net, rows)
  names(codes) <- sprintf("v%03d", seq_len(nodes))
  as.data.frame(lapply(codes, factor, levels = seq_len(levels)))
}

# One row per learner and value: what grows, to which value, and the milliseconds of CPU time on
# one thread.
time_learners <- function(data, label, value, learners, ...) {
  do.call(rbind, lapply(names(learners), function(name) {
    ms <- cpu_time(function() suppressMessages(learners[[name]](data, ...)), rounds = 3)
    data.frame(growing = label, to = value, learner = name, ms = ms)
  }))
}

measure_shapes <- function(rows, nodes = c(10, 20, 40, 70, 100), levels = c(2, 4, 8, 16),
                           orders = 0:4) {
  learners <- list(
    exact_pc = function(data, max_order = 3) {
      exact_pc(data, "g2", 0.01, max_order = max_order, threads = 1, progress = FALSE)
    },
    priv_pc = function(data, max_order = 2) {
      priv_pc(data, epsilon = 1, max_order = max_order, threads = 1, progress = FALSE)
    },
    marginal_pc = function(data, max_order = 3) {
      marginal_pc(data, epsilon = 1, max_order = max_order, threads = 1, progress = FALSE)
    }
  )
  by_variables <- lapply(nodes, function(p) {
    time_learners(random_data(p, 3L, rows), "variables (3 levels)", p, learners)
  })
  by_levels <- lapply(levels, function(l) {
    time_learners(random_data(20, l, rows), "levels (20 variables)", l, learners)
  })
  alarm <- simulate(network("alarm"), nsim = rows, seed = 1)
  by_order <- lapply(orders, function(order) {
    # marginal_pc() has no sets of more than three variables.
    some <- if (order > 3) learners["exact_pc"] else learners[c("exact_pc", "marginal_pc")]
    time_learners(alarm, "max_order (alarm)", order, some, max_order = order)
  })
  long <- do.call(rbind, c(by_variables, by_levels, by_order))
  wide <- unique(long[c("growing", "to")])
  for (name in names(learners)) {
    at <- long[long$learner == name, ]
    key <- function(x) paste(x$growing, x$to)
    wide[[paste(name, "ms")]] <- at$ms[match(key(wide), key(at))]
  }
  row.names(wide) <- NULL
  wide$to <- as.character(wide$to)
  wide
}
