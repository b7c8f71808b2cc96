# The class "privpc": what every learner returns. A plain list of names, matrices and data
# frames, so that it can be saved, looked into and read without this package.

# `found` as the core gives it; takes what the learners made at its word.
new_fit <- function(found, learner, settings, call, privacy = not_private(),
                    ledger = empty_ledger()) {
  nodes <- found$nodes
  fit <- c(found[c("amat", "skeleton", "sepsets", "nodes")], list(
    learner = learner, privacy = privacy_with_knowledge(privacy, settings), ledger = ledger,
    settings = bare_settings(settings, nodes), call = call
  ))
  class(fit) <- "privpc"
  fit
}

# With what is known beforehand: cut points and background knowledge.
privacy_with_knowledge <- function(privacy, settings) {
  privacy <- privacy_with_breaks(privacy, settings$breaks)
  privacy_with_inputs(privacy, settings$whitelist, settings$blacklist, settings$tiers)
}

# The privacy of a learner that has none.
not_private <- function() {
  list(epsilon = Inf, delta = 0, rho = Inf, private = FALSE, neighbours = NA_character_)
}

check_fit <- function(fit, call) {
  check_given(fit, "fit", call)
  if (inherits(fit, "privpc")) return(check_sound(fit, call))
  if (is_pag(fit)) abort_pag(fit, "fit", call)
  abort(c(
    "{.arg fit} must be a fit of one of the learners.",
    x = "It is {describe(fit)}."
  ), call = call)
}

# data.frame() without its checks, which would take as long as learning a small graph.
new_data_frame <- function(columns) {
  # R's short form of the row names 1, 2, ..., n.
  attr(columns, "row.names") <- c(NA_integer_, -length(columns[[1L]])) # nolint: object_name_linter.
  class(columns) <- "data.frame"
  columns
}

no_steps <- new_data_frame(list(
  step = integer(), mechanism = character(), target = character(),
  epsilon = double(), rho = double(), delta = double(), cumulative = double()
))
empty_ledger <- function() no_steps

counted <- function(n, noun) paste0(n, " ", noun, if (n != 1L) "s")

# What the fit promises, as one sentence.
privacy_text <- function(privacy, ledger = empty_ledger()) {
  if (!is_promise(privacy)) {
    why <- if (!is.list(privacy) || isTRUE(privacy$private)) "damaged" else privacy$why
    if (is.null(why)) why <- "no protection"
    return(paste0(not_private_text(why), ". Do not publish it as a private result."))
  }
  promise <- paste0(
    "Private: ", promise_text(privacy),
    if (isTRUE(!is.na(privacy$neighbours))) {
      paste0(
        " (", neighbours_text(privacy),
        if (is_gaussian(privacy)) ", Gaussian accounting", ")"
      )
    }
  )
  spent <- share_spent(privacy, ledger)
  if (is.na(spent)) return(paste0(promise, ".", site_promise_text(privacy)))
  # The price of a fit is a part of a shared budget, of which more may be left.
  shared <- privacy$budget
  paste0(
    promise, ", ", percent_text(spent), if (is.null(shared)) " of the budget" else " of it",
    " spent in ", counted(nrow(ledger), "step"),
    if (!is.null(shared)) paste0("; paid from a budget of ", promise_text(shared)),
    if (!is.null(shared$ledger)) {
      paste0(
        ", as fit ", shared$ledger$fits, " of the ", data_text(shared$ledger$data), " (by then ",
        spent_so_far_text(shared$ledger), ")"
      )
    }, ".",
    if (!is.null(privacy$beside)) {
      paste0(
        " Not paid from the ledger of the ", data_text(privacy$beside$data), ", which already ",
        "listed ", spent_so_far_text(privacy$beside), "."
      )
    }
  )
}

# Whether all noise of the fit is Gaussian and was counted as such: then the epsilon of its rho is
# less than what zero-concentrated privacy says.
is_gaussian <- function(privacy) identical(privacy$accounting, "gaussian")

# What a fit keeps of the budget it was paid from: the promise, which is public, the ledger's random
# name, and of one in a file the state of its ledger after this fit was paid for (R/ledger_file.R).
shared_budget <- function(budget, paid = NULL) {
  if (is.null(budget)) return(NULL)
  drop_null(c(
    unclass(budget)[c("epsilon", "delta")],
    list(id = cpp_ledger_id(budget$ledger), ledger = paid)
  ))
}

