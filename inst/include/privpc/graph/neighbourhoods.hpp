// Who is next to whom: the graph a search starts from, and the sets it tries to separate a pair by.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

struct NodePair {
  std::size_t x, y;
};

using Neighbourhoods = std::vector<std::vector<VariableSet::Id>>;  // per node, sorted

inline void unlink(Neighbourhoods& neighbours, const NodePair& pair) {
  const auto drop = [&](std::size_t from, std::size_t id) {
    auto& list = neighbours[from];
    list.erase(std::remove(list.begin(), list.end(), static_cast<VariableSet::Id>(id)), list.end());
  };
  drop(pair.x, pair.y);
  drop(pair.y, pair.x);
}

// All pairs are adjacent but those that knowledge forbids; those it does not require are open.
struct StartingGraph {
  Neighbourhoods neighbours;
  std::vector<NodePair> open;  // pairs that tests decide

  StartingGraph(std::size_t nodes, const Knowledge& knowledge) : neighbours(nodes) {
    for (std::size_t x = 0; x < nodes; ++x) {
      for (std::size_t y = 0; y < nodes; ++y) {
        const int a = static_cast<int>(x), b = static_cast<int>(y);
        const bool required = x != y && knowledge.pair_is_required(a, b);
        if (x == y || (!required && knowledge.pair_is_forbidden(a, b))) continue;
        neighbours[x].push_back(static_cast<VariableSet::Id>(y));
        if (x < y && !required) open.push_back({x, y});
      }
    }
  }
};

// Visits the subsets of `items` of the given size in lexicographic order until visit() is false.
template <class Visit>
bool for_each_subset(const std::vector<VariableSet::Id>& items, std::size_t size, Visit&& visit) {
  if (size > items.size()) return true;
  if (size > kMaxSetSize) throw std::length_error("a set holds at most 32 variables");
  std::array<std::size_t, kMaxSetSize> at;
  for (std::size_t i = 0; i < size; ++i)
    at[i] = i;
  while (true) {
    VariableSet set;
    for (std::size_t k = 0; k < size; ++k)
      set.append(items[at[k]]);
    if (!visit(set)) return false;
    std::size_t i = size;
    while (i > 0 && at[i - 1] == items.size() - size + i - 1)
      --i;
    if (i == 0) return true;
    ++at[i - 1];
    for (std::size_t j = i; j < size; ++j)
      at[j] = at[j - 1] + 1;
  }
}

// The sets of the given size among the other neighbours of x, then those of y that are not also
// of x.
template <class Visit>
bool for_each_separator(const Neighbourhoods& neighbours, const NodePair& pair, std::size_t size,
                        Visit&& visit) {
  const auto others = [&](std::size_t node, std::size_t without) {
    std::vector<VariableSet::Id> list = neighbours[node];
    list.erase(std::remove(list.begin(), list.end(), static_cast<VariableSet::Id>(without)),
               list.end());
    return list;
  };
  const std::vector<VariableSet::Id> of_x = others(pair.x, pair.y), of_y = others(pair.y, pair.x);
  if (!for_each_subset(of_x, size, visit)) return false;
  if (size == 0) return true;
  return for_each_subset(of_y, size, [&](const VariableSet& set) {
    return std::includes(of_x.begin(), of_x.end(), set.begin(), set.end()) || visit(set);
  });
}

// How many sets for_each_separator() visits at most.
inline double separators_at_most(const Neighbourhoods& neighbours, const NodePair& pair,
                                 std::size_t size) {
  double sum = 0;
  for (std::size_t node : {pair.x, pair.y}) {
    const std::size_t others = neighbours[node].size() - 1;
    double count = size <= others ? 1 : 0;
    for (std::size_t i = 0; i < size && size <= others; ++i)
      count *= static_cast<double>(others - i) / static_cast<double>(i + 1);
    sum += count;
    if (size == 0) break;
  }
  return sum;
}

}  // namespace privpc
