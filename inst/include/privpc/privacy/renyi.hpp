// Renyi accountant for Gaussian noise on a sub-sample drawn without replacement, for neighbours
// that differ in one replaced record.
//
// Source: Wang, Balle, Kasiviswanathan (2019), "Subsampled Renyi Differential Privacy and
// Analytical Moments Accountant", Theorem 9. A mechanism with Renyi curve e(j) run on m of n
// records has, for every integer order a >= 2 and with q = m/n, the curve
//   e'(a) <= 1/(a-1) log( 1 + q^2 C(a,2) min{4 (exp(e(2)) - 1), exp(e(2)) min{2,
//   (exp(e(inf))-1)^2}}
//                         + sum_{j=3..a} q^j C(a,j) exp((j-1) e(j)) min{2, (exp(e(inf))-1)^j} ).
// For Gaussian noise e(j) = j rho and e(inf) is infinite, so both inner minima are 2.
//
// The theorem needs only an upper bound on the curve. It therefore holds for the discrete Gaussian
// too, whose curve is bounded by j rho (Canonne, Kamath, Steinke 2020). The sharper Theorem 27 of
// the same paper needs the exact curve of a worst pair, which the discrete Gaussian does not have.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "privpc/privacy/accounting.hpp"

namespace privpc {

// log(k!) for k = 0..max, by compensated addition (Neumaier): relative error below 12 u.
class LogFactorials {
 public:
  explicit LogFactorials(int max) : values_(static_cast<std::size_t>(max) + 1, 0.0) {
    double sum = 0, lost = 0;
    for (int k = 2; k <= max; ++k) {
      const double term = std::log(static_cast<double>(k));
      const double next = sum + term;
      lost += sum >= term ? (sum - next) + term : (term - next) + sum;
      sum = next;
      values_[static_cast<std::size_t>(k)] = sum + lost;
    }
  }

  double operator[](int k) const { return values_[static_cast<std::size_t>(k)]; }

