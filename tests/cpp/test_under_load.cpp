// Fits are the same for any number of threads and with or without the processor's wide
// instructions, also while other threads keep the processors busy, so that work is handed out in
// another order.
#include <catch.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "privpc/learners/exact_pc.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/learners/paper_learners.hpp"
#include "random_records.h"

using namespace privpc;
using namespace privpc_test;

namespace {

// Twice as many threads as processors that do nothing but take time.
class Load {
 public:
  Load() {
    const unsigned threads = 2 * std::max(1u, std::thread::hardware_concurrency());
    for (unsigned t = 0; t < threads; ++t) {
      burning_.emplace_back([this] {
        while (!done_)
          burnt_ = burnt_ + 1;
      });
    }
  }
  ~Load() {
    done_ = true;
    for (std::thread& thread : burning_)
      thread.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::atomic<std::uint64_t> burnt_{0};
  std::vector<std::thread> burning_;
};

// Each variable follows the one before and the one before that.
Records dependent_records(std::size_t variables, std::size_t n) {
  RandomBits bits = RandomBits::from_seed(11);
  Records r = random_records(std::vector<std::uint32_t>(variables, 3), n, bits);
  for (std::size_t v = 1; v < variables; ++v) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t of = bits.below(10);
      if (of < 5) r.codes[v][i] = r.codes[v - 1][i];
      if (of == 5 && v > 1) r.codes[v][i] = r.codes[v - 2][i];
    }
  }
  return r;
}

void require_same(const Fit& a, const Fit& b) {
  REQUIRE(a.graph == b.graph);
  REQUIRE(a.tests == b.tests);
  REQUIRE(a.separations.size() == b.separations.size());
  for (std::size_t i = 0; i < a.separations.size(); ++i) {
    REQUIRE(a.separations[i].given == b.separations[i].given);
    REQUIRE(a.separations[i].support == b.separations[i].support);
  }
  REQUIRE(a.ledger.size() == b.ledger.size());
  REQUIRE(a.tables.has_value() == b.tables.has_value());
  if (!a.tables) return;
  REQUIRE(a.tables->entries().size() == b.tables->entries().size());
  for (std::size_t i = 0; i < a.tables->entries().size(); ++i)
    REQUIRE(a.tables->entries()[i].second.values == b.tables->entries()[i].second.values);
}

// `learn(source, threads)` in all ways.
template <class Learn>
void check_all_ways(const Records& records, const Learn& learn) {
  const auto with = [&](unsigned threads, bool portable) {
    MemoryOptions options;
    options.threads = threads;
    options.portable = portable;
    MemoryTables source(records.schema(), records.inputs(), options);
    return learn(source, threads);
  };
  const Fit expected = with(1, false);
  const Load load;
  for (unsigned threads : {1u, 2u, 8u}) {
    for (bool portable : {false, true})
      require_same(expected, with(threads, portable));
  }
}

}  // namespace

TEST_CASE("a busy machine, threads and plain instructions change no fit") {
  const Records records = dependent_records(14, 4000);
  const Knowledge none(14);
  check_all_ways(records, [&](TableSource& source, unsigned threads) {
    ExactSettings settings;
    settings.max_order = 2;
    settings.colliders = ColliderRule::largest_p;
    settings.threads = threads;
    return exact_pc(source, settings, none).fit;
  });
  for (SearchKind kind : {SearchKind::score, SearchKind::tests}) {
    check_all_ways(records, [&](TableSource& source, unsigned threads) {
      MarginalSettings settings;
      settings.rho = Rho(0.5);
      settings.search.kind = kind;
      settings.threads = threads;
      Ledger ledger(settings.rho);
      RandomBits bits = RandomBits::from_seed(5);
      return marginal_pc(source, settings, none, ledger, bits);
    });
  }
  for (const PaperLearner& learner : kPaperLearners) {
    INFO(learner.name);
    check_all_ways(records, [&](TableSource& source, unsigned threads) {
      PaperSettings settings;
      settings.search.threads = threads;
      Ledger ledger(Rho(1));
      RandomBits bits = RandomBits::from_seed(5);
      return learner.learn(source, settings, none, ledger, bits, nullptr);
    });
  }
}
