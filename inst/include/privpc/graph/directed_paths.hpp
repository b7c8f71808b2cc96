#pragma once

#include <algorithm>
#include <vector>

#include "privpc/graph/pdag.hpp"

namespace privpc {

// Is there a path from -> ... -> to along directed arcs (of length zero if from == to)?
inline bool reaches(const Pdag& graph, int from, int to) {
  if (from == to) return true;
  std::vector<char> seen(static_cast<std::size_t>(graph.size()), 0);
  std::vector<int> stack{from};
  seen[static_cast<std::size_t>(from)] = 1;
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    for (int next : graph.neighbours(node)) {
      if (seen[static_cast<std::size_t>(next)] || !graph.is_directed(node, next)) continue;
      if (next == to) return true;
      seen[static_cast<std::size_t>(next)] = 1;
      stack.push_back(next);
    }
  }
  return false;
}

// The directed arcs contain no cycle (undirected edges play no part).
inline bool is_acyclic(const Pdag& graph) {
  std::vector<int> n_parents(static_cast<std::size_t>(graph.size()), 0);
  for (const Arc& arc : graph.directed_arcs())
    ++n_parents[static_cast<std::size_t>(arc.to)];
  std::vector<int> ready;
  for (int a = 0; a < graph.size(); ++a)
    if (n_parents[static_cast<std::size_t>(a)] == 0) ready.push_back(a);
  int n_sorted = 0;
  while (!ready.empty()) {
    const int node = ready.back();
    ready.pop_back();
    ++n_sorted;
    for (int child : graph.children(node))
      if (--n_parents[static_cast<std::size_t>(child)] == 0) ready.push_back(child);
  }
  return n_sorted == graph.size();
}

// Strongly connected components (Tarjan 1972, without recursion so that a long chain does
// not exhaust the stack). An arc lies on a directed cycle exactly when both its ends have
// the same component number.
inline std::vector<int> strong_components(const std::vector<std::vector<int>>& children) {
  const std::size_t n = children.size();
  std::vector<int> component(n, -1), index(n, -1), low(n, 0);
  std::vector<std::size_t> next_child(n, 0);
  std::vector<int> open, path;
  int n_visited = 0, n_components = 0;
  const auto at = [](int node) { return static_cast<std::size_t>(node); };

  for (int root = 0; root < static_cast<int>(n); ++root) {
    if (index[at(root)] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int node = path.back();
      if (index[at(node)] < 0) {
        index[at(node)] = low[at(node)] = n_visited++;
        open.push_back(node);
      }
      if (next_child[at(node)] < children[at(node)].size()) {
        const int child = children[at(node)][next_child[at(node)]++];
        if (index[at(child)] < 0) {
          path.push_back(child);
        } else if (component[at(child)] < 0) {
          low[at(node)] = std::min(low[at(node)], index[at(child)]);
        }
        continue;
      }
      if (low[at(node)] == index[at(node)]) {
        int member;
        do {
          member = open.back();
          open.pop_back();
          component[at(member)] = n_components;
        } while (member != node);
        ++n_components;
      }
      path.pop_back();
      if (!path.empty()) {
        low[at(path.back())] = std::min(low[at(path.back())], low[at(node)]);
      }
    }
  }
  return component;
}

// The components that result if `extra` arcs join the directed arcs of `graph`.
inline std::vector<int> strong_components_with(const Pdag& graph, const std::vector<Arc>& extra) {
  std::vector<std::vector<int>> children(static_cast<std::size_t>(graph.size()));
  for (const Arc& arc : graph.directed_arcs()) {
    children[static_cast<std::size_t>(arc.from)].push_back(arc.to);
  }
  for (const Arc& arc : extra)
    children[static_cast<std::size_t>(arc.from)].push_back(arc.to);
  return strong_components(children);
}

}  // namespace privpc
