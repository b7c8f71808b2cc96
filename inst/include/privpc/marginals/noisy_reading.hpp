// What a test on noisy marginals says, read off a covariance and how precisely it is known.
#pragma once

#include <cmath>

#include "privpc/base/distributions.hpp"
#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {

// How strongly two variables depend on each other. Takes the variances of their covariance only,
// and so a small part of the time of a reading.
struct NoisyEffect {
  // The sum of squared canonical correlations (Pearson's phi^2 where z is empty), less what noise
  // and sampling alone would give; may be negative.
  double effect = 0;
  double effect_noise = 0;  // what was taken off
  // What the conditions leave of the spread of x or of y, whichever is less. Near 0 they determine
  // it, and then say nothing about dependence.
  double share_left = 1;
};

struct NoisyReading : NoisyEffect {
  double statistic = 0;  // what the p-value is of
  double distance = 0;   // D' V^-1 D: how far the tables are from independence
  double df = 0;
  double p_value = 1;
  // Log Bayes factor of "an effect of about the prior size" against "no effect".
  double evidence = 0;
};

// `spread`: what the squares of D would be if x and y determined each other.
inline NoisyEffect read_effect(const Matrix& d, const Matrix& variances, const Matrix& spread) {
  NoisyEffect out;
  out.effect = ((d.cwiseAbs2() - variances).array() / spread.array()).sum();
  out.effect_noise = (variances.array() / spread.array()).sum();
  return out;
}

namespace detail {

inline NoisyReading finish_reading(const NoisyEffect& effect, double distance, double with_effect,
                                   double log_ratio, Index contrasts) {
  NoisyReading out;
  static_cast<NoisyEffect&>(out) = effect;
  out.df = static_cast<double>(contrasts);
  out.statistic = out.distance = distance;
  out.evidence = (distance - with_effect - log_ratio) / 2;
  out.p_value = chi_square_upper(distance, out.df);
  return out;
}

}  // namespace detail

// `v`: the lower triangle of the covariance of D. Under the prior every square of D is larger by
// `signal`, in the mean.
inline NoisyReading read_covariance(const NoisyEffect& effect, const Matrix& d, Matrix v,
                                    const Matrix& signal) {
  const Eigen::Map<const Vector> left(d.data(), d.size());
  const CholeskyFactor null(v);
  v.diagonal() += Eigen::Map<const Vector>(signal.data(), signal.size());
  const CholeskyFactor alternative(v);
  return detail::finish_reading(effect, null.quadratic_form(left), alternative.quadratic_form(left),
                                alternative.log_determinant() - null.log_determinant(), d.size());
}

// The same where all elements of D are taken for independent.
inline NoisyReading read_variances(const NoisyEffect& effect, const Matrix& d,
                                   const Matrix& variances, const Matrix& signal) {
  const auto square = d.array().square();
  double log_ratio = 0;
  for (Index i = 0; i < d.size(); ++i)
    log_ratio += std::log1p(signal.data()[i] / variances.data()[i]);
  return detail::finish_reading(effect, (square / variances.array()).sum(),
                                (square / (variances + signal).array()).sum(), log_ratio, d.size());
}

}  // namespace privpc
