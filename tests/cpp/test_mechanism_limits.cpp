// What mechanisms refuse, and the constants of their proofs, worked out here from the proofs'
// conditions and not from the formulas that solve them.
#include <catch.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "privpc/privacy/candidate_scores.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/scaled_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"

using namespace privpc;

namespace {

// The places where a plain number becomes an amount.
Ledger pure_ledger(double epsilon, double delta = 0) {
  return Ledger(Epsilon(epsilon), delta);
}
LaplaceMechanism laplace(double epsilon, const Shape& shape) {
  return LaplaceMechanism(Epsilon(epsilon), shape);
}
ScaledGaussianMechanism scaled_gaussian(double rho, double sensitivity,
                                        const std::vector<double>& units) {
  return ScaledGaussianMechanism(Rho(rho), sensitivity, units);
}
ExponentialMechanism choice(double epsilon) {
  return ExponentialMechanism(Epsilon(epsilon), 1, false, Selection::exponential);
}
SparseVector sparse_vector(double epsilon) {
  return SparseVector(Epsilon(epsilon), 1, 1, false);
}
SieveAndExamine sieve_and_examine(double epsilon) {
  return SieveAndExamine(SieveAndExamine::Split::pure(Epsilon(epsilon)), 1, {5, 10});
}
SmoothMedian smooth_median(double epsilon, double delta, AdmissibleNoise noise) {
  return SmoothMedian(Epsilon(epsilon), delta, 0, 1, noise);
}

}  // namespace

TEST_CASE("Laplace noise on many numbers covers a line crossed by each") {
  // 64 numbers that each move by 65536.5 steps of the grid, over 65537 lines.
  const double d = 64, sensitivity = d * 65536.5;
  for (double epsilon : {1.0, 0.25}) {
    const double scale = laplace(epsilon, Shape{sensitivity, 64}).scale();
    REQUIRE(Grid::for_noise(sensitivity, sensitivity / epsilon, 64).step() == 1);
    REQUIRE(scale * epsilon >= d * 65537);
  }
}

TEST_CASE("Gaussian noise in units of its own is as large as its price asks for") {
  const std::vector<double> units{0.1, 1, std::sqrt(6.0), 1e4};
  for (double rho : {1e-4, 0.02, 3.0}) {
    for (double sensitivity : {0.5, std::sqrt(2.0), 40.0}) {
      const ScaledGaussianMechanism mechanism = scaled_gaussian(rho, sensitivity, units);
      for (std::size_t i = 0; i < units.size(); ++i) {
        const double needed = units[i] * sensitivity / std::sqrt(2 * rho);
        REQUIRE(mechanism.sigma(i) >= needed);
        REQUIRE(mechanism.sigma(i) <= needed * (1 + 1e-6));
      }
    }
  }
}

TEST_CASE("scores and queries more sensitive than announced are refused") {
  RandomBits bits = RandomBits::from_seed(1);
  Ledger ledger = pure_ledger(5);
  const Sensitive<std::vector<double>> scores({1, 2}, 1.5);
  REQUIRE_THROWS_AS(choice(1).choose(scores, ledger, bits, ""), std::invalid_argument);
  REQUIRE(ledger.size() == 0);
  CandidateScores candidates(1);
  REQUIRE_THROWS_AS(candidates.add(0, Sensitive<double>(1, 1.5)), std::invalid_argument);
  SparseVector run = sparse_vector(1);
  run.start(0, ledger, bits, "");
  REQUIRE_THROWS_AS(run.above(Sensitive<double>(1, 1.5), bits), std::invalid_argument);
  SieveAndExamine sieve = sieve_and_examine(1);
  sieve.start(0, 0, ledger, bits, "");
  REQUIRE_THROWS_AS(sieve.sieve(Sensitive<double>(1e9, 1.5), bits), std::invalid_argument);
  REQUIRE(sieve.sieve(Sensitive<double>(1e9, 1), bits));
  REQUIRE_THROWS_AS(sieve.examine(Sensitive<double>(1e9, 1.5), bits), std::invalid_argument);
}

TEST_CASE("a query that the sieve passed over cannot be examined") {
  RandomBits bits = RandomBits::from_seed(2);
  Ledger ledger = pure_ledger(1);
  SieveAndExamine run = sieve_and_examine(1);
  run.start(0, 0, ledger, bits, "");
  REQUIRE_FALSE(run.sieve(Sensitive<double>(-1e9, 1), bits));
  REQUIRE_THROWS_AS(run.examine(Sensitive<double>(-1e9, 1), bits), std::logic_error);
}

