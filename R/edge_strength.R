#' How sure is an edge?
#'
#' For every pair of variables, the probability that the edge would stand if the same records were
#' measured again with fresh noise, and how often it would point either way. It is computed
#' from what [marginal_pc()] measured and the known distribution of the noise. It costs no
#' budget.
#'
#' @details
#' Tables that may be the true ones are drawn `draws` times, given the noisy ones. On each of them
#' the whole fit is run again: fresh noise, what to measure next, tests, directions. The strength
#' is the share of these graphs that have the edge.
#'
#' The noisy tables themselves would be a bad guess at the true ones: they vary more, and the noise
#' breaks every conditional independence. So a pair may be explained by nothing, by one variable
#' between the two or by two of them, beyond which it shows an effect of some size, often none. How
#' often pairs are explained by what, and how large effects are, is estimated from all pairs
#' together (empirical Bayes), and each truth is one draw from what is then plausible. Tables of
#' three variables follow from their pairs and from what was measured of them.
#'
#' @section Two kinds:
#' `kind = "noise"` asks how much the *noise* matters: the same people, measured again. With a small
#' `epsilon` an edge of strength one half is one that the fit has, or has not, by luck.
#'
#' `kind = "sampling"` asks what *another sample of people* from the same population would give,
#' measured with fresh noise: tables of the population are drawn, then as many people from it as the
#' fit had. This is what a bootstrap of the records is for, without the records. Whether the
#' assumptions of the search hold is in neither.
#'
#' @section Pooled fits:
#' Of a fit of [pool_fits()] every site is replayed, with its own rows, budget and plan, and what
#' they measure is pooled as in the fit. The sites are taken as alike: all of them measure the same
#' drawn tables. Where they differ ([heterogeneity()]), a strength is about their mixture.
#'
#' @section How sure is a strength?:
#' One fit cannot know everything about the true tables, so a strength is itself uncertain.
#' `uncertainty` is its typical distance (root mean square) from the share of refits to the same
#' records that have the edge: `r strength_error` times the square root of s (1 - s), which was
#' measured on simulated networks and real records; about a quarter around one half. Here s is the
#' strength with one draw more that counts half for the edge and half against it,
#' (strength times `draws` + 0.5) / (`draws` + 1), so that a strength of 0 or 1 is not called
#' certain: with 200 draws its uncertainty is 0.03, and smaller with more. Elsewhere more draws do
#' not make it smaller. What background knowledge requires has none.
#' On simulated networks strengths between 0.2 and 0.8 of pairs that the fit does not join were too
#' high by 0.1 in the mean; on real records those between 0.6 and 0.8 of edges that it has
#' (`bench/strength.R`).
#'
#' The draws are repeatable with [set.seed()], whatever the number of threads; they are not what
#' protects the data. Each takes about as long as learning the graph took, so `draws` bounds the
#' time: with many variables begin with 20. They are shared among `threads`, and cost no budget,
#' also when they are stopped.
#'
#' @param fit A fit of [marginal_pc()] or [pool_fits()].
#' @param draws Number of graphs; the time is proportional to it.
#' @param kind `"noise"`, the same people measured again, or `"sampling"`, other people; see below.
#' @param threads Number of threads.
#' @param progress Show a progress bar when it takes more than a moment.
#' @param ... Must be empty.
#' @param x What `edge_strength()` returned.
#' @return `edge_strength()`: a data frame of class `"privpc_strength"` with two rows per pair, as
#'   bnlearn has them: `from`, `to`, `strength` (the same for both rows), `direction` (given that
#'   the edge stands, the share in which it points from `from` to `to`, undirected edges counted
#'   one half each way), `learnt`, whether the fit has the edge, `in_fit`, how it points there
#'   (`"->"` from `from` to `to`, `"<-"`, `"--"`, or empty), which need not be how it points in most
#'   graphs, `required`, whether background
#'   knowledge required it (its strength is then no evidence), and `uncertainty`, that of the
#'   strength. The strongest pairs come first.
#'
#'   `as_bn_strength()`: the same as an object of class `"bn.strength"` for bnlearn, whose
#'   `averaged.network()`, `strength.plot()` and others accept it. Note that `averaged.network()`
#'   turns every `direction` above one half into an arrow, .505 as well.
#' @seealso [consensus()] for the graph of the edges that stand often; [retest()] for a single test;
#'   `plot(fit, strength = TRUE)` for a picture.
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 0.5)
#' sure <- edge_strength(fit, draws = 100)
#' sure
#'
#' # Edges of the fit that hang by a thread
#' subset(sure, learnt & strength < 0.9 & from < to)
#'
#' # Would another sample of people have given them?
#' edge_strength(fit, draws = 100, kind = "sampling")
#'
#' # On with bnlearn: the consensus of all draws
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   bnlearn::averaged.network(as_bn_strength(sure), threshold = 0.5)
#' }
#' @export
edge_strength <- function(fit, draws = 200, kind = c("noise", "sampling"),
                          threads = getOption("privpc.threads", 2L), progress = interactive(),
                          ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  kind <- check_choice(kind, c("noise", "sampling"), call = call)
  replayed <- replay_fit(fit, draws, kind, threads, progress, call)
  new_strength(replayed, fit)
}

