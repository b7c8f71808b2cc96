#include <catch.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "privpc/privacy/ledger.hpp"

using namespace privpc;

namespace {

const double no_epsilon = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();
const double tiny = std::numeric_limits<double>::denorm_min();
const double unit = std::ldexp(1.0, -64);

// A step that is calibrated to this amount of the ledger's unit.
Cost step(const Ledger& ledger, double amount) {
  return Cost(ledger.cap().of(amount));
}

bool accepts(Ledger& ledger, double amount) {
  try {
    ledger.debit("test", "", step(ledger, amount));
    return true;
  } catch (const Overdraft&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a ledger records steps and adds them up", "[ledger]") {
  Ledger ledger(Rho(1));
  CHECK(ledger.cap().rho() == Rho(1));
  CHECK(ledger.spent().value() == 0);
  CHECK(ledger.left().rho() == Rho(1));
  CHECK(ledger.entries().empty());

  ledger.debit("gaussian", "a, b", Cost::concentrated(Rho(0.125)));
  ledger.debit("laplace", "c", Cost::pure(Epsilon(1)));
  const std::vector<Ledger::Entry> entries = ledger.entries();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].mechanism == "gaussian");
  CHECK(entries[0].target == "a, b");
  CHECK(std::isnan(entries[0].epsilon));
  CHECK(entries[0].amount == 0.125);
  CHECK(entries[0].cumulative == 0.125);
  CHECK(entries[1].epsilon == 1);
  CHECK(entries[1].amount >= rho_of_pure(Epsilon(1)).value());
  CHECK(entries[1].amount == Approx(std::tanh(0.5)).scale(0).epsilon(1e-14));
  CHECK(entries[1].cumulative == Approx(0.125 + std::tanh(0.5)).scale(0).epsilon(1e-14));
  CHECK(ledger.spent().value() == entries[1].cumulative);
  CHECK(ledger.left().value() == Approx(1 - ledger.spent().value()).scale(0).epsilon(1e-14));
  CHECK(ledger.size() == 2);
  CHECK(ledger.accounting() == Accounting::zcdp);
  CHECK_FALSE(std::is_copy_constructible<Ledger>::value);
  CHECK_FALSE(std::is_copy_assignable<Ledger>::value);
}

TEST_CASE("an overdraft is refused and leaves no trace", "[ledger]") {
  Ledger ledger(Epsilon(1));
  ledger.debit("laplace", "a", Cost::pure(Epsilon(0.75)));
  CHECK_FALSE(accepts(ledger, 0.5));
  CHECK_FALSE(accepts(ledger, std::nextafter(0.25, 1.0)));
  CHECK_FALSE(accepts(ledger, 1e15));
  CHECK_FALSE(accepts(ledger, 1e300));
  CHECK_FALSE(accepts(ledger, std::numeric_limits<double>::max()));
  CHECK(ledger.size() == 1);
  CHECK(ledger.spent().value() == 0.75);
  CHECK(accepts(ledger, 0.25));
  CHECK(ledger.left().value() == 0);
  CHECK_FALSE(accepts(ledger, tiny));
  CHECK(accepts(ledger, 0));
}

TEST_CASE("an overdraft says what was asked for and what is left", "[ledger]") {
  Ledger ledger(Rho(0.5));
  ledger.debit("gaussian", "", Cost::concentrated(Rho(0.25)));
  try {
    ledger.debit("gaussian", "", Cost::concentrated(Rho(0.3)));
    FAIL("not refused");
  } catch (const Overdraft& refusal) {
    CHECK(refusal.asked() == 0.3);
    CHECK(refusal.left() == 0.25);
    CHECK(std::string(refusal.name()) == "overdraft");
    const NamedError::Texts texts{std::make_pair("unit", "rho")};
    const NamedError::Numbers numbers{{"asked", 0.3}, {"left", 0.25}, {"cap", 0.5}};
    CHECK(refusal.texts() == texts);
    CHECK(refusal.numbers() == numbers);
    CHECK(std::string(refusal.what()) ==
          "overdraft: the step asks for rho = 0.3, but only 0.25 of 0.5 is left");
  }
  // With all digits: what is rounded, and in which direction, is for those who word it.
  CHECK_THROWS_WITH(ledger.debit("", "", Cost::concentrated(Rho(0.2500000001))),
                    Catch::Contains("rho = 0.2500000001, but only 0.25 of"));
  Ledger pure(Epsilon(1));
  CHECK_THROWS_WITH(pure.debit("", "", Cost::pure(Epsilon(2))), Catch::Contains("epsilon = 2"));
}

