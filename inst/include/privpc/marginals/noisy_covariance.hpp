// How precisely the covariance D of what is left of x and y is known: its covariance matrix V by
// noise and by sampling (the equations are in noisy_test.hpp). D is kept as its transpose,
// contrasts of y x contrasts of x, so that contrast i of x and j of y stand at i * (contrasts of y)
// + j.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/noisy_regression.hpp"
#include "privpc/marginals/table_basis.hpp"

namespace privpc {

// Beyond this many contrasts of a pair their covariance is taken as diagonal in the basis of the
// principal contrasts of both variables.
inline constexpr std::size_t kMaxDenseContrasts = 100;

class LeftCovariance {
 public:
  LeftCovariance(const NoisyRegression& x, const NoisyRegression& y, const NoisyConditions& z,
                 double pair_variance, double rows, std::vector<double>& workspace)
      : x_(x),
        y_(y),
        z_(z),
        pair_variance_(pair_variance),
        rows_(rows),
        by_parts_(z.additive && contrasts() > Index{kMaxDenseContrasts}),
        table_(by_parts_ ? Eigen::Map<Matrix>(nullptr, 0, 0) : products(workspace)) {}

  // Of what was measured of the pair, contrasts of y x contrasts of x.
  Matrix left_of(const MatrixView& pair) const {
    const Matrix pair_left = product(cross_product(y_.basis, pair), x_.basis) -
                             outer_product(y_.slopes, x_.moments) -
                             outer_product(y_.moments, x_.slopes);
    if (z_.additive) return pair_left + outer_product(y_.with_features, x_.slopes);
    return pair_left + weighted_product(y_.fitted, z_.share, x_.fitted);
  }

  // The diagonal of V, in the shape of D.
  Matrix variances() const {
    Matrix v = weighted_product(y_.spread_in_cell, z_.clipped, x_.spread_in_cell);
    const Vector by_x = product(y_.slopes.cwiseAbs2(), x_.variances);
    const Vector by_y = product(x_.slopes.cwiseAbs2(), y_.variances);
    const Vector by_z = by_parts_ ? squares_by_parts() : Vector(table_.rowwise().squaredNorm());
    for (Index i = 0; i < v.cols(); ++i) {
      for (Index j = 0; j < v.rows(); ++j)
        v(j, i) = v(j, i) / rows_ + pair_variance_ + by_x[j] + by_y[i] + by_z[i * v.rows() + j];
    }
    return v;
  }

  // All of V: its lower triangle, the rest is undefined. Both regressions need their covariances
  // inside the cells.
  Matrix full() const {
    const Index nx = x_.spread.size(), ny = y_.spread.size();
    Matrix v(nx * ny, nx * ny);
    v.setZero();
    v.selfadjointView<Eigen::Lower>().rankUpdate(table_);
    const Matrix by_x = weighted_product(y_.slopes, x_.variances, y_.slopes);
    const Matrix by_y = weighted_product(x_.slopes, y_.variances, x_.slopes);
    const Matrix sampling =
        weighted_product(y_.covariance_in_cell, z_.clipped, x_.covariance_in_cell) / rows_;
    Index pair = 0;
    for (Index i = 0; i < nx; ++i) {
      for (Index s = 0; s <= i; ++s, ++pair) {
        auto block = v.block(i * ny, s * ny, ny, ny);
        block.diagonal().array() += by_y(i, s);
        const double* at = sampling.col(pair).data();
        for (Index j = 0; j < ny; ++j) {
          for (Index t = 0; t < j; ++t, ++at) {
            block(j, t) += *at;
            block(t, j) += *at;
          }
          block(j, j) += *at++;
        }
      }
      auto block = v.block(i * ny, i * ny, ny, ny);
      block += by_x;
      block.diagonal().array() += pair_variance_;
    }
    return v;
  }

 private:
  Index contrasts() const { return x_.spread.size() * y_.spread.size(); }

