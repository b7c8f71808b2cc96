// The bound of a batch by a quadratic function: never below the worst pattern, and close to it.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "privpc/statistic/batch.hpp"

using namespace privpc;

namespace {

struct Uniform {
  std::uint64_t state;
  double operator()() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((*this)() * n); }
};

Schema random_schema(std::size_t variables, Uniform& uniform) {
  std::vector<Variable> all;
  for (std::size_t v = 0; v < variables; ++v)
    all.push_back({"v" + std::to_string(v), 2 + uniform.below(6), false, false});
  return Schema(all, 10);
}

// Each pair with probability `share`; weights between `least` and 1.
Batch random_batch(std::size_t variables, double share, double least, Uniform& uniform) {
  const auto weight = [&] { return least + (1 - least) * uniform(); };
  Batch batch;
  for (std::size_t x = 0; x < variables; ++x) {
    if (uniform() < 0.9) batch.push_back({VariableSet{x}, 3 * weight()});
    for (std::size_t y = x + 1; y < variables; ++y) {
      if (uniform() < share) batch.push_back({VariableSet{x, y}, weight()});
    }
  }
  return batch;
}

// The largest F(h) of batch.hpp over all patterns, each of which differs from the one before it in
// one variable (Gray code), straight from the products.
double worst_of_all_patterns(const Schema& schema, const Batch& batch) {
  std::vector<std::vector<const BatchItem*>> touching(schema.size());
  for (const BatchItem& item : batch) {
    for (auto v : item.set)
      touching[v].push_back(&item);
  }
  std::vector<bool> differs(schema.size(), false);
  const auto term = [&](const BatchItem& item) {
    double own = 1, shared = 1;
    for (auto v : item.set) {
      const double k = schema.levels(v);
      own *= (k - 1) / k;
      shared *= differs[v] ? -1 / k : (k - 1) / k;
    }
    return 2 * item.weight * (own - shared);
  };
  double sum = 0, worst = 0;
  for (std::size_t step = 1; step < std::size_t{1} << schema.size(); ++step) {
    std::size_t flipped = 0;
    while ((step >> flipped & 1) == 0)
      ++flipped;
    for (const BatchItem* item : touching[flipped])
      sum -= term(*item);
    differs[flipped] = !differs[flipped];
    for (const BatchItem* item : touching[flipped])
      sum += term(*item);
    worst = std::max(worst, sum);
  }
  return worst;
}

}  // namespace

TEST_CASE("the quadratic bound is never below the largest value of all patterns") {
  Uniform uniform{11};
  for (int round = 0; round < 400; ++round) {
    const std::size_t p = 1 + uniform.below(9);
    // Gains of both signs, and crosses of both signs in every third round.
    std::vector<double> gain(p), cross(p * p, 0);
    PatternQuadratic quadratic(p);
    for (std::size_t i = 0; i < p; ++i) {
      gain[i] = 4 * uniform() - 1;
      quadratic.add_gain(i, gain[i]);
      for (std::size_t j = 0; j < i; ++j) {
        if (uniform() < 0.3) continue;
        cross[i * p + j] = round % 3 == 0 ? 4 * uniform() - 2 : uniform();
        quadratic.add_cross(i, j, cross[i * p + j]);
      }
    }
    double worst = 0;
    for (std::size_t h = 0; h < std::size_t{1} << p; ++h) {
      double value = 0;
      for (std::size_t i = 0; i < p; ++i) {
        if ((h >> i & 1) == 0) continue;
        value += gain[i];
        for (std::size_t j = 0; j < i; ++j)
          value -= (h >> j & 1) != 0 ? cross[i * p + j] : 0;
      }
      worst = std::max(worst, value);
    }
    REQUIRE(quadratic.bound() >= worst);
  }
}

TEST_CASE("without crosses the quadratic bound is the sum of the gains") {
  PatternQuadratic quadratic(3);
  quadratic.add_gain(0, 2);
  quadratic.add_gain(1, -1);
  quadratic.add_gain(2, 0.5);
  CHECK(quadratic.bound() >= 2.5);
  CHECK(quadratic.bound() == Approx(2.5).scale(0).epsilon(1e-9));
}

TEST_CASE("too many variables for the proof of rounding get no quadratic bound") {
  CHECK(PatternQuadratic(PatternQuadratic::most_variables + 1).bound() == HUGE_VAL);
}

TEST_CASE("some pairs, all patterns: no bound is below the truth, the quadratic one is close") {
  Uniform uniform{5};
  for (double share : {0.1, 0.3, 0.5, 0.8, 1.0}) {
    for (double least : {0.05, 0.6, 1.0}) {
      for (int round = 0; round < 6; ++round) {
        const std::size_t p = 3 + uniform.below(10);
        const Schema schema = random_schema(p, uniform);
        const Batch batch = random_batch(p, share, least, uniform);
        if (batch.empty()) continue;
        const double truth = worst_of_all_patterns(schema, batch);
        REQUIRE(worst_pattern_by_quadratic(schema, batch) >= truth);
        CHECK(worst_pattern_by_quadratic(schema, batch) <= 1.2 * truth);
        REQUIRE(batch_l2_squared(schema, batch) >= truth);
      }
    }
  }
}

TEST_CASE("more pairs than elimination can hold together: within a few per cent of the truth") {
  Uniform uniform{3};
  for (double share : {0.45, 0.6, 0.8, 0.95}) {
    const Schema schema = random_schema(18, uniform);
    for (double least : {0.3, 1.0}) {
      const Batch batch = random_batch(18, share, least, uniform);
      const double truth = worst_of_all_patterns(schema, batch);
      REQUIRE(batch_l2_squared(schema, batch) >= truth);
      CHECK(batch_l2_squared(schema, batch) <= 1.06 * truth);
    }
  }
}

TEST_CASE("pairs that weigh more than one are paid for in full") {
  Uniform uniform{8};
  const Schema schema = random_schema(16, uniform);
  Batch batch = random_batch(16, 0.7, 0.2, uniform);
  const double light = worst_of_all_patterns(schema, batch);
  for (BatchItem& item : batch)
    item.weight *= 7;
  const double heavy = batch_l2_squared(schema, batch);
  CHECK(heavy >= 7 * light * (1 - 1e-12));
  CHECK(heavy <= 1.06 * 7 * light);
}

TEST_CASE("the quadratic bound is for pairs and singles") {
  Uniform uniform{2};
  const Schema schema = random_schema(3, uniform);
  CHECK_THROWS_AS(worst_pattern_by_quadratic(schema, {{VariableSet{0, 1, 2}, 1}}),
                  std::invalid_argument);
}
