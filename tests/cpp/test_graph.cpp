// The graph room against brute force: every DAG with four nodes, random larger ones, and
// deliberately contradictory input for orient().

#include <catch.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/orient.hpp"

namespace {

using privpc::Arc;
using privpc::Knowledge;
using privpc::Pdag;
using privpc::Separation;
using Generator = std::mt19937;

int below(Generator& generator, int n) {
  return std::uniform_int_distribution<int>(0, n - 1)(generator);
}
bool coin(Generator& generator, double probability) {
  return std::bernoulli_distribution(probability)(generator);
}

std::vector<int> random_permutation(Generator& generator, int n) {
  std::vector<int> result = privpc::natural_rank(n);
  std::shuffle(result.begin(), result.end(), generator);
  return result;
}

Pdag random_dag(Generator& generator, int n, double density) {
  const std::vector<int> order = random_permutation(generator, n);
  Pdag dag(n);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (coin(generator, density)) dag.add_directed(order[i], order[j]);
  return dag;
}

Pdag random_skeleton(Generator& generator, int n, double density) {
  return random_dag(generator, n, density).skeleton();
}

// All DAGs with the given skeleton, by trying every direction of every edge.
std::vector<Pdag> all_dags_on(const Pdag& skeleton) {
  const std::vector<Arc> edges = skeleton.skeleton().undirected_edges();
  std::vector<Pdag> dags;
  for (std::size_t code = 0; code < (std::size_t{1} << edges.size()); ++code) {
    Pdag graph(skeleton.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if ((code >> e) & 1U) {
        graph.add_directed(edges[e].from, edges[e].to);
      } else {
        graph.add_directed(edges[e].to, edges[e].from);
      }
    }
    if (privpc::is_acyclic(graph)) dags.push_back(graph);
  }
  return dags;
}

// Unshielded colliders, spelt out from the definition (not through pattern_of()).
std::set<std::vector<int>> colliders_of(const Pdag& graph) {
  std::set<std::vector<int>> result;
  for (int b = 0; b < graph.size(); ++b)
    for (int a = 0; a < graph.size(); ++a)
      for (int c = a + 1; c < graph.size(); ++c)
        if (a != b && c != b && graph.is_directed(a, b) && graph.is_directed(c, b) &&
            !graph.is_adjacent(a, c)) {
          result.insert({a, b, c});
        }
  return result;
}

bool obeys(const Pdag& dag, const std::vector<Arc>& required, const std::vector<Arc>& forbidden) {
  return std::all_of(required.begin(), required.end(),
                     [&](const Arc& arc) { return dag.is_directed(arc.from, arc.to); }) &&
         std::none_of(forbidden.begin(), forbidden.end(),
                      [&](const Arc& arc) { return dag.is_directed(arc.from, arc.to); });
}

// The union of the equivalence class: an edge is directed if all members agree.
Pdag class_graph(const Pdag& dag, const std::vector<Arc>& required = {},
                 const std::vector<Arc>& forbidden = {}) {
  const std::set<std::vector<int>> colliders = colliders_of(dag);
  std::set<Arc> seen;
  for (const Pdag& member : all_dags_on(dag)) {
    if (colliders_of(member) != colliders || !obeys(member, required, forbidden)) continue;
    for (const Arc& arc : member.directed_arcs())
      seen.insert(arc);
  }
  Pdag result(dag.size());
  for (const Arc& arc : seen) {
    if (seen.count({arc.to, arc.from})) {
      result.add_undirected(arc.from, arc.to);
    } else {
      result.add_directed(arc.from, arc.to);
    }
  }
  return result;
}

// d-separation from the definition: separation in the moral graph of the ancestors
// (Lauritzen, Dawid, Larsen & Leimer 1990).
bool separated_in_moral_graph(const Pdag& dag, int x, int y, const std::vector<int>& given) {
  std::vector<char> keep(dag.size(), 0);
  for (int node = 0; node < dag.size(); ++node) {
    keep[node] = privpc::reaches(dag, node, x) || privpc::reaches(dag, node, y);
    for (int z : given)
      if (privpc::reaches(dag, node, z)) keep[node] = 1;
  }
  Pdag moral(dag.size());
  for (int b = 0; b < dag.size(); ++b) {
    if (!keep[b]) continue;
    const std::vector<int> parents = dag.parents(b);
    for (int a : parents)
      moral.add_undirected(a, b);
    for (int a : parents)
      for (int c : parents)
        if (a < c) moral.add_undirected(a, c);
  }
  std::vector<char> seen(dag.size(), 0);
  for (int z : given)
    seen[z] = 1;
  std::vector<int> stack{x};
  seen[x] = 1;
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (node == y) return false;
    for (int next : moral.neighbours(node))
      if (!seen[next]) {
        seen[next] = 1;
        stack.push_back(next);
      }
  }
  return true;
}

