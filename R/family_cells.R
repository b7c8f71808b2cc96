# The table of a variable with its parents, and from it the variable's distribution given these:
# what as_network() fills its network with. Pairs come from all that was measured (joint_pairs.R),
# what three and more variables show beyond them from their own measurements (noisy_cells.R).

# Larger tables take longer to fit than anybody waits, and have more cells than there are people.
largest_family <- 1e5

# The parents that are kept: all, unless the table would be too large. Then those whose pair with
# the child is the weakest are left out, and a message says which.
parents_with_room <- function(parents, held, pairs) {
  count <- lengths(held$levels)
  left_out <- character()
  for (node in names(parents)) {
    child <- match(node, held$nodes)
    at <- match(parents[[node]], held$nodes)
    told <- vapply(at, function(parent) pair_strength(pairs, child, parent), 0)
    at <- at[order(-told, held$nodes[at], method = "radix")]
    while (length(at) > 9L || prod(count[c(child, at)]) > largest_family) {
      if (length(at) == 0L) break
      left_out <- c(left_out, paste(held$nodes[[at[[length(at)]]]], "->", node))
      at <- at[-length(at)]
    }
    parents[[node]] <- intersect(parents[[node]], held$nodes[at])
  }
  if (length(left_out)) {
    shown <- utils::head(left_out, 5L)
    cli::cli_inform(c(
      "!" = paste(
        "{length(left_out)} arc{?s} {?is/are} not in the network:",
        "{.val {shown}}{if (length(left_out) > 5L) ' and others' else ''}."
      ),
      i = paste(
        "The table of a variable with all its parents would have more than",
        "{big(largest_family)} cells, or more than nine",
        "parents. Those with the weakest pairs were left out."
      )
    ), class = "privpc_smaller_tables")
  }
  parents
}

# Squared correlations between the contrasts, as far as they were measured.
pair_strength <- function(pairs, v, w) {
  if (is.na(pairs$variance[v, w])) return(0)
  rows <- pairs$at[[v]]
  columns <- pairs$at[[w]]
  size <- sum(diag(pairs$covariance)[rows]) * sum(diag(pairs$covariance)[columns])
  sum(pairs$covariance[rows, columns]^2) / size
}

say_pairs_only <- function(nodes) {
  if (length(nodes) == 0L) return(invisible())
  cli::cli_inform(c(
    "!" = paste(
      "The table{?s} of {.val {nodes}} with {?its/their} parents {?is/are} large and {?was/were}",
      "filled from pairs only: each parent acts by itself."
    ),
    i = paste(
      "Interactions of three and more variables are used in tables of up to",
      "{core_limits$most_cells} cells."
    )
  ), class = "privpc_smaller_tables")
}

# A pair that was not measured would be taken as nearly independent.
check_arcs_measured <- function(family, at, pairs, call) {
  levels_vary <- lengths(pairs$at[at]) > 0L
  unknown <- which(levels_vary & is.na(pairs$variance[at[[1L]], at]) & at != at[[1L]])
  if (!levels_vary[[1L]] || length(unknown) == 0L) return(invisible())
  missing <- lapply(unknown, function(parent) c(1L, parent))
  check_pairs_measured(list(missing = missing), family, call)
}

# The table of largest entropy with these pairs, in which each parent acts by itself.
pairwise_cells <- function(pairs, implied, at) {
  levels <- lengths(pairs$shares)[at]
  if (length(at) == 1L) return(array(pairs$shares[[at]], levels))
  sets <- utils::combn(length(at), 2L, simplify = FALSE)
  targets <- lapply(sets, function(set) {
    v <- at[[set[[1L]]]]
    w <- at[[set[[2L]]]]
    beyond <- implied[pairs$at[[v]], pairs$at[[w]], drop = FALSE]
    together <- tcrossprod(pairs$bases[[v]] %*% beyond, pairs$bases[[w]])
    matrix(on_simplex(as.vector(tcrossprod(pairs$shares[[v]], pairs$shares[[w]]) + together)))
  })
  array(raked_cells(levels, sets, targets), levels)
}

# What three and more variables show beyond their pairs is interaction plus noise. With many parents
# most of it is noise, which would hide what the pairs tell.
denoised_cells <- function(table, simple) {
  larger <- which(lengths(table$sets) >= 3L)
  if (length(larger) == 0L) return(simple)
  cells <- as.vector(simple)
  explained <- as.vector(crossprod(table$basis, cells))
  for (k in larger) {
    at <- which(table$belongs == k)
    value <- drawn_towards(table$value[at], explained[at], table$variance[at[[1L]]])
    cells <- cells + as.vector(table$basis[, at, drop = FALSE] %*% (value - explained[at]))
  }
  every_pair <- utils::combn(length(table$levels), 2L, simplify = FALSE)
  table$margins <- maximal_sets(c(every_pair, table$sets[larger]))
  array(fitted_cells(table, matrix(cells)), table$levels)
}

# A large table as far as its noise goes, in the form of noisy_table().
pairs_as_table <- function(pairs, at, held) {
  levels <- lengths(pairs$shares)[at]
  sets <- c(as.list(seq_along(at)), utils::combn(length(at), 2L, simplify = FALSE))
  raw <- vapply(sets, function(set) {
    if (length(set) == 1L) {
      pairs$own_variance[[at[[set]]]]
    } else {
      pairs$variance[at[[set[[1L]]]], at[[set[[2L]]]]]
    }
  }, 0)
  known <- !is.na(raw)
  left_out <- vapply(sets[known], function(set) prod(levels[-set]), 0)
  list(
    levels = levels, sets = sets[known], variance = raw[known] / left_out,
    belongs = seq_len(sum(known))
  )
}

# The first variable given the others, one column per combination of these. `noise(set)` is the
# standard deviation of the noise in the number of records with one combination of some of them.
conditional_table <- function(cells, simple, n, prior, noise) {
  own <- apply(cells, 1L, sum)
  own <- own / sum(own)
  # Half a record for each level: what noise took away altogether is rare rather than impossible.
  least <- if (is.null(prior)) 0.5 else max(min(prior, 0.5), 1e-9)
  possible <- (n * own + least) / (n + least * length(own))
  if (length(dim(cells)) == 1L) return(array(possible, dim(cells)))
  others <- seq_along(dim(cells))[-1L]
  # With no imaginary records at all, an empty combination still needs an answer.
  records <- function(set) if (is.null(prior)) max(1, noise(set)) else max(prior, 1e-9)
  # How far the pairs are to be trusted: as far as the pair with the rarest of the levels is.
  trust <- lapply(others, function(parent) {
    count <- n * apply(simple, parent, sum)
    count / (count + records(parent))
  })
  trust <- as.vector(Reduce(function(a, b) outer(a, b, pmin), trust))
  expected <- n * matrix(simple, length(own)) + 1e-9 * own
  likely <- sweep(expected, 2L, trust / colSums(expected), `*`) + outer(own, 1 - trust)
  flat <- n * matrix(cells, length(own)) + records(others) * likely + least * possible
  array(sweep(flat, 2L, colSums(flat), `/`), dim(cells))
}
