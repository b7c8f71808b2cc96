#' Private causal discovery by Gaussian noise on every test
#'
#' The PC algorithm in which every test gets its own Gaussian noise, on a sub-sample of the
#' rows if asked for: the paper's last baseline (SG). Unlike in [priv_pc()] every test costs, so it
#' falls behind as the number of variables grows.
#'
#' @details
#' Half of what is left goes to each order but the last, which gets all, divided equally among the
#' tests the order can have at most.
#'
#' With `subsample` below 1 the whole search runs on one random sub-sample. What is rho-zCDP on
#' the sub-sample is (epsilon, delta)-private on all rows for a larger rho than without sampling;
#' the conversion is that of Wang, Balle and Kasiviswanathan (2019) for sampling without
#' replacement and neighbours that differ by a replaced record. The column `rho` of the ledger is
#' then that of the sub-sample. Sampling saves time, not noise: relative to the signal the noise is
#' larger.
#'
#' There is no version with `delta = 0`: Gaussian noise has no pure guarantee. So a `budget` has to
#' have a delta. A fit on a sub-sample is known to be (epsilon, delta)-private only, not by a rho:
#' it takes epsilon tanh(epsilon / 2) and `delta` from a budget, which needs a `reserve` for the
#' latter.
#'
#' @inheritParams priv_pc
#' @param delta The probability with which the bound may fail, above 0. `NULL` for 1e-6, or 1/(10 n)
#'   from 100,000 rows on.
#' @param subsample The share of the rows (at most 1) or their number (above 1) that is used.
#' @inherit priv_pc return
#' @references
#' Wang, Y.-X., Balle, B. and Kasiviswanathan, S. (2019). Subsampled Renyi differential privacy
#' and analytical moments accountant. *AISTATS*, 1226-1235.
#' @seealso [gaussian_mechanism()] for the mechanism on your own statistics.
#' @examples
#' cohort <- simulate(network("survey"), nsim = 100000, seed = 1)
#' fit <- sg_pc(cohort, epsilon = 1)
#' fit
#' compare_graphs(fit, network("survey"))
#' @export
sg_pc <- function(data, epsilon, delta = NULL, threshold = NULL, subsample = 1,
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
  learn_privately("sg_pc", args, call, match.call())
}