std::vector<int> members_of(unsigned code, int n) {
  std::vector<int> members;
  for (int node = 0; node < n; ++node)
    if ((code >> node) & 1U) members.push_back(node);
  return members;
}

// A true separating set of every pair that is not adjacent, drawn at random among all of
// them, with equal or random strengths.
std::vector<Separation> true_separations(Generator& generator, const Pdag& dag, bool equal) {
  std::vector<Separation> separations;
  const int n = dag.size();
  for (int x = 0; x < n; ++x)
    for (int y = x + 1; y < n; ++y) {
      if (dag.is_adjacent(x, y)) continue;
      std::vector<std::vector<int>> sets;
      for (unsigned code = 0; code < (1U << n); ++code) {
        if (((code >> x) & 1U) || ((code >> y) & 1U)) continue;
        const std::vector<int> given = members_of(code, n);
        if (separated_in_moral_graph(dag, x, y, given)) sets.push_back(given);
      }
      REQUIRE(!sets.empty());
      const double strength = equal ? 1.0 : below(generator, 1000) / 1000.0;
      separations.push_back(
          {x, y, sets[below(generator, static_cast<int>(sets.size()))], strength});
    }
  std::shuffle(separations.begin(), separations.end(), generator);
  return separations;
}

// Every DAG with n nodes: every skeleton, every acyclic direction of its edges.
void for_each_dag(int n, const std::function<void(const Pdag&)>& action) {
  const int n_pairs = n * (n - 1) / 2;
  for (unsigned code = 0; code < (1U << n_pairs); ++code) {
    Pdag skeleton(n);
    int pair = 0;
    for (int a = 0; a < n; ++a)
      for (int b = a + 1; b < n; ++b, ++pair)
        if ((code >> pair) & 1U) skeleton.add_undirected(a, b);
    for (const Pdag& dag : all_dags_on(skeleton))
      action(dag);
  }
}

Pdag permuted(const Pdag& graph, const std::vector<int>& place) {
  Pdag result(graph.size());
  for (const Arc& arc : graph.directed_arcs())
    result.add_directed(place[arc.from], place[arc.to]);
  for (const Arc& edge : graph.undirected_edges()) {
    result.add_undirected(place[edge.from], place[edge.to]);
  }
  return result;
}

std::vector<Arc> permuted(std::vector<Arc> arcs, const std::vector<int>& place) {
  for (Arc& arc : arcs)
    arc = {place[arc.from], place[arc.to]};
  return arcs;
}

}  // namespace

