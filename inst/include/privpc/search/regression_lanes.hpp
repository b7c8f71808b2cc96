// The steps of a ridge regression (ridge_regression.hpp) for several targets at once, each with
// weights of its own, on the same columns.
//
// Every number becomes a row of lanes (base/lanes.hpp), one for each target.
//
// Columns are full of zeros: a parent is independent of some variables, and its own contrasts are
// of each other. For every column and block of rows it is known where the numbers that are not zero
// begin and end; sums leave out the rest.
#pragma once

#include <algorithm>
#include <cmath>

#include "privpc/base/lanes.hpp"
#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {
namespace lanes {

// Rows of a block in which a column is not zero.
struct Run {
  Index first, last;
};

// What a pass over the lanes works on.
struct Problem {
  Index rows, columns, blocks;
  Index stride;           // of the columns
  const double* design;   // column by column
  const Run* runs;        // of every column: one for each block
  const double* weights;  // a row of lanes for each row
  const double* targets;  // likewise
  const double* ridge;    // by column
  const double* among;    // covariances of the columns: symmetric, column by column
  Index among_stride;
  double* weighed;    // as many as weights
  double* factor;     // of the lower triangle, the target last; with one row of lanes to spare
  double* inverse;    // of the diagonal of the factor: a row of lanes for each column
  double* beta;       // a row of lanes for each column
  double* left;       // a row of lanes
  double* explained;  // likewise: beta' among beta
};

inline Index triangle(Index row) {
  return row * (row + 1) / 2;
}

// weighed = weights times a column, in its runs.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void weigh(const Problem& p, Index j) {
  const double* column = p.design + j * p.stride;
  const Run* runs = p.runs + j * p.blocks;
  for (Index b = 0; b < p.blocks; ++b) {
    for (Index i = runs[b].first; i < runs[b].last; ++i) {
      const Lanes<F>* weight = at<F, V>(p.weights, i);
      Lanes<F>* out = at<F, V>(p.weighed, i);
      PRIVPC_UNROLL
      for (int v = 0; v < V; ++v)
        out[v] = weight[v] * column[i];
    }
  }
}

// The products of column j, which was weighed, with columns l and l + 1.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void sum_two(const Problem& p, Index j, Index l, Lanes<F>* out,
                                  Lanes<F>* next) {
  const double *one = p.design + l * p.stride, *other = one + p.stride;
  const Run *own = p.runs + j * p.blocks, *first = p.runs + l * p.blocks,
            *second = first + p.blocks;
  Lanes<F> a[V], b[V];
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    a[v] = b[v] = zero<F>();
  for (Index block = 0; block < p.blocks; ++block) {
    const Index from =
        std::max(own[block].first, std::min(first[block].first, second[block].first));
    const Index to = std::min(own[block].last, std::max(first[block].last, second[block].last));
    for (Index i = from; i < to; ++i) {
      const Lanes<F>* weighed = at<F, V>(p.weighed, i);
      const double x = one[i], y = other[i];
      PRIVPC_UNROLL
      for (int v = 0; v < V; ++v) {
        a[v] += weighed[v] * x;
        b[v] += weighed[v] * y;
      }
    }
  }
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v) {
    out[v] = a[v];
    next[v] = b[v];
  }
}

// Row j of the lower triangle of H' W H + ridge. A column beyond the diagonal may take part; what
// comes out of it goes to the place of row j + 1 and is written over there.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void sum_row(const Problem& p, Index j) {
  weigh<F, V>(p, j);
  const Index start = triangle(j);
  for (Index l = 0; l <= j; l += 2)
    sum_two<F, V>(p, j, l, at<F, V>(p.factor, start + l), at<F, V>(p.factor, start + l + 1));
  Lanes<F>* diagonal = at<F, V>(p.factor, start + j);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    diagonal[v] += p.ridge[j];
}

