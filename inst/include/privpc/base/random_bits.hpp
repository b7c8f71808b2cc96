// Uniform random bits, the raw material of all privacy noise.
//
// RandomBits::from_entropy() takes a key from the operating system and stretches it with
// ChaCha20. RandomBits::from_seed() is for tests and teaching: whoever knows the seed knows the
// noise, so nothing made with it is private, and reproducible() says so.
//
// An object belongs to one thread. It can be moved but not copied: a copy would draw the same
// noise again, and noise used twice cancels. For the same reason the child of a fork(), which is a
// copy of everything, takes a new key before its first draw.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>

#if !defined(_WIN32)
#include <pthread.h>
#include <unistd.h>
#endif

#include "privpc/base/chacha20.hpp"
#include "privpc/base/entropy.hpp"

namespace privpc {

// Counts the forks that lie between the first process and this one. The C library calls the
// handler in the child, before fork() returns there; looking at the counter costs one load, so
// it is done for every draw, and words that were made before the fork are never handed out
// after it. (Asking for the process id instead is a system call.)
class ForkCounter {
 public:
  static std::uint64_t value() { return count_.load(std::memory_order_relaxed); }

  static void start() {
#if !defined(_WIN32)
    static const int refused = ::pthread_atfork(nullptr, nullptr, &ForkCounter::in_child);
    if (refused != 0) throw std::runtime_error("cannot watch for forks of this process");
#endif
  }

 private:
  static void in_child() {
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  inline static std::atomic<std::uint64_t> count_{0};
};

// A second look, once per refill: also a child that was made without the C library has another
// process id.
inline std::uint64_t process_id() {
#if defined(_WIN32)
  return 0;
#else
  return static_cast<std::uint64_t>(::getpid());
#endif
}

// a * b = high * W + low, W being the number of values of the type.
template <class Word>
struct FullProduct {
  Word high, low;
};

// Without a 128-bit type: four products of halves, none of which can overflow, since
// (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
inline FullProduct<std::uint64_t> multiply_by_halves(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t low_half = 0xffffffff;
  const std::uint64_t low = (a & low_half) * (b & low_half);
  const std::uint64_t first = (a >> 32) * (b & low_half) + (low >> 32);
  const std::uint64_t second = (a & low_half) * (b >> 32) + (first & low_half);
  return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), a * b};
}

template <class Word>
FullProduct<Word> full_product(Word a, Word b) {
  if constexpr (sizeof(Word) < sizeof(std::uint64_t)) {
    const std::uint64_t product = static_cast<std::uint64_t>(a) * b;
    return {static_cast<Word>(product >> (8 * sizeof(Word))), static_cast<Word>(product)};
  } else {
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 Doubled;
    const Doubled product = static_cast<Doubled>(a) * b;
    return {static_cast<Word>(product >> 64), static_cast<Word>(product)};
#else
    return multiply_by_halves(a, b);
#endif
  }
}

// Uniform on 0, ..., bound - 1 from uniform words, without bias (Lemire 2019, "Fast random integer
// generation in an interval"). Proof: the product of a word and the bound is high * W + low, with
// `high` in 0..bound-1. The words that give a certain `high` are those whose products lie in an
// interval of length W; those with low >= W mod bound, which alone are kept, in an interval of
// length W - W mod bound. Products are `bound` apart, and that length is a multiple of the bound:
// there are exactly floor(W / bound) of them, for every `high`. (The remainder is less than the
// bound, so it has to be known only if `low` is.) Tests go through all words of eight bits.
template <class Word, class Draw>
PRIVPC_INLINE Word unbiased_below(Word bound, Draw&& draw) {
  FullProduct<Word> product = full_product(draw(), bound);
  if (product.low < bound) {
    const Word minus_bound = static_cast<Word>(0 - bound);  // W - bound
    const Word remainder = static_cast<Word>(minus_bound % bound);
    while (product.low < remainder)
      product = full_product(draw(), bound);
  }
  return product.high;
}

class RandomBits {
 public:
  static RandomBits from_entropy() {
    ForkCounter::start();
    return RandomBits(fresh_stream(), false);
  }

  // The key is the first half of one ChaCha20 block. Its own key is a text that serves nothing else
  // (32 bytes, little-endian words), and the seed is its nonce: different seeds give streams that
  // are unrelated as far as anybody knows.
  static RandomBits from_seed(std::uint64_t seed) {
    constexpr char purpose[] = "privpc seeded stream not private";
    static_assert(sizeof(purpose) == 33, "a key has 32 bytes");
    ChaChaKey key{};
    for (std::size_t i = 0; i < 32; ++i)
      key[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(purpose[i]))
                    << (8 * (i % 4));
    ChaChaOutput block;
    ChaCha20(key, seed).generate(block);
    return RandomBits(stream_of(block), true);
  }

