// Numbers as text that is read back as the same number.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace privpc {

// The shortest such text: whoever words it for a reader rounds.
inline std::string shortest_text(double value) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

}  // namespace privpc
