#include <catch.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "privpc/privacy/accounting.hpp"
#include "privpc/privacy/renyi.hpp"

using namespace privpc;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

// The conversions on plain numbers, in which the references are computed.
double rho_from_dp(double epsilon, double delta) {
  return privpc::rho_from_dp(Epsilon(epsilon), delta).value();
}
double dp_from_rho(double rho, double delta) {
  return privpc::dp_from_rho(Rho(rho), delta).value();
}
double delta_from_rho(double rho, double epsilon) {
  return privpc::delta_from_rho(Rho(rho), Epsilon(epsilon));
}
double rho_of_pure(double epsilon) {
  return privpc::rho_of_pure(Epsilon(epsilon)).value();
}
double rho_of_exponential(double epsilon) {
  return privpc::rho_of_exponential(Epsilon(epsilon)).value();
}
double sigma_of_gaussian(double sensitivity, double rho) {
  return privpc::sigma_of_gaussian(sensitivity, Rho(rho));
}
double amplified_epsilon(double epsilon, double sampled, double total) {
  return privpc::amplified_epsilon(Epsilon(epsilon), sampled, total).value();
}
double epsilon_before_sampling(double epsilon, double sampled, double total) {
  return privpc::epsilon_before_sampling(Epsilon(epsilon), sampled, total).value();
}
double subsampled_gaussian_epsilon(double rho, double sampled, double total, double steps,
                                   double delta) {
  return privpc::subsampled_gaussian_epsilon(Rho(rho), sampled, total, steps, delta).value();
}
double subsampled_gaussian_rho(double epsilon, double delta, double sampled, double total,
                               double steps) {
  return privpc::subsampled_gaussian_rho(Epsilon(epsilon), delta, sampled, total, steps).value();
}

const std::vector<double> epsilons = {1e-6, 1e-4, 0.01, 0.1, 0.3, 1, 3, 10, 100, 1e4};
const std::vector<double> deltas = {1e-300, 1e-100, 1e-30, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5};

// log delta at one order, in the form the paper prints, in extended precision: an evaluation that
// shares neither the formula nor the arithmetic of the code under test.
long double log_delta_at(long double a, long double rho, long double epsilon) {
  return (a - 1) * (a * rho - epsilon) + a * std::log1p(-1 / a) - std::log(a - 1);
}

// Its minimum over a > 1, by repeatedly narrowing a grid on the scale of log(a - 1).
long double best_log_delta(long double rho, long double epsilon) {
  long double low = -40, high = 80, best = 0;
  for (int round = 0; round < 12; ++round) {
    const int cells = 200;
    long double best_at = low;
    best = std::numeric_limits<long double>::infinity();
    for (int i = 0; i <= cells; ++i) {
      const long double at = low + (high - low) * i / cells;
      const long double value = log_delta_at(1 + std::exp(at), rho, epsilon);
      if (value < best) {
        best = value;
        best_at = at;
      }
    }
    const long double width = (high - low) / cells * 2;
    low = best_at - width;
    high = best_at + width;
  }
  return best;
}

bool extended_precision() {
  return std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits;
}

}  // namespace

TEST_CASE("rho keeps the promise, and a little more rho would break it", "[accounting]") {
  if (!extended_precision()) return;
  for (const double epsilon : epsilons) {
    for (const double delta : deltas) {
      CAPTURE(epsilon);
      CAPTURE(delta);
      const double rho = rho_from_dp(epsilon, delta);
      REQUIRE(rho > 0);
      const long double log_delta = std::log(static_cast<long double>(delta));
      // The promise's own logarithm is known to 1e-19 only; near 1e-300 that is what remains.
      CHECK(best_log_delta(rho, epsilon) <= log_delta);
      CHECK(best_log_delta(rho * (1 + 1e-11L), epsilon) > log_delta);
    }
  }
}

