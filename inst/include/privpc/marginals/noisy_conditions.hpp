// A set of conditioning variables as the measurements tell it: its table, and the features that
// serve for a regression on it.
//
// A feature is a product of contrasts of some members, and does not depend on the others. But for
// its length it is a function of the orthonormal basis of the table (table_basis.hpp): sums over
// the cells of anything times all features, and functions of the cells from their coefficients,
// are changes of basis, which take a few steps per cell. The matrix of all cells and features is
// never made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_variable.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

struct NoisyConditions {
  std::vector<std::uint32_t> levels;
  Index cells = 1;
  Vector share;                      // of the records in each cell, as measured
  Vector clipped;                    // the same, positive and adding up to 1
  Vector noise_variance;             // of each coefficient in the full basis
  std::vector<VariableSet> subsets;  // whose contrasts are features, and how many they are
  std::vector<Index> widths;
  std::vector<Index> place;  // of each feature among the functions of the basis
  Vector length;             // of each feature, as a function of the cells
  CholeskyFactor ridged;     // of E[f f'] in the clipped table, with the ridge
  CholeskyFactor lifted;     // of the same in the table that `lifted_share` gives
  Vector lifted_share;

  Index features() const { return length.size(); }

  // The sum over the cells of a column of `table` times the features there, f': one row for every
  // row of the table, one column for every feature.
  Matrix times_features(Matrix table) const {
    into_basis(table.data(), levels, static_cast<std::size_t>(table.rows()));
    Matrix out(table.rows(), features());
    for (Index f = 0; f < features(); ++f)
      out.col(f) = table.col(place[static_cast<std::size_t>(f)]) * length[f];
    return out;
  }

  // The functions of the cells with these coefficients: one row for every row of them, one column
  // for every cell.
  Matrix in_cells(const Matrix& coefficients) const {
    Matrix out = Matrix::Zero(coefficients.rows(), cells);
    for (Index f = 0; f < features(); ++f)
      out.col(place[static_cast<std::size_t>(f)]) = coefficients.col(f) * length[f];
    out_of_basis(out.data(), levels, static_cast<std::size_t>(out.rows()));
    return out;
  }
};

namespace detail {

// The table of z in the full orthonormal basis: the coefficient of the subset w is its measured
// contrast divided by sqrt(k) for every member that w leaves out.
inline void read_table(NoisyConditions& z, const Measurements& store, const VariableSet& given,
                       std::uint32_t feature_subsets, std::vector<double>& ridge,
                       double ridge_per_variance) {
  z.share = Vector::Zero(z.cells);
  z.noise_variance = Vector::Zero(z.cells);
  std::vector<double> lengths;
  for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
    const VariableSet w = subset(given, mask);
    const Measured* measured = w.empty() ? nullptr : store.find(w);
    const bool is_feature = (feature_subsets >> mask & 1) != 0;
    const double length = 1 / left_out_factor(z.levels, mask);
    std::size_t next = 0;
    for_each_contrast(z.levels, mask, [&](std::size_t cell) {
      const Index at = static_cast<Index>(cell);
      if (w.empty()) z.share[at] = 1 / length;
      if (measured != nullptr) {
        z.share[at] = measured->values[next] / length;
        z.noise_variance[at] = measured->variance / (length * length);
      }
      if (is_feature) {
        z.place.push_back(at);
        lengths.push_back(length);
      }
      ++next;
    });
    if (!is_feature) continue;
    z.subsets.push_back(w);
    z.widths.push_back(static_cast<Index>(next));
    const double variance = std::max(measured == nullptr ? 0 : measured->variance, 1e-9);
    ridge.insert(ridge.end(), next, w.empty() ? 0 : ridge_per_variance * variance);
  }
  z.length = Eigen::Map<const Vector>(lengths.data(), static_cast<Index>(lengths.size()));
  out_of_basis(z.share.data(), z.levels, 1);
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
  std::vector<double> ridge;
  detail::read_table(z, store, given, subsets, ridge, options.ridge);
  z.clipped = z.share.cwiseMax(1e-3 / static_cast<double>(z.cells));
  z.clipped /= z.clipped.sum();

  const Matrix features = z.in_cells(Matrix::Identity(z.features(), z.features()));
  Matrix moments = z.times_features(weigh_columns(features, z.clipped));
  // Features are orthogonal to each other where all cells weigh the same.
  const double lift = 0.1 / static_cast<double>(z.cells);
  z.lifted_share = z.clipped.array() + lift;
  Matrix lifted = moments;
  lifted.diagonal().array() += lift * z.length.array().square();
  z.lifted = CholeskyFactor(lifted);
  moments.diagonal() += Eigen::Map<const Vector>(ridge.data(), z.features());
  z.ridged = CholeskyFactor(moments);
  return z;
}

}  // namespace privpc
