# What a fit could have found, and what would change its answer about a pair: for explain(). All
# from public numbers and noisy tables.

# What the words need of the fit.
about_fit <- function(fit, held, x, y) {
  settings <- fit$settings
  constant <- if (!is.null(held)) {
    c(x, y)[lengths(held$levels)[match(c(x, y), held$nodes)] == 1L]
  }
  list(
    learner = fit$learner, search = if (!is.null(held)) search_of(settings),
    n = settings$n, unit = counted_unit(settings$persons),
    noisy_n = is_add_remove(settings$neighbours), epsilon = fit$privacy$epsilon,
    alpha = settings$alpha, has_tables = !is.null(held), selects = isTRUE(settings$selects),
    consensus = fit$consensus, constant = constant
  )
}

# How strong an edge must be. `least` is the arithmetic of warn_weak_effects(), for evenly split
# variables like most of the fit; `least_here` that of this pair, whose rare levels may leave its
# effect much more noise. `found` is what explain() knows so far.
power_of_pair <- function(fit, held, found, call) {
  # Sites have budgets of their own: there is no epsilon, or number of rows, to be raised alone.
  if (is_pooled(fit)) return(NULL)
  rho <- fit$privacy$rho
  for_families <- if (isTRUE(fit$settings$parameters)) parameter_share else 0
  plan <- list(
    n = as.double(held$n), levels = lengths(held$levels), rho = rho * (1 - for_families),
    alpha = fit$settings$alpha, add_remove = is_add_remove(fit$privacy$neighbours)
  )
  out <- list(least = with_mechanism(call, do.call(cpp_visible_effect, unname(plan))))
  # What is left of the pair given what separates it; where nothing is left, the most that may be.
  reading <- if (length(found$separated$given)) found$separated else found$measured
  if (is.null(reading$phi)) return(out)
  varying <- sum(plan$levels > 1L)
  needed <- needed_noncentrality(plan$alpha / choose(varying, 2), reading$df)
  unit <- reading$noise / reading$df
  out$least_here <- sqrt(needed * unit)
  out$is_limit <- !isTRUE(reading$phi > 0)
  out$effect <- if (out$is_limit) reading$upper else reading$phi
  if (out$effect <= 0) return(out)
  typical <- with_mechanism(call, do.call(cpp_enough_for_effect, unname(c(out$effect, plan))))
  here <- enough_here(out$effect^2 / needed, unit, plan$n, plan$rho)
  # The harder of the two counts: the one knows the margins, the other what is measured when.
  enough <- pmax(typical[c("rows", "rho")], here)
  convert <- if (is_gaussian(fit$privacy)) cpp_gaussian_dp_from_rho else cpp_dp_from_rho
  out$rows <- enough[["rows"]]
  out$epsilon <- if (is.finite(enough[["rho"]])) {
    convert(enough[["rho"]] / (1 - for_families), fit$privacy$delta)
  } else {
    Inf
  }
  out
}

# At which a test at this level has the power that the messages about few rows speak of.
needed_noncentrality <- function(level, df, power = 0.8) {
  critical <- stats::qchisq(level, df, lower.tail = FALSE)
  short <- function(x) stats::pchisq(critical, df, x, lower.tail = FALSE) - power
  stats::uniroot(short, c(0, 10 * critical + 100), tol = 1e-6)$root
}

# With which rows, or which rho, the variance of the effect would be `target`. It is 1 / n for
# sampling; the rest is noise, which falls with the square of the rows, and with rho.
enough_here <- function(target, variance, n, rho) {
  noise <- max(variance - 1 / n, 0)
  # 1 / m + noise (n / m)^2 = target, solved for the rows m.
  rows <- (1 + sqrt(1 + 4 * target * noise * n^2)) / (2 * target)
  c(rows = rows, rho = if (target > 1 / n) rho * noise / (target - 1 / n) else Inf)
}

# Other settings of relearn(), and the edge that each gives. The first are those of the fit: a graph
# that its own tables do not give was changed. A consensus was not learnt by one search.
tried_settings <- function(fit, x, y, edge) {
  if (!is.null(fit$consensus)) return(NULL)
  settings <- fit$settings
  alphas <- if (nzchar(edge)) c(0.01, 0.001) else c(0.1, 0.2)
  alphas <- alphas[(alphas < settings$alpha) == nzchar(edge) & alphas != settings$alpha]
  others <- c(
    list(list()), lapply(alphas, function(alpha) list(alpha = alpha)),
    if (!nzchar(edge) && settings$prior > 0.01) list(list(prior = 0.01)),
    list(list(search = setdiff(graph_searches, search_of(settings))))
  )
  written <- vapply(others, function(setting) {
    if (length(setting) == 0L) return("")
    paste0(names(setting), " = ", deparse(setting[[1L]]))
  }, "")
  edges <- vapply(others, function(setting) {
    edge_between(edge_matrix(do.call(relearn, c(list(fit), setting))), x, y)
  }, "")
  data.frame(setting = written, edge = edges)
}

