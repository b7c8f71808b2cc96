# exact_pc() against bnlearn's pc.stable and pcalg's pc on the same rows, the same test, the same
# level and the same cap. A ratio counts only if the skeletons are the same, so that is checked.

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
    row <- data.frame(
      network = name, variables = length(data), tests = sum(fit$settings$tests),
      `privpc ms` = cpu_time(ours), check.names = FALSE
    )
    if (requireNamespace("bnlearn", quietly = TRUE)) {
      peer <- function() {
        bnlearn::pc.stable(plain, test = "mi", alpha = alpha, max.sx = max_order, undirected = TRUE)
      }
      same_skeleton(fit, bnlearn::amat(peer()), name)
      row$`bnlearn ms` <- cpu_time(peer, rounds = 3)
      row$`times bnlearn` <- row$`bnlearn ms` / row$`privpc ms`
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
