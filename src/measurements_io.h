// Noisy contrasts as they stand in fit$measurements, in and out of the core.
#pragma once

#include <Rcpp.h>

#include <utility>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/returned_measurements.hpp"

namespace privpc_r {

// Zero-based set -> one-based R indices, and back.
inline Rcpp::IntegerVector as_indices(const privpc::VariableSet& set) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(set.size()));
  for (std::size_t i = 0; i < set.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = set[i] + 1;
  return out;
}

// R/ has checked; this is the last line of defence (NA is the smallest integer).
inline std::size_t read_position(int index) {
  if (index < 1) Rcpp::stop("a position among the variables counts from 1");
  return static_cast<std::size_t>(index - 1);
}

inline privpc::VariableSet read_set(const Rcpp::IntegerVector& indices) {
  privpc::VariableSet set;
  for (int i : indices)
    set.insert(read_position(i));
  return set;
}

// Sets, their contrasts and the variance of the noise.
inline Rcpp::List wrap_measurements(const privpc::Measurements& store) {
  const auto count = static_cast<R_xlen_t>(store.entries().size());
  Rcpp::List sets(count), values(count);
  Rcpp::NumericVector variance(count);
  R_xlen_t at = 0;
  for (const auto& [set, measured] : store.entries()) {
    sets[at] = as_indices(set);
    values[at] = Rcpp::NumericVector(measured.values.begin(), measured.values.end());
    variance[at] = measured.variance;
    ++at;
  }
  return Rcpp::List::create(Rcpp::_["sets"] = sets, Rcpp::_["values"] = values,
                            Rcpp::_["variance"] = variance);
}

// The levels of a fit's variables are all that its measurements need of a schema; tests also ask
// which of them are `ordered` (empty: none).
inline privpc::Schema measured_schema(const Rcpp::IntegerVector& levels, double rows,
                                      const Rcpp::LogicalVector& ordered = {}) {
  if (ordered.size() != 0 && ordered.size() != levels.size())
    Rcpp::stop("the measurements of the fit are damaged");
  std::vector<privpc::Variable> variables;
  for (R_xlen_t v = 0; v < levels.size(); ++v) {
    const bool in_order = ordered.size() != 0 && ordered[v] == TRUE;
    variables.push_back({"", static_cast<std::uint32_t>(levels[v]), in_order, levels[v] == 0});
  }
  return privpc::Schema(std::move(variables), static_cast<std::uint64_t>(rows));
}

// `tables`: sets, values, variance. NULL, or an empty list, adds nothing.
inline void read_tables(const Rcpp::Nullable<Rcpp::List>& tables, privpc::Measurements& store) {
  if (tables.isNull()) return;
  const Rcpp::List parts(tables.get());
  if (parts.size() == 0) return;
  const Rcpp::List sets = parts["sets"], values = parts["values"];
  const Rcpp::NumericVector variance = parts["variance"];
  if (values.size() != sets.size() || variance.size() != sets.size())
    Rcpp::stop("the measurements of the fit are damaged");
  for (R_xlen_t i = 0; i < sets.size(); ++i) {
    const Rcpp::IntegerVector indices = sets[i];
    const Rcpp::NumericVector numbers = values[i];
    std::vector<std::size_t> members;
    for (int index : indices)
      members.push_back(read_position(index));
    privpc::add_returned(store, std::move(members),
                         {std::vector<double>(numbers.begin(), numbers.end()), variance[i]});
  }
}

inline privpc::Measurements read_measurements(const Rcpp::IntegerVector& levels, double rows,
                                              const Rcpp::Nullable<Rcpp::List>& tables,
                                              const Rcpp::LogicalVector& ordered = {}) {
  privpc::Measurements store(measured_schema(levels, rows, ordered));
  read_tables(tables, store);
  return store;
}

}  // namespace privpc_r
