# A fit is a plain list, which can be saved, sent, cut and edited. Every function that takes one
# looks at all of it here, before anything is read: what is wrong is then an error that names it,
# not a failure somewhere inside, or an answer from half a fit. An edit that makes another sound fit
# cannot be told. What must agree: R/sound_agreement.R. Graphs with hidden causes: R/pag_damage.R.
#
# Elements that only some fits have, or that came later, may be missing; what is there must be what
# a learner writes.

check_sound <- function(fit, call, arg = "fit") {
  damage <- fit_damage(fit)
  if (!is.null(damage)) abort_damaged(damage, arg, call)
}

abort_damaged <- function(damage, arg, call, what = "Fits") {
  abort(c(
    "{.arg {arg}} is damaged.", x = damage,
    i = paste(what, "are not meant to be changed by hand: use it as it was made.")
  ), class = "privpc_damaged", call = call)
}

# The first thing that is wrong, in words; NULL if nothing is.
fit_damage <- function(fit) {
  if (!is.list(fit)) return("It is not a list.")
  checks <- list(
    nodes_damage, ledger_damage, graph_damage, privacy_damage, settings_damage, learner_damage,
    consensus_damage, sepsets_damage, tables_damage, sites_damage, maker_damage,
    neighbours_damage, promise_damage, spending_damage
  )
  for (check in checks) {
    damage <- check(fit)
    if (!is.null(damage)) return(damage)
  }
  NULL
}

# ---- single values -------------------------------------------------------------------------------

# `$` would also find an element by the beginning of its name.
element_of <- function(x, name) if (name %in% names(x)) .subset2(x, name)

is_number <- function(x, min = -Inf, max = Inf) {
  is.numeric(x) && !is.object(x) && length(x) == 1L && !is.na(x) && x >= min && x <= max
}

is_count <- function(x, most = core_limits$max_rows) is_number(x, 0, most)

is_flag <- function(x) is.logical(x) && !is.object(x) && length(x) == 1L && !is.na(x)

is_text <- function(x) {
  is.character(x) && !is.object(x) && length(x) == 1L && !is.na(x) && all(validEnc(x))
}

# One number, which may be missing or infinite.
is_any_number <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1L

are_texts <- function(x) {
  is.character(x) && !is.object(x) && is.null(dim(x)) && !anyNA(x) && all(validEnc(x))
}

are_numbers <- function(x) is.numeric(x) && !is.object(x) && is.null(dim(x))

are_known_numbers <- function(x) are_numbers(x) && !anyNA(x)

# As shares, effects and prices are.
are_amounts <- function(x) are_numbers(x) && all(is.na(x) | x >= 0)

are_flags <- function(x) is.logical(x) && !is.object(x) && is.null(dim(x)) && !anyNA(x)

# What is not there is not wrong.
or_none <- function(sound) function(x) is.null(x) || sound(x)

# Whether the elements of a list, by name, are what these functions ask for. The first that is not,
# or NULL.
first_unsound <- function(x, kinds) {
  for (name in names(kinds)) if (!kinds[[name]](element_of(x, name))) return(name)
  NULL
}

# A list whose elements have names, each once.
is_record <- function(x) {
  is.list(x) && !is.data.frame(x) &&
    (length(x) == 0L || (!is.null(names(x)) && !anyNA(names(x)) && !anyDuplicated(names(x))))
}

# ---- the graph -----------------------------------------------------------------------------------

are_names <- function(x) {
  is.character(x) && !is.object(x) && is.null(dim(x)) && length(x) > 0L && !anyNA(x) &&
    all(nzchar(x)) && all(validEnc(x)) && !anyDuplicated(x)
}

nodes_damage <- function(fit) {
  if (!is_record(fit)) return("Its elements do not have names of their own.")
  if (!are_names(fit$nodes)) {
    "Its element {.field nodes} is not the names of its variables."
  }
}

# A square matrix of whole numbers up to `most`, with the names of the nodes and nothing on its
# diagonal.
is_graph_matrix <- function(x, nodes, most = 1L) {
  is.matrix(x) && is.numeric(x) && !is.object(x) && nrow(x) == length(nodes) &&
    ncol(x) == length(nodes) && identical(rownames(x), nodes) &&
    identical(colnames(x), nodes) && !anyNA(x) && all(x >= 0 & x <= most & x == round(x)) &&
    !any(diag(x) != 0)
}

