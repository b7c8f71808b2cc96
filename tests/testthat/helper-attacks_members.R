# Was this person among the records? Attacks on whole objects as users get them (helper-attacks.R),
# with the neighbours that are worst and with persons as they occur. Each attack is a function of
# (runs, times): the claim is epsilon = 1, and `times` that is spent, 1 unless it is a control that
# must be caught.

attacked_epsilon <- 1

# ---- The worst neighbours: those of the audits ---------------------------------------------------

attacked_not_audited <- function(run) {
  before <- auditor$judge
  on.exit(auditor$judge <- before)
  auditor$judge <- function(mechanism, data1, data2, epsilon, delta, runs) {
    attack(mechanism, data1, data2, epsilon, delta, runs)
  }
  run()
}

# Neighbours are chosen for the noise there is (`aim`, helper-audit_learners.R).
worst_attack <- function(mechanism, claim = attacked_epsilon) {
  force(mechanism)
  force(claim)
  function(runs, times = 1) {
    attacked_not_audited(function() {
      mechanism(claim, runs = runs, spent = times * claim, aim = times)
    })
  }
}

# ---- marginal_pc: the likelihood ratio -----------------------------------------------------------

# Every contrast carries normal noise of a public variance, and what is measured next depends on
# nothing but what was measured so far. So the logarithm of the likelihood ratio of a whole fit is a
# sum over its contrasts, whatever was chosen, and no attacker guesses better (Neyman and Pearson
# 1933). The noise is discrete; at these variances the difference cannot be seen.
#
# If `mu`^2 is the sum of (difference of the two exact contrasts)^2 / variance, the ratio is normal
# with means +-mu^2/2 and variance mu^2, so that the advantage is 2 pnorm(mu / 2) - 1.

# Exact contrasts of both data sets as shares, for any set of variables.
contrasts_of <- function(pair) {
  known <- new.env()
  function(set) {
    key <- paste(set, collapse = " ")
    if (is.null(known[[key]])) {
      known[[key]] <- lapply(pair, function(data) {
        exact_contrasts(data, sort(names(data), method = "radix")[set]) / nrow(data)
      })
    }
    known[[key]]
  }
}

# The ratio of a fit, and mu^2.
ratio_of_fit <- function(fit, exact) {
  ratio <- 0
  apart <- 0
  for (part in c("tables", "families")) {
    held <- fit$measurements[[part]]
    for (k in seq_along(held$sets)) {
      means <- exact(held$sets[[k]])
      seen <- held$values[[k]]
      variance <- held$variance[[k]]
      ratio <- ratio + sum((seen - means[[2L]])^2 - (seen - means[[1L]])^2) / (2 * variance)
      apart <- apart + sum((means[[1L]] - means[[2L]])^2) / variance
    }
  }
  c(ratio, apart)
}

attack_marginals <- function(pair, delta = 1e-3, ...) {
  force(pair)
  function(runs, times = 1) {
    spent <- times * attacked_epsilon
    exact <- contrasts_of(pair)
    seen <- lapply(pair, function(data) {
      t(vapply(seq_len(runs), function(i) {
        fit <- quietly(marginal_pc(data, spent, delta, ..., threads = 1, progress = FALSE))
        ratio_of_fit(fit, exact)
      }, numeric(2)))
    })
    mu <- sqrt(c(seen[[1L]][, 2L], seen[[2L]][, 2L]))
    attack_on_seen(
      seen[[1L]][, 1L], seen[[2L]][, 1L], attacked_epsilon, delta,
      theory = mean(2 * stats::pnorm(mu / 2) - 1)
    )
  }
}

quietly <- function(code) suppressMessages(suppressWarnings(code))

# A hundred records, all of the same kind, of which the last moves to the opposite corner.
corner_pair <- function(nodes) {
  lapply(0:1, function(last) {
    named_factors(rep(list(c(rep(0:1, length.out = 99), last)), nodes), 0:1)
  })
}

# ---- The learners of the paper: everything a fit says, as words ----------------------------------

told_by <- function(fit) {
  sets <- vapply(fit$sepsets$given, paste, "", collapse = "+")
  arcs <- which(fit$amat != 0, arr.ind = TRUE)
  paste(c(
    paste0("arc", arcs[, 1L], ">", arcs[, 2L], recycle0 = TRUE),
    paste0("apart:", fit$sepsets$x, ":", fit$sepsets$y, "|", sets, recycle0 = TRUE),
    paste0("tests", seq_along(fit$settings$tests), "=", fit$settings$tests, recycle0 = TRUE),
    paste0("steps=", nrow(fit$ledger), ",", signif(sum(fit$ledger$rho, fit$ledger$epsilon), 6))
  ), collapse = " ")
}

attack_fits <- function(learner, pair, delta = 1e-3, ...) {
  force(learner)
  force(pair)
  function(runs, times = 1) {
    spent <- times * attacked_epsilon
    told <- function(data, runs) {
      vapply(seq_len(runs), function(i) {
        told_by(quietly(learner(data, spent, delta, ..., threads = 1, progress = FALSE)))
      }, "")
    }
    attack(told, pair[[1L]], pair[[2L]], attacked_epsilon, delta, runs)
  }
}

