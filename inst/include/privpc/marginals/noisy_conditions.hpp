// A set of conditioning variables as the measurements tell it: its table, the features that serve
// for a regression on it, and their second moments.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_variable.hpp"
#include "privpc/marginals/small_matrix.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

struct NoisyConditions {
  std::size_t cells = 1;
  std::vector<double> share;        // of the records in each cell, as measured
  std::vector<double> clipped;      // the same, positive and adding up to 1
  std::vector<double> noise_scale;  // standard deviation of each coefficient in the full basis
  std::vector<std::uint32_t> levels;
  Matrix features;        // cells x features
  Matrix second_moments;  // M, as measured
  Matrix inverse;         // (M of the clipped table + ridge)^-1
  Matrix projector;       // from functions of the cells to coefficients of features
  std::vector<VariableSet> subsets;
  std::vector<std::size_t> widths;
};

namespace detail {

inline void build_features(NoisyConditions& z, const Measurements& store, const VariableSet& given,
                           std::uint32_t subsets, double ridge_per_variance) {
  std::size_t features = 0;
  std::vector<std::uint32_t> masks;
  for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
    if ((subsets >> mask & 1) == 0) continue;
    masks.push_back(mask);
    z.subsets.push_back(subset(given, mask));
    z.widths.push_back(contrast_count(levels_of(store.schema(), z.subsets.back())));
    features += z.widths.back();
  }
  z.features = Matrix(z.cells, features);
  std::vector<std::vector<double>> bases;
  for (std::uint32_t k : z.levels)
    bases.push_back(orthonormal_basis(k));
  std::size_t first = 0;
  for (std::size_t s = 0; s < masks.size(); ++s) {
    for (std::size_t cell = 0; cell < z.cells; ++cell) {
      // Split the feature's index and the cell into the members' parts, last member fastest.
      for (std::size_t f = 0; f < z.widths[s]; ++f) {
        std::size_t rest_cell = cell, rest_feature = f;
        double value = 1;
        for (std::size_t i = z.levels.size(); i-- > 0;) {
          const std::size_t k = z.levels[i], level = rest_cell % k;
          rest_cell /= k;
          if ((masks[s] >> i & 1) == 0) continue;
          const std::size_t j = rest_feature % (k - 1);
          rest_feature /= k - 1;
          value *= bases[i][level * k + j + 1];
        }
        z.features(cell, first + f) = value;
      }
    }
    first += z.widths[s];
  }
  z.second_moments = cross_product(z.features, z.features, z.share.data());
  Matrix regular = cross_product(z.features, z.features, z.clipped.data());
  first = 0;
  for (std::size_t s = 0; s < masks.size(); ++s) {
    const Measured* measured = store.find(z.subsets[s]);
    const double ridge =
        masks[s] == 0
            ? 0
            : ridge_per_variance * std::max(measured == nullptr ? 0 : measured->variance, 1e-9);
    for (std::size_t f = first; f < first + z.widths[s]; ++f)
      regular(f, f) += ridge;
    first += z.widths[s];
  }
  Matrix identity(features, features);
  for (std::size_t f = 0; f < features; ++f)
    identity(f, f) = 1;
  z.inverse = Cholesky(regular).solve(identity);
  std::vector<double> lifted = z.clipped;
  for (double& p : lifted)
    p += 0.1 / static_cast<double>(z.cells);
  const Matrix gram = cross_product(z.features, z.features, lifted.data());
  Matrix weighted = transpose(z.features);
  for (std::size_t f = 0; f < features; ++f) {
    for (std::size_t cell = 0; cell < z.cells; ++cell)
      weighted(f, cell) *= lifted[cell];
  }
  z.projector = Cholesky(gram).solve(weighted);
}

}  // namespace detail

// Bit s of `subsets` is set if the subset with the member mask s serves as a feature.
inline NoisyConditions noisy_conditions(const Measurements& store, const VariableSet& given,
                                        std::uint32_t subsets,
                                        const NoisyRegressionOptions& options) {
  NoisyConditions z;
  z.levels = levels_of(store.schema(), given);
  for (std::uint32_t k : z.levels)
    z.cells *= k;

  // The table of z in the full orthonormal basis: the coefficient of the subset w is its
  // measured contrast divided by sqrt(k) for every member that w leaves out.
  z.share.assign(z.cells, 0);
  z.noise_scale.assign(z.cells, 0);
  for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
    const VariableSet w = subset(given, mask);
    const Measured* measured = w.empty() ? nullptr : store.find(w);
    if (measured == nullptr && !w.empty()) continue;
    double shrink = 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if ((mask >> i & 1) == 0) shrink /= std::sqrt(static_cast<double>(z.levels[i]));
    }
    std::size_t next = 0;
    for_each_contrast(z.levels, mask, [&](std::size_t cell) {
      z.share[cell] = shrink * (measured == nullptr ? 1 : measured->values[next]);
      z.noise_scale[cell] = measured == nullptr ? 0 : shrink * std::sqrt(measured->variance);
      ++next;
    });
  }
  change_basis(z.share, z.levels, 1, false);
  z.clipped = z.share;
  double total = 0;
  for (double& p : z.clipped) {
    p = std::max(p, 1e-3 / static_cast<double>(z.cells));
    total += p;
  }
  for (double& p : z.clipped)
    p /= total;
  detail::build_features(z, store, given, subsets, options.ridge);
  return z;
}

}  // namespace privpc
