// The price of a fit: what its run may spend, what it is proved to be and what a budget pays.
#include <catch.h>

#include <cmath>

#include "priced.h"
#include "privpc/learners/fit_price.hpp"
#include "privpc/learners/paper_learners.hpp"

using namespace privpc_test;

namespace {

// Whether a ledger that holds just this much, and this slack, pays for the fit, and not a bit less.
bool costs_exactly(const FitPrice& price, Accounting accounting, double amount, double delta) {
  const auto pays = [&](double cap, double slack) {
    Ledger ledger = ledger_of(accounting, cap, slack);
    try {
      ledger.debit("fit", "graph", price.cost);
    } catch (const Overdraft&) {
      return false;
    }
    return true;
  };
  const bool without_slack = delta > 0 && pays(amount, delta * (1 - 1e-9));
  return pays(amount, delta) && !pays(amount * (1 - 1e-9), delta) && !without_slack;
}

}  // namespace

TEST_CASE("a fit without delta spends its epsilon and costs it") {
  for (double epsilon : {1e-6, 0.3, 1.0, 8.0}) {
    for (bool once : {false, true}) {
      const FitPrice price = fit_price(Epsilon(epsilon), 0, once, 1000, 1000);
      REQUIRE(price.run.is_pure());
      CHECK(price.run.value() == epsilon);
      CHECK_FALSE(price.rho);
      CHECK_FALSE(price.on_sample);
      CHECK_FALSE(price.is_too_small());
      CHECK(costs_exactly(price, Accounting::pure, epsilon, 0));
      // What randomised response costs: epsilon tanh(epsilon / 2).
      const double rho = rho_of_pure(Epsilon(epsilon)).value();
      CHECK(rho == Approx(epsilon * std::tanh(epsilon / 2)).epsilon(1e-12));
      if (rho > 1e-6) CHECK(costs_exactly(price, Accounting::zcdp, rho, 0));
    }
  }
}

TEST_CASE("a fit with delta spends, states and costs one and the same rho") {
  for (double epsilon : {0.1, 1.0, 5.0}) {
    for (double delta : {1e-9, 1e-6}) {
      const double rho = rho_from_dp(Epsilon(epsilon), delta).value();
      // The promise is kept, and a little more would break it.
      CHECK(delta_from_rho(Rho(rho), Epsilon(epsilon)) <= delta * (1 + 1e-9));
      CHECK(delta_from_rho(Rho(rho * 1.001), Epsilon(epsilon)) > delta);
      for (bool once : {false, true}) {
        // Where a sub-sample is drawn anew for every round the price is that of all rows.
        const FitPrice price = fit_price(Epsilon(epsilon), delta, once, once ? 1000 : 10, 1000);
        CHECK(price.run.rho().value() == rho);
        REQUIRE(price.rho);
        CHECK(price.rho->value() == rho);
        CHECK_FALSE(price.on_sample);
        CHECK(costs_exactly(price, Accounting::zcdp, rho, 0));
        Ledger pure = ledger_of(Accounting::pure, 1e6);
        CHECK_THROWS(pure.debit("fit", "graph", price.cost));
      }
      const FitPrice seeing_all = fit_price(Epsilon(epsilon), delta);
      CHECK(seeing_all.run.rho().value() == rho);
      CHECK(costs_exactly(seeing_all, Accounting::zcdp, rho, 0));
    }
  }
}

TEST_CASE("a run on one sub-sample may spend more there, and keeps its promise on all rows") {
  for (std::uint64_t sample : {100u, 500u, 999u}) {
    const Epsilon epsilon(1);
    const double delta = 1e-6;
    const FitPrice price = fit_price(epsilon, delta, true, sample, 1000);
    CHECK(price.on_sample);
    CHECK_FALSE(price.rho);
    const Rho whole = rho_from_dp(epsilon, delta), spent = price.run.rho();
    CHECK(spent >= whole);
    if (sample <= 500) CHECK(spent.value() > 1.5 * whole.value());
    const double s = static_cast<double>(sample);
    CHECK(subsampled_gaussian_epsilon(spent, s, 1000, 1, delta) <= epsilon);
    CHECK(subsampled_gaussian_epsilon(spent * 1.01, s, 1000, 1, delta) > epsilon);
    // A budget is charged the promise for all rows, with its delta: not what the run spends.
    CHECK(costs_exactly(price, Accounting::zcdp, rho_of_pure(epsilon).value(), delta));
  }
  CHECK_THROWS(fit_price(Epsilon(1), 0, true, 100, 1000));
}

TEST_CASE("one learner draws its sub-sample once: the others are priced for all rows") {
  CHECK(paper_learner("sg_pc").samples_once);
  CHECK_FALSE(paper_learner("priv_pc").samples_once);
  CHECK_FALSE(paper_learner("svt_pc").samples_once);
  CHECK_FALSE(paper_learner("em_pc").samples_once);
}

TEST_CASE("a price that buys nothing is told") {
  CHECK(fit_price(Epsilon(0.99e-6), 0).is_too_small());
  CHECK_FALSE(fit_price(Epsilon(1.01e-6), 0).is_too_small());
  // Either side of rho = 2^-30.
  const double small = 1e-6;
  double low = 1e-9, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (rho_from_dp(Epsilon(middle), small).value() < std::ldexp(1.0, -30) ? low : high) = middle;
  }
  CHECK(fit_price(Epsilon(low * 0.99), small).is_too_small());
  CHECK_FALSE(fit_price(Epsilon(high * 1.01), small).is_too_small());
}

TEST_CASE("a number is an amount in the unit of the ledger it is for") {
  CHECK(Price::in(Accounting::pure, 0.5).epsilon().value() == 0.5);
  CHECK(Price::in(Accounting::zcdp, 0.5).rho().value() == 0.5);
  CHECK_THROWS(Price::in(Accounting::pure, 0.5).rho());
  CHECK_THROWS(Price::in(Accounting::zcdp, 0.5).epsilon());
  CHECK_THROWS(Price::in(Accounting::zcdp, -0.5));
}

TEST_CASE("equal choices fit where exactly their epsilon is left, and use nearly all of it") {
  for (Accounting accounting : {Accounting::pure, Accounting::zcdp}) {
    for (std::size_t choices : {1u, 3u, 49u}) {
      for (double epsilon : {0.01, 0.1, 1.0}) {
        const EqualChoices all(Epsilon(epsilon), choices);
        const double each = epsilon / static_cast<double>(choices);
        CHECK(all.each().value() <= each);
        CHECK(all.each().value() == Approx(each).epsilon(1e-8));
        const double one = accounting == Accounting::pure ? each : each * each / 8;
        const double cost = all.cost(accounting).value();
        CHECK(cost == Approx(static_cast<double>(choices) * one).epsilon(1e-8));
        // Each choice is debited by itself and rounded up.
        Ledger ledger =
            ledger_of(accounting, accounting == Accounting::pure ? epsilon : cost * (1 + 1e-9));
        for (std::size_t i = 0; i < choices; ++i)
          ledger.debit("exponential", "cut", Cost::bounded_range(all.each()));
        CHECK(spent_of(ledger) == Approx(cost).epsilon(1e-8));
      }
    }
  }
}

TEST_CASE("Gaussian noise as wide as Laplace noise has the rho of its standard deviation") {
  for (double epsilon : {0.1, 1.0, 3.0}) {
    const double sd = std::sqrt(2.0) / epsilon;
    CHECK(rho_of_gaussian_like_laplace(Epsilon(epsilon)).value() ==
          Approx(rho_of_gaussian(1, sd).value()).epsilon(1e-12));
  }
}
