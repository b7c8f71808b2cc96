// Learners and tests on the largest number of rows that a schema accepts, 2^31 - 1, and with the
// largest unit that a person's records are counted in: from a source that makes its tables up, so
// that no record is in memory. `make sanitize` looks for overflows in what they compute.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "peek.h"
#include "privpc/learners/exact_pc.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/learners/paper_learners.hpp"
#include "privpc/learners/private_test.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/schema/person_weights.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

const std::vector<std::uint32_t> kLevels{2, 3, 4, 3};

// A chain, v0 - v1 - v2, and v3 by itself, as a table of all variables. `skew`: nearly everybody is
// in one cell.
class LargestSource : public TableSource {
 public:
  explicit LargestSource(bool skew, Count unit = 1) : unit_(unit) {
    std::vector<Variable> variables;
    for (std::uint32_t k : kLevels)
      variables.push_back({"", k, true, false});
    schema_ = Schema(variables, kMaxRows);
    joint_.variables = VariableSet{0, 1, 2, 3};
    joint_.levels = kLevels;
    std::vector<long double> weights;
    long double all = 0;
    for (std::uint32_t a = 0; a < 2; ++a) {
      for (std::uint32_t b = 0; b < 3; ++b) {
        for (std::uint32_t c = 0; c < 4; ++c) {
          for (std::uint32_t d = 0; d < 3; ++d) {
            const long double of_a = a == 0 ? (skew ? 1e4L : 1) : 1;
            const long double of_b = a * 2 == b ? 3 : 1, of_c = b == c ? 4 : 1;
            weights.push_back(of_a * of_b * of_c * (skew && d == 0 ? 1e4L : 1 + d));
            all += weights.back();
          }
        }
      }
    }
    const Count n = static_cast<Count>(kMaxRows) * unit;
    Count left = n;
    for (long double weight : weights) {
      joint_.counts.push_back(
          static_cast<Count>(std::floor(static_cast<long double>(n) * weight / all)));
      left -= joint_.counts.back();
    }
    joint_.counts[0] += left;
  }

  const Schema& schema() const override { return schema_; }
  Count unit() const override { return unit_; }
  void announce(const Announcement&) override {}
  SealedTable table(const VariableSet& set) override {
    return SealedTable(std::make_shared<const Table>(margin(set)));
  }
  Sealed<double> sum_n_log_n(const VariableSet& set) override {
    double sum = 0;
    for (Count count : margin(set).counts)
      sum += n_log_n(as_real(count));
    return Sealed<double>(sum);
  }

  Table margin(const VariableSet& set) const {
    Table out;
    out.variables = set;
    std::size_t cells = 1;
    for (auto v : set) {
      out.levels.push_back(kLevels[v]);
      cells *= kLevels[v];
    }
    out.counts.assign(cells, 0);
    for (std::size_t at = 0; at < joint_.counts.size(); ++at) {
      std::size_t cell = 0;
      for (auto v : set)
        cell = cell * kLevels[v] + at / joint_.stride(v) % kLevels[v];
      out.counts[cell] += joint_.counts[at];
    }
    return out;
  }

 private:
  Count unit_;
  Schema schema_;
  Table joint_;
};

bool has_edge(const Fit& fit, int x, int y) {
  return fit.graph.is_adjacent(x, y);
}

}  // namespace

TEST_CASE("statistics of 2^31 - 1 records are what long doubles say") {
  for (bool skew : {false, true}) {
    LargestSource source(skew);
    const Table pair = source.margin(VariableSet{0, 1});
    const Table a = source.margin(VariableSet{0}), b = source.margin(VariableSet{1});
    const long double n = kMaxRows;
    long double g2 = 0, chisq = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const long double seen = pair.counts[i * 3 + j];
        const long double expected =
            static_cast<long double>(a.counts[i]) * static_cast<long double>(b.counts[j]) / n;
        g2 += 2 * seen * std::log(seen / expected);
        chisq += (seen - expected) * (seen - expected) / expected;
      }
    }
    const auto test = [&](TestKind kind) {
      return NotPrivateTest::of(source, kind, 0, 1, {}).statistic;
    };
    CHECK(test(TestKind::g2) == Approx(static_cast<double>(g2)).epsilon(1e-5));
    CHECK(test(TestKind::chisq) == Approx(static_cast<double>(chisq)).epsilon(1e-9));
    for (TestKind kind : {TestKind::tau, TestKind::rho, TestKind::cmh}) {
      for (const VariableSet& given : {VariableSet{}, VariableSet{2}, VariableSet{2, 3}}) {
        const TestResult found = NotPrivateTest::of(source, kind, 0, 1, given);
        CHECK(std::isfinite(found.statistic));
        CHECK(found.p_value < 1e-6);
      }
    }
  }
}

