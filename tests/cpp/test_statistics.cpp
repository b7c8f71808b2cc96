// Statistics against direct definitions, and sensitivities against every neighbour there is.
#include <catch.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "peek.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/statistic/independence_test.hpp"
#include "privpc/statistic/sensitivity.hpp"

using namespace privpc;

namespace {

using Record = std::vector<int>;  // x, y, z (0-based)

int sign(int a, int b) {
  return (a > b) - (a < b);
}

// n tau_a and n rho of one stratum straight from their definitions.
double n_tau(const std::vector<Record>& records) {
  const double n = static_cast<double>(records.size());
  if (n < 2) return 0;
  double sum = 0;
  for (const auto& a : records) {
    for (const auto& b : records)
      sum += sign(a[0], b[0]) * sign(a[1], b[1]);
  }
  return sum / (n - 1);
}

double n_rho(const std::vector<Record>& records) {
  const double n = static_cast<double>(records.size());
  if (n < 2) return 0;
  double sum = 0;
  for (const auto& a : records) {
    double s = 0, t = 0;
    for (const auto& b : records) {
      s += sign(a[0], b[0]);
      t += sign(a[1], b[1]);
    }
    sum += s * t;
  }
  return 3 * sum / (n * n - 1);
}

double stratified(const std::vector<Record>& records, int strata,
                  const std::function<double(const std::vector<Record>&)>& statistic) {
  double sum = 0;
  for (int z = 0; z < strata; ++z) {
    std::vector<Record> inside;
    for (const auto& r : records) {
      if (r[2] == z) inside.push_back(r);
    }
    sum += statistic(inside);
  }
  return sum;
}

Schema schema_of(const std::vector<int>& levels, std::size_t n) {
  std::vector<Variable> variables;
  const char* names[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    variables.push_back({names[i], static_cast<std::uint32_t>(levels[i]), true, false});
  }
  return Schema(variables, n);
}

double core_statistic(const std::vector<Record>& records, const std::vector<int>& levels,
                      TestKind kind) {
  std::vector<std::vector<std::int32_t>> codes(3);
  for (const auto& r : records) {
    for (std::size_t v = 0; v < 3; ++v)
      codes[v].push_back(r[v] + 1);
  }
  MemoryTables tables(
      schema_of(levels, records.size()),
      {{codes[0].data(), nullptr}, {codes[1].data(), nullptr}, {codes[2].data(), nullptr}}, {});
  return NotPrivateTest::of(tables, kind, 0, 1, VariableSet{2}).statistic;
}

// Calls visit for every multiset of n records over the given level counts.
void every_dataset(const std::vector<Record>& values, std::size_t n, std::size_t from,
                   std::vector<Record>& so_far, const std::function<void()>& visit) {
  if (so_far.size() == n) {
    visit();
    return;
  }
  for (std::size_t v = from; v < values.size(); ++v) {
    so_far.push_back(values[v]);
    every_dataset(values, n, v, so_far, visit);
    so_far.pop_back();
  }
}

std::vector<Record> all_values(const std::vector<int>& levels) {
  std::vector<Record> values;
  for (int x = 0; x < levels[0]; ++x) {
    for (int y = 0; y < levels[1]; ++y) {
      for (int z = 0; z < levels[2]; ++z)
        values.push_back({x, y, z});
    }
  }
  return values;
}

// The largest change of the statistic over all data sets of n records and all replacements of one.
double largest_change(const std::vector<int>& levels, std::size_t n, TestKind kind) {
  const auto statistic = kind == TestKind::tau ? n_tau : n_rho;
  const std::vector<Record> values = all_values(levels);
  double largest = 0;
  // A neighbour pair is n-1 common records plus one on either side.
  std::vector<Record> common;
  every_dataset(values, n - 1, 0, common, [&] {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Record& value : values) {
      common.push_back(value);
      const double t = stratified(common, levels[2], statistic);
      common.pop_back();
      low = std::min(low, t);
      high = std::max(high, t);
    }
    largest = std::max(largest, high - low);
  });
  return largest;
}

}  // namespace

