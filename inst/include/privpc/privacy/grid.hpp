// Real-valued statistics are put on a public grid before noise is added, and all noise is drawn
// on the integers: floating-point noise would leak through its low bits (Mironov 2012).
//
// A value x becomes floor(x / g) with g = 2^k, which is exact (a division by a power of two and a
// floor). If |x - y| <= D then |floor(x/g) - floor(y/g)| <= ceil(D/g) <= D/g + 1, so the
// sensitivity grows by at most one step for every coordinate: in L1 by d steps, in L2 by sqrt(d).
// Values beyond the range of the grid are clamped, which moves no two of them apart. An infinite
// value is refused: from a finite one it is infinitely far, so no sensitivity covers a statistic
// that one record can make infinite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/privacy/samplers.hpp"

namespace privpc {

class Grid {
 public:
  // A grid far below both the sensitivity and the noise. `noise` is the noise scale the mechanism
  // would need without a grid, `coordinates` how many numbers are released together. All of these
  // are public, so the grid is.
  static Grid for_noise(double sensitivity, double noise, std::size_t coordinates = 1) {
    if (!(noise > 0) || std::isinf(noise)) {
      throw std::invalid_argument("the noise scale must be a positive, finite number");
    }
    const double fine = std::min(sensitivity, noise) / static_cast<double>(coordinates);
    // 2^-16 of that, which leaves room for values of 2^44 times it; but the noise must not exceed
    // 2^45 steps, the range of the samplers.
    const int exponent = fine > 0 ? std::max(std::ilogb(fine) - 16, std::ilogb(noise) - 45) : -1074;
    // A step must be a number of full precision, and 2^62 of them one that is finite.
    if (exponent < -1022 || exponent > 960) {
      throw std::invalid_argument("no grid is fine and wide enough for this sensitivity and noise");
    }
    return Grid(exponent);
  }

  // Whole numbers are their own grid.
  static Grid for_values(double sensitivity, double noise, std::size_t coordinates, bool whole) {
    return whole ? Grid(0) : for_noise(sensitivity, noise, coordinates);
  }

  double step() const { return std::ldexp(1.0, exponent_); }

  std::int64_t snap(double x) const {
    if (!std::isfinite(x)) throw std::invalid_argument("the statistic is not a finite number");
    const double steps = std::floor(std::ldexp(x, -exponent_));
    constexpr double limit = 2305843009213693952.0;  // 2^61: noise fits beside it
    return static_cast<std::int64_t>(std::min(std::max(steps, -limit), limit));
  }

  std::vector<std::int64_t> snap_all(const std::vector<double>& values) const {
    std::vector<std::int64_t> steps;
    steps.reserve(values.size());
    for (double x : values) {
      if (steps.size() % 65536 == 0) breathe();
      steps.push_back(snap(x));
    }
    return steps;
  }

  double value(std::int64_t steps) const {
    return std::ldexp(static_cast<double>(steps), exponent_);
  }

  // Sensitivity in steps, rounded up. One number moves by at most this many whole steps.
  double steps_l1(double sensitivity, std::size_t coordinates) const {
    return std::ceil(std::ldexp(sensitivity, -exponent_)) + static_cast<double>(coordinates);
  }
  double steps_l2(double sensitivity, std::size_t coordinates) const {
    const double root = std::sqrt(static_cast<double>(coordinates));
    return std::ceil(std::ldexp(sensitivity, -exponent_)) + std::ceil(root);
  }

 private:
  explicit Grid(int exponent) : exponent_(exponent) {}
  int exponent_;
};

// numerator / denominator, never too small: a quotient that was rounded down (the sign of the
// fused remainder is exact) goes to the next double, and the sampler's 24-bit scale is rounded up.
inline Dyadic noise_scale(double numerator, double denominator) {
  double quotient = numerator / denominator;
  if (std::fma(quotient, denominator, -numerator) < 0) {
    quotient = std::nextafter(quotient, std::numeric_limits<double>::infinity());
  }
  return dyadic_at_least(quotient);
}

}  // namespace privpc
