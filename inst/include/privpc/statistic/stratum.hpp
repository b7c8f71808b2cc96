// The walk over all strata of a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/counts/table.hpp"

namespace privpc {

// Calls visit(DenseStratum) for every stratum of the other variables of `table`.
template <class Visit>
void for_each_stratum(const Table& table, std::size_t x, std::size_t y, Visit&& visit) {
  const std::size_t px = table.variables.position(x), py = table.variables.position(y);
  const std::size_t sx = table.stride(px), sy = table.stride(py);
  const std::uint32_t rows = table.levels[px], columns = table.levels[py];
  const std::size_t k = table.levels.size();
  std::array<std::size_t, kMaxSetSize> strides;
  for (std::size_t i = 0; i < k; ++i)
    strides[i] = table.stride(i);
  std::vector<Count> cells(static_cast<std::size_t>(rows) * columns);
  std::array<std::uint32_t, kMaxSetSize> level{};
  std::size_t base = 0;
  while (true) {
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        cells[i * static_cast<std::size_t>(columns) + j] = table.counts[base + i * sx + j * sy];
      }
    }
    visit(DenseStratum{rows, columns, cells.data()});
    std::size_t i = k;
    while (i-- > 0) {  // odometer over the conditioning variables
      if (i == px || i == py) continue;
      base += strides[i];
      if (++level[i] < table.levels[i]) break;
      base -= strides[i] * table.levels[i];
      level[i] = 0;
    }
    if (i == static_cast<std::size_t>(-1)) return;
  }
}

// Sums over the rows and columns of a stratum.
struct Totals {
  std::vector<double> row, column;
  double total = 0;

  explicit Totals(const DenseStratum& s) : row(s.rows, 0), column(s.columns, 0) {
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j) {
        row[i] += as_real(s(i, j));
        column[j] += as_real(s(i, j));
      }
      total += row[i];
    }
  }
};

}  // namespace privpc
