# compare_graphs() for graphs with hidden common causes.

compare_pags <- function(estimate, truth, call = rlang::caller_env()) {
  a <- marks_of(estimate, "estimate", call)
  b <- match_nodes(a, marks_of(truth, "truth", call), call)
  edges <- score_graph("skeleton", (a > 0L) + 0L, (b > 0L) + 0L)
  pairs <- upper.tri(a)
  # Both marks of an edge as one number.
  both <- function(marks) (4L * marks + t(marks))[pairs]
  tp <- sum(both(a) == both(b) & both(a) > 0L)
  marks <- score_counts(
    "pag", tp, sum(a[pairs] > 0L) - tp, sum(b[pairs] > 0L) - tp, sum(both(a) != both(b))
  )
  ends <- a > 0L & b > 0L
  share <- function(which) if (any(ends)) mean(which[ends]) else NA_real_
  circle <- mark_codes[["circle"]]
  shares <- data.frame(
    right = c(NA, share(a == b)), wrong = c(NA, share(a != b & a != circle)),
    open = c(NA, share(a != b & a == circle))
  )
  cbind(rbind(edges, marks), shares)
}

marks_of <- function(x, arg, call) {
  if (is_pag(x)) return(check_sound_pag(x, call, arg)$marks)
  if (is.matrix(x) && is.numeric(x)) return(check_marks(x, arg, call))
  if (inherits(x, "privpc_network")) return(network_pag(x)$marks)
  abort(c(
    "Both graphs must allow for hidden common causes, or none of them.",
    x = "{.arg {arg}} does not.",
    i = paste(
      "{.code relearn(fit, hidden = TRUE)} learns such a graph; {.fn network_pag} makes the true",
      "one of a network."
    )
  ), call = call)
}

# A graph of another package, as pcalg's fci() has it in its slot `amat`.
check_marks <- function(marks, arg, call) {
  damage <- marks_damage(marks)
  if (is.null(damage) && is.null(rownames(marks))) damage <- "it has no names."
  if (!is.null(damage)) {
    abort(c(
      paste(
        "{.arg {arg}} must be a matrix of marks, to be compared with a",
        "graph with hidden common causes."
      ),
      x = paste("That is not so:", damage),
      i = "Entry (a, b) is the mark at b, as in the {.field amat} of pcalg's {.fn fci}."
    ), call = call)
  }
  matrix(as.integer(marks), nrow(marks), dimnames = unname(dimnames(marks)))
}
