// The orientation rules of FCI, R1 to R10, as numbered by Zhang (2008), see pag.hpp. Given the
// right skeleton, the right colliders and separating sets they are complete: every circle that they
// leave could be either mark. From wrong ones they make no more than wrong marks: a mark that was
// set is never changed, so that they end. Where it is not known whether a triple is a collider they
// conclude nothing from it, as in conservative FCI (Colombo et al. 2012, Annals of Statistics 40).
//
// Written "*" is any mark, "o" a circle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/pag.hpp"

namespace privpc {

// Was b in the set that separated a and c? Nothing if that is not known.
using InSeparator = std::function<std::optional<bool>(int b, int a, int c)>;

class PagRules {
 public:
  PagRules(Pag& graph, InSeparator in_separator)
      : graph_(graph), in_separator_(std::move(in_separator)) {}

  // Selection: may the data be of people who were chosen by what their variables are? If not, no
  // edge has tails at both ends, and R5 to R7 have nothing to say.
  void apply(bool selection = true) {
    do {
      changed_ = false;
      through_arrows();
      towards_arrow_by_two();
      double_triangle();
      discriminating_paths();
    } while (changed_);
    if (selection) {
      do {
        changed_ = false;
        circle_cycles();
        tails_through();
      } while (changed_);
    }
    do {
      changed_ = false;
      tails_by_two();
      tails_by_uncovered_paths();
      tails_by_two_paths();
    } while (changed_);
  }

 private:
  using Path = std::vector<int>;

  bool circle(int b, int a) const { return graph_.mark_at(b, a) == Mark::circle; }
  bool arrow(int b, int a) const { return graph_.mark_at(b, a) == Mark::arrow; }
  bool tail(int b, int a) const { return graph_.mark_at(b, a) == Mark::tail; }
  bool adjacent(int a, int b) const { return graph_.is_adjacent(a, b); }

  // a *-* b *-* c, whose ends are not adjacent, is no collider.
  bool is_chain(int a, int b, int c) const {
    if (adjacent(a, c)) return false;
    if (tail(b, a) || tail(b, c)) return true;
    return in_separator_(b, a, c).value_or(false);
  }

  // Only circles become something else.
  void mark(int b, int a, Mark mark) {
    if (!circle(b, a)) return;
    graph_.set_mark(b, a, mark);
    changed_ = true;
  }

  template <class Visit>
  void for_each_edge(const Visit& visit) {
    for (int a = 0; a < graph_.size(); ++a) {
      for (int b = 0; b < graph_.size(); ++b) {
        if (a == b || !adjacent(a, b)) continue;
        breathe();
        visit(a, b);
      }
    }
  }

  // a *-* b *-* c with a and c not adjacent, in both directions.
  template <class Visit>
  void for_each_open_triple(const Visit& visit) {
    for_each_edge([&](int a, int b) {
      for (int c = 0; c < graph_.size(); ++c) {
        if (c != a && c != b && adjacent(b, c) && !adjacent(a, c)) visit(a, b, c);
      }
    });
  }

  // R1: a *-> b o-* c, a and c not adjacent: b -> c.
  void through_arrows() {
    for_each_open_triple([&](int a, int b, int c) {
      if (!arrow(b, a) || !circle(b, c) || !is_chain(a, b, c)) return;
      mark(b, c, Mark::tail);
      mark(c, b, Mark::arrow);
    });
  }

  // R2: a -> b *-> c or a *-> b -> c, with a *-o c: a *-> c.
  void towards_arrow_by_two() {
    for_each_edge([&](int a, int c) {
      if (!circle(c, a)) return;
      for (int b = 0; b < graph_.size(); ++b) {
        if (b == a || b == c || !adjacent(a, b) || !adjacent(b, c)) continue;
        if (!arrow(b, a) || !arrow(c, b)) continue;
        if (tail(a, b) || tail(b, c)) mark(c, a, Mark::arrow);
      }
    });
  }

  // R3: a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b: d *-> b.
  void double_triangle() {
    for_each_open_triple([&](int a, int b, int c) {
      if (!arrow(b, a) || !arrow(b, c)) return;
      for (int d = 0; d < graph_.size(); ++d) {
        if (d == a || d == b || d == c || !adjacent(d, b) || !circle(b, d)) continue;
        if (adjacent(a, d) && adjacent(c, d) && circle(d, a) && circle(d, c) && is_chain(a, d, c)) {
          mark(b, d, Mark::arrow);
        }
      }
    });
  }