// The last row: H' W c, and c' W c.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void sum_targets(const Problem& p) {
  for (Index i = 0; i < p.rows; ++i) {
    const Lanes<F>*weight = at<F, V>(p.weights, i), *target = at<F, V>(p.targets, i);
    Lanes<F>* out = at<F, V>(p.weighed, i);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      out[v] = weight[v] * target[v];
  }
  const Index start = triangle(p.columns);
  for (Index j = 0; j < p.columns; ++j) {
    const double* column = p.design + j * p.stride;
    const Run* runs = p.runs + j * p.blocks;
    Lanes<F> a[V];
    Lanes<F>* out = at<F, V>(p.factor, start + j);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      a[v] = zero<F>();
    for (Index b = 0; b < p.blocks; ++b) {
      for (Index i = runs[b].first; i < runs[b].last; ++i) {
        const Lanes<F>* weighed = at<F, V>(p.weighed, i);
        PRIVPC_UNROLL
        for (int v = 0; v < V; ++v)
          a[v] += weighed[v] * column[i];
      }
    }
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      out[v] = a[v];
  }
  Lanes<F>* left = at<F, V>(p.left, 0);
  Lanes<F> sum[V];
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    sum[v] = zero<F>();
  for (Index i = 0; i < p.rows; ++i) {
    const Lanes<F>*weighed = at<F, V>(p.weighed, i), *target = at<F, V>(p.targets, i);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      sum[v] += weighed[v] * target[v];
  }
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    left[v] = sum[v];
}

// factor(j, l) for one row j: what is there less the products of rows j and l before l, times the
// inverse of the diagonal.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void eliminate(const Problem& p, double* row_j, Index l) {
  const double* row_l = p.factor + triangle(l) * (V * kSize<F>);
  Lanes<F> a[V];
  Lanes<F>* out = at<F, V>(row_j, l);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    a[v] = out[v];
  for (Index z = 0; z < l; ++z) {
    const Lanes<F>*x = at<F, V>(row_j, z), *y = at<F, V>(row_l, z);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      a[v] -= x[v] * y[v];
  }
  const Lanes<F>* inverse = at<F, V>(p.inverse, l);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    out[v] = a[v] * inverse[v];
}

// The same for rows j and j + 1, which takes every number of row l from memory once.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void eliminate_two(const Problem& p, double* row_j, double* row_k, Index l) {
  const double* row_l = p.factor + triangle(l) * (V * kSize<F>);
  Lanes<F> a[V], b[V];
  Lanes<F>*out = at<F, V>(row_j, l), *next = at<F, V>(row_k, l);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v) {
    a[v] = out[v];
    b[v] = next[v];
  }
  for (Index z = 0; z < l; ++z) {
    const Lanes<F>*x = at<F, V>(row_j, z), *y = at<F, V>(row_k, z), *w = at<F, V>(row_l, z);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v) {
      a[v] -= x[v] * w[v];
      b[v] -= y[v] * w[v];
    }
  }
  const Lanes<F>* inverse = at<F, V>(p.inverse, l);
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v) {
    out[v] = a[v] * inverse[v];
    next[v] = b[v] * inverse[v];
  }
}

// 1 over the root of what is left of the diagonal of row j.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void invert_pivot(const Problem& p, double* row, Index j) {
  double pivot[V * kSize<F>];
  for (Index lane = 0; lane < V * kSize<F>; ++lane)
    pivot[lane] = row[j * (V * kSize<F>)+lane];
  for (Index z = 0; z < j; ++z) {
    const double* x = row + z * (V * kSize<F>);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v) {
      const Lanes<F> square = *reinterpret_cast<const Lanes<F>*>(x + v * kSize<F>) *
                              *reinterpret_cast<const Lanes<F>*>(x + v * kSize<F>);
      Lanes<F>* sum = reinterpret_cast<Lanes<F>*>(pivot + v * kSize<F>);
      *sum -= square;
    }
  }
  double* inverse = p.inverse + j * (V * kSize<F>);
  for (Index lane = 0; lane < V * kSize<F>; ++lane)
    inverse[lane] = 1 / std::sqrt(std::max(pivot[lane], 1e-300));
}

