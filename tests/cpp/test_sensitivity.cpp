// Every constant of sensitivity.hpp against a pair of neighbours that comes within a tenth of it:
// a constant that is a tenth smaller fails here. What the pair does is computed, not written down.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "peek.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/statistic/margin.hpp"
#include "privpc/statistic/sensitivity.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

struct Record {
  double x, y;
  int z;  // stratum, from 0
};

struct Pair {
  std::vector<Record> records;  // the first one is replaced
  Record other;
};

struct Domain {
  std::uint32_t x_levels, y_levels, strata;
  bool numeric = false;  // x and y at full resolution, the levels their declared bins

  Schema schema(std::size_t n) const {
    return Schema({{"x", x_levels, true, numeric},
                   {"y", y_levels, true, numeric},
                   {"z", strata, true, false}},
                  n);
  }
};

// The statistic of the learners, and the plain one beside it.
struct Value {
  double on_grid, exact;
};

Value value_of(const std::vector<Record>& records, const Domain& domain, TestKind kind) {
  std::vector<std::vector<std::int32_t>> codes(3);
  std::vector<std::vector<double>> values(2);
  for (const Record& r : records) {
    codes[0].push_back(domain.numeric ? 1 : static_cast<std::int32_t>(r.x) + 1);
    codes[1].push_back(domain.numeric ? 1 : static_cast<std::int32_t>(r.y) + 1);
    codes[2].push_back(r.z + 1);
    values[0].push_back(r.x);
    values[1].push_back(r.y);
  }
  std::vector<ColumnInput> inputs(3);
  for (std::size_t v = 0; v < 3; ++v) {
    inputs[v].codes = codes[v].data();
    if (v < 2 && domain.numeric) inputs[v].values = values[v].data();
  }
  MemoryTables tables(domain.schema(records.size()), inputs, MemoryOptions());
  const OrderSum sum = summed(tables, 0, 1, VariableSet{2}, OrderSum(kind));
  return {sum.value(), NotPrivateTest::of(tables, kind, 0, 1, VariableSet{2}).statistic};
}

// How far the replacement moves the statistic; the grid moves it by at most two steps more or less.
double move(Pair pair, const Domain& domain, TestKind kind) {
  const Value before = value_of(pair.records, domain, kind);
  pair.records[0] = pair.other;
  const Value after = value_of(pair.records, domain, kind);
  const double exact = std::fabs(after.exact - before.exact);
  REQUIRE(std::fabs(after.on_grid - before.on_grid) ==
          Approx(exact).margin(2 * std::ldexp(1.0, -16) + 1e-9));
  return exact;
}

void check_constant(const Pair& pair, const Domain& domain, TestKind kind) {
  const double stated = sensitivity(domain.schema(pair.records.size()), kind, 0, 1, VariableSet{2});
  const double moved = move(pair, domain, kind);
  CAPTURE(moved);
  REQUIRE(moved <= stated + 1e-9);
  REQUIRE(0.9 * stated < moved);
}

// Everybody else at (x, y) of stratum z.
Pair one_against_all(std::size_t others, Record all, Record before, Record after) {
  Pair pair{{before}, after};
  pair.records.insert(pair.records.end(), others, all);
  return pair;
}

// `size` others in each of two strata, rising in the first and falling in the second. The record
// is concordant with the first, and then discordant to the second, seen from below in x.
Pair against_the_trend(int size, bool first_rises) {
  Pair pair;
  const double low = 0, high = size + 1;
  pair.records.push_back({low, first_rises ? high : low, 0});
  pair.other = {low, first_rises ? low : high, 1};
  for (int i = 1; i <= size; ++i) {
    pair.records.push_back({double(i), double(first_rises ? i : size + 1 - i), 0});
    pair.records.push_back({double(i), double(first_rises ? size + 1 - i : i), 1});
  }
  return pair;
}

}  // namespace

TEST_CASE("one stratum: a record against all others moves tau by 4 and rho by 6 n/(n+1)") {
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    for (std::size_t others : {2u, 5u, 40u, 300u}) {
      const Pair pair = one_against_all(others, {1, 1, 0}, {0, 0, 0}, {0, 2, 0});
      check_constant(pair, {3, 3, 1}, kind);
      check_constant(pair, {2, 3, 1}, kind);  // x binary
      check_constant(one_against_all(others, {1, 1, 0}, {0, 0, 0}, {2, 0, 0}), {3, 2, 1}, kind);
      // Numbers that are cut into two bins are still compared as numbers.
      check_constant(one_against_all(others, {1, 1, 0}, {0, 0, 0}, {0, 2, 0}), {2, 2, 1, true},
                     kind);
    }
  }
}

