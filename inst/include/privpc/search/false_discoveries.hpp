// The step-up procedure of Benjamini & Hochberg (1995): the largest p-value that is called a
// discovery at level alpha, so that of all discoveries a share of alpha is expected to be false;
// negative if there is none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace privpc {

inline double step_up_threshold(std::vector<double> p_values, double alpha) {
  std::sort(p_values.begin(), p_values.end());
  const auto tests = static_cast<double>(p_values.size());
  for (std::size_t i = p_values.size(); i > 0; --i) {
    if (p_values[i - 1] <= alpha * static_cast<double>(i) / tests) return p_values[i - 1];
  }
  return -1;
}

}  // namespace privpc
