# Makes tests/testthat/pcalg_pags.txt: what pcalg's fci() answers when it is fed with d-separation
# facts of the bundled networks, with nothing hidden, every single root and every pair of roots.
# Needs pcalg; the tests only read the file. Run it in the top folder of the project.
#
# One line per case: network, hidden nodes, edges. An edge is the numbers of its nodes in the
# network and the two marks between them, as in 3o>7: "o" a circle, ">" and "<" arrowheads, "-" a
# tail.
library(privpc)

case_line <- function(name, hidden) {
  dag <- as.matrix(network(name))
  nodes <- rownames(dag)
  seen <- which(!nodes %in% hidden)
  separated <- function(x, y, given) {
    privpc:::cpp_is_d_separated(dag, seen[[x]], seen[[y]], as.integer(seen[given]))
  }
  # A pair that its ancestors do not separate is separated by nothing. pcalg need not try all
  # subsets to find that out, which would take forever in alarm.
  reach <- diag(nrow(dag)) > 0
  for (i in seq_len(nrow(dag))) reach <- reach | (reach %*% dag) > 0
  inseparable <- matrix(FALSE, length(seen), length(seen))
  for (x in seq_along(seen)) {
    for (y in seq_len(x - 1L)) {
      before <- which(reach[seen, seen[[x]]] | reach[seen, seen[[y]]])
      inseparable[x, y] <- inseparable[y, x] <- !separated(x, y, setdiff(before, c(x, y)))
    }
  }
  answer <- pcalg::fci(
    list(), indepTest = function(x, y, given, facts) as.numeric(separated(x, y, given)),
    alpha = 0.5, labels = nodes[seen], fixedEdges = inseparable
  )@amat
  edges <- which(answer > 0 & upper.tri(answer), arr.ind = TRUE)
  left <- c("o", "<", "-")[answer[edges[, 2:1, drop = FALSE]]]
  right <- c("o", ">", "-")[answer[edges]]
  paste(
    name, paste(hidden, collapse = "+"),
    paste0(seen[edges[, 1]], left, right, seen[edges[, 2]], collapse = " "), sep = "|"
  )
}

lines <- unlist(lapply(networks()$name, function(name) {
  dag <- as.matrix(network(name))
  roots <- rownames(dag)[colSums(dag) == 0]
  pairs <- if (length(roots) > 1) utils::combn(roots, 2, simplify = FALSE)
  vapply(c(list(character()), as.list(roots), pairs), function(hidden) case_line(name, hidden), "")
}))
version <- utils::packageVersion("pcalg")
writeLines(
  c(paste0("# fci() of pcalg ", version, " on d-separation facts; made by data-raw/pags.R"), lines),
  "tests/testthat/pcalg_pags.txt"
)
