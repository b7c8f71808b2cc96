// AVX2, POPCNT and BMI2 versions of the kernels, compiled for those instructions whatever the
// compiler flags are, and used only after the processor was asked (kernels.hpp).
#pragma once

#include "privpc/base/has_avx2.hpp"

#ifdef PRIVPC_HAS_AVX2

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "privpc/base/words.hpp"

#define PRIVPC_AVX2 __attribute__((target("avx2,popcnt,bmi,bmi2")))

namespace privpc {
namespace avx2 {

inline bool supported() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

// PEXT is microcoded and slow on AMD's Zen 1 and Zen 2.
inline bool pext_is_fast() {
  return !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

// Set bits of each byte by two 16-entry look-ups, summed to four 64-bit lanes
// (Mula, Kurz, Lemire 2018, "Faster population counts using AVX2 instructions").
PRIVPC_AVX2 inline __m256i lane_popcount(__m256i v) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                         1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(0x0F);
  const __m256i sum =
      _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                      _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
  return _mm256_sad_epu8(sum, _mm256_setzero_si256());
}

// Full adder on 256 one-bit columns: a + b + c = 2 * high + low.
PRIVPC_AVX2 inline void carry_save(__m256i& high, __m256i& low, __m256i a, __m256i b, __m256i c) {
  const __m256i u = _mm256_xor_si256(a, b);
  high = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, c));
  low = _mm256_xor_si256(u, c);
}

PRIVPC_AVX2 inline std::uint64_t sum_lanes(__m256i v) {
  return static_cast<std::uint64_t>(_mm256_extract_epi64(v, 0)) +
         static_cast<std::uint64_t>(_mm256_extract_epi64(v, 1)) +
         static_cast<std::uint64_t>(_mm256_extract_epi64(v, 2)) +
         static_cast<std::uint64_t>(_mm256_extract_epi64(v, 3));
}

struct One {
  const Word* a;
  PRIVPC_AVX2 __m256i operator()(std::size_t i) const {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
  }
};

struct Both {
  const Word* a;
  const Word* b;
  PRIVPC_AVX2 __m256i operator()(std::size_t i) const {
    return _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i)),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + i)));
  }
};

// Harley-Seal: eight vectors go through a tree of full adders before bits are counted.
template <class Load>
PRIVPC_AVX2 inline std::uint64_t count_bits(const Load& load, std::size_t words) {
  __m256i total = _mm256_setzero_si256();
  std::size_t i = 0;
  if (words >= 8 * kVectorWords) {
    __m256i ones = _mm256_setzero_si256(), twos = ones, fours = ones, eights_total = ones;
    for (; i + 8 * kVectorWords <= words; i += 8 * kVectorWords) {
      __m256i twos_a, twos_b, fours_a, fours_b, eights;
      carry_save(twos_a, ones, ones, load(i), load(i + 4));
      carry_save(twos_b, ones, ones, load(i + 8), load(i + 12));
      carry_save(fours_a, twos, twos, twos_a, twos_b);
      carry_save(twos_a, ones, ones, load(i + 16), load(i + 20));
      carry_save(twos_b, ones, ones, load(i + 24), load(i + 28));
      carry_save(fours_b, twos, twos, twos_a, twos_b);
      carry_save(eights, fours, fours, fours_a, fours_b);
      eights_total = _mm256_add_epi64(eights_total, lane_popcount(eights));
    }
    total = _mm256_slli_epi64(eights_total, 3);
    total = _mm256_add_epi64(total, _mm256_slli_epi64(lane_popcount(fours), 2));
    total = _mm256_add_epi64(total, _mm256_slli_epi64(lane_popcount(twos), 1));
    total = _mm256_add_epi64(total, lane_popcount(ones));
  }
  for (; i < words; i += kVectorWords)
    total = _mm256_add_epi64(total, lane_popcount(load(i)));
  return sum_lanes(total);
}

