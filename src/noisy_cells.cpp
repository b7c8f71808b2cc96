// Adapter of R/noisy_cells.R: tables in their orthonormal basis. All of it is public.
#include <Rcpp.h>

#include <vector>

#include "measurements_io.h"
#include "privpc/marginals/known_coefficients.hpp"

namespace {

using Store = Rcpp::XPtr<privpc::Measurements>;

std::vector<std::uint32_t> as_levels(const Rcpp::IntegerVector& levels) {
  return std::vector<std::uint32_t>(levels.begin(), levels.end());
}

Rcpp::NumericMatrix as_columns(const std::vector<double>& numbers, std::size_t rows) {
  return Rcpp::NumericMatrix(static_cast<int>(rows), static_cast<int>(numbers.size() / rows),
                             numbers.begin());
}

// Bit i: position i + 1.
Rcpp::List as_positions(const std::vector<std::uint32_t>& masks) {
  Rcpp::List out;
  for (std::uint32_t mask : masks) {
    Rcpp::IntegerVector set;
    for (int i = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) set.push_back(i + 1);
    }
    out.push_back(set);
  }
  return out;
}

}  // namespace

// All that was measured, held for many questions; what was measured twice is averaged.
// [[Rcpp::export(rng = false)]]
SEXP cpp_open_measurements(const Rcpp::IntegerVector& levels, double rows,
                           const Rcpp::Nullable<Rcpp::List>& tables,
                           const Rcpp::Nullable<Rcpp::List>& families) {
  Store store(new privpc::Measurements(privpc_r::measured_schema(levels, rows)), true);
  privpc_r::read_tables(tables, *store);
  privpc_r::read_tables(families, *store);
  return store;
}

// The table of the variables at these positions, in this order; see known_coefficients.hpp.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_noisy_table(SEXP measurements, const Rcpp::IntegerVector& at) {
  const Store store(measurements);
  std::vector<std::size_t> variables;
  std::size_t cells = 1;
  for (int i : at) {
    variables.push_back(static_cast<std::size_t>(i - 1));
    cells *= store->schema().levels(variables.back());
  }
  const privpc::KnownCoefficients known = privpc::known_coefficients(*store, variables);
  return Rcpp::List::create(
      Rcpp::_["levels"] = Rcpp::IntegerVector(known.levels.begin(), known.levels.end()),
      Rcpp::_["basis"] = as_columns(known.basis, cells), Rcpp::_["value"] = known.values,
      Rcpp::_["variance"] = known.variances, Rcpp::_["sets"] = as_positions(known.sets),
      Rcpp::_["belongs"] = Rcpp::IntegerVector(known.belongs.begin(), known.belongs.end()),
      Rcpp::_["missing"] = as_positions(known.missing));
}

// What was measured of a pair beyond its margins, the second variable running fastest; NULL if
// nothing was. `first` < `second`.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject cpp_measured_pair(SEXP measurements, int first, int second) {
  const Store store(measurements);
  privpc::VariableSet set;
  set.insert(static_cast<std::size_t>(first - 1));
  set.insert(static_cast<std::size_t>(second - 1));
  const privpc::Measured* measured = store->find(set);
  if (measured == nullptr) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["value"] = measured->values,
                            Rcpp::_["variance"] = measured->variance);
}

// Columns of the basis of a table that belong to the contrasts of some of its variables.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_basis_columns(const Rcpp::IntegerVector& levels,
                                      const Rcpp::IntegerVector& inside) {
  std::uint32_t mask = 0;
  for (int i : inside)
    mask |= 1u << (i - 1);
  std::size_t cells = 1;
  for (int k : levels)
    cells *= static_cast<std::size_t>(k);
  return as_columns(privpc::basis_columns(as_levels(levels), mask), cells);
}
