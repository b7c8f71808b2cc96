// Gaussian differential privacy: the conversion, the discrete noise behind it, adaptive steps, and
// a ledger that lets nothing else in.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "priced.h"
#include "privpc/learners/fit_price.hpp"

using namespace privpc_test;

namespace {

// delta(epsilon) of N(mu, 1) against N(0, 1), with more digits than the core has.
long double exact_delta(long double mu, long double epsilon) {
  const auto phi = [](long double z) { return std::erfc(-z / std::sqrt(2.0L)) / 2; };
  return phi(mu / 2 - epsilon / mu) - std::exp(epsilon) * phi(-mu / 2 - epsilon / mu);
}

// eta(t) of theorem 3.
double eta(double t) {
  double sum = 0;
  for (int m = 1; m < 60; ++m)
    sum += 2 * std::exp(-2 * 3.14159265358979323846 * 3.14159265358979323846 * t * m * m);
  return sum;
}

// Masses of the discrete Gaussian N_Z(0, s2) at -reach .. reach.
std::vector<double> discrete_masses(double s2, int reach) {
  std::vector<double> out;
  double sum = 0;
  for (int z = -reach; z <= reach; ++z) {
    out.push_back(std::exp(-z * z / (2 * s2)));
    sum += out.back();
  }
  for (double& mass : out)
    mass /= sum;
  return out;
}

// The exact delta of discrete noise on one number or several that a record moves by `moved`.
double discrete_delta(const std::vector<double>& s2, const std::vector<int>& moved,
                      double epsilon) {
  struct Point {
    double here, there;  // probabilities for the two neighbours
  };
  std::vector<Point> points{{1, 1}};
  for (std::size_t c = 0; c < s2.size(); ++c) {
    const int reach = static_cast<int>(11 * std::sqrt(s2[c])) + moved[c];
    const std::vector<double> mass = discrete_masses(s2[c], reach);
    const auto at = [&](int z) {
      return z < -reach || z > reach ? 0.0 : mass[static_cast<std::size_t>(z + reach)];
    };
    std::vector<Point> next;
    for (const Point& point : points) {
      for (int z = -reach; z <= reach; ++z) {
        const Point more{point.here * at(z - moved[c]), point.there * at(z)};
        if (more.here > 1e-25) next.push_back(more);
      }
    }
    points = std::move(next);
  }
  double sum = 0;
  for (const Point& point : points)
    sum += std::max(0.0, point.here - std::exp(epsilon) * point.there);
  return sum;
}

}  // namespace

TEST_CASE("the conversion is exact, and rounded against the one who spends") {
  for (double epsilon : {0.001, 0.05, 0.3, 1.0, 3.0, 10.0, 40.0}) {
    for (double delta : {1e-12, 1e-8, 1e-6, 1e-3, 0.1}) {
      const double rho = gaussian_rho_from_dp(Epsilon(epsilon), delta).value();
      const long double mu = std::sqrt(2.0L * rho);
      INFO("epsilon " << epsilon << ", delta " << delta << ", rho " << rho);
      REQUIRE(exact_delta(mu, epsilon) <= delta);
      REQUIRE(exact_delta(mu * (1 + 1e-6L), epsilon) > delta);
      // Back again.
      const double back = gaussian_dp_from_rho(Rho(rho), delta).value();
      CHECK(exact_delta(mu, back) <= delta);
      CHECK(back == Approx(epsilon).epsilon(1e-5));
      // Never less than by zCDP, which holds for Gaussian noise as well.
      CHECK(rho > rho_from_dp(Epsilon(epsilon), delta).value());
      CHECK(back < dp_from_rho(Rho(rho), delta).value());
    }
  }
  const auto gain = [](double epsilon, double delta) {
    return gaussian_rho_from_dp(Epsilon(epsilon), delta).value() /
           rho_from_dp(Epsilon(epsilon), delta).value();
  };
  CHECK(gain(1, 1e-6) == Approx(1.15).margin(0.006));
  CHECK(gain(0.3, 1e-6) == Approx(1.17).margin(0.006));
}

