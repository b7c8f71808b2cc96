// For which compilers functions for AVX2 are made: base/has_avx2.hpp says why not for all.
#include <catch.h>

#include <string>

#include "privpc/base/chacha20.hpp"
#include "privpc/base/kernels.hpp"
#include "privpc/base/lanes.hpp"

TEST_CASE("there are functions for AVX2, but not from GCC for Windows") {
#ifdef PRIVPC_HAS_AVX2
  constexpr bool there = true;
#else
  constexpr bool there = false;
  CHECK(std::string(privpc::best_kernels().name) == "portable");
  CHECK_FALSE(privpc::lanes::has_avx2());
#endif
#if defined(_WIN32) && defined(__GNUC__) && !defined(__clang__)
  CHECK_FALSE(there);
#elif defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  CHECK(there);
#else
  CHECK_FALSE(there);
#endif
}
