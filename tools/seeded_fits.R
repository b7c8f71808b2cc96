# Fingerprints of several hundred seeded fits: all learners, tests, sizes, threads, sub-samples,
# knowledge, parameters, and the single tests. A change that is meant to leave behaviour alone
# leaves every one of them alone:
#
#   Rscript tools/seeded_fits.R write FILE     with the package as it was
#   Rscript tools/seeded_fits.R compare FILE   with the package as it is: stops at a difference
#   Rscript tools/seeded_fits.R graphs FILE    compares graphs, separations and ledgers only, and
#                                              noisy numbers to 1e-10: for other arithmetic
library(privpc)
options(privpc.advice = FALSE)

quietly <- function(code) suppressWarnings(suppressMessages(code))

# Of a fit: what decides, and the numbers that were measured or computed.
parts_of <- function(result) {
  if (inherits(result, "privpc")) {
    plain <- unclass(result)
    list(
      graph = plain[c("amat", "skeleton", "sepsets", "nodes")],
      ledger = plain$ledger,
      privacy = plain$privacy[sort(names(plain$privacy))],
      settings = plain$settings[sort(names(plain$settings))],
      numbers = lapply(plain$measurements[c("tables", "families")], `[`, c("sets", "values", "variance"))
    )
  } else {
    list(numbers = unclass(result))
  }
}

fits <- list()
add <- function(name, code) {
  fits[[name]] <<- parts_of(quietly(code))
}

all_fits <- function() {
  for (name in c("cancer", "asia", "survey", "sachs")) {
    net <- network(name)
    for (n in c(500, 20000)) {
      data <- simulate(net, nsim = n, seed = 11)
      nodes <- net$nodes
      arc <- data.frame(from = nodes[[1L]], to = nodes[[2L]])
      id <- function(...) paste(name, n, ...)
      for (threads in 1:2) {
        for (test in c("g2", "chisq", "tau", "rho", "cmh")) {
          add(id("exact", test, threads), exact_pc(data, test = test, threads = threads))
        }
        add(id("exact knowledge", threads), exact_pc(data, blacklist = arc, threads = threads, alpha = 0.01))
      }
      for (seed in 1:4) {
        for (epsilon in c(0.3, 3)) {
          own <- function(...) id(..., seed, epsilon)
          add(own("marginal"), marginal_pc(data, epsilon = epsilon, seed = seed, threads = 1 + seed %% 2))
          add(own("marginal parameters"), marginal_pc(data, epsilon = epsilon, seed = seed, parameters = TRUE))
          for (test in c("tau", "rho")) {
            for (delta in c(1e-6, 0)) {
              add(own("priv", test, delta), priv_pc(data, epsilon = epsilon, test = test, delta = delta, seed = seed))
              add(own("svt", test, delta), svt_pc(data, epsilon = epsilon, test = test, delta = delta, seed = seed))
              add(own("em", test, delta), em_pc(data, epsilon = epsilon, test = test, delta = delta, seed = seed, threads = 1 + seed %% 2))
            }
            add(own("sg", test), sg_pc(data, epsilon = epsilon, test = test, seed = seed))
          }
          if (seed <= 2) {
            add(own("priv part"), priv_pc(data, epsilon = epsilon, subsample = 0.5, seed = seed))
            add(own("sg part"), sg_pc(data, epsilon = epsilon, subsample = 0.5, seed = seed))
            for (test in c("g2", "chisq")) {
              add(own("priv", test), priv_pc(data, epsilon = epsilon, test = test, seed = seed))
              add(own("em", test), em_pc(data, epsilon = epsilon, test = test, seed = seed))
            }
            add(own("svt g2"), svt_pc(data, epsilon = epsilon, test = "g2", seed = seed))
            add(own("sg g2"), sg_pc(data, epsilon = epsilon, test = "g2", seed = seed))
            add(own("priv knowledge"), priv_pc(data, epsilon = epsilon, blacklist = arc, seed = seed))
            add(own("marginal knowledge"), marginal_pc(data, epsilon = epsilon, whitelist = arc, seed = seed))
            for (test in c("tau", "rho", "g2", "chisq", "cmh")) {
              add(own("test", test), private_test(data, nodes[[1L]], nodes[[2L]], nodes[[3L]], test = test, epsilon = epsilon, seed = seed)[c("statistic", "p.value")])
            }
          }
        }
      }
      fit <- quietly(marginal_pc(data, epsilon = 1, seed = 5))
      add(id("relearn"), relearn(fit, alpha = 0.2, blacklist = arc))
      set.seed(3)
      add(id("strength"), as.list(edge_strength(fit, draws = 20, progress = FALSE)))
      add(id("retest"), retest(fit, nodes[[1L]], nodes[[2L]])[c("statistic", "p.value", "estimate")])
      add(id("measured"), as.list(measured(fit, nodes[1:2])))
      add(id("network"), as_network(fit)$probabilities)
      for (test in c("g2", "chisq", "tau", "rho", "cmh")) {
        ask <- get(paste0("cond_", test))
        add(id("cond", test), ask(data, nodes[[1L]], nodes[[2L]], nodes[[3L]])[c("statistic", "p.value")])
      }
    }
  }
  # Numbers, at full resolution and in bins.
  set.seed(4)
  x <- stats::rnorm(3000)
  people <- data.frame(
    x = x, y = x + stats::rnorm(3000), z = stats::rnorm(3000),
    g = factor(x > 0.2, levels = c(FALSE, TRUE))
  )
  cuts <- list(x = c(-4, -1, 0, 1, 4), y = c(-5, -1, 1, 5), z = c(-4, 0, 4))
  for (seed in 1:3) {
    for (test in c("tau", "rho")) {
      add(paste("numbers exact", test, seed), exact_pc(people, test = test, breaks = cuts, threads = seed))
      add(paste("numbers priv", test, seed), priv_pc(people, epsilon = 2, test = test, breaks = cuts, seed = seed))
      add(paste("numbers em", test, seed), em_pc(people, epsilon = 2, test = test, breaks = cuts, seed = seed))
      add(paste("numbers priv part", test, seed), priv_pc(people, epsilon = 2, test = test, breaks = cuts, subsample = 0.5, seed = seed))
    }
    add(paste("numbers marginal", seed), marginal_pc(people, epsilon = 1, breaks = cuts, seed = seed))
    add(paste("numbers breaks", seed), as.list(private_breaks(people, c("x", "y"), epsilon = 1, bounds = list(x = c(-4, 4), y = c(-5, 5)), seed = seed)))
  }
  fits
}

decisions <- function(fit) fit[c("graph", "ledger", "privacy", "settings")]

arguments <- commandArgs(TRUE)
made <- all_fits()
if (arguments[[1L]] == "write") {
  saveRDS(made, arguments[[2L]])
  cat(length(made), "fits written\n")
} else {
  before <- readRDS(arguments[[2L]])
  stopifnot(identical(names(before), names(made)))
  same <- if (arguments[[1L]] == "compare") {
    mapply(identical, before, made)
  } else {
    mapply(function(a, b) {
      identical(decisions(a), decisions(b)) &&
        isTRUE(all.equal(a$numbers, b$numbers, tolerance = 1e-10))
    }, before, made)
  }
  cat(sum(same), "of", length(same), "fits are the same\n")
  if (!all(same)) {
    cat(utils::head(names(made)[!same], 20L), sep = "\n")
    quit(status = 1L)
  }
}
