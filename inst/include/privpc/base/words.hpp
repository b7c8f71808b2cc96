// Aligned arrays of 64-bit words: the storage of every bitmap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace privpc {

using Word = std::uint64_t;
inline constexpr std::size_t kWordBits = 64;
inline constexpr std::size_t kAlignment = 64;   // bytes: one cache line
inline constexpr std::size_t kVectorWords = 4;  // bitmap lengths are multiples of 256 bits

// Words needed for `bits` bits, rounded up so that vector code needs no tail.
inline std::size_t padded_words(std::uint64_t bits) {
  const std::size_t words = static_cast<std::size_t>((bits + kWordBits - 1) / kWordBits);
  return (words + kVectorWords - 1) / kVectorWords * kVectorWords;
}

class Words {
 public:
  Words() = default;
  explicit Words(std::size_t size) : size_(size) {
    if (size == 0) return;
    data_ = static_cast<Word*>(::operator new (size * sizeof(Word), std::align_val_t{kAlignment}));
  }
  Words(Words&& other) noexcept { swap(other); }
  Words& operator=(Words&& other) noexcept {
    swap(other);
    return *this;
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    if (data_ != nullptr) ::operator delete (data_, std::align_val_t{kAlignment});
  }

  static Words zeros(std::size_t size) {
    Words out(size);
    if (size > 0) std::memset(out.data_, 0, size * sizeof(Word));
    return out;
  }

  Word* data() { return data_; }
  const Word* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(Word); }

 private:
  void swap(Words& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  Word* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace privpc
