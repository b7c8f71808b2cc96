# Graphs with marks by hand: pag_of("a o-> b", "b <-> c", "c --> d").
pag_of <- function(..., nodes = NULL, origin = "a drawing") {
  parts <- strsplit(c(...), " ")
  from <- vapply(parts, `[`, "", 1L)
  to <- vapply(parts, `[`, "", 3L)
  signs <- strsplit(vapply(parts, `[`, "", 2L), "")
  nodes <- if (is.null(nodes)) sort(unique(c(from, to)), method = "radix") else nodes
  marks <- no_edges(nodes)
  marks[cbind(to, from)] <- match(vapply(signs, `[`, "", 1L), left_signs)
  marks[cbind(from, to)] <- match(vapply(signs, `[`, "", 3L), right_signs)
  new_pag(marks, origin = origin)
}

# The set to adjust for, or a word.
adjustment_in <- function(pag, x, y) {
  tryCatch(
    pag_sets(pag_criterion(pag, x, y, NULL), x, y, NULL)[[1L]],
    privpc_not_identified = function(e) "refused", privpc_no_effect = function(e) "none"
  )
}
