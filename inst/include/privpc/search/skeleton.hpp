// PC-stable skeleton search (Colombo & Maathuis 2014).
//
// Orders l = 0, 1, 2, ...: every remaining edge x - y is tested given the subsets of size l of
// the neighbours of x and of y, the neighbours being those at the start of the order, so that the
// outcome does not depend on the order in which edges are taken. Pairs that knowledge decides
// are never tested.
//
// Which separating set is kept: with SeparatorRule::strongest all sets of the order are tried and
// the one with the greatest support stays (ties: the first in the order of the node numbers);
// with SeparatorRule::first the first found stays, which asks the judge less.
//
// A judge whose answers are noisy may be asked again: with sweeps > 1 every order is gone through
// that many times, with the neighbourhoods of its start. And a noisy search can be left with so
// many edges that the next order would take forever: it is not begun if it could take more than
// `most_tests` tests. All pairs are tested in any case.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/graph/separation.hpp"
#include "privpc/search/judge.hpp"

namespace privpc {

enum class SeparatorRule { first, strongest };

struct SearchOptions {
  std::size_t max_order = kMaxOrder;
  unsigned threads = 1;
  SeparatorRule rule = SeparatorRule::strongest;
  std::size_t sweeps = 1;
  double most_tests = HUGE_VAL;
};

struct Skeleton {
  Neighbourhoods neighbours;
  std::vector<Separation> separations;
  std::vector<std::uint64_t> tests;  // per order
  bool cut_short = false;            // an order was left out for its number of tests
};

namespace detail {

struct EdgeOutcome {
  bool separated = false;
  VariableSet given;
  Verdict verdict;
  std::uint64_t tests = 0;
};

// `keep_going` is asked before every test and may throw; false leaves the rest untested.
template <class KeepGoing>
EdgeOutcome examine_edge(Judge& judge, const Neighbourhoods& neighbours, const NodePair& pair,
                         std::size_t order, SeparatorRule rule, const KeepGoing& keep_going) {
  EdgeOutcome outcome;
  for_each_separator(neighbours, pair, order, [&](const VariableSet& given) {
    if (!keep_going()) return false;
    ++outcome.tests;
    const Verdict verdict = judge.judge(pair.x, pair.y, given);
    if (verdict.independent && (!outcome.separated || is_better(verdict, outcome.verdict))) {
      outcome.separated = true;
      outcome.given = given;
      outcome.verdict = verdict;
    }
    return !(outcome.separated && rule == SeparatorRule::first);
  });
  return outcome;
}

}  // namespace detail

inline Skeleton search_skeleton(std::size_t nodes, Judge& judge, const Knowledge& knowledge,
                                const SearchOptions& options, Monitor* monitor = nullptr) {
  StartingGraph start(nodes, knowledge);
  Skeleton skeleton;
  skeleton.neighbours = std::move(start.neighbours);
  std::vector<NodePair> open = std::move(start.open);
  const auto tell = [&](std::size_t order, std::size_t done, std::size_t total) {
    if (monitor != nullptr) monitor->progress(order, done, total);
  };
  const std::size_t last = std::min(options.max_order, kMaxOrder);
  // As they were at the start of the order.
  Neighbourhoods frozen;
  std::vector<NodePair> at_start;
  std::optional<OrderAhead> ahead;
  for (std::size_t pass = 0; pass / options.sweeps <= last; ++pass) {
    const std::size_t order = pass / options.sweeps, sweep = pass % options.sweeps;
    if (open.empty() || judge.finished()) break;
    if (sweep == 0) frozen = skeleton.neighbours;
    // Only pairs with enough neighbours have a set of this size to be tested with.
    std::vector<std::size_t> tasks;
    double at_most = 0;
    for (std::size_t e = 0; e < open.size(); ++e) {
      const double sets = separators_at_most(frozen, open[e], order);
      if (sets > 0) tasks.push_back(e);
      at_most += sets;
    }
    if (tasks.empty()) break;
    if (order > 0 && at_most > options.most_tests) {
      skeleton.cut_short = true;
      break;
    }
    if (sweep == 0) {
      at_start = open;
      ahead.emplace(OrderAhead{order, at_most, at_start, frozen});
      if (monitor != nullptr) monitor->begin_order(order, at_most);
      judge.begin_order(*ahead);
      skeleton.tests.push_back(0);
    }
    std::vector<detail::EdgeOutcome> outcomes(open.size());
    parallel_for(
        tasks.size(), options.threads,
        [&](std::size_t t, const LoopState& state, bool on_calling_thread) {
          const auto keep_going = [&] {
            if (on_calling_thread) tell(order, state.done(), tasks.size());
            return state.keep_going() && !judge.finished();
          };
          outcomes[tasks[t]] =
              detail::examine_edge(judge, frozen, open[tasks[t]], order, options.rule, keep_going);
        },
        [&](std::size_t done) { tell(order, done, tasks.size()); },
        std::chrono::microseconds(2000));

    // Removing at the end keeps the neighbourhoods frozen.
    std::vector<NodePair> still_open;
    for (std::size_t e = 0; e < open.size(); ++e) {
      skeleton.tests.back() += outcomes[e].tests;
      if (!outcomes[e].separated) {
        still_open.push_back(open[e]);
        continue;
      }
      unlink(skeleton.neighbours, open[e]);
      skeleton.separations.push_back({open[e].x, open[e].y, outcomes[e].given,
                                      outcomes[e].verdict.support,
                                      outcomes[e].verdict.by_empty_cells});
    }
    open = std::move(still_open);
  }
  return skeleton;
}

}  // namespace privpc
