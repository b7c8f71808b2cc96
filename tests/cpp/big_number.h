// Natural numbers of any size, slow and exact: what the core's arithmetic is compared with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/statistic/ties.hpp"

namespace privpc_test {

class Big {
 public:
  Big(privpc::Wide x) {  // not negative
    for (; x > 0; x >>= 32)
      digits_.push_back(static_cast<std::uint32_t>(x & 0xffffffff));
  }

  friend Big operator+(const Big& a, const Big& b) {
    Big out(0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) || carry > 0; ++i) {
      carry += a.digit(i) + b.digit(i);
      out.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return out;
  }

  friend Big operator*(const Big& a, const Big& b) {
    Big out(0);
    out.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.digits_.size(); ++j) {
        carry += out.digits_[i + j] + a.digit(i) * b.digit(j);
        out.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      out.digits_[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
    }
    while (!out.digits_.empty() && out.digits_.back() == 0)
      out.digits_.pop_back();
    return out;
  }

  friend bool operator<=(const Big& a, const Big& b) {
    for (std::size_t i = std::max(a.digits_.size(), b.digits_.size()); i-- > 0;) {
      if (a.digit(i) != b.digit(i)) return a.digit(i) < b.digit(i);
    }
    return true;
  }

 private:
  std::uint64_t digit(std::size_t i) const { return i < digits_.size() ? digits_[i] : 0; }

  std::vector<std::uint32_t> digits_;  // base 2^32, the lowest first
};

}  // namespace privpc_test
