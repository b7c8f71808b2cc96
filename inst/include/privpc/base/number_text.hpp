// Numbers as text that is read back as the same number, whatever the locale of the process:
// printf() and strtod() follow it, and a session of R may have set it to a decimal comma.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace privpc {

// What printf() wrote for "%g", with a point. Beside letters, digits and signs there is only the
// decimal mark of the locale in it, which may have several bytes.
inline std::string with_point(std::string_view printed) {
  const auto is_mark = [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return !letter && !(c >= '0' && c <= '9') && c != '-' && c != '+';
  };
  std::string text;
  bool in_mark = false;
  for (const char each : printed) {
    const bool mark = is_mark(each);
    if (!mark) text += each;
    if (mark && !in_mark) text += '.';
    in_mark = mark;
  }
  return text;
}

// The number with so many significant digits.
inline std::string digits_text(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return with_point(text);
}

// The shortest such text: whoever words it for a reader rounds.
inline std::string shortest_text(double value) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    // Both in the locale of the process.
    if (std::strtod(text, nullptr) == value) break;
  }
  return with_point(text);
}

// The number that a text with a decimal point is; NaN if it is none.
inline double read_number_text(std::string_view text) {
  char printed[16];
  std::snprintf(printed, sizeof printed, "%.1f", 0.5);
  const std::string half(printed);
  // What strtod() expects in the place of the point.
  const std::string mark = half.substr(1, half.size() - 2);
  std::string digits;
  bool comma = false;
  for (const char each : text) {
    comma = comma || each == ',';
    digits += each == '.' ? mark : std::string(1, each);
  }
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  const bool whole = !digits.empty() && !comma && end == digits.c_str() + digits.size();
  return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace privpc
