// What marginal_pc() measures for a search by score, with shares of the budget that follow from
// public numbers before the data are touched:
//   1. all pairs (batch_parts.hpp);
//   2. what decides about the graph that scores best so far (pairs_in_question.hpp), once or twice;
//   3. where pairs are known so precisely that triples can add something, the triples that tests
//      need (triple_choice.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/batch_parts.hpp"
#include "privpc/learners/pairs_in_question.hpp"
#include "privpc/learners/score_plan.hpp"
#include "privpc/learners/triple_choice.hpp"

namespace privpc {

struct GuideSettings {
  double single_weight = 1.5;  // a single gets this much less noise variance than a pair
  QuestionSettings questions;
  TripleSettings triples;
  std::optional<GuidedShares> shares;  // else as the effective rows have it
};

class GuidedChooser : public BatchChooser {
 public:
  // `rho` is for all steps together.
  GuidedChooser(const Guide& guide, Rho rho, const GuideSettings& settings = {})
      : guide_(guide),
        rho_(rho),
        settings_(settings),
        shares_(settings.shares ? *settings.shares
                                : guided_shares(effective_rows(guide.schema, rho))) {}

  std::optional<NextBatch> next(const Measurements& so_far) override {
    const std::size_t step = step_++;
    if (step == 0) {
      return NextBatch{everything(settings_.single_weight), rho(shares_.all_pairs), "all pairs"};
    }
    if (step <= shares_.rounds.size()) return guided(so_far, rho(shares_.rounds[step - 1]));
    if (step > shares_.rounds.size() + 1 || shares_.triples == 0) return std::nullopt;
    const Rho left = rho(shares_.triples);
    Batch batch = choose_triples(so_far, guide_.knowledge, guide_.search.rules, left,
                                 settings_.triples, guide_.monitor);
    if (!batch.empty()) return NextBatch{std::move(batch), left, "triples"};
    return guided(so_far, left);
  }

 private:
  Rho rho(double share) const { return rho_ * share * kRoomForRounding; }

  Batch everything(double single_weight) const {
    return all_pairs(guide_.schema, guide_.knowledge, guide_.search.rules, single_weight);
  }

  NextBatch guided(const Measurements& so_far, Rho rho) const {
    Batch batch = guide_.pairs_in_question(so_far, settings_.questions);
    if (!batch.empty()) return {std::move(batch), rho, "pairs in question"};
    return {everything(settings_.questions.single_weight), rho, "all pairs"};
  }

  Guide guide_;
  Rho rho_;
  GuideSettings settings_;
  GuidedShares shares_;
  std::size_t step_ = 0;
};

}  // namespace privpc
