#include <Rcpp.h>

#include "data_input.h"
#include "graph_output.h"
#include "privpc/learners/exact_judge.hpp"

// Variables must be sorted by name: the result then cannot depend on the order of the columns,
// not even through rounding.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_exact_pc(const Rcpp::List& data, const std::string& test, double alpha,
                        int max_order, const Rcpp::IntegerMatrix& required,
                        const Rcpp::IntegerMatrix& forbidden, int threads, bool portable,
                        double memory_cap, const Rcpp::Nullable<Rcpp::Function>& report) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const privpc::Knowledge knowledge(static_cast<int>(input.schema.size()),
                                    privpc_r::read_arcs(required), privpc_r::read_arcs(forbidden));
  const privpc::MemoryOptions memory = privpc_r::memory_options(threads, portable, memory_cap);
  privpc::SearchOptions options;
  options.max_order = static_cast<std::size_t>(max_order);
  options.threads = memory.threads;
  options.rule = privpc::SeparatorRule::strongest;
  privpc::MemoryTables tables(input.schema, input.columns, memory);
  privpc::ExactJudge judge(tables, privpc_r::read_test(test), alpha, memory.threads);
  privpc_r::RMonitor monitor(report);
  const privpc::Skeleton skeleton =
      privpc::search_skeleton(input.schema.size(), judge, knowledge, options, &monitor);
  return privpc_r::orient_and_wrap(skeleton, knowledge);
}
