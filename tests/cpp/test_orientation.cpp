// orient(): true separations give the CPDAG, contradictory ones still a valid graph.
#include <catch.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph_oracles.h"

using namespace privpc_test;

TEST_CASE("orient() finds the CPDAG from d-separation facts", "[graph]") {
  Generator generator(16);
  for_each_dag(4, [&](const Pdag& dag) {
    const Pdag found = oriented(dag.skeleton(), true_separations(generator, dag, true),
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
    REQUIRE(oriented(dag.skeleton(), separations, Knowledge(n), rank) == privpc::dag_to_cpdag(dag));
    const Knowledge knowledge(n, required, forbidden);
    REQUIRE(oriented(dag.skeleton(), separations, knowledge, rank) ==
            privpc::dag_to_cpdag(dag, knowledge));
  }
}

TEST_CASE("orient() makes a valid graph of any input, whatever the order", "[graph]") {
  Generator generator(17);
  int n_equal_to_truth_free = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = 1 + below(generator, 9);
    const Pdag skeleton = random_skeleton(generator, n, 0.2 + 0.1 * below(generator, 6));
    const bool coarse = coin(generator, 0.5);  // many of equal support
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
        privpc::VariableSet given;
        for (int z = 0; z < n; ++z)
          if (z != x && z != y && coin(generator, 0.4)) given.insert(static_cast<std::size_t>(z));
        const int steps = coarse ? 2 : 100000;
        separations.push_back({static_cast<std::size_t>(x), static_cast<std::size_t>(y), given,
                               below(generator, steps) / static_cast<double>(steps)});
      }
    const Knowledge knowledge(n, required, forbidden);
    const std::vector<int> rank = random_permutation(generator, n);
    const Pdag found = oriented(skeleton, separations, knowledge, rank);

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
      const auto moved_to = [&](std::size_t node) { return static_cast<std::size_t>(place[node]); };
      separation.x = moved_to(separation.x);
      separation.y = moved_to(separation.y);
      if (coin(generator, 0.5)) std::swap(separation.x, separation.y);
      privpc::VariableSet given;
      for (auto z : separation.given)
        given.insert(moved_to(z));
      separation.given = given;
    }
    std::shuffle(moved.begin(), moved.end(), generator);
    std::vector<int> moved_rank(rank.size());
    for (int a = 0; a < n; ++a)
      moved_rank[place[a]] = rank[a];
    const Knowledge moved_knowledge(n, permuted(required, place), permuted(forbidden, place));
    REQUIRE(oriented(permuted(skeleton, place), moved, moved_knowledge, moved_rank) ==
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
  const auto found = [&path](double support_at_1, double support_at_2) {
    return oriented(path, {{0, 2, {}, support_at_1}, {1, 3, {}, support_at_2}}, Knowledge(4),
                    privpc::natural_rank(4));
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
      oriented(ring, {{0, 2, {}, 1.0}, {1, 3, {}, 1.0}, {2, 5, {}, 1.0}, {4, 6, {}, 1.0}},
               Knowledge(7), privpc::natural_rank(7));
  CHECK(rest.is_directed(2, 4));
  CHECK(rest.is_directed(5, 4));
  CHECK(rest.is_directed(4, 1));
  CHECK(rest.is_directed(6, 1));

  // Knowledge outweighs every collider.
  const Pdag known =
      oriented(path, {{0, 2, {}, 1.0}}, Knowledge(4, {{1, 2}}, {}), privpc::natural_rank(4));
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
  CHECK_THROWS_AS(oriented(triangle, {}, Knowledge(3, {{0, 1}, {1, 2}, {2, 0}}, {}), rank),
                  std::invalid_argument);
  CHECK_THROWS_AS(oriented(triangle, {}, Knowledge(3, {}, {{0, 1}, {1, 0}}), rank),
                  std::invalid_argument);
  CHECK_THROWS_AS(oriented(Pdag(3), {}, Knowledge(3, {{0, 1}}, {}), rank), std::invalid_argument);
  CHECK_THROWS_AS(oriented(triangle, {}, Knowledge(2), rank), std::invalid_argument);
  CHECK_THROWS_AS(oriented(triangle, {{0, 3, {}, 1.0}}, Knowledge(3), rank), std::invalid_argument);
}
