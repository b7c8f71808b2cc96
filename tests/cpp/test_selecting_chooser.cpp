// The plan that selects pairs before it measures them: when, for how much, and what follows from
// pairs that nobody measured.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "distribution_checks.h"
#include "privpc/learners/marginal_replay.hpp"
#include "privpc/learners/selection_plan.hpp"
#include "simulated.h"

using namespace privpc;
using namespace privpc_test;

namespace {

Schema binary_schema(std::size_t variables, std::size_t rows) {
  std::vector<Variable> list;
  for (std::size_t v = 0; v < variables; ++v)
    list.push_back({"v" + std::to_string(100 + v), 2, false, false});
  return Schema(list, rows);
}

// Every variable depends on the one before it, from the second on, or on none.
BayesNet chain_of(std::size_t variables, bool dependent, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> parents(variables);
  for (std::size_t v = 1; dependent && v < variables; ++v)
    parents[v] = {v - 1};
  return random_tables(parents, std::vector<std::size_t>(variables, 2), 1, seed);
}

void forbid_both(Knowledge& knowledge, int a, int b) {
  knowledge.forbid(a, b);
  knowledge.forbid(b, a);
}

MarginalSettings selecting(double rho) {
  MarginalSettings settings;
  settings.rho = Rho(rho);
  settings.search.kind = SearchKind::score;
  settings.selects = true;
  return settings;
}

Fit fit_to(Simulated& data, const MarginalSettings& settings, const Knowledge& knowledge,
           std::uint64_t seed) {
  Ledger ledger{settings.rho};
  RandomBits bits = RandomBits::from_seed(seed);
  return marginal_pc(*data.tables, settings, knowledge, ledger, bits);
}

}  // namespace

TEST_CASE("pairs are selected where variables are many and noise matters, and else not") {
  const NoisyRules rules;
  const Rho rho(0.018);
  const auto selects = [&](std::size_t variables, std::size_t rows) {
    return selects_pairs(binary_schema(variables, rows), Knowledge(static_cast<int>(variables)),
                         rules, rho);
  };
  CHECK(selects(60, 10000));
  CHECK(selects(70, 20000));
  CHECK(!selects(49, 10000));    // few variables
  CHECK(!selects(60, 1000000));  // all pairs are cheap
  CHECK(!selects(60, 1000));     // the selection would be blind
  // Knowledge that leaves hardly a pair open leaves nothing to select.
  Knowledge known(60);
  for (int a = 0; a < 60; ++a) {
    for (int b = a + 2; b < 60; ++b)
      forbid_both(known, a, b);
  }
  CHECK(!selects_pairs(binary_schema(60, 10000), known, rules, rho));
}

TEST_CASE("a fit that selects spends its rho, in steps of its plan, and never more") {
  Simulated data(chain_of(30, true, 1), 5000, 2);
  for (double share : {0.0, 0.3}) {
    MarginalSettings settings = selecting(0.02);
    settings.parameter_share = share;
    const Fit fit = fit_to(data, settings, Knowledge(30), 3);
    std::vector<std::string> kinds;
    double spent = 0;
    for (const Ledger::Entry& entry : fit.ledger) {
      kinds.push_back(entry.mechanism);
      spent += entry.amount;
    }
    std::vector<std::string> expected{"gaussian", "pair selection", "gaussian", "pair selection",
                                      "gaussian", "gaussian",       "gaussian"};
    if (share > 0) expected.push_back("gaussian");
    CHECK(kinds == expected);
    CHECK(spent <= 0.02);
    CHECK(spent > 0.02 * (1 - 1e-6));
  }
}

TEST_CASE("a fit that selects leaves most pairs alone, and finds a chain") {
  Simulated data(chain_of(30, true, 4), 50000, 5);
  const Fit fit = fit_to(data, selecting(0.1), Knowledge(30), 6);
  std::size_t pairs = 0, found = 0;
  for (const auto& entry : fit.tables->entries())
    pairs += entry.first.size() == 2;
  for (int v = 1; v < 30; ++v)
    found += fit.graph.is_adjacent(v - 1, v);
  CHECK(pairs < 250);  // of 435
  // What was not measured is not said to be separated.
  for (const Separation& separation : fit.separations)
    CHECK(fit.tables->find(VariableSet{separation.x, separation.y}) != nullptr);
  CHECK(found >= 24);
}

TEST_CASE("knowledge says what may be selected, and what is measured anyway") {
  Simulated data(chain_of(26, true, 7), 5000, 8);
  Knowledge knowledge(26, {{5, 20}}, {});
  for (int v = 2; v < 26; ++v)
    forbid_both(knowledge, 0, v);
  SelectingChooser chooser(Guide{data.schema(), knowledge, selecting(1).search}, Rho(0.05));
  Ledger ledger{Rho(0.05)};
  RandomBits bits = RandomBits::from_seed(9);
  Measurements store(data.schema());
  bool required_is_measured = false;
  for (int step = 0; step < 3; ++step) {
    while (const auto wish = chooser.next_selection(store)) {
      for (const NodePair& pair : wish->candidates) {
        CHECK(!(pair.x == 0 && pair.y > 1));
        CHECK(!(pair.x == 5 && pair.y == 20));
      }
      chooser.selected(select_as_wished(*data.tables, *wish, ledger, bits, 1));
    }
    const auto next = chooser.next(store);
    REQUIRE(next);
    for (const BatchItem& item : next->batch)
      required_is_measured = required_is_measured || item.set == VariableSet{5, 20};
    measure_batch(*data.tables, next->batch, next->rho, ledger, bits, next->target, store);
  }
  CHECK(required_is_measured);
}

