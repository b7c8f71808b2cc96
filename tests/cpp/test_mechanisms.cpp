// The one door: what does not compile, what is debited, and what is refused.
#include <catch.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "privpc/base/sealed.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"

using namespace privpc;

// Nobody but a mechanism can make the key, and a sealed value turns into nothing else.
template <class Key>
constexpr bool anyone_can_make =
    std::is_default_constructible<Key>::value || std::is_aggregate<Key>::value;
static_assert(!anyone_can_make<MechanismKey>, "anyone could open a sensitive value");
static_assert(!anyone_can_make<StatisticKey>, "anyone could open a sealed value");
static_assert(!anyone_can_make<NotPrivateKey>, "anyone could open a sealed value");
static_assert(!std::is_convertible<Sealed<double>, double>::value, "a leak would compile");
static_assert(!std::is_copy_constructible<SparseVector>::value, "a paid run could be used twice");
static_assert(!std::is_copy_constructible<SieveAndExamine>::value, "likewise");
static_assert(!std::is_convertible<Sensitive<double>, double>::value, "a leak would compile");
static_assert(!std::is_copy_constructible<RandomBits>::value, "noise could be repeated");
static_assert(!std::is_copy_constructible<Ledger>::value, "a budget could be spent twice");

// A mechanism that is calibrated to the wrong unit does not compile.
static_assert(!std::is_constructible<LaplaceMechanism, Rho, Shape>::value, "");
static_assert(!std::is_constructible<LaplaceMechanism, double, Shape>::value, "");
static_assert(!std::is_constructible<GaussianMechanism, Epsilon, Shape>::value, "");
static_assert(!std::is_constructible<GaussianMechanism, double, Shape>::value, "");
static_assert(!std::is_constructible<ExponentialMechanism, Rho, double, bool, Selection>::value,
              "");
static_assert(!std::is_constructible<SparseVector, Rho, double, std::size_t, bool>::value, "");

namespace {
Sensitive<std::vector<double>> sealed(std::vector<double> values, double sensitivity) {
  return Sensitive<std::vector<double>>(std::move(values), sensitivity);
}
}  // namespace

TEST_CASE("a refused debit draws no noise, and noise follows a debit") {
  RandomBits a = RandomBits::from_seed(1), b = RandomBits::from_seed(1);
  Ledger empty(Epsilon(0.5));
  const LaplaceMechanism mechanism(Epsilon(1), Shape{1, 1, true});
  REQUIRE_THROWS_AS(mechanism.release(sealed({3}, 1), empty, a, "x"), Overdraft);
  REQUIRE(a.next() == b.next());  // the stream was not touched
  REQUIRE(empty.spent().value() == 0);
  Ledger enough(Epsilon(1));
  mechanism.release(sealed({3}, 1), enough, a, "x");
  REQUIRE(enough.spent().value() == Approx(1));
  REQUIRE_THROWS_AS(mechanism.release(sealed({3}, 1), enough, a, "x"), Overdraft);
}

TEST_CASE("values more sensitive or more numerous than announced are refused undebited") {
  RandomBits bits = RandomBits::from_seed(1);
  Ledger ledger(Rho(10));
  const LaplaceMechanism laplace(Epsilon(1), Shape{1, 2, false});
  const GaussianMechanism gaussian(Rho(1), Shape{1, 2, false});
  for (const auto& values : {sealed({1, 2}, 1.5), sealed({1, 2, 3}, 1), sealed({1}, 1)}) {
    REQUIRE_THROWS_AS(laplace.release(values, ledger, bits, ""), std::invalid_argument);
    REQUIRE_THROWS_AS(gaussian.release(values, ledger, bits, ""), std::invalid_argument);
  }
  // No sensitivity covers a statistic that one record can make infinite.
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    REQUIRE_THROWS_AS(laplace.release(sealed({1, bad}, 1), ledger, bits, ""),
                      std::invalid_argument);
    REQUIRE_THROWS_AS(gaussian.release(sealed({1, bad}, 1), ledger, bits, ""),
                      std::invalid_argument);
  }
  REQUIRE(ledger.spent().value() == 0);
}

