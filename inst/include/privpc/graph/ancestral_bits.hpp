// Whether one variable separates two others in a directed graph, asked for many times: sets of
// variables as words of bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace privpc {

class AncestralBits {
 public:
  using Lists = std::vector<std::vector<std::size_t>>;

  AncestralBits(const Lists& parents, const Lists& children)
      : nodes_(parents.size()), words_((nodes_ + 63) / 64) {
    parents_.assign(nodes_ * words_, 0);
    children_.assign(nodes_ * words_, 0);
    for (std::size_t v = 0; v < nodes_; ++v) {
      for (std::size_t u : parents[v])
        set(&parents_[v * words_], u);
      for (std::size_t u : children[v])
        set(&children_[v * words_], u);
    }
    above_.resize(words_);
    up_.resize(words_);
    down_.resize(words_);
    up_left_.resize(words_);
    down_left_.resize(words_);
  }

  bool has_arc(std::size_t from, std::size_t to) const {
    return test(&parents_[to * words_], from);
  }

  // Is every path between u and v blocked given `middle` alone? ("Bayes ball": Shachter 1998.)
  bool is_separated(std::size_t u, std::size_t v, std::size_t middle) {
    find_ancestors(middle);
    clear(up_, down_);
    clear(up_left_, down_left_);
    // `up`: reached from a child, or the start; it may go on to parents and children.
    // `down`: reached from a parent; it may go on to children, and back to parents at a collider
    // that is `middle` or has it below.
    set(up_.data(), u);
    set(up_left_.data(), u);
    std::size_t at = 0;
    while (true) {
      if (take(up_left_, at)) {
        if (at == middle) continue;
        spread(&parents_[at * words_], up_, up_left_);
        spread(&children_[at * words_], down_, down_left_);
      } else if (take(down_left_, at)) {
        if (at != middle) spread(&children_[at * words_], down_, down_left_);
        if (test(above_.data(), at)) spread(&parents_[at * words_], up_, up_left_);
      } else {
        return true;
      }
      if (test(up_.data(), v) || test(down_.data(), v)) return false;
    }
  }

 private:
  using Bits = std::vector<std::uint64_t>;

  static bool test(const std::uint64_t* set, std::size_t v) {
    return (set[v / 64] >> (v % 64) & 1) != 0;
  }
  static void set(std::uint64_t* set, std::size_t v) {
    set[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  static void clear(Bits& a, Bits& b) {
    for (auto& word : a)
      word = 0;
    for (auto& word : b)
      word = 0;
  }

  // Takes one member out.
  bool take(Bits& from, std::size_t& at) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if (from[w] == 0) continue;
      std::uint64_t word = from[w];
      std::size_t low = 0;
      while ((word & 0xFF) == 0) {
        word >>= 8;
        low += 8;
      }
      while ((word & 1) == 0) {
        word >>= 1;
        ++low;
      }
      from[w] &= from[w] - 1;
      at = w * 64 + low;
      return true;
    }
    return false;
  }

  void spread(const std::uint64_t* to, Bits& reached, Bits& left) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t fresh = to[w] & ~reached[w];
      reached[w] |= fresh;
      left[w] |= fresh;
    }
  }

  // `v` itself counts.
  void find_ancestors(std::size_t v) {
    clear(above_, up_left_);
    set(above_.data(), v);
    set(up_left_.data(), v);
    std::size_t at = 0;
    while (take(up_left_, at))
      spread(&parents_[at * words_], above_, up_left_);
  }

  std::size_t nodes_, words_;
  Bits parents_, children_;
  Bits above_, up_, down_, up_left_, down_left_;
};

}  // namespace privpc
