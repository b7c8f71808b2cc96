// EM-PC (after Xu, Yuan & Wu 2017): edges leave the graph by private choices instead of tests.
//
// In every order the sets of each remaining edge are scored by the independence margin. A first
// choice says how many edges are to go, then as many choices say which edge and which separating
// set, together. Each choice is one use of the exponential mechanism, which costs only eps^2/8 in
// zero-concentrated privacy (without delta: permute-and-flip at its full epsilon).
//
// Against the original: scores have a proven sensitivity of 1 (candidate_scores.hpp); the
// separating set, which is data too, is chosen privately; edges are chosen for the graph as a
// whole, not node by node, which saves a choice per node and order and asks no edge twice.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "privpc/learners/questions_ahead.hpp"
#include "privpc/learners/spending_plan.hpp"
#include "privpc/privacy/candidate_scores.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/search/skeleton.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

// Both grow with the number of pairs. There are as many wrong answers to "how many" as pairs, each
// favoured by at most exp(-offset) once the pairs in question have margins near 0: the offset must
// exceed the logarithm of their number. And a wrong answer costs more the more pairs there are,
// while its price counts less beside that of so many removals.
struct ChoiceSettings {
  double weight;  // price of "how many" against that of "which"
  double offset;  // a margin above minus this many noise scales counts as independent

  explicit ChoiceSettings(std::size_t pairs)
      : weight(std::max(4.0, 0.07 * static_cast<double>(pairs))),
        offset(std::max(2.0, std::log(static_cast<double>(pairs) + 1e-9) - 0.8)) {}
};

class ChoiceSearch {
 public:
  ChoiceSearch(MarginSource& margins, const ChoiceSettings& settings, SpendingPlan& plan,
               Ledger& ledger, RandomBits& bits)
      : margins_(margins), settings_(settings), plan_(plan), ledger_(ledger), bits_(bits) {}

  Skeleton run(std::size_t nodes, const Knowledge& knowledge, const SearchOptions& options,
               Monitor* monitor = nullptr) {
    StartingGraph start(nodes, knowledge);
    Skeleton skeleton;
    skeleton.neighbours = std::move(start.neighbours);
    std::vector<NodePair> open = std::move(start.open);
    const std::size_t last = std::min(options.max_order, kMaxOrder);
    for (std::size_t order = 0; order <= last && !open.empty(); ++order) {
      double at_most = 0;
      for (const NodePair& pair : open)
        at_most += separators_at_most(skeleton.neighbours, pair, order);
      skeleton.cut_short = order > 0 && at_most > options.most_tests;
      if (at_most == 0 || skeleton.cut_short) break;
      margins_.announce(questions_about({order, at_most, open, skeleton.neighbours}, 0, open.size(),
                                        options.threads));
      std::vector<Edge> edges;
      skeleton.tests.push_back(0);
      for (const NodePair& pair : open) {
        edges.push_back({pair, sets_of(skeleton, pair, order)});
        skeleton.tests.back() += edges.back().sets.size();
      }
      const bool paid = choose_removals(order, last, edges, options, monitor, skeleton);
      open.clear();
      for (const Edge& edge : edges) {
        if (!edge.removed) open.push_back(edge.pair);
      }
      if (!paid) break;
    }
    return skeleton;
  }

 private:
  struct Edge {
    NodePair pair;
    std::vector<VariableSet> sets;
    bool removed = false;
  };

  static std::vector<VariableSet> sets_of(const Skeleton& skeleton, const NodePair& pair,
                                          std::size_t order) {
    std::vector<VariableSet> sets;
    for_each_separator(skeleton.neighbours, pair, order, [&](const VariableSet& set) {
      sets.push_back(set);
      return true;
    });
    return sets;
  }

  // False when the budget is at its end.
  bool choose_removals(std::size_t order, std::size_t last, std::vector<Edge>& edges,
                       const SearchOptions& options, Monitor* monitor, Skeleton& skeleton) {
    const double later = static_cast<double>(last - order) * settings_.weight;
    const Epsilon epsilon = epsilon_of(plan_.next(1, later + settings_.weight, settings_.weight,
                                                  order == 0 ? 0 : plan_.worth_of_a_task()));
    if (!(epsilon > Epsilon(0))) return false;
    const double noise = 2 / epsilon.value();
    margins_.expect_noise(noise);
    CandidateScores scores(edges.size());
    parallel_for(
        edges.size(), options.threads,
        [&](std::size_t e, const LoopState& state, bool on_calling_thread) {
          for (const VariableSet& set : edges[e].sets) {
            if (!state.keep_going()) return;
            if (on_calling_thread && monitor != nullptr) {
              monitor->progress(order, state.done(), edges.size());
            }
            scores.add(e, margins_.margin(edges[e].pair.x, edges[e].pair.y, set));
          }
        },
        [&](std::size_t done) {
          if (monitor != nullptr) monitor->progress(order, done, edges.size());
        },
        std::chrono::microseconds(2000));
    const std::string label = "order " + std::to_string(order);
    const std::size_t removals =
        choose(epsilon, scores.how_many(settings_.offset * noise), label + ", how many edges");
    for (std::size_t i = 0; i < removals; ++i) {
      const Price price = plan_.next(static_cast<double>(removals - i), later, 1, 0);
      if (!price) return false;
      const auto candidates = scores.candidates();
      const std::size_t chosen =
          choose(epsilon_of(price), scores.which_is_best(), label + ", which edge and set");
      Edge& edge = edges[candidates[chosen].group];
      edge.removed = true;
      scores.remove(candidates[chosen].group);
      unlink(skeleton.neighbours, edge.pair);
      skeleton.separations.push_back(
          {edge.pair.x, edge.pair.y, edge.sets[candidates[chosen].index]});
      plan_.pair_removed();
      if (monitor != nullptr) monitor->progress(order, i, removals);
    }
    return true;
  }

  std::size_t choose(Epsilon epsilon, const Sensitive<std::vector<double>>& scores,
                     const std::string& target) {
    const ExponentialMechanism mechanism(
        epsilon, 1.0, false,
        ledger_.is_pure() ? Selection::permute_and_flip : Selection::exponential);
    return mechanism.choose(scores, ledger_, bits_, target);
  }

  // What can be had for a price; rho = eps^2/8.
  static Epsilon epsilon_of(const Price& price) {
    return price.is_pure() ? price.epsilon()
                           : Epsilon(std::sqrt(8 * price.rho().value()) * (1 - 1e-12));
  }

  MarginSource& margins_;
  ChoiceSettings settings_;
  SpendingPlan& plan_;
  Ledger& ledger_;
  RandomBits& bits_;
};

}  // namespace privpc
