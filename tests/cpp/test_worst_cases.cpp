// Bounds whose worst case no enumeration of small cases reaches: cases that come close to them, and
// that a smaller bound would not allow.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/base/random_bits.hpp"
#include "privpc/privacy/grid.hpp"
#include "privpc/statistic/batch.hpp"
#include "privpc/statistic/margin.hpp"

using namespace privpc;

TEST_CASE("several numbers, each snapped over a line, stay within the widened sensitivity") {
  // All of d numbers lie three quarters of a step above a line of the grid and move by k + 1/2
  // steps: each crosses k + 1 lines.
  for (int half_log = 1; half_log <= 4; ++half_log) {
    const double root = std::ldexp(1.0, half_log), d = root * root;
    const auto coordinates = static_cast<std::size_t>(d);
    for (int exponent : {-20, 0, 9}) {
      const double step = std::ldexp(1.0, exponent);
      const auto moved = [&](const Grid& grid, double steps) {
        REQUIRE(grid.step() == step);
        const double x = 0.75 * step, y = x + (steps + 0.5) * step;
        return static_cast<double>(grid.snap(y) - grid.snap(x));
      };
      // Steps chosen so that the grid for this sensitivity is just this one.
      const double k1 = 65536, l1 = d * (k1 + 0.5) * step;
      const Grid first = Grid::for_noise(l1, l1, coordinates);
      REQUIRE(d * moved(first, k1) <= first.steps_l1(l1, coordinates));
      const double k2 = 65536 * root, l2 = root * (k2 + 0.5) * step;
      const Grid second = Grid::for_noise(l2, l2, coordinates);
      REQUIRE(root * moved(second, k2) <= second.steps_l2(l2, coordinates));
    }
  }
}

TEST_CASE("a noise scale is never below its quotient, by as little as it may be") {
  // Numerators just above m d, m of 24 bits: the quotient as a double is often m itself.
  RandomBits bits = RandomBits::from_seed(21);
  int hidden = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const double m = static_cast<double>(bits.below(1u << 24) | 1u);
    const double d = 1 + std::ldexp(static_cast<double>(bits.below(UINT64_C(1) << 52)), -52);
    const double product = m * d;
    const double numerator = std::fma(m, d, -product) < 0 ? product : std::nextafter(product, 1e9);
    hidden += numerator / d == m ? 1 : 0;
    // The sign of a fused remainder is exact.
    REQUIRE(std::fma(to_double(noise_scale(numerator, d)), d, -numerator) >= 0);
  }
  REQUIRE(hidden > 1000);
}

namespace {

// T over two strata of x by y tables.
double sum_of_strata(std::uint32_t levels, const std::vector<std::vector<Count>>& strata) {
  OrderSum sum(TestKind::tau);
  for (const auto& cells : strata)
    sum.add(DenseStratum{levels, levels, cells.data()});
  return sum.value();
}

double stated(std::uint32_t levels, std::uint64_t rows) {
  const Schema schema(
      {{"x", levels, true, false}, {"y", levels, true, false}, {"z", 2, true, false}}, rows);
  return sensitivity(schema, TestKind::tau, 0, 1, VariableSet{2});
}

}  // namespace

TEST_CASE("a record that changes the stratum moves T by all that is stated") {
  // Records 1..m on the rising diagonal of stratum 1 and on the falling one of stratum 2. One more,
  // against the order of its stratum, goes from the first to the second: 3 in each.
  constexpr std::uint32_t m = 40;
  const auto at = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::size_t>(x) * m + y;
  };
  std::vector<std::vector<Count>> before(2, std::vector<Count>(std::size_t{m} * m, 0));
  for (std::uint32_t i = 1; i + 1 < m; ++i) {
    before[0][at(i, i)] = 1;
    before[1][at(i, m - 1 - i)] = 1;
  }
  std::vector<std::vector<Count>> after = before;
  before[0][at(0, m - 1)] = 1;
  after[1][at(0, 0)] = 1;
  const double move = std::fabs(sum_of_strata(m, after) - sum_of_strata(m, before));
  REQUIRE(move > 6 - 1e-3);
  REQUIRE(move <= stated(m, 2 * (m - 2) + 1) + std::ldexp(2.0, -OrderSum::grid_bits));

  // Two levels: the only record with x = 1 leaves a stratum and enters the other: 2 in each.
  const std::vector<std::vector<Count>> two{{9, 0, 0, 1}, {0, 9, 0, 0}};
  const std::vector<std::vector<Count>> two_after{{9, 0, 0, 0}, {0, 9, 1, 0}};
  const double binary = std::fabs(sum_of_strata(2, two_after) - sum_of_strata(2, two));
  REQUIRE(binary > 4 - 1e-3);
  REQUIRE(binary <= stated(2, 19) + std::ldexp(2.0, -OrderSum::grid_bits));
}

TEST_CASE("a set that stands twice in a batch is refused") {
  // The bound for pairs and singles counts each once: noise for one would be drawn for two.
  const Schema schema({{"a", 2, true, false}, {"b", 3, true, false}}, 10);
  REQUIRE(batch_l2_squared(schema, {{VariableSet{0, 1}, 1}, {VariableSet{0}, 1}}) > 0);
  REQUIRE_THROWS_AS(batch_l2_squared(schema, {{VariableSet{0, 1}, 1}, {VariableSet{0, 1}, 1}}),
                    std::invalid_argument);
}