TEST_CASE("epsilon and delta of a given rho are outward and tight", "[accounting]") {
  if (!extended_precision()) return;
  for (const double rho : {1e-16, 1e-10, 1e-6, 1e-3, 0.02, 0.5, 1.0, 7.0, 300.0, 1e4}) {
    for (const double delta : deltas) {
      CAPTURE(rho);
      CAPTURE(delta);
      const double epsilon = dp_from_rho(rho, delta);
      const long double log_delta = std::log(static_cast<long double>(delta));
      CHECK(best_log_delta(rho, epsilon) <= log_delta);
      if (epsilon > 0) CHECK(best_log_delta(rho, epsilon * (1 - 1e-9L)) > log_delta);
    }
    for (const double epsilon : epsilons) {
      CAPTURE(epsilon);
      const double delta = delta_from_rho(rho, epsilon);
      // delta = 1 always holds.
      const long double exact = std::fmin(0.0L, best_log_delta(rho, epsilon));
      REQUIRE(delta <= 1);
      REQUIRE(delta > 0);  // an underflow is rounded up too
      CHECK(std::log(static_cast<long double>(delta)) >= exact);
      if (delta > 1e-300) {
        // Relative to the logarithm and to the parts it is the difference of.
        CHECK(std::log(delta) - static_cast<double>(exact) <
              1e-11 * (1 - std::log(delta) + epsilon));
      }
    }
  }
}

TEST_CASE("rho agrees with values computed in sixty digits", "[accounting]") {
  struct Case {
    double epsilon, delta, rho;
  };
  const std::vector<Case> cases = {
      {0.1, 1e-6, 3.21047690345740077e-04},   {0.3, 1e-6, 2.53964252302356147e-03},
      {1, 1e-6, 2.43559703595383724e-02},     {3, 1e-6, 1.85069840653401485e-01},
      {10, 1e-6, 1.53927876386672846e+00},    {1, 1e-9, 1.49730576735885249e-02},
      {1, 0.01, 1.03412831433483135e-01},     {1e-6, 1e-300, 3.73825587518485237e-16},
      {1e4, 1e-300, 5.94817041642189088e+03}, {1e4, 0.5, 9.84060900472196045e+03},
      {1e-6, 0.5, 3.85756490331589375e-01}};
  for (const Case& each : cases) {
    CAPTURE(each.epsilon);
    CAPTURE(each.delta);
    const double rho = rho_from_dp(each.epsilon, each.delta);
    CHECK(rho <= each.rho);
    CHECK(rho > each.rho * (1 - 1e-12));
  }
}

TEST_CASE("the tight conversion beats the simple one by the known factors", "[accounting]") {
  // Simple: epsilon = rho + 2 sqrt(rho log(1/delta)), Bun and Steinke (2016), Proposition 1.3.
  const double loss = -std::log(1e-6);
  const std::vector<double> at = {0.1, 0.3, 1, 3, 10}, factors = {1.78, 1.58, 1.39, 1.26, 1.14};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double simple = std::pow(std::sqrt(loss + at[i]) - std::sqrt(loss), 2);
    CHECK(std::fabs(rho_from_dp(at[i], 1e-6) / simple - factors[i]) < 0.005);
  }
}

TEST_CASE("conversions are monotone and undo each other", "[accounting]") {
  for (const double delta : deltas) {
    double last_rho = 0, last_epsilon = 0;
    for (double exponent = -6; exponent <= 4; exponent += 0.1) {
      const double value = std::pow(10, exponent);
      const double rho = rho_from_dp(value, delta);
      REQUIRE(rho > last_rho);
      last_rho = rho;
      // Two outward roundings: the way back never promises less than the way there.
      const double back = dp_from_rho(rho, delta);
      CAPTURE(value);
      CAPTURE(delta);
      REQUIRE(back <= value * (1 + 1e-8));
      const double epsilon = dp_from_rho(value, delta);
      REQUIRE(epsilon >= last_epsilon);
      last_epsilon = epsilon;
      if (epsilon > 0) {
        REQUIRE(rho_from_dp(epsilon, delta) == Approx(value).scale(0).epsilon(1e-9));
        REQUIRE(delta_from_rho(value, epsilon) == Approx(delta).scale(0).epsilon(1e-9));
      }
    }
  }
  for (const double epsilon : epsilons) {
    double last = 0;
    for (const double delta : deltas) {
      const double rho = rho_from_dp(epsilon, delta);
      REQUIRE(rho > last);
      last = rho;
    }
  }
}

