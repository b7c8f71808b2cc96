#' Where a graph contradicts its own tables
#'
#' Pairs that are clearly dependent in the noisy tables of a fit, but that its graph does not
#' connect, or connects only by weaker edges; and variables that one or two others nearly
#' determine. Every conditional decision of a search can be wrong, and some wrong ones show here.
#' It costs no budget.
#'
#' A pair is listed if the search called it dependent without conditions, the graph does not join
#' the two, and either no path connects them without a collider, or the edges at one of its ends are
#' together weaker than the pair. So is a pair that background knowledge forbids, if it was
#' measured all the same. [explain()] puts together what the fit holds about such a pair,
#' [retest()] says what the tables tell about it given others; `whitelist` in [relearn()] puts an
#' edge there.
#'
#' What a search does around a variable that others nearly determine (as weight and height determine
#' the body mass index) is hardly reliable: given those, nothing of it is left to be tested. Such
#' groups are best represented by some of their members.
#'
#' How strong a pair is, is told as *phi squared*: chi-squared over the number of records. Of two
#' variables with two levels each it is their squared correlation. With more levels it is a sum of
#' squared correlations over contrasts between the levels, and so may be above 1: at most the number
#' of levels of the variable with fewer, less one.
#'
#' @param fit A fit of [marginal_pc()].
#' @param ... Must be empty.
#' @param x What `contradictions()` returned.
#' @return An object of class `"privpc_contradictions"`: a list of two data frames. `pairs` has the
#'   columns `x`, `y`, `effect` (phi squared, less what noise gives; `NA` if noise alone gives more
#'   than any table can have, because a level is rare), `largest`, the most that phi squared can be
#'   with so many levels, `p.value`, `carried`,
#'   about the most that the graph can carry of it (0 if it does not connect the two), and
#'   `forbidden`, whether background knowledge rules the edge out; the strongest pair comes first,
#'   those whose effect cannot be told last. `determined` has `variable`, the list column `by`, and
#'   `share_left`, of the spread of the variable given those. `summary(fit)` has the same.
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#' contradictions(fit)
#' @export
contradictions <- function(fit, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  mark <- mark_of(fit)
  marked(marked_parts(find_contradictions(fit, call), mark), mark)
}

find_contradictions <- function(fit, call = rlang::caller_env()) {
  held <- check_measurements(fit, call)
  settings <- fit$settings
  knowledge <- parse_knowledge(
    settings$whitelist, settings$blacklist, settings$tiers, held$nodes, call
  )
  graph <- edge_matrix(fit)[held$nodes, held$nodes, drop = FALSE]
  storage.mode(graph) <- "integer"
  compare <- function(knowledge) {
    with_mechanism(call, cpp_contradictions(
      lengths(held$levels), ordered_nodes(held), held$n, held$tables,
      rules_of(fit, call), knowledge$required, knowledge$forbidden, graph
    ))
  }
  as_pairs <- function(found) {
    data.frame(
      x = held$nodes[found$x], y = held$nodes[found$y], effect = found$effect,
      p.value = found$p_value, carried = found$carried
    )
  }
  found <- compare(knowledge)
  pairs <- as_pairs(found)
  pairs$forbidden <- rep(FALSE, nrow(pairs))
  # The core leaves out what knowledge decides. Where it was measured all the same, because other
  # tests needed it or the knowledge came later, its tables speak as well.
  ruled_out <- measured_and_forbidden(held, knowledge)
  if (nrow(ruled_out)) {
    more <- as_pairs(compare(list(required = no_arcs, forbidden = no_arcs)))
    more <- more[paste(match(more$x, held$nodes), match(more$y, held$nodes)) %in%
                   paste(ruled_out[, 1L], ruled_out[, 2L]), , drop = FALSE]
    more$forbidden <- rep(TRUE, nrow(more))
    pairs <- rbind(pairs, more)
  }
  largest <- vapply(seq_len(nrow(pairs)), function(k) {
    largest_effect(held, pairs$x[[k]], pairs$y[[k]])
  }, 0)
  pairs$effect <- tellable_effects(pairs, largest, held, settings$prior, call)
  pairs <- cbind(pairs[1:3], largest = largest, pairs[-(1:3)])
  pairs <- pairs[order(-pairs$effect, pairs$p.value), , drop = FALSE]
  row.names(pairs) <- NULL
  determined <- data.frame(variable = held$nodes[found$variable])
  determined$by <- lapply(found$by, function(set) held$nodes[set])
  determined$share_left <- found$share_left
  structure(list(pairs = pairs, determined = determined), class = "privpc_contradictions")
}