  // R4: a path d, ..., a, b, c on which every node between d and b is a collider and a cause of c,
  // with d and c not adjacent, discriminates: b is one, too, if it did not separate d and c.
  void discriminating_paths() {
    for_each_edge([&](int b, int c) {
      if (!circle(b, c)) return;
      for (int a : graph_.neighbours(b)) {
        if (a == c || !circle(b, c)) continue;
        // a <-* b, because a is a collider, and a -> c.
        if (arrow(a, b) && graph_.is_arc(a, c)) discriminate(a, b, c);
      }
    });
  }

  // Backwards from a, all nodes that a chain of colliders with arcs into c reaches, breadth first:
  // the shortest paths come first. A node needs no second visit: what goes on from it is the same
  // whatever came before, as long as the chain does not pass b or c.
  void discriminate(int a, int b, int c) {
    std::vector<char> seen(static_cast<std::size_t>(graph_.size()), 0);
    for (int node : {a, b, c})
      seen[static_cast<std::size_t>(node)] = 1;
    std::vector<int> chain{a};
    for (std::size_t i = 0; i < chain.size(); ++i) {
      breathe();
      const int last = chain[i];
      for (int d : graph_.neighbours(last)) {
        if (seen[static_cast<std::size_t>(d)] || !arrow(last, d)) continue;
        seen[static_cast<std::size_t>(d)] = 1;
        if (!adjacent(d, c)) {
          const std::optional<bool> between = in_separator_(b, d, c);
          if (!between) continue;
          if (*between) {
            mark(b, c, Mark::tail);
            mark(c, b, Mark::arrow);
          } else {
            mark(b, a, Mark::arrow);
            mark(b, c, Mark::arrow);
            mark(c, b, Mark::arrow);
          }
          return;
        }
        if (arrow(d, last) && graph_.is_arc(d, c)) chain.push_back(d);
      }
    }
  }

  // R5: a o-o b and a path of circles a, c, ..., d, b on which every second pair is not adjacent,
  // and a and d, b and c are not: all of it is undirected.
  void circle_cycles() {
    for_each_edge([&](int a, int b) {
      if (a > b || !graph_.has(a, Mark::circle, b, Mark::circle)) return;
      for (int c : graph_.neighbours(a)) {
        if (c == b || !is_chain(c, a, b) || !graph_.has(a, Mark::circle, c, Mark::circle)) continue;
        const auto is_circles = [&](int from, int to) {
          return graph_.has(from, Mark::circle, to, Mark::circle);
        };
        const Path path = uncovered_path(a, c, b, is_circles, true);
        if (path.empty()) continue;
        undirect(a, b);
        for (std::size_t i = 0; i + 1 < path.size(); ++i)
          undirect(path[i], path[i + 1]);
        return;
      }
    });
  }

  void undirect(int a, int b) {
    mark(a, b, Mark::tail);
    mark(b, a, Mark::tail);
  }

  // R6: a - b o-* c: b -* c. R7: a -o b o-* c, a and c not adjacent: b -* c.
  void tails_through() {
    for_each_edge([&](int a, int b) {
      if (!tail(a, b)) return;
      for (int c : graph_.neighbours(b)) {
        if (c == a || !circle(b, c)) continue;
        if (tail(b, a) || (circle(b, a) && is_chain(a, b, c))) mark(b, c, Mark::tail);
      }
    });
  }

  bool is_circle_arrow(int a, int c) const { return graph_.has(a, Mark::circle, c, Mark::arrow); }

  // R8: a -> b -> c or a -o b -> c, with a o-> c: a -> c.
  void tails_by_two() {
    for_each_edge([&](int a, int c) {
      if (!is_circle_arrow(a, c)) return;
      for (int b : graph_.neighbours(a)) {
        if (b == c || !tail(a, b) || tail(b, a)) continue;
        if (adjacent(b, c) && graph_.is_arc(b, c)) mark(a, c, Mark::tail);
      }
    });
  }