TEST_CASE("a partially directed graph keeps its marks and its matrix", "[graph]") {
  Pdag graph(4);
  graph.add_undirected(0, 1);
  graph.add_directed(2, 1);
  CHECK(graph.is_undirected(1, 0));
  CHECK_FALSE(graph.is_directed(0, 1));
  CHECK(graph.is_directed(2, 1));
  CHECK_FALSE(graph.is_directed(1, 2));
  CHECK(graph.is_adjacent(1, 2));
  CHECK_FALSE(graph.is_adjacent(0, 3));
  CHECK(graph.parents(1) == std::vector<int>{2});
  CHECK(graph.children(2) == std::vector<int>{1});
  CHECK(graph.undirected_neighbours(1) == std::vector<int>{0});
  const std::vector<int> matrix = graph.to_matrix();
  CHECK(matrix == std::vector<int>({0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  CHECK(Pdag::from_matrix(matrix.data(), 4) == graph);
  graph.orient(0, 1);
  CHECK(graph.is_directed(0, 1));
  graph.add_undirected(0, 1);
  CHECK(graph.neighbours(0).size() == 1);
  CHECK_THROWS_AS(graph.orient(0, 3), std::invalid_argument);
  CHECK_THROWS_AS(graph.add_directed(1, 1), std::invalid_argument);
  CHECK_THROWS_AS(graph.add_directed(1, 4), std::invalid_argument);
}

TEST_CASE("knowledge follows the whitelist and blacklist of bnlearn", "[graph]") {
  const Knowledge knowledge(5, {{0, 1}, {1, 2}, {2, 1}}, {{3, 4}, {0, 3}, {3, 0}, {1, 0}});
  CHECK(knowledge.pair_is_required(1, 0));
  CHECK(knowledge.pair_is_required(2, 1));
  CHECK(knowledge.arc_is_forced(0, 1));
  CHECK_FALSE(knowledge.arc_is_forced(1, 0));
  CHECK_FALSE(knowledge.arc_is_forced(1, 2));
  CHECK_FALSE(knowledge.arc_is_forced(2, 1));
  CHECK(knowledge.arc_is_forced(4, 3));
  CHECK_FALSE(knowledge.pair_is_forbidden(3, 4));
  CHECK(knowledge.pair_is_forbidden(0, 3));
  CHECK_FALSE(knowledge.arc_is_forced(0, 3));
  CHECK_FALSE(knowledge.empty());
  CHECK(Knowledge(5).empty());
  CHECK(Knowledge(3, {{0, 1}, {1, 0}}, {{0, 1}}).arc_is_forced(1, 0));
  CHECK_THROWS_AS(Knowledge(3, {{0, 1}}, {{0, 1}}), std::invalid_argument);
  CHECK_THROWS_AS(Knowledge(3, {{0, 1}, {1, 0}}, {{0, 1}, {1, 0}}), std::invalid_argument);
  CHECK_THROWS_AS(Knowledge(3, {{0, 3}}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Knowledge(3, {}, {{1, 1}}), std::invalid_argument);
}

TEST_CASE("strong components are the sets of nodes that reach each other", "[graph]") {
  Generator generator(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + below(generator, 7);
    std::vector<std::vector<int>> children(n);
    std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
    for (int a = 0; a < n; ++a) {
      reach[a][a] = 1;
      for (int b = 0; b < n; ++b)
        if (a != b && coin(generator, 0.25)) {
          children[a].push_back(b);
          reach[a][b] = 1;
        }
    }
    for (int k = 0; k < n; ++k)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          if (reach[a][k] && reach[k][b]) reach[a][b] = 1;
    const std::vector<int> component = privpc::strong_components(children);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        REQUIRE((component[a] == component[b]) == (reach[a][b] && reach[b][a]));
      }
  }
}

TEST_CASE("d-separation equals separation in the moral ancestral graph", "[graph]") {
  Generator generator(12);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 2 + below(generator, 6);
    const Pdag dag = random_dag(generator, n, 0.2 + 0.1 * below(generator, 5));
    for (int x = 0; x < n; ++x)
      for (int y = 0; y < n; ++y)
        for (unsigned code = 0; code < (1U << n); ++code) {
          if (x == y || ((code >> x) & 1U) || ((code >> y) & 1U)) continue;
          const std::vector<int> given = members_of(code, n);
          REQUIRE(privpc::is_d_separated(dag, x, y, given) ==
                  separated_in_moral_graph(dag, x, y, given));
        }
  }
  CHECK_THROWS_AS(privpc::is_d_separated(Pdag(3), 0, 1, {1}), std::invalid_argument);
  CHECK_THROWS_AS(privpc::is_d_separated(Pdag(3), 0, 0, {}), std::invalid_argument);
}

TEST_CASE("the CPDAG of every DAG with four nodes is the union of its class", "[graph]") {
  int n_dags = 0;
  std::set<std::vector<int>> classes;
  for_each_dag(4, [&](const Pdag& dag) {
    ++n_dags;
    const Pdag cpdag = privpc::dag_to_cpdag(dag);
    REQUIRE(cpdag == class_graph(dag));
    REQUIRE(privpc::pdag_to_cpdag(cpdag).value() == cpdag);
    classes.insert(cpdag.to_matrix());
  });
  CHECK(n_dags == 543);          // Robinson's count
  CHECK(classes.size() == 185);  // OEIS A007984
}

TEST_CASE("CPDAGs of larger random DAGs are the union of their class", "[graph]") {
  Generator generator(13);
  for (int trial = 0; trial < 120; ++trial) {
    const int n = 5 + below(generator, 4);
    const Pdag dag = random_dag(generator, n, n > 6 ? 0.4 : 0.6);
    if (dag.directed_arcs().size() > 14) continue;
    REQUIRE(privpc::dag_to_cpdag(dag) == class_graph(dag));
  }
}

TEST_CASE("with knowledge the union runs over the members that obey it", "[graph]") {
  Generator generator(14);
  int n_with_more_arcs = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 4 + below(generator, 4);
    const Pdag dag = random_dag(generator, n, 0.65);
    if (dag.directed_arcs().size() > 13) continue;
    std::vector<Arc> required, forbidden;
    for (const Arc& arc : dag.directed_arcs()) {
      if (coin(generator, 0.15)) required.push_back(arc);
      if (coin(generator, 0.1)) forbidden.push_back({arc.to, arc.from});
    }
    const Pdag graph = privpc::dag_to_cpdag(dag, Knowledge(n, required, forbidden));
    REQUIRE(graph == class_graph(dag, required, forbidden));
    n_with_more_arcs += graph != privpc::dag_to_cpdag(dag);
  }
  CHECK(n_with_more_arcs > 50);
}

TEST_CASE("Meek's rule 4 is needed and applied", "[graph]") {
  // a - d, d -> c, c -> b, a - c, a - b, b and d not adjacent; a = 0, b = 1, c = 2, d = 3.
  Pdag graph(4);
  graph.add_undirected(0, 1);
  graph.add_undirected(0, 2);
  graph.add_undirected(0, 3);
  graph.add_directed(3, 2);
  graph.add_directed(2, 1);
  privpc::close_under_meek_rules(graph);
  CHECK(graph.is_directed(0, 1));
  CHECK(graph.is_undirected(0, 2));
  CHECK(graph.is_undirected(0, 3));
}

TEST_CASE("contradictory rules leave an edge undirected", "[graph]") {
  // 0 -> 1 - 2 <- 3 without other edges: rule 1 wants 1 -> 2 and 2 -> 1.
  Pdag graph(4);
  graph.add_directed(0, 1);
  graph.add_undirected(1, 2);
  graph.add_directed(3, 2);
  const Pdag before = graph;
  privpc::close_under_meek_rules(graph);
  CHECK(graph == before);
}

TEST_CASE("rules do not make a collider together that none makes alone", "[graph]") {
  // 0 -> 1 - 2 - 3 <- 4: rule 1 wants 1 -> 2 and 3 -> 2 in the same round.
  Pdag graph(5);
  graph.add_directed(0, 1);
  graph.add_undirected(1, 2);
  graph.add_undirected(2, 3);
  graph.add_directed(4, 3);
  const Pdag before = graph;
  privpc::close_under_meek_rules(graph);
  CHECK(graph == before);
}

TEST_CASE("an extension is found exactly when one exists", "[graph]") {
  Generator generator(15);
  int n_without = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = 3 + below(generator, 4);
    Pdag graph = random_skeleton(generator, n, 0.6);
    if (graph.undirected_edges().size() > 11) continue;
    for (const Arc& edge : graph.undirected_edges()) {
      const int choice = below(generator, 4);
      if (choice == 0) graph.orient(edge.from, edge.to);
      if (choice == 1) graph.orient(edge.to, edge.from);
    }
    const std::set<std::vector<int>> colliders = colliders_of(graph);
    const std::vector<Arc> arcs = graph.directed_arcs();
    bool exists = false;
    for (const Pdag& dag : all_dags_on(graph)) {
      exists = exists || (colliders_of(dag) == colliders && obeys(dag, arcs, {}));
    }
    const std::optional<Pdag> found = privpc::consistent_extension(graph);
    REQUIRE(found.has_value() == exists);
    n_without += !exists;
    if (found) {
      REQUIRE(privpc::is_acyclic(*found));
      REQUIRE(found->undirected_edges().empty());
      REQUIRE(colliders_of(*found) == colliders);
      REQUIRE(obeys(*found, arcs, {}));
    } else if (privpc::is_acyclic(graph)) {  // the fall-back
      const Pdag dag = privpc::extend_to_dag(graph, privpc::natural_rank(n)).dag;
      REQUIRE(privpc::is_acyclic(dag));
      REQUIRE(dag.undirected_edges().empty());
      REQUIRE(dag.skeleton() == graph.skeleton());
      REQUIRE(obeys(dag, arcs, {}));
    } else {
      REQUIRE_THROWS_AS(privpc::extend_to_dag(graph, privpc::natural_rank(n)),
                        std::invalid_argument);
    }
  }
  CHECK(n_without > 50);
}

