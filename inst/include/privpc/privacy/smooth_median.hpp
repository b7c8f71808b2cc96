// Private median of a few block values with noise in proportion to the smooth sensitivity
// (Nissim, Raskhodnikova & Smith 2007): the median of blocks that agree moves little when one
// block changes, and gets little noise.
//
// Values are clipped to public bounds and put on 2^30 steps between them. With the m values sorted,
// x_i = 0 for i < 1 and the top step for i > m, c the median's index, the beta-smooth sensitivity
// is
//   S(x) = max over k of exp(-k beta) max over t in 0..k+1 of (x_{c+t} - x_{c+t-k-1}),
// (the paper prints exp(-k epsilon); the decay is beta). S(x) >= the change of the median when one
// value changes, and S(x) <= exp(beta) S(y) for neighbours. Both stay true for max(S, 1), and for S
// rounded up by a factor of at most 1 + 2^-22 when it was computed with beta - 2^-20. How it is
// computed is told in smooth_sensitivity.hpp.
//
// LAPLACE noise of scale b(x) = S(x)/alpha, alpha = epsilon/2, beta = log(1 + epsilon/(2 L)),
// L = log(2/delta). Theorem: (epsilon, delta)-DP. Proof. Let h_b be the discrete Laplace pmf,
// tanh(1/(2b)) exp(-|w|/b). First change the scale from b(x) to b(y) around the median of x. If
// b(x) <= b(y), h_b(x)/h_b(y) <= b(y)/b(x) <= exp(beta) <= exp(epsilon/2), because tanh(u)/u
// falls. Otherwise it is at most exp(|w| (1/b(y) - 1/b(x))) <= exp((|w|/b(x)) (exp(beta) - 1)), at
// most exp(epsilon/2) while |w| <= L b(x), and Pr[|w| > L b] <= 2 exp(-L) = delta. Then move the
// median by at most S(y): a factor exp(S(y)/b(y)) = exp(epsilon/2). QED
//
// GAUSSIAN noise sigma(x) = S(x)/alpha, for delta = d1 + exp(epsilon/2) d2, d1 = delta/2:
// c1^2 = 2 log(4/delta), c2^2 = 2 log(2/delta) + epsilon, beta = log(1 + epsilon/c1^2)/2,
// alpha = sqrt(c2^2 + epsilon) - c2. Proof. With Z(s) = sum of exp(-w^2/(2 s^2)), Z(s)/s falls
// and Z rises in s (Poisson summation). Scale up: pmf ratio at most Z(y)/Z(x) <= exp(beta)
// <= exp(epsilon/2). Scale down: at most exp((w/sigma(x))^2 (exp(2 beta) - 1)/2) <= exp(epsilon/2)
// while |w| <= c1 sigma(x), which fails with probability at most 2 exp(-c1^2/2) = d1 (the
// discrete Gaussian is sub-Gaussian: Canonne, Kamath & Steinke 2020). Move by s <= S(y): the log
// ratio is (w/sigma) a + a^2/2 with a <= alpha, at most c2 alpha + alpha^2/2 = epsilon/2 while
// w <= c2 sigma, which fails with probability at most exp(-c2^2/2) = d2. QED
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/smooth_sensitivity.hpp"

namespace privpc {

enum class AdmissibleNoise { laplace, gaussian };

class SmoothMedian {
 public:
  SmoothMedian(Epsilon promise, double delta, double lower, double upper, AdmissibleNoise noise)
      : epsilon_(checked_positive(promise)),
        delta_(delta),
        lower_(lower),
        upper_(upper),
        width_(upper - lower),
        noise_(noise) {
    if (!(delta > 0 && delta < 1)) throw std::invalid_argument("delta must be between 0 and 1");
    if (!(width_ > 0) || std::isinf(width_)) {
      throw std::invalid_argument("the lower bound must be below the upper one, both finite");
    }
    const double epsilon = promise.value();
    if (noise == AdmissibleNoise::laplace) {
      alpha_ = epsilon / 2;
      // Not above epsilon/2, which matters only for a delta near 1.
      beta_ = std::min(std::log1p(epsilon / (2 * std::log(2 / delta))), epsilon / 2);
    } else {
      const double c2 = std::sqrt(2 * std::log(2 / delta) + epsilon);
      alpha_ = std::sqrt(c2 * c2 + epsilon) - c2;
      beta_ = std::log1p(epsilon / (2 * std::log(4 / delta))) / 2;
    }
  }

  // One value per block; replacing a record changes one of them, arbitrarily within the bounds.
  double release(const Sensitive<std::vector<double>>& block_values, Ledger& ledger,
                 RandomBits& bits, const std::string& target) const {
    const MechanismKey key;
    const std::vector<std::int64_t> steps = sorted_steps(block_values.open(key));
    // The widest noise that any values could ask for must be one that can be drawn: to refuse it
    // when it is asked for would depend on the data.
    noise_scale(most_sensitive(steps.size(), beta_), alpha_);
    ledger.debit("smooth median", target, Cost::approximate(epsilon_, delta_));
    // Never below the samplers' smallest scale: a maximum with a constant stays smooth, and a
    // refusal here would depend on the data.
    const double spread = std::max(smooth_sensitivity(steps, beta_), 2 * kSmallestScale * alpha_);
    const Dyadic scale = noise_scale(spread, alpha_);
    const std::int64_t noise = noise_ == AdmissibleNoise::laplace ? discrete_laplace(scale, bits)
                                                                  : discrete_gaussian(scale, bits);
    const std::int64_t noisy = steps[(steps.size() - 1) / 2] + noise;
    const double share = static_cast<double>(noisy) / static_cast<double>(kSteps);
    const double value = lower_ + width_ * std::min(std::max(share, 0.0), 1.0);
    return std::min(value, upper_);  // all of this is post-processing
  }

  double alpha() const { return alpha_; }
  double beta() const { return beta_; }

  static constexpr std::int64_t kSteps = std::int64_t{1} << 30;

  // No smooth sensitivity of so many values is larger.
  static double most_sensitive(std::size_t values, double beta) {
    const double growth = std::max(std::ldexp(1.0, -20) - beta, 0.0);
    return static_cast<double>(kSteps) * std::exp(growth * static_cast<double>(values));
  }

  // Of sorted values in 0..kSteps; at least 1.
  static double smooth_sensitivity(const std::vector<std::int64_t>& sorted, double beta) {
    return SmoothSensitivity(sorted, kSteps, beta - std::ldexp(1.0, -20)).largest();
  }

 private:
  std::vector<std::int64_t> sorted_steps(const std::vector<double>& values) const {
    if (values.empty()) throw std::invalid_argument("there are no values to take the median of");
    std::vector<std::int64_t> steps;
    steps.reserve(values.size());
    for (double x : values) {
      if (steps.size() % 65536 == 0) breathe();
      if (std::isnan(x)) throw std::invalid_argument("a block's value is not a number");
      const double share = std::min(std::max((x - lower_) / width_, 0.0), 1.0);
      steps.push_back(static_cast<std::int64_t>(std::floor(share * static_cast<double>(kSteps))));
    }
    unhurried_sort(steps.begin(), steps.end());
    return steps;
  }

  Epsilon epsilon_;
  double delta_;
  double lower_, upper_;
  double width_;
  AdmissibleNoise noise_;
  double alpha_ = 0;
  double beta_ = 0;
};

}  // namespace privpc
