#' A private network with probabilities
#'
#' `as_network()` fills a graph learnt by [marginal_pc()] with the probabilities of each
#' variable given its parents. `as_bn_fit()` does the same and hands the result to bnlearn, for
#' queries, predictions and sampling. Both compute from the noisy tables that the fit holds and
#' cost no budget; data drawn from the network of a private fit are private synthetic data.
#'
#' @details
#' **The DAG.** Probabilities need a DAG. A learnt graph may leave directions open; all DAGs that
#' it stands for describe the same distribution. Unless you give one, the directions are added by a
#' fixed rule: nodes are taken away one after the other, each time the first one in alphabetical
#' order that could be the effect of all its undirected neighbours (Dor and Tarsi 1992). Directions
#' that are added by it mean nothing for causes.
#'
#' **The tables.** The table of a variable with its parents is put together from the measured
#' contrasts. Negative shares are removed by taking the nearest table of probabilities. An
#' interaction that was not measured is taken as none on the log scale (iterative proportional
#' fitting of the tables that were measured), and a message says which.
#' `marginal_pc(..., parameters = TRUE)` sets budget aside to measure what is needed for the
#' default DAG: interactions of up to four variables in each family (of three in families of more
#' than seven, and pairs only from thirteen on; more would be lost in the noise).
#' What three and more variables show beyond their pairs is drawn towards nothing as far as it could
#' be noise, so that the network agrees with the measured pairs.
#'
#' **Rare combinations of parents.** `prior` imaginary records are added to each combination,
#' distributed as the measured pairs predict (each parent acting by itself), and those in turn are
#' drawn towards the overall distribution by `prior` imaginary records for each level of a parent. By
#' default there are as many as the standard deviation of the noise in the number of records, and
#' one at least: where there is nothing but noise the answer is the overall distribution, and where
#' there are many records they hardly count.
#'
#' **Networks of bnlearn.** `as_network()` also takes a `"bn.fit"` of bnlearn with discrete variables,
#' ordinal or not, and gives it back as a network of this package with the same graph and
#' probabilities, for [simulate()][simulate.privpc_network], [plan_study()] and
#' [evaluate_learners()]. What it says about people is what the `"bn.fit"` says: fitted to raw records,
#' it is not private.
#'
#' @param x A fit of [marginal_pc()] with its measurements; for `as_network()` also a `"bn.fit"` of
#'   bnlearn.
#' @param ... Must be empty.
#' @param dag A DAG of the same variables, in any form that [as_bn()] takes; `NULL` for one of the
#'   class that the fit stands for.
#' @param prior Number of imaginary records per combination of parents; `NULL` for the rule
#'   under *Rare combinations of parents*.
#' @return `as_network()`: an object of class `"privpc_network"`, see [network()], for
#'   [simulate()][simulate.privpc_network] and [as_bn_fit()]. `as_bn_fit()`: a `"bn.fit"` of
#'   bnlearn. From a fit that is not private (a `seed`), both carry a mark, see [fits][privpc-class].
#' @references
#' Dor, D. and Tarsi, M. (1992). A simple algorithm to construct a consistent extension of a
#' partially oriented graph. Technical report R-185, Cognitive Systems Laboratory, UCLA.
#' @seealso [measured()] for the tables as they were measured; [effect()].
#' @examples
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1, parameters = TRUE)
#'
#' # Private synthetic data in two lines
#' net <- as_network(fit)
#' synthetic <- simulate(net, nsim = 1000, seed = 1)
#' head(synthetic)
#'
#' # A private answer: how common is bronchitis among smokers?
#' net$probabilities$bronc
#'
#' # And a query in bnlearn
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   inference <- as_bn_fit(fit)
#'   set.seed(1)
#'   bnlearn::cpquery(inference, event = lung == "yes", evidence = xray == "yes")
#' }
#' @export
as_network <- function(x, ..., dag = NULL, prior = NULL) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  if (inherits(x, "bn.fit")) {
    check_nothing_to_fill(dag, prior, call)
    return(network_of_bn_fit(x, call))
  }
  held <- opened(check_measurements(x, call, arg = "x"), call)
  if (!is.null(prior)) check_number(prior, min = 0, max = 1e12, call = call)
  graph <- if (is.null(dag)) {
    check_extended(extend_by_name(edge_matrix(x)), call)
  } else {
    check_dag(named_adjacency_of(dag, "dag", call), x$nodes, call)
  }
  nodes <- x$nodes
  parents <- lapply(stats::setNames(nodes, nodes), function(node) parents_of(graph, node))
  levels <- stats::setNames(held$levels, held$nodes)[nodes]
  missing <- character()
  probabilities <- lapply(stats::setNames(nodes, nodes), function(node) {
    family <- c(node, parents[[node]])
    check_family(family, call)
    table <- noisy_table(held, match(family, held$nodes), call)
    with_child <- vapply(table$missing, function(set) 1L %in% set, NA)
    check_pairs_measured(list(missing = table$missing[with_child]), family, call)
    missing <<- c(missing, missing_labels(table, family))
    given_parents <- conditional_table(table, prior)
    dimnames(given_parents) <- levels[family]
    given_parents
  })
  say_no_interaction(missing, x)
  network <- structure(
    list(
      name = paste("learnt by", x$learner), nodes = nodes, levels = levels,
      ordered = ordered_nodes(held, nodes), parents = parents, probabilities = probabilities,
      reference = NULL
    ),
    class = "privpc_network"
  )
  marked(network, mark_of(x, dag))
}

