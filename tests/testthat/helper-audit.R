# Audits of this package's own mechanisms on neighbours chosen to be the worst
# case, and negative controls that an audit must catch. Each function takes a
# number of runs; the quick versions run with the tests, the long ones with
# `make audit`.

vectorised <- function(f) structure(f, vectorised = TRUE)

quick_audit <- function(mechanism, data1, data2, epsilon, delta = 0, runs = 2e5) {
  audit_privacy(
    mechanism, data1, data2, epsilon = epsilon, delta = delta, runs = runs, progress = FALSE
  )
}

# Each element: a function of (epsilon, runs) that returns an audit.
sound_mechanisms <- list(
  `laplace, real values` = function(epsilon, runs) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, epsilon, FALSE, FALSE, n)[, 1])
    quick_audit(run, 0.3, 1.3, epsilon, runs = runs)
  },
  `laplace, counts` = function(epsilon, runs) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, epsilon, FALSE, TRUE, n)[, 1])
    quick_audit(run, 10, 11, epsilon, runs = runs)
  },
  `laplace, a vector` = function(epsilon, runs) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 2, epsilon, FALSE, TRUE, n))
    quick_audit(run, c(5, 5, 5), c(6, 4, 5), epsilon, runs = runs)
  },
  gaussian = function(epsilon, runs) {
    rho <- rho_from_dp(epsilon, 1e-3)
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, rho, TRUE, FALSE, n)[, 1])
    quick_audit(run, 0, 1, epsilon, 1e-3, runs = runs)
  },
  exponential = function(epsilon, runs) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, epsilon, FALSE, FALSE, n))
    quick_audit(run, c(1, 0, 0), c(0, 1, 1), epsilon, runs = runs)
  },
  `exponential, monotone` = function(epsilon, runs) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, epsilon, TRUE, FALSE, n))
    quick_audit(run, c(0, 0, 0), c(1, 0, 0), epsilon, runs = runs)
  },
  `permute and flip` = function(epsilon, runs) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, epsilon, FALSE, TRUE, n))
    quick_audit(run, c(1, 0, 0), c(0, 1, 1), epsilon, runs = runs)
  },
  # Negatives that all move up and a positive that moves down.
  `sparse vector` = function(epsilon, runs) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, epsilon, 1, FALSE, n))
    quick_audit(run, c(rep(0, 6), 1), c(rep(1, 6), 0), epsilon, runs = runs)
  },
  `sparse vector, cutoff 3` = function(epsilon, runs) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, epsilon, 3, FALSE, n))
    quick_audit(run, c(0, 0, 0, 1, 1, 1), c(1, 1, 1, 0, 0, 0), epsilon, runs = runs)
  },
  `sparse vector, monotone` = function(epsilon, runs) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, epsilon, 2, TRUE, n))
    quick_audit(run, rep(0, 6), rep(1, 6), epsilon, runs = runs)
  },
  # Sums over rows of values in 0..1; one record replaced in all three queries.
  `sieve and examine` = function(epsilon, runs) {
    rows <- matrix(c(rep(0, 11), 1), 12, 3)
    other <- rows
    other[1, ] <- 1
    run <- vectorised(function(x, n) {
      cpp_runs_sieve_and_examine(x, 4, 1.5, 0.5, 1, epsilon, n)
    })
    quick_audit(run, rows, other, epsilon, runs = runs)
  },
  `smooth median, laplace` = function(epsilon, runs) {
    run <- vectorised(function(x, n) cpp_runs_smooth_median(x, 0, 1, epsilon, 1e-3, FALSE, n))
    quick_audit(run, c(0, 0, 0.5, 1, 1), c(0, 0, 1, 1, 1), epsilon, 1e-3, runs = runs)
  },
  `smooth median, gaussian` = function(epsilon, runs) {
    run <- vectorised(function(x, n) cpp_runs_smooth_median(x, 0, 1, epsilon, 1e-3, TRUE, n))
    quick_audit(run, c(0, 0, 0.5, 1, 1), c(0, 0, 1, 1, 1), epsilon, 1e-3, runs = runs)
  }
)

# T of all records at (2, 2) of three levels but one, which goes from (3, 3) to (3, 1).
three_level_pair <- function(y) {
  factors <- data.frame(x = c(3, rep(2, 19)), y = c(y, rep(2, 19)))
  factors[] <- lapply(factors, factor, levels = 1:3, ordered = TRUE)
  factors
}

# Five (0,0) and five (1,1) in block B; in block A x is constant and y half and half, or one
# record of A is (1,1).
authors_pair <- function(changed, n_a = 1000) {
  data.frame(
    x = c(rep(0:1, each = 5), if (changed) 1 else 0, rep(0, n_a - 1)),
    y = c(rep(0:1, each = 5), if (changed) 1 else 0, rep(0:1, length.out = n_a - 1)),
    block = rep(c("B", "A"), c(10, n_a))
  )
}