# Root mean square distance between a strength s and the share of refits, over sqrt(s (1 - s)): on
# networks and records of bench/strength.R.
strength_error <- 0.55

# One row per ordered pair, strongest first, ties by name.
new_strength <- function(replayed, fit) {
  edge <- replayed$edges
  direction <- ifelse(edge > 0, replayed$arrows / edge, 0)
  nodes <- rownames(edge)
  required <- array(FALSE, dim(edge))
  known <- replayed$knowledge$required
  required[rbind(known, known[, 2:1, drop = FALSE])] <- TRUE
  at <- which(row(edge) != col(edge), arr.ind = TRUE)
  pair <- paste(pmin(at[, 1L], at[, 2L]), pmax(at[, 1L], at[, 2L]))
  at <- at[order(-edge[at], match(pair, unique(pair)), -direction[at]), , drop = FALSE]
  adjacent <- edge_matrix(fit)[nodes, nodes, drop = FALSE] == 1L
  forth <- adjacent[at]
  back <- adjacent[at[, 2:1, drop = FALSE]]
  out <- data.frame(
    from = nodes[at[, 1L]], to = nodes[at[, 2L]], strength = edge[at], direction = direction[at],
    learnt = forth | back, in_fit = c("", "->", "<-", "--")[1L + forth + 2L * back],
    required = required[at],
    uncertainty = strength_uncertainty(edge[at], required[at], replayed$draws)
  )
  marked(structure(
    out, class = c("privpc_strength", "data.frame"), nodes = fit$nodes, draws = replayed$draws,
    kind = replayed$kind
  ), mark_of(fit))
}

# A share of 0 or 1 of few draws is not certain either (Jeffreys' prior adds half a draw to both
# sides). What knowledge requires is.
strength_uncertainty <- function(strength, required, draws) {
  inside <- (strength * draws + 0.5) / (draws + 1)
  ifelse(required, 0, strength_error * sqrt(inside * (1 - inside)))
}

#' @rdname edge_strength
#' @param least Pairs below this strength are only counted when printed, unless the fit joins them.
#' @param digits Number of significant digits printed.
#' @export
print.privpc_strength <- function(x, ..., least = 0.05, digits = 2) {
  check_printable(x, rlang::current_env())
  draws <- attr(x, "draws")
  nodes <- attr(x, "nodes")
  # A part of the rows or columns is a data frame like any other.
  if (is.null(draws) || nrow(x) != length(nodes) * (length(nodes) - 1L) || ncol(x) != 8L) {
    return(NextMethod())
  }
  check_whole_strength(x, rlang::current_env())
  pairs <- x[!duplicated(paste(pmin(x$from, x$to), pmax(x$from, x$to), sep = "\r")), ]
  shown <- pairs[pairs$learnt | pairs$strength >= least, ]
  cli::cat_line(
    cli::style_bold("<privpc strength>"), " share of ", draws, " graphs, ",
    switch(attr(x, "kind"), noise = "the same people measured again", "of other people")
  )
  if (nrow(shown)) {
    print(data.frame(
      from = shown$from, to = shown$to, strength = signif(shown$strength, digits),
      `+/-` = round(shown$uncertainty, 2), direction = signif(shown$direction, digits),
      `in fit` = paste0(
        ifelse(shown$learnt, shown$in_fit, "no"), ifelse(shown$required, " required", "")
      ),
      check.names = FALSE
    ), row.names = FALSE)
  }
  rest <- nrow(pairs) - nrow(shown)
  if (rest) cli::cat_line(rest, ngettext(rest, " pair", " pairs"), " below ", format(least))
  cat_mark(x)
  invisible(x)
}

#' @rdname edge_strength
#' @export
as_bn_strength <- function(x, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(x, call = call)
  if (!inherits(x, "privpc_strength")) {
    abort(c(
      "{.arg x} must be a result of {.fn edge_strength}.",
      x = "It is {describe(x)}."
    ), call = call)
  }
  check_suggested("bnlearn", "for objects of class bn.strength", call = call)
  nodes <- attr(x, "nodes")
  if (is.null(nodes) || nrow(x) != length(nodes) * (length(nodes) - 1L)) {
    abort(c(
      "{.arg x} must have all rows that {.fn edge_strength} returned.",
      x = "It has {nrow(x)}."
    ), call = call)
  }
  check_whole_strength(x, call)
  # bnlearn lists the pairs by node; the order matters where two arcs tie.
  order <- order(match(x$from, nodes), match(x$to, nodes))
  out <- data.frame(
    from = x$from[order], to = x$to[order], strength = x$strength[order],
    direction = x$direction[order]
  )
  out <- structure(
    out, class = c("bn.strength", "data.frame"), method = "bootstrap", threshold = 0.5,
    nodes = nodes
  )
  attr(out, "threshold") <- bnlearn::inclusion.threshold(out)
  mark <- mark_of(x)
  say_mark(mark, "The strengths are")
  # bnlearn looks for its own class alone.
  attr(out, "privacy") <- mark
  out
}