TEST_CASE("orient() finds the CPDAG from d-separation facts", "[graph]") {
  Generator generator(16);
  for_each_dag(4, [&](const Pdag& dag) {
    const Pdag found = privpc::orient(dag.skeleton(), true_separations(generator, dag, true),
                                      Knowledge(4), privpc::natural_rank(4));
    REQUIRE(found == privpc::dag_to_cpdag(dag));
  });
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 5 + below(generator, 4);
    const Pdag dag = random_dag(generator, n, 0.2 + 0.1 * below(generator, 5));
    std::vector<Arc> required, forbidden;
    for (const Arc& arc : dag.directed_arcs()) {
      if (coin(generator, 0.1)) required.push_back(arc);
      if (coin(generator, 0.1)) forbidden.push_back({arc.to, arc.from});
    }
    const bool equal = coin(generator, 0.5);
    const std::vector<Separation> separations = true_separations(generator, dag, equal);
    const std::vector<int> rank = random_permutation(generator, n);
    REQUIRE(privpc::orient(dag.skeleton(), separations, Knowledge(n), rank) ==
            privpc::dag_to_cpdag(dag));
    const Knowledge knowledge(n, required, forbidden);
    REQUIRE(privpc::orient(dag.skeleton(), separations, knowledge, rank) ==
            privpc::dag_to_cpdag(dag, knowledge));
  }
}

