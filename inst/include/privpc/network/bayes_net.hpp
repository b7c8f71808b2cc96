// A discrete Bayesian network: variables, their parents, their conditional probability tables.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace privpc {

struct NetworkNode {
  std::string name;
  std::vector<std::string> levels;
  std::vector<std::size_t> parents;
  // P(node | parents). The node's level varies fastest, then the first parent's, and so on: the
  // memory layout of an R array with dimensions (node, first parent, second parent, ...).
  std::vector<double> probabilities;
};

// A written distribution may miss a sum of one by 0.01, because its numbers were rounded
// (bnlearn's reader allows the same). It is then divided by its sum. The little more lets
// 0.33 + 0.33 + 0.33 pass, whose floating-point sum is just outside.
inline constexpr double distribution_tolerance = 0.01 + 1e-9;

struct BayesNet {
  std::string name;
  std::vector<NetworkNode> nodes;

  // Number of joint configurations of a node's parents; one for a root. Saturates instead of
  // overflowing, so that a caller can compare it with a limit.
  std::size_t configurations(std::size_t node) const {
    std::size_t product = 1;
    for (const std::size_t parent : nodes[node].parents) {
      const std::size_t count = nodes[parent].levels.size();
      if (count != 0 && product > std::numeric_limits<std::size_t>::max() / count) {
        return std::numeric_limits<std::size_t>::max();
      }
      product *= count;
    }
    return product;
  }

  // Nodes with every parent before its children. Shorter than `nodes` when there is a directed
  // cycle: nodes on a cycle, or below one, are missing (Kahn 1962).
  std::vector<std::size_t> topological_order() const {
    std::vector<std::size_t> waiting_for(nodes.size());
    std::vector<std::vector<std::size_t>> children(nodes.size());
    std::vector<std::size_t> order;
    order.reserve(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      waiting_for[node] = nodes[node].parents.size();
      for (const std::size_t parent : nodes[node].parents)
        children[parent].push_back(node);
      if (waiting_for[node] == 0) order.push_back(node);
    }
    for (std::size_t done = 0; done < order.size(); ++done) {
      for (const std::size_t child : children[order[done]]) {
        if (--waiting_for[child] == 0) order.push_back(child);
      }
    }
    return order;
  }

  // The nodes of one directed cycle, in the direction of its arcs; empty when there is none.
  std::vector<std::size_t> find_cycle() const {
    std::vector<bool> is_ordered(nodes.size(), false);
    for (const std::size_t node : topological_order())
      is_ordered[node] = true;
    std::size_t node = 0;
    while (node < nodes.size() && is_ordered[node])
      ++node;
    if (node == nodes.size()) return {};
    // Every node left out has a parent left out: walking up must come back to where it was.
    constexpr std::size_t not_visited = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> visited_at(nodes.size(), not_visited);
    std::vector<std::size_t> walk;
    while (visited_at[node] == not_visited) {
      visited_at[node] = walk.size();
      walk.push_back(node);
      for (const std::size_t parent : nodes[node].parents) {
        if (!is_ordered[parent]) {
          node = parent;
          break;
        }
      }
    }
    using Offset = std::vector<std::size_t>::difference_type;
    return std::vector<std::size_t>(walk.rbegin(),
                                    walk.rend() - static_cast<Offset>(visited_at[node]));
  }

  // Throws std::invalid_argument, naming the node, unless the network can be simulated from.
  void validate() const {
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const NetworkNode& self = nodes[node];
      if (self.levels.empty())
        throw std::invalid_argument("Node `" + self.name + "` has no levels");
      for (const std::size_t parent : self.parents) {
        if (parent >= nodes.size()) {
          throw std::invalid_argument("Node `" + self.name + "` has a parent that is no node");
        }
      }
    }
    for (std::size_t node = 0; node < nodes.size(); ++node)
      validate_probabilities(node);
    if (topological_order().size() != nodes.size()) {
      throw std::invalid_argument("The arcs form a directed cycle");
    }
  }

 private:
  void validate_probabilities(std::size_t node) const {
    const NetworkNode& self = nodes[node];
    const std::size_t level_count = self.levels.size();
    if (self.probabilities.size() % level_count != 0 ||
        self.probabilities.size() / level_count != configurations(node)) {
      throw std::invalid_argument("The probability table of node `" + self.name +
                                  "` does not have one number per level and parent configuration");
    }
    for (std::size_t first = 0; first < self.probabilities.size(); first += level_count) {
      double sum = 0.0;
      for (std::size_t level = 0; level < level_count; ++level) {
        const double p = self.probabilities[first + level];
        if (!(p >= 0.0) || std::isinf(p)) {
          throw std::invalid_argument("The probability table of node `" + self.name +
                                      "` holds a number that is no probability");
        }
        sum += p;
      }
      if (!(std::fabs(sum - 1.0) <= distribution_tolerance)) {
        throw std::invalid_argument("A distribution of node `" + self.name +
                                    "` does not sum to one");
      }
    }
  }
};

}  // namespace privpc
