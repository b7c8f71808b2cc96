# Does it help to say that levels are ordered? The same rows with factors that are declared ordered
# and with plain ones, on random networks of several kinds. Run it with
#   Rscript bench/ordered.R [networks] [kinds] [rows]
# kinds: "monotone" (cumulative logits, every parent acts in one direction), "bent" (the same, but
# effects may turn round in the middle), "numbers" (a linear network of numbers, each cut into
# 5 to 10 bins), "rough" (levels in no order at all, declared ordered all the same), "mixed" (half
# of the variables as in "monotone", half as in "rough" and not declared).

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "random_networks.R"))
options(privpc.advice = FALSE)

# Parents of every node among those before it.
random_parents <- function(nodes, density, max_parents = 3L) {
  lapply(seq_len(nodes), function(v) {
    sort(sample.int(v - 1L, min(v - 1L, max_parents, stats::rpois(1L, density))))
  })
}

# How the levels of a parent move the logits of a child: mean 0, and standard deviation 1 over the
# levels.
level_effects <- function(levels, kind) {
  at <- seq(-1, 1, length.out = levels)
  effects <- switch(kind,
    monotone = sample(c(-1, 1), 1L) * cumsum(stats::runif(levels, 0.2, 1)),
    bent = stats::rnorm(1L) * at + stats::rnorm(1L) * (at - stats::runif(1L, -0.5, 0.5))^2,
    rough = stats::rnorm(levels)
  )
  as.vector(scale(effects)) * if (levels == 2L) 0.7 else 1
}

# Cumulative logits; the levels of a "rough" variable are shuffled.
logit_rows <- function(parents, levels, kinds, strength, rows) {
  out <- list()
  for (v in seq_along(parents)) {
    logit <- stats::rlogis(rows)
    for (p in parents[[v]]) {
      logit <- logit + strength * stats::runif(1L, 0.6, 1.6) * level_effects(levels[[p]], kinds[[p]])[out[[p]]]
    }
    shares <- dirichlet(levels[[v]], 3)
    cuts <- stats::quantile(logit, cumsum(shares)[-levels[[v]]])
    code <- findInterval(logit, cuts) + 1L
    out[[v]] <- if (kinds[[v]] == "rough") sample.int(levels[[v]])[code] else code
  }
  out
}

# A linear Gaussian network; numbers are cut at even steps, so that outer bins are rare.
number_rows <- function(parents, levels, rows, strength) {
  numbers <- list()
  for (v in seq_along(parents)) {
    x <- stats::rnorm(rows)
    for (p in parents[[v]]) {
      x <- x + strength * sample(c(-1, 1), 1L) * stats::runif(1L, 0.3, 0.9) * numbers[[p]]
    }
    numbers[[v]] <- as.vector(scale(x))
  }
  Map(function(x, k) findInterval(x, seq(-2, 2, length.out = k + 1L)[2:k]) + 1L, numbers, levels)
}

ordered_case <- function(kind, rows, seed) {
  set.seed(seed)
  nodes <- sample(8:25, 1L)
  parents <- random_parents(nodes, stats::runif(1L, 0.8, 1.8))
  strength <- stats::runif(1L, 0.4, 1.1)
  numbers <- kind == "numbers"
  levels <- if (numbers) sample(5:10, nodes, TRUE) else sample(3:7, nodes, TRUE)
  kinds <- if (kind == "mixed") sample(c("monotone", "rough"), nodes, TRUE) else rep(kind, nodes)
  codes <- if (numbers) number_rows(parents, levels, rows, strength) else
    logit_rows(parents, levels, kinds, strength, rows)
  names <- sample(sprintf("v%02d", seq_len(nodes)))
  data <- Map(function(x, k) structure(x, levels = as.character(seq_len(k)), class = "factor"),
              codes, levels)
  truth <- matrix(0L, nodes, nodes, dimnames = list(names, names))
  for (v in seq_along(parents)) truth[parents[[v]], v] <- 1L
  list(
    data = as.data.frame(stats::setNames(data, names)), truth = truth,
    declared = kind != "mixed" | kinds == "monotone"
  )
}

in_order <- function(data, declared) {
  for (v in which(rep_len(declared, length(data)))) class(data[[v]]) <- c("ordered", "factor")
  data
}

# The same rows and the same seed of the noise; differences are those of the declared order.
compare_orders <- function(networks, kinds, rows, epsilon = 1) {
  cases <- expand.grid(network = seq_len(networks), kind = kinds, rows = rows)
  results <- lapply(seq_len(nrow(cases)), function(i) {
    case <- ordered_case(cases$kind[[i]], cases$rows[[i]], 5000 + cases$network[[i]])
    scores <- lapply(list(case$data, in_order(case$data, case$declared)), function(data) {
      fit <- suppressWarnings(suppressMessages(marginal_pc(
        data, epsilon, delta = 1e-6, threads = 1, progress = FALSE, seed = i
      )))
      compare_graphs(fit, case$truth)$f1
    })
    data.frame(
      cases[i, ], skeleton = scores[[1L]][[1L]], cpdag = scores[[1L]][[2L]],
      skeleton_gain = scores[[2L]][[1L]] - scores[[1L]][[1L]],
      cpdag_gain = scores[[2L]][[2L]] - scores[[1L]][[2L]]
    )
  })
  do.call(rbind, results)
}

given <- commandArgs(TRUE)
networks <- if (length(given) > 0L) as.integer(given[[1L]]) else 30L
kinds <- if (length(given) > 1L) strsplit(given[[2L]], ",")[[1L]] else
  c("monotone", "bent", "numbers", "rough", "mixed")
rows <- if (length(given) > 2L) as.numeric(strsplit(given[[3L]], ",")[[1L]]) else
  c(2000, 10000, 30000, 100000)
compared <- compare_orders(networks, kinds, rows)
error <- function(x) stats::sd(x) / sqrt(length(x))
means <- stats::aggregate(
  cbind(skeleton, cpdag, skeleton_gain, cpdag_gain) ~ kind + rows, compared, mean
)
errors <- stats::aggregate(cbind(skeleton_gain, cpdag_gain) ~ kind + rows, compared, error)
means$skeleton_error <- errors$skeleton_gain
means$cpdag_error <- errors$cpdag_gain
print(means, row.names = FALSE, digits = 2)
