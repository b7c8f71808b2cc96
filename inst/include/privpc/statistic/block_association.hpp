// G2 and chi-square of the small tables of one block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

// G2 or Pearson's chi-square of one block, with the degrees of freedom of the levels that occur in
// each stratum: a block is small, and declared levels it does not hold cannot be tested in it. In
// small tables G2 is too large on average, in every block in the same direction, which an aggregate
// of many blocks would take for dependence. So each stratum's G2 is divided by Williams' (1976)
// factor 1 + (n sum 1/n_i - 1)(n sum 1/n_j - 1)/(6 n df), which brings its mean to df up to terms
// of order 1/n^2. Where levels are very rare the factor overshoots, so it is limited.
class BlockAssociation {
 public:
  static constexpr double kLargestCorrection = 1.3;

  // `n_log_n` is a table of n log n up to the block's number of rows.
  BlockAssociation(bool pearson, const std::vector<double>& n_log_n)
      : pearson_(pearson), n_log_n_(&n_log_n) {}

  void add(const DenseStratum& s) {
    row_.assign(s.rows, 0);
    column_.assign(s.columns, 0);
    const Count* cell = s.counts;
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j, ++cell) {
        row_[i] += *cell;
        column_[j] += *cell;
      }
    }
    Count total = 0;
    for (Count r : row_)
      total += r;
    if (!testable(total)) return;
    double sum = 0;
    cell = s.counts;
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      for (std::uint32_t j = 0; j < s.columns; ++j, ++cell) {
        if (*cell > 0)
          sum += pearson_ ? pearson_term(*cell, row_[i], column_[j]) : n_log_n_of(*cell);
      }
    }
    finish_stratum(sum, total);
  }

  // Sorted cells, for sets of so many levels that a table would be mostly empty.
  void add(const Cell* cells, std::size_t size) {
    ys_.clear();
    for (std::size_t i = 0; i < size; ++i)
      ys_.push_back(cells[i].y);
    std::sort(ys_.begin(), ys_.end());
    ys_.erase(std::unique(ys_.begin(), ys_.end()), ys_.end());
    const auto position = [&](std::uint32_t y) {
      return static_cast<std::size_t>(std::lower_bound(ys_.begin(), ys_.end(), y) - ys_.begin());
    };
    row_.clear();
    column_.assign(ys_.size(), 0);
    Count total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == 0 || cells[i].x != cells[i - 1].x) row_.push_back(0);
      row_.back() += cells[i].count;
      column_[position(cells[i].y)] += cells[i].count;
      total += cells[i].count;
    }
    if (!testable(total)) return;
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < size; ++i) {
      at += i > 0 && cells[i].x != cells[i - 1].x;
      sum += pearson_ ? pearson_term(cells[i].count, row_[at], column_[position(cells[i].y)])
                      : n_log_n_of(cells[i].count);
    }
    finish_stratum(sum, total);
  }

  TestResult result() const {
    TestResult r;
    r.df = df_;
    r.statistic = df_ > 0 ? std::max(0.0, statistic_) : 0;  // rounding may leave -1e-12
    r.p_value = chi_square_upper(r.statistic, df_);
    return r;
  }

 private:
  double n_log_n_of(Count count) const { return (*n_log_n_)[static_cast<std::size_t>(count)]; }

  static double pearson_term(Count cell, Count row, Count column) {
    const double c = as_real(cell);
    return c / as_real(row) * (c / as_real(column));
  }

  static double occurring(const std::vector<Count>& totals) {
    return static_cast<double>(totals.size()) -
           static_cast<double>(std::count(totals.begin(), totals.end(), Count{0}));
  }

  bool testable(Count total) {
    if (total < 2) return false;
    const double rows = occurring(row_), columns = occurring(column_);
    if (rows < 2 || columns < 2) return false;
    stratum_df_ = (rows - 1) * (columns - 1);
    df_ += stratum_df_;
    return true;
  }

  // X2 = n (sum n_ij^2/(n_i n_j) - 1); G2 = 2 (sum n_ij log n_ij - sum n_i log n_i - sum n_j log
  // n_j
  // + n log n).
  void finish_stratum(double sum, Count total) {
    if (pearson_) {
      statistic_ += as_real(total) * (sum - 1);
      return;
    }
    double inverse_rows = 0, inverse_columns = 0;
    for (Count r : row_) {
      sum -= n_log_n_of(r);
      if (r > 0) inverse_rows += 1 / as_real(r);
    }
    for (Count c : column_) {
      sum -= n_log_n_of(c);
      if (c > 0) inverse_columns += 1 / as_real(c);
    }
    const double n = as_real(total);
    const double correction =
        1 + (n * inverse_rows - 1) * (n * inverse_columns - 1) / (6 * n * stratum_df_);
    statistic_ += 2 * (sum + n_log_n_of(total)) / std::min(correction, kLargestCorrection);
  }

  bool pearson_;
  const std::vector<double>* n_log_n_;
  double statistic_ = 0;
  double df_ = 0;
  double stratum_df_ = 0;
  std::vector<Count> row_, column_;
  std::vector<std::uint32_t> ys_;
};

}  // namespace privpc
