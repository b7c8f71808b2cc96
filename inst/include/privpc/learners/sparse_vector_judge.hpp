// The judge of SVT-PC: the sparse vector technique alone. Each positive removes an edge.
//
// With delta > 0 every positive ends a run of cutoff 1 and the next run gets its price from the
// plan. Without delta one run with a cutoff for all removals is better, because its threshold's
// noise is paid once: the number of removals is then fixed in advance.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "privpc/learners/questions_ahead.hpp"
#include "privpc/learners/spending_plan.hpp"
#include "privpc/privacy/sparse_vector.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

class SparseVectorJudge : public Judge {
 public:
  // `cutoff` is the number of removals of a run without delta. `offset` in noise scales of the
  // queries: "independent" means a noisy margin above minus that.
  SparseVectorJudge(MarginSource& margins, const QuestionsAhead& questions, std::size_t cutoff,
                    double offset, SpendingPlan& plan, Ledger& ledger, RandomBits& bits)
      : margins_(margins),
        questions_(questions),
        cutoff_(cutoff),
        offset_(offset),
        plan_(plan),
        ledger_(ledger),
        bits_(bits) {}

  void begin_order(const OrderAhead& ahead) override { questions_.begin_order(ahead); }
  bool finished() const override { return finished_; }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    if (finished_ || ((!run_ || !run_->running()) && !start_run())) return {};
    questions_.reach(x, y);
    const bool independent = run_->above(margins_.margin(x, y, given), bits_);
    if (independent) plan_.pair_removed();
    return {independent, 0};
  }

 private:
  static constexpr double kLeastRounds = 2;

  bool start_run() {
    const bool pure = ledger_.is_pure();
    const Price left = ledger_.left();
    const Price price = pure ? (run_ ? left.of(0) : left) : plan_.next(kLeastRounds);
    finished_ = !price;
    if (finished_) return false;
    run_ = std::make_unique<SparseVector>(
        pure ? price.epsilon() : epsilon_per_round(price.rho(), 1), 1.0, pure ? cutoff_ : 1, false);
    margins_.expect_noise(run_->query_noise());
    run_->start(-offset_ * run_->query_noise(), ledger_, bits_,
                pure ? "all tests" : "run " + std::to_string(plan_.steps()));
    return true;
  }

  MarginSource& margins_;
  QuestionsAhead questions_;
  std::size_t cutoff_;
  double offset_;
  SpendingPlan& plan_;
  Ledger& ledger_;
  RandomBits& bits_;
  std::unique_ptr<SparseVector> run_;
  bool finished_ = false;
};

}  // namespace privpc
