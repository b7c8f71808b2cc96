// Which pairs decide about the graph that scores best so far: its edges; by turns pairs that may
// yet become edges, and the ends of its two-paths x - z - y, whose covariance tells a collider from
// a chain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/learners/batch_parts.hpp"
#include "privpc/learners/table_learning.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

struct QuestionSettings {
  double pairs_per_node = 2.5;
  double ends_per_node = 0;     // ends of two-paths go first, until there are so many pairs
  double near_p_value = 0.35;   // pairs that are not yet dependent but may become so
  bool measured_before = true;  // only pairs that were
  double single_weight = 1;
};

class PairsInQuestion {
 public:
  PairsInQuestion(const TableReading& reading, const Schema& schema,
                  const QuestionSettings& settings)
      : reading_(reading),
        schema_(schema),
        settings_(settings),
        graph_(graph_of(reading.scored().parents)),
        taken_(schema.size() * schema.size(), false) {}

  // With all singles; empty if there is no pair in question.
  Batch batch() {
    take_edges();
    const std::vector<NodePair> ends = two_path_ends(), near = near_edges();
    for (std::size_t i = 0; i < ends.size() && batch_.size() < room(settings_.ends_per_node); ++i)
      take(ends[i]);
    const std::size_t most = room(settings_.pairs_per_node);
    for (std::size_t i = 0; i < std::max(ends.size(), near.size()); ++i) {
      if (i < near.size() && batch_.size() < most) take(near[i]);
      if (i < ends.size() && batch_.size() < most) take(ends[i]);
    }
    if (batch_.empty()) return {};
    add_all_singles(batch_, schema_, settings_.single_weight);
    return batch_;
  }

 private:
  struct Scored {
    NodePair pair;
    double score;
  };

  std::size_t room(double per_node) const {
    return static_cast<std::size_t>(std::ceil(per_node * static_cast<double>(schema_.size())));
  }

  void take(const NodePair& pair) {
    const std::size_t at = pair.x * schema_.size() + pair.y;
    if (taken_[at] || !can_be_measured(pair)) return;
    taken_[at] = true;
    batch_.push_back({VariableSet{pair.x, pair.y}, 1});
  }

  bool can_be_measured(const NodePair& pair) const {
    if (settings_.measured_before) return reading_.pairs().is_measured(pair.x, pair.y);
    return has_dense_table(schema_, VariableSet{pair.x, pair.y});
  }

  bool is_edge(std::size_t x, std::size_t y) const {
    return graph_.is_adjacent(static_cast<int>(x), static_cast<int>(y));
  }

  void take_edges() {
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        if (is_edge(x, y)) take({x, y});
      }
    }
  }

  static std::vector<NodePair> best_first(std::vector<Scored> list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    std::vector<NodePair> out;
    for (const Scored& item : list)
      out.push_back(item.pair);
    return out;
  }

  // By the covariance that the two would have if the middle did not collide.
  std::vector<NodePair> two_path_ends() const {
    const std::size_t nodes = schema_.size();
    std::vector<double> implied(nodes * nodes, 0);
    for (int z = 0; z < graph_.size(); ++z) {
      std::vector<int> near = graph_.neighbours(z);
      std::sort(near.begin(), near.end());
      for (std::size_t i = 0; i < near.size(); ++i) {
        const auto x = static_cast<std::size_t>(near[i]);
        const Matrix first = reading_.pairs().shrunken(x, static_cast<std::size_t>(z));
        for (std::size_t j = i + 1; j < near.size(); ++j) {
          if (graph_.is_adjacent(near[i], near[j])) continue;
          const auto y = static_cast<std::size_t>(near[j]);
          const Matrix second = reading_.pairs().shrunken(static_cast<std::size_t>(z), y);
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
    return best_first(std::move(out));
  }

  std::vector<NodePair> near_edges() const {
    std::vector<Scored> out;
    for (std::size_t x = 0; x < schema_.size(); ++x) {
      for (std::size_t y = x + 1; y < schema_.size(); ++y) {
        if (is_edge(x, y)) continue;
        if (!reading_.tests().is_open(x, y) || !reading_.tests().is_measured(x, y)) continue;
        const double p = reading_.tests().p_value(x, y);
        if (p < settings_.near_p_value) out.push_back({{x, y}, -p});
      }
    }
    return best_first(std::move(out));
  }

  const TableReading& reading_;
  const Schema& schema_;
  QuestionSettings settings_;
  Pdag graph_;
  Batch batch_;
  std::vector<bool> taken_;
};

// What a chooser needs to learn a graph from what is known so far, and to ask what decides about
// it. Schema, knowledge and monitor must outlive it.
struct Guide {
  const Schema& schema;
  const Knowledge& knowledge;
  TableSearch search;
  Monitor* monitor = nullptr;
  SearchEffort effort = SearchEffort::once;

  Batch pairs_in_question(const Measurements& so_far, const QuestionSettings& settings) const {
    const TableReading reading(so_far, search, knowledge, effort, monitor);
    return PairsInQuestion(reading, schema, settings).batch();
  }
};

}  // namespace privpc
