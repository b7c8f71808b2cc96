// What marginal_pc() measures, in three stages whose shares of the budget are fixed before the data
// are touched. Each stage is chosen from the noisy results of those before it:
//   1. every variable and every pair that knowledge leaves open, and those decided pairs that
//      tests of open ones may need as conditions: with an end in an open pair;
//   2. again the pairs that are still in question: dependent and not clearly explained by a third
//      variable, and as many of the others, by p-value, as fill the stage;
//   3. the triples that tests given two variables need for the edges that are left, ranked by how
//      much of the dependence they would explain, as many as keep the noise in bounds. If no edge
//      needs any, the pairs in question a third time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct StageSettings {
  double pairs_share = 0.5;
  double again_share = 0.33;   // the rest goes to the triples
  double single_weight = 1.5;  // a single gets this much less noise variance than a pair
  double again_single_weight = 1;
  double again_per_node = 2.5;   // pairs measured again, per variable
  double near_p_value = 0.35;    // pairs that are not yet dependent but may become so
  double explained_share = 0.9;  // of the effect that may be left for a triple to be of interest
  // Noise variance of triples, over the number of rows: at most about the sampling variance.
  double triple_noise = 0.3;
  std::size_t most_triple_rounds = 8;  // pairs of conditions per edge
};

class StagedChooser : public BatchChooser {
 public:
  // `rho` is for all stages together.
  StagedChooser(const Schema& schema, const Knowledge& knowledge, const NoisyRules& rules, Rho rho,
                Monitor* monitor = nullptr, const StageSettings& settings = {})
      : schema_(schema),
        knowledge_(knowledge),
        rules_(rules),
        rho_(rho),
        monitor_(monitor),
        settings_(settings) {}

  std::optional<NextBatch> next(const Measurements& so_far) override {
    switch (stage_++) {
      case 0:
        return NextBatch{all_pairs(), rho_ * settings_.pairs_share, "all pairs"};
      case 1:
        in_question_ = pairs_in_question(so_far);
        return NextBatch{in_question_, rho_ * settings_.again_share, "pairs in question"};
      case 2:
        return triples(so_far);
      default:
        return std::nullopt;
    }
  }

 private:
  bool varies(std::size_t v) const { return schema_.levels(v) > 1; }
  bool is_decided(std::size_t x, std::size_t y) const {
    const int a = static_cast<int>(x), b = static_cast<int>(y);
    return knowledge_.pair_is_required(a, b) || knowledge_.pair_is_forbidden(a, b);
  }

