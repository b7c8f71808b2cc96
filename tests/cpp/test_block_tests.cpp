// Blocks: a partition that does not look at the data, results that agree with the ordinary tests,
// and no more than one changed result for one changed record.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "look_inside.h"
#include "peek.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/privacy/median_null.hpp"
#include "privpc/statistic/block_tests.hpp"
#include "privpc/statistic/independence_test.hpp"
#include "privpc/statistic/vote_margins.hpp"
#include "random_records.h"

using namespace privpc;
using namespace privpc_test;

namespace {

const TestKind kAllKinds[] = {TestKind::g2, TestKind::chisq, TestKind::tau, TestKind::rho,
                              TestKind::cmh};

BlockTests block_tests(const Records& r, std::size_t blocks, RandomBits& bits) {
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions());
  return BlockTests(tables.blocks(blocks, bits));
}

std::vector<double> p_values(const BlockTests& tests, TestKind kind, const VariableSet& given) {
  std::vector<double> out;
  for (const TestResult& r : peek(tests.results(kind, 0, 1, given)))
    out.push_back(r.p_value);
  return out;
}

}  // namespace

TEST_CASE("the partition uses every row once, in blocks of nearly equal size") {
  RandomBits bits = RandomBits::from_seed(1);
  const Records r = random_records({2, 2}, 103, bits);
  for (std::size_t blocks : {1u, 2u, 10u, 50u, 103u}) {
    MemoryTables tables(r.schema(), r.inputs(), MemoryOptions());
    const auto source = tables.blocks(blocks, bits);
    const MemoryBlocks& tests = dynamic_cast<const MemoryBlocks&>(*source);
    std::size_t smallest = 103, largest = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t size = tests.block_begin(b + 1) - tests.block_begin(b);
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
    }
    REQUIRE(tests.block_begin(0) == 0);
    REQUIRE(tests.block_begin(blocks) == 103);
    REQUIRE(largest - smallest <= 1);
  }
  const std::vector<std::uint32_t> order = MemoryBlocks::random_order(103, bits);
  REQUIRE(std::set<std::uint32_t>(order.begin(), order.end()).size() == 103);
  REQUIRE_THROWS_AS(block_tests(r, 0, bits), std::invalid_argument);
  REQUIRE_THROWS_AS(block_tests(r, 104, bits), std::invalid_argument);
}

TEST_CASE("every order of the rows is as likely") {
  RandomBits bits = RandomBits::from_seed(2);
  // 24 orders of 4 rows, 24,000 draws: 23 degrees of freedom, at 1e-6 the critical value is 71.
  std::vector<int> counts(256, 0);
  for (int i = 0; i < 24000; ++i) {
    const std::vector<std::uint32_t> o = MemoryBlocks::random_order(4, bits);
    ++counts[o[0] * 64 + o[1] * 16 + o[2] * 4 + o[3]];
  }
  double statistic = 0;
  int seen = 0;
  for (int c : counts) {
    if (c == 0) continue;
    ++seen;
    statistic += (c - 1000.0) * (c - 1000.0) / 1000;
  }
  REQUIRE(seen == 24);
  REQUIRE(statistic < 71);
}

TEST_CASE("the partition is the same whatever the data are") {
  RandomBits source = RandomBits::from_seed(3);
  const Records one = random_records({3, 4, 2}, 200, source);
  const Records other = random_records({3, 4, 2}, 200, source);
  RandomBits a = RandomBits::from_seed(9), b = RandomBits::from_seed(9);
  const BlockTests first = block_tests(one, 7, a);
  const BlockTests second = block_tests(other, 7, b);
  REQUIRE(a.next() == b.next());  // as many bits were drawn
}

