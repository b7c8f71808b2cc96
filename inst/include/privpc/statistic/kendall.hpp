// Conditional Kendall: T = sum over strata k of n_k tau_k, tau_k the tau_a inside the stratum.
//
// With S_k = concordant - discordant pairs, n_k tau_k = 2 S_k / (n_k - 1), and 0 when n_k < 2.
// Under independence inside strata E S_k = 0 and, given the margins with tie groups t (of x) and
// u (of y), Kendall (1970, eq. 4.4) gives
//   Var S = (v0 - vt - vu)/18 + v1/(2 n (n-1)) + v2/(9 n (n-1)(n-2)),
// v0 = n(n-1)(2n+5), vt = sum t(t-1)(2t+5), v1 = sum t(t-1) sum u(u-1),
// v2 = sum t(t-1)(t-2) sum u(u-1)(u-2). T / sqrt(Var T) is referred to the normal distribution.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/stratum.hpp"
#include "privpc/statistic/test_result.hpp"
#include "privpc/statistic/ties.hpp"

namespace privpc {

inline double kendall_variance(std::int64_t rows, const TieSums& x, const TieSums& y) {
  if (rows < 2) return 0;
  // v0 - vt - vu, exact: t(t-1)(2t+5) = 2 t(t-1)(t-2) + 9 t(t-1).
  const Wide untied = 2 * (ordered_triples(rows) - x.triples - y.triples) +
                      9 * (static_cast<Wide>(ordered_pairs(rows)) - x.pairs - y.pairs);
  const double n = static_cast<double>(rows);
  double v = to_double(untied) / 18 +
             static_cast<double>(x.pairs) * static_cast<double>(y.pairs) / (2 * n * (n - 1));
  if (rows > 2) v += to_double(x.triples) * to_double(y.triples) / (9 * n * (n - 1) * (n - 2));
  return std::max(v, 0.0);
}

// Concordant minus discordant pairs of one stratum, and its ties, all in whole numbers.
//
// SIZE. Whatever is added up here counts different pairs of the n records, or each of them twice,
// and there are n(n-1)/2 of them: no sum and no part of one leaves +-n(n-1), which is below 2^62
// for every n that a schema accepts (ties.hpp).
struct KendallStratum {
  std::int64_t rows = 0;
  std::int64_t score = 0;
  TieSums x, y;

  // From the cells above-left and above-right of each cell.
  explicit KendallStratum(const DenseStratum& s) {
    std::vector<std::int64_t> above(s.columns, 0);  // rows before i, per column
    for (std::uint32_t i = 0; i < s.rows; ++i) {
      std::int64_t all = 0, row = 0, left = 0;
      for (std::int64_t a : above)
        all += a;
      for (std::uint32_t j = 0; j < s.columns; ++j) {
        score += static_cast<std::int64_t>(s(i, j)) * (left - (all - left - above[j]));
        left += above[j];
        row += s(i, j);
      }
      for (std::uint32_t j = 0; j < s.columns; ++j)
        above[j] += s(i, j);
      rows += row;
      x.add(row);
    }
    for (std::int64_t a : above)
      y.add(a);
  }

  // Knight's method (1966) on sorted cells: discordant pairs are weighted inversions of y.
  KendallStratum(const Cell* cells, std::size_t size) {
    std::int64_t both_tied = 0;
    std::vector<Weighted> ys(size);
    std::int64_t run = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t c = cells[i].count;
      ys[i] = {cells[i].y, c};
      rows += c;
      both_tied += ordered_pairs(c);
      run += c;
      if (i + 1 == size || cells[i + 1].x != cells[i].x) {
        x.add(run);
        run = 0;
      }
    }
    std::vector<Weighted> scratch(size);
    const std::int64_t discordant = inversions(ys.data(), scratch.data(), size);
    for (std::size_t i = 0; i < size; ++i) {
      run += ys[i].count;
      if (i + 1 == size || ys[i + 1].y != ys[i].y) {
        y.add(run);
        run = 0;
      }
    }
    // Pairs tied in x, in y or in both, each once: the rest is concordant or discordant.
    const std::int64_t tied = x.pairs + (y.pairs - both_tied);
    score = (ordered_pairs(rows) - tied) / 2 - 2 * discordant;
  }

 private:
  static constexpr std::size_t kLong = 1 << 16;

  struct Weighted {
    std::uint32_t y;
    std::int64_t count;
  };

  // Sorts by y and returns the weighted number of strictly decreasing pairs.
  static std::int64_t inversions(Weighted* a, Weighted* scratch, std::size_t size) {
    if (size < 2) return 0;
    if (size > kLong) breathe();
    const std::size_t half = size / 2;
    std::int64_t found = inversions(a, scratch, half) + inversions(a + half, scratch, size - half);
    std::int64_t left_weight = 0;
    for (std::size_t i = 0; i < half; ++i)
      left_weight += a[i].count;
    std::size_t i = 0, j = half, k = 0;
    while (i < half || j < size) {
      if (j == size || (i < half && a[i].y <= a[j].y)) {
        left_weight -= a[i].count;
        scratch[k++] = a[i++];
      } else {
        found += left_weight * a[j].count;
        scratch[k++] = a[j++];
      }
      if (k % kLong == 0) breathe();
    }
    std::copy(scratch, scratch + size, a);
    return found;
  }
};

class KendallSum {
 public:
  void add(const DenseStratum& s) { add(KendallStratum(s)); }
  void add(const Cell* cells, std::size_t size) { add(KendallStratum(cells, size)); }

  TestResult result() const { return normal_test(sum_, variance_, rows_); }

  double variance() const { return variance_; }

 private:
  void add(const KendallStratum& s) {
    rows_ += static_cast<double>(s.rows);
    if (s.rows < 2) return;
    const double scale = 2 / static_cast<double>(s.rows - 1);
    sum_ += scale * static_cast<double>(s.score);
    variance_ += scale * scale * kendall_variance(s.rows, s.x, s.y);
  }

  double sum_ = 0;
  double variance_ = 0;
  double rows_ = 0;
};

}  // namespace privpc
