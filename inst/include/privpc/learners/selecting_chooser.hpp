// What marginal_pc() measures for a search by score where there are many variables: not all pairs,
// whose noise grows like the number of variables, but those that a private selection finds
// (select_pairs.hpp), whose noise grows like its root.
//   1. all singles;
//   2. of all pairs a tree, of those that are farthest from independence; it is measured;
//   3. of the others those that are farthest from what the tree implies; they are measured;
//   4. twice, what decides about the graph that scores best so far (pairs_in_question.hpp). The
//      second time the ends of two-paths go first: most of them were not selected, and directions
//      come from them.
// The shares of the budget were set on random networks (bench/selection.R).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/pairs_in_question.hpp"
#include "privpc/learners/select_pairs.hpp"
#include "privpc/learners/selection_plan.hpp"
#include "privpc/learners/tree_model.hpp"

namespace privpc {

class SelectingChooser : public BatchChooser {
 public:
  // `rho` is for all steps together.
  SelectingChooser(const Schema& schema, const Knowledge& knowledge, const TableSearch& search,
                   Rho rho, Monitor* monitor = nullptr, const SelectionShares& shares = {},
                   SearchEffort effort = SearchEffort::once)
      : schema_(schema),
        knowledge_(knowledge),
        search_(search),
        rho_(rho),
        monitor_(monitor),
        shares_(shares),
        effort_(effort),
        open_(selectable_pairs(schema, knowledge)) {
    for_each_required([&](const NodePair& pair) { required_.push_back(pair); });
  }

  std::optional<NextSelection> next_selection(const Measurements& so_far) override {
    if (step_ == kTree && !has_tree_) {
      return NextSelection{open_,     independence_model(so_far), 0,
                           required_, rho(shares_.tree),          "pairs of a tree"};
    }
    if (step_ == kOthers && !has_others_) {
      return NextSelection{others(), tree_model(so_far, tree_), wanted(),
                           {},       rho(shares_.others),       "other pairs"};
    }
    return std::nullopt;
  }

  void selected(const std::vector<NodePair>& pairs) override {
    if (step_ == kTree) {
      chosen_ = required_;
      chosen_.insert(chosen_.end(), pairs.begin(), pairs.end());
      tree_ = spanning(chosen_);
      has_tree_ = true;
    } else {
      chosen_ = pairs;
      has_others_ = true;
    }
  }

  std::optional<NextBatch> next(const Measurements& so_far) override {
    switch (step_++) {
      case kSingles:
        return NextBatch{with_singles({}), rho(shares_.singles), "singles"};
      case kTree:
        return NextBatch{with_singles(chosen_), rho(shares_.measure_tree), "pairs of a tree"};
      case kOthers:
        return NextBatch{with_singles(chosen_), rho(shares_.measure_others), "other pairs"};
      case kFirstRound:
        return guided(so_far, false);
      case kLastRound:
        return guided(so_far, true);
      default:
        return std::nullopt;
    }
  }

 private:
  enum Step { kSingles, kTree, kOthers, kFirstRound, kLastRound };

  // With room for the ledger's rounding of the debits.
  Rho rho(double share) const { return rho_ * share * (1 - 1e-9); }

  std::size_t wanted() const {
    return static_cast<std::size_t>(shares_.others_per_node * static_cast<double>(schema_.size()));
  }

  template <class Visit>
  void for_each_required(const Visit& visit) const {
    detail::for_each_varying_pair(schema_, knowledge_, [&](std::size_t x, std::size_t y, bool) {
      const bool required = knowledge_.pair_is_required(static_cast<int>(x), static_cast<int>(y));
      if (required && has_dense_table(schema_, VariableSet{x, y})) visit(NodePair{x, y});
    });
  }

  // Required pairs may close circles, which a model of a tree cannot have.
  std::vector<NodePair> spanning(const std::vector<NodePair>& pairs) const {
    detail::Components groups(schema_.size());
    std::vector<NodePair> out;
    for (const NodePair& pair : pairs) {
      if (!groups.apart(pair)) continue;
      groups.join(pair);
      out.push_back(pair);
    }
    return out;
  }

  std::vector<NodePair> others() const {
    const auto same = [](const NodePair& a, const NodePair& b) { return a.x == b.x && a.y == b.y; };
    std::vector<NodePair> out;
    for (const NodePair& pair : open_) {
      const bool known = std::any_of(tree_.begin(), tree_.end(),
                                     [&](const NodePair& other) { return same(pair, other); });
      if (!known) out.push_back(pair);
    }
    return out;
  }

  Batch with_singles(const std::vector<NodePair>& pairs) const {
    Batch batch;
    for (const NodePair& pair : pairs)
      batch.push_back({VariableSet{pair.x, pair.y}, 1});
    for (std::size_t v = 0; v < schema_.size(); ++v) {
      if (schema_.levels(v) > 1) batch.push_back({VariableSet{v}, 1});
    }
    return batch;
  }

  NextBatch guided(const Measurements& so_far, bool last) const {
    const TableReading reading(so_far, search_, knowledge_, effort_, monitor_);
    QuestionSettings settings;
    settings.measured_before = false;
    if (last) settings.ends_per_node = shares_.ends_per_node;
    Batch batch = PairsInQuestion(reading, schema_, settings).batch();
    if (batch.empty()) batch = with_singles(chosen_);
    return {std::move(batch), rho(last ? shares_.last_round() : shares_.first_round),
            "pairs in question"};
  }

  const Schema& schema_;
  const Knowledge& knowledge_;
  TableSearch search_;
  Rho rho_;
  Monitor* monitor_;
  SelectionShares shares_;
  SearchEffort effort_;
  std::vector<NodePair> open_, required_, tree_, chosen_;
  bool has_tree_ = false, has_others_ = false;
  int step_ = kSingles;
};

}  // namespace privpc
