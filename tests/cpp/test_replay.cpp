// Fits replayed on plausible tables, and what the graphs have in common.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/random_bits.hpp"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/graph/consensus.hpp"
#include "privpc/graph/graph_shares.hpp"
#include "privpc/learners/marginal_replay.hpp"
#include "random_records.h"

using namespace privpc;
using namespace privpc_test;

namespace {

struct Study {
  Study() : bits(RandomBits::from_seed(4)), records(random_records({2, 3, 2, 2}, 3000, bits)) {}

  Fit fit(const MarginalSettings& settings, const Knowledge& knowledge) {
    MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
    Ledger ledger(settings.rho);
    return marginal_pc(tables, settings, knowledge, ledger, bits);
  }

  RandomBits bits;
  Records records;
};

MarginalSettings settings_with(double rho, double parameter_share = 0) {
  MarginalSettings settings;
  settings.rho = Rho(rho);
  settings.parameter_share = parameter_share;
  return settings;
}

std::vector<std::vector<int>> matrices(const std::vector<Pdag>& graphs) {
  std::vector<std::vector<int>> out;
  for (const Pdag& graph : graphs)
    out.push_back(graph.to_matrix());
  return out;
}

Pdag graph_of(int nodes, const std::vector<Arc>& arcs, const std::vector<Arc>& undirected = {}) {
  Pdag graph(nodes);
  for (const Arc& arc : arcs)
    graph.add_directed(arc.from, arc.to);
  for (const Arc& edge : undirected)
    graph.add_undirected(edge.from, edge.to);
  return graph;
}

}  // namespace

TEST_CASE("a replay has noise of the size that the fit had") {
  Study study;
  const Knowledge knowledge(4);
  for (double share : {0.0, 0.3}) {
    const MarginalSettings settings = settings_with(0.05, share);
    const Fit fit = study.fit(settings, knowledge);
    const PlausibleTables truths(*fit.tables);
    const Schema& schema = fit.tables->schema();
    const ReplayPlan plan = marginal_replay(schema, settings, knowledge);
    SimulationDraws random(simulation_stream(1, 0));
    DrawnTables truth = truths.draw(DrawnFrom::these_people, random);
    const Measurements again = measure_drawn(schema, truth, plan, random);
    // Singles and pairs are measured in the first stage at least, whatever came out; a set that was
    // measured as often has the same noise.
    std::size_t same = 0;
    for (const auto& [set, measured] : fit.tables->entries()) {
      const Measured* found = again.find(set);
      if (set.size() > 2) continue;
      REQUIRE(found != nullptr);
      same += std::fabs(found->variance / measured.variance - 1) < 1e-3;
    }
    CHECK(same > 0);
  }
}

TEST_CASE("the noise of a replay has the variance it states") {
  const Measurements store = [] {
    Study study;
    return *study.fit(settings_with(0.05), Knowledge(4)).tables;
  }();
  const Knowledge knowledge(4);
  const PlausibleTables truths(store);
  const ReplayPlan plan = marginal_replay(store.schema(), settings_with(0.05), knowledge);
  double squares = 0, count = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    SimulationDraws random(simulation_stream(2, i));
    DrawnTables truth = truths.draw(DrawnFrom::these_people, random);
    const Measurements again = measure_drawn(store.schema(), truth, plan, random);
    for (std::size_t v = 0; v < 4; ++v) {
      const Measured& single = *again.find({v});
      const std::vector<double> exact = truth.contrasts({v});
      for (std::size_t j = 0; j < exact.size(); ++j) {
        squares += std::pow(single.values[j] - exact[j], 2) / single.variance;
        count += 1;
      }
    }
  }
  CHECK(std::fabs(squares / count - 1) < 5 * std::sqrt(2 / count));
}

TEST_CASE("replays are the same for any number of threads, and differ between draws") {
  Study study;
  const Knowledge knowledge(4);
  const MarginalSettings settings = settings_with(0.02);
  const Fit fit = study.fit(settings, knowledge);
  const PlausibleTables truths(*fit.tables);
  const ReplayPlan plan = marginal_replay(fit.tables->schema(), settings, knowledge);
  for (DrawnFrom whom : {DrawnFrom::these_people, DrawnFrom::other_people}) {
    ReplaySettings how;
    how.draws = 60;
    how.whom = whom;
    how.seed = 9;
    const auto one = matrices(replay(fit.tables->schema(), truths, plan, how));
    how.threads = 3;
    CHECK(matrices(replay(fit.tables->schema(), truths, plan, how)) == one);
    how.seed = 10;
    CHECK(matrices(replay(fit.tables->schema(), truths, plan, how)) != one);
    CHECK(std::set<std::vector<int>>(one.begin(), one.end()).size() > 1);
  }
}

