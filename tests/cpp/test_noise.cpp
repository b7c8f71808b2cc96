// Random bits and the exact samplers of noise.
//
// Distribution tests use fixed seeds, so they give the same answer every time. Were the seeds
// drawn anew, one of them would raise a false alarm with probability 1e-6 at most: each of the
// fewer than 1000 comparisons is made at the level 1e-9.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "privpc/privacy/chacha20.hpp"
#include "privpc/privacy/entropy.hpp"
#include "privpc/privacy/random_bits.hpp"
#include "privpc/privacy/samplers.hpp"
#include "privpc/statistic/distributions.hpp"

using namespace privpc;

namespace {

constexpr double kLevel = 1e-9;

// ---- helpers for the cipher ----

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

// ---- helpers for distributions ----

double normal_upper(double z) {
  return std::erfc(z / std::sqrt(2.0)) / 2;
}

bool rate_is(double successes, double trials, double p) {
  const double z = (successes - trials * p) / std::sqrt(trials * p * (1 - p));
  INFO("share " << successes / trials << ", expected " << p << ", z = " << z);
  CHECK(normal_two_sided(z) > kLevel);
  return normal_two_sided(z) > kLevel;
}

double chi_square_p(const std::vector<double>& counts, const std::vector<double>& expected) {
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    statistic += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  return chi_square_upper(statistic, static_cast<double>(counts.size() - 1));
}

struct Distribution {
  std::map<std::int64_t, double> mass;
  double mean_square = 0, mean_fourth = 0;
};

// weight(x) = log of the mass up to a constant; summed until nothing is left.
template <class LogWeight>
Distribution symmetric_distribution(LogWeight log_weight) {
  Distribution out;
  double sum = 0;
  for (std::int64_t x = 0; x == 0 || log_weight(x) > -80; ++x) {
    const double w = std::exp(log_weight(x));
    out.mass[x] = out.mass[-x] = w;
    sum += x == 0 ? w : 2 * w;
  }
  for (auto& [x, w] : out.mass) {
    w /= sum;
    const double square = static_cast<double>(x) * static_cast<double>(x);
    out.mean_square += w * square;
    out.mean_fourth += w * square * square;
  }
  return out;
}

Distribution laplace_masses(double scale) {
  return symmetric_distribution(
      [scale](std::int64_t x) { return -static_cast<double>(x) / scale; });
}

Distribution gaussian_masses(double sigma) {
  return symmetric_distribution([sigma](std::int64_t x) {
    return -static_cast<double>(x) * static_cast<double>(x) / (2 * sigma * sigma);
  });
}

// Chi-square over the cells that expect at least 20 draws, the two tails as cells of their own;
// mass at zero, symmetry, mean, variance, and the log-ratio of neighbouring masses.
template <class Draw>
void check_draws(const Distribution& exact, std::int64_t draws, Draw draw) {
  const double n = static_cast<double>(draws);
  std::map<std::int64_t, double> seen;
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < draws; ++i) {
    const std::int64_t x = draw();
    seen[x] += 1;
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  std::int64_t last = 0;
  while (exact.mass.count(last + 1) > 0 && exact.mass.at(last + 1) * n >= 20)
    ++last;
  std::vector<double> counts(2), expected(2);  // the tails come first
  for (const auto& [x, mass] : exact.mass) {
    if (std::abs(x) > last) expected[x > 0 ? 1 : 0] += n * mass;
  }
  for (const auto& [x, count] : seen) {
    if (std::abs(x) > last) counts[x > 0 ? 1 : 0] += count;
  }
  if (expected[0] < 5) {  // too thin for a cell; a crowd there is still noticed
    CHECK(counts[0] + counts[1] < 60);
    counts.clear(), expected.clear();
  }
  for (std::int64_t x = -last; x <= last; ++x) {
    counts.push_back(seen[x]);
    expected.push_back(n * exact.mass.at(x));
  }
  CHECK(chi_square_p(counts, expected) > kLevel);
  rate_is(seen[0], n, exact.mass.at(0));
  CHECK(normal_two_sided(sum / std::sqrt(n * exact.mean_square)) > kLevel);
  const double spread = exact.mean_fourth - exact.mean_square * exact.mean_square;
  CHECK(normal_two_sided((squares - n * exact.mean_square) / std::sqrt(n * spread)) > kLevel);
  double plus = 0, minus = 0;
  for (const auto& [x, count] : seen)
    (x > 0 ? plus : minus) += x == 0 ? 0 : count;
  rate_is(plus, plus + minus, 0.5);
  for (std::int64_t x = 0; x < last && x < 4; ++x) {
    if (seen[x + 1] < 500) break;  // the normal approximation needs a crowd
    const double ratio = std::log(seen[x] / seen[x + 1]);
    const double error = std::sqrt(1 / seen[x] + 1 / seen[x + 1]);
    const double true_ratio = std::log(exact.mass.at(x) / exact.mass.at(x + 1));
    CHECK(normal_two_sided((ratio - true_ratio) / error) > kLevel);
  }
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

TEST_CASE("scales are rounded up to 24 bits, and no further") {
  std::vector<double> values = {1e-3,    0.1,      0.5,      1,        1.5,  3,
                                1e6 / 3, 16777215, 16777216, 16777217, 1e12, 1e15};
  RandomBits bits = RandomBits::from_seed(21);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::ldexp(static_cast<double>(bits.next() | 1), -64);
    values.push_back(std::pow(10, -3 + 18 * x));
  }
  for (const double x : {1.0, 2.0, 1024.0})
    values.push_back(std::nextafter(x, 0)), values.push_back(std::nextafter(x, 1e9));
  bool good = true;
  for (const double x : values) {
    const Dyadic d = dyadic_at_least(x);
    const double up = to_double(d);
    int exponent = 0;
    std::frexp(x, &exponent);
    const double step = std::ldexp(1.0, exponent - 24);  // spacing of 24-bit numbers just below up
    good = good && d.mantissa > 0 && d.mantissa < (UINT64_C(1) << 24) && up >= x && up - step < x;
    CHECK_NOTHROW(scale_parts(d));
  }
  CHECK(good);
  CHECK(to_double(dyadic_at_least(0.75)) == 0.75);
  CHECK(to_double({5, -3}) == 0.625);
  for (const double x : {0.0, -1.0, 9.99e-4, 1.0001e15, HUGE_VAL, -HUGE_VAL, std::nan("")})
    CHECK_THROWS_AS(dyadic_at_least(x), std::invalid_argument);
  for (const Dyadic d : {Dyadic{0, 0}, Dyadic{1u << 24, 0}, Dyadic{1, 50}, Dyadic{1, -11},
                         Dyadic{3, -12}, Dyadic{1, 2000000000}, Dyadic{1, -2000000000}}) {
    CHECK_THROWS_AS(discrete_laplace(d, bits), std::invalid_argument);
    CHECK_THROWS_AS(discrete_gaussian(d, bits), std::invalid_argument);
  }
}

TEST_CASE("the integers behind exp(-1) and exp(-1/2)") {
  constexpr SeriesStart<1, 9> one;
  constexpr SeriesStart<2, 7> half;
  CHECK(one.all == 362880);
  CHECK(one.yes == 133496);  // permutations of nine without a fixed point
  CHECK(half.all == 645120);
  const double rest_one = 362880 * std::exp(-1.0) - 133496;
  const double rest_half =
      static_cast<double>(half.all) * std::exp(-0.5) - static_cast<double>(half.yes);
  CHECK((rest_one > 0 && rest_one < 1));
  CHECK((rest_half > 0 && rest_half < 1));
  // The rest is what the undecided draws decide with.
  RandomBits bits = RandomBits::from_seed(31);
  const int n = 300000;
  double ones = 0, halves = 0;
  for (int i = 0; i < n; ++i) {
    ones += bernoulli_series_remainder<1>(9, bits);
    halves += bernoulli_series_remainder<2>(7, bits);
  }
  rate_is(ones, n, rest_one);
  rate_is(halves, n, rest_half);
  // Started at n = 1, where D = 1 and S = 0, every draw is undecided.
  double small = 0;
  for (int i = 0; i < n; ++i)
    small += bernoulli_exp_minus_inverse<1, 1>(bits);
  rate_is(small, n, std::exp(-1.0));
}

TEST_CASE("events of probability exp(-x)") {
  RandomBits bits = RandomBits::from_seed(32);
  const int n = 200000;
  double ones = 0, halves = 0;
  for (int i = 0; i < n; ++i) {
    ones += bernoulli_exp_minus_one(bits);
    halves += bernoulli_exp_minus_half(bits);
  }
  rate_is(ones, n, std::exp(-1.0));
  rate_is(halves, n, std::exp(-0.5));
  const std::uint64_t huge = ~UINT64_C(0);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> fractions = {
      {1, 1000},        {1, 10},
      {1, 3},           {1, 2},
      {2, 3},           {999, 1000},
      {1, 1},           {3, 2},
      {5, 2},           {4, 1},
      {huge / 2, huge}, {huge, huge / 2},
      {huge, huge},     {huge, huge / 3 + 12345}};
  for (const auto& [numerator, denominator] : fractions) {
    double yes = 0;
    for (int i = 0; i < n; ++i)
      yes += bernoulli_exp_minus(numerator, denominator, bits);
    INFO(numerator << " / " << denominator);
    rate_is(yes, n, std::exp(-static_cast<double>(numerator) / static_cast<double>(denominator)));
  }
  bool always = true, ever = false;
  for (int i = 0; i < 1000; ++i) {
    always = always && bernoulli_exp_minus(0, 7, bits);
    ever = ever || bernoulli_exp_minus(huge, 1, bits);
  }
  CHECK(always);
  CHECK_FALSE(ever);
  CHECK_THROWS_AS(bernoulli_exp_minus(1, 0, bits), std::invalid_argument);
}

TEST_CASE("events of probability exp(-r^2/2)") {
  RandomBits bits = RandomBits::from_seed(33);
  const int n = 200000;
  const std::vector<MixedNumber> cases = {
      {0, 0, 1},  {0, 1, 10}, {0, 1, 2},
      {0, 9, 10}, {1, 0, 5},  {1, 1, 2},
      {2, 1, 4},  {2, 3, 4},  {0, (UINT64_C(1) << 57) + 1, UINT64_C(1) << 58}};
  for (const MixedNumber& r : cases) {
    double yes = 0;
    for (int i = 0; i < n; ++i)
      yes += bernoulli_exp_minus_half_square(r, bits);
    const double value =
        static_cast<double>(r.whole) + static_cast<double>(r.part) / static_cast<double>(r.unit);
    INFO("r = " << value);
    if (value == 0) {
      CHECK(yes == n);
    } else {
      rate_is(yes, n, std::exp(-value * value / 2));
    }
  }
}

#if defined(__SIZEOF_INT128__)
TEST_CASE("the distance of a proposal is exact, up to the limits of the scale") {
  // r = | |y| - sigma^2/t | / sigma as a fraction with the denominator 2^k t q, in 128 bits.
  __extension__ typedef __int128 Wide;
  RandomBits bits = RandomBits::from_seed(41);
  bool good = true, bounded = true;
  const auto check = [&](Dyadic sigma, std::uint64_t quotient) {
    const ScaleParts parts = scale_parts(sigma);
    const Wide q = static_cast<Wide>(parts.odd);
    MixedNumber r;
    Wide distance;
    if (parts.right == 0) {
      const std::uint64_t t = parts.odd << parts.left;
      const Magnitude x{bits.below(t), quotient};
      r = distance_for_whole_sigma(x, t);
      distance = static_cast<Wide>(t) * quotient + x.remainder - t;
      good = good && r.unit == t;
    } else {
      const std::uint64_t t = (parts.odd >> parts.right) + 1;
      const std::uint64_t y = bits.below(t) + t * quotient;
      r = distance_for_split_sigma(y, parts.odd, parts.right, t);
      const Wide power = static_cast<Wide>(1) << parts.right;
      distance = static_cast<Wide>(y) * power * power * t - q * q;
      good = good && static_cast<Wide>(r.unit) == power * t * q;
    }
    if (distance < 0) distance = -distance;
    good = good && static_cast<Wide>(r.whole) * r.unit + r.part == distance;
    bounded = bounded && r.part < r.unit && r.unit < (UINT64_C(1) << 58) && r.whole < (1u << 24);
  };
  for (int exponent = -33; exponent <= 49; ++exponent) {
    for (const std::uint64_t mantissa :
         {UINT64_C(1), UINT64_C(3), (UINT64_C(1) << 23) + 1, (UINT64_C(1) << 24) - 1,
          (bits.next() >> 40) | 1, (bits.next() >> 50) | 1}) {
      const double value = std::ldexp(static_cast<double>(mantissa), exponent);
      if (value < std::ldexp(1, -10) || value >= std::ldexp(1, 50)) continue;
      for (const std::uint64_t quotient : {0, 0, 0, 1, 1, 2, 3, 7, 40, 1000, 8191})
        check({mantissa, exponent}, quotient);
    }
  }
  CHECK(good);
  CHECK(bounded);
  // Zero with an integer sigma: r is exactly one.
  const MixedNumber zero = distance_for_whole_sigma({0, 0}, 7);
  CHECK((zero.whole == 1 && zero.part == 0));
}
#endif

TEST_CASE("discrete Laplace has its probabilities") {
  std::uint64_t seed = 100;
  for (const double scale : {0.125, 0.3, 0.5, 1.0, 1.5, 2.0, 3.3, 10.0, 37.75}) {
    INFO("scale " << scale);
    const Dyadic dyadic = dyadic_at_least(scale);
    RandomBits bits = RandomBits::from_seed(++seed);
    check_draws(laplace_masses(to_double(dyadic)), 200000,
                [&] { return discrete_laplace(dyadic, bits); });
  }
}

TEST_CASE("discrete Gaussian has its probabilities") {
  std::uint64_t seed = 200;
  for (const double sigma : {0.25, 0.4, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.3, 8.0, 10.9, 37.75}) {
    INFO("sigma " << sigma);
    const Dyadic dyadic = dyadic_at_least(sigma);
    RandomBits bits = RandomBits::from_seed(++seed);
    check_draws(gaussian_masses(to_double(dyadic)), 200000,
                [&] { return discrete_gaussian(dyadic, bits); });
  }
}

TEST_CASE("the tests of the distributions notice a wrong scale") {
  // Negative control: five per cent more noise than stated is found out.
  const Dyadic dyadic = dyadic_at_least(10.5);
  RandomBits bits = RandomBits::from_seed(1);
  double squares = 0;
  const int n = 200000;
  std::vector<double> counts(41), expected(41);
  const Distribution exact = laplace_masses(10);
  for (int i = 0; i < n; ++i) {
    const std::int64_t x = discrete_laplace(dyadic, bits);
    squares += static_cast<double>(x * x);
    if (std::abs(x) <= 20) counts[static_cast<std::size_t>(x + 20)] += 1;
  }
  for (std::int64_t x = -20; x <= 20; ++x)
    expected[static_cast<std::size_t>(x + 20)] = n * exact.mass.at(x);
  CHECK(chi_square_p(counts, expected) < kLevel);
  const double spread = exact.mean_fourth - exact.mean_square * exact.mean_square;
  CHECK(normal_upper((squares - n * exact.mean_square) / std::sqrt(n * spread)) < kLevel);
}

TEST_CASE("the smallest scales give zero, the largest stay in range") {
  RandomBits bits = RandomBits::from_seed(51);
  const Dyadic small = dyadic_at_least(1e-3);
  bool zero = true;
  for (int i = 0; i < 50000; ++i)
    zero = zero && discrete_laplace(small, bits) == 0 && discrete_gaussian(small, bits) == 0;
  CHECK(zero);

  // Far above one the distributions are the continuous ones: equal shares between their
  // quantiles. Sixteen cells by the distribution function; the low bits are uniform.
  for (const double scale : {1e9 + 0.5, 1e12, 1e15}) {
    const Dyadic dyadic = dyadic_at_least(scale);
    const double b = to_double(dyadic);
    const int n = 100000;
    std::vector<double> laplace(16), gaussian(16), laplace_low(16), gaussian_low(16);
    double absolute = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const std::int64_t x = discrete_laplace(dyadic, bits), y = discrete_gaussian(dyadic, bits);
      const double u = static_cast<double>(x) / b, v = static_cast<double>(y) / b;
      const double tail = std::exp(-std::fabs(u)) / 2;
      const double below_x = u < 0 ? tail : 1 - tail;
      const double below_y = 1 - normal_upper(v);
      laplace[std::min<std::size_t>(15, static_cast<std::size_t>(16 * below_x))] += 1;
      gaussian[std::min<std::size_t>(15, static_cast<std::size_t>(16 * below_y))] += 1;
      laplace_low[static_cast<std::uint64_t>(x) % 16] += 1;
      gaussian_low[static_cast<std::uint64_t>(y) % 16] += 1;
      absolute += std::fabs(u);
      squares += v * v;
    }
    INFO("scale " << scale);
    for (const auto& counts : {laplace, gaussian, laplace_low, gaussian_low})
      CHECK(chi_square_p(counts, std::vector<double>(16, n / 16.0)) > kLevel);
    CHECK(normal_two_sided((absolute - n) / std::sqrt(n)) > kLevel);  // E|u| = Var|u| = 1
    CHECK(normal_two_sided((squares - n) / std::sqrt(2.0 * n)) > kLevel);
  }
}

