// What marginal_pc() measures for a search by score, with shares of the budget that follow from
// public numbers before the data are touched:
//   1. all pairs (batch_parts.hpp);
//   2. twice, what decides about the graph that scores best so far: its edges; by turns pairs that
//      may yet become edges, and the ends of its two-paths x - z - y, whose covariance tells a
//      collider from a chain;
//   3. where pairs are known so precisely that triples can add something, half of the last round
//      goes to the triples that tests need (triple_choice.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/batch_parts.hpp"
#include "privpc/learners/score_plan.hpp"
#include "privpc/learners/table_learning.hpp"
#include "privpc/learners/triple_choice.hpp"

namespace privpc {

struct GuideSettings {
  double pairs_share = 0.4;
  double first_round_share = 0.3;  // the rest goes to the second one
  double single_weight = 1.5;      // a single gets this much less noise variance than a pair
  double again_single_weight = 1;
  double again_per_node = 2.5;     // pairs of a round, per variable
  double near_p_value = 0.35;      // pairs that are not yet dependent but may become so
  double rows_for_triples = 3000;  // effective ones
  TripleSettings triples;
};

class GuidedChooser : public BatchChooser {
 public:
  // `rho` is for all steps together.
  GuidedChooser(const Schema& schema, const Knowledge& knowledge, const TableSearch& search,
                Rho rho, Monitor* monitor = nullptr, const GuideSettings& settings = {})
      : schema_(schema),
        knowledge_(knowledge),
        search_(search),
        rho_(rho),
        monitor_(monitor),
        settings_(settings) {
    const double rest = 1 - settings.pairs_share - settings.first_round_share;
    const bool with_triples = effective_rows(schema, rho) >= settings.rows_for_triples;
    // What is left, with room for the ledger's rounding of the debits before.
    last_ = rho * (with_triples ? rest / 2 : rest) * (1 - 1e-9);
    rounds_ = {rho * settings.first_round_share};
    if (with_triples) rounds_.push_back(rho * (rest / 2));
    with_triples_ = with_triples;
  }

  std::optional<NextBatch> next(const Measurements& so_far) override {
    const std::size_t step = step_++;
    if (step == 0) {
      return NextBatch{all_pairs(schema_, knowledge_, search_.rules, settings_.single_weight),
                       rho_ * settings_.pairs_share, "all pairs"};
    }
    if (step <= rounds_.size()) return guided(so_far, rounds_[step - 1]);
    if (step > rounds_.size() + 1) return std::nullopt;
    if (with_triples_) {
      Batch batch =
          choose_triples(so_far, knowledge_, search_.rules, last_, settings_.triples, monitor_);
      if (!batch.empty()) return NextBatch{std::move(batch), last_, "triples"};
    }
    return guided(so_far, last_);
  }

 private:
  struct Scored {
    NodePair pair;
    double score;
  };

  NextBatch guided(const Measurements& so_far, Rho rho) const {
    const TableReading reading(so_far, search_, knowledge_, SearchEffort::once, monitor_);
    Batch batch = pairs_in_question(reading);
    if (batch.empty()) {
      return {all_pairs(schema_, knowledge_, search_.rules, settings_.again_single_weight), rho,
              "all pairs"};
    }
    for (std::size_t v = 0; v < schema_.size(); ++v) {
      if (schema_.levels(v) > 1) {
        batch.push_back({VariableSet{v}, settings_.again_single_weight});
      }
    }
    return {std::move(batch), rho, "pairs in question"};
  }

  Batch pairs_in_question(const TableReading& reading) const {
    const Pdag graph = graph_of(reading.scored().parents);
    Batch batch;
    std::vector<bool> taken(schema_.size() * schema_.size(), false);
    const auto take = [&](const NodePair& pair) {
      const std::size_t at = pair.x * schema_.size() + pair.y;
      if (taken[at] || !reading.pairs().is_measured(pair.x, pair.y)) return;
      taken[at] = true;
      batch.push_back({VariableSet{pair.x, pair.y}, 1});
    };
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        if (graph.is_adjacent(static_cast<int>(x), static_cast<int>(y))) take({x, y});
      }
    }
    const std::vector<Scored> ends = two_path_ends(reading, graph),
                              near = near_edges(reading, graph);
    const auto room = static_cast<std::size_t>(
        std::ceil(settings_.again_per_node * static_cast<double>(schema_.size())));
    for (std::size_t i = 0; i < std::max(ends.size(), near.size()); ++i) {
      if (i < near.size() && batch.size() < room) take(near[i].pair);
      if (i < ends.size() && batch.size() < room) take(ends[i].pair);
    }
    return batch;
  }

  static void sort_by_score(std::vector<Scored>& list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
  }

  // By the covariance that the two would have if the middle did not collide.
  std::vector<Scored> two_path_ends(const TableReading& reading, const Pdag& graph) const {
    const std::size_t nodes = schema_.size();
    std::vector<double> implied(nodes * nodes, 0);
    for (int z = 0; z < graph.size(); ++z) {
      std::vector<int> near = graph.neighbours(z);
      std::sort(near.begin(), near.end());
      for (std::size_t i = 0; i < near.size(); ++i) {
        const auto x = static_cast<std::size_t>(near[i]);
        const Matrix first = reading.pairs().shrunken(x, static_cast<std::size_t>(z));
        for (std::size_t j = i + 1; j < near.size(); ++j) {
          if (graph.is_adjacent(near[i], near[j])) continue;
          const auto y = static_cast<std::size_t>(near[j]);
          const Matrix second = reading.pairs().shrunken(static_cast<std::size_t>(z), y);
          double& known = implied[x * nodes + y];
          known = std::max(known, product(first, second).squaredNorm());
        }
      }
    }
    std::vector<Scored> out;
    for (std::size_t x = 0; x < nodes; ++x) {
      for (std::size_t y = x + 1; y < nodes; ++y) {
        if (implied[x * nodes + y] > 0) out.push_back({{x, y}, implied[x * nodes + y]});
      }
    }
    sort_by_score(out);
    return out;
  }

  std::vector<Scored> near_edges(const TableReading& reading, const Pdag& graph) const {
    std::vector<Scored> out;
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        if (graph.is_adjacent(static_cast<int>(x), static_cast<int>(y))) continue;
        if (!reading.tests().is_open(x, y) || !reading.tests().is_measured(x, y)) continue;
        const double p = reading.tests().p_value(x, y);
        if (p < settings_.near_p_value) out.push_back({{x, y}, -p});
      }
    }
    sort_by_score(out);
    return out;
  }

  const Schema& schema_;
  const Knowledge& knowledge_;
  TableSearch search_;
  Rho rho_;
  Monitor* monitor_;
  GuideSettings settings_;
  std::vector<Rho> rounds_;
  Rho last_{0};
  bool with_triples_ = false;
  std::size_t step_ = 0;
};

}  // namespace privpc
