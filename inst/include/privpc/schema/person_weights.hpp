// What the records of one person weigh, where a person may have several: of at most k kept records
// each has the weight 1/m, m the number of this person's records that are kept. Everyone weighs one
// in all, and nobody's weights depend on the records of others.
//
// Tables count in whole numbers: in units of 1/L, L = lcm(1 ... k), each record weighs L/m and each
// person L. That keeps every sum of records exact, and so the samplers of noise, which add whole
// numbers to whole numbers. (10! would do as well; the least common multiple keeps counts small.)
#pragma once

#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace privpc {

inline constexpr unsigned kMostRecords = 10;  // of a person: lcm(1 ... 10) = 2520

// L of at most `most` records per person.
inline std::int64_t person_unit(unsigned most) {
  if (most < 1 || most > kMostRecords) {
    throw std::invalid_argument("1 to 10 records of a person can be kept");
  }
  std::int64_t unit = 1;
  for (unsigned m = 2; m <= most; ++m)
    unit = std::lcm(unit, static_cast<std::int64_t>(m));
  return unit;
}

}  // namespace privpc
