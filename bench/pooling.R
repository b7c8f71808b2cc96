# What pooling several sites gives, and what it costs. Run it with
#   Rscript bench/pooling.R sites           k sites of n / k rows against one of n: F1 and noise
#   Rscript bench/pooling.R weights         sites with different rows and epsilon: which weights?
#   Rscript bench/pooling.R heterogeneity   false alarms and power of heterogeneity()
#   Rscript bench/pooling.R write           all of them, into bench/results.md
# The number of repetitions may follow.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "measure.R"))
plain <- new.env()
source(file.path(here, "random_networks.R"), local = plain)
asked <- commandArgs(TRUE)
what <- if (length(asked)) asked[[1L]] else "sites"
repetitions <- function(default) if (length(asked) > 1L) as.integer(asked[[2L]]) else default

learn <- function(data, epsilon = 1) {
  suppressWarnings(suppressMessages(
    marginal_pc(data, epsilon, delta = 1e-6, threads = 1, progress = FALSE)
  ))
}

f1 <- function(fit, truth) compare_graphs(fit, truth)$f1

# Orthonormal contrasts of a pair of factors, as shares; that of the second running fastest.
helmert <- function(k) {
  q <- -stats::contr.helmert(k)
  sweep(q, 2L, sqrt(colSums(q^2)), "/")
}
pair_contrasts <- function(table) {
  as.vector(t(t(helmert(nrow(table))) %*% (table / sum(table)) %*% helmert(ncol(table))))
}

# Of all pairs of variables, by their names in the order of the sorted names.
true_pairs <- function(rows) {
  nodes <- sort(names(rows), method = "radix")
  codes <- lapply(rows[nodes], as.integer)
  levels <- lapply(rows[nodes], nlevels)
  pairs <- utils::combn(nodes, 2L, simplify = FALSE)
  contrasts <- lapply(pairs, function(pair) {
    size <- unlist(levels[pair])
    cell <- codes[[pair[[1L]]]] + size[[1L]] * (codes[[pair[[2L]]]] - 1L)
    pair_contrasts(matrix(tabulate(cell, prod(size)), size[[1L]]))
  })
  stats::setNames(contrasts, vapply(pairs, paste, "", collapse = " "))
}

# Of all measured pairs: how far off what was measured is, and the variance it states.
pair_errors <- function(fit, truth) {
  held <- fit$measurements
  pairs <- which(lengths(held$tables$sets) == 2L)
  parts <- lapply(pairs, function(i) {
    names <- held$nodes[sort(held$tables$sets[[i]])]
    data.frame(
      error = held$tables$values[[i]] - truth[[paste(names, collapse = " ")]],
      variance = held$tables$variance[[i]]
    )
  })
  do.call(rbind, parts)
}

# ---- k sites of n / k ----------------------------------------------------------------------------

one_run <- function(truth, n, ks, run) {
  rows <- simulate(truth, nsim = n, seed = 100 * run + 1)
  exact <- true_pairs(rows)
  results <- lapply(ks, function(k) {
    site <- rep_len(seq_len(k), n)
    fits <- lapply(seq_len(k), function(i) learn(rows[site == i, ]))
    fit <- if (k == 1L) fits[[1L]] else pool_fits(fits)
    errors <- pair_errors(fit, exact)
    score <- f1(fit, truth)
    data.frame(
      k = k, skeleton = score[[1L]], cpdag = score[[2L]], stated = mean(errors$variance),
      seen = mean(errors$error^2)
    )
  })
  do.call(rbind, results)
}

site_networks <- c("cancer", "survey", "asia", "sachs", "child", "alarm")
bench_sites <- function(runs = 10L, names = site_networks, rows = c(20000, 100000),
                        ks = c(1L, 2L, 5L, 10L)) {
  cases <- expand.grid(n = rows, network = names, stringsAsFactors = FALSE)
  out <- lapply(seq_len(nrow(cases)), function(i) {
    truth <- network(cases$network[[i]])
    all <- lapply(seq_len(runs), function(run) one_run(truth, cases$n[[i]], ks, run))
    all <- do.call(rbind, all)
    means <- stats::aggregate(. ~ k, all, mean)
    # Where tables were measured again the stated variance is smaller, and not alike for all k:
    # the ratios that count are those of the same sets. Arithmetic says sqrt(k).
    data.frame(
      network = cases$network[[i]], rows = cases$n[[i]], sites = means$k,
      `skeleton F1` = means$skeleton, `CPDAG F1` = means$cpdag,
      `sqrt(k)` = sqrt(means$k), `stated noise` = sqrt(means$stated / means$stated[[1L]]),
      `seen noise` = sqrt(means$seen / means$seen[[1L]]),
      `seen / stated` = sqrt(means$seen / means$stated), check.names = FALSE
    )
  })
  do.call(rbind, out)
}

