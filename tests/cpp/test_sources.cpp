// Announce, then pull: a source that counts only what was announced, as a data base would, gives
// the same fits as one that counts what it is asked for; and what needs rows is refused by type.
#include <catch.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "peek.h"
#include "priced.h"
#include "privpc/counts/fetched_tables.hpp"
#include "privpc/learners/exact_pc.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/learners/paper_learners.hpp"
#include "privpc/learners/private_test.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

// Has no rows to show. Tables are read off what was announced: asking for anything else is an
// error, and so is announcing from a thread that is not the learner's.
class BatchSource : public TableSource {
 public:
  explicit BatchSource(const Records& records)
      : counter_(records.schema(), records.inputs(), MemoryOptions{}) {}

  const Schema& schema() const override { return counter_.schema(); }
  bool counts_in_batches() const override { return true; }

  void announce(const Announcement& announcement) override {
    REQUIRE(std::this_thread::get_id() == home_);
    std::size_t size = 0;
    announcement.name_sets([&](const VariableSet& set) {
      announced_.emplace_back(set.begin(), set.end());
      ++size;
    });
    batches.push_back(size);
  }

  SealedTable table(const VariableSet& set) override {
    check(set);
    return counter_.table(set);
  }
  Sealed<double> sum_n_log_n(const VariableSet& set) override {
    check(set);
    return counter_.sum_n_log_n(set);
  }

  std::vector<std::size_t> batches;  // sets of each announcement

 private:
  // A part of an announced set can be summed down.
  void check(const VariableSet& set) const {
    const bool covered =
        std::any_of(announced_.begin(), announced_.end(), [&](const auto& members) {
          return std::includes(members.begin(), members.end(), set.begin(), set.end());
        });
    if (!covered) throw std::logic_error("a table was asked for that nobody had announced");
  }

  MemoryTables counter_;
  std::vector<std::vector<VariableSet::Id>> announced_;
  std::thread::id home_ = std::this_thread::get_id();
};

// An engine that holds the records and answers with counts of cells.
class EngineSource : public FetchedTables {
 public:
  explicit EngineSource(const Records& records, std::size_t memory_cap = std::size_t{64} << 20)
      : FetchedTables(records.schema(), memory_cap, 3), records_(records) {}

  std::vector<std::size_t> batches;  // tables of each stage
  std::vector<VariableSet> asked;    // all of them
  std::size_t lost = 0;              // rows that are gone from the second stage on
  bool odd_cell = false;             // the engine finds a cell that the table does not have
  bool boundless = false;            // the engine says the largest number there is, twice

 protected:
  void count(const std::vector<VariableSet>& sets, Arrivals& arrivals) override {
    REQUIRE(std::this_thread::get_id() == home_);
    batches.push_back(sets.size());
    REQUIRE(stage() == batches.size());
    asked.insert(asked.end(), sets.begin(), sets.end());
    const std::size_t rows = records_.rows() - (batches.size() > 1 ? lost : 0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::map<std::uint64_t, Count> cells;
      for (std::size_t i = 0; i < rows; ++i) {
        std::uint64_t cell = 0;
        for (auto v : sets[s])
          cell = cell * schema().levels(v) + static_cast<std::uint64_t>(records_.codes[v][i] - 1);
        ++cells[cell];
      }
      // Not in order, and one of them in two parts.
      for (auto it = cells.rbegin(); it != cells.rend(); ++it) {
        if (it == cells.rbegin()) {
          arrivals.add(s, it->first, it->second - 1);
          arrivals.add(s, it->first, 1);
        } else {
          arrivals.add(s, it->first, it->second);
        }
      }
      if (boundless) {
        for (int twice = 0; twice < 2; ++twice)
          arrivals.add(s, 0, std::numeric_limits<Count>::max());
      }
      if (odd_cell) arrivals.add(s, static_cast<std::uint64_t>(cell_count(schema(), sets[s])), 0);
    }
  }

 private:
  Records records_;
  std::thread::id home_ = std::this_thread::get_id();
};

