# Tables of shares from the measurements of a fit, as probability tables: what effect() and
# as_network() compute with. Everything here starts from `fit$measurements`, which is public.
#
# Contrasts and basis are those of inst/include/privpc/marginals/contrasts.hpp: for a variable with
# k levels the orthonormal matrix U has the constant column 1/sqrt(k) and k - 1 Helmert columns. A
# table p of several variables is (kron U) c with the coefficients c; the coefficients of a measured
# set w are its contrasts times the product of 1/sqrt(k) over the variables that are not in w, and
# their noise is independent with the variance scaled by the same product squared.

orthonormal_basis <- function(k) {
  basis <- matrix(0, k, k)
  basis[, 1L] <- 1 / sqrt(k)
  for (j in seq_len(k - 1L)) {
    basis[seq_len(j), j + 1L] <- 1
    basis[j + 1L, j + 1L] <- -j
    basis[, j + 1L] <- basis[, j + 1L] / sqrt(j * (j + 1))
  }
  basis
}

most_cells <- 5000

# What was measured about the variables with the positions `at`: `basis` has one row per cell (first
# variable fastest) and one column per known coefficient, `value` and `variance` belong to these,
# and `belongs` tells to which of the measured `sets` (positions in `at`). `margins` are the sets
# that no other one contains.
noisy_table <- function(held, at, call = rlang::caller_env()) {
  levels <- lengths(held$levels)[at]
  if (prod(levels) > most_cells) {
    abort(c(
      "The table of {.val {held$nodes[at]}} is too large to be computed.",
      x = "It has {format(prod(levels), big.mark = ',')} cells; at most {most_cells} are possible."
    ), call = call)
  }
  basis <- matrix(1 / sqrt(prod(levels)), prod(levels), 1L)
  value <- 1 / sqrt(prod(levels))
  variance <- 0
  sets <- list()
  belongs <- 0L
  missing <- list()
  for (mask in seq_len(2^length(at) - 1L)) {
    inside <- which(bitwAnd(mask, 2^(seq_along(at) - 1L)) > 0)
    if (any(levels[inside] == 1L)) next
    found <- find_measured(held, at[inside])
    if (is.null(found)) {
      missing <- c(missing, list(inside))
      next
    }
    shrink <- prod(1 / sqrt(levels[-inside]))
    basis <- cbind(basis, interaction_columns(levels, inside))
    value <- c(value, shrink * found$value)
    variance <- c(variance, rep(shrink^2 * found$variance, length(found$value)))
    sets <- c(sets, list(inside))
    belongs <- c(belongs, rep(length(sets), length(found$value)))
  }
  list(
    levels = levels, basis = basis, value = value, variance = variance, sets = sets,
    belongs = belongs, margins = maximal_sets(sets), missing = missing, n = held$n
  )
}

# Those that no other one contains.
maximal_sets <- function(sets) {
  Filter(function(set) {
    !any(vapply(sets, function(other) length(other) > length(set) && all(set %in% other), NA))
  }, sets)
}

# Contrasts, drawn towards what is `explained` otherwise. What they show beyond it is dependence plus
# noise of the given variance; it is multiplied by 1 - strictness (number of contrasts) (noise
# variance) / (its squared length), or 0 if that is negative (James and Stein 1961, positive part).
drawn_towards <- function(value, explained, variance, strictness = 1) {
  beyond <- value - explained
  keep <- max(0, 1 - strictness * length(beyond) * variance / sum(beyond^2))
  explained + keep * beyond
}

set_keys <- function(sets) vapply(sets, paste, "", collapse = " ")

# The same measurements, made ready for many look-ups.
with_keys <- function(held) {
  for (store in c("tables", "families")) {
    if (!is.null(held[[store]])) held[[store]]$keys <- set_keys(held[[store]]$sets)
  }
  held
}