TEST_CASE("a replay tells how far it is, and stops when it is told to") {
  struct Impatient : Monitor {
    void progress(std::size_t, std::size_t done, std::size_t total) override {
      CHECK(total == 1000);
      last = done;
      if (done >= 3) throw std::runtime_error("enough");
    }
    std::size_t last = 0;
  } monitor;
  Study study;
  const Knowledge knowledge(4);
  const MarginalSettings settings = settings_with(0.02);
  const Fit fit = study.fit(settings, knowledge);
  const PlausibleTables truths(*fit.tables);
  ReplaySettings how;
  how.draws = 1000;
  CHECK_THROWS_AS(replay(fit.tables->schema(), truths,
                         marginal_replay(fit.tables->schema(), settings, knowledge), how, &monitor),
                  std::runtime_error);
  CHECK(monitor.last < 1000);
}

TEST_CASE("knowledge holds in every replay, also for pairs that were not measured") {
  Study study;
  const MarginalSettings settings = settings_with(0.05);
  const Knowledge knowledge(4, {{0, 3}}, {{0, 1}, {1, 0}, {2, 3}});
  // Measured under other knowledge: there the pair of 0 and 3 was left out.
  const Fit fit = study.fit(settings, Knowledge(4, {}, {{0, 3}, {3, 0}}));
  const PlausibleTables truths(*fit.tables);
  ReplaySettings how;
  how.draws = 30;
  const auto graphs = replay(fit.tables->schema(), truths,
                             marginal_replay(fit.tables->schema(), settings, knowledge), how);
  for (const Pdag& graph : graphs) {
    CHECK(graph.is_directed(0, 3));
    CHECK(!graph.is_adjacent(0, 1));
    CHECK(!graph.is_directed(2, 3));
  }
}

TEST_CASE("shares count edges and arrows, an undirected edge half each way") {
  const GraphShares shares({graph_of(3, {{0, 1}}), graph_of(3, {{1, 0}}, {{1, 2}}),
                            graph_of(3, {{0, 1}}), graph_of(3, {})});
  CHECK(shares.edge(0, 1) == 0.75);
  CHECK(shares.edge(1, 0) == 0.75);
  CHECK(shares.arrow(0, 1) == 0.5);
  CHECK(shares.arrow(1, 0) == 0.25);
  CHECK(shares.edge(1, 2) == 0.25);
  CHECK(shares.arrow(2, 1) == 0.125);
  CHECK(shares.edge(0, 2) == 0);
  CHECK_THROWS_AS(GraphShares({Pdag(2), Pdag(3)}), std::invalid_argument);
}

TEST_CASE("a consensus has the edges above the threshold and the colliders of the majority") {
  const Pdag collider = graph_of(3, {{0, 1}, {2, 1}});
  const Pdag chain = graph_of(3, {}, {{0, 1}, {1, 2}});
  const Pdag single = graph_of(3, {}, {{0, 1}});
  const Pdag full = graph_of(3, {}, {{0, 1}, {1, 2}, {0, 2}});
  const Knowledge none(3);
  // Shares: 0 - 1 in all, 1 - 2 in .8, 0 - 2 in .2.
  const std::vector<Pdag> graphs{collider, collider, chain, single, full};
  CHECK(consensus_graph(graphs, 0.5, none) == collider);
  CHECK(consensus_graph(graphs, 0.8, none) == single);  // more than, not as much as
  CHECK(consensus_graph(graphs, 0.1, none) == full);
  CHECK(consensus_graph({collider, chain, chain}, 0.5, none) == chain);
  CHECK(consensus_graph({collider, chain}, 0.5, none) == chain);  // a draw is no majority
  // Knowledge first.
  CHECK(consensus_graph(graphs, 0.5, Knowledge(3, {}, {{0, 1}, {1, 0}})) ==
        graph_of(3, {}, {{1, 2}}));
  const Pdag tiers = consensus_graph(graphs, 0.5, Knowledge(3, {}, {{2, 1}}));
  CHECK(tiers.is_directed(1, 2));
  CHECK(!tiers.is_directed(0, 1));
  CHECK(consensus_graph(graphs, 0.9, Knowledge(3, {{2, 0}}, {})).is_directed(2, 0));
  CHECK(consensus_graph({}, 0.5, none) == Pdag(3));
}
