#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/meek.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/graph/separation.hpp"

namespace privpc {

namespace detail {

inline bool contradicts(const Pdag& graph, const Collider& candidate) {
  breathe();  // a walk through the graph, for every candidate
  return reaches(graph, candidate.centre, candidate.x) ||
         reaches(graph, candidate.centre, candidate.y);
}

// Accepts candidates of one and the same support, as far as they fit to the graph and to
// each other. None of them has precedence: of those that disagree none is accepted.
inline void accept_equally_supported(Pdag& graph, std::vector<Collider> group) {
  const auto drop_if = [&group](auto&& condition) {
    group.erase(std::remove_if(group.begin(), group.end(), condition), group.end());
  };
  const auto arcs_of_group = [&group] {
    std::vector<Arc> arcs;
    for (const Collider& c : group) {
      arcs.push_back({c.x, c.centre});
      arcs.push_back({c.y, c.centre});
    }
    std::sort(arcs.begin(), arcs.end());
    return arcs;
  };

  drop_if([&graph](const Collider& c) { return contradicts(graph, c); });
  if (group.size() > 1) {
    const std::vector<Arc> arcs = arcs_of_group();
    const auto wanted = [&arcs](int from, int to) {
      return std::binary_search(arcs.begin(), arcs.end(), Arc{from, to});
    };
    drop_if(
        [&wanted](const Collider& c) { return wanted(c.centre, c.x) || wanted(c.centre, c.y); });
    // No two of the rest want opposite directions, but several may form a directed cycle.
    const std::vector<int> component = strong_components_with(graph, arcs_of_group());
    const auto number = [&component](int node) {
      return component[static_cast<std::size_t>(node)];
    };
    drop_if([&number](const Collider& c) {
      return number(c.centre) == number(c.x) || number(c.centre) == number(c.y);
    });
  }
  for (const Arc& arc : arcs_of_group())
    graph.orient(arc.from, arc.to);
}

inline void apply_knowledge(Pdag& graph, const Knowledge& knowledge) {
  if (knowledge.size() != graph.size()) {
    throw std::invalid_argument("knowledge and graph have different numbers of nodes");
  }
  if (knowledge.empty()) return;
  for (int a = 0; a < graph.size(); ++a)
    for (int b = 0; b < graph.size(); ++b) {
      if (a == b) continue;
      if (!graph.is_adjacent(a, b)) {
        if (knowledge.pair_is_required(a, b)) {
          throw std::invalid_argument("a required pair is not adjacent in the skeleton");
        }
        continue;
      }
      if (knowledge.pair_is_forbidden(a, b)) {
        throw std::invalid_argument("a forbidden pair is adjacent in the skeleton");
      }
      if (knowledge.arc_is_forced(a, b)) graph.orient(a, b);
    }
  if (!is_acyclic(graph)) {
    throw std::invalid_argument("the required and forbidden arcs force a directed cycle");
  }
}

}  // namespace detail

// From the skeleton and the colliders that something speaks for (separation.hpp) to a completed
// partially directed acyclic graph.
//
// 1. Knowledge comes first: a required arc gets its direction, and an edge with one
//    forbidden direction gets the other.
// 2. Colliders x -> z <- y are accepted from the one with the strongest support to the weakest.
//    One that needs
//    an arc against the direction that a stronger collider or the knowledge has already
//    given, or that would close a directed cycle with them, is not accepted. Of several
//    equally strong ones that contradict each other none is accepted. A pair that was never
//    tested because it is forbidden says nothing about colliders.
// 3. Consequences: Meek's rules, applied until nothing changes. An edge to which they give
//    both directions stays undirected.
// 4. A DAG is built that has all the arcs found so far and, if possible, no further
//    unshielded collider; if there is no such DAG, one with few further ones.
// 5. The answer is the graph of all DAGs that have the same edges and unshielded colliders
//    as this DAG and obey the knowledge: what they agree on is directed, the rest is not.
//
// So whatever the tests said, the answer is a valid CPDAG (with knowledge: a maximally
// oriented one), has exactly the edges of the skeleton, no directed cycle and no bidirected
// edge; and if the tests told the truth about a DAG, it is the CPDAG of that DAG. Nothing
// depends on the order of nodes or colliders: `rank` (distinct numbers, from the names of
// the nodes) decides the ties of step 4. Steps 2 and 3 treat all nodes alike.
inline Pdag orient(const Pdag& skeleton, std::vector<Collider> candidates,
                   const Knowledge& knowledge, const std::vector<int>& rank) {
  Pdag graph = skeleton.skeleton();
  detail::apply_knowledge(graph, knowledge);

  std::sort(candidates.begin(), candidates.end(),
            [](const Collider& a, const Collider& b) { return a.support > b.support; });
  for (auto first = candidates.begin(); first != candidates.end();) {
    const auto last = std::find_if(first, candidates.end(), [first](const auto& candidate) {
      return candidate.support < first->support;
    });
    detail::accept_equally_supported(graph, {first, last});
    first = last;
  }

  close_under_meek_rules(graph);
  return dag_to_cpdag(extend_to_dag(graph, rank).dag, knowledge);
}

}  // namespace privpc
