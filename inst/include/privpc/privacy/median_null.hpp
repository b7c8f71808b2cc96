// The p-value of a private median of block results: how probable a noisy median as large as the one
// seen is when x and y are independent.
//
// Under independence the p-values of the B blocks are independent and nearly uniform, so the
// evidence -2 log p of a block is exponential with mean 2. That, the number of blocks, epsilon and
// delta are public, so the distribution of the noisy median is too: draw B values, take their
// median and their own smooth sensitivity, and look at the tail of the noise. The tail is taken
// from its formula rather than simulated, which makes the average over a few thousand draws smooth.
//
// The chi-square approximation inside small blocks is not perfect. With ten rows per cell on
// average and independent variables of two to five levels, equally or unequally frequent, at most
// 56% of the blocks were found to have p <= 1/2 (and far less than half where levels are rare). An
// aggregate of many blocks would take the excess for dependence. `inflation` allows for it: the
// evidence is taken to be that much larger.
//
// The random numbers come from a fixed, public stream: the p-value of a given release is always the
// same number, and draws nothing from the stream of the privacy noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/simulation_rng.hpp"
#include "privpc/privacy/smooth_median.hpp"

namespace privpc {

struct MedianNull {
  std::size_t blocks;
  double upper;      // evidence is clipped to 0..upper
  double inflation;  // 1: exactly uniform p-values
  std::size_t draws;
};

// The chance of a noisy median of at least `observed`, for each of the values.
inline std::vector<double> noisy_median_tail(const std::vector<double>& observed,
                                             const MedianNull& null, Epsilon epsilon,
                                             double delta) {
  if (null.blocks == 0 || null.draws == 0) throw std::invalid_argument("nothing to draw from");
  const SmoothMedian mechanism(epsilon, delta, 0, null.upper, AdmissibleNoise::laplace);
  const double steps_per_unit = static_cast<double>(SmoothMedian::kSteps) / null.upper;
  Xoshiro256 random = simulation_stream(20200612, 0);
  std::vector<std::int64_t> steps(null.blocks);
  std::vector<double> tail(observed.size(), 0);
  for (std::size_t draw = 0; draw < null.draws; ++draw) {
    breathe();
    for (std::int64_t& step : steps) {
      // Uniform on (0, 1]: 53 bits and one.
      const double p = std::ldexp(static_cast<double>(random.next() >> 11) + 1, -53);
      const double evidence = std::min(-2 * null.inflation * std::log(p), null.upper);
      step = static_cast<std::int64_t>(std::floor(evidence * steps_per_unit));
    }
    std::sort(steps.begin(), steps.end());
    const double scale =
        SmoothMedian::smooth_sensitivity(steps, mechanism.beta()) / mechanism.alpha();
    const double median = static_cast<double>(steps[(steps.size() - 1) / 2]);
    for (std::size_t i = 0; i < observed.size(); ++i) {
      if (observed[i] <= 0) {  // the release is moved into its bounds
        tail[i] += 1;
        continue;
      }
      const double distance = (std::min(observed[i], null.upper) * steps_per_unit - median) / scale;
      tail[i] += distance >= 0 ? std::exp(-distance) / 2 : 1 - std::exp(distance) / 2;
    }
  }
  for (double& t : tail)
    t /= static_cast<double>(null.draws);
  return tail;
}

}  // namespace privpc
