// Adapters of R/edge_strength.R and R/consensus.R: fits that are replayed on plausible tables. All
// of it is computed from public measurements.
#include <Rcpp.h>

#include <vector>

#include "fit_output.h"
#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"
#include "privpc/graph/consensus.hpp"
#include "privpc/learners/marginal_replay.hpp"
#include "r_monitor.h"
#include "replayed_graphs.h"

// `tables` and `families`: what was measured. `rho`, `selects`, `add_remove` and `parameter_share`
// as in cpp_marginal_pc(). `seed` is a whole number from R's own generator. The variables are those
// of the measurements, sorted by name. Returns the graphs, for cpp_consensus(), and what they
// share.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_replay(const Rcpp::IntegerVector& levels, const Rcpp::LogicalVector& ordered,
                      double rows, const Rcpp::List& tables,
                      const Rcpp::Nullable<Rcpp::List>& families, double rho, bool selects,
                      bool add_remove, double parameter_share, const Rcpp::List& rules,
                      const Rcpp::IntegerMatrix& required, const Rcpp::IntegerMatrix& forbidden,
                      double draws, bool other_people, double seed, int threads,
                      const Rcpp::Nullable<Rcpp::Function>& report) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(levels.size()), required, forbidden);
  // All that was measured says something about the truth, also what the search did not see.
  privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables, ordered);
  privpc_r::read_tables(families, store);
  privpc::MarginalSettings fit;
  fit.rho = privpc::Rho(rho);
  fit.parameter_share = parameter_share;
  // The noise of a batch follows from the schema, which says who are neighbours.
  privpc::Schema schema = store.schema();
  if (add_remove) {
    fit.neighbours = privpc::Neighbours::add_remove;
    schema = schema.for_added_and_removed(schema.rows());
  }
  fit.search = privpc_r::read_search(rules);
  fit.selects = selects;
  privpc::ReplaySettings settings;
  settings.draws = static_cast<std::size_t>(draws);
  settings.whom = other_people ? privpc::DrawnFrom::other_people : privpc::DrawnFrom::these_people;
  settings.seed = static_cast<std::uint64_t>(seed);
  settings.threads = static_cast<unsigned>(threads);
  privpc_r::RMonitor monitor(report);
  const privpc::PlausibleTables truths(store);
  return privpc_r::wrap_replayed(
      privpc::replay(schema, truths, privpc::marginal_replay(schema, fit, knowledge), settings,
                     &monitor),
      static_cast<int>(levels.size()));
}

// `sorted` are the variables as they were measured, `nodes` the same in the order of the columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_consensus(SEXP graphs, double threshold, const Rcpp::CharacterVector& sorted,
                         const Rcpp::CharacterVector& nodes, const Rcpp::IntegerMatrix& required,
                         const Rcpp::IntegerMatrix& forbidden) {
  const privpc_r::Graphs drawn(graphs);
  privpc::Fit fit;
  fit.graph = privpc::consensus_graph(
      *drawn, threshold,
      privpc_r::read_knowledge(static_cast<int>(sorted.size()), required, forbidden));
  return privpc_r::wrap_fit(fit, sorted, nodes);
}

// The graphs themselves: one column each, the 0/1 matrix of its edges column by column.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_drawn_graphs(SEXP graphs) {
  const privpc_r::Graphs drawn(graphs);
  const int size = drawn->empty() ? 0 : drawn->front().size();
  Rcpp::IntegerMatrix out(size * size, static_cast<int>(drawn->size()));
  for (std::size_t k = 0; k < drawn->size(); ++k) {
    const privpc::Pdag& graph = (*drawn)[k];
    for (int to = 0; to < size; ++to) {
      for (int from = 0; from < size; ++from) {
        const bool edge = graph.is_directed(from, to) || graph.is_undirected(from, to);
        out(from + size * to, static_cast<int>(k)) = edge ? 1 : 0;
      }
    }
  }
  return out;
}
