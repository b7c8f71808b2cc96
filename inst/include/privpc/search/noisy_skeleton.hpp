// The skeleton from noisy marginals. Everything in here is computed from measurements that are
// public already: any number of tests, at no cost.
//
// ORDER 0 decides which pairs are dependent at all. It is the one place where a false edge can be
// made out of nothing, so it controls errors: an edge needs
//   - a p-value that passes the step-up procedure of Benjamini & Hochberg (1995) at level alpha
//     over all tested pairs. If there is no edge at all, the chance of a false one is alpha; else
//     alpha bounds the share of false ones among the pairs that are called dependent;
//   - evidence (a Bayes factor above 1 against an effect of the prior's size), because with
//     millions of rows a p-value alone calls any trifle dependent;
//   - an effect above a small floor, for the same reason. Where a level is so rare that noise alone
//     gives a hundred times the floor (0.02 at least), the estimate may be anything, also of a
//     strong effect. There a p-value below 1e-6 will do, which weighs every contrast by its
//     precision; a larger one will not, because with many rare levels it is somewhat too small.
// HIGHER ORDERS take edges away. A p-value would call every pair independent for which the noise
// leaves no power. So an edge goes only if the evidence favours independence given z and the
// effect has dropped to a fraction of what it was without conditions, or if it is known to be next
// to nothing.
//
// Edges are examined from the weakest to the strongest and removed at once: a weak edge is more
// likely the indirect one, and without it fewer wrong conditioning sets are left for the others.
// Ties are broken by the variables' numbers, which follow their names.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/marginals/noisy_test.hpp"
#include "privpc/search/false_discoveries.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

struct NoisyRules {
  double alpha = 0.05;         // false discoveries at order 0
  double prior = 0.1;          // size of a typical effect (phi squared)
  double least_effect = 2e-4;  // smaller ones are taken for none
  std::size_t max_order = kMaxNoisyOrder;
};

// Settings of the search that were found not to matter much on random networks of many shapes
// (bench/calibrate.R).
struct NoisySearchShape {
  double remaining_share = 0.3;  // of the marginal effect, that independence may leave
  std::size_t candidates[kMaxNoisyOrder + 1] = {0, 8, 6, 4};  // per end of the edge, by order
  double determined_share = 0.05;  // of the spread: less left means that z determines x or y
  double between_share = 0.6;      // of these, chosen because they stand between the two
};

class NoisySkeleton {
 public:
  NoisySkeleton(const Measurements& store, const Knowledge& knowledge, const NoisyRules& rules,
                Monitor* monitor = nullptr)
      : store_(store),
        knowledge_(knowledge),
        rules_(rules),
        monitor_(monitor),
        tests_(store),
        nodes_(store.schema().size()),
        effect_(nodes_ * nodes_, 0),
        p_value_(nodes_ * nodes_, 1),
        evidence_(nodes_ * nodes_, 0),
        trifle_(nodes_ * nodes_, true),
        untold_(nodes_ * nodes_, false),
        linked_(nodes_ * nodes_, false) {
    find_dependent_pairs();
  }

  // One order of conditional tests, 1 to kMaxNoisyOrder; nothing beyond the rules' max_order.
  void examine_order(std::size_t order) {
    if (order > rules_.max_order || order > kMaxNoisyOrder) return;
    const std::vector<NodePair> open = open_edges();
    std::size_t done = 0;
    for (const NodePair& edge : open) {
      tell(order, done++, open.size());
      NoisyReading best;
      VariableSet separator;
      bool separated = false;
      for (const VariableSet& given : conditioning_sets(edge, order)) {
        breathe();
        const std::optional<NoisyReading> reading = independence(edge, given);
        if (!reading) continue;
        if (!separated || reading->evidence < best.evidence) {
          best = *reading;
          separator = given;
        }
        separated = true;
      }
      if (!separated) continue;
      link(edge, false);
      separations_.push_back({edge.x, edge.y, separator, -best.evidence});
    }
  }

  void examine_all_orders() {
    for (std::size_t order = 1; order <= kMaxNoisyOrder; ++order)
      examine_order(order);
  }

  bool linked(std::size_t x, std::size_t y) const { return linked_[x * nodes_ + y]; }
  double effect(std::size_t x, std::size_t y) const { return effect_[x * nodes_ + y]; }
  double p_value(std::size_t x, std::size_t y) const { return p_value_[x * nodes_ + y]; }
  double evidence(std::size_t x, std::size_t y) const { return evidence_[x * nodes_ + y]; }
  // Is the effect too small to matter, as far as it can be told?
  bool is_trifle(std::size_t x, std::size_t y) const { return trifle_[x * nodes_ + y]; }
  // Does noise alone give more than two variables have that determine each other?
  bool size_untold(std::size_t x, std::size_t y) const { return untold_[x * nodes_ + y]; }
  std::size_t size() const { return nodes_; }
  NoisyTests& tests() { return tests_; }