TEST_CASE("one block is the ordinary test") {
  RandomBits bits = RandomBits::from_seed(4);
  for (const auto& levels : {std::vector<std::uint32_t>{2, 2, 3}, {3, 4, 2, 5}, {7, 2, 30, 40}}) {
    const Records r = random_records(levels, 3000, bits);
    MemoryTables tables(r.schema(), r.inputs(), MemoryOptions());
    const BlockTests tests = block_tests(r, 1, bits);
    for (TestKind kind : kAllKinds) {
      VariableSet given;
      for (std::size_t z = 1; z < levels.size(); ++z) {
        if (z > 1) given.insert(z);
        const TestResult ours = peek(tests.results(kind, 0, 1, given))[0];
        const TestResult theirs = NotPrivateTest::of(tables, kind, 0, 1, given);
        if (kind == TestKind::g2 || kind == TestKind::chisq) {
          const double df = summed(tables, 0, 1, given, OccurringDf()).value();
          REQUIRE(ours.df == df);
          // G2 is brought down by Williams' correction, by a factor of at most 1.3.
          REQUIRE(ours.statistic <= theirs.statistic * (1 + 1e-9));
          REQUIRE(ours.statistic >= theirs.statistic / 1.3 * (1 - 1e-9));
          if (kind == TestKind::chisq) REQUIRE(ours.statistic == Approx(theirs.statistic));
        } else {
          REQUIRE(ours.statistic == Approx(theirs.statistic));
          REQUIRE(ours.p_value == Approx(theirs.p_value));
        }
        const TestResult swapped = peek(tests.results(kind, 1, 0, given))[0];
        REQUIRE(swapped.statistic == ours.statistic);
      }
    }
  }
}

TEST_CASE("Williams' correction by hand") {
  // Rows (30, 20), columns (25, 25): q = 1 + (50/30 + 50/20 - 1)(50/25 + 50/25 - 1)/(6 * 50).
  Records r;
  r.variables = {{"x", 2, false, false}, {"y", 2, false, false}};
  r.values.resize(2);
  r.codes.resize(2);
  const int cells[2][2] = {{20, 10}, {5, 15}};
  double g2 = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < cells[i][j]; ++k) {
        r.codes[0].push_back(i + 1);
        r.codes[1].push_back(j + 1);
      }
      const double expected = (i == 0 ? 30 : 20) * 25 / 50.0;
      g2 += 2 * cells[i][j] * std::log(cells[i][j] / expected);
    }
  }
  RandomBits bits = RandomBits::from_seed(5);
  const BlockTests tests = block_tests(r, 1, bits);
  const double q = 1 + (50.0 / 30 + 50.0 / 20 - 1) * 3 / 300;
  REQUIRE(peek(tests.results(TestKind::g2, 0, 1, {}))[0].statistic == Approx(g2 / q));
}

TEST_CASE("tables and sorted rows give the same results") {
  RandomBits bits = RandomBits::from_seed(6);
  // 9 x 9 x 40 x 40 cells are too many for a table; the second data set renames the levels of z so
  // that few are declared.
  Records wide = random_records({9, 9, 40, 40}, 4000, bits);
  for (auto& code : wide.codes[2])
    code = (code - 1) % 3 + 1;
  for (auto& code : wide.codes[3])
    code = (code - 1) % 2 + 1;
  Records narrow = wide;
  narrow.variables[2].levels = 3;
  narrow.variables[3].levels = 2;
  RandomBits a = RandomBits::from_seed(7), b = RandomBits::from_seed(7);
  const BlockTests sorted = block_tests(wide, 11, a);
  const BlockTests counted = block_tests(narrow, 11, b);
  for (TestKind kind : kAllKinds) {
    const auto one = peek(sorted.results(kind, 0, 1, {2, 3})),
               two = peek(counted.results(kind, 0, 1, {2, 3}));
    for (std::size_t i = 0; i < 11; ++i) {
      REQUIRE(one[i].statistic == Approx(two[i].statistic));
      REQUIRE(one[i].p_value == Approx(two[i].p_value));
    }
  }
}

