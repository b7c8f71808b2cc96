#' The graph that enough repetitions agree on
#'
#' The edges that stand in enough of the graphs that [edge_strength()] draws, directed by what these
#' agree on. Two fits of the same people differ by their noise; their consensus graphs mostly differ
#' less, but not always. It costs no budget.
#'
#' An edge is kept if more than `threshold` of the graphs have it, or background knowledge
#' requires it. Two edges that meet in a node, with ends that are not joined, are taken as a
#' collider if more than half of the graphs say so, among those that have the two edges and not
#' the third. Then Meek's rules and the background knowledge of the fit direct what follows from
#' it. The result is a valid CPDAG, as of any learner.
#'
#' The time is that of [edge_strength()]: `draws` times about what learning the graph took.
#'
#' The default threshold was chosen on random networks of many shapes (`bench/consensus.R`), for the
#' skeleton's F1 against the true one. A larger one keeps fewer edges, which are surer.
#'
#' @inheritParams edge_strength
#' @param threshold Share of the graphs, from 0 to below 1, that an edge must be in more than;
#'   `NULL` for `r consensus_threshold`.
#' @return A fit like `fit` ([fits][privpc-class]), with the consensus graph in place of its own,
#'   without separating sets, and with two further elements: `strength`, what `edge_strength()`
#'   returns, and `consensus`, a list of `threshold`, `draws` and `kind`. Privacy, ledger and
#'   measurements are unchanged. `plot(..., strength = TRUE)` shows these strengths; [relearn()]
#'   gives a plain fit again.
#' @seealso [edge_strength()]
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 0.5)
#' agreed <- consensus(fit, draws = 100)
#' agreed
#' compare_graphs(fit, network("asia"))
#' compare_graphs(agreed, network("asia"))
#' @export
consensus <- function(fit, threshold = NULL, draws = 200, kind = c("noise", "sampling"),
                      threads = getOption("privpc.threads", 2L), progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  if (is.null(threshold)) threshold <- consensus_threshold
  check_number(threshold, min = 0, max = 1, max_open = TRUE)
  kind <- check_choice(kind, c("noise", "sampling"), call = call)
  replayed <- replay_fit(fit, draws, kind, threads, progress, call)
  found <- with_mechanism(call, cpp_consensus(
    replayed$graphs, threshold, rownames(replayed$edges), fit$nodes, replayed$knowledge$required,
    replayed$knowledge$forbidden
  ))
  out <- new_fit(
    found, learner = fit$learner, privacy = fit$privacy, ledger = fit$ledger,
    settings = fit$settings, call = fit$call
  )
  out$measurements <- fit$measurements
  out <- with_sites(out, fit)
  out$consensus <- list(threshold = as.double(threshold), draws = draws, kind = kind)
  out$strength <- new_strength(replayed, out)
  out
}

# Chosen by bench/consensus.R.
consensus_threshold <- 0.4

# How a fit was made, as in: causal graph learnt by marginal_pc().
origin_text <- function(x) {
  agreed <- x$consensus
  if (is.null(agreed)) {
    of_sites <- if (is_pooled(x)) {
      paste0(" from the noisy tables of ", counted(nrow(x$sites), "site"))
    }
    return(paste0("causal graph learnt by ", x$learner, "()", of_sites))
  }
  paste0(
    "consensus of ", agreed$draws, " graphs by ", x$learner, "(), ",
    switch(agreed$kind, noise = "the same people measured again", "of other people"),
    "\nedges in more than ", format(100 * agreed$threshold), " % of them"
  )
}
