// The judge without privacy: an ordinary test at level alpha. A pair is called independent when
// its p-value is above alpha; the p-value is the strength of the separation.
//
// G2 and chi-square count the declared levels. Where most cells are empty, those degrees of freedom
// cannot be filled and p-values are near 1 whatever the truth is. Such a separation is believed
// as bnlearn believes it, but its strength is the p-value that counts occurring levels only; if
// that one is not above alpha, the strength is negative and nothing about directions follows.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/independence_test.hpp"

namespace privpc {

class ExactJudge : public Judge {
 public:
  ExactJudge(TableSource& source, TestKind kind, double alpha, unsigned threads)
      : source_(source), kind_(kind), alpha_(alpha), threads_(threads), critical_(256) {
    for (auto& value : critical_)
      value.store(-1, std::memory_order_relaxed);
  }

  void begin_order(std::size_t order, double) override {
    if (order == 0) source_.prepare_pairs(threads_);
  }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    if (x > y) std::swap(x, y);
    TestResult result;
    if (kind_ == TestKind::g2) {
      // Most questions are answered by comparing with a critical value.
      result.statistic = g2_statistic(source_, x, y, given);
      result.df = association_df(source_.schema(), x, y, given);
      if (result.statistic > critical_value(result.df) * (1 + 1e-9)) return {false, 0};
      result.p_value = chi_square_upper(result.statistic, result.df);
    } else {
      result = independence_test(source_, kind_, x, y, given);
    }
    if (!(result.p_value > alpha_)) return {false, 0};
    return {true, strength(x, y, given, result)};
  }

 private:
  // Between 0 and 1; below 0 if only empty cells speak for the separation. Kept to single
  // precision: p-values that are equal but for the order of a summation are then equal.
  double strength(std::size_t x, std::size_t y, const VariableSet& given,
                  const TestResult& result) const {
    double p_value = result.p_value;
    if (kind_ == TestKind::g2 || kind_ == TestKind::chisq) {
      const double occurring = occurring_p_value(source_, x, y, given, result.statistic);
      p_value = occurring > alpha_ ? occurring : p_value - 2;
    }
    return static_cast<float>(p_value);
  }

  double critical_value(double df) {
    if (df >= static_cast<double>(critical_.size())) return HUGE_VAL;  // decide by the p-value
    std::atomic<double>& slot = critical_[static_cast<std::size_t>(df)];
    double value = slot.load(std::memory_order_relaxed);
    if (value < 0) {
      value = chi_square_critical(alpha_, df);
      slot.store(value, std::memory_order_relaxed);
    }
    return value;
  }

  TableSource& source_;
  TestKind kind_;
  double alpha_;
  unsigned threads_;
  std::vector<std::atomic<double>> critical_;  // by degrees of freedom; negative: not yet known
};

}  // namespace privpc
