# The kernel alone: reading a data frame, and counting tables, against doing it in R, against a
# plain loop in C++, and against how fast this machine reads memory at all.

# The plain loop, and a sum over 64-bit words with eight running sums, so that it waits for
# nothing but memory. Compiled when the benchmark runs.
plain_cpp <- r"---(
#include <Rcpp.h>
#include <cstdint>

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector plain_pair(const Rcpp::IntegerVector& x, const Rcpp::IntegerVector& y,
                               int levels_x, int levels_y) {
  std::vector<int> counts(static_cast<std::size_t>(levels_x) * levels_y);
  const int* a = x.begin();
  const int* b = y.begin();
  for (R_xlen_t i = 0, n = x.size(); i < n; ++i) ++counts[(a[i] - 1) + levels_x * (b[i] - 1)];
  return Rcpp::NumericVector(counts.begin(), counts.end());
}

// [[Rcpp::export(rng = false)]]
double read_words(const Rcpp::NumericVector& x) {
  const std::uint64_t* words = reinterpret_cast<const std::uint64_t*>(x.begin());
  std::uint64_t sums[8] = {};
  const R_xlen_t n = x.size() / 8 * 8;
  for (R_xlen_t i = 0; i < n; i += 8)
    for (int k = 0; k < 8; ++k) sums[k] += words[i + k];
  std::uint64_t all = 0;
  for (int k = 0; k < 8; ++k) all += sums[k];
  return static_cast<double>(all);
}
)---"

measure_kernel <- function(rows) {
  plain <- new.env()
  Rcpp::sourceCpp(code = plain_cpp, env = plain)
  data <- simulate(network("alarm"), nsim = rows, seed = 1, threads = 2)
  source <- privpc:::data_source(data)
  none <- matrix(0L, 0, 2)
  # Two columns are needed for a search; forbidding their only pair leaves the encoding. All
  # columns, so that they do not fit into the caches.
  everything <- t(utils::combn(length(data), 2))
  all_forbidden <- rbind(everything, everything[, 2:1])
  encode <- cpu_time(function() {
    privpc:::cpp_exact_pc(
      source, source$schema$names, "g2", "declared", 0.05, 0L, Inf, "sepset", none, all_forbidden,
      1L, FALSE, 2^29, NULL, NULL
    )
  }) / (length(data) * rows) * 1e6
  # As many bytes as the columns have.
  block <- numeric(length(data) * rows / 2)
  read <- cpu_time(function() plain$read_words(block)) / (8 * length(block)) * 1e6
  rm(block)
  sum_values <- cpu_time(function() sum(unclass(data[[1]]))) / rows * 1e6
  pairs <- choose(length(data), 2)
  all_pairs <- cpu_time(function() privpc:::cpp_count_pairs(source, 1L, FALSE))
  portable <- cpu_time(function() privpc:::cpp_count_pairs(source, 1L, TRUE))
  one_pair <- cpu_time(function() table(data[[1]], data[[2]]))
  tabulated <- cpu_time(function() {
    tabulate(as.integer(data[[1]]) + nlevels(data[[1]]) * (as.integer(data[[2]]) - 1L))
  })
  levels <- lengths(lapply(data, levels))
  looped <- cpu_time(function() {
    for (j in seq_along(data)[-1]) {
      for (i in seq_len(j - 1)) plain$plain_pair(data[[i]], data[[j]], levels[[i]], levels[[j]])
    }
  }, rounds = 3)
  # To count every pair on its own, each of its columns has to be read: 8 bytes for a row.
  read_for_pairs <- read * 8 * rows * pairs / 1e6
  data.frame(
    what = c(
      "read memory, one byte (ns)", "encode one value of 4 bytes (ns)",
      "encode: times the time to read the bytes", "sum() of an integer vector, one value (ns)",
      "all pairs of alarm, encoding included (ms)", "the same, portable kernels (ms)",
      "the same, plain loop in C++ (ms)", "only reading the columns of every pair (ms)",
      "one pair with table() (ms)", "one pair with tabulate() (ms)",
      "all pairs: times faster than tabulate()", "all pairs: times faster than the plain loop",
      "all pairs: times faster than reading the columns of every pair"
    ),
    value = c(
      read, encode, encode / (4 * read), sum_values, all_pairs, portable, looped, read_for_pairs,
      one_pair, tabulated, tabulated * pairs / all_pairs, looped / all_pairs,
      read_for_pairs / all_pairs
    )
  )
}
