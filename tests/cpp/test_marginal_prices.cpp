// The noise of measured batches against what was paid for them. The sensitivity is worked out from
// the tables of single records: every pair of records that a schema allows is tried.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "distribution_checks.h"
#include "peek.h"
#include "priced.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/family_tables.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

// The interaction part of the table of a record: the product over the set of (1 - 1/k) in its own
// level and -1/k in the others. Full tables instead of contrasts: the same lengths, another way.
std::vector<double> interaction_of_record(const Schema& schema, const VariableSet& set,
                                          const std::vector<std::uint32_t>& record) {
  std::vector<double> cells{1};
  for (auto v : set) {
    std::vector<double> next;
    const std::uint32_t k = schema.levels(v);
    for (double cell : cells) {
      for (std::uint32_t level = 0; level < k; ++level)
        next.push_back(cell * ((level == record[v] ? 1.0 : 0.0) - 1.0 / k));
    }
    cells = std::move(next);
  }
  return cells;
}

struct Weighted {
  VariableSet set;
  double weight;
};

// The largest sum of weight * |change|^2 over all pairs of records.
double worst_change(const Schema& schema, const std::vector<Weighted>& sets) {
  std::vector<std::vector<std::uint32_t>> records{{}};
  for (std::size_t v = 0; v < schema.size(); ++v) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const auto& record : records) {
      for (std::uint32_t level = 0; level < schema.levels(v); ++level) {
        longer.push_back(record);
        longer.back().push_back(level);
      }
    }
    records = std::move(longer);
  }
  double worst = 0;
  for (const auto& a : records) {
    for (const auto& b : records) {
      double sum = 0;
      for (const Weighted& item : sets) {
        const auto x = interaction_of_record(schema, item.set, a);
        const auto y = interaction_of_record(schema, item.set, b);
        for (std::size_t i = 0; i < x.size(); ++i)
          sum += item.weight * (x[i] - y[i]) * (x[i] - y[i]);
      }
      worst = std::max(worst, sum);
    }
  }
  return worst;
}

// What releasing these numbers costs: the largest |change|^2 / (2 variance), in counts. Averages of
// several measurements cost what the measurements did: they tell no less and no more.
double rho_of(const Measurements& store) {
  std::vector<Weighted> sets;
  const double square = store.rows() * store.rows();
  for (const auto& [set, measured] : store.entries())
    sets.push_back({set, 1 / (2 * measured.variance * square)});
  return worst_change(store.schema(), sets);
}

const std::vector<std::vector<std::uint32_t>> level_sets{{2, 2},    {3, 4},       {2, 2, 2},
                                                         {2, 3, 4}, {5, 2, 1, 3}, {2, 2, 2, 2, 3}};

}  // namespace

TEST_CASE("a batch has the noise of its price, for the worst pair of records there can be") {
  RandomBits fixed = RandomBits::from_seed(2);
  for (const auto& levels : level_sets) {
    const Records records = random_records(levels, 200, fixed);
    MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
    for (double single_weight : {0.5, 1.0, 1.5}) {
      for (std::size_t largest : {1u, 2u, 3u}) {
        Batch batch;
        std::vector<Weighted> weighted;
        for (std::size_t mask = 1; mask < std::size_t{1} << levels.size(); ++mask) {
          VariableSet set;
          bool varies = true;
          for (std::size_t v = 0; v < levels.size(); ++v) {
            if ((mask >> v & 1) == 0) continue;
            set.insert(v);
            varies = varies && levels[v] > 1;
          }
          if (!varies || set.size() > largest) continue;
          batch.push_back({set, set.size() == 1 ? single_weight : 1});
          weighted.push_back({set, batch.back().weight});
        }
        const double squared = worst_change(records.schema(), weighted);
        for (double rho : {1e-4, 0.02, 0.7}) {
          Ledger ledger = ledger_of(Accounting::zcdp, rho);
          RandomBits bits = RandomBits::from_seed(3);
          Measurements store(records.schema());
          measure_batch(tables, batch, Rho(rho), ledger, bits, "all", store);
          REQUIRE(ledger.size() == 1);
          REQUIRE(store.entries().size() == batch.size());
          for (std::size_t i = 0; i < batch.size(); ++i) {
            const double variance = store.entries()[i].second.variance * 200 * 200;
            const double least = squared / (2 * rho) / batch[i].weight;
            REQUIRE(variance >= least);
            REQUIRE(variance <= least * (1 + 1e-5));
          }
          const double rho_used = rho_of(store);
          REQUIRE(rho_used <= amount_of(ledger.entries()[0]));
          REQUIRE(rho_used >= amount_of(ledger.entries()[0]) * (1 - 1e-5));
        }
      }
    }
  }
}

