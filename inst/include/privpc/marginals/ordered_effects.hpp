// What effects of an ordered variable look like: most of them follow its levels up or down.
//
// The functions of the levels with mean 0 have the orthonormal polynomials of the level's number as
// a basis: a trend, a bend, and so on (orthonormal under the distribution of the variable, as the
// whitened principal contrasts are, so that the two differ by a rotation). An effect whose variance
// falls by a half with every degree is expected to be smooth, but may be any. Counting levels
// from the other end changes signs only, and so nothing.
#pragma once

#include <cmath>

#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {

inline constexpr double kFallingByDegree = 0.5;

// The polynomials of degree 1, 2, ... in the rows, as combinations of whitened principal contrasts.
// `q`: contrasts by level; `basis` and `spread`: the principal axes of their covariance, which need
// not be that of a distribution (small ones are lifted). Each polynomial is the last one times the
// level's number, less its part in all before (Arnoldi 1951): powers of the number would be nearly
// dependent.
inline Matrix polynomial_axes(const Matrix& q, const Matrix& basis, const Vector& spread) {
  const Index size = spread.size();
  const Vector root = spread.cwiseSqrt();
  const Vector number = Vector::LinSpaced(q.rows(), -1, 1);
  const Matrix rotated = product(q, basis);  // levels x principal contrasts
  Matrix axes = Matrix::Zero(size, size);
  Vector function = number;
  for (Index degree = 0; degree < size; ++degree) {
    Vector axis = root.cwiseProduct(Vector(cross_product(rotated, function)));
    // Twice is enough for rounding not to matter (Kahan; Parlett 1980).
    for (int time = 0; time < 2; ++time) {
      for (Index before = 0; before < degree; ++before)
        axis -= axes.row(before).dot(axis) * axes.row(before).transpose();
    }
    axis.normalize();
    axes.row(degree) = axis.transpose();
    // Any constant may be added: times the number it is a trend, which is among those before.
    function = number.cwiseProduct(Vector(product(rotated, axis.cwiseQuotient(root))));
  }
  return axes;
}

// Prior variances by degree, which add up to 1.
inline Vector falling_shares(Index degrees) {
  Vector shares(degrees);
  for (Index i = 0; i < degrees; ++i)
    shares[i] = std::pow(kFallingByDegree, static_cast<double>(i));
  return shares / shares.sum();
}

// The prior covariance of effects on the principal contrasts, for a total of 1 in whitened ones.
inline Matrix smooth_effects(const Matrix& q, const Matrix& basis, const Vector& spread) {
  const Matrix axes = weigh_columns(polynomial_axes(q, basis, spread), spread.cwiseSqrt());
  const Matrix across = axes.transpose();
  return weighted_product(across, falling_shares(spread.size()), across);
}
// The same where levels have no order: every whitened contrast is like every other.
inline Matrix any_effects(const Vector& spread) {
  return (spread / static_cast<double>(spread.size())).asDiagonal();
}

// Of a pair; the contrasts of the second variable run fastest.
inline Matrix effects_of_pair(const Matrix& first, const Matrix& second) {
  const Index rows = second.rows();
  Matrix out(first.rows() * rows, first.rows() * rows);
  for (Index j = 0; j < first.cols(); ++j) {
    for (Index i = 0; i < first.rows(); ++i)
      out.block(i * rows, j * rows, rows, rows) = first(i, j) * second;
  }
  return out;
}

}  // namespace privpc