TEST_CASE("nonsense is refused before it is recorded", "[ledger]") {
  Ledger ledger(Epsilon(1));
  for (const double bad : {no_epsilon, infinity, -infinity, -1.0, -tiny}) {
    CHECK_THROWS_AS(ledger.debit("test", "", step(ledger, bad)), std::invalid_argument);
    CHECK_THROWS_AS(Cost::concentrated(Rho(bad)).in(Accounting::zcdp), std::invalid_argument);
    CHECK_THROWS_AS(Cost::bounded_range(Epsilon(bad)), std::invalid_argument);
  }
  CHECK(ledger.size() == 0);
  CHECK(ledger.spent().value() == 0);
  for (const double bad : {no_epsilon, infinity, -infinity, -1.0, -tiny, 1.01e15}) {
    CHECK_THROWS_AS(Ledger(Epsilon(bad)), std::invalid_argument);
  }
  CHECK_NOTHROW(ledger.debit("test", "", step(ledger, -0.0)));
}

TEST_CASE("a cap of zero allows only what is free", "[ledger]") {
  Ledger ledger(Epsilon(0));
  CHECK(accepts(ledger, 0));
  CHECK_FALSE(accepts(ledger, tiny));
  CHECK_FALSE(accepts(ledger, 1));
  CHECK(ledger.size() == 1);
  // A cap below one unit is rounded down to nothing.
  Ledger speck(Epsilon(unit / 2));
  CHECK(speck.left().value() == 0);
  CHECK_FALSE(accepts(speck, tiny));
  CHECK_FALSE(accepts(speck, unit / 2));
  CHECK(speck.spent().value() == 0);
}

TEST_CASE("the smallest amounts are rounded up to one unit", "[ledger]") {
  Ledger ledger(Rho(10 * unit));
  CHECK(accepts(ledger, tiny));
  CHECK(ledger.spent().value() == unit);
  CHECK(accepts(ledger, std::numeric_limits<double>::min()));
  CHECK(ledger.spent().value() == 2 * unit);
  CHECK(accepts(ledger, unit));
  CHECK(ledger.spent().value() == 3 * unit);
  CHECK(accepts(ledger, std::nextafter(unit, 1.0)));
  CHECK(ledger.spent().value() == 5 * unit);
  CHECK(accepts(ledger, 1.5 * unit));
  CHECK(ledger.spent().value() == 7 * unit);
  CHECK(ledger.entries().back().amount == 2 * unit);
  CHECK_FALSE(accepts(ledger, 3.5 * unit));
  CHECK(accepts(ledger, 3 * unit));
  CHECK(ledger.left().value() == 0);
}

TEST_CASE("the whole cap can be spent in one step, and then nothing more", "[ledger]") {
  // None of these is a whole number of units.
  for (const double cap : {1e-4 / 3, 1e-9, 3.7e-16, unit * 1.5}) {
    CAPTURE(cap);
    Ledger ledger(Epsilon(cap), 1e-30);
    CHECK_FALSE(accepts(ledger, std::nextafter(cap, 1.0)));
    ledger.debit("smooth median", "", Cost::approximate(Epsilon(cap), 1e-30));
    CHECK(ledger.spent().value() == cap);
    CHECK(ledger.entries()[0].amount == cap);
    CHECK(ledger.entries()[0].delta == 1e-30);
    CHECK(ledger.left().value() == 0);
    CHECK_FALSE(accepts(ledger, tiny));
    CHECK_FALSE(accepts(ledger, cap));

    Ledger begun{Rho(cap)};
    CHECK(accepts(begun, tiny));
    CHECK_FALSE(accepts(begun, cap));
  }
}

