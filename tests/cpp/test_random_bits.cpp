// The stream cipher, entropy, and the random bits made of them.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "distribution_checks.h"
#include "privpc/base/chacha20.hpp"
#include "privpc/base/entropy.hpp"
#include "privpc/base/random_bits.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

std::string to_hex(const std::uint32_t* words, std::size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint32_t byte = (words[i / 4] >> (8 * (i % 4))) & 0xff;
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// The RFC's 96-bit nonce n0 n1 n2 and 32-bit counter in our division of the same four words.
ChaCha20 rfc_stream(const std::vector<int>& key_bytes, std::uint32_t counter, std::uint32_t n0,
                    std::uint32_t n1, std::uint32_t n2) {
  ChaChaKey key{};
  for (std::size_t i = 0; i < key_bytes.size(); ++i)
    key[i / 4] |= static_cast<std::uint32_t>(key_bytes[i]) << (8 * (i % 4));
  return ChaCha20(key, n1 | static_cast<std::uint64_t>(n2) << 32,
                  counter | static_cast<std::uint64_t>(n0) << 32);
}

std::string first_bytes(ChaCha20 stream, std::size_t bytes = 64) {
  ChaChaOutput out;
  stream.generate(out);
  return to_hex(out.data(), bytes);
}

std::vector<int> counted_key() {
  std::vector<int> key(32);
  for (int i = 0; i < 32; ++i)
    key[static_cast<std::size_t>(i)] = i;
  return key;
}

}  // namespace

