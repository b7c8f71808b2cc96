# The exact samplers of discrete noise.
samplers <- header("privacy/samplers.hpp")
laplace <- cpp_test("test_noise", "discrete Laplace has its probabilities")
gaussian <- cpp_test("test_noise", "discrete Gaussian has its probabilities")
exp_minus <- cpp_test("test_noise", "events of probability exp(-x)")

list(
  mutant(
    "scale-rounded-down", "scales are rounded down to 24 bits", samplers,
    old = "std::ceil(std::ldexp(fraction, 24))", new = "std::floor(std::ldexp(fraction, 24))",
    killed_by = cpp_test("test_noise", "scales are rounded up to 24 bits, and no further"),
    quick = TRUE
  ),
  mutant(
    "laplace-zero-twice", "minus zero is kept: zero is twice as likely", samplers,
    after = "inline std::int64_t discrete_laplace(", old = "if (negative && y == 0) continue;",
    new = "",
    killed_by = laplace, quick = TRUE
  ),
  mutant(
    "laplace-one-sided", "Laplace noise is never negative", samplers,
    after = "inline std::int64_t discrete_laplace(", old = "bits.coin()", new = "false",
    killed_by = laplace
  ),
  mutant(
    "laplace-no-remainder", "Laplace noise in whole scales only", samplers,
    old = "surely_zero ? base : base + draw_remainder(t, bits)", new = "base",
    killed_by = laplace
  ),
  mutant(
    "remainder-not-rejected", "the remainder of a Laplace draw is uniform", samplers,
    old = "if (remainder == 0 || bernoulli_exp_minus_fraction(remainder, t, bits)) return remainder;",
    new = "return remainder;",
    killed_by = laplace, quick = TRUE
  ),
  mutant(
    "laplace-lighter-tail", "the tail of Laplace noise falls twice as fast", samplers,
    after = "inline std::uint64_t draw_quotient(", old = "bernoulli_exp_minus_one(bits)",
    new = "bernoulli_exp_minus_one(bits) && bernoulli_exp_minus_one(bits)",
    killed_by = laplace
  ),
  mutant(
    "gaussian-zero-twice", "minus zero is kept: zero is twice as likely", samplers,
    after = "inline std::int64_t discrete_gaussian(", old = "if (negative && y == 0) continue;",
    new = "",
    killed_by = gaussian
  ),
  mutant(
    "gaussian-never-rejects", "every proposal is kept: Laplace instead of Gaussian noise", samplers,
    old = "if (!bernoulli_exp_minus_half_square(r, bits)) continue;", new = "",
    killed_by = gaussian, quick = TRUE
  ),
  mutant(
    "gaussian-distance-off", "the distance of a proposal is one too large below the centre",
    samplers,
    old = "return {a - 1, unit - (minus - plus), unit};",
    new = "return {a, unit - (minus - plus), unit};",
    killed_by = cpp_test(
      "test_noise", "the distance of a proposal is exact, up to the limits of the scale"
    )
  ),
  mutant(
    "gaussian-too-wide", "exp(-1/2) as often as the distance, not its square", samplers,
    old = "r.whole * r.whole", new = "r.whole",
    killed_by = cpp_test("test_noise", "events of probability exp(-r^2/2)")
  ),
  mutant(
    "series-wrong-sign", "von Neumann's method counts the even failures", samplers,
    old = "return k % 2 == 1;", new = "return k % 2 == 0;", killed_by = exp_minus
  ),
  mutant(
    "fraction-off-by-one", "an event of probability n/d has (n+1)/d", samplers,
    old = "bits.below(denominator) < numerator", new = "bits.below(denominator) <= numerator",
    killed_by = exp_minus
  ),
  mutant(
    "whole-part-dropped", "exp(-x) without the whole part of x", samplers,
    after = "std::uint64_t whole = numerator", old = "numerator / denominator", new = "0",
    killed_by = exp_minus
  ),
  mutant(
    "series-rest-rounded", "the rest of the series of exp(-1) is rounded up, not drawn", samplers,
    old = "if (draw != yes) return draw < yes;", new = "return draw <= yes;",
    killed_by = cpp_test("test_noise", "the integers behind exp(-1) and exp(-1/2)")
  )
)