TEST_CASE("orient() makes a valid graph of any input, whatever the order", "[graph]") {
  Generator generator(17);
  int n_equal_to_truth_free = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = 1 + below(generator, 9);
    const Pdag skeleton = random_skeleton(generator, n, 0.2 + 0.1 * below(generator, 6));
    const bool coarse = coin(generator, 0.5);  // many equal strengths
    std::vector<Separation> separations;
    std::vector<Arc> required, forbidden;
    const std::vector<int> known_order = random_permutation(generator, n);
    for (int x = 0; x < n; ++x)
      for (int y = 0; y < n; ++y) {
        if (x == y) continue;
        if (known_order[x] < known_order[y] && trial % 2 == 0) {
          if (skeleton.is_adjacent(x, y) && coin(generator, 0.1)) required.push_back({x, y});
          if (coin(generator, 0.1)) forbidden.push_back({y, x});
        }
        if (x > y || skeleton.is_adjacent(x, y) || coin(generator, 0.1)) continue;
        std::vector<int> given;
        for (int z = 0; z < n; ++z)
          if (z != x && z != y && coin(generator, 0.4)) given.push_back(z);
        const int steps = coarse ? 2 : 100000;
        separations.push_back({x, y, given, below(generator, steps) / static_cast<double>(steps)});
      }
    const Knowledge knowledge(n, required, forbidden);
    const std::vector<int> rank = random_permutation(generator, n);
    const Pdag found = privpc::orient(skeleton, separations, knowledge, rank);

    REQUIRE(found.skeleton() == skeleton);
    const std::optional<Pdag> dag = privpc::consistent_extension(found);
    REQUIRE(dag.has_value());
    REQUIRE(obeys(*dag, required, forbidden));
    REQUIRE(privpc::dag_to_cpdag(*dag, knowledge) == found);
    if (required.empty() && forbidden.empty()) {
      REQUIRE(privpc::pdag_to_cpdag(found).value() == found);
      ++n_equal_to_truth_free;
    }

    const std::vector<int> place = random_permutation(generator, n);
    std::vector<Separation> moved = separations;
    for (Separation& separation : moved) {
      separation.x = place[separation.x];
      separation.y = place[separation.y];
      if (coin(generator, 0.5)) std::swap(separation.x, separation.y);
      for (int& z : separation.given)
        z = place[z];
      std::shuffle(separation.given.begin(), separation.given.end(), generator);
    }
    std::shuffle(moved.begin(), moved.end(), generator);
    std::vector<int> moved_rank(rank.size());
    for (int a = 0; a < n; ++a)
      moved_rank[place[a]] = rank[a];
    const Knowledge moved_knowledge(n, permuted(required, place), permuted(forbidden, place));
    REQUIRE(privpc::orient(permuted(skeleton, place), moved, moved_knowledge, moved_rank) ==
            permuted(found, place));
  }
  CHECK(n_equal_to_truth_free > 1000);
}

