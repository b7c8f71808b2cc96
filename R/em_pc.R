#' Private causal discovery by the exponential mechanism
#'
#' The PC algorithm in which edges leave by private choice: in every order one choice says how many
#' edges are to go, and as many choices say which edge and which separating set. Of the
#' paper's learners it is the most accurate.
#'
#' @details
#' Xu, Yuan and Wu (2017) choose for each node how many and which neighbours to drop. Here
#' * the score of a separating set is the margin of [priv_pc()], which one record moves by at most
#'   1 (the published score has no such bound);
#' * the separating set, which is data too, is chosen privately, together with the edge;
#' * how many edges go is chosen for the graph as a whole by how far scores would have to move for
#'   another number to be right;
#' * a choice costs epsilon^2/8 in zero-concentrated privacy, a quarter of what a general step of
#'   the same epsilon costs (Cesar and Rogers, 2021).
#'
#' All separating sets of an order are scored before the first choice, so `em_pc()` takes longer
#' than [priv_pc()] where many edges remain. With `delta = 0` choices are made by permute-and-flip.
#'
#' @inheritParams priv_pc
#' @inherit priv_pc return
#' @references
#' Xu, D., Yuan, S. and Wu, X. (2017). Differential privacy preserving causal graph discovery.
#' *IEEE Symposium on Privacy-Aware Computing*, 60-71.
#'
#' Cesar, M. and Rogers, R. (2021). Bounding, concentrating, and truncating: unifying privacy loss
#' composition for data analytics. *Algorithmic Learning Theory*, 421-457.
#' @seealso [exponential_mechanism()] for the mechanism on your own scores.
#' @examples
#' cohort <- simulate(network("earthquake"), nsim = 100000, seed = 1)
#' fit <- em_pc(cohort, epsilon = 1)
#' fit
#' compare_graphs(fit, network("earthquake"))
#'
#' # What each choice was about
#' privacy_ledger(fit)
#' @export
em_pc <- function(data, epsilon, delta = NULL, threshold = NULL,
                  test = c("tau", "rho", "g2", "chisq"), max_order = NULL, whitelist = NULL,
                  blacklist = NULL, tiers = NULL, na = "error", breaks = NULL, bounds = NULL,
                  levels = NULL, other = "error", id = NULL, first_by = NULL,
                  sensitivity = c("proven", "paper"), threads = getOption("privpc.threads", 2L),
                  progress = interactive(), budget = NULL, seed = NULL, ...) {
  check_quoted(c("id", "first_by"), rlang::current_env())
  args <- as.list(environment())
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_epsilon(epsilon, call)
  learn_privately("em_pc", args, call, match.call())
}
