// The partial ancestral graph of a DAG some of whose nodes are hidden: what FCI finds if every
// question of independence is answered right.
//
// No search is needed. If any set of observed nodes separates two of them, their observed ancestors
// do (Richardson and Spirtes 2002, Annals of Statistics 30, theorem 4.2 and corollary 3.3), and
// which set is known makes no difference for the rules: a node between two separated ones is in all
// of them or in none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/fci.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

namespace detail {

// For each node, the nodes it comes from, itself included.
inline std::vector<std::vector<char>> ancestors_of_all(const Pdag& dag) {
  const auto n = static_cast<std::size_t>(dag.size());
  std::vector<std::vector<char>> is_ancestor(n, std::vector<char>(n, 0));
  for (std::size_t node = 0; node < n; ++node) {
    breathe();
    std::vector<int> stack{static_cast<int>(node)};
    is_ancestor[node][node] = 1;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (int parent : dag.parents(at)) {
        char& known = is_ancestor[node][static_cast<std::size_t>(parent)];
        if (!known) stack.push_back(parent);
        known = 1;
      }
    }
  }
  return is_ancestor;
}

}  // namespace detail

// The nodes of the graph are the observed ones, in the order given.
inline Pag true_pag(const Pdag& dag, const std::vector<int>& observed) {
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  for (int node : observed) {
    if (node < 0 || node >= dag.size()) {
      throw std::invalid_argument("an observed node is not in the graph");
    }
  }
  const std::vector<std::vector<char>> is_ancestor = detail::ancestors_of_all(dag);
  const int n = static_cast<int>(observed.size());
  Pag skeleton(n);
  Separators separators;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < y; ++x) {
      breathe();
      std::vector<int> places, given;
      for (int z = 0; z < n; ++z) {
        const int node = observed[at(z)];
        if (z == x || z == y) continue;
        if (!is_ancestor[at(observed[at(x)])][at(node)] &&
            !is_ancestor[at(observed[at(y)])][at(node)])
          continue;
        places.push_back(z);
        given.push_back(node);
      }
      if (is_d_separated(dag, observed[at(x)], observed[at(y)], given)) {
        separators.set(x, y, std::move(places));
      } else {
        skeleton.connect(x, y);
      }
    }
  }
  return fci(std::move(skeleton), std::move(separators), nullptr, false);
}

}  // namespace privpc
