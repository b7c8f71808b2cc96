// The variance of T = sum n_k tau_k and of R = sum n_k rho_k under independence inside strata,
// given the margins, as a statistic that can be released: how far one record can move it, and how
// large it can be at most.
//
// FORMULA. In a stratum of n records let a2 and a3 be the shares of pairs and of triples of
// different records whose x are not all equal, b2 and b3 the same for y. Then
//   V_tau = (4/9) n(n-2)/(n-1) a3 b3 + 2n/(n-1) a2 b2,                                       (1)
//   V_rho = n^2/(n-1) g h,  g = ((n-2) a3 + 3 a2)/(n+1) = (n^3 - sum t^3)/(n^3 - n),         (2)
// h like g for y, t the sizes of the groups of equal x. (1) is Kendall's variance with ties (1970,
// eq. 4.4; kendall.hpp) written with shares, as Daniels (1944) does; (2) is the permutation
// variance SS_x SS_y/(n-1) of spearman.hpp with SS = (n^3 - sum t^3)/12. Both are 0 for n < 2.
//
// ONE RECORD ADDED to N = n-1 others (primes: before) moves V by a gain between -2 and 4.
//  Write t for the size of the new record's group of equal x, itself included, and s = t-1.
//  From above, tau: a3 = (1 - 3/n) a3' + (3/n) c with c in [0,1], a2 = (1 - 2/n) a2' + (2/n) d. The
//  gain rises in c and d, so put 1; each term is bilinear in the shares before, so look at corners.
//  n = 2: V <= 4. n >= 3: first term at most (4/9) 3(n-2)/(n-1), second at most 4/(n-1), together
//  at most (4/3)(n+1)/(n-1) <= 8/3. (Corners: 9(n-2)/(n(n-1)), 3(n-2)/(n-1) and 1 + 1/((n-1)(n-2));
//  8/(n(n-1)), 4/(n-1) and below 0.)
//  From above, rho: n^3 - sum t^3 grows by 3(n(n-1) - t(t-1)), so g = (1 - q) g' + q c, q =
//  3/(n+1). Corners: 9n^2/((n-1)(n+1)^2), 3n^2/(n^2-1), and below 1; n = 2: 4, n >= 3: at most
//  3n^2/(n^2-1) <= 27/8.
//  From below, tau: the untied triples before are at most (N-s)(N^2 + Ns + s^2 - 3N - 3s + 2) and
//  3(N-s)(N+s-1) are new. Since 3(N-1)(N+s-1) - 2(N^2 + Ns + s^2 - 3N - 3s + 2)
//  = (N-s)(N+2s) + 3s - 1 >= 0, they grow at least by the factor (N+1)/(N-1), so
//  a3 >= a3' (N-2)/(N-1). Likewise 2(N-s) new untied pairs against at most (N-s)(N+s-1) with
//  s <= N-1 (else there were none) give a2 >= a2' N/(N+1). In (1) the first term keeps at least
//  (N+1)(N-2)/N^2 of itself, at most (4/9) N(N-2)/(N-1): it loses at most (4/9)(N^2-4)/(N^2-N)
//  <= 10/21. The second keeps (N-1)/(N+1) of at most 2N/(N-1): it loses at most 4N/(N^2-1). N >= 3:
//  at most 1.88 together. N = 2: from V' = 4 (no ties) to at least 2/3 + 3 (2/3)^2 = 2. So 2.
//  From below, rho: C' = N^3 - sum t^3 is at most (N-s)(N^2 + Ns + s^2 - 1), 3(N-s)(N+s+1) are new,
//  and (N+s+1)/(N^2 + Ns + s^2 - 1) falls in s, so C >= C' (1 + 3(2N+1)/(3N^2-1)) >= C'
//  ((N+1)/N)^2. Hence V >= V' (N+1)^6 (N-1)^3/(N^7 (N+2)^2) with V' <= N^2/(N-1): it loses at
//  most 1.81 for N >= 3. N = 2: from 4 to at least 18^2/128 = 2.53.
// REPLACEMENT. One record leaves a stratum and one enters another: |change| <= 4 + 2 = 6. Within a
// single stratum of n >= 4 (no conditioning) it is at most the gain's range for that n.
//
// AT MOST. With L levels sum t^3 >= n^3/L^2, so n^3 - sum t^3 <= c n^3 with c = 1 - 1/L^2 (1 for
// numbers); d for y. Over K strata
//   V_tau <= min((4/9) c d n + (47/9) K, 2n),   V_rho <= min(c d n + 4 K, 2n).
//  tau, one stratum: a3 <= min(1, c r), r = n^2/((n-1)(n-2)), so the first term of (1) exceeds
//  (4/9) c d n by at most (4/9) min(m - c d n, c d n (r' - 1)), m = n(n-2)/(n-1) and r' = r^2 m/n,
//  and with weights (r'-1)/r' and 1/r' this minimum is at most m (1 - 1/r') = m (1 - (1-1/n)^3
//  (1-2/n)) <= 5 m/n <= 5: 20/9. The second term is at most 3 (n >= 3); n = 2 gives 4 in all.
//  rho, one stratum: V <= min(n^2/(n-1), c d n r), r = n^5/((n^2-1)^2 (n-1)); in the same way
//  the excess over c d n is at most n^2/(n-1) (1 - 1/r) <= (n+2)/(n-1) <= 4.
//
// ROUNDING. Each stratum's V is rounded down to steps of 2^-16 and the steps are added as integers,
// so strata that the record does not touch cancel exactly. A touched one has lost less than a step
// and what floating point did: (1) and (2) are sums of positive products of at most thirteen
// factors that are each rounded once (shares are quotients of exact integers, ties.hpp, that become
// doubles), so V <= 2 n_k is off by less than 2^-48 n_k. The at most two touched strata have at
// most n records together, before and after: in all 2 2^-16 + 2^-47 n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "privpc/base/sensitive.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"
#include "privpc/statistic/strata_sum.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

