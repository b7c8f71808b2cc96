#pragma once

#include <array>
#include <stdexcept>
#include <vector>

#include "privpc/graph/pdag.hpp"

namespace privpc {

// Are x and y d-separated by `given` in the DAG? One pass over the arcs, after the
// reachability form of the Bayes ball (Koller & Friedman 2009, Probabilistic Graphical
// Models, algorithm 3.1): walk the trails from x, remembering for each node whether it was
// entered along an arc (from a parent) or against one (from a child). A collider lets the
// walk through exactly when it is in `given` or has a descendant there.
inline bool is_d_separated(const Pdag& dag, int x, int y, const std::vector<int>& given) {
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  const std::size_t n = at(dag.size());
  if (x == y) throw std::invalid_argument("d-separation is asked of two different nodes");

  std::vector<char> in_given(n, 0), is_ancestor(n, 0);  // ancestors of `given`, itself included
  std::vector<int> stack(given);
  for (int z : given)
    in_given[at(z)] = is_ancestor[at(z)] = 1;
  if (in_given[at(x)] || in_given[at(y)]) {
    throw std::invalid_argument("a separating set cannot contain the pair it separates");
  }
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    for (int parent : dag.neighbours(node)) {
      if (!dag.is_directed(parent, node) || is_ancestor[at(parent)]) continue;
      is_ancestor[at(parent)] = 1;
      stack.push_back(parent);
    }
  }

  enum Entered : std::size_t { from_child = 0, from_parent = 1 };
  struct Visit {
    int node;
    Entered entered;
  };
  std::vector<std::array<char, 2>> seen(n, {{0, 0}});
  std::vector<Visit> walk{{x, from_child}};
  while (!walk.empty()) {
    const Visit visit = walk.back();
    walk.pop_back();
    char& been_here = seen[at(visit.node)][visit.entered];
    if (been_here) continue;
    been_here = 1;
    if (visit.node == y) return false;
    const bool blocked = in_given[at(visit.node)] != 0;
    for (int next : dag.neighbours(visit.node)) {
      const bool is_child = dag.is_directed(visit.node, next);
      // Entered and left through arrows into the node: a collider. Otherwise not one.
      const bool collider = visit.entered == from_parent && !is_child;
      const bool open = collider ? is_ancestor[at(visit.node)] != 0 : !blocked;
      if (open) walk.push_back({next, is_child ? from_parent : from_child});
    }
  }
  return true;
}

}  // namespace privpc
