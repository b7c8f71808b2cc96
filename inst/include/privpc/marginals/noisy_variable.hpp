// One variable as its noisy contrasts tell it: its distribution and the spread of its contrasts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/small_matrix.hpp"

namespace privpc {

struct NoisyRegressionOptions {
  double ridge = 50;           // times the noise variance of the moment
  double least_spread = 1e-3;  // smallest eigenvalue of a covariance of contrasts
};

// The contrasts part of the basis: levels x (levels - 1).
inline Matrix contrast_matrix(std::uint32_t k) {
  const std::vector<double> u = orthonormal_basis(k);
  Matrix q(k, k - 1);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 1; j < k; ++j)
      q(i, j - 1) = u[i * k + j];
  }
  return q;
}

// The nearest point with non-negative coordinates that add up to 1.
inline void project_onto_simplex(std::vector<double>& p) {
  std::vector<double> sorted = p;
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return a > b; });
  double sum = 0, shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  for (double& x : p)
    x = std::max(0.0, x - shift);
}

// q' (diag p - p p') q
inline Matrix covariance(const Matrix& q, const std::vector<double>& p) {
  Matrix out = cross_product(q, q, p.data());
  std::vector<double> mean(q.columns(), 0);
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t j = 0; j < q.columns(); ++j)
      mean[j] += p[i] * q(i, j);
  }
  for (std::size_t i = 0; i < q.columns(); ++i) {
    for (std::size_t j = 0; j < q.columns(); ++j)
      out(i, j) -= mean[i] * mean[j];
  }
  return out;
}

struct NoisyVariable {
  std::size_t contrasts = 0;
  double spread_in_all = 1;
  double variance = 0;
  std::vector<double> mean;  // contrasts of the distribution moved into the simplex
  std::vector<double> probability;
  std::vector<double> spread;        // eigenvalues of the covariance of the contrasts
  Matrix basis;                      // their eigenvectors
  std::vector<double> rotated_mean;  // basis' mean
  Matrix q;                          // levels x contrasts

  // Squares and products of the mean, as large as they may well be: where the noise of the mean
  // is large, a mean near 0 can be an accident. (1 - 1/k is the largest possible square.)
  double squared_mean(std::size_t j) const {
    return std::min(most(), rotated_mean[j] * rotated_mean[j] + 2 * variance);
  }
  double mean_product(std::size_t j, std::size_t t) const {
    double length = 0;
    for (double x : mean)
      length += x * x;
    const double likely = std::min(most(), length + 2 * variance);
    return rotated_mean[j] * rotated_mean[t] * (length > 0 ? likely / length : 0);
  }

 private:
  double most() const { return 1 - 1 / (static_cast<double>(contrasts) + 1); }
};

// Without contrasts if the variable has one level only or was not measured.
inline NoisyVariable noisy_variable(const Measurements& store, std::size_t v,
                                    const NoisyRegressionOptions& options) {
  NoisyVariable out;
  const std::uint32_t k = store.schema().levels(v);
  const Measured* measured = k < 2 ? nullptr : store.find(VariableSet{v});
  if (measured == nullptr) return out;
  out.contrasts = k - 1;
  out.variance = measured->variance;
  out.q = contrast_matrix(k);
  std::vector<double> p(k, 1.0 / k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j + 1 < k; ++j)
      p[i] += out.q(i, j) * measured->values[j];
  }
  project_onto_simplex(p);
  out.mean.assign(k - 1, 0);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j + 1 < k; ++j)
      out.mean[j] += p[i] * out.q(i, j);
  }
  // Levels that hardly occur still get a little spread: noise hides how rare they are.
  for (double& x : p)
    x = std::max(x, 1e-4);
  out.probability = p;
  Eigen eigen = symmetric_eigen(covariance(out.q, p));
  for (double& value : eigen.values)
    value = std::max(value, options.least_spread);
  out.spread = eigen.values;
  out.spread_in_all = std::accumulate(out.spread.begin(), out.spread.end(), 0.0);
  out.basis = eigen.vectors;
  out.rotated_mean.assign(k - 1, 0);
  for (std::size_t i = 0; i + 1 < k; ++i) {
    for (std::size_t j = 0; j + 1 < k; ++j)
      out.rotated_mean[j] += out.mean[i] * out.basis(i, j);
  }
  return out;
}

}  // namespace privpc
