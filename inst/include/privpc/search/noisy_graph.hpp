// From measurements to a graph: all that a learner does after measuring. The graph is a function of
// the measurements, the rules and the knowledge alone.
#pragma once

#include <numeric>
#include <vector>

#include "privpc/graph/orient.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct NoisyGraph {
  Skeleton skeleton;
  std::vector<Separation> colliders;  // what the orientation goes by: not what was found
  Pdag graph;
};

inline NoisyGraph learn_noisy_graph(const Measurements& store, const Knowledge& knowledge,
                                    const NoisyRules& rules, Monitor* monitor = nullptr) {
  NoisySkeleton search(store, knowledge, rules, monitor);
  search.examine_all_orders();
  Skeleton skeleton = search.result();
  std::vector<Separation> colliders = collider_evidence(search, skeleton);
  const int nodes = static_cast<int>(skeleton.neighbours.size());
  Pdag undirected(nodes);
  for (int x = 0; x < nodes; ++x) {
    for (int y : skeleton.neighbours[static_cast<std::size_t>(x)]) {
      if (x < y) undirected.add_undirected(x, y);
    }
  }
  std::vector<int> rank(static_cast<std::size_t>(nodes));
  std::iota(rank.begin(), rank.end(), 0);  // variables come sorted by name
  Pdag graph = orient(undirected, colliders, knowledge, rank);
  return {std::move(skeleton), std::move(colliders), std::move(graph)};
}

}  // namespace privpc