// Cholesky, in place, row by row; the last row is that of the target.
template <class F, int V>
PRIVPC_ALWAYS_INLINE void factorize(const Problem& p) {
  Index j = 0;
  for (; j + 1 < p.columns; j += 2) {
    double *own = p.factor + triangle(j) * (V * kSize<F>),
           *next = p.factor + triangle(j + 1) * (V * kSize<F>);
    for (Index l = 0; l < j; ++l)
      eliminate_two<F, V>(p, own, next, l);
    invert_pivot<F, V>(p, own, j);
    eliminate<F, V>(p, next, j);
    invert_pivot<F, V>(p, next, j + 1);
  }
  if (j < p.columns) {
    double* own = p.factor + triangle(j) * (V * kSize<F>);
    for (Index l = 0; l < j; ++l)
      eliminate<F, V>(p, own, l);
    invert_pivot<F, V>(p, own, j);
  }
  double* last = p.factor + triangle(p.columns) * (V * kSize<F>);
  for (Index l = 0; l < p.columns; ++l)
    eliminate<F, V>(p, last, l);
  Lanes<F>* left = at<F, V>(p.left, 0);
  for (Index z = 0; z < p.columns; ++z) {
    const Lanes<F>* x = at<F, V>(last, z);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      left[v] -= x[v] * x[v];
  }
}

template <class F, int V>
PRIVPC_ALWAYS_INLINE void solve_back(const Problem& p) {
  const double* last = p.factor + triangle(p.columns) * (V * kSize<F>);
  for (Index j = p.columns - 1; j >= 0; --j) {
    Lanes<F> rest[V];
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      rest[v] = at<F, V>(last, j)[v];
    for (Index z = j + 1; z < p.columns; ++z) {
      const Lanes<F>*x = at<F, V>(p.factor, triangle(z) + j), *y = at<F, V>(p.beta, z);
      PRIVPC_UNROLL
      for (int v = 0; v < V; ++v)
        rest[v] -= x[v] * y[v];
    }
    Lanes<F>* out = at<F, V>(p.beta, j);
    const Lanes<F>* inverse = at<F, V>(p.inverse, j);
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      out[v] = rest[v] * inverse[v];
  }
}

// beta' S beta
template <class F, int V>
PRIVPC_ALWAYS_INLINE void explain(const Problem& p) {
  Lanes<F>* out = at<F, V>(p.explained, 0);
  Lanes<F> sum[V];
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    sum[v] = zero<F>();
  for (Index i = 0; i < p.columns; ++i) {
    const double* with = p.among + i * p.among_stride;
    const Lanes<F>* own = at<F, V>(p.beta, i);
    Lanes<F> inner[V];
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      inner[v] = own[v] * (with[i] / 2);
    for (Index j = 0; j < i; ++j) {
      if (with[j] == 0) continue;
      const Lanes<F>* other = at<F, V>(p.beta, j);
      PRIVPC_UNROLL
      for (int v = 0; v < V; ++v)
        inner[v] += other[v] * with[j];
    }
    PRIVPC_UNROLL
    for (int v = 0; v < V; ++v)
      sum[v] += own[v] * inner[v];
  }
  PRIVPC_UNROLL
  for (int v = 0; v < V; ++v)
    out[v] = sum[v] + sum[v];
}

template <class F, int V>
PRIVPC_ALWAYS_INLINE void solve_all(const Problem& p) {
  for (Index j = 0; j < p.columns; ++j)
    sum_row<F, V>(p, j);
  sum_targets<F, V>(p);
  factorize<F, V>(p);
  solve_back<F, V>(p);
  explain<F, V>(p);
}

template <int V>
void solve_portable(const Problem& p) {
  solve_all<Two, 2 * V>(p);
}
inline const Workers<Problem>& portable_solvers() {
  static const Workers<Problem> solvers{2, {solve_portable<1>, solve_portable<2>}};
  return solvers;
}

#ifdef PRIVPC_HAS_AVX2
template <int V>
PRIVPC_AVX2_LANES void solve_avx2(const Problem& p) {
  solve_all<Four, V>(p);
}
#endif
inline const Workers<Problem>& best_solvers() {
#ifdef PRIVPC_HAS_AVX2
  static const Workers<Problem> solvers{
      5, {solve_avx2<1>, solve_avx2<2>, solve_avx2<3>, solve_avx2<4>, solve_avx2<5>}};
  if (has_avx2()) return solvers;
#endif
  return portable_solvers();
}

}  // namespace lanes
}  // namespace privpc
