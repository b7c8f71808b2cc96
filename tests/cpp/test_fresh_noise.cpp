// How often the comparisons of the sparse vector and of sieve-and-examine come out above, against
// the probability that follows from the scales of their noise: a part that was left out, halved or
// used twice changes it.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "distribution_checks.h"
#include "priced.h"

using namespace privpc_test;

namespace {

// P(A + B > t) for independent Laplace variables of scales a != b. The grid of the mechanisms is
// 2^-16 of the noise: too fine to be seen in 1e5 runs.
double two_laplace_upper(double t, double a, double b) {
  const double one_side = [&](double u) {
    return (a * a * std::exp(-u / a) - b * b * std::exp(-u / b)) / (2 * (a * a - b * b));
  }(std::fabs(t));
  return t >= 0 ? one_side : 1 - one_side;
}

double laplace_upper(double t, double b) {
  return t >= 0 ? std::exp(-t / b) / 2 : 1 - std::exp(t / b) / 2;
}

constexpr int kRuns = 100000;

SparseVector with_share(double epsilon, double share) {
  return SparseVector(Epsilon(epsilon), 1, 1, false, share);
}

}  // namespace

TEST_CASE("a sparse vector's first answer has the probability of its two noises") {
  RandomBits bits = RandomBits::from_seed(11);
  for (double share : {0.1, 0.4, 0.8}) {
    for (double gap : {-3.0, 0.5, 4.0}) {
      int above = 0;
      SparseVector run = with_share(1, share);
      for (int i = 0; i < kRuns; ++i) {
        Ledger ledger = ledger_of(Accounting::pure, 1);
        run.start(gap, ledger, bits, "");
        above += run.above(Sensitive<double>(0, 1), bits) ? 1 : 0;
      }
      rate_is(above, kRuns, two_laplace_upper(gap, 1 / share, 2 / (1 - share)));
    }
  }
}

TEST_CASE("every run has a new noisy threshold, every query noise of its own") {
  RandomBits bits = RandomBits::from_seed(12);
  // Nearly all noise in the threshold: two queries of a run agree, two runs do not.
  SparseVector run = with_share(1, 0.001);
  int agree_inside = 0, agree_between = 0;
  bool last = false;
  for (int i = 0; i < kRuns; ++i) {
    Ledger ledger = ledger_of(Accounting::pure, 1);
    run.start(0, ledger, bits, "");
    const bool first = run.above(Sensitive<double>(0, 1), bits);
    if (!first && !run.above(Sensitive<double>(0, 1), bits)) ++agree_inside;
    if (i > 0 && first == last) ++agree_between;
    last = first;
  }
  rate_is(agree_between, kRuns - 1, 0.5);
  REQUIRE(agree_inside > 0.49 * kRuns);
  // Nearly all noise in the queries: the second query after a "below" is above half of the time.
  SparseVector other = with_share(1, 0.999);
  int below = 0, then_above = 0;
  for (int i = 0; i < kRuns; ++i) {
    Ledger ledger = ledger_of(Accounting::pure, 1);
    other.start(0, ledger, bits, "");
    if (other.above(Sensitive<double>(0, 1), bits)) continue;
    ++below;
    then_above += other.above(Sensitive<double>(0, 1), bits) ? 1 : 0;
  }
  // The threshold's noise is 1/2000 of the queries'; a little of it is still in common.
  REQUIRE(std::fabs(then_above / static_cast<double>(below) - 0.5) < 0.5 / 2000 + 6 * 0.5 / 223);
  rate_is(below, kRuns, 0.5);
}

TEST_CASE("sieve and examine step answer with the noise of their own shares") {
  RandomBits bits = RandomBits::from_seed(13);
  for (Accounting unit : {Accounting::pure, Accounting::zcdp}) {
    for (double share : {0.3, 0.7}) {
      for (std::uint64_t size : {100u, 1000u}) {
        const double price = 0.4, gap = 2;
        SieveAndExamine run = sieve_and_examine(unit, price, share, {size, 1000});
        int sieved = 0, accepted = 0;
        for (int i = 0; i < kRuns; ++i) {
          Ledger ledger = ledger_of(unit, 1);
          run.start(gap, 0, ledger, bits, "");
          if (run.sieve(Sensitive<double>(0, 1), bits)) {
            ++sieved;
          } else {
            while (!run.sieve(Sensitive<double>(1e9, 1), bits)) {
            }
          }
          accepted += run.examine(Sensitive<double>(0, 1), bits) ? 1 : 0;
        }
        // The sieve's part as epsilon, then before sampling; half of it for the threshold.
        double sieve = price * share;
        if (unit == Accounting::zcdp) {  // e tanh(e/2) = rho, by Newton's method
          double e = std::sqrt(2 * sieve);
          for (int i = 0; i < 50; ++i) {
            const double t = std::tanh(e / 2);
            e -= (e * t - sieve) / (t + e * (1 - t * t) / 2);
          }
          sieve = e;
        }
        const double q = static_cast<double>(size) / 1000;
        const double before = std::log1p(std::expm1(sieve) / q);
        rate_is(sieved, kRuns, two_laplace_upper(gap, 2 / before, 4 / before));
        const double examine = price * (1 - share);
        rate_is(accepted, kRuns,
                unit == Accounting::pure ? laplace_upper(gap, 1 / examine)
                                         : normal_upper(gap * std::sqrt(2 * examine)));
      }
    }
  }
}

TEST_CASE("a private median has the noise of the smooth sensitivity and of its promise") {
  RandomBits bits = RandomBits::from_seed(14);
  for (double epsilon : {0.3, 1.0, 4.0}) {
    for (double delta : {1e-6, 1e-2}) {
      for (AdmissibleNoise noise : {AdmissibleNoise::laplace, AdmissibleNoise::gaussian}) {
        // The formulas of the theorems. Of one value in the middle of 0..1 the smooth sensitivity
        // is that of two changes, exp(-beta), or a half.
        const bool is_laplace = noise == AdmissibleNoise::laplace;
        const double c2 = std::sqrt(2 * std::log(2 / delta) + epsilon);
        const double alpha = is_laplace ? epsilon / 2 : std::sqrt(c2 * c2 + epsilon) - c2;
        const double beta = is_laplace ? std::log1p(epsilon / (2 * std::log(2 / delta)))
                                       : std::log1p(epsilon / (2 * std::log(4 / delta))) / 2;
        const double scale = std::max(0.5, std::exp(-beta)) / alpha;
        int at_the_top = 0;
        const SmoothMedian median = smooth_median(epsilon, delta, noise);
        for (int i = 0; i < kRuns; ++i) {
          Ledger ledger = ledger_of(Accounting::pure, epsilon, delta);
          const Sensitive<std::vector<double>> value({0.5}, 1);
          at_the_top += median.release(value, ledger, bits, "") >= 1 ? 1 : 0;
        }
        // Noise of half the range or more is cut off at the upper bound.
        rate_is(at_the_top, kRuns,
                is_laplace ? laplace_upper(0.5, scale) : normal_upper(0.5 / scale));
      }
    }
  }
}