TEST_CASE("ChaCha20 agrees with RFC 8439") {
  const std::vector<int> zero(32, 0);
  // Section 2.3.2
  CHECK(first_bytes(rfc_stream(counted_key(), 1, 0x09000000, 0x4a000000, 0)) ==
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
  // Appendix A.1, vectors 1 to 5
  CHECK(first_bytes(rfc_stream(zero, 0, 0, 0, 0)) ==
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
  CHECK(first_bytes(rfc_stream(zero, 1, 0, 0, 0)) ==
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f");
  std::vector<int> key = zero;
  key[31] = 1;
  CHECK(first_bytes(rfc_stream(key, 1, 0, 0, 0)) ==
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0");
  key = zero;
  key[1] = 0xff;
  CHECK(first_bytes(rfc_stream(key, 2, 0, 0, 0)) ==
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096");
  CHECK(first_bytes(rfc_stream(zero, 0, 0, 0, 0x02000000)) ==
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d");
}

TEST_CASE("ChaCha20 encrypts the text of RFC 8439, section 2.4.2") {
  const std::string text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
      "sunscreen would be it.";
  ChaCha20 stream = rfc_stream(counted_key(), 1, 0, 0x4a000000, 0);
  ChaChaOutput out;
  stream.generate(out);
  for (std::size_t i = 0; i < text.size(); ++i)
    out[i / 4] ^= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 4));
  CHECK(to_hex(out.data(), text.size()) ==
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
        "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
        "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d");
}

TEST_CASE("ChaCha20 counts its blocks in 64 bits and never starts again") {
  const ChaChaKey key{1, 2, 3, 4, 5, 6, 7, 8};
  // Eight blocks at once are eight single blocks, across the carry into the upper half too.
  for (const std::uint64_t start : {UINT64_C(0), UINT64_C(0xfffffffb), UINT64_C(0x1234fffffffd)}) {
    ChaChaOutput together, single;
    ChaCha20(key, 9, start).generate(together);
    for (std::uint64_t block = 0; block < kChaChaBlocks; ++block) {
      ChaCha20(key, 9, start + block).generate(single);
      CHECK(std::equal(single.begin(), single.begin() + kChaChaBlockWords,
                       together.begin() + static_cast<long>(block * kChaChaBlockWords)));
    }
  }
  ChaCha20 stream(key, 9);
  ChaChaOutput first, second, later;
  stream.generate(first);
  stream.generate(second);
  ChaCha20(key, 9, kChaChaBlocks).generate(later);
  CHECK(second == later);
  CHECK(first != second);

  ChaCha20 end(key, 9, ~UINT64_C(0) - kChaChaBlocks);
  CHECK_NOTHROW(end.generate(first));
  CHECK_THROWS_AS(end.generate(first), std::runtime_error);
}

TEST_CASE("ChaCha20 gives the same words with every set of instructions") {
  ChaChaState state;
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] = static_cast<std::uint32_t>(0x9e3779b9u * (i + 1));
  ChaChaOutput portable, chosen;
  for (const std::uint64_t counter : {UINT64_C(0), UINT64_C(0xfffffffc), UINT64_C(77)}) {
    chacha::set_counter(state, counter);
    chacha::generate_portable(state, portable);
    chacha::generate(state, chosen);
    CHECK(portable == chosen);
  }
}

#if !defined(_WIN32)
TEST_CASE("entropy is read to the last byte or refused") {
  unsigned char out[10] = {};
  int calls = 0;
  const auto in_pieces = [&calls](unsigned char* to, std::size_t size) -> long {
    if (++calls % 2 == 1) {
      errno = EINTR;
      return -1;
    }
    const std::size_t got = std::min<std::size_t>(size, 3);
    std::memset(to, calls, got);
    return static_cast<long>(got);
  };
  CHECK(fill_completely(out, sizeof(out), in_pieces));
  CHECK(calls == 8);
  CHECK(std::count(out, out + 10, 0) == 0);
  CHECK(out[9] == 8);

  const auto fails = [](unsigned char*, std::size_t) -> long {
    errno = EIO;
    return -1;
  };
  CHECK_FALSE(fill_completely(out, sizeof(out), fails));
  CHECK_FALSE(fill_completely(out, sizeof(out), [](unsigned char*, std::size_t) { return 0L; }));
  CHECK_FALSE(fill_completely(out, sizeof(out), [](unsigned char*, std::size_t) { return 99L; }));

  unsigned char from_device[32] = {}, again[32] = {};
  CHECK(fill_from_device(from_device, sizeof(from_device)));
  CHECK(fill_from_device(again, sizeof(again)));
  CHECK(std::memcmp(from_device, again, sizeof(again)) != 0);
}
#endif

TEST_CASE("entropy differs from call to call, and keys can be wiped") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    std::uint32_t words[8] = {};
    fill_from_entropy(words, sizeof(words));
    seen.insert(to_hex(words, sizeof(words)));
  }
  CHECK(seen.size() == 100);
  std::uint32_t secret[4] = {1, 2, 3, 4};
  wipe(secret, sizeof(secret));
  CHECK(std::count(secret, secret + 4, 0u) == 4);
}

TEST_CASE("random bits are moved, never copied") {
  static_assert(!std::is_copy_constructible<RandomBits>::value, "a copy repeats the noise");
  static_assert(!std::is_copy_assignable<RandomBits>::value, "a copy repeats the noise");
  static_assert(std::is_nothrow_move_constructible<RandomBits>::value, "");

  RandomBits expected = RandomBits::from_seed(5);
  RandomBits first = RandomBits::from_seed(5);
  CHECK(first.next() == expected.next());
  CHECK(first.coin() == expected.coin());
  RandomBits second = std::move(first);
  CHECK(second.coin() == expected.coin());
  CHECK(second.next() == expected.next());
  CHECK_THROWS_AS(first.next(), std::logic_error);
  CHECK_THROWS_AS(first.next_half(), std::logic_error);
  CHECK_THROWS_AS(first.coin(), std::logic_error);
  CHECK_THROWS_AS(first.below(6), std::logic_error);
  RandomBits third = RandomBits::from_seed(6);
  third = std::move(second);
  CHECK(third.next() == expected.next());
  CHECK_THROWS_AS(second.next(), std::logic_error);
}

TEST_CASE("a seed gives the documented stream, entropy a new one each time") {
  // key text, seed as nonce: the first 40 bytes are key and nonce of the stream.
  const std::string purpose = "privpc seeded stream not private";
  std::vector<int> bytes(purpose.begin(), purpose.end());
  const std::uint64_t seed = UINT64_C(0x0123456789abcdef);
  ChaCha20 expansion = rfc_stream(bytes, 0, 0, 0x89abcdef, 0x01234567);
  ChaChaOutput out;
  expansion.generate(out);
  ChaChaKey key;
  std::copy(out.begin(), out.begin() + 8, key.begin());
  ChaCha20 stream(key, out[8] | static_cast<std::uint64_t>(out[9]) << 32);
  RandomBits bits = RandomBits::from_seed(seed);
  CHECK(bits.reproducible());
  for (int refill = 0; refill < 3; ++refill) {
    stream.generate(out);
    for (std::size_t i = 0; i < out.size(); i += 2)
      CHECK(bits.next() == (out[i] | static_cast<std::uint64_t>(out[i + 1]) << 32));
  }

  std::set<std::uint64_t> seen;
  for (std::uint64_t s = 0; s < 200; ++s) {
    seen.insert(RandomBits::from_seed(s).next());
    seen.insert(RandomBits::from_seed(~s).next());
    RandomBits fresh = RandomBits::from_entropy();
    CHECK_FALSE(fresh.reproducible());
    seen.insert(fresh.next());
  }
  CHECK(seen.size() == 600);
}

TEST_CASE("words, halves and coins come in the order of the stream") {
  RandomBits words = RandomBits::from_seed(1), halves = RandomBits::from_seed(1);
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t low = halves.next_half(), high = halves.next_half();
    CHECK(words.next() == (low | high << 32));
  }
  // 127 of 128 halves used: the last one is skipped, the word comes from the next buffer.
  RandomBits odd = RandomBits::from_seed(2), even = RandomBits::from_seed(2);
  for (int i = 0; i < 127; ++i)
    odd.next_half();
  for (int i = 0; i < 64; ++i)
    even.next();
  CHECK(odd.next() == even.next());
  RandomBits coins = RandomBits::from_seed(3), word = RandomBits::from_seed(3);
  for (int i = 0; i < 10; ++i) {
    std::uint64_t built = 0;
    for (int bit = 0; bit < 64; ++bit)
      built |= static_cast<std::uint64_t>(coins.coin()) << bit;
    CHECK(built == word.next());
  }
}

