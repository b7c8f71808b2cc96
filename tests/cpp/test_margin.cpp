// The independence margin: its parts against their definitions, and how far one record can move it
// against every neighbour there is.
#include <catch.h>

#include <cmath>
#include <random>
#include <vector>

#include "look_inside.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/statistic/margin.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

// Counts of x by y in each stratum; strata are independent, so a data set is a list of tables.
struct Small {
  std::uint32_t rows, columns;
  std::vector<std::vector<Count>> strata;

  OrderSum sum(TestKind kind) const {
    OrderSum s(kind);
    for (const auto& cells : strata)
      s.add(DenseStratum{rows, columns, cells.data()});
    return s;
  }
  double n() const {
    double total = 0;
    for (const auto& cells : strata) {
      for (Count c : cells)
        total += as_real(c);
    }
    return total;
  }
};

Schema schema_of(const Small& data) {
  return Schema({{"x", data.rows, true, false},
                 {"y", data.columns, true, false},
                 {"z", static_cast<std::uint32_t>(data.strata.size()), true, false}},
                static_cast<std::uint64_t>(data.n()));
}

VariableSet given_of(const Small& data) {
  return data.strata.size() > 1 ? VariableSet{std::size_t{2}} : VariableSet{};
}

double bracket(const Small& data, const MarginRule& rule) {
  const OrderSum s = data.sum(rule.kind);
  return rule.critical * std::sqrt(s.variance() + variance_floor(rule)) - std::fabs(s.value());
}

// Calls visit for every way to distribute n records over the cells.
template <class Visit>
void for_all(Small& data, std::size_t cell, Count left, const Visit& visit) {
  const std::size_t per = static_cast<std::size_t>(data.rows) * data.columns;
  const std::size_t cells = per * data.strata.size();
  Count& here = data.strata[cell / per][cell % per];
  if (cell + 1 == cells) {
    here = left;
    visit(data);
    here = 0;
    return;
  }
  for (Count c = 0; c <= left; ++c) {
    here = c;
    for_all(data, cell + 1, left - c, visit);
  }
  here = 0;
}

template <class Visit>
void for_all_neighbours(const Small& data, const Visit& visit) {
  Small other = data;
  const std::size_t per = static_cast<std::size_t>(data.rows) * data.columns;
  const std::size_t cells = per * data.strata.size();
  for (std::size_t from = 0; from < cells; ++from) {
    Count& source = other.strata[from / per][from % per];
    if (source == 0) continue;
    --source;
    for (std::size_t to = 0; to < cells; ++to) {
      Count& target = other.strata[to / per][to % per];
      ++target;
      visit(other);
      --target;
    }
    ++source;
  }
}

Small empty(std::uint32_t rows, std::uint32_t columns, std::size_t strata) {
  const std::size_t per = static_cast<std::size_t>(rows) * columns;
  return {rows, columns, std::vector<std::vector<Count>>(strata, std::vector<Count>(per, 0))};
}

}  // namespace

TEST_CASE("the sum on its grid is the statistic, rounded down in every stratum") {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    Small data = empty(3, 2, 3);
    for (auto& cells : data.strata) {
      for (Count& c : cells)
        c = static_cast<Count>(random() % 40);
    }
    KendallSum tau;
    SpearmanSum rho;
    for (const auto& cells : data.strata) {
      tau.add(DenseStratum{3, 2, cells.data()});
      rho.add(DenseStratum{3, 2, cells.data()});
    }
    const double step = std::ldexp(1.0, -OrderSum::grid_bits);
    const double off_tau = tau.result().statistic - data.sum(TestKind::tau).value();
    const double off_rho = rho.result().statistic - data.sum(TestKind::rho).value();
    REQUIRE(off_tau > -1e-9);
    REQUIRE(off_tau < 3 * step + 1e-9);
    REQUIRE(off_rho > -1e-9);
    REQUIRE(off_rho < 3 * step + 1e-9);
  }
}

TEST_CASE("sorted cells and dense tables give the same margin") {
  const std::vector<Count> dense{4, 0, 3, 1, 5, 2};
  const std::vector<Cell> cells{{0, 0, 4}, {0, 2, 3}, {1, 0, 1}, {1, 1, 5}, {1, 2, 2}};
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    OrderSum a(kind), b(kind);
    a.add(DenseStratum{2, 3, dense.data()});
    b.add(cells.data(), cells.size());
    REQUIRE((a.steps() == b.steps()));
    REQUIRE(a.variance() == Approx(b.variance()));
  }
}

