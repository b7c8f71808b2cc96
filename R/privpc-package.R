#' @description
#' Causal graphs from records that may not be shown: `marginal_pc(cohort, epsilon = 1)` learns a
#' graph that can be published. Below are all functions, by task. The vignettes go through them:
#' `vignette("privpc")` from a cohort to a publishable graph, `vignette("planning")` for how large
#' a study must be, `vignette("budget")` for epsilon and delta, `vignette("databases")` for
#' records in data bases and files, `vignette("hidden")` for causes that were not measured,
#' `vignette("hospitals")` for several sites,
#' `vignette("bnlearn")` for bnlearn, igraph and dagitty,
#' `vignette("paper")` for how good the learners are, `vignette("algorithms")` for every guarantee
#' with its proof.
#'
#' @section Learn a private graph:
#' * [marginal_pc()] measures noisy tables, then compares whole graphs with them. Take it first:
#'   it is the most accurate, for nominal and ordered variables.
#' * [em_pc()] chooses by the exponential mechanism: the best of the methods of Wang, Pang and
#'   Song (2020), for ordered variables; `delta = 0` is possible.
#' * [priv_pc()] is their algorithm, rounds of sieve-and-examine: for numeric columns at full
#'   resolution and for comparisons; `delta = 0` is possible.
#' * [svt_pc()] (sparse vector) and [sg_pc()] (Gaussian noise on every test) are for comparisons.
#' * [private_test()] is a single private test.
#'
#' What comes out is a [fit][privpc-class], to be printed, summarised and handed on.
#'
#' @section Declare what is public:
#' * [tiers()] says what came before what; `whitelist` and `blacklist` of the learners decide
#'   single arcs.
#' * [private_breaks()] pays for cut points of numbers. Those that are known, and levels, are
#'   arguments of the learners: `breaks`, `bounds`, `levels`, `other`, `na`.
#' * [several_records]: whose record it is, for a promise to persons (`id`, `first_by`).
#' * [tables_in_engines] and [read_chunks()]: records that stay in a data base, and files in
#'   parts.
#'
#' @section Several hospitals, several years:
#' * [pool_fits()]: one graph from the fits of several sites, each of which kept its records to
#'   itself. [heterogeneity()]: do the sites differ?
#'
#' @section Ask a fit more, at no cost:
#' From what [marginal_pc()] measured:
#' * [edge_strength()]: how sure is each edge? [consensus()]: the graph that repetitions agree on;
#'   [as_bn_strength()] for bnlearn.
#' * [explain()]: why an edge, or none? [contradictions()]: where graph and tables disagree.
#' * [measured()]: noisy tables with standard errors. [retest()]: any hypothesis. [relearn()]:
#'   another graph.
#' * [effect()]: what an exposure does to an outcome.
#' * [Graphs with hidden common causes][privpc_pag], by `relearn(fit, hidden = TRUE)`, and [their
#'   pictures][plot.privpc_pag]: what if a cause was not recorded?
#' * [as_network()], [as_bn_fit()]: the graph with private probabilities, for queries and for
#'   [synthetic records][simulate.privpc_network].
#'
#' @section Show, report and hand it on:
#' * [plot][plot.privpc] and [autoplot][autoplot.privpc]; [report()], the sentences for a methods
#'   section; [publish()], all of it as one page.
#' * [as_bn()], [igraph][as.igraph.privpc], [as_dagitty()], `as.matrix()`, `as.data.frame()`.
#' * [bin_like()]: raw rows as the fit saw them (what is computed from these is not private).
#'
#' @section Plan a study:
#' * [plan_study()] and [its picture][plot.privpc_plan]: the smallest effect that is found, by
#'   records and epsilon, and rehearsals on simulated records. [random_network()] makes networks
#'   for that.
#'
#' @section Budget and accounting:
#' * [privacy_budget()], in memory or in a file; [privacy_ledger()] and [its
#'   picture][plot.privpc_budget]: what was spent on what.
#' * [rho_from_dp()], [dp_from_rho()], [delta_from_rho()]: between the units.
#'   [advanced_composition()], [amplified_epsilon()], [epsilon_before_sampling()],
#'   [subsampled_gaussian_dp()], [subsampled_gaussian_sigma()].
#'
#' @section Release your own statistics:
#' * [laplace_mechanism()], [gaussian_mechanism()], [exponential_mechanism()], [sparse_vector()],
#'   [sieve_and_examine()], [private_median()].
#'
#' @section Distrust:
#' * [audit_privacy()] tries to refute a claim of privacy.
#'
#' @section Compare learners, and bounds of the paper:
#' * [evaluate_learners()], with [summary][summary.privpc_evaluation] and
#'   [plot][plot.privpc_evaluation]: the paper's experiment as one call. [compare_graphs()]:
#'   precision, recall, F1 and SHD.
#' * [error_bounds()], [subsample_size()], [kendall_threshold()], [spearman_threshold()]: the
#'   paper's bounds and formulas, corrected, for its own algorithms. They do not plan a study;
#'   [plan_study()] does.
#'
#' @section Without privacy:
#' * [exact_pc()], the same search on the data as they are; [cond_g2()], [cond_chisq()],
#'   [cond_tau()], [cond_rho()], [cond_cmh()], its tests.
#'
#' @section Networks and data:
#' * [networks()] and [network()]: seven benchmark networks. [read_bif()] reads others; [print and
#'   plot them][privpc_network], [draw records][simulate.privpc_network] from them. [network_pag()]:
#'   what can be known if some of their variables are hidden.
#'
#' @importFrom Rcpp evalCpp
#' @importFrom rlang .data
#' @useDynLib privpc, .registration = TRUE
"_PACKAGE"