# ---- weights -------------------------------------------------------------------------------------

weight_cases <- list(
  `50,000 at 1; 50,000 at 1` = list(n = c(50000, 50000), epsilon = c(1, 1)),
  `50,000 at 1; 5,000 at 1` = list(n = c(50000, 5000), epsilon = c(1, 1)),
  `50,000 at 0.1; 10,000 at 3` = list(n = c(50000, 10000), epsilon = c(0.1, 3)),
  `20,000 each at 0.1, 0.3, 1, 3` = list(n = rep(20000, 4L), epsilon = c(0.1, 0.3, 1, 3))
)

# Root mean square distance of pairs from the population, here a large sample of it.
bench_weights <- function(runs = 10L, names = c("asia", "sachs")) {
  cases <- expand.grid(case = names(weight_cases), network = names, stringsAsFactors = FALSE)
  out <- lapply(seq_len(nrow(cases)), function(i) {
    truth <- network(cases$network[[i]])
    population <- true_pairs(simulate(truth, nsim = 5e6, seed = 1))
    case <- weight_cases[[cases$case[[i]]]]
    all <- lapply(seq_len(runs), function(run) {
      fits <- Map(function(n, epsilon, seed) {
        learn(simulate(truth, nsim = n, seed = seed), epsilon)
      }, case$n, case$epsilon, 1000 * run + seq_along(case$n))
      shown <- c(
        list(records = pool_fits(fits, weights = "records"), precision = pool_fits(fits)), fits
      )
      vapply(shown, function(fit) {
        c(f1(fit, truth)[[1L]], mean(pair_errors(fit, population)$error^2))
      }, c(0, 0))
    })
    mean_of <- Reduce(`+`, all) / runs
    best <- which.max(mean_of[1L, -(1:2)]) + 2L
    data.frame(
      network = cases$network[[i]], sites = cases$case[[i]],
      `F1 best site alone` = mean_of[1L, best], `F1 records` = mean_of[1L, 1L],
      `F1 precision` = mean_of[1L, 2L], `error best site` = sqrt(min(mean_of[2L, -(1:2)])),
      `error records` = sqrt(mean_of[2L, 1L]), `error precision` = sqrt(mean_of[2L, 2L]),
      check.names = FALSE
    )
  })
  do.call(rbind, out)
}

# ---- heterogeneity -------------------------------------------------------------------------------

as_site <- function(network, rows) {
  data <- plain$simulate_rows(network, rows)
  data <- Map(function(x, k) factor(x, levels = seq_len(k)), data, network$levels)
  as.data.frame(stats::setNames(data, sprintf("v%02d", seq_along(data))))
}

# A part `changed` of the conditional table of a node is drawn anew.
with_other_mechanism <- function(network, node, changed) {
  own <- network$tables[[node]]
  other <- t(apply(own, 1L, function(p) plain$dirichlet(length(p), 1)))
  network$tables[[node]] <- (1 - changed) * own + changed * other
  network
}

one_difference <- function(sites, rows, epsilon, changed, seed) {
  set.seed(seed)
  network <- plain$random_network(
    sample(6:12, 1L), 3L, stats::runif(1L, 1, 1.6), exp(stats::runif(1L, log(0.8), log(3))),
    stats::runif(1L, 0.4, 0.9)
  )
  with_parents <- which(lengths(network$parents) > 0L)
  if (length(with_parents) == 0L) return(NULL)
  node <- with_parents[[sample.int(length(with_parents), 1L)]]
  fits <- lapply(seq_len(sites), function(i) {
    here <- if (i == 1L && changed > 0) with_other_mechanism(network, node, changed) else network
    learn(as_site(here, rows), epsilon)
  })
  found <- heterogeneity(pool_fits(fits))
  alarm <- function(kind) {
    any(found$p.adjusted[found$kind == kind] < 0.05, na.rm = TRUE)
  }
  name <- sprintf("v%02d", node)
  parents <- sprintf("v%02d", network$parents[[node]])
  own <- found$x == name & found$y %in% parents | found$y %in% name & found$x %in% parents
  at_node <- own & found$kind == "edge"
  # What neither the node nor what comes after it is part of must not differ.
  below <- name
  repeat {
    more <- which(vapply(network$parents, function(p) any(sprintf("v%02d", p) %in% below), NA))
    grown <- union(below, sprintf("v%02d", more))
    if (length(grown) == length(below)) break
    below <- grown
  }
  elsewhere <- !(found$x %in% below) & !(found$y %in% below)
  data.frame(
    raw = mean(found$p.value < 0.05, na.rm = TRUE), edge = alarm("edge"), pair = alarm("pair"),
    variable = alarm("variable"), node = any(found$p.adjusted[at_node] < 0.05, na.rm = TRUE),
    itself = any(found$p.adjusted[found$kind == "variable" & found$x == name] < 0.05),
    elsewhere = any(found$p.adjusted[elsewhere] < 0.05, na.rm = TRUE)
  )
}

