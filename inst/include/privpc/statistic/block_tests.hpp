// The same test on many disjoint blocks of the records: the "sub-sample" half of
// sub-sample-and-aggregate (Nissim, Raskhodnikova & Smith 2007). It makes G2, chi-square and CMH,
// which no bound holds for on all rows, fit for private release.
//
// PARTITION. A uniformly random permutation of the row numbers, drawn before any value is looked
// at, is cut into B pieces whose lengths differ by at most one. Row numbers and n are public, so
// the partition is independent of the data.
//
// SENSITIVITY. Fix the partition. Replacing the record in row r changes the table of the one block
// that holds r, and a block's result is a function of that block's table alone (including its
// rounding: no sum runs over blocks). So of the B results at most one changes, arbitrarily. Hence
//  - the number of blocks whose p-value is above (or not above) a fixed level is a sum of B
//    indicators of which at most one changes, and moves by at most 1;
//  - the list of results has Hamming distance at most 1 to the neighbour's, which is what
//    SmoothMedian asks for.
// A release that is private for every fixed partition is private for a random one, since the
// partition has the same distribution for both neighbours. QED
//
// A block where nothing can be tested (no stratum with two values of both variables) has
// statistic 0 and p-value 1, always.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/random_bits.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/row_cells.hpp"
#include "privpc/statistic/chi_square.hpp"
#include "privpc/statistic/cmh.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"
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
      : pearson_(pearson), n_log_n_(n_log_n) {}

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
        if (*cell > 0) sum += pearson_ ? pearson_term(*cell, row_[i], column_[j]) : n_log_n_[*cell];
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
                      : n_log_n_[cells[i].count];
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
  static double pearson_term(Count cell, Count row, Count column) {
    const double c = cell;
    return c / row * (c / column);
  }

  static double occurring(const std::vector<Count>& margin) {
    return static_cast<double>(margin.size()) -
           static_cast<double>(std::count(margin.begin(), margin.end(), Count{0}));
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
      statistic_ += total * (sum - 1);
      return;
    }
    double inverse_rows = 0, inverse_columns = 0;
    for (Count r : row_) {
      sum -= n_log_n_[r];
      if (r > 0) inverse_rows += 1.0 / r;
    }
    for (Count c : column_) {
      sum -= n_log_n_[c];
      if (c > 0) inverse_columns += 1.0 / c;
    }
    const double n = total;
    const double correction =
        1 + (n * inverse_rows - 1) * (n * inverse_columns - 1) / (6 * n * stratum_df_);
    statistic_ += 2 * (sum + n_log_n_[total]) / std::min(correction, kLargestCorrection);
  }

  bool pearson_;
  const std::vector<double>& n_log_n_;
  double statistic_ = 0;
  double df_ = 0;
  double stratum_df_ = 0;
  std::vector<Count> row_, column_;
  std::vector<std::uint32_t> ys_;
};

class BlockTests {
 public:
  // Throws InvalidCode for values outside the declared levels. The records are copied, block by
  // block, so that counting a block reads neighbouring memory.
  BlockTests(const Schema& schema, const std::vector<ColumnInput>& inputs, std::size_t blocks,
             RandomBits& bits)
      : schema_(schema), rows_(static_cast<std::size_t>(schema.rows())), blocks_(blocks) {
    if (blocks == 0 || blocks > rows_) {
      throw std::invalid_argument("there must be at least one block and at most one per row");
    }
    const std::vector<std::uint32_t> order = random_order(rows_, bits);
    columns_.resize(inputs.size());
    for (std::size_t v = 0; v < inputs.size(); ++v)
      copy_column(inputs[v], v, order);
    const std::size_t largest = (rows_ + blocks_ - 1) / blocks_;
    n_log_n_.resize(largest + 1);
    for (std::size_t n = 0; n <= largest; ++n)
      n_log_n_[n] = n_log_n(static_cast<double>(n));
  }

  std::size_t blocks() const { return blocks_; }
  const Schema& schema() const { return schema_; }

  // One result per block. Not protected: only aggregates that pass a mechanism may leave.
  std::vector<TestResult> results(TestKind kind, std::size_t x, std::size_t y,
                                  const VariableSet& given) const {
    if (x > y) std::swap(x, y);
    switch (kind) {
      case TestKind::tau:
        return each_block(x, y, given, [] { return KendallSum(); });
      case TestKind::rho:
        return each_block(x, y, given, [] { return SpearmanSum(); });
      case TestKind::cmh:
        return each_block(x, y, given, [&] { return CmhSum(schema_[x], schema_[y]); });
      case TestKind::chisq:
        return each_block(x, y, given, [&] { return BlockAssociation(true, n_log_n_); });
      case TestKind::g2:
        break;
    }
    return each_block(x, y, given, [&] { return BlockAssociation(false, n_log_n_); });
  }

  std::vector<double> p_values(TestKind kind, std::size_t x, std::size_t y,
                               const VariableSet& given) const {
    std::vector<double> out;
    out.reserve(blocks_);
    for (const TestResult& r : results(kind, x, y, given))
      out.push_back(r.p_value);
    return out;
  }

  // -2 log(p-value) of every block, which under independence is nearly chi-square with 2 degrees of
  // freedom whatever the test and the block's own degrees of freedom. For SmoothMedian: one of the
  // values changes when a record does.
  Sensitive<std::vector<double>> evidence(TestKind kind, std::size_t x, std::size_t y,
                                          const VariableSet& given) const {
    std::vector<double> values = p_values(kind, x, y, given);
    for (double& v : values)
      v = -2 * std::log(v);
    return {std::move(values), 1.0};
  }

