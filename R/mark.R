# The mark of what is not private. A fit can state an epsilon and not keep it: with a seed its noise
# can be repeated and taken off, and the paper's constants make it too small. Whatever is computed
# from such a fit tells as much as the fit does, so it carries the mark, and says so:
# * what this package prints (tables, tests, strengths, effects, networks, pictures), in print;
# * what other packages print, or what is written to a file unseen (graphs for bnlearn, igraph and
#   dagitty, synthetic rows), by a message when it is made, and in the attribute `privacy`.
# exact_pc() states no epsilon at all; what is made of its graphs carries no mark.

# The one wording. `why` is that of why_not_private().
not_private_text <- function(why = NULL) {
  reason <- switch(if (rlang::is_string(why)) why else "",
    seed = "the noise came from a seed and can be repeated",
    `seeded breaks` = "the cut points came from a seed, and their noise can be repeated",
    `marked input` = "it was made from data or knowledge that is not",
    `published constants` = "the paper's published sensitivities were used, and they do not hold",
    `no protection` = "this graph was learnt from the data without protection",
    damaged = "its statement of epsilon and delta is damaged",
    "it comes from a fit that is not"
  )
  paste("NOT private:", reason)
}

# The mark of the first of these objects that has one; NULL if none has.
mark_of <- function(...) {
  for (x in list(...)) {
    mark <- own_mark(x)
    if (!is.null(mark)) return(mark)
  }
  NULL
}

own_mark <- function(x) {
  if (inherits(x, "privpc")) return(mark_of_promise(x$privacy))
  if (is_pag(x)) {
    # A true graph has no promise, but the mark of the network that it was made of.
    if (is_true_pag(x)) return(if (rlang::is_string(x$privacy)) x$privacy)
    # The fit may have been taken out, or changed for another one.
    mark <- if (!is.null(x$fit)) own_mark(x$fit)
    return(if (is.null(mark)) mark_of_promise(x$privacy) else mark)
  }
  if (inherits(x, "privpc_marked") && is.null(attr(x, "privacy"))) return(not_private_text())
  mark <- if (inherits(x, c("privpc_network", "privpc_retest"))) {
    x$privacy
  } else if (igraph::is_igraph(x)) {
    igraph::graph_attr(x, "privacy")
  } else {
    attr(x, "privacy", exact = TRUE)
  }
  # Another attribute of this name is not ours.
  if (rlang::is_string(mark) && startsWith(mark, "NOT private")) mark
}

# Of what a fit states as its `privacy`: NULL if that is kept, or if it states no epsilon.
mark_of_promise <- function(privacy) {
  if (!is.list(privacy)) return(not_private_text())
  # exact_pc(): no promise, no epsilon, and no reason why an epsilon would not hold.
  states_none <- isFALSE(privacy$private) && identical(privacy$epsilon, Inf) &&
    is.null(privacy$why)
  if (!is_promise(privacy) && !states_none) not_private_text(privacy$why)
}

# A statement that is damaged is no promise.
is_promise <- function(privacy) {
  is.list(privacy) && isTRUE(privacy$private) && is_number(privacy$epsilon) &&
    is.finite(privacy$epsilon) && is_number(privacy$delta) && is.finite(privacy$delta)
}

# Puts the mark on; without one everything stays as it is. A data frame gets a class as well, whose
# print says it: parts of a data frame keep the class, but may lose the attribute.
marked <- function(x, mark) {
  if (is.null(mark)) return(x)
  if (inherits(x, c("privpc_network", "privpc_retest"))) {
    x$privacy <- mark
  } else if (igraph::is_igraph(x)) {
    x <- igraph::set_graph_attr(x, "privacy", mark)
  } else {
    attr(x, "privacy") <- mark
    if (is.data.frame(x)) class(x) <- append(class(x), "privpc_marked", length(class(x)) - 1L)
  }
  x
}

# A list is handed on in parts: every table in it says it by itself, however deep.
marked_parts <- function(x, mark) {
  if (is.null(mark) || !is.list(x)) return(x)
  if (is.data.frame(x)) return(marked(x, mark))
  x[] <- lapply(x, marked_parts, mark)
  x
}

# For print() of a whole, which says it once.
unmarked <- function(x) {
  class(x) <- setdiff(class(x), "privpc_marked")
  x
}

cat_mark <- function(x) {
  mark <- mark_of(x)
  if (is.null(mark)) return(invisible())
  cli::cat_line(strwrap(paste0(mark, "."), width = cli::console_width()), col = "red")
}

# A matrix is a form of background knowledge, so it keeps the mark.
#' @export
as.matrix.privpc_marked <- function(x, ...) marked(NextMethod(), mark_of(x))

#' @export
print.privpc_marked <- function(x, ...) {
  if (is.data.frame(x)) check_printable(x, rlang::current_env())
  NextMethod()
  cat_mark(x)
  invisible(x)
}

# A graph is as little private as what went into it: rows drawn from a seeded fit, or background
# knowledge that was read off one.
privacy_with_inputs <- function(privacy, ...) {
  # Not asked where nothing could change: looking at the inputs takes time.
  if (isTRUE(privacy$private)) privacy_with_mark(privacy, mark_of(...)) else privacy
}

privacy_with_mark <- function(privacy, mark) {
  if (!isTRUE(privacy$private) || is.null(mark)) return(privacy)
  privacy$private <- FALSE
  privacy$why <- "marked input"
  privacy
}

# For objects that cannot say it themselves. `what` as in "The rows are".
say_mark <- function(mark, what) {
  if (is.null(mark)) return(invisible())
  cli::cli_inform(c(
    "!" = paste0(what, " ", mark, "."), i = "Do not publish this as a private result."
  ), class = "privpc_not_private")
}
