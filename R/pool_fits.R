#' One graph from several hospitals, or several years
#'
#' Each site runs [marginal_pc()] on its own records and hands over the fit, for instance as a file
#' of [saveRDS()]. `pool_fits()` adds up what they measured and learns one graph from it. No record
#' leaves its site, and it costs no budget: fits are public.
#'
#' @details
#' Site i counts with a weight, and the pooled table is the sum of the sites' noisy tables, each
#' times its weight. The weights add up to 1. They follow from rows, levels and the size of the
#' noise, which are public, and a site has the same weight in all tables, so that these do not
#' contradict each other.
#' * `weights = "precision"`: inversely to the variance, by noise and by sampling, of what the site
#'   says about a pair. If all sites draw from one population, no other weights give less. A small
#'   site, or one with a small epsilon, counts less.
#' * `weights = "records"`: by the number of records. The tables are then those of the cohort of all
#'   people together, also where sites differ; a site with a small epsilon puts all its noise into
#'   them.
#'
#' The tests need a number of rows for the sampling error: with weights w it is 1 / sum(w^2 / n), in
#' `fit$measurements$n`. By records that is the number of all rows; by precision at most that.
#'
#' A table that only some of the sites measured comes from these, moved to the margins that the
#' variables have in all sites; of a pair its covariance is kept. That it has fewer rows counts as
#' noise, at the largest value that it can have: if the sites are alike, tests are then too careful
#' rather than too bold.
#'
#' @section What is promised:
#' A person whose records are in one site only is protected by the noise of that site; what the
#' others measured does not depend on this person. So the pooled fit promises to each person what
#' their own site does, and to everybody the largest epsilon and the largest delta of all sites
#' (parallel composition). The prices of the sites do not add up.
#'
#' This holds **only if nobody is in two of the sites**. The same person in two hospitals, or in two
#' years, is told about twice: their epsilons add up, and so do their deltas. If that is possible,
#' state the sum (`fit$privacy$in_all`, which prints and reports say as well), or let the sites
#' agree beforehand who counts where. Identical measurements are refused here, and so are two fits
#' that were paid from one [privacy_budget()], which is for one data set: they are of the same
#' people. That somebody was a patient in two places no program can see. In which site somebody is,
#' is not protected.
#'
#' Under replace-one neighbours the rows of each site are public. Fits with other neighbours
#' (`"add-remove"`), or per person ([several_records]) and per record, are not pooled with each
#' other: their promises are about different things. A fit with a `seed` makes the pooled one **not
#' private**; sites with the same seed have the same noise, which pooling then does not average out.
#'
#' @section What the sites must agree on:
#' Names of variables, their levels, the order of the levels, which are ordered, and cut points: all
#' public, and to be fixed before the first site begins. Epsilon, delta, rows, the order of the
#' columns and which pairs were measured (knowledge, selection) may differ, and where the records
#' are ([tables_in_engines]). Settings of the search and background knowledge must agree, or be
#' given here; `NULL` takes knowledge away.
#'
#' Pooling assumes that sites are alike. If they are not, the pooled tables mix them, and variables
#' that differ between sites may look dependent because of that alone: see [heterogeneity()].
#'
#' @param ... Fits of [marginal_pc()], or one list of them. Their names are the names of the sites;
#'   without names these are "site 1", "site 2", and so on. Of [graphs with hidden common
#'   causes][privpc_pag] the fits behind them are pooled.
#' @param weights `"precision"` or `"records"`; see below.
#' @inheritParams relearn
#' @param hidden `TRUE` for a graph in which common causes may be hidden ([privpc_pag]): the same as
#'   `relearn(pooled, hidden = TRUE)`.
#' @return A fit like those of [marginal_pc()] ([fits][privpc-class]), with the further elements
#'   `sites`, a data frame of `site`, `n`, `epsilon`, `delta`, `neighbours` and `weight`, and
#'   `pooled`, what each site measured, for [heterogeneity()] and [edge_strength()]. Its `privacy`
#'   is that of the whole; [privacy_ledger()] lists the steps of every site, with a column `site`.
#'   In a pooled fit `privacy$rho` is `NA`: sites are not paid from one budget; `privacy$in_all` has
#'   the sums of epsilon and of delta. With `hidden = TRUE` a [graph with hidden common
#'   causes][privpc_pag] that holds this fit.
#' @seealso [heterogeneity()] for differences between the sites; `vignette("hospitals")`.
#' @references
#' McSherry, F. (2009). Privacy integrated queries. *Proceedings of SIGMOD*, 19-30. (Parallel
#' composition.)
#' @examples
#' # Two hospitals, each with its own records and its own promise
#' truth <- network("asia")
#' north <- marginal_pc(simulate(truth, nsim = 30000, seed = 1), epsilon = 1)
#' south <- marginal_pc(simulate(truth, nsim = 20000, seed = 2), epsilon = 0.5)
#'
#' both <- pool_fits(north = north, south = south)
#' both
#' both$sites
#' compare_graphs(north, truth)
#' compare_graphs(both, truth)
#'
#' # Do they differ?
#' heterogeneity(both)
#' @export
pool_fits <- function(..., weights = c("precision", "records"), search, alpha, prior, least_effect,
                      max_order, whitelist, blacklist, tiers, hidden = FALSE) {
  call <- rlang::current_env()
  recorded <- recorded_call(match.call(), "pool_fits")
  check_flag(hidden)
  fits <- read_site_fits(list(...), call)
  weights <- check_choice(weights, site_weightings, "weights", call)
  check_poolable(fits, call)
  first <- fits[[1L]]$measurements
  given <- list(
    search = if (!missing(search)) search, alpha = if (!missing(alpha)) alpha,
    prior = if (!missing(prior)) prior,
    least_effect = if (!missing(least_effect)) least_effect,
    max_order = if (!missing(max_order)) max_order
  )
  rules <- pooled_rules(fits, given, call)
  known <- pooled_knowledge(
    fits, list(
      whitelist = if (!missing(whitelist)) list(whitelist),
      blacklist = if (!missing(blacklist)) list(blacklist), tiers = if (!missing(tiers)) list(tiers)
    ), call
  )
  knowledge <- parse_knowledge(known$whitelist, known$blacklist, known$tiers, first$nodes, call)
  sites <- lapply(fits, site_of)
  together <- with_mechanism(call, cpp_pool(lengths(first$levels), unname(sites), weights))
  # The columns need not stand in the same order everywhere.
  orders <- unique(lapply(unname(fits), function(fit) fit$nodes))
  nodes <- if (length(orders) == 1L) orders[[1L]] else first$nodes
  found <- with_mechanism(call, cpp_relearn(
    first$nodes, nodes, lengths(first$levels), ordered_nodes(first), together$n, together$tables,
    rules, knowledge$required, knowledge$forbidden
  ))
  out <- new_fit(
    found, learner = "marginal_pc", privacy = pooled_privacy(fits),
    ledger = pooled_ledger(sites), settings = c(rules, known, pooled_settings(fits)),
    call = recorded
  )
  out$measurements <- list(
    nodes = first$nodes, levels = first$levels, ordered = first$ordered, n = together$n,
    tables = together$tables,
    families = if (any_families(sites)) together$families else first$families
  )
  out$sites <- site_frame(sites, together$weight)
  out$pooled <- list(weights = weights, sites = sites)
  if (hidden) with_hidden_causes(out, call) else out
}

