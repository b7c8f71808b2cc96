// PC-stable skeleton search (Colombo & Maathuis 2014).
//
// Orders l = 0, 1, 2, ...: every remaining edge x - y is tested given the subsets of size l of
// the neighbours of x and of y, the neighbours being those at the start of the order, so that the
// outcome does not depend on the order in which edges are taken. Pairs that knowledge decides
// are never tested.
//
// Which separating set is kept: with SeparatorRule::strongest all sets of the order are tried and
// the one with the greatest strength stays (ties: the first in the order of the node numbers);
// with SeparatorRule::first the first found stays, which asks the judge less.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/parallel.hpp"
#include "privpc/schema/variable_set.hpp"
#include "privpc/search/judge.hpp"

namespace privpc {

enum class SeparatorRule { first, strongest };

struct SearchOptions {
  std::size_t max_order = kMaxOrder;
  unsigned threads = 1;
  SeparatorRule rule = SeparatorRule::strongest;
};

struct FoundSeparation {
  std::size_t x;
  std::size_t y;
  VariableSet given;
  double strength;
};

struct Skeleton {
  std::vector<std::vector<VariableSet::Id>> neighbours;  // sorted
  std::vector<FoundSeparation> separations;
  std::vector<std::uint64_t> tests;  // per order
};

// Hears from the search on the calling thread, at every test; may throw to stop it.
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual void progress(std::size_t order, std::size_t done, std::size_t total) = 0;
};

namespace detail {

// Visits the subsets of `items` of the given size in lexicographic order until visit() is false.
template <class Visit>
bool for_each_subset(const std::vector<VariableSet::Id>& items, std::size_t size, Visit&& visit) {
  if (size > items.size()) return true;
  std::vector<std::size_t> at(size);
  for (std::size_t i = 0; i < size; ++i)
    at[i] = i;
  while (true) {
    VariableSet set;
    for (std::size_t i : at)
      set.append(items[i]);
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

struct EdgeOutcome {
  bool separated = false;
  VariableSet given;
  double strength = 0;
  std::uint64_t tests = 0;
};

// `keep_going` is asked before every test and may throw; false leaves the rest untested.
template <class KeepGoing>
EdgeOutcome examine_edge(Judge& judge, std::size_t x, std::size_t y, std::size_t order,
                         std::vector<VariableSet::Id> of_x, std::vector<VariableSet::Id> of_y,
                         SeparatorRule rule, const KeepGoing& keep_going) {
  EdgeOutcome outcome;
  const auto remove = [](std::vector<VariableSet::Id>& from, std::size_t id) {
    from.erase(std::remove(from.begin(), from.end(), static_cast<VariableSet::Id>(id)), from.end());
  };
  remove(of_x, y);
  remove(of_y, x);
  const auto ask = [&](const VariableSet& given) {
    if (!keep_going()) return false;
    ++outcome.tests;
    const Verdict verdict = judge.judge(x, y, given);
    if (verdict.independent && (!outcome.separated || verdict.strength > outcome.strength)) {
      outcome.separated = true;
      outcome.given = given;
      outcome.strength = verdict.strength;
    }
    return !(outcome.separated && rule == SeparatorRule::first);
  };
  if (!for_each_subset(of_x, order, ask) || order == 0) return outcome;
  for_each_subset(of_y, order, [&](const VariableSet& given) {
    const bool asked_before = std::includes(of_x.begin(), of_x.end(), given.begin(), given.end());
    return asked_before || ask(given);
  });
  return outcome;
}

}  // namespace detail

inline Skeleton search_skeleton(std::size_t nodes, Judge& judge, const Knowledge& knowledge,
                                const SearchOptions& options, Monitor* monitor = nullptr) {
  struct Pair {
    std::size_t x, y;
  };
  Skeleton skeleton;
  skeleton.neighbours.resize(nodes);
  std::vector<Pair> open;  // pairs that tests decide
  const auto link = [&](std::size_t x, std::size_t y) {
    skeleton.neighbours[x].push_back(static_cast<VariableSet::Id>(y));
    skeleton.neighbours[y].push_back(static_cast<VariableSet::Id>(x));
  };
  for (std::size_t x = 0; x < nodes; ++x) {
    for (std::size_t y = x + 1; y < nodes; ++y) {
      const int a = static_cast<int>(x), b = static_cast<int>(y);
      if (knowledge.pair_is_required(a, b)) {
        link(x, y);
      } else if (!knowledge.pair_is_forbidden(a, b)) {
        link(x, y);
        open.push_back({x, y});
      }
    }
  }
  for (auto& list : skeleton.neighbours)
    std::sort(list.begin(), list.end());

  const auto tell = [&](std::size_t order, std::size_t done, std::size_t total) {
    if (monitor != nullptr) monitor->progress(order, done, total);
  };
  const std::size_t last = std::min(options.max_order, kMaxOrder);
  for (std::size_t order = 0; order <= last && !open.empty(); ++order) {
    // Only pairs with enough neighbours have a set of this size to be tested with.
    std::vector<std::size_t> tasks;
    for (std::size_t e = 0; e < open.size(); ++e) {
      const std::size_t degree =
          std::max(skeleton.neighbours[open[e].x].size(), skeleton.neighbours[open[e].y].size());
      if (degree >= order + 1) tasks.push_back(e);
    }
    if (tasks.empty()) break;
    judge.begin_order(order);
    std::vector<detail::EdgeOutcome> outcomes(open.size());
    parallel_for(
        tasks.size(), options.threads,
        [&](std::size_t t, const LoopState& state, bool on_calling_thread) {
          const Pair& pair = open[tasks[t]];
          const auto keep_going = [&] {
            if (on_calling_thread) tell(order, state.done(), tasks.size());
            return state.keep_going();
          };
          outcomes[tasks[t]] =
              detail::examine_edge(judge, pair.x, pair.y, order, skeleton.neighbours[pair.x],
                                   skeleton.neighbours[pair.y], options.rule, keep_going);
        },
        [&](std::size_t done) { tell(order, done, tasks.size()); },
        std::chrono::microseconds(2000));

    skeleton.tests.push_back(0);
    std::vector<Pair> still_open;
    for (std::size_t e = 0; e < open.size(); ++e) {
      skeleton.tests.back() += outcomes[e].tests;
      if (!outcomes[e].separated) {
        still_open.push_back(open[e]);
        continue;
      }
      skeleton.separations.push_back(
          {open[e].x, open[e].y, outcomes[e].given, outcomes[e].strength});
    }
    // Removing at the end of the order keeps the neighbourhoods frozen during it.
    std::vector<std::vector<bool>> gone(nodes);
    for (std::size_t s = 0; s < skeleton.separations.size(); ++s) {
      const FoundSeparation& found = skeleton.separations[s];
      if (gone[found.x].empty()) gone[found.x].assign(nodes, false);
      if (gone[found.y].empty()) gone[found.y].assign(nodes, false);
      gone[found.x][found.y] = gone[found.y][found.x] = true;
    }
    for (std::size_t x = 0; x < nodes; ++x) {
      if (gone[x].empty()) continue;
      auto& list = skeleton.neighbours[x];
      list.erase(std::remove_if(list.begin(), list.end(), [&](auto y) { return gone[x][y]; }),
                 list.end());
    }
    open = std::move(still_open);
  }
  return skeleton;
}

}  // namespace privpc
