// Adapter of R/contradictions.R. All of it is computed from public measurements.
#include "privpc/search/contradictions.hpp"

#include <Rcpp.h>

#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"

// `graph`: rows and columns in the order of the measurements. Positions count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_contradictions(const Rcpp::IntegerVector& levels, const Rcpp::LogicalVector& ordered,
                              double rows, const Rcpp::List& tables, const Rcpp::List& rules,
                              const Rcpp::IntegerMatrix& required,
                              const Rcpp::IntegerMatrix& forbidden,
                              const Rcpp::IntegerMatrix& graph) {
  const privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables, ordered);
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(levels.size()), required, forbidden);
  Rcpp::IntegerVector x, y, variable;
  Rcpp::NumericVector effect, p_value, carried, share_left;
  for (const privpc::UnexplainedPair& pair : privpc::unexplained_pairs(
           store, privpc_r::read_rules(rules), knowledge, privpc_r::read_graph(graph))) {
    x.push_back(static_cast<int>(pair.x) + 1);
    y.push_back(static_cast<int>(pair.y) + 1);
    effect.push_back(pair.effect);
    p_value.push_back(pair.p_value);
    carried.push_back(pair.carried);
  }
  Rcpp::List by;
  for (const privpc::DeterminedVariable& found : privpc::near_determined(store)) {
    variable.push_back(static_cast<int>(found.variable) + 1);
    by.push_back(privpc_r::as_indices(found.by));
    share_left.push_back(found.share_left);
  }
  return Rcpp::List::create(Rcpp::_["x"] = x, Rcpp::_["y"] = y, Rcpp::_["effect"] = effect,
                            Rcpp::_["p_value"] = p_value, Rcpp::_["carried"] = carried,
                            Rcpp::_["variable"] = variable, Rcpp::_["by"] = by,
                            Rcpp::_["share_left"] = share_left);
}
