// A small sorted set of variables: the key of every table. Fixed size, no allocation,
// because the search makes millions of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>

namespace privpc {

// Conditioning on more than 30 variables would mean at least 2^30 strata.
inline constexpr std::size_t kMaxSetSize = 32;
inline constexpr std::size_t kMaxOrder = kMaxSetSize - 2;

class VariableSet {
 public:
  using Id = std::uint16_t;

  VariableSet() = default;
  VariableSet(std::initializer_list<std::size_t> ids) {
    for (std::size_t id : ids)
      insert(id);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Id operator[](std::size_t i) const { return ids_[i]; }
  const Id* begin() const { return ids_.data(); }
  const Id* end() const { return ids_.data() + size_; }

  bool contains(std::size_t id) const { return std::binary_search(begin(), end(), id); }

  // Where `id` stands among the sorted members (it must be one).
  std::size_t position(std::size_t id) const {
    return static_cast<std::size_t>(std::lower_bound(begin(), end(), id) - begin());
  }

  void insert(std::size_t id) {
    Id* first = ids_.data();
    Id* last = first + size_;
    Id* at = std::lower_bound(first, last, static_cast<Id>(id));
    if (at != last && *at == id) return;
    if (size_ == kMaxSetSize) throw std::length_error("a set holds at most 32 variables");
    std::copy_backward(at, last, last + 1);
    *at = static_cast<Id>(id);
    ++size_;
  }

  // For members that come in increasing order.
  void append(std::size_t id) {
    if (size_ == kMaxSetSize) throw std::length_error("a set holds at most 32 variables");
    ids_[size_++] = static_cast<Id>(id);
  }

  VariableSet with(std::size_t id) const {
    VariableSet out = *this;
    out.insert(id);
    return out;
  }

  VariableSet without_position(std::size_t position) const {
    VariableSet out;
    out.size_ = static_cast<std::uint8_t>(size_ - 1);
    std::copy(begin(), begin() + position, out.ids_.begin());
    std::copy(begin() + position + 1, end(),
              out.ids_.begin() + static_cast<std::ptrdiff_t>(position));
    return out;
  }

  friend bool operator==(const VariableSet& a, const VariableSet& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const VariableSet& a, const VariableSet& b) { return !(a == b); }

  struct Hash {
    std::size_t operator()(const VariableSet& set) const {
      std::uint64_t h = set.size_;
      for (Id id : set) {
        h = (h ^ id) * 0x9E3779B97F4A7C15ull;  // golden-ratio multiplier (Fibonacci hashing)
        h ^= h >> 29;
      }
      return static_cast<std::size_t>(h);
    }
  };

 private:
  std::array<Id, kMaxSetSize> ids_{};  // only the first size_ are meaningful
  std::uint8_t size_ = 0;
};

}  // namespace privpc