# No phi squared is larger than the levels of the smaller variable less one. An estimate may be,
# where noise in a rare level is divided by what few records there are: it is cut there, and NA if
# noise alone would give more.
tellable_effects <- function(pairs, largest, held, prior, call) {
  vapply(seq_len(nrow(pairs)), function(k) {
    found <- read_pair(held, pairs$x[[k]], pairs$y[[k]], character(), prior, call)
    if (found$effect_noise > largest[[k]]) NA_real_ else min(pairs$effect[[k]], largest[[k]])
  }, 0)
}

largest_effect <- function(held, x, y) min(lengths(held$levels[match(c(x, y), held$nodes)])) - 1

# Pairs that are forbidden both ways and have a table, the smaller position first.
measured_and_forbidden <- function(held, knowledge) {
  arcs <- knowledge$forbidden
  both <- arcs[, 1L] < arcs[, 2L] &
    paste(arcs[, 1L], arcs[, 2L]) %in% paste(arcs[, 2L], arcs[, 1L])
  arcs <- arcs[both, , drop = FALSE]
  sets <- held$tables$sets
  tables <- vapply(sets[lengths(sets) == 2L], function(set) paste(sort(set), collapse = " "), "")
  arcs[paste(arcs[, 1L], arcs[, 2L]) %in% tables, , drop = FALSE]
}

#' @rdname contradictions
#' @export
print.privpc_contradictions <- function(x, ...) {
  check_dots_empty(...)
  check_result(x, contradiction_kinds, rlang::current_env())
  cli::cat_line(cli::style_bold("<privpc contradictions>"))
  cat_list(contradiction_lines(x))
  cat_mark(x)
  invisible(x)
}

# One line each.
contradiction_lines <- function(x) {
  pairs <- x$pairs
  why <- paste0(
    ifelse(pairs$carried > 0, "connected by weaker edges only", "not connected"),
    ifelse(pairs$forbidden, " (forbidden by background knowledge)", ""), recycle0 = TRUE
  )
  lines <- c(
    paste0(
      pairs$x, " and ", pairs$y, ": ", strength_text(pairs$effect, pairs$largest), ", ", why,
      recycle0 = TRUE
    ),
    paste0(
      x$determined$variable, ": nearly determined by ",
      vapply(x$determined$by, paste, "", collapse = " and "), ", ",
      signif(100 * pmax(x$determined$share_left, 0), 2), " % left", recycle0 = TRUE
    )
  )
  if (length(lines)) lines else "none"
}

# Where phi squared can be above 1, which looks wrong for a squared correlation, with its largest.
strength_text <- function(effect, largest) {
  ifelse(
    is.na(effect), "how strongly cannot be told beside the noise of rare levels",
    paste0(
      "phi squared ", signif(effect, 2), ifelse(largest > 1, paste(" of at most", largest), "")
    )
  )
}

# For print(): nothing where the learner measures no tables, or there are none.
contradiction_text <- function(x) {
  if (!is.list(x$measurements)) return(NULL)
  # A fit that was changed by hand is printed as far as it goes.
  pairs <- tryCatch(find_contradictions(x)$pairs, error = function(e) NULL)
  if (is.null(pairs)) return(NULL)
  if (nrow(pairs) == 0L) return(NULL)
  paste0(
    "The graph contradicts its own tables: ", counted(nrow(pairs), "dependent pair"),
    " that its paths do not explain", if (nrow(pairs) > 1L) ", most of all " else ": ",
    pairs$x[[1L]], " and ", pairs$y[[1L]], " (",
    strength_text(pairs$effect[[1L]], pairs$largest[[1L]]), "); see `contradictions(fit)` and `",
    explain_code(pairs$x[[1L]], pairs$y[[1L]]), "`"
  )
}

# As in: explain(fit, "bmi", "diabetes").
explain_code <- function(x, y) {
  paste0("explain(fit, ", paste(encodeString(c(x, y), quote = "\""), collapse = ", "), ")")
}
