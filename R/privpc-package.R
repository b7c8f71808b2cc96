#' @description
#' Causal graphs from records that may not be shown.
#'
#' * **Learn a graph:** [exact_pc()] (not private; the private learners are not in this
#'   version), [cond_tau()] and the other tests.
#' * **Look at it and hand it on:** [print, summary][privpc-class], [plot][plot.privpc],
#'   [as_bn()], [igraph][as.igraph.privpc], [as_dagitty()], [compare_graphs()].
#' * **Networks and data:** [networks()], [network()], [read_bif()],
#'   [simulate][simulate.privpc_network].
#' * **Release statistics privately:** [privacy_budget()], [laplace_mechanism()],
#'   [gaussian_mechanism()], [exponential_mechanism()], [sparse_vector()],
#'   [sieve_and_examine()], [private_median()]; [rho_from_dp()] and its relatives for
#'   accounting.
#' * **Distrust:** [audit_privacy()].
#'
#' The vignette `algorithms` states every guarantee with its proof.
#' @keywords internal
#' @importFrom Rcpp evalCpp
#' @useDynLib privpc, .registration = TRUE
"_PACKAGE"
