#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

namespace detail {

// Every direction that one of Meek's rules gives to an undirected edge because of the arc
// from -> to. The rules (Meek 1995, "Causal inference and causal explanation with
// background knowledge", UAI), each turning a - b into a -> b:
//   1. c -> a, and c is not adjacent to b                     (else a new collider at a)
//   2. a -> c -> b                                            (else a cycle)
//   3. a - c -> b and a - d -> b, c and d not adjacent        (else a cycle or a collider)
//   4. a - d -> c -> b, a adjacent to c, d not adjacent to b  (else a cycle or a collider)
inline void collect_implied(const Pdag& graph, const Arc& arc, std::vector<Arc>& implied) {
  const int tail = arc.from, head = arc.to;
  for (int b : graph.neighbours(head)) {
    // Rule 1, the arc being c -> a.
    if (graph.is_undirected(head, b) && !graph.is_adjacent(tail, b)) implied.push_back({head, b});
    // Rule 2, the arc being a -> c.
    if (graph.is_directed(head, b) && graph.is_undirected(tail, b)) implied.push_back({tail, b});
  }
  for (int a : graph.neighbours(tail)) {
    if (a == head || !graph.is_adjacent(a, head)) continue;
    // Rule 2, the arc being c -> b.
    if (graph.is_directed(a, tail) && graph.is_undirected(a, head)) implied.push_back({a, head});
    // Rule 3, the arc being c -> b.
    if (graph.is_undirected(a, tail) && graph.is_undirected(a, head)) {
      for (int d : graph.neighbours(head))
        if (graph.is_directed(d, head) && graph.is_undirected(a, d) &&
            !graph.is_adjacent(d, tail) && d != tail) {
          implied.push_back({a, head});
        }
    }
    // Rule 4, the arc being d -> c.
    if (graph.is_undirected(a, tail)) {
      for (int b : graph.neighbours(head))
        if (graph.is_directed(head, b) && graph.is_undirected(a, b) &&
            !graph.is_adjacent(tail, b)) {
          implied.push_back({a, b});
        }
    }
    // Rule 4, the arc being c -> b.
    if (graph.is_undirected(a, head)) {
      for (int d : graph.neighbours(tail))
        if (graph.is_directed(d, tail) && graph.is_undirected(a, d) &&
            !graph.is_adjacent(d, head)) {
          implied.push_back({a, head});
        }
    }
  }
}

}  // namespace detail

// Applies the four rules until none applies. Work proceeds in rounds, each looking only at
// the arcs that the round before brought.
//
// On a graph that has a consistent extension the rules never disagree and the guard below
// never acts. On one that has none (possible with wrong test results) rules can contradict
// each other; an edge which they want both ways, or whose direction would close a directed
// cycle or make a new unshielded collider together with others of the same round, is left
// undirected for good. All of these at once, so that the result does not depend on the
// numbering of the nodes.
inline void close_under_meek_rules(Pdag& graph) {
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  const auto as_edge = [](const Arc& arc) {
    return Arc{std::min(arc.from, arc.to), std::max(arc.from, arc.to)};
  };
  std::set<Arc> contested;
  std::vector<Arc> fresh = graph.directed_arcs();
  while (!fresh.empty()) {
    std::vector<Arc> implied;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (i % 64 == 63) breathe();
      detail::collect_implied(graph, fresh[i], implied);
    }
    std::sort(implied.begin(), implied.end());
    implied.erase(std::unique(implied.begin(), implied.end()), implied.end());

    std::vector<Arc> one_way;
    for (const Arc& arc : implied) {
      if (std::binary_search(implied.begin(), implied.end(), Arc{arc.to, arc.from})) {
        contested.insert(as_edge(arc));
      }
      if (contested.count(as_edge(arc)) == 0) one_way.push_back(arc);
    }

    std::vector<Arc> acyclic;
    const std::vector<int> component = strong_components_with(graph, one_way);
    for (const Arc& arc : one_way) {
      if (component[at(arc.from)] == component[at(arc.to)]) {
        contested.insert(as_edge(arc));
      } else {
        acyclic.push_back(arc);
      }
    }

    std::vector<std::vector<int>> parents_to_be(at(graph.size()));
    for (const Arc& arc : acyclic) {
      std::vector<int>& parents = parents_to_be[at(arc.to)];
      if (parents.empty()) parents = graph.parents(arc.to);
      parents.push_back(arc.from);
    }
    fresh.clear();
    for (const Arc& arc : acyclic) {
      const std::vector<int>& parents = parents_to_be[at(arc.to)];
      const bool new_collider =
          std::any_of(parents.begin(), parents.end(), [&graph, &arc](int parent) {
            return parent != arc.from && !graph.is_adjacent(parent, arc.from);
          });
      if (new_collider) {
        contested.insert(as_edge(arc));
      } else {
        fresh.push_back(arc);
      }
    }
    for (const Arc& arc : fresh)
      graph.orient(arc.from, arc.to);
  }
}

}  // namespace privpc
