// The judge without privacy: an ordinary test at level alpha. A pair is called independent when
// its p-value is above alpha; the p-value is the support of the separation.
//
// G2 and chi-square count the declared levels. Where most cells are empty, those degrees of freedom
// cannot be filled and p-values are near 1 whatever the truth is. Such a separation is believed
// as bnlearn believes it, but its support is the p-value that counts occurring levels only; if that
// one is not above alpha, only empty cells speak for it and nothing about directions follows.
// DegreesOfFreedom::occurring counts the occurring levels from the start.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/base/sealed.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/learners/questions_ahead.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/independence_test.hpp"

namespace privpc {

class ExactJudge : public Judge {
 public:
  ExactJudge(TableSource& source, TestKind kind, double alpha, unsigned threads,
             DegreesOfFreedom counted = DegreesOfFreedom::declared)
      : source_(source),
        kind_(kind),
        alpha_(alpha),
        threads_(threads),
        counted_(counted),
        critical_(256) {
    for (auto& value : critical_)
      value.store(-1, std::memory_order_relaxed);
  }

  void begin_order(const OrderAhead& ahead) override {
    source_.announce(questions_about(ahead, 0, ahead.pairs.size(), threads_));
  }

  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    if (x > y) std::swap(x, y);
    TestResult result;
    if (kind_ == TestKind::g2) {
      // Most questions are answered by comparing with a critical value; fewer degrees of freedom
      // would only lower it.
      result.statistic = G2Statistic::of(source_, x, y, given).open(not_private_);
      result.df = association_df(source_.schema(), x, y, given);
      if (result.statistic > critical_value(result.df) * (1 + 1e-9)) return {false, 0};
      result.p_value = chi_square_upper(result.statistic, result.df);
    } else {
      result = IndependenceTest::of(source_, kind_, x, y, given).open(not_private_);
    }
    if (!(result.p_value > alpha_)) return {false, 0};
    return believed(x, y, given, result);
  }

  // How surely the test denies independence, whether or not that separates: the logarithm of its
  // p-value, kept to single precision like a support. Nothing where the records cannot tell: where
  // in no stratum both variables vary, or where only empty cells speak for independence.
  std::optional<double> log_p_value(std::size_t x, std::size_t y, const VariableSet& given) {
    if (x > y) std::swap(x, y);
    const TestResult result = IndependenceTest::of(source_, kind_, x, y, given).open(not_private_);
    if (std::isnan(result.df)) return rounded(log_chi_square_upper(result.z * result.z, 1));
    double log_p = log_chi_square_upper(result.statistic, result.df);
    if (!counts_levels()) return result.df > 0 ? std::optional(rounded(log_p)) : std::nullopt;
    const bool declared = counted_ == DegreesOfFreedom::declared;
    const double log_alpha = std::log(alpha_);
    if (declared && !(log_p > log_alpha)) return rounded(log_p);
    const double df = occurring_df(x, y, given);
    if (!(df > 0)) return std::nullopt;
    log_p = log_chi_square_upper(result.statistic, df);
    if (declared && !(log_p > log_alpha)) return std::nullopt;
    return rounded(log_p);
  }

 private:
  bool counts_levels() const { return kind_ == TestKind::g2 || kind_ == TestKind::chisq; }

  double occurring_df(std::size_t x, std::size_t y, const VariableSet& given) const {
    return IndependenceTest::occurring_df(source_, x, y, given).open(not_private_);
  }

  // To single precision: values that are equal but for the order of a summation are then equal.
  static double rounded(double value) { return static_cast<float>(value); }

  // How far a p-value above alpha is believed.
  Verdict believed(std::size_t x, std::size_t y, const VariableSet& given,
                   const TestResult& result) const {
    if (!counts_levels()) return {true, rounded(result.p_value)};
    const double occurring = chi_square_upper(result.statistic, occurring_df(x, y, given));
    if (occurring > alpha_) return {true, rounded(occurring)};
    if (counted_ == DegreesOfFreedom::occurring) return {false, 0};
    return {true, rounded(result.p_value), true};
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

  NotPrivateKey not_private_;
  TableSource& source_;
  TestKind kind_;
  double alpha_;
  unsigned threads_;
  DegreesOfFreedom counted_;
  std::vector<std::atomic<double>> critical_;  // by degrees of freedom; negative: not yet known
};

}  // namespace privpc