PRIVPC_AVX2 inline std::uint64_t popcount(const Word* a, std::size_t words) {
  return count_bits(One{a}, words);
}

PRIVPC_AVX2 inline std::uint64_t and_popcount(const Word* a, const Word* b, std::size_t words) {
  return count_bits(Both{a, b}, words);
}

PRIVPC_AVX2 inline bool and_into(Word* out, const Word* a, const Word* b, std::size_t words) {
  const Both both{a, b};
  __m256i any = _mm256_setzero_si256();
  for (std::size_t i = 0; i < words; i += kVectorWords) {
    const __m256i v = both(i);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), v);
    any = _mm256_or_si256(any, v);
  }
  return _mm256_testz_si256(any, any) == 0;
}

// 32 codes as 32 signed bytes. Saturation keeps everything outside -128..127 away from the
// levels 1..64, so NA and out-of-range codes match nothing.
PRIVPC_AVX2 inline __m256i narrow_codes(const std::int32_t* codes) {
  const __m256i* in = reinterpret_cast<const __m256i*>(codes);
  const __m256i ab = _mm256_packs_epi32(_mm256_loadu_si256(in), _mm256_loadu_si256(in + 1));
  const __m256i cd = _mm256_packs_epi32(_mm256_loadu_si256(in + 2), _mm256_loadu_si256(in + 3));
  // Both packs work inside 128-bit halves; the permutation restores the row order.
  return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(ab, cd),
                                     _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

PRIVPC_AVX2 inline void pack_word(const std::int32_t* codes, std::uint32_t levels,
                                  Word* const* bitmaps, std::size_t w) {
  const __m256i first = narrow_codes(codes);
  const __m256i second = narrow_codes(codes + 32);
  for (std::uint32_t l = 0; l < levels; ++l) {
    const __m256i level = _mm256_set1_epi8(static_cast<char>(l + 1));
    const std::uint32_t a =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, level)));
    const std::uint32_t b =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, level)));
    bitmaps[l][w] = (static_cast<Word>(b) << 32) | a;
  }
}

PRIVPC_AVX2 inline void pack_levels(const std::int32_t* codes, std::size_t n, std::uint32_t levels,
                                    Word* const* bitmaps) {
  const std::size_t whole = n / kWordBits;
  for (std::size_t w = 0; w < whole; ++w)
    pack_word(codes + w * kWordBits, levels, bitmaps, w);
  const std::size_t words = padded_words(n);
  std::int32_t rest[kWordBits];
  for (std::size_t w = whole; w < words; ++w) {
    std::memset(rest, 0, sizeof rest);
    const std::size_t begin = w * kWordBits;
    if (begin < n) std::memcpy(rest, codes + begin, (n - begin) * sizeof(std::int32_t));
    pack_word(rest, levels, bitmaps, w);
  }
}

PRIVPC_AVX2 inline void compress(const Word* mask, std::size_t words, const Word* const* sources,
                                 Word* const* outputs, std::size_t count) {
  for (std::size_t s = 0; s < count; ++s) {
    const Word* source = sources[s];
    Word* out = outputs[s];
    Word filling = 0;
    Word filled = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const Word bits = _pext_u64(source[w], mask[w]);
      const Word total = filled + static_cast<Word>(_mm_popcnt_u64(mask[w]));
      const Word full = total / kWordBits;  // 0 or 1; no branch, it could not be predicted
      filling |= bits << filled;
      *out = filling;
      // What did not fit, 0 if all did; the double shift makes a shift by 64 harmless.
      const Word spill = (bits >> 1) >> (63 - filled);
      filling = (filling & (full - 1)) | spill;
      out += full;
      filled = total % kWordBits;
    }
    *out = filling;
  }
}

inline const Kernels& kernels() {
  static const Kernels chosen{"avx2",       popcount,
                              and_popcount, and_into,
                              pack_levels,  pext_is_fast() ? compress : portable::compress};
  return chosen;
}

}  // namespace avx2
}  // namespace privpc

#undef PRIVPC_AVX2
#endif
