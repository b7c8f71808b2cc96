# Which pairs of variables are worth measuring, chosen privately: an internal function, for audits
# and benchmarks of the selection that the core offers to its learners
# (inst/include/privpc/learners/select_pairs.hpp has the rules, privacy/pair_selection.hpp the
# proof).
#
# source     of data_source(). Variables are numbered as in `source$schema$names`.
# pairs      integer matrix with two columns, one row for every pair that may be chosen.
# expected   list with the shares that a public model expects in the table of each pair: a matrix
#            with the levels of the first variable of its row as rows. For example outer(p, q),
#            with noisy margins p and q.
# rho        what the whole selection costs, whatever it finds: zero-concentrated, replace-one.
# count      how many pairs to choose; NULL for a spanning tree of the variables.
# runs       how often. EVERY run costs rho: more than one is for records that are no secret.
# seed       for a selection that can be repeated, which is NOT private.
#
# Returns a matrix of row numbers of `pairs`, one row for every run, in the order of choice. Nothing
# is debited from a budget of the user: this is no release.
selected_pairs <- function(source, pairs, expected, rho, count = NULL, runs = 1, seed = NULL) {
  # The core's tables have the larger position running fastest; a matrix of R its rows.
  shares <- lapply(seq_along(expected), function(i) {
    shares <- expected[[i]]
    as.vector(if (pairs[i, 1L] < pairs[i, 2L]) t(shares) else shares)
  })
  storage.mode(pairs) <- "integer"
  if (!is.null(count)) count <- as.integer(count)
  cpp_runs_pair_selection(source, pairs, shares, count, rho, as.integer(runs), seed)
}
