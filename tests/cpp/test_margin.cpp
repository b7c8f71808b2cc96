// The independence margin: its parts against their definitions, and how far one record can move it
// against every neighbour there is.
#include <catch.h>

#include <cmath>
#include <random>
#include <vector>

#include "privpc/statistic/margin.hpp"

using namespace privpc;

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
        total += c;
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
  const double floor = rule.variance_floor * (rule.kind == TestKind::tau ? 1 : 2.25);
  return rule.critical * std::sqrt(s.variance() + floor) - std::fabs(s.value());
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
    REQUIRE(sum.variance() == Approx(exact).epsilon(0.001));
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