TEST_CASE("small debits are not swallowed by a large sum", "[ledger]") {
  // In doubles, 1 + 1e-17 is 1, and the loop could go on for ever.
  Ledger ledger(Epsilon(std::nextafter(1.0, 2.0)));
  REQUIRE(accepts(ledger, 1));
  int accepted = 0;
  while (accepted < 1000 && accepts(ledger, 1e-17))
    ++accepted;
  // 2^-52 = 4096 units; 1e-17 is 184.5 units and costs 185.
  CHECK(accepted == 4096 / 185);
  CHECK(ledger.spent().value() > 1);
}

TEST_CASE("a million shares of the cap never overdraw it", "[ledger]") {
  for (const double cap : {1.0, 0.0243559703595383724, 3.738e-16}) {
    Ledger ledger{Rho(cap)};
    const double share = cap / 1e6;
    int accepted = 0, refused = 0;
    for (int i = 0; i < 1000000 && refused < 1000; ++i)
      ++(accepts(ledger, share) ? accepted : refused);
    CAPTURE(cap);
    // What was accepted fits, in extended precision.
    CHECK(static_cast<long double>(share) * accepted <= static_cast<long double>(cap));
    CHECK(static_cast<int>(ledger.size()) == accepted);
    CHECK(ledger.spent().value() <= cap);
    CHECK_FALSE(accepts(ledger, share * 2));
    // Rounding up costs at most one unit a step.
    const double worst = cap / (share + unit);
    CHECK(accepted >= std::floor(worst) - 1);
    if (cap > 0.01) CHECK(accepted > 999000);
  }
}

TEST_CASE("what is left can be spent to the last unit", "[ledger]") {
  std::uint64_t state = 12345;
  for (int round = 0; round < 2000; ++round) {
    auto uniform = [&state] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<double>(state >> 11) * std::ldexp(1.0, -53);
    };
    const double cap = std::pow(10, uniform() * 20 - 10);
    Ledger ledger{Rho(cap)};
    long double total = 0;
    double last = 0;
    for (int step = 0; step < 4; ++step) {
      const double amount = uniform() * cap / 3;
      if (accepts(ledger, amount)) total += amount;
      REQUIRE(ledger.spent().value() >= last);
      last = ledger.spent().value();
    }
    REQUIRE(static_cast<long double>(ledger.spent().value()) >= total * (1 - 1e-18L));
    REQUIRE(ledger.spent().value() <= cap);
    // left() is rounded down and can itself be debited. What then remains is less than the last
    // bit of that number, and is spent in the same way.
    for (int step = 0; ledger.left().value() > 0; ++step) {
      REQUIRE(step < 4);
      REQUIRE(accepts(ledger, ledger.left().value()));
    }
    REQUIRE_FALSE(accepts(ledger, tiny));
  }
}

TEST_CASE("the largest cap does not overflow", "[ledger]") {
  Ledger ledger(Epsilon(1e15));
  CHECK(ledger.left().value() == 1e15);
  CHECK_FALSE(accepts(ledger, std::nextafter(1e15, infinity)));
  CHECK_FALSE(accepts(ledger, 1e19));  // 2^63 and more
  CHECK_FALSE(accepts(ledger, 2e19));  // beyond 128 bits in units of 2^-64
  CHECK_FALSE(accepts(ledger, 1e308));
  CHECK(accepts(ledger, tiny));
  CHECK_FALSE(accepts(ledger, 1e15));
  CHECK(accepts(ledger, 9.99e14));
  CHECK(ledger.left().value() < 1e12);
  CHECK(ledger.left().value() > 0.999e12);
  CHECK_FALSE(accepts(ledger, 1e12));
  Ledger whole(Epsilon(1e15));
  CHECK(accepts(whole, 1e15));
  CHECK(whole.left().value() == 0);
  CHECK(whole.spent().value() == 1e15);
}

TEST_CASE("an adversary who adapts to refusals gains nothing", "[ledger]") {
  // Always asks for as much as it believes is left, then for ever smaller pieces.
  Ledger ledger(Rho(0.1));
  long double total = 0;
  double ask = 0.07;
  // Whole multiples of 2^-60, so that the sum below is exact in 64 bits.
  auto snapped = [](double x) { return std::ldexp(std::floor(std::ldexp(x, 60)), -60); };
  ask = snapped(ask);
  for (int step = 0; step < 5000; ++step) {
    if (accepts(ledger, ask)) {
      total += ask;
    } else {
      ask = snapped(0.7 * ask);
    }
    REQUIRE(total <= static_cast<long double>(0.1));
  }
  CHECK(ledger.spent().value() <= 0.1);
}

