// The random source of the simulator: small, fast, the same on every machine.
//
// It is NOT a source of privacy noise: its output can be predicted from a few draws. It only
// makes benchmark data.
//
// SplitMix64: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators",
// OOPSLA; constants of the variant by Vigna. xoshiro256++: Blackman and Vigna (2021), "Scrambled
// linear pseudorandom number generators", ACM Transactions on Mathematical Software 47(4).
#pragma once

#include <array>
#include <cstdint>

namespace privpc {

// The output function of SplitMix64: a bijection of the 64-bit integers that spreads small
// differences over all bits.
inline std::uint64_t splitmix64_mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

// A counter with an odd step (2^64 divided by the golden ratio), sent through the mix.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t state) : state_(state) {}

  std::uint64_t next() {
    state_ += step;
    return splitmix64_mix(state_);
  }

  // As if next() had been called `count` times.
  void skip(std::uint64_t count) { state_ += count * step; }

 private:
  static constexpr std::uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  std::uint64_t state_;
};

class Xoshiro256 {
 public:
  explicit Xoshiro256(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  std::uint64_t next() {
    const std::uint64_t result = rotate_left(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::array<std::uint64_t, 4> state_;
};

// Generator number `stream` of a seed. All streams of one seed take their four words of state
// from disjoint stretches of one SplitMix64 sequence, so they can be made in any order, by any
// thread. SplitMix64 does not repeat a value within its period, so no state is all zeros (the
// one state from which xoshiro cannot leave). The seed itself is mixed first: otherwise the
// sequences of neighbouring seeds would be shifted copies of one another.
inline Xoshiro256 simulation_stream(std::uint64_t seed, std::uint64_t stream) {
  SplitMix64 source(splitmix64_mix(seed));
  source.skip(4 * stream);
  std::array<std::uint64_t, 4> state;
  for (std::uint64_t& word : state)
    word = source.next();
  return Xoshiro256(state);
}

}  // namespace privpc
