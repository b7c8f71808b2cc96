# Membership inference: the worst neighbours, persons as they occur, and controls.

# Rows of a table, one for each attack. `expected`: whether it must be caught, because it spends
# several `times` what it claims.
#
# Where PRIVPC_ATTACK_MINUTES says how long a part may take, those that come too late are left out;
# how many were planned is told.
part_started <- new.env()

attack_table <- function(attacks, runs, expected, times = 1) {
  minutes <- as.numeric(Sys.getenv("PRIVPC_ATTACK_MINUTES", "Inf"))
  if (is.null(part_started$at)) part_started$at <- Sys.time()
  rows <- lapply(names(attacks), function(name) {
    started <- Sys.time()
    if (difftime(started, part_started$at, units = "mins") > minutes) return(NULL)
    result <- attacks[[name]](ceiling(runs(name)), times)
    cat(sprintf(
      "%-55s times %-4g advantage %.3f of %.3f %s (%.0f s)\n", name, times, result$advantage,
      result$bound, if (result$caught) "CAUGHT" else "", as.numeric(Sys.time() - started, "secs")
    ))
    cbind(
      attack = name, attack_row(result), verdict = if (result$caught) "refuted" else "kept",
      `as expected` = if (result$caught == expected) "yes" else "NO"
    )
  })
  rows <- do.call(rbind, rows)
  part_started$planned <- sum(part_started$planned, length(attacks))
  rows
}

worst_attacks <- function() {
  # The sparse vector is attacked at the claim at which its control is visible
  # (helper-audit_learners.R).
  learners <- lapply(stats::setNames(nm = names(learner_audits)), function(name) {
    worst_attack(learner_audits[[name]], control_claim(name))
  })
  mechanisms <- lapply(sound_mechanisms, worst_attack)
  c(learners, mechanisms)
}

whole_objects <- function() {
  star <- star_pair(10)
  votes <- vote_pair(1, 200)
  test <- function(pair) lapply(pair, function(data) data[1:2])
  list(
    `marginal_pc, the likelihood ratio` = attack_marginals(corner_pair(2)),
    `marginal_pc, tests, the likelihood ratio` = attack_marginals(corner_pair(2), search = "tests"),
    `marginal_pc, six variables, the likelihood ratio` = attack_marginals(corner_pair(6)),
    `private_test, tau` = attack_test(test(star), "tau"),
    `private_test, tau, with delta` = attack_test(test(star), "tau", delta = 1e-3),
    `private_test, rho` = attack_test(test(star), "rho"),
    `private_test, g2 by counts` = attack_test(votes, "g2"),
    `private_breaks` = attack_breaks,
    `as_network of a fit` = attack_made(cells_of_network),
    `a thousand rows of simulate()` = attack_made(synthetic_counts),
    `the page of publish()` = attack_made(words_of_page)
  )
}

asia_records <- function(n, seed = 1) simulate(network("asia"), nsim = n, seed = seed)

real_persons <- function() {
  asia <- asia_records(1000)
  large <- asia_records(10000, 2)
  child <- simulate(network("child"), nsim = 2000, seed = 3)
  random <- random_records(10, 2000, 4)
  pivotal <- pivotal_pair(asia)
  out <- list()
  for (who in c("typical", "rare")) {
    add <- list(
      attack_marginals(person_pair(asia, who)),
      attack_marginals(person_pair(asia, who), search = "tests"),
      attack_marginals(person_pair(large, who)),
      attack_marginals(person_pair(child, who)),
      attack_marginals(person_pair(random, who))
    )
    names(add) <- paste0(
      "marginal_pc", c(", asia, 1,000", " by tests, asia, 1,000", ", asia, 10,000",
                       ", child, 2,000", ", ten variables, 2,000"), ", ", who
    )
    out <- c(out, add)
  }
  learners <- list(priv_pc = priv_pc, svt_pc = svt_pc, em_pc = em_pc, sg_pc = sg_pc)
  for (name in names(learners)) {
    add <- list(
      attack_fits(learners[[name]], person_pair(asia, "rare")),
      attack_fits(learners[[name]], pivotal)
    )
    names(add) <- paste0(name, ", asia, 1,000, ", c("rare", "deciding"))
    out <- c(out, add)
  }
  c(out, list(`marginal_pc, asia, 1,000, deciding` = attack_marginals(pivotal)))
}

# How much of its claim a control spends. Where one fit takes milliseconds fewer runs are possible,
# and a larger fault has to be seen.
overspent <- list(fast = 16, slow = 30)

# Fits in R take milliseconds, those in C++ microseconds.
slow_runs <- function(share) {
  function(name) {
    if (grepl("page", name)) {
      max(100, 400 * share)
    } else if (grepl("child|ten variables|10,000", name)) {
      max(120, 1200 * share)
    } else {
      max(300, 4000 * share)
    }
  }
}

# Of the worst neighbours; those with many variables take a part of them (helper-audit_learners.R).
fast_runs <- function(share, least = 0) {
  function(name) {
    fits <- startsWith(name, "marginal_pc") && !grepl("four variables|selecting", name)
    max(least, 1e5 * share) / if (fits) 4 else 1
  }
}

part_result <- function(table) {
  planned <- part_started$planned
  rm(list = ls(part_started), envir = part_started)
  list(table = table, planned = planned, wrong = sum(table$`as expected` == "NO"))
}

try_worst <- function(share) {
  table <- attack_table(worst_attacks(), fast_runs(share), FALSE)
  part_result(table)
}

try_whole <- function(share) {
  table <- attack_table(whole_objects(), slow_runs(share), FALSE)
  part_result(table)
}

try_persons <- function(share) {
  table <- attack_table(real_persons(), slow_runs(share), FALSE)
  part_result(table)
}

try_controls <- function(share) {
  exact <- list(`exact_pc, asia, 1,000, deciding` = attack_exact(pivotal_pair(asia_records(1000))))
  # Nobody's presence shows in the graphs of the paper's learners at this size, with whatever
  # budget: there the control is the graph without noise.
  exact <- attack_table(exact, function(name) 1000, TRUE, Inf)
  worst <- worst_attacks()
  quick <- order(startsWith(names(worst), "marginal_pc"))
  fast <- attack_table(worst[quick], fast_runs(share, 12000), TRUE, overspent$fast)
  seen <- real_persons()[c(
    "marginal_pc, asia, 1,000, typical", "marginal_pc, asia, 1,000, rare",
    "marginal_pc by tests, asia, 1,000, rare", "marginal_pc, ten variables, 2,000, typical",
    "marginal_pc, child, 2,000, rare"
  )]
  few <- function(name) if (grepl("page|child|ten", name)) 160 else 300
  slow <- attack_table(c(whole_objects(), seen), few, TRUE, overspent$slow)
  times <- rep(c(overspent$fast, overspent$slow), c(NROW(fast), NROW(slow)))
  spent <- c(paste(times, "times", recycle0 = TRUE), rep("no noise", NROW(exact)))
  table <- rbind(fast, slow, exact)
  part_result(cbind(table[1L], spent = spent, table[-1L]))
}
