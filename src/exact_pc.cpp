// Adapter of R/exact_pc.R.
#include "privpc/learners/exact_pc.hpp"

#include <Rcpp.h>

#include "data_input.h"
#include "fit_output.h"
#include "graph_input.h"
#include "r_monitor.h"

// Variables must be sorted by name: the result then cannot depend on the order of the columns, not
// even through rounding. `nodes` are their names in the order of the columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_exact_pc(const Rcpp::List& data, const Rcpp::CharacterVector& nodes,
                        const std::string& test, double alpha, int max_order,
                        const Rcpp::IntegerMatrix& required, const Rcpp::IntegerMatrix& forbidden,
                        int threads, bool portable, double memory_cap,
                        const Rcpp::Nullable<Rcpp::Function>& report) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(nodes.size()), required, forbidden);
  privpc::ExactSettings settings;
  settings.test = privpc_r::read_test(test);
  settings.alpha = alpha;
  settings.max_order = static_cast<std::size_t>(max_order);
  settings.threads = static_cast<unsigned>(threads);
  const auto tables =
      privpc_r::open_tables(data, privpc_r::memory_options(threads, portable, memory_cap));
  privpc_r::RMonitor monitor(report);
  return privpc_r::wrap_fit(privpc::exact_pc(*tables, settings, knowledge, &monitor),
                            privpc_r::variable_names(data), nodes);
}
