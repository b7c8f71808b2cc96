// Dense matrices of a few dozen rows, as the tests on noisy marginals need them.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/vector_kernels.hpp"

namespace privpc {

// Row-major.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns, double fill = 0)
      : rows_(rows), columns_(columns), values_(rows * columns, fill) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }
  double* row(std::size_t i) { return values_.data() + i * columns_; }
  const double* row(std::size_t i) const { return values_.data() + i * columns_; }
  std::vector<double>& values() { return values_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

inline Matrix transpose(const Matrix& a) {
  Matrix out(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j)
      out(j, i) = a(i, j);
  }
  return out;
}

// a b
inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double* to = out.row(i);
    for (std::size_t k = 0; k < a.columns(); ++k) {
      const double factor = a(i, k);
      if (factor != 0) add_scaled(to, b.row(k), factor, b.columns());
    }
  }
  return out;
}

// a' diag(weight) b; no weights: a' b.
inline Matrix cross_product(const Matrix& a, const Matrix& b, const double* weight = nullptr) {
  Matrix out(a.columns(), b.columns());
  for (std::size_t k = 0; k < a.rows(); ++k) {
    const double scale = weight == nullptr ? 1 : weight[k];
    if (scale == 0) continue;
    const double* left = a.row(k);
    const double* right = b.row(k);
    for (std::size_t i = 0; i < a.columns(); ++i) {
      const double factor = scale * left[i];
      if (factor != 0) add_scaled(out.row(i), right, factor, b.columns());
    }
  }
  return out;
}

// Lower factor L of a positive definite matrix, L L' = a. A pivot that rounding has made too
// small is lifted to 1e-12 of its diagonal entry.
class Cholesky {
 public:
  explicit Cholesky(const Matrix& a) : lower_(a.rows(), a.rows()) {
    const std::size_t n = a.rows();
    for (std::size_t i = 0; i < n; ++i) {
      double* li = lower_.row(i);
      for (std::size_t j = 0; j <= i; ++j) {
        const double* lj = lower_.row(j);
        double sum = a(i, j);
        for (std::size_t k = 0; k < j; ++k)
          sum -= li[k] * lj[k];
        if (i == j) {
          const double least = 1e-12 * std::fabs(a(i, i)) + 1e-300;
          li[i] = std::sqrt(sum > least ? sum : least);
        } else {
          li[j] = sum / lj[j];
        }
      }
    }
  }

  // Solves L x = b in place.
  void forward(double* b) const {
    for (std::size_t i = 0; i < lower_.rows(); ++i) {
      const double* li = lower_.row(i);
      double sum = b[i];
      for (std::size_t k = 0; k < i; ++k)
        sum -= li[k] * b[k];
      b[i] = sum / li[i];
    }
  }

  // Solves L L' x = b, all columns of b together.
  Matrix solve(Matrix b) const {
    const std::size_t width = b.columns();
    const auto divide = [&](std::size_t i) {
      for (std::size_t j = 0; j < width; ++j)
        b(i, j) /= lower_(i, i);
    };
    for (std::size_t i = 0; i < lower_.rows(); ++i) {
      for (std::size_t k = 0; k < i; ++k)
        add_scaled(b.row(i), b.row(k), -lower_(i, k), width);
      divide(i);
    }
    for (std::size_t i = lower_.rows(); i-- > 0;) {
      divide(i);
      for (std::size_t k = 0; k < i; ++k)
        add_scaled(b.row(k), b.row(i), -lower_(i, k), width);
    }
    return b;
  }

  // b' a^-1 b
  double quadratic_form(std::vector<double> b) const {
    forward(b.data());
    double sum = 0;
    for (double x : b)
      sum += x * x;
    return sum;
  }

  double log_determinant() const {
    double sum = 0;
    for (std::size_t i = 0; i < lower_.rows(); ++i)
      sum += std::log(lower_(i, i));
    return 2 * sum;
  }

  const Matrix& lower() const { return lower_; }

 private:
  Matrix lower_;
};

struct Eigen {
  std::vector<double> values;
  Matrix vectors;  // one per column
};

// Of a symmetric matrix, by Jacobi's rotations (Golub & Van Loan, section 8.5). Without vectors it
// takes a tenth less time with 10 rows, a third less with 100.
inline Eigen symmetric_eigen(Matrix a, bool with_vectors = true) {
  const std::size_t n = a.rows();
  Matrix v(with_vectors ? n : 0, with_vectors ? n : 0);  // one vector per row
  for (std::size_t i = 0; i < v.rows(); ++i)
    v(i, i) = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0, diagonal = 0;
    for (std::size_t i = 0; i < n; ++i) {
      diagonal += a(i, i) * a(i, i);
      for (std::size_t j = 0; j < i; ++j)
        off += a(i, j) * a(i, j);
    }
    if (off <= 1e-26 * diagonal || off == 0) break;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        // Rows, then the same for columns: they are the rows once more, but where both meet.
        rotate(a.row(p), a.row(q), c, s, n);
        rotate(&a(p, p), &a(p, q), c, s, 1);
        rotate(&a(q, p), &a(q, q), c, s, 1);
        a(q, p) = a(p, q);
        for (std::size_t k = 0; k < n; ++k) {
          if (k == p || k == q) continue;
          a(k, p) = a(p, k);
          a(k, q) = a(q, k);
        }
        if (with_vectors) rotate(v.row(p), v.row(q), c, s, n);
      }
    }
  }
  Eigen out{std::vector<double>(n), transpose(v)};
  for (std::size_t i = 0; i < n; ++i)
    out.values[i] = a(i, i);
  return out;
}

}  // namespace privpc
