#' Benchmark networks
#'
#' Seven discrete Bayesian networks on which structure learners are usually
#' compared. They come with their probabilities, so data of any size can be
#' drawn from them with [simulate()][simulate.privpc_network] and the learned
#' graph compared with the true one.
#'
#' The files are those of the Bayesian network repository of bnlearn,
#' unchanged, under the Creative Commons licence CC BY-SA 3.0.
#'
#' BIF files do not tell which variables are ordinal; that was decided for this
#' package. A variable is ordinal when its levels are amounts of one quantity:
#' `LOW < NORMAL < HIGH`, ages, sizes, cut measurements. Variables with levels
#' such as yes and no, and lists of kinds (diseases, means of travel), are not.
#' In `child`, `CO2` and `LungFlow` are listed in their file as Normal, Low,
#' High and are put into the order Low, Normal, High. There `DuctFlow` counts
#' as ordinal (a flow with a sign: left to right, none, right to left),
#' `CardiacMixing` does not (its last level, transposition, is another kind of
#' mixing rather than more of it), nor does `LungParench`. [read_bif()] on the
#' same file gives the network without these decisions.
#'
#' @return `networks()`: a data frame with one row per network and the columns
#'   `name`, `nodes` (number of variables), `arcs`, `parameters` (free
#'   probabilities), `levels` (range of the number of levels), `ordinal`
#'   (number of ordinal variables) and `reference`.
#'
#'   `network()`: an object of class `"privpc_network"`, a list with
#'   * `name`: a string,
#'   * `nodes`: the variables' names,
#'   * `levels`: named list, the levels of each variable, from low to high where
#'     it is ordinal,
#'   * `ordered`: named logical vector, which variables are ordinal,
#'   * `parents`: named list, the parents of each variable,
#'   * `probabilities`: named list, for each variable an array with its
#'     conditional probabilities. The first dimension is the variable itself,
#'     the others are its parents, in the order of `parents`, as in bnlearn.
#'   * `reference`: where the network was published, or `NULL`.
#'   * `privacy`: only in a network from a fit that is not private ([as_network()]), which it says.
#' @references
#' earthquake, cancer: Korb, K. B. and Nicholson, A. E. (2010). *Bayesian
#' Artificial Intelligence*, 2nd edition. CRC Press.
#'
#' survey: Scutari, M. and Denis, J.-B. (2014). *Bayesian Networks: With
#' Examples in R*. Chapman & Hall.
#'
#' asia: Lauritzen, S. L. and Spiegelhalter, D. J. (1988). Local computations
#' with probabilities on graphical structures and their application to expert
#' systems. *Journal of the Royal Statistical Society, Series B*, 50(2),
#' 157--224.
#'
#' sachs: Sachs, K., Perez, O., Pe'er, D., Lauffenburger, D. A. and Nolan, G. P.
#' (2005). Causal protein-signaling networks derived from multiparameter
#' single-cell data. *Science*, 308, 523--529.
#'
#' child: Spiegelhalter, D. J. and Cowell, R. G. (1992). Learning in
#' probabilistic expert systems. In *Bayesian Statistics 4*, 447--466. Clarendon
#' Press.
#'
#' alarm: Beinlich, I. A., Suermondt, H. J., Chavez, R. M. and Cooper, G. F.
#' (1989). The ALARM monitoring system: a case study with two probabilistic
#' inference techniques for belief networks. In *Proceedings of the 2nd European
#' Conference on Artificial Intelligence in Medicine*, 247--256. Springer.
#' @seealso [simulate()][simulate.privpc_network] to draw data, [read_bif()] for
#'   other networks, [privpc_network] for what can be done with a network.
#' @export
#' @examples
#' networks()
networks <- function() {
  described <- lapply(names(network_references), function(name) {
    net <- network(name)
    data.frame(
      name = name,
      nodes = length(net$nodes),
      arcs = sum(lengths(net$parents)),
      parameters = sum(parameter_counts(net)),
      levels = paste(unique(range(lengths(net$levels))), collapse = "-"),
      ordinal = sum(net$ordered),
      reference = net$reference
    )
  })
  do.call(rbind, described)
}

