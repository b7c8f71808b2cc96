// The independence margin: how clearly x and y look independent given a set, as one number that a
// single record can move by at most 1. All private learners of the paper decide by it.
//
//   m = (c sqrt(v + v0) - |T|) / D'
//
// T = sum n_k tau_k (or R = sum n_k rho_k), v an estimate of its variance under independence, c a
// critical value in standard deviations, v0 > 0 a public floor, D' the sensitivity of the bracket.
// m >= 0 reads "independent". Nothing else of the data is needed to know how large T may be by
// chance, ties included, so no budget goes to margins, and with v0 small against v the decision
// is that of an ordinary test at level 2 (1 - Phi(c)).
//
// VARIANCE. v = (4/9) sum_k n_k A_k B_k for tau and sum_k n_k A_k B_k for rho, A = 1 - sum p^3 over
// the shares p of x inside the stratum, B likewise for y: the leading term, for large n_k, of the
// permutation variance (kendall.hpp, spearman.hpp).
// One record moves sum n_k A_k B_k by at most 35/9. Proof: let a record be removed from a stratum
// continuously, its weight going from 1 to 0, while its x level has share p and its y level q. With
// n A = n - sum t^3/n^2, d(n A B)/d(weight) = A B + 3 B (1 - A - p^2) + 3 A (1 - B - q^2). Above:
// at most A B + 3 B (1 - A) + 3 A (1 - B), which is bilinear in A and B and at the corners of
// [0,1]^2 at most 3. Below: 1 - A = sum p_i^3 >= p^3, and p^3 - p^2 >= -4/27, so it is at least
// -(4/9)(A + B) >= -8/9. So a record's presence adds between -8/9 and 3 (a stratum of one record
// has A = 0, so that its removal is covered); a replacement takes one such amount away and adds
// another: 3 + 8/9 at the most.
// Since sqrt(v + v0) has slope at most 1/(2 sqrt(v0)) in v, it moves by at most V/(2 sqrt(v0)),
// V = (4/9)(35/9) for tau and 35/9 for rho.
//
// GRID. T is computed in whole steps of 2^-16, floor(2 S_k 2^16/(n_k - 1)) per stratum (for rho
// floor(3 A_k 2^16/(n_k^2 - 1))), in integers. A replacement changes at most two strata, so the
// steps move by at most D 2^16 + 2 (sensitivity.hpp for D). What is left of floating point is the
// sum of v, a square root and a division; |T| <= n < 2^31 and v < 2^31, so their rounding is below
// 2^-16 altogether and is covered by one more step.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "privpc/counts/table.hpp"
#include "privpc/privacy/sensitive.hpp"
#include "privpc/statistic/independence_test.hpp"
#include "privpc/statistic/sensitivity.hpp"

namespace privpc {

// Which constants the noise is scaled to. `published` are those printed in the paper, for
// comparison only: they do not hold, and nothing made with them is private.
enum class Constants { proven, published };

struct MarginRule {
  TestKind kind = TestKind::tau;
  double critical = 3;        // in standard deviations
  double variance_floor = 4;  // v0 > 0, in the unit of tau's variance (for rho times 9/4)
  Constants constants = Constants::proven;
};

// T or R on its grid, and its variance under independence.
class OrderSum {
 public:
  __extension__ typedef __int128 Steps;
  static constexpr int grid_bits = 16;

  explicit OrderSum(TestKind kind) : kind_(kind) {
    if (kind != TestKind::tau && kind != TestKind::rho) {
      throw std::invalid_argument("only tau and rho have a bounded sensitivity");
    }
  }

  void add(const DenseStratum& s) {
    kind_ == TestKind::tau ? add(KendallStratum(s)) : add(SpearmanStratum(s));
  }
  void add(const Cell* cells, std::size_t size) {
    kind_ == TestKind::tau ? add(KendallStratum(cells, size)) : add(SpearmanStratum(cells, size));
  }

