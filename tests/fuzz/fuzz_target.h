// What the targets of `make fuzz` are made of: bytes that become structured input, and checks. A
// target is a function of an Input; the same function runs under libFuzzer (driver.cpp) and, on the
// inputs that are kept in corpus/, among the unit tests (tests/cpp/test_fuzz_corpus.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/errors.hpp"

namespace privpc_fuzz {

// A check that did not hold. No std::exception, so that no target takes it for a refusal.
struct Broken {
  std::string what;
};

inline void check(bool holds, const char* condition, const char* file, int line) {
  if (holds) return;
  throw Broken{std::string(file) + ":" + std::to_string(line) + ": " + condition};
}

#define FUZZ_CHECK(condition) \
  privpc_fuzz::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

// The bytes of a fuzzer, taken from the front. Where they end, everything is zero.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ == size_; }
  std::size_t left() const { return size_ - at_; }

  std::uint8_t byte() { return empty() ? std::uint8_t{0} : data_[at_++]; }
  bool coin() { return (byte() & 1U) != 0; }

  std::uint64_t word() {
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i)
      out = out << 8 | byte();
    return out;
  }

  // 0, ..., bound - 1; from one byte where that is enough.
  std::size_t below(std::size_t bound) {
    if (bound <= 256) return byte() % bound;
    return static_cast<std::size_t>(word() % bound);
  }
  int number_below(int bound) { return static_cast<int>(below(static_cast<std::size_t>(bound))); }

  // Any double: those at the edges, everyday ones, and raw bits.
  double real() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 16> edges{
        0.0,      -0.0,   1.0,   -1.0, inf,  -inf,  std::numeric_limits<double>::quiet_NaN(),
        5e-324,   1e-308, 1e308, 1e15, 1e-3, 1e-15, 0x1p-64,
        0x1p-126, 0x1p53};
    const std::uint8_t kind = byte();
    if (kind < edges.size()) return edges[kind];
    if (kind < 64) {
      const std::uint64_t bits = word();
      double out;
      std::memcpy(&out, &bits, sizeof out);
      return out;
    }
    const double sign = kind % 8 == 0 ? -1 : 1;
    const double size = 1 + byte() / 256.0;
    return sign * std::ldexp(size, static_cast<int>(kind) - 160);
  }
  // Between 1e-9 and 1e9, about: what reaches the inside of what refuses the rest.
  double usual() { return std::ldexp(1 + byte() / 256.0, static_cast<int>(below(61)) - 30); }

  std::string text(std::size_t most) {
    std::string out;
    for (std::size_t size = below(most + 1); size > 0 && !empty(); --size)
      out += static_cast<char>(byte());
    return out;
  }
  std::string rest() {
    std::string out(reinterpret_cast<const char*>(data_) + at_, left());
    at_ = size_;
    return out;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

// Runs `action`: true if the core refused, in a way of its own. What else is thrown (by a container
// that was asked for an element it does not have, say) goes through, and is a finding.
template <class Action>
bool refused(const Action& action) {
  try {
    action();
    return false;
  } catch (const privpc::NamedError&) {
    return true;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

using Run = void (*)(Input&);

struct Target {
  std::string name;
  Run run;
};

inline std::vector<Target>& all_targets() {
  static std::vector<Target> targets;
  return targets;
}

struct Registered {
  Registered(const char* name, Run run) { all_targets().push_back({name, run}); }
};

// Stands before the body of a target, whose input is called `input`.
#define FUZZ_TARGET(name)                                                     \
  static void name(privpc_fuzz::Input& input);                                \
  static const privpc_fuzz::Registered registered_target_##name(#name, name); \
  static void name(privpc_fuzz::Input& input)

}  // namespace privpc_fuzz
