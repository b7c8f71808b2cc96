// Tail probabilities without R: normal by the library's erfc, chi-square by the regularised
// incomplete gamma function (series below the mode, continued fraction above; Numerical methods
// as in Abramowitz & Stegun 6.5.29 and 6.5.31).
#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>

namespace privpc {

inline double normal_two_sided(double z) {
  return std::erfc(std::fabs(z) / std::sqrt(2.0));
}

// log Gamma(a) for a > 0 by Stirling's series (Abramowitz & Stegun 6.1.41) after shifting a above
// 10. std::lgamma would do, but writes a global variable and so must not run on several threads.
inline double log_gamma(double a) {
  double shift = 0;
  while (a < 10)
    shift -= std::log(a++);
  const double r = 1 / (a * a);
  const double series =
      (1.0 / 12 + r * (-1.0 / 360 +
                       r * (1.0 / 1260 + r * (-1.0 / 1680 + r * (1.0 / 1188 + r * (-691.0 / 360360 +
                                                                                   r / 156)))))) /
      a;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  return shift + (a - 0.5) * std::log(a) - a + half_log_two_pi + series;
}

// Q(a, x) = Gamma(a, x) / Gamma(a), and its logarithm, which far out says more: Q itself is 0
// there.
class UpperGamma {
 public:
  UpperGamma(double a, double x) : a_(a), x_(x) {}

  double value() const {
    if (x_ <= 0) return 1;
    return x_ < a_ + 1 ? by_series() : std::exp(log_by_fraction());
  }

  double log_value() const {
    if (x_ <= 0) return 0;
    return x_ < a_ + 1 ? std::log(by_series()) : log_by_fraction();
  }

 private:
  static constexpr double kPrecision = 1e-16;

  // log of x^a e^-x / Gamma(a + 1), written around x = a where both terms nearly cancel.
  double log_front() const { return a_ * std::log(x_) - x_ - log_gamma(a_ + 1); }

  double by_series() const {
    double term = 1, sum = 1;
    for (double k = 1; term > sum * kPrecision; ++k) {
      term *= x_ / (a_ + k);
      sum += term;
    }
    return std::fmax(0.0, 1 - std::exp(log_front()) * sum);
  }

  // Lentz's method for the continued fraction 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))).
  double log_by_fraction() const {
    constexpr double tiny = 1e-300;
    double b = x_ + 1 - a_;
    double c = 1 / tiny;
    double d = 1 / b;
    double h = d;
    for (double k = 1; k < 100000; ++k) {
      const double an = -k * (k - a_);
      b += 2;
      d = an * d + b;
      if (std::fabs(d) < tiny) d = tiny;
      c = b + an / c;
      if (std::fabs(c) < tiny) c = tiny;
      d = 1 / d;
      const double step = d * c;
      h *= step;
      if (std::fabs(step - 1) < kPrecision * 4) break;
    }
    return log_front() + std::log(a_) + std::log(h);
  }

  double a_, x_;
};

// Probability that a chi-square variable with `df` degrees of freedom exceeds `statistic`.
// With no degrees of freedom nothing can depend on anything: 1.
inline double chi_square_upper(double statistic, double df) {
  if (!(df > 0)) return 1;
  if (std::isnan(statistic)) return statistic;
  return UpperGamma(df / 2, statistic / 2).value();
}

// Its logarithm, however small it is.
inline double log_chi_square_upper(double statistic, double df) {
  if (!(df > 0)) return 0;
  if (std::isnan(statistic)) return statistic;
  return UpperGamma(df / 2, statistic / 2).log_value();
}

// The value exceeded with probability `alpha`: Newton's steps on the logarithm of the tail, which
// is almost straight, and bisection where a step would leave the interval that holds the value.
inline double chi_square_critical(double alpha, double df) {
  if (!(df > 0)) return std::numeric_limits<double>::infinity();
  const double a = df / 2, log_gamma_a = log_gamma(a), log_alpha = std::log(alpha);
  double low = 0, high = df + 10;
  while (chi_square_upper(high, df) > alpha)
    high *= 2;
  double at = high;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double tail = chi_square_upper(at, df);
    (tail > alpha ? low : high) = at;
    const double density = std::exp((a - 1) * std::log(at / 2) - at / 2 - log_gamma_a) / 2;
    const double next = at + (std::log(tail) - log_alpha) * tail / density;
    if (std::fabs(next - at) <= 1e-13 * at) return next;
    at = next > low && next < high ? next : (low + high) / 2;
  }
  return at;
}

}  // namespace privpc
