// One graph for many: the edges that stand in enough of them, directed by what they agree on.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/graph_shares.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/orient.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/graph/separation.hpp"

namespace privpc {

// An edge stands if more than `threshold` of the graphs have it, or knowledge requires it. A triple
// x - z - y of such edges whose ends are not joined is a collider if more than half of the graphs
// in which it is unshielded say so; its support is the share of all graphs that do. Directions then
// follow as everywhere (orient.hpp), so that the answer is a valid CPDAG that obeys the knowledge.
inline Pdag consensus_graph(const std::vector<Pdag>& graphs, double threshold,
                            const Knowledge& knowledge) {
  const GraphShares shares(graphs);
  Pdag skeleton(knowledge.size());
  for (int x = 0; x < knowledge.size(); ++x) {
    for (int y = x + 1; y < knowledge.size(); ++y) {
      const bool often = !graphs.empty() && shares.edge(x, y) > threshold;
      const bool allowed = !knowledge.pair_is_forbidden(x, y);
      if ((often && allowed) || knowledge.pair_is_required(x, y)) skeleton.add_undirected(x, y);
    }
  }
  std::vector<Collider> colliders;
  for (int z = 0; z < skeleton.size(); ++z) {
    const std::vector<int>& near = skeleton.neighbours(z);
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (std::size_t j = i + 1; j < near.size(); ++j) {
        const int x = near[i], y = near[j];
        if (skeleton.is_adjacent(x, y)) continue;
        breathe();
        std::size_t unshielded = 0, collides = 0;
        for (const Pdag& graph : graphs) {
          if (!graph.is_adjacent(x, z) || !graph.is_adjacent(y, z) || graph.is_adjacent(x, y)) {
            continue;
          }
          ++unshielded;
          collides += graph.is_directed(x, z) && graph.is_directed(y, z);
        }
        if (2 * collides <= unshielded) continue;
        const double support = static_cast<double>(collides) / static_cast<double>(graphs.size());
        colliders.push_back({x, z, y, support});
      }
    }
  }
  return orient(skeleton, std::move(colliders), knowledge, natural_rank(skeleton.size()));
}

}  // namespace privpc
