#pragma once

#include <stdexcept>
#include <vector>

#include "privpc/graph/bit_matrix.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

// What is known before looking at the data, with the meaning bnlearn gives to its
// whitelist and blacklist:
//  - an arc required in one direction is in the graph, with that direction;
//  - a pair required in both directions is adjacent, its direction is left open;
//  - an arc forbidden in one direction: the edge may be there, but then with the other one;
//  - a pair forbidden in both directions is not adjacent.
// A pair that is required or forbidden in this sense is never tested.
class Knowledge {
 public:
  explicit Knowledge(int n_nodes = 0)
      : n_nodes_(n_nodes), required_(n_nodes), forbidden_(n_nodes) {}

  // A pair required in both directions is listed as two arcs.
  Knowledge(int n_nodes, const std::vector<Arc>& required, const std::vector<Arc>& forbidden)
      : Knowledge(n_nodes) {
    for (const Arc& arc : required) {
      check(arc);
      required_.set(arc.from, arc.to);
      empty_ = false;
    }
    for (const Arc& arc : forbidden)
      forbid(arc.from, arc.to);
  }

  void forbid(int from, int to) {
    check({from, to});
    const bool only_this_way = required_.test(from, to) && !required_.test(to, from);
    const bool no_way_left = pair_is_required(from, to) && forbidden_.test(to, from);
    if (only_this_way || no_way_left) {
      throw std::invalid_argument("an arc is both required and forbidden");
    }
    forbidden_.set(from, to);
    empty_ = false;
  }

  int size() const { return n_nodes_; }
  bool empty() const { return empty_; }

  bool pair_is_required(int a, int b) const { return required_.test(a, b) || required_.test(b, a); }
  bool pair_is_forbidden(int a, int b) const {
    return forbidden_.test(a, b) && forbidden_.test(b, a);
  }
  // If the two are adjacent, is from -> to the only direction left?
  bool arc_is_forced(int from, int to) const {
    if (pair_is_forbidden(from, to)) return false;
    return forbidden_.test(to, from) || (required_.test(from, to) && !required_.test(to, from));
  }

 private:
  void check(const Arc& arc) const {
    if (arc.from < 0 || arc.to < 0 || arc.from >= n_nodes_ || arc.to >= n_nodes_) {
      throw std::invalid_argument("a required or forbidden arc names a node that is not there");
    }
    if (arc.from == arc.to) {
      throw std::invalid_argument("a required or forbidden arc joins a node to itself");
    }
  }

  int n_nodes_;
  BitMatrix required_;
  BitMatrix forbidden_;
  bool empty_ = true;
};

}  // namespace privpc
