#' What a privacy budget was spent on
#'
#' One row per step, in the order in which the steps were taken. The list holds only what was
#' fixed before each step's noise was drawn, so it may be published. The ledger of a fit that is not
#' private, because of a `seed` for instance, carries a mark ([fits][privpc-class]): what it lists
#' was charged, but protects nobody.
#'
#' @param x A [privacy_budget()], the name of a file that one is kept in, or a fit of one of the
#'   learners.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A data frame with the columns `step` (1, 2, ...), `mechanism`, `target` (what was
#'   looked at), `epsilon` (what this step would promise if it were the only one: its own, or, where
#'   it has only a rho, the epsilon of that rho at the delta of the budget, for a fit of
#'   [marginal_pc()] that no budget pays for by its Gaussian accounting), `rho` (`NA` if
#'   the budget counts in epsilon), `delta` (what the step took from the budget's `reserve`; 0 for
#'   steps without a delta of their own, and so for all steps of a fit), `cumulative`, the sum up to
#'   this step in the unit of the budget, and `share`, the part of the whole budget that this step
#'   took, from 0 to 1. In a budget that counts in rho it is the rhos that add up, not the epsilons;
#'   the deltas add up too, and come on top of the part of the budget's delta that is not
#'   reserved. The ledger of a fit of [pool_fits()] begins with a column `site`: it lists the steps
#'   of every site, whose budgets are not added up. For a fit the whole is the price of the fit
#'   (without that of its `breaks`); on a sub-sample, what was spent.
#' @examples
#' # Without privacy nothing is spent
#' cohort <- simulate(network("cancer"), nsim = 20000, seed = 1)
#' privacy_ledger(exact_pc(cohort))
#'
#' # A budget lists the steps that were paid from it
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' released <- laplace_mechanism(
#'   c(cases = 120), sensitivity = 1, epsilon = 0.1, budget = budget, target = "cases"
#' )
#' privacy_ledger(budget)
#' @export
privacy_ledger <- function(x, ...) UseMethod("privacy_ledger")

#' @export
privacy_ledger.default <- function(x, ...) {
  check_given(x)
  abort(c(
    "{.arg x} must be a {.fn privacy_budget}, the file of one, or a fit of one of the learners.",
    x = "It is {describe(x)}."
  ), call = rlang::current_env())
}

#' @export
privacy_ledger.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  marked(if (is_pooled(x)) site_ledgers(x) else own_ledger(x), mark_of(x))
}

# Of a fit, or of a site of one: what has a promise and a ledger.
own_ledger <- function(x) {
  # On a sub-sample rho is that of the sub-sample, which no epsilon of the whole belongs to.
  in_rho <- isTRUE(x$privacy$rho > 0 && is.finite(x$privacy$rho))
  ledger <- x$ledger
  if (in_rho) ledger <- with_epsilons(ledger, x$privacy$delta, is_gaussian(x$privacy))
  with_shares(ledger, ledger_total(x))
}

# One after the other: every site spent a budget of its own.
site_ledgers <- function(x) {
  sites <- x$pooled$sites
  all <- lapply(names(sites), function(name) {
    cbind(site = rep(name, nrow(sites[[name]]$ledger)), own_ledger(sites[[name]]))
  })
  do.call(rbind, all)
}

#' @export
privacy_ledger.privpc_pag <- function(x, ...) {
  check_dots_empty(...)
  privacy_ledger(fit_behind(x, rlang::current_env(), "x"))
}

#' @export
privacy_ledger.privpc_budget <- function(x, ...) {
  check_dots_empty(...)
  ledger <- check_budget(x, rlang::current_env(), arg = "x", neighbours = NULL)
  budget_ledger(x, cpp_ledger_entries(ledger))
}

# By the name of its file, of which nothing but the right to read it is needed.
#' @export
privacy_ledger.character <- function(x, ...) {
  check_dots_empty(...)
  call <- rlang::current_env()
  check_string(x, call = call)
  path <- ledger_path(x, call, "x")
  found <- with_ledger_file(path, call, cpp_read_ledger_file(path))
  budget_ledger(new_budget(found$promise, found$promise$cap, NULL), found$entries)
}

budget_ledger <- function(budget, entries) {
  entries <- ledger_frame(entries, budget$delta > 0)
  with_shares(with_epsilons(entries, budget_delta(budget)), ledger_total(budget))
}

with_shares <- function(ledger, budget) {
  ledger$share <- (if (budget$unit == "rho") ledger$rho else ledger$epsilon) / budget$total
  ledger
}

# A step without an epsilon of its own gets the one that its rho amounts to.
with_epsilons <- function(ledger, delta, gaussian = FALSE) {
  bare <- which(is.na(ledger$epsilon) & !is.na(ledger$rho))
  convert <- if (gaussian) cpp_gaussian_dp_from_rho else cpp_dp_from_rho
  ledger$epsilon[bare] <- convert(ledger$rho[bare], delta)
  ledger
}
