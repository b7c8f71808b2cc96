// How far pairs of variables are from what a public model expects of them: the scores by which
// pairs are selected for measuring (privacy/pair_selection.hpp).
//
// For the pair (x, y) with counts N and expected counts E
//   score = sum over cells |N_c - E_c| - b,
//   b     = sum over cells sqrt(2 n p(1 - p) q(1 - q) / pi),
// p and q the shares of the cell's levels of x and y under the model. b is about what chance makes
// of the sum where x and y are independent: n p(1 - p) q(1 - q) is the variance of N_c - n p q
// under fixed margins, and a normal deviate has the mean distance sqrt(2/pi) from its mean. Without
// it pairs of variables with many levels would win by their number of cells. E and b are functions
// of public facts and of what was released before.
//
// Theorem. Replacing one record moves every score by at most 2; adding or removing one, with E and
// b as they are, by at most 1.
// Proof. A record is in one cell of the table. Replacing it takes 1 from one count and adds 1 to
// another (or to the same one); each moves one |N_c - E_c| by at most 1, and nothing else depends
// on records. Adding or removing it moves one count. QED Both are reached: where E is below one
// count and above the other by 1 and more.
// For persons with several records, whose tables are means of those of their records
// (schema/person_weights.hpp), both hold as they are: a score is a convex function of the table's
// change, because |N_c + d_c - E_c| - |N_c - E_c| <= |d_c|, and the sum of the |d_c| is a norm, so
// that of means it is at most that of single records (as in batch.hpp).
//
// Nothing is rounded that comes from records: E and b are put on a grid, in which all sums are
// whole numbers below 2^53, so that the scores are exact as doubles and so is the theorem. The grid
// is 2^-16 of a record; where counts are in units of 1/L, L < 2^12, it is 2^-4 of such a unit, and
// scores and their sensitivity are in these units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/sealed.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

inline constexpr double kPairScoreByReplacing = 2;
inline constexpr double kPairScoreByAdding = 1;

// The expected share of the records in each cell of the table of x < y, y running fastest. Public;
// small negative shares, as noise makes them, are allowed.
using PairModel = std::function<std::vector<double>(std::size_t x, std::size_t y)>;

// What the score of one pair is compared with, in steps of the grid.
class ExpectedPair {
 public:
  // `n` records or persons, of which each weighs `unit`.
  ExpectedPair(const std::vector<double>& shares, std::size_t rows, std::size_t columns, double n,
               Count unit = 1)
      : bits_(unit == 1 ? 16 : 4) {
    if (unit < 1 || unit >= 4096) throw std::invalid_argument("a unit must be below 2^12");
    if (shares.size() != rows * columns) {
      throw std::invalid_argument("the model must give a share for every cell of a pair");
    }
    double all = 0;
    counts_.reserve(shares.size());
    for (double share : shares) {
      counts_.push_back(steps(n * share * as_real(unit)));
      all += std::fabs(n * share * as_real(unit));
    }
    steps(all);
    by_chance_ = steps(expected_by_chance(shares, rows, columns, n) * as_real(unit));
  }

  // Arithmetic only: what the score of these counts is, in units.
  double score(const std::vector<Count>& counts) const {
    std::int64_t distance = -by_chance_;
    for (std::size_t c = 0; c < counts.size(); ++c)
      distance += std::abs(counts[c] * (Count{1} << bits_) - counts_[c]);
    return std::ldexp(static_cast<double>(distance), -bits_);
  }

 private:
  // n < 2^31: counts are below 2^47 steps, and with at most 2^51 for E and for b the sum stays
  // below 2^53.
  std::int64_t steps(double counted) const {
    const double value = std::ldexp(counted, bits_);
    if (!(std::fabs(value) <= std::ldexp(1.0, 51))) {
      throw std::invalid_argument("the model expects impossible counts of a pair");
    }
    return static_cast<std::int64_t>(std::nearbyint(value));
  }

  static double expected_by_chance(const std::vector<double>& shares, std::size_t rows,
                                   std::size_t columns, double n) {
    std::vector<double> p(rows, 0), q(columns, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        p[i] += shares[i * columns + j];
        q[j] += shares[i * columns + j];
      }
    }
    // sum over cells of sqrt(p(1-p) q(1-q)) is a product of two sums.
    constexpr double pi = 3.14159265358979323846;
    return std::sqrt(2 * n / pi) * sum_of_deviations(p) * sum_of_deviations(q);
  }

  static double sum_of_deviations(const std::vector<double>& shares) {
    double sum = 0;
    for (double share : shares) {
      const double p = std::min(std::max(share, 0.0), 1.0);
      sum += std::sqrt(p * (1 - p));
    }
    return sum;
  }

  int bits_;
  std::vector<std::int64_t> counts_;
  std::int64_t by_chance_ = 0;
};

class PairScores {
 public:
  // One score for every set of `pairs`, which have two members each and were announced.
  static Sensitive<std::vector<double>> of(TableSource& source,
                                           const std::vector<VariableSet>& pairs,
                                           const PairModel& model) {
    const StatisticKey key;
    const Schema& schema = source.schema();
    std::vector<double> scores;
    scores.reserve(pairs.size());
    for (const VariableSet& pair : pairs) {
      if (pair.size() != 2 || !has_dense_table(schema, pair)) {
        throw std::invalid_argument("only pairs of variables that have a table can be scored");
      }
      const ExpectedPair expected(model(pair[0], pair[1]), schema.levels(pair[0]),
                                  schema.levels(pair[1]), static_cast<double>(schema.rows()),
                                  source.unit());
      breathe();
      const SealedTable table = source.table(pair);
      scores.push_back(expected.score(table.open(key)->counts));
    }
    return {std::move(scores), kPairScoreByReplacing * as_real(source.unit())};
  }
};

}  // namespace privpc
