// Colliders of exact_pc() against the plain definition of their rules, and what their tests count.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "peek.h"
#include "privpc/learners/exact_pc.hpp"
#include "random_records.h"

using namespace privpc;
using privpc_test::random_records;
using privpc_test::Records;

namespace {

// Binary variables, each of which follows two random earlier ones in half of its records.
Records dependent_records(std::size_t nodes, std::size_t n, RandomBits& bits) {
  Records r = random_records(std::vector<std::uint32_t>(nodes, 2), n, bits);
  for (std::size_t v = 2; v < nodes; ++v) {
    const auto a = bits.below(v), b = bits.below(v);
    for (std::size_t i = 0; i < n; ++i) {
      if (bits.below(2) == 0) continue;
      r.codes[v][i] = std::max(r.codes[a][i], r.codes[b][i]);
    }
  }
  return r;
}

Skeleton skeleton_of(TableSource& tables, ExactJudge& judge, std::size_t max_order) {
  SearchOptions options;
  options.max_order = max_order;
  return search_skeleton(tables.schema().size(), judge,
                         Knowledge(static_cast<int>(tables.schema().size())), options);
}

using Triple = std::tuple<int, int, int, double>;

std::vector<Triple> sorted(const std::vector<Collider>& colliders) {
  std::vector<Triple> out;
  for (const Collider& c : colliders)
    out.emplace_back(c.x, c.centre, c.y, c.support);
  std::sort(out.begin(), out.end());
  return out;
}

// Every subset of all variables, written as bits, that lies within the neighbours of an end.
std::vector<Triple> by_definition(TableSource& tables, ExactJudge& judge, const Skeleton& skeleton,
                                  std::size_t max_order, bool conservative, double alpha) {
  std::vector<Triple> out;
  const std::size_t nodes = tables.schema().size();
  const auto linked = [&](std::size_t a, std::size_t b) {
    const auto& list = skeleton.neighbours[a];
    return std::find(list.begin(), list.end(), b) != list.end();
  };
  for (const Separation& found : skeleton.separations) {
    if (found.by_empty_cells) continue;
    for (std::size_t z = 0; z < nodes; ++z) {
      if (!linked(found.x, z) || !linked(found.y, z)) continue;
      double with = -HUGE_VAL, without = -HUGE_VAL;
      for (unsigned bits = 0; bits < 1u << nodes; ++bits) {
        VariableSet set;
        bool of_x = true, of_y = true;
        for (std::size_t v = 0; v < nodes; ++v) {
          if ((bits >> v & 1u) == 0) continue;
          set.append(v);
          of_x = of_x && linked(found.x, v);
          of_y = of_y && linked(found.y, v);
        }
        const std::size_t last =
            std::min(max_order, std::max<std::size_t>(3, found.given.size() + 1));
        if (set.size() > last || !(of_x || of_y || set == found.given)) continue;
        const std::optional<double> log_p = judge.log_p_value(found.x, found.y, set);
        if (!log_p) continue;
        double& largest = set.contains(z) ? with : without;
        largest = std::max(largest, *log_p);
      }
      const bool separates = without > std::log(alpha);
      const bool collides =
          separates && (conservative ? !(with > std::log(alpha)) : without > with);
      if (collides)
        out.emplace_back(static_cast<int>(found.x), static_cast<int>(z), static_cast<int>(found.y),
                         std::isinf(with) ? 0 : -with);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Stop : public Monitor {
 public:
  void progress(std::size_t, std::size_t, std::size_t) override {
    throw std::runtime_error("stopped");
  }
};

}  // namespace

TEST_CASE("colliders by tests are those of the rules' definitions, for any number of threads") {
  RandomBits bits = RandomBits::from_seed(20);
  std::size_t seen = 0, rules_differ = 0;
  for (std::size_t repeat = 0; repeat < 25; ++repeat) {
    const Records r = dependent_records(7, 400, bits);
    const double alpha = repeat % 2 == 0 ? 0.05 : 0.01;
    const std::size_t max_order = repeat % 5;
    const TestKind kind = repeat % 3 == 0 ? TestKind::chisq : TestKind::g2;
    MemoryTables tables(r.schema(), r.inputs(), MemoryOptions{});
    ExactJudge judge(tables, kind, alpha, 1);
    const Skeleton skeleton = skeleton_of(tables, judge, max_order);
    std::vector<std::vector<Triple>> found;
    for (const bool conservative : {false, true}) {
      const auto expected = by_definition(tables, judge, skeleton, max_order, conservative, alpha);
      seen += expected.size();
      for (unsigned threads : {1u, 3u}) {
        ColliderSearch search(tables, judge, skeleton, max_order);
        search.ask(threads);
        REQUIRE(sorted(search.colliders(
                    conservative ? ColliderRule::conservative : ColliderRule::largest_p, alpha)) ==
                expected);
      }
      found.push_back(expected);
    }
    rules_differ += found[0] != found[1];
    // Whoever is a collider by the strict rule is one by the other.
    REQUIRE(std::includes(found[0].begin(), found[0].end(), found[1].begin(), found[1].end()));
  }
  REQUIRE(seen > 50);
  REQUIRE(rules_differ > 3);
}

TEST_CASE("an interrupt ends the tests for colliders") {
  RandomBits bits = RandomBits::from_seed(21);
  const Records r = dependent_records(7, 400, bits);
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions{});
  ExactJudge judge(tables, TestKind::g2, 0.01, 1);
  const Skeleton skeleton = skeleton_of(tables, judge, 3);
  ColliderSearch search(tables, judge, skeleton, 3);
  Stop stop;
  REQUIRE_THROWS_WITH(search.ask(1, &stop), "stopped");
}

TEST_CASE("degrees of freedom count occurring levels, stratum by stratum") {
  // Stratum 1: x in {1, 2}, y in {1, 2, 3}: 2. Stratum 2: only y varies: 0. Stratum 3: x in {1, 3},
  // y in {2, 3}: 1. Declared: 2 * 2 * 3 = 12.
  Records r;
  r.codes = {{1, 2, 2, 2, 2, 1, 3}, {1, 2, 3, 1, 2, 2, 3}, {1, 1, 1, 2, 2, 3, 3}};
  for (const char* name : {"x", "y", "z"}) {
    r.variables.push_back({name, 3, false, false});
    r.values.emplace_back();
  }
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions{});
  for (TestKind kind : {TestKind::g2, TestKind::chisq}) {
    const auto df = [&](DegreesOfFreedom counted, const VariableSet& given) {
      return NotPrivateTest::of(tables, kind, 0, 1, given, counted).df;
    };
    REQUIRE(df(DegreesOfFreedom::declared, {2}) == 12);
    REQUIRE(df(DegreesOfFreedom::occurring, {2}) == 3);
    REQUIRE(df(DegreesOfFreedom::occurring, {}) == 4);
    const TestResult test =
        NotPrivateTest::of(tables, kind, 0, 1, {2}, DegreesOfFreedom::occurring);
    REQUIRE(test.p_value == chi_square_upper(test.statistic, 3));
  }
}

TEST_CASE("what a test cannot tell does not count") {
  RandomBits bits = RandomBits::from_seed(22);
  Records r = random_records({2, 2, 2}, 200, bits);
  r.codes[2] = r.codes[0];  // given z, x is constant
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions{});
  for (DegreesOfFreedom counted : {DegreesOfFreedom::declared, DegreesOfFreedom::occurring}) {
    ExactJudge judge(tables, TestKind::g2, 0.05, 1, counted);
    REQUIRE_FALSE(judge.log_p_value(0, 1, {2}));
    REQUIRE(judge.log_p_value(0, 1, {}));
    REQUIRE(judge.judge(0, 1, {2}).independent);
  }
}

