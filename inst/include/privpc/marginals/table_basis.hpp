// Tables in the orthonormal basis of their variables (contrasts.hpp): the coefficient of a subset
// of the variables is its contrast, shrunk by 1/sqrt(levels) for every variable it leaves out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/vector_kernels.hpp"
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

// In place: every axis of a tensor of `levels` (times `width` numbers per cell) into or out of
// its orthonormal basis.
inline void change_basis(std::vector<double>& values, const std::vector<std::uint32_t>& levels,
                         std::size_t width, bool into) {
  std::size_t outer = 1, inner = width;
  for (std::uint32_t k : levels)
    inner *= k;
  constexpr std::size_t kBlock = 256;  // numbers side by side: k times that many stay in the cache
  std::vector<double> lines;
  for (std::uint32_t k : levels) {
    inner /= k;
    const std::vector<double> u = orthonormal_basis(k);
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; i += kBlock) {
        const std::size_t length = std::min(kBlock, inner - i);
        double* at = values.data() + o * k * inner + i;
        lines.assign(k * length, 0);
        for (std::size_t r = 0; r < k; ++r) {
          for (std::size_t c = 0; c < k; ++c) {
            const double factor = into ? u[c * k + r] : u[r * k + c];
            // Nearly half of the basis is zero.
            if (factor != 0) add_scaled(&lines[r * length], at + c * inner, factor, length);
          }
        }
        for (std::size_t r = 0; r < k; ++r)
          std::copy_n(&lines[r * length], length, at + r * inner);
      }
    }
    outer *= k;
  }
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
  change_basis(cells, levels, 1, true);
  std::vector<double> out;
  for_each_contrast(levels, (1u << levels.size()) - 1,
                    [&](std::size_t cell) { out.push_back(cells[cell]); });
  return out;
}

}  // namespace privpc
