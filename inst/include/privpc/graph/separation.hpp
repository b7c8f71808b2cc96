// What a search found out about pairs that are not adjacent, and what may be concluded from it.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "privpc/graph/pdag.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

// "x and y are independent given `given`": something that a test said.
struct Separation {
  std::size_t x;
  std::size_t y;
  VariableSet given;
  // How far it is to be believed: larger is better, comparable within one search only. What it is
  // depends on the learner: a p-value, the evidence for independence, or 0 where all are alike.
  double support = 0;
  // Most cells were empty, so that nothing else could have been said: no ground for directions.
  bool by_empty_cells = false;
};

// x -> centre <- y may be so, with the support of what speaks for it. This is a conclusion, not
// something that was tested: rules that reason with independences must not take it for one.
struct Collider {
  int x;
  int centre;
  int y;
  double support;
};

// Every unshielded triple whose ends were separated by a set that leaves out its centre.
inline std::vector<Collider> colliders_of(const Pdag& skeleton,
                                          const std::vector<Separation>& separations) {
  const auto nodes = static_cast<std::size_t>(skeleton.size());
  std::vector<Collider> colliders;
  for (const Separation& separation : separations) {
    if (separation.x >= nodes || separation.y >= nodes || separation.x == separation.y) {
      throw std::invalid_argument("a separation must name two different nodes of the graph");
    }
    if (separation.by_empty_cells) continue;
    const int x = static_cast<int>(separation.x), y = static_cast<int>(separation.y);
    if (skeleton.is_adjacent(x, y)) continue;
    const double support = std::isnan(separation.support) ? -std::numeric_limits<double>::infinity()
                                                          : separation.support;
    for (int centre : skeleton.neighbours(x)) {
      if (!skeleton.is_adjacent(centre, y)) continue;
      if (separation.given.contains(static_cast<std::size_t>(centre))) continue;
      colliders.push_back({x, centre, y, support});
    }
  }
  return colliders;
}

}  // namespace privpc