#' @rdname networks
#' @param name Name of the network, a single string; one of those listed by
#'   `networks()`.
#' @export
#' @examples
#'
#' # A patient's visit to Asia, tuberculosis, lung cancer and their signs.
#' asia <- network("asia")
#' asia
#'
#' # Shortness of breath depends on bronchitis and on the other two diseases.
#' asia$probabilities$dysp
#'
#' # The arcs as a matrix: row = from, column = to.
#' as.matrix(asia)["smoke", ]
network <- function(name) {
  check_string(name)
  known <- names(network_references)
  if (!name %in% known) {
    abort(c(
      "{.arg name} must be the name of a bundled network.",
      x = "It is {.val {name}}.",
      i = "The names are {.val {known}}. For a file of your own use {.fn read_bif}."
    ), call = rlang::current_env())
  }
  net <- read_bif(extdata(paste0(name, ".bif")), ordered = ordinal_levels(name))
  net$name <- name
  net$reference <- network_references[[name]]
  net
}

# Smallest first. Full citations: inst/extdata/README.md and the help page.
network_references <- c(
  earthquake = "Korb and Nicholson (2010)",
  cancer = "Korb and Nicholson (2010)",
  survey = "Scutari and Denis (2014)",
  asia = "Lauritzen and Spiegelhalter (1988)",
  sachs = "Sachs et al. (2005)",
  child = "Spiegelhalter and Cowell (1992)",
  alarm = "Beinlich et al. (1989)"
)

extdata <- function(file) system.file("extdata", file, package = "privpc", mustWork = TRUE)

# The ordinal variables of a bundled network: named list of levels, low to high.
# A level may itself contain "<" ("<5"), so levels are separated by " < ".
ordinal_levels <- function(name) {
  table <- utils::read.csv(extdata("ordinal.csv"), colClasses = "character")
  table <- table[table$network == name, ]
  levels <- strsplit(table$order, " < ", fixed = TRUE)
  names(levels) <- table$variable
  levels
}

# Takes its arguments as they are; read_bif() has checked them. `probabilities`
# are plain vectors in the order of arrays (node, first parent, ...).
new_network <- function(name, nodes, levels, parents, probabilities, reference = NULL) {
  names(levels) <- nodes
  names(parents) <- nodes
  names(probabilities) <- nodes
  for (node in nodes) {
    names_of_dimensions <- levels[c(node, parents[[node]])]
    probabilities[[node]] <- array(
      probabilities[[node]],
      dim = lengths(names_of_dimensions, use.names = FALSE),
      dimnames = names_of_dimensions
    )
  }
  net <- list(
    name = name,
    nodes = nodes,
    levels = levels,
    ordered = stats::setNames(logical(length(nodes)), nodes),
    parents = parents,
    probabilities = probabilities
  )
  net["reference"] <- list(reference)
  structure(net, class = "privpc_network")
}

# Free parameters of each node: one less than its levels, for each configuration
# of its parents.
parameter_counts <- function(net) {
  counts <- lengths(net$levels)
  vapply(net$nodes, function(node) {
    (counts[[node]] - 1) * prod(counts[net$parents[[node]]])
  }, numeric(1))
}

count_of <- function(count, noun) {
  paste0(count, " ", noun, if (count == 1) "" else "s")
}

#' Look at a network
#'
#' @description
#' Networks come from [network()] and [read_bif()]. Printing one shows its size and arcs;
#' `summary()` adds a table of the variables; `format()` gives one line; `as.matrix()` the
#' adjacency matrix and `as.data.frame()` the arcs as a table, in the same form as for
#' [fits][privpc-class].
#'
#' The elements of the object are described in [network()].
#'
#' @param x,object A network.
#' @param ... Must be empty: a misspelt argument is an error.
#' @param row.names,optional As in [as.data.frame()]; `row.names` names the rows, `optional`
#'   has no effect.
#' @return `print()` returns the network invisibly; `format()` a string; `as.matrix()` an
#'   integer 0/1 matrix, row = from, column = to; `as.data.frame()` a data frame with the
#'   columns `from`, `to` and `type` (always `"directed"`), one row per arc; `summary()` an
#'   object of class `"summary.privpc_network"`, a list of `title`, `reference` and `variables`,
#'   a data frame with the number of parents, children and free parameters of each variable,
#'   whether it is ordinal, and its levels.
#' @seealso [plot()][plot.privpc_network], [simulate()][simulate.privpc_network], [as_bn()],
#'   [as_dagitty()], [as.igraph][as.igraph.privpc_network]
#' @name privpc_network
#' @aliases privpc_network-class
#' @examples
#' cancer <- network("cancer")
#' cancer
#' summary(cancer)
#'
#' # The arcs as a table and as a matrix
#' as.data.frame(cancer)
#' as.matrix(cancer)
NULL

