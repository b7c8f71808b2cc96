// What marginal_pc() measures for a search by score where there are many variables: not all pairs,
// whose noise grows like the number of variables, but those that a private selection finds
// (select_pairs.hpp), whose noise grows like its root.
//   1. all singles;
//   2. of all pairs a tree, of those that are farthest from independence; it is measured;
//   3. of the others those that are farthest from what the tree implies; they are measured;
//   4. twice, what decides about the graph that scores best so far (pairs_in_question.hpp). The
//      second time the ends of two-paths go first: most of them were not selected, and directions
//      come from them.
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
  SelectingChooser(const Guide& guide, Rho rho, const SelectionShares& shares = {})
      : guide_(guide),
        rho_(rho),
        shares_(shares),
        open_(selectable_pairs(guide.schema, guide.knowledge)) {
    detail::for_each_varying_pair(
        guide.schema, guide.knowledge, [&](std::size_t x, std::size_t y, bool) {
          const bool required =
              guide.knowledge.pair_is_required(static_cast<int>(x), static_cast<int>(y));
          if (required && has_dense_table(guide.schema, VariableSet{x, y}))
            required_.push_back({x, y});
        });
  }

  std::optional<NextSelection> next_selection(const Measurements& so_far) override {
    if (has_selected_) return std::nullopt;
    if (step_ == kTree) {
      return NextSelection{open_,     independence_model(so_far), 0,
                           required_, rho(shares_.tree),          "pairs of a tree"};
    }
    if (step_ == kOthers) {
      return NextSelection{others(), tree_model(so_far, tree_), wanted(),
                           {},       rho(shares_.others),       "other pairs"};
    }
    return std::nullopt;
  }

  void selected(const std::vector<NodePair>& pairs) override {
    has_selected_ = true;
    chosen_ = pairs;
    if (step_ != kTree) return;
    chosen_.insert(chosen_.begin(), required_.begin(), required_.end());
    tree_ = spanning(chosen_);
  }

  std::optional<NextBatch> next(const Measurements& so_far) override {
    has_selected_ = false;
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

  Rho rho(double share) const { return rho_ * share * kRoomForRounding; }

  std::size_t wanted() const {
    return static_cast<std::size_t>(shares_.others_per_node *
                                    static_cast<double>(guide_.schema.size()));
  }

  // Required pairs may close circles, which a model of a tree cannot have.
  std::vector<NodePair> spanning(const std::vector<NodePair>& pairs) const {
    detail::Components groups(guide_.schema.size());
    std::vector<NodePair> out;
    for (const NodePair& pair : pairs) {
      if (!groups.apart(pair)) continue;
      groups.join(pair);
      out.push_back(pair);
    }
    return out;
  }

  std::vector<NodePair> others() const {
    std::vector<NodePair> out;
    for (const NodePair& pair : open_) {
      const bool known = std::any_of(tree_.begin(), tree_.end(), [&](const NodePair& other) {
        return pair.x == other.x && pair.y == other.y;
      });
      if (!known) out.push_back(pair);
    }
    return out;
  }

  Batch with_singles(const std::vector<NodePair>& pairs) const {
    Batch batch;
    for (const NodePair& pair : pairs)
      batch.push_back({VariableSet{pair.x, pair.y}, 1});
    add_all_singles(batch, guide_.schema, 1);
    return batch;
  }

  NextBatch guided(const Measurements& so_far, bool last) const {
    QuestionSettings settings;
    settings.measured_before = false;
    if (last) settings.ends_per_node = shares_.ends_per_node;
    Batch batch = guide_.pairs_in_question(so_far, settings);
    if (batch.empty()) batch = with_singles(chosen_);
    return {std::move(batch), rho(last ? shares_.last_round() : shares_.first_round),
            "pairs in question"};
  }

  Guide guide_;
  Rho rho_;
  SelectionShares shares_;
  std::vector<NodePair> open_, required_, tree_, chosen_;
  bool has_selected_ = false;  // for the step that comes
  int step_ = kSingles;
};

}  // namespace privpc
