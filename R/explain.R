#' Why is there an edge, or none?
#'
#' What a fit holds about two variables, put together: what was measured, what separates the two,
#' how strong an edge must be to be found, which background knowledge decided, why the edge
#' points as it does, where graph and tables disagree, and what would change the answer. It is
#' computed from the fit alone: it costs no budget and reads no records.
#'
#' @section How to read it:
#' *Effects* are given as phi, which is like a correlation: the root of phi squared in [retest()],
#' less what noise and sampling alone would give. The interval (about 95 %) allows for both. It
#' comes from a non-central chi-square distribution, with an upper limit as Read (2002) takes it
#' where an effect may be none, and is rough for very strong effects. No phi is larger than the root
#' of the number of levels of the smaller variable less one. Where noise in rare levels alone would
#' give more than that, the size cannot be told; the p-value and the evidence know the noise and
#' stand.
#'
#' *The separating set* is the one that the search found. Where there is none, because graphs were
#' compared by their score, or because the edge stands, the sets of neighbours of either variable
#' are tried now, and the one after which the tables speak most for independence is shown as
#' `nearest`. That is a reading after the fact and not how the graph was learnt; as the best of
#' several sets it looks better than it is.
#'
#' *Power* has two numbers. The first is that of the message about few rows in [marginal_pc()]: it
#' knows rows, variables, levels, budget and `alpha`, and reckons with two evenly split variables of
#' the search by score. The second is for these two variables, as rare levels leave an effect
#' more noise: the phi with which the test of the pair, with the noise that it has, passes the
#' false-discovery rule at its strictest in 80 % of fits. Rows and `epsilon` for an effect take
#' the harder of the two, and the effect as it was measured, which itself is uncertain.
#'
#' *What would change it* tries other settings with [relearn()] and reports what came out. Who then
#' takes the setting that has the wanted edge has chosen it by the result: `alpha` no longer means
#' what it says.
#'
#' Fits of [exact_pc()] and of the paper's learners keep separating sets, but no tables: effects,
#' power and contradictions are missing there; power also for fits of [pool_fits()].
#'
#' @param fit A fit of one of the learners, or a [consensus()].
#' @param x,y Names of two variables of the fit.
#' @param ... Must be empty.
#' @return A list of class `"privpc_explanation"`, which `print()` and `format()` put into words:
#' * `x`, `y`: the two variables.
#' * `edge`: how the graph joins `x` and `y`: `"->"`, `"<-"`, `"--"`, or `""`.
#' * `reason`: what decided: `"required"` or `"forbidden"` (background knowledge), `"one level"`,
#'   `"not measured"`, `"independent"` (not dependent without conditions), `"separated"` (given
#'   others), `"score"` (graphs with or without this edge agree better with the tables), `"tests"`
#'   (no tested set explains it), `"consensus"`, `"changed"` (the graph is not what the tables and
#'   settings of the fit give), or `"not kept"`.
#' * `measured`: what the tables tell without conditions: a list of `tables` (the measured sets that
#'   contain the two), `se` (of the noise in the share of one cell of their table), `phi` (`NA` if
#'   it cannot be told), `lower`, `upper`, `estimate` (phi squared, as it comes out), `noise`, `df`,
#'   `p.value`, `evidence` and `prior`, as in [retest()]; `NULL` without such a table.
#' * `separated`: `given`, the separating set of the fit, and the same readings given it; `NULL` if
#'   the fit has none.
#' * `nearest`: the same for the set that was found after the fact; `NULL` if none was looked for.
#' * `power`: `least` (the phi of an edge between evenly split variables that is found in 80 % of
#'   fits), `least_here` (of these two), `effect` (the phi that is asked about: what was measured,
#'   given the separating set if there is one), `is_limit` (whether that is the upper limit, because
#'   the estimate is 0 or cannot be told), and the `rows` and `epsilon` that would show it (`Inf` if
#'   none would); `NULL` without tables, and without a table of the two only `least`.
#' * `knowledge`: `required` and `forbidden` arcs between the two as text, and `tiers`, the numbers
#'   of their tiers.
#' * `direction`: `rule` (`"knowledge"`, `"collider"`, `"meek 1"` to `"meek 4"`, `"other"` or
#'   `"open"`) and `by`, the other variables involved; `NULL` without an edge.
#' * `contradictions`: those of [contradictions()] that involve the two; `NULL` without tables.
#' * `tried`: data frame with the `setting` for [relearn()] and the `edge` that it gives.
#' * `strength`: of a [consensus()], the share of the graphs that have the edge.
#' * `about`: what is public about the fit and needed for the words.
#' @references
#' Read, A. L. (2002). Presentation of search results: the CLs technique. *Journal of Physics G* 28,
#' 2693-2704.
#' @seealso [retest()] for other sets, [edge_strength()], [contradictions()], [relearn()].
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#'
#' # Why are smoking and the X-ray not joined?
#' explain(fit, "smoke", "xray")
#'
#' # And why does this edge point as it does?
#' why <- explain(fit, "lung", "either")
#' why
#' why$direction
#' @export
explain <- function(fit, x, y, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_fit(fit, call)
  held <- fit$measurements
  check_quoted(c("x", "y"), call)
  check_string(x)
  check_string(y)
  check_known_variables(c(x, y), fit$nodes, call, "{.arg x} and {.arg y}")
  settings <- fit$settings
  arcs <- parse_knowledge(
    settings$whitelist, settings$blacklist, settings$tiers, fit$nodes, call
  )
  knowledge <- knowledge_of_pair(arcs, settings$tiers, fit$nodes, x, y)
  edge <- edge_between(edge_matrix(fit), x, y)
  out <- list(
    x = x, y = y, edge = edge, knowledge = knowledge,
    measured = if (!is.null(held)) measured_of_pair(held, x, y, settings$prior, call),
    strength = strength_of_pair(fit, x, y), about = about_fit(fit, held, x, y)
  )
  given <- recorded_set(fit, x, y)
  out["separated"] <- list(if (!is.null(given)) {
    c(list(given = given), if (!is.null(held)) read_effect(held, x, y, given, settings$prior, call))
  })
  if (!is.null(out$measured)) {
    if (is.null(given)) out$nearest <- nearest_set(fit, held, x, y, call)
    out$tried <- tried_settings(fit, x, y, edge)
  }
  out$reason <- reason_of(out, fit)
  if (out$reason == "independent" && !is.null(out$measured)) {
    out$uncovered <- uncovering_cause(fit, held, x, y, call)
  }
  if (!is.null(held)) {
    out$power <- power_of_pair(fit, held, out, call)
    out$contradictions <- contradictions_of_pair(fit, x, y, call)
  }
  if (nzchar(edge)) out$direction <- direction_of(fit, arcs, x, y, edge)
  named <- c(
    "x", "y", "edge", "reason", "measured", "separated", "nearest", "uncovered", "power",
    "knowledge", "direction", "contradictions", "tried", "strength", "about"
  )
  out <- stats::setNames(lapply(named, function(name) out[[name]]), named)
  mark <- mark_of(fit)
  marked(structure(marked_parts(out, mark), class = "privpc_explanation"), mark)
}

