// A partial ancestral graph from noisy marginals: FCI with the tests of noisy_skeleton.hpp.
// Computed from measurements that are public already, at no cost.
//
// The skeleton is that of the tests, of all orders. Whether z is a collider between two variables
// that S separated is decided by the likelihood ratio of noisy_colliders.hpp; where it is near 1
// the noise hides the answer, and no rule draws a conclusion from the triple (conservative FCI).
// Nor from a pair without an edge, if the evidence for its independence is weak: an edge that was
// missed makes colliders where there are none. Edges that remain are tested again given variables
// of Possible-D-Sep, of which those that depend most on both ends are taken.
//
// Knowledge: "y is no cause of x" is an arrowhead at y; a required x -> y has a tail at x, too. A
// pair that may not be adjacent has no edge, and as nothing separated it, nothing follows from it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "privpc/graph/fci.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

// How much evidence a conclusion needs, as logarithms (bench/hidden.R).
struct DecisiveEvidence {
  double collider = 2;  // the likelihood ratio beyond which a triple is a collider, or is none
  double apart = 1;     // the Bayes factor beyond which a pair without an edge is independent
};

struct NoisyPag {
  Pag graph;
  std::vector<Separation> separations;  // by pair
};

class NoisyFci {
 public:
  NoisyFci(const Measurements& store, const Knowledge& knowledge, const NoisyRules& rules,
           const DecisiveEvidence& decisive = {}, Monitor* monitor = nullptr)
      : knowledge_(knowledge),
        rules_(rules),
        decisive_(decisive),
        tests_(store, knowledge, rules, monitor) {}

  NoisyPag learn() {
    tests_.examine_all_orders();
    for (const Separation& found : tests_.result().separations)
      separations_.emplace(key(found.x, found.y), found);
    Pag graph(static_cast<int>(tests_.size()));
    for (std::size_t y = 0; y < tests_.size(); ++y) {
      for (std::size_t x = 0; x < y; ++x) {
        if (tests_.linked(x, y)) graph.connect(static_cast<int>(x), static_cast<int>(y));
      }
    }
    const InSeparator between = [this](int b, int a, int c) { return is_between(b, a, c); };
    Pag marked = graph;
    mark_knowledge(marked);
    mark_colliders(marked, between);
    remove_by_possible_d_sep(
        graph, marked,
        [this](int x, int y, const std::vector<int>& near) { return separator(x, y, near); },
        [this](int x, int y, const std::vector<int>&) { keep_found(x, y); });
    mark_knowledge(graph);
    mark_colliders(graph, between);
    PagRules(graph, between).apply(false);
    NoisyPag out{std::move(graph), {}};
    for (const auto& [pair, found] : separations_)
      out.separations.push_back(found);
    return out;
  }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;

  static Pair key(std::size_t x, std::size_t y) { return {std::min(x, y), std::max(x, y)}; }
  static Pair key(int x, int y) {
    return key(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
  }

  void mark_knowledge(Pag& graph) const {
    for (int x = 0; x < graph.size(); ++x) {
      for (int y : graph.neighbours(x)) {
        if (!knowledge_.arc_is_forced(x, y)) continue;
        graph.set_mark(y, x, Mark::arrow);
        if (knowledge_.pair_is_required(x, y)) graph.set_mark(x, y, Mark::tail);
      }
    }
  }

  // Computed once for each triple: the rules ask again and again. An edge that Possible-D-Sep
  // removes makes new triples only, since its ends had no separation before.
  std::optional<bool> is_between(int b, int a, int c) {
    const auto asked = std::make_tuple(b, std::min(a, c), std::max(a, c));
    const auto known = between_.find(asked);
    if (known != between_.end()) return known->second;
    const auto found = separations_.find(key(a, c));
    if (found == separations_.end() || found->second.support < decisive_.apart) return std::nullopt;
    return between_[asked] = judge(found->second, static_cast<std::size_t>(b));
  }

  std::optional<bool> judge(const Separation& found, std::size_t z) {
    const std::optional<double> ratio = collider_ratio(tests_, found, z);
    if (!ratio) {
      // Only the separating set speaks, of pairs that were measured.
      if (!tests_.is_measured(found.x, found.y)) return std::nullopt;
      return found.given.contains(z);
    }
    if (*ratio > decisive_.collider) return false;
    if (*ratio < -decisive_.collider) return true;
    return std::nullopt;
  }

  // The set for which the evidence for independence is greatest, of the smallest size that has one.
  std::optional<std::vector<int>> separator(int x, int y, const std::vector<int>& near) {
    const Pair pair = key(x, y);
    const std::size_t a = pair.first, b = pair.second;
    if (!tests_.is_open(a, b) || !tests_.is_measured(a, b)) return std::nullopt;
    const NodePair edge{a, b};
    std::vector<VariableSet::Id> ranked;
    for (int node : near)
      ranked.push_back(static_cast<VariableSet::Id>(node));
    std::stable_sort(ranked.begin(), ranked.end(), [&](std::size_t u, std::size_t v) {
      return std::min(tests_.effect(a, u), tests_.effect(b, u)) >
             std::min(tests_.effect(a, v), tests_.effect(b, v));
    });
    const NoisySearchShape shape;
    for (std::size_t order = 1; order <= std::min(rules_.max_order, kMaxNoisyOrder); ++order) {
      std::vector<VariableSet::Id> candidates = ranked;
      if (candidates.size() > shape.candidates[order]) candidates.resize(shape.candidates[order]);
      std::sort(candidates.begin(), candidates.end());
      std::optional<Separation> best;
      for_each_subset(candidates, order, [&](const VariableSet& given) {
        if (!tests_.tests().possible(a, b, given)) return true;
        const std::optional<NoisyReading> reading = tests_.independence(edge, given);
        if (reading && (!best || -reading->evidence > best->support)) {
          best = Separation{a, b, given, -reading->evidence};
        }
        return true;
      });
      if (!best) continue;
      found_ = *best;
      return std::vector<int>(best->given.begin(), best->given.end());
    }
    return std::nullopt;
  }

  void keep_found(int x, int y) { separations_.emplace(key(x, y), found_); }

  const Knowledge& knowledge_;
  NoisyRules rules_;
  DecisiveEvidence decisive_;
  NoisySkeleton tests_;
  std::map<Pair, Separation> separations_;
  std::map<std::tuple<int, int, int>, std::optional<bool>> between_;
  Separation found_{0, 0, {}, 0};
};

}  // namespace privpc