  // The sums of squares of the rows of `table_`, without it. The product of two additive functions,
  //   (a + sum of A_u)(c + sum of C_u), A_u and C_u functions of the member u that add up to 0,
  // has contrasts of single members and of two only: those of u are of (a + A_u)(c + C_u), those of
  // u and v of A_u C_v + A_v C_u. Noise has the same variance for all contrasts of a set, and sums
  // of squares of these are products of sums.
  Vector squares_by_parts() const {
    Matrix sum = Matrix::Zero(y_.spread.size(), x_.spread.size());
    const AdditiveParts &x = x_.parts, &y = y_.parts;
    std::vector<Matrix> inner;  // of A_u and C_u
    std::vector<Vector> of_x, of_y;
    for (std::size_t u = 0; u < z_.levels.size(); ++u) {
      inner.push_back(outer_product(y.by_level[u], x.by_level[u]));
      of_x.push_back(x.by_level[u].rowwise().squaredNorm());
      of_y.push_back(y.by_level[u].rowwise().squaredNorm());
      const double k = z_.levels[u], others = static_cast<double>(z_.cells) / k;
      const Matrix a = x.by_level[u].colwise() + x.constant,
                   c = y.by_level[u].colwise() + y.constant;
      const Matrix squares = outer_product(c.cwiseAbs2(), a.cwiseAbs2()),
                   sums = outer_product(c, a);
      sum += noise_of({u}) * others * (squares - sums.cwiseAbs2() / k).cwiseMax(0);
      for (std::size_t v = 0; v < u; ++v) {
        const double rest = others / z_.levels[v];
        sum += noise_of({u, v}) * rest *
               (outer_product(of_y[v], of_x[u]) + outer_product(of_y[u], of_x[v]) +
                2 * inner[u].cwiseProduct(inner[v]));
      }
    }
    return Eigen::Map<const Vector>(sum.data(), sum.size());
  }

  // Of a coefficient that belongs to these members: the last of each will do. The last member runs
  // fastest.
  double noise_of(std::initializer_list<std::size_t> members) const {
    Index cell = 0;
    for (std::size_t i = 0; i < z_.levels.size(); ++i) {
      const bool member = std::find(members.begin(), members.end(), i) != members.end();
      cell = cell * z_.levels[i] + (member ? Index{z_.levels[i]} - 1 : 0);
    }
    return z_.noise_variance[cell];
  }

  // The noise of the table of z: its coefficients in the full basis are independent. One column for
  // each that was measured, times the standard deviation of its noise.
  Eigen::Map<Matrix> products(std::vector<double>& workspace) const {
    const Index nx = x_.spread.size(), ny = y_.spread.size(), m = nx * ny;
    workspace.resize(static_cast<std::size_t>(m * z_.cells));
    double* at = workspace.data();
    for (Index cell = 0; cell < z_.cells; ++cell) {
      const double* fx = x_.fitted.col(cell).data();
      const double* fy = y_.fitted.col(cell).data();
      for (Index i = 0; i < nx; ++i) {
        for (Index j = 0; j < ny; ++j)
          *at++ = fx[i] * fy[j];
      }
    }
    into_basis(workspace.data(), z_.levels, static_cast<std::size_t>(m));
    Eigen::Map<Matrix> all(workspace.data(), m, z_.cells);
    Index measured = 0;
    for (Index cell = 0; cell < z_.cells; ++cell) {
      if (z_.noise_variance[cell] == 0) continue;
      all.col(measured++) = all.col(cell) * std::sqrt(z_.noise_variance[cell]);
    }
    return Eigen::Map<Matrix>(workspace.data(), m, measured);
  }

  const NoisyRegression& x_;
  const NoisyRegression& y_;
  const NoisyConditions& z_;
  double pair_variance_;
  double rows_;
  bool by_parts_;  // then there is no table
  Eigen::Map<Matrix> table_;
};

}  // namespace privpc