  bool is_measured(std::size_t x, std::size_t y) const {
    return store_.find(VariableSet{x, y}) != nullptr;
  }

  // Edges that tests decide, the weakest first.
  std::vector<NodePair> open_edges() const {
    std::vector<NodePair> edges;
    for (std::size_t x = 0; x < nodes_; ++x) {
      for (std::size_t y = x + 1; y < nodes_; ++y) {
        if (linked(x, y) && is_open(x, y)) edges.push_back({x, y});
      }
    }
    std::stable_sort(edges.begin(), edges.end(), [&](const NodePair& a, const NodePair& b) {
      return effect(a.x, a.y) < effect(b.x, b.y);
    });
    return edges;
  }

  // Neither required nor forbidden, and of variables that vary.
  bool is_open(std::size_t x, std::size_t y) const {
    const int a = static_cast<int>(x), b = static_cast<int>(y);
    return !knowledge_.pair_is_required(a, b) && !knowledge_.pair_is_forbidden(a, b) &&
           store_.schema().levels(x) > 1 && store_.schema().levels(y) > 1;
  }

  // The sets of this size that may separate the two, as far as they can be tested.
  std::vector<VariableSet> conditioning_sets(const NodePair& edge, std::size_t order) const {
    std::vector<VariableSet> sets;
    for (bool of_x : {true, false}) {
      std::vector<VariableSet::Id> near = candidates(edge, of_x, order);
      std::sort(near.begin(), near.end());
      for_each_subset(near, order, [&](const VariableSet& set) {
        const bool fresh = std::find(sets.begin(), sets.end(), set) == sets.end();
        if (fresh && tests_.possible(edge.x, edge.y, set)) sets.push_back(set);
        return true;
      });
    }
    return sets;
  }

  NoisyReading test(const NodePair& edge, const VariableSet& given) {
    breathe();
    return tests_.conditional(edge.x, edge.y, given, rules_.prior);
  }

  // Over all that may separate the two and does not determine one of them.
  double least_evidence(const NodePair& edge) {
    double least = evidence(edge.x, edge.y);
    for (std::size_t order = 1; order <= std::min(rules_.max_order, kMaxNoisyOrder); ++order) {
      for (const VariableSet& given : conditioning_sets(edge, order)) {
        const NoisyReading reading = test(edge, given);
        if (reading.share_left >= shape_.determined_share)
          least = std::min(least, reading.evidence);
      }
    }
    return least;
  }

  // The reading, if it calls the two independent. Most often the effect alone says that they are
  // not, and the rest is not computed.
  std::optional<NoisyReading> independence(const NodePair& edge, const VariableSet& given) {
    bool trifle = false, dropped = false;
    const bool untold = size_untold(edge.x, edge.y);
    const auto may_be = [&](const NoisyEffect& left) {
      if (left.share_left < shape_.determined_share) return false;
      // Measured well enough to be sure that it is a trifle, whatever the evidence says about it.
      trifle = left.effect + left.effect_noise < rules_.least_effect;
      const double before = effect(edge.x, edge.y);
      dropped = left.effect <= std::max(rules_.least_effect, shape_.remaining_share * before);
      return trifle || dropped || untold;
    };
    const std::optional<NoisyReading> reading =
        tests_.conditional_if(edge.x, edge.y, given, rules_.prior, may_be);
    if (!reading) return std::nullopt;
    // Beside the noise of a level that hardly anybody has the sizes say nothing, neither before nor
    // now. Then evidence alone will do if there is some: 3 to 1.
    const bool independent = trifle || (dropped && reading->evidence < 0) ||
                             (untold && reading->evidence < -std::log(3.0));
    return independent ? reading : std::nullopt;
  }

  Skeleton result() const {
    Skeleton out;
    out.neighbours.resize(nodes_);
    for (std::size_t x = 0; x < nodes_; ++x) {
      for (std::size_t y = 0; y < nodes_; ++y) {
        if (linked(x, y)) out.neighbours[x].push_back(static_cast<VariableSet::Id>(y));
      }
    }
    out.separations = separations_;
    return out;
  }