// (1) and (2).
inline double null_variance(const KendallStratum& s) {
  if (s.rows < 2) return 0;
  const std::int64_t pairs = ordered_pairs(s.rows);
  const Wide triples = ordered_triples(s.rows);
  const auto pair_share = [&](const TieSums& ties) {
    return static_cast<double>(pairs - ties.pairs) / static_cast<double>(pairs);
  };
  const auto triple_share = [&](const TieSums& ties) {
    return to_double(triples - ties.triples) / to_double(triples);
  };
  const double n = static_cast<double>(s.rows);
  double variance = 2 * n / (n - 1) * pair_share(s.x) * pair_share(s.y);
  if (s.rows > 2) {
    variance += 4.0 / 9 * (n * (n - 2) / (n - 1)) * triple_share(s.x) * triple_share(s.y);
  }
  return variance;
}

inline double null_variance(const SpearmanStratum& s) {
  if (s.rows < 2) return 0;
  const double all = to_double(cubed(s.rows) - s.rows);
  const auto share = [&](const TieSums& ties) {
    return to_double(ties.untied_cubes(s.rows)) / all;
  };
  const double n = static_cast<double>(s.rows);
  return n * n / (n - 1) * share(s.x) * share(s.y);
}

class NullVariance {
 public:
  static constexpr int grid_bits = 16;

  explicit NullVariance(TestKind kind) : kind_(kind) {}

  void add(const DenseStratum& s) {
    add(kind_ == TestKind::tau ? null_variance(KendallStratum(s))
                               : null_variance(SpearmanStratum(s)));
  }
  void add(const Cell* cells, std::size_t size) {
    add(kind_ == TestKind::tau ? null_variance(KendallStratum(cells, size))
                               : null_variance(SpearmanStratum(cells, size)));
  }

  double value() const { return std::ldexp(static_cast<double>(steps_), -grid_bits); }

 private:
  void add(double variance) {
    steps_ += static_cast<std::int64_t>(std::floor(std::ldexp(variance, grid_bits)));
  }

  TestKind kind_;
  std::int64_t steps_ = 0;  // at most 2n 2^16 < 2^48
};

// Most that one record can add to, and most that it can take from, the variance of the stratum of n
// records that it enters.
struct GainRange {
  double up, down;
};

inline GainRange null_variance_gain(TestKind kind, double n) {
  if (n < 4) return {4, 2};
  const double others = n - 1;
  if (kind == TestKind::tau) {
    return {4.0 / 3 * (n + 1) / (n - 1), 10.0 / 21 + 4 * others / (others * others - 1)};
  }
  const double kept = std::pow((others + 1) / others, 6) * std::pow(others - 1, 3) /
                      (others * (others + 2) * (others + 2));
  return {3 * n * n / (n * n - 1), others * others / (others - 1) * (1 - kept)};
}

// How far replacing one record can move the value of NullVariance.
inline double null_variance_sensitivity(const Schema& schema, TestKind kind,
                                        const VariableSet& given) {
  const double n = static_cast<double>(schema.rows());
  double exact = 6;
  if (cell_count(schema, given) == 1) {
    const GainRange gain = null_variance_gain(kind, n);
    exact = std::min(exact, (gain.up + gain.down) * (1 + 1e-12));
  }
  return exact + 2 * std::ldexp(1.0, -NullVariance::grid_bits) + std::ldexp(n, -47);
}

class NullVarianceOf {
 public:
  static Sensitive<double> of(TableSource& source, TestKind kind, std::size_t x, std::size_t y,
                              const VariableSet& given) {
    const StatisticKey key;
    const auto sealed = StrataSum::of(source, x, y, given, NullVariance(kind), key);
    return {sealed.open(key).value(), null_variance_sensitivity(source.schema(), kind, given)};
  }
};

// What the variance can be at most, from public facts.
inline double null_variance_limit(const Schema& schema, TestKind kind, std::size_t x, std::size_t y,
                                  const VariableSet& given) {
  const double n = static_cast<double>(schema.rows());
  const auto spread = [&](std::size_t v) {
    const double levels = schema.levels(v);
    return schema[v].numeric ? 1.0 : 1 - 1 / (levels * levels);
  };
  const double strata = std::min(cell_count(schema, given), n);
  const double large = spread(x) * spread(y) * n;
  const double limit = kind == TestKind::tau ? 4 * large / 9 + 47 * strata / 9 : large + 4 * strata;
  return std::min(limit, 2 * n);
}

}  // namespace privpc