 private:
  std::vector<double> values_;
};

// (a - 1) e'(a) of the theorem, rounded up. `rho` is the cost of the mechanism on the sub-sample.
inline double subsampled_gaussian_log_moment(int order, double rho, double share,
                                             const LogFactorials& log_factorial) {
  const double log_share = std::log(share);
  std::vector<double> logs;
  logs.reserve(static_cast<std::size_t>(order));
  double largest = -outward::infinity;
  // Each logarithm is moved up by the bound on its own rounding error before it is used.
  auto add = [&](int j, double log_weight, double log_weight_size) {
    const double chosen = log_factorial[order] - log_factorial[j] - log_factorial[order - j];
    const double log_term =
        outward::up(j * log_share + chosen + log_weight,
                    -j * log_share + log_factorial[order] * 2 + log_weight_size);
    logs.push_back(log_term);
    largest = std::fmax(largest, log_term);
  };
  const double log2 = std::log(2.0);
  // j = 2: the smaller of 4 (exp(2 rho) - 1) and 2 exp(2 rho).
  const double small = 4 * std::expm1(2 * rho);
  const double log_second = small < 2 * std::exp(2 * rho) ? std::log(small) : log2 + 2 * rho;
  add(2, log_second, std::fabs(log_second) + 1);
  for (int j = 3; j <= order; ++j) {
    const double exponent = static_cast<double>(j) * (j - 1) * rho;
    add(j, log2 + exponent, log2 + exponent);
  }
  double sum = 0;  // of at most 2^14 numbers in [0, 1]
  for (const double log_term : logs)
    sum += std::exp(log_term - largest);
  sum *= 1 + static_cast<double>(logs.size() + 16) * outward::slack;
  const double log_sum = outward::up(largest + std::log(sum), std::fabs(largest) + std::log(sum));
  return log_sum > 500 ? outward::up(log_sum, log_sum)  // exp(-500) is far below the rounding
                       : outward::up(std::log1p(std::exp(log_sum)));
}

// Every order gives a valid bound; which orders are tried decides only how tight the result is.
// All integers up to 128, then steps of 3 %. The highest order suffices for an epsilon down to
// about 0.002 at delta = 1e-6.
inline std::vector<int> renyi_orders() {
  std::vector<int> orders;
  for (int order = 2; order <= 128; ++order)
    orders.push_back(order);
  for (double order = 132; order <= 16384; order *= 1.03)
    orders.push_back(static_cast<int>(order));
  return orders;
}

// Epsilon, at `delta`, of `steps` adaptive Gaussian steps, each on a fresh sub-sample of `sampled`
// of `total` records and each costing `rho` on the sub-sample; rounded up. Never more than without
// the gain from sampling.
inline Epsilon subsampled_gaussian_epsilon(Rho step, double sampled, double total, double steps,
                                           double delta) {
  using namespace accounting_detail;
  const double rho = finite(step);
  require_sample(sampled, total);
  require(steps >= 1 && std::isfinite(steps), "the number of steps must be at least 1");
  require_delta(delta);
  if (rho == 0) return Epsilon(0);
  double best = dp_from_rho(Rho(outward::up(steps * rho)), delta).value();
  if (sampled == total) return Epsilon(best);

  // Few steps: amplify each on its own and add up. A step that is (e, d)-DP on the sub-sample is
  // (log(1 + q (exp(e) - 1)), q d)-DP (Balle, Barthe, Gaboardi 2018).
  const double share = sampled / total, loss = -std::log(delta);
  const double delta_each = std::fmin(0.5, outward::down(delta / (steps * share)));
  if (delta_each > 0) {
    const Epsilon each = amplified_epsilon(dp_from_rho(step, delta_each), sampled, total);
    best = std::fmin(best, outward::up(steps * each.value()));
  }

  const std::vector<int> orders = renyi_orders();
  const LogFactorials log_factorial(orders.back());
  for (const int order : orders) {
    const double b = order - 1;
    const double plain = static_cast<double>(order) * rho;
    const double moment = subsampled_gaussian_log_moment(order, rho, share, log_factorial);
    const double curve = outward::up(moment / b);
    const double shift = std::log1p(1 / b), weight = std::log1p(b) / b;
    // The plain curve is covered above, at every real order.
    if (curve < plain) {
      // The conversion of accounting.hpp at this order: e' - log1p(1/b) + (L - log1p(b)) / b.
      const double spent = outward::up(steps * curve), needed = loss / b;
      best = std::fmin(
          best, outward::up(spent - shift + needed - weight, spent + shift + needed + weight));
    }
    // Curves rise with the order: higher ones cannot come below what has been found.
    if (steps * std::fmin(curve, plain) - shift - weight > best) break;
  }
  return Epsilon(std::fmax(0.0, best));
}

// The largest cost per step on the sub-sample for which the whole stays within (epsilon, delta),
// rounded down: the value returned has itself been checked with the function above.
inline Rho subsampled_gaussian_rho(Epsilon promise, double delta, double sampled, double total,
                                   double steps) {
  using namespace accounting_detail;
  require(finite(promise) > 0, "epsilon must be above 0");
  require_delta(delta);
  require_sample(sampled, total);
  require(steps >= 1 && std::isfinite(steps), "the number of steps must be at least 1");
  auto fits = [&](double rho) {
    return subsampled_gaussian_epsilon(Rho(rho), sampled, total, steps, delta) <= promise;
  };
  // What is safe without sampling is safe with it.
  double low = rho_from_dp(promise, delta).value() / steps;
  // Below the normal numbers a step down would be no step: such a cost counts as none.
  const auto is_normal = [&] { return low >= std::numeric_limits<double>::min(); };
  while (is_normal() && !fits(low))
    low *= 1 - 1e-12;
  if (!is_normal()) return Rho(0);
  if (sampled == total) return Rho(low);
  double high = 2 * low;
  while (fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-9 * low) {
    const double middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return Rho(low);
}

}  // namespace privpc
