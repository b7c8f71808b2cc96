// What was computed from records and is nobody's business yet: tables, strata and sums as they
// leave a source. A Sealed value can be carried around; to look inside takes a key, and keys have
// no public constructor: only the classes that are named here can make one. So printing a table, or
// handing a sum on in the clear, does not compile (tests/cpp/leaks/ tries).
//
// Sealed values become Sensitive ones (sensitive.hpp), with a proof of how far one record can move
// them, in the classes of statistic/ that hold a StatisticKey; Sensitive values become public in
// the mechanisms of privacy/, after a debit.
#pragma once

#include <utility>

namespace privpc {

// From secret to secret: what these classes make of a Sealed value is Sealed or Sensitive again.
class StatisticKey {
 private:
  StatisticKey() {}               // not defaulted: an aggregate could be made by anyone with {}
  friend class G2Statistic;       // four sums -> G2
  friend class IndependenceTest;  // a sum -> a test's result
  friend class OrderMargin;       // a sum of scores -> a margin, with its sensitivity
  friend class NullVarianceOf;    // a sum of variances, with its sensitivity
  friend class BatchContrasts;    // tables -> contrasts, with the sensitivity of the batch
  friend class PairScores;        // tables -> distances from public tables, with their sensitivity
  friend class BlockTests;        // block by block, with the sensitivity of counts of blocks
  friend class PeekForTests;      // defined by tests only
};

// To the open, without privacy.
class NotPrivateKey {
 private:
  NotPrivateKey() {}
  friend class ExactJudge;      // exact_pc()
  friend class NotPrivateTest;  // cond_*()
  friend class PeekForTests;    // defined by tests only
};

template <class T>
class Sealed {
 public:
  explicit Sealed(T value) : value_(std::move(value)) {}
  const T& open(const StatisticKey&) const { return value_; }
  const T& open(const NotPrivateKey&) const { return value_; }

 private:
  T value_;
};

}  // namespace privpc