TEST_CASE("all learners find the chain among 2^31 - 1 records") {
  const Knowledge none(4);
  for (bool skew : {false, true}) {
    for (TestKind kind :
         {TestKind::g2, TestKind::chisq, TestKind::tau, TestKind::rho, TestKind::cmh}) {
      LargestSource source(skew);
      ExactSettings settings;
      settings.test = kind;
      settings.colliders = ColliderRule::largest_p;
      settings.alpha = 1e-6;
      const Fit fit = exact_pc(source, settings, none).fit;
      CHECK(has_edge(fit, 0, 1));
      CHECK(has_edge(fit, 1, 2));
    }
    for (const PaperLearner& learner : kPaperLearners) {
      for (TestKind kind : {TestKind::tau, TestKind::rho}) {
        LargestSource source(skew);
        PaperSettings settings;
        settings.rule.kind = kind;
        Ledger ledger(Rho(3));
        RandomBits bits = RandomBits::from_seed(7);
        const Fit fit = learner.learn(source, settings, none, ledger, bits, nullptr);
        INFO(learner.name);
        CHECK(has_edge(fit, 0, 1));
      }
    }
  }
}

TEST_CASE("what is measured of the largest tables is what they hold, in the largest unit too") {
  const Knowledge none(4);
  for (Count unit : {Count{1}, static_cast<Count>(person_unit(10))}) {
    for (bool skew : {false, true}) {
      for (const Neighbours neighbours : {Neighbours::replace_one, Neighbours::add_remove}) {
        LargestSource source(skew, unit);
        MarginalSettings settings;
        settings.rho = Rho(1);
        settings.parameter_share = 0.3;
        settings.neighbours = neighbours;
        Ledger ledger(settings.rho);
        RandomBits bits = RandomBits::from_seed(3);
        const Fit fit = marginal_pc(source, settings, none, ledger, bits);
        // With nearly everybody in one cell the effect is a trifle (NoisyRules::least_effect).
        CHECK(has_edge(fit, 0, 1) == !skew);
        CHECK(has_edge(fit, 1, 2));
        CHECK(fit.tables->rows() == Approx(static_cast<double>(kMaxRows)).epsilon(1e-6));
        for (const VariableSet& set : {VariableSet{0, 1}, VariableSet{1, 2}}) {
          const Table table = source.margin(set);
          const std::vector<double> shares = reconstruct(*fit.tables, set).shares;
          for (std::size_t i = 0; i < shares.size(); ++i) {
            const double exact =
                as_real(table.counts[i]) / (as_real(unit) * static_cast<double>(kMaxRows));
            CHECK(std::fabs(shares[i] - exact) < 1e-6);
          }
        }
      }
    }
  }
}

TEST_CASE("single tests and pairs are scored without an overflow in the largest tables") {
  for (bool skew : {false, true}) {
    LargestSource source(skew);
    for (TestKind kind : {TestKind::tau, TestKind::rho}) {
      Ledger ledger(cap_of_order_test(Epsilon(1)));
      RandomBits bits = RandomBits::from_seed(3);
      const ReleasedOrderTest noisy =
          order_test(source, {kind, 0, 1, VariableSet{2}}, Epsilon(1), 0.1, ledger, bits);
      CHECK(std::fabs(noisy.statistic.value) < static_cast<double>(kMaxRows));
      CHECK(noisy.variance.value < 2.0 * static_cast<double>(kMaxRows));
    }
    for (Count unit : {Count{1}, static_cast<Count>(person_unit(10))}) {
      LargestSource weighed(skew, unit);
      const PairModel even = [](std::size_t x, std::size_t y) {
        const double cells = static_cast<double>(kLevels[x]) * kLevels[y];
        return std::vector<double>(static_cast<std::size_t>(cells), 1 / cells);
      };
      Ledger ledger(Rho(1));
      RandomBits bits = RandomBits::from_seed(3);
      const std::vector<NodePair> candidates{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
      CHECK(select_top(weighed, candidates, even, 2, Rho(0.9), ledger, bits, "").size() == 2);
    }
  }
}