TEST_CASE("all that is measured in the stages of a fit costs no more than what was debited") {
  RandomBits fixed = RandomBits::from_seed(4);
  for (const auto& levels : level_sets) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Records records = random_records(levels, 500, fixed);
      const Knowledge none(static_cast<int>(levels.size()));
      for (double rho : {0.01, 0.5, 20.0}) {
        MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
        Ledger ledger = ledger_of(Accounting::zcdp, rho);
        RandomBits bits = RandomBits::from_seed(seed);
        StagedChooser stages(tables.schema(), none, NoisyRules{}, Rho(rho));
        const Measurements store = measure_all(tables, stages, ledger, bits, 1);
        double paid = 0;
        for (const Ledger::Entry& entry : ledger.entries()) {
          REQUIRE(entry.mechanism == "gaussian");
          paid += amount_of(entry);
        }
        REQUIRE(paid <= rho);
        REQUIRE(ledger.entries()[0].target == "all pairs");
        REQUIRE(amount_of(ledger.entries()[0]) == Approx(rho / 2).scale(0).epsilon(1e-9));
        const double used = rho_of(store);
        INFO(levels.size() << " variables, rho " << rho << ", used " << used << ", paid " << paid);
        REQUIRE(used <= paid);
        REQUIRE(used >= 0.9 * paid);  // the stages' worst pairs of records need not be the same
      }
    }
  }
}

TEST_CASE("measured numbers scatter as much as they are said to, in sum and set by set") {
  RandomBits fixed = RandomBits::from_seed(5);
  const Records records = random_records({3, 4, 2}, 300, fixed);
  MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
  const Batch batch{{VariableSet{0}, 1.5},
                    {VariableSet{1}, 1},
                    {VariableSet{0, 1}, 1},
                    {VariableSet{1, 2}, 0.4},
                    {VariableSet{0, 1, 2}, 1}};
  std::vector<double> squares(batch.size(), 0);
  RandomBits bits = RandomBits::from_seed(6);
  const int runs = 3000;
  std::vector<std::size_t> size;
  for (int r = 0; r < runs; ++r) {
    Ledger ledger = ledger_of(Accounting::zcdp, 0.05);
    Measurements store(records.schema());
    measure_batch(tables, batch, Rho(0.05), ledger, bits, "", store);
    for (std::size_t b = 0; b < batch.size(); ++b) {
      const auto table = table_of(tables, batch[b].set);
      const std::vector<std::int64_t> exact = interaction_contrasts(*table);
      const std::vector<double> lengths = contrast_lengths(table->levels);
      const Measured& measured = *store.find(batch[b].set);
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const double noise = measured.values[i] - static_cast<double>(exact[i]) / lengths[i] / 300;
        squares[b] += noise * noise / measured.variance;
      }
      if (r == 0) size.push_back(exact.size());
    }
  }
  double all = 0, degrees = 0;
  const auto z = [](double sum, double df) { return (sum - df) / std::sqrt(2 * df); };
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const double df = static_cast<double>(runs * size[b]);
    INFO("set " << b << ", mean square " << squares[b] / df);
    CHECK(normal_two_sided(z(squares[b], df)) > kLevel);
    // A tenth less noise would have been seen.
    CHECK(normal_two_sided(z(0.81 * squares[b], df)) < kLevel);
    all += squares[b];
    degrees += df;
  }
  CHECK(normal_two_sided(z(all, degrees)) > kLevel);
}