TEST_CASE("the variance is that of the permutation distribution, for many records") {
  // Margins 30 %, 50 %, 20 % by 60 %, 40 %; independent.
  const std::vector<Count> cells{1800, 1200, 3000, 2000, 1200, 800};
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    OrderSum sum(kind);
    sum.add(DenseStratum{3, 2, cells.data()});
    KendallSum tau;
    SpearmanSum rho;
    tau.add(DenseStratum{3, 2, cells.data()});
    rho.add(DenseStratum{3, 2, cells.data()});
    const double exact = kind == TestKind::tau ? tau.variance() : rho.variance();
    REQUIRE(sum.variance() == Approx(exact).scale(0).epsilon(0.001));
  }
}

TEST_CASE("one record moves the bracket by at most its sensitivity: every data set") {
  struct Case {
    std::uint32_t rows, columns;
    std::size_t strata;
    Count n;
  };
  const std::vector<Case> cases{{2, 2, 1, 7}, {3, 2, 1, 6}, {3, 3, 1, 5},
                                {2, 2, 2, 5}, {3, 2, 2, 4}, {3, 3, 2, 3}};
  for (const Case& c : cases) {
    for (TestKind kind : {TestKind::tau, TestKind::rho}) {
      for (double floor : {0.25, 4.0, 100.0}) {
        MarginRule rule;
        rule.kind = kind;
        rule.variance_floor = floor;
        Small data = empty(c.rows, c.columns, c.strata);
        double worst = 0, bound = 0;
        for_all(data, 0, c.n, [&](const Small& a) {
          bound = bracket_sensitivity(schema_of(a), rule, 0, 1, given_of(a));
          const double value = bracket(a, rule);
          for_all_neighbours(a, [&](const Small& b) {
            worst = std::max(worst, std::fabs(value - bracket(b, rule)));
          });
        });
        REQUIRE(worst > 0);
        REQUIRE(worst <= bound);
      }
    }
  }
}

TEST_CASE("one record moves the null variance by at most its bound, in large skewed tables too") {
  std::mt19937 random(2);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    Small data = empty(2 + static_cast<std::uint32_t>(random() % 3),
                       2 + static_cast<std::uint32_t>(random() % 3), 1 + random() % 3);
    for (auto& cells : data.strata) {
      for (Count& c : cells)
        c = random() % 3 == 0 ? static_cast<Count>(random() % 300)
                              : static_cast<Count>(random() % 2);
    }
    if (data.n() < 2) continue;
    const double before = data.sum(TestKind::rho).variance();
    for_all_neighbours(data, [&](const Small& other) {
      worst = std::max(worst, std::fabs(other.sum(TestKind::rho).variance() - before));
    });
  }
  REQUIRE(worst <= 35.0 / 9);
  REQUIRE(worst > 2.5);  // the bound is not idle
}

TEST_CASE("the bracket moves by more than the statistic alone: all 2 x 2 tables of 30 records") {
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    MarginRule rule;
    rule.kind = kind;
    for (double critical : {3.0, 10.0, 100.0}) {
      rule.critical = critical;
      Small data = empty(2, 2, 1);
      double worst = 0;
      for_all(data, 0, 30, [&](const Small& a) {
        const double value = bracket(a, rule);
        for_all_neighbours(a, [&](const Small& b) {
          worst = std::max(worst, std::fabs(value - bracket(b, rule)));
        });
      });
      data.strata[0] = {30, 0, 0, 0};
      const Schema schema = schema_of(data);
      const double stated = bracket_sensitivity(schema, rule, 0, 1, {});
      rule.critical = 0;
      const double without = bracket_sensitivity(schema, rule, 0, 1, {});
      CAPTURE(worst);
      REQUIRE(worst <= stated);
      if (critical >= 10) REQUIRE(worst > without + 0.9);  // the deviation's part is needed
      if (critical == 100) REQUIRE(worst > 0.48 * stated);
      if (critical == 3) REQUIRE(worst > 0.58 * stated);
    }
  }
}

