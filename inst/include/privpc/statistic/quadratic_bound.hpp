// An upper bound of a quadratic function over all patterns of zeros and ones,
//   f(h) = sum of a_i h_i - sum over i < j of b_ij h_i h_j,
// for the sensitivity of batches (batch.hpp). The exact maximum is out of reach for many variables.
//
// THEOREM. Let B be the symmetric matrix of the b_ij with zeros on its diagonal, d such that
// B + d I has no negative eigenvalue, and x any point of the box [0, 1]^p. With
// g = a + d/2 - B x - d x, for every h in {0, 1}^p
//   f(h) <= sum x_i (a_i + d/2) - x'(B + d I)x / 2 + sum of max(g_i (1 - x_i), -g_i x_i).
// Proof. For zeros and ones h_i^2 = h_i, so f(h) = G(h) with
//   G(h) = sum h_i (a_i + d/2) - h'(B + d I)h / 2.
// G is a quadratic whose gradient at x is g, so G(h) = G(x) + g'(h - x) - (h - x)'(B + d I)(h -
// x)/2 exactly. The last term is not positive, and g_i (h_i - x_i) is at most the larger of its
// values at h_i = 1 and h_i = 0. QED
//
// Every x gives a valid bound, so the search for the best one need not be exact: the sum of the
// maxima is what it may still lack (the duality gap), and is paid. G is concave: coordinates are
// raised one after the other until the gap is small.
//
// ROUNDING. That B + d I has no negative eigenvalue is shown by Cholesky's method. If it runs to
// its end in doubles, B + d I + E is a product R'R, with |E_ij| <= u (p + 1) / (1 - u (p + 1)) d
// (Higham 2002, "Accuracy and Stability of Numerical Algorithms", Theorem 10.3; the diagonal is d,
// u = 2^-53). The eigenvalues of E are at most p times that, less than 10^-9 d for p <= 2000; d is
// made larger by that much. Sums of 2000 terms err by less than 10^-12 of the sum of the terms'
// sizes, which is added.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/base/monitor.hpp"

namespace privpc {

class PatternQuadratic {
 public:
  static constexpr std::size_t most_variables = 2000;

  explicit PatternQuadratic(std::size_t variables)
      : size_(variables), gain_(variables, 0), cross_(variables * variables, 0) {}

  std::size_t size() const { return size_; }
  void add_gain(std::size_t i, double gain) { gain_[i] += gain; }
  void add_cross(std::size_t i, std::size_t j, double cross) {
    cross_[i * size_ + j] += cross;
    cross_[j * size_ + i] += cross;
  }

  // At least the maximum over all patterns.
  double bound() const {
    if (size_ > most_variables) return HUGE_VAL;
    const double d = shift();
    if (d == 0) return bound_at(std::vector<double>(size_, 1), 0);
    std::vector<double> x(size_, 0.5);
    std::vector<double> pulled = times_cross(x);  // B x
    double least = HUGE_VAL;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      breathe();
      for (std::size_t i = 0; i < size_; ++i) {
        const double best = std::clamp((gain_[i] + d / 2 - pulled[i]) / d, 0.0, 1.0);
        const double step = best - x[i];
        if (step == 0) continue;
        x[i] = best;
        for (std::size_t j = 0; j < size_; ++j)
          pulled[j] += cross_[i * size_ + j] * step;
      }
      if (sweep % 10 != 9) continue;
      const double before = least;
      least = std::min(least, bound_at(x, d));
      if (least > before * (1 - worth_going_on)) break;
    }
    return least;
  }

 private:
  static constexpr int most_sweeps = 200;
  static constexpr double worth_going_on = 1e-3;

  std::vector<double> times_cross(const std::vector<double>& x) const {
    std::vector<double> out(size_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j)
        out[i] += cross_[i * size_ + j] * x[j];
    }
    return out;
  }

  // The theorem's bound.
  double bound_at(const std::vector<double>& x, double d) const {
    const std::vector<double> pulled = times_cross(x);
    double value = 0, magnitude = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const double slope = gain_[i] + d / 2, curve = pulled[i] + d * x[i];
      const double g = slope - curve;
      value += x[i] * slope - x[i] * curve / 2 + std::max(g * (1 - x[i]), -g * x[i]);
      double size = 0;
      for (std::size_t j = 0; j < size_; ++j)
        size += std::fabs(cross_[i * size_ + j]);
      magnitude += 3 * (std::fabs(gain_[i]) + 2 * d + size);
    }
    return value + 1e-12 * magnitude;
  }

  // A d for which B + d I surely has no negative eigenvalue, close to the smallest one.
  double shift() const {
    const std::vector<std::size_t> first = first_of_rows();
    double high = 0;  // the largest sum of a row: its diagonal dominates then (Gershgorin)
    for (std::size_t i = 0; i < size_; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < size_; ++j)
        sum += std::fabs(cross_[i * size_ + j]);
      high = std::max(high, sum);
    }
    double low = 0;
    for (int step = 0; step < 16; ++step) {
      const double middle = (low + high) / 2;
      (has_root(middle, first) ? high : low) = middle;
    }
    return high * (1 + 2e-9);
  }

  static double product(const double* a, const double* b, std::size_t size) {
    // Four sums at a time, which need not wait for each other. Any order of summation will do.
    double sums[4] = {0, 0, 0, 0};
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4) {
      for (std::size_t i = 0; i < 4; ++i)
        sums[i] += a[k + i] * b[k + i];
    }
    for (; k < size; ++k)
      sums[0] += a[k] * b[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // Where the first number of a row stands that is not zero, left of the diagonal.
  std::vector<std::size_t> first_of_rows() const {
    std::vector<std::size_t> first(size_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      while (first[i] < i && cross_[i * size_ + first[i]] == 0)
        ++first[i];
    }
    return first;
  }

  // Whether Cholesky's method finds a root of B + d I. What stands left of a row's first number
  // stays zero, and is passed over.
  bool has_root(double d, const std::vector<std::size_t>& first) const {
    std::vector<double> root(cross_);
    for (std::size_t i = 0; i < size_; ++i) {
      breathe();
      double* row = &root[i * size_];
      for (std::size_t j = first[i]; j < i; ++j) {
        const double* other = &root[j * size_];
        const std::size_t begin = std::max(first[i], first[j]);
        row[j] = (row[j] - product(row + begin, other + begin, j - begin)) / other[j];
      }
      const double rest = d - product(row + first[i], row + first[i], i - first[i]);
      if (!(rest > 0)) return false;
      row[i] = std::sqrt(rest);
    }
    return true;
  }

  std::size_t size_;
  std::vector<double> gain_;   // a
  std::vector<double> cross_;  // B, row by row
};

}  // namespace privpc