#' @rdname as_network
#' @export
as_bn_fit.privpc <- function(x, ..., dag = NULL, prior = NULL) {
  check_suggested("bnlearn", "to make an object of class bn.fit")
  as_bn_fit(as_network(x, ..., dag = dag, prior = prior))
}

check_nothing_to_fill <- function(dag, prior, call) {
  given <- c("dag", "prior")[!c(is.null(dag), is.null(prior))]
  if (length(given) == 0L) return(invisible())
  abort(c(
    "{.arg {given}} {?is/are} for fits.",
    x = "{.arg x} is a {.cls bn.fit}, which has its DAG and its probabilities."
  ), call = call)
}

# Which variables are ordinal, as far as the fit knows.
ordered_nodes <- function(held, nodes = held$nodes) {
  ordered <- if (is.null(held$ordered)) rep(FALSE, length(held$nodes)) else held$ordered
  stats::setNames(ordered[match(nodes, held$nodes)], nodes)
}

# The DAG whose families `parameters = TRUE` measures: by name, whatever the order of the columns.
extend_by_name <- function(graph) {
  sorted <- order(rownames(graph), method = "radix")
  dag <- cpp_extend_to_dag(graph[sorted, sorted, drop = FALSE], seq_along(sorted))
  if (is.null(dag)) return(NULL)
  dag[rownames(graph), rownames(graph), drop = FALSE]
}

check_extended <- function(dag, call) {
  if (!is.null(dag)) return(dag)
  abort(c("The fit is damaged.", x = "Its graph has a directed cycle."), call = call)
}

check_dag <- function(graph, nodes, call) {
  if (!setequal(rownames(graph), nodes)) {
    odd <- c(setdiff(nodes, rownames(graph)), setdiff(rownames(graph), nodes))
    abort(c(
      "{.arg dag} must have the variables of the fit.",
      x = "{.val {odd}} {?is/are} in one of them only."
    ), call = call)
  }
  if (any(is_undirected(graph)) || !cpp_is_acyclic(graph)) {
    abort(c(
      "{.arg dag} must be a directed acyclic graph.",
      x = if (any(is_undirected(graph))) "It has undirected edges." else "It has a directed cycle."
    ), call = call)
  }
  graph[nodes, nodes, drop = FALSE]
}

check_family <- function(family, call) {
  if (length(family) <= 10L) return(invisible())
  abort(c(
    "A variable can have at most nine parents here.",
    x = "{.val {family[[1L]]}} has {length(family) - 1L}.",
    i = "Learn a sparser graph, as with {.code relearn(fit, alpha = 0.001)}, or give a {.arg dag}."
  ), call = call)
}

# The first variable given the others, one column per combination of these.
conditional_table <- function(table, prior = NULL) {
  n <- table$n
  simple <- pairwise_cells(table)
  cells <- denoised_cells(table, simple)
  own <- apply(cells, 1L, sum)
  if (length(table$levels) == 1L) return(array(own / sum(own), table$levels))
  others <- seq_along(table$levels)[-1L]
  # With no imaginary records at all, an empty combination still needs an answer.
  records <- function(set) {
    if (is.null(prior)) max(1, n * margin_noise(table, set)) else max(prior, 1e-9)
  }
  # How far the pairs are to be trusted: as far as the pair with the rarest of the levels is.
  trust <- lapply(others, function(parent) {
    count <- n * apply(simple, parent, sum)
    count / (count + records(parent))
  })
  trust <- as.vector(Reduce(function(a, b) outer(a, b, pmin), trust))
  expected <- n * matrix(simple, length(own)) + 1e-9 * own
  likely <- sweep(expected, 2L, trust / colSums(expected), `*`) + outer(own, 1 - trust)
  flat <- n * matrix(cells, length(own)) + records(others) * likely
  array(sweep(flat, 2L, colSums(flat), `/`), table$levels)
}

# The table of largest entropy with the pairs that were measured.
pairwise_cells <- function(table) {
  pairs <- table
  pairs$margins <- maximal_sets(Filter(function(set) length(set) <= 2L, table$sets))
  array(fitted_cells(pairs, table$basis %*% table$value), table$levels)
}

# What three and more variables show beyond their pairs is interaction plus noise. With many parents
# most of it is noise, which would hide what the pairs tell.
denoised_cells <- function(table, simple) {
  explained <- as.vector(crossprod(table$basis, as.vector(simple)))
  value <- table$value
  for (k in which(lengths(table$sets) >= 3L)) {
    at <- which(table$belongs == k)
    value[at] <- drawn_towards(value[at], explained[at], table$variance[at[[1L]]])
  }
  array(fitted_cells(table, table$basis %*% value), table$levels)
}
