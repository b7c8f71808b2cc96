# All pairs that a fit measured, brought together by its DAG: what as_network() takes the pairs of
# its families from. Everything here starts from the measurements, which are public.
#
# A pair that is measured with noise is also told by others. Where x -> y -> z, the pair of x and z
# says how strong both arcs are together. So the pairs of all arcs are estimated at once, as those
# under which the DAG explains all measured pairs best, each weighed by the precision with which it
# was measured (weighted least squares on covariances; Joreskog 1970, Browne 1984).
#
# Let f_v be the contrasts of variable v (an orthonormal basis of its levels, without the constant
# one). The covariance of f_v and f_w is what their pair tells beyond its margins. If the mean of
# f_v given the parents is a sum over these, B_v f_parents, then for all w that come before v
#     cov(f_v, f_w) = B_v cov(f_parents, f_w),
# and cov(f_v, f_v) is known from the shares of v alone. Where parents act otherwise than by a sum,
# pairs without an arc miss this by more than their noise. How much more is estimated from them and
# added to their variance, so that with little noise the pairs of arcs are as they were measured.

# The shares of each variable, and what each pair tells beyond them: `covariance` has one row and
# column per contrast, those of variable v at `at[[v]]`. `variance` is that of the noise, NA for
# pairs that were not measured.
measured_pairs <- function(held) {
  count <- lengths(held$levels)
  size <- count - 1L
  end <- cumsum(size)
  at <- lapply(seq_along(count), function(v) end[[v]] - size[[v]] + seq_len(size[[v]]))
  bases <- lapply(count, function(k) if (k > 1L) cpp_basis_columns(k, 1L) else matrix(0, 1L, 0L))
  tables <- lapply(seq_along(count), function(v) noisy_table(held, v))
  shares <- lapply(tables, function(table) {
    share <- pmax(on_simplex(as.vector(table$basis %*% table$value)), 0.5 / held$n)
    share / sum(share)
  })
  own_variance <- vapply(tables, function(table) {
    if (length(table$sets)) table$variance[[match(1L, table$belongs)]] else NA_real_
  }, 0)
  means <- Map(function(basis, share) as.vector(crossprod(basis, share)), bases, shares)
  covariance <- matrix(0, sum(size), sum(size))
  variance <- matrix(NA_real_, length(count), length(count))
  for (v in which(size > 0L)) {
    covariance[at[[v]], at[[v]]] <-
      crossprod(bases[[v]], shares[[v]] * bases[[v]]) - tcrossprod(means[[v]])
    for (w in which(size > 0L & seq_along(size) < v)) {
      told <- cpp_measured_pair(held$store, w, v)
      if (is.null(told)) next
      beyond <- matrix(told$value, size[[w]], byrow = TRUE) - tcrossprod(means[[w]], means[[v]])
      covariance[at[[w]], at[[v]]] <- beyond
      covariance[at[[v]], at[[w]]] <- t(beyond)
      variance[w, v] <- variance[v, w] <- told$variance
    }
  }
  list(
    covariance = covariance, variance = variance, own_variance = own_variance, at = at,
    shares = shares, bases = bases
  )
}

# The covariances of all pairs under the DAG: `parents` has the positions of each variable's.
joint_pairs <- function(pairs, parents) {
  order <- parents_first(parents)
  of_arcs <- matrix(FALSE, length(parents), length(parents))
  for (v in seq_along(parents)) of_arcs[v, parents[[v]]] <- of_arcs[parents[[v]], v] <- TRUE
  path <- path_model(pairs, parents, order)
  arcs <- path$start()
  misfit <- 0
  # Each round has a better idea of what the sums over parents miss.
  for (round in seq_len(3L)) {
    weight <- ifelse(is.na(pairs$variance), 0, 1 / (pairs$variance + misfit * !of_arcs))
    weight[!upper.tri(weight)] <- 0
    arcs <- path$fitted(arcs, weight)
    implied <- path$implied(arcs)
    misfit <- unexplained_variance(pairs, implied, !of_arcs & upper.tri(of_arcs))
  }
  implied
}

# Squared distance between measured and implied contrasts, per contrast, less the noise.
unexplained_variance <- function(pairs, implied, which) {
  left <- 0
  count <- 0
  for (k in which(which & !is.na(pairs$variance))) {
    place <- arrayInd(k, dim(pairs$variance))
    at <- list(pairs$at[[place[[1L]]]], pairs$at[[place[[2L]]]])
    apart <- pairs$covariance[at[[1L]], at[[2L]]] - implied[at[[1L]], at[[2L]]]
    left <- left + sum(apart^2) - length(apart) * pairs$variance[[k]]
    count <- count + length(apart)
  }
  if (count == 0) 0 else max(0, left / count)
}