TEST_CASE("tail probabilities agree with tabulated values") {
  // Values of R's pchisq(lower.tail = FALSE) and pnorm.
  REQUIRE(chi_square_upper(3.841458820694124, 1) == Approx(0.05).scale(0).epsilon(1e-10));
  REQUIRE(chi_square_upper(0.0039321400000195242, 1) == Approx(0.95).scale(0).epsilon(1e-10));
  REQUIRE(chi_square_upper(100, 1) == Approx(1.523970604832105e-23).scale(0).epsilon(1e-9));
  REQUIRE(chi_square_upper(18.307038053275146, 10) == Approx(0.05).scale(0).epsilon(1e-10));
  REQUIRE(chi_square_upper(1000, 1000) == Approx(0.49405285382923969).scale(0).epsilon(1e-9));
  REQUIRE(chi_square_upper(1200, 1000) == Approx(1.2255942330622908e-05).scale(0).epsilon(1e-9));
  REQUIRE(chi_square_upper(20500, 20000) == Approx(0.0065178634883425613).scale(0).epsilon(1e-8));
  REQUIRE(chi_square_upper(5, 0) == 1);
  REQUIRE(chi_square_upper(0, 3) == 1);
  REQUIRE(normal_two_sided(1.959963984540054) == Approx(0.05).scale(0).epsilon(1e-12));
  for (double df : {1.0, 2.0, 7.0, 64.0, 1000.0, 20000.0}) {
    for (double alpha : {0.5, 0.05, 1e-6}) {
      REQUIRE(chi_square_upper(chi_square_critical(alpha, df), df) ==
              Approx(alpha).scale(0).epsilon(1e-8));
    }
  }
}

TEST_CASE("the core's T and R are their definitions, with ties and strata") {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::vector<int> levels{2 + static_cast<int>(random() % 4),
                                  2 + static_cast<int>(random() % 4),
                                  1 + static_cast<int>(random() % 3)};
    std::vector<Record> records;
    const std::size_t n = 1 + random() % 40;
    for (std::size_t i = 0; i < n; ++i) {
      records.push_back({static_cast<int>(random() % static_cast<unsigned>(levels[0])),
                         static_cast<int>(random() % static_cast<unsigned>(levels[1])),
                         static_cast<int>(random() % static_cast<unsigned>(levels[2]))});
    }
    REQUIRE(core_statistic(records, levels, TestKind::tau) ==
            Approx(stratified(records, levels[2], n_tau)).margin(1e-9));
    REQUIRE(core_statistic(records, levels, TestKind::rho) ==
            Approx(stratified(records, levels[2], n_rho)).margin(1e-9));
  }
}

TEST_CASE("full-resolution and table forms of every statistic agree") {
  std::mt19937 generator(2);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::uint32_t rows = 1 + random() % 6, columns = 1 + random() % 6;
    std::vector<Count> counts;
    std::vector<Cell> cells;
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        const Count c = random() % 4 == 0 ? 0 : random() % 9;
        counts.push_back(c);
        if (c > 0) cells.push_back({i * 7, j * 3, c});
      }
    }
    const DenseStratum dense{rows, columns, counts.data()};
    KendallSum kendall_a, kendall_b;
    kendall_a.add(dense);
    kendall_b.add(cells.data(), cells.size());
    REQUIRE(kendall_a.result().statistic == Approx(kendall_b.result().statistic).margin(1e-9));
    REQUIRE(kendall_a.variance() == Approx(kendall_b.variance()).margin(1e-9));
    SpearmanSum spearman_a, spearman_b;
    spearman_a.add(dense);
    spearman_b.add(cells.data(), cells.size());
    REQUIRE(spearman_a.result().statistic == Approx(spearman_b.result().statistic).margin(1e-9));
    REQUIRE(spearman_a.variance() == Approx(spearman_b.variance()).margin(1e-9));
    PearsonSum pearson_a, pearson_b;
    pearson_a.add(dense);
    pearson_b.add(cells.data(), cells.size());
    REQUIRE(pearson_a.value() == Approx(pearson_b.value()).margin(1e-9));
  }
}

