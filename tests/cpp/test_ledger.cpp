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

bool accepts(Ledger& ledger, double amount) {
  try {
    ledger.debit("test", "", no_epsilon, amount);
    return true;
  } catch (const Overdraft&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a ledger records steps and adds them up", "[ledger]") {
  Ledger ledger(Accounting::zcdp, 0.5);
  CHECK(ledger.cap() == 0.5);
  CHECK(ledger.spent() == 0);
  CHECK(ledger.left() == 0.5);
  CHECK(ledger.entries().empty());

  ledger.debit("gaussian", "a, b", no_epsilon, 0.125);
  ledger.debit("laplace", "c", 0.25, 0.25);
  const std::vector<Ledger::Entry> entries = ledger.entries();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].mechanism == "gaussian");
  CHECK(entries[0].target == "a, b");
  CHECK(std::isnan(entries[0].epsilon));
  CHECK(entries[0].amount == 0.125);
  CHECK(entries[0].cumulative == 0.125);
  CHECK(entries[1].epsilon == 0.25);
  CHECK(entries[1].cumulative == 0.375);
  CHECK(ledger.spent() == 0.375);
  CHECK(ledger.left() == 0.125);
  CHECK(ledger.size() == 2);
  CHECK(ledger.accounting() == Accounting::zcdp);
  CHECK_FALSE(std::is_copy_constructible<Ledger>::value);
  CHECK_FALSE(std::is_copy_assignable<Ledger>::value);
}

TEST_CASE("an overdraft is refused and leaves no trace", "[ledger]") {
  Ledger ledger(Accounting::pure, 1);
  ledger.debit("laplace", "a", 0.75, 0.75);
  CHECK_FALSE(accepts(ledger, 0.5));
  CHECK_FALSE(accepts(ledger, std::nextafter(0.25, 1.0)));
  CHECK_FALSE(accepts(ledger, 1e15));
  CHECK_FALSE(accepts(ledger, 1e300));
  CHECK_FALSE(accepts(ledger, std::numeric_limits<double>::max()));
  CHECK(ledger.size() == 1);
  CHECK(ledger.spent() == 0.75);
  CHECK(accepts(ledger, 0.25));
  CHECK(ledger.left() == 0);
  CHECK_FALSE(accepts(ledger, tiny));
  CHECK(accepts(ledger, 0));
}

TEST_CASE("an overdraft says what was asked for and what is left", "[ledger]") {
  Ledger ledger(Accounting::zcdp, 0.5);
  ledger.debit("gaussian", "", no_epsilon, 0.25);
  try {
    ledger.debit("gaussian", "", no_epsilon, 0.3);
    FAIL("not refused");
  } catch (const Overdraft& refusal) {
    CHECK(refusal.asked() == 0.3);
    CHECK(refusal.left() == 0.25);
    CHECK(std::string(refusal.what()) ==
          "overdraft: the step asks for rho = 0.3, but only 0.25 of 0.5 is left");
  }
  // When the two are nearly equal, enough digits are shown to tell them apart.
  CHECK_THROWS_WITH(ledger.debit("", "", no_epsilon, 0.2500000001),
                    Catch::Contains("rho = 0.2500000001, but only 0.25 of"));
  Ledger pure(Accounting::pure, 1);
  CHECK_THROWS_WITH(pure.debit("", "", 2, 2), Catch::Contains("epsilon = 2"));
}

TEST_CASE("nonsense is refused before it is recorded", "[ledger]") {
  Ledger ledger(Accounting::pure, 1);
  for (const double bad : {no_epsilon, infinity, -infinity, -1.0, -tiny}) {
    CHECK_THROWS_AS(ledger.debit("test", "", no_epsilon, bad), std::invalid_argument);
  }
  for (const double bad : {infinity, -infinity, -1.0}) {
    CHECK_THROWS_AS(ledger.debit("test", "", bad, 0.1), std::invalid_argument);
  }
  CHECK(ledger.size() == 0);
  CHECK(ledger.spent() == 0);
  for (const double bad : {no_epsilon, infinity, -infinity, -1.0, -tiny, 1.01e15}) {
    CHECK_THROWS_AS(Ledger(Accounting::pure, bad), std::invalid_argument);
  }
  CHECK_NOTHROW(ledger.debit("test", "", no_epsilon, -0.0));
}