TEST_CASE("numbers are compared at full resolution") {
  RandomBits bits = RandomBits::from_seed(8);
  Records r = random_records({2, 2, 3}, 500, bits);
  for (std::size_t v = 0; v < 2; ++v) {
    r.variables[v].numeric = true;
    for (std::size_t i = 0; i < 500; ++i)
      r.values[v].push_back(static_cast<double>(bits.below(1000)) + 10.0 * r.codes[0][i]);
  }
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions());
  const BlockTests tests = block_tests(r, 1, bits);
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    REQUIRE(peek(tests.results(kind, 0, 1, {2}))[0].statistic ==
            Approx(NotPrivateTest::of(tables, kind, 0, 1, {2}).statistic));
  }
}

TEST_CASE("replacing one record changes at most one block, for every test") {
  RandomBits bits = RandomBits::from_seed(10);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::vector<std::uint32_t> levels =
        repeat % 3 == 0 ? std::vector<std::uint32_t>{2, 3, 2}
                        : (repeat % 3 == 1 ? std::vector<std::uint32_t>{3, 3, 4}
                                           : std::vector<std::uint32_t>{4, 2, 300, 300});
    Records r = random_records(levels, 120, bits);
    Records neighbour = r;
    const std::size_t row = bits.below(120);
    for (std::size_t v = 0; v < levels.size(); ++v)
      neighbour.codes[v][row] = static_cast<std::int32_t>(bits.below(levels[v]) + 1);
    const auto seed = static_cast<std::uint64_t>(repeat);
    RandomBits a = RandomBits::from_seed(seed), b = RandomBits::from_seed(seed);
    const BlockTests before = block_tests(r, 8, a);
    const BlockTests after = block_tests(neighbour, 8, b);
    VariableSet given;
    for (std::size_t z = 2; z < levels.size(); ++z)
      given.insert(z);
    for (TestKind kind : kAllKinds) {
      const auto p = p_values(before, kind, given), q = p_values(after, kind, given);
      int changed = 0, above_p = 0, above_q = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        REQUIRE((p[i] >= 0 && p[i] <= 1));
        changed += p[i] != q[i];
        above_p += p[i] > 0.5;
        above_q += q[i] > 0.5;
      }
      REQUIRE(changed <= 1);
      REQUIRE(std::abs(above_p - above_q) <= 1);
    }
  }
}

TEST_CASE("a block where nothing can be tested says 1, and wrong codes are refused") {
  Records r;
  r.variables = {{"x", 2, false, false}, {"y", 3, false, false}, {"z", 2, false, false}};
  r.values.resize(3);
  r.codes = {std::vector<std::int32_t>(20, 1), {}, {}};
  for (int i = 0; i < 20; ++i) {
    r.codes[1].push_back(i % 3 + 1);
    r.codes[2].push_back(i % 2 + 1);
  }
  RandomBits bits = RandomBits::from_seed(11);
  const BlockTests tests = block_tests(r, 20, bits);  // one row each
  for (TestKind kind : kAllKinds) {
    for (const TestResult& result : peek(tests.results(kind, 0, 1, {2}))) {
      REQUIRE(result.p_value == 1);
      REQUIRE(result.statistic == 0);
    }
  }
  r.codes[1][7] = 4;
  REQUIRE_THROWS_AS(block_tests(r, 2, bits), InvalidCode);
  r.codes[1][7] = INT32_MIN;  // R's missing value
  REQUIRE_THROWS_AS(block_tests(r, 2, bits), InvalidCode);
}

// ---- the p-value of the noisy median ------------------------------------------------------------

