#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

struct Extension {
  Pdag dag;
  // No unshielded collider was added: the DAG is a consistent extension of the graph.
  bool consistent;
};

// Ranks 0, 1, 2, ...: ties are broken by the numbering of the nodes.
inline std::vector<int> natural_rank(int n_nodes) {
  std::vector<int> rank(static_cast<std::size_t>(n_nodes));
  std::iota(rank.begin(), rank.end(), 0);
  return rank;
}

// Directs every undirected edge such that a DAG results. After Dor & Tarsi (1992, "A simple
// algorithm to construct a consistent extension of a partially oriented graph", UCLA
// technical report R-185): take a node without outgoing arcs whose undirected neighbours
// are adjacent to all its other neighbours, point its undirected edges at it, remove it,
// and go on. A consistent extension exists exactly if such a node is always found.
//
// Where none is found, the node without outgoing arcs is taken whose removal adds the
// fewest unshielded colliders: the answer is then still a DAG with all arcs of the graph.
// Ties go to the smallest `rank` (distinct numbers, given by the caller from the names of
// the nodes) and not to the smallest number, so that the order of the columns is irrelevant.
inline Extension extend_to_dag(const Pdag& graph, const std::vector<int>& rank) {
  if (!is_acyclic(graph)) throw std::invalid_argument("the arcs contain a directed cycle");
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  const int n = graph.size();
  if (rank.size() != at(n)) throw std::invalid_argument("one rank per node is needed");
  Extension result{graph, true};
  std::vector<char> removed(at(n), 0);

  // Colliders y -> node <- w that pointing all undirected edges at `node` would add: pairs
  // of neighbours that are not adjacent, at least one of them joined by an undirected edge.
  const auto added_colliders = [&](int node) {
    breathe();
    std::int64_t count = 0;
    const std::vector<int>& all = graph.neighbours(node);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (removed[at(all[i])]) continue;
      const bool open = graph.is_undirected(node, all[i]);
      for (std::size_t j = i + 1; j < all.size(); ++j)
        if (!removed[at(all[j])] && (open || graph.is_undirected(node, all[j])) &&
            !graph.is_adjacent(all[i], all[j])) {
          ++count;
        }
    }
    return count;
  };

  std::vector<int> n_children(at(n), 0);
  for (const Arc& arc : graph.directed_arcs())
    ++n_children[at(arc.from)];
  using Candidate = std::tuple<std::int64_t, int, int>;  // colliders added, rank, node
  std::set<Candidate> sinks;
  std::vector<std::int64_t> cost(at(n), 0);
  const auto enter = [&](int node) {
    cost[at(node)] = added_colliders(node);
    sinks.insert(Candidate{cost[at(node)], rank[at(node)], node});
  };
  for (int a = 0; a < n; ++a)
    if (n_children[at(a)] == 0) enter(a);

  while (!sinks.empty()) {
    const auto [colliders, rank_of_node, node] = *sinks.begin();
    sinks.erase(sinks.begin());
    if (colliders > 0) result.consistent = false;
    removed[at(node)] = 1;
    for (int other : graph.neighbours(node)) {
      if (removed[at(other)]) continue;
      if (graph.is_directed(other, node)) {
        if (--n_children[at(other)] == 0) enter(other);
      } else {
        result.dag.orient(other, node);
        if (n_children[at(other)] > 0) continue;
        sinks.erase(Candidate{cost[at(other)], rank[at(other)], other});
        enter(other);
      }
    }
  }
  return result;
}

// The consistent extension if there is one.
inline std::optional<Pdag> consistent_extension(const Pdag& graph) {
  if (!is_acyclic(graph)) return std::nullopt;
  Extension extension = extend_to_dag(graph, natural_rank(graph.size()));
  if (!extension.consistent) return std::nullopt;
  return std::move(extension.dag);
}

}  // namespace privpc
