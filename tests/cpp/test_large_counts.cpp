// T, R and their variances where counts reach the largest number of rows that is accepted, against
// exact arithmetic: nothing may overflow or be rounded before a stratum's last division. The cells
// are made up, so that a data set of 2^31 - 1 records takes no room.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "big_number.h"
#include "privpc/statistic/margin.hpp"
#include "privpc/statistic/null_variance.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

const std::int64_t kSizes[] = {94906267,  // n^2 > 2^53
                               314229314, 1674538749, static_cast<std::int64_t>(kMaxRows)};

Wide sign(std::uint32_t a, std::uint32_t b) {
  return (a > b) - (a < b);
}

Wide floor_div(Wide a, Wide b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

std::int64_t total(const std::vector<Cell>& cells) {
  std::int64_t n = 0;
  for (const Cell& c : cells)
    n += c.count;
  return n;
}

// The steps of n tau and n rho from their definitions in sensitivity.hpp, pair by pair.
Wide exact_steps(TestKind kind, const std::vector<Cell>& cells) {
  const Wide n = total(cells);
  Wide sum = 0;
  for (const Cell& a : cells) {
    Wide s = 0, t = 0, both = 0;
    for (const Cell& b : cells) {
      s += b.count * sign(a.x, b.x);
      t += b.count * sign(a.y, b.y);
      both += b.count * sign(a.x, b.x) * sign(a.y, b.y);
    }
    sum += a.count * (kind == TestKind::tau ? both : s * t);
  }
  return kind == TestKind::tau ? floor_div(sum * 65536, n - 1)
                               : floor_div(3 * sum * 65536, n * n - 1);
}

OrderSum sum_of(TestKind kind, const std::vector<Cell>& cells) {
  OrderSum sum(kind);
  sum.add(cells.data(), cells.size());
  return sum;
}

// n records over a grid of x and y; the larger `skew`, the more of them in few cells.
std::vector<Cell> random_cells(std::uint32_t rows, std::uint32_t columns, std::int64_t n,
                               double skew, std::mt19937& random) {
  std::vector<double> weights;
  double all = 0;
  for (std::uint32_t i = 0; i < rows * columns; ++i) {
    weights.push_back(std::exp(skew * (static_cast<double>(random() % 1000) / 1000 - 0.5)));
    all += weights.back();
  }
  std::vector<Cell> cells;
  for (std::uint32_t i = 0; i < rows * columns; ++i) {
    const auto count =
        static_cast<Count>(static_cast<double>(n - rows * columns) * weights[i] / all);
    cells.push_back({i / columns, i % columns, count + 1});
  }
  cells.back().count += static_cast<Count>(n - total(cells));
  return cells;
}

std::vector<Count> table_of(const std::vector<Cell>& cells, std::uint32_t rows,
                            std::uint32_t columns) {
  std::vector<Count> counts(static_cast<std::size_t>(rows) * columns, 0);
  for (const Cell& c : cells)
    counts[c.x * columns + c.y] = c.count;
  return counts;
}

// Tie sums of x and of y by the definition.
struct Groups {
  Wide n, pairs_x, pairs_y, triples_x, triples_y, cubes_x, cubes_y;
  explicit Groups(const std::vector<Cell>& cells) : n(total(cells)) {
    std::vector<Wide> row(1000, 0), column(1000, 0);
    for (const Cell& c : cells) {
      row[c.x] += c.count;
      column[c.y] += c.count;
    }
    const auto power = [](const std::vector<Wide>& groups, auto term) {
      Wide sum = 0;
      for (Wide t : groups)
        sum += term(t);
      return sum;
    };
    const auto pair = [](Wide t) { return t * (t - 1); };
    const auto triple = [](Wide t) { return t * (t - 1) * (t - 2); };
    const auto cube = [](Wide t) { return t * t * t; };
    pairs_x = pair(n) - power(row, pair);
    pairs_y = pair(n) - power(column, pair);
    triples_x = triple(n) - power(row, triple);
    triples_y = triple(n) - power(column, triple);
    cubes_x = cube(n) - power(row, cube);
    cubes_y = cube(n) - power(column, cube);
  }
};

// Whether `steps` steps of 2^-bits are numerator / denominator rounded down, and `slack` steps off.
bool rounds(std::int64_t steps, int bits, const Big& numerator, const Big& denominator,
            std::int64_t slack) {
  const Big target = numerator * Big(Wide{1} << bits);
  return Big(std::max<std::int64_t>(steps - slack, 0)) * denominator <= target &&
         target <= Big(steps + 1 + slack) * denominator;
}

}  // namespace

