# The kernel alone: reading a data frame, and counting tables, against doing it in R.

measure_kernel <- function(rows) {
  data <- simulate(network("alarm"), nsim = rows, seed = 1, threads = 2)
  encoded <- privpc:::encode_data(data)
  values <- as.numeric(rows) * length(data)
  none <- matrix(0L, 0, 2)
  # Two columns are needed for a search; forbidding their only pair leaves the encoding.
  pair <- privpc:::encode_data(data[1:2])
  pair_forbidden <- rbind(c(1L, 2L), c(2L, 1L))
  encode <- cpu_time(function() {
    privpc:::cpp_exact_pc(pair, "g2", 0.05, 0L, none, pair_forbidden, 1L, FALSE, 2^29, NULL)
  }) / (2 * rows) * 1e6
  sum_values <- cpu_time(function() sum(unclass(data[[1]]))) / rows * 1e6
  pairs <- choose(length(data), 2)
  all_pairs <- cpu_time(function() {
    privpc:::cpp_count_pairs(encoded, 1L, FALSE)
  })
  one_pair <- cpu_time(function() table(data[[1]], data[[2]]))
  tabulated <- cpu_time(function() {
    tabulate(as.integer(data[[1]]) + nlevels(data[[1]]) * (as.integer(data[[2]]) - 1L))
  })
  portable <- cpu_time(function() privpc:::cpp_count_pairs(encoded, 1L, TRUE))
  data.frame(
    what = c(
      "encode one value (ns)", "sum() of an integer vector, one value (ns)",
      "all pairs of alarm, encoding included (ms)",
      "the same, portable kernels (ms)",
      "one pair with table() (ms)", "one pair with tabulate() (ms)",
      "all pairs: times faster than tabulate()"
    ),
    value = c(
      encode, sum_values, all_pairs, portable, one_pair, tabulated, tabulated * pairs / all_pairs
    )
  )
}
