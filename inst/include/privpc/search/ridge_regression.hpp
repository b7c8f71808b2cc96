// Weighted least squares with a ridge, for a few columns and again and again: the innermost loop of
// the search by score.
//
// For the design H, the target c, weights w and ridge r, with W = diag(w), K = H' W H + diag(r) and
// u = H' W c it finds beta = K^-1 u, log |K| and what is left, c' W c - u' K^-1 u. The target is
// one more column: the Cholesky factor of [H c]' W [H c] has all three. Sums of products are made
// for two columns with two others at a time, which loads every number once for four of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {

// The sum of logarithms of positive numbers that are neither very small nor very large, as
// logarithms of the product of a few of them.
inline double sum_of_logs(const double* values, Index size) {
  constexpr Index kFactors = 12;
  double sum = 0;
  for (Index first = 0; first < size; first += kFactors) {
    double product = 1;
    for (Index i = first; i < std::min(size, first + kFactors); ++i)
      product *= values[i];
    sum += std::log(product);
  }
  return sum;
}

class RidgeRegression {
 public:
  RidgeRegression() = default;
  RidgeRegression(Index most_rows, Index most_columns)
      : stride_(most_rows + most_rows % 2), side_(most_columns + 2) {
    columns_.assign(static_cast<std::size_t>(stride_ * side_), 0);
    weighed_.assign(static_cast<std::size_t>(2 * stride_), 0);
    weights_.assign(static_cast<std::size_t>(stride_), 0);
    ridge_.assign(static_cast<std::size_t>(side_), 0);
    diagonal_.assign(static_cast<std::size_t>(side_), 0);
    inner_.assign(static_cast<std::size_t>(side_ * side_), 0);
  }

  // What is in the columns and in the ridge stays until it is changed.
  void resize(Index rows, Index columns) {
    rows_ = rows;
    size_ = columns;
  }
  Index rows() const { return rows_; }
  Index columns() const { return size_; }
  double* column(Index j) { return &columns_[static_cast<std::size_t>(j * stride_)]; }
  double* target() { return column(size_); }
  double* weights() { return weights_.data(); }
  double* ridge() { return ridge_.data(); }

  // `beta`: as many numbers as there are columns.
  void solve(double* beta) {
    if (rows_ % 2 != 0) weights_[static_cast<std::size_t>(rows_)] = 0;  // they go in twos
    sum_products();
    for (Index j = 0; j < size_; ++j)
      row(j)[j] += ridge_[static_cast<std::size_t>(j)];
    factorize();
    const double* last = row(size_);
    for (Index j = size_ - 1; j >= 0; --j) {
      double rest = last[j];
      for (Index z = j + 1; z < size_; ++z)
        rest -= row(z)[j] * beta[z];
      beta[j] = rest * inverse_diagonal(j);
    }
  }

  // After solve().
  double log_determinant() const { return -2 * sum_of_logs(diagonal_.data(), size_); }
  double left() const { return left_; }

 private:
  using Two = Eigen::Array<double, 2, 1>;
  static Two two(const double* from) { return Eigen::Map<const Two>(from); }

  double* row(Index j) { return &inner_[static_cast<std::size_t>(j * side_)]; }
  double inverse_diagonal(Index j) const { return diagonal_[static_cast<std::size_t>(j)]; }

  // The lower triangle of [H c]' W [H c]. A column beyond the last may take part: what becomes of
  // it is not read.
  void sum_products() {
    const Index padded = rows_ + rows_ % 2;
    double *first = weighed_.data(), *second = first + stride_;
    for (Index j = 0; j <= size_; j += 2) {
      const double *one = column(j), *other = column(j + 1);
      for (Index i = 0; i < padded; i += 2) {
        const Two w = two(weights() + i);
        Eigen::Map<Two>(first + i) = w * two(one + i);
        Eigen::Map<Two>(second + i) = w * two(other + i);
      }
      for (Index l = 0; l <= j; l += 2) {
        const double *left = column(l), *right = column(l + 1);
        Two a = Two::Zero(), b = Two::Zero(), c = Two::Zero(), d = Two::Zero();
        for (Index i = 0; i < padded; i += 2) {
          const Two p = two(first + i), q = two(second + i), s = two(left + i), t = two(right + i);
          a += p * s;
          b += p * t;
          c += q * s;
          d += q * t;
        }
        row(j)[l] = a[0] + a[1];
        row(j)[l + 1] = b[0] + b[1];
        row(j + 1)[l] = c[0] + c[1];
        row(j + 1)[l + 1] = d[0] + d[1];
      }
    }
  }

  // Cholesky, in place, row by row; the last row is that of the target.
  void factorize() {
    for (Index j = 0; j < size_; ++j) {
      double* own = row(j);
      for (Index l = 0; l < j; ++l)
        own[l] = (own[l] - inner_product(own, row(l), l)) * inverse_diagonal(l);
      const double pivot = own[j] - inner_product(own, own, j);
      diagonal_[static_cast<std::size_t>(j)] = 1 / std::sqrt(std::max(pivot, 1e-300));
    }
    double* last = row(size_);
    for (Index l = 0; l < size_; ++l)
      last[l] = (last[l] - inner_product(last, row(l), l)) * inverse_diagonal(l);
    left_ = last[size_] - inner_product(last, last, size_);
  }

  static double inner_product(const double* a, const double* b, Index size) {
    double even = 0, odd = 0;
    Index i = 0;
    for (; i + 1 < size; i += 2) {
      even += a[i] * b[i];
      odd += a[i + 1] * b[i + 1];
    }
    if (i < size) even += a[i] * b[i];
    return even + odd;
  }

  Index stride_ = 0, side_ = 0, rows_ = 0, size_ = 0;
  std::vector<double> columns_, weighed_, weights_, ridge_;
  std::vector<double> inner_, diagonal_;  // of the factor; of its diagonal, the inverses
  double left_ = 0;
};

}  // namespace privpc