# The published statistic: sum of w tau / sqrt(sum of w) over the blocks that are not constant.
published_z <- function(data) {
  parts <- lapply(split(data, data$block), function(d) {
    if (length(unique(d$x)) == 1 || length(unique(d$y)) == 1) return(NULL)
    n <- nrow(d)
    counts <- table(d$x, d$y)
    score <- counts[1, 1] * counts[2, 2] - counts[1, 2] * counts[2, 1]
    c(w = 9 * n * (n - 1) / (2 * (2 * n + 5)), tau = score / (n * (n - 1) / 2))
  })
  parts <- do.call(rbind, parts)
  sum(parts[, "w"] * parts[, "tau"]) / sqrt(sum(parts[, "w"]))
}

laplace_of <- function(value, sensitivity, epsilon) {
  vectorised(function(data, n) {
    cpp_runs_additive(value(data), sensitivity, epsilon, FALSE, FALSE, n)[, 1]
  })
}

# The paper's own constants: they must be caught.
published_constants <- list(
  `tau of a three-level pair with sensitivity 2/(n-1)` = function(epsilon, runs) {
    n <- 20
    value <- function(data) cond_tau(data, "x", "y")$statistic[["T"]] / n
    quick_audit(
      laplace_of(value, 2 / (n - 1), epsilon), three_level_pair(3), three_level_pair(1), epsilon,
      runs = runs
    )
  },
  `the conditional statistic that skips constant blocks` = function(epsilon, runs) {
    n <- 1010
    quick_audit(
      laplace_of(published_z, 4.5 / sqrt(n), epsilon), authors_pair(FALSE), authors_pair(TRUE),
      epsilon, runs = runs
    )
  }
)

# The same pairs with this package's statistic and sensitivity: consistent.
corrected_constants <- list(
  `T of a three-level pair` = function(epsilon, runs) {
    value <- function(data) cond_tau(data, "x", "y")$statistic[["T"]]
    quick_audit(
      laplace_of(value, 4, epsilon), three_level_pair(3), three_level_pair(1), epsilon, runs = runs
    )
  },
  `T on the authors' pair` = function(epsilon, runs) {
    value <- function(data) {
      data[] <- lapply(data, function(x) factor(x, levels = if (is.numeric(x)) 0:1 else c("A", "B")))
      cond_tau(data, "x", "y", given = "block")$statistic[["T"]]
    }
    quick_audit(
      laplace_of(value, 4, epsilon), authors_pair(FALSE), authors_pair(TRUE), epsilon, runs = runs
    )
  }
)

# Broken mechanisms (helper-broken.R): they must be caught too.
broken_mechanisms <- list(
  `laplace with half the scale` = function(epsilon, runs) {
    run <- vectorised(function(x, n) laplace_half_scale_not_private(x, n, epsilon))
    quick_audit(run, 0, 1, epsilon, runs = runs)
  },
  `gaussian with half the sigma` = function(epsilon, runs) {
    sigma <- 1 / sqrt(2 * rho_from_dp(epsilon, 1e-2))
    run <- vectorised(function(x, n) gaussian_half_not_private(x, n, sigma))
    quick_audit(run, 0, 1, epsilon, 1e-2, runs = runs)
  },
  `sparse vector without query noise` = function(epsilon, runs) {
    run <- vectorised(function(q, n) svt_no_query_noise_not_private(q, n, epsilon))
    quick_audit(run, c(0, 1), c(1, 0), epsilon, runs = runs)
  },
  `sparse vector that never stops` = function(epsilon, runs) {
    run <- vectorised(function(q, n) svt_never_stops_not_private(q, n, epsilon))
    quick_audit(run, rep(0:1, each = 5), rep(1:0, each = 5), epsilon, runs = runs)
  },
  `sparse vector that shows values, claim 2` = function(epsilon, runs) {
    run <- vectorised(function(q, n) svt_outputs_values_not_private(q, n, 2 * epsilon))
    quick_audit(run, rep(0, 7), rep(1, 7), 2 * epsilon, runs = runs)
  }
)

# Whole learners. `sharp` neighbours: two variables with three levels, where one record moves T from
# 0 to 3.8 of the 4 it can, and an unforgiving threshold; all the budget goes to one test. `wide`
# neighbours: four variables and all orders, where one record moves every test at once.
learner_neighbours <- list(
  sharp = lapply(list(0L, 2L), function(moved) {
    data.frame(
      x = factor(c(rep(1L, 10), 2L, 0L), levels = 0:2),
      y = factor(c(rep(1L, 10), 2L, moved), levels = 0:2)
    )
  }),
  wide = lapply(list(c(1L, 0L, 1L, 0L), rep(1L, 4L)), function(moved) {
    rows <- rbind(matrix(0L, 11L, 4L), moved)
    as.data.frame(lapply(
      stats::setNames(1:4, c("a", "b", "c", "d")),
      function(j) factor(rows[, j], levels = 0:1)
    ))
  })
)

