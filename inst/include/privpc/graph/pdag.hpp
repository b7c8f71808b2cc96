#pragma once

#include <stdexcept>
#include <vector>

#include "privpc/graph/bit_matrix.hpp"

namespace privpc {

struct Arc {
  int from;
  int to;
  bool operator==(const Arc& other) const { return from == other.from && to == other.to; }
  bool operator<(const Arc& other) const {
    return from != other.from ? from < other.from : to < other.to;
  }
};

// A partially directed graph on the nodes 0, ..., size() - 1. Between two nodes there is
// nothing, an undirected edge or one arc; a bidirected edge cannot be written down.
//
// Stored as a bit per ordered pair ("an arrow from a to b is possible"): both bits set is
// an undirected edge, one bit is an arc. This is also the matrix form used towards R,
// bnlearn and igraph: row = from, column = to, undirected = both 1.
class Pdag {
 public:
  explicit Pdag(int n_nodes = 0)
      : possible_(checked_size(n_nodes)), neighbours_(static_cast<std::size_t>(n_nodes)) {}

  int size() const { return static_cast<int>(neighbours_.size()); }

  bool is_adjacent(int a, int b) const { return possible_.test(a, b) || possible_.test(b, a); }
  bool is_directed(int from, int to) const {
    return possible_.test(from, to) && !possible_.test(to, from);
  }
  bool is_undirected(int a, int b) const { return possible_.test(a, b) && possible_.test(b, a); }

  // All adjacent nodes whatever the mark, in the order in which the edges were added.
  const std::vector<int>& neighbours(int a) const {
    return neighbours_[static_cast<std::size_t>(a)];
  }
  std::vector<int> parents(int a) const {
    return select(a, [this, a](int b) { return is_directed(b, a); });
  }
  std::vector<int> children(int a) const {
    return select(a, [this, a](int b) { return is_directed(a, b); });
  }
  std::vector<int> undirected_neighbours(int a) const {
    return select(a, [this, a](int b) { return is_undirected(a, b); });
  }

  void add_undirected(int a, int b) {
    connect(a, b);
    possible_.set(a, b);
    possible_.set(b, a);
  }
  void add_directed(int from, int to) {
    connect(from, to);
    possible_.set(from, to);
    possible_.clear(to, from);
  }
  // The edge that is there, whatever its mark, becomes from -> to.
  void orient(int from, int to) {
    if (!is_adjacent(from, to)) throw std::invalid_argument("no edge to orient");
    possible_.set(from, to);
    possible_.clear(to, from);
  }

  std::vector<Arc> directed_arcs() const {
    std::vector<Arc> arcs;
    for (int a = 0; a < size(); ++a)
      for (int b : neighbours(a))
        if (is_directed(a, b)) arcs.push_back({a, b});
    return arcs;
  }
  // Each undirected edge once, with from < to.
  std::vector<Arc> undirected_edges() const {
    std::vector<Arc> edges;
    for (int a = 0; a < size(); ++a)
      for (int b : neighbours(a))
        if (a < b && is_undirected(a, b)) edges.push_back({a, b});
    return edges;
  }

  Pdag skeleton() const {
    Pdag result(size());
    for (int a = 0; a < size(); ++a)
      for (int b : neighbours(a))
        if (a < b) result.add_undirected(a, b);
    return result;
  }

  bool operator==(const Pdag& other) const {
    return size() == other.size() && possible_ == other.possible_;
  }
  bool operator!=(const Pdag& other) const { return !(*this == other); }

  // `matrix` is column by column, as R stores it: entry (from, to) at from + n_nodes * to.
  static Pdag from_matrix(const int* matrix, int n_nodes) {
    Pdag result(n_nodes);
    const auto at = [matrix, n_nodes](int from, int to) {
      return matrix[static_cast<std::size_t>(from) +
                    static_cast<std::size_t>(n_nodes) * static_cast<std::size_t>(to)] != 0;
    };
    for (int a = 0; a < n_nodes; ++a) {
      if (at(a, a)) throw std::invalid_argument("a node cannot be adjacent to itself");
      for (int b = a + 1; b < n_nodes; ++b) {
        if (at(a, b) && at(b, a)) {
          result.add_undirected(a, b);
        } else if (at(a, b)) {
          result.add_directed(a, b);
        } else if (at(b, a)) {
          result.add_directed(b, a);
        }
      }
    }
    return result;
  }

  std::vector<int> to_matrix() const {
    const auto n = static_cast<std::size_t>(size());
    std::vector<int> matrix(n * n, 0);
    for (int a = 0; a < size(); ++a)
      for (int b : neighbours(a))
        if (possible_.test(a, b)) {
          matrix[static_cast<std::size_t>(a) + n * static_cast<std::size_t>(b)] = 1;
        }
    return matrix;
  }

 private:
  static int checked_size(int n_nodes) {
    if (n_nodes < 0) throw std::invalid_argument("a graph cannot have fewer than 0 nodes");
    return n_nodes;
  }

  void connect(int a, int b) {
    if (a < 0 || b < 0 || a >= size() || b >= size()) {
      throw std::invalid_argument("an edge names a node that is not in the graph");
    }
    if (a == b) throw std::invalid_argument("a node cannot be adjacent to itself");
    if (is_adjacent(a, b)) return;
    neighbours_[static_cast<std::size_t>(a)].push_back(b);
    neighbours_[static_cast<std::size_t>(b)].push_back(a);
  }

  template <typename Condition>
  std::vector<int> select(int a, Condition wanted) const {
    std::vector<int> result;
    for (int b : neighbours(a))
      if (wanted(b)) result.push_back(b);
    return result;
  }

  BitMatrix possible_;
  std::vector<std::vector<int>> neighbours_;
};

}  // namespace privpc