TEST_CASE("no neighbour moves tau or rho by more than the stated sensitivity") {
  struct Shape {
    std::vector<int> levels;
    std::size_t n;
  };
  // Exhaustive: every data set of n records over these levels, every replacement.
  const std::vector<Shape> shapes{{{2, 2, 1}, 20}, {{3, 2, 1}, 9}, {{3, 3, 1}, 7},
                                  {{4, 4, 1}, 5},  {{2, 2, 2}, 9}, {{3, 2, 2}, 6},
                                  {{3, 3, 2}, 5},  {{2, 2, 3}, 7}, {{2, 4, 2}, 5}};
  for (const Shape& shape : shapes) {
    for (TestKind kind : {TestKind::tau, TestKind::rho}) {
      for (std::size_t n = 2; n <= shape.n; ++n) {
        const double stated = sensitivity(schema_of(shape.levels, n), kind, 0, 1, VariableSet{2});
        const double found = largest_change(shape.levels, n, kind);
        CAPTURE(shape.levels[0]);
        CAPTURE(shape.levels[1]);
        CAPTURE(shape.levels[2]);
        CAPTURE(n);
        REQUIRE(found <= stated + 1e-9);
        // With one stratum the bound is reached: a smaller constant would be wrong.
        if (shape.levels[2] == 1 && n > 2) REQUIRE(found >= 0.85 * stated);
      }
    }
  }
}

TEST_CASE("larger binary strata keep to the removal bounds of the proofs") {
  // Removing one record of a 2 x 2 stratum: every table with n <= 40.
  const auto value = [](double a, double b, double c, double d, bool tau) {
    const double n = a + b + c + d;
    if (n < 2) return 0.0;
    return tau ? 2 * (a * d - b * c) / (n - 1) : 3 * n * (a * d - b * c) / (n * n - 1);
  };
  double worst_tau = 0, worst_rho = 0;
  for (int a = 1; a <= 40; ++a) {
    for (int b = 0; a + b <= 40; ++b) {
      for (int c = 0; a + b + c <= 40; ++c) {
        for (int d = 0; a + b + c + d <= 40; ++d) {
          worst_tau =
              std::max(worst_tau, std::fabs(value(a, b, c, d, true) - value(a - 1, b, c, d, true)));
          worst_rho = std::max(worst_rho,
                               std::fabs(value(a, b, c, d, false) - value(a - 1, b, c, d, false)));
        }
      }
    }
  }
  REQUIRE(worst_tau <= 2 + 1e-12);
  REQUIRE(worst_tau > 1.9);
  REQUIRE(worst_rho <= 3 + 1e-12);
  REQUIRE(worst_rho > 2.8);
}

TEST_CASE("a hill-climb on larger data finds nothing beyond the stated sensitivity") {
  std::mt19937 random(3);
  for (TestKind kind : {TestKind::tau, TestKind::rho}) {
    const auto statistic = kind == TestKind::tau ? n_tau : n_rho;
    for (int start = 0; start < 6; ++start) {
      const int levels = 2 + start % 4;
      const std::size_t n = 24;
      std::vector<Record> records;
      for (std::size_t i = 0; i < n; ++i) {
        records.push_back({static_cast<int>(random() % static_cast<unsigned>(levels)),
                           static_cast<int>(random() % static_cast<unsigned>(levels)),
                           static_cast<int>(random() % 2)});
      }
      Record other{0, levels - 1, 1};
      const auto change = [&] {
        const double before = stratified(records, 2, statistic);
        std::swap(records[0], other);
        const double after = stratified(records, 2, statistic);
        std::swap(records[0], other);
        return std::fabs(after - before);
      };
      double best = change();
      for (int step = 0; step < 3000; ++step) {
        Record& target = step % 25 == 0 ? other : records[random() % n];
        const Record kept = target;
        target[random() % 2] = static_cast<int>(random() % static_cast<unsigned>(levels));
        if (random() % 4 == 0) target[2] = static_cast<int>(random() % 2);
        const double now = change();
        if (now >= best) {
          best = now;
        } else {
          target = kept;
        }
      }
      REQUIRE(best <=
              sensitivity(schema_of({levels, levels, 2}, n), kind, 0, 1, VariableSet{2}) + 1e-9);
    }
  }
}