TEST_CASE("conversions survive the ends of their ranges", "[accounting]") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(rho_from_dp(0, 1e-6) > 0);
  CHECK(rho_from_dp(1e300, 1e-6) <= 1e300);
  CHECK(rho_from_dp(1e300, 1e-6) > 0.99e300);
  CHECK(rho_from_dp(1, tiny) > 0);
  CHECK(rho_from_dp(1, 1 - 1e-16) < infinity);
  CHECK(rho_from_dp(1e-300, 1e-6) == Approx(rho_from_dp(0, 1e-6)).scale(0).epsilon(1e-9));
  CHECK(dp_from_rho(0, 1e-6) == 0);
  CHECK(dp_from_rho(tiny, 1e-6) >= 0);
  CHECK(dp_from_rho(tiny, 1e-6) < 1e-100);
  CHECK(dp_from_rho(1e300, 1e-6) >= 1e300);
  CHECK(delta_from_rho(0, 1) == 0);
  CHECK(delta_from_rho(1e300, 1) == 1);
  CHECK(delta_from_rho(1e-3, 1e300) < 1e-300);
}

TEST_CASE("conversions refuse what has no meaning", "[accounting]") {
  for (const double bad : {not_a_number, infinity, -infinity, -1.0, -1e-300}) {
    CHECK_THROWS_AS(rho_from_dp(bad, 1e-6), std::invalid_argument);
    CHECK_THROWS_AS(dp_from_rho(bad, 1e-6), std::invalid_argument);
    CHECK_THROWS_AS(delta_from_rho(bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(delta_from_rho(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(rho_of_pure(bad), std::invalid_argument);
    CHECK_THROWS_AS(rho_of_exponential(bad), std::invalid_argument);
    CHECK_THROWS_AS(rho_of_gaussian(bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(rho_of_gaussian(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(sigma_of_gaussian(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(amplified_epsilon(bad, 1, 2), std::invalid_argument);
    CHECK_THROWS_AS(amplified_epsilon(1, bad, 2), std::invalid_argument);
    CHECK_THROWS_AS(amplified_epsilon(1, 1, bad), std::invalid_argument);
    CHECK_THROWS_AS(epsilon_before_sampling(bad, 1, 2), std::invalid_argument);
    CHECK_THROWS_AS(subsampled_gaussian_epsilon(bad, 1, 2, 1, 1e-6), std::invalid_argument);
    CHECK_THROWS_AS(subsampled_gaussian_epsilon(1, 1, 2, bad, 1e-6), std::invalid_argument);
    CHECK_THROWS_AS(advanced_composition(Epsilon(bad), 0, 1, 1e-6), std::invalid_argument);
    CHECK_THROWS_AS(advanced_composition(Epsilon(1), 0, bad, 1e-6), std::invalid_argument);
  }
  for (const double bad : {not_a_number, 0.0, 1.0, 2.0, -0.1, infinity}) {
    CHECK_THROWS_AS(rho_from_dp(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(dp_from_rho(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(subsampled_gaussian_epsilon(1, 1, 2, 1, bad), std::invalid_argument);
    CHECK_THROWS_AS(advanced_composition(Epsilon(1), 0, 1, bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(amplified_epsilon(1, 3, 2), std::invalid_argument);
  CHECK_THROWS_AS(amplified_epsilon(1, 0, 2), std::invalid_argument);
  CHECK_THROWS_AS(rho_of_gaussian(1, 0), std::invalid_argument);
}

TEST_CASE("a pure step costs what randomised response needs at every order", "[accounting]") {
  for (const double epsilon : {1e-3, 0.1, 0.5, 1.0, 3.0, 10.0, 50.0}) {
    const double rho = rho_of_pure(epsilon);
    CAPTURE(epsilon);
    CHECK(rho <= epsilon * epsilon / 2);
    CHECK(rho <= outward::up(epsilon));
    // Renyi divergence of randomised response, order a: this is what zCDP has to cover.
    for (double log_b = -12; log_b <= 12; log_b += 0.25) {
      const long double b = std::exp(static_cast<long double>(log_b)), a = 1 + b, e = epsilon;
      if (b * e > 5000) break;
      const long double half = std::sinh(b * e / 2);
      const long double divergence =
          std::log1p(2 * half * half + std::tanh(e / 2) * std::sinh(b * e)) / b;
      REQUIRE(divergence <= a * rho);
    }
  }
  // Rounded up, also where the true value is below the smallest double.
  CHECK(rho_of_pure(1e-200) > 0);
  CHECK(rho_of_exponential(1e-200) > 0);
  CHECK(rho_of_pure(0) == 0);
  CHECK(rho_of_exponential(0) == 0);
  for (const double epsilon : {1e-8, 0.1, 1.0, 700.0, 1e10}) {
    const long double exact = static_cast<long double>(epsilon) * std::tanh(epsilon / 2.0L);
    CHECK(rho_of_pure(epsilon) >= exact);
    CHECK(rho_of_pure(epsilon) <= exact * (1 + 1e-13L));
    const long double range = static_cast<long double>(epsilon) * epsilon / 8;
    CHECK(rho_of_exponential(epsilon) >= range);
    CHECK(rho_of_exponential(epsilon) <= range * (1 + 1e-13L));
  }
}

TEST_CASE("Gaussian noise and its cost are outward", "[accounting]") {
  for (const double rho : {1e-12, 0.003, 0.5, 40.0}) {
    for (const double sensitivity : {1e-3, 1.0, 4.0, 6e5}) {
      const double sigma = sigma_of_gaussian(sensitivity, rho);
      const long double exact = static_cast<long double>(sensitivity) / std::sqrt(2.0L * rho);
      CHECK(sigma >= exact);
      CHECK(sigma <= exact * (1 + 1e-13L));
      CHECK(rho_of_gaussian(sensitivity, sigma).value() == Approx(rho).scale(0).epsilon(1e-12));
    }
  }
  CHECK(rho_of_gaussian(1, 1).value() >= 0.5);
  CHECK(rho_of_gaussian(0, 1).value() == 0);
  CHECK(rho_of_gaussian(1, 1e300).value() > 0);
}

TEST_CASE("amplification by sampling is outward, monotone and inverted", "[accounting]") {
  const double n = 100000;
  for (const double epsilon : {1e-12, 1e-3, 0.1, 1.0, 5.0, 499.0, 501.0, 5000.0}) {
    double last = 0;
    for (const double m : {1.0, 10.0, 5000.0, 50000.0, 99999.0, 100000.0}) {
      CAPTURE(epsilon);
      CAPTURE(m);
      const double amplified = amplified_epsilon(epsilon, m, n);
      const long double share = static_cast<long double>(m) / n, e = epsilon;
      const long double exact = std::log1p(share * std::expm1(e));
      CHECK(amplified >= exact * (1 - 1e-18L));
      CHECK(amplified <= exact * (1 + 1e-12L) + (epsilon > 500 ? 1e-11L : 0.0L));
      CHECK(amplified > last);
      CHECK(amplified <= epsilon);
      last = amplified;
      // Sampling 1 row at 5000 gains log(n): the inverse must find the way back.
      const double back = epsilon_before_sampling(amplified, m, n);
      CHECK(back == Approx(epsilon).scale(0).epsilon(1e-9));
      // Never more than allowed.
      const double before = epsilon_before_sampling(epsilon, m, n);
      CHECK(before >= epsilon);
      const long double again = std::log1p(share * std::expm1(static_cast<long double>(before)));
      CHECK(again <= e * (1 + 1e-18L));
      CHECK(again >= e * (1 - 1e-12L));
    }
    CHECK(amplified_epsilon(epsilon, n, n) == epsilon);
    CHECK(epsilon_before_sampling(epsilon, n, n) == epsilon);
  }
  CHECK(amplified_epsilon(0, 1, 2) == 0);
  CHECK(epsilon_before_sampling(0, 1, 2) == 0);
  CHECK(std::isfinite(epsilon_before_sampling(1e300, 1, 1e15)));
}

TEST_CASE("advanced composition is the theorem's formula, rounded up", "[accounting]") {
  const ApproximateDp total = advanced_composition(Epsilon(0.1), 1e-8, 100, 1e-6);
  const double exact = 0.1 * std::sqrt(2 * 100 * std::log(1e6)) + 100 * 0.1 * std::expm1(0.1);
  CHECK(total.epsilon.value() >= exact);
  CHECK(total.epsilon.value() == Approx(exact).scale(0).epsilon(1e-12));
  CHECK(total.delta == Approx(2e-6).scale(0).epsilon(1e-12));
  CHECK(advanced_composition(Epsilon(0), 0, 10, 1e-6).epsilon == Epsilon(0));
  CHECK(advanced_composition(Epsilon(0.1), 0.5, 100, 1e-6).delta == 1);
  // zCDP promises less loss for the same hundred steps.
  CHECK(dp_from_rho(100 * rho_of_pure(0.1), 1e-6) < total.epsilon.value());
}

TEST_CASE("advanced composition is never worse than adding up", "[accounting]") {
  // Ten steps of 3: the theorem's formula gives 622, the sum is 30 and needs no further delta.
  const ApproximateDp large = advanced_composition(Epsilon(3), 1e-8, 10, 1e-6);
  CHECK(large.epsilon.value() >= 30);
  CHECK(large.epsilon.value() == Approx(30).scale(0).epsilon(1e-12));
  CHECK(large.delta >= 1e-7);
  CHECK(large.delta == Approx(1e-7).scale(0).epsilon(1e-12));
  CHECK(advanced_composition(Epsilon(3), 0, 10, 1e-6).delta == 0);
  // One step is itself.
  const ApproximateDp one = advanced_composition(Epsilon(0.3), 1e-8, 1, 1e-6);
  CHECK(one.epsilon.value() == 0.3);
  CHECK(one.delta == 1e-8);
  for (const double epsilon : {1e-3, 0.01, 0.1, 1.0, 10.0}) {
    for (const double steps : {1.0, 2.0, 7.0, 100.0, 1e5}) {
      const ApproximateDp total = advanced_composition(Epsilon(epsilon), 1e-9, steps, 1e-6);
      CAPTURE(epsilon);
      CAPTURE(steps);
      CHECK(total.epsilon.value() <= steps * epsilon * (1 + 1e-13));
      CHECK(total.delta <= (steps * 1e-9 + 1e-6) * (1 + 1e-13));
    }
  }
}

TEST_CASE("the moments of the sub-sampled Gaussian agree with sixty digits", "[accounting]") {
  struct Case {
    int order;
    double rho, share, moment, lower;
  };
  // moment: Theorem 9; lower: the exact divergence of the pair "the record moves the statistic by
  // the full sensitivity whenever it is drawn", which no valid bound can undercut.
  const std::vector<Case> cases = {
      {2, 0.02, 0.001, 1.63243083445400031e-07, 4.08107733596286010e-08},
      {3, 0.02, 0.001, 4.91984162987589329e-07, 1.22437379610710621e-07},
      {8, 0.02, 0.001, 4.69725346687951865e-06, 1.14298506678723892e-06},
      {32, 0.02, 0.001, 9.22411228144976803e-05, 2.02672794787719064e-05},
      {128, 0.02, 0.001, 2.12231986308461257e-03, 3.33449294389195135e-04},
      {2, 2, 0.001, 1.09190338584291629e-04, 5.35967137036235915e-05},
      {5, 2, 0.001, 6.15706324465042254e+00, 5.46603166602086166e+00},
      {10, 0.5, 0.1, 2.26797503985374220e+01, 2.19853473603804304e+01},
      {4, 1e-8, 0.5, 7.53771894141083698e-01, 3.00000005250000045e-08},
      {1000, 0.00001, 0.01, 1.06415720822514626e+01, 9.99207452586131336e-04}};
  const LogFactorials log_factorial(1000);
  for (const Case& each : cases) {
    CAPTURE(each.order);
    CAPTURE(each.rho);
    const double moment =
        subsampled_gaussian_log_moment(each.order, each.rho, each.share, log_factorial);
    CHECK(moment >= each.moment * (1 - 1e-16));
    CHECK(moment <= each.moment * (1 + 1e-9));
    CHECK(moment > each.lower);
  }
}

TEST_CASE("the sub-sampled accountant lies between the exact bounds", "[accounting]") {
  const double n = 100000, delta = 1e-6;
  for (const double rho : {1e-4, 0.02, 0.5, 5.0}) {
    for (const double steps : {1.0, 100.0}) {
      const double plain = dp_from_rho(rho * steps, delta);
      double last = 0;
      for (const double m : {10.0, 1000.0, 10000.0, 50000.0, 70000.0, 100000.0}) {
        CAPTURE(rho);
        CAPTURE(steps);
        CAPTURE(m);
        const double epsilon = subsampled_gaussian_epsilon(rho, m, n, steps, delta);
        CHECK(epsilon >= last);
        CHECK(epsilon <= plain * (1 + 1e-9));
        last = epsilon;
      }
      CHECK(last == Approx(plain).scale(0).epsilon(1e-9));
    }
  }
  // One step on one row of a hundred thousand gains a lot.
  CHECK(subsampled_gaussian_epsilon(0.5, 100, n, 1, delta) < 0.5 * dp_from_rho(0.5, delta));
  CHECK(subsampled_gaussian_epsilon(0.0, 100, n, 1, delta) == 0);
  // A single weak step gains the factor of the share, where Theorem 9 alone gains nothing.
  CHECK(subsampled_gaussian_epsilon(1e-6, 1000, n, 1, delta) < 0.02 * dp_from_rho(1e-6, delta));
}

TEST_CASE("no claimed epsilon undercuts the exact delta of a worst pair", "[accounting]") {
  // One step. Neighbours: the statistic is 0, or 1 whenever the record is drawn (share q). The
  // pair N(0,1) against (1-q) N(0,1) + q N(1,1), noise scaled so that rho = 1 / (2 sigma^2), has
  // delta(e) = integral of max(0, mixture - exp(e) reference), in closed form a half-line.
  auto upper = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  for (const double rho : {0.02, 0.5, 3.0}) {
    for (const double share : {0.001, 0.1, 0.5, 0.9}) {
      for (const double delta : {1e-6, 1e-3}) {
        const double sigma = 1 / std::sqrt(2 * rho);
        const double claimed = subsampled_gaussian_epsilon(rho, share * 1e6, 1e6, 1, delta);
        CAPTURE(rho);
        CAPTURE(share);
        CAPTURE(claimed);
        // mixture / reference = 1 - q + q exp((x - 1/2) / sigma^2) > exp(claimed) beyond `cut`.
        const double cut = sigma * sigma * std::log((std::exp(claimed) - 1 + share) / share) + 0.5;
        const double exact = (1 - share) * upper(cut / sigma) + share * upper((cut - 1) / sigma) -
                             std::exp(claimed) * upper(cut / sigma);
        CHECK(exact <= delta);
      }
    }
  }
}

TEST_CASE("the noise for a promise on sub-samples keeps it and is not wasteful", "[accounting]") {
  for (const double epsilon : {0.5, 3.0}) {
    for (const double m : {1000.0, 20000.0, 100000.0}) {
      const double rho = subsampled_gaussian_rho(epsilon, 1e-6, m, 100000, 20);
      CAPTURE(epsilon);
      CAPTURE(m);
      CHECK(subsampled_gaussian_epsilon(rho, m, 100000, 20, 1e-6) <= epsilon);
      CHECK(subsampled_gaussian_epsilon(rho * 1.00001, m, 100000, 20, 1e-6) > epsilon);
      CHECK(rho >= rho_from_dp(epsilon, 1e-6) / 20 * (1 - 1e-9));
    }
  }
  CHECK_THROWS_AS(subsampled_gaussian_rho(0, 1e-6, 1, 2, 1), std::invalid_argument);
  // Where numbers end: this once went on for ever.
  CHECK(subsampled_gaussian_rho(1e-150, 1e-200, 10, 100, 1e15) == 0);
  CHECK(subsampled_gaussian_rho(1e-150, 1e-200, 100, 100, 1e15) == 0);
  CHECK(subsampled_gaussian_rho(1e-150, 1e-200, 10, 100, 1) > 0);
}
