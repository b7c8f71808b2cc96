// What a test on noisy marginals says, read off a covariance and how precisely it is known.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/marginals/noisy_regression.hpp"
#include "privpc/marginals/small_matrix.hpp"

namespace privpc {

struct NoisyReading {
  double statistic = 0;  // what the p-value is of
  double distance = 0;   // D' V^-1 D: how far the tables are from independence
  double df = 0;
  double p_value = 1;
  // Log Bayes factor of "an effect of about the prior size" against "no effect".
  double evidence = 0;
  // The effect is the sum of squared canonical correlations (Pearson's phi^2 where z is empty),
  // less what noise and sampling alone would give; may be negative.
  double effect = 0;
  double effect_noise = 0;  // what was taken off
  // What the conditions leave of the spread of x or of y, whichever is less. Near 0 they determine
  // it, and then say nothing about dependence.
  double share_left = 1;
};

inline NoisyReading read_covariance(const Matrix& d, const Matrix& v, const NoisyRegression& a,
                                    const NoisyRegression& b, double prior, bool dense) {
  const std::size_t ny = b.spread.size(), m = d.values().size();
  NoisyReading out;
  out.df = static_cast<double>(m);
  std::vector<double> signal(m);
  for (std::size_t i = 0; i < m; ++i) {
    const double spread = a.spread[i / ny] * b.spread[i % ny];
    signal[i] = prior / static_cast<double>(m) * spread;
    const double variance = dense ? v(i, i) : v(i, 0);
    out.effect += (d.values()[i] * d.values()[i] - variance) / spread;
    out.effect_noise += variance / spread;
  }
  double with_effect = 0, log_ratio = 0;
  if (dense) {
    const Cholesky null(v);
    Matrix wide = v;
    for (std::size_t i = 0; i < m; ++i)
      wide(i, i) += signal[i];
    const Cholesky alternative(wide);
    out.statistic = null.quadratic_form(d.values());
    with_effect = alternative.quadratic_form(d.values());
    log_ratio = alternative.log_determinant() - null.log_determinant();
  } else {
    for (std::size_t i = 0; i < m; ++i) {
      const double square = d.values()[i] * d.values()[i];
      out.statistic += square / v(i, 0);
      with_effect += square / (v(i, 0) + signal[i]);
      log_ratio += std::log1p(signal[i] / v(i, 0));
    }
  }
  out.distance = out.statistic;
  out.evidence = (out.statistic - with_effect - log_ratio) / 2;
  out.p_value = chi_square_upper(out.statistic, out.df);
  return out;
}

}  // namespace privpc