TEST_CASE("the tail of the noisy median is that of the mechanism itself") {
  const MedianNull null{101, 10, 1, 2000};
  const double epsilon = 3, delta = 1e-3;
  const std::vector<double> at{0, 0.8, 1.4, 2, 4, 10};
  const std::vector<double> tail = noisy_median_tail(at, null, Epsilon(epsilon), delta);
  REQUIRE(tail[0] == 1);
  REQUIRE(std::is_sorted(tail.rbegin(), tail.rend()));
  REQUIRE(noisy_median_tail(at, null, Epsilon(epsilon), delta) == tail);  // no hidden randomness
  RandomBits bits = RandomBits::from_seed(13);
  const SmoothMedian mechanism(Epsilon(epsilon), delta, 0, 10, AdmissibleNoise::laplace);
  const int runs = 20000;
  std::vector<int> reached(at.size(), 0);
  for (int run = 0; run < runs; ++run) {
    std::vector<double> evidence(null.blocks);
    for (double& e : evidence)
      e = -2 * std::log(std::ldexp(static_cast<double>(bits.next() >> 11) + 1, -53));
    Ledger ledger(Epsilon(epsilon), delta);
    const double noisy =
        mechanism.release(Sensitive<std::vector<double>>(evidence, 1), ledger, bits, "");
    for (std::size_t i = 0; i < at.size(); ++i)
      reached[i] += noisy >= at[i];
  }
  // Five standard deviations (6e-7) of the runs, and as many of the draws behind the tail.
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double spread = std::sqrt(tail[i] * (1 - tail[i])) + 1e-3;
    REQUIRE(std::fabs(reached[i] / double(runs) - tail[i]) <
            5 * spread * (1 / std::sqrt(double(runs)) + 1 / std::sqrt(2000.0)));
  }
}

// ---- votes --------------------------------------------------------------------------------------

TEST_CASE("one record moves a vote margin and a count of blocks by all of their sensitivity") {
  // Every data set of six records over x and y in 1..2 (and z in 1..2 in half of them), two or
  // three blocks that stay the same, and every replacement of one record.
  for (TestKind kind : kAllKinds) {
    for (std::size_t blocks : {2u, 3u}) {
      for (const VariableSet& given : {VariableSet{}, VariableSet{2}}) {
        Records r;
        for (std::size_t v = 0; v < 3; ++v) {
          r.variables.push_back({"v", 2, true, false});
          r.values.emplace_back();
          r.codes.emplace_back(6, 1);
        }
        for (std::size_t row = 0; row < 6; row += 2)
          r.codes[2][row] = 2;
        std::vector<double> margin(4096), count(4096);
        double stated = HUGE_VAL, stated_count = HUGE_VAL;
        for (std::size_t data = 0; data < 4096; ++data) {
          for (std::size_t row = 0; row < 6; ++row) {
            r.codes[0][row] = static_cast<std::int32_t>(data >> (2 * row) & 1) + 1;
            r.codes[1][row] = static_cast<std::int32_t>(data >> (2 * row + 1) & 1) + 1;
          }
          RandomBits bits = RandomBits::from_seed(14);
          const BlockTests tests = block_tests(r, blocks, bits);
          RandomBits again = RandomBits::from_seed(14);
          MemoryTables tables(r.schema(), r.inputs(), MemoryOptions());
          VoteMargins votes(tables.blocks(blocks, again), kind, 1);
          const Sensitive<double> sealed = votes.margin(0, 1, given);
          const auto below = tests.count_below(0.5, kind, 0, 1, given);
          stated = std::min(stated, sealed.sensitivity());
          stated_count = std::min(stated_count, below.sensitivity());
          margin[data] = look_inside(sealed);
          count[data] = look_inside(below)[0];
        }
        double worst = 0, worst_count = 0;
        for (std::size_t data = 0; data < 4096; ++data) {
          for (std::size_t row = 0; row < 6; ++row) {
            for (std::size_t change = 1; change < 4; ++change) {
              const std::size_t other = data ^ change << (2 * row);
              worst = std::max(worst, std::fabs(margin[data] - margin[other]));
              worst_count = std::max(worst_count, std::fabs(count[data] - count[other]));
            }
          }
        }
        CAPTURE(blocks);
        CAPTURE(worst);
        REQUIRE(stated <= 1);  // what the learners rely on
        REQUIRE(worst <= stated + 1e-5);
        REQUIRE(worst_count <= stated_count + 1e-5);
        // Tests of a stratum of two or three records cannot say much, but without strata both are
        // reached.
        if (given.size() == 0) {
          REQUIRE(worst > stated - 1e-5);
          REQUIRE(worst_count > stated_count - 1e-5);
        }
      }
    }
  }
}
