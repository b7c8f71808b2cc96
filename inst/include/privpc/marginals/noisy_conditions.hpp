// A set of conditioning variables as the measurements tell it: its table, and the features that
// serve for a regression on it.
//
// A feature is a product of contrasts of some members, and does not depend on the others. But for
// its length it is a function of the orthonormal basis of the table (table_basis.hpp): sums over
// the cells of anything times all features, and functions of the cells from their coefficients,
// are changes of basis, which take a few steps per cell. The matrix of all cells and features is
// never made.
//
// Where only single members are features, functions of the cells are sums of functions of one
// member each, and what is summed over the cells are the margins of a table. With many levels that
// is much faster than a change of basis.
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

// A function of the cells that is a constant and one function of each member.
struct AdditiveParts {
  Vector constant;               // one number for every row
  std::vector<Matrix> by_level;  // of each member: rows x levels; every row adds up to 0
};

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

  // Whether only single members are features, one of them with many levels; then the contrasts of
  // each, and E[f f'] in the table as measured.
  bool additive = false;
  // Whether every function of the cells is a sum of features, and there are many: `lifted` is then
  // not made.
  bool saturated = false;
  std::vector<Matrix> contrasts;
  Matrix moments;

  Index features() const { return length.size(); }

  // Only where `additive`.
  AdditiveParts parts(const Matrix& coefficients) const {
    AdditiveParts out;
    out.constant = coefficients.col(0);
    Index first = 1;
    for (const Matrix& q : contrasts) {
      out.by_level.push_back(outer_product(coefficients.middleCols(first, q.cols()), q));
      first += q.cols();
    }
    return out;
  }

  // The sum over the cells of a column of `table` times the features there, f': one row for every
  // row of the table, one column for every feature.
  Matrix times_features(Matrix table) const {
    if (additive) return sums_by_level(table);
    into_basis(table.data(), levels, static_cast<std::size_t>(table.rows()));
    Matrix out(table.rows(), features());
    for (Index f = 0; f < features(); ++f)
      out.col(f) = table.col(place[static_cast<std::size_t>(f)]) * length[f];
    return out;
  }

  // The functions of the cells with these coefficients: one row for every row of them, one column
  // for every cell.
  Matrix in_cells(const Matrix& coefficients) const {
    if (additive) return in_cells(parts(coefficients));
    Matrix out = Matrix::Zero(coefficients.rows(), cells);
    for (Index f = 0; f < features(); ++f)
      out.col(place[static_cast<std::size_t>(f)]) = coefficients.col(f) * length[f];
    out_of_basis(out.data(), levels, static_cast<std::size_t>(out.rows()));
    return out;
  }

  // The coefficients that come nearest, in the lifted table, to a function of the cells. Where the
  // table is `saturated`, those that are it.
  Matrix nearest(Matrix function) const {
    if (!saturated) return lifted.solve_rows(times_features(weigh_columns(function, lifted_share)));
    into_basis(function.data(), levels, static_cast<std::size_t>(function.rows()));
    Matrix out(function.rows(), features());
    for (Index f = 0; f < features(); ++f)
      out.col(f) = function.col(place[static_cast<std::size_t>(f)]) / length[f];
    return out;
  }

 private:
  // Visits the cells with their levels, the last member running fastest.
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    std::vector<Index> level(levels.size(), 0);
    for (Index cell = 0; cell < cells; ++cell) {
      visit(cell, level);
      for (std::size_t i = levels.size(); i-- > 0;) {
        if (++level[i] < Index{levels[i]}) break;
        level[i] = 0;
      }
    }
  }

  Matrix in_cells(const AdditiveParts& function) const {
    Matrix out(function.constant.size(), cells);
    for_each_cell([&](Index cell, const std::vector<Index>& level) {
      out.col(cell) = function.constant + function.by_level[0].col(level[0]);
      for (std::size_t i = 1; i < level.size(); ++i)
        out.col(cell) += function.by_level[i].col(level[i]);
    });
    return out;
  }

  Matrix sums_by_level(const Matrix& table) const {
    std::vector<Matrix> sums;
    for (std::uint32_t k : levels)
      sums.push_back(Matrix::Zero(table.rows(), k));
    for_each_cell([&](Index cell, const std::vector<Index>& level) {
      for (std::size_t i = 0; i < level.size(); ++i)
        sums[i].col(level[i]) += table.col(cell);
    });
    Matrix out(table.rows(), features());
    out.col(0) = sums[0].rowwise().sum();
    Index first = 1;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      out.middleCols(first, contrasts[i].cols()) = product(sums[i], contrasts[i]);
      first += contrasts[i].cols();
    }
    return out;
  }
};

// From so many levels of a member on additive conditions have their own way, and from so many cells
// on saturated ones.
inline constexpr std::uint32_t kManyLevels = 10;
inline constexpr Index kManyCells = 100;

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
  z.additive = *std::max_element(z.levels.begin(), z.levels.end()) >= kManyLevels;
  for (const VariableSet& members : z.subsets)
    z.additive = z.additive && members.size() < 2;
  for (std::size_t i = 0; z.additive && i < z.levels.size(); ++i)
    z.contrasts.push_back(contrast_matrix(z.levels[i]));
  z.saturated = z.features() == z.cells && z.cells >= kManyCells && !z.additive;
  z.clipped = z.share.cwiseMax(1e-3 / static_cast<double>(z.cells));
  z.clipped /= z.clipped.sum();

  const Matrix features = z.in_cells(Matrix::Identity(z.features(), z.features()));
  if (z.additive) z.moments = z.times_features(weigh_columns(features, z.share));
  Matrix moments = z.times_features(weigh_columns(features, z.clipped));
  // Features are orthogonal to each other where all cells weigh the same.
  const double lift = 0.1 / static_cast<double>(z.cells);
  z.lifted_share = z.clipped.array() + lift;
  if (!z.saturated) {
    Matrix lifted = moments;
    lifted.diagonal().array() += lift * z.length.array().square();
    z.lifted = CholeskyFactor(lifted);
  }
  moments.diagonal() += Eigen::Map<const Vector>(ridge.data(), z.features());
  z.ridged = CholeskyFactor(moments);
  return z;
}

}  // namespace privpc
