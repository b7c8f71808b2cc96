// Tables in the orthonormal basis of their variables (contrasts.hpp): the coefficient of a subset
// of the variables is its contrast, shrunk by 1/sqrt(levels) for every variable it leaves out.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

// The members of `set` whose bits are set.
inline VariableSet subset(const VariableSet& set, std::uint32_t mask) {
  VariableSet out;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if ((mask >> i & 1) != 0) out.append(set[i]);
  }
  return out;
}

// What a contrast of the variables in `mask` is multiplied by to be a coefficient of the table.
inline double left_out_factor(const std::vector<std::uint32_t>& levels, std::uint32_t mask) {
  double cells = 1, factor = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double k = levels[i];
    cells *= k;
    if ((mask >> i & 1) == 0) factor *= 1 / std::sqrt(k);
  }
  // The constant by one root, which is exact where the number of cells is a square.
  return mask == 0 ? 1 / std::sqrt(cells) : factor;
}

namespace detail {

// One axis of a table into its basis: k numbers that lie `stride` apart, `Lanes` such lines side by
// side. Helmert contrasts need the sum of the levels before, so that one pass is enough.
template <int Lanes>
void line_into_basis(double* at, std::size_t k, std::size_t stride, const double* scale) {
  using Line = Eigen::Array<double, Lanes, 1>;
  Eigen::Map<Line> first(at);
  Line sum = first;
  for (std::size_t j = 1; j < k; ++j) {
    Eigen::Map<Line> here(at + j * stride);
    const Line value = here;
    here = (sum - static_cast<double>(j) * value) * scale[j];
    sum += value;
  }
  first = sum * scale[0];
}

// And back: level j gets the constant, the contrasts after it, and -j times its own.
template <int Lanes>
void line_out_of_basis(double* at, std::size_t k, std::size_t stride, const double* scale) {
  using Line = Eigen::Array<double, Lanes, 1>;
  Eigen::Map<Line> first(at);
  Line sum = first * scale[0];
  for (std::size_t j = k; j-- > 1;) {
    Eigen::Map<Line> here(at + j * stride);
    const Line value = here * scale[j];
    here = sum - static_cast<double>(j) * value;
    sum += value;
  }
  first = sum;
}

template <bool into>
void change_basis(double* values, const std::vector<std::uint32_t>& levels, std::size_t width) {
  constexpr int kLanes = 8;
  std::size_t outer = 1, inner = width;
  for (std::uint32_t k : levels)
    inner *= k;
  std::vector<double> scale;
  for (std::uint32_t k : levels) {
    inner /= k;
    scale.assign(k, 1 / std::sqrt(static_cast<double>(k)));
    for (std::uint32_t j = 1; j < k; ++j)
      scale[j] = 1 / std::sqrt(j * (j + 1.0));
    for (std::size_t o = 0; o < outer; ++o) {
      double* at = values + o * k * inner;
      std::size_t i = 0;
      for (; i + kLanes <= inner; i += kLanes) {
        into ? line_into_basis<kLanes>(at + i, k, inner, scale.data())
             : line_out_of_basis<kLanes>(at + i, k, inner, scale.data());
      }
      for (; i < inner; ++i) {
        into ? line_into_basis<1>(at + i, k, inner, scale.data())
             : line_out_of_basis<1>(at + i, k, inner, scale.data());
      }
    }
    outer *= k;
  }
}

}  // namespace detail

// In place: every axis of a table of `levels`, with `width` numbers in every cell.
inline void into_basis(double* values, const std::vector<std::uint32_t>& levels,
                       std::size_t width) {
  detail::change_basis<true>(values, levels, width);
}
inline void out_of_basis(double* values, const std::vector<std::uint32_t>& levels,
                         std::size_t width) {
  detail::change_basis<false>(values, levels, width);
}

// Cells of the full basis in which exactly the members in `mask` have a contrast (index > 0).
template <class Visit>
void for_each_contrast(const std::vector<std::uint32_t>& levels, std::uint32_t mask,
                       const Visit& visit) {
  std::size_t cells = 1;
  for (std::uint32_t k : levels)
    cells *= k;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t rest = cell;
    std::uint32_t found = 0;
    for (std::size_t i = levels.size(); i-- > 0;) {
      if (rest % levels[i] != 0) found |= 1u << i;
      rest /= levels[i];
    }
    if (found == mask) visit(cell);
  }
}

// The contrasts of all variables of a table together: what their interaction is. The last variable
// runs fastest, in the table and in the result.
inline std::vector<double> contrasts_of_table(std::vector<double> cells,
                                              const std::vector<std::uint32_t>& levels) {
  into_basis(cells.data(), levels, 1);
  std::vector<double> out;
  for_each_contrast(levels, (1u << levels.size()) - 1,
                    [&](std::size_t cell) { out.push_back(cells[cell]); });
  return out;
}

}  // namespace privpc
