// Records with equal values, counted in whole numbers.
//
// Tied pairs and triples enter statistics whose sensitivity is proved for exact arithmetic. Beyond
// 2^53 a double would round them, and one record would change how all groups after its own are
// rounded; so they are integers until each stratum's last division.
//
// SIZE. A stratum has n <= kMaxRows = 2^31 - 1 records: a schema refuses more rows. Groups of sizes
// t add up to n, so sum t(t-1) <= n(n-1) < 2^62 and sum t(t-1)(t-2) <= n^3 < 2^93; the first fits
// 64 bits, the second 128. (64 bits would hold the first up to n = 3,037,000,500.)
#pragma once

#include <cstdint>

#include "privpc/schema/schema.hpp"

namespace privpc {

__extension__ typedef __int128 Wide;

static_assert(kMaxRows <= 3037000500u, "pairs of records must fit 64 bits");

inline bool fits_62_bits(Wide x) {
  constexpr Wide limit = Wide{1} << 62;
  return -limit < x && x < limit;
}

// To the nearest double; small numbers, nearly all of them, without a library call.
inline double to_double(Wide x) {
  return fits_62_bits(x) ? static_cast<double>(static_cast<std::int64_t>(x))
                         : static_cast<double>(x);
}

inline std::int64_t ordered_pairs(std::int64_t n) {
  return n * (n - 1);
}
inline Wide ordered_triples(std::int64_t n) {
  return static_cast<Wide>(ordered_pairs(n)) * (n - 2);
}
inline Wide cubed(std::int64_t n) {
  return static_cast<Wide>(n * n) * n;
}

// Ordered pairs and triples of different records with equal values.
struct TieSums {
  std::int64_t pairs = 0;  // sum of t (t-1) over the groups
  Wide triples = 0;        // sum of t (t-1)(t-2)

  void add(std::int64_t t) {
    pairs += ordered_pairs(t);
    triples += ordered_triples(t);
  }

  // n^3 - sum t^3 for n records in all, because t^3 = t(t-1)(t-2) + 3 t(t-1) + t.
  Wide untied_cubes(std::int64_t n) const {
    return ordered_triples(n) - triples + 3 * static_cast<Wide>(ordered_pairs(n) - pairs);
  }
};

}  // namespace privpc
