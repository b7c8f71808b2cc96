#' Private causal discovery by the sparse vector technique
#'
#' The PC algorithm with the sparse vector technique as its test: every test is asked whether its
#' noisy margin is above a noisy threshold, and only a yes, which removes an edge, costs budget.
#' It is [priv_pc()] without the examine step, and the paper's first baseline.
#'
#' @details
#' With a `delta` every removal ends a run and the next begins with a fresh threshold. With
#' `delta = 0` there is a single run that stops for good after as many removals as were
#' planned: three quarters or more of the pairs, or `rounds`. What is then left stays in the
#' graph.
#'
#' The guarantee, the margins and the arguments are those of [priv_pc()], which is more
#' accurate.
#'
#' @inheritParams priv_pc
#' @param rounds Number of removals for which the budget is made; `NULL` to adapt it.
#' @inherit priv_pc return
#' @references
#' Lyu, M., Su, D. and Li, N. (2017). Understanding the sparse vector technique for differential
#' privacy. *Proceedings of the VLDB Endowment* 10, 637-648.
#' @seealso [sparse_vector()] for the mechanism on your own queries.
#' @examples
#' cohort <- simulate(network("survey"), nsim = 100000, seed = 1)
#' fit <- svt_pc(cohort, epsilon = 1)
#' fit
#' compare_graphs(fit, network("survey"))
#' @export
svt_pc <- function(data, epsilon, delta = NULL, threshold = NULL,
                   test = c("tau", "rho", "g2", "chisq"), rounds = NULL, max_order = NULL,
                   whitelist = NULL, blacklist = NULL, tiers = NULL, na = "error",
                   breaks = NULL, bounds = NULL, levels = NULL, other = "error", id = NULL,
                    first_by = NULL, sensitivity = c("proven", "paper"),
                   threads = getOption("privpc.threads", 2L), progress = interactive(),
                   budget = NULL, seed = NULL, ...) {
  check_quoted(c("id", "first_by"), rlang::current_env())
  args <- as.list(environment())
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_epsilon(epsilon, call)
  learn_privately("svt_pc", args, call, match.call())
}
