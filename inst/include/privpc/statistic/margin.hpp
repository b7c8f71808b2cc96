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
// steps move by at most D 2^16 + 2 (sensitivity.hpp for D). Nothing overflows: 2 |S_k| 2^16 < 2^78
// and 3 |A_k| 2^16 < 2^111 (kendall.hpp, spearman.hpp), |T| <= n and each stratum of two or more
// records loses less than a step, so the steps stay below 2^48.
//
// w = sum_k n_k A_k B_k is a sum of whole steps of 2^-30 too, floor(2^30 n_k A_k B_k) per stratum,
// so that strata which a record does not touch cancel exactly and their order and number do not
// matter. n A B = n (n^3 - sum t^3)(n^3 - sum u^3)/(n^3)^2 is made of exact integers by eight
// roundings to double (three integers become doubles, of which one is used twice; four operations),
// so it is off by less than 2^-49 n_k. The strata that a replacement touches have at most n records
// together, before and after it: w moves by at most
//   W = 35/9 + 2 2^-30 + 2^-48 n.
// The steps of w stay below 2^30 n (1 + 2^-49) < 2^62.
//
// ROUNDING of what is left, one square root and one quotient of these two integers. With
// u = 2^-53: w becomes a double (u), is multiplied by 4/9 (u), v0 is added (u), which the root
// halves; root (u), times c (u): c sqrt(v + v0) is off by 3.5 u of itself. The difference and the
// quotient by D' add 2 u of the larger of c sqrt(v + v0) and |T|; T is exact. As v <= n (1 + 2^-48)
// and |T| <= n (1 + 2^-17), both neighbours together are off by at most 2 u (6 c sqrt(n + v0) + 3
// n), second order terms included, which is below 2^-49 (c sqrt(n + v0) + n).
// So, with s = 4/9 for tau and 1 for rho,
//   D' = D + c s W/(2 sqrt(v0)) + 2 2^-16 + 2^-49 (c sqrt(n + v0) + n).
// Of this, grid and rounding are less than 2^-12 even for n = 2^31 - 1, c = 100 and v0 = 4.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "privpc/base/sensitive.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/sensitivity.hpp"
#include "privpc/statistic/spearman.hpp"
#include "privpc/statistic/strata_sum.hpp"
#include "privpc/statistic/ties.hpp"

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
  using Steps = Wide;
  static constexpr int grid_bits = 16;
  static constexpr int variance_bits = 30;

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
  double variance() const {
    const double w = std::ldexp(static_cast<double>(variance_steps_), -variance_bits);
    return kind_ == TestKind::tau ? 4 * w / 9 : w;
  }
  std::int64_t variance_steps() const { return variance_steps_; }  // of sum n_k A_k B_k

 private:
  void add(const KendallStratum& s) {
    add(s, 2 * static_cast<Steps>(s.score), static_cast<Steps>(s.rows) - 1);
  }
  void add(const SpearmanStratum& s) {
    add(s, 3 * s.product, static_cast<Steps>(s.rows) * s.rows - 1);
  }

  // A stratum whose n_k tau_k or n_k rho_k is numerator / denominator.
  template <class Stratum>
  void add(const Stratum& s, Steps numerator, Steps denominator) {
    if (s.rows < 2) return;
    steps_ += floor_ratio(numerator * (Steps{1} << grid_bits), denominator);
    const double n = static_cast<double>(s.rows), cube = to_double(cubed(s.rows));
    const double of_stratum = n * to_double(s.x.untied_cubes(s.rows)) *
                              to_double(s.y.untied_cubes(s.rows)) / (cube * cube);
    variance_steps_ += static_cast<std::int64_t>(of_stratum * (std::int64_t{1} << variance_bits));
  }

  static Steps floor_ratio(Steps numerator, Steps denominator) {
    if (fits_62_bits(numerator)) {  // denominators do; then the processor divides by itself
      return floor_of<std::int64_t>(static_cast<std::int64_t>(numerator),
                                    static_cast<std::int64_t>(denominator));
    }
    return floor_of<Steps>(numerator, denominator);
  }

  template <class Integer>
  static Integer floor_of(Integer numerator, Integer denominator) {
    const Integer quotient = numerator / denominator;
    return quotient - (numerator < quotient * denominator ? 1 : 0);
  }

  TestKind kind_;
  Steps steps_ = 0;
  std::int64_t variance_steps_ = 0;
};

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

// v0 in the unit of the kind's own variance.
inline double variance_floor(const MarginRule& rule) {
  return rule.variance_floor * (rule.kind == TestKind::tau ? 1 : 9.0 / 4);
}

// D': how far one record can move c sqrt(v + v0) - |T|, grid and rounding included.
inline double bracket_sensitivity(const Schema& schema, const MarginRule& rule, std::size_t x,
                                  std::size_t y, const VariableSet& given) {
  if (!(rule.critical >= 0) || !(rule.variance_floor > 0)) {
    throw std::invalid_argument("a margin needs a critical value >= 0 and a variance floor > 0");
  }
  const double n = static_cast<double>(schema.rows()), floor = variance_floor(rule);
  const double of_statistic = statistic_sensitivity(schema, rule, x, y, given);
  const double of_sum =
      35.0 / 9 + 2 * std::ldexp(1.0, -OrderSum::variance_bits) + std::ldexp(n, -48);
  const double of_variance = rule.kind == TestKind::tau ? 4 * of_sum / 9 : of_sum;
  const double of_rounding = std::ldexp(rule.critical * std::sqrt(n + floor) + n, -49);
  return (of_statistic + rule.critical * of_variance / (2 * std::sqrt(floor)) +
          2 * std::ldexp(1.0, -OrderSum::grid_bits) + of_rounding) *
         (1 + 1e-12);
}

class OrderMargin {
 public:
  static Sensitive<double> of(TableSource& source, const MarginRule& rule, std::size_t x,
                              std::size_t y, const VariableSet& given) {
    if (x > y) std::swap(x, y);
    const StatisticKey key;
    const auto sealed = StrataSum::of(source, x, y, given, OrderSum(rule.kind), key);
    const OrderSum& sum = sealed.open(key);
    const double spread = std::sqrt(sum.variance() + variance_floor(rule));
    const double bracket = rule.critical * spread - std::fabs(sum.value());
    return {bracket / bracket_sensitivity(source.schema(), rule, x, y, given), 1.0};
  }

  // T or R alone, on its grid: a replacement changes at most two strata, each rounded by less than
  // a step.
  static Sensitive<double> statistic(TableSource& source, TestKind kind, std::size_t x,
                                     std::size_t y, const VariableSet& given) {
    const StatisticKey key;
    const auto sealed = StrataSum::of(source, x, y, given, OrderSum(kind), key);
    return {sealed.open(key).value(), sensitivity(source.schema(), kind, x, y, given) +
                                          2 * std::ldexp(1.0, -OrderSum::grid_bits)};
  }
};

}  // namespace privpc