TEST_CASE("T and R are exact up to the largest number of rows, from cells and from tables") {
  std::mt19937 random(1);
  for (std::int64_t n : kSizes) {
    for (double skew : {0.0, 5.0, 30.0}) {
      for (std::uint32_t levels : {2u, 3u, 7u, 20u}) {
        const std::vector<Cell> cells = random_cells(levels, levels + 1, n, skew, random);
        REQUIRE(total(cells) == n);
        const std::vector<Count> table = table_of(cells, levels, levels + 1);
        for (TestKind kind : {TestKind::tau, TestKind::rho}) {
          const Wide exact = exact_steps(kind, cells);
          OrderSum dense(kind);
          dense.add(DenseStratum{levels, levels + 1, table.data()});
          REQUIRE((sum_of(kind, cells).steps() == exact));
          REQUIRE((dense.steps() == exact));
          REQUIRE(dense.variance_steps() == sum_of(kind, cells).variance_steps());
        }
      }
    }
  }
}

TEST_CASE("at the largest number of rows T and R reach n and -n") {
  for (std::int64_t n : kSizes) {
    // Groups of 3 and more on a diagonal: all pairs that are not tied go one way.
    for (bool rising : {true, false}) {
      std::vector<Cell> cells;
      for (std::uint32_t i = 0; i < 900; ++i)
        cells.push_back({i, rising ? i : 899 - i, static_cast<Count>(n / 900)});
      cells.back().count += static_cast<Count>(n - total(cells));
      for (TestKind kind : {TestKind::tau, TestKind::rho}) {
        const OrderSum sum = sum_of(kind, cells);
        REQUIRE((sum.steps() == exact_steps(kind, cells)));
        REQUIRE(std::fabs(sum.value()) > 0.99 * static_cast<double>(n));
      }
    }
  }
}

TEST_CASE("one record in the largest data sets moves T and R by at most their sensitivity") {
  std::mt19937 random(2);
  for (std::int64_t n : kSizes) {
    for (std::uint32_t levels : {2u, 5u}) {
      const Schema schema({{"x", levels, true, false}, {"y", levels, true, false}},
                          static_cast<std::uint64_t>(n));
      // Nearly all records in the middle cell: moving one past it does most.
      std::vector<Cell> cells = random_cells(levels, levels, levels * levels * 50, 3, random);
      cells[cells.size() / 2].count += static_cast<Count>(n - total(cells));
      for (TestKind kind : {TestKind::tau, TestKind::rho}) {
        const double most = sensitivity(schema, kind, 0, 1, {}) + 2 * std::ldexp(1.0, -16);
        const Wide before = sum_of(kind, cells).steps();
        double worst = 0;
        for (std::size_t from = 0; from < cells.size(); ++from) {
          for (std::size_t to = 0; to < cells.size(); ++to) {
            std::vector<Cell> other = cells;
            --other[from].count;
            ++other[to].count;
            const Wide after = sum_of(kind, other).steps();
            REQUIRE((after == exact_steps(kind, other)));
            worst = std::max(worst, std::fabs(std::ldexp(to_double(after - before), -16)));
          }
        }
        REQUIRE(worst <= most);
        REQUIRE(worst > 0.999 * most);
      }
    }
  }
}

TEST_CASE("many small groups beside a large one: no tied pair is lost to rounding") {
  // One group of t records with t(t-1) next to a power of two, and a million of eleven records:
  // in doubles the small ones would be rounded one way before the record moves, and another way
  // after it. All pairs of different groups are concordant: S = (n^2 - sum of squares)/2.
  for (int power : {54, 57, 60}) {
    const auto large = static_cast<std::int64_t>(std::sqrt(std::ldexp(1.0, power))) + 1;
    std::vector<Cell> cells{{0, 0, static_cast<Count>(large)}};
    for (std::uint32_t i = 1; i <= 1000000; ++i)
      cells.push_back({i, i, 11});
    const auto exact = [&] {
      const Wide n = total(cells);
      Wide squares = 0;
      for (const Cell& c : cells)
        squares += static_cast<Wide>(c.count) * c.count;
      return floor_div((n * n - squares) * 65536, n - 1);
    };
    const Wide before = sum_of(TestKind::tau, cells).steps();
    REQUIRE((before == exact()));
    --cells[0].count;
    ++cells[1].count;
    const Wide after = sum_of(TestKind::tau, cells).steps();
    REQUIRE((after == exact()));
    REQUIRE(std::fabs(std::ldexp(to_double(after - before), -16)) <= 4);
  }
}

