// Which unshielded triples x - z - y are colliders, by tests of their own. NOT private: a learner
// with a budget would have to pay for them.
//
// The search keeps one separating set per pair, and whether it holds z is often chance: with
// thousands of records several sets separate, with and without z. So all sets of up to three
// neighbours of x or of y are asked (more where more were needed to separate the pair), and for
// every z the two largest p-values are compared, given sets without z and given sets with it:
//   largest_p     z is a collider if the sets without it have the larger one (the max-p rule;
//                 Ramsey 2016, "Improving accuracy and scalability of the PC algorithm by
//                 maximizing p-value", arXiv 1610.00378);
//   conservative  z is a collider if some set without it separates, and none with it does (Ramsey,
//                 Zhang and Spirtes 2006, "Adjacency-faithfulness and conservative causal
//                 inference"). Where both separate, nothing is concluded.
// The support of a collider is how surely its ends are dependent given z: minus the logarithm of
// the largest p-value given a set with z. (That of the separation says nothing: under independence
// all p-values are alike.) 0 where no test with z can tell.
//
// A test that cannot tell (ExactJudge::log_p_value) does not count, and a pair that only empty
// cells separated has no colliders at all.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/graph/separation.hpp"
#include "privpc/learners/exact_judge.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

enum class ColliderRule { separating_set, largest_p, conservative };

class ColliderSearch {
 public:
  ColliderSearch(TableSource& source, ExactJudge& judge, const Skeleton& skeleton,
                 std::size_t max_order)
      : source_(source), judge_(judge), skeleton_(skeleton) {
    for (const Separation& found : skeleton.separations) {
      const auto &of_x = skeleton.neighbours[found.x], &of_y = skeleton.neighbours[found.y];
      Pair pair{found, {}, {}};
      std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(),
                            std::back_inserter(pair.centres));
      if (pair.centres.empty() || found.by_empty_cells) continue;
      pair.evidence.resize(pair.centres.size());
      pair.last_order = std::min(max_order, std::max(kUsualOrder, found.given.size() + 1));
      last_order_ = std::max(last_order_, pair.last_order);
      pairs_.push_back(std::move(pair));
    }
  }

  // Asks all tests, of orders that take no more than `most_tests`; false if one was left out, and
  // all that come after it. The answer is the same for any number of threads.
  bool ask(unsigned threads, Monitor* monitor = nullptr, double most_tests = HUGE_VAL) {
    for (std::size_t order = 0; order <= last_order_; ++order) {
      std::vector<Pair*> asked;
      double at_most = 0;
      for (Pair& pair : pairs_) {
        if (for_each_set(pair, order, [](const VariableSet&) { return false; })) continue;
        asked.push_back(&pair);
        at_most +=
            separators_at_most(skeleton_.neighbours, {pair.found.x, pair.found.y}, order) + 1;
      }
      if (asked.empty()) continue;
      if (order > 0 && at_most > most_tests) return false;
      if (monitor != nullptr) monitor->begin_order(order, at_most);
      source_.announce({[&](const Announcement::Visit& visit) {
                          for (const Pair* pair : asked) {
                            for_each_set(*pair, order, [&](const VariableSet& set) {
                              visit(set.with(pair->found.x).with(pair->found.y));
                              return true;
                            });
                          }
                        },
                        false, threads});
      const auto tell = [&](std::size_t done) {
        if (monitor != nullptr) monitor->progress(order, done, asked.size());
      };
      parallel_for(
          asked.size(), threads,
          [&](std::size_t i, const LoopState& state, bool on_calling_thread) {
            for_each_set(*asked[i], order, [&](const VariableSet& set) {
              if (on_calling_thread) tell(state.done());
              if (!state.keep_going()) return false;
              asked[i]->hear(set, judge_.log_p_value(asked[i]->found.x, asked[i]->found.y, set));
              return true;
            });
          },
          tell, std::chrono::microseconds(2000));
    }
    return true;
  }

  std::vector<Collider> colliders(ColliderRule rule, double alpha) const {
    const double log_alpha = std::log(alpha);
    std::vector<Collider> found;
    for (const Pair& pair : pairs_) {
      for (std::size_t i = 0; i < pair.centres.size(); ++i) {
        const Evidence& evidence = pair.evidence[i];
        const double bar =
            rule == ColliderRule::conservative ? log_alpha : std::max(evidence.with, log_alpha);
        if (!(evidence.without > bar)) continue;
        if (rule == ColliderRule::conservative && evidence.with > log_alpha) continue;
        found.push_back({static_cast<int>(pair.found.x), static_cast<int>(pair.centres[i]),
                         static_cast<int>(pair.found.y),
                         std::isinf(evidence.with) ? 0 : -evidence.with});
      }
    }
    return found;
  }

  std::uint64_t tests() const {
    std::uint64_t sum = 0;
    for (const Pair& pair : pairs_)
      sum += pair.tests;
    return sum;
  }

 private:
  // Larger sets have too many strata to tell much, and there are too many of them.
  static constexpr std::size_t kUsualOrder = 3;

  // Logarithms of the largest p-values given sets with and without a centre.
  struct Evidence {
    double with = -HUGE_VAL;
    double without = -HUGE_VAL;
  };

  struct Pair {
    const Separation& found;
    std::vector<VariableSet::Id> centres;
    std::vector<Evidence> evidence;  // per centre
    std::size_t last_order = 0;
    std::uint64_t tests = 0;

    void hear(const VariableSet& set, const std::optional<double>& log_p) {
      ++tests;
      if (!log_p) return;
      for (std::size_t i = 0; i < centres.size(); ++i) {
        double& largest = set.contains(centres[i]) ? evidence[i].with : evidence[i].without;
        largest = std::max(largest, *log_p);
      }
    }
  };

  // The sets of neighbours of either end, and the one that separated the pair, whose members need
  // not be neighbours any more.
  template <class Visit>
  bool for_each_set(const Pair& pair, std::size_t order, Visit&& visit) const {
    if (order > pair.last_order) return true;
    const VariableSet& given = pair.found.given;
    if (!for_each_separator(skeleton_.neighbours, {pair.found.x, pair.found.y}, order, visit))
      return false;
    const auto among = [&](std::size_t node) {
      const auto& others = skeleton_.neighbours[node];
      return std::includes(others.begin(), others.end(), given.begin(), given.end());
    };
    return given.size() != order || among(pair.found.x) || among(pair.found.y) || visit(given);
  }

  TableSource& source_;
  ExactJudge& judge_;
  const Skeleton& skeleton_;
  std::vector<Pair> pairs_;
  std::size_t last_order_ = 0;
};

}  // namespace privpc
