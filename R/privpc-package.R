#' @description
#' Causal graphs from records that may not be shown.
#'
#' * **Learn a graph privately:** [marginal_pc()], the most accurate; the learners of Wang, Pang
#'   and Song (2020), corrected: [priv_pc()], [em_pc()], [svt_pc()], [sg_pc()].
#' * **Ask a private fit more, at no cost:** [measured()], [retest()], [relearn()].
#' * **Without privacy, for comparison:** [exact_pc()], [cond_tau()] and the other tests.
#' * **Plan and test:** [private_test()], [subsample_size()], [error_bounds()],
#'   [kendall_threshold()].
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
#' @importFrom rlang .data
#' @useDynLib privpc, .registration = TRUE
"_PACKAGE"
