// What a test says if the effect may well be smooth in the levels of ordered variables
// (ordered_effects.hpp): a second reading of the same noisy covariance D, beside the one that
// expects every effect alike. Neither is known to be right, so both are read: the Bayes factor is
// that of their equal mixture, and the smaller p-value is doubled (Bonferroni), which keeps its
// level.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/noisy_reading.hpp"
#include "privpc/marginals/weighted_chi_square.hpp"

namespace privpc {

// Logarithm of the mean of two Bayes factors, from their logarithms.
inline double mixed_evidence(double one, double other) {
  const double most = std::max(one, other), least = std::min(one, other);
  return most + std::log1p(std::exp(least - most)) - std::log(2.0);
}

inline double smaller_of_two(double one, double other) {
  return std::min(1.0, 2 * std::min(one, other));
}

// Log Bayes factor of an effect with the covariance `signal` against none. `v`: the lower triangle
// of the covariance of D.
inline double trend_evidence(const Matrix& d, Matrix v, const Matrix& signal) {
  const Eigen::Map<const Vector> left(d.data(), d.size());
  const CholeskyFactor null(v);
  v += signal;
  const CholeskyFactor alternative(v);
  return (null.quadratic_form(left) - alternative.quadratic_form(left) -
          alternative.log_determinant() + null.log_determinant()) /
         2;
}

// Without conditions. The statistic is the Bayes factor's own quadratic form z' (I - (I + S)^-1) z,
// where z and S are D and the signal in units of the noise.
class TrendReading {
 public:
  // `variances`: of D, in the order of its elements.
  TrendReading(const Matrix& d, const std::vector<double>& variances, const Matrix& signal)
      : unit_(Eigen::Map<const Vector>(variances.data(), d.size()).cwiseSqrt().cwiseInverse()),
        axes_(signal.cwiseProduct(outer_product(unit_, unit_))) {
    const Vector z = Eigen::Map<const Vector>(d.data(), d.size()).cwiseProduct(unit_);
    const Eigen::ArrayXd ratio = axes_.values.array().max(0);
    weights_ = ratio / (1 + ratio);
    statistic_ = weights_.dot(Vector(cross_product(axes_.vectors, z)).cwiseAbs2());
    evidence_ = (statistic_ - ratio.log1p().sum()) / 2;
  }

  double evidence() const { return evidence_; }

  // If the elements of D were independent, and their variances `larger` times as large.
  double p_value(double larger = 1) const {
    return weighted_chi_square_upper(statistic_ / larger, as_list(weights_));
  }

  // `covariance`: the lower triangle of that of D.
  double p_value(const Matrix& covariance) const {
    const Matrix v = Matrix(covariance.selfadjointView<Eigen::Lower>())
                         .cwiseProduct(outer_product(unit_, unit_));
    const Matrix half = weigh_columns(axes_.vectors, weights_.cwiseSqrt());
    const Vector exact = eigenvalues(cross_product(half, product(v, half))).cwiseMax(0);
    return weighted_chi_square_upper(statistic_, as_list(exact));
  }

 private:
  static std::vector<double> as_list(const Vector& x) { return {x.data(), x.data() + x.size()}; }

  Vector unit_;  // 1 / standard deviation
  PrincipalAxes axes_;
  Vector weights_;
  double statistic_ = 0, evidence_ = 0;
};

}  // namespace privpc
