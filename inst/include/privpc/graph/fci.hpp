// FCI (Spirtes, Glymour and Scheines 2000; Zhang 2008): from a skeleton, with what separated the
// pairs that are not adjacent, to a partial ancestral graph. Where causes may be hidden, neighbours
// alone may not separate two variables that something does separate: the nodes of "Possible-D-Sep"
// are tried, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/pag.hpp"
#include "privpc/graph/pag_rules.hpp"

namespace privpc {

// The set that separates two nodes, among the candidates; none if no such set is known.
using FindSeparator = std::function<std::optional<std::vector<int>>(
    int x, int y, const std::vector<int>& candidates)>;

class Separators {
 public:
  void set(int x, int y, std::vector<int> given) {
    std::sort(given.begin(), given.end());
    sets_[key(x, y)] = std::move(given);
  }
  const std::vector<int>* find(int x, int y) const {
    const auto it = sets_.find(key(x, y));
    return it == sets_.end() ? nullptr : &it->second;
  }
  // Is b in the set of x and y? Nothing if there is no such set, say because the pair is forbidden.
  std::optional<bool> contains(int b, int x, int y) const {
    const std::vector<int>* given = find(x, y);
    if (given == nullptr) return std::nullopt;
    return std::binary_search(given->begin(), given->end(), b);
  }

 private:
  static std::pair<int, int> key(int x, int y) { return {std::min(x, y), std::max(x, y)}; }
  std::map<std::pair<int, int>, std::vector<int>> sets_;
};

// R0: a *-> b <-* c for every a *-* b *-* c whose ends are not adjacent and were separated without
// b. A tail at b, which is known beforehand, says that b is no collider.
inline void mark_colliders(Pag& graph, const InSeparator& in_separator) {
  for (int b = 0; b < graph.size(); ++b) {
    const std::vector<int> near = graph.neighbours(b);
    for (std::size_t i = 0; i < near.size(); ++i) {
      breathe();
      for (std::size_t j = 0; j < i; ++j) {
        const int a = near[i], c = near[j];
        if (graph.is_adjacent(a, c) || in_separator(b, a, c).value_or(true)) continue;
        if (graph.mark_at(b, a) == Mark::tail || graph.mark_at(b, c) == Mark::tail) continue;
        graph.set_mark(b, a, Mark::arrow);
        graph.set_mark(b, c, Mark::arrow);
      }
    }
  }
}

// All nodes that a path from x leads to on which every node between is a collider or part of a
// triangle with the nodes beside it.
inline std::vector<int> possible_d_sep(const Pag& graph, int x) {
  const auto n = static_cast<std::size_t>(graph.size());
  std::vector<char> reached(n, 0), seen(n * n, 0);
  std::vector<std::pair<int, int>> steps;  // the last two nodes of a path
  const auto step = [&](int from, int to) {
    char& been = seen[static_cast<std::size_t>(from) * n + static_cast<std::size_t>(to)];
    if (been) return;
    been = 1;
    reached[static_cast<std::size_t>(to)] = 1;
    steps.emplace_back(from, to);
  };
  for (int near : graph.neighbours(x))
    step(x, near);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    breathe();
    const auto [a, b] = steps[i];
    for (int c : graph.neighbours(b)) {
      if (c == a || c == x) continue;
      if ((graph.is_into(b, a) && graph.is_into(b, c)) || graph.is_adjacent(a, c)) step(b, c);
    }
  }
  std::vector<int> out;
  for (int node = 0; node < graph.size(); ++node) {
    if (node != x && reached[static_cast<std::size_t>(node)]) out.push_back(node);
  }
  return out;
}

// What is known beforehand, before the rules reason: marks it into the graph.
using MarkKnowledge = std::function<void(Pag&)>;

// Takes edges away whose ends a set of the nodes in Possible-D-Sep separates: `find` is asked for
// one and `removed` is told. All sets are found before any edge goes, so that the order of the
// nodes does not matter (Colombo et al. 2012). `marked` is the graph with its colliders.
template <class Removed>
void remove_by_possible_d_sep(Pag& graph, const Pag& marked, const FindSeparator& find,
                              const Removed& removed) {
  for (int x = 0; x < graph.size(); ++x) {
    const std::vector<int> near = possible_d_sep(marked, x);
    for (int y : marked.neighbours(x)) {
      if (!graph.is_adjacent(x, y)) continue;
      std::vector<int> candidates;
      std::copy_if(near.begin(), near.end(), std::back_inserter(candidates),
                   [y](int node) { return node != y; });
      const std::optional<std::vector<int>> given = find(x, y, candidates);
      if (!given) continue;
      graph.disconnect(x, y);
      removed(x, y, *given);
    }
  }
}

// `skeleton` has circles only. Without `find`, Possible-D-Sep is left out.
inline Pag fci(Pag skeleton, Separators separators, const FindSeparator& find, bool selection,
               const MarkKnowledge& mark_knowledge = nullptr) {
  const InSeparator in_separator = [&](int b, int a, int c) {
    return separators.contains(b, a, c);
  };
  if (find) {
    Pag marked = skeleton;
    mark_colliders(marked, in_separator);
    remove_by_possible_d_sep(
        skeleton, marked, find,
        [&](int x, int y, const std::vector<int>& given) { separators.set(x, y, given); });
  }
  if (mark_knowledge) mark_knowledge(skeleton);
  mark_colliders(skeleton, in_separator);
  PagRules(skeleton, in_separator).apply(selection);
  return skeleton;
}

}  // namespace privpc
