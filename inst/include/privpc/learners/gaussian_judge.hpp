// The judge of SG: Gaussian noise on every single test, whether it removes an edge or not.
//
// What an order may spend is fixed at its beginning and divided equally among the tests that it can
// have at most. What is not used, because edges went before all their sets were tried, is left
// for the later orders.
#pragma once

#include <cstddef>
#include <string>

#include "privpc/learners/questions_ahead.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

class GaussianJudge : public Judge {
 public:
  // `offset` in noise scales: "independent" means a noisy margin above minus that.
  GaussianJudge(MarginSource& margins, const QuestionsAhead& questions, std::size_t last_order,
                double offset, Ledger& ledger, RandomBits& bits)
      : margins_(margins),
        questions_(questions),
        last_order_(last_order),
        offset_(offset),
        ledger_(ledger),
        bits_(bits) {}

  void begin_order(const OrderAhead& ahead) override {
    questions_.begin_order(ahead);
    const double share = ahead.order >= last_order_ ? 1 : kShare;
    price_ = ledger_.left().rho() * share / ahead.at_most * (1 - 1e-9);
    order_ = ahead.order;
    if (price_ > Rho(0)) margins_.expect_noise(1 / std::sqrt(2 * price_.value()));
  }

  bool finished() const override { return finished_; }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    finished_ = finished_ || !(price_ > Rho(0)) || price_ > ledger_.left().rho();
    if (finished_) return {};
    questions_.reach(x, y);
    const GaussianMechanism mechanism(price_, Shape{1.0});
    const double noisy = mechanism.release(margins_.margin(x, y, given), ledger_, bits_,
                                           "order " + std::to_string(order_));
    return {noisy >= -offset_ * mechanism.sigma(), 0};
  }

 private:
  // Of what is left at the beginning of an order that is not the last.
  static constexpr double kShare = 0.5;

  MarginSource& margins_;
  QuestionsAhead questions_;
  std::size_t last_order_;
  double offset_;
  Ledger& ledger_;
  RandomBits& bits_;
  std::size_t order_ = 0;
  Rho price_{0};
  bool finished_ = false;
};

}  // namespace privpc
