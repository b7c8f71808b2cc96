// Whether there are enough rows to see a strong dependence, from public facts.
#include <catch.h>

#include <cmath>
#include <vector>

#include "privpc/learners/enough_rows.hpp"
#include "privpc/learners/paper_learners.hpp"
#include "privpc/learners/visible_effects.hpp"

using namespace privpc;

namespace {

Schema schema_of(const std::vector<std::uint32_t>& levels, std::uint64_t rows) {
  std::vector<Variable> variables;
  for (std::uint32_t k : levels)
    variables.push_back({"", k, false, k == 0});
  return Schema(variables, rows);
}

// The fewest rows for which `enough` says yes.
template <class Enough>
std::uint64_t fewest(const Enough& enough) {
  std::uint64_t low = 1, high = 2;
  while (!enough(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

TEST_CASE("the rule for measuring knows the noise of the first stage") {
  const double alpha = 0.05;
  const Rho rho(0.01);
  const std::vector<std::uint32_t> levels{2, 3, 2, 4, 2};
  // All pairs and singles, as the plan would measure them, for its share of the budget.
  Batch batch;
  for (std::size_t x = 0; x < levels.size(); ++x) {
    batch.push_back({VariableSet{x}, StageSettings().single_weight});
    for (std::size_t y = x + 1; y < levels.size(); ++y)
      batch.push_back({VariableSet{x, y}, 1});
  }
  const double noise = batch_noise(schema_of(levels, 1), batch, rho * StageSettings().pairs_share);
  // Of ten pairs three have four cells and three have six: half of them are seen when the latter
  // are. The statistic passes the quantile of alpha over ten pairs.
  const double critical = chi_square_critical(alpha / 10, 2);
  const auto rows =
      fewest([&](std::uint64_t n) { return enough_to_measure(schema_of(levels, n), rho, alpha); });
  const auto statistic = [&](double n) { return 2 + n * n / 4 / (n + 6 * noise); };
  CHECK(statistic(static_cast<double>(rows) * 1.001) >= critical);
  CHECK(statistic(static_cast<double>(rows) * 0.999 - 1) < critical);
  // More budget, fewer rows; a variable with one level does not matter.
  CHECK(enough_to_measure(schema_of(levels, rows * 9 / 10), Rho(0.02), alpha));
  CHECK(enough_to_measure(schema_of({2, 3, 2, 4, 2, 1}, rows), rho, alpha));
  CHECK_FALSE(enough_to_measure(schema_of({2, 3, 2, 4, 2, 1}, rows - 1), rho, alpha));
  CHECK(enough_to_measure(schema_of({2, 1}, 1), rho, alpha));
  // Two variables with few levels among many with more do not stand for all.
  std::vector<std::uint32_t> many(50, 12);
  many[0] = many[1] = 2;
  const auto needed = [&](const std::vector<std::uint32_t>& shape) {
    return fewest(
        [&](std::uint64_t n) { return enough_to_measure(schema_of(shape, n), rho, alpha); });
  };
  CHECK(needed(many) > 3 * needed(std::vector<std::uint32_t>(50, 2)));
  CHECK(needed(many) <= needed(std::vector<std::uint32_t>(50, 12)));
}

TEST_CASE("the rule for margins takes off what chance explains") {
  for (double noise : {5.0, 50.0}) {
    // n/8 - 3 sqrt(n)/4 > noise, and n/12 - 3 sqrt(n)/6 > noise, solved by hand.
    const double root2 = 3 + std::sqrt(9 + 8 * noise), root3 = 3 + std::sqrt(9 + 12 * noise);
    const auto two = fewest([&](std::uint64_t n) {
      return enough_for_order_margins(schema_of({2, 2}, n), 3, noise);
    });
    const auto more = fewest([&](std::uint64_t n) {
      return enough_for_order_margins(schema_of({2, 0}, n), 3, noise);
    });
    CHECK(static_cast<double>(two) == Approx(root2 * root2).margin(1.5));
    CHECK(static_cast<double>(more) == Approx(root3 * root3).margin(1.5));
  }
}

TEST_CASE("blocks are enough where all of them voting against would be seen") {
  // 0.45 B - 3 sqrt(B)/2 > noise.
  for (double noise : {2.0, 20.0}) {
    const auto blocks =
        fewest([&](std::uint64_t b) { return enough_for_votes(static_cast<double>(b), 3, noise); });
    const double root = (1.5 + std::sqrt(2.25 + 1.8 * noise)) / 0.9;
    CHECK(static_cast<double>(blocks) == Approx(root * root).margin(1.5));
  }
}

TEST_CASE("as many blocks vote as the noise asks for, of a hundred rows at least") {
  const Price cap = Epsilon(1);
  const double noise = first_round(6, 1000000, 0, cap).noise;
  CHECK(12 * noise > 20);
  CHECK(vote_blocks(6, 1000000, cap) == std::ceil(12 * noise));
  CHECK(vote_blocks(6, 5000, cap) == 50);
  CHECK(vote_blocks(6, 100, cap) == 2);
  // With next to no noise, twenty.
  CHECK(vote_blocks(2, 1000000, Epsilon(1000)) == 20);
}

TEST_CASE("the tail of a non-central chi-square") {
  // R: pchisq(c, df, ncp, lower.tail = FALSE).
  CHECK(noncentral_chi_square_upper(3.841459, 1, 0) == Approx(0.05).epsilon(1e-6));
  CHECK(noncentral_chi_square_upper(10, 1, 16) == Approx(0.7989067).epsilon(1e-6));
  CHECK(noncentral_chi_square_upper(25, 4, 30) == Approx(0.7780324).epsilon(1e-6));
  CHECK(noncentral_chi_square_upper(200, 99, 150) == Approx(0.9648862).epsilon(1e-6));
  // A single degree of freedom is a shifted normal number: 0.8 at 2.80 standard deviations for
  // 0.05.
  CHECK(std::sqrt(noncentrality_for(0.05, 1, 0.8)) == Approx(2.801582).epsilon(1e-4));
  for (double df : {1.0, 6.0, 400.0, 9801.0}) {
    const double found = noncentrality_for(1e-5, df, 0.8);
    CHECK(noncentral_chi_square_upper(chi_square_critical(1e-5, df), df, found) ==
          Approx(0.8).epsilon(1e-4));
  }
}

TEST_CASE("the smallest visible effect is that of the plan that is run") {
  const double alpha = 0.05;
  const Rho rho(0.02);
  const std::vector<std::uint32_t> levels(8, 2);
  const VisibleEffects visible(schema_of(levels, 10000), alpha);
  const double needed = noncentrality_for(alpha / 28, 1, VisibleEffects::kPower);
  // Without noise the sampling alone is left.
  CHECK(visible.least(10000, Rho(1e6)) == Approx(std::sqrt(needed / 10000)).epsilon(1e-3));
  // With noise it is less than after the rounds, or the first step, alone.
  const double after_rounds = std::sqrt(needed / effective_rows(schema_of(levels, 10000), rho));
  CHECK(visible.least(10000, rho) < after_rounds);
  CHECK(visible.least(10000, rho) > 0.8 * after_rounds);
  // More rows, more budget, fewer variables and levels, and added records.
  CHECK(visible.least(20000, rho) < visible.least(10000, rho));
  CHECK(visible.least(10000, Rho(0.04)) < visible.least(10000, rho));
  const auto of = [&](std::size_t variables, std::uint32_t k) {
    const Schema schema = schema_of(std::vector<std::uint32_t>(variables, k), 10000);
    return VisibleEffects(schema, alpha).least(10000, rho);
  };
  CHECK(of(8, 2) == visible.least(10000, rho));
  CHECK(of(16, 2) > of(8, 2));
  CHECK(of(8, 4) > of(8, 2));
  const Schema added = schema_of(levels, 10000).for_added_and_removed(10000);
  CHECK(VisibleEffects(added, alpha).least(10000, rho) < visible.least(10000, rho));
  // A variable with one level does not matter; without a pair there is nothing to see.
  const VisibleEffects more(schema_of({2, 2, 2, 1, 2, 2, 2, 2, 2}, 10000), alpha);
  CHECK(more.least(10000, rho) == Approx(visible.least(10000, rho)));
  CHECK(VisibleEffects(schema_of({2, 1}, 10), alpha).least(10, rho) == 0);
}

TEST_CASE("the visible effect of a variable with many levels is larger") {
  std::vector<std::uint32_t> levels(20, 3);
  const Rho rho(0.1);
  const VisibleEffects even(schema_of(levels, 10000), 0.05);
  CHECK(even.least_with(3, 10000, rho) == Approx(even.least(10000, rho)));
  levels[7] = 60;
  const VisibleEffects one(schema_of(levels, 10000), 0.05);
  double before = one.least(10000, rho);
  CHECK(one.least_with(3, 10000, rho) == Approx(before));
  for (double k : {4, 10, 60}) {
    CHECK(one.least_with(k, 10000, rho) > before);
    before = one.least_with(k, 10000, rho);
  }
  CHECK(before > 3 * one.least(10000, rho));
  CHECK(VisibleEffects(schema_of({2, 1}, 10), 0.05).least_with(2, 10, rho) == 0);
}

TEST_CASE("rows and budget for an effect are those with which it is visible") {
  const VisibleEffects visible(schema_of({2, 3, 2, 4, 2, 2}, 1000), 0.05);
  for (double effect : {0.05, 0.3}) {
    const double rows = visible.rows_for(effect, Rho(0.02));
    CHECK(visible.least(rows, Rho(0.02)) == Approx(effect).epsilon(1e-6));
    const double rho = visible.rho_for(effect, 20000);
    CHECK(visible.least(20000, Rho(rho)) == Approx(effect).epsilon(1e-6));
  }
  // With so few rows no budget is enough.
  CHECK(std::isinf(visible.rho_for(0.05, 1000)));
}
