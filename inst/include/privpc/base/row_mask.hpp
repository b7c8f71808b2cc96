// A sub-sample of rows as a bitmap: exactly m of n rows, every such set equally likely when the
// integers are uniform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "privpc/base/kernels.hpp"
#include "privpc/base/words.hpp"

namespace privpc {

class RowMask {
 public:
  explicit RowMask(std::uint64_t rows) : rows_(rows), words_(Words::zeros(padded_words(rows))) {}

  // Draws m of n rows without replacement by Floyd's method (Bentley & Floyd 1987): m draws of
  // `uniform_below(k)`, which must return an unbiased integer in 0..k-1.
  template <class UniformBelow>
  static RowMask sample(std::uint64_t rows, std::uint64_t size, UniformBelow&& uniform_below) {
    if (size > rows) throw std::invalid_argument("a sub-sample cannot be larger than the data");
    RowMask mask(rows);
    if (size == rows) {  // nothing is left to chance
      const std::uint64_t whole = rows / kWordBits;
      for (std::uint64_t w = 0; w < whole; ++w)
        mask.words_.data()[w] = ~Word{0};
      mask.selected_ = whole * kWordBits;
      for (std::uint64_t row = mask.selected_; row < rows; ++row)
        mask.set(row);
      return mask;
    }
    for (std::uint64_t j = rows - size; j < rows; ++j) {
      const std::uint64_t candidate = uniform_below(j + 1);
      mask.set(mask.contains(candidate) ? j : candidate);
    }
    return mask;
  }

  void set(std::uint64_t row) {
    Word& word = words_.data()[row / kWordBits];
    const Word bit = Word{1} << (row % kWordBits);
    if ((word & bit) == 0) ++selected_;
    word |= bit;
  }
  bool contains(std::uint64_t row) const {
    return ((words_.data()[row / kWordBits] >> (row % kWordBits)) & 1) != 0;
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t selected() const { return selected_; }
  const Words& words() const { return words_; }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (Word m = words_.data()[w]; m != 0; m &= m - 1) {
        visit(w * kWordBits + portable::lowest_bit(m));
      }
    }
  }

 private:
  std::uint64_t rows_;
  std::uint64_t selected_ = 0;
  Words words_;
};

}  // namespace privpc