// A chain with some noise, so that all orders have something to do.
Records chained(std::size_t variables, std::size_t n, std::uint64_t seed) {
  RandomBits bits = RandomBits::from_seed(seed);
  Records r = random_records(std::vector<std::uint32_t>(variables, 3), n, bits);
  for (std::size_t v = 1; v < variables; ++v) {
    for (std::size_t i = 0; i < n; ++i) {
      if (bits.below(10) < 7) r.codes[v][i] = r.codes[v - 1][i];
    }
  }
  return r;
}

void check_same(const Fit& a, const Fit& b) {
  REQUIRE(a.graph == b.graph);
  REQUIRE(a.tests == b.tests);
  REQUIRE(a.separations.size() == b.separations.size());
  for (std::size_t i = 0; i < a.separations.size(); ++i) {
    REQUIRE(a.separations[i].x == b.separations[i].x);
    REQUIRE(a.separations[i].y == b.separations[i].y);
    REQUIRE(a.separations[i].given == b.separations[i].given);
    REQUIRE(a.separations[i].support == b.separations[i].support);
  }
  REQUIRE(a.ledger.size() == b.ledger.size());
  for (std::size_t i = 0; i < a.ledger.size(); ++i)
    REQUIRE(a.ledger[i].amount == b.ledger[i].amount);
  REQUIRE(a.tables.has_value() == b.tables.has_value());
  if (!a.tables) return;
  REQUIRE(a.tables->entries().size() == b.tables->entries().size());
  for (std::size_t i = 0; i < a.tables->entries().size(); ++i)
    REQUIRE(a.tables->entries()[i].second.values == b.tables->entries()[i].second.values);
}

// The same learner on a source that counts when asked, and on one that counts announced batches.
template <class Learn>
std::vector<std::size_t> check_both(const Records& records, const Learn& learn) {
  MemoryTables memory(records.schema(), records.inputs(), MemoryOptions{});
  BatchSource batches(records);
  const Fit expected = learn(memory);
  check_same(expected, learn(batches));
  REQUIRE(!batches.batches.empty());
  EngineSource engine(records);
  check_same(expected, learn(engine));
  REQUIRE(!engine.batches.empty());
  REQUIRE(engine.batches.size() <= batches.batches.size());
  return batches.batches;
}

}  // namespace

TEST_CASE("every learner announces what it asks for, and finds the same on any source") {
  const Records records = chained(6, 3000, 1);
  const Knowledge none(6);
  for (TestKind kind :
       {TestKind::g2, TestKind::chisq, TestKind::tau, TestKind::rho, TestKind::cmh}) {
    for (unsigned threads : {1u, 3u}) {
      const auto batches = check_both(records, [&](TableSource& source) {
        ExactSettings settings;
        settings.test = kind;
        settings.threads = threads;
        return exact_pc(source, settings, none).fit;
      });
      // One announcement per order: at order 0 all pairs.
      REQUIRE(batches.size() >= 2);
      REQUIRE(batches[0] == 15);
      // And further ones for colliders.
      std::uint64_t asked = 0;
      const auto more = check_both(records, [&](TableSource& source) {
        ExactSettings settings;
        settings.test = kind;
        settings.threads = threads;
        settings.colliders = ColliderRule::largest_p;
        settings.counted = DegreesOfFreedom::occurring;
        const ExactFit found = exact_pc(source, settings, none);
        asked = found.collider_tests;
        return found.fit;
      });
      REQUIRE(asked > 0);
      REQUIRE(more.size() > batches.size());
    }
  }
  for (const PaperLearner& learner : kPaperLearners) {
    for (TestKind kind : {TestKind::tau, TestKind::rho}) {
      INFO(learner.name);
      check_both(records, [&](TableSource& source) {
        PaperSettings settings;
        settings.rule.kind = kind;
        settings.search.threads = 2;
        Ledger ledger(Rho(3));
        RandomBits bits = RandomBits::from_seed(7);
        return learner.learn(source, settings, none, ledger, bits, nullptr);
      });
    }
  }
  const auto stages = check_both(records, [&](TableSource& source) {
    MarginalSettings settings;
    settings.rho = Rho(1);
    settings.parameter_share = 0.2;
    Ledger ledger(settings.rho);
    RandomBits bits = RandomBits::from_seed(7);
    return marginal_pc(source, settings, none, ledger, bits);
  });
  REQUIRE(stages.size() == 4);   // three stages and the families
  REQUIRE(stages[0] == 6 + 15);  // singles and pairs
}