TEST_CASE("tails are as heavy as they should be") {
  // P(|x| >= k) = 2 p^k / (1 + p), p = exp(-1/b), far out where few draws fall.
  RandomBits bits = RandomBits::from_seed(61);
  const Dyadic four = {4, 0};
  const int n = 500000;
  double laplace_tail = 0, gaussian_tail = 0;
  for (int i = 0; i < n; ++i) {
    laplace_tail += std::abs(discrete_laplace(four, bits)) >= 24;
    gaussian_tail += std::abs(discrete_gaussian(four, bits)) >= 12;
  }
  rate_is(laplace_tail, n, 2 * std::exp(-6.0) / (1 + std::exp(-0.25)));
  double expected = 0;
  for (const auto& [x, mass] : gaussian_masses(4).mass)
    expected += std::abs(x) >= 12 ? mass : 0;
  rate_is(gaussian_tail, n, expected);
}

TEST_CASE("seeded draws are the same on every machine and in every version") {
  RandomBits bits = RandomBits::from_seed(2020);
  std::vector<std::int64_t> laplace, gaussian;
  for (int i = 0; i < 8; ++i) {
    laplace.push_back(discrete_laplace(dyadic_at_least(12.5), bits));
    gaussian.push_back(discrete_gaussian(dyadic_at_least(12.5), bits));
  }
  CHECK(laplace == std::vector<std::int64_t>({4, 17, 0, -9, -2, -6, -4, 3}));
  CHECK(gaussian == std::vector<std::int64_t>({9, 13, 7, -16, 1, -19, 13, -12}));
  CHECK(RandomBits::from_seed(2020).next() == UINT64_C(0xd9e9583c8aa94978));
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
