# Tables of shares from the measurements of a fit, as probability tables: what effect() and
# as_network() compute with. Everything here starts from `fit$measurements`, which is public.
#
# The core has the measurements and the basis (marginals/known_coefficients.hpp); here tables are
# fitted to them. A table p of several variables is the sum of the columns of an orthonormal basis,
# each times its coefficient; the coefficients of a measured set have independent noise of the same
# variance.

# What was measured about the variables with the positions `at`: `basis` has one row per cell (first
# variable fastest) and one column per known coefficient, `value` and `variance` belong to these,
# and `belongs` tells to which of the measured `sets` (positions in `at`). `margins` are the sets
# that no other one contains.
noisy_table <- function(held, at, call = rlang::caller_env()) {
  cells <- prod(lengths(held$levels)[at])
  if (cells > core_limits$most_cells) {
    abort(c(
      "The table of {.val {held$nodes[at]}} is too large to be computed.",
      x = paste(
        "It has {big(cells)} cells; at most",
        "{core_limits$most_cells} are possible."
      ),
      i = "Ask about fewer variables at once, or learn with fewer levels or bins ({.arg breaks})."
    ), call = call)
  }
  table <- cpp_noisy_table(opened(held, call)$store, at)
  table$margins <- maximal_sets(table$sets)
  table$n <- held$n
  table
}

# The same measurements, handed to the core once for many questions.
opened <- function(held, call = rlang::caller_env()) {
  if (is.null(held$store)) {
    held$store <- with_mechanism(call, cpp_open_measurements(
      lengths(held$levels), held$n, held$tables, held$families
    ))
  }
  held
}

# Those that no other one contains.
maximal_sets <- function(sets) {
  Filter(function(set) {
    !any(vapply(sets, function(other) length(other) > length(set) && all(set %in% other), NA))
  }, sets)
}

# Contrasts, drawn towards what is `explained` otherwise. What they show beyond it is dependence
# plus noise of the given variance; it is multiplied by 1 - strictness (number of contrasts) (noise
# variance) / (its squared length), or 0 if that is negative (James and Stein 1961, positive part).
drawn_towards <- function(value, explained, variance, strictness = 1) {
  beyond <- value - explained
  keep <- max(0, 1 - strictness * length(beyond) * variance / sum(beyond^2))
  explained + keep * beyond
}

# The nearest table of probabilities to each measured margin, and the table of largest entropy that
# has (nearly) these margins, by iterative proportional fitting: an interaction that was not
# measured is taken as none on the log scale. `cells` has one table of shares per column, in which
# unmeasured coefficients are 0; the margins do not depend on these. Fitting that begins elsewhere
# than at equal cells keeps the interactions it began with: `interactions` are their logarithms.
fitted_cells <- function(table, cells, interactions = 0) {
  n <- nrow(cells)
  if (length(table$margins) == 0L) return(array(1 / n, dim(cells)))
  index <- cells_of_margins(table$levels, table$margins)
  targets <- lapply(index, function(to) apply(rowsum(cells, to, reorder = TRUE), 2L, on_simplex))
  whole <- length(index) == 1L && length(table$margins[[1L]]) == sum(table$levels > 1L)
  if (whole) return(targets[[1L]][index[[1L]], , drop = FALSE])
  raked(index, targets, array(exp(interactions) / n, dim(cells)))
}

# The same for targets that are known to be probabilities, one column each.
raked_cells <- function(levels, margins, targets) {
  start <- matrix(1 / prod(levels), prod(levels))
  raked(cells_of_margins(levels, margins), targets, start)
}

# For each margin: its cell for every cell of the table.
cells_of_margins <- function(levels, margins) {
  place <- arrayInd(seq_len(prod(levels)), levels)
  lapply(margins, function(set) {
    step <- cumprod(c(1, levels[set]))[seq_along(set)]
    as.integer(1 + (place[, set, drop = FALSE] - 1) %*% step)
  })
}

# Iterative proportional fitting (Deming and Stephan 1940), all columns of `out` at once.
raked <- function(index, targets, out) {
  for (round in seq_len(60L)) {
    before <- out
    for (k in seq_along(index)) {
      now <- rowsum(out, index[[k]], reorder = TRUE)
      ratio <- ifelse(now > 0, targets[[k]] / now, 0)
      out <- out * ratio[index[[k]], , drop = FALSE]
    }
    # Noisy margins can exclude each other's cells altogether.
    total <- colSums(out)
    out[, total <= 0] <- 1 / nrow(out)
    out <- sweep(out, 2L, ifelse(total > 0, total, 1), `/`)
    if (max(abs(out - before)) < 1e-7) break
  }
  out
}