TEST_CASE("learners that may stop at any question announce in portions of pairs") {
  // 20 levels each: a table of four variables has 160,000 cells, so that an order of many questions
  // is announced piece by piece.
  RandomBits bits = RandomBits::from_seed(3);
  Records records = random_records(std::vector<std::uint32_t>(6, 20), 2000, bits);
  for (std::size_t v = 1; v < 6; ++v)
    records.codes[v] = records.codes[0];  // nothing separates them
  const auto batches = check_both(records, [&](TableSource& source) {
    PaperSettings settings;
    settings.search.max_order = 1;
    Ledger ledger(Rho(0.5));
    RandomBits noise = RandomBits::from_seed(5);
    return svt_pc(source, settings, Knowledge(6), ledger, noise, nullptr);
  });
  // 15 pairs with 4 sets each and 8,000 cells a set: 32,000 (with the sets of both ends up to
  // 64,000) cells a pair, about a million a portion.
  REQUIRE(batches.size() >= 2);
  std::size_t order1 = 0;
  for (std::size_t i = 1; i < batches.size(); ++i)
    order1 += batches[i];
  REQUIRE(order1 == 15 * 4);
}

TEST_CASE("what needs rows is refused by type, before anything is paid") {
  Records records = chained(4, 500, 2);
  BatchSource source(records);
  Ledger ledger(Rho(1));
  RandomBits bits = RandomBits::from_seed(1);
  PaperSettings by_votes;
  by_votes.rule.kind = TestKind::g2;
  by_votes.blocks = 10;
  REQUIRE_THROWS_AS(priv_pc(source, by_votes, Knowledge(4), ledger, bits, nullptr), NeedsRows);
  PaperSettings sampled;
  sampled.sample = 100;
  REQUIRE_THROWS_AS(sg_pc(source, sampled, Knowledge(4), ledger, bits, nullptr), NeedsRows);
  REQUIRE(ledger.size() == 0);
  records.variables[0].numeric = true;
  records.values[0].assign(500, 1.0);
  BatchSource with_numbers(records);
  REQUIRE_THROWS_AS(NotPrivateTest::of(with_numbers, TestKind::tau, 0, 1, {}), NeedsRows);
}

TEST_CASE("an engine is asked for few tables, and never twice for the same") {
  // 3^6 = 729 cells: one table answers everything.
  const Records records = chained(6, 3000, 1);
  EngineSource engine(records);
  const auto announce = [](TableSource& source, const std::vector<VariableSet>& sets) {
    source.announce({[&](const Announcement::Visit& visit) {
      for (const VariableSet& set : sets)
        visit(set);
    }});
  };
  announce(engine, {{0, 1}, {2, 3}});
  announce(engine, {{0, 1, 2, 3}, {4, 5}, {}});
  REQUIRE(engine.batches == std::vector<std::size_t>{1});
  // Covers of at most 16,384 cells, however many records there are: that may be a secret.
  const Records few = chained(12, 200, 2);
  EngineSource small(few);
  std::vector<VariableSet> pairs;
  for (std::size_t y = 1; y < 12; ++y) {
    for (std::size_t x = 0; x < y; ++x)
      pairs.push_back({x, y});
  }
  announce(small, pairs);
  REQUIRE(small.batches.size() == 1);
  REQUIRE(small.batches[0] < 10);  // of 66 pairs; each cover has at most 28
  for (const VariableSet& set : small.asked)
    REQUIRE(cell_count(small.schema(), set) <= 16384);
  const Records more = chained(12, 900, 3);
  EngineSource many(more);
  announce(many, pairs);
  REQUIRE(many.asked == small.asked);
  MemoryTables memory(few.schema(), few.inputs(), MemoryOptions{});
  for (const VariableSet& pair : pairs) {
    REQUIRE(peek(small.table(pair))->counts == peek(memory.table(pair))->counts);
    REQUIRE(peek(small.sum_n_log_n(pair)) == peek(memory.sum_n_log_n(pair)));
  }
  REQUIRE(small.batches.size() == 1);
  // A set that is larger than that is asked for as it is.
  const VariableSet large{0, 1, 2, 3, 4, 5, 6, 7, 8};
  announce(small, {large});
  REQUIRE(small.asked.back() == large);
}