# Learners that account in rho (zero-concentrated privacy) state it; the others add up epsilon.
share_spent <- function(privacy, ledger) {
  if (nrow(ledger) == 0L) return(NA_real_)
  in_rho <- isTRUE(is.finite(privacy$rho) && privacy$rho > 0)
  # The price of private breaks is in the promise, not in the ledger of the graph.
  own <- privacy$epsilon - if (is.null(privacy$breaks)) 0 else privacy$breaks
  spent <- if (in_rho) sum(ledger$rho) / privacy$rho else sum(ledger$epsilon) / own
  if (is.finite(spent)) spent else NA_real_
}

# As in: test = g2, alpha = 0.05, 5000 rows.
settings_text <- function(settings, digits = function(n) format(n, scientific = FALSE)) {
  shown <- c("test", "search", "alpha", "max_order")
  shown <- shown[vapply(settings[shown], function(x) length(x) == 1L && !is.na(x), NA)]
  shown <- setdiff(shown, if (isTRUE(is.infinite(settings$max_order))) "max_order")
  values <- vapply(settings[shown], function(x) format(x), "")
  rows <- if (length(settings$n) == 1L) {
    # Where the number is a secret it was measured.
    about <- if (is_add_remove(settings$neighbours)) "about "
    paste0(about, counted(
      digits(settings$n), counted_unit(settings$persons)
    ))
  }
  paste(
    c(paste(shown, values, sep = " = ", recycle0 = TRUE), rows, knowledge_text(settings)),
    collapse = ", "
  )
}

# Numbers of rows as those of the sites below are written.
fit_settings_text <- function(x) {
  if (is_pooled(x)) settings_text(x$settings, big) else settings_text(x$settings)
}

# Of a whitelist or blacklist as the user gave it.
arc_count <- function(x) if (is.null(dim(x))) length(x) / 2 else nrow(x)

# As in: given 4 tiers and 2 forbidden arcs.
knowledge_text <- function(settings) {
  given <- c(
    if (length(settings$tiers)) counted(length(settings$tiers), "tier"),
    if (length(settings$whitelist)) counted(arc_count(settings$whitelist), "required arc"),
    if (length(settings$blacklist)) counted(arc_count(settings$blacklist), "forbidden arc")
  )
  if (length(given)) paste("given", paste(given, collapse = " and "))
}

edge_counts_text <- function(edges) {
  n_directed <- sum(edges$type == "directed")
  if (nrow(edges) == 0L) return("no edges")
  paste0(
    counted(nrow(edges), "edge"), " (", n_directed, " directed, ",
    nrow(edges) - n_directed, " undirected)"
  )
}