TEST_CASE("the private median sees nothing beyond its bounds") {
  const auto release = [](const std::vector<double>& values, AdmissibleNoise noise) {
    RandomBits bits = RandomBits::from_seed(3);
    Ledger ledger = pure_ledger(1, 1e-4);
    const SmoothMedian median = smooth_median(1, 1e-4, noise);
    return median.release(Sensitive<std::vector<double>>(values, 1), ledger, bits, "");
  };
  for (AdmissibleNoise noise : {AdmissibleNoise::laplace, AdmissibleNoise::gaussian}) {
    REQUIRE(release({-7, 0.4, 0.5, 0.6, 1e6}, noise) == release({0, 0.4, 0.5, 0.6, 1}, noise));
    REQUIRE(release({-HUGE_VAL, 0.5, HUGE_VAL}, noise) == release({0, 0.5, 1}, noise));
  }
}

TEST_CASE("the constants of the private median are those of its proof") {
  for (double epsilon : {0.01, 0.5, 1.0, 4.0}) {
    for (double delta : {1e-9, 1e-6, 1e-2}) {
      // Laplace: changing the scale costs half of epsilon within L scales, moving the other half.
      const SmoothMedian laplace_noise = smooth_median(epsilon, delta, AdmissibleNoise::laplace);
      const double reach = std::log(2 / delta);
      const double change = std::expm1(laplace_noise.beta()) * reach;
      REQUIRE(change <= epsilon / 2 * (1 + 1e-12));
      REQUIRE(change >= epsilon / 2 * 0.999);
      REQUIRE(laplace_noise.beta() <= epsilon / 2);
      REQUIRE(laplace_noise.alpha() <= epsilon / 2 * (1 + 1e-12));
      REQUIRE(laplace_noise.alpha() >= epsilon / 2 * 0.999);
      // Gaussian: the same within c1 and c2 standard deviations, which are passed with
      // probabilities that add up to delta.
      const SmoothMedian gaussian_noise = smooth_median(epsilon, delta, AdmissibleNoise::gaussian);
      const double c1 = std::sqrt(2 * std::log(4 / delta));
      const double c2 = std::sqrt(2 * std::log(2 / delta) + epsilon);
      REQUIRE(2 * std::exp(-c1 * c1 / 2) + std::exp(epsilon / 2 - c2 * c2 / 2) <=
              delta * (1 + 1e-12));
      const double scale_change = std::expm1(2 * gaussian_noise.beta()) / 2 * c1 * c1;
      const double move = c2 * gaussian_noise.alpha() + std::pow(gaussian_noise.alpha(), 2) / 2;
      for (double half : {scale_change, move}) {
        REQUIRE(half <= epsilon / 2 * (1 + 1e-9));
        REQUIRE(half >= epsilon / 2 * 0.999);
      }
    }
  }
}

TEST_CASE("whether a private median is refused does not depend on the values") {
  RandomBits bits = RandomBits::from_seed(4);
  for (AdmissibleNoise noise : {AdmissibleNoise::laplace, AdmissibleNoise::gaussian}) {
    // Blocks that agree would get noise that can be drawn, blocks that do not would not.
    const SmoothMedian median = smooth_median(1e-8, 1e-4, noise);
    Ledger ledger = pure_ledger(1, 0.5);
    for (const std::vector<double>& values :
         {std::vector<double>(9, 0.5), std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 1}}) {
      REQUIRE_THROWS_AS(median.release(Sensitive<std::vector<double>>(values, 1), ledger, bits, ""),
                        std::invalid_argument);
    }
    REQUIRE(ledger.size() == 0);
  }
}

TEST_CASE("a private median lies within its bounds, to the last bit") {
  RandomBits bits = RandomBits::from_seed(5);
  Ledger ledger = pure_ledger(1e6, 0.5);
  const double lower = -0.1, upper = 0.2;  // whose difference is rounded
  REQUIRE(lower + (upper - lower) > upper);
  const SmoothMedian median(Epsilon(1), 1e-4, lower, upper, AdmissibleNoise::laplace);
  const Sensitive<std::vector<double>> high(std::vector<double>(9, upper), 1);
  for (int i = 0; i < 50; ++i)
    REQUIRE(median.release(high, ledger, bits, "") <= upper);
}

TEST_CASE("a sensitivity that is too small to be divided is refused") {
  REQUIRE_THROWS_AS(LaplaceMechanism(Epsilon(1), Shape{5e-324, 3}), std::invalid_argument);
  REQUIRE_THROWS_AS(GaussianMechanism(Rho(1), Shape{5e-324, 3}), std::invalid_argument);
}
