// All measured pairs at once, on one scale: every variable by its principal contrasts with variance
// one, so that the covariance of two of them is a correlation.
//
// With U and lambda the eigenvectors and eigenvalues of the covariance of the contrasts of a
// variable (noisy_variable.hpp) and m its mean, a pair that was measured as R has
//   C = Lx^-1/2 Ux' (R - mx my') Uy Ly^-1/2,
// and the noise of the entry (a, b) has, to first order, the variance
//   [v_xy + v_x (uy' my)_b^2 + v_y (ux' mx)_a^2] / (lambda_a lambda_b).
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_variable.hpp"

namespace privpc {

class WhitenedPairs {
 public:
  explicit WhitenedPairs(const Measurements& store)
      : rows_(store.rows()), measured_(store.schema().size() * store.schema().size(), false) {
    const std::size_t nodes = store.schema().size();
    first_.push_back(0);
    for (std::size_t v = 0; v < nodes; ++v) {
      variables_.push_back(noisy_variable(store, v, NoisyRegressionOptions()));
      first_.push_back(first_.back() + variables_.back().contrasts);
    }
    covariance_ = Matrix::Identity(contrasts(), contrasts());
    noise_ = Matrix::Constant(contrasts(), contrasts(), kUnmeasured);
    for (const auto& [set, measured] : store.entries()) {
      if (set.size() != 2 || width(set[0]) == 0 || width(set[1]) == 0) continue;
      read(set[0], set[1], measured);
    }
  }

  std::size_t size() const { return variables_.size(); }
  double rows() const { return rows_; }
  Index contrasts() const { return first_.back(); }
  Index first(std::size_t v) const { return first_[v]; }
  Index width(std::size_t v) const { return variables_[v].contrasts; }
  const NoisyVariable& variable(std::size_t v) const { return variables_[v]; }
  bool is_measured(std::size_t x, std::size_t y) const { return measured_[x * size() + y]; }

  const Matrix& covariance() const { return covariance_; }
  // Variances; kUnmeasured where nothing is known.
  const Matrix& noise() const { return noise_; }
  static constexpr double kUnmeasured = 1e6;

  auto covariance(std::size_t x, std::size_t y) const {
    return covariance_.block(first(x), first(y), width(x), width(y));
  }
  auto noise(std::size_t x, std::size_t y) const {
    return noise_.block(first(x), first(y), width(x), width(y));
  }

  // The covariance less what noise and sampling alone may have made of it: the positive part of
  // James & Stein (1961), entry by entry.
  Matrix shrunken(std::size_t x, std::size_t y) const {
    const auto c = covariance(x, y).array();
    const auto variance = noise(x, y).array() + 1 / rows_;
    return c * (1 - variance / c.square().max(1e-12)).max(0.0);
  }

 private:
  void read(std::size_t x, std::size_t y, const Measured& measured) {
    const NoisyVariable& a = variables_[x];
    const NoisyVariable& b = variables_[y];
    const Eigen::Map<const Matrix> values(measured.values.data(), b.contrasts, a.contrasts);
    const Matrix centred = values.transpose() - outer_product(a.mean, b.mean);
    Matrix c = product(cross_product(a.basis, centred), b.basis);
    Matrix t(a.contrasts, b.contrasts);
    for (Index i = 0; i < a.contrasts; ++i) {
      for (Index j = 0; j < b.contrasts; ++j) {
        const double spread = a.spread[i] * b.spread[j];
        c(i, j) /= std::sqrt(spread);
        t(i, j) =
            (measured.variance + a.variance * b.squared_mean(j) + b.variance * a.squared_mean(i)) /
            spread;
      }
    }
    covariance_.block(first(x), first(y), width(x), width(y)) = c;
    covariance_.block(first(y), first(x), width(y), width(x)) = c.transpose();
    noise_.block(first(x), first(y), width(x), width(y)) = t;
    noise_.block(first(y), first(x), width(y), width(x)) = t.transpose();
    measured_[x * size() + y] = measured_[y * size() + x] = true;
  }

  double rows_;
  std::vector<NoisyVariable> variables_;
  std::vector<Index> first_;
  std::vector<bool> measured_;
  Matrix covariance_, noise_;
};

}  // namespace privpc
