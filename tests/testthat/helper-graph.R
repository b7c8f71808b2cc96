# Graphs by hand: graph_of("a -> b", "b -- c", nodes = c("a", "b", "c", "d")).
graph_of <- function(..., nodes = NULL) {
  parts <- strsplit(c(...), " ")
  from <- vapply(parts, `[`, "", 1L)
  to <- vapply(parts, `[`, "", 3L)
  undirected <- vapply(parts, `[`, "", 2L) == "--"
  nodes <- if (is.null(nodes)) sort(unique(c(from, to)), method = "radix") else nodes
  amat <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  amat[cbind(from, to)] <- 1L
  amat[cbind(to, from)[undirected, , drop = FALSE]] <- 1L
  amat
}

no_arcs <- matrix(0L, 0L, 2L)

cpdag_of <- function(dag) cpp_dag_to_cpdag(dag, no_arcs, no_arcs)

random_dag <- function(n, degree, names = paste0("v", seq_len(n))) {
  order <- sample(n)
  amat <- matrix(0L, n, n, dimnames = list(names, names))
  later <- upper.tri(amat)
  amat[later] <- as.integer(stats::runif(sum(later)) < degree / (n - 1))
  amat[order, order] <- amat
  amat
}

# A fit without data, for methods that only look at the graph.
fit_of <- function(amat, sepsets = NULL, ...) {
  if (is.null(sepsets)) {
    sepsets <- data.frame(x = character(), y = character())
    sepsets$given <- list()
  }
  storage.mode(amat) <- "integer"
  fit <- list(
    amat = amat, skeleton = pmax(amat, t(amat)), sepsets = sepsets, nodes = rownames(amat),
    learner = "exact_pc", privacy = not_private(), ledger = empty_ledger(),
    settings = list(test = "g2", alpha = 0.05, max_order = Inf, n = 5000L), call = NULL
  )
  given <- list(...)
  fit[names(given)] <- given
  structure(fit, class = "privpc")
}

with_seed <- function(seed, code) {
  old <- if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv())
  on.exit(if (!is.null(old)) assign(".Random.seed", old, envir = globalenv()))
  set.seed(seed)
  code
}