graph_damage <- function(fit) {
  nodes <- as.vector(fit$nodes)
  graph <- edge_matrix(fit)
  if (!is_graph_matrix(graph, nodes)) {
    return("Its graph is not a matrix of 0 and 1 with the names of the nodes.")
  }
  skeleton <- skeleton_matrix(fit)
  if (!is_graph_matrix(skeleton, nodes) || any(skeleton != without_directions(graph))) {
    "Its element {.field skeleton} does not have the edges of its graph."
  }
}

sepsets_damage <- function(fit) {
  # A consensus has none.
  if (is.null(fit$sepsets) && !is.null(fit$consensus)) return(NULL)
  if (!are_separations(fit$sepsets, fit$nodes)) {
    "Its separating sets are not those of its nodes."
  }
}

are_separations <- function(sets, nodes) {
  is_frame(sets) && is.character(sets$x) && is.character(sets$y) && is.list(sets$given) &&
    length(sets$x) == length(sets$y) && length(sets$x) == length(sets$given) &&
    all(vapply(sets$given, is.character, NA)) &&
    all(c(sets$x, sets$y, unlist(sets$given)) %in% nodes) &&
    # Each name once in every row.
    !any(mapply(function(x, y, given) {
      anyDuplicated(c(x, y, given)) > 0L
    }, sets$x, sets$y, sets$given))
}

# A data frame whose columns are as long as it says, with names.
is_frame <- function(x) {
  is.data.frame(x) && !is.null(names(x)) && !anyDuplicated(names(x)) &&
    all(vapply(unclass(x), NROW, 0L) == .row_names_info(x, 2L))
}

# ---- how it was made -----------------------------------------------------------------------------

learner_damage <- function(fit) {
  if (!is_text(fit$learner) || !nzchar(fit$learner)) {
    return("It does not say which learner made it ({.field learner}).")
  }
  if (identical(fit$learner, "marginal_pc") && !is.null(fit$privacy$accounting) &&
        is.null(fit$measurements)) {
    "The tables that {.fn marginal_pc} measured are not in it ({.field measurements})."
  }
}

is_price <- function(x) is_record(x) && is_number(x$epsilon, 0) && is_number(x$delta, 0)

# What a fit states of its promise. Where nothing holds, epsilon is infinite.
privacy_kinds <- list(
  epsilon = function(x) is_number(x, 0), delta = function(x) is_number(x, 0, 1),
  rho = function(x) is.null(x) || (is.numeric(x) && length(x) == 1L && (is.na(x) || x >= 0)),
  private = is_flag,
  neighbours = function(x) is_text(x) || identical(x, NA_character_),
  accounting = or_none(function(x) rlang::is_string(x, c("pure", "zcdp", "gaussian"))),
  per = or_none(function(x) rlang::is_string(x, c("record", "person"))),
  why = function(x) is.null(x) || is_text(x) || identical(x, NA_character_),
  breaks = or_none(function(x) is_number(x, 0)),
  sites = or_none(function(x) is_number(x, 1, 1e6)), in_all = or_none(is_price),
  budget = or_none(function(x) {
    is_price(x) && x$delta <= 1 && (is.null(x$id) || is_text(x$id)) &&
      (is.null(x$ledger) || is_state_of_ledger(x$ledger))
  }),
  beside = or_none(function(x) is_state_of_ledger(x))
)

# As ledger_so_far() makes it.
is_state_of_ledger <- function(x) {
  is_record(x) && is.null(first_unsound(x, list(
    data = is_text, epsilon = function(x) is_number(x, 0), delta = function(x) is_number(x, 0, 1),
    reserve = function(x) is_number(x, 0, 1), spent = function(x) is_number(x, 0),
    taken = function(x) is_number(x, 0, 1), entry = is_count, fits = is_count, others = is_count,
    receipt = or_none(is_text)
  ))) && (x$delta == 0 || x$reserve < x$delta)
}

privacy_damage <- function(fit) {
  privacy <- fit$privacy
  if (!is_record(privacy)) return("It does not say what it promises ({.field privacy}).")
  wrong <- first_unsound(privacy, privacy_kinds)
  if (is.null(wrong) && privacy$private &&
        (!is.finite(privacy$epsilon) || privacy$epsilon <= 0 || privacy$delta >= 1 ||
           !privacy$neighbours %in% neighbour_kinds)) {
    wrong <- "epsilon"
  }
  if (!is.null(wrong)) {
    return(paste0("It does not say what it promises ({.field privacy$", wrong, "})."))
  }
  if (privacy$private && is_text(privacy$why)) {
    "It is called private, and says why it is not ({.field privacy$why})."
  }
}