TEST_CASE("every bit of a word is even and independent of its neighbour") {
  RandomBits bits = RandomBits::from_seed(11);
  const int n = 100000;
  std::vector<double> ones(64), equal(64);
  for (int i = 0; i < n; ++i) {
    const std::uint64_t word = bits.next();
    const std::uint64_t same = ~(word ^ (word << 1 | word >> 63));
    for (int bit = 0; bit < 64; ++bit) {
      ones[static_cast<std::size_t>(bit)] += static_cast<double>(word >> bit & 1);
      equal[static_cast<std::size_t>(bit)] += static_cast<double>(same >> bit & 1);
    }
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    rate_is(ones[bit], n, 0.5);
    rate_is(equal[bit], n, 0.5);
  }
}

TEST_CASE("wide products agree") {
  RandomBits bits = RandomBits::from_seed(4);
  std::vector<std::uint64_t> numbers = {0, 1, 2, 0xffffffff, 0x100000000, ~UINT64_C(0)};
  for (int i = 0; i < 30; ++i)
    numbers.push_back(bits.next() >> (i * 2));
  for (const std::uint64_t a : numbers) {
    for (const std::uint64_t b : numbers) {
      const auto wide = full_product(a, b), narrow = multiply_by_halves(a, b);
      CHECK(wide.high == narrow.high);
      CHECK(wide.low == narrow.low);
    }
  }
}

TEST_CASE("bounded integers are unbiased: all words of eight bits, all bounds") {
  // The very function behind below(), with words so short that all can be tried. A word is either
  // kept, and then for each result the same number of times, or drawn again.
  struct DrawnAgain {};
  bool fair = true;
  for (int bound = 1; bound < 256; ++bound) {
    std::vector<int> times(static_cast<std::size_t>(bound), 0);
    for (int word = 0; word < 256; ++word) {
      int calls = 0;
      const auto draw = [word, &calls]() -> std::uint8_t {
        if (++calls > 1) throw DrawnAgain();
        return static_cast<std::uint8_t>(word);
      };
      try {
        ++times.at(unbiased_below(static_cast<std::uint8_t>(bound), draw));
      } catch (const DrawnAgain&) {
      }
    }
    for (int count : times)
      fair = fair && count == 256 / bound;
  }
  CHECK(fair);
}