# The contrasts of a set, its first variable fastest. Two measurements are averaged by their
# precision.
find_measured <- function(held, members) {
  sorted <- sort(members)
  best <- NULL
  for (store in held[c("tables", "families")]) {
    keys <- if (is.null(store$keys)) set_keys(store$sets) else store$keys
    k <- match(paste(sorted, collapse = " "), keys)
    if (is.na(k)) next
    new <- list(value = store$values[[k]], variance = store$variance[[k]])
    if (is.null(best)) {
      best <- new
    } else {
      share <- best$variance / (best$variance + new$variance)
      best$value <- best$value + share * (new$value - best$value)
      best$variance <- best$variance * (1 - share)
    }
  }
  if (is.null(best)) return(NULL)
  # The core runs the last of the sorted variables fastest.
  cells <- array(best$value, rev(lengths(held$levels)[sorted] - 1L))
  best$value <- as.vector(aperm(cells, match(members, rev(sorted))))
  best
}

# The nearest table of probabilities to each measured margin, and the table of largest entropy that
# has (nearly) these margins, by iterative proportional fitting: an interaction that was not
# measured is taken as none on the log scale. `cells` has one table of shares per column, in which
# unmeasured coefficients are 0; the margins do not depend on these. Fitting that begins elsewhere
# than at equal cells keeps the interactions it began with: `interactions` are their logarithms.
fitted_cells <- function(table, cells, interactions = 0) {
  n <- nrow(cells)
  if (length(table$margins) == 0L) return(array(1 / n, dim(cells)))
  place <- arrayInd(seq_len(n), table$levels)
  # For each margin: its cell for every cell of the table.
  index <- lapply(table$margins, function(set) {
    step <- cumprod(c(1, table$levels[set]))[seq_along(set)]
    as.integer(1 + (place[, set, drop = FALSE] - 1) %*% step)
  })
  targets <- lapply(index, function(to) apply(rowsum(cells, to, reorder = TRUE), 2L, on_simplex))
  whole <- length(index) == 1L && length(table$margins[[1L]]) == sum(table$levels > 1L)
  if (whole) return(targets[[1L]][index[[1L]], , drop = FALSE])
  out <- array(exp(interactions) / n, dim(cells))
  for (round in seq_len(60L)) {
    before <- out
    for (k in seq_along(index)) {
      now <- rowsum(out, index[[k]], reorder = TRUE)
      ratio <- ifelse(now > 0, targets[[k]] / now, 0)
      out <- out * ratio[index[[k]], , drop = FALSE]
    }
    # Noisy margins can exclude each other's cells altogether.
    total <- colSums(out)
    out[, total <= 0] <- 1 / n
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
    columns <- interaction_columns(table$levels, inside)
    sd <- size / sqrt(2)^length(inside) * sqrt(prod(table$levels[-inside]))
    columns %*% matrix(stats::rnorm(ncol(columns) * draws, sd = sd), ncol(columns))
  })
  Reduce(`+`, parts)
}

# Columns of the orthonormal basis of a table that belong to the contrasts of some of its variables.
interaction_columns <- function(levels, inside) {
  columns <- lapply(seq_along(levels), function(i) {
    basis <- orthonormal_basis(levels[[i]])
    if (i %in% inside) basis[, -1L, drop = FALSE] else basis[, 1L, drop = FALSE]
  })
  Reduce(function(a, b) kronecker(b, a), columns)
}

probability_cells <- function(table) {
  array(fitted_cells(table, table$basis %*% table$value), table$levels)
}

# Standard deviation of the noise in one cell of the margin of some of the variables.
margin_noise <- function(table, set) {
  index <- arrayInd(seq_len(prod(table$levels)), table$levels)[, set, drop = FALSE]
  first <- rowSums(index != 1L) == 0L
  row <- colSums(table$basis[first, , drop = FALSE])
  sqrt(sum(row^2 * table$variance))
}

# One message for all tables of an analysis. `further` says what else is done about it.
say_no_interaction <- function(labels, fit, further = NULL) {
  labels <- unique(labels)
  if (length(labels) == 0L) return(invisible())
  shown <- utils::head(labels, 5L)
  more <- length(labels) - length(shown)
  cli::cli_inform(c(
    "!" = "{length(labels)} interaction{?s} {?was/were} not measured and {?is/are} taken as none: {.val {shown}}{if (more > 0) ' and others' else ''}.",
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
    i = "Pairs that background knowledge decides are not measured. Give less of it (tiers do no harm), or fit with {.code parameters = TRUE}, which measures each variable with its parents."
  ), class = "privpc_not_measured", call = call)
}
