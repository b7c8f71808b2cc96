// How precisely the covariance D of what is left of x and y is known: its covariance matrix by
// noise and by sampling (the equations are in noisy_test.hpp). Contrast i of x and j of y stand in
// row i * (contrasts of y) + j.
#pragma once

#include <cstddef>
#include <vector>

#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/noisy_regression.hpp"
#include "privpc/marginals/small_matrix.hpp"
#include "privpc/marginals/table_basis.hpp"

namespace privpc {

// m x m; only the diagonal is filled unless `dense`.
inline Matrix noise_of(const NoisyRegression& a, const NoisyRegression& b, const NoisyConditions& z,
                       double pair_variance, bool dense) {
  const std::size_t nx = a.spread.size(), ny = b.spread.size(), m = nx * ny;
  Matrix noise(m, dense ? m : 1);
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return dense ? noise(i, j) : noise(i, 0);
  };
  const Matrix by_x = cross_product(b.slopes, b.slopes, a.variances.data());
  const Matrix by_y = cross_product(a.slopes, a.slopes, b.variances.data());
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t j = 0; j < ny; ++j) {
      const std::size_t row = i * ny + j;
      at(row, row) += pair_variance;
      for (std::size_t t = 0; t < ny; ++t) {
        if (dense || t == j) at(row, i * ny + t) += by_x(j, t);
      }
      for (std::size_t s = 0; s < nx; ++s) {
        if (dense || s == i) at(row, s * ny + j) += by_y(i, s);
      }
    }
  }
  // The table of z: its coefficients in the full basis have independent noise.
  std::vector<double> g(z.cells * m);
  for (std::size_t cell = 0; cell < z.cells; ++cell) {
    for (std::size_t i = 0; i < nx; ++i) {
      for (std::size_t j = 0; j < ny; ++j)
        g[cell * m + i * ny + j] = a.fitted(cell, i) * b.fitted(cell, j);
    }
  }
  change_basis(g, z.levels, m, true);
  for (std::size_t cell = 0; cell < z.cells; ++cell) {
    const double variance = z.noise_scale[cell] * z.noise_scale[cell];
    if (variance == 0) continue;
    const double* row = g.data() + cell * m;
    for (std::size_t i = 0; i < m; ++i) {
      if (!dense) {
        noise(i, 0) += variance * row[i] * row[i];
        continue;
      }
      add_scaled(noise.row(i), row, variance * row[i], m);
    }
  }
  return noise;
}

inline void add_sampling(Matrix& v, const NoisyRegression& a, const NoisyRegression& b,
                         const NoisyConditions& z, double rows, bool dense) {
  const std::size_t nx = a.spread.size(), ny = b.spread.size();
  for (std::size_t cell = 0; cell < z.cells; ++cell) {
    const double share = z.clipped[cell] / rows;
    if (!dense) {
      for (std::size_t i = 0; i < nx; ++i) {
        add_scaled(v.row(i * ny), b.spread_in_cell.row(cell), share * a.spread_in_cell(cell, i),
                   ny);
      }
      continue;
    }
    const Matrix& sx = a.covariance_in_cell[cell];
    const Matrix& sy = b.covariance_in_cell[cell];
    for (std::size_t i = 0; i < nx; ++i) {
      for (std::size_t j = 0; j < ny; ++j) {
        double* row = v.row(i * ny + j);
        for (std::size_t s = 0; s < nx; ++s)
          add_scaled(row + s * ny, sy.row(j), share * sx(i, s), ny);
      }
    }
  }
}

}  // namespace privpc