TEST_CASE("one stratum, both binary: tau moves by 2 and rho by 3 n/(n+1)") {
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    for (std::size_t others : {2u, 5u, 40u, 300u})
      check_constant(one_against_all(others, {1, 1, 0}, {0, 0, 0}, {0, 1, 0}), {2, 2, 1}, kind);
  }
}

TEST_CASE("strata, a binary variable: tau moves by 4 and rho by nearly 6") {
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    // Alone against one side in the first stratum, alone against the other in the second.
    Pair pair{{{1, 1, 0}}, {1, 0, 1}};
    for (int i = 0; i < 100; ++i) {
      pair.records.push_back({0, 0, 0});
      pair.records.push_back({0, 1, 1});
    }
    for (const Domain& domain : {Domain{2, 2, 2}, Domain{2, 5, 2}, Domain{5, 2, 3}})
      check_constant(pair, domain, kind);
  }
}

TEST_CASE("strata: a record that leaves one trend and joins another moves tau by 6, rho by 10") {
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    for (int size : {60, 100}) {
      for (bool first_rises : {true, false}) {
        const Pair pair = against_the_trend(size, first_rises);
        const auto levels = static_cast<std::uint32_t>(size + 2);
        check_constant(pair, {levels, levels, 2}, kind);
        check_constant(pair, {levels, levels, 2, true}, kind);
        check_constant(pair, {2, 2, 2, true}, kind);  // numbers in two bins are not binary
      }
    }
  }
  // Few levels and records are enough for tau.
  check_constant(against_the_trend(2, true), {4, 4, 2}, TestKind::tau);
}

TEST_CASE("sixty concordant and sixty discordant records: rho moves by more than 9") {
  Pair pair{{{0, 61, 0}}, {0, 0, 1}};
  for (int i = 1; i <= 60; ++i) {
    pair.records.push_back({double(i), double(i), 0});
    pair.records.push_back({double(i), double(61 - i), 1});
  }
  const Domain domain{62, 62, 2};
  const double moved = move(pair, domain, TestKind::rho);
  REQUIRE(moved == Approx(2 * (5 * 61.0 - 1) / (61 + 1)));  // both removal bounds are reached
  REQUIRE(moved > 9.8);
  REQUIRE(moved <= sensitivity(domain.schema(121), TestKind::rho, 0, 1, VariableSet{2}));
}

TEST_CASE("the steps of the grid are needed: some neighbours move the sum by more than D") {
  // Both binary, one stratum: all tables of n records.
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    double beyond = -1;
    for (Count n = 3; n <= 16; ++n) {
      const Schema schema({{"x", 2, true, false}, {"y", 2, true, false}}, n);
      const double stated = sensitivity(schema, kind, 0, 1, {});
      std::vector<std::int32_t> x(n, 1), y(n, 1);
      const std::vector<ColumnInput> inputs{{x.data(), nullptr}, {y.data(), nullptr}};
      MemoryTables tables(schema, inputs, MemoryOptions());
      const double sealed = OrderMargin::statistic(tables, kind, 0, 1, {}).sensitivity();
      const auto value = [&](Count a, Count b, Count c, Count d) {
        const Count counts[] = {a, b, c, d};
        OrderSum sum(kind);
        sum.add(DenseStratum{2, 2, counts});
        return sum.value();
      };
      for (Count a = 1; a <= n; ++a) {
        for (Count b = 0; a + b <= n; ++b) {
          for (Count c = 0; a + b + c <= n; ++c) {
            const Count d = n - a - b - c;
            const double before = value(a, b, c, d);
            for (double after : {value(a - 1, b + 1, c, d), value(a - 1, b, c + 1, d),
                                 value(a - 1, b, c, d + 1)}) {
              REQUIRE(std::fabs(after - before) <= sealed);
              beyond = std::max(beyond, std::fabs(after - before) - stated);
            }
          }
        }
      }
    }
    if (kind == TestKind::rho) REQUIRE(beyond > 0);  // for tau both ends of such a move are whole
  }
}

TEST_CASE("statistics without a bound say so") {
  const Schema schema({{"x", 2, true, false}, {"y", 2, true, false}}, 10);
  for (TestKind kind : {TestKind::g2, TestKind::chisq, TestKind::cmh})
    REQUIRE(std::isinf(sensitivity(schema, kind, 0, 1, {})));
}
