// What several graphs of the same nodes have in common: how often an edge stands, how often it
// points where, and which unshielded triples collide.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

class GraphShares {
 public:
  explicit GraphShares(const std::vector<Pdag>& graphs)
      : nodes_(graphs.empty() ? 0 : static_cast<std::size_t>(graphs[0].size())),
        graphs_(static_cast<double>(graphs.size())),
        edges_(nodes_ * nodes_, 0),
        arrows_(nodes_ * nodes_, 0) {
    for (const Pdag& graph : graphs) {
      breathe();
      if (static_cast<std::size_t>(graph.size()) != nodes_) {
        throw std::invalid_argument("graphs of different nodes cannot be counted together");
      }
      for (int x = 0; x < graph.size(); ++x) {
        for (int y : graph.neighbours(x)) {
          edges_[at(x, y)] += 1;
          if (graph.is_directed(x, y)) arrows_[at(x, y)] += 1;
          if (graph.is_undirected(x, y)) arrows_[at(x, y)] += 0.5;
        }
      }
    }
  }

  int size() const { return static_cast<int>(nodes_); }
  // Of all graphs, in which the two are joined.
  double edge(int x, int y) const { return edges_[at(x, y)] / graphs_; }
  // Of all graphs, in which an arrow goes from x to y; an undirected edge counts half each way.
  double arrow(int x, int y) const { return arrows_[at(x, y)] / graphs_; }

 private:
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(x) * nodes_ + static_cast<std::size_t>(y);
  }
  std::size_t nodes_;
  double graphs_;
  std::vector<double> edges_, arrows_;  // numbers of graphs, exact
};

}  // namespace privpc
