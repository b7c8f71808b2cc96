#' Draw data from a network
#'
#' A method for [stats::simulate()]. Draws independent rows: each variable given
#' its parents, with the probabilities of the network; or balanced rows, which keep them.
#'
#' The rows come from a generator of their own (xoshiro256++), not from R's.
#' With a `seed` the result depends on the seed alone: it is the same on every
#' machine, for every number of threads, and R's random numbers are not touched.
#' The first rows of a longer simulation with the same seed are those of a
#' shorter one. Without a seed one is drawn from R's generator, so that
#' [set.seed()] makes the result repeatable as usual.
#'
#' **Balanced rows.** Independent rows differ from the network by chance, as another group of people
#' would. Synthetic data that stand for a group need not: with `balanced = TRUE`, among the rows
#' with the same levels of its parents, each level of a variable occurs as often as its probability
#' says, but for less than one row (systematic sampling; which rows have it is random). All
#' variables by themselves and with their parents are then as the network has them, and other tables
#' nearly so. Such rows are not independent: do not use them to study how much estimates vary, and
#' do not take their first rows for a smaller sample.
#'
#' The probabilities hold to about one part in 2^50; a level with probability
#' zero never occurs.
#'
#' @param object A network, from [network()] or [read_bif()].
#' @param nsim Number of rows, from 1 to 2147483647.
#' @param seed A whole number between -2^53 and 2^53, or `NULL`.
#' @param ... Must be empty.
#' @param balanced `TRUE` for rows that keep the network's probabilities, see *Balanced rows*;
#'   `FALSE` for independent ones.
#' @param threads Number of threads (for independent rows); the result is the same for any number.
#' @return A data frame with `nsim` rows and one factor per variable, in the
#'   order of the network's nodes. Levels are in the network's order, and the
#'   factor is ordered where the variable is ordinal. The attribute `"seed"`
#'   holds the seed, also when it was drawn, so that the data can be made again. (This seed draws
#'   rows from a network, and has nothing to do with the noise of a private fit.) Rows from the
#'   network of a fit that is not private ([as_network()]) carry a mark: a message says it, the
#'   attribute `privacy`, and print, see [fits][privpc-class].
#' @references
#' Blackman, D. and Vigna, S. (2021). Scrambled linear pseudorandom number
#' generators. *ACM Transactions on Mathematical Software*, 47(4), 36.
#'
#' Madow, W. G. and Madow, L. H. (1944). On the theory of systematic sampling, I. *Annals of
#' Mathematical Statistics*, 15(1), 1--24.
#' @seealso [networks()]
#' @importFrom stats simulate
#' @export
#' @examples
#' # 1000 people answer a survey on how they travel.
#' answers <- simulate(network("survey"), nsim = 1000, seed = 1)
#' head(answers)
#'
#' # Age is ordinal, the means of travel are not.
#' str(answers)
simulate.privpc_network <- function(object, nsim = 1, seed = NULL, ..., balanced = FALSE,
                                    threads = 1) {
  check_dots_empty(...)
  check_flag(balanced)
  check_number(nsim, min = 1, max = core_limits$max_rows, whole = TRUE)
  if (!is.null(seed)) check_number(seed, min = -2^53, max = 2^53, whole = TRUE)
  check_number(threads, min = 1, max = 1024, whole = TRUE)
  call <- rlang::current_env()
  check_network_fields(object, call)
  seed <- if (is.null(seed)) draw_seed() else as.numeric(seed)
  columns <- tryCatch(
    cpp_simulate_network(
      nodes = object$nodes,
      level_counts = lengths(object$levels[object$nodes]),
      parents = lapply(object$parents[object$nodes], match, object$nodes, nomatch = 0L),
      probabilities = object$probabilities[object$nodes],
      rows = nsim,
      seed = seed,
      threads = threads,
      balanced = balanced
    ),
    error = function(error) {
      if (is_time_limit(error)) stop(error)
      abort(c(
        "Cannot draw {nsim} row{?s} from {.arg object}.",
        x = "{conditionMessage(error)}.",
        i = "Networks come from {.fn network} and {.fn read_bif}."
      ), call = call)
    }
  )
  for (i in seq_along(columns)) {
    node <- object$nodes[[i]]
    attr(columns[[i]], "levels") <- object$levels[[node]]
    class(columns[[i]]) <- c(if (object$ordered[[node]]) "ordered", "factor")
  }
  mark <- mark_of(object)
  say_mark(mark, "The rows are")
  marked(structure(
    columns,
    names = object$nodes,
    row.names = .set_row_names(as.integer(nsim)),
    class = "data.frame",
    seed = seed
  ), mark)
}