  Steps steps() const { return steps_; }
  double value() const { return std::ldexp(static_cast<double>(steps_), -grid_bits); }
  double variance() const { return kind_ == TestKind::tau ? 4 * weighted_ / 9 : weighted_; }

 private:
  void add(const KendallStratum& s) {
    add(s.rows, 2 * static_cast<Steps>(s.score), static_cast<Steps>(s.rows) - 1, s.x.cubes,
        s.y.cubes);
  }
  void add(const SpearmanStratum& s) {
    const auto n = static_cast<Steps>(s.rows);
    add(s.rows, 3 * s.product, n * n - 1, s.cubes_x, s.cubes_y);
  }

  // A stratum whose n_k tau_k or n_k rho_k is numerator / denominator.
  void add(double n, Steps numerator, Steps denominator, double cubes_x, double cubes_y) {
    if (n < 2) return;
    steps_ += floor_ratio(numerator * (Steps{1} << grid_bits), denominator);
    const double cube = n * n * n;
    weighted_ += n * (1 - cubes_x / cube) * (1 - cubes_y / cube);
  }

  static Steps floor_ratio(Steps numerator, Steps denominator) {
    const Steps quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0 ? 1 : 0);
  }

  TestKind kind_;
  Steps steps_ = 0;
  double weighted_ = 0;  // sum of n_k A_k B_k
};

// T or R on its grid, sealed: a replacement changes at most two strata, each rounded by less than a
// step.
inline Sensitive<double> order_statistic(TableSource& source, TestKind kind, std::size_t x,
                                         std::size_t y, const VariableSet& given) {
  OrderSum sum(kind);
  detail::accumulate(source, x, y, given, sum);
  return {sum.value(), sensitivity(source.schema(), kind, x, y, given) +
                           2 * std::ldexp(1.0, -OrderSum::grid_bits)};
}

// What one record can do to T or R. The published values are for the coefficient itself; on the
// scale of T, tau is n times and the paper's conditional Z is (2/3) sqrt(n) times (for rho sqrt(n)
// times) the coefficient: 2/(n-1) and 4.5/sqrt(n), 30/n and 31 sqrt(k/n) become 2n/(n-1) and 3, 30
// and 31 sqrt(k).
inline double statistic_sensitivity(const Schema& schema, const MarginRule& rule, std::size_t x,
                                    std::size_t y, const VariableSet& given) {
  if (rule.constants == Constants::proven) return sensitivity(schema, rule.kind, x, y, given);
  const double n = static_cast<double>(schema.rows()), strata = cell_count(schema, given);
  if (rule.kind == TestKind::tau) return strata > 1 ? 3 : 2 * n / (n - 1);
  return strata > 1 ? 31 * std::sqrt(strata) : 30;
}

// How far one record can move c sqrt(v + v0) - |T|.
inline double bracket_sensitivity(const Schema& schema, const MarginRule& rule, std::size_t x,
                                  std::size_t y, const VariableSet& given) {
  const double of_statistic = statistic_sensitivity(schema, rule, x, y, given);
  const double tau_scale = rule.kind == TestKind::tau ? 1 : 9.0 / 4;
  const double of_variance = 140.0 / 81 * tau_scale;
  const double root = std::sqrt(rule.variance_floor * tau_scale);
  return (of_statistic + rule.critical * of_variance / (2 * root)) * (1 + 1e-12) +
         3 * std::ldexp(1.0, -OrderSum::grid_bits);
}

inline Sensitive<double> independence_margin(TableSource& source, const MarginRule& rule,
                                             std::size_t x, std::size_t y,
                                             const VariableSet& given) {
  if (x > y) std::swap(x, y);
  OrderSum sum(rule.kind);
  detail::accumulate(source, x, y, given, sum);
  const double tau_scale = rule.kind == TestKind::tau ? 1 : 9.0 / 4;
  const double spread = std::sqrt(sum.variance() + rule.variance_floor * tau_scale);
  const double bracket = rule.critical * spread - std::fabs(sum.value());
  return {bracket / bracket_sensitivity(source.schema(), rule, x, y, given), 1.0};
}

}  // namespace privpc
