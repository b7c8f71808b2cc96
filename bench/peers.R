# exact_pc() against bnlearn's pc.stable and pcalg's pc on the same rows, the same test, the same
# level and the same cap. A ratio counts only if the skeletons are the same, so that is checked.

# bnlearn's tests for discrete data that are also here. Its Jonckheere-Terpstra test ("jt") wants
# all variables ordered; it and Kendall's tau order the same pairs, but estimate the variance
# differently, so skeletons may differ and the row says so.
compare_tests <- function(rows, alpha = 0.01, max_order = 3) {
  theirs <- c(g2 = "mi", chisq = "x2", tau = "jt")
  results <- lapply(c("asia", "sachs"), function(name) {
    data <- simulate(network(name), nsim = rows, seed = 1)
    ordinal <- data
    ordinal[] <- lapply(data, function(x) factor(as.character(x), levels(x), ordered = TRUE))
    nominal <- data
    nominal[] <- lapply(data, function(x) factor(as.character(x), levels(x)))
    do.call(rbind, lapply(names(theirs), function(test) {
      seen <- if (test == "tau") ordinal else nominal
      ours <- function() {
        suppressMessages(exact_pc(
          seen, test, alpha, max_order = max_order, threads = 1, progress = FALSE
        ))
      }
      peer <- function() {
        bnlearn_graph(seen, theirs[[test]], alpha, max_order)
      }
      fit <- ours()
      skeleton <- bnlearn::amat(bnlearn_graph(seen, theirs[[test]], alpha, max_order, TRUE))
      differing <- sum(skeleton[fit$nodes, fit$nodes] != fit$skeleton) / 2
      times <- cpu_times(list(ours = ours, peer = peer))
      data.frame(
        network = name, test = test, `bnlearn's name` = theirs[[test]],
        `edges that differ` = as.character(differing), `privpc ms` = stats::median(times[, "ours"]),
        `bnlearn ms` = stats::median(times[, "peer"]),
        `times bnlearn` = times_as_long(times)[["peer"]], check.names = FALSE
      )
    }))
  })
  do.call(rbind, results)
}

# Its directions come with warnings about v-structures that contradict each other.
bnlearn_graph <- function(data, test, alpha, max_order, undirected = FALSE) {
  suppressWarnings(bnlearn::pc.stable(
    data, test = test, alpha = alpha, max.sx = max_order, undirected = undirected
  ))
}

compare_with_peers <- function(rows, alpha = 0.01, max_order = 3) {
  results <- lapply(networks()$name, function(name) {
    data <- simulate(network(name), nsim = rows, seed = 1)
    # bnlearn silently changes its test when all columns are ordered.
    plain <- data
    plain[] <- lapply(data, function(x) factor(as.character(x), levels = levels(x)))
    ours <- function() {
      suppressMessages(
        exact_pc(data, "g2", alpha, max_order = max_order, threads = 1, progress = FALSE)
      )
    }
    fit <- ours()
    runs <- list(ours = ours)
    if (requireNamespace("bnlearn", quietly = TRUE)) {
      runs$graph <- function() bnlearn_graph(plain, "mi", alpha, max_order)
      runs$skeleton <- function() bnlearn_graph(plain, "mi", alpha, max_order, undirected = TRUE)
      same_skeleton(fit, bnlearn::amat(runs$skeleton()), name)
    }
    times <- cpu_times(runs, rounds = if (length(data) > 15) 3 else 9)
    longer <- times_as_long(times)
    row <- data.frame(
      network = name, variables = length(data), tests = sum(fit$settings$tests),
      `privpc ms` = stats::median(times[, "ours"]), check.names = FALSE
    )
    if (length(runs) > 1) {
      row$`bnlearn ms` <- stats::median(times[, "graph"])
      row$`times bnlearn` <- longer[["graph"]]
      row$`times its skeleton alone` <- longer[["skeleton"]]
    }
    if (requireNamespace("pcalg", quietly = TRUE) && length(data) <= 11) {
      row$`times pcalg` <- time_pcalg(fit, data, alpha, max_order) / row$`privpc ms`
    } else {
      row$`times pcalg` <- NA_real_
    }
    cat(" ", name, "done\n")
    row
  })
  do.call(rbind, results)
}

same_skeleton <- function(fit, amat, name) {
  amat <- amat[fit$nodes, fit$nodes]
  if (!identical(unname(amat != 0), unname(fit$skeleton != 0))) {
    stop("skeletons differ on ", name, ": the comparison would not be fair")
  }
}

# pcalg wants zero-based integer codes and its own list of facts. It is slow, so once is enough.
time_pcalg <- function(fit, data, alpha, max_order) {
  codes <- as.data.frame(lapply(data, function(x) as.integer(x) - 1L))
  facts <- list(dm = codes, nlev = vapply(data, nlevels, 0L), adaptDF = FALSE)
  start <- cpu_seconds()
  suppressWarnings(pcalg::skeleton(
    facts, indepTest = pcalg::disCItest, alpha = alpha, labels = names(data), m.max = max_order,
    method = "stable"
  ))
  1000 * (cpu_seconds() - start)
}
