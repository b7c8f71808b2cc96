// Tables of probabilities with given margins, by iterative proportional fitting (Deming and Stephan
// 1940): the table of two variables that is nearest to what was drawn for them and has their
// margins, and the table of several of which only the pairs are known. The latter has the largest
// entropy, that is no interaction beyond the pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {

// Shares of the levels of x in rows, of y in columns: multiplied by rows and columns until its
// margins are `of_x` and `of_y`. Cells below 0 are taken as next to nothing.
inline Matrix fit_to_margins(Matrix table, const Vector& of_x, const Vector& of_y, int rounds = 30,
                             double precision = 1e-7) {
  table = table.cwiseMax(1e-9);
  const auto ratio = [](double wanted, double is) { return is > 0 ? wanted / is : 0.0; };
  for (int round = 0; round < rounds; ++round) {
    const Vector by_row = table.rowwise().sum();
    const double off = (by_row - of_x).cwiseAbs().maxCoeff();
    for (Index i = 0; i < table.rows(); ++i)
      table.row(i) *= ratio(of_x[i], by_row[i]);
    const Vector by_column = table.colwise().sum();
    for (Index j = 0; j < table.cols(); ++j)
      table.col(j) *= ratio(of_y[j], by_column[j]);
    if (off < precision) break;
  }
  return table;
}

// A pair of the variables of a larger table, by their positions, and its shares: levels of the
// first in rows.
struct PairMargin {
  std::size_t first, second;
  const Matrix* shares;
};

// The last variable runs fastest.
inline std::vector<double> fit_to_pairs(const std::vector<std::uint32_t>& levels,
                                        const std::vector<PairMargin>& pairs, int rounds = 25,
                                        double precision = 1e-6) {
  std::size_t cells = 1;
  for (std::uint32_t k : levels)
    cells *= k;
  // For every pair, where each cell of the table adds to.
  std::vector<std::vector<Index>> margin_cell;
  for (const PairMargin& pair : pairs) {
    std::vector<Index> index(cells);
    std::vector<std::size_t> stride(levels.size(), 1);
    for (std::size_t i = levels.size() - 1; i-- > 0;)
      stride[i] = stride[i + 1] * levels[i + 1];
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t a = cell / stride[pair.first] % levels[pair.first];
      const std::size_t b = cell / stride[pair.second] % levels[pair.second];
      index[cell] = static_cast<Index>(a + levels[pair.first] * b);  // column by column
    }
    margin_cell.push_back(std::move(index));
  }
  std::vector<double> table(cells, 1 / static_cast<double>(cells));
  Vector sums;
  for (int round = 0; round < rounds; ++round) {
    double off = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Eigen::Map<const Vector> wanted(pairs[p].shares->data(), pairs[p].shares->size());
      sums = Vector::Zero(wanted.size());
      for (std::size_t cell = 0; cell < cells; ++cell)
        sums[margin_cell[p][cell]] += table[cell];
      off = std::max(off, (sums - wanted).cwiseAbs().maxCoeff());
      for (Index i = 0; i < sums.size(); ++i)
        sums[i] = sums[i] > 0 ? wanted[i] / sums[i] : 0;
      for (std::size_t cell = 0; cell < cells; ++cell)
        table[cell] *= sums[margin_cell[p][cell]];
    }
    if (off < precision) break;
  }
  return table;
}

}  // namespace privpc
