// The few inner loops that touch bitmaps, chosen once at run time.
//
// The portable versions are plain C++ and run everywhere; on x86-64 the AVX2 versions of
// kernels_avx2.hpp are taken when the processor has them. All of them work on integers and give
// the same bits, so the choice can never change a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "privpc/base/words.hpp"

namespace privpc {

// Codes are those of an R factor: 1..levels; anything else (NA is INT_MIN) sets no bit.
struct Kernels {
  const char* name;
  // Number of set bits. `words` is a multiple of kVectorWords in these first three.
  std::uint64_t (*popcount)(const Word* a, std::size_t words);
  std::uint64_t (*and_popcount)(const Word* a, const Word* b, std::size_t words);
  // out = a & b; returns whether any bit is set.
  bool (*and_into)(Word* out, const Word* a, const Word* b, std::size_t words);
  // One bitmap per level from n codes; levels <= kMaxBitmapLevels; bits past n are zero.
  void (*pack_levels)(const std::int32_t* codes, std::size_t n, std::uint32_t levels,
                      Word* const* bitmaps);
  // The bits of `count` sources at the rows set in `mask`, packed densely into the outputs.
  // Outputs have room for the set bits of the mask plus one word.
  void (*compress)(const Word* mask, std::size_t words, const Word* const* sources,
                   Word* const* outputs, std::size_t count);
};

// Bitmaps serve variables of few levels; pack_levels compares signed bytes.
inline constexpr std::uint32_t kMaxBitmapLevels = 64;

namespace portable {

// Bits set in one word without a popcount instruction (the libgcc call is a table look-up and
// several times slower): the classic sum of bits in pairs, nibbles, bytes.
inline std::uint64_t popcount_word(Word w) {
  w -= (w >> 1) & 0x5555555555555555ull;
  w = (w & 0x3333333333333333ull) + ((w >> 2) & 0x3333333333333333ull);
  w = (w + (w >> 4)) & 0x0F0F0F0F0F0F0F0Full;
  return (w * 0x0101010101010101ull) >> 56;
}

inline std::uint64_t popcount(const Word* a, std::size_t words) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < words; ++i)
    total += popcount_word(a[i]);
  return total;
}

inline std::uint64_t and_popcount(const Word* a, const Word* b, std::size_t words) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < words; ++i)
    total += popcount_word(a[i] & b[i]);
  return total;
}

inline bool and_into(Word* out, const Word* a, const Word* b, std::size_t words) {
  Word any = 0;
  for (std::size_t i = 0; i < words; ++i)
    any |= out[i] = a[i] & b[i];
  return any != 0;
}

inline void pack_levels(const std::int32_t* codes, std::size_t n, std::uint32_t levels,
                        Word* const* bitmaps) {
  const std::size_t words = padded_words(n);
  for (std::size_t w = 0; w < words; ++w) {
    std::array<Word, kMaxBitmapLevels> bits{};
    const std::size_t begin = w * kWordBits;
    const std::size_t end = begin + kWordBits < n ? begin + kWordBits : n;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t level = static_cast<std::uint32_t>(codes[i]) - 1u;
      if (level < levels) bits[level] |= Word{1} << (i - begin);
    }
    for (std::uint32_t l = 0; l < levels; ++l)
      bitmaps[l][w] = bits[l];
  }
}

// Index of the lowest set bit of a word that has one.
inline unsigned lowest_bit(Word w) {
#if defined(__GNUC__)
  return static_cast<unsigned>(__builtin_ctzll(w));
#else
  unsigned i = 0;
  while (((w >> i) & 1) == 0)
    ++i;
  return i;
#endif
}

inline void compress(const Word* mask, std::size_t words, const Word* const* sources,
                     Word* const* outputs, std::size_t count) {
  for (std::size_t s = 0; s < count; ++s) {
    const Word* source = sources[s];
    Word* out = outputs[s];
    Word filling = 0;
    unsigned filled = 0;
    for (std::size_t w = 0; w < words; ++w) {
      for (Word m = mask[w]; m != 0; m &= m - 1) {
        filling |= ((source[w] >> lowest_bit(m)) & 1) << filled;
        if (++filled == kWordBits) {
          *out++ = filling;
          filling = 0;
          filled = 0;
        }
      }
    }
    *out = filling;
  }
}

inline const Kernels kernels{"portable", popcount, and_popcount, and_into, pack_levels, compress};

}  // namespace portable
}  // namespace privpc

#include "privpc/base/kernels_avx2.hpp"

namespace privpc {

inline const Kernels& best_kernels() {
#ifdef PRIVPC_HAS_AVX2
  static const bool fast = avx2::supported();
  if (fast) return avx2::kernels();
#endif
  return portable::kernels;
}

inline const Kernels& choose_kernels(bool force_portable) {
  return force_portable ? portable::kernels : best_kernels();
}

}  // namespace privpc
