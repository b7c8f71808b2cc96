#' How sure is an edge?
#'
#' For every pair of variables, the probability that the edge would stand if the same records were
#' measured again with fresh noise, and how often it would point either way. It is computed
#' from what [marginal_pc()] measured and the known distribution of the noise. It costs no
#' budget.
#'
#' @details
#' The measured tables are taken, for each pair drawn towards what the fit explains by other
#' variables (independence, or independence given the variable that separated the pair) as far as
#' the noise could have made the difference, so that noise is not taken for signal twice; this is a
#' positive-part James-Stein rule. Then noise of the same size is drawn anew around them `draws`
#' times, and the graph is learnt again with the settings of the fit. The strength is the share of
#' these graphs that have the edge.
#'
#' On average over the noise of the fit it is close to how often the edge stands in refits to the
#' same records. For pairs without an edge it is somewhat above that, most for those that are joined
#' only through a third variable: a strength of 0.2 may well be none.
#'
#' It tells how much the *noise* matters. That another sample of people would give another
#' graph, as a bootstrap of the records would tell, is not in it, nor
#' is whether the assumptions of the search hold. With a small `epsilon` an edge of strength
#' one half is one that the fit has, or has not, by luck.
#'
#' The draws come from R's own generator ([set.seed()] makes them repeatable); they are not
#' what protects the data.
#'
#' @param fit A fit of [marginal_pc()].
#' @param draws Number of graphs.
#' @param progress Show a progress bar when it takes more than a moment.
#' @param ... Must be empty.
#' @param x What `edge_strength()` returned.
#' @return `edge_strength()`: a data frame of class `"privpc_strength"` with two rows per pair, as
#'   bnlearn has them: `from`, `to`, `strength` (the same for both rows), `direction` (given that
#'   the edge stands, the share in which it points from `from` to `to`, undirected edges counted
#'   one half each way), `learnt`, whether the fit has the edge, and `required`, whether background
#'   knowledge required it (its strength is then no evidence). The strongest pairs come first.
#'
#'   `as_bn_strength()`: the same as an object of class `"bn.strength"` for bnlearn, whose
#'   `averaged.network()`, `strength.plot()` and others accept it.
#' @seealso [retest()] for a single test; `plot(fit, strength = TRUE)` for a picture.
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 0.5)
#' sure <- edge_strength(fit, draws = 100)
#' sure
#'
#' # Edges of the fit that hang by a thread
#' subset(sure, learnt & strength < 0.9 & from < to)
#'
#' # On with bnlearn: the consensus of all draws
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   bnlearn::averaged.network(as_bn_strength(sure), threshold = 0.5)
#' }
#' @export
edge_strength <- function(fit, draws = 200, progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  held <- check_measurements(fit, call)
  check_number(draws, min = 1, max = 1e6, whole = TRUE)
  check_flag(progress)
  settings <- fit$settings
  rules <- rules_of(fit)
  knowledge <- parse_knowledge(
    settings$whitelist, settings$blacklist, settings$tiers, held$nodes, call
  )
  centre <- shrunken_tables(opened(held, call), fit$sepsets)
  # Only what the search itself saw: the tables of the families are not part of it.
  store <- opened(list(levels = held$levels, n = held$n, tables = centre), call)$store
  nodes <- held$nodes
  edge <- arrow <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  report_draws <- draw_reporter(progress, draws, "Drawing noise")
  for (size in draw_parts(draws)) {
    found <- with_mechanism(call, cpp_count_graphs(
      store, redraw_noise(centre, size), rules, knowledge$required, knowledge$forbidden
    ))
    edge <- edge + found$edges
    arrow <- arrow + found$arrows
    report_draws(size)
  }
  required <- array(FALSE, dim(edge))
  required[rbind(knowledge$required, knowledge$required[, 2:1, drop = FALSE])] <- TRUE
  new_strength(edge / draws, ifelse(edge > 0, arrow / edge, 0), required, fit, draws)
}

# One row per ordered pair, strongest first, ties by name.
new_strength <- function(edge, direction, required, fit, draws) {
  nodes <- rownames(edge)
  at <- which(row(edge) != col(edge), arr.ind = TRUE)
  pair <- paste(pmin(at[, 1L], at[, 2L]), pmax(at[, 1L], at[, 2L]))
  at <- at[order(-edge[at], match(pair, unique(pair)), -direction[at]), , drop = FALSE]
  learnt <- skeleton_matrix(fit)[nodes, nodes, drop = FALSE] == 1L
  out <- data.frame(
    from = nodes[at[, 1L]], to = nodes[at[, 2L]], strength = edge[at], direction = direction[at],
    learnt = learnt[at], required = required[at]
  )
  marked(structure(
    out, class = c("privpc_strength", "data.frame"), nodes = fit$nodes, draws = draws
  ), mark_of(fit))
}

