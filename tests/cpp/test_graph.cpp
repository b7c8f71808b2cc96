// The graph room against brute force: every DAG with four nodes, and random larger ones.
#include <catch.h>

#include <algorithm>
#include <set>
#include <vector>

#include "graph_oracles.h"

using namespace privpc_test;

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
