// How a graph is to be found in noisy tables, from the list that R hands over.
#pragma once

#include <Rcpp.h>

#include <string>

#include "privpc/learners/table_learning.hpp"

namespace privpc_r {

inline privpc::NoisyRules read_rules(const Rcpp::List& rules) {
  privpc::NoisyRules out;
  out.alpha = Rcpp::as<double>(rules["alpha"]);
  out.prior = Rcpp::as<double>(rules["prior"]);
  out.least_effect = Rcpp::as<double>(rules["least_effect"]);
  out.max_order = static_cast<std::size_t>(Rcpp::as<int>(rules["max_order"]));
  return out;
}

inline privpc::TableSearch read_search(const Rcpp::List& rules) {
  privpc::TableSearch out;
  out.rules = read_rules(rules);
  const bool by_score = Rcpp::as<std::string>(rules["search"]) == "score";
  out.kind = by_score ? privpc::SearchKind::score : privpc::SearchKind::tests;
  return out;
}

}  // namespace privpc_r