TEST_CASE("values that were announced as whole numbers and are not are refused undebited") {
  RandomBits bits = RandomBits::from_seed(1);
  Ledger ledger(Rho(10));
  const LaplaceMechanism laplace(Epsilon(1), Shape{1, 2, true});
  const GaussianMechanism gaussian(Rho(1), Shape{1, 2, true});
  for (const double fraction : {0.995, -0.5, 1e-300, 4503599627370495.5, std::nan("")}) {
    REQUIRE_THROWS_AS(laplace.release(sealed({1, fraction}, 1), ledger, bits, ""),
                      std::invalid_argument);
    REQUIRE_THROWS_AS(gaussian.release(sealed({fraction, 1}, 1), ledger, bits, ""),
                      std::invalid_argument);
  }
  REQUIRE(ledger.spent().value() == 0);
  // Doubles of 2^53 and more have no fraction.
  for (const double whole : {0.0, -0.0, -7.0, 9007199254740994.0, -1e300}) {
    REQUIRE_NOTHROW(laplace.release(sealed({whole, 1}, 1), ledger, bits, ""));
  }
}

TEST_CASE("parameters are validated before anything is built") {
  const double inf = HUGE_VAL, nan = std::nan("");
  for (double bad : {0.0, -1.0, inf, nan}) {
    REQUIRE_THROWS_AS(LaplaceMechanism(Epsilon(bad), Shape{1}), std::invalid_argument);
    REQUIRE_THROWS_AS(LaplaceMechanism(Epsilon(1), Shape{bad}), std::invalid_argument);
    REQUIRE_THROWS_AS(GaussianMechanism(Rho(bad), Shape{1}), std::invalid_argument);
    REQUIRE_THROWS_AS(GaussianMechanism(Rho(1), Shape{bad}), std::invalid_argument);
    REQUIRE_THROWS_AS(ExponentialMechanism(Epsilon(bad), 1, false, Selection::exponential),
                      std::invalid_argument);
    REQUIRE_THROWS_AS(SparseVector(Epsilon(bad), 1, 1, false), std::invalid_argument);
    REQUIRE_THROWS_AS(SparseVector(Epsilon(1), bad, 1, false), std::invalid_argument);
    REQUIRE_THROWS_AS(Sensitive<double>(1, bad), std::invalid_argument);
    REQUIRE_THROWS_AS(SmoothMedian(Epsilon(bad), 1e-6, 0, 1, AdmissibleNoise::laplace),
                      std::invalid_argument);
  }
  REQUIRE_THROWS_AS(SparseVector(Epsilon(1), 1, 0, false), std::invalid_argument);
  REQUIRE_THROWS_AS(SieveAndExamine(SieveAndExamine::Split::pure(Epsilon(1)), 1, {0, 10}),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(SieveAndExamine(SieveAndExamine::Split::pure(Epsilon(1)), 1, {11, 10}),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(SmoothMedian(Epsilon(1), 0, 0, 1, AdmissibleNoise::laplace),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(SmoothMedian(Epsilon(1), 0.1, 1, 1, AdmissibleNoise::laplace),
                    std::invalid_argument);
}

TEST_CASE("noise scales are never below what the proofs ask for, from tiny to huge budgets") {
  for (double epsilon : {1e-4, 0.01, 0.3, 1.0, 7.0, 100.0}) {
    for (double sensitivity : {1e-9, 0.03, 1.0, 12345.678, 1e9}) {
      for (std::size_t coordinates : {1u, 10u, 1000u}) {
        const double laplace =
            LaplaceMechanism(Epsilon(epsilon), Shape{sensitivity, coordinates}).scale();
        REQUIRE(laplace >= sensitivity / epsilon);
        REQUIRE(laplace <= sensitivity / epsilon * 1.001);
        const double rho = epsilon * epsilon / 2;
        const double sigma = GaussianMechanism(Rho(rho), Shape{sensitivity, coordinates}).sigma();
        REQUIRE(sigma >= sensitivity / std::sqrt(2 * rho));
        REQUIRE(sigma <= sensitivity / std::sqrt(2 * rho) * 1.001);
      }
      for (std::size_t cutoff : {1u, 7u}) {
        const SparseVector run(Epsilon(epsilon), sensitivity, cutoff, false);
        const double first = sensitivity / run.threshold_noise();
        const double second = 2.0 * static_cast<double>(cutoff) * sensitivity / run.query_noise();
        REQUIRE(first + second <= epsilon);
        REQUIRE(first + second >= epsilon * 0.999);
      }
    }
  }
}

TEST_CASE("snapping moves neighbours apart by at most the widened sensitivity") {
  RandomBits bits = RandomBits::from_seed(5);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const double sensitivity = std::ldexp(static_cast<double>(bits.below(1000) + 1), -5);
    const Grid grid = Grid::for_noise(sensitivity, sensitivity * 3);
    const double x = (static_cast<double>(bits.below(1u << 30)) - (1 << 29)) / 1013.0;
    const double y = x + sensitivity * (static_cast<double>(bits.below(2001)) - 1000) / 1000;
    const double apart = std::fabs(static_cast<double>(grid.snap(x) - grid.snap(y)));
    REQUIRE(apart <= grid.steps_l1(sensitivity, 1));
  }
}

TEST_CASE("a sparse vector run ends at its cutoff and not before") {
  RandomBits bits = RandomBits::from_seed(2);
  Ledger ledger(Epsilon(1));
  SparseVector run(Epsilon(1), 1, 2, false);
  REQUIRE_THROWS_AS(run.above(Sensitive<double>(1, 1), bits), std::logic_error);
  run.start(0, ledger, bits, "");
  for (int i = 0; i < 100; ++i)
    REQUIRE_FALSE(run.above(Sensitive<double>(-1e6, 1), bits));
  REQUIRE(run.above(Sensitive<double>(1e6, 1), bits));
  REQUIRE(run.running());
  REQUIRE(run.above(Sensitive<double>(1e6, 1), bits));
  REQUIRE_FALSE(run.running());
  REQUIRE_THROWS_AS(run.above(Sensitive<double>(1e6, 1), bits), std::logic_error);
  REQUIRE_THROWS_AS(run.start(0, ledger, bits, ""), Overdraft);
}

TEST_CASE("examine comes once, and only after the sieve has stopped") {
  RandomBits bits = RandomBits::from_seed(3);
  Ledger ledger(Epsilon(1));
  SieveAndExamine run(SieveAndExamine::Split::pure(Epsilon(1)), 1, {5, 10});
  REQUIRE_THROWS_AS(run.examine(Sensitive<double>(1, 1), bits), std::logic_error);
  const RowMask mask = run.start(0, 0, ledger, bits, "");
  REQUIRE(mask.selected() == 5);
  REQUIRE_THROWS_AS(run.examine(Sensitive<double>(1, 1), bits), std::logic_error);
  REQUIRE(run.sieve(Sensitive<double>(1e6, 1), bits));
  REQUIRE_THROWS_AS(run.sieve(Sensitive<double>(1e6, 1), bits), std::logic_error);
  REQUIRE(run.examine(Sensitive<double>(1e6, 1), bits));
  REQUIRE_THROWS_AS(run.examine(Sensitive<double>(1e6, 1), bits), std::logic_error);
}

TEST_CASE("gaussian noise is refused on a pure ledger, and each mechanism costs what it should") {
  RandomBits bits = RandomBits::from_seed(4);
  Ledger pure(Epsilon(1)), zcdp(Rho(1));
  const GaussianMechanism gaussian(Rho(0.1), Shape{1, 1, true});
  REQUIRE_THROWS_AS(gaussian.release(sealed({1}, 1), pure, bits, ""), std::invalid_argument);
  REQUIRE(pure.spent().value() == 0);
  gaussian.release(sealed({1}, 1), zcdp, bits, "");
  REQUIRE(zcdp.spent().value() == Approx(0.1));
  const ExponentialMechanism choice(Epsilon(0.4), 1, false, Selection::exponential);
  choice.choose(sealed({1, 2}, 1), zcdp, bits, "");
  REQUIRE(zcdp.spent().value() == Approx(0.1 + 0.02));
  const ExponentialMechanism flip(Epsilon(0.4), 1, false, Selection::permute_and_flip);
  flip.choose(sealed({1, 2}, 1), zcdp, bits, "");
  REQUIRE(zcdp.spent().value() == Approx(0.12 + 0.4 * std::tanh(0.2)));
}
