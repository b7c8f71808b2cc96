// Interaction contrasts of a table: what the variables of a set tell together and no smaller set
// of them tells.
//
// A variable with k levels has k - 1 Helmert contrasts: contrast j = 1 .. k - 1 adds up the levels
// before level j and subtracts j times level j (levels counted from 0). The columns are orthogonal
// to each other and to the constant; the squared length of column j is j (j + 1). Divided by their
// lengths they are an orthonormal matrix Q with Q Q' = I - J/k, so the contrasts of a set A,
//   R_A = (kron over A of Q_i)' N_A,
// hold the interaction part of the table, (kron over A of Q_i Q_i') N_A, in fewer coordinates.
//
// The basis is public. The contrasts of records are computed in
// statistic/interaction_contrasts.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace privpc {

// Number of contrasts of a set: product of levels - 1; 0 if a member has one level only.
inline std::size_t contrast_count(const std::vector<std::uint32_t>& levels) {
  std::size_t count = 1;
  for (std::uint32_t k : levels)
    count *= k - 1;
  return count;
}

// The length of each contrast, in the same order.
inline std::vector<double> contrast_lengths(const std::vector<std::uint32_t>& levels) {
  std::vector<double> squared{1};
  for (std::uint32_t k : levels) {
    std::vector<double> next;
    next.reserve(squared.size() * (k - 1));
    for (double before : squared) {
      for (std::uint32_t j = 1; j < k; ++j)
        next.push_back(before * j * (j + 1.0));
    }
    squared = std::move(next);
  }
  for (double& x : squared)
    x = std::sqrt(x);
  return squared;
}

// The orthonormal basis of a variable: row = level, column 0 the constant 1/sqrt(k), then the
// contrasts divided by their lengths. Row-major, k x k.
inline std::vector<double> orthonormal_basis(std::uint32_t k) {
  std::vector<double> u(static_cast<std::size_t>(k) * k, 0);
  for (std::uint32_t level = 0; level < k; ++level) {
    u[level * k] = 1 / std::sqrt(static_cast<double>(k));
    for (std::uint32_t j = 1; j < k; ++j) {
      const double length = std::sqrt(j * (j + 1.0));
      if (level < j) u[level * k + j] = 1 / length;
      if (level == j) u[level * k + j] = -static_cast<double>(j) / length;
    }
  }
  return u;
}

}  // namespace privpc