TEST_CASE("a cap of zero allows only what is free", "[ledger]") {
  Ledger ledger(Accounting::pure, 0);
  CHECK(accepts(ledger, 0));
  CHECK_FALSE(accepts(ledger, tiny));
  CHECK_FALSE(accepts(ledger, 1));
  CHECK(ledger.size() == 1);
  // A cap below one unit is rounded down to nothing.
  Ledger speck(Accounting::pure, unit / 2);
  CHECK(speck.left() == 0);
  CHECK_FALSE(accepts(speck, tiny));
  CHECK_FALSE(accepts(speck, unit / 2));
  CHECK(speck.spent() == 0);
}

TEST_CASE("the smallest amounts are rounded up to one unit", "[ledger]") {
  Ledger ledger(Accounting::zcdp, 10 * unit);
  CHECK(accepts(ledger, tiny));
  CHECK(ledger.spent() == unit);
  CHECK(accepts(ledger, std::numeric_limits<double>::min()));
  CHECK(ledger.spent() == 2 * unit);
  CHECK(accepts(ledger, unit));
  CHECK(ledger.spent() == 3 * unit);
  CHECK(accepts(ledger, std::nextafter(unit, 1.0)));
  CHECK(ledger.spent() == 5 * unit);
  CHECK(accepts(ledger, 1.5 * unit));
  CHECK(ledger.spent() == 7 * unit);
  CHECK(ledger.entries().back().amount == 2 * unit);
  CHECK_FALSE(accepts(ledger, 3.5 * unit));
  CHECK(accepts(ledger, 3 * unit));
  CHECK(ledger.left() == 0);
}

TEST_CASE("the whole cap can be spent in one step, and then nothing more", "[ledger]") {
  // None of these is a whole number of units.
  for (const double cap : {1e-4 / 3, 1e-9, 3.7e-16, unit * 1.5}) {
    CAPTURE(cap);
    Ledger ledger(Accounting::zcdp, cap, 1e-30);
    CHECK_FALSE(accepts(ledger, std::nextafter(cap, 1.0)));
    ledger.debit("gaussian", "", no_epsilon, cap, 1e-30);
    CHECK(ledger.spent() == cap);
    CHECK(ledger.entries()[0].amount == cap);
    CHECK(ledger.entries()[0].delta == 1e-30);
    CHECK(ledger.left() == 0);
    CHECK_FALSE(accepts(ledger, tiny));
    CHECK_FALSE(accepts(ledger, cap));

    Ledger begun(Accounting::zcdp, cap);
    CHECK(accepts(begun, tiny));
    CHECK_FALSE(accepts(begun, cap));
  }
}

TEST_CASE("small debits are not swallowed by a large sum", "[ledger]") {
  // In doubles, 1 + 1e-17 is 1, and the loop could go on for ever.
  Ledger ledger(Accounting::pure, std::nextafter(1.0, 2.0));
  REQUIRE(accepts(ledger, 1));
  int accepted = 0;
  while (accepted < 1000 && accepts(ledger, 1e-17))
    ++accepted;
  // 2^-52 = 4096 units; 1e-17 is 184.5 units and costs 185.
  CHECK(accepted == 4096 / 185);
  CHECK(ledger.spent() > 1);
}

TEST_CASE("a million shares of the cap never overdraw it", "[ledger]") {
  for (const double cap : {1.0, 0.0243559703595383724, 3.738e-16}) {
    Ledger ledger(Accounting::zcdp, cap);
    const double share = cap / 1e6;
    int accepted = 0, refused = 0;
    for (int i = 0; i < 1000000 && refused < 1000; ++i)
      ++(accepts(ledger, share) ? accepted : refused);
    CAPTURE(cap);
    // What was accepted fits, in extended precision.
    CHECK(static_cast<long double>(share) * accepted <= static_cast<long double>(cap));
    CHECK(static_cast<int>(ledger.size()) == accepted);
    CHECK(ledger.spent() <= cap);
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
    Ledger ledger(Accounting::zcdp, cap);
    long double total = 0;
    double last = 0;
    for (int step = 0; step < 4; ++step) {
      const double amount = uniform() * cap / 3;
      if (accepts(ledger, amount)) total += amount;
      REQUIRE(ledger.spent() >= last);
      last = ledger.spent();
    }
    REQUIRE(static_cast<long double>(ledger.spent()) >= total * (1 - 1e-18L));
    REQUIRE(ledger.spent() <= cap);
    // left() is rounded down and can itself be debited. What then remains is less than the last
    // bit of that number, and is spent in the same way.
    for (int step = 0; ledger.left() > 0; ++step) {
      REQUIRE(step < 4);
      REQUIRE(accepts(ledger, ledger.left()));
    }
    REQUIRE_FALSE(accepts(ledger, tiny));
  }
}

