// The regression of one variable on conditioning variables, from noisy moments: what noisy_test.hpp
// needs to take the conditions out of x and y.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/noisy_variable.hpp"

namespace privpc {

// "Rotated" contrasts are the principal ones of what is left of x: their covariance is diagonal.
struct NoisyRegression {
  Vector spread;          // variances of the rotated contrasts of what is left
  Matrix basis;           // their vectors, one in every column
  Matrix moments;         // C, rotated: contrasts x features
  Vector variances;       // of the noise of each column of C
  Matrix slopes;          // B', rotated: contrasts x features
  Matrix fitted;          // what the regression says in every cell: contrasts x cells
  AdditiveParts parts;    // the same where conditions are additive, and then also
  Matrix with_features;   // E[what the regression says times f']: contrasts x features
  Matrix predicted;       // distribution of x: levels x cells
  Matrix rotated;         // levels x contrasts
  Matrix mean_in_cell;    // of the rotated contrasts under `predicted`: contrasts x cells
  Matrix spread_in_cell;  // their variances
  // With their covariances, made only where asked for: contrast i with each s <= i, by the rows of
  // the lower triangle; one column for every cell.
  Matrix covariance_in_cell;
  double share_left = 1;  // of the spread of x, after the regression
};

namespace detail {

// C: the measured contrasts of x with every subset of z, unrotated.
inline void read_moments(NoisyRegression& r, const Measurements& store, std::size_t x,
                         const NoisyVariable& own, const NoisyConditions& z) {
  r.moments.resize(own.contrasts, z.features());
  r.variances.resize(z.features());
  Index first = 0;
  for (std::size_t s = 0; s < z.subsets.size(); ++s) {
    const VariableSet with = z.subsets[s].with(x);
    const Measured& measured = *store.find(with);
    // x may stand anywhere among the members; bring its axis to the front.
    Index inner = 1;
    for (std::size_t i = with.position(x) + 1; i < with.size(); ++i)
      inner *= store.schema().levels(with[i]) - 1;
    const double* next = measured.values.data();
    for (Index o = 0; o < z.widths[s]; o += inner) {
      for (Index j = 0; j < own.contrasts; ++j) {
        for (Index i = 0; i < inner; ++i)
          r.moments(j, first + o + i) = *next++;
      }
    }
    r.variances.segment(first, z.widths[s]).setConstant(measured.variance);
    first += z.widths[s];
  }
}

}  // namespace detail

inline NoisyRegression noisy_regression(const Measurements& store, std::size_t x,
                                        const NoisyVariable& own, const NoisyConditions& z,
                                        const NoisyRegressionOptions& options) {
  NoisyRegression r;
  detail::read_moments(r, store, x, own, z);

  // Predict the distribution of x in every cell of z, move it into the simplex, and take the
  // slopes that come nearest to it.
  const Matrix first = z.ridged.solve_rows(r.moments);
  r.predicted = z.additive ? z.in_cells(product(own.q, first)) : product(own.q, z.in_cells(first));
  const double even = 1 / static_cast<double>(own.contrasts + 1);
  r.predicted = (r.predicted.array() + even).max(0.0) + 1e-6;
  for (Index cell = 0; cell < z.cells; ++cell)
    r.predicted.col(cell) /= r.predicted.col(cell).sum();
  if (z.additive) {
    const Matrix sums = z.times_features(weigh_columns(r.predicted, z.lifted_share));
    r.slopes = z.lifted.solve_rows(cross_product(own.q, sums));
  } else {
    r.slopes = z.nearest(cross_product(own.q, r.predicted));
  }

  // What is left of x: E[q q'] - C B - B' C' + B' M B.
  const Matrix explained = outer_product(r.moments, r.slopes);
  Matrix left = own.second_moments - explained - explained.transpose();
  if (z.additive) {
    r.with_features = product(r.slopes, z.moments);
    left += outer_product(r.with_features, r.slopes);
  } else {
    r.fitted = z.in_cells(r.slopes);
    left += weighted_product(r.fitted, z.share, r.fitted);
  }
  r.share_left = left.trace() / own.spread_in_all;
  const PrincipalAxes principal(left);
  r.spread = principal.values.cwiseMax(options.least_spread);
  r.basis = principal.vectors;
  r.moments = cross_product(r.basis, r.moments);
  r.slopes = cross_product(r.basis, r.slopes);
  if (z.additive) {
    r.with_features = cross_product(r.basis, r.with_features);
    r.parts = z.parts(r.slopes);
    r.fitted = z.in_cells(r.slopes);
  } else {
    r.fitted = cross_product(r.basis, r.fitted);
  }
  r.rotated = product(own.q, r.basis);
  r.mean_in_cell = cross_product(r.rotated, r.predicted);
  r.spread_in_cell = cross_product(r.rotated.cwiseAbs2(), r.predicted) - r.mean_in_cell.cwiseAbs2();
  return r;
}

inline void add_covariances(NoisyRegression& r) {
  const Index contrasts = r.rotated.cols();
  Matrix products(r.rotated.rows(), contrasts * (contrasts + 1) / 2);
  Index next = 0;
  for (Index i = 0; i < contrasts; ++i) {
    for (Index s = 0; s <= i; ++s)
      products.col(next++) = r.rotated.col(i).cwiseProduct(r.rotated.col(s));
  }
  r.covariance_in_cell = cross_product(products, r.predicted);
  for (Index cell = 0; cell < r.predicted.cols(); ++cell) {
    const double* mean = r.mean_in_cell.col(cell).data();
    double* at = r.covariance_in_cell.col(cell).data();
    for (Index i = 0; i < contrasts; ++i) {
      for (Index s = 0; s <= i; ++s)
        *at++ -= mean[i] * mean[s];
    }
  }
}

}  // namespace privpc
