// G2 and Pearson's chi-square of x and y inside strata, summed over strata.
//
// Degrees of freedom are (levels of x - 1)(levels of y - 1) times the number of strata of the
// declared levels, as bnlearn's "mi" and "x2" count them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/stratum.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

inline double association_df(const Schema& schema, std::size_t x, std::size_t y,
                             const VariableSet& given) {
  return (schema.levels(x) - 1.0) * (schema.levels(y) - 1.0) * cell_count(schema, given);
}

// G2 = 2 sum n log(n n_k / (n_x n_y)) = 2 [F(xyZ) - F(xZ) - F(yZ) + F(Z)], F = sum n log n,
// each F being computed once per set of variables.
class G2Statistic {
 public:
  static Sealed<double> of(TableSource& source, std::size_t x, std::size_t y,
                           const VariableSet& given) {
    const StatisticKey key;
    const auto sum = [&](const VariableSet& set) { return source.sum_n_log_n(set).open(key); };
    const VariableSet with_x = given.with(x);
    const double value = 2 * (sum(with_x.with(y)) - sum(with_x) - sum(given.with(y)) + sum(given));
    return Sealed<double>(std::max(value, 0.0));  // rounding may leave -1e-10
  }
};

// Degrees of freedom without the levels that do not occur in a stratum, as bnlearn's "mi-adf" and
// "x2-adf" count them: (occurring levels of x - 1)(occurring levels of y - 1) of every stratum.
class OccurringDf {
 public:
  void add(const DenseStratum& s) {
    double rows = 0, columns = 0;
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      bool occurs = false;
      for (std::uint32_t j = 0; j < s.columns; ++j)
        occurs |= s(i, j) > 0;
      rows += occurs;
    }
    for (std::uint32_t j = 0; j < s.columns; ++j) {
      bool occurs = false;
      for (std::uint32_t i = 0; i < s.rows; ++i)
        occurs |= s(i, j) > 0;
      columns += occurs;
    }
    add(rows, columns);
  }

  void add(const Cell* cells, std::size_t size) {
    std::vector<std::uint32_t> ys(size);
    double rows = 0;
    for (std::size_t i = 0; i < size; ++i) {
      rows += i == 0 || cells[i].x != cells[i - 1].x;
      ys[i] = cells[i].y;
    }
    std::sort(ys.begin(), ys.end());
    add(rows, static_cast<double>(std::unique(ys.begin(), ys.end()) - ys.begin()));
  }

  double value() const { return value_; }

 private:
  void add(double rows, double columns) {
    if (rows > 1 && columns > 1) value_ += (rows - 1) * (columns - 1);
  }
  double value_ = 0;
};

class PearsonSum {
 public:
  // X2 of one stratum = n (sum n_ij^2 / (n_i n_j) - 1): empty cells add nothing.
  void add(const DenseStratum& s) {
    const Totals totals(s);
    if (totals.total == 0) return;
    double sum = 0;
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j) {
        if (totals.row[i] == 0 || totals.column[j] == 0) continue;
        const double expected = totals.row[i] * totals.column[j] / totals.total;
        const double above = as_real(s(i, j)) - expected;
        sum += above * above / expected;
      }
    }
    value_ += sum;
  }

  void add(const Cell* cells, std::size_t size) {
    double n = 0, run = 0;
    std::vector<double> row(size);
    std::vector<std::pair<std::uint32_t, double>> ys(size);
    for (std::size_t i = 0, first = 0; i < size; ++i) {
      const double count = as_real(cells[i].count);
      n += count;
      run += count;
      ys[i] = {cells[i].y, count};
      if (i + 1 == size || cells[i + 1].x != cells[i].x) {
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(first),
                  row.begin() + static_cast<std::ptrdiff_t>(i) + 1, run);
        run = 0;
        first = i + 1;
      }
    }
    std::sort(ys.begin(), ys.end());
    std::vector<std::pair<std::uint32_t, double>> column;
    for (const auto& item : ys) {
      if (column.empty() || column.back().first != item.first) column.emplace_back(item.first, 0.0);
      column.back().second += item.second;
    }
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto at = std::lower_bound(column.begin(), column.end(), cells[i].y,
                                       [](const auto& c, std::uint32_t y) { return c.first < y; });
      const double c = as_real(cells[i].count);
      sum += c / row[i] * (c / at->second);
    }
    if (n > 0) value_ += std::max(0.0, n * (sum - 1));
  }

  double value() const { return value_; }

 private:
  double value_ = 0;
};

}  // namespace privpc