  // How many blocks have a p-value of at most `level`; moves by at most 1.
  Sensitive<std::vector<double>> count_below(double level, TestKind kind, std::size_t x,
                                             std::size_t y, const VariableSet& given) const {
    const std::vector<double> values = p_values(kind, x, y, given);
    const auto below =
        std::count_if(values.begin(), values.end(), [level](double p) { return p <= level; });
    return {std::vector<double>(1, static_cast<double>(below)), 1.0};
  }

  std::size_t block_begin(std::size_t block) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(block) * rows_ / blocks_);
  }

  // Fisher and Yates (1938) in Durstenfeld's form.
  static std::vector<std::uint32_t> random_order(std::size_t rows, RandomBits& bits) {
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = rows; i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(bits.below(i))]);
    return order;
  }

 private:
  void copy_column(const ColumnInput& input, std::size_t v,
                   const std::vector<std::uint32_t>& order) {
    Column& column = columns_[v];
    column.levels = schema_.levels(v);
    if (schema_[v].numeric) {
      const std::vector<std::uint32_t> ranks = detail::dense_ranks(input.values, rows_);
      column.ranks.reserve(rows_);
      for (std::uint32_t row : order)
        column.ranks.push_back(ranks[row]);
    }
    if (input.codes == nullptr) return;
    column.own_codes.reserve(rows_);
    bool valid = true;
    for (std::uint32_t row : order) {
      const std::int32_t code = input.codes[row];
      valid = valid && static_cast<std::uint32_t>(code) - 1u < column.levels;
      column.own_codes.push_back(code);
    }
    if (!valid) throw InvalidCode(v, schema_[v].name);
    column.codes = column.own_codes.data();
  }

  template <class MakeSum>
  std::vector<TestResult> each_block(std::size_t x, std::size_t y, const VariableSet& given,
                                     const MakeSum& make_sum) const {
    // A table much larger than a block is mostly empty: sort the rows instead. Public facts decide.
    const double cells = cell_count(schema_, given.with(x).with(y));
    const bool fine = !columns_[x].ranks.empty() || !columns_[y].ranks.empty();
    const double rows_per_block = static_cast<double>(rows_) / static_cast<double>(blocks_);
    return !fine && cells <= 8 * rows_per_block + 1024 ? from_tables(x, y, given, make_sum)
                                                       : from_rows(x, y, given, make_sum);
  }

  template <class MakeSum>
  std::vector<TestResult> from_tables(std::size_t x, std::size_t y, const VariableSet& given,
                                      const MakeSum& make_sum) const {
    std::vector<std::size_t> members(given.begin(), given.end());
    members.push_back(x);
    members.push_back(y);
    const std::uint32_t stratum_cells = columns_[x].levels * columns_[y].levels;
    std::vector<Count> cells(static_cast<std::size_t>(cell_count(schema_, given.with(x).with(y))));
    std::vector<TestResult> out;
    out.reserve(blocks_);
    for (std::size_t b = 0; b < blocks_; ++b) {
      std::fill(cells.begin(), cells.end(), 0u);
      count_rows(members, block_begin(b), block_begin(b + 1), cells);
      auto sum = make_sum();
      for (std::size_t at = 0; at < cells.size(); at += stratum_cells)
        sum.add(DenseStratum{columns_[x].levels, columns_[y].levels, cells.data() + at});
      out.push_back(sum.result());
    }
    return out;
  }

  // The strata of `given` in order, each with its x-by-y table: the last member runs fastest.
  void count_rows(const std::vector<std::size_t>& members, std::size_t begin, std::size_t end,
                  std::vector<Count>& cells) const {
    constexpr std::size_t kChunk = 1024;
    std::uint32_t index[kChunk];
    for (; begin < end; begin += kChunk) {
      const std::size_t length = std::min(kChunk, end - begin);
      std::fill(index, index + length, 0u);
      for (std::size_t v : members) {
        const std::int32_t* codes = columns_[v].codes + begin;
        const std::uint32_t levels = columns_[v].levels;
        for (std::size_t r = 0; r < length; ++r)
          index[r] = index[r] * levels + static_cast<std::uint32_t>(codes[r]) - 1u;
      }
      for (std::size_t r = 0; r < length; ++r)
        ++cells[index[r]];
    }
  }

  template <class MakeSum>
  std::vector<TestResult> from_rows(std::size_t x, std::size_t y, const VariableSet& given,
                                    const MakeSum& make_sum) const {
    const Strata strata = strata_of(columns_, rows_, given);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> keys;  // stratum; x high, y low
    std::vector<Cell> cells;
    std::vector<TestResult> out;
    out.reserve(blocks_);
    for (std::size_t b = 0; b < blocks_; ++b) {
      keys.clear();
      for (std::size_t r = block_begin(b); r < block_begin(b + 1); ++r) {
        keys.emplace_back(strata.of_row[r], static_cast<std::uint64_t>(fine_value(columns_[x], r))
                                                    << 32 |
                                                fine_value(columns_[y], r));
      }
      std::sort(keys.begin(), keys.end());
      auto sum = make_sum();
      cells.clear();
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool new_stratum = i > 0 && keys[i].first != keys[i - 1].first;
        if (new_stratum) {
          sum.add(cells.data(), cells.size());
          cells.clear();
        }
        if (!cells.empty() && keys[i].second == keys[i - 1].second) {
          ++cells.back().count;
        } else {
          cells.push_back({static_cast<std::uint32_t>(keys[i].second >> 32),
                           static_cast<std::uint32_t>(keys[i].second), 1});
        }
      }
      sum.add(cells.data(), cells.size());
      out.push_back(sum.result());
    }
    return out;
  }

  Schema schema_;
  std::size_t rows_;
  std::size_t blocks_;
  std::vector<Column> columns_;
  std::vector<double> n_log_n_;
};

}  // namespace privpc
