// Looks into the counting room, for tests and benchmarks only: nothing of this is exported to
// users.
#include <Rcpp.h>

#include "data_input.h"

// A contingency table as the core counts it, for the tests: dimensions in the order of `set`.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_table(const Rcpp::List& data, const Rcpp::IntegerVector& set, bool portable,
                              double memory_cap) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  privpc::MemoryOptions options;
  options.portable = portable;
  options.memory_cap = static_cast<std::size_t>(memory_cap);
  privpc::MemoryTables tables(input.schema, input.columns, options);
  privpc::VariableSet variables;
  for (int z : set)
    variables.insert(static_cast<std::size_t>(z - 1));
  if (!tables.is_dense(variables)) Rcpp::stop("too many cells for a table");
  const auto table = tables.table(variables);
  return Rcpp::IntegerVector(table->counts.begin(), table->counts.end());
}

// [[Rcpp::export(rng = false)]]
std::string cpp_kernel_name() {
  return privpc::best_kernels().name;
}

// Encodes the data and counts all pairs, for the benchmarks; returns the bytes of the tables.
// [[Rcpp::export(rng = false)]]
double cpp_count_pairs(const Rcpp::List& data, int threads, bool portable) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  privpc::MemoryOptions options;
  options.portable = portable;
  options.threads = static_cast<unsigned>(threads);
  privpc::MemoryTables tables(input.schema, input.columns, options);
  tables.prepare_pairs(options.threads);
  return static_cast<double>(tables.memory());
}
