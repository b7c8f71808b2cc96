// What a mechanism is handed: margins on a sub-sample are those of its rows, and values beyond
// declared bounds count as the bounds.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "look_inside.h"
#include "priced.h"
#include "privpc/statistic/margin_source.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

Records rows_of(const Records& all, const RowMask& mask) {
  Records out = all;
  for (std::size_t v = 0; v < all.codes.size(); ++v) {
    out.codes[v].clear();
    mask.for_each([&](std::uint64_t row) { out.codes[v].push_back(all.codes[v][row]); });
  }
  return out;
}

}  // namespace

TEST_CASE("margins on a sub-sample are the margins of its rows alone") {
  RandomBits bits = RandomBits::from_seed(8);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Records all = random_records({2, 3, 4, 2}, 400, bits);
    const RowMask mask = RowMask::sample(400, 60, [&](std::uint64_t k) { return bits.below(k); });
    const Records some = rows_of(all, mask);
    REQUIRE(some.rows() == 60);
    for (TestKind kind : {TestKind::tau, TestKind::rho}) {
      MarginRule rule;
      rule.kind = kind;
      MemoryTables tables(all.schema(), all.inputs(), MemoryOptions{});
      MemoryTables only(some.schema(), some.inputs(), MemoryOptions{});
      OrderMargins margins(tables, rule), expected(only, rule);
      margins.expect_noise(3);
      expected.expect_noise(3);
      const auto sampled = margins.on_sample(mask);
      bool differs = false;
      for (const VariableSet& given : {VariableSet{}, VariableSet{2}, VariableSet{2, 3}}) {
        const double value = look_inside(sampled->margin(0, 1, given));
        // For rho without a condition the sensitivity, by which the margin is divided, is that of
        // the schema's rows: 6 n/(n + 1).
        const double tolerance = kind == TestKind::rho && given.size() == 0 ? 0.05 : 1e-4;
        REQUIRE(value == Approx(look_inside(expected.margin(0, 1, given))).margin(tolerance));
        differs = differs || std::fabs(value - look_inside(margins.margin(0, 1, given))) > 0.2;
      }
      REQUIRE(differs);  // all rows would have given something else
    }
  }
}

TEST_CASE("the median of values beyond their bounds is that of the bounds") {
  for (AdmissibleNoise noise : {AdmissibleNoise::laplace, AdmissibleNoise::gaussian}) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const auto release = [&](std::vector<double> values) {
        Ledger ledger = ledger_of(Accounting::pure, 1, 0.01);
        RandomBits bits = RandomBits::from_seed(seed);
        return smooth_median(0.9, 1e-3, noise)
            .release(Sensitive<std::vector<double>>(std::move(values), 1), ledger, bits, "");
      };
      const double inside = release({0, 0, 0.3, 0.6, 1, 1, 1});
      REQUIRE(release({-1e300, -5, 0.3, 0.6, 2, 1e9, HUGE_VAL}) == inside);
      REQUIRE(inside >= 0);
      REQUIRE(inside <= 1);
    }
  }
}