TEST_CASE("variances are off by no more than the proofs allow, in the largest strata too") {
  std::mt19937 random(3);
  for (std::int64_t n : {std::int64_t{2}, std::int64_t{3}, std::int64_t{50}, std::int64_t{200000},
                         kSizes[0], kSizes[1], kSizes[2], kSizes[3]}) {
    for (double skew : {0.0, 8.0, 40.0}) {
      for (std::uint32_t levels : {1u, 2u, 7u, 20u}) {
        if (n < levels * (levels + 1)) continue;
        const std::vector<Cell> cells = random_cells(levels, levels + 1, n, skew, random);
        const Groups g(cells);
        const Big cube = Big(g.n) * Big(g.n) * Big(g.n);
        const Big one_less = Big(g.n - 1) * Big(g.n - 1) * Big(g.n - 1);
        const Big of_cubes = Big(g.cubes_x) * Big(g.cubes_y);
        // margin.hpp: 2^-49 n.
        const auto slack = static_cast<std::int64_t>(std::ceil(std::ldexp(n, 30 - 49)));
        REQUIRE(rounds(sum_of(TestKind::rho, cells).variance_steps(), 30, of_cubes,
                       cube * Big(g.n) * Big(g.n), slack));
        // null_variance.hpp: 2^-48 n.
        const auto steps = [&](TestKind kind) {
          NullVariance variance(kind);
          variance.add(cells.data(), cells.size());
          return static_cast<std::int64_t>(std::ldexp(variance.value(), 16));
        };
        REQUIRE(
            rounds(steps(TestKind::rho), 16, of_cubes, one_less * Big(g.n + 1) * Big(g.n + 1), 1));
        if (n > 2) {
          const Big tau = Big(4) * Big(g.triples_x) * Big(g.triples_y) +
                          Big(18 * (g.n - 2)) * Big(g.pairs_x) * Big(g.pairs_y);
          REQUIRE(rounds(steps(TestKind::tau), 16, tau, Big(9 * g.n * (g.n - 2)) * one_less, 1));
        }
      }
    }
  }
}

TEST_CASE("neither number nor order of the strata changes how the variance is rounded") {
  // A million strata with all of 2^31 - 1 records: K n = 2e15.
  const std::size_t strata = 1000000;
  std::mt19937 random(4);
  std::vector<Count> counts(4 * strata);
  for (std::size_t k = 0; k < strata; ++k) {
    // 2147 records in each stratum.
    Count left = 2147;
    for (std::size_t c = 0; c < 3; ++c) {
      counts[4 * k + c] = static_cast<Count>(random() % (left / 2));
      left -= counts[4 * k + c];
    }
    counts[4 * k + 3] = left;
  }
  MarginRule rule;
  rule.critical = 100;
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    rule.kind = kind;
    const auto sum = [&](bool forwards) {
      OrderSum s(kind);
      for (std::size_t i = 0; i < strata; ++i) {
        const std::size_t k = forwards ? i : strata - 1 - i;
        s.add(DenseStratum{2, 2, counts.data() + 4 * k});
      }
      return s;
    };
    const OrderSum all = sum(true), backwards = sum(false);
    REQUIRE((all.steps() == backwards.steps()));
    REQUIRE(all.variance_steps() == backwards.variance_steps());
    REQUIRE(all.variance() == backwards.variance());

    // Neighbours: one record from the first stratum to the last, and within the first.
    const Schema schema({{"x", 2, true, false},
                         {"y", 2, true, false},
                         {"z", 50000, true, false},
                         {"w", 50000, true, false}},
                        2147 * strata);
    const auto bracket = [&](const OrderSum& s) {
      return rule.critical * std::sqrt(s.variance() + variance_floor(rule)) - std::fabs(s.value());
    };
    for (std::size_t to : {std::size_t{3}, counts.size() - 1}) {
      --counts[0];
      ++counts[to];
      const OrderSum other = sum(true);
      ++counts[0];
      --counts[to];
      const double moved =
          std::ldexp(static_cast<double>(other.variance_steps() - all.variance_steps()), -30);
      REQUIRE(std::fabs(moved) <= 35.0 / 9 + 2 * std::ldexp(1.0, -30) + std::ldexp(2147e6, -48));
      REQUIRE(std::fabs(bracket(all) - bracket(other)) <=
              bracket_sensitivity(schema, rule, 0, 1, VariableSet{2, 3}));
    }
  }

  // The same stratum again and again, where sums of doubles would be rounded the same way each
  // time: a million of them are a million times one of them, to within a step each.
  const std::vector<Count> same{700, 400, 300, 747};
  OrderSum one(TestKind::rho), many(TestKind::rho);
  one.add(DenseStratum{2, 2, same.data()});
  for (std::size_t k = 0; k < strata; ++k)
    many.add(DenseStratum{2, 2, same.data()});
  REQUIRE(many.variance_steps() == static_cast<std::int64_t>(strata) * one.variance_steps());
}