# The model of the equation above, its fit to measured pairs, and where to begin.
path_model <- function(pairs, parents, order) {
  own <- pairs$at
  of_parents <- lapply(parents, function(set) unlist(own[set]))
  before <- vector("list", length(own))
  for (i in seq_along(order)) before[[order[[i]]]] <- unlist(own[order[seq_len(i - 1L)]])
  children <- order[lengths(of_parents[order]) > 0L & lengths(own[order]) > 0L]
  sizes <- lengths(own[children]) * lengths(of_parents[children])
  ends <- cumsum(sizes)
  matrices <- function(arcs) {
    out <- vector("list", length(own))
    for (i in seq_along(children)) {
      v <- children[[i]]
      out[[v]] <- matrix(arcs[ends[[i]] - sizes[[i]] + seq_len(sizes[[i]])], length(own[[v]]))
    }
    out
  }
  alone <- matrix(0, nrow(pairs$covariance), ncol(pairs$covariance))
  for (rows in own) alone[rows, rows] <- pairs$covariance[rows, rows]
  implied <- function(arcs, by = matrices(arcs)) {
    out <- alone
    for (v in children) {
      row <- by[[v]] %*% out[of_parents[[v]], before[[v]], drop = FALSE]
      out[own[[v]], before[[v]]] <- row
      out[before[[v]], own[[v]]] <- t(row)
    }
    out
  }
  spread <- rep(seq_along(own), lengths(own))
  fitted <- function(arcs, weight) {
    if (length(arcs) == 0L) return(arcs)
    weight <- weight[spread, spread, drop = FALSE]
    distance <- function(arcs) {
      0.5 * sum(weight * (implied(arcs) - pairs$covariance)^2) + 0.5 * pull_to_zero * sum(arcs^2)
    }
    # The chain rule backwards: `back` has how the distance changes with each implied covariance,
    # and hands on to those of the parents what it has learnt from those of their child.
    gradient <- function(arcs) {
      by <- matrices(arcs)
      now <- implied(arcs, by)
      back <- weight * (now - pairs$covariance)
      steps <- vector("list", length(own))
      for (v in rev(children)) {
        told <- back[own[[v]], before[[v]], drop = FALSE] +
          t(back[before[[v]], own[[v]], drop = FALSE])
        steps[[v]] <- tcrossprod(told, now[of_parents[[v]], before[[v]], drop = FALSE])
        back[of_parents[[v]], before[[v]]] <-
          back[of_parents[[v]], before[[v]]] + crossprod(by[[v]], told)
      }
      unlist(lapply(steps[children], as.vector)) + pull_to_zero * arcs
    }
    stats::optim(
      arcs, distance, gradient, method = "L-BFGS-B", control = list(maxit = 300, factr = 1e9)
    )$par
  }
  # Each child regressed on its parents by their own pairs.
  start <- function() {
    unlist(lapply(children, function(v) {
      inner <- pairs$covariance[of_parents[[v]], of_parents[[v]], drop = FALSE]
      ridge <- diag(0.05 * mean(diag(inner)) + 1e-9, nrow(inner))
      as.vector(
        pairs$covariance[own[[v]], of_parents[[v]], drop = FALSE] %*% solve_near(inner, ridge)
      )
    }))
  }
  list(start = start, fitted = fitted, implied = implied)
}

# Noise can make a matrix of covariances one of none; then the pairs of parents are left out.
solve_near <- function(inner, ridge) {
  values <- eigen(inner, symmetric = TRUE, only.values = TRUE)$values
  if (min(values) < 0) inner <- diag(diag(inner), nrow(inner))
  solve(inner + ridge)
}

# Coefficients of arcs have the standard deviation 1 / sqrt(10) beforehand: contrasts of parents
# explain those of a child by numbers below 1. Between 1 and 50 it made no difference.
pull_to_zero <- 10

parents_first <- function(parents) {
  done <- integer()
  while (length(done) < length(parents)) {
    ready <- Filter(function(v) all(parents[[v]] %in% done), setdiff(seq_along(parents), done))
    done <- c(done, ready)
  }
  done
}