TEST_CASE("pairs are selected for a score and for replaced records only") {
  Simulated data(chain_of(26, true, 7), 500, 8);
  MarginalSettings by_tests = selecting(1), added = by_tests;
  by_tests.search.kind = SearchKind::tests;
  added.neighbours = Neighbours::add_remove;
  CHECK_THROWS_AS(fit_to(data, by_tests, Knowledge(26), 1), std::invalid_argument);
  CHECK_THROWS_AS(fit_to(data, added, Knowledge(26), 1), std::invalid_argument);
}

TEST_CASE("a selection from nothing makes an edge in at most alpha of the fits") {
  // The selected pairs are the extremes of all, and must be judged as such.
  double wrong = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Simulated data(chain_of(28, false, 50 + i), 4000, 100 + i);
    const Fit fit = fit_to(data, selecting(0.5), Knowledge(28), 200 + i);
    bool any = false;
    for (int x = 0; x < 28; ++x) {
      for (int y = x + 1; y < 28; ++y)
        any = any || fit.graph.is_adjacent(x, y);
    }
    wrong += any;
  }
  // P(more than 14 of 60 at .05) is below 1e-6.
  CHECK(wrong <= 14);
}

TEST_CASE("pairs that nobody selected count as tested") {
  // One of 45 pairs was measured, and is as dependent as one of 30 would be by chance.
  NoisyRules rules;
  rules.prior = 0.001;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Simulated data(chain_of(10, false, 3), 1000, seed);
    Batch batch{{VariableSet{0, 1}, 1}};
    for (std::size_t v = 0; v < 10; ++v)
      batch.push_back({VariableSet{v}, 1});
    Ledger ledger{Rho(1)};
    RandomBits bits = RandomBits::from_seed(seed);
    Measurements store(data.schema());
    measure_batch(*data.tables, batch, Rho(0.9), ledger, bits, "test", store);
    const NoisySkeleton tests(store, Knowledge(10), rules);
    const bool clear = tests.evidence(0, 1) > 0 && !tests.is_trifle(0, 1);
    const double p = tests.p_value(0, 1);
    if (!clear || p > rules.alpha || p < rules.alpha / 45) continue;
    ++cases;
    CHECK(!tests.linked(0, 1));
  }
  CHECK(cases > 3);
}

TEST_CASE("a replayed selection has the probabilities of the real one") {
  // A tree of three variables: two choices, the second among pairs that join the third.
  Simulated data(random_tables({{}, {0}, {1}, {0}}, {2, 2, 2, 2}, 0.3, 11), 400, 12);
  const Measurements exact = data.measure(1e6, 13);
  const PlausibleTables truths(exact);
  SimulationDraws random(simulation_stream(14, 0));
  DrawnTables truth = truths.draw(DrawnFrom::these_people, random);
  const Rho rho(0.003);
  NextSelection wish{
      {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}, independence_model(exact), 0, {{0, 3}}, rho, ""};
  for (std::size_t most : {std::size_t{0}, std::size_t{2}}) {
    wish.most = most;
    std::map<int, double> real, replayed;
    const auto number = [&](const std::vector<NodePair>& chosen) {
      int out = 0;
      for (const NodePair& pair : chosen)
        out = out * 16 + static_cast<int>(pair.x * 4 + pair.y);
      return out;
    };
    const int times = 20000;
    RandomBits bits = RandomBits::from_seed(15);
    for (int i = 0; i < times; ++i) {
      Ledger ledger{rho};
      ++real[number(select_as_wished(*data.tables, wish, ledger, bits, 1))];
      ++replayed[number(select_drawn(data.schema(), truth, wish, random))];
    }
    // Two samples of the same distribution, rare outcomes together.
    double statistic = 0, df = -1, rare_real = 0, rare_replayed = 0;
    const auto add = [&](double a, double b) {
      statistic += (a - b) * (a - b) / (a + b);
      df += 1;
    };
    for (const auto& [outcome, count] : real) {
      const double other = replayed.count(outcome) > 0 ? replayed[outcome] : 0;
      if (count < 50) {
        rare_real += count;
        rare_replayed += other;
      } else {
        add(count, other);
      }
    }
    if (rare_real + rare_replayed > 20) add(rare_real, rare_replayed);
    CHECK(real.size() > 3);
    CHECK(chi_square_upper(statistic, df) > kLevel);
  }
}
