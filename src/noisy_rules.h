// The rules of the noisy tests, from the list that R hands over.
#pragma once

#include <Rcpp.h>

#include "privpc/search/noisy_skeleton.hpp"

namespace privpc_r {

inline privpc::NoisyRules read_rules(const Rcpp::List& rules) {
  privpc::NoisyRules out;
  out.alpha = Rcpp::as<double>(rules["alpha"]);
  out.prior = Rcpp::as<double>(rules["prior"]);
  out.least_effect = Rcpp::as<double>(rules["least_effect"]);
  out.max_order = static_cast<std::size_t>(Rcpp::as<int>(rules["max_order"]));
  return out;
}

}  // namespace privpc_r