# Runs inside C++: R would take most of the time. The event is all that a fit tells.
audit_learner <- function(learner, epsilon, delta, runs, neighbours = "sharp", spent = epsilon,
                          ...) {
  pair <- learner_neighbours[[neighbours]]
  settings <- utils::modifyList(list(
    learner = learner, test = "tau", critical = if (neighbours == "sharp") 0 else 3,
    published = FALSE, epsilon = spent, rho = NA_real_, subsample = 12,
    rounds = if (neighbours == "sharp" && learner != "em_pc") 1 else 0, tweak = NA_real_,
    max_order = if (neighbours == "sharp") 0L else 2L, blocks = 6, threads = 1L,
    portable = FALSE, memory_cap = 2^20
  ), list(...))
  if (learner == "sg_pc" && settings$subsample < 12) {
    settings$rho <- cpp_subsampled_rho(spent, delta, settings$subsample, 12)
  } else if (delta > 0) {
    settings$rho <- rho_from_dp(spent, delta)
  }
  run <- vectorised(function(data, times) {
    cpp_runs_private_pc(encode_data(data, by_order = TRUE), settings, times)
  })
  quick_audit(run, pair[[1L]], pair[[2L]], epsilon, delta, runs = runs)
}

# Eight records of two binary variables, of which one moves from one corner of the table to the
# opposite or the next: measured tables and graph.
audit_marginals <- function(epsilon, runs, moved, spent = epsilon) {
  rules <- list(alpha = 0.3, prior = 0.1, least_effect = 0, max_order = 3L)
  pair <- lapply(list(c(0L, 0L), moved), function(last) {
    data.frame(
      x = factor(c(0, 0, 0, 1, 1, 1, 0, last[[1L]]), levels = 0:1),
      y = factor(c(0, 0, 0, 1, 1, 1, 1, last[[2L]]), levels = 0:1)
    )
  })
  rho <- rho_from_dp(spent, 1e-3)
  run <- vectorised(function(data, times) {
    cpp_runs_marginal_pc(encode_data(data), rho, rules, times)
  })
  quick_audit(run, pair[[1L]], pair[[2L]], epsilon, 1e-3, runs = runs)
}

# Each element: a function of (epsilon, runs) that returns an audit.
audited_learners <- list(
  `marginal_pc, opposite corner` = function(epsilon, runs) {
    audit_marginals(epsilon, runs, c(1L, 1L))
  },
  `marginal_pc, next corner` = function(epsilon, runs) audit_marginals(epsilon, runs, c(0L, 1L)),
  `priv_pc` = function(epsilon, runs) audit_learner("priv_pc", epsilon, 1e-3, runs),
  `priv_pc, pure` = function(epsilon, runs) audit_learner("priv_pc", epsilon, 0, runs),
  `priv_pc, on a sub-sample` = function(epsilon, runs) {
    audit_learner("priv_pc", epsilon, 1e-3, runs, subsample = 6)
  },
  `priv_pc, rho` = function(epsilon, runs) {
    audit_learner("priv_pc", epsilon, 1e-3, runs, test = "rho")
  },
  `priv_pc, g2 by votes` = function(epsilon, runs) {
    audit_learner("priv_pc", epsilon, 1e-3, runs, test = "g2")
  },
  `svt_pc` = function(epsilon, runs) audit_learner("svt_pc", epsilon, 1e-3, runs),
  `svt_pc, pure` = function(epsilon, runs) audit_learner("svt_pc", epsilon, 0, runs),
  `em_pc` = function(epsilon, runs) audit_learner("em_pc", epsilon, 1e-3, runs),
  `em_pc, pure` = function(epsilon, runs) audit_learner("em_pc", epsilon, 0, runs),
  `sg_pc` = function(epsilon, runs) audit_learner("sg_pc", epsilon, 1e-3, runs),
  `sg_pc, on a sub-sample` = function(epsilon, runs) {
    audit_learner("sg_pc", epsilon, 1e-3, runs, subsample = 6)
  },
  `priv_pc, four variables` = function(epsilon, runs) {
    audit_learner("priv_pc", epsilon, 1e-3, runs, "wide")
  },
  `svt_pc, four variables` = function(epsilon, runs) {
    audit_learner("svt_pc", epsilon, 1e-3, runs, "wide")
  },
  `em_pc, four variables` = function(epsilon, runs) {
    audit_learner("em_pc", epsilon, 1e-3, runs, "wide")
  },
  `sg_pc, four variables` = function(epsilon, runs) {
    audit_learner("sg_pc", epsilon, 1e-3, runs, "wide")
  }
)

# The audit of a learner can fail: with eight times the budget that is claimed it must.
overspending_learners <- lapply(
  stats::setNames(nm = c("priv_pc", "svt_pc", "em_pc")),
  function(learner) {
    function(epsilon, runs) {
      audit_learner(learner, epsilon, 0, runs, spent = 8 * epsilon)
    }
  }
)
names(overspending_learners) <- paste0(names(overspending_learners), ", eight times the budget")
overspending_learners$`marginal_pc, eight times the budget` <- function(epsilon, runs) {
  audit_marginals(epsilon, runs, c(0L, 1L), spent = 8 * epsilon)
}