TEST_CASE("occurring levels make the judge stricter where cells are empty") {
  // 12 levels each, of which two occur: declared 121 degrees of freedom, occurring 1.
  Records r;
  r.codes.assign(2, std::vector<std::int32_t>(100));
  for (std::size_t i = 0; i < 100; ++i) {
    r.codes[0][i] = i < 50 ? 1 : 2;
    r.codes[1][i] = (i < 50) == (i % 4 != 0) ? 1 : 2;
  }
  for (const char* name : {"x", "y"}) {
    r.variables.push_back({name, 12, false, false});
    r.values.emplace_back();
  }
  MemoryTables tables(r.schema(), r.inputs(), MemoryOptions{});
  for (TestKind kind : {TestKind::g2, TestKind::chisq}) {
    ExactJudge declared(tables, kind, 0.01, 1);
    const Verdict sparse = declared.judge(0, 1, {});
    REQUIRE(sparse.independent);
    REQUIRE(sparse.by_empty_cells);
    REQUIRE_FALSE(declared.log_p_value(0, 1, {}));
    ExactJudge occurring(tables, kind, 0.01, 1, DegreesOfFreedom::occurring);
    REQUIRE_FALSE(occurring.judge(0, 1, {}).independent);
    const double expected =
        std::log(NotPrivateTest::of(tables, kind, 0, 1, {}, DegreesOfFreedom::occurring).p_value);
    REQUIRE(*occurring.log_p_value(0, 1, {}) == Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("the logarithm of a chi-square tail goes on where the tail is 0") {
  // R's pchisq(..., lower.tail = FALSE, log.p = TRUE).
  REQUIRE(log_chi_square_upper(3, 4) == Approx(-0.5837092681258449).scale(0).epsilon(1e-10));
  REQUIRE(log_chi_square_upper(2000, 1) == Approx(-1004.026741958952).scale(0).epsilon(1e-12));
  REQUIRE(log_chi_square_upper(5000, 37) == Approx(-2398.015488809265).scale(0).epsilon(1e-12));
  REQUIRE(log_chi_square_upper(1e6, 200) == Approx(-499060.0200329873).scale(0).epsilon(1e-12));
  REQUIRE(log_chi_square_upper(0, 3) == 0);
  REQUIRE(log_chi_square_upper(5, 0) == 0);
}