TEST_CASE("threads that spend at the same time never overdraw and lose no entry", "[ledger]") {
  const double cap = 1;
  const int per_thread = 20000, threads = 4;
  // Together they ask for twice the cap; the pieces are powers of two, so the count is exact.
  const double piece = std::ldexp(1.0, -15);
  Ledger ledger{Epsilon(cap)};
  std::atomic<int> accepted{0}, refused{0}, wrong{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      const std::string name = std::to_string(t);
      for (int i = 0; i < per_thread; ++i) {
        try {
          ledger.debit("laplace", name, Cost::pure(Epsilon(piece)));
          ++accepted;
        } catch (const Overdraft&) {
          ++refused;
        }
        if (i % 1000 == 0 && ledger.spent().value() + ledger.left().value() < cap - piece) ++wrong;
      }
    });
  }
  for (std::thread& worker : workers)
    worker.join();
  CHECK(accepted == 32768);
  CHECK(refused == threads * per_thread - 32768);
  CHECK(ledger.spent().value() == cap);
  CHECK(ledger.left().value() == 0);
  const std::vector<Ledger::Entry> entries = ledger.entries();
  REQUIRE(entries.size() == 32768);
  // In order, each step counted once.
  bool in_order = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    in_order = in_order && entries[i].cumulative == piece * static_cast<double>(i + 1);
  }
  CHECK(in_order);
}

TEST_CASE("steps with a delta of their own take it from the slack", "[ledger]") {
  const auto median = [](double epsilon, double delta) {
    return Cost::approximate(Epsilon(epsilon), delta);
  };
  Ledger none(Rho(1));
  CHECK(none.slack() == 0);
  CHECK_THROWS_AS(none.debit("median", "", median(0.1, 1e-300)), Overdraft);
  CHECK(none.size() == 0);

  Ledger ledger(Epsilon(1), 1e-6);
  ledger.debit("median", "a", median(0.25, 7.5e-7));
  CHECK(ledger.entries()[0].delta == Approx(7.5e-7).scale(0).epsilon(1e-15));
  CHECK(ledger.slack_left() == Approx(2.5e-7).scale(0).epsilon(1e-12));
  // Whichever of the two does not fit, neither is taken.
  CHECK_THROWS_WITH(ledger.debit("median", "b", median(0.25, 5e-7)),
                    Catch::Contains("delta = 5e-07, but only 2."));
  CHECK_THROWS_WITH(ledger.debit("median", "b", median(2, 1e-7)), Catch::Contains("epsilon = 2"));
  CHECK(ledger.left().value() == 0.75);
  CHECK(ledger.size() == 1);
  CHECK_NOTHROW(ledger.debit("median", "b", median(0.25, ledger.slack_left())));
  CHECK_NOTHROW(ledger.debit("laplace", "c", Cost::pure(Epsilon(0.25))));
  for (const double bad : {no_epsilon, infinity, -1e-9, 1.0}) {
    CHECK_THROWS_AS(median(0.1, bad), std::invalid_argument);
    CHECK_THROWS_AS(Ledger(Rho(1), bad), std::invalid_argument);
  }

  // Many small deltas never add up to less than they should.
  Ledger many(Rho(1), 1e-6);
  int accepted = 0;
  for (int i = 0; i < 10500; ++i) {
    try {
      many.debit("median", "", median(0, 1e-10));
      ++accepted;
    } catch (const Overdraft&) {
    }
  }
  CHECK(accepted <= 10000);
  CHECK(accepted >= 9999);
  Ledger nearly(Epsilon(1), 1 - 1e-16);
  CHECK_NOTHROW(nearly.debit("", "", median(0, 0.5)));
  CHECK_THROWS_AS(nearly.debit("", "", median(0, 0.5)), Overdraft);
}

