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
#' **The tables.** The pairs of a variable with its parents come from all that was measured: they
#' are those under which the DAG explains all measured pairs best (weighted least squares; the pair
#' at the ends of a path tells of every arc on it). Negative shares are removed by taking the
#' nearest table of probabilities. An interaction that was not measured is taken as none on the log
#' scale (iterative proportional fitting of the tables that are known), and a message says which.
#' `marginal_pc(..., parameters = TRUE)` sets budget aside to measure what is needed for the
#' default DAG: interactions of up to four variables in each family (of three in families of more
#' than seven, and pairs only from thirteen on; more would be lost in the noise).
#' Tables of more than 5000 cells are filled from pairs alone. A table of more than 100,000 cells,
#' or with more than nine parents, has fewer parents: those with the weakest pairs are left out of
#' the network, with a message.
#' What three and more variables show beyond their pairs is drawn towards nothing as far as it could
#' be noise, so that the network agrees with the measured pairs.
#'
#' **Rare combinations of parents.** `prior` imaginary records are added to each combination,
#' distributed as the measured pairs predict (each parent acting by itself), and those in turn are
#' drawn towards the overall distribution by `prior` imaginary records for each level of a parent.
#' By default there are as many as the standard deviation of the noise in the number of records, and
#' one at least: where there is nothing but noise the answer is the overall distribution, and where
#' there are many records they hardly count. Half a record more, spread over all levels, keeps every
#' probability above 0: what noise took away is rare rather than impossible.
#'
#' **Networks of bnlearn.** `as_network()` also takes a `"bn.fit"` of bnlearn with discrete
#' variables, ordinal or not, and gives it back as a network of this package with the same graph and
#' probabilities, for [simulate()][simulate.privpc_network], [plan_study()] and
#' [evaluate_learners()]. What it says about people is what the `"bn.fit"` says: fitted to raw
#' records, it is not private.
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
#'   bnlearn. From a fit that is not private (a `seed`), both carry a mark, see
#'   [fits][privpc-class].
#' @references
#' Dor, D. and Tarsi, M. (1992). A simple algorithm to construct a consistent extension of a
#' partially oriented graph. Technical report R-185, Cognitive Systems Laboratory, UCLA.
#'
#' Browne, M. W. (1984). Asymptotically distribution-free methods for the analysis of covariance
#' structures. *British Journal of Mathematical and Statistical Psychology*, 37(1), 62--83.
#' @seealso [measured()] for the tables as they were measured; [effect()].
#' @examples
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1, parameters = TRUE)
#'
#' # Private synthetic data in two lines
#' net <- as_network(fit)
#' synthetic <- simulate(net, nsim = 1000, seed = 1, balanced = TRUE)
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
  pairs <- measured_pairs(held)
  parents <- lapply(stats::setNames(nodes, nodes), function(node) parents_of(graph, node))
  parents <- parents_with_room(parents, held, pairs)
  implied <- joint_pairs(pairs, lapply(parents[held$nodes], match, held$nodes))
  levels <- stats::setNames(held$levels, held$nodes)[nodes]
  missing <- character()
  pairs_only <- character()
  probabilities <- lapply(stats::setNames(nodes, nodes), function(node) {
    family <- c(node, parents[[node]])
    at <- match(family, held$nodes)
    check_arcs_measured(family, at, pairs, call)
    simple <- pairwise_cells(pairs, implied, at)
    if (length(simple) <= core_limits$most_cells) {
      table <- noisy_table(held, at, call)
      missing <<- c(missing, missing_labels(table, family))
      cells <- denoised_cells(table, simple)
    } else {
      pairs_only <<- c(pairs_only, node)
      table <- pairs_as_table(pairs, at, held)
      cells <- simple
    }
    given_parents <- conditional_table(cells, simple, held$n, prior, function(set) {
      held$n * margin_noise(table, set)
    })
    dimnames(given_parents) <- levels[family]
    given_parents
  })
  say_no_interaction(missing, x)
  say_pairs_only(pairs_only)
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
as_bn_fit.privpc <- function(x, ..., dag = NULL, prior = NULL) { # nolint: object_name_linter.
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