#' @rdname privpc_network
#' @export
format.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  check_network_fields(x, rlang::current_env(), "x")
  paste0(
    x$name, ": ", count_of(length(x$nodes), "node"), ", ",
    count_of(sum(lengths(x$parents)), "arc"), ", ",
    count_of(sum(parameter_counts(x)), "parameter"), if (!is.null(mark_of(x))) ", NOT private"
  )
}

#' @rdname privpc_network
#' @export
print.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  check_network_fields(x, rlang::current_env(), "x")
  lines <- c(
    paste("Bayesian network", format(x)),
    paste0(
      "Levels: ", paste(unique(range(lengths(x$levels))), collapse = " to "), " per variable; ",
      count_of(if (any(x$ordered)) sum(x$ordered) else "no", "ordinal variable")
    ),
    if (!is.null(x$reference)) paste("Reference:", x$reference)
  )
  children <- x$nodes[lengths(x$parents) > 0]
  arrows <- vapply(children, function(node) {
    paste(paste(x$parents[[node]], collapse = ", "), "->", node)
  }, character(1))
  shown <- utils::head(arrows, 20L)
  if (length(shown)) lines <- c(lines, "Arcs:", paste0("  ", shown))
  hidden <- sum(lengths(x$parents[children[-seq_along(shown)]]))
  if (hidden > 0) lines <- c(lines, paste0("  and ", count_of(hidden, "arc"), " more"))
  cat(lines, sep = "\n")
  cat_mark(x)
  invisible(x)
}

#' @rdname privpc_network
#' @export
summary.privpc_network <- function(object, ...) {
  check_dots_empty(...)
  check_network_fields(object, rlang::current_env(), "object")
  parents <- lengths(object$parents)
  children <- table(factor(unlist(object$parents), levels = object$nodes))
  variables <- data.frame(
    variable = object$nodes,
    parents = unname(parents),
    children = as.vector(children),
    parameters = unname(parameter_counts(object)),
    ordinal = unname(object$ordered),
    levels = unname(mapply(function(levels, ordered) {
      paste(levels, collapse = if (ordered) " < " else ", ")
    }, object$levels, object$ordered))
  )
  mark <- mark_of(object)
  marked(structure(
    list(
      title = format(object), reference = object$reference,
      variables = marked_parts(variables, mark)
    ),
    class = "summary.privpc_network"
  ), mark)
}

#' @rdname privpc_network
#' @export
print.summary.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  cat("Bayesian network ", x$title, "\n", sep = "")
  if (!is.null(x$reference)) cat("Reference: ", x$reference, "\n", sep = "")
  print(unmarked(x$variables), row.names = FALSE, right = FALSE)
  cat_mark(x)
  invisible(x)
}

#' @rdname privpc_network
#' @export
as.data.frame.privpc_network <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  check_dots_empty(...)
  check_network_fields(x, rlang::current_env(), "x")
  arcs <- edge_table(as.matrix(x))
  check_row_names(row.names, nrow(arcs))
  if (!is.null(row.names)) row.names(arcs) <- row.names
  marked(arcs, mark_of(x))
}

#' @rdname privpc_network
#' @export
as.matrix.privpc_network <- function(x, ...) {
  check_dots_empty(...)
  check_network_fields(x, rlang::current_env(), "x")
  marked(edges_from_parents(x$parents[x$nodes]), mark_of(x))
}