TEST_CASE("the profile is an upper bound far out, and extreme arguments promise nothing wrong") {
  using accounting_detail::gaussian_profile;
  for (double mu : {1e-6, 1e-3, 0.1, 0.7, 3.0, 20.0, 45.0}) {
    for (double epsilon : {0.0, 1e-5, 0.01, 0.2, 1.0, 7.0, 60.0, 650.0, 1500.0}) {
      const double computed = gaussian_profile(mu, epsilon);
      INFO("mu " << mu << ", epsilon " << epsilon << ", computed " << computed);
      CHECK(computed >= exact_delta(mu, epsilon));
      CHECK(computed <= 1);
      CHECK(computed > 0);
    }
  }
  CHECK(gaussian_dp_from_rho(Rho(0), 1e-6).value() == 0);
  CHECK(gaussian_dp_from_rho(Rho(1e-18), 1e-6).value() == 0);
  CHECK(gaussian_rho_from_dp(Epsilon(0), 1e-6).value() > 0);
  CHECK(gaussian_rho_from_dp(Epsilon(1e6), 1e-6).value() > 0.9e6);
  CHECK_THROWS_AS(gaussian_rho_from_dp(Epsilon(1), 0), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_rho_from_dp(Epsilon(INFINITY), 0.1), std::invalid_argument);
}