TEST_CASE("the stronger of two contradictory colliders wins, equal ones cancel", "[graph]") {
  // The path 0 - 1 - 2 - 3: colliders at 1 and at 2 both need the edge 1 - 2.
  Pdag path(4);
  path.add_undirected(0, 1);
  path.add_undirected(1, 2);
  path.add_undirected(2, 3);
  const auto found = [&path](double strength_at_1, double strength_at_2) {
    return privpc::orient(path, {{0, 2, {}, strength_at_1}, {1, 3, {}, strength_at_2}},
                          Knowledge(4), privpc::natural_rank(4));
  };
  const Pdag at_1 = found(0.9, 0.5);
  CHECK(at_1.is_directed(0, 1));
  CHECK(at_1.is_directed(2, 1));
  CHECK(at_1.is_undirected(2, 3));
  const Pdag at_2 = found(0.5, 0.9);
  CHECK(at_2.is_directed(1, 2));
  CHECK(at_2.is_directed(3, 2));
  CHECK(at_2.is_undirected(0, 1));
  CHECK(found(0.5, 0.5) == path);

  // Only the two that contradict each other cancel: the cycle 1 -> 2 -> 4 -> 1 needs one of
  // them, so the colliders at 4 and at 1 (with 6) stay.
  Pdag ring(7);
  for (const Arc& edge : std::vector<Arc>{{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 5}, {4, 1}, {1, 6}}) {
    ring.add_undirected(edge.from, edge.to);
  }
  const Pdag rest =
      privpc::orient(ring, {{0, 2, {}, 1.0}, {1, 3, {}, 1.0}, {2, 5, {}, 1.0}, {4, 6, {}, 1.0}},
                     Knowledge(7), privpc::natural_rank(7));
  CHECK(rest.is_directed(2, 4));
  CHECK(rest.is_directed(5, 4));
  CHECK(rest.is_directed(4, 1));
  CHECK(rest.is_directed(6, 1));

  // Knowledge outweighs every collider.
  const Pdag known =
      privpc::orient(path, {{0, 2, {}, 1.0}}, Knowledge(4, {{1, 2}}, {}), privpc::natural_rank(4));
  CHECK(known.is_directed(1, 2));
  CHECK(known.is_directed(2, 3));
  CHECK(known.is_undirected(0, 1));
}

TEST_CASE("orient() refuses knowledge that does not fit", "[graph]") {
  Pdag triangle(3);
  triangle.add_undirected(0, 1);
  triangle.add_undirected(1, 2);
  triangle.add_undirected(0, 2);
  const std::vector<int> rank = privpc::natural_rank(3);
  CHECK_THROWS_AS(privpc::orient(triangle, {}, Knowledge(3, {{0, 1}, {1, 2}, {2, 0}}, {}), rank),
                  std::invalid_argument);
  CHECK_THROWS_AS(privpc::orient(triangle, {}, Knowledge(3, {}, {{0, 1}, {1, 0}}), rank),
                  std::invalid_argument);
  CHECK_THROWS_AS(privpc::orient(Pdag(3), {}, Knowledge(3, {{0, 1}}, {}), rank),
                  std::invalid_argument);
  CHECK_THROWS_AS(privpc::orient(triangle, {}, Knowledge(2), rank), std::invalid_argument);
  CHECK_THROWS_AS(privpc::orient(triangle, {{0, 3, {}, 1.0}}, Knowledge(3), rank),
                  std::invalid_argument);
}
