// The judge of Priv-PC (Wang, Pang & Song 2020, Algorithm 2): rounds of sieve-and-examine. Each
// round ends with the first set that the sieve takes for separating; examined on all rows it either
// removes the edge or does not, and a new round begins with the next set.
//
// Corrections to the printed algorithm: a refusal by the examine step does not end the tests of
// the edge; the noise of each step belongs to the rows it sees; the price of the rounds is fixed by
// a plan before the data are touched, not added up afterwards.
//
// Thresholds, on the scale of the margins (one record moves them by at most 1): the examine step
// says "independent" at a margin above -offset noise scales. The offset is public and larger for
// many pairs, where a refusal, which costs a round, is dear. The sieve asks for `tweak` of its own
// noise scales less. Default: -0.25, a little more than the examine step would, because every order
// is gone through several times and what is missed once comes again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "privpc/learners/questions_ahead.hpp"
#include "privpc/learners/spending_plan.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

struct SieveSettings {
  double sieve_share = 0.7;  // of a round's price
  double tweak = -0.25;      // in noise scales of the sieve
  double offset_order0 = 1;  // in noise scales of the examine step
  double offset_higher;      // the same for conditional tests

  explicit SieveSettings(std::size_t pairs) {
    const double decades = std::log10(static_cast<double>(std::max<std::size_t>(pairs, 1)) / 10);
    offset_higher = std::min(1.5, std::max(0.5, 0.5 + 0.5 * decades));
  }
};

class SieveJudge : public Judge {
 public:
  // Even near the end something is kept for rounds that find nothing.
  static constexpr double kLeastRounds = 4;

  SieveJudge(MarginSource& margins, const QuestionsAhead& questions,
             const SieveAndExamine::Sample& sample, const SieveSettings& settings,
             SpendingPlan& plan, Ledger& ledger, RandomBits& bits)
      : margins_(margins),
        questions_(questions),
        sample_(sample),
        settings_(settings),
        plan_(plan),
        ledger_(ledger),
        bits_(bits) {}

  void begin_order(const OrderAhead& ahead) override { questions_.begin_order(ahead); }
  bool finished() const override { return finished_; }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    if (finished_ || (!run_ && !start_round())) return {};
    questions_.reach(x, y);
    MarginSource& on_sample = sampled_ ? *sampled_ : margins_;
    if (!run_->sieve(on_sample.margin(x, y, given), bits_)) return {};
    const double offset = given.size() == 0 ? settings_.offset_order0 : settings_.offset_higher;
    const bool independent =
        run_->examine(margins_.margin(x, y, given), -offset * run_->examine_noise(), bits_);
    run_.reset();
    if (independent) plan_.pair_removed();
    return {independent, 0};
  }

 private:
  bool start_round() {
    const Price price = plan_.next(kLeastRounds);
    finished_ = !price;
    if (finished_) return false;
    run_ = std::make_unique<SieveAndExamine>(
        SieveAndExamine::Split::of(price, settings_.sieve_share), 1.0, sample_);
    margins_.expect_noise(run_->examine_noise());
    // A margin on m of n rows is about m/n times as far from 0.
    const double share = static_cast<double>(sample_.size) / static_cast<double>(sample_.rows);
    const double threshold = -settings_.offset_order0 * run_->examine_noise() * share;
    const RowMask mask = run_->start(threshold, settings_.tweak * run_->sieve_noise().query_noise(),
                                     ledger_, bits_, "round " + std::to_string(plan_.steps()));
    if (sample_.size < sample_.rows) sampled_ = margins_.on_sample(mask);
    return true;
  }

  MarginSource& margins_;
  QuestionsAhead questions_;
  SieveAndExamine::Sample sample_;
  SieveSettings settings_;
  SpendingPlan& plan_;
  Ledger& ledger_;
  RandomBits& bits_;
  std::unique_ptr<SieveAndExamine> run_;
  std::unique_ptr<MarginSource> sampled_;
  bool finished_ = false;
};

}  // namespace privpc