  // May the path go on from `from` to `to` if it is to be directed all the way?
  bool may_lead(int from, int to) const { return !arrow(from, to) && !tail(to, from); }

  // R9: a o-> c and an uncovered path a, b, d, ..., c that may be directed, b and c not adjacent:
  // a -> c.
  void tails_by_uncovered_paths() {
    const auto leads = [&](int from, int to) { return may_lead(from, to); };
    for_each_edge([&](int a, int c) {
      if (!is_circle_arrow(a, c)) return;
      for (int b : graph_.neighbours(a)) {
        if (b == c || !is_chain(b, a, c) || !may_lead(a, b)) continue;
        if (!uncovered_path(a, b, c, leads, false).empty()) mark(a, c, Mark::tail);
      }
    });
  }

  // R10: a o-> c, b -> c <- d, uncovered paths from a to b and to d that may be directed and whose
  // second nodes are different and not adjacent: a -> c.
  void tails_by_two_paths() {
    const auto leads = [&](int from, int to) { return may_lead(from, to); };
    for_each_edge([&](int a, int c) {
      if (!is_circle_arrow(a, c)) return;
      std::vector<int> into_c;
      for (int b : graph_.neighbours(c)) {
        if (b != a && graph_.is_arc(b, c)) into_c.push_back(b);
      }
      // For each second node, which of these it leads to. Not through c, which they cause.
      std::vector<std::pair<int, Path>> starts;
      for (int second : graph_.neighbours(a)) {
        if (second == c || !may_lead(a, second)) continue;
        Path ends;
        for (int end : into_c) {
          if (second == end || !uncovered_path(a, second, end, leads, false, c).empty()) {
            ends.push_back(end);
          }
        }
        if (!ends.empty()) starts.emplace_back(second, std::move(ends));
      }
      for (const auto& [first, its_ends] : starts) {
        for (const auto& [other, other_ends] : starts) {
          if (first == other || !is_chain(first, a, other)) continue;
          // Two different ends.
          const bool two = its_ends.size() > 1 || other_ends.size() > 1 ||
                           its_ends.front() != other_ends.front();
          if (two) mark(a, c, Mark::tail);
        }
      }
    });
  }

  // A path start, second, ..., end without repetition whose steps are all allowed and of which no
  // three nodes in a row form a triangle; with `closed`, the node before `end` is not adjacent to
  // `start`. The shortest; empty if there is none.
  template <class Allowed>
  Path uncovered_path(int start, int second, int end, const Allowed& allowed, bool closed,
                      int avoid = -1) const {
    if (!adjacent(start, second) || !allowed(start, second) || second == avoid) return {};
    Path path{start, second};
    std::vector<char> used(static_cast<std::size_t>(graph_.size()), 0);
    used[static_cast<std::size_t>(start)] = used[static_cast<std::size_t>(second)] = 1;
    if (avoid >= 0) used[static_cast<std::size_t>(avoid)] = 1;
    for (std::size_t longest = 3; longest <= static_cast<std::size_t>(graph_.size()); ++longest) {
      bool cut = false;
      if (extend(path, used, end, allowed, closed, longest, cut)) return path;
      if (!cut) break;
    }
    return {};
  }

  // Deeper and deeper: `cut` says that longer paths exist.
  template <class Allowed>
  bool extend(Path& path, std::vector<char>& used, int end, const Allowed& allowed, bool closed,
              std::size_t longest, bool& cut) const {
    breathe();
    const int last = path.back(), before = path[path.size() - 2];
    for (int next : graph_.neighbours(last)) {
      if (used[static_cast<std::size_t>(next)] || !is_chain(before, last, next)) continue;
      if (!allowed(last, next)) continue;
      if (next == end) {
        if (closed && (!is_chain(path.front(), end, last) || path.size() < 3)) continue;
        path.push_back(next);
        return true;
      }
      if (path.size() + 1 >= longest) {
        cut = true;
        continue;
      }
      path.push_back(next);
      used[static_cast<std::size_t>(next)] = 1;
      if (extend(path, used, end, allowed, closed, longest, cut)) return true;
      used[static_cast<std::size_t>(next)] = 0;
      path.pop_back();
    }
    return false;
  }

  Pag& graph_;
  InSeparator in_separator_;
  bool changed_ = false;
};

}  // namespace privpc
