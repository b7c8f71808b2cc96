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
  bar <- if (progress) timely_bar("Drawing graphs", draws, Sys.time(), environment())
  frame <- environment()
  report <- if (progress) {
    function(order, done, total) cli::cli_progress_update(set = done, id = bar, .envir = frame)
  }
  out <- with_mechanism(call, cpp_replay(
    lengths(held$levels), ordered_nodes(held), held$n, held$tables, held$families, fit$privacy$rho,
    isTRUE(settings$selects) && search_of(settings) == "score", is_add_remove(fit$privacy$neighbours), for_families, rules_of(fit, call),
    knowledge$required, knowledge$forbidden, as.double(draws), kind == "sampling", seed, threads,
    report
  ))
  dimnames(out$edges) <- dimnames(out$arrows) <- list(held$nodes, held$nodes)
  out$knowledge <- knowledge
  out$draws <- draws
  out$kind <- kind
  out
}
