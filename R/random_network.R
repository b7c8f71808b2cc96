#' A random network
#'
#' Draws a Bayesian network of a given size, density and strength of effects: something to rehearse
#' a study on when no network of the field is at hand, with [plan_study()], [evaluate_learners()] or
#' [simulate()][simulate.privpc_network].
#'
#' @details **The graph.** Variables get a causal order by chance. Of all pairs so many are joined
#' that a variable has `degree` neighbours on average (`nodes * degree / 2` arcs, rounded), each
#' pair with the same chance, but none beyond `max_parents` parents. The arc points from the earlier
#' variable to the later one. Names (`v01`, `v02`, ...) and columns say nothing about the order.
#'
#' **The effects.** The effect of an arc is phi: the root of the squared correlation between cause
#' and effect, summed over their levels (chi-square over n); of two variables with two levels,
#' their correlation. Each arc is to have a phi drawn uniformly from `effect * (1 - spread)` to
#' `effect * (1 + spread)`.
#'
#' **The probabilities.** Without its parents a variable has shares of its levels proportional to
#' uniform numbers from 0.5 to 1.5: with two levels, a share of 0.25 to 0.75. Parents act on the
#' logarithms of these, each by itself (without interactions), with normal scores for every level of
#' the parent and of the child, centred and as large as it takes to get the arc's phi. That is
#' worked out as if parents were independent of each other. Where they are not, the phi found in
#' data differs: parents with a common cause strengthen or weaken each other's. On average over a
#' network it is close to `effect`: on 40 networks of 12 variables with two and with three levels
#' and `effect` 0.1, 0.2 and 0.3, the mean over all arcs was 0.99 to 1.01 times what was asked.
#'
#' Several strong causes of one variable leave no room for each other: three parents cannot all have
#' a phi of 0.7. The effects are then smaller than asked, and a message says so.
#'
#' @param nodes Number of variables, 2 to 1000.
#' @param degree Mean number of neighbours of a variable.
#' @param levels How many levels the variables have, 2 to 20: one number for all, or one for each.
#' @param effect Mean phi of the arcs, above 0 and below 1.
#' @param seed A whole number that fixes the network, or `NULL` to draw it with R's random numbers,
#'   so that [set.seed()] makes it repeatable. With a `seed` R's random numbers are not touched.
#' @param spread How much arcs differ, from 0 (all alike) to 1; see below.
#' @param max_parents Largest number of parents, 1 to 6.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return A network of class `"privpc_network"`, see [network()].
#' @seealso [plan_study()]; [networks()] for networks from the literature.
#' @examples
#' # Twelve variables, each with two neighbours on average, and effects around 0.2
#' net <- random_network(nodes = 12, degree = 2, effect = 0.2, seed = 1)
#' net
#'
#' # What records from it look like
#' head(simulate(net, nsim = 1000, seed = 1))
#'
#' # Some variables with three levels
#' random_network(6, degree = 2, levels = c(2, 2, 2, 3, 3, 3), seed = 1)
#' @export
random_network <- function(nodes, degree = 2, levels = 2, effect = 0.2, seed = NULL, spread = 0.5,
                           max_parents = 3, ...) {
  check_dots_empty(...)
  check_number(nodes, min = 2, max = 1000, whole = TRUE)
  check_number(degree, min = 0, max = nodes - 1)
  check_numbers(levels, min = 2, max = 20, whole = TRUE)
  check_number(effect, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_number(spread, min = 0, max = 1)
  check_number(max_parents, min = 1, max = 6, whole = TRUE)
  if (!is.null(seed)) check_number(seed, min = -2^31 + 1, max = 2^31 - 1, whole = TRUE)
  call <- rlang::current_env()
  levels <- check_random_levels(levels, nodes, call)
  check_random_degree(degree, nodes, max_parents, call)
  if (is.null(seed)) return(draw_network(nodes, degree, levels, effect, spread, max_parents))
  with_own_seed(seed, draw_network(nodes, degree, levels, effect, spread, max_parents))
}

# ---- the graph ----------------------------------------------------------------------------------

draw_network <- function(nodes, degree, levels, effect, spread, max_parents) {
  names <- sprintf(paste0("v%0", nchar(nodes), "d"), seq_len(nodes))
  in_time <- sample.int(nodes)
  parents <- draw_parents(nodes, round(nodes * degree / 2), max_parents)
  net <- list(
    shares = vector("list", nodes), parents = vector("list", nodes),
    probabilities = vector("list", nodes), asked = double(), got = double()
  )
  # By place in time; `in_time` says which variable has it.
  for (place in seq_len(nodes)) {
    node <- in_time[[place]]
    causes <- in_time[parents[[place]]]
    wanted <- effect * stats::runif(length(causes), 1 - spread, 1 + spread)
    family <- draw_family(levels[[node]], net$shares[causes], wanted)
    net$parents[[node]] <- names[causes]
    net$probabilities[[node]] <- family$table
    net$shares[[node]] <- family$shares
    net$asked <- c(net$asked, wanted)
    net$got <- c(net$got, family$phi)
  }
  say_weaker_effects(effect, net$asked, net$got)
  new_network(
    "random", names, lapply(levels, function(k) as.character(seq_len(k))), net$parents,
    net$probabilities
  )
}

# For each place in time the places of its parents: pairs in random order, as long as there is room.
draw_parents <- function(nodes, arcs, max_parents) {
  parents <- rep(list(integer()), nodes)
  pairs <- which(upper.tri(matrix(0, nodes, nodes)), arr.ind = TRUE)
  pairs <- pairs[sample.int(nrow(pairs)), , drop = FALSE]
  for (i in seq_len(nrow(pairs))) {
    if (arcs == 0) break
    child <- pairs[i, 2L]
    if (length(parents[[child]]) == max_parents) next
    parents[[child]] <- c(parents[[child]], pairs[i, 1L])
    arcs <- arcs - 1
  }
  parents
}

# ---- the probabilities --------------------------------------------------------------------------

# The table of a variable given its parents, of which the shares of the levels are known, with these
# effects; and the variable's own shares, with the parents taken as independent.
draw_family <- function(levels, parent_shares, wanted) {
  base <- stats::runif(levels, 0.5, 1.5)
  base <- log(base / sum(base))
  if (length(wanted) == 0L) {
    return(list(table = exp(base), shares = exp(base), phi = double()))
  }
  sizes <- lengths(parent_shares)
  # The level of each parent in each combination, the first parent running fastest.
  at <- as.matrix(expand.grid(lapply(sizes, seq_len)))
  chance <- Reduce(`*`, Map(function(share, j) share[at[, j]], parent_shares, seq_along(sizes)))
  scores <- lapply(sizes, function(k) draw_scores(levels, k))
  table_for <- function(strength) {
    logs <- base + Reduce(`+`, Map(function(s, score, j) {
      s * score[, at[, j], drop = FALSE]
    }, strength, scores, seq_along(sizes)))
    weights <- exp(sweep(logs, 2L, apply(logs, 2L, max)))
    sweep(weights, 2L, colSums(weights), `/`)
  }
  found <- match_effects(table_for, at, chance, parent_shares, wanted)
  list(table = as.vector(found$table), shares = drop(found$table %*% chance), phi = found$phi)
}

# Random scores of every level with every level, without anything that a level has by itself.
draw_scores <- function(levels, parent_levels) {
  score <- matrix(stats::rnorm(levels * parent_levels), levels)
  score <- score - rowMeans(score)
  score <- sweep(score, 2L, colMeans(score))
  score / sqrt(mean(score^2))
}

# Strengths are raised and lowered by turns until every arc has its phi, or cannot get nearer.
match_effects <- function(table_for, at, chance, parent_shares, wanted) {
  strength <- wanted
  for (i in seq_len(60L)) {
    table <- table_for(strength)
    phi <- marginal_phi(table, at, chance, parent_shares)
    if (all(abs(phi / wanted - 1) < 1e-3)) break
    # Beyond this the table hardly changes: it is all zeros and ones.
    strength <- pmin(30, strength * pmin(2, pmax(0.5, wanted / pmax(phi, 1e-9))))
  }
  list(table = table, phi = phi)
}

# Phi of the variable with each parent.
marginal_phi <- function(table, at, chance, parent_shares) {
  own <- drop(table %*% chance)
  vapply(seq_along(parent_shares), function(j) {
    together <- t(rowsum(t(table) * chance, at[, j]))
    expected <- outer(own, parent_shares[[j]])
    sqrt(sum((together - expected)^2 / expected))
  }, 0)
}

# ---- checks and messages ------------------------------------------------------------------------

check_random_levels <- function(levels, nodes, call) {
  if (length(levels) == 1L) return(rep(as.integer(levels), nodes))
  if (length(levels) == nodes) return(as.integer(levels))
  abort(c(
    "{.arg levels} must be one number for all variables, or one for each of the {nodes}.",
    x = "There are {length(levels)}."
  ), call = call)
}

check_random_degree <- function(degree, nodes, max_parents, call) {
  room <- sum(pmin(seq_len(nodes) - 1, max_parents))
  arcs <- round(nodes * degree / 2)
  if (arcs <= room) return(invisible())
  abort(c(
    "{.arg degree} is too large for {.arg max_parents} = {max_parents}.",
    x = "{arcs} arcs were asked for, and {nodes} variables have room for {room}.",
    i = "Take a {.arg degree} of at most {floor(20 * room / nodes) / 10}, or more parents."
  ), call = call)
}

# The arcs' effects as they were drawn and as they came out.
say_weaker_effects <- function(effect, asked, got) {
  if (length(asked) == 0L || mean(got) > 0.95 * mean(asked)) return(invisible())
  cli::cli_inform(c(
    "!" = paste(
      "The arcs have a mean effect of {format(mean(got), digits = 2)}, not {format(effect)}:",
      "several strong causes of one variable leave no room for each other."
    ),
    i = "A smaller {.arg effect}, {.arg degree} or {.arg max_parents} helps."
  ), class = "privpc_weaker_effects")
}

# Code with R's random numbers from this seed, whichever generator is set, and as they were after
# it.
with_own_seed <- function(seed, code) {
  before <- globalenv()[[".Random.seed"]]
  kinds <- RNGkind()
  on.exit({
    if (is.null(before)) {
      RNGkind(kinds[[1L]], kinds[[2L]], kinds[[3L]])
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", before, envir = globalenv())
    }
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}
