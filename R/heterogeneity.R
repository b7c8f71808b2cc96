#' Do the sites differ?
#'
#' For a fit of [pool_fits()]: whether sites differ, in a variable or in what a pair of variables
#' shows, by more than noise and sampling can explain. It costs no budget.
#'
#' @details
#' Of a variable the shares of its levels are compared; of a pair, what its table shows beyond the
#' margins of the site (its covariance). The test is Cochran's Q for all contrasts of the table:
#' every site's distance from their mean, in units of the covariance that noise and sampling give
#' it. It is compared with a chi-square distribution with (sites - 1) times (contrasts) degrees of
#' freedom. Only sites that measured the pair are compared.
#'
#' `p.adjusted` is Holm's, apart for variables, for the edges of the graph and for the other pairs:
#' if no two sites differ, the probability that any row of a `kind` is below 0.05 is about 5 % (4 to
#' 6 % in the mean over random networks, `bench/pooling.R`, which also measures the power; less, 3
#' to 5 %, where sites are small, 500 to 2,000 rows).
#'
#' A difference in a *variable* is one of case mix, and is common. One in an *edge* says that the
#' mechanism may differ: a treatment that is given to others, or a test that was read otherwise. But
#' a covariance also depends on the margins: where the shares of a cause differ much between sites,
#' so does its covariance with the effect, by the same mechanism. And an edge further down may
#' differ because of one further up. With much noise large differences stay hidden; no difference
#' found is not the same as none.
#'
#' @param fit A fit of [pool_fits()] of at least two sites, or a graph with hidden common causes
#'   from one.
#' @param ... Must be empty.
#' @return A data frame with one row per variable and per pair that at least two sites measured:
#'   `kind` (`"edge"` of the graph, `"pair"` without one, `"variable"`), `x`, `y` (`NA` for a
#'   variable), `sites` (how many were compared), `statistic`, `df`, `p.value`, `p.adjusted` and
#'   `most_apart`, the site that is furthest from the mean of all (of two sites: either). Pairs with
#'   more than 400 contrasts are not compared (`NA`). Edges come first, the smallest p-value first.
#' @references
#' Cochran, W. G. (1954). The combination of estimates from different experiments. *Biometrics* 10,
#' 101-129.
#'
#' Holm, S. (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal
#' of Statistics* 6, 65-70.
#' @seealso [pool_fits()]
#' @examples
#' truth <- network("asia")
#' sites <- lapply(1:3, function(i) {
#'   marginal_pc(simulate(truth, nsim = 20000, seed = i), epsilon = 1)
#' })
#' pooled <- pool_fits(sites)
#' head(heterogeneity(pooled))
#' @export
heterogeneity <- function(fit, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  fit <- fit_behind(fit, call)
  held <- check_measurements(fit, call)
  if (!is_pooled(fit)) {
    abort(c(
      "{.arg fit} must be a fit of {.fn pool_fits}.",
      x = "It is of one place, which has nothing to differ from.",
      i = "For example {.code heterogeneity(pool_fits(fit1, fit2))}."
    ), call = call)
  }
  if (nrow(fit$sites) < 2L) {
    abort(c(
      "{.arg fit} must be pooled from at least two sites.", x = "It has one."
    ), call = call)
  }
  marked(site_differences(fit, held, call), mark_of(fit))
}

site_differences <- function(fit, held, call = rlang::caller_env()) {
  found <- with_mechanism(call, cpp_site_differences(
    lengths(held$levels), unname(fit$pooled$sites), held$n, held$tables
  ))
  joined <- without_directions(edge_matrix(fit))[held$nodes, held$nodes, drop = FALSE] == 1L
  single <- is.na(found$y)
  y <- ifelse(single, found$x, found$y)
  kind <- ifelse(single, "variable", ifelse(joined[cbind(found$x, y)], "edge", "pair"))
  out <- data.frame(
    kind = kind, x = held$nodes[found$x], y = held$nodes[found$y], sites = found$sites,
    statistic = found$statistic, df = found$df, p.value = found$p.value,
    p.adjusted = stats::ave(found$p.value, kind, FUN = function(p) stats::p.adjust(p, "holm")),
    most_apart = fit$sites$site[found$most_apart]
  )
  out <- out[order(match(kind, c("edge", "pair", "variable")), out$p.value), ]
  row.names(out) <- NULL
  out
}
