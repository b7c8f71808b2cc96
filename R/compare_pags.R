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
  if (is_pag(x)) {
    check_sound_pag(x, call, arg)
    return(x$marks)
  }
  if (inherits(x, "privpc_network")) return(network_pag(x)$marks)
  abort(c(
    "Both graphs must allow for hidden common causes, or none of them.",
    x = "{.arg {arg}} does not.",
    i = "{.code relearn(fit, hidden = TRUE)} learns such a graph; {.fn network_pag} makes the true one of a network."
  ), call = call)
}
