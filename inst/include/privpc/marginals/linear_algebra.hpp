// Dense linear algebra for the tests on noisy marginals, by Eigen. Products and decompositions go
// through the functions of this file: each is then compiled once, not for every form of expression.
#pragma once

#include <algorithm>
#include <cmath>

#include "privpc/marginals/eigen.hpp"
#include "privpc/marginals/lane_product.hpp"

namespace privpc {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // column by column
using Vector = Eigen::VectorXd;
using MatrixView = Eigen::Ref<const Matrix>;

namespace detail {

inline lanes::View view(const MatrixView& a) {
  return {a.data(), a.rows(), a.cols(), 1, a.outerStride()};
}
inline lanes::View transposed_view(const MatrixView& a) {
  return {a.data(), a.cols(), a.rows(), a.outerStride(), 1};
}

// Large enough for lanes to be worth it: those of variables with many levels are.
inline bool is_large(const lanes::View& a, const lanes::View& b) {
  return a.rows >= 8 && a.rows * a.columns * b.columns >= 4000;
}

inline Matrix large_product(const lanes::View& a, const lanes::View& b) {
  Matrix out(a.rows, b.columns);
  lanes::multiply(a, b, out.data());
  return out;
}

}  // namespace detail

// a b
inline Matrix product(const MatrixView& a, const MatrixView& b) {
  const lanes::View left = detail::view(a), right = detail::view(b);
  if (detail::is_large(left, right)) return detail::large_product(left, right);
  return a * b;
}
// a' b
inline Matrix cross_product(const MatrixView& a, const MatrixView& b) {
  const lanes::View left = detail::transposed_view(a), right = detail::view(b);
  if (detail::is_large(left, right)) return detail::large_product(left, right);
  return a.transpose() * b;
}
// a b'
inline Matrix outer_product(const MatrixView& a, const MatrixView& b) {
  const lanes::View left = detail::view(a), right = detail::transposed_view(b);
  if (detail::is_large(left, right)) return detail::large_product(left, right);
  return a * b.transpose();
}

// a diag(weight)
inline Matrix weigh_columns(Matrix a, const Vector& weight) {
  for (Index j = 0; j < a.cols(); ++j)
    a.col(j) *= weight[j];
  return a;
}

// a diag(weight) b'
inline Matrix weighted_product(const Matrix& a, const Vector& weight, const Matrix& b) {
  return outer_product(weigh_columns(a, weight), b);
}

// Of a symmetric matrix, of which the lower triangle is read.
struct PrincipalAxes {
  explicit PrincipalAxes(const Matrix& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
    values = solver.eigenvalues();
    vectors = solver.eigenvectors();
  }
  Vector values;
  Matrix vectors;  // one in every column
};
inline Vector eigenvalues(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

// Of a matrix that is symmetric and, but for rounding, positive definite; only its lower triangle
// is read. L L' = a, where a pivot that rounding has made too small is lifted to 1e-12 of its
// diagonal entry.
class CholeskyFactor {
 public:
  CholeskyFactor() = default;
  explicit CholeskyFactor(const Matrix& a) : lower_(a) {
    const Eigen::LLT<Eigen::Ref<Matrix>> in_place(lower_);
    bool sound = in_place.info() == Eigen::Success;
    for (Index i = 0; sound && i < a.rows(); ++i)
      sound = lower_(i, i) * lower_(i, i) > least_pivot(a(i, i));
    if (!sound) factor_with_lifted_pivots(a);
  }

  // b' a^-1 b
  double quadratic_form(const Vector& b) const {
    Matrix x = b;
    lower_.triangularView<Eigen::Lower>().solveInPlace(x);
    return x.squaredNorm();
  }

  double log_determinant() const { return 2 * lower_.diagonal().array().log().sum(); }

  // b a^-1: every row of b is a right-hand side.
  Matrix solve_rows(const Matrix& b) const {
    Matrix x = b.transpose();
    lower_.triangularView<Eigen::Lower>().solveInPlace(x);
    lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    return x.transpose();
  }

  Index size() const { return lower_.rows(); }

 private:
  static double least_pivot(double diagonal) { return 1e-12 * std::fabs(diagonal) + 1e-300; }

  // Column by column (Golub & Van Loan, algorithm 4.2.1).
  void factor_with_lifted_pivots(const Matrix& a) {
    lower_ = a;
    for (Index j = 0; j < a.rows(); ++j) {
      for (Index k = 0; k < j; ++k) {
        const double factor = lower_(j, k);
        for (Index i = j; i < a.rows(); ++i)
          lower_(i, j) -= lower_(i, k) * factor;
      }
      const double root = std::sqrt(std::max(lower_(j, j), least_pivot(a(j, j))));
      lower_(j, j) = root;
      for (Index i = j + 1; i < a.rows(); ++i)
        lower_(i, j) /= root;
    }
  }

  Matrix lower_;
};

}  // namespace privpc
