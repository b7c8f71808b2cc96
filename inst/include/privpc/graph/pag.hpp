// A partial ancestral graph: what independences tell when common causes, or reasons for being in
// the data at all, may be hidden (Zhang 2008, "On the completeness of orientation rules for causal
// discovery in the presence of latent confounders and selection bias", Artificial Intelligence
// 172).
//
// Every edge has a mark at each of its ends. An arrowhead at b: b is no cause of a (nor of
// selection). A tail at b: b is a cause of a, or of selection. A circle: not known.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace privpc {

// The numbers are those of pcalg's matrices.
enum class Mark : int { none = 0, circle = 1, arrow = 2, tail = 3 };

class Pag {
 public:
  explicit Pag(int n_nodes = 0) : size_(n_nodes) {
    if (n_nodes < 0) throw std::invalid_argument("a graph cannot have fewer than 0 nodes");
    marks_.assign(static_cast<std::size_t>(n_nodes) * static_cast<std::size_t>(n_nodes),
                  Mark::none);
  }

  int size() const { return size_; }

  // The mark at b of the edge between a and b.
  Mark mark_at(int b, int a) const { return marks_[place(a, b)]; }
  bool is_adjacent(int a, int b) const { return mark_at(b, a) != Mark::none; }
  bool has(int a, Mark at_a, int b, Mark at_b) const {
    return mark_at(a, b) == at_a && mark_at(b, a) == at_b;
  }
  // a -> b.
  bool is_arc(int a, int b) const { return has(a, Mark::tail, b, Mark::arrow); }
  bool is_into(int b, int a) const { return mark_at(b, a) == Mark::arrow; }

  std::vector<int> neighbours(int a) const {
    std::vector<int> out;
    for (int b = 0; b < size_; ++b) {
      if (is_adjacent(a, b)) out.push_back(b);
    }
    return out;
  }

  void connect(int a, int b, Mark at_a = Mark::circle, Mark at_b = Mark::circle) {
    if (a == b) throw std::invalid_argument("a node cannot be adjacent to itself");
    if (at_a == Mark::none || at_b == Mark::none) {
      throw std::invalid_argument("an edge has a mark at both ends");
    }
    marks_[place(b, a)] = at_a;
    marks_[place(a, b)] = at_b;
  }

  void disconnect(int a, int b) { marks_[place(a, b)] = marks_[place(b, a)] = Mark::none; }

  void set_mark(int b, int a, Mark mark) {
    if (!is_adjacent(a, b) || mark == Mark::none) {
      throw std::invalid_argument("only ends of edges have marks");
    }
    marks_[place(a, b)] = mark;
  }

  bool operator==(const Pag& other) const { return size_ == other.size_ && marks_ == other.marks_; }

  // Column by column; entry (a, b) is the mark at b, as in pcalg.
  std::vector<int> to_matrix() const {
    std::vector<int> out;
    for (int b = 0; b < size_; ++b) {
      for (int a = 0; a < size_; ++a)
        out.push_back(static_cast<int>(mark_at(b, a)));
    }
    return out;
  }

  static Pag from_matrix(const int* matrix, int n_nodes) {
    Pag out(n_nodes);
    const auto n = static_cast<std::size_t>(n_nodes);
    const auto at = [&](int a, int b) {
      const int code = matrix[static_cast<std::size_t>(a) + n * static_cast<std::size_t>(b)];
      if (code < 0 || code > 3) throw std::invalid_argument("marks are 0, 1, 2 or 3");
      return static_cast<Mark>(code);
    };
    for (int a = 0; a < n_nodes; ++a) {
      if (at(a, a) != Mark::none) {
        throw std::invalid_argument("a node cannot be adjacent to itself");
      }
      for (int b = 0; b < a; ++b) {
        if ((at(a, b) == Mark::none) != (at(b, a) == Mark::none)) {
          throw std::invalid_argument("an edge has a mark at both ends");
        }
        if (at(a, b) != Mark::none) out.connect(a, b, at(b, a), at(a, b));
      }
    }
    return out;
  }

 private:
  std::size_t place(int a, int b) const {
    if (a < 0 || b < 0 || a >= size_ || b >= size_) {
      throw std::invalid_argument("an edge names a node that is not in the graph");
    }
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(b);
  }

  int size_;
  std::vector<Mark> marks_;
};

}  // namespace privpc
