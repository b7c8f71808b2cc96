// Products of matrices that are not small, a lane (base/lanes.hpp) for every row of the result.
// Eigen is compiled for the processor that the compiler was told, which is the oldest one; this
// takes what there is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "privpc/base/lanes.hpp"

namespace privpc {
namespace lanes {

struct Product {
  std::ptrdiff_t inner, columns;
  const double* a;                 // a row of lanes for every inner index
  const double* b;                 // inner x columns
  std::ptrdiff_t b_row, b_column;  // from one to the next
  double* out;                     // a row of lanes for every column
};

template <class F, int V>
PRIVPC_ALWAYS_INLINE void multiply(const Product& p) {
  std::ptrdiff_t j = 0;
  for (; j + 1 < p.columns; j += 2) {
    const double *one = p.b + j * p.b_column, *other = one + p.b_column;
    Lanes<F> x[V], y[V];
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      x[v] = y[v] = zero<F>();
    for (std::ptrdiff_t k = 0; k < p.inner; ++k) {
      const Lanes<F>* a = at<F, V>(p.a, k);
      const double s = one[k * p.b_row], t = other[k * p.b_row];
      PRIVPC_UNROLL
      for (int v = 0; v < V; ++v) {
        x[v] += a[v] * s;
        y[v] += a[v] * t;
      }
    }
    Lanes<F>*first = at<F, V>(p.out, j), *second = at<F, V>(p.out, j + 1);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v) {
      first[v] = x[v];
      second[v] = y[v];
    }
  }
  if (j == p.columns) return;
  Lanes<F> x[V];
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    x[v] = zero<F>();
  for (std::ptrdiff_t k = 0; k < p.inner; ++k) {
    const Lanes<F>* a = at<F, V>(p.a, k);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      x[v] += a[v] * p.b[j * p.b_column + k * p.b_row];
  }
  Lanes<F>* last = at<F, V>(p.out, j);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    last[v] = x[v];
}

template <int V>
void multiply_portable(const Product& p) {
  multiply<Two, 2 * V>(p);
}
inline const Workers<Product>& portable_products() {
  static const Workers<Product> products{2, {multiply_portable<1>, multiply_portable<2>}};
  return products;
}

#ifdef PRIVPC_HAS_AVX2
template <int V>
PRIVPC_AVX2_LANES void multiply_avx2(const Product& p) {
  multiply<Four, V>(p);
}
#endif
inline const Workers<Product>& best_products() {
#ifdef PRIVPC_HAS_AVX2
  static const Workers<Product> products{
      5,
      {multiply_avx2<1>, multiply_avx2<2>, multiply_avx2<3>, multiply_avx2<4>, multiply_avx2<5>}};
  if (has_avx2()) return products;
#endif
  return portable_products();
}

// Where the numbers of a matrix are.
struct View {
  const double* data;
  std::ptrdiff_t rows, columns;
  std::ptrdiff_t row, column;  // from one to the next
  double operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return data[i * row + j * column]; }
};

// a b into `out`, column by column.
inline void multiply(const View& a, const View& b, double* out,
                     const Workers<Product>& products = best_products()) {
  const std::ptrdiff_t lanes = lanes_for(a.rows, products.most);
  thread_local std::vector<double> left, result;
  left.resize(static_cast<std::size_t>(a.columns * lanes));
  result.resize(static_cast<std::size_t>(b.columns * lanes));
  for (std::ptrdiff_t first = 0; first < a.rows; first += lanes) {
    const std::ptrdiff_t used = std::min(lanes, a.rows - first);
    for (std::ptrdiff_t k = 0; k < a.columns; ++k) {
      double* to = &left[static_cast<std::size_t>(k * lanes)];
      for (std::ptrdiff_t i = 0; i < used; ++i)
        to[i] = a(first + i, k);
      std::fill(to + used, to + lanes, 0.0);
    }
    products({a.columns, b.columns, left.data(), b.data, b.row, b.column, result.data()}, lanes);
    for (std::ptrdiff_t j = 0; j < b.columns; ++j)
      std::copy_n(&result[static_cast<std::size_t>(j * lanes)], used, out + j * a.rows + first);
  }
}

}  // namespace lanes
}  // namespace privpc
