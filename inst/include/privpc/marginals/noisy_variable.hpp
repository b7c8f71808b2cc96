// One variable as its noisy contrasts tell it: its distribution and the spread of its contrasts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"

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
      q(static_cast<Index>(i), static_cast<Index>(j - 1)) = u[i * k + j];
  }
  return q;
}

// The nearest point with non-negative coordinates that add up to 1.
inline Vector nearest_in_simplex(const Vector& p) {
  Vector sorted = p;
  std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<double>());
  double sum = 0, shift = 0;
  for (Index i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  return (p.array() - shift).max(0);
}

struct NoisyVariable {
  Index contrasts = 0;
  double spread_in_all = 1;
  double variance = 0;
  Matrix q;     // levels x contrasts
  Vector mean;  // contrasts of the distribution moved into the simplex
  Vector probability;
  Matrix second_moments;  // E[q q']
  Vector spread;          // eigenvalues of the covariance of the contrasts
  Matrix basis;           // their eigenvectors, one in every column
  Vector rotated_mean;    // basis' mean

  // Squares and products of the mean, as large as they may well be: where the noise of the mean
  // is large, a mean near 0 can be an accident. (1 - 1/k is the largest possible square.)
  double squared_mean(Index j) const {
    return std::min(most(), rotated_mean[j] * rotated_mean[j] + 2 * variance);
  }
  double mean_product(Index j, Index t) const {
    const double length = mean.squaredNorm();
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
  const Vector values = Eigen::Map<const Vector>(measured->values.data(), out.contrasts);
  const Vector raw = product(out.q, values).array() + 1.0 / k;
  const Vector p = nearest_in_simplex(raw);
  out.mean = cross_product(out.q, p);
  // Levels that hardly occur still get a little spread: noise hides how rare they are.
  out.probability = p.cwiseMax(1e-4);
  // q' (diag p - p p') q
  const Matrix across = out.q.transpose();
  const Vector lifted_mean = product(across, out.probability);
  out.second_moments = weighted_product(across, out.probability, across);
  const PrincipalAxes principal(out.second_moments - outer_product(lifted_mean, lifted_mean));
  out.spread = principal.values.cwiseMax(options.least_spread);
  out.spread_in_all = out.spread.sum();
  out.basis = principal.vectors;
  out.rotated_mean = cross_product(out.basis, out.mean);
  return out;
}

}  // namespace privpc
