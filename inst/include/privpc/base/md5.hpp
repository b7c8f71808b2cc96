// MD5 (RFC 1321): the one hash that nearly every data base has, so that a rule which picks records
// by a hash picks the same ones in R and in an engine (counts/kept_records.hpp). It keeps no
// secret, and nothing rests on its strength: it only has to look random.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace privpc {

class Md5 {
 public:
  // 32 hexadecimal digits.
  static std::string hex(std::string_view text) {
    Md5 hash;
    std::size_t at = 0;
    for (; at + 64 <= text.size(); at += 64)
      hash.mix(reinterpret_cast<const unsigned char*>(text.data()) + at);
    // What is left, a bit that is set, zeros, and the length in bits: one block or two.
    std::array<unsigned char, 128> tail{};
    const std::size_t left = text.size() - at;
    for (std::size_t i = 0; i < left; ++i)
      tail[i] = static_cast<unsigned char>(text[at + i]);
    tail[left] = 0x80;
    const std::size_t size = left < 56 ? 64 : 128;
    const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
    for (std::size_t i = 0; i < 8; ++i)
      tail[size - 8 + i] = static_cast<unsigned char>(bits >> (8 * i));
    for (std::size_t block = 0; block < size; block += 64)
      hash.mix(tail.data() + block);
    std::string out;
    for (const std::uint32_t word : hash.state_) {
      for (int shift = 0; shift < 32; shift += 8) {
        out += "0123456789abcdef"[(word >> (shift + 4)) & 15U];
        out += "0123456789abcdef"[(word >> shift) & 15U];
      }
    }
    return out;
  }

 private:
  static std::uint32_t turn(std::uint32_t word, std::uint32_t by) {
    return (word << by) | (word >> (32 - by));
  }

  // The whole part of 2^32 |sin(i)|, i = 1 ... 64 in radians.
  static const std::array<std::uint32_t, 64>& sines() {
    static const std::array<std::uint32_t, 64> table = [] {
      std::array<std::uint32_t, 64> out{};
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double sine = std::fabs(std::sin(static_cast<double>(i + 1)));
        out[i] = static_cast<std::uint32_t>(std::ldexp(sine, 32));
      }
      return out;
    }();
    return table;
  }

  void mix(const unsigned char* block) {
    static constexpr std::uint32_t turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static constexpr std::size_t steps[4] = {1, 5, 3, 7}, starts[4] = {0, 1, 5, 0};
    std::array<std::uint32_t, 16> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const unsigned char* at = block + 4 * i;
      words[i] = static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
                 static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24;
    }
    auto [a, b, c, d] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::size_t round = i / 16;
      const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                  : round == 1 ? (b & d) | (c & ~d)
                                  : round == 2 ? b ^ c ^ d
                                               : c ^ (b | ~d);
      const std::uint32_t word = words[(starts[round] + steps[round] * (i % 16)) % 16];
      const std::uint32_t next = b + turn(a + mixed + word + sines()[i], turns[round][i % 4]);
      a = d;
      d = c;
      c = b;
      b = next;
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
  }

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

}  // namespace privpc