 private:
  void link(const NodePair& pair, bool value) {
    linked_[pair.x * nodes_ + pair.y] = linked_[pair.y * nodes_ + pair.x] = value;
  }

  void tell(std::size_t order, std::size_t done, std::size_t total) const {
    if (monitor_ != nullptr) monitor_->progress(order, done, total);
    breathe();
  }

  void find_dependent_pairs() {
    struct Tested {
      NodePair pair;
      double p_value;
    };
    std::vector<Tested> tested;
    std::vector<double> p_values;
    for (std::size_t x = 0; x < nodes_; ++x) {
      tell(0, x, nodes_);
      for (std::size_t y = x + 1; y < nodes_; ++y) {
        const int a = static_cast<int>(x), b = static_cast<int>(y);
        if (knowledge_.pair_is_required(a, b)) link({x, y}, true);
        if (knowledge_.pair_is_forbidden(a, b)) continue;
        if (!is_measured(x, y)) {
          if (is_open(x, y)) {
            // Nobody selected it, so nothing is known about it. It counts as tested all the same:
            // those that were selected are the extremes of all.
            p_values.push_back(1);
          } else if (!linked(x, y)) {
            // A variable with one level is independent of everything.
            separations_.push_back({x, y, {}, 0});
          }
          continue;
        }
        breathe();
        const NoisyReading reading = tests_.marginal(x, y, rules_.prior);
        const std::size_t at = x * nodes_ + y, mirrored = y * nodes_ + x;
        effect_[at] = effect_[mirrored] = std::max(reading.effect, 0.0);
        p_value_[at] = p_value_[mirrored] = reading.p_value;
        evidence_[at] = evidence_[mirrored] = reading.evidence;
        const bool told = reading.effect_noise < std::max(100 * rules_.least_effect, 0.02);
        const bool clear = !told && reading.p_value < 1e-6;
        untold_[at] = untold_[mirrored] = reading.effect_noise > 1;
        trifle_[at] = trifle_[mirrored] = !clear && reading.effect <= rules_.least_effect;
        if (is_open(x, y)) tested.push_back({{x, y}, reading.p_value});
      }
    }
    std::stable_sort(tested.begin(), tested.end(),
                     [](const Tested& a, const Tested& b) { return a.p_value < b.p_value; });
    for (const Tested& one : tested)
      p_values.push_back(one.p_value);
    const double threshold = step_up_threshold(std::move(p_values), rules_.alpha);
    for (const Tested& one : tested) {
      const auto [x, y] = one.pair;
      if (one.p_value <= threshold && evidence(x, y) > 0 && !is_trifle(x, y)) {
        link({x, y}, true);
      } else {
        separations_.push_back({x, y, {}, -evidence(x, y)});
      }
    }
  }

  // Neighbours of one end that may be its causes, by what is known: if there is no edge, the causes
  // of one of the ends separate the two, and a common effect must not be held fixed. First those
  // that depend strongly on both ends: they may stand between them. Then those that depend strongly
  // on this end: they may change how it depends on the others, which a variable can do that is
  // independent of the other end.
  std::vector<VariableSet::Id> candidates(const NodePair& edge, bool of_x,
                                          std::size_t order) const {
    const std::size_t end = of_x ? edge.x : edge.y, other = of_x ? edge.y : edge.x;
    std::vector<VariableSet::Id> near;
    for (std::size_t v = 0; v < nodes_; ++v) {
      if (!linked(end, v) || v == other) continue;
      if (knowledge_.arc_is_forced(static_cast<int>(end), static_cast<int>(v))) continue;
      near.push_back(static_cast<VariableSet::Id>(v));
    }
    const std::size_t most = shape_.candidates[order];
    if (near.size() <= most) return near;
    std::stable_sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) {
      return std::min(effect(end, a), effect(other, a)) >
             std::min(effect(end, b), effect(other, b));
    });
    const auto between =
        static_cast<std::ptrdiff_t>(std::lround(shape_.between_share * static_cast<double>(most)));
    std::stable_sort(near.begin() + between, near.end(),
                     [&](std::size_t a, std::size_t b) { return effect(end, a) > effect(end, b); });
    near.resize(most);
    return near;
  }

  const Measurements& store_;
  const Knowledge& knowledge_;
  NoisyRules rules_;
  NoisySearchShape shape_;
  Monitor* monitor_;
  NoisyTests tests_;
  std::size_t nodes_;
  std::vector<double> effect_, p_value_, evidence_;  // of every pair, without conditions
  std::vector<bool> trifle_, untold_, linked_;
  std::vector<Separation> separations_;
};

}  // namespace privpc
