// Measurements that come back to the core from where anybody can have changed them: a fit is a
// plain list, which can be edited, saved, cut short by a full disk and sent from site to site.
// Nothing in it is believed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/marginals/measurements.hpp"

namespace privpc {

// No contrast of shares is larger than 1. Noise is, in shares, at most 2^63 steps of a length of
// one, and not below a thousandth of a step of the largest table of the most records.
inline constexpr double kMostContrast = 1e30;
inline constexpr double kMostNoiseVariance = 1e60, kLeastNoiseVariance = 1e-60;

// Adds to the store what is said to have been measured of the variables at these positions, from 0.
inline void add_returned(Measurements& store, std::vector<std::size_t> members, Measured measured) {
  const auto require = [](bool sound) {
    if (!sound) throw std::invalid_argument("the measurements of the fit are damaged");
  };
  std::sort(members.begin(), members.end());
  require(!members.empty() && members.size() <= kMaxSetSize);
  require(members.back() < store.schema().size());
  require(std::adjacent_find(members.begin(), members.end()) == members.end());
  VariableSet set;
  double contrasts = 1;  // may be more than a whole number can hold
  for (std::size_t v : members) {
    set.append(v);
    // One of a single level has no contrasts and is never measured.
    require(store.schema().levels(v) > 1);
    contrasts *= store.schema().levels(v) - 1;
  }
  require(static_cast<double>(measured.values.size()) == contrasts);
  require(measured.variance >= kLeastNoiseVariance && measured.variance <= kMostNoiseVariance);
  require(std::all_of(measured.values.begin(), measured.values.end(),
                      [](double value) { return std::fabs(value) <= kMostContrast; }));
  store.add(set, std::move(measured));
}

}  // namespace privpc