# People may edit a network, for instance to set a variable. Whatever takes one looks at types and
# names here first; the numbers and the arcs are looked at where rows are drawn, in C++.
check_network_fields <- function(net, call, arg = "object") {
  refuse <- function(problem) {
    abort(c(
      "{.arg {arg}} must be a complete network.",
      x = problem,
      i = "Networks come from {.fn network} and {.fn read_bif}."
    ), call = call, envir = rlang::caller_env())
  }
  if (!is.list(net) || !is_record(unclass(net))) {
    refuse("Its elements do not have names of their own.")
  }
  nodes <- net$nodes
  if (length(nodes) == 0L) refuse("It has no nodes.")
  if (!is.character(nodes) || anyNA(nodes) || !all(nzchar(nodes)) || !all(validEnc(nodes))) {
    refuse("Its nodes are not names.")
  }
  if (anyDuplicated(nodes)) refuse("Node {.val {unique(nodes[duplicated(nodes)])}} is there twice.")
  wrong <- first_unsound(unclass(net), list(
    name = is_text, levels = is_record, parents = is_record, probabilities = is_record,
    ordered = function(x) is.logical(x) && !is.null(names(x)), reference = or_none(is_text),
    privacy = or_none(is_text)
  ))
  if (!is.null(wrong)) refuse("Its element {.field {wrong}} is not that of a network.")
  is_complete <- vapply(nodes, function(node) {
    is.character(net$levels[[node]]) && is.character(net$parents[[node]]) &&
      is.numeric(net$probabilities[[node]]) && isFALSE(is.na(net$ordered[node]))
  }, logical(1))
  if (!all(is_complete)) {
    bare <- nodes[!is_complete]
    refuse("Levels, parents, order or probabilities are missing for {.val {bare}}.")
  }
  # The table's own labels must say the same as the fields beside it.
  fits <- vapply(nodes, function(node) {
    family <- c(node, net$parents[[node]])
    all(family %in% nodes) && !anyDuplicated(family) && !anyNA(net$levels[[node]]) &&
      !anyDuplicated(net$levels[[node]]) &&
      identical(dimnames(net$probabilities[[node]]), net$levels[family])
  }, logical(1))
  if (!all(fits)) {
    odd <- nodes[!fits]
    refuse("The probabilities of {.val {odd}} do not go with the levels and parents.")
  }
  invisible(net)
}

# As far as the sums of a network may be off: the core's own measure (network/bayes_net.hpp).
probability_slack <- 0.01 + 1e-9

# For those that do not draw rows: the probabilities as well.
check_network_numbers <- function(net, call, arg) {
  check_network_fields(net, call, arg)
  odd <- net$nodes[!vapply(net$nodes, function(node) {
    table <- net$probabilities[[node]]
    !anyNA(table) && all(table >= 0) &&
      all(abs(colSums(matrix(table, nrow(table))) - 1) <= probability_slack)
  }, NA)]
  if (length(odd) == 0L) return(invisible(net))
  abort(c(
    "{.arg {arg}} must be a complete network.",
    x = "The probabilities of {.val {odd}} are negative, or do not add up to 1.",
    i = "Networks come from {.fn network} and {.fn read_bif}."
  ), call = call)
}

# A seed with 53 random bits. R's uniform numbers have 32 at best, hence two.
draw_seed <- function() {
  halves <- stats::runif(2L)
  floor(halves[[1L]] * 2^26) * 2^27 + floor(halves[[2L]] * 2^27)
}