# "->" from x to y, "<-", "--", or "".
edge_between <- function(graph, x, y) {
  c("", "->", "<-", "--")[[1L + (graph[x, y] == 1L) + 2L * (graph[y, x] == 1L)]]
}

is_pair <- function(a, b, x, y) (a == x & b == y) | (a == y & b == x)

# The separating set that the search found; NULL if there is none. A consensus has none.
recorded_set <- function(fit, x, y) {
  sets <- fit$sepsets
  at <- which(is_pair(sets$x, sets$y, x, y))
  if (length(at)) as.character(sets$given[[at[[1L]]]])
}

strength_of_pair <- function(fit, x, y) {
  if (is.null(fit$consensus) || !is.data.frame(fit$strength)) return(NULL)
  strength <- fit$strength
  strength$strength[strength$from == x & strength$to == y]
}

# Effect and tests of a pair, with an interval; NULL where the tables for it were not measured.
read_effect <- function(held, x, y, given, prior, call) {
  found <- read_pair(held, x, y, given, prior, call)
  if (is.null(found)) return(NULL)
  # A rare level may have more noise than records, and then nothing is known of the size.
  most <- largest_effect(held, x, y)
  told <- found$effect_noise <= most
  interval <- pmin(phi_interval(found$effect, found$effect_noise, found$df), sqrt(most))
  list(
    phi = if (told) sqrt(min(max(found$effect, 0), most)) else NA_real_,
    lower = if (told) interval[[1L]] else 0, upper = if (told) interval[[2L]] else sqrt(most),
    estimate = found$effect, noise = found$effect_noise, df = found$df,
    p.value = if (found$complete) found$p.value else NA_real_,
    evidence = found$evidence, prior = prior
  )
}

# Effect plus noise, over the noise per degree of freedom, is about a non-central chi-square, whose
# non-centrality is phi squared over that noise. Its limits are those with which what was seen is a
# tail of (1 - level) / 2. What was seen may lie below what no effect gives; for the upper limit its
# tail is therefore taken as a part of that without effect (Read 2002), so that luck alone never
# makes the interval a point. Very far from 0 the root is normal with standard deviation 1.
phi_interval <- function(effect, noise, df, level = 0.95) {
  unit <- noise / df
  seen <- max(effect / unit + df, 1e-6)
  tail <- (1 - level) / 2
  if (seen > 1e4) {
    root <- sqrt(seen - df + 1) + c(-1, 1) * stats::qnorm(1 - tail)
    return(root * sqrt(unit))
  }
  without <- stats::pchisq(seen, df)
  limit <- function(share) {
    # With a larger non-centrality less lies below.
    off <- function(root) stats::pchisq(seen, df, root^2) - share
    stats::uniroot(off, c(0, sqrt(seen) + 10), tol = 1e-8)$root
  }
  lower <- if (without > 1 - tail) limit(1 - tail) else 0
  c(lower, limit(tail * without)) * sqrt(unit)
}

