// A mechanism is built for a sensitivity and a number of values. What is more sensitive is refused,
// unpaid and without a draw; and the scale of the noise has room for what rounding to the grid
// adds.
#include <catch.h>

#include <cmath>
#include <functional>
#include <vector>

#include "priced.h"
#include "privpc/privacy/candidate_scores.hpp"

using namespace privpc_test;

namespace {

// Just above what was announced.
const double more = std::nextafter(1.0, 2.0);

struct Refusal {
  const char* mechanism;
  std::function<void(double, Ledger&, RandomBits&)> run;  // on values of this sensitivity
};

Sensitive<std::vector<double>> two_values(double sensitivity) {
  return Sensitive<std::vector<double>>({3, 4}, sensitivity);
}

const std::vector<Refusal> refusals{
    {"laplace",
     [](double size, Ledger& ledger, RandomBits& bits) {
       laplace(0.1, Shape{1, 2}).release(two_values(size), ledger, bits, "");
     }},
    {"gaussian",
     [](double size, Ledger& ledger, RandomBits& bits) {
       gaussian(0.1, Shape{1, 2}).release(two_values(size), ledger, bits, "");
     }},
    {"scaled gaussian",
     [](double size, Ledger& ledger, RandomBits& bits) {
       const Sensitive<std::vector<std::int64_t>> values({3, 4}, size);
       scaled_gaussian(0.1, 1, {1, 2}).release(values, ledger, bits, "");
     }},
    {"exponential",
     [](double size, Ledger& ledger, RandomBits& bits) {
       choice(0.1, Selection::exponential).choose(two_values(size), ledger, bits, "");
     }},
    {"permute and flip",
     [](double size, Ledger& ledger, RandomBits& bits) {
       choice(0.1, Selection::permute_and_flip).choose(two_values(size), ledger, bits, "");
     }},
    {"pair selection",
     [](double size, Ledger& ledger, RandomBits& bits) {
       pair_selection(0.1, 1).choose(two_values(size), ledger, bits, "");
     }},
};

}  // namespace

TEST_CASE("values more sensitive than announced are refused, unpaid and without a draw") {
  for (const Refusal& refusal : refusals) {
    INFO(refusal.mechanism);
    Ledger ledger = ledger_of(Accounting::zcdp, 1);
    RandomBits bits = RandomBits::from_seed(1), twin = RandomBits::from_seed(1);
    REQUIRE_THROWS_AS(refusal.run(more, ledger, bits), std::invalid_argument);
    REQUIRE(ledger.size() == 0);
    REQUIRE(bits.next() == twin.next());
    REQUIRE_NOTHROW(refusal.run(1, ledger, bits));
    REQUIRE_NOTHROW(refusal.run(0.5, ledger, bits));
    REQUIRE(ledger.size() == 2);
  }
}

TEST_CASE("queries more sensitive than the run was built for are refused without a draw") {
  Ledger ledger = ledger_of(Accounting::pure, 10);
  RandomBits bits = RandomBits::from_seed(1), twin = RandomBits::from_seed(1);
  SparseVector run = sparse_vector(1, 1), other = sparse_vector(1, 1);
  run.start(0, ledger, bits, "");
  other.start(0, ledger, twin, "");
  REQUIRE_THROWS_AS(run.above(Sensitive<double>(0, more), bits), std::invalid_argument);
  REQUIRE(run.running());
  REQUIRE(bits.next() == twin.next());

  SieveAndExamine sieve = sieve_and_examine(Accounting::pure, 1, 0.5, {5, 10});
  sieve.start(0, 0, ledger, bits, "");
  REQUIRE_THROWS_AS(sieve.sieve(Sensitive<double>(0, more), bits), std::invalid_argument);
  REQUIRE(sieve.sieving());
  REQUIRE(sieve.sieve(Sensitive<double>(1e9, 1), bits));
  REQUIRE_THROWS_AS(sieve.examine(Sensitive<double>(0, more), bits), std::invalid_argument);
  REQUIRE_NOTHROW(sieve.examine(Sensitive<double>(0, 1), bits));

  CandidateScores scores(2);
  REQUIRE_THROWS_AS(scores.add(0, Sensitive<double>(0, more)), std::invalid_argument);
  REQUIRE_NOTHROW(scores.add(0, Sensitive<double>(0, 1)));
  REQUIRE(scores.candidates().size() == 1);
}

TEST_CASE("noise has room for the rounding to the grid, coordinate by coordinate") {
  for (double sensitivity : {0.03, 1.0, 777.7}) {
    for (double price : {0.01, 0.5, 3.0}) {
      for (std::size_t coordinates : {1u, 4u, 1000u}) {
        const double d = static_cast<double>(coordinates);
        const double b = sensitivity / price;
        const double step = Grid::for_noise(sensitivity, b, coordinates).step();
        // Rounding moves each of d values by less than a step: d steps in L1, sqrt(d) in L2.
        REQUIRE(laplace(price, Shape{sensitivity, coordinates}).scale() >=
                (sensitivity + d * step) / price * (1 - 1e-15));
        const double sigma = sensitivity / std::sqrt(2 * price);
        const double fine = Grid::for_noise(sensitivity, sigma, coordinates).step();
        REQUIRE(gaussian(price, Shape{sensitivity, coordinates}).sigma() >=
                (sensitivity + std::sqrt(d) * fine) / std::sqrt(2 * price) * (1 - 1e-15));
      }
    }
  }
  // Whole numbers that change at all change by one.
  REQUIRE(laplace(1, Shape{0.2, 1, true}).scale() >= 1);
  REQUIRE(laplace(1, Shape{2.5, 3, true}).scale() >= 3);
  REQUIRE(gaussian(0.5, Shape{0.2, 1, true}).sigma() >= 1);
  REQUIRE(gaussian(0.5, Shape{2.5, 3, true}).sigma() >= 2.5);
}

TEST_CASE("a quotient that floating point rounds down to a scale is not taken for that scale") {
  RandomBits bits = RandomBits::from_seed(9);
  int tried = 0;
  while (tried < 200) {
    // numerator / denominator is a little above a scale that 24 bits hold, and rounds down to it.
    const double scale = std::ldexp(static_cast<double>(bits.below(1u << 23) + (1u << 23)), -20);
    const double denominator = 1 + std::ldexp(static_cast<double>(bits.below(1u << 30)), -30) / 3;
    const double numerator = scale * denominator;
    const bool above = std::fma(scale, denominator, -numerator) < 0;
    if (!above || numerator / denominator != scale) continue;
    ++tried;
    REQUIRE(to_double(noise_scale(numerator, denominator)) > scale);
  }
}
