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
#include "privpc/learners/table_learning.hpp"
#include "privpc/learners/triple_choice.hpp"

namespace privpc {

struct GuideSettings {
  double single_weight = 1.5;  // a single gets this much less noise variance than a pair
  QuestionSettings questions;
  TripleSettings triples;
};

class GuidedChooser : public BatchChooser {
 public:
  // `rho` is for all steps together.
  GuidedChooser(const Schema& schema, const Knowledge& knowledge, const TableSearch& search,
                Rho rho, Monitor* monitor = nullptr, const GuideSettings& settings = {},
                SearchEffort effort = SearchEffort::once)
      : schema_(schema),
        knowledge_(knowledge),
        search_(search),
        rho_(rho),
        monitor_(monitor),
        settings_(settings),
        effort_(effort),
        shares_(guided_shares(effective_rows(schema, rho))) {}

  std::optional<NextBatch> next(const Measurements& so_far) override {
    const std::size_t step = step_++;
    if (step == 0) {
      return NextBatch{all_pairs(schema_, knowledge_, search_.rules, settings_.single_weight),
                       rho_ * shares_.all_pairs, "all pairs"};
    }
    if (step <= shares_.rounds.size()) return guided(so_far, round(step - 1));
    if (step > shares_.rounds.size() + 1 || shares_.triples == 0) return std::nullopt;
    const Rho rho = rho_ * shares_.triples * kLessForRounding;
    Batch batch =
        choose_triples(so_far, knowledge_, search_.rules, rho, settings_.triples, monitor_);
    if (!batch.empty()) return NextBatch{std::move(batch), rho, "triples"};
    return guided(so_far, rho);
  }

 private:
  // Room for the ledger's rounding of the debits.
  static constexpr double kLessForRounding = 1 - 1e-9;

  Rho round(std::size_t i) const { return rho_ * shares_.rounds[i] * kLessForRounding; }

  NextBatch guided(const Measurements& so_far, Rho rho) const {
    const TableReading reading(so_far, search_, knowledge_, effort_, monitor_);
    Batch batch = PairsInQuestion(reading, schema_, settings_.questions).batch();
    if (!batch.empty()) return {std::move(batch), rho, "pairs in question"};
    return {all_pairs(schema_, knowledge_, search_.rules, settings_.questions.single_weight), rho,
            "all pairs"};
  }

  const Schema& schema_;
  const Knowledge& knowledge_;
  TableSearch search_;
  Rho rho_;
  Monitor* monitor_;
  GuideSettings settings_;
  SearchEffort effort_;
  GuidedShares shares_;
  std::size_t step_ = 0;
};

}  // namespace privpc
