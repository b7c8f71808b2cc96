// Several numbers side by side that go through the same steps: lanes. There are four of them, or a
// multiple; the processor takes two or four at a time.
//
// Nothing is added up across lanes, so that on x86 a lane has the same bits whatever the others are
// and however many are taken at a time: AVX2 changes the speed alone, as it is not told to multiply
// and add in one step, which rounds differently. ARM does that, so its last bits are others.
// Loops over lanes are written once, as functions that are always inlined, into one caller that is
// compiled for AVX2 and one that is not.
#pragma once

#include <cstddef>

#include "privpc/base/has_avx2.hpp"
#include "privpc/base/kernels.hpp"

#if defined(__clang__)
#define PRIVPC_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define PRIVPC_UNROLL _Pragma("GCC unroll 8")
#else
#define PRIVPC_UNROLL
#endif
#if defined(__GNUC__)
#define PRIVPC_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define PRIVPC_ALWAYS_INLINE inline
#endif
#ifdef PRIVPC_HAS_AVX2
#define PRIVPC_AVX2_LANES __attribute__((target("avx2")))
#endif

namespace privpc {
namespace lanes {

inline constexpr std::ptrdiff_t kFour = 4;

// Lanes that the processor takes at a time. They need not be aligned. (As an argument of a template
// a type loses what it says about that, so the types have names of their own.)
#if defined(__GNUC__)
struct Two {
  using Type = double __attribute__((vector_size(16), aligned(8), may_alias));
};
struct Four {
  using Type = double __attribute__((vector_size(32), aligned(8), may_alias));
};
#else
struct TwoNumbers {
  double x[2];
};
struct Two {
  using Type = TwoNumbers;
};
inline TwoNumbers& operator+=(TwoNumbers& a, const TwoNumbers& b) {
  for (int i = 0; i < 2; ++i)
    a.x[i] += b.x[i];
  return a;
}
inline TwoNumbers& operator-=(TwoNumbers& a, const TwoNumbers& b) {
  for (int i = 0; i < 2; ++i)
    a.x[i] -= b.x[i];
  return a;
}
inline TwoNumbers operator+(TwoNumbers a, const TwoNumbers& b) {
  return a += b;
}
inline TwoNumbers operator*(TwoNumbers a, const TwoNumbers& b) {
  for (int i = 0; i < 2; ++i)
    a.x[i] *= b.x[i];
  return a;
}
inline TwoNumbers operator*(TwoNumbers a, double b) {
  for (double& x : a.x)
    x *= b;
  return a;
}
inline TwoNumbers& operator+=(TwoNumbers& a, double b) {
  for (double& x : a.x)
    x += b;
  return a;
}
#endif

template <class F>
using Lanes = typename F::Type;

inline constexpr double kZeros[kFour] = {0, 0, 0, 0};
template <class F>
PRIVPC_ALWAYS_INLINE const Lanes<F>& zero() {
  return *reinterpret_cast<const Lanes<F>*>(kZeros);
}

// F: Two or Four.
template <class F>
inline constexpr std::ptrdiff_t kSize = sizeof(Lanes<F>) / sizeof(double);

// Row `row` of rows of V times F.
template <class F, int V>
PRIVPC_ALWAYS_INLINE const Lanes<F>* at(const double* from, std::ptrdiff_t row) {
  return reinterpret_cast<const Lanes<F>*>(from + row * (V * kSize<F>));
}
template <class F, int V>
PRIVPC_ALWAYS_INLINE Lanes<F>* at(double* from, std::ptrdiff_t row) {
  return reinterpret_cast<Lanes<F>*>(from + row * (V * kSize<F>));
}

// So many of `count` lanes are handled at a time, if no more than `most` fours can be: as evenly as
// it gets.
inline std::ptrdiff_t lanes_for(std::ptrdiff_t count, std::ptrdiff_t most) {
  const std::ptrdiff_t fours = (count + kFour - 1) / kFour;
  const std::ptrdiff_t parts = (fours + most - 1) / most;
  return (fours + parts - 1) / parts * kFour;
}

// The same work for 1 to `most` fours: as many as the registers hold.
template <class Problem>
struct Workers {
  std::ptrdiff_t most;
  void (*by_fours[5])(const Problem&);

  void operator()(const Problem& problem, std::ptrdiff_t lanes) const {
    by_fours[lanes / kFour - 1](problem);
  }
};

inline bool has_avx2() {
#ifdef PRIVPC_HAS_AVX2
  static const bool fast = avx2::supported();
  return fast;
#else
  return false;
#endif
}

}  // namespace lanes
}  // namespace privpc
