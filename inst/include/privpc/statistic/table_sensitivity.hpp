// How far replacing one record can move a table of counts, or its interaction (residual) part.
//
// COUNTS. The record leaves one cell and enters another: two cells move by one. L1 2, L2 sqrt(2).
//
// RESIDUALS. The interaction part of the table of variables with k_1, .., k_m levels is P N,
// P = kron of (I - J/k_i), J all ones: what is left when every lower-order margin is taken out. A
// record at cell a adds P e_a, so replacing a by b moves it by P(e_a - e_b), and as P is a
// projection |P(e_a - e_b)|^2 = P_aa + P_bb - 2 P_ab. An entry of I - J/k is c = (k-1)/k on the
// diagonal and -1/k off it, so with E the set of variables in which a and b agree,
//   |P(e_a - e_b)|^2 = 2 (prod over all i of c_i - prod over E of c_i prod over the others of
//   -1/k_i).
// It depends only on which variables differ, so the maximum over those patterns is exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace privpc {

inline constexpr double kCountsL1Sensitivity = 2;
inline double counts_l2_sensitivity() {
  return std::sqrt(2.0);
}

// Squared L2 sensitivity of the residual table over variables with these level counts.
inline double residual_l2_squared(const std::vector<std::uint32_t>& levels) {
  if (levels.empty() || levels.size() > 20) {
    throw std::invalid_argument("a residual table has 1 to 20 variables");
  }
  double worst = 0;
  for (std::size_t pattern = 1; pattern < std::size_t{1} << levels.size(); ++pattern) {
    double own = 1, shared = 1;  // P_aa and P_ab
    bool possible = true;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const double k = levels[i];
      const bool differs = (pattern >> i & 1) != 0;
      if (differs && levels[i] < 2) possible = false;
      own *= (k - 1) / k;
      shared *= differs ? -1 / k : (k - 1) / k;
    }
    if (possible) worst = std::max(worst, 2 * (own - shared));
  }
  return worst;
}

}  // namespace privpc
