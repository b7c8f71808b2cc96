#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/meek.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

// "x and y are independent given `given`", found with the stated strength: any number that
// is larger for stronger evidence of independence, for instance the p-value of the test.
struct Separation {
  int x;
  int y;
  std::vector<int> given;
  double strength;
};

namespace detail {

struct ColliderCandidate {  // left -> centre <- right
  int left;
  int centre;
  int right;
  double strength;
};

inline double comparable(double strength) {
  return std::isnan(strength) ? -std::numeric_limits<double>::infinity() : strength;
}

// Every unshielded triple with a separation of its ends that leaves out its centre,
// strongest first.
inline std::vector<ColliderCandidate> collider_candidates(
    const Pdag& skeleton, const std::vector<Separation>& separations) {
  std::vector<ColliderCandidate> candidates;
  for (const Separation& separation : separations) {
    const int x = separation.x, y = separation.y;
    if (x < 0 || y < 0 || x >= skeleton.size() || y >= skeleton.size() || x == y) {
      throw std::invalid_argument("a separation must name two different nodes of the graph");
    }
    if (skeleton.is_adjacent(x, y)) continue;
    for (int centre : skeleton.neighbours(x)) {
      if (!skeleton.is_adjacent(centre, y)) continue;
      const std::vector<int>& given = separation.given;
      if (std::find(given.begin(), given.end(), centre) != given.end()) continue;
      candidates.push_back({x, centre, y, comparable(separation.strength)});
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const ColliderCandidate& a, const ColliderCandidate& b) {
              return a.strength > b.strength;
            });
  return candidates;
}

inline bool contradicts(const Pdag& graph, const ColliderCandidate& candidate) {
  return reaches(graph, candidate.centre, candidate.left) ||
         reaches(graph, candidate.centre, candidate.right);
}

// Accepts candidates of one and the same strength, as far as they fit to the graph and to
// each other. None of them has precedence: of those that disagree none is accepted.
inline void accept_equally_strong(Pdag& graph, std::vector<ColliderCandidate> group) {
  const auto drop_if = [&group](auto&& condition) {
    group.erase(std::remove_if(group.begin(), group.end(), condition), group.end());
  };
  const auto arcs_of_group = [&group] {
    std::vector<Arc> arcs;
    for (const ColliderCandidate& c : group) {
      arcs.push_back({c.left, c.centre});
      arcs.push_back({c.right, c.centre});
    }
    std::sort(arcs.begin(), arcs.end());
    return arcs;
  };

  drop_if([&graph](const ColliderCandidate& c) { return contradicts(graph, c); });
  if (group.size() > 1) {
    const std::vector<Arc> arcs = arcs_of_group();
    const auto wanted = [&arcs](int from, int to) {
      return std::binary_search(arcs.begin(), arcs.end(), Arc{from, to});
    };
    drop_if([&wanted](const ColliderCandidate& c) {
      return wanted(c.centre, c.left) || wanted(c.centre, c.right);
    });
    // No two of the rest want opposite directions, but several may form a directed cycle.
    const std::vector<int> component = strong_components_with(graph, arcs_of_group());
    const auto number = [&component](int node) {
      return component[static_cast<std::size_t>(node)];
    };
    drop_if([&number](const ColliderCandidate& c) {
      return number(c.centre) == number(c.left) || number(c.centre) == number(c.right);
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

// From the skeleton and the separating sets to a completed partially directed acyclic graph.
//
// 1. Knowledge comes first: a required arc gets its direction, and an edge with one
//    forbidden direction gets the other.
// 2. Colliders. Wherever x - z - y are joined, x and y are not adjacent, and the set that
//    separated x from y does not contain z, the data speak for x -> z <- y. These colliders
//    are accepted from the one with the strongest separation to the weakest. One that needs
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
// depends on the order of nodes or separations: `rank` (distinct numbers, from the names of
// the nodes) decides the ties of step 4. Steps 2 and 3 treat all nodes alike.
inline Pdag orient(const Pdag& skeleton, const std::vector<Separation>& separations,
                   const Knowledge& knowledge, const std::vector<int>& rank) {
  Pdag graph = skeleton.skeleton();
  detail::apply_knowledge(graph, knowledge);

  const std::vector<detail::ColliderCandidate> candidates =
      detail::collider_candidates(graph, separations);
  for (auto first = candidates.begin(); first != candidates.end();) {
    const auto last = std::find_if(first, candidates.end(), [first](const auto& candidate) {
      return candidate.strength < first->strength;
    });
    detail::accept_equally_strong(graph, {first, last});
    first = last;
  }

  close_under_meek_rules(graph);
  return dag_to_cpdag(extend_to_dag(graph, rank).dag, knowledge);
}

}  // namespace privpc
