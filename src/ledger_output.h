// The steps of a ledger in the form in which R takes them.
#pragma once

#include <Rcpp.h>

#include <cmath>
#include <vector>

#include "privpc/privacy/ledger.hpp"

namespace privpc_r {

inline Rcpp::List wrap_entries(const std::vector<privpc::Ledger::Entry>& entries) {
  const auto count = static_cast<R_xlen_t>(entries.size());
  Rcpp::CharacterVector mechanism(count), target(count);
  Rcpp::NumericVector epsilon(count), amount(count), cumulative(count), delta(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const privpc::Ledger::Entry& entry = entries[static_cast<std::size_t>(i)];
    mechanism[i] = Rcpp::String(entry.mechanism, CE_UTF8);
    target[i] = Rcpp::String(entry.target, CE_UTF8);
    epsilon[i] = std::isnan(entry.epsilon) ? NA_REAL : entry.epsilon;
    amount[i] = entry.amount;
    cumulative[i] = entry.cumulative;
    delta[i] = entry.delta;
  }
  return Rcpp::List::create(Rcpp::Named("mechanism") = mechanism, Rcpp::Named("target") = target,
                            Rcpp::Named("epsilon") = epsilon, Rcpp::Named("amount") = amount,
                            Rcpp::Named("cumulative") = cumulative, Rcpp::Named("delta") = delta);
}

}  // namespace privpc_r