heterogeneity_cases <- rbind(
  expand.grid(sites = c(2L, 5L), rows = c(5000, 50000), epsilon = c(0.3, 1, 3), changed = 0),
  expand.grid(sites = c(2L, 5L), rows = c(5000, 50000), epsilon = 1, changed = c(0.2, 0.5))
)
heterogeneity_cases$seed <- seq_len(nrow(heterogeneity_cases))

bench_heterogeneity <- function(runs = 100L, cases = heterogeneity_cases) {
  out <- lapply(seq_len(nrow(cases)), function(i) {
    case <- cases[i, ]
    all <- do.call(rbind, lapply(seq_len(runs), function(run) {
      one_difference(case$sites, case$rows, case$epsilon, case$changed, 7919 * run + case$seed)
    }))
    shares <- colMeans(all)
    data.frame(
      changed = case$changed, sites = case$sites, `rows each` = case$rows, epsilon = case$epsilon,
      `p < 0.05` = shares[["raw"]], `any edge` = shares[["edge"]], `any pair` = shares[["pair"]],
      `any variable` = shares[["variable"]],
      `edge of the node` = if (case$changed > 0) shares[["node"]] else NA,
      `the node itself` = if (case$changed > 0) shares[["itself"]] else NA,
      `not below it` = if (case$changed > 0) shares[["elsewhere"]] else NA,
      check.names = FALSE, row.names = NULL
    )
  })
  do.call(rbind, out)
}

# ---- results -------------------------------------------------------------------------------------

heading <- "Pooling sites"
if (what == "write") {
  runs <- repetitions(10L)
  tables <- list(
    bench_sites(runs), bench_weights(runs), bench_heterogeneity(10L * runs)
  )
  notes <- c(
    paste0(
      "By `bench/pooling.R` (`Rscript bench/pooling.R write ", runs, "` does all of it). k sites of n / k rows each, epsilon ",
      "= 1 and delta = 1e-6 at every site, pooled by `pool_fits()`; k = 1 is one fit of all rows. ",
      "The same people in every line of a network; means of ", runs, " cohorts. Arithmetic says ",
      "that the noise of the pooled tables is sqrt(k) times that of one fit: beside it what the ",
      "pooled fit states and what was seen against the true tables of all rows (root mean ",
      "square over all contrasts of all pairs, as a ratio to one fit). Sites with fewer rows ",
      "measure other pairs a second time, which is why the ratios are not quite sqrt(k). Where few ",
      "pairs are measured twice, seen noise is somewhat below what is stated, in single fits as ",
      "well: pairs that noise makes look strong are measured again, and the others keep the large ",
      "variance."
    ),
    paste0(
      "Sites with different rows and epsilon, pooled by records and by precision, and the best of ",
      "the sites alone. Skeleton F1, and the root mean square distance of the contrasts of all ",
      "pairs from the population (noise and sampling). Means of ", runs, " cohorts."
    ),
    paste0(
      "`heterogeneity()` on random networks of 6 to 12 variables, ", 10L * runs, " for each line. ",
      "`changed` is the part of one node's conditional table that another draw replaces in one of ",
      "the sites; 0: all sites are alike, and everything that is found is a false alarm. ",
      "`p < 0.05`: share of all tests before Holm's adjustment; the other columns are shares of ",
      "networks with an adjusted p-value below 0.05: for any edge, other pair, variable; for an edge between ",
      "the changed node and one of its parents; for the node's own levels; and for what neither ",
      "the node nor anything below it is part of (false alarms)."
    )
  )
  part <- unlist(Map(function(table, note) c(report_part(table, note), ""), tables, notes))
  replace_section("bench/results.md", heading, utils::head(part, -1L))
} else {
  result <- switch(what,
    sites = bench_sites(repetitions(10L)), weights = bench_weights(repetitions(10L)),
    heterogeneity = bench_heterogeneity(repetitions(100L)), stop("sites, weights or heterogeneity?")
  )
  print(result, digits = 3, row.names = FALSE)
}
