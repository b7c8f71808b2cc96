// All measured pairs in coordinates in which they can be compared: correlations of the principal
// contrasts of their variables, each with the variance of its noise.
//
// A variable has the contrasts q with mean m and covariance U diag(lambda) U' (noisy_variable.hpp).
// A pair was measured as R = E[q_x q_y'], and
//   C = diag(lambda_x)^-1/2 U_x' (R - m_x m_y') U_y diag(lambda_y)^-1/2
// is 0 if the two are independent; the squares of its elements add up to phi squared. If they are
// independent, sampling gives every element the variance 1/n. With mu = U'm and the noise variances
// v of what was measured, noise gives element (a, b)
//   [v_xy + v_x E(mu_yb^2) + v_y E(mu_xa^2)] / (lambda_xa lambda_yb).
// If z separates x and y and everything is linear, C_xy = C_xz C_zy, as for path coefficients.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_variable.hpp"

namespace privpc {

struct WhitenedPair {
  std::size_t x, y;  // x < y
  bool measured;
  Matrix value;  // contrasts of x, contrasts of y
  Matrix noise;  // variance of each; infinite where the pair was not measured
};

class WhitenedPairs {
 public:
  // The part of a matrix of all contrasts that belongs to x and y.
  template <class M>
  auto block(M& all, std::size_t x, std::size_t y) const {
    return all.block(start_[x], start_[y], variables_[x].contrasts, variables_[y].contrasts);
  }

  explicit WhitenedPairs(const Measurements& store) : rows_(store.rows()) {
    const std::size_t nodes = store.schema().size();
    for (std::size_t v = 0; v < nodes; ++v) {
      variables_.push_back(noisy_variable(store, v, NoisyRegressionOptions{}));
      const NoisyVariable& variable = variables_.back();
      start_.push_back(contrasts_);
      contrasts_ += variable.contrasts;
      const Vector root = variable.spread.cwiseSqrt();
      unwhiten_.push_back(variable.contrasts == 0 ? Matrix() : weigh_columns(variable.basis, root));
    }
    place_.assign(nodes * nodes, 0);
    for (std::size_t x = 0; x < nodes; ++x) {
      for (std::size_t y = x + 1; y < nodes; ++y) {
        if (variables_[x].contrasts == 0 || variables_[y].contrasts == 0) continue;
        place_[x * nodes + y] = place_[y * nodes + x] = pairs_.size() + 1;
        pairs_.push_back(whitened(store, x, y));
      }
    }
    covariance_ = Matrix::Identity(contrasts_, contrasts_);
    noise_ = Matrix::Constant(contrasts_, contrasts_, std::numeric_limits<double>::infinity());
    for (const WhitenedPair& pair : pairs_) {
      block(covariance_, pair.x, pair.y) = pair.value;
      block(covariance_, pair.y, pair.x) = pair.value.transpose();
      block(noise_, pair.x, pair.y) = pair.noise;
      block(noise_, pair.y, pair.x) = pair.noise.transpose();
    }
  }

  std::size_t size() const { return variables_.size(); }
  double rows() const { return rows_; }
  const NoisyVariable& variable(std::size_t v) const { return variables_[v]; }
  const std::vector<WhitenedPair>& pairs() const { return pairs_; }
  // Where the pair stands in pairs(), plus 1; 0 if one of the two has no contrasts.
  std::size_t place(std::size_t x, std::size_t y) const { return place_[x * size() + y]; }

  // The contrasts of all variables one after the other, as rows and columns of one matrix.
  Index contrasts() const { return contrasts_; }
  Index start(std::size_t v) const { return start_[v]; }
  Index width(std::size_t v) const { return variables_[v].contrasts; }
  bool is_measured(std::size_t x, std::size_t y) const {
    return place(x, y) > 0 && pairs_[place(x, y) - 1].measured;
  }
  // C of all pairs and the variances of its noise: infinite, and C zero, where none was measured.
  const Matrix& covariance() const { return covariance_; }
  const Matrix& noise() const { return noise_; }
  auto covariance(std::size_t x, std::size_t y) const { return block(covariance_, x, y); }
  auto noise(std::size_t x, std::size_t y) const { return block(noise_, x, y); }

  // C less what noise and sampling alone may have made of it: the positive part of James & Stein
  // (1961), element by element.
  Matrix shrunken(std::size_t x, std::size_t y) const {
    const auto c = covariance(x, y).array();
    return c * (1 - (noise(x, y).array() + 1 / rows_) / c.square().max(1e-12)).max(0.0);
  }

  // From C back to the covariance R - m_x m_y' of the contrasts.
  Matrix covariance(std::size_t x, std::size_t y, const Matrix& whitened) const {
    return outer_product(product(unwhiten_[x], whitened), unwhiten_[y]);
  }

  // Shares of the levels, which may be 0; they add up to 1.
  Vector shares(std::size_t v) const {
    const NoisyVariable& variable = variables_[v];
    const double levels = static_cast<double>(variable.contrasts) + 1;
    return (product(variable.q, variable.mean).array() + 1 / levels).max(0);
  }

 private:
  WhitenedPair whitened(const Measurements& store, std::size_t x, std::size_t y) const {
    const NoisyVariable &a = variables_[x], &b = variables_[y];
    WhitenedPair out{
        x, y, false, Matrix::Zero(a.contrasts, b.contrasts),
        Matrix::Constant(a.contrasts, b.contrasts, std::numeric_limits<double>::infinity())};
    const Measured* pair = store.find(VariableSet{x, y});
    if (pair == nullptr) return out;
    out.measured = true;
    // The second variable runs fastest.
    const Eigen::Map<const Matrix> across(pair->values.data(), b.contrasts, a.contrasts);
    const Matrix centred = across.transpose() - outer_product(a.mean, b.mean);
    out.value = product(cross_product(a.basis, centred), b.basis);
    for (Index j = 0; j < b.contrasts; ++j) {
      for (Index i = 0; i < a.contrasts; ++i) {
        const double spread = a.spread[i] * b.spread[j];
        out.value(i, j) /= std::sqrt(spread);
        out.noise(i, j) =
            (pair->variance + a.variance * b.squared_mean(j) + b.variance * a.squared_mean(i)) /
            spread;
      }
    }
    return out;
  }

  double rows_;
  std::vector<NoisyVariable> variables_;
  std::vector<Matrix> unwhiten_;
  std::vector<Index> start_;
  Index contrasts_ = 0;
  std::vector<WhitenedPair> pairs_;
  std::vector<std::size_t> place_;
  Matrix covariance_, noise_;
};

}  // namespace privpc