# Euclidean projection onto the probabilities (Held, Wolfe and Crowder 1974): the same number is
# taken off all cells, and what falls below 0 becomes 0. For equal noise in all cells this is the
# most likely table.
on_simplex <- function(x) {
  sorted <- sort(x, decreasing = TRUE)
  excess <- (cumsum(sorted) - 1) / seq_along(sorted)
  shift <- excess[max(which(sorted > excess))]
  pmax(x - shift, 0)
}

# Interactions that were not measured, one random draw per column, as logarithms of the cells.
# Coefficients with the standard deviation `size` / sqrt(2)^k give every k-way ratio of odds ratios
# (its logarithm is the sum of those of 2^k cells with alternating signs, and the columns of the
# basis are orthonormal) a logarithm with the standard deviation `size`, whatever the levels; the
# constant columns of the other variables are made 1.
draw_interactions <- function(table, size, draws) {
  if (size == 0 || length(table$missing) == 0L) return(0)
  parts <- lapply(table$missing, function(inside) {
    columns <- cpp_basis_columns(table$levels, inside)
    sd <- size / sqrt(2)^length(inside) * sqrt(prod(table$levels[-inside]))
    columns %*% matrix(stats::rnorm(ncol(columns) * draws, sd = sd), ncol(columns))
  })
  Reduce(`+`, parts)
}

probability_cells <- function(table) {
  array(fitted_cells(table, table$basis %*% table$value), table$levels)
}

# Standard deviation of the noise in one cell of the margin of some of the variables. A cell is the
# sum of all coefficients times entries of their columns. For the contrasts of a set inside, the
# squares of these add up to the product of 1 - 1/k over the variables of the set and of 1/k over
# the others (k levels); the coefficients of the table are those of the margin times 1/sqrt(k) for
# each variable that is not in it, and the sum over the cells of the larger table takes that factor
# away again.
margin_noise <- function(table, set) {
  k <- table$levels
  outside <- setdiff(seq_along(k), set)
  parts <- vapply(seq_along(table$sets), function(i) {
    inside <- table$sets[[i]]
    if (!all(inside %in% set)) return(0)
    rest <- setdiff(set, inside)
    variance <- table$variance[[match(i, table$belongs)]] * prod(k[outside])
    variance * prod(1 - 1 / k[inside]) * prod(1 / k[rest])
  }, 0)
  sqrt(sum(parts))
}

# One message for all tables of an analysis. `further` says what else is done about it.
say_no_interaction <- function(labels, fit, further = NULL) {
  labels <- unique(labels)
  if (length(labels) == 0L) return(invisible())
  shown <- utils::head(labels, 5L)
  more <- length(labels) - length(shown)
  cli::cli_inform(c(
    "!" = paste(
      "{length(labels)} interaction{?s} {?was/were} not measured and {?is/are} taken as none:",
      "{.val {shown}}{if (more > 0) ' and others' else ''}."
    ),
    i = further,
    i = if (!isTRUE(fit$settings$parameters)) {
      "{.code marginal_pc(..., parameters = TRUE)} measures each variable with its parents."
    }
  ), class = "privpc_not_measured")
}

missing_labels <- function(table, names) {
  vapply(table$missing, function(set) paste(sort(names[set]), collapse = " x "), "")
}

# A pair that was not measured would be taken as independent, and the result would say so with
# confidence: rather none.
check_pairs_measured <- function(table, names, call) {
  pairs <- Filter(function(set) length(set) == 2L, table$missing)
  if (length(pairs) == 0L) return(invisible())
  labels <- vapply(pairs, function(set) paste(sort(names[set]), collapse = " and "), "")
  abort(c(
    "This cannot be computed from what the fit measured.",
    x = "Not measured: {.val {labels}}.",
    i = paste(
      "Pairs that background knowledge decides are not measured, nor, of many variables, those",
      "that were not selected. Give less of it (tiers do no harm), or fit with",
      "{.code parameters = TRUE}, which measures each variable with its parents."
    )
  ), class = "privpc_not_measured", call = call)
}
