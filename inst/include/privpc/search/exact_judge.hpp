// The judge without privacy: an ordinary test at level alpha. A pair is called independent when
// its p-value is above alpha; the p-value is the strength of the separation.
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
      : source_(source), kind_(kind), alpha_(alpha), threads_(threads), critical_(1024) {
    for (auto& value : critical_)
      value.store(-1, std::memory_order_relaxed);
  }

  void begin_order(std::size_t order) override {
    if (order == 0) source_.prepare_pairs(threads_);
  }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    if (kind_ != TestKind::g2) {
      const TestResult result = independence_test(source_, kind_, x, y, given);
      return {result.p_value > alpha_, result.p_value};
    }
    // Most questions are answered by comparing with a critical value; only a separation needs
    // its p-value.
    if (x > y) std::swap(x, y);
    const double statistic = g2_statistic(source_, x, y, given);
    const double df = association_df(source_.schema(), x, y, given);
    const double critical = critical_value(df);
    if (statistic > critical * (1 + 1e-9)) return {false, 0};
    const double p_value = chi_square_upper(statistic, df);
    return {p_value > alpha_, p_value};
  }

 private:
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
