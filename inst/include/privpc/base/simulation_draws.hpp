// Numbers of common distributions from the simulator's generator: unlike the standard library's the
// same everywhere, but for last bits (log(), fused sums). NOT for noise that protects anybody.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "privpc/base/simulation_rng.hpp"

namespace privpc {

class SimulationDraws {
 public:
  explicit SimulationDraws(const Xoshiro256& bits) : bits_(bits) {}

  // In [0, 1), all 2^53 values equally likely.
  double uniform() { return static_cast<double>(bits_.next() >> 11) * 0x1p-53; }

  // Marsaglia and Bray's polar method (1964, SIAM Review 6): two at a time, the second is kept.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u, v, square;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      square = u * u + v * v;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }

  // df >= 1. Twice a gamma variable of shape df / 2, by Marsaglia and Tsang (2000, ACM Transactions
  // on Mathematical Software 26), which is exact; a shape below 1 is taken from the one above.
  double chi_square(double df) {
    double shape = df / 2, factor = 1;
    if (shape < 1) {
      factor = std::pow(1 - uniform(), 1 / shape);
      shape += 1;
    }
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
      const double x = normal(), root = 1 + c * x;
      if (root <= 0) continue;
      const double cube = root * root * root;
      if (std::log(1 - uniform()) < x * x / 2 + d * (1 - cube + std::log(cube))) {
        return 2 * d * cube * factor;
      }
    }
  }

  // i with probability weight[i] / total; `size` > 0 weights that are not negative. Rounding ends
  // at the last one that has a weight.
  template <class Weights>
  std::size_t index(const Weights& weight, std::size_t size, double total) {
    double left = uniform() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double w = weight(i);
      if (!(w > 0)) continue;
      last = i;
      left -= w;
      if (left < 0) break;
    }
    return last;
  }

 private:
  Xoshiro256 bits_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace privpc
