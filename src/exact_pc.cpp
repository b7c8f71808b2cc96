// Adapter of R/exact_pc.R.
#include "privpc/learners/exact_pc.hpp"

#include <Rcpp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "data_input.h"
#include "fit_output.h"
#include "graph_input.h"
#include "r_monitor.h"
#include "test_input.h"

static privpc::ColliderRule read_colliders(const std::string& rule) {
  if (rule == "sepset") return privpc::ColliderRule::separating_set;
  if (rule == "max-p") return privpc::ColliderRule::largest_p;
  if (rule == "conservative") return privpc::ColliderRule::conservative;
  Rcpp::stop("unknown rule for colliders");
}

// How many variables the largest set has by which only empty cells separated a pair; 0 if there is
// none.
static int largest_sparse_order(const std::vector<privpc::Separation>& separations) {
  std::size_t largest = 0;
  for (const privpc::Separation& found : separations)
    if (found.by_empty_cells) largest = std::max(largest, found.given.size());
  return static_cast<int>(largest);
}

// Variables must be sorted by name: the result then cannot depend on the order of the columns, not
// even through rounding. `nodes` are their names in the order of the columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_exact_pc(const Rcpp::List& data, const Rcpp::CharacterVector& nodes,
                        const std::string& test, const std::string& df, double alpha, int max_order,
                        double most_tests, const std::string& colliders,
                        const Rcpp::IntegerMatrix& required, const Rcpp::IntegerMatrix& forbidden,
                        int threads, bool portable, double memory_cap,
                        const Rcpp::Nullable<Rcpp::Function>& report,
                        const Rcpp::Nullable<Rcpp::Function>& ahead) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(nodes.size()), required, forbidden);
  privpc::ExactSettings settings;
  settings.test = privpc_r::read_test(test);
  settings.counted = privpc_r::read_df(df);
  settings.colliders = read_colliders(colliders);
  settings.alpha = alpha;
  settings.max_order = static_cast<std::size_t>(max_order);
  settings.most_tests = most_tests;
  settings.threads = static_cast<unsigned>(threads);
  const auto tables =
      privpc_r::open_tables(data, privpc_r::memory_options(threads, portable, memory_cap));
  privpc_r::RMonitor monitor(report, ahead);
  const privpc::ExactFit found = privpc::exact_pc(*tables, settings, knowledge, &monitor);
  Rcpp::List out = privpc_r::wrap_fit(found.fit, privpc_r::variable_names(data), nodes);
  out["sparse_order"] = largest_sparse_order(found.fit.separations);
  out["collider_tests"] = static_cast<double>(found.collider_tests);
  out["colliders_cut_short"] = found.colliders_cut_short;
  return out;
}