TEST_CASE("the deviation's part of the bracket is nearly reached") {
  // A floor far above the variance, so that the root has its greatest slope, and a critical value
  // so large that the statistic's own part does not matter. A record joins a stratum where all x
  // differ and all y are equal, bringing a new y, which adds nearly 3 to sum n A B; and it leaves
  // one where three quarters of the records are at one value and all others differ.
  const std::uint32_t n = 1000, together = 740;
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    MarginRule rule;
    rule.kind = kind;
    rule.critical = 1e8;
    rule.variance_floor = 1e8;
    std::vector<Cell> joined, left{{0, 0, together}};
    for (std::uint32_t i = 0; i < n; ++i)
      joined.push_back({i, 0, 1});
    for (std::uint32_t i = 1; i <= n - together; ++i)
      left.push_back({i, i, 1});
    const auto value = [&] {
      OrderSum sum(kind);
      sum.add(joined.data(), joined.size());
      sum.add(left.data(), left.size());
      return rule.critical * std::sqrt(sum.variance() + variance_floor(rule)) -
             std::fabs(sum.value());
    };
    const double before = value();
    joined.push_back({n, 1, 1});
    --left[0].count;
    const double moved = value() - before;
    const Schema schema({{"x", 2000, true, false}, {"y", 2000, true, false}, {"z", 2, true, false}},
                        2 * n);
    const double stated = bracket_sensitivity(schema, rule, 0, 1, VariableSet{2});
    CAPTURE(moved);
    REQUIRE(moved <= stated);
    REQUIRE(moved > 0.8 * stated);
  }
}

TEST_CASE("a sealed margin moves by at most 1, and by 1 where only the statistic counts") {
  // Every 2 x 2 table of 12 records and every replacement, through the tables of a data set.
  const std::size_t n = 12;
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    for (double critical : {0.0, 3.0, 100.0}) {
      MarginRule rule;
      rule.kind = kind;
      rule.critical = critical;
      std::vector<double> margin(13 * 13 * 13, 0);
      const auto at = [&](const std::vector<Count>& c) -> double& {
        return margin[(c[0] * 13 + c[1]) * 13 + c[2]];
      };
      Small data = empty(2, 2, 1);
      for_all(data, 0, n, [&](const Small& a) {
        std::vector<std::int32_t> x, y;
        for (std::size_t cell = 0; cell < 4; ++cell) {
          x.insert(x.end(), a.strata[0][cell], static_cast<std::int32_t>(cell / 2 + 1));
          y.insert(y.end(), a.strata[0][cell], static_cast<std::int32_t>(cell % 2 + 1));
        }
        MemoryTables tables(Schema({{"x", 2, true, false}, {"y", 2, true, false}}, n),
                            {{x.data(), nullptr}, {y.data(), nullptr}}, MemoryOptions());
        const Sensitive<double> sealed = OrderMargin::of(tables, rule, 0, 1, {});
        REQUIRE(sealed.sensitivity() == 1);
        at(a.strata[0]) = look_inside(sealed);
      });
      double worst = 0;
      for_all(data, 0, n, [&](const Small& a) {
        for_all_neighbours(a, [&](const Small& b) {
          worst = std::max(worst, std::fabs(at(a.strata[0]) - at(b.strata[0])));
        });
      });
      CAPTURE(worst);
      REQUIRE(worst <= 1 + 1e-5);
      REQUIRE(worst > (critical == 0 ? 0.9999 : 0.45));
    }
  }
}

TEST_CASE("a margin without a floor or with a negative critical value is refused") {
  const Schema schema({{"x", 2, true, false}, {"y", 2, true, false}}, 10);
  MarginRule rule;
  for (double wrong : {0.0, -1.0, std::nan("")}) {
    rule = MarginRule();
    rule.variance_floor = wrong;
    REQUIRE_THROWS_AS(bracket_sensitivity(schema, rule, 0, 1, {}), std::invalid_argument);
  }
  for (double wrong : {-1.0, std::nan("")}) {
    rule = MarginRule();
    rule.critical = wrong;
    REQUIRE_THROWS_AS(bracket_sensitivity(schema, rule, 0, 1, {}), std::invalid_argument);
  }
}

TEST_CASE("the published constants are smaller than what one record can do") {
  // Others all (0,0), (1,1), (2,2): moving one record from one end to the other.
  Small data = empty(3, 3, 1);
  data.strata[0] = {1, 0, 0, 0, 20, 0, 0, 0, 0};
  Small other = data;
  other.strata[0] = {0, 0, 1, 0, 20, 0, 0, 0, 0};
  const double move = std::fabs(data.sum(TestKind::tau).value() - other.sum(TestKind::tau).value());
  MarginRule rule;
  const double proven = statistic_sensitivity(schema_of(data), rule, 0, 1, {});
  rule.constants = Constants::published;
  const double published = statistic_sensitivity(schema_of(data), rule, 0, 1, {});
  REQUIRE(move <= proven);
  REQUIRE(move > published);
}
