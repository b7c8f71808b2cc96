// Graphs at random and all graphs of a kind, and what is true of them by definition: slow and
// simple.
#pragma once

#include <catch.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/orient.hpp"

namespace privpc_test {

using privpc::Arc;
using privpc::Knowledge;
using privpc::Pdag;
using privpc::Separation;
using Generator = std::mt19937;

inline int below(Generator& generator, int n) {
  return std::uniform_int_distribution<int>(0, n - 1)(generator);
}
inline bool coin(Generator& generator, double probability) {
  return std::bernoulli_distribution(probability)(generator);
}

inline std::vector<int> random_permutation(Generator& generator, int n) {
  std::vector<int> result = privpc::natural_rank(n);
  std::shuffle(result.begin(), result.end(), generator);
  return result;
}

inline Pdag random_dag(Generator& generator, int n, double density) {
  const std::vector<int> order = random_permutation(generator, n);
  Pdag dag(n);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (coin(generator, density)) dag.add_directed(order[i], order[j]);
  return dag;
}

inline Pdag random_skeleton(Generator& generator, int n, double density) {
  return random_dag(generator, n, density).skeleton();
}

// All DAGs with the given skeleton, by trying every direction of every edge.
inline std::vector<Pdag> all_dags_on(const Pdag& skeleton) {
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
inline std::set<std::vector<int>> colliders_of(const Pdag& graph) {
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

inline bool obeys(const Pdag& dag, const std::vector<Arc>& required,
                  const std::vector<Arc>& forbidden) {
  return std::all_of(required.begin(), required.end(),
                     [&](const Arc& arc) { return dag.is_directed(arc.from, arc.to); }) &&
         std::none_of(forbidden.begin(), forbidden.end(),
                      [&](const Arc& arc) { return dag.is_directed(arc.from, arc.to); });
}

// The union of the equivalence class: an edge is directed if all members agree.
inline Pdag class_graph(const Pdag& dag, const std::vector<Arc>& required = {},
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
inline bool separated_in_moral_graph(const Pdag& dag, int x, int y, const std::vector<int>& given) {
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

inline std::vector<int> members_of(unsigned code, int n) {
  std::vector<int> members;
  for (int node = 0; node < n; ++node)
    if ((code >> node) & 1U) members.push_back(node);
  return members;
}

// A true separating set of every pair that is not adjacent, drawn at random among all of
// them, with equal or random support.
inline std::vector<Separation> true_separations(Generator& generator, const Pdag& dag, bool equal) {
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
      const double support = equal ? 1.0 : below(generator, 1000) / 1000.0;
      privpc::VariableSet given;
      for (int z : sets[below(generator, static_cast<int>(sets.size()))])
        given.insert(static_cast<std::size_t>(z));
      separations.push_back(
          {static_cast<std::size_t>(x), static_cast<std::size_t>(y), given, support});
    }
  std::shuffle(separations.begin(), separations.end(), generator);
  return separations;
}

// What orient() makes of separations.
inline Pdag oriented(const Pdag& skeleton, const std::vector<Separation>& separations,
                     const Knowledge& knowledge, const std::vector<int>& rank) {
  return privpc::orient(skeleton, privpc::colliders_of(skeleton, separations), knowledge, rank);
}

// Every DAG with n nodes: every skeleton, every acyclic direction of its edges.
inline void for_each_dag(int n, const std::function<void(const Pdag&)>& action) {
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

inline Pdag permuted(const Pdag& graph, const std::vector<int>& place) {
  Pdag result(graph.size());
  for (const Arc& arc : graph.directed_arcs())
    result.add_directed(place[arc.from], place[arc.to]);
  for (const Arc& edge : graph.undirected_edges()) {
    result.add_undirected(place[edge.from], place[edge.to]);
  }
  return result;
}

inline std::vector<Arc> permuted(std::vector<Arc> arcs, const std::vector<int>& place) {
  for (Arc& arc : arcs)
    arc = {place[arc.from], place[arc.to]};
  return arcs;
}

}  // namespace privpc_test
