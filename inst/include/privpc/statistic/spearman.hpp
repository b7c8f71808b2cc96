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

#include "privpc/counts/table.hpp"
#include "privpc/statistic/stratum.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

class SpearmanSum {
 public:
  void add(const DenseStratum& s) {
    const Margins margins(s);
    const std::vector<double> x = centred_ranks(margins.row, margins.total);
    const std::vector<double> y = centred_ranks(margins.column, margins.total);
    double product = 0;
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j)
        product += s(i, j) * x[i] * y[j];
    }
    add(margins.total, product, squares(margins.row, x), squares(margins.column, y));
  }

  void add(const Cell* cells, std::size_t size) {
    // Dense numbering of the values inside the stratum; x is sorted already.
    std::vector<std::uint32_t> values;
    values.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
      values.push_back(cells[i].y);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<double> row, column(values.size(), 0);
    std::vector<std::size_t> of_x(size), of_y(size);
    double n = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == 0 || cells[i].x != cells[i - 1].x) row.push_back(0);
      of_x[i] = row.size() - 1;
      of_y[i] = static_cast<std::size_t>(
          std::lower_bound(values.begin(), values.end(), cells[i].y) - values.begin());
      row.back() += cells[i].count;
      column[of_y[i]] += cells[i].count;
      n += cells[i].count;
    }
    const std::vector<double> x = centred_ranks(row, n), y = centred_ranks(column, n);
    double product = 0;
    for (std::size_t i = 0; i < size; ++i)
      product += cells[i].count * x[of_x[i]] * y[of_y[i]];
    add(n, product, squares(row, x), squares(column, y));
  }

  TestResult result() const { return normal_test(sum_, variance_, rows_); }

  double variance() const { return variance_; }

 private:
  // Mid-rank minus (n + 1) / 2 of each value, from how often it occurs.
  static std::vector<double> centred_ranks(const std::vector<double>& margin, double n) {
    std::vector<double> ranks(margin.size());
    double before = 0;
    for (std::size_t i = 0; i < margin.size(); ++i) {
      ranks[i] = before + (margin[i] - n) / 2;
      before += margin[i];
    }
    return ranks;
  }

  static double squares(const std::vector<double>& margin, const std::vector<double>& ranks) {
    double sum = 0;
    for (std::size_t i = 0; i < margin.size(); ++i)
      sum += margin[i] * ranks[i] * ranks[i];
    return sum;
  }

  void add(double n, double product, double squares_x, double squares_y) {
    rows_ += n;
    if (n < 2) return;
    const double scale = 12 / (n * n - 1);  // n times the normaliser
    sum_ += scale * product;
    variance_ += scale * scale * squares_x * squares_y / (n - 1);
  }

  double sum_ = 0;
  double variance_ = 0;
  double rows_ = 0;
};

}  // namespace privpc
