# A fit of marginal_pc() run again and again, on tables that may be the true ones: what
# edge_strength() and consensus() are made of. Nothing here touches records.

# Matrices of shares with names, in the order of the measurements, the graphs themselves (for
# cpp_consensus()) and the knowledge.
replay_fit <- function(fit, draws, kind, threads, progress, call) {
  held <- check_measurements(fit, call)
  check_number(draws, "draws", min = 1, max = 1e6, whole = TRUE, call = call)
  check_flag(progress, "progress", call = call)
  threads <- check_threads(threads, call)
  settings <- fit$settings
  knowledge <- parse_knowledge(
    settings$whitelist, settings$blacklist, settings$tiers, held$nodes, call
  )
  for_families <- if (isTRUE(settings$parameters)) parameter_share else 0
  # One number of R's own generator starts all streams of the core.
  seed <- floor(stats::runif(1L) * 2^53)
  bar <- new_bar(progress, "Drawing graphs")
  on.exit(bar$end())
  report <- if (progress) function(order, done, total) bar$set(done, total, "Drawing graphs")
  out <- with_mechanism(call, if (is_pooled(fit)) {
    cpp_replay_pooled(
      lengths(held$levels), ordered_nodes(held), held$n, held$tables, held$families,
      lapply(unname(fit$pooled$sites), replayed_site, held$nodes, call), fit$pooled$weights,
      rules_of(fit, call), knowledge$required, knowledge$forbidden, as.double(draws),
      kind == "sampling", seed, threads, report
    )
  } else {
    cpp_replay(
      lengths(held$levels), ordered_nodes(held), held$n, held$tables, held$families,
      fit$privacy$rho, isTRUE(settings$selects) && search_of(settings) == "score",
      is_add_remove(fit$privacy$neighbours), for_families, rules_of(fit, call),
      knowledge$required, knowledge$forbidden, as.double(draws), kind == "sampling", seed, threads,
      report
    )
  })
  dimnames(out$edges) <- dimnames(out$arrows) <- list(held$nodes, held$nodes)
  out$knowledge <- knowledge
  out$draws <- draws
  out$kind <- kind
  out
}

# How a site chose what to measure, with the settings and the knowledge of its own fit.
replayed_site <- function(site, nodes, call) {
  settings <- site$settings
  knowledge <- parse_knowledge(
    settings$whitelist, settings$blacklist, settings$tiers, nodes, call
  )
  list(
    n = site$n, rho = as.double(site$privacy$rho),
    selects = isTRUE(settings$selects) && search_of(settings) == "score",
    add_remove = is_add_remove(site$privacy$neighbours),
    parameter_share = if (isTRUE(settings$parameters)) parameter_share else 0,
    rules = rules_of(site, call), required = knowledge$required, forbidden = knowledge$forbidden
  )
}