TEST_CASE("bounded integers are uniform for small, odd and huge bounds") {
  RandomBits bits = RandomBits::from_seed(12);
  CHECK_THROWS_AS(bits.below(0), std::invalid_argument);
  for (int i = 0; i < 100; ++i)
    CHECK(bits.below(1) == 0);
  // Bounds on both sides of the change from half to whole words; 3 * 2^62 throws every fourth
  // word away, which would otherwise favour one residue modulo 3. The range is cut into equal
  // cells.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> cases = {
      {2, 2},
      {3, 3},
      {10, 10},
      {97, 97},
      {UINT64_C(1) << 28, 16},
      {(UINT64_C(1) << 28) - 16, 16},
      {(UINT64_C(1) << 28) + 16, 16},
      {UINT64_C(3) << 62, 12},
      {~UINT64_C(0), 15},
      {(UINT64_C(1) << 63) + 4, 12}};
  for (const auto& [bound, cells] : cases) {
    std::vector<double> counts(cells), thirds(3), low(4);
    const int n = 120000;
    bool inside = true;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t draw = bits.below(bound);
      inside = inside && draw < bound;
      counts[std::min(cells - 1, draw / (bound / cells))] += 1;
      thirds[draw % 3] += 1;
      low[draw % 4] += 1;
    }
    INFO("bound " << bound);
    CHECK(inside);
    CHECK(chi_square_p(counts, std::vector<double>(cells, n / static_cast<double>(cells))) >
          kLevel);
    if (bound < 1000) continue;
    CHECK(chi_square_p(thirds, std::vector<double>(3, n / 3.0)) > kLevel);
    CHECK(chi_square_p(low, std::vector<double>(4, n / 4.0)) > kLevel);
  }
}

#if !defined(_WIN32)
namespace {

std::uint64_t sixty_coins(RandomBits& bits) {
  std::uint64_t coins = 0;
  for (int i = 0; i < 60; ++i)
    coins = coins << 1 | static_cast<std::uint64_t>(bits.coin());
  return coins;
}

// Words that a child of this process draws from its copy of the object. One is made of coins, the
// first or the last: either kind of draw may be the one that notices the fork.
std::vector<std::uint64_t> draw_in_child(RandomBits& bits, std::size_t words, bool coins_first) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::vector<std::uint64_t> out;
    if (coins_first) out.push_back(sixty_coins(bits));
    for (std::size_t i = 1; i < words; ++i)
      out.push_back(bits.next());
    if (!coins_first) out.push_back(sixty_coins(bits));
    const auto size = static_cast<ssize_t>(words * sizeof(std::uint64_t));
    ::_exit(::write(ends[1], out.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
  }
  ::close(ends[1]);
  std::vector<std::uint64_t> out(words);
  const bool read = fill_completely(
      reinterpret_cast<unsigned char*>(out.data()), words * sizeof(std::uint64_t),
      [&](unsigned char* to, std::size_t size) { return ::read(ends[0], to, size); });
  ::close(ends[0]);
  int status = 1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  REQUIRE(read);
  return out;
}

}  // namespace

TEST_CASE("a child of a fork does not repeat the noise of its parent") {
  RandomBits bits = RandomBits::from_entropy();
  bits.coin(), bits.next();  // both buffers are filled, and would be inherited
  std::set<std::uint64_t> seen;
  for (const bool coins_first : {true, false, true, false}) {
    for (const std::uint64_t word : draw_in_child(bits, 40, coins_first))
      seen.insert(word);
  }
  seen.insert(sixty_coins(bits));
  for (int i = 0; i < 39; ++i)
    seen.insert(bits.next());
  CHECK(seen.size() == 200);

  // A seed promises to repeat, in a child too: it is how this test knows that it could fail.
  RandomBits seeded = RandomBits::from_seed(1);
  seeded.coin(), seeded.next();
  CHECK(draw_in_child(seeded, 40, true) == draw_in_child(seeded, 40, true));
}
#endif