measured_of_pair <- function(held, x, y, prior, call) {
  found <- read_effect(held, x, y, character(), prior, call)
  if (is.null(found)) return(NULL)
  pair <- match(c(x, y), held$nodes)
  cells <- with_mechanism(call, cpp_measured(
    lengths(held$levels), held$n, held$tables, held$families, pair
  ))
  sets <- c(held$tables$sets, held$families$sets)
  sets <- unique(lapply(sets[vapply(sets, function(set) all(pair %in% set), NA)], sort))
  sets <- sets[order(lengths(sets))]
  c(list(tables = lapply(sets, function(set) held$nodes[set]), se = cells$se), found)
}

# At most so many neighbours of a variable are combined.
most_neighbours <- 8L

# Of the sets of neighbours of one of the two, the one after which the tables speak most for
# independence. Those tied to both ends come first, because only they can explain the pair.
nearest_set <- function(fit, held, x, y, call) {
  settings <- fit$settings
  read <- function(a, b, given) read_effect(held, a, b, given, settings$prior, call)
  joined <- without_directions(edge_matrix(fit))
  around <- function(node) {
    near <- setdiff(rownames(joined)[joined[node, ] == 1L], c(x, y))
    tied <- vapply(near, function(z) {
      ends <- list(read(x, z, character()), read(y, z, character()))
      if (any(vapply(ends, is.null, NA))) return(-Inf)
      min(ends[[1L]]$estimate, ends[[2L]]$estimate)
    }, 0)
    near <- near[is.finite(tied)]
    near[order(-tied[is.finite(tied)])][seq_len(min(length(near), most_neighbours))]
  }
  sets <- unlist(lapply(list(around(x), around(y)), function(near) {
    sizes <- seq_len(min(settings$max_order, length(near)))
    unlist(lapply(sizes, function(size) utils::combn(near, size, simplify = FALSE)), FALSE)
  }), FALSE)
  sets <- unique(lapply(sets, sort, method = "radix"))
  read_sets <- lapply(sets, function(given) {
    found <- read(x, y, given)
    if (!is.null(found)) c(list(given = given), found)
  })
  read_sets <- drop_null(read_sets)
  if (length(read_sets) == 0L) return(NULL)
  # What a test that misses interactions of its conditions leaves may be due to those.
  whole <- vapply(read_sets, function(found) !is.na(found$p.value), NA)
  if (any(whole)) read_sets <- read_sets[whole]
  read_sets[[which.min(vapply(read_sets, function(found) found$evidence, 0))]]
}

# Effects can cancel: a pair that is independent by itself may be dependent once a cause of one of
# the two is held fixed, and no search that begins with pairs sees it. Of the causes that the graph
# gives one of them, the one given which the tables speak most for dependence; NULL if none does so
# clearly. (Given a common effect any two causes are dependent, hence causes only.)
uncovering_cause <- function(fit, held, x, y, call) {
  graph <- edge_matrix(fit)
  into <- function(node) rownames(graph)[graph[, node] == 1L & graph[node, ] == 0L]
  read <- drop_null(lapply(setdiff(union(into(x), into(y)), c(x, y)), function(cause) {
    found <- read_effect(held, x, y, cause, fit$settings$prior, call)
    if (!is.null(found)) c(list(given = cause), found)
  }))
  clear <- vapply(
    read, function(found) found$evidence > log(20) && isTRUE(found$p.value < 0.001), NA
  )
  read <- read[clear]
  if (length(read) == 0L) return(NULL)
  read[[which.max(vapply(read, function(found) found$evidence, 0))]]
}

# What decided. The first that applies: knowledge comes before the tables, and a graph that was
# changed by hand is explained by nothing that was measured.
reason_of <- function(found, fit) {
  joined <- nzchar(found$edge)
  same <- found$tried$setting == ""
  changed <- isTRUE(any(nzchar(found$tried$edge[same]) != joined))
  if (joined && length(found$knowledge$required)) return("required")
  if (!joined && length(found$knowledge$forbidden) == 2L) return("forbidden")
  if (length(found$about$constant) && !joined) return("one level")
  if (!is.null(fit$consensus)) return("consensus")
  if (changed) return("changed")
  if (joined && length(found$knowledge$forbidden) == 2L) return("changed")
  if (joined) {
    by_score <- !is.null(found$measured) && search_of(fit$settings) == "score"
    return(if (by_score) "score" else if (is.null(found$separated)) "tests" else "changed")
  }
  if (length(found$knowledge$required)) return("changed")
  if (!is.null(found$separated)) {
    return(if (length(found$separated$given)) "separated" else "independent")
  }
  if (is.list(fit$measurements)) {
    return(if (is.null(found$measured)) "not measured" else "score")
  }
  "not kept"
}