# Those of contradictions() that are about this pair, or about one that determines a variable of it.
contradictions_of_pair <- function(fit, x, y, call) {
  all <- find_contradictions(fit, call)
  all$pairs <- all$pairs[is_pair(all$pairs$x, all$pairs$y, x, y), , drop = FALSE]
  involved <- vapply(seq_along(all$determined$variable), function(i) {
    any(c(x, y) %in% c(all$determined$variable[[i]], all$determined$by[[i]]))
  }, NA)
  all$determined <- all$determined[involved, , drop = FALSE]
  row.names(all$pairs) <- row.names(all$determined) <- NULL
  all
}

# ---- in words ------------------------------------------------------------------------------------

# One line each.
change_lines <- function(why) {
  about <- why$about
  joined <- nzchar(why$edge)
  decided <- why$reason %in% c("forbidden", "required", "one level")
  c(
    if (!joined) more_text(why),
    if (!decided) tried_lines(why$tried, joined),
    if (!decided && !is.null(about$consensus)) agreement_text(why$strength, joined),
    if (why$reason != "one level") knowledge_advice(why, joined),
    if (why$edge == "--") "What is known about time gives it a direction: `tiers` or `whitelist`.",
    if (about$has_tables && is.null(about$consensus) && !decided) {
      paste(
        "Another draw of the noise might: `edge_strength(fit)` says how often, `consensus(fit)`",
        "joins what stands often."
      )
    }
  )
}

# More people or a larger epsilon, where these could show what is there.
more_text <- function(why) {
  about <- why$about
  power <- why$power
  if (!why$reason %in% c("independent", "separated", "score")) return(NULL)
  if (!about$has_tables) {
    return(paste0(
      "More ", about$unit, "s", if (is.finite(about$epsilon)) ", a larger `epsilon`",
      " or a larger `alpha` show weaker effects; the fit keeps nothing to say how many."
    ))
  }
  if (is.null(power$rows) || power$rows <= about$n) return(NULL)
  conditional <- length(why$separated$given) > 0L
  paste0(
    if (power$is_limit) "An effect at the upper limit" else "An effect as measured",
    if (conditional) paste(" given", name_list(why$separated$given)),
    " (phi ", phi_text(power$effect), ") would be seen in 80 % of fits with about ",
    big(up_to_two_digits(power$rows)), " ", about$unit, "s",
    if (power$epsilon <= weak_epsilon) paste0(", or with `epsilon` = ", text_up(power$epsilon, 2)),
    "."
  )
}

# Which settings give another answer, and which do not.
tried_lines <- function(tried, joined) {
  tried <- tried[nzchar(tried$setting), , drop = FALSE]
  if (is.null(tried) || nrow(tried) == 0L) return(NULL)
  other <- nzchar(tried$edge) != joined
  calls <- paste0("`relearn(fit, ", tried$setting, ")`")
  c(
    if (any(other)) {
      paste0(name_list(calls[other]), if (joined) " without it" else " with the edge", ".")
    },
    if (any(!other)) {
      paste0("Tried, and no change: ", name_list(paste0("`", tried$setting[!other], "`")), ".")
    }
  )
}

agreement_text <- function(share, joined) {
  if (length(share) != 1L) return(NULL)
  # A threshold is below 1 and not below 0.
  if (share == as.integer(joined)) return("No `threshold` of `consensus()` would.")
  paste0(
    "The threshold: ", if (joined) "from " else "below ", format(round(share, 3)),
    if (joined) " on it would be left out" else " it would be kept", " (`consensus(threshold = )`)."
  )
}

knowledge_advice <- function(why, joined) {
  known <- why$knowledge
  relearns <- why$about$has_tables
  by <- function(text) paste0("`", if (relearns) "relearn(fit, ", text, if (relearns) ")", "`")
  if (length(known$forbidden) == 2L && !joined) {
    return(paste0(
      "Only other background knowledge would",
      if (relearns && is.null(why$measured)) "; as the pair was not measured, it takes a new fit",
      "."
    ))
  }
  if (joined && length(known$required)) {
    return("Other background knowledge would: take it off `whitelist`.")
  }
  forth <- arc_code(why$x, why$y)
  back <- arc_code(why$y, why$x)
  if (joined) {
    both <- paste0("blacklist = rbind(", forth, ", ", back, ")")
    return(paste0("If it cannot be: ", by(both), "."))
  }
  arc <- if (paste(why$x, "->", why$y) %in% known$forbidden) back else forth
  paste0("If it is known to be there: ", by(paste0("whitelist = ", arc)), ".")
}

arc_code <- function(from, to) {
  paste0("c(", paste(encodeString(c(from, to), quote = "\""), collapse = ", "), ")")
}
