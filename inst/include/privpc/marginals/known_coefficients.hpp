// A table in the orthonormal basis of its variables (table_basis.hpp), as far as it was measured:
// the basis as a matrix, for those who draw or fit tables. A table p is the sum over the columns of
// coefficient times column; the columns are orthonormal.
//
// Here the variables stand in the order in which they were asked for, the first one running
// fastest, as in an array of R. The store has them sorted, the last one fastest.
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

inline constexpr double kMostMatrixCells = 5000;

// Calls visit(index) for all combinations below `sizes`, the first running fastest.
template <class Visit>
void for_each_combination(const std::vector<std::size_t>& sizes, const Visit& visit) {
  std::vector<std::size_t> at(sizes.size(), 0);
  for (std::size_t size : sizes) {
    if (size == 0) return;
  }
  while (true) {
    visit(at);
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == sizes[i])
      at[i++] = 0;
    if (i == at.size()) return;
  }
}

// The columns of the basis in which exactly the variables in `mask` have a contrast, one after the
// other: as many numbers each as the table has cells. The contrasts, too, with the first variable
// fastest.
inline std::vector<double> basis_columns(const std::vector<std::uint32_t>& levels,
                                         std::uint32_t mask) {
  std::vector<std::size_t> cells, contrasts;
  std::vector<std::vector<double>> bases;
  std::size_t size = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    size *= levels[i];
    cells.push_back(levels[i]);
    contrasts.push_back((mask >> i & 1) != 0 ? levels[i] - 1 : 1);
    bases.push_back(orthonormal_basis(levels[i]));
  }
  if (mask == 0) return std::vector<double>(size, left_out_factor(levels, 0));
  std::vector<double> out;
  for_each_combination(contrasts, [&](const std::vector<std::size_t>& contrast) {
    for_each_combination(cells, [&](const std::vector<std::size_t>& cell) {
      double product = 1;
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const std::size_t column = (mask >> i & 1) != 0 ? contrast[i] + 1 : 0;
        product *= bases[i][cell[i] * levels[i] + column];
      }
      out.push_back(product);
    });
  });
  return out;
}

struct KnownCoefficients {
  std::vector<std::uint32_t> levels;
  std::vector<double> basis;  // one column after the other; the first is the constant
  std::vector<double> values, variances;
  std::vector<std::size_t> belongs;          // to which of `sets`, from 1; 0: the constant
  std::vector<std::uint32_t> sets, missing;  // measured and not; bit i: the i-th variable
};

inline KnownCoefficients known_coefficients(const Measurements& store,
                                            const std::vector<std::size_t>& variables) {
  VariableSet all;
  for (std::size_t v : variables)
    all.insert(v);
  if (all.size() != variables.size()) {
    throw std::invalid_argument("the variables of a table must be different");
  }
  if (cell_count(store.schema(), all) > kMostMatrixCells) {
    throw std::invalid_argument("the table would have more than 5000 cells");
  }
  KnownCoefficients out;
  for (std::size_t v : variables)
    out.levels.push_back(store.schema().levels(v));
  for (std::uint32_t mask = 0; mask < 1u << variables.size(); ++mask) {
    VariableSet set;
    std::vector<std::size_t> members, sizes;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if ((mask >> i & 1) == 0) continue;
      set.insert(variables[i]);
      members.push_back(variables[i]);
      sizes.push_back(out.levels[i] - 1);
    }
    if (contrast_count(levels_of(store.schema(), set)) == 0)
      continue;  // one level: nothing to tell
    const Measured* measured = set.empty() ? nullptr : store.find(set);
    if (measured == nullptr && !set.empty()) {
      out.missing.push_back(mask);
      continue;
    }
    const std::vector<double> columns = basis_columns(out.levels, mask);
    out.basis.insert(out.basis.end(), columns.begin(), columns.end());
    const double shrink = left_out_factor(out.levels, mask);
    if (set.empty()) {
      out.values.push_back(shrink);
      out.variances.push_back(0);
      out.belongs.push_back(0);
      continue;
    }
    out.sets.push_back(mask);
    for_each_combination(sizes, [&](const std::vector<std::size_t>& contrast) {
      // Where the store has it: sorted members, the last one fastest.
      std::size_t place = 0;
      for (auto v : set) {
        std::size_t i = 0;
        while (members[i] != v)
          ++i;
        place = place * sizes[i] + contrast[i];
      }
      out.values.push_back(shrink * measured->values[place]);
      out.variances.push_back(shrink * shrink * measured->variance);
      out.belongs.push_back(out.sets.size());
    });
  }
  return out;
}

}  // namespace privpc
