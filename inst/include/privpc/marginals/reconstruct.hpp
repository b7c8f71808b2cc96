// Any marginal table from what was measured, with the standard error of its noise.
//
// The share of the records in a cell is the sum, over the subsets w of the variables, of the
// contrasts of w times the basis (table_basis.hpp). The noise of the contrasts is independent, and
// a row of the contrast matrix of a variable with k levels has the squared length 1 - 1/k, so every
// cell has the same noise variance:
//   sum over w of v_w * prod over members of (1 - 1/k) * prod over the others of 1/k^2.
// An interaction that was not measured is taken as none; which ones is told.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

struct NoisyTable {
  std::vector<double> shares;  // the last variable of the sorted set running fastest
  double standard_error = 0;
  std::vector<VariableSet> unmeasured;
};

inline constexpr double kMostReconstructedCells = 4194304;

inline NoisyTable reconstruct(const Measurements& store, const VariableSet& set) {
  if (cell_count(store.schema(), set) > kMostReconstructedCells) {
    throw std::invalid_argument("the table would have more than 4194304 cells");
  }
  const std::vector<std::uint32_t> levels = levels_of(store.schema(), set);
  std::size_t cells = 1;
  for (std::uint32_t k : levels)
    cells *= k;
  NoisyTable out;
  out.shares.assign(cells, 0);
  double variance = 0;
  for (std::uint32_t mask = 0; mask < 1u << set.size(); ++mask) {
    const VariableSet w = subset(set, mask);
    const bool constant = contrast_count(levels_of(store.schema(), w)) == 0;
    if (constant) continue;  // a member with one level has nothing to tell
    const Measured* measured = w.empty() ? nullptr : store.find(w);
    if (measured == nullptr && !w.empty()) {
      out.unmeasured.push_back(w);
      continue;
    }
    const double shrink = left_out_factor(levels, mask);
    double spread = 1;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const double k = levels[i];
      const bool member = (mask >> i & 1) != 0;
      spread *= member ? 1 - 1 / k : 1 / (k * k);
    }
    std::size_t next = 0;
    for_each_contrast(levels, mask, [&](std::size_t cell) {
      out.shares[cell] = shrink * (measured == nullptr ? 1 : measured->values[next]);
      ++next;
    });
    if (measured != nullptr) variance += measured->variance * spread;
  }
  out_of_basis(out.shares.data(), levels, 1);
  out.standard_error = std::sqrt(variance);
  return out;
}

}  // namespace privpc
