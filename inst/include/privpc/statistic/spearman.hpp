// Conditional Spearman: R = sum over strata k of n_k rho_k with the *fixed* normaliser,
//   rho_k = 12 / (n_k^3 - n_k) * sum of (mid-rank of x - mean)(mid-rank of y - mean),
// so that its sensitivity is bounded whatever the ties (sensitivity.hpp). Without ties it is
// the ordinary coefficient. Under independence inside strata, given the margins, the sum of
// products has the permutation variance SS_x SS_y / (n - 1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/stratum.hpp"
#include "privpc/statistic/test_result.hpp"
#include "privpc/statistic/ties.hpp"

namespace privpc {

// The sum of products of doubled centred mid-ranks of one stratum (a whole number, exact), and its
// ties.
//
// SIZE. A doubled centred rank is at most n in absolute value. So counts times ranks stay within
// +-n^2, in 64 bits, and the sum of products within +-n^3, in 128 bits, for every n that a schema
// accepts (ties.hpp).
struct SpearmanStratum {
  std::int64_t rows = 0;
  Wide product = 0;  // 4 times the sum of products of centred ranks
  TieSums x, y;

  explicit SpearmanStratum(const DenseStratum& s) {
    std::vector<std::int64_t> row(s.rows, 0), column(s.columns, 0);
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j) {
        row[i] += s(i, j);
        column[j] += s(i, j);
      }
    }
    const std::vector<std::int64_t> rank_x = take_totals(row, x);
    const std::vector<std::int64_t> rank_y = take_totals(column, y);
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      std::int64_t of_row = 0;
      for (std::uint32_t j = 0; j < s.columns; ++j)
        of_row += s(i, j) * rank_y[j];
      product += static_cast<Wide>(of_row) * rank_x[i];
    }
  }

  SpearmanStratum(const Cell* cells, std::size_t size) {
    // Dense numbering of the values inside the stratum; x is sorted already.
    std::vector<std::uint32_t> values;
    values.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
      values.push_back(cells[i].y);
    unhurried_sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<std::int64_t> row, column(values.size(), 0);
    std::vector<std::size_t> of_x(size), of_y(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 65536 == 65535) breathe();
      if (i == 0 || cells[i].x != cells[i - 1].x) row.push_back(0);
      of_x[i] = row.size() - 1;
      of_y[i] = static_cast<std::size_t>(
          std::lower_bound(values.begin(), values.end(), cells[i].y) - values.begin());
      row.back() += cells[i].count;
      column[of_y[i]] += cells[i].count;
    }
    const std::vector<std::int64_t> rank_x = take_totals(row, x);
    const std::vector<std::int64_t> rank_y = take_totals(column, y);
    for (std::size_t i = 0; i < size; ++i)
      product += static_cast<Wide>(cells[i].count * rank_x[of_x[i]]) * rank_y[of_y[i]];
  }

 private:
  // Doubled mid-rank minus (n + 1) of each value, from how often it occurs.
  std::vector<std::int64_t> take_totals(const std::vector<std::int64_t>& totals, TieSums& ties) {
    rows = 0;
    for (std::int64_t t : totals)
      rows += t;
    std::vector<std::int64_t> ranks(totals.size());
    std::int64_t before = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
      ranks[i] = 2 * before + totals[i] - rows;
      before += totals[i];
      ties.add(totals[i]);
    }
    return ranks;
  }
};

class SpearmanSum {
 public:
  void add(const DenseStratum& s) { add(SpearmanStratum(s)); }
  void add(const Cell* cells, std::size_t size) { add(SpearmanStratum(cells, size)); }

  TestResult result() const { return normal_test(sum_, variance_, rows_); }

  double variance() const { return variance_; }

 private:
  void add(const SpearmanStratum& s) {
    const double n = static_cast<double>(s.rows);
    rows_ += n;
    if (s.rows < 2) return;
    const double scale = 12 / (n * n - 1);  // n times the normaliser
    sum_ += scale * to_double(s.product) / 4;
    // The squares of centred mid-ranks add up to (n^3 - sum t^3)/12.
    const double squares_x = to_double(s.x.untied_cubes(s.rows)) / 12;
    const double squares_y = to_double(s.y.untied_cubes(s.rows)) / 12;
    variance_ += scale * scale * squares_x * squares_y / (n - 1);
  }

  double sum_ = 0;
  double variance_ = 0;
  double rows_ = 0;
};

}  // namespace privpc
