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
#include "privpc/learners/batch_parts.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/triple_choice.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct StageSettings {
  double pairs_share = 0.5;
  double again_share = 0.33;   // the rest goes to the triples
  double single_weight = 1.5;  // a single gets this much less noise variance than a pair
  double again_single_weight = 1;
  double again_per_node = 2.5;  // pairs measured again, per variable
  double near_p_value = 0.35;   // pairs that are not yet dependent but may become so
  TripleSettings triples;
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
        return NextBatch{all_pairs(schema_, knowledge_, rules_, settings_.single_weight),
                         rho_ * settings_.pairs_share, "all pairs"};
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
    if (rules_.max_order > 0) add_required_pairs(batch, schema_, knowledge_);
    add_singles(batch, schema_, settings_.again_single_weight);
    return batch;
  }

  NextBatch triples(const Measurements& so_far) const {
    // What is left, with room for the ledger's rounding of the two debits before.
    const Rho rho = rho_ * (1 - settings_.pairs_share - settings_.again_share) * kRoomForRounding;
    Batch batch = choose_triples(so_far, knowledge_, rules_, rho, settings_.triples, monitor_);
    if (batch.empty()) return {in_question_, rho, "pairs in question"};
    return {std::move(batch), rho, "triples"};
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
