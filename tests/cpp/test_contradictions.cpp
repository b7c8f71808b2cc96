// Pairs that a graph leaves unexplained, and variables that others determine.
#include <catch.h>

#include <cmath>
#include <string>
#include <vector>

#include "privpc/marginals/table_basis.hpp"
#include "privpc/search/contradictions.hpp"

using namespace privpc;

namespace {

// Binary variables; `share` gives the probability of every cell, bit v the value of variable v.
template <class Share>
Measurements measured(std::size_t nodes, const Share& share, double noise = 1e-9) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < nodes; ++v)
    variables.push_back({"v" + std::to_string(v), 2, false, false});
  Measurements store(Schema(variables, 100000));
  const auto table = [&](const std::vector<std::size_t>& set) {
    std::vector<double> cells(std::size_t{1} << set.size(), 0);
    for (std::size_t cell = 0; cell < std::size_t{1} << nodes; ++cell) {
      std::size_t place = 0;
      for (std::size_t v : set)
        place = 2 * place + (cell >> v & 1);
      cells[place] += share(cell);
    }
    return contrasts_of_table(cells, std::vector<std::uint32_t>(set.size(), 2));
  };
  for (std::size_t x = 0; x < nodes; ++x) {
    store.add({x}, {table({x}), noise});
    for (std::size_t y = x + 1; y < nodes; ++y)
      store.add({x, y}, {table({x, y}), noise});
  }
  return store;
}

double copy(bool from, bool to, double chance) {
  return from == to ? chance : 1 - chance;
}

// 0 -> 1 -> 2, and 3 alone.
Measurements chain() {
  return measured(4, [](std::size_t cell) {
    const bool a = cell & 1, b = cell & 2, c = cell & 4;
    return 0.25 * copy(a, b, 0.8) * copy(b, c, 0.8);
  });
}

}  // namespace

TEST_CASE("a graph that carries all dependence contradicts nothing") {
  const Measurements store = chain();
  Pdag graph(4);
  graph.add_undirected(0, 1);
  graph.add_undirected(1, 2);
  CHECK(unexplained_pairs(store, NoisyRules{}, Knowledge(4), graph).empty());
}

TEST_CASE("pairs are told that a graph does not connect, the strongest first") {
  const Measurements store = chain();
  // Without the edge 1 - 2 nothing leads to 2.
  Pdag graph(4);
  graph.add_undirected(0, 1);
  const auto found = unexplained_pairs(store, NoisyRules{}, Knowledge(4), graph);
  REQUIRE(found.size() == 2);
  CHECK(found[0].x == 1);
  CHECK(found[0].y == 2);
  CHECK(found[0].effect == Approx(0.36).epsilon(0.01));  // a correlation of .6
  CHECK(found[0].carried == 0);
  CHECK(found[1].x == 0);
  CHECK(found[1].effect == Approx(0.1296).epsilon(0.01));
  // A collider carries nothing.
  Pdag collider(4);
  collider.add_directed(0, 1);
  collider.add_directed(2, 1);
  const auto blocked = unexplained_pairs(store, NoisyRules{}, Knowledge(4), collider);
  REQUIRE(blocked.size() == 1);
  CHECK(blocked[0].x == 0);
  CHECK(blocked[0].y == 2);
  // What knowledge forbids is not asked for.
  CHECK(
      unexplained_pairs(store, NoisyRules{}, Knowledge(4, {}, {{0, 2}, {2, 0}}), collider).empty());
}

TEST_CASE("a pair is told that only weaker edges connect") {
  // 0 and 1 depend strongly, 2 on both a little; the graph has the weak edges only.
  const Measurements store = measured(3, [](std::size_t cell) {
    const bool a = cell & 1, b = cell & 2, c = cell & 4;
    return 0.5 * copy(a, b, 0.9) * copy(a, c, 0.6);
  });
  Pdag graph(3);
  graph.add_undirected(0, 2);
  graph.add_undirected(1, 2);
  const auto found = unexplained_pairs(store, NoisyRules{}, Knowledge(3), graph);
  REQUIRE(found.size() == 1);
  CHECK(found[0].x == 0);
  CHECK(found[0].y == 1);
  CHECK(found[0].carried > 0);
  CHECK(found[0].carried < found[0].effect);
}

TEST_CASE("variables that others determine are named with them") {
  // 2 is 1 but for one in a thousand; 0 leans to 1.
  const auto share = [](std::size_t cell) {
    const bool a = cell & 1, b = cell & 2, c = cell & 4;
    return 0.5 * copy(a, b, 0.8) * copy(b, c, 0.999);
  };
  const Measurements store = measured(3, share);
  const auto found = near_determined(store);
  REQUIRE(found.size() == 2);
  CHECK(found[0].variable == 1);
  CHECK((found[0].by == VariableSet{2}));
  CHECK(found[0].share_left < 0.01);
  CHECK(found[1].variable == 2);
  CHECK((found[1].by == VariableSet{1}));
  CHECK(near_determined(chain()).empty());
  // The same tables, so noisy that independent variables may look like this.
  CHECK(near_determined(measured(3, share, 1e-6)).size() == 2);
  CHECK(near_determined(measured(3, share, 1e-3)).empty());
}