TEST_CASE("the largest cap does not overflow", "[ledger]") {
  Ledger ledger(Accounting::pure, 1e15);
  CHECK(ledger.left() == 1e15);
  CHECK_FALSE(accepts(ledger, std::nextafter(1e15, infinity)));
  CHECK_FALSE(accepts(ledger, 1e19));  // 2^63 and more
  CHECK_FALSE(accepts(ledger, 2e19));  // beyond 128 bits in units of 2^-64
  CHECK_FALSE(accepts(ledger, 1e308));
  CHECK(accepts(ledger, tiny));
  CHECK_FALSE(accepts(ledger, 1e15));
  CHECK(accepts(ledger, 9.99e14));
  CHECK(ledger.left() < 1e12);
  CHECK(ledger.left() > 0.999e12);
  CHECK_FALSE(accepts(ledger, 1e12));
  Ledger whole(Accounting::pure, 1e15);
  CHECK(accepts(whole, 1e15));
  CHECK(whole.left() == 0);
  CHECK(whole.spent() == 1e15);
}

TEST_CASE("an adversary who adapts to refusals gains nothing", "[ledger]") {
  // Always asks for as much as it believes is left, then for ever smaller pieces.
  Ledger ledger(Accounting::zcdp, 0.1);
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
  CHECK(ledger.spent() <= 0.1);
}

TEST_CASE("threads that spend at the same time never overdraw and lose no entry", "[ledger]") {
  const double cap = 1;
  const int per_thread = 20000, threads = 4;
  // Together they ask for twice the cap; the pieces are powers of two, so the count is exact.
  const double piece = std::ldexp(1.0, -15);
  Ledger ledger(Accounting::pure, cap);
  std::atomic<int> accepted{0}, refused{0}, wrong{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      const std::string name = std::to_string(t);
      for (int i = 0; i < per_thread; ++i) {
        try {
          ledger.debit("laplace", name, piece, piece);
          ++accepted;
        } catch (const Overdraft&) {
          ++refused;
        }
        if (i % 1000 == 0 && ledger.spent() + ledger.left() < cap - piece) ++wrong;
      }
    });
  }
  for (std::thread& worker : workers)
    worker.join();
  CHECK(accepted == 32768);
  CHECK(refused == threads * per_thread - 32768);
  CHECK(ledger.spent() == cap);
  CHECK(ledger.left() == 0);
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
  Ledger none(Accounting::zcdp, 1);
  CHECK(none.slack() == 0);
  CHECK_THROWS_AS(none.debit("median", "", 0.1, 0.01, 1e-300), Overdraft);
  CHECK(none.size() == 0);

  Ledger ledger(Accounting::zcdp, 1, 1e-6);
  ledger.debit("median", "a", 0.1, 0.25, 7.5e-7);
  CHECK(ledger.entries()[0].delta == Approx(7.5e-7).epsilon(1e-15));
  CHECK(ledger.slack_left() == Approx(2.5e-7).epsilon(1e-12));
  // Whichever of the two does not fit, neither is taken.
  CHECK_THROWS_WITH(ledger.debit("median", "b", 0.1, 0.25, 5e-7),
                    Catch::Contains("delta = 5e-07, but only 2.5e-07 of 1e-06"));
  CHECK_THROWS_WITH(ledger.debit("median", "b", 0.1, 2, 1e-7), Catch::Contains("rho = 2"));
  CHECK(ledger.left() == 0.75);
  CHECK(ledger.size() == 1);
  CHECK_NOTHROW(ledger.debit("median", "b", 0.1, 0.25, ledger.slack_left()));
  CHECK_NOTHROW(ledger.debit("gaussian", "c", no_epsilon, 0.25));
  for (const double bad : {no_epsilon, infinity, -1e-9, 1.0}) {
    CHECK_THROWS_AS(ledger.debit("median", "", 0.1, 0, bad), std::invalid_argument);
    CHECK_THROWS_AS(Ledger(Accounting::zcdp, 1, bad), std::invalid_argument);
  }

  // Many small deltas never add up to less than they should.
  Ledger many(Accounting::zcdp, 1, 1e-6);
  int accepted = 0;
  for (int i = 0; i < 10500; ++i) {
    try {
      many.debit("median", "", no_epsilon, 0, 1e-10);
      ++accepted;
    } catch (const Overdraft&) {
    }
  }
  CHECK(accepted <= 10000);
  CHECK(accepted >= 9999);
  Ledger nearly(Accounting::pure, 1, 1 - 1e-16);
  CHECK_NOTHROW(nearly.debit("", "", no_epsilon, 0, 0.5));
  CHECK_THROWS_AS(nearly.debit("", "", no_epsilon, 0, 0.5), Overdraft);
}