  // What was moved from keeps no key and refuses to draw.
  RandomBits(RandomBits&& other) noexcept : m_(other.m_) { other.forget(); }
  RandomBits& operator=(RandomBits&& other) noexcept {
    if (this == &other) return *this;
    m_ = other.m_;
    other.forget();
    return *this;
  }
  RandomBits(const RandomBits&) = delete;
  RandomBits& operator=(const RandomBits&) = delete;
  ~RandomBits() { forget(); }

  // True if the bits come from a seed: then nothing made from them is private.
  bool reproducible() const { return m_.reproducible; }

  // 32 and 64 uniform bits. An odd half at the end of the buffer is left unused: which one that
  // is depends on earlier words alone, so the others stay uniform.
  std::uint32_t next_half() {
    if (m_.position >= kWords || forked()) refill();
    return m_.words[m_.position++];
  }
  std::uint64_t next() {
    if (m_.position >= kWords - 1 || forked()) refill();
    const std::uint64_t low = m_.words[m_.position], high = m_.words[m_.position + 1];
    m_.position += 2;
    return low | high << 32;
  }

  // Uniform on 0, ..., bound - 1. Half a word is enough for small bounds, where it is thrown away
  // once in 16 times at most.
  std::uint64_t below(std::uint64_t bound) {
    if (bound > kSmallBound) return unbiased_below(bound, [this] { return next(); });
    if (bound == 0) throw std::invalid_argument("there is no number below zero to draw");
    return unbiased_below(static_cast<std::uint32_t>(bound), [this] { return next_half(); });
  }

  // One uniform bit.
  bool coin() {
    if (m_.coins_left == 0 || forked()) {
      m_.coins = next();
      m_.coins_left = 64;
    }
    const bool heads = (m_.coins & 1) != 0;
    m_.coins >>= 1;
    --m_.coins_left;
    return heads;
  }

 private:
  struct Memory {
    ChaCha20 stream;
    bool reproducible;
    std::uint64_t forks = ForkCounter::value();
    std::uint64_t process = process_id();
    ChaChaOutput words{};
    std::size_t position = kWords;
    std::uint64_t coins = 0;
    int coins_left = 0;
    bool empty = false;
  };
  static constexpr std::size_t kWords = std::tuple_size<ChaChaOutput>::value;
  static constexpr std::uint64_t kSmallBound = UINT64_C(1) << 28;

  RandomBits(const ChaCha20& stream, bool reproducible) : m_{stream, reproducible} {}

  // Key and nonce from ten words, which are wiped.
  template <std::size_t size>
  static ChaCha20 stream_of(std::array<std::uint32_t, size>& words) {
    static_assert(size >= 10, "256 bits of key and 64 of nonce");
    ChaChaKey key;
    std::copy(words.begin(), words.begin() + key.size(), key.begin());
    const ChaCha20 stream(key, words[8] | static_cast<std::uint64_t>(words[9]) << 32);
    wipe(key.data(), sizeof(key));
    wipe(words.data(), sizeof(words));
    return stream;
  }

  static ChaCha20 fresh_stream() {
    std::array<std::uint32_t, 10> words;
    fill_from_entropy(words.data(), sizeof(words));
    return stream_of(words);
  }

  // A seeded stream is meant to repeat, in a child too.
  bool forked() const { return m_.forks != ForkCounter::value() && !m_.reproducible; }

  // Out of line, so that the draws themselves stay small and are inlined.
  __attribute__((noinline)) void refill() {
    if (m_.empty) throw std::logic_error("these random bits were moved to another place");
    if (!m_.reproducible && (forked() || m_.process != process_id())) {
      m_.coins_left = 0;
      m_.position = kWords;
      m_.stream = fresh_stream();  // if it throws, the next draw comes here again
      m_.forks = ForkCounter::value();
      m_.process = process_id();
    }
    m_.stream.generate(m_.words);
    m_.position = 0;
  }

  void forget() noexcept {
    m_.stream.forget();
    wipe(m_.words.data(), sizeof(m_.words));
    wipe(&m_.coins, sizeof(m_.coins));
    m_.position = kWords;
    m_.coins_left = 0;
    m_.empty = true;
  }

  Memory m_;
};

}  // namespace privpc
