// Checks of random draws against exact distributions.
//
// Tests that use them have fixed seeds, so they give the same answer every time. Were the seeds
// drawn anew, one of them would raise a false alarm with probability 1e-6 at most: each of the
// fewer than 1000 comparisons is made at the level 1e-9.
#pragma once

#include <catch.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "privpc/base/distributions.hpp"

namespace privpc_test {

using privpc::chi_square_upper;
using privpc::normal_two_sided;

constexpr double kLevel = 1e-9;

inline double normal_upper(double z) {
  return std::erfc(z / std::sqrt(2.0)) / 2;
}

inline bool rate_is(double successes, double trials, double p) {
  const double z = (successes - trials * p) / std::sqrt(trials * p * (1 - p));
  INFO("share " << successes / trials << ", expected " << p << ", z = " << z);
  CHECK(normal_two_sided(z) > kLevel);
  return normal_two_sided(z) > kLevel;
}

inline double chi_square_p(const std::vector<double>& counts, const std::vector<double>& expected) {
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    statistic += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  return chi_square_upper(statistic, static_cast<double>(counts.size() - 1));
}

struct Distribution {
  std::map<std::int64_t, double> mass;
  double mean_square = 0, mean_fourth = 0;
};

// weight(x) = log of the mass up to a constant; summed until nothing is left.
template <class LogWeight>
Distribution symmetric_distribution(LogWeight log_weight) {
  Distribution out;
  double sum = 0;
  for (std::int64_t x = 0; x == 0 || log_weight(x) > -80; ++x) {
    const double w = std::exp(log_weight(x));
    out.mass[x] = out.mass[-x] = w;
    sum += x == 0 ? w : 2 * w;
  }
  for (auto& [x, w] : out.mass) {
    w /= sum;
    const double square = static_cast<double>(x) * static_cast<double>(x);
    out.mean_square += w * square;
    out.mean_fourth += w * square * square;
  }
  return out;
}

inline Distribution laplace_masses(double scale) {
  return symmetric_distribution(
      [scale](std::int64_t x) { return -static_cast<double>(x) / scale; });
}

inline Distribution gaussian_masses(double sigma) {
  return symmetric_distribution([sigma](std::int64_t x) {
    return -static_cast<double>(x) * static_cast<double>(x) / (2 * sigma * sigma);
  });
}

// Chi-square over the cells that expect at least 20 draws, the two tails as cells of their own;
// mass at zero, symmetry, mean, variance, and the log-ratio of neighbouring masses.
template <class Draw>
void check_draws(const Distribution& exact, std::int64_t draws, Draw draw) {
  const double n = static_cast<double>(draws);
  std::map<std::int64_t, double> seen;
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < draws; ++i) {
    const std::int64_t x = draw();
    seen[x] += 1;
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  std::int64_t last = 0;
  while (exact.mass.count(last + 1) > 0 && exact.mass.at(last + 1) * n >= 20)
    ++last;
  std::vector<double> counts(2), expected(2);  // the tails come first
  for (const auto& [x, mass] : exact.mass) {
    if (std::abs(x) > last) expected[x > 0 ? 1 : 0] += n * mass;
  }
  for (const auto& [x, count] : seen) {
    if (std::abs(x) > last) counts[x > 0 ? 1 : 0] += count;
  }
  if (expected[0] < 5) {  // too thin for a cell; a crowd there is still noticed
    CHECK(counts[0] + counts[1] < 60);
    counts.clear(), expected.clear();
  }
  for (std::int64_t x = -last; x <= last; ++x) {
    counts.push_back(seen[x]);
    expected.push_back(n * exact.mass.at(x));
  }
  CHECK(chi_square_p(counts, expected) > kLevel);
  rate_is(seen[0], n, exact.mass.at(0));
  CHECK(normal_two_sided(sum / std::sqrt(n * exact.mean_square)) > kLevel);
  const double spread = exact.mean_fourth - exact.mean_square * exact.mean_square;
  CHECK(normal_two_sided((squares - n * exact.mean_square) / std::sqrt(n * spread)) > kLevel);
  double plus = 0, minus = 0;
  for (const auto& [x, count] : seen)
    (x > 0 ? plus : minus) += x == 0 ? 0 : count;
  rate_is(plus, plus + minus, 0.5);
  for (std::int64_t x = 0; x < last && x < 4; ++x) {
    if (seen[x + 1] < 500) break;  // the normal approximation needs a crowd
    const double ratio = std::log(seen[x] / seen[x + 1]);
    const double error = std::sqrt(1 / seen[x] + 1 / seen[x + 1]);
    const double true_ratio = std::log(exact.mass.at(x) / exact.mass.at(x + 1));
    CHECK(normal_two_sided((ratio - true_ratio) / error) > kLevel);
  }
}

}  // namespace privpc_test
