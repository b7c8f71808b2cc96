// What a tree of measured pairs says about all other pairs: variables depend on each other only
// along its paths. The second model that pairs are compared with (select_pairs.hpp);
// post-processing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/statistic/pair_scores.hpp"

namespace privpc {

class TreeModel {
 public:
  TreeModel(const Measurements& store, const std::vector<NodePair>& tree)
      : parent_(store.schema().size()), depth_(parent_.size(), 0), shares_(parent_.size()) {
    std::vector<std::vector<std::size_t>> neighbours(parent_.size());
    for (const NodePair& pair : tree) {
      neighbours[pair.x].push_back(pair.y);
      neighbours[pair.y].push_back(pair.x);
    }
    for (std::size_t v = 0; v < parent_.size(); ++v) {
      parent_[v] = v;
      if (store.schema().levels(v) > 0) shares_[v] = positive_shares(store, VariableSet{v});
    }
    root_the_tree(neighbours);
    for (const NodePair& pair : tree) {
      const VariableSet set{pair.x, pair.y};
      const std::vector<double> joint = positive_shares(store, set);
      const std::size_t first = set[0], second = set[1], k = shares_[first].size();
      std::vector<double> transposed(joint.size());
      for (std::size_t c = 0; c < joint.size(); ++c)
        transposed[c % (joint.size() / k) * k + c / (joint.size() / k)] = joint[c];
      steps_[{first, second}] = given_the_row(joint, k);
      steps_[{second, first}] = given_the_row(transposed, joint.size() / k);
    }
  }

  // Expected shares of the table of x and y, y running fastest: the distribution of x, carried from
  // variable to variable along the path to y. Independent where there is no path.
  std::vector<double> operator()(std::size_t x, std::size_t y) const {
    const std::vector<std::size_t> path = path_between(x, y);
    const std::size_t rows = shares_[x].size();
    std::vector<double> table;
    if (path.empty()) {
      for (double p : shares_[x]) {
        for (double q : shares_[y])
          table.push_back(p * q);
      }
      return table;
    }
    table.assign(rows * rows, 0);
    for (std::size_t i = 0; i < rows; ++i)
      table[i * rows + i] = shares_[x][i];
    for (std::size_t at = 1; at < path.size(); ++at)
      table = product(table, steps_.at({path[at - 1], path[at]}), shares_[path[at - 1]].size());
    return table;
  }

 private:
  // Noise may make shares negative, and nothing can be said given a level that never occurs.
  static std::vector<double> positive_shares(const Measurements& store, const VariableSet& set) {
    constexpr double least = 1e-4;
    std::vector<double> shares = reconstruct(store, set).shares;
    double sum = 0;
    for (double& share : shares)
      sum += share = std::max(share, least);
    for (double& share : shares)
      share /= sum;
    return shares;
  }

  static std::vector<double> given_the_row(std::vector<double> joint, std::size_t rows) {
    const std::size_t columns = joint.size() / rows;
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < columns; ++j)
        sum += joint[i * columns + j];
      for (std::size_t j = 0; j < columns; ++j)
        joint[i * columns + j] /= sum;
    }
    return joint;
  }

  // a (n x inner) times b (inner x m).
  static std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                                     std::size_t inner) {
    const std::size_t n = a.size() / inner, m = b.size() / inner;
    std::vector<double> out(n * m, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t j = 0; j < m; ++j)
          out[i * m + j] += a[i * inner + k] * b[k * m + j];
      }
    }
    return out;
  }

  void root_the_tree(const std::vector<std::vector<std::size_t>>& neighbours) {
    std::vector<bool> seen(neighbours.size(), false);
    for (std::size_t root = 0; root < neighbours.size(); ++root) {
      std::deque<std::size_t> waiting;
      if (!seen[root]) waiting.push_back(root);
      seen[root] = true;
      while (!waiting.empty()) {
        const std::size_t at = waiting.front();
        waiting.pop_front();
        for (std::size_t to : neighbours[at]) {
          if (seen[to]) continue;
          seen[to] = true;
          parent_[to] = at;
          depth_[to] = depth_[at] + 1;
          waiting.push_back(to);
        }
      }
    }
  }

  // From x up to where the paths to the root meet, and down to y. Empty: they do not.
  std::vector<std::size_t> path_between(std::size_t x, std::size_t y) const {
    std::vector<std::size_t> up{x}, down{y};
    while (up.back() != down.back()) {
      std::vector<std::size_t>& lower = depth_[up.back()] >= depth_[down.back()] ? up : down;
      if (parent_[lower.back()] == lower.back()) return {};
      lower.push_back(parent_[lower.back()]);
    }
    up.insert(up.end(), down.rbegin() + 1, down.rend());
    return up;
  }

  std::vector<std::size_t> parent_, depth_;  // a root is its own parent
  std::vector<std::vector<double>> shares_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> steps_;  // P(second | first)
};

// `tree`: pairs that connect no two variables twice, measured with their variables in `store`.
inline PairModel tree_model(const Measurements& store, const std::vector<NodePair>& tree) {
  return [model = std::make_shared<const TreeModel>(store, tree)](std::size_t x, std::size_t y) {
    return (*model)(x, y);
  };
}

}  // namespace privpc
