// The inner loops of dense matrix arithmetic, chosen once at run time as in base/kernels.hpp.
// Every element is multiplied and added by itself, with two roundings, so all versions give the
// same bits.
#pragma once

#include <cstddef>

#include "privpc/base/kernels.hpp"

#ifdef PRIVPC_HAS_AVX2
#include <immintrin.h>
#endif

namespace privpc {

// to += factor * from
inline void add_scaled_portable(double* to, const double* from, double factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] += factor * from[i];
}

// (x, y) = (c x - s y, s x + c y)
inline void rotate_portable(double* x, double* y, double c, double s, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

#ifdef PRIVPC_HAS_AVX2
// Without "fma", so that the compiler cannot merge the two roundings into one.
__attribute__((target("avx2"))) inline void add_scaled_avx2(double* to, const double* from,
                                                            double factor, std::size_t size) {
  const __m256d factors = _mm256_set1_pd(factor);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const __m256d scaled = _mm256_mul_pd(factors, _mm256_loadu_pd(from + i));
    _mm256_storeu_pd(to + i, _mm256_add_pd(_mm256_loadu_pd(to + i), scaled));
  }
  add_scaled_portable(to + i, from + i, factor, size - i);
}

__attribute__((target("avx2"))) inline void rotate_avx2(double* x, double* y, double c, double s,
                                                        std::size_t size) {
  const __m256d cosines = _mm256_set1_pd(c), sines = _mm256_set1_pd(s);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const __m256d a = _mm256_loadu_pd(x + i), b = _mm256_loadu_pd(y + i);
    _mm256_storeu_pd(x + i, _mm256_sub_pd(_mm256_mul_pd(cosines, a), _mm256_mul_pd(sines, b)));
    _mm256_storeu_pd(y + i, _mm256_add_pd(_mm256_mul_pd(sines, a), _mm256_mul_pd(cosines, b)));
  }
  rotate_portable(x + i, y + i, c, s, size - i);
}

inline bool use_avx2(std::size_t size) {
  if (size < 8) return false;  // for a few numbers not even the question pays
  static const bool supported = avx2::supported();
  return supported;
}
#endif

inline void add_scaled(double* to, const double* from, double factor, std::size_t size) {
#ifdef PRIVPC_HAS_AVX2
  if (use_avx2(size)) return add_scaled_avx2(to, from, factor, size);
#endif
  add_scaled_portable(to, from, factor, size);
}

inline void rotate(double* x, double* y, double c, double s, std::size_t size) {
#ifdef PRIVPC_HAS_AVX2
  if (use_avx2(size)) return rotate_avx2(x, y, c, s, size);
#endif
  rotate_portable(x, y, c, s, size);
}

}  // namespace privpc