ledger_damage <- function(fit) {
  if (!is_ledger(fit$ledger)) "Its ledger is not the data frame of steps that a learner made."
}

is_ledger <- function(x) {
  are_texts <- function(x) is.character(x) && !anyNA(x) && all(validEnc(x))
  are_amounts <- function(x) is.numeric(x) && all(is.na(x) | (x >= 0 & is.finite(x)))
  if (!is_frame(x) || !all(names(no_steps) %in% names(x))) return(FALSE)
  # The steps of several sites stand one after the other.
  in_order <- !is.null(x$site) || (is.numeric(x$step) && all(x$step == seq_along(x$step)))
  isTRUE(in_order) && are_texts(x$target) && are_texts(x$mechanism) &&
    are_amounts(x$epsilon) && are_amounts(x$rho) && are_amounts(x$delta) && !anyNA(x$delta) &&
    are_amounts(x$cumulative) && !anyNA(x$cumulative) &&
    all(!is.na(x$epsilon) | !is.na(x$rho)) && adds_up(x)
}

# What a fit says of its price in several places must agree: the steps, what they may come to, and
# the epsilon that this amounts to.
promise_damage <- function(fit) {
  privacy <- fit$privacy
  # The sites of a pooled fit have a price each, and weights of their own.
  if (is_pooled(fit)) return(pooled_promise_damage(fit))
  held <- fit$measurements
  if (!is.null(held) && !isTRUE(all.equal(fit$settings$n, held$n))) {
    return("Its settings and its measurements have different numbers of rows.")
  }
  if (!is.null(held) && !isTRUE(is.finite(privacy$rho) && privacy$rho > 0)) {
    return("It does not state what its noise cost ({.field privacy$rho}).")
  }
  # On a sub-sample the steps are those of the sub-sample.
  if (!privacy$private || !is.null(fit$settings$subsample)) return(NULL)
  promise_mismatch(privacy, fit$ledger)
}

# The promise of a pooled fit is that of its sites (pooled_privacy()).
pooled_promise_damage <- function(fit) {
  privacy <- fit$privacy
  each <- function(name) vapply(fit$pooled$sites, function(site) site$privacy[[name]], 0)
  below <- function(stated, least) !isTRUE(stated >= least * (1 - 1e-9))
  in_all <- privacy$in_all
  if (below(privacy$epsilon, max(each("epsilon"))) || below(privacy$delta, max(each("delta"))) ||
        (privacy$private && !all(vapply(fit$pooled$sites, function(x) x$privacy$private, NA)))) {
    return("It promises more than its sites do.")
  }
  if (!is.null(in_all) && (below(in_all$epsilon, sum(each("epsilon"))) ||
                             below(in_all$delta, sum(each("delta"))))) {
    return("It promises more to somebody in all of its sites than these do.")
  }
  damages <- drop_null(lapply(unname(fit$pooled$sites), site_damage))
  if (length(damages)) return(paste("In one of its sites:", sub("^It", "it", damages[[1L]])))
  sites_ledger_damage(fit)
}

promise_mismatch <- function(privacy, ledger) {
  own <- privacy$epsilon - if (is.null(privacy$breaks)) 0 else privacy$breaks
  above <- function(amount, most) !isTRUE(amount <= most * (1 + 1e-6))
  more <- "Its ledger lists more than it says to have paid."
  if (!isTRUE(is.finite(privacy$rho) && privacy$rho > 0)) {
    if (privacy$delta == 0 && above(sum(ledger$epsilon), own)) return(more)
    return(NULL)
  }
  if (above(sum(ledger$rho), privacy$rho)) return(more)
  # What a shared budget pays for is counted with the budget's own delta.
  delta <- if (is.null(privacy$budget)) privacy$delta else max(privacy$delta, privacy$budget$delta)
  convert <- if (is_gaussian(privacy)) cpp_gaussian_dp_from_rho else cpp_dp_from_rho
  if (delta <= 0 || delta >= 1 || above(convert(privacy$rho, delta), own)) {
    "It states a smaller epsilon than what it paid for amounts to."
  }
}

