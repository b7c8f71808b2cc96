# Audits of this package's own mechanisms on neighbours chosen to be the worst case, and negative
# controls that an audit must catch. Each function takes a number of runs; the quick versions run
# with the tests, the long ones with `make audit`. Those of whole learners: helper-audit_learners.R.

vectorised <- function(f) structure(f, vectorised = TRUE)

# What is done with a mechanism and two neighbours: they are audited, or attacked
# (helper-attacks_worst.R).
auditor <- new.env()
auditor$judge <- function(...) audit_privacy(..., progress = FALSE)

quick_audit <- function(mechanism, data1, data2, epsilon, delta = 0, runs = 2e5) {
  auditor$judge(mechanism, data1, data2, epsilon = epsilon, delta = delta, runs = runs)
}

# Each element: a function of (epsilon, runs, spent, aim) that returns an audit. The mechanism
# claims `epsilon` and spends `spent`: more than that is a control that must be caught. Where the
# worst neighbours depend on the budget, they are chosen for `aim` times the claim.
sound_mechanisms <- list(
  `laplace, real values` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, spent, FALSE, FALSE, n)[, 1])
    quick_audit(run, 0.3, 1.3, epsilon, runs = runs)
  },
  `laplace, counts` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, spent, FALSE, TRUE, n)[, 1])
    quick_audit(run, 10, 11, epsilon, runs = runs)
  },
  `laplace, a vector` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(x, n) cpp_runs_additive(x, 2, spent, FALSE, TRUE, n))
    quick_audit(run, c(5, 5, 5), c(6, 4, 5), epsilon, runs = runs)
  },
  gaussian = function(epsilon, runs, spent = epsilon, aim = 1) {
    rho <- rho_from_dp(spent, 1e-3)
    run <- vectorised(function(x, n) cpp_runs_additive(x, 1, rho, TRUE, FALSE, n)[, 1])
    quick_audit(run, 0, 1, epsilon, 1e-3, runs = runs)
  },
  # One score moves up and all others down. The more others, the nearer is the ratio of the
  # chances of the one to its limit, exp(epsilon).
  exponential = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, spent, FALSE, FALSE, n))
    quick_audit(run, c(1, rep(0, 20)), c(0, rep(1, 20)), epsilon, runs = runs)
  },
  `exponential, monotone` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, spent, TRUE, FALSE, n))
    quick_audit(run, c(0, rep(0, 30)), c(1, rep(0, 30)), epsilon, runs = runs)
  },
  `permute and flip` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(u, n) cpp_runs_exponential(u, 1, spent, FALSE, TRUE, n))
    quick_audit(run, c(1, rep(0, 10)), c(0, rep(1, 10)), epsilon, runs = runs)
  },
  # One record takes its place in all tables at once: the scores of the pairs that a neighbour
  # favours all rise by 2, all others fall by 2. k choices at epsilon / k each are epsilon-private.
  `pair selection, one` = function(epsilon, runs, spent = epsilon, aim = 1) {
    audit_pair_selection(cbind(1, 2), 1, 1, epsilon, runs, spent)
  },
  `pair selection, three` = function(epsilon, runs, spent = epsilon, aim = 1) {
    audit_pair_selection(cbind(1, 2:4), 3, 3, epsilon, runs, spent)
  },
  `pair selection, a tree` = function(epsilon, runs, spent = epsilon, aim = 1) {
    audit_pair_selection(cbind(1, 2:7), NULL, 6, epsilon, runs, spent)
  },
  # Negatives that all move up and positives that move down. Of monotone queries none may move down:
  # there the positives stay where they are.
  `sparse vector` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, spent, 1, FALSE, n))
    quick_audit(run, c(rep(0, 6), 1), c(rep(1, 6), 0), epsilon, runs = runs)
  },
  `sparse vector, cutoff 3` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, spent, 3, FALSE, n))
    quick_audit(run, rep(0:1, c(4, 3)), rep(1:0, c(4, 3)), epsilon, runs = runs)
  },
  `sparse vector, monotone` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(q, n) cpp_runs_sparse_vector(q, 0, 1, spent, 2, TRUE, n))
    quick_audit(run, rep(0, 10), rep(1:0, c(8, 2)), epsilon, runs = runs)
  },
  # Sums over rows, which are all 0 but one: without it a sub-sample cannot be told from one of the
  # other data set. That row takes 1 from five queries and adds 1 to the sixth.
  `sieve and examine` = function(epsilon, runs, spent = epsilon, aim = 1) {
    rows <- matrix(0, 12, 6)
    other <- rows
    other[1, ] <- rep(c(-1, 1), c(5, 1))
    run <- vectorised(function(x, n) cpp_runs_sieve_and_examine(x, 6, 1, 0, 1, spent, n))
    quick_audit(run, rows, other, epsilon, runs = runs)
  },
  `smooth median, laplace` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(x, n) cpp_runs_smooth_median(x, 0, 1, spent, 1e-3, FALSE, n))
    pair <- median_pair(log1p(aim * epsilon / (2 * log(2 / 1e-3))))
    quick_audit(run, pair[[1L]], pair[[2L]], epsilon, 1e-3, runs = runs)
  },
  `smooth median, gaussian` = function(epsilon, runs, spent = epsilon, aim = 1) {
    run <- vectorised(function(x, n) cpp_runs_smooth_median(x, 0, 1, spent, 1e-3, TRUE, n))
    pair <- median_pair(log1p(aim * epsilon / (2 * log(4 / 1e-3))) / 2)
    quick_audit(run, pair[[1L]], pair[[2L]], epsilon, 1e-3, runs = runs)
  }
)

# A value below the median goes to the upper bound. The median moves from 0.5 to 0.5 + its smooth
# sensitivity, which at the same time grows by exp(beta), the most it can: values at the upper bound
# are one place nearer. They are so far away (`near` places, but not so many that runs take long)
# that the noise stays inside the bounds.
median_pair <- function(beta) {
  near <- min(70, ceiling(log(50) / beta))
  half <- near + 2
  values <- rep(c(0.5, 0.5 + 0.5 * exp(-near * beta), 1), c(half + 1, near, half - near))
  list(values, replace(values, 1L, 1))
}

# Two records of seven binary variables, both at the first levels, or one of them at the second ones
# of all variables. The model expects both records in the first cell of the `favoured` pairs, and
# one in either of the corners of all other pairs. How many of the chosen pairs are favoured tells
# most.
audit_pair_selection <- function(favoured, count, choices, epsilon, runs, spent) {
  all_pairs <- t(utils::combn(7, 2))
  favours <- paste(all_pairs[, 1], all_pairs[, 2]) %in% paste(favoured[, 1], favoured[, 2])
  expected <- lapply(favours, function(one) diag(if (one) c(1, 0) else c(0.5, 0.5)))
  records <- function(second) {
    data_source(as.data.frame(lapply(
      stats::setNames(nm = letters[1:7]), function(name) factor(c(1, second), levels = 1:2)
    )))
  }
  run <- vectorised(function(source, n) {
    chosen <- selected_pairs(source, all_pairs, expected, spent^2 / (8 * choices), count, n)
    rowSums(matrix(favours[chosen], nrow(chosen)))
  })
  quick_audit(run, records(1), records(2), epsilon, runs = runs)
}

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
      data[] <- lapply(
        data, function(x) factor(x, levels = if (is.numeric(x)) 0:1 else c("A", "B"))
      )
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