#' A learnt causal graph
#'
#' @description
#' Every learner of this package returns an object of class `"privpc"`. Printing it shows
#' the edges and says whether the graph may be published as a private result. `summary()`
#' adds the role of each node and the separating sets. `as.data.frame()` gives the edges as a
#' table, `as.matrix()` the adjacency matrix, `format()` the whole in one line.
#'
#' Why two variables are joined, or are not, says [explain()].
#'
#' For other packages see [as_bn()], [as_dagitty()] and [igraph][as.igraph.privpc]; for a
#' picture [plot()][plot.privpc].
#'
#' @section Fits that are not private:
#' A fit with a `seed`, with the paper's constants, or with cut points from a seed states an epsilon
#' and does not keep it. Whatever is computed from it ([measured()], [retest()],
#' [edge_strength()], [effect()], [as_network()], [privacy_ledger()], pictures, and so on) is as
#' little private, and says **NOT private** when it is printed or drawn. Objects of other packages
#' ([as_bn()], [as_bn_fit()], [as_dagitty()], igraph) and rows that are drawn from such a network
#' cannot say it when they are printed or written to a file; a message (of class
#' `"privpc_not_private"`) says it when they are made. All of them carry the same words as the
#' attribute `privacy` (networks and tests: the element; an igraph: the graph attribute). What is
#' computed from such a table afterwards (`xtabs()`, `merge()`, `cbind()`, `transform()`,
#' `data.frame()`, a file of `write.csv()`), single columns and elements of a fit (`fit$amat`) no
#' longer say it. A graph of [exact_pc()] states no epsilon, and what is made of it carries no such
#' mark; it must not be used as background knowledge for a private fit of the same records.
#'
#' @details
#' The object is a list with these elements:
#' * `amat`: 0/1 matrix, row = from, column = to; an undirected edge has a 1 in both places.
#' * `skeleton`: the same edges without direction, a symmetric 0/1 matrix.
#' * `sepsets`: data frame with one row per pair that was tested and separated: `x`, `y` and
#'   the list column `given`, the names of the variables that separated them.
#' * `nodes`: the names of the variables.
#' * `learner`, `settings`, `call`: how it was made.
#' * `privacy`: list of `epsilon`, `delta`, `rho`, `accounting` (how the run's own ledger counted:
#'   `"pure"`, `"zcdp"` or, where all noise is Gaussian and no budget pays, `"gaussian"`; then
#'   `rho` implies this epsilon by [dp_from_rho()] with `gaussian = TRUE` only), `private` (`TRUE`
#'   or `FALSE`) and `neighbours` (`"replace-one"`, or `"add-remove"` if [marginal_pc()] was asked
#'   for it); for a fit paid from a shared [privacy_budget()] also `budget`, the `epsilon` and
#'   `delta` of the whole, an `id`, which is a random name of the budget by which [pool_fits()]
#'   knows that two fits are of one data set, and, if the budget is in a file, `ledger`: the name of
#'   the `data` set, the number of this `entry`, how many `fits` and `others` the ledger listed with
#'   it, what was `spent` by then, and a `receipt`. For a fit that was not paid from the known
#'   ledger of its data, `beside` is the same of that ledger.
#' * `ledger`: data frame with one row per debit of the privacy budget; empty without privacy.
#' * `sites` and `pooled`: only of fits of [pool_fits()].
#'
#' @param x,object A fit.
#' @param ... Must be empty: a misspelt argument is an error.
#' @return `print()` returns the fit invisibly; `format()` a string; `as.matrix()` the integer
#'   matrix `amat`; `as.data.frame()` a data frame with the columns `from`, `to` and `type`
#'   (`"directed"` or `"undirected"`), one row per edge; `summary()` an object of class
#'   `"summary.privpc"`, a list of `edges`, `nodes` (a data frame with the number of parents,
#'   children, undirected neighbours and the degree of each node), `sepsets`, `learner`,
#'   `settings`, `privacy` and `ledger`; of a fit of [marginal_pc()] also [contradictions()], of a
#'   [consensus()] also `consensus`, of a fit of [pool_fits()] also `sites` and [heterogeneity()].
#' @name privpc-class
#' @aliases privpc-fit
#' @examples
#' # Learn a graph from data of the Asia network
#' cohort <- simulate(network("asia"), nsim = 5000, seed = 1)
#' fit <- exact_pc(cohort)
#' fit
#'
#' # The edges as a table, the graph as a matrix
#' as.data.frame(fit)
#' as.matrix(fit)
#'
#' # Which role does each variable play, and what separated which pair?
#' summary(fit)
NULL

#' @rdname privpc-class
#' @export
print.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  edges <- as.data.frame(x)
  cli::cat_line(cli::style_bold("<privpc>"), " ", origin_text(x))
  settings <- fit_settings_text(x)
  if (nzchar(settings)) cli::cat_line(settings)
  cat_cut_short(x)
  cat_sites(x)
  cli::cat_line(counted(length(x$nodes), "node"), ", ", edge_counts_text(edges))
  cat_list(edge_text(edges), more = " more; see `as.data.frame()`")
  contradicted <- contradiction_text(x)
  if (!is.null(contradicted)) cat_wrapped(contradicted)
  # A consensus says in how many graphs its edges are.
  if (is.list(x$measurements) && is.null(x$consensus)) {
    cli::cat_line("How sure is each edge? See `edge_strength()`")
  }
  cat_privacy(x)
  invisible(x)
}

# At most twenty lines, and how many are left out.
cat_list <- function(lines, more = " more") {
  most <- 20L
  if (length(lines)) cli::cat_line("  ", utils::head(lines, most))
  if (length(lines) > most) cli::cat_line("  and ", length(lines) - most, more, col = "grey")
}

# The pair that a summary takes as its example: the worst contradiction, the first edge, or any.
asked_pair <- function(x) {
  pairs <- x$contradictions$pairs
  if (isTRUE(nrow(pairs) > 0L)) return(c(pairs$x[[1L]], pairs$y[[1L]]))
  if (nrow(x$edges)) return(c(x$edges$from[[1L]], x$edges$to[[1L]]))
  x$nodes$node[1:2]
}

cat_wrapped <- function(text) cat(strwrap(text, width = cli::console_width()), sep = "\n")

cat_privacy <- function(x) {
  ledger <- if (is.null(x$ledger)) empty_ledger() else x$ledger
  text <- strwrap(privacy_text(x$privacy, ledger), width = cli::console_width())
  cli::cat_line(text, col = if (is_promise(x$privacy)) "green" else "red")
}

