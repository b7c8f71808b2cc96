// Sorting that can be interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "privpc/base/monitor.hpp"

namespace privpc {

// std::sort(), in parts that take milliseconds and are merged: between them the monitor of the
// thread is asked. What is sorted may be in any order if that throws. Which of equal items comes
// first is not said, as with std::sort().
template <class Iterator, class Less = std::less<>>
void unhurried_sort(Iterator begin, Iterator end, const Less& less = {}) {
  constexpr std::ptrdiff_t part = 1 << 16;
  const auto size = std::distance(begin, end);
  if (size <= part) return std::sort(begin, end, less);
  for (std::ptrdiff_t at = 0; at < size; at += part) {
    breathe();
    std::sort(begin + at, begin + std::min(at + part, size), less);
  }
  // A comparison that asks now and then: a merge of millions takes a while.
  std::size_t compared = 0;
  const auto asking = [&](const auto& a, const auto& b) {
    if (++compared % part == 0) breathe();
    return less(a, b);
  };
  for (std::ptrdiff_t width = part; width < size; width *= 2) {
    for (std::ptrdiff_t at = 0; at + width < size; at += 2 * width) {
      std::inplace_merge(begin + at, begin + at + width, begin + std::min(at + 2 * width, size),
                         asking);
    }
  }
}

}  // namespace privpc
