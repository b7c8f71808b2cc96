// The ChaCha20 stream cipher, used as a generator: Bernstein (2008), "ChaCha, a variant of
// Salsa20"; test vectors in RFC 8439 (Nir and Langley 2018).
//
// The state is sixteen words of 32 bits: four constants, eight of key, then the block counter and
// the nonce. Here the counter has 64 bits and the nonce 64, as in Bernstein's paper; RFC 8439
// moves 32 of them from the counter to the nonce. The block function is the same for both, and
// the counter cannot run out: 2^64 blocks are 10^21 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "privpc/base/entropy.hpp"
#include "privpc/base/has_avx2.hpp"

namespace privpc {

using ChaChaState = std::array<std::uint32_t, 16>;
using ChaChaKey = std::array<std::uint32_t, 8>;

// Keystream made at once. Eight blocks fill one AVX2 register for each word of the state.
inline constexpr std::size_t kChaChaBlocks = 8;
inline constexpr std::size_t kChaChaBlockWords = 16;
using ChaChaOutput = std::array<std::uint32_t, kChaChaBlocks * kChaChaBlockWords>;

namespace chacha {

// Several blocks are computed side by side, one in each lane of a vector. GCC and Clang turn
// these types into the vector instructions of the target, or into plain code if it has none.
struct FourLanes {
  static constexpr std::size_t count = 4;
  typedef std::uint32_t Type __attribute__((vector_size(16)));
};
struct EightLanes {
  static constexpr std::size_t count = 8;
  typedef std::uint32_t Type __attribute__((vector_size(32)));
};

#define PRIVPC_INLINE inline __attribute__((always_inline))

template <int bits, class Vector>
PRIVPC_INLINE void rotate_left(Vector& x) {
  x = (x << bits) | (x >> (32 - bits));
}

template <class Vector>
PRIVPC_INLINE void quarter_round(Vector& a, Vector& b, Vector& c, Vector& d) {
  a += b, d ^= a, rotate_left<16>(d);
  c += d, b ^= c, rotate_left<12>(b);
  a += b, d ^= a, rotate_left<8>(d);
  c += d, b ^= c, rotate_left<7>(b);
}

inline std::uint64_t counter_of(const ChaChaState& state) {
  return state[12] | (static_cast<std::uint64_t>(state[13]) << 32);
}

inline void set_counter(ChaChaState& state, std::uint64_t counter) {
  state[12] = static_cast<std::uint32_t>(counter);
  state[13] = static_cast<std::uint32_t>(counter >> 32);
}

// Lanes::count blocks, the first with the given counter. The words are those of RFC 8439, whose
// bytes are the words in little-endian order.
template <class Lanes>
PRIVPC_INLINE void blocks(const ChaChaState& state, std::uint64_t counter, std::uint32_t* out) {
  using Vector = typename Lanes::Type;
  constexpr std::size_t lanes = Lanes::count;
  Vector start[16], x[16];
  for (std::size_t i = 0; i < 16; ++i)
    start[i] = Vector{} + state[i];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    start[12][lane] = static_cast<std::uint32_t>(counter + lane);
    start[13][lane] = static_cast<std::uint32_t>((counter + lane) >> 32);
  }
  for (std::size_t i = 0; i < 16; ++i)
    x[i] = start[i];
  for (int round = 0; round < 10; ++round) {
    // Written out, so that the words stay in registers at -O2: first the columns ...
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    // ... then the diagonals.
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  for (std::size_t i = 0; i < 16; ++i) {
    x[i] += start[i];
    for (std::size_t lane = 0; lane < lanes; ++lane)
      out[lane * kChaChaBlockWords + i] = x[i][lane];
  }
}

// The same words whichever of the two makes them (and tests hold them to it).
inline void generate_portable(const ChaChaState& state, ChaChaOutput& out) {
  constexpr std::size_t half = FourLanes::count;
  const std::uint64_t counter = counter_of(state);
  blocks<FourLanes>(state, counter, out.data());
  blocks<FourLanes>(state, counter + half, out.data() + half * kChaChaBlockWords);
}

#ifdef PRIVPC_HAS_AVX2
__attribute__((target("avx2"))) inline void generate_avx2(const ChaChaState& state,
                                                          ChaChaOutput& out) {
  blocks<EightLanes>(state, counter_of(state), out.data());
}
inline bool has_avx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}
#endif

inline void generate(const ChaChaState& state, ChaChaOutput& out) {
#ifdef PRIVPC_HAS_AVX2
  static const bool fast = has_avx2();
  if (fast) return generate_avx2(state, out);
#endif
  generate_portable(state, out);
}

}  // namespace chacha

// The keystream of one key and nonce, eight blocks at a time.
class ChaCha20 {
 public:
  ChaCha20(const ChaChaKey& key, std::uint64_t nonce, std::uint64_t counter = 0)
      // "expand 32-byte k"
      : state_{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574} {
    for (std::size_t i = 0; i < key.size(); ++i)
      state_[4 + i] = key[i];
    state_[14] = static_cast<std::uint32_t>(nonce);
    state_[15] = static_cast<std::uint32_t>(nonce >> 32);
    chacha::set_counter(state_, counter);
  }
  ChaCha20(const ChaCha20&) = default;
  ChaCha20& operator=(const ChaCha20&) = default;
  ~ChaCha20() { forget(); }

  // The next eight blocks. A counter that starts again would repeat the stream: refused, although
  // no machine will ever get there.
  void generate(ChaChaOutput& out) {
    const std::uint64_t counter = chacha::counter_of(state_);
    if (counter > std::numeric_limits<std::uint64_t>::max() - kChaChaBlocks) {
      throw std::runtime_error("the random stream is used up");
    }
    chacha::generate(state_, out);
    chacha::set_counter(state_, counter + kChaChaBlocks);
  }

  void forget() noexcept { wipe(state_.data(), sizeof(state_)); }

 private:
  ChaChaState state_;
};

}  // namespace privpc