  Batch all_pairs() const {
    Batch batch;
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      if (varies(x)) batch.push_back({VariableSet{x}, settings_.single_weight});
    }
    std::vector<bool> in_open_pair(schema_.size(), false);
    const auto for_each_pair = [&](const auto& visit) {
      for (std::size_t x = 0; x < schema_.size(); ++x) {
        for (std::size_t y = x + 1; y < schema_.size(); ++y) {
          if (varies(x) && varies(y)) visit(x, y);
        }
      }
    };
    for_each_pair([&](std::size_t x, std::size_t y) {
      if (!is_decided(x, y)) in_open_pair[x] = in_open_pair[y] = true;
    });
    for_each_pair([&](std::size_t x, std::size_t y) {
      const bool needed = rules_.max_order > 0 && (in_open_pair[x] || in_open_pair[y]);
      if (is_decided(x, y) && !needed) return;
      batch.push_back({VariableSet{x, y}, 1});
    });
    return batch;
  }

  // Pairs that are dependent stay in question unless some third variable explains them; the
  // clearest cases of those go first when the stage is full.
  Batch pairs_in_question(const Measurements& so_far) const {
    NoisySkeleton search(so_far, knowledge_, rules_, monitor_);
    struct Scored {
      NodePair pair;
      double score;  // the higher the more in question
    };
    std::vector<Scored> dependent, others;
    for (const NodePair& edge : search.open_edges()) {
      double least = search.evidence(edge.x, edge.y);
      if (rules_.max_order > 0) {
        for (const VariableSet& given : search.conditioning_sets(edge, 1))
          least = std::min(least, search.test(edge, given).evidence);
      }
      dependent.push_back({edge, least});
    }
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        if (search.linked(x, y) || !search.is_open(x, y) || !search.is_measured(x, y)) continue;
        const double p = search.p_value(x, y);
        if (p < settings_.near_p_value) others.push_back({{x, y}, -p});
      }
    }
    const auto by_score = [](const Scored& a, const Scored& b) { return a.score > b.score; };
    std::stable_sort(dependent.begin(), dependent.end(), by_score);
    std::stable_sort(others.begin(), others.end(), by_score);
    const auto room =
        static_cast<std::size_t>(settings_.again_per_node * static_cast<double>(schema_.size()));
    Batch batch;
    const auto take = [&](const NodePair& pair) {
      batch.push_back({VariableSet{pair.x, pair.y}, 1});
    };
    for (const Scored& item : dependent) {
      if (item.score > 0 || batch.size() < room) take(item.pair);
    }
    for (const Scored& item : others) {
      if (batch.size() < room) take(item.pair);
    }
    add_required_pairs(batch);
    add_singles(batch);
    return batch;
  }

  // The covariance of a pair is as uncertain as its margins.
  void add_singles(Batch& batch) const {
    std::vector<bool> involved(schema_.size(), false);
    for (const BatchItem& item : batch) {
      for (auto v : item.set)
        involved[v] = true;
    }
    for (std::size_t v = 0; v < schema_.size(); ++v) {
      if (involved[v]) batch.push_back({VariableSet{v}, settings_.again_single_weight});
    }
  }

  // A pair that knowledge requires is not tested. But one of its ends may stand between the other
  // and a third variable, and to see that their joint table is needed.
  void add_required_pairs(Batch& batch) const {
    std::vector<bool> in_question(schema_.size(), false);
    for (const BatchItem& item : batch) {
      for (auto v : item.set)
        in_question[v] = true;
    }
    if (rules_.max_order == 0) return;
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        const bool required = knowledge_.pair_is_required(static_cast<int>(x), static_cast<int>(y));
        if (required && varies(x) && varies(y) && (in_question[x] || in_question[y])) {
          batch.push_back({VariableSet{x, y}, 1});
        }
      }
    }
  }

  NextBatch triples(const Measurements& so_far) const {
    // What is left, with room for the ledger's rounding of the two debits before.
    const Rho rho = rho_ * (1 - settings_.pairs_share - settings_.again_share) * (1 - 1e-9);
    Batch batch = rules_.max_order < 2 ? Batch{} : choose_triples(so_far, rho);
    if (batch.empty()) return {in_question_, rho, "pairs in question"};
    return {std::move(batch), rho, "triples"};
  }

  Batch choose_triples(const Measurements& so_far, Rho rho) const {
    NoisySkeleton search(so_far, knowledge_, rules_, monitor_);
    search.examine_order(1);
    search.examine_order(2);
    struct Wish {
      NodePair edge;
      std::vector<VariableSet> conditions;  // the most promising first
    };
    std::vector<Wish> wishes;
    for (const NodePair& edge : search.open_edges())
      wishes.push_back({edge, promising_conditions(search, edge)});
    const double bound = std::max(pair_noise(so_far), settings_.triple_noise * so_far.rows());
    Batch chosen;
    for (std::size_t round = 0; round < settings_.most_triple_rounds; ++round) {
      Batch more = chosen;
      for (const Wish& wish : wishes) {
        if (round >= wish.conditions.size()) continue;
        for (std::size_t end : {wish.edge.x, wish.edge.y})
          add_triple(more, wish.conditions[round].with(end));
      }
      if (more.size() == chosen.size()) continue;
      if (!chosen.empty() && batch_noise(schema_, more, rho) > bound) break;
      chosen = std::move(more);
    }
    return chosen;
  }

  std::vector<VariableSet> promising_conditions(NoisySkeleton& search, const NodePair& edge) const {
    std::vector<std::pair<double, VariableSet>> ranked;
    for (const VariableSet& given : search.conditioning_sets(edge, 2)) {
      const double left = std::max(search.test(edge, given).effect, 0.0);
      const bool countable = has_dense_table(schema_, given.with(edge.x)) &&
                             has_dense_table(schema_, given.with(edge.y));
      if (countable && left < settings_.explained_share * search.effect(edge.x, edge.y)) {
        ranked.emplace_back(left, given);
      }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<VariableSet> out;
    for (const auto& item : ranked)
      out.push_back(item.second);
    return out;
  }

  static void add_triple(Batch& batch, const VariableSet& triple) {
    const bool known = std::any_of(batch.begin(), batch.end(),
                                   [&](const BatchItem& item) { return item.set == triple; });
    if (!known) batch.push_back({triple, 1});
  }

  // In counts, of the pairs that were measured best.
  static double pair_noise(const Measurements& so_far) {
    double least = HUGE_VAL;
    for (const auto& [set, measured] : so_far.entries()) {
      if (set.size() == 2) least = std::min(least, measured.variance);
    }
    return least * so_far.rows() * so_far.rows();
  }

  const Schema& schema_;
  const Knowledge& knowledge_;
  NoisyRules rules_;
  Rho rho_;
  Monitor* monitor_;
  StageSettings settings_;
  std::size_t stage_ = 0;
  Batch in_question_;
};

}  // namespace privpc
