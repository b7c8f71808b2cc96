// Interaction contrasts of a table: what the variables of a set tell together and no smaller set
// of them tells.
//
// A variable with k levels has k - 1 Helmert contrasts: contrast j = 1 .. k - 1 adds up the levels
// before level j and subtracts j times level j (levels counted from 0). The columns are orthogonal
// to each other and to the constant; the squared length of column j is j (j + 1). Divided by their
// lengths they are an orthonormal matrix Q with Q Q' = I - J/k, so the contrasts of a set A,
//   R_A = (kron over A of Q_i)' N_A,
// hold the same numbers as the interaction part of table_sensitivity.hpp in fewer coordinates.
//
// The mechanism works on the whole numbers before that division, so that nothing that is computed
// from records is ever rounded.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/counts/table.hpp"

namespace privpc {

// Number of contrasts of a set: product of levels - 1; 0 if a member has one level only.
inline std::size_t contrast_count(const std::vector<std::uint32_t>& levels) {
  std::size_t count = 1;
  for (std::uint32_t k : levels)
    count *= k - 1;
  return count;
}

namespace detail {

// Replaces the axis of `k` levels by its k - 1 contrasts; `outer` and `inner` are the sizes before
// and after it.
inline std::vector<std::int64_t> contrast_axis(const std::vector<std::int64_t>& values,
                                               std::size_t outer, std::size_t k,
                                               std::size_t inner) {
  std::vector<std::int64_t> out(outer * (k - 1) * inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::int64_t before = values[o * k * inner + i];
      for (std::size_t j = 1; j < k; ++j) {
        const std::int64_t here = values[(o * k + j) * inner + i];
        out[(o * (k - 1) + j - 1) * inner + i] = before - static_cast<std::int64_t>(j) * here;
        before += here;
      }
    }
  }
  return out;
}

}  // namespace detail

// The contrasts as whole numbers, the last variable running fastest. None is larger than
// n * (product of levels - 1), which fits: n < 2^31, and a table has fewer than 2^30 cells.
inline std::vector<std::int64_t> interaction_contrasts(const Table& table) {
  if (table.counts.size() >= std::size_t{1} << 30) {
    throw std::invalid_argument("a table of contrasts must have fewer than 2^30 cells");
  }
  std::vector<std::int64_t> values(table.counts.begin(), table.counts.end());
  std::size_t outer = 1, inner = table.counts.size();
  for (std::uint32_t k : table.levels) {
    inner /= k;
    values = detail::contrast_axis(values, outer, k, inner);
    outer *= k - 1;
  }
  return values;
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