# Those that are read after the learner has returned. What holds only for fits with tables is in
# tables_damage().
setting_kinds <- list(
  test = or_none(function(x) rlang::is_string(x, names(test_registry))),
  search = or_none(function(x) rlang::is_string(x, graph_searches)),
  alpha = or_none(function(x) is_number(x, 0, 1)),
  prior = or_none(function(x) is_number(x, 0, 100)),
  least_effect = or_none(function(x) is_number(x, 0, 100)),
  max_order = or_none(function(x) is_number(x, 0)),
  n = or_none(is_count), threshold = or_none(is_number), tweak = or_none(is_number),
  rounds = or_none(is_count), subsample = or_none(is_count), blocks = or_none(is_count),
  sensitivity = or_none(function(x) rlang::is_string(x, c("paper", "proven"))),
  colliders = or_none(is_text), df = or_none(is_text), parameters = or_none(is_flag),
  selects = or_none(is_flag), cut_short = or_none(is_flag), colliders_cut_short = or_none(is_flag),
  max_tests = or_none(function(x) is_number(x, 0)),
  tests = or_none(function(x) is.numeric(x) && !is.object(x)),
  neighbours = or_none(function(x) rlang::is_string(x, neighbour_kinds)),
  na = or_none(function(x) is.character(x) && all(x %in% c("error", "level"))),
  persons = or_none(function(x) {
    is_record(x) && is_text(x$id) && (is.null(x$max_records) || is_number(x$max_records, 1)) &&
      (is.null(x$first_by) || is_text(x$first_by))
  })
)

settings_damage <- function(fit) {
  settings <- fit$settings
  if (!is_record(settings)) return("Its settings are not a list with names ({.field settings}).")
  wrong <- first_unsound(settings, setting_kinds)
  if (is.null(wrong) && !are_cuts(settings$breaks, fit$nodes)) wrong <- "breaks"
  if (is.null(wrong) && !is.null(names(settings$na)) &&
        (anyDuplicated(names(settings$na)) || !all(names(settings$na) %in% fit$nodes))) {
    wrong <- "na"
  }
  if (is.null(wrong) && !is_knowledge(settings, fit$nodes)) wrong <- "whitelist, blacklist, tiers"
  if (!is.null(wrong)) {
    paste0("Its settings are not those of a learner ({.field settings}: {.field ", wrong, "}).")
  }
}

are_cuts <- function(breaks, nodes) {
  if (is.null(breaks)) return(TRUE)
  if (!is.list(breaks) || is.data.frame(breaks)) return(FALSE)
  cuts <- unclass(breaks)
  length(cuts) == 0L || (
    !is.null(names(cuts)) && !anyDuplicated(names(cuts)) && all(names(cuts) %in% nodes) &&
      all(vapply(cuts, function(x) {
        is.numeric(x) && length(x) >= 2L && !anyNA(x) && !is.unsorted(as.vector(x), strictly = TRUE)
      }, NA))
  )
}

is_knowledge <- function(settings, nodes) {
  tryCatch({
    parse_knowledge(settings$whitelist, settings$blacklist, settings$tiers, nodes)
    TRUE
  }, error = function(e) FALSE)
}

consensus_damage <- function(fit) {
  if (is.null(fit$consensus)) return(NULL)
  if (!is_agreement(fit$consensus)) {
    return("Its element {.field consensus} does not say what {.fn consensus} was asked for.")
  }
  if (!is.null(fit$strength) && !is_whole_strength(fit$strength, fit$nodes)) {
    "Its element {.field strength} is not what {.fn consensus} found."
  }
}

is_agreement <- function(x) {
  is_record(x) && is_number(x$threshold, 0) && x$threshold < 1 && is_number(x$draws, 1, 1e6) &&
    rlang::is_string(x$kind, c("noise", "sampling"))
}

# One row for each of two variables, in both orders; nobody's selection of them.
is_whole_strength <- function(x, nodes) {
  numbers <- c("strength", "direction", "uncertainty")
  inherits(x, "privpc_strength") && is_frame(x) && is.character(x$from) && is.character(x$to) &&
    all(vapply(unclass(x)[numbers], is.numeric, NA)) && is.character(x$in_fit) &&
    is.logical(x$learnt) && is.logical(x$required) &&
    nrow(x) == length(nodes) * (length(nodes) - 1L) && all(c(x$from, x$to) %in% nodes) &&
    !anyNA(x$strength) && all(x$strength >= 0 & x$strength <= 1) && !anyNA(x$learnt) &&
    is_number(attr(x, "draws"), 1) && identical(attr(x, "nodes"), nodes) &&
    rlang::is_string(attr(x, "kind"), c("noise", "sampling"))
}

sites_damage <- function(fit) {
  if ((is_pooled(fit) || !is.null(fit$pooled)) && !are_sites(fit)) {
    "Its elements {.field sites} and {.field pooled} are not those that {.fn pool_fits} made."
  }
}