#' @rdname edge_strength
#' @param least Pairs below this strength are only counted when printed, unless the fit joins them.
#' @param digits Number of significant digits printed.
#' @export
print.privpc_strength <- function(x, ..., least = 0.05, digits = 2) {
  draws <- attr(x, "draws")
  nodes <- attr(x, "nodes")
  # A part of the rows or columns is a data frame like any other.
  if (is.null(draws) || nrow(x) != length(nodes) * (length(nodes) - 1L) || ncol(x) != 6L) {
    return(NextMethod())
  }
  pairs <- x[!duplicated(paste(pmin(x$from, x$to), pmax(x$from, x$to), sep = "\r")), ]
  shown <- pairs[pairs$learnt | pairs$strength >= least, ]
  cli::cat_line(
    cli::style_bold("<privpc strength>"), " share of ", draws, " graphs with fresh noise"
  )
  if (nrow(shown)) {
    print(data.frame(
      from = shown$from, to = shown$to, strength = signif(shown$strength, digits),
      direction = signif(shown$direction, digits),
      learnt = ifelse(shown$required, "required", ifelse(shown$learnt, "yes", "no"))
    ), row.names = FALSE)
  }
  rest <- nrow(pairs) - nrow(shown)
  if (rest) cli::cat_line(rest, ngettext(rest, " pair", " pairs"), " below ", format(least))
  cat_mark(x)
  invisible(x)
}

# A part at a time, to show progress and to save memory.
draw_parts <- function(draws, most = 10) diff(unique(c(seq(0, draws, by = most), draws)))

# One column per draw: the values of all sets, with fresh noise.
redraw_noise <- function(tables, draws) {
  values <- unlist(tables$values)
  sd <- rep(sqrt(tables$variance), lengths(tables$values))
  values + matrix(stats::rnorm(length(values) * draws), length(values)) * sd
}

# Pairs, drawn towards what the fit explains by others. Twice as strictly as the rule for many
# contrasts says: in a sparse graph most pairs show nothing beyond, and so the strengths were nearer
# to what refits gave (networks asia and sachs). Single variables, and tables of three, are left as
# they are.
shrunken_tables <- function(held, sepsets = NULL) {
  tables <- held$tables
  held <- opened(held)
  given <- separating_variables(sepsets, held$nodes)
  for (k in which(lengths(tables$sets) == 2L)) {
    pair <- sort(tables$sets[[k]])
    explained <- explained_contrasts(held, pair, given[pair[1L], pair[2L]])
    if (is.null(explained)) next
    tables$values[[k]] <- drawn_towards(
      tables$values[[k]], explained, tables$variance[[k]], strictness = 2
    )
  }
  tables
}

# The variable that separated a pair in the fit, 0 where none or more than one did.
separating_variables <- function(sepsets, nodes) {
  given <- matrix(0L, length(nodes), length(nodes))
  one <- which(lengths(sepsets$given) == 1L)
  at <- cbind(match(sepsets$x[one], nodes), match(sepsets$y[one], nodes))
  given[rbind(at, at[, 2:1, drop = FALSE])] <- match(unlist(sepsets$given[one]), nodes)
  given
}

# The contrasts of a pair that is independent given one variable (`given`, 0 for none), as far as
# the tables tell: the shares of the two with it, multiplied and summed. The second variable of the
# pair runs fastest, as in the core.
explained_contrasts <- function(held, pair, given) {
  alone <- lapply(pair, function(member) cpp_measured_contrasts(held$store, member))
  if (any(vapply(alone, is.null, NA))) return(NULL)
  independent <- as.vector(outer(alone[[2L]], alone[[1L]]))
  if (given == 0L) return(independent)
  shares <- lapply(pair, function(member) {
    table <- noisy_table(held, c(member, given))
    if (length(table$missing)) return(NULL)
    matrix(pmax(table$basis %*% table$value, 0), table$levels[[1L]])
  })
  if (any(vapply(shares, is.null, NA))) return(independent)
  stratum <- pmax((colSums(shares[[1L]]) + colSums(shares[[2L]])) / 2, 1e-12)
  joint <- shares[[2L]] %*% (t(shares[[1L]]) / stratum)
  cpp_contrasts_of_table(joint, rev(dim(joint)))
}

# Counts draws.
draw_reporter <- function(progress, draws, what, frame = rlang::caller_env()) {
  if (!progress) return(function(new = 1) NULL)
  bar <- timely_bar(what, draws, Sys.time(), frame)
  function(new = 1) cli::cli_progress_update(inc = new, id = bar, .envir = frame)
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
