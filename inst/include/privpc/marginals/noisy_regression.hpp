// The regression of one variable on conditioning variables, from noisy moments: what noisy_test.hpp
// needs to take the conditions out of x and y.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/noisy_variable.hpp"
#include "privpc/marginals/small_matrix.hpp"

namespace privpc {

struct NoisyRegression {
  std::vector<double> spread;
  Matrix basis;
  Matrix moments;                          // C, rotated: contrasts x features
  std::vector<double> variances;           // of the noise of each column of C
  Matrix slopes;                           // B, rotated: features x contrasts
  Matrix fitted;                           // features * slopes: cells x contrasts
  Matrix predicted;                        // distribution of x: cells x levels
  Matrix rotated;                          // levels x contrasts
  Matrix spread_in_cell;                   // variances of the rotated contrasts: cells x contrasts
  std::vector<Matrix> covariance_in_cell;  // with their covariances; made only where asked for
  double share_left = 1;                   // of the spread of x, after the regression
};

inline void add_scaled(Matrix& to, const Matrix& from, double factor) {
  for (std::size_t i = 0; i < to.values().size(); ++i)
    to.values()[i] += factor * from.values()[i];
}

inline NoisyRegression noisy_regression(const Measurements& store, std::size_t x,
                                        const NoisyVariable& own, const NoisyConditions& z,
                                        const NoisyRegressionOptions& options) {
  NoisyRegression r;
  const std::size_t a = own.contrasts, features = z.features.columns();
  r.moments = Matrix(a, features);
  std::size_t first = 0;
  for (std::size_t s = 0; s < z.subsets.size(); ++s) {
    const VariableSet with = z.subsets[s].with(x);
    const Measured& measured = *store.find(with);
    // x may stand anywhere among the members; bring its axis to the front.
    std::size_t inner = 1;
    for (std::size_t i = with.position(x) + 1; i < with.size(); ++i)
      inner *= store.schema().levels(with[i]) - 1;
    const std::size_t outer = z.widths[s] / inner;
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t j = 0; j < a; ++j) {
        for (std::size_t i = 0; i < inner; ++i)
          r.moments(j, first + o * inner + i) = measured.values[(o * a + j) * inner + i];
      }
    }
    r.variances.insert(r.variances.end(), z.widths[s], measured.variance);
    first += z.widths[s];
  }

  // Predict the distribution of x in every cell of z, move it into the simplex, and take the
  // slopes that come nearest to it.
  const Matrix raw = product(z.features, product(z.inverse, transpose(r.moments)));
  const std::size_t k = a + 1;
  r.predicted = Matrix(z.cells, k);
  for (std::size_t cell = 0; cell < z.cells; ++cell) {
    double total = 0;
    for (std::size_t level = 0; level < k; ++level) {
      double p = 1.0 / static_cast<double>(k);
      for (std::size_t j = 0; j < a; ++j)
        p += own.q(level, j) * raw(cell, j);
      r.predicted(cell, level) = std::max(p, 0.0) + 1e-6;
      total += r.predicted(cell, level);
    }
    for (std::size_t level = 0; level < k; ++level)
      r.predicted(cell, level) /= total;
  }
  r.slopes = product(z.projector, product(r.predicted, own.q));

  // What is left of x: E[q q'] - C B - B' C' + B' M B.
  Matrix left = cross_product(own.q, own.q, own.probability.data());
  const Matrix explained = product(r.moments, r.slopes);
  add_scaled(left, explained, -1);
  add_scaled(left, transpose(explained), -1);
  add_scaled(left, cross_product(r.slopes, product(z.second_moments, r.slopes)), 1);
  for (std::size_t i = 0; i < a; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      left(i, j) = left(j, i) = (left(i, j) + left(j, i)) / 2;
  }
  double left_in_all = 0;
  for (std::size_t i = 0; i < a; ++i)
    left_in_all += left(i, i);
  r.share_left = left_in_all / own.spread_in_all;
  Eigen eigen = symmetric_eigen(left);
  for (double& value : eigen.values)
    value = std::max(value, options.least_spread);
  r.spread = eigen.values;
  r.basis = eigen.vectors;
  r.moments = cross_product(r.basis, r.moments);
  r.slopes = product(r.slopes, r.basis);
  r.fitted = product(z.features, r.slopes);
  r.rotated = product(own.q, r.basis);
  r.spread_in_cell = Matrix(z.cells, a);
  std::vector<double> mean(a);
  for (std::size_t cell = 0; cell < z.cells; ++cell) {
    std::fill(mean.begin(), mean.end(), 0.0);
    double* square = r.spread_in_cell.row(cell);
    for (std::size_t level = 0; level < k; ++level) {
      for (std::size_t j = 0; j < a; ++j) {
        const double part = r.predicted(cell, level) * r.rotated(level, j);
        mean[j] += part;
        square[j] += part * r.rotated(level, j);
      }
    }
    for (std::size_t j = 0; j < a; ++j)
      square[j] -= mean[j] * mean[j];
  }
  return r;
}

// The covariances inside the cells, of which there may be very many.
inline void add_covariances(NoisyRegression& r) {
  const std::size_t cells = r.predicted.rows(), k = r.predicted.columns();
  std::vector<double> p(k);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::copy_n(r.predicted.row(cell), k, p.begin());
    r.covariance_in_cell.push_back(covariance(r.rotated, p));
  }
}

}  // namespace privpc
