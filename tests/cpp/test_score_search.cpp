// The search by score: the graphs it finds, what knowledge does to it, and that it makes nothing
// out of nothing.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "privpc/learners/score_plan.hpp"
#include "simulated.h"

using namespace privpc;
using namespace privpc_test;

namespace {

TableSearch by_score() {
  TableSearch search;
  search.kind = SearchKind::score;
  return search;
}

bool is_directed_graph_of(const Fit& fit, const BayesNet& net) {
  return fit.graph == dag_to_cpdag(graph_of_net(net));
}

}  // namespace

TEST_CASE("chains, forks and colliders are found and directed") {
  const std::vector<std::vector<std::vector<std::size_t>>> shapes{
      {{}, {0}, {1}, {2}},          // a chain: nothing can be directed
      {{}, {}, {0, 1}},             // a collider
      {{}, {}, {0, 1}, {2}},        // and what follows from it
      {{}, {0}, {0}, {1, 2}, {3}},  // a diamond
      {{}, {}, {}, {0, 1}, {1, 2}, {3}}};
  for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
    INFO(shape);
    const BayesNet net =
        random_tables(shapes[shape], std::vector<std::size_t>(shapes[shape].size(), 3), 1, 31);
    Simulated data(net, 200000, 1);
    const Measurements store = data.measure(1, 5);
    const Knowledge none(static_cast<int>(shapes[shape].size()));
    REQUIRE(is_directed_graph_of(learn_from_tables(store, by_score(), none), net));
  }
}

TEST_CASE("less effort finds graphs that score no better, and those of clear data all the same") {
  const BayesNet net =
      random_tables({{}, {}, {}, {0, 1}, {1, 2}, {3}}, std::vector<std::size_t>(6, 3), 1, 31);
  Simulated data(net, 200000, 1);
  const Knowledge none(6), known(6, {{5, 0}}, {{3, 4}, {4, 3}});
  for (double rho : {1.0, 0.001}) {
    INFO(rho);
    const Measurements store = data.measure(rho, 5);
    const TableReading best(store, by_score(), none);
    for (SearchEffort effort : {SearchEffort::sketch, SearchEffort::once, SearchEffort::quick}) {
      const TableReading reading(store, by_score(), none, effort);
      CHECK(reading.scored().total <= best.scored().total + 1e-6);
      if (rho == 1 && effort == SearchEffort::quick) CHECK(reading.fit().graph == best.fit().graph);
      const Fit bound = learn_from_tables(store, by_score(), known, nullptr, effort);
      CHECK(bound.graph.is_directed(5, 0));
      CHECK_FALSE(bound.graph.is_adjacent(3, 4));
    }
  }
}

TEST_CASE("with many contrasts fewer climbs find the graph of clear data all the same") {
  const BayesNet net =
      random_tables({{}, {}, {}, {0, 1}, {1, 2}, {3}}, std::vector<std::size_t>(6, 3), 1, 31);
  Simulated data(net, 200000, 1);
  const Knowledge none(6);
  const TableSearch search = by_score();
  for (double rho : {1.0, 0.001}) {
    INFO(rho);
    const Measurements store = data.measure(rho, 5);
    const TableReading best(store, search, none);
    NoisySkeleton tests(store, none, search.rules);
    tests.examine_all_orders();
    const WhitenedPairs pairs(store);
    ScoreSettings settings = score_settings(store.rows());
    settings.wide = pairs.contrasts();
    const auto found = [&](SearchEffort effort) {
      settings.effort = effort;
      return search_by_score(pairs, tests, Pdag(6), none, search.rules, settings);
    };
    const ScoredGraph wide = found(SearchEffort::thorough);
    CHECK(wide.total <= best.scored().total + 1e-6);
    if (rho == 1) CHECK(dag_to_cpdag(graph_of(wide.parents)) == best.fit().graph);
    // A sketch in the place of a climb.
    CHECK(found(SearchEffort::once).parents == found(SearchEffort::sketch).parents);
    // Without work left the best graph until then is taken, and that is said.
    CHECK_FALSE(wide.cut_short);
    settings.most_work = 1;
    for (SearchEffort effort : {SearchEffort::thorough, SearchEffort::quick, SearchEffort::once}) {
      const ScoredGraph cut = found(effort);
      CHECK(cut.cut_short);
      CHECK(cut.total <= wide.total);
    }
  }
}

