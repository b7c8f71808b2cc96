#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace privpc {

// A square matrix of bits: 2 MB at 4096 nodes, so that "is there an edge?" is one
// look-up however dense the graph is.
class BitMatrix {
 public:
  explicit BitMatrix(int size = 0)
      : words_per_row_((static_cast<std::size_t>(size) + 63) / 64),
        words_(words_per_row_ * static_cast<std::size_t>(size), 0) {}

  bool test(int row, int column) const {
    return ((words_[word(row, column)] >> (column & 63)) & 1U) != 0;
  }
  void set(int row, int column) { words_[word(row, column)] |= bit(column); }
  void clear(int row, int column) { words_[word(row, column)] &= ~bit(column); }

  bool operator==(const BitMatrix& other) const { return words_ == other.words_; }

 private:
  static std::uint64_t bit(int column) { return std::uint64_t{1} << (column & 63); }
  std::size_t word(int row, int column) const {
    return static_cast<std::size_t>(row) * words_per_row_ + static_cast<std::size_t>(column) / 64;
  }

  std::size_t words_per_row_;
  std::vector<std::uint64_t> words_;
};

}  // namespace privpc