namespace {

// The least and the largest ratio of the masses of N_Z(0, s2) and of what theorem 3 calls R, whose
// continuous part has the variance `continuous`. The trapezoidal rule is next to exact for such
// integrals.
std::pair<double, double> ratios_to_rounded(double s2, double continuous, double t) {
  constexpr double pi = 3.14159265358979323846, step = 1.0 / 128;
  double least = HUGE_VAL, most = 0;
  const std::vector<double> mass = discrete_masses(s2, 60);
  for (int z = 0; z <= static_cast<int>(6 * std::sqrt(s2)); ++z) {
    double rounded = 0;
    for (double y = -60; y <= 60; y += step) {
      double weights = 0;
      const double around = std::round(y);
      for (double k = around - 12; k <= around + 12; ++k)
        weights += std::exp(-(k - y) * (k - y) / (2 * t));
      rounded += step * std::exp(-y * y / (2 * continuous)) / std::sqrt(2 * pi * continuous) *
                 std::exp(-(z - y) * (z - y) / (2 * t)) / weights;
    }
    const double ratio = mass[static_cast<std::size_t>(60 + z)] / rounded;
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  return {least, most};
}

}  // namespace

TEST_CASE("discrete noise is continuous noise of less variance, rounded at random") {
  // With t so small that eta can be seen.
  for (double t : {0.15, 0.25, 0.4}) {
    for (double s2 : {0.7, 2.0, 9.0}) {
      const double limit = eta(t);
      const double low = (1 - limit) / (1 + limit) - 1e-12, high = 1 + limit + 1e-12;
      const auto [least, most] = ratios_to_rounded(s2, s2 - t, t);
      INFO("t " << t << ", s2 " << s2 << ", eta " << limit << ": " << least << " to " << most);
      CHECK(least >= low);
      CHECK(most <= high);
      // Continuous noise of the full variance would be another one.
      const auto [too_low, too_high] = ratios_to_rounded(s2, s2, t);
      CHECK((too_low < low || too_high > high));
    }
  }
  CHECK(eta(kGaussianWidening) < 1.1e-34);
  CHECK(2.01 * eta(kGaussianWidening) * kMostGaussianNumbers < accounting_detail::kappa);
}

TEST_CASE("discrete noise that is wider by 4 keeps what continuous noise promises") {
  struct Case {
    std::vector<double> continuous;  // variances
    std::vector<int> moved;
  };
  for (const Case& one : std::vector<Case>{{{0.5}, {1}},
                                           {{1}, {1}},
                                           {{3}, {2}},
                                           {{20}, {3}},
                                           {{1, 4}, {1, 2}},
                                           {{2, 2, 0.8}, {1, 1, 1}}}) {
    double mu2 = 0;
    std::vector<double> wide, exactly;
    for (std::size_t c = 0; c < one.moved.size(); ++c) {
      mu2 += one.moved[c] * one.moved[c] / one.continuous[c];
      wide.push_back(one.continuous[c] + kGaussianWidening);
      exactly.push_back(one.continuous[c]);
    }
    bool narrow_would_fail = false;
    for (double epsilon : {0.1, 0.5, 1.0, 2.0, 4.0}) {
      const double promised = accounting_detail::gaussian_profile(std::sqrt(mu2), epsilon);
      CHECK(discrete_delta(wide, one.moved, epsilon) <= promised + 1e-15);
      std::vector<double> narrow;
      for (double v : exactly)
        narrow.push_back(0.7 * v);
      if (discrete_delta(narrow, one.moved, epsilon) > promised) narrow_would_fail = true;
    }
    CHECK(narrow_would_fail);
  }
}

TEST_CASE("steps whose share depends on outcomes keep the promise of their sum") {
  // Two steps on one number that a record moves by 8. The second gets a share that depends on the
  // first outcome; together they cost at most rho on every path. Exact sums over both outcomes.
  const double rho = 0.4;
  const int moved = 8, reach = 400;
  const auto masses = [&](double share) {
    return discrete_masses(moved * moved / (2 * share) + kGaussianWidening, reach);
  };
  const auto at = [](const std::vector<double>& mass, int z) {
    return mass[static_cast<std::size_t>(z + reach)];
  };
  const auto delta_of = [&](double epsilon, double spent) {
    const double factor = std::exp(epsilon);
    const std::vector<double> first_mass = masses(0.2 * rho);
    const std::vector<std::vector<double>> second{
        masses(spent * 0.8 * rho), masses(spent * 0.3 * rho), masses(spent * 0.1 * rho)};
    double worst = 0;
    for (int direction : {moved, -moved}) {
      double total = 0;
      for (int one = -reach + moved; one <= reach - moved; ++one) {
        const double here = at(first_mass, one - direction), there = at(first_mass, one);
        const auto& mass = second[one > 10 ? 0 : (one < -5 ? 2 : 1)];
        for (int two = -reach + moved; two <= reach - moved; ++two)
          total += std::max(0.0, here * at(mass, two - direction) - factor * there * at(mass, two));
      }
      worst = std::max(worst, total);
    }
    return worst;
  };
  for (double epsilon : {0.2, 0.6, 1.0, 1.5}) {
    const double promised = accounting_detail::gaussian_profile(std::sqrt(2 * rho), epsilon);
    CHECK(delta_of(epsilon, 1) <= promised);
    CHECK(delta_of(epsilon, 1) > 0.4 * promised);
    CHECK(delta_of(epsilon, 3) > promised);  // overspending would show
  }
}

TEST_CASE("a ledger of Gaussian steps takes no others, and other ledgers take Gaussian steps") {
  Ledger ledger = ledger_of(Accounting::gaussian, 1);
  for (const Cost& cost : {Cost::pure(Epsilon(0.1)), Cost::bounded_range(Epsilon(0.1)),
                           Cost::concentrated(Rho(0.1)), Cost::approximate(Epsilon(0.1), 0),
                           Cost(Price(Rho(0.1))), Cost(Price::in(Accounting::gaussian, 0.1))}) {
    CHECK_THROWS_AS(ledger.debit("step", "x", cost), std::invalid_argument);
  }
  CHECK(ledger.size() == 0);
  ledger.debit("gaussian", "x", Cost::gaussian(Rho(0.75)));
  CHECK(left_of(ledger) == 0.25);
  CHECK_THROWS_AS(ledger.debit("gaussian", "x", Cost::gaussian(Rho(0.26))), Overdraft);
  CHECK(ledger.left().accounting() == Accounting::gaussian);
  CHECK(ledger.left().rho().value() == 0.25);
  Ledger zcdp = ledger_of(Accounting::zcdp, 1);
  zcdp.debit("gaussian", "x", Cost::gaussian(Rho(0.75)));
  CHECK(left_of(zcdp) == 0.25);
  Ledger pure = ledger_of(Accounting::pure, 1);
  CHECK_THROWS_AS(pure.debit("gaussian", "x", Cost::gaussian(Rho(0.75))), std::invalid_argument);
}

TEST_CASE("in a ledger of Gaussian steps the noise is wider by 4 counts at least") {
  const std::vector<double> units{0.8, 2, 7.5, 30};
  for (double rho : {1e-3, 0.3, 50.0, 1e6}) {
    for (double sensitivity : {0.5, 3.0, 40.0}) {
      const ScaledGaussianMechanism plain(Rho(rho), sensitivity, units);
      const ScaledGaussianMechanism wide(Rho(rho), sensitivity, units, Accounting::gaussian);
      double paid = 0, stated = 0;
      for (std::size_t c = 0; c < units.size(); ++c) {
        const double needed = units[c] * units[c] * sensitivity * sensitivity / (2 * rho);
        const double variance = wide.sigma(c) * wide.sigma(c);
        REQUIRE(variance - kGaussianWidening >= needed);
        CHECK(variance <=
              (needed + kGaussianWidening * units[c] * units[c] / (0.8 * 0.8)) * (1 + 1e-5));
        if (needed > 1) CHECK(plain.sigma(c) < wide.sigma(c));
        // In proportion to the units.
        stated = wide.sigma(0) / units[0];
        CHECK(wide.sigma(c) / units[c] == Approx(stated).epsilon(1e-6));
        // A record that moves each by its share.
        const double moved = units[c] * sensitivity / 2;
        paid += moved * moved / (variance - kGaussianWidening) / 2;
      }
      CHECK(paid <= rho);
    }
  }
}

TEST_CASE("noise for another ledger is refused by one of Gaussian steps, before it is drawn") {
  const Sensitive<std::vector<std::int64_t>> values({5, 7}, 1.0);
  Ledger ledger = ledger_of(Accounting::gaussian, 1);
  RandomBits bits = RandomBits::from_seed(1), untouched = RandomBits::from_seed(1);
  const ScaledGaussianMechanism plain(Rho(0.5), 1, {1, 1});
  CHECK_THROWS_AS(plain.release(values, ledger, bits, "x"), std::invalid_argument);
  CHECK(ledger.size() == 0);
  CHECK(bits.next() == untouched.next());
  const ScaledGaussianMechanism wide(Rho(0.5), 1, {1, 1}, Accounting::gaussian);
  CHECK(wide.release(values, ledger, bits, "x").size() == 2);
  CHECK(spent_of(ledger) == 0.5);
}

TEST_CASE("a fit of Gaussian steps may spend more, states it, and has no price without delta") {
  for (double epsilon : {0.1, 1.0, 5.0}) {
    for (double delta : {1e-9, 1e-6}) {
      const FitPrice price = gaussian_fit_price(Epsilon(epsilon), delta);
      CHECK(price.run.accounting() == Accounting::gaussian);
      REQUIRE(price.rho);
      CHECK(price.run.rho() == *price.rho);
      CHECK(*price.rho == gaussian_rho_from_dp(Epsilon(epsilon), delta));
      CHECK(*price.rho > rho_from_dp(Epsilon(epsilon), delta));
      CHECK(price.cost.in(Accounting::zcdp).value() == price.rho->value());
      CHECK_FALSE(price.on_sample);
      CHECK_FALSE(price.is_too_small());
    }
  }
  CHECK(gaussian_fit_price(Epsilon(1e-5), 1e-9).is_too_small());
  CHECK_THROWS_AS(gaussian_fit_price(Epsilon(1), 0), std::invalid_argument);
}