TEST_CASE("knowledge is part of the search") {
  const BayesNet net = random_tables({{}, {0}, {1}, {2}, {3}}, {2, 2, 3, 2, 2}, 1, 31);
  Simulated data(net, 50000, 1);
  const Measurements store = data.measure(0.5, 5);
  SECTION("required arcs are there, with their direction") {
    const Knowledge known(5, {{4, 0}, {3, 2}}, {});
    const Fit fit = learn_from_tables(store, by_score(), known);
    REQUIRE(fit.graph.is_directed(4, 0));
    REQUIRE(fit.graph.is_directed(3, 2));
  }
  SECTION("forbidden pairs are not, and forbidden arcs are turned") {
    const Knowledge known(5, {}, {{0, 1}, {1, 0}, {1, 2}});
    const Fit fit = learn_from_tables(store, by_score(), known);
    REQUIRE_FALSE(fit.graph.is_adjacent(0, 1));
    REQUIRE_FALSE(fit.graph.is_directed(1, 2));
    REQUIRE(fit.graph.is_directed(2, 1));
  }
  SECTION("more parents may be required than would be tried") {
    const BayesNet wide = random_tables(std::vector<std::vector<std::size_t>>(9),
                                        std::vector<std::size_t>(9, 2), 0.5, 1);
    Simulated many(wide, 2000, 1);
    const Measurements pairs = many.measure(0.5, 5);
    std::vector<Arc> required;
    for (int v = 0; v < 8; ++v)
      required.push_back({v, 8});
    const Fit fit = learn_from_tables(pairs, by_score(), Knowledge(9, required, {}));
    for (int v = 0; v < 8; ++v)
      REQUIRE(fit.graph.is_directed(v, 8));
  }
}

TEST_CASE("a variable with one level, or two variables only, are no trouble") {
  Simulated data(random_tables({{}, {0}, {}}, {2, 2, 1}, 1, 3), 20000, 1);
  const Fit fit = learn_from_tables(data.measure(0.5, 1), by_score(), Knowledge(3));
  REQUIRE(fit.graph.is_undirected(0, 1));
  REQUIRE_FALSE(fit.graph.is_adjacent(0, 2));
  Simulated two(random_tables({{}, {0}}, {3, 2}, 1, 3), 20000, 1);
  REQUIRE(
      learn_from_tables(two.measure(0.5, 1), by_score(), Knowledge(2)).graph.is_undirected(0, 1));
}

TEST_CASE("without dependence there is an edge in at most alpha of the fits") {
  const int runs = 300;
  for (double rho : {0.0005, 0.02, 5.0}) {
    int wrong = 0;
    for (int run = 0; run < runs; ++run) {
      const auto seed = static_cast<std::uint64_t>(run);
      const BayesNet net = random_tables(std::vector<std::vector<std::size_t>>(6),
                                         {2, 3, 2, 4, 2, 2}, 0.9, 1000 + seed);
      Simulated data(net, 3000, seed);
      MarginalSettings settings;
      settings.rho = Rho(rho);
      settings.search = by_score();
      Ledger ledger(settings.rho);
      RandomBits bits = RandomBits::from_seed(seed);
      const Fit fit = marginal_pc(*data.tables, settings, Knowledge(6), ledger, bits);
      wrong += fit.graph.directed_arcs().empty() && fit.graph.undirected_edges().empty() ? 0 : 1;
    }
    INFO(rho);
    // Of 300 with chance 0.05 more than 36 are wrong once in a million times.
    REQUIRE(wrong <= 36);
  }
}