#' @rdname privpc-class
#' @export
format.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  edges <- as.data.frame(x)
  promise <- short_promise_text(x$privacy)
  paste0(
    "<privpc: ", if (!is.null(x$consensus)) "consensus by ", x$learner, "(), ",
    if (is_pooled(x)) paste0(counted(nrow(x$sites), "site"), ", "),
    counted(length(x$nodes), "node"), ", ", edge_counts_text(edges), ", ", promise, ">"
  )
}

# Of a fit, in one line of text.
short_promise_text <- function(privacy) {
  if (!is_promise(privacy)) return("NOT private")
  paste0(
    promise_text(privacy), if (is_add_remove(privacy$neighbours)) ", add-remove",
    if (identical(privacy$per, "person")) ", per person"
  )
}

#' @rdname privpc-class
#' @export
as.matrix.privpc <- function(x, ...) {
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  marked(edge_matrix(x), mark_of(x))
}

#' @rdname privpc-class
#' @param row.names,optional As in [as.data.frame()]; `row.names` names the rows, `optional`
#'   has no effect.
#' @export
as.data.frame.privpc <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  check_dots_empty(...)
  check_sound(x, rlang::current_env(), "x")
  edges <- edge_table(edge_matrix(x))
  check_row_names(row.names, nrow(edges))
  if (!is.null(row.names)) row.names(edges) <- row.names
  marked(edges, mark_of(x))
}

#' @rdname privpc-class
#' @export
summary.privpc <- function(object, ...) {
  check_dots_empty(...)
  check_sound(object, rlang::current_env(), "object")
  one_way <- is_directed(edge_matrix(object))
  mutual <- is_undirected(edge_matrix(object))
  count <- function(x) as.integer(unname(x))
  structure(
    marked_parts(list(
      edges = as.data.frame(object),
      nodes = data.frame(
        node = object$nodes,
        parents = count(colSums(one_way)),
        children = count(rowSums(one_way)),
        undirected = count(rowSums(mutual)),
        degree = count(rowSums(skeleton_matrix(object)))
      ),
      sepsets = object$sepsets, learner = object$learner, settings = object$settings,
      privacy = object$privacy, ledger = object$ledger, consensus = object$consensus,
      contradictions = if (is.list(object$measurements)) find_contradictions(object),
      sites = object$sites,
      heterogeneity = if (is_pooled(object) && nrow(object$sites) > 1L) heterogeneity(object)
    ), mark_of(object)),
    class = "summary.privpc"
  )
}

#' @export
print.summary.privpc <- function(x, ...) {
  heading <- function(text) cli::cat_line("\n", cli::style_bold(text))
  cli::cat_line(cli::style_bold("<privpc>"), " ", origin_text(x))
  settings <- fit_settings_text(x)
  if (nzchar(settings)) cli::cat_line(settings)
  cat_cut_short(x)

  if (is_pooled(x)) {
    heading(paste0("Sites: ", nrow(x$sites)))
    shown <- unmarked(x$sites)
    shown$weight <- round(shown$weight, 3)
    cat_list(sub("^ ", "", utils::capture.output(print(shown, row.names = FALSE))))
  }
  if (!is.null(x$heterogeneity)) {
    heading("Differences between sites beyond noise and sampling (5 %, see `heterogeneity()`)")
    cat_list(difference_lines(x$heterogeneity))
  }
  heading(paste0("Nodes: ", nrow(x$nodes)))
  cat_list(sub("^ ", "", utils::capture.output(print(unmarked(x$nodes), row.names = FALSE))))
  heading(paste0("Edges: ", edge_counts_text(x$edges)))
  cat_list(edge_text(x$edges))
  if (is.null(x$consensus)) {
    # A search by score decides by more than these.
    by_score <- identical(x$settings$search, "score")
    what <- if (by_score) "Pairs separated by tests" else "Separated pairs"
    heading(paste0(what, ": ", nrow(x$sepsets)))
    given <- vapply(x$sepsets$given, function(set) {
      if (length(set)) paste("given", paste(set, collapse = ", ")) else "without conditions"
    }, "")
    cat_list(paste(x$sepsets$x, "and", x$sepsets$y, given, recycle0 = TRUE))
  } else {
    heading("Separated pairs: a consensus has none")
    cat_list(
      "edges were counted over graphs, not tested; element `strength` of the fit has the shares"
    )
  }
  if (!is.null(x$contradictions)) {
    heading("Contradictions between graph and tables")
    cat_list(contradiction_lines(x$contradictions))
  }
  if (nrow(x$nodes) > 1L) {
    pair <- asked_pair(x)
    cli::cat_line("\nWhy an edge, or none? See `", explain_code(pair[[1L]], pair[[2L]]), "`")
  }
  cat("\n")
  cat_privacy(x)
  invisible(x)
}