# What is kept of a site: what it measured, what it promised and paid, and how it chose.
site_of <- function(fit) {
  held <- fit$measurements
  settings <- fit$settings
  kept <- c(
    "search", "alpha", "prior", "least_effect", "max_order", "parameters", "whitelist",
    "blacklist", "tiers", "persons", "selects"
  )
  list(
    n = as.double(held$n), tables = held$tables, families = held$families,
    privacy = fit$privacy, ledger = fit$ledger,
    settings = settings[intersect(kept, names(settings))]
  )
}

any_families <- function(sites) {
  any(vapply(sites, function(site) length(site$families$sets) > 0L, NA))
}

site_frame <- function(sites, weight) {
  number <- function(name) {
    vapply(sites, function(site) as.double(site$privacy[[name]]), 0, USE.NAMES = FALSE)
  }
  data.frame(
    site = names(sites), n = vapply(sites, function(site) site$n, 0, USE.NAMES = FALSE),
    epsilon = number("epsilon"), delta = number("delta"),
    neighbours = vapply(sites, function(site) site$privacy$neighbours, "", USE.NAMES = FALSE),
    weight = weight
  )
}

# Parallel composition: a change in the records of one person changes what one site measured and
# nothing else, so that (epsilon, delta) of that site holds for the whole, and the largest of both
# for whichever site it is.
pooled_privacy <- function(fits) {
  all <- lapply(unname(fits), function(fit) fit$privacy)
  each <- function(name) vapply(all, function(privacy) as.double(privacy[[name]]), 0)
  largest <- function(name) max(each(name))
  broken <- drop_null(lapply(all, function(privacy) if (!isTRUE(privacy$private)) privacy))
  breaks <- unlist(lapply(all, function(privacy) privacy$breaks))
  drop_null(list(
    epsilon = largest("epsilon"), delta = largest("delta"), rho = NA_real_,
    private = length(broken) == 0L, neighbours = all[[1L]]$neighbours, per = all[[1L]]$per,
    why = if (length(broken)) broken[[1L]]$why, breaks = if (length(breaks)) max(breaks),
    sites = length(all),
    # Of a person whose records are in every site.
    in_all = if (length(all) > 1L) list(epsilon = sum(each("epsilon")), delta = sum(each("delta")))
  ))
}

pooled_ledger <- function(sites) {
  steps <- lapply(names(sites), function(name) {
    ledger <- sites[[name]]$ledger
    cbind(site = rep(name, nrow(ledger)), ledger)
  })
  do.call(rbind, steps)
}

# Those of a fit that say what was counted, for all sites together.
pooled_settings <- function(fits) {
  all <- lapply(unname(fits), function(fit) fit$settings)
  first <- all[[1L]]
  shared <- function(name) {
    values <- unique(lapply(all, function(settings) settings[[name]]))
    if (length(values) == 1L) values[[1L]]
  }
  rows <- vapply(unname(fits), function(fit) as.double(fit$measurements$n), 0)
  drop_null(list(
    parameters = any(vapply(all, function(settings) isTRUE(settings$parameters), NA)),
    n = sum(rows), na = if (is.null(shared("na"))) "error" else shared("na"),
    breaks = first$breaks,
    # A promise to persons stays one, however many records of each were used where.
    persons = if (!is.null(first$persons)) {
      if (is.null(shared("persons"))) list(id = "their sites") else shared("persons")
    },
    neighbours = first$neighbours,
    selects = if (any(vapply(all, function(settings) isTRUE(settings$selects), NA))) TRUE
  ))
}

is_pooled <- function(fit) !is.null(fit$sites)
