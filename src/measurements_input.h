// The measurements of a fit of marginal_pc() (fit$measurements, which is public) into the core.
#pragma once

#include <Rcpp.h>

#include <utility>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc_r {

// Positions from 1.
inline privpc::VariableSet read_set(const Rcpp::IntegerVector& indices) {
  privpc::VariableSet set;
  for (int i : indices)
    set.insert(static_cast<std::size_t>(i - 1));
  return set;
}

inline privpc::Schema read_schema(const Rcpp::IntegerVector& levels, double rows) {
  std::vector<privpc::Variable> variables;
  for (int k : levels)
    variables.push_back({"", static_cast<std::uint32_t>(k), false, k == 0});
  return privpc::Schema(std::move(variables), static_cast<std::uint64_t>(rows));
}

// `tables`: sets, values, variance. NULL, or an empty list, adds nothing.
inline void read_tables(const Rcpp::Nullable<Rcpp::List>& tables, privpc::Measurements& store) {
  if (tables.isNull()) return;
  const Rcpp::List parts(tables.get());
  if (parts.size() == 0) return;
  const Rcpp::List sets = parts["sets"], values = parts["values"];
  const Rcpp::NumericVector variance = parts["variance"];
  for (R_xlen_t i = 0; i < sets.size(); ++i) {
    const privpc::VariableSet set = read_set(sets[i]);
    const Rcpp::NumericVector numbers = values[i];
    privpc::Measured measured{std::vector<double>(numbers.begin(), numbers.end()), variance[i]};
    if (measured.values.size() != privpc::contrast_count(levels_of(store.schema(), set))) {
      Rcpp::stop("the measurements of the fit are damaged");
    }
    store.add(set, std::move(measured));
  }
}

inline privpc::NoisyRules read_rules(const Rcpp::List& rules) {
  privpc::NoisyRules out;
  out.alpha = Rcpp::as<double>(rules["alpha"]);
  out.prior = Rcpp::as<double>(rules["prior"]);
  out.least_effect = Rcpp::as<double>(rules["least_effect"]);
  out.max_order = static_cast<std::size_t>(Rcpp::as<int>(rules["max_order"]));
  return out;
}

}  // namespace privpc_r
