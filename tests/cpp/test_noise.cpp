// The exact samplers of noise.
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

#include "distribution_checks.h"
#include "privpc/privacy/samplers.hpp"

using namespace privpc;
using namespace privpc_test;

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
