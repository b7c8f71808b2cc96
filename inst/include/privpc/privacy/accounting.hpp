// Conversions between the ways of stating a privacy loss, each rounded against the user of the
// data: what a step costs is rounded up, what a promise allows is rounded down.
//
// Sources
//   zCDP to (epsilon, delta): Canonne, Kamath, Steinke (2020), "The Discrete Gaussian for
//     Differential Privacy", Proposition 12.
//   pure DP to zCDP: Steinke (2024), "Tight RDP & zCDP Bounds from Pure DP", on
//     differentialprivacy.org; the worst case is randomised response, which the tests check.
//   exponential mechanism to zCDP: Cesar, Rogers (2021), "Bounding, Concentrating, and Truncating".
//   sampling without replacement, replace-one: Balle, Barthe, Gaboardi (2018), "Privacy
//     Amplification by Subsampling".
//   advanced composition: Dwork, Rothblum, Vadhan (2010); Dwork, Roth (2014), Theorem 3.20.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "privpc/privacy/amounts.hpp"

namespace privpc {

// Outward rounding. Every formula below is a sum of a few terms; each term is made of at most four
// basic operations (error of one: u = 2^-53, relative) and two library functions. The standard
// promises nothing about exp, expm1, log, log1p and tanh; ASSUMED is an error of at most 4 units in
// the last place, which are 8 u. The arguments of log1p are positive, or are part of a formula that
// says why they are safe, so a relative error of the argument is not magnified. Together: at most
// 4 u + 2 * 8 u = 20 u per term, and 3 u for adding the terms up. So the exact value differs from
// the computed one by less than 24 u times the sum of the terms' absolute values, the `magnitude`.
// 64 u leaves room for the rounding of the correction itself; nextafter() covers results so small
// that relative errors mean nothing. The tests compare with arithmetic of higher precision.
namespace outward {

constexpr double slack = 64.0 / 9007199254740992.0;  // 64 * 2^-53
constexpr double infinity = std::numeric_limits<double>::infinity();

inline double up(double value, double magnitude) {
  return std::nextafter(value + slack * magnitude, infinity);
}

inline double down(double value, double magnitude) {
  return std::nextafter(value - slack * magnitude, -infinity);
}

// For values that are not negative and have no cancellation inside.
inline double up(double value) {
  return value > 0 ? up(value, value) : std::numeric_limits<double>::denorm_min();
}

inline double down(double value) {
  return std::fmax(0.0, down(value, value));
}

}  // namespace outward

namespace accounting_detail {

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

template <class Unit>
double finite(Amount<Unit> amount) {
  if (!amount.is_finite()) {
    throw std::invalid_argument(std::string(Unit::name) + " must be finite");
  }
  return amount.value();
}

inline void require_sensitivity(double sensitivity) {
  require(sensitivity >= 0 && std::isfinite(sensitivity),
          "the sensitivity must be finite and not negative");
}

inline void require_delta(double delta) {
  require(delta > 0 && delta < 1, "delta must lie strictly between 0 and 1");
}

inline void require_sample(double sampled, double total) {
  require(sampled > 0 && sampled <= total && std::isfinite(total),
          "the size of the sub-sample must lie above 0 and be at most the number of rows");
}

// The place where `rises` changes from false to true, searched on the logarithmic scale. An
// inexact answer costs tightness and never safety: see below.
template <class Predicate>
double turning_point(Predicate rises) {
  double low = -700, high = 700;
  for (int step = 0; step < 70; ++step) {
    const double middle = (low + high) / 2;
    (rises(std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(high);
}

}  // namespace accounting_detail

// ---- zCDP and (epsilon, delta) ------------------------------------------------------------------
//
// A rho-zCDP output is (epsilon, delta)-DP whenever, for one order a > 1,
//   log delta >= (a - 1)(a rho - epsilon) + a log(1 - 1/a) - log(a - 1).
// With b = a - 1 the right-hand side is
//   g(b) = b ((b + 1) rho - epsilon - log1p(1/b)) - log1p(b),
// which has no difference of nearly equal numbers near a = 1. Its derivative is
//   g'(b) = (2b + 1) rho - epsilon - log1p(1/b),
// increasing in b: g is convex and has one minimum.
//
// EVERY b gives a valid statement, so the search for the best one need not be exact. What must not
// err on the wrong side is the final evaluation at the b that was found; there b is a given double,
// and the result is moved outward by the bound on its rounding error.

// The smallest delta such that rho-zCDP implies (epsilon, delta)-DP, rounded up.
inline double delta_from_rho(Rho cost, Epsilon promise) {
  using namespace accounting_detail;
  const double rho = finite(cost), epsilon = finite(promise);
  if (rho == 0) return 0;  // the output does not depend on the data
  double b =
      turning_point([&](double x) { return (2 * x + 1) * rho - epsilon - std::log1p(1 / x) > 0; });
  // Another valid order where the best one would overflow; delta is next to nothing then.
  while (!std::isfinite(b * epsilon + b * ((b + 1) * rho)))
    b /= 1024;
  const double gain = b * ((b + 1) * rho), promised = b * epsilon;
  const double order = b * std::log1p(1 / b), weight = std::log1p(b);
  const double log_delta =
      outward::up(gain - promised - order - weight, gain + promised + order + weight);
  // At b = 0 the bound is delta = 1, which always holds.
  return log_delta < 0 ? std::fmin(1.0, outward::up(std::exp(log_delta))) : 1.0;
}

// The smallest epsilon such that rho-zCDP implies (epsilon, delta)-DP, rounded up.
// Solving g(b) = log delta for epsilon, with L = -log delta:
//   epsilon(b) = (b + 1) rho - log1p(1/b) + (L - log1p(b)) / b,
// whose derivative is rho - (L - log1p(b)) / b^2: negative, then positive.
inline Epsilon dp_from_rho(Rho cost, double delta) {
  using namespace accounting_detail;
  const double rho = finite(cost);
  require_delta(delta);
  if (rho == 0) return Epsilon(0);
  const double loss = -std::log(delta);
  const double b = turning_point([&](double x) { return rho * x * x + std::log1p(x) > loss; });
  const double gain = (b + 1) * rho, order = std::log1p(1 / b);
  const double needed = loss / b, weight = std::log1p(b) / b;
  const double epsilon =
      outward::up(gain - order + needed - weight, gain + order + needed + weight);
  return Epsilon(std::fmax(0.0, epsilon));
}

// The largest rho such that rho-zCDP implies (epsilon, delta)-DP, rounded down.
// Solving g(b) = log delta for rho:
//   rho(b) = (epsilon + log1p(1/b) - (L - log1p(b)) / b) / (b + 1).
// rho'(b) has the sign of h(b) = (L - log1p(b)) (2b + 1) / b^2 - epsilon - log1p(1/b), and at every
// zero of h the function h falls (h b^2 has the derivative -1 - 2 b (b + 1) (epsilon + log1p(1/b))
// / (2b + 1) there), so there is one maximum. At it the terms that are subtracted are at most half
// of the others: no digits are lost.
inline Rho rho_from_dp(Epsilon promise, double delta) {
  using namespace accounting_detail;
  const double epsilon = finite(promise);
  require_delta(delta);
  const double loss = -std::log(delta);
  const double b = turning_point([&](double x) {
    return (loss - std::log1p(x)) * (2 + 1 / x) / x < epsilon + std::log1p(1 / x);
  });
  const double order = std::log1p(1 / b), needed = loss / b, weight = std::log1p(b) / b;
  const double numerator =
      outward::down(epsilon + order - needed + weight, epsilon + order + needed + weight);
  return Rho(numerator > 0 ? outward::down(numerator / (b + 1)) : 0.0);
}

// ---- what a step costs in rho -------------------------------------------------------------------

// A step that is epsilon-DP. Randomised response is the worst case; its Renyi divergence of order
// a, divided by a, is largest as a -> 1, where it is epsilon tanh(epsilon / 2).
inline Rho rho_of_pure(Epsilon step) {
  const double epsilon = accounting_detail::finite(step);
  return Rho(epsilon == 0 ? 0.0 : outward::up(epsilon * std::tanh(epsilon / 2)));
}

// The exponential mechanism that draws with weights exp(epsilon score / (2 sensitivity)). Its
// privacy loss lies in an interval of length epsilon (bounded range), so the loss is sub-Gaussian
// with variance proxy epsilon^2 / 4. Not for permute-and-flip, which has no bounded range: its
// cost is rho_of_pure().
inline Rho rho_of_exponential(Epsilon step) {
  const double epsilon = accounting_detail::finite(step);
  return Rho(epsilon == 0 ? 0.0 : outward::up(epsilon * epsilon / 8));
}

// Gaussian noise, continuous or discrete, on a statistic with this L2 sensitivity:
// sensitivity^2 / (2 sigma^2).
inline Rho rho_of_gaussian(double sensitivity, double sigma) {
  using namespace accounting_detail;
  require_sensitivity(sensitivity);
  require(sigma > 0 && std::isfinite(sigma), "sigma must be finite and above 0");
  if (sensitivity == 0) return Rho(0);
  const double ratio = sensitivity / sigma;
  return Rho(outward::up(ratio * ratio / 2));
}

// Gaussian noise with the standard deviation of Laplace noise, sqrt(2) D / epsilon, on a statistic
// whose L2 sensitivity is at most its L1 sensitivity D: D^2 / (2 sd^2) = epsilon^2 / 4 at most. To
// the nearest number: for advice, not for a ledger.
inline Rho rho_of_gaussian_like_laplace(Epsilon step) {
  const double epsilon = accounting_detail::finite(step);
  return Rho(epsilon * epsilon / 4);
}

// The noise that a cost of rho buys, rounded up: rho_of_gaussian() of the result may exceed rho by
// its own rounding; debit rho, the value that was asked for.
inline double sigma_of_gaussian(double sensitivity, Rho cost) {
  using namespace accounting_detail;
  require_sensitivity(sensitivity);
  const double rho = finite(cost);
  require(rho > 0, "rho must be above 0");
  return sensitivity == 0 ? 0.0 : outward::up(sensitivity / std::sqrt(2 * rho));
}

// ---- sampling without replacement, replace-one neighbours ---------------------------------------

// An epsilon-DP step run on a random sub-sample of `sampled` of `total` rows costs
//   log(1 + q (e^epsilon - 1)), q = sampled / total, rounded up here.
inline Epsilon amplified_epsilon(Epsilon step, double sampled, double total) {
  using namespace accounting_detail;
  const double epsilon = finite(step);
  require_sample(sampled, total);
  if (epsilon == 0) return Epsilon(0);
  const double share = sampled / total;
  double result;
  if (epsilon <= 500) {
    result = outward::up(std::log1p(share * std::expm1(epsilon)));
  } else {
    // e^epsilon may overflow: epsilon + log(q + (1 - q) e^-epsilon), whose second term is negative.
    const double change = std::log(share + (total - sampled) / total * std::exp(-epsilon));
    result = outward::up(epsilon + change, epsilon + std::fabs(change) + 1);
  }
  // Without a gain from sampling the step still is epsilon-DP.
  return Epsilon(std::fmin(epsilon, result));
}

// The inverse: what a step on the sub-sample may cost so that the whole costs `amplified`,
// log(1 + (e^amplified - 1) / q), rounded down.
inline Epsilon epsilon_before_sampling(Epsilon whole, double sampled, double total) {
  using namespace accounting_detail;
  const double amplified = finite(whole);
  require_sample(sampled, total);
  if (amplified == 0) return Epsilon(0);
  double result;
  if (amplified <= 1) {
    result = outward::down(std::log1p(total / sampled * std::expm1(amplified)));
  } else {
    // The same, with e^amplified taken out of the logarithm so that it cannot overflow.
    const double others = (total - sampled) / sampled;
    result = outward::down(amplified + std::log1p(others * -std::expm1(-amplified)));
  }
  return Epsilon(std::fmax(amplified, result));
}

// ---- advanced composition, for comparison -------------------------------------------------------

struct ApproximateDp {
  Epsilon epsilon;
  double delta;
};

// `steps` adaptive steps, each (epsilon, delta)-DP, are together
//   (epsilon sqrt(2 k log(1/slack)) + k epsilon (e^epsilon - 1), k delta + slack)-DP.
// By plain addition they are (k epsilon, k delta)-DP, which is less for few steps or large ones;
// then that is the answer. The ledger does not use it: zCDP is tighter for the same noise.
inline ApproximateDp advanced_composition(Epsilon step, double delta, double steps, double slack) {
  using namespace accounting_detail;
  const double epsilon = finite(step);
  require(delta >= 0 && delta < 1, "delta must be at least 0 and below 1");
  require(steps >= 1 && std::isfinite(steps), "the number of steps must be at least 1");
  require(slack > 0 && slack < 1, "the slack must lie strictly between 0 and 1");
  const auto sum_of_deltas = [&](double more) {
    return std::fmin(1.0, delta == 0 ? more : outward::up(steps * delta + more));
  };
  const double spread = epsilon * std::sqrt(-2 * steps * std::log(slack));
  const double drift = steps * epsilon * std::expm1(epsilon);
  const double advanced = epsilon == 0 ? 0.0 : outward::up(spread + drift);
  const double added = steps == 1 || epsilon == 0 ? epsilon : outward::up(steps * epsilon);
  if (added <= advanced) return {Epsilon(added), steps == 1 ? delta : sum_of_deltas(0)};
  return {Epsilon(advanced), sum_of_deltas(slack)};
}

}  // namespace privpc