// A step in the wrong unit does not compile.
static_assert(!std::is_convertible<double, Epsilon>::value, "a number is not an epsilon");
static_assert(!std::is_convertible<double, Rho>::value, "a number is not a rho");
static_assert(!std::is_constructible<Epsilon, Rho>::value, "a rho is not an epsilon");
static_assert(!std::is_constructible<Rho, Epsilon>::value, "an epsilon is not a rho");
static_assert(!std::is_convertible<Epsilon, double>::value, "an epsilon is not a number");
static_assert(!std::is_constructible<Price, double>::value, "a price has a unit");
static_assert(!std::is_constructible<Cost, double>::value, "a cost is a statement about a step");
static_assert(!std::is_convertible<Price, Cost>::value, "whoever debits says what the step is");
static_assert(!std::is_constructible<Ledger, double>::value, "a ledger counts in a unit");
static_assert(!std::is_invocable<decltype(&Cost::pure), Rho>::value, "");
static_assert(!std::is_invocable<decltype(&Cost::pure), double>::value, "");
static_assert(!std::is_invocable<decltype(&Cost::concentrated), Epsilon>::value, "");
static_assert(!std::is_invocable<decltype(&Cost::concentrated), double>::value, "");
static_assert(!std::is_invocable<decltype(&Cost::approximate), Rho, double>::value, "");
static_assert(!std::is_invocable<decltype(&rho_of_pure), Rho>::value, "");
static_assert(!std::is_invocable<decltype(&dp_from_rho), Epsilon, double>::value, "");

TEST_CASE("each kind of step costs what is proved of it, in either unit", "[ledger]") {
  const double e = 0.4;
  struct Case {
    Cost cost;
    double in_epsilon, in_rho;
  };
  const std::vector<Case> cases = {{Cost::pure(Epsilon(e)), e, e * std::tanh(e / 2)},
                                   {Cost::bounded_range(Epsilon(e)), e, e * e / 8},
                                   {Cost::approximate(Epsilon(e), 1e-9), e, e * std::tanh(e / 2)},
                                   {Cost(Price(Epsilon(e))), e, e * std::tanh(e / 2)},
                                   {Cost(Price(Rho(e))), -1, e},
                                   {Cost::concentrated(Rho(e)), -1, e}};
  for (const Case& each : cases) {
    Ledger pure(Epsilon(1), 1e-6), zcdp(Rho(1), 1e-6);
    zcdp.debit("step", "", each.cost);
    CHECK(zcdp.spent().rho().value() >= each.in_rho);
    CHECK(zcdp.spent().value() == Approx(each.in_rho).scale(0).epsilon(1e-13));
    CHECK(zcdp.slack_left() == Approx(1e-6 - each.cost.delta()).scale(0).epsilon(1e-9));
    if (each.in_epsilon >= 0) {
      pure.debit("step", "", each.cost);
      CHECK(pure.spent().epsilon().value() == each.in_epsilon);
    } else {
      // Nothing pure is known of the step: refused, whatever is left, without a trace.
      CHECK_THROWS_WITH(pure.debit("step", "", each.cost), Catch::Contains("no pure guarantee"));
      CHECK(pure.size() == 0);
      CHECK(pure.spent().value() == 0);
    }
  }
}

TEST_CASE("a price gives back only the unit it was made of", "[ledger]") {
  const Price epsilon = Epsilon(0.5), rho = Rho(0.25);
  CHECK(epsilon.epsilon() == Epsilon(0.5));
  CHECK(rho.rho() == Rho(0.25));
  CHECK_THROWS_AS(epsilon.rho(), std::logic_error);
  CHECK_THROWS_AS(rho.epsilon(), std::logic_error);
  CHECK(epsilon.of(2).epsilon() == Epsilon(2));
  CHECK(rho.of(2).rho() == Rho(2));
  CHECK_THROWS_AS(Ledger(Rho(1)).left().epsilon(), std::logic_error);
  for (const double bad : {no_epsilon, -infinity, -1.0, -tiny}) {
    CHECK_THROWS_AS(Epsilon(bad), std::invalid_argument);
    CHECK_THROWS_AS(rho.of(bad), std::invalid_argument);
  }
}