TEST_CASE("tables with more cells than can be written out are counted by their filled cells") {
  RandomBits bits = RandomBits::from_seed(4);
  Records records = random_records(std::vector<std::uint32_t>(4, 40), 700, bits);
  for (std::size_t i = 0; i < 700; ++i)
    records.codes[1][i] = (records.codes[0][i] + records.codes[2][i] / 8) % 40 + 1;
  MemoryTables memory(records.schema(), records.inputs(), MemoryOptions{});
  EngineSource engine(records);
  const VariableSet all{0, 1, 2, 3};
  REQUIRE_FALSE(has_dense_table(memory.schema(), all));
  for (const VariableSet& set : {all, VariableSet{0, 1}, VariableSet{1, 2, 3}})
    REQUIRE(peek(engine.sum_n_log_n(set)) == peek(memory.sum_n_log_n(set)));
  for (TestKind kind :
       {TestKind::g2, TestKind::chisq, TestKind::tau, TestKind::rho, TestKind::cmh}) {
    const TestResult a = NotPrivateTest::of(memory, kind, 3, 1, {0, 2});
    const TestResult b = NotPrivateTest::of(engine, kind, 3, 1, {0, 2});
    REQUIRE(a.statistic == b.statistic);
    REQUIRE(a.p_value == b.p_value);
  }
  REQUIRE(engine.batches.size() == 1);
}

TEST_CASE("what was dropped for want of memory is counted again, on the learner's thread") {
  // 3^10 cells are too many for one table.
  const Records records = chained(10, 100, 3);
  EngineSource engine(records, 4000);
  MemoryTables memory(records.schema(), records.inputs(), MemoryOptions{});
  for (int round = 0; round < 2; ++round) {
    for (std::size_t y = 1; y < 10; ++y) {
      for (std::size_t x = 0; x < y; ++x)
        REQUIRE(peek(engine.table({x, y}))->counts == peek(memory.table({x, y}))->counts);
    }
  }
  REQUIRE(engine.batches.size() > 45);
  EngineSource fresh(records);
  bool refused = false;
  std::thread other([&] {
    try {
      fresh.table({0, 1});
    } catch (const std::logic_error&) {
      refused = true;
    }
  });
  other.join();
  REQUIRE(refused);
}

TEST_CASE("counts that do not add up to the records are an error, in every stage") {
  const Records records = chained(10, 1000, 3);
  EngineSource engine(records);
  engine.table({0, 1});
  engine.lost = 1;
  REQUIRE_THROWS_AS(engine.table({6, 7}), ChangedData);
  // And a table that failed is not there afterwards.
  engine.lost = 0;
  MemoryTables memory(records.schema(), records.inputs(), MemoryOptions{});
  REQUIRE(peek(engine.table({6, 7}))->counts == peek(memory.table({6, 7}))->counts);
  EngineSource odd(records);
  odd.odd_cell = true;
  REQUIRE_THROWS_AS(odd.table({0, 1}), ChangedData);
  EngineSource boundless(records);
  boundless.boundless = true;
  REQUIRE_THROWS_AS(boundless.table({0, 1}), ChangedData);
  // More cells than numbers can tell apart.
  RandomBits bits = RandomBits::from_seed(1);
  EngineSource wide(random_records(std::vector<std::uint32_t>(5, 60000), 20, bits));
  REQUIRE_THROWS_AS(wide.sum_n_log_n({0, 1, 2, 3}), NeedsRows);
}

TEST_CASE("whether a set has a table follows from public facts alone") {
  const auto schema = [](std::uint64_t rows) {
    return Schema({{"a", 300, false, false}, {"b", 300, false, false}, {"c", 0, false, true}},
                  rows);
  };
  REQUIRE(has_dense_table(schema(10), {0}));
  REQUIRE_FALSE(has_dense_table(schema(10), {0, 1}));       // 90,000 cells, limit 65,536
  REQUIRE(has_dense_table(schema(30000), {0, 1}));          // limit 120,000
  REQUIRE_FALSE(has_dense_table(schema(2000000000), {2}));  // a number without bins
}