TEST_CASE("the step-up rule takes the largest p-value below its line") {
  // Benjamini & Hochberg's own example (1995, section 3.2): of 15 the four smallest at 0.05.
  const std::vector<double> published{0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
                                      0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                                      0.4262, 0.5719, 0.6528, 0.7590, 1};
  CHECK(step_up_threshold(published, 0.05) == 0.0095);
  CHECK(step_up_threshold({published.rbegin(), published.rend()}, 0.05) == 0.0095);
  // One that is above its own line passes with a later one.
  CHECK(step_up_threshold({0.03, 0.04, 0.045, 0.05}, 0.05) == 0.05);
  CHECK(step_up_threshold({0.5, 0.06}, 0.05) < 0);
  CHECK(step_up_threshold({}, 0.05) < 0);
}

TEST_CASE("the steps of a fit are those that were announced, whatever is found") {
  const BayesNet net = random_tables({{}, {0}, {1}, {2}, {0}, {3, 4}}, {2, 3, 2, 2, 3, 2}, 1, 3);
  Simulated few(net, 4000, 1), more(net, 9000, 1), many(net, 300000, 1);
  const auto fit_of = [&](Simulated& records) {
    MarginalSettings settings;
    settings.rho = Rho(0.03);
    settings.search = by_score();
    Ledger ledger(settings.rho);
    RandomBits bits = RandomBits::from_seed(4);
    return marginal_pc(*records.tables, settings, Knowledge(6), ledger, bits);
  };
  const Fit small = fit_of(few), middle = fit_of(more), large = fit_of(many);
  const auto targets = [](const Fit& fit) {
    std::vector<std::string> out;
    for (const auto& entry : fit.ledger)
      out.push_back(entry.target);
    return out;
  };
  // Rounds are as many as the plan has; where no test wants a triple, the last one is of pairs.
  CHECK(targets(small) ==
        std::vector<std::string>({"all pairs", "pairs in question", "pairs in question"}));
  CHECK(targets(middle).size() == 4);
  CHECK(targets(large).size() == 3);
  for (double rows : {0.0, 2999.0, 3000.0, 9999.0, 10000.0, 1e9}) {
    const GuidedShares shares = guided_shares(rows);
    const double rounds = std::accumulate(shares.rounds.begin(), shares.rounds.end(), 0.0);
    CHECK(shares.all_pairs + rounds + shares.triples == Approx(1).epsilon(1e-12));
  }
  for (const Fit* fit : {&small, &middle, &large}) {
    double spent = 0;
    for (const auto& entry : fit->ledger)
      spent += entry.amount;
    REQUIRE(spent <= 0.03);
    REQUIRE(spent > 0.03 * (1 - 1e-6));
  }
}

TEST_CASE("effective rows grow with rows and budget, and are rows where noise is none") {
  const auto schema = [](std::uint64_t rows, std::uint32_t levels) {
    std::vector<Variable> variables;
    for (int v = 0; v < 8; ++v)
      variables.push_back({"v" + std::to_string(v), levels, false, false});
    return Schema(variables, rows);
  };
  REQUIRE(effective_rows(schema(10000, 2), Rho(0.02)) <
          effective_rows(schema(20000, 2), Rho(0.02)));
  REQUIRE(effective_rows(schema(10000, 2), Rho(0.02)) <
          effective_rows(schema(10000, 2), Rho(0.04)));
  REQUIRE(effective_rows(schema(10000, 5), Rho(0.02)) <
          effective_rows(schema(10000, 2), Rho(0.02)));
  REQUIRE(effective_rows(schema(10000, 2), Rho(1e6)) == Approx(10000).epsilon(1e-4));
  // Two variables: one pair and its margins, c = 1/2. If both values of a record change, the
  // singles move by 2 each and the pair by 2 (1/4 - 1/4) = 0; if one does, by 2 and by 1.
  std::vector<Variable> two{{"a", 2, false, false}, {"b", 2, false, false}};
  const double noise = 4 / (2 * 0.6 * 0.02), n = 1000;
  REQUIRE(effective_rows(Schema(two, 1000), Rho(0.02)) ==
          Approx(1 / (1 / n + noise * 4 / (n * n))).epsilon(1e-6));
}
