// Tail of a weighted sum of independent chi-square variables with one degree of freedom, by the
// saddlepoint approximation of Lugannani & Rice (1980), as Kuonen (1999, "Saddlepoint
// approximations for distributions of quadratic forms in normal variables") uses it. Its relative
// error stays small far out in the tail, where the decisions are made.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/base/distributions.hpp"

namespace privpc {

inline double weighted_chi_square_upper(double value, const std::vector<double>& weights) {
  if (weights.empty()) return 1;
  const auto [least, largest] = std::minmax_element(weights.begin(), weights.end());
  const double top = *largest;
  if (!(top > 0)) return 1;
  double sum = 0, squares = 0;
  for (double w : weights) {
    sum += w;
    squares += w * w;
  }
  // (Nearly) equal weights: an ordinary chi-square. Near the mean the saddlepoint formula is a
  // difference of large numbers; there two moments are enough.
  const double spread = std::sqrt(2 * squares);
  if (*least > 0.99 * top || value < sum + 0.1 * spread) {
    return chi_square_upper(value * sum / squares, sum * sum / squares);
  }
  // Cumulant generating function k(s) = -1/2 sum log(1 - 2 s w); k'(s) = value has one solution
  // between 0 and 1 / (2 top): Newton's steps, and bisection where one would leave the interval.
  double low = 0, high = 0.5 / top, s = high / 2;
  for (int step = 0; step < 100; ++step) {
    double slope = 0, bend = 0;
    for (double w : weights) {
      const double part = w / (1 - 2 * s * w);
      slope += part;
      bend += 2 * part * part;
    }
    (slope < value ? low : high) = s;
    const double next = s + (value - slope) / bend;
    if (std::fabs(next - s) <= 4e-16 * s) break;
    s = next > low && next < high ? next : (low + high) / 2;
  }
  double k = 0, curvature = 0;
  for (double w : weights) {
    const double factor = 1 - 2 * s * w;
    k -= std::log(factor) / 2;
    curvature += 2 * w * w / (factor * factor);
  }
  const double r = std::sqrt(std::max(2 * (s * value - k), 1e-300));
  const double u = s * std::sqrt(curvature);
  const double density = std::exp(-r * r / 2) / std::sqrt(2 * 3.14159265358979323846);
  const double p = std::erfc(r / std::sqrt(2.0)) / 2 + density * (1 / u - 1 / r);
  return std::min(1.0, std::max(0.0, p));
}

}  // namespace privpc
