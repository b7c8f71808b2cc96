// Exact samplers of the discrete Laplace and the discrete Gaussian distribution: Canonne, Kamath
// and Steinke (2020), "The discrete Gaussian for differential privacy", section 5.
//
// Every draw is made of uniform bits with integer arithmetic. There is no floating-point
// number in it, so none of its rounding can tell about the value that the noise hides (Mironov
// 2012, "On significance of the least significant bits for differential privacy"), and the
// probabilities are those of the formula, not near to them. "Bernoulli(p)" is an event of
// probability p, independent of everything before it.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "privpc/base/random_bits.hpp"

namespace privpc {

// ---- Scales ---------------------------------------------------------------------------

// The number mantissa * 2^exponent, 0 < mantissa < 2^24. Scales are kept in this form because the
// samplers need them as fractions; 24 bits cost at most 1.2e-7 of the scale.
struct Dyadic {
  std::uint64_t mantissa;
  int exponent;
};

inline constexpr double kSmallestScale = 1e-3;
inline constexpr double kLargestScale = 1e15;

// Exact: 24 bits fit into a double.
inline double to_double(Dyadic x) {
  return std::ldexp(static_cast<double>(x.mantissa), x.exponent);
}

// The smallest such number that is not below x: rounding up gives more noise, never less. The
// floating-point steps are exact: frexp and ldexp change the exponent alone, and the ceiling of a
// double below 2^24 is a double.
inline Dyadic dyadic_at_least(double x) {
  if (!(x >= kSmallestScale && x <= kLargestScale)) {
    throw std::invalid_argument("a noise scale must be between 1e-3 and 1e15");
  }
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // in [1/2, 1)
  Dyadic out{static_cast<std::uint64_t>(std::ceil(std::ldexp(fraction, 24))), exponent - 24};
  while (out.mantissa % 2 == 0) {  // also brings 2^24 back into the range
    out.mantissa /= 2;
    ++out.exponent;
  }
  return out;
}

// A scale as odd * 2^left / 2^right, where left or right is 0. Checked to lie in [2^-10, 2^50),
// which holds all of 1e-3 to 1e15; the bounds of all integers below follow from that:
//   (1) odd * 2^left < 2^50;
//   (2) right <= 33, because 2^-10 <= odd / 2^right < 2^(24 - right).
struct ScaleParts {
  std::uint64_t odd;
  int left, right;
};

inline ScaleParts scale_parts(Dyadic scale) {
  if (scale.mantissa == 0 || scale.mantissa >> 24 != 0 || scale.exponent < -64 ||
      scale.exponent > 64) {
    throw std::invalid_argument("the noise scale has a mantissa or an exponent out of range");
  }
  const int zeros = __builtin_ctzll(scale.mantissa);
  const int length = 64 - __builtin_clzll(scale.mantissa);  // 2^(length-1) <= mantissa < 2^length
  if (scale.exponent + length > 50 || scale.exponent + length < -9) {
    throw std::invalid_argument("a noise scale must be between 1e-3 and 1e15");
  }
  const int exponent = scale.exponent + zeros;
  return {scale.mantissa >> zeros, exponent > 0 ? exponent : 0, exponent < 0 ? -exponent : 0};
}

// ---- Events of probability exp(-x) ----------------------------------------------------

// exp(-1/c), c a positive integer. Write it in the mixed radix c, 2c, 3c, ...: with
// D = c^n n! and S = D * (sum over k <= n of (-1/c)^k / k!), an integer, and n odd,
//   D exp(-1/c) = S + R,  0 < R < 1,
// since the series alternates with falling terms. So a uniform number below D decides: smaller than
// S yes, larger no, and equal to S leaves an event of probability R, where the next two terms of
// the series give
//   R = (c(n+2) - 1 + R') / (c(n+1) c(n+2)),  R' the same with n + 2 in place of n.
// One word decides except once in D draws, and what remains goes on for ever: this is exact.
template <std::uint64_t c>
bool bernoulli_series_remainder(std::uint64_t n, RandomBits& bits) {
  for (;; n += 2) {
    const std::uint64_t yes = c * (n + 2) - 1;
    const std::uint64_t draw = bits.below(c * (n + 1) * c * (n + 2));
    if (draw != yes) return draw < yes;
  }
}

template <std::uint64_t c, std::uint64_t n>
struct SeriesStart {
  static_assert(n % 2 == 1, "the remainder of the series must be positive");
  std::uint64_t all = 1, yes = 1;  // D and S
  constexpr SeriesStart() {
    for (std::uint64_t k = 1; k <= n; ++k) {
      all *= c * k;
      yes = k % 2 == 1 ? yes * c * k - 1 : yes * c * k + 1;
    }
  }
};

template <std::uint64_t c, std::uint64_t n>
bool bernoulli_exp_minus_inverse(RandomBits& bits) {
  constexpr SeriesStart<c, n> start;
  const std::uint64_t draw = bits.below(start.all);
  return draw == start.yes ? bernoulli_series_remainder<c>(n, bits) : draw < start.yes;
}

// 9! = 362,880 and 2^7 7! = 645,120: undecided once in so many draws, and half a word is enough.
inline bool bernoulli_exp_minus_one(RandomBits& bits) {
  return bernoulli_exp_minus_inverse<1, 9>(bits);
}

inline bool bernoulli_exp_minus_half(RandomBits& bits) {
  return bernoulli_exp_minus_inverse<2, 7>(bits);
}

// 2/e: of half as many equally likely numbers as above the same ones decide, for
//   (D/2) (2/e) = D exp(-1) = S + R.
inline bool bernoulli_two_over_e(RandomBits& bits) {
  constexpr SeriesStart<1, 9> start;
  const std::uint64_t draw = bits.below(start.all / 2);
  return draw == start.yes ? bernoulli_series_remainder<1>(9, bits) : draw < start.yes;
}

inline bool bernoulli_one_in(std::uint64_t k, RandomBits& bits) {
  return k == 2 ? bits.coin() : k == 1 || bits.below(k) == 0;
}

inline bool bernoulli_fraction(std::uint64_t numerator, std::uint64_t denominator,
                               RandomBits& bits) {
  return bits.below(denominator) < numerator;
}

// exp(-g) for 0 <= g <= 1 (von Neumann; Algorithm 1 of the paper): let K be the number of the first
// failure among independent events of probability g/1, g/2, g/3, ... Then
// P(K > k) = g^k / k!, and P(K odd) = sum of (-g)^k / k! = exp(-g).
// `event(k)` must have the probability g/k.
template <class Event>
bool first_failure_is_odd(Event&& event) {
  std::uint64_t k = 1;
  while (event(k))
    ++k;
  return k % 2 == 1;
}

// exp(-n/d) for n <= d. An event of probability n/(d k) is one of n/d and an independent one of
// 1/k: no product of the parameters is formed that could overflow.
inline bool bernoulli_exp_minus_fraction(std::uint64_t n, std::uint64_t d, RandomBits& bits) {
  return first_failure_is_odd([n, d, &bits](std::uint64_t k) {
    return bernoulli_one_in(k, bits) && bernoulli_fraction(n, d, bits);
  });
}

// exp(-(n/d)^2 / 2) for n <= d, in the same way: (n/d)^2/(2k) = 1/(2k) * n/d * n/d.
inline bool bernoulli_exp_minus_half_square(std::uint64_t n, std::uint64_t d, RandomBits& bits) {
  return first_failure_is_odd([n, d, &bits](std::uint64_t k) {
    return bernoulli_one_in(2 * k, bits) && bernoulli_fraction(n, d, bits) &&
           bernoulli_fraction(n, d, bits);
  });
}

// exp(-n/d) for any n and d > 0: exp(-1) as often as d goes into n, then the rest.
inline bool bernoulli_exp_minus(std::uint64_t numerator, std::uint64_t denominator,
                                RandomBits& bits) {
  if (denominator == 0) throw std::invalid_argument("a fraction needs a positive denominator");
  for (std::uint64_t whole = numerator / denominator; whole > 0; --whole) {
    if (!bernoulli_exp_minus_one(bits)) return false;
  }
  const std::uint64_t rest = numerator % denominator;
  return rest == 0 || bernoulli_exp_minus_fraction(rest, denominator, bits);
}

// ---- Discrete Laplace -----------------------------------------------------------------

// Draws x = remainder + t * quotient >= 0 with probability proportional to exp(-x/t): the remainder
// is uniform below t and kept with probability exp(-remainder/t), the quotient counts successes
// of probability exp(-1), and the two are independent.
struct Magnitude {
  std::uint64_t remainder, quotient;
};

// A quotient of 2^13 has probability exp(-8192) < 2^-11800, less than that of guessing the key
// of the stream 40 times in a row. It would be refused; below it (t < 2^50) x < 2^63.
inline constexpr std::uint64_t kQuotientLimit = 8192;

inline std::uint64_t draw_quotient(RandomBits& bits) {
  std::uint64_t quotient = 0;
  while (bernoulli_exp_minus_one(bits)) {
    if (++quotient == kQuotientLimit) throw std::runtime_error("a random draw is out of range");
  }
  return quotient;
}

inline std::uint64_t draw_remainder(std::uint64_t t, RandomBits& bits) {
  if (t == 1) return 0;
  for (;;) {
    const std::uint64_t remainder = bits.below(t);
    if (remainder == 0 || bernoulli_exp_minus_fraction(remainder, t, bits)) return remainder;
  }
}

inline Magnitude draw_magnitude(std::uint64_t t, RandomBits& bits) {
  const std::uint64_t quotient = draw_quotient(bits);
  return {draw_remainder(t, bits), quotient};
}

// P(y) proportional to exp(-|y|/scale) on all integers (Algorithm 2 of the paper). With
// scale = t/s and x as above, floor(x/s) = y has probability proportional to exp(-y s/t), since
// the s values of x that lead to y have the same sum up to that factor. The sign is a coin; "minus
// zero" is drawn again, or zero would count twice. s is a power of two. If t (quotient + 1) <= s,
// as nearly always for scales far below 1, y is 0 whatever the remainder, which is then not drawn.
inline std::int64_t discrete_laplace(Dyadic scale, RandomBits& bits) {
  const ScaleParts parts = scale_parts(scale);
  const std::uint64_t t = parts.odd << parts.left;  // < 2^50 by (1)
  const std::uint64_t s = UINT64_C(1) << parts.right;
  for (;;) {
    const std::uint64_t base = t * draw_quotient(bits);
    const bool surely_zero = base + t <= s;  // base + t <= 2^63
    const std::uint64_t x = surely_zero ? base : base + draw_remainder(t, bits);
    const std::uint64_t y = x >> parts.right;  // < 2^63
    const bool negative = bits.coin();
    if (negative && y == 0) continue;
    return negative ? -static_cast<std::int64_t>(y) : static_cast<std::int64_t>(y);
  }
}

// ---- Discrete Gaussian ----------------------------------------------------------------

// exp(-r^2/2) for r = whole + part/unit, part < unit:
//   r^2/2 = whole^2/2 + whole * part/unit + (part/unit)^2/2,
// so it is the product of whole^2 events exp(-1/2), `whole` events exp(-part/unit) and one last.
// The first failure ends it, after two or three events in the mean however large r is.
struct MixedNumber {
  std::uint64_t whole, part, unit;
};

inline bool bernoulli_exp_minus_half_square(const MixedNumber& r, RandomBits& bits) {
  for (std::uint64_t i = r.whole * r.whole; i > 0; --i) {
    if (!bernoulli_exp_minus_half(bits)) return false;
  }
  if (r.part == 0) return true;
  for (std::uint64_t i = r.whole; i > 0; --i) {
    if (!bernoulli_exp_minus_fraction(r.part, r.unit, bits)) return false;
  }
  return bernoulli_exp_minus_half_square(r.part, r.unit, bits);
}

// r = | |y|/sigma - 1 | for an integer sigma = t and |y| = remainder + t * quotient.
inline MixedNumber distance_for_whole_sigma(const Magnitude& y, std::uint64_t sigma) {
  if (y.quotient > 0) return {y.quotient - 1, y.remainder, sigma};
  if (y.remainder == 0) return {1, 0, sigma};
  return {0, sigma - y.remainder, sigma};
}

// r = | y/sigma - sigma/t | for sigma = odd/2^k, k >= 1, t = floor(sigma) + 1 and y >= 0.
// With y 2^k = a * odd + b, 0 <= b < odd, and unit = 2^k t odd,
//   y/sigma - sigma/t = a + (b 2^k t - odd^2) / unit.
// Both terms of the numerator are below unit: b < odd, and odd < 2^k t because sigma < t. So the
// fraction lies between -1 and 1.
// Bounds: 2^k t <= odd + 2^k < 2^34 by (2), so unit < 2^58; y < 2^13 t, so y 2^k < 2^47. The whole
// part of r is at most y/sigma < 2^13 t/sigma <= 2^13 (1 + 1/sigma) < 2^24: its square fits.
inline MixedNumber distance_for_split_sigma(std::uint64_t y, std::uint64_t odd, int k,
                                            std::uint64_t t) {
  const std::uint64_t unit = (t * odd) << k;
  const std::uint64_t a = (y << k) / odd, b = (y << k) % odd;
  const std::uint64_t plus = (b * t) << k, minus = odd * odd;
  if (plus >= minus) return {a, plus - minus, unit};
  if (a > 0) return {a - 1, unit - (minus - plus), unit};
  return {0, minus - plus, unit};
}

// P(y) proportional to exp(-y^2 / (2 sigma^2)) on all integers (Algorithm 3 of the paper): propose
// y from the discrete Laplace distribution of integer scale t and keep it with probability
// exp(-r^2/2), r = (|y| - sigma^2/t) / sigma. Since
//   r^2/2 + |y|/t = y^2/(2 sigma^2) + sigma^2/(2 t^2),
// the result is right for every t; near sigma fewest proposals are lost (a quarter).
inline std::int64_t discrete_gaussian(Dyadic sigma, RandomBits& bits) {
  const ScaleParts parts = scale_parts(sigma);
  const bool whole = parts.right == 0;
  const std::uint64_t t = whole ? parts.odd << parts.left : (parts.odd >> parts.right) + 1;
  for (;;) {
    const Magnitude x = draw_magnitude(t, bits);
    const std::uint64_t y = x.remainder + t * x.quotient;  // < 2^63
    const bool negative = bits.coin();
    if (negative && y == 0) continue;
    const MixedNumber r = whole ? distance_for_whole_sigma(x, t)
                                : distance_for_split_sigma(y, parts.odd, parts.right, t);
    if (!bernoulli_exp_minus_half_square(r, bits)) continue;
    return negative ? -static_cast<std::int64_t>(y) : static_cast<std::int64_t>(y);
  }
}

}  // namespace privpc