# The control: a graph without noise, which the person decides.
attack_exact <- function(pair, ...) {
  force(pair)
  function(runs, times = Inf) {
    told <- function(data, runs) rep(told_by(quietly(exact_pc(data, ..., progress = FALSE))), runs)
    attack(told, pair[[1L]], pair[[2L]], attacked_epsilon, 1e-3, runs)
  }
}

# ---- Persons as they occur -----------------------------------------------------------------------

# Records of a network, and what would change if one person were another: of the records `typical`
# is the most frequent one, `rare` one of the rarest; each is replaced by the second in frequency.
person_pair <- function(data, who = c("typical", "rare")) {
  who <- match.arg(who)
  kinds <- do.call(paste, data)
  frequency <- sort(table(kinds), decreasing = TRUE)
  from <- if (who == "typical") frequency[1L] else frequency[length(frequency)]
  person <- match(names(from), kinds)
  changed <- data
  changed[person, ] <- data[match(names(frequency)[[2L]], kinds), ]
  list(data, changed)
}

# A person whose replacement by another changes the graph of exact_pc(): nobody's presence could
# show more in a graph. Looked for among pairs of records that differ; NULL if there is none.
pivotal_pair <- function(data, ..., most = 400L) {
  kinds <- do.call(paste, data)
  first <- which(!duplicated(kinds))
  told <- function(data) told_by(quietly(exact_pc(data, ..., progress = FALSE)))
  before <- told(data)
  pairs <- expand.grid(person = first, by = first)
  pairs <- pairs[pairs$person != pairs$by, ]
  pairs <- with_seed(1, pairs[sample.int(nrow(pairs), min(nrow(pairs), most)), ])
  for (i in seq_len(nrow(pairs))) {
    changed <- data
    changed[pairs$person[[i]], ] <- data[pairs$by[[i]], ]
    if (told(changed) != before) return(list(data, changed))
  }
  NULL
}

# Records of a random network of binary variables.
random_records <- function(nodes, n, seed) {
  net <- with_seed(seed, random_network(nodes = nodes, degree = 2, effect = 0.3, levels = 2))
  simulate(net, nsim = n, seed = seed)
}

# ---- Single tests, cut points, what is made of a fit ---------------------------------------------

attack_test <- function(pair, test, delta = 0, ...) {
  force(pair)
  function(runs, times = 1) {
    spent <- times * attacked_epsilon
    seen <- function(data, runs) {
      t(vapply(seq_len(runs), function(i) {
        found <- quietly(private_test(
          data, names(data)[[1L]], names(data)[[2L]], test = test, epsilon = spent, delta = delta,
          ...
        ))
        c(found$statistic, log(found$p.value), found$estimate)
      }, numeric(3)))
    }
    attack(seen, pair[[1L]], pair[[2L]], attacked_epsilon, delta, runs)
  }
}

# Half of the values lie low, half high, and one in the middle. When one goes from high to low, the
# score of the median rises by 1 at all points on the left of the middle and falls by 1 at all
# points on its right, or the other way round.
median_records <- function(low, n = 40) {
  data.frame(x = rep(c(1, 50.05, 99), c(low, 1, n - 1 - low)))
}

attack_breaks <- function(runs, times = 1) {
  spent <- times * attacked_epsilon
  cuts <- function(data, runs) {
    vapply(seq_len(runs), function(i) {
      found <- quietly(private_breaks(
        data, "x", bins = 2, epsilon = spent, bounds = list(x = c(0, 100)), points = 99
      ))
      if (length(found$x) == 3L) found$x[[2L]] else -1
    }, 0)
  }
  attack(cuts, median_records(19), median_records(20), attacked_epsilon, 0, runs)
}

# What is made of a fit of the worst neighbours, with numbers in it.
fit_of_corner <- function(data, spent) {
  quietly(marginal_pc(data, spent, 1e-3, parameters = TRUE, threads = 1, progress = FALSE))
}

attack_made <- function(made, nodes = 2L) {
  force(made)
  function(runs, times = 1) {
    spent <- times * attacked_epsilon
    pair <- corner_pair(nodes)
    seen <- function(data, runs) {
      out <- lapply(seq_len(runs), function(i) quietly(made(fit_of_corner(data, spent))))
      if (is.character(out[[1L]])) unlist(out) else do.call(rbind, out)
    }
    attack(seen, pair[[1L]], pair[[2L]], attacked_epsilon, 1e-3, runs)
  }
}

# Counts of all cells in rows that follow the network as nearly as whole numbers can.
cells_of_network <- function(fit) {
  as.vector(table(simulate(as_network(fit), 20000, seed = 1, balanced = TRUE)))
}

synthetic_counts <- function(fit) as.vector(table(simulate(as_network(fit), 20000)))

# All words of a page, its numbers among them.
words_of_page <- function(fit) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  publish(fit, file, open = FALSE, progress = FALSE, date = "2020-01-01", effects = FALSE)
  text <- paste(readLines(file), collapse = " ")
  text <- gsub("<(style|script).*?</(style|script)>", " ", text, perl = TRUE)
  text <- gsub("<[^>]*>", " ", text)
  gsub("[[:space:]]+", " ", text)
}
